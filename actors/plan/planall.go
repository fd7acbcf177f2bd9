package plan

import (
	"cmp"
	"math"
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

// maxInsert is how many tools that no clause asked for are looked at, the nearest to the request first.
const maxInsert = 8

// costFar is added for a tool that the request speaks of not at all; proportionally less for one that is nearer.
const costFar = 1.0

// connect fills the parameters of the chosen tools from the text and from each other by the cheapest plan. A tool that no
// clause asked for comes in when it is much likelier to provide than anything at hand: it costs the logarithm of the number of
// cards, since among many more look right by chance. (At a flat price of 3, right for 18 cards, it brought in 65 wrong tools and 2
// right ones on 700 requests to 4,076 cards.)
func (x *Index) connect(g *goal, chosen []terminal) solution {
	w := x.weave(g, chosen)
	far := map[*entry]float64{}
	if ranked := x.rank(g.text); !x.options.Without.DAG {
		for _, r := range ranked {
			if _, asked := w.place[r.e]; !asked && len(w.more) < maxInsert {
				w.more = append(w.more, r.e)
				far[r.e] = costFar * (1 - r.score/ranked[0].score)
			}
		}
	}
	p := problem{goals: w.asked, bound: x.options.Bound, greedy: x.options.Without.Optimiser}
	if p.bound <= 0 {
		p.bound = defaultBound
	}
	p.fixed = func(e *entry) float64 {
		if _, asked := w.place[e]; asked {
			return 0
		}
		return math.Log(float64(len(x.entries))) + far[e] + x.options.Evidence.tool(e)
	}
	p.needs = func(e *entry) []need {
		var out []need
		for i := range e.params {
			out = append(out, need{e, &e.params[i]})
		}
		return out
	}
	ways := map[*entry]map[need][]option{}
	p.options = func(n need) []option {
		if ways[n.taker] == nil {
			ways[n.taker] = w.ways(n.taker)
			for _, os := range ways[n.taker] {
				slices.SortStableFunc(os, func(a, b option) int { return cmp.Compare(a.cost, b.cost) })
			}
		}
		return ways[n.taker][n]
	}
	return p.solve()
}
