package plan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// steps are the plan of a request's first round as step, its agent or tool, and the steps it waits for.
func steps(t *testing.T, x *Index, request string) []string {
	t.Helper()
	out := x.Think(ask(request))
	if out.Plan == nil {
		t.Fatalf("%s: no plan: %s", request, told(out))
	}
	var lines []string
	for _, s := range out.Plan.Steps {
		lines = append(lines, strings.TrimSpace(s.ID+" after "+strings.Join(s.After, ",")))
	}
	return lines
}

// The Master's plan is a graph: what points to another wish's result waits for it, everything else begins at once.
func TestGraphOverDomains(t *testing.T) {
	h := newTeam(t)
	for _, c := range []struct {
		request string
		agents  string // in the order in which they are called
		graph   string
	}{
		{"找出发货超时的订单，然后给买家写一条道歉消息，就说对不起", "logistics orders", "s1 after; s2 after s1"},
		{`Find the late orders, then write to their buyers: "we are sorry"`, "logistics orders", "s1 after; s2 after s1"},
		{"Find the late orders, check their refunds and their parcels, and finally tell the buyers \"sorry\"", "logistics aftersales logistics orders", "s1 after; s2 after s1; s3 after s1; s4 after s2,s3"},
		{"列出待发货的订单，看看这些订单有没有退款申请，另外查一下它们的物流，最后通知买家：马上就好", "orders aftersales logistics orders", "s1 after; s2 after s1; s3 after s1; s4 after s2,s3"},
		{"预测下个月空气炸锅的销量，并建议要不要降价", "forecast pricing", "s1 after; s2 after"},
		{"预测下个月空气炸锅的销量，然后看看待处理的退款", "forecast aftersales", "s1 after; s2 after"},
		{"查王萍萍的订单和退款", "orders aftersales", "s1 after; s2 after"},
	} {
		if got := strings.Join(steps(t, h.index["master"], c.request), "; "); got != c.graph {
			t.Errorf("%s: %s, wanted %s", c.request, got, c.graph)
		}
		h.ask(t, c.request)
		var agents []string
		for _, a := range h.agents {
			agents = append(agents, a.ToolName)
		}
		if got := strings.Join(agents, " "); got != c.agents {
			t.Errorf("%s: called %s, wanted %s", c.request, got, c.agents)
		}
	}
}

// The second job knows what the first found, each buyer is written to, and the answer joins both.
func TestTheSecondJobGetsWhatTheFirstFound(t *testing.T) {
	for request, text := range map[string]string{
		"找出发货超时的订单，然后给买家写一条道歉消息：让您久等了":                                     "让您久等了",
		`Find the late orders, then write to their buyers: "we are sorry"`: "we are sorry",
	} {
		h := newTeam(t)
		h.says["late_shipments"] = `{"summary":"超时 2 个。","summary_en":"2 are late.","count":2,"orders":[{"order_id":"281063663568","consumer_name":"王萍萍"},{"order_id":"281061466024","consumer_name":"何涛军"}]}`
		h.says["send_message_to_buyer"] = `{"summary":"已发送。","summary_en":"Sent."}`
		answer := h.ask(t, request)
		var to []string
		for _, l := range h.log {
			if l.name == "send_message_to_buyer" {
				to = append(to, l.args["order_id"].(string))
				if l.args["text"] != text {
					t.Errorf("%s: wrote %v", request, l.args)
				}
			}
		}
		if !slices.Equal(to, []string{"281063663568", "281061466024"}) {
			t.Errorf("%s: wrote to %v: %s", request, to, h.told())
		}
		want := []string{"超时 2 个。", "已发送。", "**找出发货超时的订单**", "**给买家写一条道歉消息：让您久等了**"}
		if text == "we are sorry" {
			want = []string{"2 are late.", "Sent.", "**Find the late orders**", "**write to their buyers"}
		}
		holdsAll(t, answer, want...)
	}
}

