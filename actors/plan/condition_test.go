package plan

import (
	"strings"
	"testing"
)

// A change under a condition that nothing looks at is not made, whichever tool it would be; the condition is named, and the words that make it when it holds.
func TestCondition(t *testing.T) {
	h := newTeam(t)
	const order = "281065626058"
	for request, said := range map[string]string{
		"如果销量下降就把禾煮空气炸锅 5L 可视窗降价10%":                                  "如果销量下降",
		"如果禾煮空气炸锅 5L 可视窗卖得不好就降价10%":                                   "卖得不好",
		"要是没人买，禾煮空气炸锅 5L 可视窗就降到300":                                   "要是没人买",
		"卖不动的话把禾煮空气炸锅 5L 可视窗降价10%":                                    "卖不动的话",
		"一旦断货就取消订单" + order:                                           "一旦断货",
		"万一王萍萍投诉就取消订单" + order:                                        "万一王萍萍投诉",
		"等买家确认后取消订单" + order:                                          "等买家确认",
		"等我确认再取消订单" + order:                                           "等我确认",
		"买家付款后给订单" + order + "开发票":                                    "买家付款后",
		"取消订单" + order + "前先问我":                                       "前先问我",
		"暂时不发货，等客户确认":                                                 "等客户确认",
		"发货前先问我":                                                      "前先问我",
		"cancel order " + order + " if the buyer agrees":              "if the buyer agrees",
		"cancel order " + order + " when the buyer confirms":          "when the buyer confirms",
		"once the buyer pays, cancel order " + order:                  "once the buyer pays",
		"in case of complaints cancel order " + order:                 "in case of complaints",
		"ask me before you cancel order " + order:                     "ask me before",
		"wait for my confirmation before cancelling order " + order:   "wait for my confirmation",
		"if 禾煮空气炸锅 5L 可视窗 does not sell well, lower its price by 10%": "does not sell well",
		"只有缺货才取消订单" + order:                                           "只有缺货才",
		"取消订单" + order + "，除非已经付款":                                    "除非已经付款",
		"除非买家同意，不然取消订单" + order:                                       "除非买家同意",
		"cancel order " + order + " unless it is paid":                "unless it is paid",
		"cancel order " + order + " only if it is damaged":            "only if it is damaged",
		"unless it is paid, cancel order " + order:                    "unless it is paid",
		"cancel order " + order + " as long as nobody minds":          "as long as nobody minds",
	} {
		answer := h.ask(t, request)
		for _, l := range h.log {
			if !l.read {
				t.Errorf("%s: %s", request, h.told())
			}
		}
		if !strings.Contains(answer, said) {
			t.Errorf("%s: %s", request, answer)
		}
	}
	for request, tool := range map[string]string{ // what is no condition, or is looked at
		"如果可以的话，取消订单" + order:                                       "cancel_order",
		"如果订单" + order + "还没发货，就取消":                                 "cancel_order",
		"if possible, cancel order " + order:                        "cancel_order",
		"cancel order " + order + " if it has not been shipped yet": "cancel_order",
		"给王萍萍发消息说如果不满意可以退货":                                         "send_message_to_buyer",
		"看看有没有超时没发的单，有的话给买家发消息说对不起":                                 "send_message_to_buyer",
	} {
		h.ask(t, request)
		if got := h.told(); !strings.Contains(got, tool) {
			t.Errorf("%s: %s %v", request, got, h.asked)
		}
	}
}
