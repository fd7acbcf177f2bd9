package plan

import (
	"os"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
)

// answered thinks a request through, every call giving the same observation, and returns the answer.
func answered(t *testing.T, file, request, observation string) string {
	t.Helper()
	x, in := index(t, file), ask(request)
	for range 5 {
		out := x.Think(in)
		if out.Answer != "" {
			return out.Answer
		}
		if len(out.Actions) == 0 {
			t.Fatalf("%s: %s", request, told(out))
		}
		in = did(in, out, observation)
	}
	t.Fatalf("%s: no answer", request)
	return ""
}

func TestToolsThatTakeWhatWasSaidAreChosen(t *testing.T) {
	x := index(t, "shop.json")
	for request, want := range map[string]string{
		"今天有多少订单":              "sales_statistics",
		"订单316123105676什么时候发货": "order_detail track_shipment",
		"上海的客户有多少":             "find_customers",
	} {
		if a, _ := one(t, x.Think(ask(request))); !strings.Contains(want, a.ToolName) {
			t.Errorf("%s: planned %s, wanted %s", request, a.ToolName, want)
		}
	}
	if _, args := one(t, x.Think(ask("Find customers in Shanghai"))); args["region"] != "Shanghai" {
		t.Errorf("arguments %v", args)
	}
}

func TestWhatNoCallTakesIsSaidFirst(t *testing.T) {
	for request, want := range map[string]string{
		"上海的订单有多少":                                         "注意：没有按「上海」筛选，下面是全部结果。",
		"查一下王萍萍4月的订单":                                      "注意：没有按「4月」筛选，下面是全部结果。",
		"红色的空气炸锅还有多少库存":                                    "注意：没有按「红色」筛选，下面是全部结果。",
		"春节的销售额":                                           "注意：我不知道「春节」是哪几天，没有按它筛选。",
		"昨天的销售额比前天多多少":                                     "两段时间的结果里没有可以相比的数。",
		"How much stock of air fryer is left in Shanghai?": "Note: this is not limited to “Shanghai”; the tool cannot filter by it.",
	} {
		got, _, _ := strings.Cut(answered(t, "shop.json", request, `{"total":3,"orders":[{"order_id":"316123105676","amount":299}]}`), "\n")
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", request, got, want)
		}
	}
	if ex := index(t, "shop.json").Think(ask("上海的订单有多少")).Explain; len(ex.Unused) != 1 || ex.Unused[0] != "place: 上海" {
		t.Errorf("explain: %v", ex.Unused)
	}
}

// A note that is not true is as bad as none.
func TestNothingIsSaidToBeIgnoredThatWasNot(t *testing.T) {
	raw, err := os.ReadFile("testdata/phrasings.txt")
	if err != nil {
		t.Fatal(err)
	}
	x := index(t, "shop.json")
	for _, line := range strings.Split(string(raw), "\n") {
		request, _, _ := strings.Cut(line, " | ")
		if line == "" || line[0] == '#' {
			continue
		}
		if u := x.Think(ask(request)).Explain.Unused; len(u) > 0 {
			t.Errorf("%s: %v", request, u)
		}
	}
}

func TestChangeIsMadeAsWishedOrNotAtAll(t *testing.T) {
	x := index(t, "shop.json")
	out := x.Think(ask("Cancel order 123456789012 tomorrow"))
	if len(out.Actions) > 0 {
		t.Fatalf("planned %s", told(out))
	}
	holdsAll(t, out.Answer, "Not done", "“tomorrow”")
	out = x.Think(ask("明天取消订单123456789012，再看看空气炸锅的库存"))
	if a, _ := one(t, out); a.ToolName != "stock" {
		t.Fatalf("planned %s", told(out))
	}
	in := did(ask("明天取消订单123456789012，再看看空气炸锅的库存"), out, `[{"sku_name":"空气炸锅","left":3}]`)
	holdsAll(t, x.Think(in).Answer, "没有执行：明天取消订单123456789012", "「明天」", "空气炸锅")

	in = ask("明天取消订单") // what is asked for does not make the day forgotten
	in.Answers = []Answer{{Ask: *x.Think(in).Ask, Text: "123456789012"}}
	holdsAll(t, x.Think(in).Answer, "没有执行", "「明天」")

	in = ask("取消王萍萍昨天的订单") // who it is done to is looked up without the day, so even one order is asked about
	out = x.Think(in)
	in = did(in, out, `{"total":1,"orders":[{"order_id":"316123105676"}]}`)
	if out = x.Think(in); out.Ask == nil || len(out.Ask.Options) != 1 {
		t.Fatalf("should ask, got %s", told(out))
	}
	holdsAll(t, out.Ask.Question, "没有按「昨天」筛选")
	in.Answers = []Answer{{Ask: *out.Ask, Text: "316123105676"}}
	if a, _ := one(t, x.Think(in)); a.ToolName != "cancel_order" {
		t.Errorf("planned %s", a.ToolName)
	}
}

// A limit of a question to a file goes there in its own words: that it was not heeded would be a lie.
func TestLimitsInAQuestion(t *testing.T) {
	h := newTeam(t)
	text := "金额超过300的有几笔"
	f := facts.Read(text, now, func(string) bool { return false })
	if len(f) != 1 {
		t.Fatalf("%v", f)
	}
	e, g := h.index["data"].byName["data_analysis"], &goal{text: text, facts: f}
	if !takes(e, map[string]fields.Binding{"task": {Value: text, Why: "question", Used: -1}}, 0, f[0], g) {
		t.Error("the question does not take its limit")
	}
	if takes(e, map[string]fields.Binding{"by": {Value: text, Why: "what remains", Used: -1}}, 0, f[0], g) {
		t.Error("another text takes a limit")
	}
}

// Hours of a day, where the tool does not take them, are said to be left; the figure that tells which comes first is none of the limits.
func TestPartOfADayAndTheFigureItself(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, left := range map[string]string{
		"昨天下午发出的包裹": "「下午」", "15日晚上的包裹": "「晚上」", "how many parcels were sent yesterday morning": "“morning”", "昨天下午的退款": "", "昨天9点到11点的订单": "「9点」", "昨天下午的订单": "", "how many orders yesterday morning": "",
		"ROI最高的活动": "", "campaign with the highest ROI": "", "which day had the most orders last week": "",
	} {
		said := h.ask(t, request)
		if noted := strings.Contains(said, "筛选") || strings.Contains(said, "not limited to"); noted != (left != "") || !strings.Contains(said, left) {
			t.Errorf("%s: %s: %s", request, h.told(), said)
		}
	}
}
