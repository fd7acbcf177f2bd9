package plan

import "math"

// logistic fits weights by gradient descent on standardised features.
func logistic(rs []sampleRow, l2 float64) []float64 {
	n := len(rs[0].f)
	mean, dev := make([]float64, n), make([]float64, n)
	sw := 0.0
	for _, r := range rs {
		sw += r.w
		for i, v := range r.f {
			mean[i] += r.w * v
		}
	}
	for i := range mean {
		mean[i] /= sw
	}
	for _, r := range rs {
		for i, v := range r.f {
			dev[i] += r.w * (v - mean[i]) * (v - mean[i])
		}
	}
	for i := range dev {
		dev[i] = math.Sqrt(dev[i] / sw)
	}
	mean[0], dev[0] = 0, 1
	for i := 1; i < n; i++ {
		if dev[i] == 0 {
			dev[i] = 1
		}
	}
	// Newton's method
	w := make([]float64, n)
	z := make([]float64, n)
	for range 12 {
		g := make([]float64, n)
		h := make([][]float64, n)
		for i := range h {
			h[i] = make([]float64, n)
		}
		for _, r := range rs {
			s := 0.0
			for i, v := range r.f {
				z[i] = (v - mean[i]) / dev[i]
				s += w[i] * z[i]
			}
			p := sigmoid(s)
			d := r.w * (r.y - p)
			q := r.w * p * (1 - p)
			for i := range z {
				g[i] += d * z[i]
				for j := 0; j <= i; j++ {
					h[i][j] += q * z[i] * z[j]
				}
			}
		}
		for i := range h {
			for j := i + 1; j < n; j++ {
				h[i][j] = h[j][i]
			}
			if i > 0 {
				g[i] -= l2 * w[i]
				h[i][i] += l2
			}
			h[i][i] += 1e-6
		}
		step := solveLinear(h, g)
		for i := range w {
			w[i] += step[i]
		}
	}
	out := make([]float64, n)
	for i := range w {
		out[i] = w[i] / dev[i]
		if i > 0 {
			out[0] -= w[i] * mean[i] / dev[i]
		}
	}
	return out
}

// listwise fits weights under which the first of each group stands out, by Newton's method with steps that are halved until
// they better the likelihood.
func listwise(groups [][][]float64, ws []float64, l2 float64) []float64 {
	n := len(groups[0][0])
	w := make([]float64, n)
	shares := func(rows [][]float64, w []float64) []float64 {
		ps := make([]float64, len(rows))
		sum, top := 0.0, math.Inf(-1)
		for i, f := range rows {
			ps[i] = dotted(f, w)
			top = max(top, ps[i])
		}
		for i := range ps {
			ps[i] = math.Exp(ps[i] - top)
			sum += ps[i]
		}
		for i := range ps {
			ps[i] /= sum
		}
		return ps
	}
	likelihood := func(w []float64) float64 {
		out := -l2 / 2 * dotted(w, w)
		for k, rows := range groups {
			out += ws[k] * math.Log(max(1e-300, shares(rows, w)[0]))
		}
		return out
	}
	now := likelihood(w)
	for range 10 {
		g := make([]float64, n)
		h := make([][]float64, n)
		for i := range h {
			h[i] = make([]float64, n)
		}
		mean := make([]float64, n)
		for k, rows := range groups {
			ps := shares(rows, w)
			clear(mean)
			for i, f := range rows {
				for j, v := range f {
					mean[j] += ps[i] * v
				}
			}
			for j, v := range rows[0] {
				g[j] += ws[k] * (v - mean[j])
			}
			for i, f := range rows {
				q := ws[k] * ps[i]
				if q < 1e-5 {
					continue
				}
				for a := range n {
					if da := q * (f[a] - mean[a]); da != 0 {
						for b := 0; b <= a; b++ {
							h[a][b] += da * (f[b] - mean[b])
						}
					}
				}
			}
		}
		for i := range h {
			for j := i + 1; j < n; j++ {
				h[i][j] = h[j][i]
			}
			g[i] -= l2 * w[i]
			h[i][i] += l2
		}
		step := solveLinear(h, g)
		for size := 1.0; size > 1e-3; size /= 2 {
			next := make([]float64, n)
			for i := range w {
				next[i] = w[i] + size*step[i]
			}
			if l := likelihood(next); l > now {
				w, now = next, l
				break
			}
		}
	}
	return w
}

func solveLinear(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		p := i
		for j := i + 1; j < n; j++ {
			if math.Abs(a[j][i]) > math.Abs(a[p][i]) {
				p = j
			}
		}
		a[i], a[p] = a[p], a[i]
		b[i], b[p] = b[p], b[i]
		for j := i + 1; j < n; j++ {
			f := a[j][i] / a[i][i]
			for k := i; k < n; k++ {
				a[j][k] -= f * a[i][k]
			}
			b[j] -= f * b[i]
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		s := b[i]
		for k := i + 1; k < n; k++ {
			s -= a[i][k] * x[k]
		}
		x[i] = s / a[i][i]
	}
	return x
}
