package search

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/tools/knowledge"
)

// set holds the terms of a text, as hashes in rising order, each once: words of letters and digits, cut to their stems, and pairs of Han characters. It
// is small, for a search holds thousands.
type set []uint64

// termsOf are the terms of what a text is about.
func termsOf(text string) set { return split(knowledge.Subject(text)) }

func split(text string) set {
	var out set
	var word, han []rune
	put := func(term string) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(term))
		out = append(out, h.Sum64())
	}
	flush := func() {
		if len(word) > 0 {
			put(stem(string(word)))
		}
		for i := 0; i+1 < len(han); i++ {
			put(string(han[i : i+2]))
		}
		if len(han) == 1 {
			put(string(han))
		}
		word, han = word[:0], han[:0]
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case isHan(r):
			if len(word) > 0 {
				flush()
			}
			han = append(han, r)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if len(han) > 0 {
				flush()
			}
			word = append(word, r)
		default:
			flush()
		}
	}
	flush()
	return joined(out)
}

// joined puts terms in order, each once.
func joined(all set) set {
	slices.Sort(all)
	return slices.Compact(all)
}

// stem takes the endings off that English words take in a sentence.
func stem(w string) string {
	for _, e := range []struct{ end, to string }{{"ies", "y"}, {"sses", "ss"}, {"ing", ""}, {"ed", ""}, {"es", ""}, {"s", ""}} {
		if s, ok := strings.CutSuffix(w, e.end); ok && len(s) >= 4 && !strings.HasSuffix(w, "ss") {
			return s + e.to
		}
	}
	return strings.TrimSuffix(w, "e")
}

// like is the share of the terms of both that both have, 0 to 1.
func (s set) like(o set) float64 {
	both := s.in(o)
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(s)+len(o)-both)
}

// in is how many terms of s are in o.
func (s set) in(o set) int {
	n := 0
	for _, t := range s {
		if o.has(t) {
			n++
		}
	}
	return n
}

func (s set) has(t uint64) bool {
	_, ok := slices.BinarySearch(s, t)
	return ok
}

// share is how much of s is in o, 0 to 1; of nothing, all.
func (s set) share(o set) float64 {
	if len(s) == 0 {
		return 1
	}
	return float64(s.in(o)) / float64(len(s))
}

// without are the terms of s that are not in o.
func (s set) without(o set) set {
	return slices.DeleteFunc(slices.Clone(s), o.has)
}

// print is the fingerprint of a text: the smallest of the hashes of all its runs of characters. Texts that say the same with other spaces, signs and a few other
// words have nearly the same.
type print []uint64

const (
	runLength = 6
	printSize = 48
	sameText  = 0.7 // of two prints: from here on one says what the other does
)

func printOf(text string) print {
	var letters []rune
	for _, r := range strings.ToLower(text) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters = append(letters, r)
		}
	}
	var all print
	for i := 0; i < max(len(letters)-runLength+1, min(len(letters), 1)); i++ {
		h := fnv.New64a()
		_, _ = h.Write([]byte(string(letters[i:min(i+runLength, len(letters))])))
		all = append(all, mix(h.Sum64()))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), printSize)]
}

// mix spreads a hash, for the smallest ones must be a fair sample (the finaliser of splitmix64).
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// like estimates the share of runs that two texts have in common, 0 to 1.
func (p print) like(q print) float64 {
	i, j, both, seen := 0, 0, 0, 0
	for i < len(p) && j < len(q) && seen < printSize {
		switch {
		case p[i] == q[j]:
			both++
			i++
			j++
		case p[i] < q[j]:
			i++
		default:
			j++
		}
		seen++
	}
	if n := min(len(p), len(q)); n < printSize { // short texts: all their runs are known
		return float64(both) / float64(max(len(p)+len(q)-both, 1))
	}
	return float64(both) / float64(max(seen, 1))
}
