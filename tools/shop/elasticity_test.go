package shop

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// soldDays draws days of a product of known elasticity whose sales also follow a control.
func soldDays(n int, mean, elasticity float64, prices []float64, r *rand.Rand) []Sold {
	days := make([]Sold, n)
	for i := range days {
		price := prices[i/14%len(prices)]
		season := math.Sin(float64(i) / 40)
		days[i] = Sold{float64(poisson(r, mean*math.Pow(price/100, -elasticity)*math.Exp(.4*season))), price, []float64{season}}
	}
	return days
}

func TestFitElasticityFindsWhatIsThere(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, truth := range []float64{.5, 1, 1.8, 2.5, 4} {
		inside, total := 0, 0.0
		const rounds = 40
		for range rounds {
			e, err := FitElasticity(soldDays(400, 3, truth, []float64{85, 92, 100, 108, 115}, r))
			if err != nil {
				t.Fatalf("elasticity %v: %v", truth, err)
			}
			total += e.Value / rounds
			if e.Low95 <= truth && truth <= e.High95 {
				inside++
			}
		}
		if math.Abs(total-truth) > .15 || inside < 34 {
			t.Errorf("elasticity %v: found %.2f on average, inside the 95 %% interval %d of %d times", truth, total, inside, rounds)
		}
	}
}

func TestFitElasticityIsHonest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	same := soldDays(300, 3, 2, []float64{100, 100.5, 101}, r)
	mixed := soldDays(300, 3, 2, []float64{80, 100, 120}, r)
	for i := range mixed { // a control that says the same as the price
		mixed[i].Controls = []float64{math.Log(mixed[i].Price)}
	}
	for name, days := range map[string][]Sold{
		"nothing":         nil,
		"few days":        soldDays(20, 30, 2, []float64{80, 100, 120}, r),
		"few sales":       soldDays(400, .05, 2, []float64{80, 100, 120}, r),
		"two prices":      soldDays(400, 3, 2, []float64{90, 110}, r),
		"hardly changed":  same,
		"not to be told":  mixed,
		"none sold":       soldDays(400, 0, 2, []float64{80, 100, 120}, r),
		"price not known": {{1, math.NaN(), nil}, {1, math.NaN(), nil}},
	} {
		if e, err := FitElasticity(days); !errors.Is(err, ErrNotEnough) {
			t.Errorf("%s: %+v, %v; want ErrNotEnough", name, e, err)
		}
	}
}

func TestBestPrice(t *testing.T) {
	sure := func(e float64) Elasticity { return Elasticity{Value: e, Low80: e - .05, High80: e + .05} }
	for _, c := range []struct {
		name        string
		price, cost float64
		e           Elasticity
		least, most float64 // change
	}{
		{"inelastic: as high as allowed", 100, 50, sure(.6), .20, .20},
		{"far too cheap", 100, 90, sure(2), .20, .20},
		{"optimum cost·e/(e−1) = 110", 100, 55, sure(2), .06, .10},
		{"at the optimum", 100, 50, sure(2), 0, 0},
		{"optimum 90", 100, 45, sure(2), -.12, -.06},
		{"far too dear", 100, 30, sure(3), -.20, -.20},
		{"sold at a loss", 100, 120, sure(2), .20, .20},
		{"direction unknown", 100, 50, Elasticity{Value: 2, Low80: 1.2, High80: 2.8}, 0, 0},
	} {
		a := BestPrice(c.price, c.cost, c.e)
		if a.Change < c.least-1e-9 || a.Change > c.most+1e-9 {
			t.Errorf("%s: change %+.2f, want %+.2f to %+.2f", c.name, a.Change, c.least, c.most)
		}
		if math.Abs(a.Price-c.price*(1+a.Change)) > 1e-9 || a.WorstProfitChange < 0 || a.WorstProfitChange > a.ProfitChange+.01 || a.UnitsChange*a.Change > 0 {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
}

// The elasticities that the made-up shop was drawn with are found again from its orders.
func TestElasticityOfTheShop(t *testing.T) {
	s := bigShop(t)
	truth := map[string]float64{}
	fixed := map[string]bool{}
	for _, l := range allMonths.lines {
		for _, g := range l.goods {
			truth[g.name(l.category)] = l.elasticity
			fixed[g.name(l.category)] = g.fixed
		}
	}
	inside, told, bias := 0, 0, 0.0
	for _, l := range allMonths.lines {
		for _, one := range do[priceReport](t, s, "", "suggest_price", `{"category":"`+l.category+`"}`).Suggestions {
			if fixed[one.Name] {
				if one.Advice != "数据不足" || one.Suggested != one.Price || one.Elasticity != nil {
					t.Errorf("a price that never changed: %+v", one)
				}
				continue
			}
			if one.Elasticity == nil {
				continue
			}
			told++
			bias += *one.Elasticity - truth[one.Name]
			if *one.Low95 <= truth[one.Name] && truth[one.Name] <= *one.High95 {
				inside++
			}
			if math.Abs(one.Suggested/one.Price-1) > maxPriceChange+.001 {
				t.Errorf("%s: from %v to %v is beyond the bound", one.Name, one.Price, one.Suggested)
			}
		}
	}
	t.Logf("%d told, %d with the truth in the 95 %% interval, mean deviation %+.2f", told, inside, bias/float64(told))
	if told < 12 || inside < told*85/100 || math.Abs(bias/float64(told)) > .35 {
		t.Errorf("told %d, inside %d, bias %+.2f", told, inside, bias/float64(told))
	}
	fryers := do[priceReport](t, s, "", "suggest_price", `{"sku_name":"禾煮空气炸锅 4L 家用"}`).Suggestions[0]
	if fryers.Advice != "降价" || fryers.Units <= 0 || fryers.Profit <= 0 { // cost .36 of the price and elasticity 2.2: the best price is far below
		t.Errorf("%+v", fryers)
	}
}
