package plan

import (
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A text asks for a change when it names the tool's verb in either language, and not when it asks about it or looks for what was changed.
func TestAsks(t *testing.T) {
	x := NewIndex([]bus.Card{
		{Name: "cancel_order", Kind: "tool", Effect: bus.Idempotent, Description: "取消订单 Cancel an order."},
		{Name: "list_orders", Kind: "tool", Effect: bus.Read, Description: "列出订单 List orders."},
	}, Options{})
	for text, want := range map[string]bool{
		"取消订单 123456789012": true, "Please cancel order 123456789012.": true, "先查一下订单，然后把它取消": true,
		"I would like order 17 cancelled": true, "Please get my order 17 canceled": true, "run cancel_order on 17": true,
		"I want the list of cancelled orders": false, "I do not want order 17 cancelled": false, "do not run cancel_order on 17": false, "what does cancel_order do?": false,
		"已取消的订单有哪些": false, "怎么取消订单?": false, "Can I cancel an order after it was shipped?": false, "where is my order": false, "": false,
	} {
		if x.Asks(text, "cancel_order") != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
	if x.Asks("取消订单", "list_orders") || x.Asks("取消订单", "no_such_tool") {
		t.Error("a tool that changes nothing, or is not there")
	}
}
