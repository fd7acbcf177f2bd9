package shop

import (
	"math"
	"testing"
)

func TestSplitBudget(t *testing.T) {
	measured := []ChannelResult{
		{"even", 10, 1000, 4000}, {"good", 10, 1000, 8000}, {"never", 0, 0, 0}, {"useless", 5, 500, 0},
	}
	shares, last := SplitBudget(10000, 10, measured)
	// Weights are daily sales² / daily cost: 400²/100 and 800²/100, so 1 to 4.
	want := map[string]float64{"even": 2000, "good": 8000, "never": 0, "useless": 0}
	for _, s := range shares {
		if math.Abs(s.Budget-want[s.Channel]) > 1e-6 {
			t.Errorf("%s gets %.0f, want %.0f", s.Channel, s.Budget, want[s.Channel])
		}
	}
	if shares[0].Channel != "good" || shares[0].ROI != 8 {
		t.Errorf("first is %+v", shares[0])
	}
	// At the measured spend the law gives the measured sales.
	if again, _ := SplitBudget(1000, 10, measured[:1]); math.Abs(again[0].ExpectedSales-4000) > 1e-6 {
		t.Errorf("at the measured spend %.1f, want 4000", again[0].ExpectedSales)
	}
	// No other split sells more.
	best := shares[0].ExpectedSales + shares[1].ExpectedSales
	sales := func(k, budget float64) float64 { return math.Sqrt(k*budget/10) * 10 }
	for to := 0.0; to <= 10000; to += 100 {
		if other := sales(6400, to) + sales(1600, 10000-to); other > best+1e-6 {
			t.Errorf("%.0f to good sells %.0f, more than %.0f", to, other, best)
		}
	}
	more, _ := SplitBudget(10001, 10, measured)
	if gain := more[0].ExpectedSales + more[1].ExpectedSales - best; math.Abs(gain-last) > .001 {
		t.Errorf("one more unit sells %.4f, said %.4f", gain, last)
	}
	if shares, last := SplitBudget(1000, 10, nil); len(shares) != 0 || last != 0 {
		t.Errorf("without channels: %v, %v", shares, last)
	}
}

func TestRankKeywords(t *testing.T) {
	base := Keyword{Word: "base", Searches: 10000, Competition: .5, OwnImpressions: 1000, OwnClicks: 30, OwnOrders: 1}
	vary := func(word string, change func(*Keyword)) Keyword {
		k := base
		k.Word = word
		change(&k)
		return k
	}
	ranked := RankKeywords([]Keyword{
		base,
		vary("more searched", func(k *Keyword) { k.Searches *= 2 }),
		vary("more contested", func(k *Keyword) { k.Competition = .9 }),
		vary("covered", func(k *Keyword) { k.OwnImpressions, k.OwnClicks, k.OwnOrders = 10000, 300, 10 }),
		vary("growing", func(k *Keyword) { k.Growth = .5 }),
		vary("dying", func(k *Keyword) { k.Growth = -2 }),
		{Word: "empty"},
	})
	at := map[string]int{}
	for i, o := range ranked {
		at[o.Word] = i
		if o.Coverage < 0 || o.Coverage > 1 || o.ExtraOrders < 0 || math.IsNaN(o.ExtraOrders) {
			t.Errorf("%+v", o)
		}
	}
	for _, c := range [][2]string{{"more searched", "base"}, {"base", "more contested"}, {"more contested", "covered"}, {"growing", "base"}, {"more contested", "dying"}} {
		if at[c[0]] > at[c[1]] {
			t.Errorf("%q comes after %q", c[0], c[1])
		}
	}
}
