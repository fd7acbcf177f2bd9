package plan

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"strings"
)

// price is a cost in millionths: sums of whole numbers do not depend on their order, so plans that cost the same cost exactly
// the same whatever the order of cards.
type price int64

const (
	perUnit  = 1_000_000
	maxPrice = 1_000_000 * perUnit // of one thing; 100,000 of them can still be summed
	// maxSum is where plus stops: shared steps counted each time double with each tool of a chain.
	maxSum = 100_000 * maxPrice
)

// plus adds prices of at most maxSum.
func (p price) plus(o price) price { return min(p+o, maxSum) }

// toPrice rounds a cost. One below zero would make a cycle worth going round and counts as nothing; what is no number is
// as dear as can be.
func toPrice(c float64) price {
	switch {
	case c <= 0:
		return 0
	case c < maxPrice/perUnit:
		return price(math.Round(c * perUnit))
	}
	return maxPrice
}

func (p price) cost() float64 { return float64(p) / perUnit }

// maxTools bounds how many tools one search looks at; the pools that requests make are far smaller.
const maxTools = 1024

// hypergraph is a problem in numbers: tools, needs and ways are places in lists. A tool wants all its needs filled (AND), a
// need one of its ways (OR).
type hypergraph struct {
	tools []vertex // the goals first, then in the order in which they are reached
	goals int
	needs []demand // in the order of tools
	base  price    // of the goals themselves
	cut   bool     // there were more tools than maxTools
}

// vertex is a tool.
type vertex struct {
	*entry
	fixed price // of bringing it in; 0 for a goal, which is in every plan
	needs []int
	into  [][2]int // the ways that take from it: need, and place among its ways
	alone price    // cost of the cheapest plan for this tool alone; below zero: there is none
	rest  price    // of its needs, each by its cheapest way
	slack price    // see search.raise
}

// demand is a need with its ways, cheapest first. Equal ones stand in an order that no order of cards can change. A goal that
// must come after another one has a need without a field, which only the other one fills: so what provides for the other
// one cannot wait for it.
type demand struct {
	need
	taker int
	ways  []way
	alone int   // the way that the cheapest plan for the taker alone takes
	least price // see search.raise
}

// way is an option with its provider's place; -1 when it has none.
type way struct {
	option
	price    price
	provider int
	share    price // see search.raise
}

// compile collects what the goals can reach and drops what can never be filled.
func (p problem) compile() *hypergraph {
	h := &hypergraph{}
	at := map[*entry]int{}
	add := func(e *entry) (int, bool) {
		i, ok := at[e]
		if !ok {
			if len(h.tools) >= maxTools {
				h.cut = true
				return 0, false
			}
			i = len(h.tools)
			at[e] = i
			h.tools = append(h.tools, vertex{entry: e, fixed: toPrice(p.fixed(e))})
		}
		return i, true
	}
	for _, e := range p.goals {
		add(e)
	}
	h.goals = len(h.tools)
	for i := range h.tools {
		h.base += h.tools[i].fixed
		h.tools[i].fixed = 0
	}
	for t := 0; t < len(h.tools); t++ {
		for _, n := range p.needs(h.tools[t].entry) {
			d := demand{need: n, taker: t}
			os := slices.Clone(p.options(n))
			slices.SortStableFunc(os, cheaper(at))
			for _, o := range os {
				w := way{option: o, price: toPrice(o.cost), provider: -1}
				if o.provider != nil {
					i, ok := add(o.provider)
					if !ok || i == t {
						continue
					}
					w.provider = i
				}
				d.ways = append(d.ways, w)
			}
			h.add(d)
		}
		if t < h.goals && p.after != nil {
			for _, e := range p.after(h.tools[t].entry) {
				if i, ok := at[e]; ok && i != t {
					h.add(demand{need: need{h.tools[t].entry, nil}, taker: t, ways: []way{{option: option{provider: e}, provider: i}}})
				}
			}
		}
	}
	h.link()
	h.reach()
	return h
}

