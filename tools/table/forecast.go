package table

import (
	"context"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/hmap-project/hmap/tools/document/outline"
)

const (
	minForecast = 8   // periods of history
	minOrigins  = 4   // past moments that a method must have been tried from
	maxOrigins  = 60  // the newest are taken
	maxAhead    = 60  // periods
	ownAhead    = 3   // when nothing is said
	damping     = .98 // of a trend, as usual (Gardner & McKenzie 1985)
)

// forecaster is a way to go on from a history: h values after y. It is tried when y has at least need values.
type forecaster struct {
	name remark
	need int
	run  func(y []float64, h int) []float64
}

func forecasters(season int) []forecaster {
	all := []forecaster{
		{remark{"沿用最后一期", "the last value"}, 1, func(y []float64, h int) []float64 { return repeat(y[len(y)-1], h) }},
		{remark{"近三期均值", "the mean of the last three"}, 3, func(y []float64, h int) []float64 { return repeat(mean(y[len(y)-3:]), h) }},
		{remark{"线性延伸", "a straight line on"}, 5, straight},
		{remark{"霍尔特阻尼趋势", "Holt's damped trend"}, 6, func(y []float64, h int) []float64 { return smoothed(y, h, 0) }},
	}
	if season > 0 {
		all = append(all,
			forecaster{remark{"上一季节同期", "the same period of the last season"}, season, func(y []float64, h int) []float64 {
				out := make([]float64, h)
				for i := range out {
					out[i] = y[len(y)-season+i%season]
				}
				return out
			}},
			forecaster{remark{"霍尔特-温特斯加法", "additive Holt-Winters"}, 2*season + 1, func(y []float64, h int) []float64 { return smoothed(y, h, season) }})
	}
	return all
}

func repeat(v float64, h int) []float64 { return slices.Repeat([]float64{v}, h) }

func straight(y []float64, h int) []float64 {
	slope, start, _ := line(y)
	out := make([]float64, h)
	for i := range out {
		out[i] = start + slope*float64(len(y)+i)
	}
	return out
}

// smoothed is additive exponential smoothing with a damped trend, and a season unless that is 0. The weights are those of a small grid with the
// least squared one-step error.
func smoothed(y []float64, h, season int) []float64 {
	var best []float64
	least := math.Inf(1)
	gammas := []float64{0}
	if season > 0 {
		gammas = []float64{.05, .2, .5}
	}
	for _, a := range []float64{.1, .3, .5, .8} {
		for _, b := range []float64{.02, .1, .3} {
			for _, c := range gammas {
				if out, e := smooth(y, h, season, a, b, c); e < least {
					best, least = out, e
				}
			}
		}
	}
	return best
}

func smooth(y []float64, h, season int, alpha, beta, gamma float64) (out []float64, squares float64) {
	width := max(season, 1)
	seasonal := make([]float64, width)
	level, trend := y[0], 0.0
	warm := 2
	if season > 0 {
		warm = season
		level = mean(y[:season])
		for i := range season {
			seasonal[i] = y[i] - level
		}
		if len(y) >= 2*season {
			trend = (mean(y[season:2*season]) - level) / float64(season)
		}
	} else {
		trend = (y[min(len(y)-1, 3)] - y[0]) / float64(min(len(y)-1, 3))
	}
	for i, v := range y {
		s := seasonal[i%width]
		e := v - (level + damping*trend + s)
		if i >= warm {
			squares += e * e
		}
		before := level
		level = alpha*(v-s) + (1-alpha)*(level+damping*trend)
		trend = beta*(level-before) + (1-beta)*damping*trend
		if season > 0 {
			seasonal[i%width] = gamma*(v-level) + (1-gamma)*s
		}
	}
	grown, factor := 0.0, 1.0
	for i := range h {
		factor *= damping
		grown += factor * trend
		out = append(out, level+grown+seasonal[(len(y)+i)%width])
	}
	return out, squares
}

// outlook is a forecast with what it is worth.
type outlook struct {
	method         remark
	values         []float64
	low, high      []float64 // hold the true value in 80 % of the cases
	missed, naive  float64   // mean absolute error of the method, and of the last value repeated, over the same past forecasts
	origins, tried int
}

// goOn forecasts h periods after y. Each method forecasts from past moments what came after them; the one that came nearest is used, and the
// bounds are its own errors at that distance (Student's t with as many degrees of freedom as there were moments).
func goOn(y []float64, h, season int) (o outlook, err error) {
	if len(y) < minForecast {
		return o, refusef("只有 %d 期数据，预测至少要 %d 期；可以换更短的周期（例如按天、按周）", "there are only %d periods; a forecast needs %d. Try shorter ones (by day, by week)", len(y), minForecast)
	}
	if h > maxAhead || h > len(y)/2 {
		return o, refusef("%d 期数据最多预测 %d 期，不能预测 %d 期", "%[1]d periods allow a forecast of %[2]d and not of %[3]d", len(y), min(maxAhead, len(y)/2), h)
	}
	span := min(h, max(1, len(y)/4)) // how far past forecasts reach
	var best forecaster
	least := math.Inf(1)
	var errs [][]float64
	for _, f := range forecasters(season) {
		first := max(f.need, len(y)/2)
		last := len(y) - span
		first = max(first, last-maxOrigins+1)
		if last-first+1 < minOrigins {
			continue
		}
		o.tried++
		sum, n := 0.0, 0
		past := make([][]float64, span)
		for t := first; t <= last; t++ {
			for j, v := range f.run(y[:t], span) {
				e := y[t+j] - v
				past[j] = append(past[j], e)
				sum, n = sum+math.Abs(e), n+1
			}
		}
		missed := sum / float64(n)
		if f.need == 1 {
			o.naive = missed
		}
		if missed < least*(1-1e-9) {
			best, least, errs = f, missed, past
		}
	}
	if best.run == nil {
		return o, refusef("%d 期数据不够回测，不能预测 %d 期", "%d periods are too few to try a forecast of %d on", len(y), h)
	}
	o.method, o.missed, o.origins = best.name, least, len(errs[0])
	o.values = best.run(y, h)
	wide := 0.0
	positive := !slices.ContainsFunc(y, func(v float64) bool { return v < 0 })
	k := quantileT(.8, float64(max(1, o.origins-1)))
	for j, v := range o.values {
		grow := 1.0
		at := j
		if at >= span { // beyond what was tried errors grow as a random walk's
			grow, at = math.Sqrt(float64(j+1)/float64(span)), span-1
		}
		squares := 0.0
		for _, e := range errs[at] {
			squares += e * e
		}
		wide = max(wide, grow*math.Sqrt(squares/float64(len(errs[at]))))
		low, high := v-k*wide, v+k*wide
		if positive {
			o.values[j], low, high = max(0, v), max(0, low), max(0, high)
		}
		o.low, o.high = append(o.low, low), append(o.high, high)
	}
	return o, nil
}

