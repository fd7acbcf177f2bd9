package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// mended is a text with what its unknown words were nearly meant to be: orders for oders, and 订单 beside 订淡. It is what tools are
// looked for by; what was said stays what is answered.
func (x *Index) mended(text string) string {
	var out strings.Builder
	at := 0
	for _, p := range words.Pieces(text) {
		best := ""
		if p.Han {
			best = p.Text
			if more := x.respelledHan(p.Text); len(more) > 0 {
				best += " " + strings.Join(more, " ")
			}
		} else {
			best = x.meant(text, p)
		}
		if best != "" {
			out.WriteString(text[at:p.Start] + best)
			at = p.End
		}
	}
	return out.String() + text[at:]
}

// respelled is the commonest word of the catalogue that an unknown word is nearly; "" when it is known, short or like none.
func (x *Index) respelled(w string) string {
	if len(w) < 4 || words.AllDigits(w) || words.StopEnglish[w] || words.LatinVerbs[w] || words.LightEnglish[w] || x.heard[words.Stem(w)] > 0 || x.spelled[words.Stem(w)] != "" {
		return ""
	}
	best, most, root := "", -1, words.Stem(w)
	for term := range x.spelled {
		if len(term) < 4 || !words.Slip(root, term) {
			continue
		}
		if n := x.heard[term]; n > most || n == most && term < best {
			best, most = term, n
		}
	}
	return x.spelled[best]
}

// spell learns how a word is written, the shortest form of one stem.
func (x *Index) spell(w string) {
	root := words.Stem(w)
	if had := x.spelled[root]; had == "" || len(w) < len(had) {
		x.spelled[root] = w
	}
}

// names learns how the names of allowed values are written: awaiting shipment.
func (x *Index) names(entries []*cards.Entry) {
	for _, e := range entries {
		for i := range e.Params {
			f := &e.Params[i]
			for _, v := range f.Enum {
				for _, p := range words.Pieces(strings.Join(f.Called[v], " ") + " " + v) {
					if w := strings.ToLower(p.Text); !p.Han && !words.AllDigits(w) {
						x.spell(w)
					}
				}
			}
		}
	}
}

// frequent is the share of all cards that a pair must stand in to be taken for what a wrong sign was meant to be.
const frequent = 0.25

// commonPairs are, by their first sign, the Han pairs that stand in the most cards.
func commonPairs(heard map[string]int, cards int) map[rune]string {
	out := map[rune]string{}
	for term, n := range heard {
		r := words.FirstRune(term)
		if !words.IsHan(r) || len([]rune(term)) != 2 || n <= int(frequent*float64(cards)) {
			continue
		}
		if best := out[r]; best == "" || n > heard[best] || n == heard[best] && term < best {
			out[r] = term
		}
	}
	return out
}

// respelledHan are the commonest pairs of the catalogue that begin like unknown ones.
func (x *Index) respelledHan(run string) []string {
	var out []string
	for _, u := range words.Pairs(run) {
		if best := x.common[words.FirstRune(u)]; best != "" && x.heard[u] == 0 && !words.StopHan[u] && len(u) > len(string(words.FirstRune(u))) {
			out = append(out, best)
		}
	}
	return out
}
