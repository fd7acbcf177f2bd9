package solver

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
)

// Fixed is the cost of bringing in a tool of the graph.
func (h *Hypergraph) Fixed(e *cards.Entry) Price {
	for t := range h.Tools {
		if h.Tools[t].Entry == e {
			return h.Tools[t].Fixed
		}
	}
	return 0
}

// Price is a cost in millionths: sums of whole numbers do not depend on their order, so plans that cost the same cost exactly
// the same whatever the order of cards.
type Price int64

const (
	// PerUnit is how many of a [Price] make one unit of cost.
	PerUnit  = 1_000_000
	maxPrice = 1_000_000 * PerUnit // of one thing; 100,000 of them can still be summed
	// maxSum is where plus stops: shared steps counted each time double with each tool of a chain.
	maxSum = 100_000 * maxPrice
)

// plus adds prices of at most maxSum.
func (p Price) plus(o Price) Price { return min(p+o, maxSum) }

// ToPrice rounds a cost. One below zero would make a cycle worth going round and counts as nothing; what is no number is
// as dear as can be.
func ToPrice(c float64) Price {
	switch {
	case c <= 0:
		return 0
	case c < maxPrice/PerUnit:
		return Price(math.Round(c * PerUnit))
	}
	return maxPrice
}

// Cost is the price in units.
func (p Price) Cost() float64 { return float64(p) / PerUnit }

// maxTools bounds how many tools one search looks at; the pools that requests make are far smaller.
const maxTools = 1024

// Hypergraph is a problem in numbers: tools, needs and ways are places in lists. A tool wants all its needs filled (AND), a
// need one of its ways (OR).
type Hypergraph struct {
	Tools []Vertex // the goals first, then in the order in which they are reached
	Goals int
	Needs []Demand // in the order of tools
	base  Price    // of the goals themselves
	cut   bool     // there were more tools than maxTools
}

// Vertex is a tool.
type Vertex struct {
	*cards.Entry
	Fixed Price // of bringing it in; 0 for a goal, which is in every plan
	needs []int
	into  [][2]int // the ways that take from it: need, and place among its ways
	alone Price    // cost of the cheapest plan for this tool alone; below zero: there is none
	rest  Price    // of its needs, each by its cheapest way
	slack Price    // see search.raise
}

// Demand is a need with its ways, cheapest first. Equal ones stand in an order that no order of cards can change. A goal that
// must come after another one has a need without a field, which only the other one fills: so what provides for the other
// one cannot wait for it.
type Demand struct {
	Need
	Taker int
	Ways  []Way
	alone int   // the way that the cheapest plan for the taker alone takes
	least Price // see search.raise
}

// Way is an option with its provider's place; -1 when it has none.
type Way struct {
	Option
	price    Price
	provider int
	share    Price // see search.raise
}

// compile collects what the goals can reach and drops what can never be filled.
func (p Problem) compile() *Hypergraph {
	h := &Hypergraph{}
	at := map[*cards.Entry]int{}
	add := func(e *cards.Entry) (int, bool) {
		i, ok := at[e]
		if !ok {
			if len(h.Tools) >= maxTools {
				h.cut = true
				return 0, false
			}
			i = len(h.Tools)
			at[e] = i
			h.Tools = append(h.Tools, Vertex{Entry: e, Fixed: ToPrice(p.Fixed(e))})
		}
		return i, true
	}
	for _, e := range p.Goals {
		add(e)
	}
	h.Goals = len(h.Tools)
	for i := range h.Tools {
		h.base += h.Tools[i].Fixed
		h.Tools[i].Fixed = 0
	}
	for t := 0; t < len(h.Tools); t++ {
		for _, n := range p.Needs(h.Tools[t].Entry) {
			d := Demand{Need: n, Taker: t}
			os := slices.Clone(p.Options(n))
			slices.SortStableFunc(os, cheaper(at))
			for _, o := range os {
				w := Way{Option: o, price: ToPrice(o.Cost), provider: -1}
				if o.Provider != nil {
					i, ok := add(o.Provider)
					if !ok || i == t {
						continue
					}
					w.provider = i
				}
				d.Ways = append(d.Ways, w)
			}
			h.add(d)
		}
		if t < h.Goals && p.After != nil {
			for _, e := range p.After(h.Tools[t].Entry) {
				if i, ok := at[e]; ok && i != t {
					h.add(Demand{Need: Need{h.Tools[t].Entry, nil}, Taker: t, Ways: []Way{{Option: Option{Provider: e}, provider: i}}})
				}
			}
		}
	}
	h.link()
	h.reach()
	return h
}

