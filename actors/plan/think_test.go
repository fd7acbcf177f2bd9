package plan

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// did appends the outcome's actions to the input as ended with the given observation.
func did(in Input, out Outcome, observation string) Input {
	for i, a := range out.Actions {
		in.Done = append(in.Done, Done{Action: a, Call: bus.ChildID("t", len(in.Done)+1, i), Status: bus.OK, Observation: json.RawMessage(observation)})
	}
	return in
}

func failed(in Input, out Outcome, retryable bool) Input {
	for i, a := range out.Actions {
		in.Done = append(in.Done, Done{
			Action: a, Call: bus.ChildID("t", len(in.Done)+1, i), Status: bus.Failed,
			Error: &bus.Error{Code: bus.CodeUnavailable, Message: "仓库系统没有响应", Retryable: retryable},
		})
	}
	return in
}

// one returns the only action and its arguments.
func one(t *testing.T, out Outcome) (bus.Action, map[string]any) {
	t.Helper()
	if len(out.Actions) != 1 {
		t.Fatalf("want one action, got %s (thought: %s)", told(out), out.Thought)
	}
	args := map[string]any{}
	if raw := out.Actions[0].Parameter; raw != nil {
		if err := json.Unmarshal(raw, &args); err != nil {
			t.Fatal(err)
		}
	}
	return out.Actions[0], args
}

