package shop

import (
	"fmt"
	"math"
)

// Outlook is a forecast of a stretch of days to come.
type Outlook struct {
	// Daily is the expected value of each day of the stretch, never below 0.
	Daily []float64
	// Total is their sum, with the intervals that hold the true sum in 80 % and 95 % of the cases.
	Total Interval
	// Method is the one of Trials with the smallest error.
	Method string
	Trials []Trial
	// Origins is how many past days the intervals were measured from.
	Origins int
}

// Interval is a value with its bounds; the bounds are never below 0.
type Interval struct{ Value, Low80, High80, Low95, High95 float64 }

// Trial is how one method would have done in the past: Error is the sum of its absolute errors over the sum of what was
// sold (WAPE: 0.1 is 10 %), of totals of the same stretch, forecast from the same past days as by the other methods.
type Trial struct {
	Method string
	Error  float64
}

// The lengths that decide how a forecast is made, in days.
const (
	week       = 7
	year       = 52 * week // a whole number of weeks, so that the same weekdays are compared
	minOrigins = 8         // past forecasts below which an error means nothing
	maxOrigins = 40
	// MaxAhead is how far after the end of the history a forecast may reach.
	MaxAhead = 366
)

// method forecasts the h values after y. It is tried only when y has at least need values.
type method struct {
	name string
	need int
	run  func(y []float64, h int) []float64
}

var methods = []method{
	{"上周同日", 2 * week, func(y []float64, h int) []float64 { return weekdayMean(y, h, 1) }},
	{"近八周同日均值", 8 * week, func(y []float64, h int) []float64 { return weekdayMean(y, h, 8) }},
	{"霍尔特-温特斯加法", 8 * week, holtWinters},
	{"去年同期乘增长", year + 8*week, lastYear},
}

// Forecast forecasts the span days that start skip days after the end of history (0: the next day). history is one value a
// day, oldest first, without gaps. Each method forecasts the same stretch from a series of past days, seven days apart, and
// the one that came nearest is used; the intervals are its own errors there (Student's t with as many degrees of freedom as there
// were stretches that do not overlap). The error says how many days of history are wanted.
func Forecast(history []float64, skip, span int) (Outlook, error) {
	ahead := skip + span
	if skip < 0 || span < 1 || ahead > MaxAhead {
		return Outlook{}, fmt.Errorf("can forecast 1 to %d days ahead, not days %d to %d", MaxAhead, skip+1, ahead)
	}
	// Origins are common to all methods that can be tried at minOrigins of them, so that their errors compare.
	var able []method
	need := 0
	for _, m := range methods {
		if len(origins(len(history), m.need, ahead)) >= minOrigins {
			able, need = append(able, m), max(need, m.need)
		}
	}
	if len(able) == 0 {
		return Outlook{}, fmt.Errorf("%d days of history are too few to forecast %d days ahead: %d are needed", len(history), ahead, 2*week+ahead+(minOrigins-1)*week)
	}
	common := origins(len(history), need, ahead)
	var out Outlook
	best := able[0]
	for i, m := range able {
		missed, sold := 0.0, 0.0
		for _, t := range common {
			actual := sum(history[t+skip : t+ahead])
			missed += math.Abs(actual - sum(m.run(history[:t], ahead)[skip:]))
			sold += actual
		}
		out.Trials = append(out.Trials, Trial{m.name, missed / math.Max(sold, 1e-9)})
		if i == 0 || out.Trials[i].Error < lowest(out.Trials[:i]) {
			best = m
		}
	}
	out.Method = best.name
	out.Daily = best.run(history, ahead)[skip:]
	own := origins(len(history), best.need, ahead)
	out.Origins = len(own)
	squares := 0.0
	for _, t := range own {
		e := sum(history[t+skip:t+ahead]) - sum(best.run(history[:t], ahead)[skip:])
		squares += e * e
	}
	rmse := math.Sqrt(squares / float64(len(own)))
	free := 1 + float64(len(own)*week)/float64(span)
	free = math.Min(free, float64(len(own)))
	value := sum(out.Daily)
	out.Total = Interval{
		value, math.Max(0, value-student(.80, free)*rmse), value + student(.80, free)*rmse,
		math.Max(0, value-student(.95, free)*rmse), value + student(.95, free)*rmse,
	}
	return out, nil
}

