package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

func total(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

func mean(values []float64) float64 { return total(values) / float64(len(values)) }

// quantile of sorted values by linear interpolation between the two nearest (Hyndman & Fan 1996, type 7, as spreadsheets do).
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return quantile(sorted, .5)
}

// line is the least-squares line through values at 0, 1, 2, … and how much of their variance it explains.
func line(values []float64) (slope, start, explained float64) {
	n := float64(len(values))
	mx, my := (n-1)/2, mean(values)
	var sxy, sxx, syy float64
	for i, v := range values {
		dx, dy := float64(i)-mx, v-my
		sxy, sxx, syy = sxy+dx*dy, sxx+dx*dx, syy+dy*dy
	}
	slope = sxy / sxx
	if syy > 0 {
		explained = sxy * sxy / (sxx * syy)
	}
	return slope, my - slope*mx, explained
}

// mannKendall is the two-sided p of the Mann-Kendall test for a rise or fall, by its normal approximation with the correction for ties, which is good
// from eight values on (Gilbert 1987, 16.4). s is above 0 for a rise.
func mannKendall(values []float64) (s int, p float64) {
	ties := map[float64]int{}
	for i, a := range values {
		ties[a]++
		for _, b := range values[i+1:] {
			s += cmp.Compare(b, a)
		}
	}
	n := float64(len(values))
	variance := n * (n - 1) * (2*n + 5)
	for _, t := range ties {
		k := float64(t)
		variance -= k * (k - 1) * (2*k + 5)
	}
	variance /= 18
	if variance <= 0 || s == 0 {
		return s, 1
	}
	z := (math.Abs(float64(s)) - 1) / math.Sqrt(variance)
	return s, math.Erfc(z / math.Sqrt2)
}

// pearson is the linear correlation, -1 to 1; 0 when one side does not vary.
func pearson(x, y []float64) float64 {
	mx, my := mean(x), mean(y)
	var sxy, sxx, syy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		sxy, sxx, syy = sxy+dx*dy, sxx+dx*dx, syy+dy*dy
	}
	if sxx == 0 || syy == 0 {
		return 0
	}
	return max(-1, min(1, sxy/math.Sqrt(sxx)/math.Sqrt(syy)))
}

// ranks from 1 on; equal values share the mean of theirs.
func ranks(values []float64) []float64 {
	at := make([]int, len(values))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]float64, len(values))
	for i := 0; i < len(at); {
		j := i
		for j < len(at) && values[at[j]] == values[at[i]] {
			j++
		}
		for _, k := range at[i:j] {
			out[k] = float64(i+j+1) / 2
		}
		i = j
	}
	return out
}

// correlationP is the two-sided p of a correlation of n pairs being 0.
func correlationP(r float64, n int) float64 {
	if n < 3 {
		return 1
	}
	if math.Abs(r) >= 1 {
		return 0
	}
	free := float64(n - 2)
	return tailT(r*math.Sqrt(free/(1-r*r)), free)
}

// tailT is how likely Student's t with so many degrees of freedom is as far from 0 as t or farther.
func tailT(t, free float64) float64 { return incompleteBeta(free/2, .5, free/(free+t*t)) }

// quantileT is the t that is not passed on either side with a confidence of 0 to 1.
func quantileT(confidence, free float64) float64 {
	low, high := 0.0, 1e3
	for range 100 {
		mid := (low + high) / 2
		if tailT(mid, free) > 1-confidence {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// incompleteBeta is the regularised one, by Lentz's continued fraction (Abramowitz & Stegun 26.5.8).
func incompleteBeta(a, b, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - incompleteBeta(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log(1-x)) / a
	const tiny = 1e-300
	f, c, d := 1.0, 1.0, 0.0
	for i := range 300 {
		m := float64(i / 2)
		var k float64
		switch {
		case i == 0:
			k = 1
		case i%2 == 0:
			k = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			k = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		d = 1 + k*d
		if math.Abs(d) < tiny {
			d = tiny
		}
		d = 1 / d
		c = 1 + k/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		f *= c * d
		if math.Abs(1-c*d) < 1e-12 {
			break
		}
	}
	return front * (f - 1)
}

// percent of a change; "" from nothing.
func percent(from, to float64) string {
	if from == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f%%", 100*(to-from)/absolute(from))
}

func absolute(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}
