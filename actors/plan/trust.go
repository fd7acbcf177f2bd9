package plan

import "math"

// Vectors from outside are believed as far as they agree with what the cards say: those of an embedding model that knows the language bring
// together cards that share words, those of a crude or broken one do not.

const (
	// judgeable is how many cards it takes to judge vectors by; those of fewer are believed.
	judgeable = 10
	// compared bounds the cards that are compared with each other.
	compared = 128
	// agreesNot and agrees are the correlations of the two likenesses from which vectors are believed not at all, and wholly. Random vectors of
	// 21 cards reach 0.07 by chance.
	agreesNot, agrees = 0.12, 0.3
)

// trust is how far the vectors of cards are believed, 0–1: by the correlation, over pairs of cards, of their cosine with that of the
// cards' hashed n-grams.
func trust(vectors [][]float32, docs [][]weighted[uint32]) float64 {
	n := min(len(vectors), compared)
	if n < judgeable {
		return 1
	}
	said := make([]map[uint32]float64, n)
	norm := make([]float64, n)
	for i := range n {
		said[i] = map[uint32]float64{}
		for _, w := range docs[i][:min(2, len(docs[i]))] { // name and description; what parameters are called is the same in all
			for _, g := range w.terms {
				said[i][g]++
			}
		}
		for _, c := range said[i] {
			norm[i] += c * c
		}
	}
	var pairs, sx, sy, sxx, syy, sxy float64
	for i := range n {
		for j := range i {
			if len(vectors[i]) == 0 || len(vectors[j]) == 0 || norm[i] == 0 || norm[j] == 0 {
				continue
			}
			x := dot(vectors[i], vectors[j])
			y := 0.0
			for g, c := range said[i] {
				y += c * said[j][g]
			}
			y /= math.Sqrt(norm[i] * norm[j])
			pairs++
			sx, sy, sxx, syy, sxy = sx+x, sy+y, sxx+x*x, syy+y*y, sxy+x*y
		}
	}
	if pairs < judgeable {
		return 1
	}
	vx, vy := pairs*sxx-sx*sx, pairs*syy-sy*sy
	if vy <= 1e-9 {
		return 1 // the words tell nothing apart either
	}
	if vx <= 1e-9 {
		return 0 // all vectors alike
	}
	r := (pairs*sxy - sx*sy) / math.Sqrt(vx*vy)
	return min(1, max(0, (r-agreesNot)/(agrees-agreesNot)))
}
