package plan

import "testing"

// A slip of the fingers, or a sign of the same sound, is read as the card's word that it nearly is; names, quotes, messages, codes and
// other words stay what they are.
func TestRespelt(t *testing.T) {
	x := newTeam(t).index["master"]
	for said, meant := range map[string]string{
		"awating shipment":                      "awaiting shipment",
		"oders awaiting shipmnt":                "orders awaiting shipment",
		"Cancle order 281063663568":             "cancel order 281063663568",
		"please aprove refund 5100000000131":    "please approve refund 5100000000131",
		"sales forcast of next mnth":            "sales forecast of next month",
		"show the cancled orders":               "show the canceled orders",
		"代发货的订单":                                "待发货的订单",
		"有多少带付款的订单":                             "有多少待付款的订单",
		"曲消订单281063663568":                      "",
		"统一退款 5100000000131":                    "",
		"句绝退款":                                  "",
		"show me the channel of order 17":       "",
		"clean order 17 up":                     "",
		"cancelled orders":                      "",
		"待发货的订单":                                "",
		"已发货、没发货、未付款":                           "",
		"do you sell socks":                     "",
		"a chance to sell":                      "",
		"orders of the customer named Oders":    "",
		"find the products called oders":        "",
		`tell the buyer: "your oder is cancle"`: "",
		"tell the buyer that the oder shippes":  "",
		"给买家发消息说代发货的马上就好":                       "",
		"track parcel AWATING-17":               "",
		"write to awating@example.org":          "",
		"did wang oders place an order":         "",
		"王萍萍买了多少":                               "", "谁卖了空气炸锅": "", "卖了什么": "",
		"地质锤有货吗": "",
	} {
		got, told := x.respelt(said, "en")
		if meant == "" {
			meant = said
		}
		if got != meant || (len(told) > 0) != (said != meant) {
			t.Errorf("%s: read as %q %v, want %q", said, got, told, meant)
		}
	}
}

// What was read otherwise is told, and a wish is one in spite of its slip; a state with one is none.
func TestSlips(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{
		"cancle order 281063663568":     "cancel_order{order_id=281063663568}",
		"plz cancl 281063663568":        "cancel_order{order_id=281063663568}",
		"awating shipment":              "list_orders{state=awaiting shipment}",
		"代发货的订单有哪些":                     "list_orders{state=待发货}",
		"how many cancled orders today": "list_orders{state=canceled/cancelled/已取消}",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s: %s", request, miss, h.told())
		}
	}
	x := h.index["orders"]
	for text, tool := range map[string]string{"cancle order 17": "cancel_order", "show the cancled orders": "cancel_order", "曲消订单17": "cancel_order"} {
		if x.Asks(text, tool) {
			t.Errorf("%s: asked for by a slip", text)
		}
	}
	if h.index["aftersales"].Asks("解释统一退款政策", "decide_refund") {
		t.Error("asked for by a sound")
	}
	holdsAll(t, x.Think(ask("cancle order 281063663568")).Thought, "“cancle” read as “cancel”")
}