var reAhead = regexp.MustCompile(`(?:未来|接下来|今后|往后|后|下)\s*([0-9]+|[一二两三四五六七八九十]+)?\s*个?(天|日|周|星期|月|季度?|年)|\bnext (?:([0-9]+|two|three|four|five|six|seven|eight|nine|ten) )?(day|week|month|quarter|year)s?\b|\b([0-9]+|two|three|four|five|six) (day|week|month|quarter|year)s? ahead\b`)

// ahead is how far a task wants to see.
func (s *study) ahead() (n int, g grain) {
	m := reAhead.FindStringSubmatch(s.r.s)
	if m == nil {
		return ownAhead, s.grain()
	}
	if digits := m[1] + m[3] + m[5]; digits == "" {
		n = 1
	} else if v, err := strconv.Atoi(digits); err == nil || errors.Is(err, strconv.ErrRange) {
		n = min(max(1, v), 10*maxAhead) // as many are refused, and none more is counted
	} else {
		n = max(1, atoi(digits))
	}
	switch m[2] + m[4] + m[6] {
	case "天", "日", "day":
		return n, byDay
	case "周", "星期", "week":
		return n, byWeek
	case "月", "month":
		return n, byMonth
	case "季", "季度", "quarter":
		return n, byQuarter
	}
	return n, byYear
}

// forecast goes on with a figure after the end of the table.
func (s *study) forecast(ctx context.Context) error {
	c, err := s.needTime()
	if err != nil {
		return err
	}
	h, unit := s.ahead()
	g := s.grain()
	if g == byMoment {
		g = unit
	}
	x, err := s.b.seriesBy(ctx, s.r.table, c, g, s.measured(), s.conditions(true))
	if err != nil {
		return err
	}
	if unit > x.grain { // the next month of days
		end := x.start()
		for range h {
			end = next(end, unit)
		}
		h = 0
		for at := x.start(); at.Before(end) && h <= maxAhead; at = next(at, x.grain) {
			h++
		}
	}
	s.sql, s.notes = append(s.sql, x.sql), append(s.notes, x.notes...)
	o, err := goOn(x.values, h, season(x.grain))
	if err != nil {
		return err
	}
	name := x.measure.name(s.lang)
	columns := []string{grainNames[x.grain].in(s.lang), say(s.lang, "预测", "forecast"), say(s.lang, "80% 下限", "80% low"), say(s.lang, "80% 上限", "80% high")}
	var rows [][]any
	names := slices.Clone(x.names)
	at := x.start()
	for i, v := range o.values {
		p := periodName(at, x.grain)
		names = append(names, p)
		rows = append(rows, []any{p, v, o.low[i], o.high[i]})
		at = next(at, x.grain)
	}
	sum := total(o.values)
	s.say("按 %s 至 %s 的 %d 期历史预测**%s**：", "**%[4]s**, forecast from %[3]d periods, %[1]s to %[2]s:", x.names[0], x.names[len(x.names)-1], len(x.values), name)
	s.words = append(s.words, rowsTable(columns, rows, maxAhead, s.lang))
	if len(o.values) > 1 && x.measure.fold != meanOf {
		s.say("合计 %s。", "%s in all.", spoken(sum))
	}
	s.say("方法：在 %d 种方法里回测误差最小的是“%s”，从 %d 个过去时点预测，平均绝对误差 %s（沿用最后一期：%s）。区间来自它自己的回测误差。", "Method: of %d methods “%s” came nearest in %d forecasts from past moments, with a mean absolute error of %s (the last value repeated: %s). The bounds are its own errors there.",
		o.tried, o.method.in(s.lang), o.origins, spoken(o.missed), spoken(o.naive))
	s.figures = map[string]any{"history": len(x.values), "forecast": o.values, "low80": o.low, "high80": o.high, "method": o.method.en, "error": o.missed, "naive_error": o.naive, "origins": o.origins}
	from := max(0, len(x.values)-4*max(12, len(o.values)))
	past, future := values(append(slices.Clone(x.values[from:]), make([]float64, len(o.values))...)), make([]*float64, len(names)-from)
	for i := len(x.values) - from; i < len(past); i++ {
		past[i] = nil
		future[i] = &o.values[i-len(x.values)+from]
	}
	future[len(x.values)-from-1] = past[len(x.values)-from-1]
	s.charts = append(s.charts, outline.Chart{Kind: "line", Title: name + say(s.lang, "预测", " forecast"), Categories: names[from:],
		Series: []outline.Series{{Name: say(s.lang, "历史", "history"), Values: past}, {Name: columns[1], Values: future}}})
	return nil
}
