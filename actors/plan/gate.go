package plan

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// gate puts a look before each change that a person would be asked to agree to: nobody shall be asked about a thing that does not exist.
// The id that the user told fills the look, and what that finds fills the change; so a look that fails or finds nothing ends it. A look
// is only taken from a tool that needs that id and nothing else; one that is out of order holds nobody up.
func (r *round) gate() {
	r.unguessed()
	for _, t := range r.targets {
		if t.e.Reads() || t.e.IsAgent() || !t.e.NeedsApproval() || r.chosen(t.e) || r.lacks(t.e) {
			continue
		}
		_, made := r.tried(t.e.Name)
		for i, c := range r.best.Choices {
			if c.Taker != t.e || c.Known == nil || !r.told1(c.Known) && !r.handed(c.Known) {
				continue
			}
			look, q, ed, ok := r.x.look(t.e, c.Field)
			if !ok || r.down(look.Name) {
				continue
			}
			if _, looked := r.tried(look.Name); made && !looked {
				continue
			}
			e := *look
			r.looks[&e] = map[string]fields.Binding{q.Name: t.bound[c.Field.Name]}
			r.best.Choices[i].Option = solver.Option{Provider: &e, Edge: ed, Cost: c.Cost}
			r.best.Tools = append(r.best.Tools, &e)
		}
	}
	r.presents()
}

// unguessed leaves to the user what a change that is asked leave for puts in place, where only a tool that nobody asked for would tell it: which carrier brought
// other parcels, or this one, says nothing of which one shall. What names the thing may be looked up.
func (r *round) unguessed() {
	for _, t := range r.targets {
		if t.e.Reads() || t.e.IsAgent() || !t.e.NeedsApproval() || !slices.ContainsFunc(t.e.Params, func(f fields.Field) bool { return len(f.Needs) > 0 }) {
			continue // of a card that does not say which parameter names the thing nobody knows which one is new
		}
		for i, c := range r.best.Choices {
			if c.Taker == t.e && c.Provider != nil && !r.targetNamed(c.Provider.Name) && len(c.Field.Needs) == 0 {
				r.best.Choices[i].Option = solver.Option{Cost: c.Cost}
			}
			if c.Taker == t.e && c.Known != nil && len(c.Field.Needs) == 0 && r.onlyFound(c.Field, c.Known) {
				r.best.Choices[i].Option = solver.Option{Cost: c.Cost}
				delete(t.bound, c.Field.Name)
			}
		}
		for _, f := range r.unsaid(t) {
			r.best.Choices = append(r.best.Choices, solver.Choice{Need: solver.Need{Taker: t.e, Field: f}})
		}
	}
	r.best.Tools = slices.DeleteFunc(r.best.Tools, func(e *cards.Entry) bool {
		return r.target(e) == nil && !slices.ContainsFunc(r.best.Choices, func(c solver.Choice) bool { return c.Provider == e })
	})
}

// onlyFound reports whether a value is a word of the results that were handed on with the job, and of nothing that the user said; or one of the other parts of the
// request that is none of the names that the parameter is known to take: no carrier is called as the buyer.
func (r *round) onlyFound(f *fields.Field, b *fields.Binding) bool {
	text, ok := b.Value.(string)
	if ok && b.Why != "answer" && f.Pattern == nil && len(f.Examples) > 0 && !slices.Contains(f.Examples, text) && !strings.Contains(r.g.text, text) && strings.Contains(r.g.context, text) {
		return true
	}
	m := handedOn.FindStringIndex(r.g.context)
	return ok && m != nil && b.Why != "answer" && strings.Contains(r.g.context[m[0]:], text) && !strings.Contains(r.g.text+"\n"+r.g.context[:m[0]], text)
}

// handedOn begins what [round.job] says of the results so far.
var handedOn = words.MustCompile(`\n(?:已有结果：|Result so far: )`)

// unsaid are the parameters that a change names without a value, where it says too little to be made: 修改订单的收货地址, and not to which.
func (r *round) unsaid(t *target) (out []*fields.Field) {
	var schema struct {
		Least int `json:"minProperties"`
	}
	if json.Unmarshal(t.e.Parameters, &schema) != nil || len(t.bound) >= schema.Least || r.lacks(t.e) {
		return nil
	}
	said := words.Content(t.clause.Text)
	filled := map[string]bool{}
	for name := range t.bound {
		filled[name] = true
	}
	for _, c := range r.best.Choices {
		filled[c.Field.Name] = filled[c.Field.Name] || c.Taker == t.e
	}
	for i := range t.e.Params {
		f := &t.e.Params[i]
		label := []rune(f.Label("zh"))
		named := len(label) > 0 && words.IsHan(label[0]) && strings.Contains(t.clause.Text, string(label[max(0, len(label)-2):]))
		if !filled[f.Name] && len(f.Needs) == 0 && (named || slices.Contains(said, words.Stem(f.Name))) {
			out = append(out, f)
		}
	}
	if len(filled)+len(out) < schema.Least {
		return nil
	}
	return out
}

// told1 reports whether a value comes from the user's own words.
func (r *round) told1(b *fields.Binding) bool {
	return b.Why == "answer" || b.Used >= 0 && b.Used < len(r.g.facts)
}

// handed reports whether a value is one of what was found before, by another agent: nobody agrees to bare numbers.
func (r *round) handed(b *fields.Binding) bool {
	v, m := fields.Scalar(b.Value, r.g.lang), handedOn.FindStringIndex(r.g.context)
	return m != nil && v != "" && strings.Contains(r.g.context[m[0]:], v)
}

// look finds the tool that shows the single thing which a parameter names.
func (x *Index) look(taker *cards.Entry, f *fields.Field) (*cards.Entry, *fields.Field, solver.Edge, bool) {
	for _, e := range x.entries {
		need := e.Required()
		if e.IsAgent() || !e.Reads() || len(need) != 1 || need[0].Sort != fields.ID || !sameThing(need[0], f) {
			continue
		}
		if ed, ok := x.shape.best(e, taker, f, minInsert); ok {
			return e, need[0], ed, true
		}
	}
	return nil, nil, solver.Edge{}, false
}

// sameThing reports whether two parameters take the id of the same kind of thing.
func sameThing(a, b *fields.Field) bool {
	if len(a.Needs) > 0 && len(b.Needs) > 0 {
		return slices.ContainsFunc(a.Needs, func(n string) bool { return slices.Contains(b.Needs, n) })
	}
	return a.Name == b.Name && a.Sort == b.Sort
}

// down reports whether a tool failed in this task for a reason that says nothing about what it was asked.
func (r *round) down(name string) bool {
	return slices.ContainsFunc(r.in.Done, func(d Done) bool {
		return d.Action.ToolName == name && d.Status == bus.Failed && (d.Error == nil || d.Error.Retryable || d.Error.Code != bus.CodeInvalidParameter)
	})
}

// looked reports whether a call was made to look at what shall be changed.
func (r *round) looked(d Done) bool {
	for e := range r.looks {
		if e.Name == d.Action.ToolName && !r.targetNamed(e.Name) {
			return true
		}
	}
	return false
}
