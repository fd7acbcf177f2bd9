package shop

import (
	"strings"
	"testing"
)

// A figure a day is of the days that the shop has orders of, up to today, and of days of a kind by how many of these there are.
func TestFiguresADay(t *testing.T) {
	s := newShop(t)
	sold := func(where string) float64 {
		return yuan(one[int64](t, s, `SELECT coalesce(sum(sales_fen), 0) FROM sales WHERE `+where))
	}
	first, today := one[string](t, s, `SELECT substr(min(ordered_at), 1, 10) FROM orders`), s.now().Format(dayForm)
	for _, c := range []struct{ arguments, from, to string }{
		{`{"period":"上个月"}`, "2026-10-01", "2026-10-31"}, {`{"period":"本月"}`, "2026-11-01", today}, {`{"from":"2020-01-01","to":"` + today + `"}`, first, today},
	} {
		r := do[salesReport](t, s, "", "sales_statistics", c.arguments)
		days := one[int](t, s, `SELECT julianday(?) - julianday(?) + 1`, c.to, c.from)
		if r.Days != days || r.PerDay != digits(sold(`day BETWEEN '`+c.from+`' AND '`+c.to+`'`)/float64(days), 2) || r.PerDay == 0 || !strings.Contains(r.Summary, "日均 "+zhMoney(r.PerDay)) || !strings.Contains(r.SummaryEn, enMoney(r.PerDay)) {
			t.Errorf("%s: %d days, %v a day; want %d: %s %s", c.arguments, r.Days, r.PerDay, days, r.Summary, r.SummaryEn)
		}
		if said := "店里的数据从 " + first + " 开始"; strings.Contains(r.Summary, said) != (c.from == first) {
			t.Errorf("%s: %s", c.arguments, r.Summary)
		}
	}
	r := do[salesReport](t, s, "", "sales_statistics", `{"by":"weekend","from":"2026-10-01","to":"2026-10-31"}`)
	for _, g := range r.Groups {
		where, days := `strftime('%w', day) NOT IN ('0', '6')`, 22
		if g.Group == "周末" {
			where, days = `strftime('%w', day) IN ('0', '6')`, 9
		}
		if g.Days != days || g.Amount != sold(where+` AND day BETWEEN '2026-10-01' AND '2026-10-31'`) || g.PerDay != digits(g.Amount/float64(days), 2) {
			t.Errorf("%+v", g)
		}
	}
	if len(r.Groups) != 2 || !strings.Contains(r.Summary, "周末（9 天）日均") || !strings.Contains(r.SummaryEn, "brought") {
		t.Errorf("%s %s", r.Summary, r.SummaryEn)
	}
	if r := do[salesReport](t, s, "", "sales_statistics", `{"by":"周几","period":"今年"}`); len(r.Groups) != 7 || r.Groups[0].Group != "周一" || r.Groups[6].Group != "周日" || r.Groups[2].Amount != sold(`strftime('%w', day) = '3' AND day LIKE '2026%'`) {
		t.Errorf("%+v", r.Groups)
	}
	if r := do[salesReport](t, s, "", "sales_statistics", `{"period":"2019年"}`); r.Orders != 0 || r.Days != 0 || !strings.Contains(r.Summary, first) {
		t.Errorf("%+v", r)
	}
}

func TestHoursOfTheDay(t *testing.T) {
	s := newShop(t)
	l := do[orderList](t, s, "", "list_orders", `{"by":"hour"}`)
	r := do[salesReport](t, s, "", "sales_statistics", `{"by":"小时","from":"2025-01-01","to":"2026-12-31"}`)
	orders, paid := 0, 0
	for _, g := range l.Groups {
		orders += g.Count
		if want := one[int](t, s, `SELECT count(*) FROM orders WHERE strftime('%H', ordered_at) || ':00' = ?`, g.Group); g.Count != want {
			t.Errorf("%+v, want %d", g, want)
		}
	}
	for _, g := range r.Groups {
		paid += g.Orders
	}
	if orders != l.Count || len(l.Groups) != 24 || l.Groups[0].Group != "00:00" || paid != r.Orders {
		t.Errorf("%d of %d in %d hours, %d of %d paid", orders, l.Count, len(l.Groups), paid, r.Orders)
	}
}

func TestMedianOrder(t *testing.T) {
	s := newShop(t)
	for _, month := range []string{"2026-08", "2026-09", "2026-10"} {
		r := do[salesReport](t, s, "", "sales_statistics", `{"period":"`+month+`"}`)
		var all []int64
		all, err := rowsOf(t, s, `SELECT goods_fen FROM orders WHERE state IN ('待发货', '已发货', '已完成') AND ordered_at LIKE ? ORDER BY goods_fen`, month+"%")
		if err != nil || len(all) == 0 {
			t.Fatal(err)
		}
		if want := digits(float64(all[(len(all)-1)/2]+all[len(all)/2])/200, 2); r.Median != want || !strings.Contains(r.Summary, "中位数 "+zhMoney(want)) {
			t.Errorf("%s: %v, want %v of %d", month, r.Median, want, len(all))
		}
	}
}

