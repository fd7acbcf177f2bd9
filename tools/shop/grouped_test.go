package shop

import (
	"slices"
	"strings"
	"testing"
)

// Groups hold all that is counted, each under its own name, and the lists beside them stand in the order asked for.
func TestGroupsAddUp(t *testing.T) {
	s := newShop(t)
	for by, label := range map[string]string{"日": "substr(ordered_at, 1, 10)", "week": "date(ordered_at, '-6 days', 'weekday 1')", "月": "substr(ordered_at, 1, 7)", "city": "city", "状态": "state"} {
		l := do[orderList](t, s, "", "list_orders", `{"by":"`+by+`"}`)
		sum, most := 0, 0
		for _, g := range l.Groups {
			sum, most = sum+g.Count, max(most, g.Count)
		}
		n, best := one[int](t, s, `SELECT count(DISTINCT `+label+`) FROM orders JOIN customers USING (customer_id)`), one[int](t, s, `SELECT max(n) FROM (SELECT count(*) AS n FROM orders JOIN customers USING (customer_id) GROUP BY `+label+`)`)
		if sum != l.Count || len(l.Groups) != n || most != best || l.Orders != nil {
			t.Errorf("by %s: %d of %d in %d groups, the most %d; want %d groups, the most %d", by, sum, l.Count, len(l.Groups), most, n, best)
		}
	}
	for by, label := range map[string]string{"原因": "reason", "product": "name", "类目": "category", "brand": "brand", "kind": "kind", "月": "substr(asked_at, 1, 7)",
		"weekday": "substr('周日周一周二周三周四周五周六', 2 * strftime('%w', asked_at) + 1, 2)", "小时": "substr(asked_at, 12, 2) || ':00'"} {
		l := do[refundList](t, s, "", "list_refunds", `{"by":"`+by+`"}`)
		joined := ` FROM refunds JOIN order_items USING (order_id) JOIN products USING (sku_id)`
		if by != "product" && by != "类目" && by != "brand" {
			joined = ` FROM refunds`
		}
		for _, g := range l.Groups {
			want := one[int](t, s, `SELECT count(DISTINCT refund_id)`+joined+` WHERE `+label+` = '`+g.Group+`'`)
			agreed := yuan(one[int64](t, s, `SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE state = '已同意' AND refund_id IN (SELECT refund_id`+joined+` WHERE `+label+` = '`+g.Group+`')`))
			if g.Count != want || g.Agreed != agreed {
				t.Errorf("%s %s: %d, %v; want %d, %v", by, g.Group, g.Count, g.Agreed, want, agreed)
			}
		}
		if by == "weekday" && (l.Groups[0].Group != "周一" || l.Groups[6].Group != "周日") {
			t.Errorf("%+v", l.Groups)
		}
		if n := one[int](t, s, `SELECT count(DISTINCT `+label+`)`+joined); n != len(l.Groups) || l.Refunds != nil {
			t.Errorf("by %s: %d groups, want %d", by, len(l.Groups), n)
		}
	}
}

func TestListsAreSorted(t *testing.T) {
	s := newShop(t)
	for sort, less := range map[string]func(a, b brief) int{
		"most expensive": func(a, b brief) int { return int(100 * (b.Total - a.Total)) }, "最便宜": func(a, b brief) int { return int(100 * (a.Total - b.Total)) },
		"oldest": func(a, b brief) int { return slices.Compare([]byte(a.Time), []byte(b.Time)) },
	} {
		if l := do[orderList](t, s, "", "list_orders", `{"limit":50,"sort":"`+sort+`"}`); len(l.Orders) != 50 || !slices.IsSortedFunc(l.Orders, less) {
			t.Errorf("%s: %+v", sort, l.Orders)
		}
	}
	l := do[orderList](t, s, "", "list_orders", `{"limit":1,"sort":"最贵"}`)
	if want := yuan(one[int64](t, s, `SELECT max(total_fen) FROM orders`)); l.Orders[0].Total != want {
		t.Errorf("the dearest is %v, want %v", l.Orders[0].Total, want)
	}
	r := do[refundList](t, s, "", "list_refunds", `{"limit":1,"sort":"lowest amount"}`)
	if want := yuan(one[int64](t, s, `SELECT min(amount_fen) FROM refunds`)); r.Refunds[0].Amount != want {
		t.Errorf("the lowest is %v, want %v", r.Refunds[0].Amount, want)
	}
	if want := yuan(one[int64](t, s, `SELECT sum(amount_fen) FROM refunds WHERE state = '已同意'`)); r.Agreed != want {
		t.Errorf("refunded %v, want %v", r.Agreed, want)
	}
}

