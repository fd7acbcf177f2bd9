package solver

// Bounds of raise: rounds, each of which makes the bound better, the first ones most, and steps of one call.
const (
	maxRaises = 64
	maxLifts  = 50_000
)

// raise computes a bound that no plan which begins with the one under the hand can go below, by dual ascent (Erlenkotter 1978
// for the location of facilities, of which choosing providers is a kind; Wong 1984 for Steiner trees).
//
// Think of every open need as paying for being filled. It pays at least its cheapest way (least). When that way's provider must
// be brought in, the need may pay a share of that too, and so may all other needs that the provider could fill; but all
// shares together must not exceed what the provider costs with its own needs: what is left of this is its slack. As long as a
// need's cheapest ways all lead to providers with slack, least can be raised, which gives its own tool more slack. In
// formulas, for each way of a need n to provider p:
//
//	least(n) ≤ price(way) + share(way)          shares into a tool of the plan are 0: it is paid already
//	Σ share(into p) + slack(p) = fixed(p) + Σ least(needs of p)
//
// So the rest costs at least the sum of least over the open needs of the tools in the plan. What one more choice adds to that
// is seen in the same numbers, see search.worse.
func (s *search) raise() Price {
	h := s.Hypergraph
	for n := range h.Needs {
		d := &h.Needs[n]
		d.least = 0
		for k := range d.Ways {
			d.Ways[k].share = 0
		}
		if len(d.Ways) > 0 {
			d.least = d.Ways[0].price
		}
	}
	for t := range h.Tools {
		v := &h.Tools[t]
		v.slack = v.Fixed + v.rest
	}
	s.work += len(h.Needs)
	for range maxRaises {
		raised, most := false, s.work+maxLifts/maxRaises
		for _, t := range s.added {
			for _, n := range h.Tools[t].needs {
				if s.taken[n] < 0 && s.work < most {
					s.asked++
					raised = s.lift(n, maxPrice) > 0 || raised
				}
			}
		}
		if !raised {
			break
		}
	}
	sum := s.cost
	for _, t := range s.added {
		for _, n := range h.Tools[t].needs {
			if s.taken[n] < 0 {
				sum += h.Needs[n].least
			}
		}
	}
	return sum
}

// lift raises one need by one step, at most by most: to its next way, or until a provider has no slack left. A provider that
// has too little gets more by lifting its own needs, so that only what the goals can use is ever raised. It returns the step.
func (s *search) lift(n int, most Price) Price {
	h := s.Hypergraph
	s.work++
	d := &h.Needs[n]
	s.asks[d.Taker] = s.asked
	step := most
	for k := range d.Ways {
		w := &d.Ways[k]
		if above := w.price + w.share - d.least; above > 0 {
			step = min(step, above)
		} else if w.provider < 0 || s.in[w.provider] { // known, asked for, or in the plan: nothing more to pay
			return 0
		}
	}
	if len(d.Ways) == 0 {
		return 0
	}
	for k := range d.Ways {
		w := &d.Ways[k]
		if w.price+w.share > d.least || s.asks[w.provider] == s.asked {
			continue
		}
		s.asks[w.provider] = s.asked
		v := &h.Tools[w.provider]
		for _, m := range v.needs {
			if lack := step*d.sharers(w) - v.slack; lack > 0 {
				s.lift(m, lack)
			}
		}
	}
	for k := range d.Ways {
		if w := &d.Ways[k]; w.price+w.share == d.least {
			step = min(step, h.Tools[w.provider].slack/d.sharers(w))
		}
	}
	if step <= 0 {
		return 0
	}
	for k := range d.Ways {
		if w := &d.Ways[k]; w.price+w.share == d.least {
			w.share += step
			h.Tools[w.provider].slack -= step
		}
	}
	d.least += step
	h.Tools[d.Taker].slack += step // of no meaning for a tool in the plan
	return step
}

// sharers is how many of the need's cheapest ways lead to the provider of w: several of its fields may do.
func (d *Demand) sharers(w *Way) Price {
	n := Price(0)
	for k := range d.Ways {
		if o := &d.Ways[k]; o.provider == w.provider && o.price+o.share == d.least {
			n++
		}
	}
	return n
}
