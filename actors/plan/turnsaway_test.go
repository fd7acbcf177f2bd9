package plan

import (
	"strings"
	"testing"
)

// A request that speaks of another matter is one of its own, though it begins with no wish; what only changes a fact of the last one goes on with it.
func TestTurnsAway(t *testing.T) {
	h := newTeam(t)
	for _, c := range []struct {
		before, request, tool, not string // not stands in no argument
	}{
		{"王萍萍有多少订单", "调研空气炸锅市场", "deep_search", "王萍萍"},
		{"list late orders", "research air fryer market trends", "deep_search", "late"},
		{"王萍萍有多少订单", "太阳离地球多远", "", ""},
		{"空气炸锅上个月卖了多少", "这个月", "sales_statistics", "2026-04-01"},
		{"成都的待付款订单有几个", "金额超过 500 的待发货订单", `list_orders{"min_amount":500.01,"state":"待发货"}`, "成都"},
		{"unpaid orders from Chengdu", "the most expensive cancelled orders", `"state":"cancelled"`, "Chengdu"},
		{"谁是我们的最大客户", "毛利最低的五个商品", "sales_statistics", "消费"},
		{"who is our best customer", "the ten best selling products", "sales_statistics", "customer"},
		{"王萍萍的订单", "金额超过 500 的订单", `"consumer_name":"王萍萍"`, ""},
	} {
		in := ask(c.request)
		in.History = []Turn{{Request: c.before, Answer: "S."}}
		h.begin(t, in)
		told := h.told()
		if c.tool == "" && told != "" || !strings.Contains(told, c.tool) || c.not != "" && strings.Contains(told, c.not) {
			t.Errorf("%s; %s: %s", c.before, c.request, told)
		}
	}
}

// What has no shipment is not looked up as if it had one: it is asked of what the shipment is wanted.
func TestPlaceOfAnotherKind(t *testing.T) {
	h := newTeam(t)
	const shown = "S.\n\n| 商品名称 | 品牌 | 售价 | 商品编号 |\n| --- | --- | --- | --- |\n| 禾煮空气炸锅 5L 可视窗 | 禾煮 | 329 | 10000020260001 |\n| 禾煮空气炸锅 4L 家用 | 禾煮 | 199 | 10000020269974 |\n"
	in := ask("那第二个的物流呢")
	in.History = []Turn{{Request: "店里卖哪些空气炸锅", Answer: shown}}
	if h.begin(t, in); h.asked == nil || !strings.Contains(h.asked.Question, "订单编号") || len(h.log) != 1 {
		t.Errorf("of a product: %s", h.told())
	}
	in.History = fiveShown()
	if h.begin(t, in); !strings.Contains(h.told(), `"order_id":"281053850603"`) {
		t.Errorf("of an order: %s", h.told())
	}
}