func TestMarginAndRateOfGroups(t *testing.T) {
	s := newShop(t)
	r := do[salesReport](t, s, "", "sales_statistics", `{"by":"month","period":"今年"}`)
	sum := int64(0)
	for _, g := range r.Groups {
		sum += fen(g.Profit)
		paid := one[float64](t, s, `SELECT count(DISTINCT order_id) FROM sales WHERE substr(day, 1, 7) = '`+g.Group+`'`)
		back := one[float64](t, s, `SELECT count(DISTINCT order_id) FROM sales WHERE substr(day, 1, 7) = '`+g.Group+`' AND order_id IN (SELECT order_id FROM refunds WHERE state = '已同意')`)
		if g.Rate != digits(100*back/paid, 1) {
			t.Errorf("%s: %v, want %v of %v", g.Group, g.Rate, back, paid)
		}
	}
	if want := one[int64](t, s, `SELECT sum(sales_fen - quantity * cost_fen) FROM sales JOIN products USING (sku_id) WHERE day >= '2026-01-01'`); fen(r.Profit) != want || sum != want {
		t.Errorf("the margin is %v, of the groups %v; want %v", r.Profit, yuan(sum), yuan(want))
	}
}

func TestLosingCampaigns(t *testing.T) {
	s := bigShop(t)
	all, losing, earning := do[campaignReport](t, s, "", "campaign_results", `{}`), do[campaignReport](t, s, "", "campaign_results", `{"outcome":"losing"}`), do[campaignReport](t, s, "", "campaign_results", `{"outcome":"赚钱"}`)
	if losing.Count == 0 || losing.Count+earning.Count != all.Count || fen(losing.Profit)+fen(earning.Profit) != fen(all.Profit) {
		t.Errorf("%d losing with %v, %d earning with %v, of %d with %v", losing.Count, losing.Profit, earning.Count, earning.Profit, all.Count, all.Profit)
	}
	for _, c := range losing.Campaigns {
		if c.Profit >= 0 {
			t.Errorf("%+v does not lose", c)
		}
	}
	every := do[campaignReport](t, s, "", "campaign_results", `{"limit":1000}`)
	if n := len(all.Campaigns); n != listed || len(every.Campaigns) != every.Count || every.Count <= n {
		t.Errorf("%d are listed, and %d of %d when all are wanted", n, len(every.Campaigns), every.Count)
	}
}

func TestParcels(t *testing.T) {
	s := newShop(t)
	l := do[parcelList](t, s, "", "list_shipments", `{"state":"under way","limit":1000}`)
	want := one[int](t, s, `SELECT count(*) FROM shipments WHERE delivered_at IS NULL`)
	if l.Count != want || l.Transit != want || len(l.Parcels) != want || want == 0 || slices.ContainsFunc(l.Parcels, func(p parcel) bool { return p.Delivered != "" }) {
		t.Errorf("%d under way, %d listed, want %d", l.Count, len(l.Parcels), want)
	}
	g := do[parcelList](t, s, "", "list_shipments", `{"by":"carrier"}`)
	sum := 0
	for _, c := range g.Groups {
		sum += c.Count
		hours := one[float64](t, s, `SELECT avg(julianday(delivered_at) - julianday(shipped_at)) * 24 FROM shipments WHERE carrier = '`+c.Group+`'`)
		if c.Hours != digits(hours, 1) {
			t.Errorf("%s takes %v hours, want %v", c.Group, c.Hours, hours)
		}
	}
	if hours := digits(one[float64](t, s, `SELECT avg(julianday(shipped_at) - julianday(paid_at)) * 24 FROM shipments JOIN orders USING (order_id)`), 1); g.Until != hours || !strings.Contains(g.SummaryEn, figure(hours, 1)+" hours") {
		t.Errorf("%v hours to ship, want %v: %s", g.Until, hours, g.SummaryEn)
	}
	if sum != g.Count || len(g.Groups) < 2 || g.Parcels != nil {
		t.Errorf("%d of %d by carrier", sum, g.Count)
	}
}

