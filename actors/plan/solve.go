package plan

import "slices"

// otherPlans is how many of the next best plans Explain tells.
const otherPlans = 3

// optimise finds the cheapest plan that gives the targets what they need, and explains it.
func (r *round) optimise() {
	var tolls map[*entry]toll
	r.best, tolls = r.x.solve(&r.g, r.targets, r.waitsFor)
	r.explainPlans(tolls)
}

// toll is what bringing a tool that nobody asked for into a plan costs, by reasons.
type toll struct {
	call, money, waiting, risk float64
	blind                      float64 // its call would hold nothing that the user means
}

func (t toll) sum() float64 { return t.call + t.money + t.waiting + t.risk + t.blind }

// toll of a tool of which so much is known.
func (x *Index) toll(e *entry, g *goal, known map[string]binding) toll {
	t := toll{call: costTool}
	t.money, t.waiting, t.risk = x.options.Evidence.parts(e)
	switch {
	case e.IsAgent():
		t.call *= 2
		if !g.names() {
			t.blind = costAsk
		}
	case len(e.params) > 0 && !informed(known) && len(x.open(e, known)) == 0:
		t.blind = costAsk // a list of everything tells nothing about what the user means
	}
	return t
}

// wants are the needs of a tool of which so much is known, and open those of them that are not.
func (x *Index) wants(e *entry, known map[string]binding) []need {
	var out []need
	for _, f := range e.required() {
		out = append(out, need{e, f})
	}
	if f := e.oneOf(known); f != nil {
		out = append(out, need{e, f})
	}
	return out
}

func (x *Index) open(e *entry, known map[string]binding) []need {
	return slices.DeleteFunc(x.wants(e, known), func(n need) bool {
		_, ok := known[n.field.Name]
		return ok
	})
}

// solve finds the cheapest plan that gives the targets what they need, with the tolls of the tools it looked at. after
// names the targets that must end before a target.
func (x *Index) solve(g *goal, targets []*target, after func(*entry) []*entry) (solution, map[*entry]toll) {
	bound := map[*entry]map[string]binding{}
	var goals []*entry
	for _, t := range targets {
		goals = append(goals, t.e)
		bound[t.e] = t.bound
	}
	whole := clause{text: g.text, end: len(g.text)}
	pool := x.pool(g, targets)
	bindings := func(e *entry) map[string]binding {
		if b, ok := bound[e]; ok {
			return b
		}
		b := x.bind(e, g, whole)
		bound[e] = b
		return b
	}
	tolls := map[*entry]toll{}
	p := problem{goals: goals, bound: x.options.Bound, greedy: x.options.Without.Optimiser, others: otherPlans, after: after}
	p.needs = func(e *entry) []need { return x.wants(e, bindings(e)) }
	p.fixed = func(e *entry) float64 {
		if slices.Contains(goals, e) {
			return 0
		}
		tolls[e] = x.toll(e, g, bindings(e))
		return tolls[e].sum()
	}
	p.options = func(n need) []option {
		var os []option
		if b, ok := bindings(n.taker)[n.field.Name]; ok {
			os = append(os, option{known: &b, cost: (1 - b.sure) * costUnsure})
		}
		if !x.options.Without.DAG && n.field.observable(n.taker) {
			for _, e := range pool {
				if e.Name == n.taker.Name || !e.reads() {
					continue
				}
				if e.IsAgent() {
					if !n.taker.IsAgent() && e.canTell(n.field) {
						os = append(os, option{provider: e, cost: costUnsure / 2})
					}
					continue
				}
				if ed, ok := x.shape.best(e, n.taker, n.field, minInsert); ok {
					os = append(os, option{provider: e, edge: ed, cost: max(0, (1-ed.sure)*costUnsure+x.options.Evidence.edge(e, ed.path, n.taker, n.field))})
				}
			}
		}
		return append(os, option{cost: costAsk})
	}
	return p.solve(), tolls
}

// observable reports whether the field may be filled from an observation: what a change consists in (the new state, the text
// to send, the price to set) is the user's to say, only what it is done to may be looked up.
func (f *field) observable(taker *entry) bool {
	return len(f.Needs) > 0 || f.Sort == sortID || f.Sort == sortPhone || f.Sort == sortPerson || taker.reads() && f.Sort != sortEnum
}

// minInsert is how sure an edge must be to bring in a tool that nobody asked for.
const minInsert = 0.5

// canTell reports whether an agent may find out what the field wants: a value that can be read out of its words again, of a
// kind that it speaks about.
func (e *entry) canTell(f *field) bool {
	if f.Sort != sortID && f.Sort != sortPhone || f.Sort == sortID && f.Pattern == nil && len(f.Lengths) == 0 {
		return false
	}
	for _, w := range content(f.head()) {
		if e.vocab[w] {
			return true
		}
	}
	return false
}

// names reports whether the user named anything that something else can be found by.
func (g *goal) names() bool {
	for _, f := range g.facts {
		switch f.kind {
		case factPerson, factPhone, factDigits, factCode, factQuote:
			return true
		}
	}
	return false
}

// informed reports whether a call would carry anything that the user said.
func informed(bs map[string]binding) bool {
	for _, b := range bs {
		if b.why != "default" && b.why != "enum" && b.why != "question" && b.why != "boolean" && b.why != "date" {
			return true
		}
	}
	return false
}

// pool are the tools that may provide: the targets, then all of a small house, else the nearest to the request.
func (x *Index) pool(g *goal, targets []*target) []*entry {
	var out []*entry
	names := map[string]bool{}
	for _, t := range targets {
		out = append(out, t.e)
		names[t.e.Name] = true
	}
	rest := x.entries
	if len(rest) > smallHouse {
		rest = nil
		for _, r := range x.rank(g.text) {
			if len(rest) == 24 {
				break
			}
			rest = append(rest, r.e)
		}
	}
	for _, e := range rest {
		if !names[e.Name] {
			out = append(out, e)
		}
	}
	return out
}
