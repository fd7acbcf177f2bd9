package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// observed gives the values that a provider's observations hold for a choice; false while it has not ended.
func (r *round) observed(c solver.Choice) ([]any, bool) {
	calls, gaps, wait := r.planned(c.Provider)
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
		values, _ := r.picked(c, d)
		if c.Provider.IsAgent() {
			values = r.spoken(d.Observation, c.Field)
		}
		for _, v := range values {
			if s := fmt.Sprint(v); !seen[s] && (!r.serves(c) || !r.g.spares(s)) {
				seen[s] = true
				out = append(out, fit(c.Field, v))
			}
		}
	}
	return out, true
}

// left says how much of what was found a target was not done to; "" when it was done to all.
func (r *round) left(t *target) string {
	found, done := r.leftOut(t)
	if found <= done {
		return ""
	}
	return words.Say(r.g.lang, "找到 %d 个，这里只处理到其中列出的前 %d 个，还有 %d 个没有处理；需要的话请再说一次。",
		"%d were found and only the first %d of them that were listed are dealt with here; %d are left. Ask once more for the others.", found, done, found-done)
}

// noted are calls of which those that leave is asked for say what of the things found is not among them, once for each tool.
func (r *round) noted(actions []bus.Action) []bus.Action {
	said := map[string]bool{}
	for i, a := range actions {
		at := slices.IndexFunc(r.targets, func(t *target) bool { return t.e.Name == a.ToolName && !t.e.Reads() })
		if at < 0 || said[a.ToolName] {
			continue
		}
		said[a.ToolName] = true
		if why := r.whyAnew(a.ToolName); why != "" {
			actions[i].Note = why
		} else if first := r.barredFirst(r.targets[at]); first != "" {
			actions[i].Note = words.Say(r.g.lang, "注意：按这个顺序排在最前的是 %s，现在不能这样做；这里的是能这样做的里面最前的。", "Note: the first by that is %s, which this cannot be done to now; what stands here comes first of those that it can be done to.", first)
		} else if found, done := r.leftOut(r.targets[at]); found > done {
			actions[i].Note = words.Say(r.g.lang, "注意：一共找到 %d 个，这里只有列出的前 %d 个，另外 %d 个不在其中。", "Note: %d were found; these are the first %d that were listed, and the other %d are not among them.", found, done, found-done)
		}
		if r.targets[at].e.NeedsApproval() {
			actions[i].Note = strings.TrimSpace(actions[i].Note + "\n" + r.contrary(callsOf(actions, a.ToolName)))
		}
	}
	return actions
}

// barredFirst names the thing that would come first by what was said, the newest order of somebody, where a change is made to a later one because it cannot be made
// to that; "" when there is none.
func (r *round) barredFirst(t *target) string {
	for _, c := range r.best.Choices {
		p := r.target(c.Provider)
		if p == nil || c.Provider.IsAgent() || c.Taker != t.e && (!r.serves(c) || !slices.Contains(r.best.Providers(t.e), c.Taker)) || r.meansThem(c.Taker) {
			continue
		}
		list, id, _ := strings.Cut(c.Edge.Path, ".")
		for _, d := range r.latest() {
			s, _, lacks, ok := r.sheet(p, d, list)
			if d.Action.ToolName != c.Provider.Name || !ok || !s.Superlative() && !s.Sorted || !s.First(r.allowedWhen(c), lacks, false) {
				continue
			}
			if row, ok := s.Passed.(map[string]any); ok {
				out := fmt.Sprint(row[id])
				for _, k := range fields.Keys(row, nil) {
					if r.allowedWhen(c)[k] != nil {
						out += words.Say(r.g.lang, "（%s）", " (%s)", row[k])
					}
				}
				return out
			}
		}
	}
	return ""
}

// leftOut is how many things were found for a target, and to how many of them it is done; both 0 when it is done to all.
func (r *round) leftOut(t *target) (found, done int) {
	for _, c := range r.best.Choices {
		if c.Provider == nil || c.Provider.IsAgent() || c.Taker != t.e && (!r.serves(c) || !slices.Contains(r.best.Providers(t.e), c.Taker)) {
			continue
		}
		values, ended := r.observed(c)
		calls, _, _ := r.planned(c.Taker)
		if !ended || len(calls) == 0 {
			continue
		}
		able, _ := r.able(c, values)
		if len(able) == 0 || len(values) <= maxFan {
			able = values
		}
		found = len(able)
		for _, d := range r.latest() {
			if t := r.target(c.Provider); t != nil {
				list, _, _ := strings.Cut(c.Edge.Path, ".")
				if s, _, _, ok := r.sheet(t, d, list); ok && (len(s.Where) > 0 || s.Sorted || s.Superlative()) { // what was not listed may not be meant
					continue
				}
			}
			if m, ok := objectIn(d.Observation); ok && d.Action.ToolName == c.Provider.Name && d.Status == bus.OK {
				found += unlisted(m, c)
			}
		}
		if done = min(len(able), maxFan); found > done {
			return found, done
		}
	}
	return 0, 0
}

// unlisted is how many things a result counts beyond those that it lists where a choice takes them from.
func unlisted(m map[string]any, c solver.Choice) int {
	list, _, _ := strings.Cut(c.Edge.Path, ".")
	rows, ok := m[list].([]any)
	more := 0
	for k, v := range m {
		if n, isNumber := v.(json.Number); ok && isNumber && render.IsTotal(k, fields.Child(&c.Provider.Result, k)) {
			if n, err := n.Int64(); err == nil && n < 1<<31 {
				more = max(more, int(n)-len(rows))
			}
		}
	}
	return more
}

// objectIn reads an observation that is an object.
func objectIn(raw json.RawMessage) (map[string]any, bool) {
	v, err := fields.Decode(raw)
	m, ok := v.(map[string]any)
	return m, err == nil && ok
}

// spoken reads the values of a field's kind out of what an agent said.
func (r *round) spoken(raw json.RawMessage, f *fields.Field) []any {
	var out []any
	for _, fa := range facts.Read(words.Clip(plain(raw), 4*words.MaxText), r.g.now, r.x.knows) {
		if v, sure := fields.Suits(f, fa); sure >= 0.9 {
			out = append(out, v)
		}
	}
	return out
}

// dig reads all values at a dotted path, through lists.
func dig(raw json.RawMessage, path string) []any {
	v, err := fields.Decode(raw)
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
func fit(f *fields.Field, v any) any {
	if n, ok := v.(json.Number); ok && f.Type == "string" {
		return strings.TrimSuffix(n.String(), ".0")
	}
	if _, list := v.([]any); f.IsList() && !list {
		return []any{v}
	}
	return v
}