// TestDue: orders that must be shipped soon are those that wait and are not late yet, up to the day that is named.
func TestDue(t *testing.T) {
	s := newShop(t)
	now := s.moment()
	l := do[lateOrders](t, s, "", "late_shipments", `{"kind":"due","period":"未来7天"}`)
	if want := one[int](t, s, `SELECT count(*) FROM orders WHERE state = '待发货' AND ship_by >= '`+now+`'`); l.Count != want || want == 0 {
		t.Errorf("%d are due, want %d", l.Count, want)
	}
	for _, o := range l.Orders {
		if o.Hours > 0 || o.Shipped != "" || o.ShipBy < now {
			t.Errorf("%+v", o)
		}
	}
	for _, o := range do[lateOrders](t, s, "", "late_shipments", `{"kind":"due","period":"明天"}`).Orders {
		if o.ShipBy < "2026-11-21" {
			t.Errorf("due tomorrow: %+v", o)
		}
	}
	if l := do[lateOrders](t, s, "", "late_shipments", `{"period":"上个月"}`); l.Count == 0 || l.Count != do[lateOrders](t, s, "", "late_shipments", `{"kind":"全部","period":"上个月"}`).Count || !strings.Contains(l.Summary, "发货晚了") {
		t.Errorf("late last month: %s", l.Summary)
	}
	if l := do[lateOrders](t, s, "", "late_shipments", `{"kind":"即将到期","from":"2026-11-21","to":"2026-11-21"}`); slices.ContainsFunc(l.Orders, func(o lateOrder) bool { return o.ShipBy >= "2026-11-22" }) {
		t.Errorf("%+v", l.Orders)
	}
}

// Invoices are those of the state and the time asked for: of what is issued by the day of issue, of others by the day of the request.
func TestInvoicesAreCounted(t *testing.T) {
	s := newShop(t)
	for arguments, where := range map[string]string{
		`{}`:                         "true",
		`{"state":"not yet issued"}`: "state = '待开'",
		`{"state":"已开","period":"上个月"}`:     "state = '已开' AND issued_at >= '2026-10-01' AND issued_at < '2026-11-01'",
		`{"from":"2026-10-01","limit":500}`: "requested_at >= '2026-10-01'",
	} {
		l := do[invoiceList](t, s, "", "list_invoices", arguments)
		n, amount := one[int](t, s, `SELECT count(*) FROM invoices WHERE `+where), yuan(one[int64](t, s, `SELECT coalesce(sum(amount_fen), 0) FROM invoices WHERE `+where))
		if l.Count != n || l.Amount != amount || n == 0 || len(l.Invoices) != min(n, max(listed, 500*strings.Count(arguments, "limit"))) {
			t.Errorf("%s: %d invoices of %v, %d listed; want %d of %v", arguments, l.Count, l.Amount, len(l.Invoices), n, amount)
		}
	}
}

// What was taken off and what was paid for freight is of the orders that count as sold, each once, however many products it has.
func TestDiscountsAndFreight(t *testing.T) {
	s := newShop(t)
	const sold = ` FROM orders o JOIN customers c USING (customer_id) WHERE o.state IN ('待发货', '已发货', '已完成') AND substr(ordered_at, 1, 7) = '2026-10'`
	for by, label := range map[string]string{"day": "substr(ordered_at, 1, 10)", "月": "'2026-10'", "city": "city", "小时": "substr(ordered_at, 12, 2) || ':00'"} {
		r := do[salesReport](t, s, "", "sales_statistics", `{"period":"上个月","by":"`+by+`"}`)
		if d, f := one[int64](t, s, `SELECT sum(discount_fen)`+sold), one[int64](t, s, `SELECT sum(freight_fen)`+sold); fen(r.Discount) != d || fen(r.Freight) != f || d == 0 || f == 0 {
			t.Errorf("by %s: %v off, %v freight, want %v and %v", by, r.Discount, r.Freight, yuan(d), yuan(f))
		}
		for _, g := range r.Groups {
			want := one[int64](t, s, `SELECT sum(discount_fen) * 1000000 + sum(freight_fen)`+sold+` AND `+label+` = '`+g.Group+`'`)
			if fen(g.Discount)*1000000+fen(g.Freight) != want {
				t.Errorf("%s: %v off, %v freight, want %d", g.Group, g.Discount, g.Freight, want)
			}
		}
	}
	r := do[salesReport](t, s, "", "sales_statistics", `{"by":"商品","period":"上个月"}`)
	for _, g := range r.Groups {
		if want := one[int64](t, s, `SELECT sum(freight_fen) FROM (SELECT DISTINCT order_id, freight_fen FROM sales JOIN orders USING (order_id) JOIN products USING (sku_id) WHERE name = ? AND substr(day, 1, 7) = '2026-10')`, g.Group); fen(g.Freight) != want {
			t.Errorf("%s: freight %v, want %v", g.Group, g.Freight, yuan(want))
		}
	}
	if !strings.Contains(r.Summary, "优惠 "+zhMoney(r.Discount)) || !strings.Contains(r.SummaryEn, "freight "+enMoney(r.Freight)) {
		t.Error(r.Summary, r.SummaryEn)
	}
}

