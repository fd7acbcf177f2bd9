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
func (w *weave) spots(tools []*cards.Entry) []wishes.Clause {
	text := w.g.text
	parts := w.x.stretches(text)
	out := make([]wishes.Clause, len(tools))
	for i := range out {
		out[i] = wishes.Clause{Text: text, End: len(text)}
	}
	n := min(len(tools), maxPlaced)
	if len(parts) == 0 || n == 0 {
		return out
	}
	fit := make([][]float64, n)
	for i := range fit {
		fit[i] = make([]float64, len(parts))
	}
	for j, p := range parts {
		words := words.Content(p.Text)
		v, gs := w.x.shape.vector(words...), gramSet(words)
		w.x.sensed(v)
		for i, e := range tools[:n] {
			s := w.tool(e)
			fit[i][j] = cosine(s.all, v) + covered(s.name, v) + 2*gramCosine(s.grams, gs) + 0.5*cosine(s.fields, v) + meant(v, s.all)
			if wants := w.wants[e]; wants != nil {
				fit[i][j] += 2 * wants(p)
			}
		}
	}
	at := assign(fit)
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
// best fit. It tries all sets of rows, column by column.
func assign(fit [][]float64) []int {
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
				if sum := c.sum + fit[i][j]; next[to].at == nil || sum > next[to].sum {
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
