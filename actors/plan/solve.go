package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Costs of a plan, in one unit: bothering the user once is what four sure extra calls cost.
const (
	costTool   = 0.6
	costAsk    = 2.5
	costUnsure = 1.0 // times one minus how sure a binding or an edge is
)

// otherPlans is how many of the next best plans Explain tells.
const otherPlans = 3

// optimise finds the cheapest plan that gives the targets what they need, and explains it.
func (r *round) optimise() {
	var tolls map[*cards.Entry]toll
	r.best, tolls = r.x.solve(&r.g, r.targets, r.waitsFor)
	r.explainPlans(tolls)
}

// admit adds to a thought that the search ended at its bound.
func (r *round) admit(thought string) string {
	if !r.best.Bounded || thought == "" {
		return thought
	}
	note := words.Say(r.g.lang, "（搜索到了上限，这是到此为止最好的计划。）", " (The search reached its bound; this is the best plan so far.)")
	return words.Short(thought, maxThought-len([]rune(note))) + note
}

// toll is what bringing a tool that nobody asked for into a plan costs, by reasons.
type toll struct {
	call, money, waiting, risk float64
	blind                      float64 // its call would hold nothing that the user means
	approval                   float64 // a person must agree first
}

func (t toll) sum() float64 { return t.call + t.money + t.waiting + t.risk + t.blind + t.approval }

// toll of a tool of which so much is known; idle: the user named something to look for that nothing wished takes.
func (x *Index) toll(e *cards.Entry, known map[string]fields.Binding, idle bool) toll {
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
	case !informed(known) && len(x.open(e, known)) == 0 && (len(e.Params) > 0 || idle):
		t.blind = costAsk // a list of everything tells nothing about what the user means
	}
	return t
}

// wants are the needs of a tool of which so much is known, and open those of them that are not.
func (x *Index) wants(e *cards.Entry, known map[string]fields.Binding) []solver.Need {
	var out []solver.Need
	for _, f := range e.Required() {
		out = append(out, solver.Need{Taker: e, Field: f})
	}
	if f := e.OneOf(known); f != nil {
		out = append(out, solver.Need{Taker: e, Field: f})
	}
	return out
}

func (x *Index) open(e *cards.Entry, known map[string]fields.Binding) []solver.Need {
	return slices.DeleteFunc(x.wants(e, known), func(n solver.Need) bool {
		_, ok := known[n.Field.Name]
		return ok
	})
}

// solve finds the cheapest plan that gives the targets what they need, with the tolls of the tools it looked at. after
// names the targets that must end before a target.
func (x *Index) solve(g *goal, targets []*target, after func(*cards.Entry) []*cards.Entry) (solver.Solution, map[*cards.Entry]toll) {
	bound := map[*cards.Entry]map[string]fields.Binding{}
	var goals []*cards.Entry
	for _, t := range targets {
		goals = append(goals, t.e)
		bound[t.e] = t.bound
	}
	whole := wishes.Clause{Text: g.text, End: len(g.text)}
	pool := x.pool(g, targets)
	bindings := func(e *cards.Entry) map[string]fields.Binding {
		if b, ok := bound[e]; ok {
			return b
		}
		b := x.bind(e, g, whole)
		bound[e] = b
		return b
	}
	tolls := map[*cards.Entry]toll{}
	idle := g.idle(targets)
	looks, cut := 0, false
	p := solver.Problem{Goals: goals, Bound: x.options.Bound, Greedy: x.options.Without.Optimiser, Others: otherPlans, After: after}
	p.Needs = func(e *cards.Entry) []solver.Need {
		needs := x.wants(e, bindings(e))
		if at := slices.IndexFunc(targets, func(t *target) bool { return t.e == e }); at >= 0 {
			toPerson(g, targets[at], needs)
		}
		return needs
	}
	p.Fixed = func(e *cards.Entry) float64 {
		if slices.Contains(goals, e) {
			return 0
		}
		tolls[e] = x.toll(e, bindings(e), idle)
		return tolls[e].sum()
	}
	p.Options = func(n solver.Need) []solver.Option {
		var os []solver.Option
		if b, ok := bindings(n.Taker)[n.Field.Name]; ok {
			os = append(os, solver.Option{Known: &b, Cost: (1 - b.Sure) * costUnsure})
		}
		if !x.options.Without.DAG && observable(n.Field, n.Taker) {
			for _, e := range pool {
				if e.Name == n.Taker.Name || !e.Reads() {
					continue
				}
				if e.IsAgent() {
					if !n.Taker.IsAgent() && e.CanTell(n.Field) {
						os = append(os, solver.Option{Provider: e, Cost: costUnsure / 2})
					}
					continue
				}
				if looks += size(e.Gives); looks > maxLooks {
					cut = true
					break
				}
				if ed, ok := x.edge(e, n, sureEnough(n.Taker, slices.Contains(goals, e))); ok {
					os = append(os, solver.Option{Provider: e, Edge: ed, Cost: max(0, (1-ed.Sure)*costUnsure+x.options.Evidence.edge(e, ed.Path, n.Taker, n.Field))})
				}
			}
		}
		return append(os, solver.Option{Cost: costAsk})
	}
	s := p.Solve()
	s.Bounded = s.Bounded || cut
	return s, tolls
}

