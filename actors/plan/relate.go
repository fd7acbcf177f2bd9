package plan

import (
	"math"
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
)

// relate looks at the gaps a first time, each way by itself, and gives them the traits that follow from what it makes of all of them:
// in which order the tools stand and where the request speaks of each, and which parameter of a tool a returned field is likelier to fill.
func (w *weave) relate() {
	w.look(func(g *gap) []float64 { return w.scores(&g.own, g.links) }, true)
}

// look is relate with other scores. The weights are learned without cutting the request again, which would hang on them.
func (w *weave) look(scores func(*gap) []float64, again bool) {
	for _, t := range w.asked {
		for _, g := range w.gaps[t] {
			g.odds = likely(scores(g))
		}
	}
	w.reorder(w.precede())
	if again {
		w.recut(scores)
	}
	takers := map[*fields.Field][]taking{}
	for _, t := range w.asked {
		for _, g := range w.gaps[t] {
			for k, l := range g.links {
				if g.odds[k+1] > faint {
					takers[l.field] = append(takers[l.field], taking{g, g.odds[k+1]})
				}
			}
		}
	}
	for _, t := range w.asked {
		w.contend(w.gaps[t])
		for _, g := range w.gaps[t] {
			w.twins(g, takers)
		}
	}
}

// taking is a gap that takes a returned field, with its odds at the first look.
type taking struct {
	*gap
	odd float64
}

// faint are odds that are not looked at, so that a gap takes few fields however many there are.
const faint = 0.05

// twins notes at each way how likely a parameter of another tool goes the same way, by how alike the two parameters are: the venue of
// one tool is mostly that of the next.
func (w *weave) twins(g *gap, takers map[*fields.Field][]taking) {
	g.own[twinTold] = 0
	for _, o := range w.asked {
		for _, h := range w.gaps[o] {
			if o != g.Taker && h.Field.Type == g.Field.Type && h.odds[0] > g.own[twinTold] {
				g.own[twinTold] = max(g.own[twinTold], h.odds[0]*w.alike(h.Field, g.Field))
			}
		}
	}
	for _, l := range g.links {
		l.traits[twinTakes] = 0
		for _, h := range takers[l.field] {
			if h.Taker != g.Taker && h.Field.Type == g.Field.Type && h.odd > l.traits[twinTakes] {
				l.traits[twinTakes] = max(l.traits[twinTakes], h.odd*w.alike(h.Field, g.Field))
			}
		}
	}
}

// contend notes at each link how likely another gap of the same tool takes its field.
func (w *weave) contend(gaps []*gap) {
	none := map[*fields.Field]float64{} // ln of the probability that no gap takes it
	for _, g := range gaps {
		for k, l := range g.links {
			none[l.field] += never(g.odds[k+1])
		}
	}
	for _, g := range gaps {
		for k, l := range g.links {
			l.traits[elsewhere] = 1 - math.Exp(none[l.field]-never(g.odds[k+1]))
		}
	}
}

// never is ln of the probability that something of probability p does not happen.
func never(p float64) float64 { return math.Log(max(1-p, 1e-9)) }

// reorder puts the tools asked for into an order.
func (w *weave) reorder(order []*cards.Entry) {
	w.asked = order
	clear(w.between)
	for i, e := range order {
		w.place[e] = i
	}
	for _, t := range order {
		for _, g := range w.gaps[t] {
			w.arrange(g)
		}
	}
}

// flowWeight is what one sure link tells of the order of two tools, measured by where the request speaks of them. Of 1,294 pairs in
// NesTools 118 stand wrong by the request alone; with weights learned elsewhere 63 at 1.5, 50 at 3, 48 at 5, 46 at 10.
const flowWeight = 5

// precede orders the tools asked for by where the request speaks of them and by what is likely taken from what: the order that agrees
// best with all pairs. It tries all sets of tools, so beyond maxPlaced of them the order stays.
func (w *weave) precede() []*cards.Entry {
	n := len(w.asked)
	if n > maxPlaced {
		return w.asked
	}
	gain := make([][]float64, n) // of the first before the second
	for i := range gain {
		gain[i] = make([]float64, n)
		for j := range i {
			if w.where[w.asked[i]].Start > w.where[w.asked[j]].Start {
				gain[j][i] = 1
			}
			gain[j][i] += keepOrder
		}
	}
	for j, t := range w.asked {
		for _, g := range w.gaps[t] {
			for k, l := range g.links {
				gain[w.place[l.provider]][j] += flowWeight * g.odds[k+1]
			}
		}
	}
	best, last := make([]float64, 1<<n), make([]int, 1<<n) // of each set of tools: what its best order gains, and which is the last in it
	for set := 1; set < 1<<n; set++ {
		best[set] = math.Inf(-1)
		for i := range n {
			if set&(1<<i) == 0 {
				continue
			}
			sum := best[set&^(1<<i)]
			for j := range n {
				if set&(1<<j) != 0 {
					sum += gain[j][i]
				}
			}
			if sum > best[set] {
				best[set], last[set] = sum, i
			}
		}
	}
	var out []*cards.Entry
	for set := 1<<n - 1; set > 0; set &^= 1 << last[set] {
		out = append(out, w.asked[last[set]])
	}
	slices.Reverse(out)
	return out
}

// keepOrder holds the order of tools between which nothing else decides.
const keepOrder = 0.01

// likely makes probabilities of scores that are logarithms of odds.
func likely(scores []float64) []float64 {
	top, sum := slices.Max(scores), 0.0
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = math.Exp(s - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
