package shop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

type priceReport struct {
	told
	Subject     string       `json:"subject" jsonschema:"title=定价对象"`
	Suggestions []suggestion `json:"suggestions" jsonschema:"title=定价建议" jsonschema_description:"每个商品一条，销量最大的在前，最多10个"`
	Data        string       `json:"data" jsonschema:"title=依据的历史"`
}

type suggestion struct {
	Name       string   `json:"sku_name" jsonschema:"title=商品名称" jsonschema_extras:"x-provides=sku_name"`
	Advice     string   `json:"advice" jsonschema:"title=建议,enum=降价,enum=提价,enum=保持,enum=数据不足"`
	Price      float64  `json:"price" jsonschema:"title=现售价" jsonschema_description:"元"`
	Suggested  float64  `json:"suggested_price" jsonschema:"title=建议售价" jsonschema_description:"元，与现售价相差不超过20%" jsonschema_extras:"x-provides=price"`
	Change     float64  `json:"change_percent" jsonschema:"title=调价幅度（%）" jsonschema_description:"%"`
	Units      float64  `json:"sales_change_percent" jsonschema:"title=预计销量变化（%）" jsonschema_description:"%"`
	Profit     float64  `json:"profit_change_percent" jsonschema:"title=预计毛利变化（%）" jsonschema_description:"%"`
	Reason     string   `json:"reason" jsonschema:"title=理由"`
	Worst      float64  `json:"worst_profit_change_percent" jsonschema:"title=较差情况下的毛利变化（%）" jsonschema_description:"弹性取80%区间里较不利的一端，%"`
	Cost       float64  `json:"cost" jsonschema:"title=成本" jsonschema_description:"元"`
	Elasticity *float64 `json:"elasticity,omitempty" jsonschema:"title=价格弹性" jsonschema_description:"价格提高1%，销量下降百分之几"`
	Low95      *float64 `json:"elasticity_low_95,omitempty" jsonschema:"title=弹性95%区间下限"`
	High95     *float64 `json:"elasticity_high_95,omitempty" jsonschema:"title=弹性95%区间上限"`
	Prices     int      `json:"prices_seen" jsonschema:"title=出现过的价格数"`
	SKU        string   `json:"sku_id" jsonschema:"title=商品编号" jsonschema_extras:"x-provides=sku_id"`
}

func (s *Shop) pricingTools() []tools.Tool {
	return []tools.Tool{look(s, bus.Card{
		Name:        "suggest_price",
		Description: "用店铺自己的历史价格与销量估计价格弹性，建议商品或类目要不要降价、提价、卖便宜一点还是贵一点，定多少钱合适，给出建议售价与预计效果；只是建议，不改价。 Suggest a price from the shop's own price elasticity: lower, raise or keep, cheaper or dearer.",
		Tags:        []string{"pricing", "定价", "要不要降价", "该不该涨价", "提价", "定价建议", "价格弹性", "price suggestion", "elasticity"},
	}, s.suggest)}
}

func (s *Shop) suggest(ctx context.Context, tx *sql.Tx, q goods) (priceReport, error) {
	none := priceReport{}
	all, err := q.find(ctx, tx)
	if err != nil {
		return none, err
	}
	past, err := s.history(ctx, tx)
	if err != nil {
		return none, err
	}
	if all, err = bestSelling(ctx, tx, all, past, 10); err != nil {
		return none, err
	}
	report := priceReport{Subject: q.label(), Data: past.String()}
	for _, p := range all {
		days, err := s.priceDays(ctx, tx, p, past)
		if err != nil {
			return none, err
		}
		report.Suggestions = append(report.Suggestions, advise(p, days))
	}
	return report, nil
}

// bestSelling keeps the n products that sold most pieces, best first.
func bestSelling(ctx context.Context, tx *sql.Tx, all []product, p Period, n int) ([]product, error) {
	return rows(ctx, tx, scanProduct, productColumns+` LEFT JOIN (SELECT sku_id, sum(quantity) AS sold FROM sales WHERE sku_id IN (SELECT value FROM json_each(?1)) AND day BETWEEN ?2 AND ?3
		GROUP BY sku_id) v USING (sku_id) WHERE p.sku_id IN (SELECT value FROM json_each(?1)) ORDER BY coalesce(v.sold, 0) DESC, p.sku_id LIMIT ?4`,
		skus(all), p.From.Format(dayForm), p.To.Format(dayForm), n)
}

