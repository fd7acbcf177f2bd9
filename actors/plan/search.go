package plan

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"
)

// Costs of a plan, in one unit: bothering the user once is what four sure extra calls cost.
const (
	costTool   = 0.6
	costAsk    = 2.5
	costUnsure = 1.0 // times one minus how sure a binding or an edge is
)

// defaultBound is the bound of Options.Bound when that is 0.
const defaultBound = 4000

// need is a parameter that must get a value.
type need struct {
	taker *entry
	field *field
}

// option is one way to fill a need: a known value, a field of another tool, or a question to the user.
type option struct {
	known    *binding
	provider *entry
	edge     edge
	cost     float64 // not below 0; without the cost of bringing the provider into the plan
}

// choice is a need with the option taken for it.
type choice struct {
	need
	option
}

// problem is what the optimiser is given: the terminal tools and, for each need, its options in any order. The functions must
// answer the same each time; each is asked once for a tool or a need that the goals can reach.
type problem struct {
	goals   []*entry
	bound   int // states that may be expanded; 0: defaultBound
	others  int // how many of the next best plans are wanted besides
	greedy  bool
	options func(need) []option
	fixed   func(*entry) float64 // cost of bringing a tool into the plan
	needs   func(*entry) []need
	after   func(*entry) []*entry // goals that must end before a goal whatever provides for it; nil: none
}

// solution is a plan: the tools in it and how each need is met.
type solution struct {
	cost     float64
	tools    []*entry            // goals first, then providers in the order in which they came in
	choices  []choice            // in the order of tools
	after    map[*entry][]*entry // of problem
	expanded int
	bounded  bool    // the bound was reached: the best so far, not proved to be the best
	least    float64 // what no plan can go below; the cost itself unless bounded
	others   []solution
	graph    *hypergraph
}

// state of the search: a partial plan, as the last choice and the state before it.
type state struct {
	parent    *state
	need, way int
	depth     int
	f         price // what no plan that begins so can go below
	order     int
}

// Bounds for each state that may be expanded: so many are kept for later, and so many steps may all bounds together take.
const (
	perState = 8
	perBound = 1000
)

// search is one run of A* backward over open needs. Each state takes one open need and branches over its ways, so no partial
// plan comes up twice. Complete plans are kept as they are met, so there is a best one so far at any moment, and what cannot
// beat the ones kept is never stored.
type search struct {
	*hypergraph
	bound int
	want  int    // plans
	found []plan // the best ones met, cheapest first; those that cost the same as they came
	queue queue
	order int
	lost  price // the least f of states dropped for room; below zero: none

	// The partial plan under the hand, laid out from a state's chain of parents by lay.
	taken []int // way by need; -1: open, or of a tool that is not in the plan
	in    []bool
	added []int   // the tools in the plan, in order
	users [][]int // takers by provider
	cost  price
	chain []*state
	asks  []int // tools that a lift has asked for more, by the number of that lift
	asked int
	work  int   // steps of raise so far
	mark  []int // tools that wait for the taker at hand, by the number of the last look
	look  int
}

// plan is a complete one.
type plan struct {
	cost  price
	taken []int // way by need; -1 where its tool is not in the plan
}

// solve finds the cheapest plan. At the bound it is the best found until then, which there always is: the cheapest plans of
// the single goals, put together, are known before the search begins. No plan at all (a need that nothing can fill): a
// cost below zero and no choices.
func (p problem) solve() solution {
	h := p.compile()
	for t := range h.tools[:h.goals] {
		if h.tools[t].alone < 0 {
			return solution{cost: -1, least: -1, tools: p.goals, graph: h}
		}
	}
	if p.bound <= 0 {
		p.bound = defaultBound
	}
	s := &search{
		hypergraph: h, bound: p.bound, want: 1 + p.others, lost: -1,
		taken: make([]int, len(h.needs)), in: make([]bool, len(h.tools)), users: make([][]int, len(h.tools)), mark: make([]int, len(h.tools)), asks: make([]int, len(h.tools)),
	}
	for n := range s.taken {
		s.taken[n] = -1
	}
	if p.greedy {
		return s.first(func(w way) price { return w.price })
	}
	return s.run()
}

func (s *search) run() solution {
	root := &state{f: s.base}
	s.separate()
	heap.Push(&s.queue, root)
	expanded, proved, least := 0, false, root.f
	for limit := s.bound; len(s.queue) > 0; expanded++ {
		top := s.queue[0]
		if s.worthless(top.f) {
			break
		}
		least = top.f
		if !proved && top.f >= s.best() { // from here on only the other plans are looked for
			proved, limit = true, min(limit, expanded+s.bound/8)
		}
		if expanded >= limit || s.work >= perBound*s.bound {
			break
		}
		heap.Pop(&s.queue)
		s.lay(top)
		low := s.raise()
		if top.f = max(top.f, low); s.worthless(top.f) {
			continue
		}
		s.expand(top, low)
		if expanded&(expanded+1) == 0 { // the 1st, 2nd, 4th, 8th …
			s.dive(func(w way) price { return s.marginal(w) })
		}
	}
	if len(s.queue) == 0 || s.worthless(s.queue[0].f) {
		least = s.best()
	}
	if s.lost >= 0 {
		least = min(least, s.lost)
	}
	out := s.solution(s.found[0])
	out.expanded, out.least = expanded, min(least, s.best()).cost()
	out.bounded = least < s.best() || s.cut
	for _, f := range s.found[1:] {
		out.others = append(out.others, s.solution(f))
	}
	return out
}

