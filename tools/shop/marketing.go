package shop

import (
	"cmp"
	"math"
	"slices"
)

// ChannelResult is what a channel cost and sold on the days it ran. Money in any one unit.
type ChannelResult struct {
	Channel     string
	Days        int
	Cost, Sales float64
}

// ChannelShare is what a channel is to get of a budget.
type ChannelShare struct {
	Channel       string
	Budget        float64
	ROI           float64 // measured: sales for each unit of cost
	ExpectedSales float64
}

// SplitBudget divides a budget for a number of days among channels by what they returned. Sales of a channel are taken to grow
// with the square root of its daily cost, through the point measured: an assumption, as past campaigns of one size cannot show how
// returns diminish. The best split is then in proportion to (daily sales)² / daily cost. last is what the last unit of budget
// sells: when last × margin is below 1, less budget earns more. Channels without cost or sales get nothing.
func SplitBudget(budget float64, days int, measured []ChannelResult) (shares []ChannelShare, last float64) {
	weights, total := make([]float64, len(measured)), 0.0
	for i, m := range measured {
		if m.Days > 0 && m.Cost > 0 && m.Sales > 0 {
			weights[i] = m.Sales / m.Cost * m.Sales / float64(m.Days)
			total += weights[i]
		}
	}
	for i, m := range measured {
		share := ChannelShare{Channel: m.Channel, ROI: m.Sales / math.Max(m.Cost, 1e-9)}
		if weights[i] > 0 {
			share.Budget = budget * weights[i] / total
			share.ExpectedSales = math.Sqrt(weights[i]*share.Budget/float64(days)) * float64(days)
			last = share.ExpectedSales / share.Budget / 2 // the same for each channel: that is what makes the split best
		}
		shares = append(shares, share)
	}
	slices.SortStableFunc(shares, func(a, b ChannelShare) int { return cmp.Compare(b.Budget, a.Budget) })
	return shares, last
}

// Keyword is a search word with a month of statistics.
type Keyword struct {
	Word, Category string
	Searches       float64 // on the platform
	Growth         float64 // of searches, against the month before
	Competition    float64 // 0–1
	ClickCost      float64
	OwnImpressions float64 // searches that showed this shop
	OwnClicks      float64
	OwnOrders      float64
}

// Opportunity is a keyword with what could be won by it in a month.
type Opportunity struct {
	Keyword
	Coverage    float64 // share of the searches that showed this shop, 0–1
	ExtraOrders float64
	ExtraCost   float64 // of the clicks for them, if all were paid
}

// RankKeywords orders keywords by the orders they could add in a month: searches not covered × the part without competitors × the
// shop's rates of clicks and of orders, next month's searches growing as this month's did. The rates are the word's own, drawn towards the mean of all
// words as if 1,000 impressions and 100 clicks of that mean had been seen, so that a word shown twice proves nothing.
func RankKeywords(words []Keyword) []Opportunity {
	var impressions, clicks, orders float64
	for _, w := range words {
		impressions, clicks, orders = impressions+w.OwnImpressions, clicks+w.OwnClicks, orders+w.OwnOrders
	}
	clickRate, orderRate := clicks/math.Max(impressions, 1), orders/math.Max(clicks, 1)
	found := make([]Opportunity, len(words))
	for i, w := range words {
		o := Opportunity{Keyword: w, Coverage: math.Min(1, w.OwnImpressions/math.Max(w.Searches, 1))}
		click := (w.OwnClicks + 1000*clickRate) / (w.OwnImpressions + 1000)
		order := (w.OwnOrders + 100*orderRate) / (w.OwnClicks + 100)
		more := w.Searches * math.Max(0, 1+w.Growth) * (1 - o.Coverage) * (1 - w.Competition) * click
		o.ExtraOrders, o.ExtraCost = more*order, more*w.ClickCost
		found[i] = o
	}
	slices.SortStableFunc(found, func(a, b Opportunity) int { return cmp.Compare(b.ExtraOrders, a.ExtraOrders) })
	return found
}
