package plan

import (
	"math"
	"slices"
)

// option of a choice: its traits, and the place of the first of them among the weights.
type option struct {
	from   int
	traits []float64
}

// choice is one right option among others.
type choice struct {
	options []option
	right   int
}

func (c *choice) scores(w []float64) []float64 {
	var out []float64
	for _, o := range c.options {
		out = append(out, dotted(o.traits, w[o.from:]))
	}
	return out
}

// prior is the inverse variance of the weights before anything is learned. From 0.3 to 1 the figures hardly change.
const prior = 0.5

// loss is −ln of the probability of the weights and of the right options.
func loss(cs []choice, w, believed []float64) (sum float64) {
	for k, v := range w {
		sum += prior * (v - believed[k]) * (v - believed[k]) / 2
	}
	for i := range cs {
		sum -= math.Log(likely(cs[i].scores(w))[cs[i].right])
	}
	return sum
}

// logit is conditional logit with a Gaussian prior around what is believed before, by Newton's method.
func logit(cs []choice, believed []float64, tolerance float64) []float64 {
	n := len(believed)
	w := make([]float64, n)
	at := loss(cs, w, believed)
	for range 30 {
		gradient, hessian := make([]float64, n), make([]float64, n*n)
		for k := range n {
			gradient[k] = prior * (believed[k] - w[k])
			hessian[k*n+k] = prior
		}
		for i := range cs {
			cs[i].slope(likely(cs[i].scores(w)), gradient, hessian)
		}
		by := solveSquare(hessian, gradient)
		gain := 0.0
		for step := 1.0; step > 1e-3 && gain == 0; step /= 2 {
			next := slices.Clone(w)
			for k := range next {
				next[k] += step * by[k]
			}
			if v := loss(cs, next, believed); v < at {
				gain, at, w = at-v, v, next
			}
		}
		if gain < tolerance {
			break
		}
	}
	return w
}

// hardly is how unlikely an option must be for its second derivatives to be left out.
const hardly = 1e-6

// slope adds the first and second derivatives of −ln of the probability of the right option.
func (c *choice) slope(odds, gradient, hessian []float64) {
	n := len(gradient)
	mean := make([]float64, n)
	var at []int // the traits that an option has
	for i, p := range odds {
		if p < hardly && i != c.right {
			continue
		}
		at = at[:0]
		o := c.options[i]
		for k, v := range o.traits {
			if v != 0 {
				at = append(at, k)
				gradient[o.from+k] += (bit(i == c.right) - p) * v
				mean[o.from+k] += p * v
			}
		}
		for _, a := range at {
			v, row := p*o.traits[a], hessian[(o.from+a)*n+o.from:]
			for _, b := range at {
				row[b] += v * o.traits[b]
			}
		}
	}
	for a, v := range mean {
		if v != 0 {
			for b, u := range mean {
				hessian[a*n+b] -= v * u
			}
		}
	}
}

// solveSquare solves h x = g for a symmetric positive h, by Cholesky's method.
func solveSquare(h, g []float64) []float64 {
	n := len(g)
	l, x := slices.Clone(h), slices.Clone(g)
	for j := range n {
		for i := j; i < n; i++ {
			for k := range j {
				l[i*n+j] -= l[i*n+k] * l[j*n+k]
			}
			if i == j {
				l[j*n+j] = math.Sqrt(l[j*n+j])
			} else {
				l[i*n+j] /= l[j*n+j]
			}
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= l[i*n+k] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= l[k*n+i] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	return x
}
