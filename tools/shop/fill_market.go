package shop

import (
	"math"
	"strings"
	"time"
)

// campaign is an advertising campaign in the making, with what it has brought so far.
type campaign struct {
	id       int
	name     string
	channel  int
	category string
	from, to time.Time // days, inclusive
	orders   map[time.Time]int
	sales    map[time.Time]int64
}

func (c *campaign) count(at time.Time, goods int64) {
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
	c.orders[day]++
	c.sales[day] += goods
}

// fillCampaigns draws, for each category, campaigns of one to three weeks with pauses between them, so that every channel has
// been tried and no two campaigns of a category overlap.
func (f *filler) fillCampaigns() {
	turn := 0
	for _, l := range f.lines {
		for d := 20 + f.rand.IntN(60); d < f.days-5; d += 90 + f.rand.IntN(90) {
			length := 7 + f.rand.IntN(14)
			c := campaign{
				id: len(f.running) + 1, channel: turn % len(channels), category: l.category, from: f.day(d), to: f.day(d + length - 1),
				orders: map[time.Time]int{}, sales: map[time.Time]int64{},
			}
			turn++
			c.name = c.from.Format("2006年1月") + l.category + channels[c.channel].name
			f.running = append(f.running, c)
			f.insert("campaigns", "?,?,?,?,?,?,?", c.id, c.name, channels[c.channel].name, l.category, c.from.Format(dayForm), c.to.Format(dayForm),
				int64(length)*20000)
			d += length
		}
	}
}

// active is the campaign that runs for a category at a time, or nil.
func (f *filler) active(category string, at time.Time) *campaign {
	for i := range f.running {
		if c := &f.running[i]; c.category == category && !at.Before(c.from) && at.Before(c.to.AddDate(0, 0, 1)) {
			return c
		}
	}
	return nil
}

func (f *filler) lift(category string, at time.Time) float64 {
	if c := f.active(category, at); c != nil {
		return channels[c.channel].lift
	}
	return 0
}

// brought is the campaign that an order is owed to: of the orders during a campaign, the share that its lift added.
func (f *filler) brought(category string, at time.Time) *campaign {
	c := f.active(category, at)
	if c == nil {
		return nil
	}
	lift := channels[c.channel].lift
	if !f.chance(lift / (1 + lift)) {
		return nil
	}
	return c
}

// fillCampaignDays comes last, when it is known which orders each campaign brought.
func (f *filler) fillCampaignDays() {
	for _, c := range f.running {
		ch := channels[c.channel]
		for day := c.from; !day.After(c.to) && !day.After(f.today); day = day.AddDate(0, 0, 1) {
			orders := c.orders[day]
			// Somebody clicks on days without an order, too.
			clicks := poisson(f.rand, (.3+float64(orders))/ch.conversion)
			cost := int64(float64(clicks) * float64(ch.click) * (.8 + .4*f.rand.Float64()))
			f.insert("campaign_days", "?,?,?,?,?,?,?", c.id, day.Format(dayForm), clicks*(25+f.rand.IntN(30)), clicks, cost, orders, c.sales[day])
		}
	}
}

// fillKeywords gives short words many searches and much competition, long ones less of both.
func (f *filler) fillKeywords() {
	for _, l := range f.lines {
		for i, word := range l.keywords {
			long := float64(len([]rune(strings.ReplaceAll(word, " ", ""))))
			searches := 40_000 * math.Pow(float64(i+1), -.9) * (.5 + f.rand.Float64())
			competition := math.Min(.97, math.Max(.05, 1.1-.09*long+.25*(f.rand.Float64()-.5)))
			shown := searches * math.Pow(f.rand.Float64(), 2) * .6
			clicks := shown * (.01 + .03*f.rand.Float64())
			f.insert("keywords", "?,?,?,?,?,?,?,?,?", word, l.category, int(searches), math.Round((f.rand.Float64()*.6-.2)*100)/100,
				math.Round(competition*100)/100, int(40+260*competition), int(shown), int(clicks), int(clicks*(.01+.04*f.rand.Float64())))
		}
	}
}