// A part of the day holds the orders of its hours, of every day.
func TestPartOfTheDay(t *testing.T) {
	s := newShop(t)
	for part, hours := range map[string]string{"上午": "'06' AND '11'", "evening": "'18' AND '23'", "noon": "'11' AND '13'"} {
		l := do[orderList](t, s, "", "list_orders", `{"period":"上个月","daytime":"`+part+`"}`)
		if want := one[int](t, s, `SELECT count(*) FROM orders WHERE substr(ordered_at, 1, 7) = '2026-10' AND substr(ordered_at, 12, 2) BETWEEN `+hours); l.Count != want || want == 0 || !strings.Contains(l.Summary, " 点") {
			t.Errorf("%s: %d orders, want %d: %s", part, l.Count, want, l.Summary)
		}
		if n, want := do[refundList](t, s, "", "list_refunds", `{"period":"上个月","daytime":"`+part+`"}`).Count, one[int](t, s, `SELECT count(*) FROM refunds WHERE substr(asked_at, 1, 7) = '2026-10' AND substr(asked_at, 12, 2) BETWEEN `+hours); n != want {
			t.Errorf("%s: %d refunds, want %d", part, n, want)
		}
		r := do[salesReport](t, s, "", "sales_statistics", `{"period":"上个月","daytime":"`+part+`"}`)
		if want := one[int64](t, s, `SELECT sum(sales_fen) FROM sales JOIN orders USING (order_id) WHERE substr(day, 1, 7) = '2026-10' AND substr(ordered_at, 12, 2) BETWEEN `+hours); fen(r.Amount) != want || !strings.Contains(r.SummaryEn, ":00") {
			t.Errorf("%s: %v, want %v: %s", part, r.Amount, yuan(want), r.SummaryEn)
		}
	}
}

// Refunds of a kind of goods are those of the orders that have such goods.
func TestRefundsOfGoods(t *testing.T) {
	s := newShop(t)
	const of = ` FROM refunds WHERE order_id IN (SELECT order_id FROM order_items JOIN products USING (sku_id) WHERE category = '空气炸锅')`
	l := do[refundList](t, s, "", "list_refunds", `{"category":"air fryers","by":"reason"}`)
	sum := 0
	for _, g := range l.Groups {
		sum += g.Count
		if want := one[int](t, s, `SELECT count(*)`+of+` AND reason = ?`, g.Group); g.Count != want {
			t.Errorf("%s: %d, want %d", g.Group, g.Count, want)
		}
	}
	if want := one[int](t, s, `SELECT count(*)`+of); l.Count != want || sum != want || want == 0 || want == one[int](t, s, `SELECT count(*) FROM refunds`) || !strings.Contains(l.SummaryEn, "category air fryer") {
		t.Errorf("%d requests, %d in groups, want %d: %s", l.Count, sum, want, l.SummaryEn)
	}
	for _, g := range do[refundList](t, s, "", "list_refunds", `{"category":"空气炸锅","by":"商品"}`).Groups {
		if !strings.Contains(g.Group, "空气炸锅") {
			t.Errorf("%s is no such product", g.Group)
		}
	}
}

// Orders of so many pieces are counted by all that is in them, and where goods are named by these.
func TestOrdersOfSoManyPieces(t *testing.T) {
	s := newShop(t)
	for arguments, having := range map[string]string{`{"min_pieces":3}`: ">= 3", `{"min_pieces":2,"max_pieces":2}`: "= 2", `{"max_pieces":1}`: "<= 1"} {
		l := do[orderList](t, s, "", "list_orders", arguments)
		if want := one[int](t, s, `SELECT count(*) FROM (SELECT order_id FROM order_items GROUP BY order_id HAVING sum(quantity) `+having+`)`); l.Count != want || want == 0 || !strings.Contains(l.SummaryEn, "piece") {
			t.Errorf("%s: %d, want %d: %s", arguments, l.Count, want, l.SummaryEn)
		}
	}
	l := do[orderList](t, s, "", "list_orders", `{"category":"空气炸锅","min_pieces":2}`)
	if want := one[int](t, s, `SELECT count(*) FROM (SELECT order_id FROM order_items JOIN products USING (sku_id) WHERE category = '空气炸锅' GROUP BY order_id HAVING sum(quantity) >= 2)`); l.Count != want || want == 0 {
		t.Errorf("of air fryers: %d, want %d", l.Count, want)
	}
}

// Refunds are counted by the day on which they were asked for, and say so: what was refunded of the orders of those days is another sum.
func TestRefundsSayWhichDays(t *testing.T) {
	s := newShop(t)
	l := do[refundList](t, s, "", "list_refunds", `{"period":"最近30天"}`)
	if !strings.Contains(l.Summary, "（申请于 2026-") || !strings.Contains(l.SummaryEn, "(asked for 2026-") {
		t.Errorf("%s %s", l.Summary, l.SummaryEn)
	}
}
