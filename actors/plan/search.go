package plan

import (
	"container/heap"
	"fmt"
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
	cost     float64 // without the cost of bringing the provider into the plan
}

// choice is a need with the option taken for it.
type choice struct {
	need
	option
}

// problem is what the optimiser is given: the terminal tools and, for each need, its options, cheapest first.
type problem struct {
	goals   []*entry
	bound   int
	greedy  bool
	options func(need) []option
	fixed   func(*entry) float64 // cost of bringing a tool into the plan
	needs   func(*entry) []need
}

// solution is a plan: the tools in it and how each need is met.
type solution struct {
	cost     float64
	tools    []*entry // goals first, then providers in the order in which they came in
	choices  []choice
	expanded int
	bounded  bool // the bound was reached: the best so far, not proved to be the best
}

// state of the search: a partial plan. Parents are shared, so a state costs one choice.
type state struct {
	parent *state
	choice choice
	added  *entry // brought in by this choice
	open   []need
	cost   float64 // so far
	f      float64 // cost plus an admissible estimate of the rest
	order  int
}

// solve finds the cheapest plan by A* backward over open needs. The estimate of a state is the sum of the cheapest option of
// each open need without the cost of new tools, which can only be more: so the first complete state taken from the queue is
// the best. At the bound, the state nearest to the end is completed greedily.
func (p problem) solve() solution {
	start := &state{}
	for _, g := range p.goals {
		start.open = append(start.open, p.needs(g)...)
		start.cost += p.fixed(g)
	}
	start.f = start.cost + p.estimate(start.open)
	q := &queue{start}
	expanded, order := 0, 0
	for q.Len() > 0 {
		s := heap.Pop(q).(*state)
		if len(s.open) == 0 {
			return p.finish(s, expanded, false)
		}
		expanded++
		last := p.greedy || expanded >= p.bound
		if last {
			*q = (*q)[:0]
		}
		n := s.open[0]
		for _, o := range p.options(n) {
			next, ok := p.take(s, n, o)
			if !ok {
				continue
			}
			order++
			next.order = order
			heap.Push(q, next)
			if last {
				break
			}
		}
		if last && q.Len() > 0 {
			for s = (*q)[0]; len(s.open) > 0; {
				s = p.cheapest(s)
				if s == nil {
					break
				}
			}
			if s != nil {
				return p.finish(s, expanded, !p.greedy)
			}
		}
	}
	return solution{cost: -1, tools: p.goals, expanded: expanded}
}

// cheapest meets the first open need by its cheapest option that fits; nil when none does.
func (p problem) cheapest(s *state) *state {
	for _, o := range p.options(s.open[0]) {
		if next, ok := p.take(s, s.open[0], o); ok {
			return next
		}
	}
	return nil
}

// take meets the need by the option; false when that would close a cycle.
func (p problem) take(s *state, n need, o option) (*state, bool) {
	next := &state{parent: s, choice: choice{n, o}, cost: s.cost + o.cost, open: s.open[1:]}
	if o.provider != nil {
		if o.provider == n.taker || p.reaches(s, o.provider, n.taker) {
			return nil, false
		}
		if !p.has(s, o.provider) {
			next.added = o.provider
			next.cost += p.fixed(o.provider)
			next.open = append(append([]need(nil), s.open[1:]...), p.needs(o.provider)...)
		}
	}
	next.f = next.cost + p.estimate(next.open)
	return next, true
}

// estimate never exceeds the true rest.
func (p problem) estimate(open []need) float64 {
	sum := 0.0
	for _, n := range open {
		if os := p.options(n); len(os) > 0 {
			sum += os[0].cost
		}
	}
	return sum
}

func (p problem) has(s *state, e *entry) bool {
	for _, g := range p.goals {
		if g == e {
			return true
		}
	}
	for ; s != nil; s = s.parent {
		if s.added == e {
			return true
		}
	}
	return false
}

// reaches reports whether from depends, directly or not, on to.
func (p problem) reaches(s *state, from, to *entry) bool {
	todo, seen := []*entry{from}, map[*entry]bool{}
	for len(todo) > 0 {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if e == to {
			return true
		}
		if seen[e] {
			continue
		}
		seen[e] = true
		for t := s; t != nil; t = t.parent {
			if t.choice.taker == e && t.choice.provider != nil {
				todo = append(todo, t.choice.provider)
			}
		}
	}
	return false
}

func (p problem) finish(s *state, expanded int, bounded bool) solution {
	out := solution{cost: s.cost, expanded: expanded, bounded: bounded}
	for ; s != nil && s.parent != nil; s = s.parent {
		out.choices = append(out.choices, s.choice)
		if s.added != nil {
			out.tools = append(out.tools, s.added)
		}
	}
	for i, j := 0, len(out.choices)-1; i < j; i, j = i+1, j-1 {
		out.choices[i], out.choices[j] = out.choices[j], out.choices[i]
	}
	for i, j := 0, len(out.tools)-1; i < j; i, j = i+1, j-1 {
		out.tools[i], out.tools[j] = out.tools[j], out.tools[i]
	}
	out.tools = append(append([]*entry(nil), p.goals...), out.tools...)
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

// ordered puts every tool after its providers, otherwise in the order of goals.
func (s solution) ordered() []*entry {
	var out []*entry
	seen := map[*entry]bool{}
	var visit func(e *entry)
	visit = func(e *entry) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, p := range s.providers(e) {
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

// queue is a priority queue by f, then by age, so that ties fall the same way every time.
type queue []*state

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].f != q[j].f {
		return q[i].f < q[j].f
	}
	return q[i].order < q[j].order
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
