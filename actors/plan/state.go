package plan

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// A card may say of what state a thing must be for a change, with x-when on the parameter that names the thing: {"state": ["待发货"]}; on another parameter it says so
// of the changes that fill that one: an address is changed only before the order is shipped, a note always. What was looked up in this task is held to it before a
// person is asked to agree: nobody shall be asked about what cannot be done.

// hindered is a thing that a change cannot be made to.
type hindered struct {
	id    string
	state string   // what it is
	of    string   // what that is called, 订单状态
	when  []string // what it would have to be
	why   string   // a sentence instead of all that
}

// hindrance is why a call cannot be made as things stand; nil when nothing that was looked up speaks against it.
func (r *round) hindrance(e *cards.Entry, a bus.Action) *hindered {
	args, _ := argumentMap(a)
	for i := range e.Params {
		f := &e.Params[i]
		when := whenFilled(e, f, func(name string) bool { return args[name] != nil })
		id := fmt.Sprint(args[f.Name])
		if len(when) == 0 || args[f.Name] == nil {
			continue
		}
		for look, m := range r.rowsOf(id) {
			for _, k := range fields.Keys(m, &look.Result) {
				if states := when[k]; len(states) > 0 && m[k] != nil && !slices.Contains(states, fmt.Sprint(m[k])) {
					return &hindered{id: id, state: fmt.Sprint(m[k]), of: look.LabelOf(k, r.g.lang), when: states}
				}
			}
			break
		}
	}
	return nil
}

// rowsOf gives the rows in which the tools that look things up told of the thing of an id in this task, the newest first, each with its tool.
func (r *round) rowsOf(id string) iter.Seq2[*cards.Entry, map[string]any] {
	return func(yield func(*cards.Entry, map[string]any) bool) {
		for _, d := range slices.Backward(r.in.Done) {
			look := r.x.byName[d.Action.ToolName]
			if d.Status != bus.OK || look == nil || !look.Reads() || look.IsAgent() {
				continue
			}
			v, err := fields.Decode(d.Observation)
			if err != nil {
				continue
			}
			if m := holding(v, id); m != nil && !yield(look, m) {
				return
			}
		}
	}
}

// whenFilled is of what state the thing must be that a parameter names, for a call that fills some of the others; nil for one that names none.
func whenFilled(e *cards.Entry, f *fields.Field, filled func(name string) bool) fields.Means {
	when := f.When
	for i := range e.Params {
		if p := &e.Params[i]; e.TakesOne() != nil && e.TakesOne().Name == f.Name && p.Name != f.Name && len(p.When) > 0 && filled(p.Name) {
			if when = maps.Clone(when); when == nil {
				when = fields.Means{}
			}
			maps.Copy(when, p.When)
		}
	}
	if one := e.TakesOne(); one != nil && one.Name != f.Name && len(f.Needs) == 0 { // it names no thing
		return nil
	}
	return when
}

// allowedWhen is of what state the things must be that a choice takes.
func (r *round) allowedWhen(c solver.Choice) fields.Means {
	t := r.target(c.Taker)
	return whenFilled(c.Taker, c.Field, func(name string) bool {
		if t == nil {
			return false
		}
		_, ok := t.bound[name]
		return ok
	})
}

// able parts the values of a choice into those of things whose state allows the change, as the rows that they were found in tell, and the others.
func (r *round) able(c solver.Choice, values []any) (able, not []any) {
	barred := map[string]bool{}
	list, id, _ := strings.Cut(c.Edge.Path, ".")
	when := r.allowedWhen(c)
	for _, d := range r.in.Done {
		m, ok := objectIn(d.Observation)
		if !ok || c.Provider == nil || d.Action.ToolName != c.Provider.Name || len(when) == 0 {
			continue
		}
		rows, _ := m[list].([]any)
		for _, row := range rows {
			if m, ok := row.(map[string]any); ok && !figures.Allowed(m, when) {
				barred[fmt.Sprint(m[id])] = true
			}
		}
	}
	for _, v := range values {
		if barred[fmt.Sprint(v)] {
			not = append(not, v)
		} else {
			able = append(able, v)
		}
	}
	return able, not
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
		for _, k := range fields.Keys(v, nil) {
			if s, ok := v[k].(string); ok && s == value {
				return v
			}
			if n, ok := v[k].(json.Number); ok && n.String() == value {
				return v
			}
		}
		for _, k := range fields.Keys(v, nil) {
			if m := holding(v[k], value); m != nil {
				return m
			}
		}
	}
	return nil
}

// possible takes the calls out that cannot be made, and notes them for the answer. One that was made already stays.
func (r *round) possible(e *cards.Entry, calls []bus.Action) []bus.Action {
	if e.Reads() {
		return calls
	}
	return slices.DeleteFunc(calls, func(a bus.Action) bool {
		if _, made := r.done[key(a)]; made {
			return false
		}
		h := r.hindrance(e, a)
		if h == nil {
			h = r.unlessState(e, a)
		}
		if h == nil {
			h = r.atLoss(e, a)
		}
		if h == nil {
			return false
		}
		if !slices.ContainsFunc(r.hindered[e], func(o hindered) bool { return o.id == h.id }) {
			r.hindered[e] = append(r.hindered[e], *h)
		}
		return true
	})
}

// passedOver reports whether a change was planned and nothing came of it, though nothing that was looked up speaks against it: what was found names no
// thing that it could be made to.
func (r *round) passedOver(t *target) bool {
	_, made := r.tried(t.e.Name)
	return !made && !t.e.Reads() && !t.e.IsAgent() && len(r.hindered[t.e]) == 0 && len(r.best.Providers(t.e)) > 0
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
		return words.Say(r.g.lang, "没有执行「%s」：%s。", "Not done: %s: %s.", strip(t.clause.Text), strings.Join(why, words.Say(r.g.lang, "；", "; ")))
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
	and := words.Say(r.g.lang, "、", ", ")
	for _, s := range states {
		ids := of[s]
		more := ""
		if n := len(ids) - render.MaxRows; n > 0 {
			more, ids = words.Say(r.g.lang, "等 %d 个", " and %d more", words.Either(r.g.lang == "zh", len(ids), n)), ids[:render.MaxRows]
		}
		parts = append(parts, words.Say(r.g.lang, "%[2]s是%[3]s的 %[1]s", "%[1]s, whose %[2]s is %[3]s", strings.Join(ids, and)+more, hs[0].of, s))
	}
	return words.Say(r.g.lang, "没有执行「%s」：%s。这一步只能用于%s的。", "Not done: %s, for %s. This can only be done where it is %s.", strip(t.clause.Text),
		strings.Join(parts, words.Say(r.g.lang, "；", "; ")), strings.Join(hs[0].when, words.Say(r.g.lang, "或", " or ")))
}
