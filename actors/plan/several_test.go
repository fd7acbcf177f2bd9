package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// changes are the calls of a log that change something, each as tool, what it is made to, and what is said or set.
func changes(h *team) string {
	var out []string
	for _, l := range h.log {
		if l.read || strings.HasPrefix(l.name, "ask:") {
			continue
		}
		s := l.name
		for _, p := range []string{"order_id", "user_pin", "refund_id", "sku_id", "sku_name", "decision", "price", "stock", "text", "reason"} {
			if v, ok := l.args[p]; ok {
				s += " " + fmt.Sprint(v)
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// One sentence that wishes for several things, or for one to be made to several: each is made to what it names, and a text that somebody is told ends where the
// next wish begins.
func TestSeveralChangesInOneSentence(t *testing.T) {
	const a, b = "281064156041", "281053850603"
	h := newTeam(t)
	say := func(id, text string) string { return "send_message_to_buyer " + id + " " + text }
	cancel := func(id string) string { return "cancel_order " + id }
	for request, want := range map[string]string{
		"给订单 " + a + " 的买家发消息说今天发货，然后取消订单 " + b:                                         say(a, "今天发货") + "; " + cancel(b),
		"给订单 " + a + " 的买家发消息说今天发货，再取消 " + b:                                            say(a, "今天发货") + "; " + cancel(b),
		"给订单" + a + "的买家发消息说今天发货，并取消订单" + b:                                             say(a, "今天发货") + "; " + cancel(b),
		"通知订单" + a + "的买家：今天发货，接着取消订单" + b:                                              say(a, "今天发货") + "; " + cancel(b),
		"给订单" + a + "的买家发消息说会先发货然后退款":                                                   say(a, "会先发货然后退款"),
		"给订单" + a + "的买家发消息说今天发货，请查看订单" + a + "的物流":                                     say(a, "今天发货，请查看订单"+a+"的物流"),
		"给订单" + a + "的买家发消息说“今天发货，然后取消订单" + b + "”":                                     say(a, "今天发货，然后取消订单"+b),
		"tell the buyer of order " + a + " that it ships today, then cancel order " + b: say(a, "it ships today") + "; " + cancel(b),
		"tell the buyer of order " + a + " that it ships today and cancel order " + b:   say(a, "it ships today") + "; " + cancel(b),
		"tell the buyer of order " + a + " that we ship it first, then refund the rest": say(a, "we ship it first, then refund the rest"),
	} {
		h.ask(t, request)
		if got := changes(h); got != want {
			t.Errorf("%s: %s, want %s\n\t%s", request, got, want, h.told())
		}
	}
}

// The same of the rows of a list that was shown.
func TestSeveralRowsInOneSentence(t *testing.T) {
	ids := []string{"281064156041", "281053850603", "281053703856"}
	h := newTeam(t)
	cancel := func(rows ...int) string {
		var out []string
		for _, r := range rows {
			out = append(out, "cancel_order "+ids[r-1])
		}
		return strings.Join(out, "; ")
	}
	say := func(text string, rows ...int) string {
		var out []string
		for _, r := range rows {
			out = append(out, "send_message_to_buyer "+ids[r-1]+" "+text)
		}
		return strings.Join(out, "; ")
	}
	for request, want := range map[string]string{
		"给第一个和第三个买家发消息说今天发货":                                          say("今天发货", 1, 3),
		"给第一、第三个买家发消息说今天发货":                                           say("今天发货", 1, 3),
		"给第1、3个订单的买家发消息说今天发货":                                         say("今天发货", 1, 3),
		"给前两个买家发消息说今天发货":                                              say("今天发货", 1, 2),
		"给最后两个买家发消息说今天发货":                                             say("今天发货", 2, 3),
		"通知第一个和第三个买家今天发货":                                             say("今天发货", 1, 3),
		"message the first and third buyers that it ships today":      say("it ships today", 1, 3),
		"tell the first and the third buyer that it ships today":      say("it ships today", 1, 3),
		"tell the buyers of the first two orders that it ships today": say("it ships today", 1, 2),
		"message the last two buyers saying it ships today":           say("it ships today", 2, 3),
		"取消第1、3个":                   cancel(1, 3),
		"取消前三个":                     cancel(1, 2, 3),
		"cancel the last two":       cancel(2, 3),
		"取消最后两个":                    cancel(2, 3),
		"除了第二个都取消":                  cancel(1, 3),
		"cancel all but the second": cancel(1, 3),
		"取消第二个，给第三个买家发消息说今天发货":                                           cancel(2) + "; " + say("今天发货", 3),
		"取消第二个，然后给第三个的买家发消息说今天发货":                                        cancel(2) + "; " + say("今天发货", 3),
		"给第三个买家发消息说今天发货，然后取消第二个":                                         say("今天发货", 3) + "; " + cancel(2),
		"cancel the second and tell the third buyer that it ships today": cancel(2) + "; " + say("it ships today", 3),
		"给这三个买家发消息说今天发货":                                                 say("今天发货", 1, 2, 3),
		"给那三个买家发消息说今天发货":                                                 say("今天发货", 1, 2, 3),
		"message those three buyers that it ships today":                 say("it ships today", 1, 2, 3),
	} {
		for _, answer := range []string{shownHan, shownEnglish} {
			in := ask(request)
			in.History = []Turn{{Request: "待发货的订单有哪些", Answer: answer}}
			h.says["list_orders"] = `{"count":3,"orders":[{"order_id":"281064156041","state":"待发货","consumer_name":"程芳伟"},{"order_id":"281053850603","state":"待发货","consumer_name":"吕艳平"},{"order_id":"281053703856","state":"待发货","consumer_name":"孙涛"}]}`
			h.begin(t, in)
			if got := changes(h); got != want {
				t.Errorf("%s: %s, want %s\n\t%s %+v", request, got, want, h.told(), h.asked)
			}
		}
	}
}

// What a look has shown not to be there is not changed later either, be the change to the other one made or refused.
func TestNothingIsDoneToWhatIsNotThere(t *testing.T) {
	const a, b = "281064156041", "281066999999"
	x := newTeam(t).index["orders"]
	look := func(id string) bus.Action {
		return bus.Action{ToolName: "order_detail", Parameter: json.RawMessage(`{"order_id":"` + id + `"}`)}
	}
	cancel := bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(`{"order_id":"` + a + `"}`)}
	for _, request := range []string{"取消订单 " + a + " 和 " + b, "cancel orders " + a + " and " + b} {
		for _, made := range []Done{
			{Action: cancel, Status: bus.OK, Observation: json.RawMessage(`{"order_id":"` + a + `","state":"已取消"}`)},
			{Action: cancel, Status: bus.Failed, Error: &bus.Error{Code: bus.CodeForbidden, Message: "the user did not agree"}},
		} {
			in := ask(request)
			in.Done = []Done{
				{Action: look(a), Status: bus.OK, Observation: json.RawMessage(`{"order_id":"` + a + `","state":"待发货"}`)},
				{Action: look(b), Status: bus.Failed, Error: &bus.Error{Code: bus.CodeInvalidParameter, Message: "no order " + b}},
				made,
			}
			if out := x.Think(in); len(out.Actions) > 0 || !strings.Contains(out.Answer, b) {
				t.Errorf("%s: %s %q", request, told(out), out.Answer)
			}
		}
	}
}

// What nothing here can pick is said, and nothing is changed.
func TestChangeByAComparison(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"把比同行贵的空气炸锅降价5%", "取消比平时贵的订单", "把比禾煮贵的商品都涨价3元"} {
		if answer := h.ask(t, request); changes(h) != "" || !strings.Contains(answer, "没有执行") || !strings.Contains(answer, "贵的") {
			t.Errorf("%s: %s\n\t%s", request, answer, h.told())
		}
	}
}

// Whose things are looked for is the person, without what makes "of" of the name.
func TestWhoseIsAPerson(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"approve Zhang Yuhua's pending refunds", "approve all of Zhang Yuhua’s pending refunds", "refunds of Zhang Yuhua"} {
		if h.ask(t, request); len(h.log) == 0 || h.log[0].args["consumer_name"] != "Zhang Yuhua" {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}
