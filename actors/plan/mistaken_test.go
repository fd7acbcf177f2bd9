package plan

import (
	"strings"
	"testing"
)

// A change whose words do not fit what a tool would make of them is not made, and what does not fit is named.
func TestMistaken(t *testing.T) {
	h := newTeam(t)
	const order, pot = "281065626058", "禾煮空气炸锅 5L 可视窗"
	for request, said := range map[string]string{
		"把" + pot + "降价10美元":                         "10美元",
		"把" + pot + "的价格改成300美元":                     "300美元",
		"lower the price of " + pot + " by $10":      "$10",
		"lower the price of " + pot + " by 10 euros": "10 euros",
		"给订单" + order + "退款100美元":                    "100美元",
		"把" + pot + "的价格改成-10%":                      "-10%",
		"set the price of " + pot + " to -10%":       "-10%",
		"把" + pot + "的价格改成300公斤":                     "300公斤",
		"set the price of " + pot + " to 3 kg":       "3 kg",
		"取消取消订单" + order + "的操作":                     "取消",
		"取消订单" + order + "的退款申请":                     "退款申请",
		"取消订单" + order + "的发票":                       "发票",
		"撤销订单" + order + "的取消":                       "取消",
		"把订单" + order + "的取消撤回":                      "取消",
		"撤销取消" + order:                               "取消",
		"取消别人家的订单":                                   "别人家的订单",
		"取消竞争对手的订单":                                  "竞争对手的订单",
		"cancel my competitor's orders":              "competitor's orders",
		"cancel my neighbour's order":                "neighbour's order",
		"cancel the refund of order " + order:        "refund",
		"cancel the invoice for order " + order:      "invoice",
	} {
		answer := h.ask(t, request)
		for _, l := range h.log {
			t.Errorf("%s: %v", request, l)
		}
		if !strings.Contains(answer, said) {
			t.Errorf("%s: %s", request, answer)
		}
	}
	for request, tool := range map[string]string{
		"取消订单" + order:          "cancel_order",
		"把" + pot + "降价10元":     "set_price",
		"把" + pot + "的价格改成300元": "set_price",
	} {
		if h.ask(t, request); !strings.Contains(h.told(), tool) {
			t.Errorf("%s: %s %v", request, h.told(), h.asked)
		}
	}
	for request, bound := range map[string]string{ // a number beyond what a tool takes is asked for again with the bound
		"把" + pot + "的价格改成999999999":                "1000000",
		"set the price of " + pot + " to 999999999": "1000000",
	} {
		if h.ask(t, request); h.asked == nil || !strings.Contains(h.asked.Question, bound) {
			t.Errorf("%s: %s %v", request, h.told(), h.asked)
		}
	}
	for request, says := range map[string]string{ // all of a kind: what is possible is said
		"取消所有订单":            "待付款",
		"cancel all orders": "not paid",
	} {
		if h.ask(t, request); h.asked == nil || !strings.Contains(h.asked.Question, says) {
			t.Errorf("%s: %s %v", request, h.told(), h.asked)
		}
	}
	for request, says := range map[string]string{ // what would happen is told, and nothing is done
		"取消订单" + order + "会怎么样":                         "全额退回",
		"如果取消订单" + order + "会有什么后果":                     "全额退回",
		"what happens if I cancel order " + order + "?": "money goes back in full",
	} {
		if got := h.ask(t, request); len(h.log) > 0 || !strings.Contains(got, says) {
			t.Errorf("%s: %s %s", request, h.told(), got)
		}
	}
	for _, request := range []string{"set all prices to 0", "set all prices to 100"} { // a price is no stock
		h.ask(t, request)
		for _, l := range h.log {
			if !l.read && !strings.HasPrefix(l.name, "ask:") {
				t.Errorf("%s: %s", request, h.told())
			}
		}
	}
}
