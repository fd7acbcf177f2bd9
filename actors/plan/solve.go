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

// admit adds to a thought that the search ended at its bound.
func (r *round) admit(thought string) string {
	if !r.best.bounded || thought == "" {
		return thought
	}
	note := say(r.g.lang, "（搜索到了上限，这是到此为止最好的计划。）", " (The search reached its bound; this is the best plan so far.)")
	return short(thought, maxThought-len([]rune(note))) + note
}

// toll is what bringing a tool that nobody asked for into a plan costs, by reasons.
type toll struct {
	call, money, waiting, risk float64
	blind                      float64 // its call would hold nothing that the user means
	approval                   float64 // a person must agree first
}

func (t toll) sum() float64 { return t.call + t.money + t.waiting + t.risk + t.blind + t.approval }

// toll of a tool of which so much is known; idle: the user named something to look for that nothing wished takes.
func (x *Index) toll(e *entry, known map[string]binding, idle bool) toll {
	t := toll{call: costTool}
	t.money, t.waiting, t.risk = x.options.Evidence.parts(e)
	if e.NeedsApproval() {
		t.approval = costAsk
	}
	switch {
	case e.IsAgent():
		t.call *= 2
		if !idle {
			t.blind = costAsk
		}
	case !informed(known) && len(x.open(e, known)) == 0 && (len(e.params) > 0 || idle):
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
	idle := g.idle(targets)
	looks, cut := 0, false
	p := problem{goals: goals, bound: x.options.Bound, greedy: x.options.Without.Optimiser, others: otherPlans, after: after}
	p.needs = func(e *entry) []need { return x.wants(e, bindings(e)) }
	p.fixed = func(e *entry) float64 {
		if slices.Contains(goals, e) {
			return 0
		}
		tolls[e] = x.toll(e, bindings(e), idle)
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
				if looks += size(e.returns); looks > maxLooks {
					cut = true
					break
				}
				if ed, ok := x.shape.best(e, n.taker, n.field, n.taker.clear(slices.Contains(goals, e))); ok && ed.names(e, n) && !x.echoes(e, ed) {
					os = append(os, option{provider: e, edge: ed, cost: max(0, (1-ed.sure)*costUnsure+x.options.Evidence.edge(e, ed.path, n.taker, n.field))})
				}
			}
		}
		return append(os, option{cost: costAsk})
	}
	s := p.solve()
	s.bounded = s.bounded || cut
	return s, tolls
}

// maxLooks bounds how many pairs of fields one search compares. A catalogue whose tools all return hundreds of fields that all
// look alike reaches it; no house is near it.
const maxLooks = 50_000

// size counts fields, through lists and objects.
func size(fs []field) int {
	n := len(fs)
	for i := range fs {
		n += size(fs[i].Fields)
	}
	return n
}

// observable reports whether the field may be filled from an observation: what a change consists in (the new state, the text
// to send, the price to set) is the user's to say, only what it is done to may be looked up.
func (f *field) observable(taker *entry) bool {
	if !taker.reads() && len(f.Needs) == 0 && slices.ContainsFunc(taker.params, func(o field) bool { return len(o.Needs) > 0 }) {
		return false // the card says what may come from elsewhere, and this is not among it: the waybill to be registered
	}
	return len(f.Needs) > 0 || f.Sort == sortID || f.Sort == sortPhone || f.Sort == sortPerson || taker.reads() && f.Sort != sortEnum
}

// How sure an edge must be to bring in a tool that nobody asked for: for a change surer, since to change the wrong thing is worse
// than to ask which.
const (
	minInsert = 0.5
	minChange = 0.65
)

// clear is how sure an edge into e must be; wished: the provider is asked for anyhow.
func (e *entry) clear(wished bool) float64 {
	if wished || e.reads() {
		return minInsert
	}
	return minChange
}

// names reports whether the provider's field, or the provider, speaks of the thing that the need is about: an "id" alone could
// be anything's. In a small catalogue no word is common enough for likeness to tell.
func (ed edge) names(p *entry, n need) bool {
	if len(n.field.Needs) > 0 && len(ed.field.Provides) > 0 {
		return true
	}
	about := special(content(n.field.Name + " " + n.field.head()))
	if len(about) == 0 {
		about = special(slices.Clone(n.taker.nameWords))
	}
	return len(about) == 0 || slices.ContainsFunc(about, func(w string) bool {
		return ed.field.vocab[w] || p.vocab[w] || slices.Contains(p.nameWords, w)
	})
}

// special are the words that say more than that there is a value.
func special(ws []string) []string {
	return slices.DeleteFunc(ws, func(w string) bool { return vague[w] })
}

// echoes reports whether the provider only gives back what it must be given: who lacks an order's number is not helped by the
// details of an order, which hold its number and are found by it.
func (x *Index) echoes(p *entry, ed edge) bool {
	for _, q := range p.required() {
		if x.shape.likeness(p, ed.field, p, q) >= echo*ed.sure {
			return true
		}
	}
	return false
}

// echo is how much of an edge's sureness a field's likeness to the provider's own parameter must reach to count as the same.
const echo = 0.9

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

// idle reports whether the user named anything that something else can be found by and that no target takes.
func (g *goal) idle(targets []*target) bool {
	used := map[int]bool{}
	for _, t := range targets {
		for _, b := range t.bound {
			used[b.used] = true
		}
	}
	for i, f := range g.facts {
		switch f.kind {
		case factPerson, factPhone, factDigits, factCode, factQuote:
			if !used[i] {
				return true
			}
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

// Bounds of the pool of a large house: tools near to the whole request, and to each parameter that is not known.
const (
	poolNear  = 24
	poolField = 6
	poolOpen  = 6 // parameters
)

// pool are the tools that may provide: the targets, then all of a small house, else those near to the request or to what is
// lacking, which the request need not mention.
func (x *Index) pool(g *goal, targets []*target) []*entry {
	var out []*entry
	in := map[string]bool{}
	add := func(e *entry) {
		if !in[e.Name] {
			in[e.Name] = true
			out = append(out, e)
		}
	}
	for _, t := range targets { // two targets may be copies of one tool
		out = append(out, t.e)
		in[t.e.Name] = true
	}
	if len(x.entries) <= smallHouse {
		for _, e := range x.entries {
			add(e)
		}
		return out
	}
	near := func(text string, most int) {
		found := x.rank(text)
		for _, r := range found[:min(len(found), most)] {
			add(r.e)
		}
	}
	near(g.text, poolNear)
	asked := 0
	for _, t := range targets {
		for _, n := range x.open(t.e, t.bound) {
			if n.field.observable(t.e) && asked < poolOpen && !x.options.Without.DAG {
				asked++
				near(n.field.Name+" "+n.field.Title+" "+n.field.Desc, poolField)
			}
		}
	}
	return out
}
