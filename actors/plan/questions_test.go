package plan

import (
	"strings"
	"testing"
)

// Short questions of newcomers, and what must be asked of which tool for them, or what is said at once. Today is 2026-05-16.
func TestQuestionsInShort(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	h.says["list_refunds"] = `{"summary":"S。","summary_en":"S.","count":2,"amount":1099,"decision_hours":17.6,"refunds":[{"refund_id":"5100000083578","order_id":"281065778994","consumer_name":"唐英强","amount":199,"reason":"不想要了","state":"待处理","asked_at":"2026-05-16 08:00:00"},{"refund_id":"5100000083580","order_id":"281065778996","consumer_name":"李敏","amount":900,"state":"待处理","asked_at":"2026-05-16 08:00:00"}]}`
	h.says["search_order_code"] = `{"summary":"共 2 个","summary_en":"There are 2.","count":2,"orders":[{"order_id":"281063663568","time":"2026-05-16 08:00:00","consumer_name":"王萍萍","state":"待发货","total":5},{"order_id":"281063663569","time":"2026-05-15 08:00:00","consumer_name":"王萍萍","state":"待发货","total":7}]}`
	h.says["list_orders"] = `{"summary":"S。","summary_en":"S.","count":2,"orders":[{"order_id":"281063663568","time":"2026-05-16 08:00:00","consumer_name":"王萍萍","state":"待发货","total":5}]}`
	for _, c := range []struct{ request, call, says string }{
		{"空气炸锅有几款，分别卖多少钱", "find_products{category=空气炸锅}", ""},
		{"手机有多少种，各多少钱", "find_products{category=手机}", ""},
		{"昨天和今天哪天单多", "list_orders{from=2026-05-15; to=2026-05-15}, list_orders{from=2026-05-16}", "之前"},
		{"Which day had more orders, yesterday or today", "list_orders{from=2026-05-15; to=2026-05-15}, list_orders{from=2026-05-16}", "before"},
		{"4月和3月哪个月的销售额高", "sales_statistics{from=2026-04-01}, sales_statistics{from=2026-03-01}", ""},
		{"which month sold more, March or April", "sales_statistics{from=2026-04-01}, sales_statistics{from=2026-03-01}", ""},
		{"How is today going", "sales_statistics{from=2026-05-16}", ""},
		{"今天怎么样", "sales_statistics{from=2026-05-16}", ""},
		{"last order of 王萍萍", "search_order_code{consumer_name=王萍萍}", "281063663568"},
		{"王萍萍的最后一单", "search_order_code{consumer_name=王萍萍}", "最晚的是 王萍萍 281063663568"},
		{"average refund amount in April", "list_refunds{from=2026-04-01}", "549.5 on average"},
		{"4月平均退款金额", "list_refunds{from=2026-04-01}", "平均 549.5 元"},
		{"what share of refunds were for quality", "list_refunds{by=reason; sku_name=-}", ""},
		{"质量问题的退款占多少", "list_refunds{by=原因; sku_name=-}", ""},
		{"4月质量问题的退货占比是多少", "list_refunds{by=原因; from=2026-04-01}", ""},
		{"买了手机的人还买了什么", "none", "没有算出来"},
		{"what else do people who buy phones buy", "none", "not worked out"},
		{"top customers and what did they buy", "none", "top customers"},
		{"消费最多的客户都买了什么", "none", "消费最多的客户"},
		{"2月30日的订单", "none", "没有「2月30日」这一天"},
		{"orders on February 30", "none", "no “February 30”"},
		{"sales on 2026-04-31", "none", "2026-04-31"},
		{"orders on May 31", "list_orders{from=2025-05-31}", ""},
	} {
		said := h.ask(t, c.request)
		if miss := h.wrong(readWishes(c.call)); miss != "" || !strings.Contains(said, c.says) || strings.Contains(said, "没有按") || strings.Contains(said, "not limited") {
			t.Errorf("%s: %s: %s: %s", c.request, miss, h.told(), said)
		}
	}
}

// A kind of goods whose name is a word of the trade beside, as phones are, takes the place of another kind in the question before.
func TestPhonesAreGoods(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for _, c := range [][3]string{
		{"forecast next month's sales of air fryers", "what about phones", "forecast_sales{category=phones; from=2026-06-01}"},
		{"sales of air fryers last month", "and phones?", "sales_statistics{category=phones; from=2026-04-01}"},
		{"sales of phones last month", "what about air fryers", "sales_statistics{category=air fryers; from=2026-04-01}"},
		{"price of toys", "what about phones?", "find_products{category=phones}"},
		{"the phone of Wang Pingping", "and of Tang Juan?", "find_customers{consumer_name=Tang Juan}"},
	} {
		in := ask(c[1])
		in.History = []Turn{{Request: c[0], Answer: "S."}}
		h.begin(t, in)
		if miss := h.wrong(readWishes(c[2])); miss != "" {
			t.Errorf("%q: %s: %s", c, miss, h.told())
		}
	}
}