func holdsAll(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

func TestCountIsAnswered(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("我有多少订单是王萍萍买的?")
	out := x.Think(in)
	a, _ := one(t, out)
	if a.TrustMode != 0 {
		t.Error("a tool's observation must come back to be put into words")
	}
	holdsAll(t, out.Thought, "search_order_code", "王萍萍")
	in = did(in, out, `{"total":3,"orders":[{"order_id":"316123105676","consumer_name":"王萍萍","sku_name":"空气炸锅","amount":299}]}`)
	out = x.Think(in)
	if len(out.Actions) > 0 || out.Ask != nil {
		t.Fatalf("should answer, got %s", told(out))
	}
	holdsAll(t, out.Answer, "共 3 个订单。", "| 订单编号 |", "316123105676", "空气炸锅")
	if out.Critique == "" {
		t.Error("the observation was not judged")
	}
}

func TestNothingFoundSaysByWhat(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("我有多少订单是王萍萍买的?")
	out := x.Think(did(in, x.Think(in), `{"total":0,"orders":[]}`))
	holdsAll(t, out.Answer, "没有找到", "王萍萍")
}

func TestRulesAreQuotedWithLink(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("偏远地区发出了又不要了，运费谁承担")
	out := x.Think(did(in, x.Think(in), `{"passages":[{"title":"运费问题的处理","text":"由造成退货的一方承担运费。","link":"https://rules.example/3727"}]}`))
	holdsAll(t, out.Answer, "> 由造成退货的一方承担运费。", "[运费问题的处理](https://rules.example/3727)")
}

func TestBareFactBringsTheEarlierGoalBack(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("我这个是京东小店的")
	in.History = []Turn{{Request: "什么类目的标题可以不带品牌的名字", Answer: "都需要带上品牌。"}}
	out := x.Think(in)
	a, args := one(t, out)
	if a.ToolName != "search_rules" || args["query"] != "什么类目的标题可以不带品牌的名字，京东小店" {
		t.Errorf("planned %s", told(out))
	}
	holdsAll(t, out.Thought, "京东小店", "什么类目的标题可以不带品牌的名字")
}

func TestInsteadOfTheEarlierPerson(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("那李建国的呢？")
	in.History = []Turn{{Request: "我有多少订单是王萍萍买的?", Answer: "3"}}
	a, args := one(t, x.Think(in))
	if a.ToolName != "search_order_code" || args["consumer_name"] != "李建国" {
		t.Errorf("planned %s %v", a.ToolName, args)
	}
}

func TestCompleteTurnIsNotPolluted(t *testing.T) {
	x := index(t, "shop.json")
	alone := x.Think(ask("空气炸锅还有多少库存"))
	in := ask("空气炸锅还有多少库存")
	in.History = []Turn{{Request: "我有多少订单是王萍萍买的?", Answer: "3"}}
	if with := x.Think(in); !reflect.DeepEqual(alone.Actions, with.Actions) {
		t.Errorf("history changed %s to %s", told(alone), told(with))
	}
}

func TestPronounTakesTheLastOrder(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("这个订单的快递到哪了")
	in.History = []Turn{
		{Request: "看看订单 316123105670 的详情", Answer: "…"},
		{Request: "看看订单 316123105676 的详情", Answer: "…"},
	}
	a, args := one(t, x.Think(in))
	if a.ToolName != "track_shipment" || args["order_id"] != "316123105676" {
		t.Errorf("planned %s %v", a.ToolName, args)
	}
}

func TestMissingFactIsAskedAndUsed(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("开店要什么资质")
	out := x.Think(in)
	if out.Ask == nil || out.Ask.Parameter != "keyword" || out.Ask.ToolName != "check_shop_qualifications" || out.Ask.Kind != bus.Question {
		t.Fatalf("should ask for the keyword, got %s", told(out))
	}
	holdsAll(t, out.Ask.Question, "类目")

	same := in // answered while the task waits
	same.Answers = []Answer{{Ask: *out.Ask, Text: "卖洋酒的"}}
	if a, args := one(t, x.Think(same)); a.ToolName != "check_shop_qualifications" || args["keyword"] != "洋酒" {
		t.Errorf("planned %s %v", a.ToolName, args)
	}
	later := ask("宠物食品") // answered by the next request of the session
	later.History = []Turn{{Request: "开店要什么资质", Ask: out.Ask}}
	if a, args := one(t, x.Think(later)); a.ToolName != "check_shop_qualifications" || args["keyword"] != "宠物食品" {
		t.Errorf("planned %s %v", a.ToolName, args)
	}
	other := ask("空气炸锅还有多少库存") // something else instead of an answer
	other.History = later.History
	if a, _ := one(t, x.Think(other)); a.ToolName != "stock" {
		t.Errorf("planned %s", a.ToolName)
	}
}

func TestProviderThenEachOfItsFindings(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("王萍萍的包裹到哪里了")
	out := x.Think(in)
	if a, args := one(t, out); a.ToolName != "search_order_code" || args["consumer_name"] != "王萍萍" {
		t.Fatalf("planned %s", told(out))
	}
	if out.Plan == nil || len(out.Plan.Steps) != 2 || out.Plan.Steps[1].Status != bus.NotStarted || len(out.Plan.Steps[1].After) != 1 {
		t.Fatalf("plan %+v", out.Plan)
	}
	in = did(in, out, `{"total":2,"orders":[{"order_id":"316123105676"},{"order_id":"316123105677"}]}`)
	out = x.Think(in)
	if len(out.Actions) != 2 || out.Actions[0].ToolName != "track_shipment" || out.Actions[0].ID == out.Actions[1].ID {
		t.Fatalf("planned %s", told(out))
	}
	if p := x.Check(out.Actions); p != nil {
		t.Fatal(p)
	}
	in = did(in, out, `{"carrier":"顺丰","place":"北京"}`)
	out = x.Think(in)
	holdsAll(t, out.Answer, "快递公司：顺丰", "当前位置：北京")
	for _, s := range out.Plan.Steps {
		if s.Status != bus.StepCompleted {
			t.Errorf("step %+v", s)
		}
	}
}

func TestChangeToSeveralAsksWhich(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("取消王萍萍的订单")
	out := x.Think(in)
	in = did(in, out, `{"total":2,"orders":[{"order_id":"316123105676"},{"order_id":"316123105677"}]}`)
	out = x.Think(in)
	if out.Ask == nil || !reflect.DeepEqual(out.Ask.Options, []string{"316123105676", "316123105677"}) {
		t.Fatalf("should ask which, got %s", told(out))
	}
	in.Answers = []Answer{{Ask: *out.Ask, Text: "316123105677"}}
	if a, args := one(t, x.Think(in)); a.ToolName != "cancel_order" || args["order_id"] != "316123105677" {
		t.Errorf("planned %s %v", a.ToolName, args)
	}
}

func TestNoWriteFromAQuestion(t *testing.T) {
	x := index(t, "shop.json")
	for _, q := range []string{"能不能取消订单123456789012?", "怎么取消订单", "订单123456789012为什么被取消了", "Can I cancel order 123456789012?", "取消订单有什么规定"} {
		for _, a := range x.Think(ask(q)).Actions {
			if !x.byName[a.ToolName].Reads() {
				t.Errorf("%s: planned %s", q, a.ToolName)
			}
		}
	}
}

func TestFailureIsRetriedOnceThenSaid(t *testing.T) {
	x := index(t, "shop.json")
	in, out := past(x, ask("帮我催一下订单316123105676发货"))
	in = failed(in, out, true)
	out = x.Think(in)
	if a, _ := one(t, out); a.ToolName != "urge_shipment" {
		t.Fatalf("planned %s", told(out))
	}
	holdsAll(t, out.Critique, "仓库系统没有响应")
	in = failed(in, out, true)
	out = x.Think(in)
	for rounds := 0; len(out.Actions) > 0 && rounds < 5; rounds++ { // another path may be tried, not the same call
		for _, a := range out.Actions {
			if a.ToolName == "urge_shipment" {
				t.Fatalf("the same call a third time: %s", told(out))
			}
		}
		in = did(in, out, `{}`)
		out = x.Think(in)
	}
	holdsAll(t, out.Answer, "仓库系统没有响应")
}

func TestMasterSplitsDomains(t *testing.T) {
	x := index(t, "agents.json")
	in := ask("预测下个月空气炸锅的销量，并建议要不要降价")
	out := x.Think(in)
	if len(out.Actions) != 2 || out.Actions[0].ToolName != "forecast" || out.Actions[1].ToolName != "pricing" {
		t.Fatalf("planned %s", told(out))
	}
	if out.Plan == nil || len(out.Plan.Steps) != 2 {
		t.Fatalf("plan %+v", out.Plan)
	}
	holdsAll(t, out.Actions[1].JobDesc, "要不要降价", "空气炸锅", in.Request)
	for _, a := range out.Actions {
		if a.TrustMode != 0 || a.ID == "" || a.Step == "" || len(a.After) > 0 {
			t.Errorf("action %+v", a)
		}
	}
	shop := index(t, "shop.json") // what the pricing agent makes of its job
	if a, args := one(t, shop.Think(ask(out.Actions[1].JobDesc))); a.ToolName != "suggest_price" || args["product"] != "空气炸锅" {
		t.Errorf("the pricing agent would plan %s %v", a.ToolName, args)
	}
	in.Done = []Done{
		{Action: out.Actions[0], Call: "t-1-0", Status: bus.OK, Observation: json.RawMessage(`"预计卖出 320 件。"`)},
		{Action: out.Actions[1], Call: "t-1-1", Status: bus.OK, Observation: json.RawMessage(`"建议降到 279 元。"`)},
	}
	out = x.Think(in)
	holdsAll(t, out.Answer, "预计卖出 320 件。", "建议降到 279 元。", "预测下个月空气炸锅的销量")
}

func TestMasterTrustsTheOnlyAgent(t *testing.T) {
	x := index(t, "agents.json")
	for q, want := range map[string]string{
		"我有多少订单是王萍萍买的?":                               "orders",
		"偏远地区发出了又不要了，运费谁承担":                           "rules",
		"开一家卖洋酒的旗舰店要什么资质":                             "rules",
		"什么类目的标题可以不带品牌的名字":                            "rules",
		"订单316123105676的快递到哪了":                        "logistics",
		"最近有哪些待处理的退款":                                 "aftersales",
		"空气炸锅要不要降价":                                   "pricing",
		"618活动的效果怎么样":                                 "marketing",
		"How many orders did Wang Pingping place?":    "orders",
		"Track the shipment of order 316123105676":    "logistics",
		"What were the sales last week?":              "forecast",
		"What do the rules say about product titles?": "rules",
	} {
		out := x.Think(ask(q))
		if len(out.Actions) != 1 || out.Actions[0].ToolName != want || out.Actions[0].TrustMode != 1 || out.Actions[0].JobDesc != q {
			t.Errorf("%s: wanted %s, planned %s", q, want, told(out))
		}
	}
}

func TestSmallTalkAndNonsenseNeedNoTool(t *testing.T) {
	for _, file := range []string{"shop.json", "agents.json"} {
		x := index(t, file)
		for _, q := range []string{"你好", "hello!", "谢谢", "在吗？", "", "   ", "？？？", "你能做什么"} {
			if !SmallTalk(q) {
				t.Errorf("%q is small talk", q)
			}
			if out := x.Think(ask(q)); len(out.Actions) > 0 || out.Ask != nil || out.Answer == "" {
				t.Errorf("%q: %s", q, told(out))
			}
		}
		for _, q := range []string{"asdf qwer zxcv", "帮我写一首诗", "今天天气怎么样", "%$#@!~", "狗不理包子好吃"} {
			out := x.Think(ask(q))
			if len(out.Actions) > 0 || out.Ask != nil || out.Answer == "" {
				t.Errorf("%q: %s", q, told(out))
			}
		}
	}
	holdsAll(t, index(t, "agents.json").Think(ask("你好")).Answer, "您好", "物流", "定价")
}

func TestClassify(t *testing.T) {
	for q, want := range map[string]bus.Mode{
		"我有多少订单是王萍萍买的?":                                     bus.React,
		"偏远地区发出了又不要了，运费谁承担":                                 bus.React,
		"预测下个月空气炸锅的销量，并建议要不要降价":                             bus.Plan,
		"Find the late orders, then write to their buyers.": bus.Plan,
		"How many orders did Wang Pingping place?":          bus.React,
		"查一下销售额和退款单，然后策划一个促销活动，最后给出定价建议":                    bus.Plan,
	} {
		if got := Classify(q); got != want {
			t.Errorf("%s: %s", q, got)
		}
	}
}

// The same input must give the same outcome, byte for byte: a replay of the log depends on it.
func TestDeterministic(t *testing.T) {
	for _, file := range []string{"shop.json", "agents.json"} {
		in := ask("预测下个月空气炸锅的销量，并建议要不要降价，再看看王萍萍的订单到哪了")
		first, err := json.Marshal(index(t, file).Think(in))
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			again, err := json.Marshal(NewIndex(cardsOf(t, file), Options{}).Think(in))
			if err != nil {
				t.Fatal(err)
			}
			if string(first) != string(again) {
				t.Fatalf("differs:\n%s\n%s", first, again)
			}
		}
	}
}

