package shop

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// series makes n days of a level that grows, a weekly season and noise.
func series(n int, level, growth, swing, noise float64, r *rand.Rand) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = level + growth*float64(i) + swing*math.Sin(2*math.Pi*float64(i)/week) + noise*r.NormFloat64()
	}
	return y
}

func TestForecastFindsThePattern(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	yearly := make([]float64, 800)
	for i := range yearly {
		yearly[i] = 100 + 60*math.Sin(2*math.Pi*float64(i)/year) + 3*r.NormFloat64()
	}
	walk := make([]float64, 300)
	for i := range walk {
		if walk[i] = 200; i >= week { // each weekday wanders on its own: the last one is all there is to know
			walk[i] = walk[i-week] + 8*r.NormFloat64()
		}
	}
	for _, c := range []struct {
		name       string
		y          []float64
		skip, span int
		want       float64 // expected total
		within     float64 // share
		method     string
		maxError   float64
	}{
		{"constant", series(200, 10, 0, 0, 0, r), 0, 30, 300, 1e-9, "", 1e-9},
		{"nothing sold", series(200, 0, 0, 0, 0, r), 0, 30, 0, 1e-9, "", 1e-9},
		{"weekly season", series(400, 50, 0, 20, 2, r), 5, 14, 700, .03, "", .05},
		{"trend", series(300, 20, .2, 5, 1, r), 0, 14, 14 * (20 + .2*306.5), .05, "霍尔特-温特斯加法", .06},
		{"yearly season", yearly, 40, 30, yearlyTotal(840, 30), .06, "去年同期乘增长", .08},
		{"wandering weekdays", walk, 0, 7, sum(walk[293:]), 1e-9, "上周同日", .06},
	} {
		out, err := Forecast(c.y, c.skip, c.span)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if math.Abs(out.Total.Value-c.want) > c.within*math.Max(c.want, 1) {
			t.Errorf("%s: total %.1f, want %.1f within %.0f %%", c.name, out.Total.Value, c.want, 100*c.within)
		}
		if c.method != "" && out.Method != c.method {
			t.Errorf("%s: by %s, want %s; %v", c.name, out.Method, c.method, out.Trials)
		}
		if e := lowest(out.Trials); e > c.maxError {
			t.Errorf("%s: back-test error %.3f, want at most %.3f", c.name, e, c.maxError)
		}
		if len(out.Daily) != c.span {
			t.Errorf("%s: %d days, want %d", c.name, len(out.Daily), c.span)
		}
		i := out.Total
		if !(i.Low95 <= i.Low80 && i.Low80 <= i.Value && i.Value <= i.High80 && i.High80 <= i.High95 && i.Low95 >= 0) {
			t.Errorf("%s: interval out of order: %+v", c.name, i)
		}
	}
}

func yearlyTotal(from, span int) float64 {
	total := 0.0
	for i := from; i < from+span; i++ {
		total += 100 + 60*math.Sin(2*math.Pi*float64(i)/year)
	}
	return total
}

// The 80 % interval must hold the truth in about 80 % of the cases, the 95 % one in about 95 %.
func TestForecastIntervalsCover(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const rounds, span = 200, 28
	in80, in95 := 0, 0
	for range rounds {
		y := make([]float64, 400+span)
		for i := range y {
			y[i] = float64(poisson(r, 6*(1+.2*math.Sin(2*math.Pi*float64(i)/week))*(1+.1*math.Sin(float64(i)/90))))
		}
		out, err := Forecast(y[:400], 0, span)
		if err != nil {
			t.Fatal(err)
		}
		truth := sum(y[400:])
		if out.Total.Low80 <= truth && truth <= out.Total.High80 {
			in80++
		}
		if out.Total.Low95 <= truth && truth <= out.Total.High95 {
			in95++
		}
	}
	t.Logf("80 %%: %d of %d, 95 %%: %d of %d", in80, rounds, in95, rounds)
	if in80 < rounds*72/100 || in80 > rounds*93/100 || in95 < rounds*90/100 {
		t.Errorf("intervals hold the truth %d and %d of %d times", in80, in95, rounds)
	}
}

func TestForecastRefuses(t *testing.T) {
	y := series(100, 10, 0, 0, 1, rand.New(rand.NewPCG(3, 3)))
	for _, c := range []struct {
		n, skip, span int
		fails         bool
	}{
		{100, 0, 7, false}, {100, -1, 7, true}, {100, 0, 0, true}, {100, 360, 7, true}, {0, 0, 1, true}, {70, 0, 7, false}, {69, 0, 7, true}, {100, 60, 7, true},
	} {
		if _, err := Forecast(y[:c.n], c.skip, c.span); (err != nil) != c.fails {
			t.Errorf("Forecast(%d days, %d, %d): %v", c.n, c.skip, c.span, err)
		}
	}
}

// What the made-up shop sold in its last 30 days, forecast from before, must lie near the demand that it was drawn from.
func TestForecastOfTheShop(t *testing.T) {
	s := bigShop(t)
	report := do[forecastReport](t, s, "", "forecast_sales", `{"category":"空气炸锅","period":"下个月"}`)
	truth := 0.0
	for _, l := range catalogue {
		if l.category != "空气炸锅" {
			continue
		}
		for _, g := range l.goods {
			price := one[float64](t, s, `SELECT price_fen / 100.0 FROM products WHERE name = ?`, g.name(l.category)) / float64(g.price)
			for day := time.Date(2026, 12, 1, 0, 0, 0, 0, place); day.Month() == time.December; day = day.AddDate(0, 0, 1) {
				truth += .95 * demand(l, g, day, midnight(testNow), price, 0) // 5 % are not paid or cancelled
			}
		}
	}
	t.Logf("expected %.0f (80 %%: %.0f to %.0f), the generator's mean at today's prices %.0f, by %s, error %.1f %%",
		report.Expected, report.Low80, report.High80, truth, report.Method, report.Error)
	if truth < report.Low95 || truth > report.High95 {
		t.Errorf("the generator's mean %.0f is outside %.0f to %.0f", truth, report.Low95, report.High95)
	}
	if report.From != "2026-12-01" || report.To != "2026-12-31" || report.Error > 30 || len(report.Tried) != 4 || len(report.Weekly) != 5 {
		t.Errorf("%+v", report)
	}
	// A month that has begun: what is sold is sold, the rest is forecast.
	now := do[forecastReport](t, s, "", "forecast_sales", `{"category":"空气炸锅","period":"本月"}`)
	sold := one[float64](t, s, `SELECT sum(quantity) FROM sales JOIN products USING (sku_id) WHERE category = '空气炸锅' AND day BETWEEN '2026-11-01' AND '2026-11-20'`)
	if now.Sold != sold || now.Low95 < sold || now.Expected <= sold {
		t.Errorf("sold %v of %v, expected %v from %v", now.Sold, sold, now.Expected, now.Low95)
	}
}

func TestStudent(t *testing.T) {
	for _, c := range []struct{ confidence, free, want float64 }{ // from printed tables of Student's t
		{.80, 3, 1.638}, {.80, 10, 1.372}, {.95, 5, 2.571}, {.95, 10, 2.228}, {.95, 1e9, 1.960}, {.80, 1e9, 1.282},
	} {
		if got := student(c.confidence, c.free); math.Abs(got-c.want) > .03*c.want {
			t.Errorf("student(%v, %v) = %.3f, want %.3f", c.confidence, c.free, got, c.want)
		}
	}
}
