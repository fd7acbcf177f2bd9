package shop

import (
	"strings"
	"testing"
)

func TestStatisticsAddUp(t *testing.T) {
	s := newShop(t)
	want := one[int64](t, s, `SELECT sum(sales_fen) FROM sales WHERE day BETWEEN '2026-08-01' AND '2026-10-31'`)
	for _, by := range []string{"日", "周", "月", "商品", "类目", "brand", "城市"} {
		r := do[salesReport](t, s, "", "sales_statistics", `{"by":"`+by+`","from":"2026-08-01","to":"2026-10-31"}`)
		total := int64(0)
		for _, g := range r.Groups {
			total += fen(g.Amount)
		}
		if fen(r.Amount) != want || total != want {
			t.Errorf("by %s: %.2f, groups %.2f, want %.2f", by, r.Amount, yuan(total), yuan(want))
		}
	}
	if r := do[salesReport](t, s, "", "sales_statistics", `{"by":"周","period":"上周"}`); len(r.Groups) != 1 || r.Groups[0].Group != "2026-11-09" {
		t.Errorf("a week is not named by its Monday: %+v", r.Groups)
	}
}

// The best of more days than are listed is the best of all, and the list is of the newest.
func TestStatisticsOfManyDays(t *testing.T) {
	s := newShop(t)
	r := do[salesReport](t, s, "", "sales_statistics", `{"by":"日","from":"2026-07-30","to":"2026-11-20"}`)
	best := one[string](t, s, `SELECT day FROM sales WHERE day BETWEEN '2026-07-30' AND '2026-11-20' GROUP BY day ORDER BY sum(sales_fen) DESC LIMIT 1`)
	if !strings.Contains(r.Summary, best+"最高") || !strings.Contains(r.SummaryEn, best) || !strings.Contains(r.Summary, "只列出最近的 100 个，共 114 个") || !strings.Contains(r.SummaryEn, "the last 100 are listed, of 114") {
		t.Errorf("best is %s: %s %s", best, r.Summary, r.SummaryEn)
	}
	if n := len(r.Groups); n != 100 || r.Groups[n-1].Group != "2026-11-20" {
		t.Errorf("%d groups, the last %+v", n, r.Groups[n-1])
	}
}

// Who bought something has paid for it.
func TestBuyersHavePaid(t *testing.T) {
	s := newShop(t)
	if _, err := s.write.Exec(`UPDATE orders SET state = '待付款' WHERE customer_id IN (SELECT customer_id FROM orders WHERE state = '已完成' LIMIT 30)`); err != nil {
		t.Fatal(err)
	}
	for _, category := range []string{"空气炸锅", "洋酒", "电饭煲"} {
		l := do[customerList](t, s, "", "find_customers", `{"category":"`+category+`"}`)
		if want := one[int](t, s, `SELECT count(DISTINCT customer_id) FROM sales JOIN orders USING (order_id) JOIN products USING (sku_id) WHERE category = ?`, category); l.Count != want || want == 0 {
			t.Errorf("%s: %d, want %d", category, l.Count, want)
		}
	}
}

// What a city bought is what its group tells, in every tool that takes one.
func TestOfOneCity(t *testing.T) {
	s := newShop(t)
	r := do[salesReport](t, s, "", "sales_statistics", `{"city":"Shanghai","period":"上个月","by":"类目"}`)
	want := one[int64](t, s, `SELECT sum(sales_fen) FROM sales JOIN orders USING (order_id) JOIN customers USING (customer_id) WHERE city = '上海市' AND day BETWEEN '2026-10-01' AND '2026-10-31'`)
	total := int64(0)
	for _, g := range r.Groups {
		total += fen(g.Amount)
		if g.Margin != percentOf(fen(g.Profit), fen(g.Amount)) {
			t.Errorf("%+v", g)
		}
	}
	if fen(r.Amount) != want || total != want || want == 0 || !strings.Contains(r.Summary, "上海") || !strings.Contains(r.SummaryEn, "Shanghai") {
		t.Errorf("%.2f, groups %.2f, want %.2f: %s %s", r.Amount, yuan(total), yuan(want), r.Summary, r.SummaryEn)
	}
	l := do[refundList](t, s, "", "list_refunds", `{"city":"上海"}`)
	if n := one[int](t, s, `SELECT count(*) FROM refunds JOIN orders USING (order_id) JOIN customers USING (customer_id) WHERE city = '上海市'`); l.Count != n || n == 0 || !strings.Contains(l.Summary, "上海") {
		t.Errorf("%d refunds, want %d: %s", l.Count, n, l.Summary)
	}
	for _, o := range do[lateOrders](t, s, "", "late_shipments", `{"city":"Shanghai","kind":"全部"}`).Orders {
		if o.City != "上海市" {
			t.Errorf("%+v", o)
		}
	}
}