// What the user must add is asked for once, after the first job and with what it is for.
func TestAskedInTheSecondJob(t *testing.T) {
	h := newTeam(t)
	h.ask(t, "找出发货超时的订单，然后给买家写一条道歉消息")
	if h.asked == nil || h.asked.Parameter != "text" || h.told() != `late_shipments{} ask:send_message_to_buyer.text{}` {
		t.Fatal(h.told())
	}
	holdsAll(t, h.asked.Question, "给买家写一条道歉消息", "消息内容")
}

// When nothing was found there is nothing to be done with it: nobody is asked, and it is said.
func TestNothingFoundNothingDone(t *testing.T) {
	for request, want := range map[string]string{
		"找出发货超时的订单，然后给买家写一条道歉消息":                           "没有执行：给买家写一条道歉消息。",
		"find the late orders, then write to their buyers": "Not done: write to their buyers.",
		"看看有没有超时没发的单，有的话给买家发消息说对不起":                        "没有执行：有的话给买家发消息说对不起。",
	} {
		h := newTeam(t)
		h.says["late_shipments"] = `{"summary":"已过最晚发货时间还没有发货的订单有 0 个。","summary_en":"0 orders are overdue and not shipped.","count":0,"orders":[]}`
		answer := h.ask(t, request)
		if h.asked != nil || len(h.log) != 1 {
			t.Errorf("%s: %s", request, h.told())
		}
		holdsAll(t, answer, want, "0")
	}
}

// A job that fails holds up what waits for it, and nothing else.
func TestWhatWaitsForAFailureIsNotBegun(t *testing.T) {
	x := newTeam(t).index["master"]
	in := ask("找出发货超时的订单，然后给买家写一条道歉消息：让您久等了，另外看看待处理的退款")
	out := x.Think(in)
	if len(out.Actions) != 2 || out.Actions[0].ToolName != "logistics" || out.Actions[1].ToolName != "aftersales" {
		t.Fatalf("planned %s", told(out))
	}
	in.Done = []Done{
		{Action: out.Actions[0], Call: "t-1-0", Status: bus.Failed, Error: &bus.Error{Code: bus.CodeInternal, Message: "物流系统坏了。"}},
		{Action: out.Actions[1], Call: "t-1-1", Status: bus.OK, Observation: json.RawMessage(`"没有待处理的退款。"`)},
	}
	out = x.Think(in)
	if len(out.Actions) > 0 || out.Ask != nil {
		t.Fatalf("planned %s", told(out))
	}
	holdsAll(t, out.Answer, "没有执行：给买家写一条道歉消息", "物流系统坏了。", "没有待处理的退款。")
}

// Two wishes of one domain are one job, and its agent goes by the same rules.
func TestDependencyWithinADomain(t *testing.T) {
	h := newTeam(t)
	h.says["list_orders"] = `{"count":2,"orders":[{"order_id":"281063663568"},{"order_id":"281061466024"}]}`
	h.ask(t, "列出待发货的订单，然后给它们的买家发消息说今天发货")
	if len(h.agents) != 1 || h.agents[0].ToolName != "orders" {
		t.Errorf("called %v", h.agents)
	}
	if got := h.told(); got != `list_orders{"state":"待发货"} send_message_to_buyer{"order_id":"281063663568","text":"今天发货"} send_message_to_buyer{"order_id":"281061466024","text":"今天发货"}` {
		t.Error(got)
	}
}

// A change of two things that the user named is two calls, each after a look at its thing; one that is not there is not changed.
func TestLookBeforeEachChange(t *testing.T) {
	h := newTeam(t)
	h.ask(t, "取消订单281063663568和281061466024")
	h.says["order_detail"] = `{"order_id":"281063663568"}`
	if got := h.told(); !strings.HasPrefix(got, `order_detail{"order_id":"281063663568"} order_detail{"order_id":"281061466024"} cancel_order{"order_id":"281063663568"}`) {
		t.Error(got)
	}
	h.fails["order_detail"] = &bus.Error{Code: bus.CodeInvalidParameter, Message: "没有这个订单。"}
	answer := h.ask(t, "取消订单281063663568")
	if got := h.told(); got != `order_detail{"order_id":"281063663568"}` {
		t.Error(got)
	}
	holdsAll(t, answer, "没有这个订单。")

	h.fails["order_detail"] = &bus.Error{Code: bus.CodeUnavailable, Message: "没有响应", Retryable: true} // says nothing about the order
	h.ask(t, "取消订单281063663568")
	if got := h.told(); !strings.HasSuffix(got, `cancel_order{"order_id":"281063663568"}`) {
		t.Error(got)
	}
}

