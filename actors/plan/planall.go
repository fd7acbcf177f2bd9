package plan

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/wishes"
)

// Call is one call of a full plan. A parameter is a literal, or "$i.field": the field of the observation of call number i of
// the same list, from 0.
type Call struct {
	ToolName  string         `json:"tool_name"`
	Parameter map[string]any `json:"parameter"`
}

// PlanAll plans all calls of a request at once, with references between them, in an order in which they can run. Unlike
// [Index.Think] it runs nothing and asks nothing: a parameter nobody knows is left out. A tool whose card declares that it changes
// something is only called when the request asks for that. nil: no tool fits.
func (x *Index) PlanAll(in Input) []Call {
	calls, _ := x.PlanBounded(in)
	return calls
}

// PlanBounded is [Index.PlanAll], and tells whether a bound of the work was reached: the search ended at [Options.Bound], or the cards have so
// many fields that only some of each were looked at. The plan is then the best found so far, and the same each time.
func (x *Index) PlanBounded(in Input) (calls []Call, bounded bool) {
	g := x.understand(in)
	if !x.options.Without.Model {
		g.clauses = wishes.Splitter{Verbs: x.verbs, Loose: true}.Clauses(g.text)
	}
	chosen, left := x.terminals(&g)
	if len(chosen) == 0 {
		return nil, false
	}
	if g.lost != nil { // A or B: neither, as nobody can be asked
		g.spared = append(g.spared, slices.DeleteFunc(slices.Clone(g.facts), func(f facts.Fact) bool { return !slices.Contains(g.lost.Options, f.Text) })...)
		g.facts = slices.DeleteFunc(g.facts, func(f facts.Fact) bool { return g.spares(f.Text) })
	}
	if len(g.spared) > 0 || g.exception.Text != "" { // a reference takes all that is found, with what is excepted
		s := x.connect(&g, chosen, left)
		bounded = s.Bounded
		chosen = slices.DeleteFunc(chosen, func(t terminal) bool { return t.e.DeclaresChange() && len(s.Providers(t.e)) > 0 })
		if len(chosen) == 0 {
			return nil, bounded
		}
	}
	s := x.connect(&g, chosen, left)
	if company := companions(s, chosen); len(company) < len(chosen) && len(x.entries) > len(chosen)+spare {
		s = x.connect(&g, company, left)
	}
	order := s.Ordered()
	place := map[*cards.Entry]int{}
	for i, e := range order {
		place[e] = i
	}
	out := make([]Call, len(order))
	for i, e := range order {
		out[i] = Call{ToolName: e.Name, Parameter: map[string]any{}}
	}
	for _, c := range s.Choices {
		p := out[place[c.Taker]].Parameter
		switch {
		case c.Provider != nil:
			p[c.Field.Name] = "$" + strconv.Itoa(place[c.Provider]) + "." + c.Edge.Path
		case c.Known != nil:
			p[c.Field.Name] = c.Known.Value
		}
	}
	return x.sideBySide(&g, order, out), s.Bounded
}

// sideBySide adds one more call for each further thing that stands side by side with the one that a change is made to: cancel A and B. They come
// last, so that no reference moves. Only a card that declares a change is known to take one thing at a time; others may take a list in a text.
func (x *Index) sideBySide(g *goal, order []*cards.Entry, calls []Call) []Call {
	whole := wishes.Clause{Text: g.text, End: len(g.text)}
	for i, e := range order {
		if !e.DeclaresChange() || e.IsAgent() {
			continue
		}
		bound := x.bindRules(e, g, whole)
		for _, name := range slices.Sorted(maps.Keys(bound)) {
			b := bound[name]
			if len(b.More) == 0 || calls[i].Parameter[name] != b.Value || e.Param(name).Sort != fields.ID {
				continue
			}
			for _, v := range b.More[:min(len(b.More), maxFan-1)] {
				more := maps.Clone(calls[i].Parameter)
				more[name] = v
				if !g.spares(v) {
					calls = append(calls, Call{ToolName: e.Name, Parameter: more})
				}
			}
			break // of two parameters with several values each nobody said which go together
		}
	}
	return calls
}

// companions leaves out the tools that give nothing to the others and take nothing from them, while others do, unless they are likely
// to be wanted for themselves: a request that builds one call on another seldom wants a third thing besides.
func companions(s solver.Solution, chosen []terminal) []terminal {
	linked := map[*cards.Entry]bool{}
	for _, c := range s.Choices {
		if c.Provider != nil {
			linked[c.Provider], linked[c.Taker] = true, true
		}
	}
	if len(linked) == 0 {
		return chosen
	}
	kept := slices.DeleteFunc(slices.Clone(chosen), func(t terminal) bool { return !linked[t.e] && t.score < likelyAlone })
	if len(kept) == 0 {
		return chosen
	}
	return kept
}

// likelyAlone is how likely a tool must be wanted to stand apart. From 0.5 to 0.8 the figures hardly change.
const likelyAlone = 0.6

// maxInsert is how many tools that the request does not want for themselves are looked at, the likeliest first.
const maxInsert = 8

// costInsert is the price of bringing one in, beside how unlikely it is that the request wants it, for each power of e of cards on offer:
// the more there are, the more of them only look right. A flat 1 serves NesTools as well and costs Seal-Tools 0.3 points of tool F1; a flat 2
// costs NesTools with six candidates and opaque names 2 points of nested F1.
const costInsert = 0.5

// connect fills the parameters of the chosen tools from the text and from each other by the cheapest plan. One of the tools
// left comes in when it is much likelier to provide than anything at hand: it costs the log of the odds against it, so that among
// thousands of cards one that only looks right stays out.
func (x *Index) connect(g *goal, chosen, left []terminal) solver.Solution {
	var more []*cards.Entry
	price := map[*cards.Entry]float64{}
	if !x.options.Without.DAG {
		for _, t := range left[:min(len(left), maxInsert)] {
			more = append(more, t.e)
			price[t.e] = max(0, costInsert*math.Log(float64(len(x.entries)))+math.Log((1-t.score+1e-3)/(t.score+1e-3)))
		}
	}
	w := x.weave(g, chosen, more...)
	w.relate()
	p := solver.Problem{Goals: w.asked, Bound: x.options.Bound, Greedy: x.options.Without.Optimiser}
	if p.Bound <= 0 {
		p.Bound = solver.DefaultBound
	}
	p.Fixed = func(e *cards.Entry) float64 {
		if _, asked := w.place[e]; asked {
			return 0
		}
		return price[e] + x.options.Evidence.tool(e)
	}
	p.Needs = func(e *cards.Entry) []solver.Need {
		var out []solver.Need
		for _, f := range w.takes(e) {
			out = append(out, solver.Need{Taker: e, Field: f})
		}
		return out
	}
	ways := map[*cards.Entry]map[solver.Need][]solver.Option{}
	p.Options = func(n solver.Need) []solver.Option {
		if ways[n.Taker] == nil {
			ways[n.Taker] = w.ways(n.Taker)
			for _, os := range ways[n.Taker] {
				slices.SortStableFunc(os, func(a, b solver.Option) int { return cmp.Compare(a.Cost, b.Cost) })
			}
		}
		return ways[n.Taker][n]
	}
	s := p.Solve()
	s.Bounded = s.Bounded || w.short
	return s
}
