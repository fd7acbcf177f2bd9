package plan

import (
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// fails ends the outcome's only action with an error.
func fails(in Input, out Outcome, code, message string) Input {
	in.Done = append(in.Done, Done{
		Action: out.Actions[0], Call: bus.ChildID("t", len(in.Done)+1, 0), Status: bus.Failed, Error: &bus.Error{Code: code, Message: message},
	})
	return in
}

func TestRefusalAndFailureAreOneSentence(t *testing.T) {
	x := index(t, "shop.json")
	for _, c := range []struct{ request, code, message, want string }{
		{"取消订单 316123105676", bus.CodeForbidden, "用户没有同意。", "好的，没有执行：取消订单 316123105676。"},
		{"Please cancel order 316123105676.", bus.CodeForbidden, "the user did not agree.", "All right, not done: Please cancel order 316123105676."},
		{"取消订单 316123105676", bus.CodeInvalidParameter, "订单已经发货，不能取消。", "订单已经发货，不能取消。"},
		{"取消订单 316123105676", bus.CodeInvalidParameter, "orders failed: cancel_order: 订单已经发货，不能取消。", "订单已经发货，不能取消。"},
		{"取消订单 316123105676", bus.CodeInvalidParameter, "cancel_order: 订单已经发货，不能取消。", "订单已经发货，不能取消。"},
		{"取消订单 316123105676", bus.CodeInternal, "坏了", "没能完成：坏了。"},
		{"订单316123105676的快递到哪了", bus.CodeInvalidParameter, "没有这个订单。", "没有这个订单。"},
	} {
		in, out := past(x, ask(c.request))
		in = fails(in, out, c.code, c.message)
		if out := x.Think(in); out.Answer != c.want || len(out.Actions) > 0 {
			t.Errorf("%s, %s: %s\nwant %s", c.request, c.message, told(out), c.want)
			t.Log(out.Answer)
		}
	}
}