// maxLooks bounds how many pairs of fields one search compares. A catalogue whose tools all return hundreds of fields that all
// look alike reaches it; no house is near it.
const maxLooks = 50_000

// size counts fields, through lists and objects.
func size(fs []fields.Field) int {
	n := len(fs)
	for i := range fs {
		n += size(fs[i].Fields)
	}
	return n
}

// observable reports whether the field may be filled from an observation: what a change consists in (the new state, the text
// to send, the price to set) is the user's to say, only what it is done to may be looked up.
func observable(f *fields.Field, taker *cards.Entry) bool {
	if !taker.Reads() && len(f.Needs) == 0 && slices.ContainsFunc(taker.Params, func(o fields.Field) bool { return len(o.Needs) > 0 }) {
		return false // the card says what may come from elsewhere, and this is not among it: the waybill to be registered
	}
	return len(f.Needs) > 0 || f.Sort == fields.ID || f.Sort == fields.Phone || f.Sort == fields.Person || f.Sort == fields.Link && isMail.MatchString(f.Name) || taker.Reads() && f.Sort != fields.Enum
}

// isMail names an e-mail address, which stands for somebody as a phone number does.
var isMail = words.MustCompile(`(?i)e-?mail|邮箱`)

// How sure an edge must be to bring in a tool that nobody asked for: for a change surer, since to change the wrong thing is worse
// than to ask which.
const (
	minInsert = 0.5
	minChange = 0.65
)

// sureEnough is how sure an edge into e must be; wished: the provider is asked for anyhow.
func sureEnough(e *cards.Entry, wished bool) float64 {
	if wished || e.Reads() {
		return minInsert
	}
	return minChange
}

// namesNeed reports whether the provider's field, or the provider, speaks of the thing that the need is about: an "id" alone could
// be anything's. In a small catalogue no word is common enough for likeness to tell.
func namesNeed(ed solver.Edge, p *cards.Entry, n solver.Need) bool {
	if len(n.Field.Needs) > 0 && len(ed.Field.Provides) > 0 {
		return true
	}
	about := special(words.Content(n.Field.Name + " " + n.Field.Head()))
	if len(about) == 0 {
		about = special(slices.Clone(n.Taker.NameWords))
	}
	return len(about) == 0 || slices.ContainsFunc(about, func(w string) bool {
		return ed.Field.Vocab[w] || p.Vocab[w] || slices.Contains(p.NameWords, w)
	})
}

// special are the words that say more than that there is a value.
func special(ws []string) []string {
	return slices.DeleteFunc(ws, func(w string) bool { return vague[w] })
}

// echoes reports whether the provider only gives back what it must be given: who lacks an order's number is not helped by the
// details of an order, which hold its number and are found by it.
func (x *Index) echoes(p *cards.Entry, ed solver.Edge) bool {
	for _, q := range p.Required() {
		if x.shape.likeness(p, ed.Field, p, q) >= echo*ed.Sure {
			return true
		}
	}
	return false
}

// echo is how much of an edge's sureness a field's likeness to the provider's own parameter must reach to count as the same.
const echo = 0.9

// idle reports whether the user named anything that something else can be found by and that no target takes.
func (g *goal) idle(targets []*target) bool {
	used := map[int]bool{}
	for _, t := range targets {
		for _, b := range t.bound {
			used[b.Used] = true
		}
	}
	for i, f := range g.facts {
		switch f.Kind {
		case facts.Person, facts.Phone, facts.Digits, facts.Code, facts.Quote:
			if !used[i] && !slices.ContainsFunc(targets, func(t *target) bool { return !t.e.Reads() && t.says(f) }) {
				return true
			}
		}
	}
	return false
}

// says reports whether a fact stands in a text that a target was given: what a note shall say finds nothing.
func (t *target) says(f facts.Fact) bool {
	for _, b := range t.bound {
		if v, ok := b.Value.(string); ok && strings.Contains(v, f.Text) {
			return true
		}
	}
	return false
}

// informed reports whether a call would carry anything that the user said.
func informed(bs map[string]fields.Binding) bool {
	for _, b := range bs {
		if b.Why != "default" && b.Why != "enum" && b.Why != "question" && b.Why != "boolean" && b.Why != "date" {
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

// pool are the tools that may provide: the targets, then all of a small house, and of a larger catalogue those near to the request or to what is
// lacking, which the request need not mention.
func (x *Index) pool(g *goal, targets []*target) []*cards.Entry {
	var out []*cards.Entry
	in := map[string]bool{}
	add := func(e *cards.Entry) {
		if !in[e.Name] {
			in[e.Name] = true
			out = append(out, e)
		}
	}
	for _, t := range targets { // two targets may be copies of one tool
		out = append(out, t.e)
		in[t.e.Name] = true
	}
	for _, e := range x.ofSmall() {
		add(e)
	}
	if len(x.entries) <= smallHouse {
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
			if observable(n.Field, t.e) && asked < poolOpen && !x.options.Without.DAG {
				asked++
				near(n.Field.Name+" "+n.Field.Title+" "+n.Field.Desc, poolField)
			}
		}
	}
	return out
}