func (h *hypergraph) add(d demand) {
	h.tools[d.taker].needs = append(h.tools[d.taker].needs, len(h.needs))
	h.needs = append(h.needs, d)
}

// cheaper orders options by their cost, then by kind and names. Copies of one tool that serve several goals stand in the order
// of the goals.
func cheaper(at map[*entry]int) func(a, b option) int {
	return func(a, b option) int {
		c := cmp.Or(cmp.Compare(toPrice(a.cost), toPrice(b.cost)), cmp.Compare(a.source(), b.source()))
		if c == 0 && a.provider != nil {
			c = cmp.Or(strings.Compare(a.provider.Name, b.provider.Name), strings.Compare(a.edge.path, b.edge.path))
			if i, ok := at[a.provider]; c == 0 && ok {
				if j, ok := at[b.provider]; ok {
					c = cmp.Compare(i, j)
				}
			}
		}
		return c
	}
}

// source is the kind of an option: what is known stands before what must be fetched, and that before a question.
func (o option) source() int {
	switch {
	case o.known != nil:
		return 0
	case o.provider != nil:
		return 1
	}
	return 2
}

// link notes for each tool the ways that take from it.
func (h *hypergraph) link() {
	for t := range h.tools {
		h.tools[t].into = h.tools[t].into[:0]
	}
	for n := range h.needs {
		for k, w := range h.needs[n].ways {
			if w.provider >= 0 {
				h.tools[w.provider].into = append(h.tools[w.provider].into, [2]int{n, k})
			}
		}
	}
}

// reach finds the cheapest plan for each tool alone, shared steps counted each time (Knuth's generalisation of Dijkstra's
// algorithm, 1977). What gets no plan, because all its ways end in cycles or in nothing, is dropped. Since a tool takes only
// from tools that were settled before it, these plans have no cycle.
func (h *hypergraph) reach() {
	open := make([]int, len(h.tools)) // needs without a way so far
	best := make([]price, len(h.needs))
	q := &settling{}
	settle := func(n, k int, c price) {
		d := &h.needs[n]
		switch {
		case best[n] < 0:
			open[d.taker]--
		case best[n] <= c:
			return
		}
		best[n], d.alone = c, k
		if open[d.taker] == 0 {
			sum := h.tools[d.taker].fixed
			for _, n := range h.tools[d.taker].needs {
				sum = sum.plus(best[n])
			}
			heap.Push(q, settled{d.taker, sum})
		}
	}
	for t := range h.tools {
		v := &h.tools[t]
		v.alone, open[t] = -1, len(v.needs)
		if open[t] == 0 {
			heap.Push(q, settled{t, v.fixed})
		}
	}
	for n := range h.needs {
		best[n] = -1
		for k, w := range h.needs[n].ways {
			if w.provider < 0 {
				settle(n, k, w.price)
				break // the cheapest without a provider
			}
		}
	}
	for q.Len() > 0 {
		s := heap.Pop(q).(settled)
		v := &h.tools[s.tool]
		if v.alone >= 0 {
			continue
		}
		v.alone = s.cost
		for _, i := range v.into {
			if d := &h.needs[i[0]]; h.tools[d.taker].alone < 0 {
				settle(i[0], i[1], d.ways[i[1]].price.plus(s.cost))
			}
		}
	}
	for n := range h.needs {
		d := &h.needs[n]
		kept := d.ways[:0]
		alone := 0
		for k, w := range d.ways {
			if w.provider < 0 || h.tools[w.provider].alone >= 0 {
				if k == d.alone {
					alone = len(kept)
				}
				kept = append(kept, w)
			}
		}
		d.ways, d.alone = kept, alone
		if len(kept) > 0 {
			h.tools[d.taker].rest += kept[0].price
		}
	}
	h.link()
}

// settled is a tool with the cost of a plan for it alone.
type settled struct {
	tool int
	cost price
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
