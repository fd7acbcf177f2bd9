package plan

import (
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/bus"
)

// behind is what agents can do by the tools that they use: whoever plans over agents chooses among these tools, and hands the job to
// the agent whose tool it is. So an agent is found by every word, parameter and allowed value of its tools, and planned for by the
// same rules that it will plan by itself.
type behind struct {
	index *Index              // of the tools, and of all on offer that have none behind them
	owner map[string][]string // agents by the name of a tool, in the order of the cards
}

// newBehind sorts tools to the agents on offer; nil when none belongs to any.
func newBehind(x *Index, tools []bus.Card) *behind {
	b := &behind{owner: map[string][]string{}}
	var offered []bus.Card
	has := map[string]bool{}
	for _, c := range tools {
		if c.IsAgent() || x.byName[c.Name] != nil {
			continue
		}
		for _, e := range x.entries {
			if e.IsAgent() && slices.Contains(c.Tags, e.Name) {
				b.owner[c.Name] = append(b.owner[c.Name], e.Name)
				has[e.Name] = has[e.Name] || !c.IsSaved() // an agent that is known by its own card is that also beside a tool saved for it
			}
		}
		if len(b.owner[c.Name]) > 0 {
			offered = append(offered, c)
		}
	}
	if len(offered) == 0 {
		return nil
	}
	for _, e := range x.entries {
		if !has[e.Name] {
			offered = append(offered, e.Card)
		}
	}
	o := x.options
	o.Tools = nil
	b.index = NewIndex(offered, o)
	if slices.ContainsFunc(x.entries, func(e *cards.Entry) bool { return !e.IsAgent() }) {
		b.index.foreign = map[string]bool{}
		for name := range b.owner {
			b.index.foreign[name] = true
		}
	}
	return b
}

// choose finds the agent whose tool fits the clause best; nil when none does. barred are names on offer that failed.
func (b *behind) choose(x *Index, g *goal, c wishes.Clause, barred map[string]string, ex *ExplainClause) *target {
	lost := map[string]string{}
	for name, why := range barred {
		if b.index.byName[name] != nil {
			lost[name] = why
		}
	}
	for tool, owners := range b.owner {
		if i := slices.IndexFunc(owners, func(o string) bool { return barred[o] != "" }); i >= 0 && !slices.ContainsFunc(owners, func(o string) bool { return barred[o] == "" }) {
			lost[tool] = barred[owners[i]]
		}
	}
	t := b.index.choose(g, c, lost, ex)
	if t == nil {
		return nil
	}
	name := t.e.Name
	if len(b.owner[name]) == 0 {
		e := *x.byName[name]
		return &target{clause: c, e: &e, bound: t.bound}
	}
	for _, o := range b.owner[name] {
		if barred[o] == "" {
			name = o
			break
		}
	}
	e := *x.byName[name]
	ex.Chosen, ex.Why = name, t.e.Name+": "+ex.Why
	return &target{clause: c, e: &e, bound: map[string]fields.Binding{}, tool: t.e}
}

// Behind gives the agents on offer to which a tool behind them belongs, and its card; none and nil when it stands behind none.
func (x *Index) Behind(tool string) ([]string, *bus.Card) {
	if x.behind == nil || len(x.behind.owner[tool]) == 0 {
		return nil, nil
	}
	return x.behind.owner[tool], &x.behind.index.byName[tool].Card
}
