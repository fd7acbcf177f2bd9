package plan

import (
	"strings"
	"testing"
)

// A note is put on a thing in many words; what it says is whole, nobody's wish, and no other property of the thing.
func TestNoteIsPutOn(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	const order = "change_order{order_id=281063663568; address=-; receiver=-; note="
	for request, note := range map[string]string{
		"备注订单281063663568：老客户": "老客户", "备注一下281063663568，老客户": "老客户", "订单281063663568备注老客户": "老客户", "281063663568 备注：生日礼物": "生日礼物",
		"给订单281063663568备注：买家要求退款再发货": "买家要求退款再发货", "在281063663568上备注加急": "加急", "订单281063663568注明不要发顺丰": "不要发顺丰",
		"把订单281063663568的备注改成：老客户，送小礼物": "老客户，送小礼物", "把订单281063663568的备注改成“老客户，送小礼物”": "老客户，送小礼物", "把订单281063663568的备注改成：急": "急",
		"note on order 281063663568: VIP": "VIP", "add a note to order 281063663568: VIP": "VIP", "note order 281063663568 as VIP": "VIP", "order 281063663568: note VIP": "VIP",
		`add note "fragile" to order 281063663568`: "fragile", "put a note on 281063663568: handle with care": "handle with care",
		"leave a note on order 281063663568 that says call before delivery":                 "call before delivery",
		"change the note of order 281063663568 to: call before delivery, leave at the door": "call before delivery, leave at the door",
		"change the note of order 281063663568 to: cancel if late":                          "cancel if late",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(order + note + "}")); miss != "" {
			t.Errorf("%s: %s; %s", request, miss, h.told())
		}
	}
	for request, want := range map[string]string{
		"订单281063663568有备注吗":                      "order_detail{}",
		"what is the note on order 281063663568":  "order_detail{}",
		"给这个订单备注：易碎":                              "ask:change_order.order_id",
		"把这个订单的备注改成「易碎」":                          "ask:change_order.order_id", // and no agent finds an order by what the note shall say
		"把订单281063663568的备注改为加急，收货人改成李四":          "change_order{note=加急; receiver=李四}",
		"给订单281063663568备注：老客户。再取消订单281063663569": "change_order{note=老客户; order_id=281063663568}, cancel_order{order_id=281063663569}",
		"把订单281063663568的地址改成“建国路1号，2单元301”":      "change_order{address=建国路1号，2单元301; note=-}",
		"把订单281063663568的地址改成建国路1号，2单元301":        "change_order{address=建国路1号，2单元301; note=-}",
	} {
		answer := h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s; %s: %s", request, miss, h.told(), strings.TrimSpace(answer))
		}
	}
}
