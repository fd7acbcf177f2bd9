package solver

import (
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
)

// plan is a complete one.
type plan struct {
	cost  Price
	taken []int // way by need; -1 where its tool is not in the plan
}

// first takes the first way that fits everywhere, without a search.
func (s *search) first(by func(Way) Price) Solution {
	s.lay(&state{})
	if !s.dive(by) {
		s.separate()
	}
	out := s.solution(s.found[0])
	out.Least = out.Cost
	return out
}

// separate keeps the plan in which each tool is provided for as if it stood alone.
func (s *search) separate() {
	s.lay(&state{})
	for i := 0; i < len(s.added); i++ {
		for _, n := range s.Tools[s.added[i]].needs {
			s.take(n, s.Needs[n].alone)
		}
	}
	s.keep()
}

func (s *search) best() Price { return s.found[0].cost }

// worthless reports whether a plan of that cost would change nothing.
func (s *search) worthless(f Price) bool {
	return len(s.found) == s.want && f >= s.found[len(s.found)-1].cost
}

// lay lays out the partial plan of a state.
func (s *search) lay(at *state) {
	for _, t := range s.added {
		s.in[t], s.users[t] = false, s.users[t][:0]
		for _, n := range s.Tools[t].needs {
			s.taken[n] = -1
		}
	}
	s.added, s.cost = s.added[:0], s.base
	for t := range s.Goals {
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
	d := &s.Needs[n]
	w := &d.Ways[k]
	s.taken[n] = k
	s.cost += w.price
	if w.provider < 0 {
		return
	}
	s.users[w.provider] = append(s.users[w.provider], d.Taker)
	if !s.in[w.provider] {
		s.in[w.provider] = true
		s.added = append(s.added, w.provider)
		s.cost += s.Tools[w.provider].Fixed
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

func (s *search) cyclic(w *Way) bool { return w.provider >= 0 && s.mark[w.provider] == s.look }

// complete keeps the plan that the last choice completes.
func (s *search) complete(n, k int, cost Price) {
	before := s.cost
	s.taken[n], s.cost = k, cost
	s.keep()
	s.taken[n], s.cost = -1, before
}

// marginal is what a way costs in the plan under the hand, its provider's own needs counted as if it stood alone.
func (s *search) marginal(w Way) Price {
	if w.provider < 0 || s.in[w.provider] {
		return w.price
	}
	return w.price + s.Tools[w.provider].alone
}

// dive completes the plan under the hand, taking at each need the way that costs least by the measure; false when it comes to
// a need whose ways all close cycles.
func (s *search) dive(by func(Way) Price) bool {
	for i := 0; i < len(s.added); i++ {
		for _, n := range s.Tools[s.added[i]].needs {
			if s.taken[n] >= 0 {
				continue
			}
			d := &s.Needs[n]
			s.waiting(d.Taker)
			best := -1
			for k := range d.Ways {
				if !s.cyclic(&d.Ways[k]) && (best < 0 || by(d.Ways[k]) < by(d.Ways[best])) {
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
func (s *search) solution(f plan) Solution {
	out := Solution{Cost: f.cost.Cost(), Least: f.cost.Cost(), Graph: s.Hypergraph, After: map[*cards.Entry][]*cards.Entry{}}
	in := make([]bool, len(s.Tools))
	var order []int
	for t := range s.Goals {
		in[t] = true
		order = append(order, t)
	}
	for i := 0; i < len(order); i++ {
		out.Tools = append(out.Tools, s.Tools[order[i]].Entry)
		for _, n := range s.Tools[order[i]].needs {
			w := s.Needs[n].Ways[f.taken[n]]
			if s.Needs[n].Field == nil { // an order of two goals
				out.After[s.Needs[n].Need.Taker] = append(out.After[s.Needs[n].Need.Taker], w.Option.Provider)
				continue
			}
			out.Choices = append(out.Choices, Choice{s.Needs[n].Need, w.Option})
			if w.provider >= 0 && !in[w.provider] {
				in[w.provider] = true
				order = append(order, w.provider)
			}
		}
	}
	return out
}
