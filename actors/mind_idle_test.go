package actors

import (
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

func TestPromises(t *testing.T) {
	for answer, want := range map[string]bool{
		"Sure! Let me look that up for you, one moment please.": true, "I'll check the orders now.": true, "OK, I will search for it.": true, "One moment please…": true,
		"Checking the order status for you.": true, "好的，我来帮您查询一下。": true, "请稍等，正在为您查询。": true, "没问题！我这就去查。": true, "我将调用 orders 来查询。": true,
		"I would call orders with the question.": true, "I need to look up the order first.": true, "我需要先查询订单。": true,
		"Let me know which order you mean.": false, "I'll need the order number first.": false, "I can look that up if you tell me the number.": false, "I will cancel it once you confirm.": false, "I'll cancel it, is that all right?": false,
		"There are 11 orders.": false, "好的，已取消。": false, "我来自上海的买家有三位。": false, "我会取消订单，请确认。": false, "您可以先查看订单。": false, "": false,
		"I will " + strings.Repeat("tell you a story ", 30): false,
	} {
		if got := promise(answer); got != want {
			t.Errorf("%q: %v", answer, got)
		}
	}
	for answer, want := range map[string]bool{
		"I'm sorry, but I can't help with that request.": true, "As an AI, I have no access to orders.": true, "抱歉，我无法查询订单。": true,
		"I cannot tell without the order number; which one do you mean?": false, "The order cannot be cancelled: it was shipped.": false, "There are 11 orders.": false,
	} {
		if got := declining(answer); got != want {
			t.Errorf("%q: %v", answer, got)
		}
	}
}

func TestForeignTo(t *testing.T) {
	for _, c := range []struct {
		language, answer string
		want             bool
	}{
		{"en", "王萍萍共有 11 个订单，实付合计 2,727 元。", true},
		{"en", "There are 11 orders of Wang Pingping (王萍萍), the last of 禾煮空气炸锅.", false},
		{"en", "There are two:\n\n| 订单 | 商品 |\n| --- | --- |\n| 1 | 禾煮空气炸锅可视窗大容量 |\n- 禾煮空气炸锅 5L 可视窗", false},
		{"en", "11", false},
		{"zh", "There are 11 orders of Wang Pingping, which cost 2,727 yuan in all.", true},
		{"zh", "共 11 个。The rest is in the table of orders that follows below here.", false},
		{"zh", "https://shop.example/orders/with/a/very/long/path/that/has/no/sign/at/all", false},
		{"zh", "OK", false},
	} {
		if got := foreignTo(c.language, c.answer); got != c.want {
			t.Errorf("%s: %q: %v", c.language, c.answer, got)
		}
	}
}

// An answer that does nothing goes back once; who still does nothing is stood in for, where the planner may and can.
func TestIdleAnswers(t *testing.T) {
	const promised, declined = "Sure! Let me look that up for you.", "I'm sorry, but I can't help with that."
	for _, s := range strategies {
		for _, c := range []struct {
			first, then, planner string
			want                 string
			requests             int
		}{
			{promised, "", configs.PlannerAdvise, "abc is v-abc", 3},
			{promised, "", configs.PlannerOff, "abc is v-abc", 3},
			{declined, "", configs.PlannerAdvise, "abc is v-abc", 3},
			{promised, promised, configs.PlannerAdvise, "v-abc", 4},
			{declined, declined, configs.PlannerAdvise, "v-abc", 3},
			{promised, promised, configs.PlannerOff, promised, 2},
			{declined, declined, configs.PlannerOff, declined, 1},
			{declined, "No tool of mine knows that.", configs.PlannerAdvise, "No tool of mine knows that.", 2},
		} {
			t.Run(string(s)+"/"+c.first+"/"+c.then+"/"+c.planner, func(t *testing.T) {
				t.Parallel()
				n := 0
				m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
					n++
					switch {
					case n == 1:
						return says(s, c.first)
					case c.then != "":
						return says(s, c.then)
					case strings.Contains(string(r.Body), "v-abc"):
						return says(s, "abc is v-abc")
					}
					return wants(s, tool("look", `{"key":"abc"}`))
				}))
				h := open(t, setup{model: m, strategy: s, agents: soloist, mind: configs.Mind{Planner: c.planner}})
				w := h.submit(bus.Submission{Query: `look a thing up by its key "abc"`})
				if r := h.response(w); r.Status != bus.OK || !strings.Contains(round.Text(r.Observation), c.want) {
					t.Fatal(brief(r))
				}
				if got := len(m.Requests()); got > c.requests {
					t.Errorf("%d requests", got)
				}
				if ran := slices.Contains(h.ledger.all(), "look abc"); ran != strings.Contains(c.want, "v-abc") {
					t.Errorf("ran %v", h.ledger.all())
				}
			})
		}
	}
}

// An answer in another language is asked for again, unless the request speaks of languages; what comes then is given.
func TestAnswerInAnotherLanguage(t *testing.T) {
	t.Parallel()
	for _, s := range []model.Strategy{model.FunctionCall, model.StructParse} {
		for query, requests := range map[string]int{"what is the value of a?": 2, "say it in Chinese: what is the value of a?": 1} {
			m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return says(s, "a 的值是多少，这里有一个答案。") }))
			h := open(t, setup{model: m, strategy: s, agents: soloist})
			if r := h.response(h.submit(bus.Submission{Query: query})); r.Status != bus.OK || !strings.Contains(round.Text(r.Observation), "答案") {
				t.Fatal(brief(r))
			}
			if got := len(m.Requests()); got != requests {
				t.Errorf("%s: %s: %d requests", s, query, got)
			}
		}
	}
}
