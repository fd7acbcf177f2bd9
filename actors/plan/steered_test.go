package plan

import (
	"strings"
	"testing"
)

// What is said while a task is under way changes it where it says something; else nothing is done twice, and the answer says that it was not understood.
func TestSteering(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		request string
		ignored []string
		heeded  []string
	}{
		{"王萍萍买了哪些订单", []string{"快点", "认真一点", "你在干嘛？", "hmm", "……"}, []string{"只要上个月的", "只要电饭煲的", "顺便查一下她的退款", "只看已取消的", "换成李建国"}},
		{"How many orders did Wang Pingping place?", []string{"hurry up please", "why so slow?", "come on!", "🙂"}, []string{"only last month", "and her refunds", "only the cancelled ones", "also show the revenue"}},
	} {
		in := ask(c.request)
		out := index["master"].Think(in)
		in = did(in, out, `"共 3 个。"`)
		for _, said := range c.ignored {
			in.Steering = []string{said}
			if out := index["master"].Think(in); len(out.Actions) > 0 || !strings.Contains(out.Answer, said) {
				t.Errorf("%s, %s: %s", c.request, said, told(out))
			}
		}
		for _, said := range c.heeded {
			in.Steering = []string{said}
			if out := index["master"].Think(in); strings.Contains(out.Answer, said) {
				t.Errorf("%s, %s: %s", c.request, said, told(out))
			}
		}
	}
}

// A limit said meanwhile is put to each part whose call, or whose rows, it limits.
func TestSteeringReachesAllParts(t *testing.T) {
	t.Parallel()
	x := newTeam(t).index["master"]
	for _, c := range [][3]string{
		{"列出空气炸锅的库存，然后看上个月的销售额", "只看禾煮的", "列出空气炸锅的库存（只看禾煮的），然后看上个月的销售额（只看禾煮的）"},
		{"上个月的销售额是多少，然后看库存", "只看禾煮的", "上个月的销售额是多少（只看禾煮的），然后看库存（只看禾煮的）"},
		{"查上个月的退款，然后查待发货的订单", "只看上海的", "查上个月的退款（只看上海的），然后查待发货的订单（只看上海的）"},
		{"列出空气炸锅的库存，然后查上个月的退款", "只看上海的", "列出空气炸锅的库存，然后查上个月的退款（只看上海的）"},
		{"list the stock of air fryers, then show last month's sales", "only Hezhu", "list the stock of air fryers (only Hezhu), then show last month's sales (only Hezhu)"},
	} {
		g := goal{text: c[0], lang: Language(c[0]), now: now, given: map[string]string{}}
		if x.steer(&g, c[1]); g.text != c[2] || len(g.unheard) > 0 {
			t.Errorf("%s, %s: %s %q", c[0], c[1], g.text, g.unheard)
		}
	}
}

// What is added while code runs is done beside it, and the code is not run again, unless it is other code.
func TestSteeringOfCode(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{"run this code: `print(2**10)`", "运行这段代码：`print(2**10)`"} {
		for said, want := range map[string]string{
			"顺便查一下王萍萍的订单": "orders", "再做成PPT": "reports", "also show the late orders": "logistics", "and make a PDF of it": "reports", "and turn it into slides": "reports",
			"also forecast the sales of phones": "forecast", "print(5) instead": "analyst", "换成 print(5)": "analyst", "改成 `print(5)`": "analyst", "use x = 5\nprint(x)": "analyst",
			"only the first digits": "", "只要前两位": "", "hurry up": "",
		} {
			in := ask(request)
			in = did(in, index["master"].Think(in), `"1024"`)
			in.Steering = []string{said}
			out := index["master"].Think(in)
			switch {
			case want == "":
				if len(out.Actions) > 0 || !strings.Contains(out.Answer, "「"+said+"」") && !strings.Contains(out.Answer, "“"+said+"”") {
					t.Errorf("%s, %s: %s", request, said, told(out))
				}
			case len(out.Actions) != 1 || out.Actions[0].ToolName != want, want == "analyst" && (!strings.Contains(out.Actions[0].JobDesc, "5") || strings.Contains(out.Actions[0].JobDesc, "2**10")):
				t.Errorf("%s, %s: %s %+v", request, said, told(out), out.Actions)
			}
		}
	}
}

// Who says no to a change while it is prepared is not told that it was not understood when it is done.
func TestSteeringAgainstAChange(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"先别", "别取消", "don't cancel it"} {
		in := ask("取消订单281063663568")
		in.Steering = []string{said}
		if out := index["orders"].Think(in); len(out.Actions) > 0 {
			t.Errorf("%s: %s", said, told(out))
		}
	}
}

// Who calls a task off while it is under way has nothing more done, and is told what was done before; a wish that only begins so is one.
func TestCalledOff(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"停", "停下！", "算了吧", "不用了", "先别做了", "等一下", "取消这个任务", "stop", "Never mind.", "wait", "hold on please", "no, leave it", "forget it", "don't"} {
		for _, request := range []string{"取消订单281063663568", "cancel order 281063663568"} {
			in := ask(request)
			in.Steering = []string{said}
			if out := index["orders"].Think(in); len(out.Actions) > 0 || !strings.Contains(out.Answer, "停下") && !strings.Contains(out.Answer, "stopped") {
				t.Errorf("%s, %s: %s", request, said, told(out))
			}
		}
	}
	for _, said := range []string{"不要王萍萍的", "停售的也算", "等级高的", "only the cancelled ones", "cancel order 281063663569 too", "not the first one"} {
		if calledOff(said) {
			t.Errorf("%s is no end", said)
		}
	}
}

// Another kind of document said while one is made takes its place; what was found for it is not looked up again.
func TestSteeringToAnotherKind(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for _, c := range []struct{ request, said, format string }{
		{"把王萍萍的订单做成PPT", "改成Word", "docx"}, {"把王萍萍的订单做成PPT", "算了，还是要PDF吧", "pdf"}, {"把上面的结果做成PPT", "换成Excel", "xlsx"},
		{"turn the orders of Wang Pingping into slides", "make it a PDF instead", "pdf"}, {"turn the orders of Wang Pingping into slides", "no, a Word document rather", "docx"},
		{"turn the orders of Wang Pingping into slides", "use Word instead of slides", "docx"},
	} {
		in := ask(c.request)
		for len(in.Done) < 2 {
			out := h.index["master"].Think(in)
			if len(out.Actions) == 0 {
				break
			}
			in = did(in, out, `"共 3 个。"`)
		}
		in.Steering = []string{c.said}
		out := h.index["master"].Think(in)
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "reports" {
			t.Errorf("%s, %s: %s", c.request, c.said, told(out))
			continue
		}
		if out = h.index["reports"].Think(ask(out.Actions[0].JobDesc)); len(out.Actions) != 1 || !strings.Contains(string(out.Actions[0].Parameter), `"`+c.format+`"`) {
			t.Errorf("%s, %s: %s", c.request, c.said, told(out))
		}
	}
}