// What a change consists in is asked of the user, not taken from what another tool happens to return.
func TestChangeIsNotTakenFromAnObservation(t *testing.T) {
	x := index(t, "shop.json")
	out := x.Think(ask("修改订单316123105676的状态"))
	if out.Ask == nil || out.Ask.Parameter != "state" || len(out.Ask.Options) != 4 {
		t.Errorf("should ask for the new state, got %s", told(out))
	}
}

// Two calls whose ids differ only in their last digit, beyond what a float can tell apart, are two calls; spaces make none.
func TestKeyOfLongIDs(t *testing.T) {
	call := func(arguments string) string {
		return key(bus.Action{ToolName: "cancel", Parameter: json.RawMessage(arguments)})
	}
	if call(`{"id":123456789012345678}`) == call(`{"id":123456789012345679}`) {
		t.Error("two ids are one call")
	}
	if call(`{"id":123456789012345678,"why":"late"}`) != call(`{ "why": "late", "id": 123456789012345678 }`) || call("") != call("{}") {
		t.Error("one call has two keys")
	}
}

// A quote behind a person's noun is a name, not the number of the thing that is looked for.
func TestQuotedPerson(t *testing.T) {
	x := NewIndex([]bus.Card{
		{Name: "get_order", Kind: "tool", Effect: bus.Read, Description: "查订单详情 details of an order", Parameters: json.RawMessage(`{"type":"object","required":["order_id"],"properties":{"order_id":{"type":"string","description":"order number"}}}`)},
		{Name: "find_orders", Kind: "tool", Effect: bus.Read, Description: "查买家的订单号 find the number of an order of a buyer", Parameters: json.RawMessage(`{"type":"object","required":["buyer"],"properties":{"buyer":{"type":"string","description":"name of the buyer"}}}`), Returns: json.RawMessage(`{"type":"object","properties":{"order_id":{"type":"string","description":"order number"}}}`)},
	}, Options{})
	for request, want := range map[string]string{
		`details of the order of buyer "Bob Miller"`:              `find_orders{"buyer":"Bob Miller"}`,
		`details of the order of the customer named “Bob Miller”`: `find_orders{"buyer":"Bob Miller"}`,
		`查一下买家“小鱼儿”的订单详情`:                                         `find_orders{"buyer":"小鱼儿"}`,
		`details of the order "AB-1002"`:                          `get_order{"order_id":"AB-1002"}`,
	} {
		if got := told(x.Think(ask(request))); got != want {
			t.Errorf("%s: %s, want %s", request, got, want)
		}
	}
}

// A sum is worked out and nothing is called for it.
func TestSumIsWorkedOut(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{
		"2+3等于多少": "2 + 3 = 5", "12乘以8": "12 × 8 = 96", "100的15%": "100 × 15% = 15", "what is 15% of 240": "15% × 240 = 36", "1200000*3": "1200000 × 3 = 3,600,000", "10/3": "", "what is 10/3?": "10 ÷ 3 ≈ 3.3333333333",
		"30是120的百分之几": "30 ÷ 120 = 25%", "5除以0": "5 ÷ 0 没有结果：不能除以 0。",
	} {
		got := h.ask(t, request)
		if want != "" && (got != want || len(h.log) > 0) || want == "" && strings.Contains(got, "÷") {
			t.Errorf("%s: %q, want %q", request, got, want)
		}
	}
}
