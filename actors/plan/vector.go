package plan

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/vectors"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// vector is a bag of words, each weighed by how telling it is among the fields of the catalogue, in the order of the words.
type vector struct {
	terms []term
	sum   float64
	norm  float64 // Euclidean
}

type term struct {
	word   string
	weight float64
	sense  int32 // among the word vectors, see [Index.sense]
}

func (s *shape) vector(words ...string) vector {
	v := vector{terms: make([]term, 0, len(words))}
	for _, w := range words {
		v.terms = append(v.terms, term{word: w, weight: s.idf(w)})
	}
	slices.SortFunc(v.terms, func(a, b term) int { return strings.Compare(a.word, b.word) })
	v.terms = slices.CompactFunc(v.terms, func(a, b term) bool { return a.word == b.word })
	for _, t := range v.terms {
		v.sum += t.weight
		v.norm += t.weight * t.weight
	}
	v.norm = math.Sqrt(v.norm)
	return v
}

// inBoth calls visit with the weight of each word of both.
func inBoth(a, b vector, visit func(weight float64)) {
	for i, j := 0, 0; i < len(a.terms) && j < len(b.terms); {
		switch cmp.Compare(a.terms[i].word, b.terms[j].word) {
		case -1:
			i++
		case 1:
			j++
		default:
			visit(a.terms[i].weight)
			i, j = i+1, j+1
		}
	}
}

// cosine of two vectors, 0–1; 0 when one is empty.
func cosine(a, b vector) float64 {
	dot := 0.0
	inBoth(a, b, func(w float64) { dot += w * w })
	if dot == 0 {
		return 0
	}
	return dot / (a.norm * b.norm)
}

// covered is the share of a's weight that b has too, 0–1; 0 when a is empty.
func covered(a, b vector) float64 {
	sum := 0.0
	inBoth(a, b, func(w float64) { sum += w })
	if sum == 0 {
		return 0
	}
	return sum / a.sum
}

// unrelated is how near any two words of a trade are, whatever they mean. With it held back rows of NesTools gain half a point in exact plans.
const unrelated = 0.35

// meant is the share of a's weight that b means too, 0–1: a word counts as far as the nearest one of b is nearer to it than unrelated.
func meant(a, b vector) float64 {
	sum := 0.0
	for _, t := range a.terms {
		near := 0.0
		for _, u := range b.terms {
			switch {
			case t.word == u.word:
				near = 1
			case t.sense > 0 && u.sense > 0:
				near = max(near, vectors.English().Near(int(t.sense)-1, int(u.sense)-1))
			}
		}
		sum += max(0, near-unrelated) / (1 - unrelated) * t.weight
	}
	if sum == 0 {
		return 0
	}
	return sum / a.sum
}

// gramSet is the sorted set of hashed n-grams of words.
func gramSet(terms []string) []uint32 {
	gs := words.Grams(strings.Join(terms, " "))
	slices.Sort(gs)
	return slices.Compact(gs)
}