// first takes the first way that fits everywhere, without a search.
func (s *search) first(by func(way) price) solution {
	s.lay(&state{})
	if !s.dive(by) {
		s.separate()
	}
	out := s.solution(s.found[0])
	out.least = out.cost
	return out
}

// separate keeps the plan in which each tool is provided for as if it stood alone.
func (s *search) separate() {
	s.lay(&state{})
	for i := 0; i < len(s.added); i++ {
		for _, n := range s.tools[s.added[i]].needs {
			s.take(n, s.needs[n].alone)
		}
	}
	s.keep()
}

func (s *search) best() price { return s.found[0].cost }

// worthless reports whether a plan of that cost would change nothing.
func (s *search) worthless(f price) bool {
	return len(s.found) == s.want && f >= s.found[len(s.found)-1].cost
}

// lay lays out the partial plan of a state.
func (s *search) lay(at *state) {
	for _, t := range s.added {
		s.in[t], s.users[t] = false, s.users[t][:0]
		for _, n := range s.tools[t].needs {
			s.taken[n] = -1
		}
	}
	s.added, s.cost = s.added[:0], s.base
	for t := range s.goals {
		s.in[t] = true
		s.added = append(s.added, t)
	}
	s.chain = s.chain[:0]
	for ; at.parent != nil; at = at.parent {
		s.chain = append(s.chain, at)
	}
	for _, at := range slices.Backward(s.chain) {
		s.take(at.need, at.way)
	}
}

// take fills a need of the plan under the hand.
func (s *search) take(n, k int) {
	d := &s.needs[n]
	w := &d.ways[k]
	s.taken[n] = k
	s.cost += w.price
	if w.provider < 0 {
		return
	}
	s.users[w.provider] = append(s.users[w.provider], d.taker)
	if !s.in[w.provider] {
		s.in[w.provider] = true
		s.added = append(s.added, w.provider)
		s.cost += s.tools[w.provider].fixed
	}
}

// keep notes the plan under the hand, which is complete, if it is among the best and new.
func (s *search) keep() {
	if s.worthless(s.cost) {
		return
	}
	for _, f := range s.found {
		if f.cost == s.cost && slices.Equal(f.taken, s.taken) {
			return
		}
	}
	i := len(s.found)
	for i > 0 && s.found[i-1].cost > s.cost {
		i--
	}
	s.found = slices.Insert(s.found, i, plan{s.cost, slices.Clone(s.taken)})
	s.found = s.found[:min(len(s.found), s.want)]
}

// open is the need to fill next, and how many are open. The one whose two best ways differ most comes first: a wrong choice
// there shows at once.
func (s *search) open() (next, count int) {
	next = -1
	most := price(-1)
	for _, t := range s.added {
		for _, n := range s.tools[t].needs {
			if s.taken[n] >= 0 {
				continue
			}
			count++
			if r := s.regret(n); r > most {
				next, most = n, r
			}
		}
	}
	return next, count
}

// regret is what the second best way of a need costs more than the best, by the bound.
func (s *search) regret(n int) price {
	d := &s.needs[n]
	one, two := price(maxPrice), price(maxPrice)
	for k := range d.ways {
		c := s.worse(n, k)
		switch {
		case c < one:
			one, two = c, one
		case c < two:
			two = c
		}
	}
	return two - one
}

// waiting marks the tools that wait for the tool, directly or not, with itself: to take from one of them closes a cycle.
func (s *search) waiting(tool int) {
	s.look++
	todo := []int{tool}
	s.mark[tool] = s.look
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range s.users[t] {
			if s.mark[u] != s.look {
				s.mark[u] = s.look
				todo = append(todo, u)
			}
		}
	}
}

func (s *search) cyclic(w *way) bool { return w.provider >= 0 && s.mark[w.provider] == s.look }

// expand branches over the ways of an open need of the plan under the hand.
func (s *search) expand(at *state, low price) {
	n, count := s.open()
	if n < 0 { // only a plan without needs
		s.keep()
		return
	}
	d := &s.needs[n]
	s.waiting(d.taker)
	for k := range d.ways {
		w := &d.ways[k]
		if s.cyclic(w) {
			continue
		}
		next := state{parent: at, need: n, way: k, depth: at.depth + 1, f: at.f}
		cost, more := s.cost+w.price, 0
		if w.provider >= 0 && !s.in[w.provider] {
			v := &s.tools[w.provider]
			cost += v.fixed
			more = len(v.needs)
		}
		if count-1+more == 0 {
			s.complete(n, k, cost)
			continue
		}
		next.f = max(at.f, low+s.worse(n, k))
		if s.worthless(next.f) {
			continue
		}
		if len(s.queue) >= perState*s.bound {
			if s.lost < 0 || next.f < s.lost {
				s.lost = next.f
			}
			continue
		}
		s.order++
		next.order = s.order
		heap.Push(&s.queue, &next)
	}
}

