package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// A card may say of what state a thing must be for a change, with x-when on the parameter that names the thing: {"state": ["待发货"]}. What was
// looked up in this task is held to it before a person is asked to agree: nobody shall be asked about what cannot be done.

// hindered is a thing that a change cannot be made to.
type hindered struct {
	id    string
	state string   // what it is
	of    string   // what that is called, 订单状态
	when  []string // what it would have to be
	why   string   // a sentence instead of all that
}

// hindrance is why a call cannot be made as things stand; nil when nothing that was looked up speaks against it.
func (r *round) hindrance(e *entry, a bus.Action) *hindered {
	args, _ := argumentMap(a)
	for i := range e.params {
		f := &e.params[i]
		id := fmt.Sprint(args[f.Name])
		if len(f.When) == 0 || args[f.Name] == nil {
			continue
		}
		for _, d := range slices.Backward(r.in.Done) {
			look := r.x.byName[d.Action.ToolName]
			if d.Status != bus.OK || look == nil || !look.reads() || look.IsAgent() {
				continue
			}
			v, err := decode(d.Observation)
			if err != nil {
				continue
			}
			if m := holding(v, id); m != nil {
				for _, k := range keys(m, &look.result) {
					if when := f.When[k]; len(when) > 0 && m[k] != nil && !slices.Contains(when, fmt.Sprint(m[k])) {
						return &hindered{id: id, state: fmt.Sprint(m[k]), of: look.labelOf(k, r.g.lang), when: when}
					}
				}
				break
			}
		}
	}
	return nil
}

// labelOf is what a field of the tool's results is called, wherever it stands in them.
func (e *entry) labelOf(name, lang string) string {
	label := ""
	walk(e.returns, "", func(_ string, f *field) {
		if f.Name == name && label == "" {
			label = f.label(lang)
		}
	})
	return ifThen(label == "", name, label)
}

// holding is the outermost object that has a value as one of its own; nil when none has.
func holding(v any, value string) map[string]any {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if m := holding(e, value); m != nil {
				return m
			}
		}
	case map[string]any:
		for _, k := range keys(v, nil) {
			if s, ok := v[k].(string); ok && s == value {
				return v
			}
			if n, ok := v[k].(json.Number); ok && n.String() == value {
				return v
			}
		}
		for _, k := range keys(v, nil) {
			if m := holding(v[k], value); m != nil {
				return m
			}
		}
	}
	return nil
}

// possible takes the calls out that cannot be made, and notes them for the answer. One that was made already stays.
func (r *round) possible(e *entry, calls []bus.Action) []bus.Action {
	if e.reads() {
		return calls
	}
	return slices.DeleteFunc(calls, func(a bus.Action) bool {
		if _, made := r.done[key(a)]; made {
			return false
		}
		h := r.hindrance(e, a)
		if h == nil {
			return false
		}
		if !slices.ContainsFunc(r.hindered[e], func(o hindered) bool { return o.id == h.id }) {
			r.hindered[e] = append(r.hindered[e], *h)
		}
		return true
	})
}

// hindrances says of a target which things it was not done to, and why; "" when there are none.
func (r *round) hindrances(t *target) string {
	var states, why []string
	of := map[string][]string{}
	hs := slices.DeleteFunc(slices.Clone(r.hindered[t.e]), func(h hindered) bool {
		if h.why != "" {
			why = append(why, h.why)
		}
		return h.why != ""
	})
	if len(why) > 0 {
		return say(r.g.lang, "没有执行「%s」：%s。", "Not done: %s: %s.", strip(t.clause.text), strings.Join(why, say(r.g.lang, "；", "; ")))
	}
	for _, h := range hs {
		if of[h.state] == nil {
			states = append(states, h.state)
		}
		of[h.state] = append(of[h.state], h.id)
	}
	if len(hs) == 0 {
		return ""
	}
	var parts []string
	and := say(r.g.lang, "、", ", ")
	for _, s := range states {
		ids := of[s]
		more := ""
		if n := len(ids) - maxRows; n > 0 {
			more, ids = say(r.g.lang, "等 %d 个", " and %d more", ifThen(r.g.lang == "zh", len(ids), n)), ids[:maxRows]
		}
		parts = append(parts, say(r.g.lang, "%[2]s是%[3]s的 %[1]s", "%[1]s, whose %[2]s is %[3]s", strings.Join(ids, and)+more, hs[0].of, s))
	}
	return say(r.g.lang, "没有执行「%s」：%s。这一步只能用于%s的。", "Not done: %s, for %s. This can only be done where it is %s.", strip(t.clause.text),
		strings.Join(parts, say(r.g.lang, "；", "; ")), strings.Join(hs[0].when, say(r.g.lang, "或", " or ")))
}

func ifThen[T any](ok bool, a, b T) T {
	if ok {
		return a
	}
	return b
}
