package plan

import (
	"encoding/json"
	"fmt"
	"slices"
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
		values := r.valuesIn(c, d)
		if c.provider.IsAgent() {
			values = r.spoken(d.Observation, c.field)
		}
		for _, v := range values {
			if s := fmt.Sprint(v); !seen[s] && (c.taker.reads() || !r.g.spares(s)) {
				seen[s] = true
				out = append(out, fit(c.field, v))
			}
		}
	}
	return out, true
}

// valuesIn are the values of a choice in what its provider found: of the rows that its clause limits itself to, where a tool lists more.
func (r *round) valuesIn(c choice, d Done) []any {
	t := r.target(c.provider)
	if t == nil {
		return r.withinLimits(c, d)
	}
	list, rest := "", c.edge.path
	if !t.e.result.isList() {
		list, rest, _ = strings.Cut(c.edge.path, ".")
	}
	s, _, _, ok := r.sheet(t, d, list)
	if !ok || len(s.where) == 0 {
		return dig(d.Observation, c.edge.path)
	}
	return digIn(s.rows, rest)
}

// withinLimits are the values of a choice in what a tool found that no clause asked for: for a change, of the rows alone that hold to the numbers by
// which the request limits a figure of theirs. That they were found by the name of what is changed says nothing of those.
func (r *round) withinLimits(c choice, d Done) []any {
	list, rest := c.provider.listAt(c.edge.path)
	v, err := decode(d.Observation)
	if err != nil || list == nil || c.taker.reads() {
		return dig(d.Observation, c.edge.path)
	}
	rows, _ := v.([]any)
	if m, ok := v.(map[string]any); ok {
		rows, _ = m[list.Name].([]any)
	}
	g := &folding{list: list}
	for _, f := range r.g.facts {
		a, isAmount := f.value.(amount)
		l, limits := limitIn(r.g.plain, f)
		if !isAmount || !limits || l.second || !c.provider.hasLimited(f, l, r.g.plain) {
			continue
		}
		if kept, _, ok := g.limited(f, a, r.g.plain, rows); ok {
			rows = kept
		}
	}
	return digIn(rows, rest)
}

// listAt is the list of a result in which the values at a path lie, and the path from its rows on; nil: they lie in none.
func (e *entry) listAt(path string) (list *field, rest string) {
	if e.result.isList() {
		return &e.result, path
	}
	name, rest, _ := strings.Cut(path, ".")
	if f := child(&e.result, name); f != nil && f.isList() && rest != "" {
		return f, rest
	}
	return nil, path
}

// unheld are what the clause of a choice's provider says and neither its call nor the rows picked hold to.
func (r *round) unheld(c choice) []fact {
	t := r.target(c.provider)
	if t == nil || t.e.IsAgent() {
		return nil
	}
	left := r.unused(t)
	for _, d := range r.latest() {
		if d.Action.ToolName != t.e.Name {
			continue
		}
		list, _, _ := strings.Cut(c.edge.path, ".")
		_, held, _, _ := r.sheet(t, d, list)
		left = slices.DeleteFunc(left, func(f fact) bool {
			return slices.ContainsFunc(held, func(h fact) bool { return h.start == f.start && h.text == f.text })
		})
	}
	return left
}

// left says how much of what was found a target was not done to; "" when it was done to all.
func (r *round) left(t *target) string {
	for _, c := range r.best.choices {
		if c.taker != t.e || c.provider == nil || c.provider.IsAgent() {
			continue
		}
		values, ended := r.observed(c)
		calls, _, _ := r.planned(t.e)
		if !ended || len(calls) == 0 {
			continue
		}
		found := len(values)
		for _, d := range r.latest() {
			if t := r.target(c.provider); t != nil {
				list, _, _ := strings.Cut(c.edge.path, ".")
				if s, _, _, ok := r.sheet(t, d, list); ok && len(s.where) > 0 { // what was not listed may not be meant
					continue
				}
			}
			if m, ok := objectIn(d.Observation); ok && d.Action.ToolName == c.provider.Name && d.Status == bus.OK {
				found += unlisted(m, c)
			}
		}
		if done := min(len(values), maxFan); found > done {
			return say(r.g.lang, "找到 %d 个，这里只处理到其中列出的前 %d 个，还有 %d 个没有处理；需要的话请再说一次。",
				"%d were found and only the first %d of them that were listed are dealt with here; %d are left. Ask once more for the others.", found, done, found-done)
		}
	}
	return ""
}

// unlisted is how many things a result counts beyond those that it lists where a choice takes them from.
func unlisted(m map[string]any, c choice) int {
	list, _, _ := strings.Cut(c.edge.path, ".")
	rows, ok := m[list].([]any)
	more := 0
	for k, v := range m {
		if n, isNumber := v.(json.Number); ok && isNumber && isTotal(k, child(&c.provider.result, k)) {
			if n, err := n.Int64(); err == nil && n < 1<<31 {
				more = max(more, int(n)-len(rows))
			}
		}
	}
	return more
}

// objectIn reads an observation that is an object.
func objectIn(raw json.RawMessage) (map[string]any, bool) {
	v, err := decode(raw)
	m, ok := v.(map[string]any)
	return m, err == nil && ok
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
	return digIn([]any{v}, path)
}

// digIn reads all values at a dotted path of several.
func digIn(level []any, path string) []any {
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
