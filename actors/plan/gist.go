package plan

import (
	"math"

	"github.com/hmap-project/hmap/actors/plan/vectors"
)

// sense is the place of a term in the table of word vectors, from 1; 0: it is not there, or vectors are switched off.
func (x *Index) sense(term string) int32 {
	if x.options.Without.Embedding {
		return 0
	}
	i, ok := vectors.English().Find(term)
	if !ok {
		return 0
	}
	return int32(i) + 1
}

// meantBy is the mean vector of weighted senses, of length 1; nil when none is known.
func meantBy(ws []int32, weights []float64) []float32 {
	var out []float32
	for i, w := range ws {
		if w == 0 {
			continue
		}
		v := vectors.English().Vector(int(w) - 1)
		if out == nil {
			out = make([]float32, len(v))
		}
		for d, c := range v {
			out[d] += float32(weights[i]) * c
		}
	}
	sum := 0.0
	for _, v := range out {
		sum += float64(v) * float64(v)
	}
	if sum == 0 {
		return nil
	}
	for d := range out {
		out[d] /= float32(math.Sqrt(sum))
	}
	return out
}