// Several facts that are missing are one question, and one answer may tell them all.
func TestOneQuestionForAllThatIsMissing(t *testing.T) {
	x := newTeam(t).index["logistics"]
	in := ask("给订单281063663568发货")
	out := x.Think(in)
	if out.Ask == nil || out.Ask.ToolName != "ship_order" || len(out.Ask.Options) > 0 {
		t.Fatalf("planned %s", told(out))
	}
	holdsAll(t, out.Ask.Question, "给订单281063663568发货", "快递公司", "运单号")
	in.Answers = []Answer{{Ask: *out.Ask, Text: "中通，单号 ZT1234567890"}}
	in.Done = []Done{{Action: bus.Action{ToolName: "order_detail", Parameter: json.RawMessage(`{"order_id":"281063663568"}`)}, Status: bus.OK, Observation: json.RawMessage(`{"order_id":"281063663568","state":"待发货"}`)}}
	if a, args := one(t, x.Think(in)); a.ToolName != "ship_order" || args["carrier"] != "中通" || args["waybill"] != "ZT1234567890" {
		t.Errorf("planned %s %v", a.ToolName, args)
	}
}

// What the schema wants in view of another argument is asked for like any other fact, and taken to the letter.
func TestReasonOfARefusal(t *testing.T) {
	x := newTeam(t).index["aftersales"]
	in := ask("拒绝退款5100000000131")
	out := x.Think(in)
	if out.Ask == nil || out.Ask.Parameter != "reason" {
		t.Fatalf("planned %s", told(out))
	}
	in.Answers = []Answer{{Ask: *out.Ask, Text: "我们已经补发了"}}
	in.Done = []Done{{Action: bus.Action{ToolName: "refund_detail", Parameter: json.RawMessage(`{"refund_id":"5100000000131"}`)}, Status: bus.OK, Observation: json.RawMessage(`{"refund_id":"5100000000131","state":"待处理"}`)}}
	if _, args := one(t, x.Think(in)); args["reason"] != "我们已经补发了" || args["decision"] != "拒绝" {
		t.Errorf("planned %v", args)
	}
	at := ask("Refuse refund 5100000000131 because the seal is broken")
	at.Done = in.Done
	if _, args := one(t, x.Think(at)); args["reason"] != "the seal is broken" {
		t.Errorf("planned %v", args)
	}
}

// The rest of a plan follows what was observed: a value that opens the next step, an empty result that ends it, a failure for which
// there is another way.
func TestTheRestOfAPlanFollowsWhatWasObserved(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("王萍萍的包裹到哪里了")
	first := x.Think(in)
	for observation, want := range map[string]string{
		`{"total":1,"orders":[{"order_id":"316123105676"}]}`: "track_shipment",
		`{"total":0,"orders":[]}`:                            "没有找到",
	} {
		if out := x.Think(did(in, first, observation)); !strings.Contains(told(out)+out.Answer, want) {
			t.Errorf("%s: %s", observation, told(out))
		}
	}
	in = failed(in, first, false)
	if out := x.Think(in); slices.ContainsFunc(out.Actions, func(a bus.Action) bool { return a.ToolName == first.Actions[0].ToolName }) {
		t.Errorf("the call that failed for good is made again: %s", told(out))
	}
}

// A day or a product limits the wish that it was said of, and no other.
func TestWishesDoNotLimitEachOther(t *testing.T) {
	h := newTeam(t)
	answer := h.ask(t, "预测下个月空气炸锅的销量，然后看看待处理的退款，再查一下超时的订单")
	want := `forecast_sales{"category":"空气炸锅","from":"2026-06-01","to":"2026-06-30"} list_refunds{"state":"待处理"} late_shipments{"kind":"未发货"}`
	if got := h.told(); got != want {
		t.Errorf("called %s\nwanted %s", got, want)
	}
	if strings.Contains(answer, "注意：") {
		t.Error(answer)
	}
}
