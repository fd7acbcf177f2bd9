package plan

// maxRaises bounds the rounds of raise: each makes the bound better, the first ones most.
const maxRaises = 64

// raise computes a bound that no plan can go below, by dual ascent (Erlenkotter 1978 for the location of facilities, of which
// choosing providers is a kind; Wong 1984 for Steiner trees).
//
// Think of every need as paying for being filled. It pays at least its cheapest way (least). When that way's provider must be
// brought in, the need may pay a share of that too, and so may all other needs that the provider could fill; but all shares
// together must not exceed what the provider costs with its own needs: what is left of this is its slack. As long as a need's
// cheapest ways all lead to providers with slack, least can be raised, which gives its own tool more slack. In formulas, for each way of a need n to provider p:
//
//	least(n) ≤ price(way) + share(way)          shares into a goal are 0, since it is in every plan anyhow
//	Σ share(into p) + slack(p) = fixed(p) + Σ least(needs of p)
//
// So a plan costs at least the sum of least over the needs of the goals, which is returned with the goals' own cost. What a
// single choice adds to that is known exactly, see search.worse.
func (h *hypergraph) raise() price {
	for n := range h.needs {
		d := &h.needs[n]
		d.least = 0
		for k := range d.ways {
			d.ways[k].share = 0
		}
		if len(d.ways) > 0 {
			d.least = d.ways[0].price
		}
	}
	for t := range h.tools {
		v := &h.tools[t]
		v.slack = v.fixed
		for _, n := range v.needs {
			v.slack += h.needs[n].least
		}
	}
	seen := make([]int, len(h.tools))
	look := 0
	for range maxRaises {
		raised := false
		for t := range h.tools[:h.goals] {
			for _, n := range h.tools[t].needs {
				look++
				raised = h.lift(n, maxPrice, seen, look) > 0 || raised
			}
		}
		if !raised {
			break
		}
	}
	sum := h.base
	for t := range h.tools[:h.goals] {
		for _, n := range h.tools[t].needs {
			sum += h.needs[n].least
		}
	}
	return sum
}

// lift raises one need by one step, at most by most: to its next way, or until a provider has no slack left. A provider that
// has too little gets more by lifting its own needs, so that only what the goals can use is ever raised. It returns the step;
// seen holds the tools that this look has already asked for more.
func (h *hypergraph) lift(n int, most price, seen []int, look int) price {
	d := &h.needs[n]
	seen[d.taker] = look
	step := most
	for k := range d.ways {
		w := &d.ways[k]
		if above := w.price + w.share - d.least; above > 0 {
			step = min(step, above)
		} else if w.provider < h.goals { // known, asked for, or a goal: nothing more to pay
			return 0
		}
	}
	if len(d.ways) == 0 {
		return 0
	}
	for k := range d.ways {
		w := &d.ways[k]
		if w.price+w.share > d.least || seen[w.provider] == look {
			continue
		}
		seen[w.provider] = look
		v := &h.tools[w.provider]
		for _, m := range v.needs {
			if lack := step*d.sharers(w) - v.slack; lack > 0 {
				h.lift(m, lack, seen, look)
			}
		}
	}
	for k := range d.ways {
		if w := &d.ways[k]; w.price+w.share == d.least {
			step = min(step, h.tools[w.provider].slack/d.sharers(w))
		}
	}
	if step <= 0 {
		return 0
	}
	for k := range d.ways {
		if w := &d.ways[k]; w.price+w.share == d.least {
			w.share += step
			h.tools[w.provider].slack -= step
		}
	}
	d.least += step
	h.tools[d.taker].slack += step // of no meaning for a goal
	return step
}

// sharers is how many of the need's cheapest ways lead to the provider of w: several of its fields may do.
func (d *demand) sharers(w *way) price {
	n := price(0)
	for k := range d.ways {
		if o := &d.ways[k]; o.provider == w.provider && o.price+o.share == d.least {
			n++
		}
	}
	return n
}
