package plan

import (
	"encoding/json"
	"strings"
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

// Of two changes of which one was refused only that one is said not to be done; what is wished beside a no is not passed over.
func TestOnlyWhatWasRefusedIsNotDone(t *testing.T) {
	x := index(t, "shop.json")
	const a, b = "316123105676", "316123105677"
	cancel := func(id string) bus.Action {
		return bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(`{"order_id":"` + id + `"}`)}
	}
	for _, c := range []struct{ request, told, without string }{
		{"取消订单 " + a + " 和 " + b, "用户没有同意，并说：不要取消它，给他发个消息说明天发货", "给他发个消息说明天发货"},
		{"cancel orders " + a + " and " + b, "the user did not agree and said: no, send the buyer a message instead", "send the buyer a message instead"},
		{"取消订单 " + a + " 和 " + b, "用户没有同意，并说：不用了，谢谢", ""},
	} {
		in := ask(c.request)
		in.Done = []Done{
			{Action: cancel(a), Call: "t-1-0", Status: bus.OK, Observation: json.RawMessage(`{"summary":"OK ` + a + `","summary_en":"OK ` + a + `"}`)},
			{Action: cancel(b), Call: "t-1-1", Status: bus.Failed, Error: &bus.Error{Code: bus.CodeForbidden, Message: c.told}},
		}
		answer := x.Think(in).Answer
		_, refused, _ := strings.Cut(answer, say(Language(c.request), "没有执行", "not done"))
		if strings.Contains(refused, a) || !strings.Contains(refused, b) || !strings.Contains(answer, "OK "+a) || !strings.Contains(refused, c.without) || strings.Contains(refused, "谢谢") {
			t.Errorf("%s: %s", c.request, answer)
		}
	}
}