// origins are the lengths of past histories to forecast from: the latest whose next ahead days are known, and then a week
// earlier each, while need days remain.
func origins(n, need, ahead int) []int {
	var at []int
	for t := n - ahead; t >= need && len(at) < maxOrigins; t -= week {
		at = append(at, t)
	}
	return at
}

// weekdayMean repeats the mean of the last k values of the same weekday (k = 1 is the seasonal naive forecast).
func weekdayMean(y []float64, h, k int) []float64 {
	out := make([]float64, h)
	for i := range out {
		for j := 1; j <= k; j++ {
			out[i] += y[len(y)-j*week+i%week] / float64(k)
		}
	}
	return out
}

// lastYear takes the same days a year ago, smoothed over three weeks, times the growth of the last eight weeks against the
// same weeks a year ago. Growth is held between a quarter and fourfold: beyond, last year says nothing.
func lastYear(y []float64, h int) []float64 {
	n := len(y)
	growth := sum(y[n-8*week:]) / math.Max(sum(y[n-year-8*week:n-year]), 1e-9)
	growth = math.Min(4, math.Max(.25, growth))
	out := make([]float64, h)
	for i := range out {
		if i >= year {
			out[i] = out[i-year]
			continue
		}
		total, count := 0.0, 0.0
		for _, at := range []int{n - year + i - week, n - year + i, n - year + i + week} {
			if at >= 0 && at < n {
				total, count = total+y[at], count+1
			}
		}
		out[i] = growth * total / count
	}
	return out
}

// holtWinters is additive exponential smoothing with a damped trend and a season of a week. The three weights are those of a small grid
// with the least squared one-step error; damping .98 as usual (Gardner & McKenzie 1985).
func holtWinters(y []float64, h int) []float64 {
	best, least := [3]float64{}, math.Inf(1)
	for _, a := range []float64{.02, .05, .1, .2, .4} {
		for _, b := range []float64{0, .01, .05} {
			for _, c := range []float64{.02, .08, .2} {
				if _, e := smooth(y, 0, a, b, c); e < least {
					best, least = [3]float64{a, b, c}, e
				}
			}
		}
	}
	out, _ := smooth(y, h, best[0], best[1], best[2])
	return out
}

// smooth runs the recursion once over y and gives the next h values and the sum of squared one-step errors after the first
// four weeks, which the start values still rule.
func smooth(y []float64, h int, alpha, beta, gamma float64) (next []float64, squares float64) {
	const damping = .98
	level := sum(y[:2*week]) / (2 * week)
	trend := 0.0
	var season [week]float64
	for i := range 2 * week {
		season[i%week] += (y[i] - level) / 2
	}
	for i, v := range y {
		s := season[i%week]
		e := v - (level + damping*trend + s)
		if i >= 4*week {
			squares += e * e
		}
		before := level
		level = alpha*(v-s) + (1-alpha)*(level+damping*trend)
		trend = beta*(level-before) + (1-beta)*damping*trend
		season[i%week] = gamma*(v-level) + (1-gamma)*s
	}
	next = make([]float64, h)
	grown, factor := 0.0, 1.0
	for i := range next {
		factor *= damping
		grown += factor * trend
		next[i] = math.Max(0, level+grown+season[(len(y)+i)%week])
	}
	return next, squares
}

// student is the two-sided quantile of Student's t for a confidence of .80 or .95, by the expansion of Abramowitz & Stegun
// 26.7.5, which is within 3 % from 3 degrees of freedom on; fewer count as 3.
func student(confidence, free float64) float64 {
	z := 1.2816
	if confidence == .95 {
		z = 1.9600
	}
	free = math.Max(3, free)
	z3, z5 := z*z*z, z*z*z*z*z
	return z + (z3+z)/(4*free) + (5*z5+16*z3+3*z)/(96*free*free)
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

func lowest(trials []Trial) float64 {
	least := math.Inf(1)
	for _, t := range trials {
		least = math.Min(least, t.Error)
	}
	return least
}
