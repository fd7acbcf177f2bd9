package plan

import (
	"cmp"
	"slices"
	"strconv"
)

// Call is one call of a full plan. A parameter is a literal, or "$i.field": the field of the observation of call number i of
// the same list, from 0.
type Call struct {
	ToolName  string         `json:"tool_name"`
	Parameter map[string]any `json:"parameter"`
}

// PlanAll plans all calls of a request at once, with references between them, in an order in which they can run. Unlike
// [Index.Think] it runs nothing, asks nothing (a parameter nobody knows is left out) and looks at no effects. nil: no tool
// fits.
func (x *Index) PlanAll(in Input) []Call {
	g := x.understand(in)
	if !x.options.Without.Model {
		g.clauses = splitter{verbs: x.verbs, loose: true}.clauses(g.text)
	}
	chosen := x.terminals(&g)
	if len(chosen) == 0 {
		return nil
	}
	s := x.connect(&g, chosen)
	order := s.ordered()
	place := map[*entry]int{}
	for i, e := range order {
		place[e] = i
	}
	out := make([]Call, len(order))
	for i, e := range order {
		out[i] = Call{ToolName: e.Name, Parameter: map[string]any{}}
	}
	for _, c := range s.choices {
		p := out[place[c.taker]].Parameter
		switch {
		case c.provider != nil:
			p[c.field.Name] = "$" + strconv.Itoa(place[c.provider]) + "." + c.edge.path
		case c.known != nil:
			p[c.field.Name] = c.known.value
		}
	}
	return out
}

// Costs of a full plan, see minEdge for how they were set. A literal costs a good deal, since words of the request are more
// easily taken for an argument than a field of another tool is.
const (
	costUnknown  = 0.95 // leaving a required parameter out
	costOptional = 0.57 // leaving an optional one out
	costLiteral  = 0.5
	costBack     = 0.3 // taking a field of a tool that the request names later: people tell things in order
)

// costInsert is the price of a tool that no clause asked for, and maxInsert how many are looked at.
const (
	costInsert = 0.5
	maxInsert  = 8
)

// connect fills the parameters of the chosen tools from the text and from each other by the cheapest plan.
func (x *Index) connect(g *goal, chosen []terminal) solution {
	bound := map[*entry]map[string]binding{}
	place := map[*entry]int{}
	var goals []*entry
	for i, t := range chosen {
		goals = append(goals, t.e)
		place[t.e] = i
		bound[t.e] = x.bind(t.e, g, t.clause)
	}
	pool := slices.Clone(goals)
	if !x.options.Without.DAG {
		for _, r := range x.rank(g.text) {
			if len(pool) == len(goals)+maxInsert {
				break
			}
			if !slices.Contains(goals, r.e) {
				pool = append(pool, r.e)
				place[r.e] = -1
				bound[r.e] = x.bind(r.e, g, clause{text: g.text, end: len(g.text)})
			}
		}
	}
	options := func(n need) []option {
		var os []option
		if b, ok := bound[n.taker][n.field.Name]; ok {
			os = append(os, option{known: &b, cost: (1-b.sure)*costUnsure + costLiteral})
		}
		for _, p := range pool {
			if p == n.taker || x.options.Without.DAG {
				continue
			}
			least := minEdge
			if place[p] < 0 {
				least = minInsert
			}
			if e, ok := x.shape.best(p, n.taker, n.field, least); ok && (place[p] >= 0 || n.field.Required) {
				cost := (1 - e.sure) * costUnsure
				if place[p] > place[n.taker] {
					cost += costBack
				}
				os = append(os, option{provider: p, edge: e, cost: cost})
			}
		}
		os = append(os, option{cost: costUnknown})
		slices.SortStableFunc(os, func(a, b option) int { return cmp.Compare(a.cost, b.cost) })
		return os
	}
	memo := map[need][]option{}
	p := problem{goals: goals, bound: x.options.Bound, greedy: x.options.Without.Optimiser}
	if p.bound <= 0 {
		p.bound = defaultBound
	}
	p.fixed = func(e *entry) float64 { return ifElse(place[e] < 0, costInsert, 0) }
	p.needs = func(e *entry) []need {
		var out []need
		for i := range e.params {
			out = append(out, need{e, &e.params[i]})
		}
		return out
	}
	p.options = func(n need) []option {
		if _, ok := memo[n]; !ok {
			os := options(n)
			if !n.field.Required { // left out unless something speaks for it
				for i := range os {
					if os[i].known == nil && os[i].provider == nil {
						os[i].cost = costOptional
					}
				}
				slices.SortStableFunc(os, func(a, b option) int { return cmp.Compare(a.cost, b.cost) })
			}
			memo[n] = os
		}
		return memo[n]
	}
	return p.solve()
}