func rowsOf(t testing.TB, s *Shop, query string, args ...any) (all []int64, err error) {
	t.Helper()
	found, err := s.read.QueryContext(t.Context(), query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		var n int64
		if err := found.Scan(&n); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, found.Err()
}

// The orders of new customers are as many as there are new customers.
func TestNewAndReturning(t *testing.T) {
	s := bigShop(t)
	const paid = `state IN ('待发货', '已发货', '已完成')`
	const firsts = `(SELECT customer_id, min(ordered_at) AS first, count(*) AS n, sum(ordered_at >= '2025-12-01' AND ordered_at < '2026-01-01') AS december, max(ordered_at >= '2025-12-01' AND ordered_at < '2026-01-01') AS inside FROM orders WHERE ` + paid + ` GROUP BY customer_id)`
	count := func(where string) int { return one[int](t, s, `SELECT count(*) FROM `+firsts+` WHERE `+where) }
	for _, c := range []struct {
		arguments string
		want      int
		words     string
	}{
		{`{"kind":"new","period":"2025年12月"}`, count(`first >= '2025-12-01' AND first < '2026-01-01'`), "新客"},
		{`{"kind":"回头客","period":"2025年12月"}`, count(`inside AND first < '2025-12-01'`), "回头客"},
		{`{"kind":"repeat","period":"2025年12月"}`, count(`december > 1`), "多次购买"},
		{`{"kind":"只买一次","period":"2025年12月"}`, count(`december = 1`), "只买一次"},
		{`{"kind":"回头客"}`, count(`n > 1`), "回头客"},
		{`{"kind":"one-time"}`, count(`n = 1`), "只买一次"},
	} {
		l := do[customerList](t, s, "", "find_customers", c.arguments)
		if l.Count != c.want || c.want == 0 || !strings.Contains(l.Summary, c.words) {
			t.Errorf("%s: %d, want %d: %s", c.arguments, l.Count, c.want, l.Summary)
		}
	}
	l := do[customerList](t, s, "", "find_customers", `{"period":"2025年12月"}`)
	if l.New != count(`first >= '2025-12-01' AND first < '2026-01-01'`) || l.New+l.Again != l.Count || l.Rate != percentOf(int64(l.Again), int64(l.Count)) {
		t.Errorf("%d new, %d again, %v %% of %d", l.New, l.Again, l.Rate, l.Count)
	}
	r := do[salesReport](t, s, "", "sales_statistics", `{"by":"新老客","period":"2025年12月"}`)
	orders := map[string]int{}
	for _, g := range r.Groups {
		orders[g.Group] = g.Orders
	}
	if orders["新客"] != l.New || orders["新客"]+orders["老客"] != r.Orders || !strings.Contains(r.SummaryEn, "first order") {
		t.Errorf("%v of %d, %d new customers: %s", orders, r.Orders, l.New, r.SummaryEn)
	}
	// Somebody who is named is shown, whatever kind he is called.
	if l := do[customerList](t, s, "", "find_customers", `{"consumer_name":"王萍萍","kind":"新客"}`); l.Count == 0 || strings.Contains(l.Summary, "新客") {
		t.Errorf("%+v", l)
	}
}

func TestUnsold(t *testing.T) {
	s := newShop(t)
	const none = `SELECT count(*) FROM products WHERE sku_id NOT IN (SELECT sku_id FROM sales WHERE day BETWEEN '2026-11-16' AND '2026-11-18')`
	r := do[salesReport](t, s, "", "sales_statistics", `{"sold":"unsold","from":"2026-11-16","to":"2026-11-18"}`)
	cost := int64(0)
	for _, u := range r.Groups {
		if n := one[int](t, s, `SELECT count(*) FROM sales JOIN products USING (sku_id) WHERE name = ? AND day BETWEEN '2026-11-16' AND '2026-11-18'`, u.Group); n > 0 {
			t.Errorf("%+v was sold", u)
		}
		if last := one[string](t, s, `SELECT coalesce(max(day), '') FROM sales JOIN products USING (sku_id) WHERE name = ?`, u.Group); last != u.Last {
			t.Errorf("%+v, last sold %s", u, last)
		}
		cost += fen(u.Cost)
	}
	if want := one[int](t, s, none); r.Unsold != want || len(r.Groups) != want || want == 0 || r.tied != cost || !strings.Contains(r.Summary, zhMoney(yuan(cost))) {
		t.Errorf("%d, %d listed, want %d; %v of %v: %s", r.Unsold, len(r.Groups), want, r.tied, cost, r.Summary)
	}
	if r := do[salesReport](t, s, "", "sales_statistics", `{"sold":"没卖出","period":"今年"}`); r.Unsold != 0 || len(r.Groups) != 0 || !strings.Contains(r.Summary, "卖得最少的是") || !strings.Contains(r.SummaryEn, "the fewest") {
		t.Errorf("%s %s", r.Summary, r.SummaryEn)
	}
	mustRefuse(t, s, "", "sales_statistics", `{"sold":"unsold","period":"明年"}`, "还没有到")
}

func TestRunningLow(t *testing.T) {
	s := newShop(t)
	do[stockSet](t, s, "gone", "set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":0}`))
	gone := do[stockList](t, s, "", "stock_level", `{"state":"depleted","limit":1000}`)
	if want := one[int](t, s, `SELECT count(*) FROM products WHERE stock = 0`); gone.Count != want || want == 0 || !strings.Contains(gone.Summary, "没有库存") {
		t.Errorf("%d, want %d: %s", gone.Count, want, gone.Summary)
	}
	low, all := do[stockList](t, s, "", "stock_level", `{"state":"scarce","limit":1000}`), do[stockList](t, s, "", "stock_level", `{"limit":1000}`)
	want := 0
	for _, l := range all.Stock {
		if l.Stock == 0 || l.Days != nil && *l.Days <= soonDays {
			want++
		}
	}
	if low.Count != want || want == 0 || want == all.Count || !strings.Contains(low.Summary, "14 天内卖完") || !strings.Contains(low.SummaryEn, "sold out within 14 days") {
		t.Errorf("%d of %d, want %d: %s %s", low.Count, all.Count, want, low.Summary, low.SummaryEn)
	}
}
