package solver

import "container/heap"

// state of the search: a partial plan, as the last choice and the state before it.
type state struct {
	parent    *state
	need, way int
	depth     int
	f         Price // what no plan that begins so can go below
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
	*Hypergraph
	bound int
	want  int    // plans
	found []plan // the best ones met, cheapest first; those that cost the same as they came
	queue queue
	order int
	lost  Price // the least f of states dropped for room; below zero: none

	// The partial plan under the hand, laid out from a state's chain of parents by lay.
	taken []int // way by need; -1: open, or of a tool that is not in the plan
	in    []bool
	added []int   // the tools in the plan, in order
	users [][]int // takers by provider
	cost  Price
	chain []*state
	asks  []int // tools that a lift has asked for more, by the number of that lift
	asked int
	work  int   // steps of raise so far
	mark  []int // tools that wait for the taker at hand, by the number of the last look
	look  int
}

// Solve finds the cheapest plan. At the bound it is the best found until then, which there always is: the cheapest plans of
// the single goals, put together, are known before the search begins. No plan at all (a need that nothing can fill): a
// cost below zero and no choices.
func (p Problem) Solve() Solution {
	h := p.compile()
	for t := range h.Tools[:h.Goals] {
		if h.Tools[t].alone < 0 {
			return Solution{Cost: -1, Least: -1, Tools: p.Goals, Graph: h}
		}
	}
	if p.Bound <= 0 {
		p.Bound = DefaultBound
	}
	s := &search{
		Hypergraph: h, bound: p.Bound, want: 1 + p.Others, lost: -1,
		taken: make([]int, len(h.Needs)), in: make([]bool, len(h.Tools)), users: make([][]int, len(h.Tools)), mark: make([]int, len(h.Tools)), asks: make([]int, len(h.Tools)),
	}
	for n := range s.taken {
		s.taken[n] = -1
	}
	if p.Greedy {
		return s.first(func(w Way) Price { return w.price })
	}
	return s.run()
}

func (s *search) run() Solution {
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
			s.dive(func(w Way) Price { return s.marginal(w) })
		}
	}
	if len(s.queue) == 0 || s.worthless(s.queue[0].f) {
		least = s.best()
	}
	if s.lost >= 0 {
		least = min(least, s.lost)
	}
	out := s.solution(s.found[0])
	out.Expanded, out.Least = expanded, min(least, s.best()).Cost()
	out.Bounded = least < s.best() || s.cut
	for _, f := range s.found[1:] {
		out.Others = append(out.Others, s.solution(f))
	}
	return out
}

// open is the need to fill next, and how many are open. The one whose two best ways differ most comes first: a wrong choice
// there shows at once.
func (s *search) open() (next, count int) {
	next = -1
	most := Price(-1)
	for _, t := range s.added {
		for _, n := range s.Tools[t].needs {
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
func (s *search) regret(n int) Price {
	d := &s.Needs[n]
	one, two := Price(maxPrice), Price(maxPrice)
	for k := range d.Ways {
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

// expand branches over the ways of an open need of the plan under the hand.
func (s *search) expand(at *state, low Price) {
	n, count := s.open()
	if n < 0 { // only a plan without needs
		s.keep()
		return
	}
	d := &s.Needs[n]
	s.waiting(d.Taker)
	for k := range d.Ways {
		w := &d.Ways[k]
		if s.cyclic(w) {
			continue
		}
		next := state{parent: at, need: n, way: k, depth: at.depth + 1, f: at.f}
		cost, more := s.cost+w.price, 0
		if w.provider >= 0 && !s.in[w.provider] {
			v := &s.Tools[w.provider]
			cost += v.Fixed
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

// worse is by how much the choice lifts the bound of raise: what the way costs beyond what its need pays already, and what its
// provider, if it must be brought in, costs beyond the shares that are promised to it, but for those of the need's other ways.
func (s *search) worse(n, k int) Price {
	d := &s.Needs[n]
	w := &d.Ways[k]
	sum := w.price + w.share - d.least
	if w.provider < 0 || s.in[w.provider] {
		return sum
	}
	sum += s.Tools[w.provider].slack
	for j := range d.Ways {
		if o := &d.Ways[j]; j != k && o.provider == w.provider {
			sum += o.share
		}
	}
	return sum
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
