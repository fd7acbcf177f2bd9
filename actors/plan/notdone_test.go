package plan

import (
	"strings"
	"testing"
)

// Who did not do something are others than those that did: they are looked up where a tool knows them, and nothing is listed where none does. Today is 2026-05-16.
func TestWhoDidNot(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for _, c := range []struct{ request, call, says string }{
		{"who has not ordered in 90 days", "find_customers{kind=没下单; from=2026-02-16}", ""},
		{"90天没下单的客户", "find_customers{kind=没下单; from=2026-02-16}", ""},
		{"who hasn't bought anything this month", "find_customers{kind=没下单; from=2026-05-01}", ""},
		{"which customers did not order last month", "find_customers{kind=没下单; from=2026-04-01}", ""},
		{"哪些老客户最近两个月没有下单", "find_customers{kind=没下单; from=2026-03-17}", ""},
		{"没买过手机的客户", "find_customers{kind=没下单; category=手机}", ""},
		{"没买过手机的客户有多少", "find_customers{kind=没下单; category=手机}", ""},
		{"who didn't buy anything in April", "find_customers{kind=没下单; from=2026-04-01; sku_name=-}", ""},
		{"who never bought air fryers", "find_customers{kind=没下单; category=air fryers}", ""},
		{"products not sold in 90 days", "sales_statistics{sold=没卖出/unsold; from=2026-02-16}", ""},
		{"哪些商品30天没卖出去", "sales_statistics{sold=没卖出; from=2026-04-17}", ""},
		{"orders without an invoice", "list_orders{state=未开票/not invoiced; discounted=-}", ""},
		{"which orders did not get a refund", "list_orders{state=not refunded/未退款}", ""},
		{"customers who never returned anything", "find_customers{kind=-}", "“never returned”"},
		{"没有退过款的客户", "list_orders", "「没有退过款」"},
		{"没有退过货的商品", "list_orders", "「没有退过货」"},
	} {
		said := h.ask(t, c.request)
		if miss := h.wrong(readWishes(c.call)); miss != "" || !strings.Contains(said, c.says) || (c.says == "") == (strings.Contains(said, "没有算出来") || strings.Contains(said, "not worked out")) {
			t.Errorf("%s: %s: %s: %s", c.request, miss, h.told(), said)
		}
	}
}