func TestAverageOrderAndRefundRate(t *testing.T) {
	s := newShop(t)
	const paid = ` FROM orders o WHERE state IN ('待发货', '已发货', '已完成') AND ordered_at >= '2026-10-01' AND ordered_at < '2026-11-01'`
	count, amount := one[float64](t, s, `SELECT count(*)`+paid), yuan(one[int64](t, s, `SELECT sum(goods_fen)`+paid))
	returned := one[float64](t, s, `SELECT count(*)`+paid+` AND EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.order_id AND r.state = '已同意')`)
	r := do[salesReport](t, s, "", "sales_statistics", `{"period":"上个月"}`)
	if r.Average != digits(amount/count, 2) || r.Rate != digits(100*returned/count, 1) || returned == 0 {
		t.Errorf("average %v of %v / %v, rate %v of %v", r.Average, amount, count, r.Rate, returned)
	}
	if !strings.Contains(r.Summary, "客单价 "+zhMoney(r.Average)) || !strings.Contains(r.SummaryEn, "average order was "+enMoney(r.Average)) {
		t.Errorf("%q, %q", r.Summary, r.SummaryEn)
	}
}

// What is only said to end begins with the shop.
func TestStatisticsUpToADay(t *testing.T) {
	s := bigShop(t)
	want := one[int64](t, s, `SELECT sum(sales_fen) FROM sales WHERE day <= '2026-09-30'`)
	if r := do[salesReport](t, s, "", "sales_statistics", `{"to":"2026-09-30"}`); fen(r.Amount) != want {
		t.Errorf("%.2f, want %.2f: %s", r.Amount, yuan(want), r.Summary)
	}
}

// Who bought something in a period bought it then, and not whatever.
func TestBuyersOfAPeriod(t *testing.T) {
	s := newShop(t)
	want := one[int](t, s, `SELECT count(DISTINCT o.customer_id) FROM orders o JOIN order_items i USING (order_id) JOIN products p USING (sku_id)
		WHERE p.category = '空气炸锅' AND o.state IN `+paidStates+` AND o.ordered_at >= '2026-10-01' AND o.ordered_at < '2026-11-01'`)
	if l := do[customerList](t, s, "", "find_customers", `{"category":"空气炸锅","from":"2026-10-01","to":"2026-10-31"}`); l.Count != want || want == 0 {
		t.Errorf("%d, want %d: %s", l.Count, want, l.Summary)
	}
}

// Who bought something more than once bought that more than once; how many orders and how much is told of these too. Who is a returning customer is told by all of his orders.
func TestOrdersOfWhatWasBought(t *testing.T) {
	s := newShop(t)
	const of = `SELECT o.customer_id, count(DISTINCT o.order_id) AS n FROM orders o JOIN order_items i USING (order_id) JOIN products p USING (sku_id)
		WHERE p.category = '咖啡机' AND o.state IN ` + paidStates + ` GROUP BY o.customer_id`
	l := do[customerList](t, s, "", "find_customers", `{"category":"咖啡机","kind":"多次购买","sort":"订单数"}`)
	if want := one[int](t, s, `SELECT count(*) FROM (`+of+`) WHERE n > 1`); l.Count != want || want == 0 {
		t.Errorf("%d bought it more than once, want %d: %s", l.Count, want, l.Summary)
	}
	if want := one[int](t, s, `SELECT max(n) FROM (`+of+`)`); l.Customers[0].Orders != want {
		t.Errorf("%+v, want %d orders of it", l.Customers[0], want)
	}
	again := one[int](t, s, `SELECT count(*) FROM (`+of+`) b WHERE (SELECT count(*) FROM orders o WHERE o.customer_id = b.customer_id AND o.state IN `+paidStates+`) > 1`)
	if l := do[customerList](t, s, "", "find_customers", `{"category":"咖啡机","kind":"回头客"}`); l.Count != again {
		t.Errorf("%d returning customers, want %d", l.Count, again)
	}
}
