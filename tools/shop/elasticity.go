package shop

import (
	"errors"
	"fmt"
	"math"
)

// Sold is what one product sold on one day at one price. Controls are other things that move sales on that day (season,
// campaign, …), in the same order every day; their number is free.
type Sold struct {
	Units    float64
	Price    float64 // any unit, above 0
	Controls []float64
}

// Elasticity is how sales answer to price: 2 means that a price 1 % higher sells 2 % less.
type Elasticity struct {
	Value         float64
	Low95, High95 float64
	Low80, High80 float64
	Days          int
	Units         float64
	Prices        int // different prices seen
}

// ErrNotEnough means that the history cannot tell the elasticity: too few sales, or a price that hardly changed. The text
// around it says which.
var ErrNotEnough = errors.New("not enough to learn from")

// FitElasticity fits log(expected units) = a − elasticity·log(price) + controls by Poisson regression, which is a log-log
// regression that may have days without a sale (Santos Silva & Tenreyro 2006). The intervals allow for more spread
// than Poisson's. ErrNotEnough when fewer than 30 days, 60 pieces or 3 prices, when the prices spread by less
// than 2 %, or when the result is vaguer than ±1.5.
func FitElasticity(days []Sold) (Elasticity, error) {
	e := Elasticity{Days: len(days)}
	seen, meanLog := map[float64]bool{}, 0.0
	for _, d := range days {
		e.Units += d.Units
		seen[d.Price] = true
		meanLog += math.Log(d.Price) / float64(len(days))
	}
	e.Prices = len(seen)
	spread := 0.0
	for _, d := range days {
		spread += math.Pow(math.Log(d.Price)-meanLog, 2) / float64(len(days))
	}
	spread = math.Sqrt(spread)
	if e.Days < 30 || e.Units < 60 || e.Prices < 3 || !(spread >= .02) {
		return e, fmt.Errorf("%w: %d days, %.0f pieces, %d prices, spread %.1f %%", ErrNotEnough, e.Days, e.Units, e.Prices, 100*spread)
	}
	rows, units := make([][]float64, len(days)), make([]float64, len(days))
	for i, d := range days {
		rows[i] = append([]float64{1, math.Log(d.Price) - meanLog}, d.Controls...)
		units[i] = d.Units
	}
	coefficients, errs, err := poissonRegression(rows, units)
	if err != nil {
		return e, fmt.Errorf("%w: %w", ErrNotEnough, err)
	}
	e.Value = -coefficients[1]
	free := float64(len(days) - len(coefficients))
	half80, half95 := student(.80, free)*errs[1], student(.95, free)*errs[1]
	e.Low80, e.High80, e.Low95, e.High95 = e.Value-half80, e.Value+half80, e.Value-half95, e.Value+half95
	if half95 > 1.5 {
		return e, fmt.Errorf("%w: between %.1f and %.1f is too vague", ErrNotEnough, e.Low95, e.High95)
	}
	return e, nil
}

// poissonRegression gives the coefficients that make y likeliest under log(mean) = row·coefficients, and their standard errors
// scaled by the dispersion found (quasi-Poisson), by iteratively reweighted least squares. A column that never varies
// except the first must not be there; if the columns depend on each other it fails.
func poissonRegression(rows [][]float64, y []float64) (coefficients, errs []float64, err error) {
	n, k := len(rows), len(rows[0])
	if n <= k {
		return nil, nil, fmt.Errorf("%d days for %d unknowns", n, k)
	}
	coefficients = make([]float64, k)
	coefficients[0] = math.Log(math.Max(sum(y)/float64(n), 1e-6))
	var inverse [][]float64
	for range 50 {
		normal, right := make([][]float64, k), make([]float64, k)
		for i := range normal {
			normal[i] = make([]float64, k)
		}
		for i, row := range rows {
			eta := dot(row, coefficients)
			mean := math.Exp(math.Min(eta, 30))
			for a := range k {
				right[a] += row[a] * (mean*eta + y[i] - mean)
				for b := range k {
					normal[a][b] += row[a] * row[b] * mean
				}
			}
		}
		if inverse, err = invert(normal); err != nil {
			return nil, nil, err
		}
		moved := 0.0
		for a := range k {
			v := dot(inverse[a], right)
			moved = math.Max(moved, math.Abs(v-coefficients[a]))
			coefficients[a] = v
		}
		if moved < 1e-8 {
			pearson := 0.0
			for i, row := range rows {
				mean := math.Exp(dot(row, coefficients))
				pearson += (y[i] - mean) * (y[i] - mean) / mean
			}
			dispersion := math.Max(1, pearson/float64(n-k))
			errs = make([]float64, k)
			for a := range k {
				errs[a] = math.Sqrt(dispersion * inverse[a][a])
			}
			return coefficients, errs, nil
		}
	}
	return nil, nil, errors.New("the regression does not settle")
}

// invert inverts a symmetric positive definite matrix by Gauss-Jordan with pivoting; an error when it is singular.
func invert(m [][]float64) ([][]float64, error) {
	n := len(m)
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, 2*n)
		copy(a[i], m[i])
		a[i][n+i] = 1
	}
	for c := range n {
		pivot := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[pivot][c]) {
				pivot = r
			}
		}
		a[c], a[pivot] = a[pivot], a[c]
		if p := a[c][c]; !(math.Abs(p) > 1e-9*(1+math.Abs(m[c][c]))) {
			return nil, errors.New("price cannot be told from season, trend or campaigns")
		}
		p := a[c][c]
		for j := range a[c] {
			a[c][j] /= p
		}
		for r := range n {
			if r != c {
				if by := a[r][c]; by != 0 {
					for j := range a[r] {
						a[r][j] -= by * a[c][j]
					}
				}
			}
		}
	}
	for i := range a {
		a[i] = a[i][n:]
	}
	return a, nil
}

func dot(a, b []float64) float64 {
	total := 0.0
	for i := range a {
		total += a[i] * b[i]
	}
	return total
}
