package plan

import (
	"cmp"
	"maps"
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
// [Index.Think] it runs nothing and asks nothing: a parameter nobody knows is left out. A tool whose card declares that it changes
// something is only called when the request asks for that. nil: no tool fits.
func (x *Index) PlanAll(in Input) []Call {
	g := x.understand(in)
	if !x.options.Without.Model {
		g.clauses = splitter{verbs: x.verbs, loose: true}.clauses(g.text)
	}
	chosen, left := x.terminals(&g)
	if len(chosen) == 0 {
		return nil
	}
	if g.lost != nil { // A or B: neither, as nobody can be asked
		g.spared = append(g.spared, slices.DeleteFunc(slices.Clone(g.facts), func(f fact) bool { return !slices.Contains(g.lost.Options, f.text) })...)
		g.facts = slices.DeleteFunc(g.facts, func(f fact) bool { return g.spares(f.text) })
	}
	if len(g.spared) > 0 || g.exception.text != "" { // a reference takes all that is found, with what is excepted
		s := x.connect(&g, chosen, left)
		chosen = slices.DeleteFunc(chosen, func(t terminal) bool { return t.e.declaresChange() && len(s.providers(t.e)) > 0 })
		if len(chosen) == 0 {
			return nil
		}
	}
	s := x.connect(&g, chosen, left)
	if company := s.company(chosen); len(company) < len(chosen) && len(x.entries) > len(chosen)+spare {
		s = x.connect(&g, company, left)
	}
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
	return x.sideBySide(&g, order, out)
}

// sideBySide adds one more call for each further thing that stands side by side with the one that a change is made to: cancel A and B. They come
// last, so that no reference moves. Only a card that declares a change is known to take one thing at a time; others may take a list in a text.
func (x *Index) sideBySide(g *goal, order []*entry, calls []Call) []Call {
	whole := clause{text: g.text, end: len(g.text)}
	for i, e := range order {
		if !e.declaresChange() || e.IsAgent() {
			continue
		}
		bound := x.bind(e, g, whole)
		for _, name := range slices.Sorted(maps.Keys(bound)) {
			b := bound[name]
			if len(b.more) == 0 || calls[i].Parameter[name] != b.value || e.param(name).Sort != sortID {
				continue
			}
			for _, v := range b.more[:min(len(b.more), maxFan-1)] {
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

// declaresChange reports whether the card says that the tool changes something; where it is silent nothing is known.
func (e *entry) declaresChange() bool { return e.Effect != "" && !e.reads() }

// company leaves out the tools that give nothing to the others and take nothing from them, while others do, unless they are likely
// to be wanted for themselves: a request that builds one call on another seldom wants a third thing besides.
func (s solution) company(chosen []terminal) []terminal {
	linked := map[*entry]bool{}
	for _, c := range s.choices {
		if c.provider != nil {
			linked[c.provider], linked[c.taker] = true, true
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
func (x *Index) connect(g *goal, chosen, left []terminal) solution {
	w := x.weave(g, chosen)
	w.relate()
	price := map[*entry]float64{}
	if !x.options.Without.DAG {
		for _, t := range left[:min(len(left), maxInsert)] {
			w.more = append(w.more, t.e)
			price[t.e] = max(0, costInsert*math.Log(float64(len(x.entries)))+math.Log((1-t.score+1e-3)/(t.score+1e-3)))
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
		return price[e] + x.options.Evidence.tool(e)
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
