package shop

import (
	"slices"
	"strings"
	"testing"
)

func TestListOrders(t *testing.T) {
	s := newShop(t)
	for _, c := range []struct{ arguments, where string }{
		{`{}`, `1`},
		{`{"period":"今天"}`, `substr(ordered_at, 1, 10) = '2026-11-21'`},
		{`{"from":"2026-11-20","to":"2026-11-20"}`, `substr(ordered_at, 1, 10) = '2026-11-20'`},
		{`{"period":"最近七天"}`, `substr(ordered_at, 1, 10) BETWEEN '2026-11-14' AND '2026-11-20'`},
		{`{"state":"待发货"}`, `state = '待发货'`},
		{`{"state":"to be shipped"}`, `state = '待发货'`},
		{`{"state":"没付款"}`, `state = '待付款'`},
		{`{"state":"unpaid"}`, `state = '待付款'`},
		{`{"state":"canceled"}`, `state = '已取消'`},
		{`{"state":"未完成"}`, `state IN ('待付款', '待发货', '已发货')`},
		{`{"state":"not completed","city":"Shanghai"}`, `state NOT IN ('已完成', '已取消') AND customer_id IN (SELECT customer_id FROM customers WHERE city = '上海市')`},
		{`{"state":"not delivered"}`, `paid_at IS NOT NULL AND state <> '已取消' AND order_id NOT IN (SELECT order_id FROM shipments WHERE delivered_at IS NOT NULL) AND state <> '已完成'`},
		{`{"state":"未退款"}`, `state NOT IN ('待付款', '已取消') AND order_id NOT IN (SELECT order_id FROM refunds WHERE state = '已同意')`},
		{`{"state":"not invoiced","period":"最近七天"}`,
			`state NOT IN ('待付款', '已取消') AND substr(ordered_at, 1, 10) BETWEEN '2026-11-14' AND '2026-11-20' AND order_id NOT IN (SELECT order_id FROM invoices WHERE state = '已开')`},
		{`{"min_amount":1000.01}`, `total_fen > 100000`},
		{`{"min_amount":500,"max_amount":1000}`, `total_fen BETWEEN 50000 AND 100000`},
		{`{"max_amount":99.99,"state":"已完成"}`, `total_fen < 10000 AND state = '已完成'`},
		{`{"state":"paid"}`, `state IN ('待发货', '已发货', '已完成')`},
		{`{"city":"Shanghai"}`, `customer_id IN (SELECT customer_id FROM customers WHERE city = '上海市')`},
		{`{"city":"广州"}`, `customer_id IN (SELECT customer_id FROM customers WHERE city = '广东省广州市')`},
		{`{"consumer_name":"王萍萍"}`, `(customer_id IN (SELECT customer_id FROM customers WHERE name = '王萍萍') OR receiver = '王萍萍')`},
		{`{"consumer_name":"Wang Pingping","from":"2026-07-01","to":"2026-10-31","state":"completed"}`,
			`state = '已完成' AND ordered_at >= '2026-07-01' AND ordered_at < '2026-11-01' AND (customer_id IN (SELECT customer_id FROM customers WHERE name = '王萍萍') OR receiver = '王萍萍')`},
		{`{"category":"wine"}`, `order_id IN (SELECT order_id FROM order_items JOIN products USING (sku_id) WHERE category = '葡萄酒')`},
		{`{"sku_name":"禾煮 4L","state":"completed"}`,
			`state = '已完成' AND order_id IN (SELECT order_id FROM order_items JOIN products USING (sku_id) WHERE brand = '禾煮' AND name LIKE '% 4L%' OR brand = '禾煮' AND name LIKE '%锅 4L%')`},
	} {
		if err := holds(t, s.tool(t, "list_orders").Card.Parameters, jsonText(c.arguments)); err != nil {
			t.Errorf("%s: %v", c.arguments, err)
		}
		l := do[orderList](t, s, "", "list_orders", c.arguments)
		count := one[int](t, s, `SELECT count(*) FROM orders WHERE `+c.where)
		total := yuan(one[int64](t, s, `SELECT coalesce(sum(total_fen), 0) FROM orders WHERE `+c.where))
		paid := yuan(one[int64](t, s, `SELECT coalesce(sum(total_fen), 0) FROM orders WHERE state NOT IN ('待付款', '已取消') AND (`+c.where+`)`))
		if l.Count != count || l.Total != total || l.Paid != paid || len(l.Orders) != min(count, listed) {
			t.Errorf("%s: %d orders, %v, paid %v, %d listed; want %d, %v, %v", c.arguments, l.Count, l.Total, l.Paid, len(l.Orders), count, total, paid)
		}
		n := 0
		for _, state := range l.States {
			n += state.Count
		}
		if !slices.IsSortedFunc(l.Orders, func(a, b brief) int { return strings.Compare(b.Time, a.Time) }) {
			t.Errorf("%s: the newest are not first", c.arguments)
		}
		if said := figure(float64(count), 0); n != count || !strings.Contains(l.Summary, said+" 个") || !strings.Contains(l.SummaryEn, said+" order") {
			t.Errorf("%s: %q, %q", c.arguments, l.Summary, l.SummaryEn)
		}
	}
}