// priceDays is what a product sold each day at which price, with what else moves sales: the season, the trend, campaigns, festivals
// and weekends. Days before the first known price are left out.
func (s *Shop) priceDays(ctx context.Context, tx *sql.Tx, p product, past Period) ([]Sold, error) {
	units, err := dailySales(ctx, tx, []product{p}, past)
	if err != nil {
		return nil, err
	}
	type dated struct {
		day   string
		price float64
	}
	prices, err := rows(ctx, tx, func(r *sql.Rows) (d dated, err error) { err = r.Scan(&d.day, &d.price); return d, err },
		`SELECT from_day, price_fen / 100.0 FROM price_history WHERE sku_id = ? ORDER BY from_day`, p.SKU)
	if err != nil {
		return nil, err
	}
	campaigns, err := rows(ctx, tx, func(r *sql.Rows) (d [2]string, err error) { err = r.Scan(&d[0], &d[1]); return d, err },
		`SELECT starts_on, ends_on FROM campaigns WHERE category = ?`, p.Category)
	if err != nil {
		return nil, err
	}
	var days []Sold
	next, price := 0, 0.0
	for i, u := range units {
		at := past.From.AddDate(0, 0, i)
		day := at.Format(dayForm)
		for next < len(prices) && prices[next].day <= day {
			price = prices[next].price
			next++
		}
		if price == 0 {
			continue
		}
		campaign := 0.0
		for _, c := range campaigns {
			if c[0] <= day && day <= c[1] {
				campaign = 1
			}
		}
		days = append(days, Sold{u, price, []float64{campaign}})
		days[len(days)-1].Controls = append(days[len(days)-1].Controls, calendar(at, i, len(units))...)
	}
	return withVariation(days), nil
}

// calendar are the controls that the date gives: the yearly season as one wave, the trend, the two festivals, the weekend.
func calendar(at time.Time, i, n int) []float64 {
	angle := 2 * math.Pi * float64(at.YearDay()) / 365.25
	weekend := 0.0
	if at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
		weekend = 1
	}
	return []float64{math.Sin(angle), math.Cos(angle), float64(i) / float64(n), festival(at) - 1, weekend}
}

// withVariation drops the controls that never vary in these days: a regression cannot hold them.
func withVariation(days []Sold) []Sold {
	if len(days) == 0 {
		return days
	}
	var keep []int
	for c, v := range days[0].Controls {
		for _, d := range days {
			if d.Controls[c] != v {
				keep = append(keep, c)
				break
			}
		}
	}
	for i, d := range days {
		kept := make([]float64, len(keep))
		for j, c := range keep {
			kept[j] = d.Controls[c]
		}
		days[i].Controls = kept
	}
	return days
}

// advise words what the numbers say about one product.
func advise(p product, days []Sold) suggestion {
	s := suggestion{SKU: p.SKU, Name: p.Name, Price: p.Price, Cost: p.Cost, Suggested: p.Price}
	e, err := FitElasticity(days)
	s.Prices = e.Prices
	if err != nil {
		s.Advice = "数据不足"
		s.Reason = fmt.Sprintf("%d 天里卖出 %.0f 件，只有 %d 种价格，不足以估计价格弹性；可以先小幅试调价格几周再看", e.Days, e.Units, e.Prices)
		if !errors.Is(err, ErrNotEnough) {
			s.Reason = err.Error()
		}
		return s
	}
	value, low, high := digits(e.Value, 2), digits(e.Low95, 2), digits(e.High95, 2)
	s.Elasticity, s.Low95, s.High95 = &value, &low, &high
	a := BestPrice(p.Price, p.Cost, e)
	s.Suggested, s.Change = digits(a.Price, 2), digits(100*a.Change, 1)
	s.Units, s.Profit, s.Worst = digits(100*a.UnitsChange, 1), digits(100*a.ProfitChange, 1), digits(100*a.WorstProfitChange, 1)
	measured := fmt.Sprintf("弹性 %.2f（95%%区间 %.2f 至 %.2f）", value, low, high)
	switch {
	case a.Change < 0:
		s.Advice = "降价"
		s.Reason = fmt.Sprintf("%s，降价多卖出的毛利超过每件少赚的", measured)
	case a.Change > 0:
		s.Advice = "提价"
		s.Reason = fmt.Sprintf("%s，提价每件多赚的超过少卖的", measured)
	default:
		s.Advice = "保持"
		s.Reason = fmt.Sprintf("%s，没有哪个价格在较差情况下仍明显更赚", measured)
	}
	return s
}