// complete keeps the plan that the last choice completes.
func (s *search) complete(n, k int, cost price) {
	before := s.cost
	s.taken[n], s.cost = k, cost
	s.keep()
	s.taken[n], s.cost = -1, before
}

// worse is by how much the choice lifts the bound of raise: what the way costs beyond what its need pays already, and what its
// provider, if it must be brought in, costs beyond the shares that are promised to it, but for those of the need's other ways.
func (s *search) worse(n, k int) price {
	d := &s.needs[n]
	w := &d.ways[k]
	sum := w.price + w.share - d.least
	if w.provider < 0 || s.in[w.provider] {
		return sum
	}
	sum += s.tools[w.provider].slack
	for j := range d.ways {
		if o := &d.ways[j]; j != k && o.provider == w.provider {
			sum += o.share
		}
	}
	return sum
}

// marginal is what a way costs in the plan under the hand, its provider's own needs counted as if it stood alone.
func (s *search) marginal(w way) price {
	if w.provider < 0 || s.in[w.provider] {
		return w.price
	}
	return w.price + s.tools[w.provider].alone
}

// dive completes the plan under the hand, taking at each need the way that costs least by the measure; false when it comes to
// a need whose ways all close cycles.
func (s *search) dive(by func(way) price) bool {
	for i := 0; i < len(s.added); i++ {
		for _, n := range s.tools[s.added[i]].needs {
			if s.taken[n] >= 0 {
				continue
			}
			d := &s.needs[n]
			s.waiting(d.taker)
			best := -1
			for k := range d.ways {
				if !s.cyclic(&d.ways[k]) && (best < 0 || by(d.ways[k]) < by(d.ways[best])) {
					best = k
				}
			}
			if best < 0 {
				return false
			}
			s.take(n, best)
		}
	}
	s.keep()
	return true
}

// solution words a plan.
func (s *search) solution(f plan) solution {
	out := solution{cost: f.cost.cost(), least: f.cost.cost(), graph: s.hypergraph, after: map[*entry][]*entry{}}
	in := make([]bool, len(s.tools))
	var order []int
	for t := range s.goals {
		in[t] = true
		order = append(order, t)
	}
	for i := 0; i < len(order); i++ {
		out.tools = append(out.tools, s.tools[order[i]].entry)
		for _, n := range s.tools[order[i]].needs {
			w := s.needs[n].ways[f.taken[n]]
			if s.needs[n].field == nil { // an order of two goals
				out.after[s.needs[n].need.taker] = append(out.after[s.needs[n].need.taker], w.option.provider)
				continue
			}
			out.choices = append(out.choices, choice{s.needs[n].need, w.option})
			if w.provider >= 0 && !in[w.provider] {
				in[w.provider] = true
				order = append(order, w.provider)
			}
		}
	}
	return out
}

// providers of the taker within the solution.
func (s solution) providers(e *entry) []*entry {
	var out []*entry
	for _, c := range s.choices {
		if c.taker == e && c.provider != nil {
			out = append(out, c.provider)
		}
	}
	return out
}

// waits are the tools that must end before e: those that provide for it, in the order of its needs, and the goals that the
// request wants done before.
func (s solution) waits(e *entry) []*entry {
	var out []*entry
	for _, b := range append(s.providers(e), s.after[e]...) {
		if !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}

// ordered puts every tool after those it waits for, otherwise in the order of goals.
func (s solution) ordered() []*entry {
	var out []*entry
	seen := map[*entry]bool{}
	var visit func(e *entry)
	visit = func(e *entry) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, p := range s.waits(e) {
			visit(p)
		}
		out = append(out, e)
	}
	for _, e := range s.tools {
		visit(e)
	}
	return out
}

// String tells the solution in one line, for Explain.
func (s solution) String() string {
	var parts []string
	for _, c := range s.choices {
		switch {
		case c.provider != nil:
			parts = append(parts, fmt.Sprintf("%s.%s ← %s.%s (%.2f)", c.taker.Name, c.field.Name, c.provider.Name, c.edge.path, c.edge.sure))
		case c.known != nil:
			parts = append(parts, fmt.Sprintf("%s.%s ← %s (%.2f)", c.taker.Name, c.field.Name, c.known.why, c.known.sure))
		default:
			parts = append(parts, fmt.Sprintf("%s.%s ← ask the user", c.taker.Name, c.field.Name))
		}
	}
	return strings.Join(parts, "; ")
}

// queue is a priority queue by f; of equal ones the one nearer to its end, then the older, so that ties fall the same way
// every time.
type queue []*state

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.f != b.f {
		return a.f < b.f
	}
	if a.depth != b.depth {
		return a.depth > b.depth
	}
	return a.order < b.order
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push and Pop implement heap.Interface.
func (q *queue) Push(v any) { *q = append(*q, v.(*state)) }

// Pop removes the last element.
func (q *queue) Pop() any {
	old := *q
	v := old[len(old)-1]
	*q = old[:len(old)-1]
	return v
}
