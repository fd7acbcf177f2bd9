package shop

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// leading is where the figure stands that each tool's summary has to say.
var leading = map[string]string{
	"search_order_code": "count", "order_detail": "total", "track_shipment": "waybill", "late_shipments": "count", "list_shipments": "count", "list_refunds": "count", "refund_detail": "amount", "list_orders": "count",
	"invoice_status": "amount", "list_invoices": "count", "find_customers": "count", "find_products": "count", "stock_level": "count", "sales_statistics": "amount",
	"forecast_sales": "expected", "suggest_price": "suggestions", "campaign_results": "roi", "propose_campaign": "budget",
	"opportunity_keywords": "count", "check_shop_qualifications": "requirements", "urge_shipment": "urged", "change_order": "order_id",
	"ship_order": "waybill", "change_order_state": "order_id", "cancel_order": "refunded", "decide_refund": "refund_id",
	"issue_invoice": "amount", "send_message_to_buyer": "user_pin", "set_stock": "stock", "set_price": "price",
}

var (
	leftover    = regexp.MustCompile(`%!|%[sdv]|  |NaN|，，|。。|\(\)|（）`)
	chineseText = regexp.MustCompile(`\p{Han}`)
)

// Every tool's result says in both languages what was asked, with the figure that its fields have.
func TestEveryResultIsTold(t *testing.T) {
	s := newShop(t)
	for i, c := range goodCalls {
		result, err := s.try(t, fmt.Sprintf("told-%d", i), c.tool, fillIn(t, s, c.arguments))
		if err != nil {
			t.Errorf("%s: %v", c.tool, err)
			continue
		}
		body, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(body, &fields); err != nil {
			t.Fatal(err)
		}
		want := ""
		switch v := fields[leading[c.tool]].(type) {
		case float64:
			want = cents(v)
		case string:
			want = v
		case []any:
			want = fmt.Sprint(len(v))
		default:
			t.Errorf("%s has no %q", c.tool, leading[c.tool])
		}
		// The figure as a whole, not digits of an id or a date.
		whole := regexp.MustCompile(`(^|[^0-9,.-])` + regexp.QuoteMeta(want) + `($|[^0-9,-]|,[^0-9])`)
		for _, language := range []string{"summary", "summary_en"} {
			said, _ := fields[language].(string)
			if said == "" || !whole.MatchString(said) || leftover.MatchString(said) {
				t.Errorf("%s: %s %q, without %q", c.tool, language, said, want)
			}
			t.Logf("%s: %s", c.tool, said)
		}
		if zh := fields["summary"].(string); !chineseText.MatchString(zh) {
			t.Errorf("%s: %q is not Chinese", c.tool, zh)
		}
	}
}