func TestAmountsAreWorded(t *testing.T) {
	for _, c := range []struct {
		least, most float64
		zh, en      string
	}{
		{1000.01, 0, "金额超过 1,000 元", "over CNY 1,000"}, {1000, 0, "金额不低于 1,000 元", "of at least CNY 1,000"}, {0, 99.99, "金额低于 100 元", "under CNY 100"},
		{500, 1000, "金额不低于 500 元、不高于 1,000 元", "of at least CNY 500, of at most CNY 1,000"}, {0, 0, "", ""},
	} {
		if got := amounts(c.least, c.most); got != (condition{c.zh, c.en}) {
			t.Errorf("%v–%v: %+v", c.least, c.most, got)
		}
	}
}

func TestTopCustomers(t *testing.T) {
	s := newShop(t)
	for sort, column := range map[string]string{"": "sum(total_fen)", "spending": "sum(total_fen)", "订单数": "count(*)", "recent": "max(ordered_at)"} {
		l := do[customerList](t, s, "", "find_customers", `{"sort":"`+sort+`"}`)
		best := one[string](t, s, `SELECT user_pin FROM orders JOIN customers USING (customer_id) WHERE state NOT IN ('待付款', '已取消')
			GROUP BY customer_id ORDER BY `+column+` DESC, sum(total_fen) DESC, customer_id LIMIT 1`)
		if l.Customers[0].Pin != best {
			t.Errorf("%q: %+v, want %s first", sort, l.Customers[0], best)
		}
	}
	l := do[customerList](t, s, "", "find_customers", `{"sku_name":"禾煮空气炸锅 4L"}`)
	want := one[int](t, s, `SELECT count(DISTINCT customer_id) FROM orders JOIN order_items USING (order_id) JOIN products USING (sku_id)
		WHERE state <> '已取消' AND instr(name, '禾煮空气炸锅 4L') = 1`)
	if l.Count != want || want == 0 {
		t.Errorf("%d customers bought it, want %d", l.Count, want)
	}
}

func TestLapsedCustomers(t *testing.T) {
	s := newShop(t)
	for arguments, since := range map[string]string{`{"kind":"没下单","from":"2026-05-21","to":"2026-11-21"}`: "2026-05-21", `{"kind":"lapsed","period":"最近30天"}`: "2026-10-22", `{"kind":"没下单"}`: ""} {
		l := do[customerList](t, s, "", "find_customers", arguments)
		want := one[int](t, s, `SELECT count(*) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND o.state NOT IN ('待付款', '已取消') AND o.ordered_at >= ?)`, since)
		if l.Count != want || want == 0 || !strings.Contains(l.Summary, figure(float64(want), 0)+" 位") {
			t.Errorf("%s: %d, want %d: %s", arguments, l.Count, want, l.Summary)
		}
		if last := l.Customers[0].Last; since != "" && last >= since {
			t.Errorf("%s: %+v is not lapsed", arguments, l.Customers[0])
		}
	}
}

// Who never bought a thing may have bought others; in a period, who bought it is told who has ordered nothing since.
func TestNeverBought(t *testing.T) {
	s := newShop(t)
	l := do[customerList](t, s, "", "find_customers", `{"kind":"没下单","category":"空气炸锅"}`)
	want := one[int](t, s, `SELECT count(*) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o JOIN order_items USING (order_id) JOIN products p USING (sku_id)
		WHERE o.customer_id = c.customer_id AND o.state NOT IN ('待付款', '已取消') AND p.category = '空气炸锅')`)
	if l.Count != want || want == 0 || !strings.Contains(l.Summary, "没买过 空气炸锅") {
		t.Errorf("%d, want %d: %s", l.Count, want, l.Summary)
	}
	all := do[customerList](t, s, "", "find_customers", `{"category":"空气炸锅"}`).Count
	since := do[customerList](t, s, "", "find_customers", `{"kind":"没下单","category":"空气炸锅","period":"最近30天"}`)
	if since.Count == 0 || since.Count >= all || !strings.Contains(since.Summary, "没下单、买过 空气炸锅") {
		t.Errorf("%d of %d: %s", since.Count, all, since.Summary)
	}
}

func TestInventoryValue(t *testing.T) {
	s := newShop(t)
	l := do[stockList](t, s, "", "stock_level", `{}`)
	for name, c := range map[string]struct {
		got  float64
		want string
	}{
		"pieces": {float64(l.Pieces), `SELECT sum(stock) FROM products`}, "cost": {l.Cost, `SELECT sum(stock * cost_fen) / 100.0 FROM products`}, "value": {l.Worth, `SELECT sum(stock * price_fen) / 100.0 FROM products`},
	} {
		if want := one[float64](t, s, c.want); digits(want, 2) != c.got {
			t.Errorf("%s: %v, want %v", name, c.got, want)
		}
	}
	if !strings.Contains(l.Summary, zhMoney(l.Worth)) || !strings.Contains(l.SummaryEn, enMoney(l.Cost)) {
		t.Errorf("%s %s", l.Summary, l.SummaryEn)
	}
}
