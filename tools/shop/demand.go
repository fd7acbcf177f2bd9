package shop

import (
	"math"
	"math/rand/v2"
	"time"
)

// demand is how many pieces of a product the made-up shop sells on a day on average, at a price relative to the usual one
// (1 is the usual price) and with the lift of a running campaign (0: none).
func demand(l line, g good, day, today time.Time, price, lift float64) float64 {
	const year = 365.25
	years := today.Sub(day).Hours() / 24 / year
	peak := (float64(l.peak) - .5) / 12 * year
	season := 1 + l.swing*math.Cos(2*math.Pi*(float64(day.YearDay())-peak)/year)
	week := [...]float64{1.20, .90, .92, .94, .96, 1.02, 1.18}[day.Weekday()]
	return g.rate * season * week * festival(day) * (1 + lift) * math.Pow(1+l.growth, -years) * math.Pow(price, -l.elasticity)
}

// festival is the lift of the two sales festivals of the Chinese year, 18 June and 11 November, with the days before.
func festival(day time.Time) float64 {
	switch m, d := day.Month(), day.Day(); {
	case m == time.June && d >= 16 && d <= 18, m == time.November && d >= 9 && d <= 11:
		return 1.8
	}
	return 1
}

// poisson draws from the Poisson distribution by Knuth's product of uniforms, which is fast for the small means used here.
func poisson(r *rand.Rand, mean float64) int {
	n, p, limit := 0, r.Float64(), math.Exp(-mean)
	for ; p > limit; n++ {
		p *= r.Float64()
	}
	return n
}