func TestSummaryOfOrders(t *testing.T) {
	s := newShop(t)
	count := one[int](t, s, `SELECT count(*) FROM orders o JOIN customers c USING (customer_id) WHERE c.name = '王萍萍' OR o.receiver = '王萍萍'`)
	if count < 2 {
		t.Fatalf("王萍萍 has %d orders in this shop; the test wants some", count)
	}
	const where = ` FROM orders o JOIN customers c USING (customer_id) WHERE (c.name = '王萍萍' OR o.receiver = '王萍萍')`
	first, last := one[string](t, s, `SELECT substr(min(ordered_at), 1, 10)`+where), one[string](t, s, `SELECT substr(max(ordered_at), 1, 10)`+where)
	paid := cents(yuan(one[int64](t, s, `SELECT sum(o.total_fen)`+where+` AND o.state NOT IN ('待付款', '已取消')`)))
	for _, name := range []string{"王萍萍", "Pingping Wang"} {
		f := do[found](t, s, "", "search_order_code", `{"consumer_name":"`+name+`"}`)
		zh := fmt.Sprintf("王萍萍共有 %d 个订单（%s 至 %s），实付合计 %s 元", count, first, last, paid)
		en := fmt.Sprintf("There are %d orders of Wang Pingping (王萍萍) (%s to %s), CNY %s paid in all", count, first, last, paid)
		if !strings.HasPrefix(f.Summary, zh) || !strings.HasPrefix(f.SummaryEn, en) {
			t.Errorf("%s:\n%s\n%s\nwant\n%s\n%s", name, f.Summary, f.SummaryEn, zh, en)
		}
	}
	others := one[int](t, s, `SELECT count(*)`+where+` AND c.name <> '王萍萍'`)
	if _, err := s.write.ExecContext(t.Context(), `UPDATE orders SET receiver = '王萍萍' WHERE order_id = (SELECT max(order_id) FROM orders JOIN customers c USING (customer_id) WHERE c.name <> '王萍萍' AND receiver <> '王萍萍')`); err != nil {
		t.Fatal(err)
	}
	f := do[found](t, s, "", "search_order_code", `{"consumer_name":"Wang Pingping"}`)
	if f.Count != count+1 || !strings.Contains(f.Summary, fmt.Sprintf("其中 %d 个由别人下单，收货人是王萍萍。", others+1)) ||
		!strings.Contains(f.SummaryEn, fmt.Sprintf(" %d of them others placed, with Wang Pingping (王萍萍) as the receiver.", others+1)) {
		t.Errorf("%q, %q", f.Summary, f.SummaryEn)
	}
	if one := do[found](t, s, "", "search_order_code", fillIn(t, s, `{"order_id":"$done"}`)); !strings.Contains(one.Summary, "已完成，") || !strings.Contains(one.SummaryEn, ", completed; ") {
		t.Errorf("%q, %q", one.Summary, one.SummaryEn)
	}
	none := do[found](t, s, "", "search_order_code", `{"consumer_mobile_phone":"12999999999"}`)
	if none.Summary != "符合条件（电话 12999999999）的订单共有 0 个。请核对条件，或少给几个条件再查。" ||
		none.SummaryEn != "There are 0 orders for phone 12999999999. Please check the conditions, or give fewer of them." {
		t.Errorf("%q, %q", none.Summary, none.SummaryEn)
	}
}

func TestWording(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{zhMoney(11255), "11,255 元"}, {enMoney(299.5), "CNY 299.50"}, {zhMoney(.05), "0.05 元"}, {enMoney(-1234567.891), "CNY -1,234,567.89"}, {figure(999.96, 1), "1,000"},
		{figure(-.01, 1), "0"}, {many(1, "order"), "1 order"}, {many(0, "order"), "0 orders"}, {many(1500, "order"), "1,500 orders"},
		{zhMove(3.25), "上升 3.3%"}, {enMove(-3), "down 3%"}, {enMove(0), "unchanged"},
		{enList([]string{"a", "b", "c"}, 3), "a, b and c"}, {enList([]string{"a", "b", "c"}, 2), "a, b and 1 more"}, {enList([]string{"a"}, 2), "a"}, {enList(nil, 2), ""},
		{zhList([]string{"甲", "乙", "丙"}, 2), "甲、乙 等"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// A list that shows less than it counts says so.
func TestShortListsSayIt(t *testing.T) {
	s := newShop(t)
	for _, tool := range []string{"list_orders", "find_customers", "list_refunds", "late_shipments", "list_shipments", "stock_level"} {
		arguments := `{"limit":1}`
		if tool == "late_shipments" {
			arguments = `{"limit":1,"kind":"全部"}`
		}
		result, err := s.try(t, "", tool, arguments)
		if err != nil {
			t.Fatal(tool, err)
		}
		body, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			told
			Count int `json:"count"`
		}
		if err := json.Unmarshal(body, &r); err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(r.Summary, "只列出") && strings.Contains(r.SummaryEn, "Only the"); !said || r.Count < 2 {
			t.Errorf("%s of %d: %s %s", tool, r.Count, r.Summary, r.SummaryEn)
		}
	}
}