func (h *Hypergraph) add(d Demand) {
	h.Tools[d.Taker].needs = append(h.Tools[d.Taker].needs, len(h.Needs))
	h.Needs = append(h.Needs, d)
}

// cheaper orders options by their cost, then by kind and names. Copies of one tool that serve several goals stand in the order
// of the goals.
func cheaper(at map[*cards.Entry]int) func(a, b Option) int {
	return func(a, b Option) int {
		c := cmp.Or(cmp.Compare(ToPrice(a.Cost), ToPrice(b.Cost)), cmp.Compare(a.Source(), b.Source()))
		if c == 0 && a.Provider != nil {
			c = cmp.Or(strings.Compare(a.Provider.Name, b.Provider.Name), strings.Compare(a.Edge.Path, b.Edge.Path))
			if i, ok := at[a.Provider]; c == 0 && ok {
				if j, ok := at[b.Provider]; ok {
					c = cmp.Compare(i, j)
				}
			}
		}
		return c
	}
}

// Source is the kind of an option: what is known stands before what must be fetched, and that before a question.
func (o Option) Source() int {
	switch {
	case o.Known != nil:
		return 0
	case o.Provider != nil:
		return 1
	}
	return 2
}

// link notes for each tool the ways that take from it.
func (h *Hypergraph) link() {
	for t := range h.Tools {
		h.Tools[t].into = h.Tools[t].into[:0]
	}
	for n := range h.Needs {
		for k, w := range h.Needs[n].Ways {
			if w.provider >= 0 {
				h.Tools[w.provider].into = append(h.Tools[w.provider].into, [2]int{n, k})
			}
		}
	}
}

// reach finds the cheapest plan for each tool alone, shared steps counted each time (Knuth's generalisation of Dijkstra's
// algorithm, 1977). What gets no plan, because all its ways end in cycles or in nothing, is dropped. Since a tool takes only
// from tools that were settled before it, these plans have no cycle.
func (h *Hypergraph) reach() {
	open := make([]int, len(h.Tools)) // needs without a way so far
	best := make([]Price, len(h.Needs))
	q := &settling{}
	settle := func(n, k int, c Price) {
		d := &h.Needs[n]
		switch {
		case best[n] < 0:
			open[d.Taker]--
		case best[n] <= c:
			return
		}
		best[n], d.alone = c, k
		if open[d.Taker] == 0 {
			sum := h.Tools[d.Taker].Fixed
			for _, n := range h.Tools[d.Taker].needs {
				sum = sum.plus(best[n])
			}
			heap.Push(q, settled{d.Taker, sum})
		}
	}
	for t := range h.Tools {
		v := &h.Tools[t]
		v.alone, open[t] = -1, len(v.needs)
		if open[t] == 0 {
			heap.Push(q, settled{t, v.Fixed})
		}
	}
	for n := range h.Needs {
		best[n] = -1
		for k, w := range h.Needs[n].Ways {
			if w.provider < 0 {
				settle(n, k, w.price)
				break // the cheapest without a provider
			}
		}
	}
	for q.Len() > 0 {
		s := heap.Pop(q).(settled)
		v := &h.Tools[s.tool]
		if v.alone >= 0 {
			continue
		}
		v.alone = s.cost
		for _, i := range v.into {
			if d := &h.Needs[i[0]]; h.Tools[d.Taker].alone < 0 {
				settle(i[0], i[1], d.Ways[i[1]].price.plus(s.cost))
			}
		}
	}
	for n := range h.Needs {
		d := &h.Needs[n]
		kept := d.Ways[:0]
		alone := 0
		for k, w := range d.Ways {
			if w.provider < 0 || h.Tools[w.provider].alone >= 0 {
				if k == d.alone {
					alone = len(kept)
				}
				kept = append(kept, w)
			}
		}
		d.Ways, d.alone = kept, alone
		if len(kept) > 0 {
			h.Tools[d.Taker].rest += kept[0].price
		}
	}
	h.link()
}

// settled is a tool with the cost of a plan for it alone.
type settled struct {
	tool int
	cost Price
}

// settling is a priority queue of them, the cheapest first, then by place.
type settling []settled

func (q settling) Len() int { return len(q) }
func (q settling) Less(i, j int) bool {
	return q[i].cost < q[j].cost || q[i].cost == q[j].cost && q[i].tool < q[j].tool
}
func (q settling) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push and Pop implement heap.Interface.
func (q *settling) Push(v any) { *q = append(*q, v.(settled)) }

// Pop removes the last element.
func (q *settling) Pop() any {
	old := *q
	v := old[len(old)-1]
	*q = old[:len(old)-1]
	return v
}
