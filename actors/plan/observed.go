package plan

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// observed gives the values that a provider's observations hold for a choice; false while it has not ended.
func (r *round) observed(c choice) ([]any, bool) {
	calls, gaps, wait := r.planned(c.provider)
	if len(gaps) > 0 || wait {
		return nil, false
	}
	var out []any
	seen := map[string]bool{}
	for _, a := range calls {
		d, ok := r.done[key(a)]
		if _, runs := r.running[key(a)]; !ok || runs {
			return nil, false
		}
		if d.Status != bus.OK {
			continue
		}
		values := dig(d.Observation, c.edge.path)
		if c.provider.IsAgent() {
			values = r.spoken(d.Observation, c.field)
		}
		for _, v := range values {
			if s := fmt.Sprint(v); !seen[s] {
				seen[s] = true
				out = append(out, fit(c.field, v))
			}
		}
	}
	return out, true
}

// spoken reads the values of a field's kind out of what an agent said.
func (r *round) spoken(raw json.RawMessage, f *field) []any {
	var out []any
	for _, fa := range readFacts(clip(plain(raw), 4*MaxText), r.g.now, r.x.knows) {
		if v, sure := suits(f, fa); sure >= 0.9 {
			out = append(out, v)
		}
	}
	return out
}

// dig reads all values at a dotted path, through lists.
func dig(raw json.RawMessage, path string) []any {
	v, err := decode(raw)
	if err != nil {
		return nil
	}
	level := []any{v}
	for _, name := range strings.Split(path, ".") {
		var next []any
		for _, v := range flat(level) {
			if m, ok := v.(map[string]any); ok && m[name] != nil {
				next = append(next, m[name])
			}
		}
		level = next
	}
	var out []any
	for _, v := range level {
		switch v.(type) {
		case map[string]any:
		default:
			out = append(out, v)
		}
	}
	return out
}

// flat opens lists.
func flat(vs []any) []any {
	var out []any
	for _, v := range vs {
		if l, ok := v.([]any); ok {
			out = append(out, flat(l)...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// fit converts an observed value where the parameter's type asks for it.
func fit(f *field, v any) any {
	if n, ok := v.(json.Number); ok && f.Type == "string" {
		return strings.TrimSuffix(n.String(), ".0")
	}
	if _, list := v.([]any); f.isList() && !list {
		return []any{v}
	}
	return v
}
