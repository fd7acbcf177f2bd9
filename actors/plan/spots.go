package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Bounds of the work of spots: what is beyond them keeps the order in which it was found.
const (
	maxSpots  = 16 // stretches of text
	maxPlaced = 8  // tools
)

// spots cuts the request among the tools: each tool gets the stretch that speaks of it and what follows up to the next tool's. A
// stretch serves one tool if that can be, the fit of all together being the best; tools that share one come in their order.
// The clauses of the text do not tell this: a wish in words that no card uses is no clause of its own, but an order still.
// before, as [assign] takes it, may be nil.
func (w *weave) spots(tools []*cards.Entry, before [][]float64) []wishes.Clause {
	text := w.g.text
	if w.parts == nil {
		w.parts = w.x.stretches(text)
		w.fits(tools)
	}
	parts := w.parts
	out := make([]wishes.Clause, len(tools))
	for i := range out {
		out[i] = wishes.Clause{Text: text, End: len(text)}
	}
	n := min(len(tools), maxPlaced)
	if len(parts) == 0 || n == 0 {
		return out
	}
	fit := make([][]float64, n)
	for i, e := range tools[:n] {
		fit[i] = w.fit[e]
	}
	at := assign(fit, before)
	from := 0
	for j := range parts {
		if i := slices.Index(at, j); i >= 0 {
			end := len(text)
			for k := j + 1; k < len(parts); k++ {
				if slices.Contains(at, k) {
					end = parts[k].Start
					break
				}
			}
			out[i] = wishes.Span(text, from, end)
			from = end
		}
	}
	for i := range n {
		if at[i] < 0 {
			j := slices.Index(fit[i], slices.Max(fit[i]))
			out[i] = parts[j]
		}
	}
	return out
}

// fits works out how well each stretch fits each of the first tools, once a request.
func (w *weave) fits(tools []*cards.Entry) {
	for _, p := range w.parts {
		words := words.Content(p.Text)
		v, gs := w.x.shape.vector(words...), gramSet(words)
		w.x.sensed(v)
		for _, e := range tools[:min(len(tools), maxPlaced)] {
			s := w.tool(e)
			fit := cosine(s.all, v) + covered(s.name, v) + 2*gramCosine(s.grams, gs) + 0.5*cosine(s.fields, v) + meant(v, s.all)
			if wants := w.wants[e]; wants != nil {
				fit += 2 * wants(p)
			}
			w.fit[e] = append(w.fit[e], fit)
		}
	}
}

// flowsOn is what one sure link from a tool to another adds to the fit of stretches of which the first's comes before the other's. With
// weights learned elsewhere, references of NesTools gain half a point of F1 and exact plans one by it; from 0.5 to 2 it is the same.
// Where names say nothing the first look is not sure enough for it to gain anything.
const flowsOn = 2

// recut cuts the request among the tools again when a first look has told what is likely taken from what: of two stretches that
// might each speak of either tool, the earlier one speaks of the tool that the other takes something from.
func (w *weave) recut(scores func(*gap) []float64) {
	n := len(w.asked)
	if n > maxPlaced || n < 2 {
		return
	}
	before := make([][]float64, n)
	for i := range before {
		before[i] = make([]float64, n)
	}
	for j, t := range w.asked {
		for _, g := range w.gaps[t] {
			for k, l := range g.links {
				before[w.place[l.provider]][j] += flowsOn * (1 - w.mute) * g.odds[k+1]
			}
		}
	}
	moved := false
	for i, c := range w.spots(w.asked, before) {
		if s := w.where[w.asked[i]]; s.Start != c.Start || s.End != c.End {
			w.where[w.asked[i]] = w.spot(w.asked[i], c)
			moved = true
		}
	}
	if !moved {
		return
	}
	w.fill()
	for _, t := range w.asked {
		for _, g := range w.gaps[t] {
			g.own = w.ownTraits(t, g.Field)
			for _, l := range g.links {
				w.pointed(l, t)
			}
			w.arrange(g)
			g.odds = likely(scores(g))
		}
	}
}

// stretches are the parts of a text that may each speak of another tool: its sentences, cut where a further wish begins.
func (x *Index) stretches(text string) []wishes.Clause {
	var out []wishes.Clause
	cut := wishes.Splitter{Verbs: x.verbs, Loose: true}
	at := 0
	for _, m := range append(words.HardBreak.FindAllStringIndex(text, 100), []int{len(text), len(text)}) {
		if strings.TrimSpace(text[at:m[0]]) != "" {
			out = append(out, cut.Soften(text, at, m[0])...)
		}
		at = m[1]
	}
	return out[:min(len(out), maxSpots)]
}

// assign gives each row another column so that the sum of fits is the greatest; a row that stays without (-1) counts half its
// best fit. before[k][i], unless before is nil, counts too where the column of row k comes before that of row i. It tries all sets of
// rows, column by column.
func assign(fit, before [][]float64) []int {
	type cell struct {
		sum float64
		at  []int // column by row; nil: not reached
	}
	none := make([]int, len(fit))
	for i := range none {
		none[i] = -1
	}
	cells := make([]cell, 1<<len(fit))
	cells[0].at = none
	for j := range fit[0] {
		next := slices.Clone(cells)
		for set, c := range cells {
			for i := range fit {
				to := set | 1<<i
				if c.at == nil || to == set {
					continue
				}
				sum := c.sum + fit[i][j]
				for k := range before {
					if set&(1<<k) != 0 {
						sum += before[k][i]
					}
				}
				if next[to].at == nil || sum > next[to].sum {
					at := slices.Clone(c.at)
					at[i] = j
					next[to] = cell{sum, at}
				}
			}
		}
		cells = next
	}
	best := cell{sum: -1}
	for _, c := range cells {
		if c.at == nil {
			continue
		}
		for i, j := range c.at {
			if j < 0 {
				c.sum += slices.Max(fit[i]) / 2
			}
		}
		if c.sum > best.sum {
			best = c
		}
	}
	return best.at
}
