package plan

import "strings"

// mended is a text with what its unknown words were nearly meant to be: orders for oders, and 订单 beside 订淡. It is what tools are
// looked for by; what was said stays what is answered.
func (x *Index) mended(text string) string {
	var out strings.Builder
	at := 0
	for _, p := range pieces(text) {
		best := ""
		if p.han {
			best = p.text
			if more := x.respelledHan(p.text); len(more) > 0 {
				best += " " + strings.Join(more, " ")
			}
		} else {
			best = x.meant(text, p)
		}
		if best != "" {
			out.WriteString(text[at:p.start] + best)
			at = p.end
		}
	}
	return out.String() + text[at:]
}

// respelled is the commonest word of the catalogue that an unknown word is nearly; "" when it is known, short or like none.
func (x *Index) respelled(w string) string {
	if len(w) < 4 || digits(w) || stopEnglish[w] || latinVerbs[w] || lightEnglish[w] || x.heard[stem(w)] > 0 || x.spelled[stem(w)] != "" {
		return ""
	}
	best, most, root := "", -1, stem(w)
	for term := range x.spelled {
		if len(term) < 4 || !slip(root, term) {
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
	root := stem(w)
	if had := x.spelled[root]; had == "" || len(w) < len(had) {
		x.spelled[root] = w
	}
}

// names learns how the names of allowed values are written: awaiting shipment.
func (x *Index) names(entries []*entry) {
	for _, e := range entries {
		for i := range e.params {
			f := &e.params[i]
			for _, v := range f.Enum {
				for _, p := range pieces(strings.Join(f.Called[v], " ") + " " + v) {
					if w := strings.ToLower(p.text); !p.han && !digits(w) {
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
		r := firstRune(term)
		if !isHan(r) || len([]rune(term)) != 2 || n <= int(frequent*float64(cards)) {
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
	for _, u := range pairs(run) {
		if best := x.common[firstRune(u)]; best != "" && x.heard[u] == 0 && !stopHan[u] && len(u) > len(string(firstRune(u))) {
			out = append(out, best)
		}
	}
	return out
}

// slip reports whether two words differ by one slip of the fingers: a letter more, less, other, or two in the wrong order. Their first
// letters must be the same, since slips there are rare and other words are many.
func slip(a, b string) bool {
	if a == b || a == "" || b == "" || a[0] != b[0] || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	ra, rb := a[i:], b[i:]
	switch {
	case len(ra) > len(rb):
		return ra[1:] == rb
	case len(rb) > len(ra):
		return rb[1:] == ra
	case len(ra) > 1 && ra[0] == rb[1] && ra[1] == rb[0] && ra[2:] == rb[2:]:
		return true
	}
	return len(a) >= 6 && ra[1:] == rb[1:] // short words with another letter are other words
}
