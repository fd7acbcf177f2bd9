package plan

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/words"
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
	long := strings.Repeat("表里的列：城市、销售额、日期，", 20) + "可以说得更具体，例如“各城市的销售额”。"
	for _, c := range []struct{ request, code, message, want string }{
		{"取消订单 316123105676", bus.CodeForbidden, "用户没有同意。", "好的，没有执行：取消订单 316123105676。"},
		{"Please cancel order 316123105676.", bus.CodeForbidden, "the user did not agree.", "All right, not done: Please cancel order 316123105676."},
		{"取消订单 316123105676", bus.CodeInvalidParameter, "订单已经发货，不能取消。", "订单已经发货，不能取消。"},
		{"取消订单 316123105676", bus.CodeInvalidParameter, "orders failed: cancel_order: 订单已经发货，不能取消。", "订单已经发货，不能取消。"},
		{"取消订单 316123105676", bus.CodeInvalidParameter, "cancel_order: 订单已经发货，不能取消。", "订单已经发货，不能取消。"},
		{"取消订单 316123105676", bus.CodeInternal, "坏了", "没能完成：坏了。"},
		{"订单316123105676的快递到哪了", bus.CodeInvalidParameter, "没有这个订单。", "没有这个订单。"},
		{"订单316123105676的快递到哪了", bus.CodeInvalidParameter, long, long}, // what to say instead stands at the end
	} {
		in, out := past(x, ask(c.request))
		in = fails(in, out, c.code, c.message)
		if out := x.Think(in); out.Answer != c.want || len(out.Actions) > 0 {
			t.Errorf("%s, %s: %s\nwant %s", c.request, c.message, told(out), c.want)
			t.Log(out.Answer)
		}
	}
}

// Two tools that fail for one reason tell it once, and nothing is said to have no tool whose tool has failed.
func TestOneReasonIsToldOnce(t *testing.T) {
	card := func(name, desc string) bus.Card {
		return bus.Card{Name: name, Description: desc, Effect: bus.Read, Parameters: json.RawMessage(`{"type":"object","required":["task"],"properties":{"task":{"type":"string","title":"问题","description":"用户的原话 the question in the user's words"}}}`)}
	}
	x := NewIndex([]bus.Card{card("search_notes", "Searches notes for an answer. 在笔记里查找。"), card("search_letters", "Searches letters for an answer. 在信件里查找。")}, Options{})
	in := Input{Request: "search for the answer on tides", Now: ask("").Now}
	for range 2 {
		out := x.Think(in)
		if len(out.Actions) == 0 {
			break
		}
		in = fails(in, out, bus.CodeInvalidParameter, "it is not clear what is wanted. Be more specific, such as “total YY by XX”")
	}
	if out := x.Think(in); out.Answer != "This could not be done: it is not clear what is wanted. Be more specific, such as “total YY by XX”." {
		t.Errorf("%d calls: %s", len(in.Done), out.Answer)
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
		{"cancel orders " + a + " and " + b, "the user did not agree and said: only the first one", "“only the first one”"},
		{"取消订单 " + a + " 和 " + b, "用户没有同意，并说：价格谈好了再取消", "「价格谈好了再取消」"},
	} {
		in := ask(c.request)
		in.Done = []Done{
			{Action: cancel(a), Call: "t-1-0", Status: bus.OK, Observation: json.RawMessage(`{"summary":"OK ` + a + `","summary_en":"OK ` + a + `"}`)},
			{Action: cancel(b), Call: "t-1-1", Status: bus.Failed, Error: &bus.Error{Code: bus.CodeForbidden, Message: c.told}},
		}
		answer := x.Think(in).Answer
		_, refused, _ := strings.Cut(answer, words.Say(Language(c.request), "没有执行", "not done"))
		if strings.Contains(refused, a) || !strings.Contains(refused, b) || !strings.Contains(answer, "OK "+a) || !strings.Contains(refused, c.without) || strings.Contains(refused, "谢谢") {
			t.Errorf("%s: %s", c.request, answer)
		}
	}
}

// What a person says to a no is answered, once for all the calls of one leave; a mere no is not.
func TestWordsOfANo(t *testing.T) {
	x := index(t, "shop.json")
	for said, told := range map[string]int{"只取消前两个": 1, "only the first two": 1, "不行": 0, "No, thanks!": 0, "don't": 0, "先不要": 0} {
		in := ask("取消订单 316123105676、316123105677 和 316123105678")
		for i, id := range []string{"316123105676", "316123105677", "316123105678"} {
			in.Done = append(in.Done, Done{Action: bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(`{"order_id":"` + id + `"}`)}, Call: "t-1-" + string(rune('0'+i)),
				Status: bus.Failed, Error: &bus.Error{Code: bus.CodeForbidden, Message: "用户没有同意，并说：" + said}})
		}
		if answer := x.Think(in).Answer; strings.Count(answer, said) != told || strings.Count(answer, "您说") != told || strings.Count(answer, "没有执行") != 1 {
			t.Errorf("%s: %s", said, answer)
		}
	}
}

// A change that its agent asked leave for, and was refused, is told as that: the Master does not say besides that there is no tool for it.
func TestRefusedIsNotWithoutATool(t *testing.T) {
	master := newTeam(t).index["master"]
	for request, refused := range map[string]string{
		"催一下订单 281065179130，再取消订单 281065415302":                                 "好的，没有执行：取消订单 281065415302。",
		"urge the parcel of order 281065179130, then cancel order 281065415302": "All right, not done: cancel order 281065415302.",
	} {
		in := ask(request)
		for range 4 {
			out := master.Think(in)
			if len(out.Actions) == 0 {
				break
			}
			for _, a := range out.Actions {
				in.Done = append(in.Done, Done{Action: a, Call: "t-" + strconv.Itoa(len(in.Done)+1) + "-0", Status: bus.OK, Observation: json.RawMessage(strconv.Quote(refused))})
			}
		}
		if answer := master.Think(in).Answer; len(in.Done) < 2 || !strings.Contains(answer, refused) || strings.Contains(answer, "nothing was changed") || strings.Contains(answer, "没有改动") {
			t.Errorf("%s: %d calls: %s", request, len(in.Done), answer)
		}
	}
}

// A reason that is cut in a block of code ends it, so that what is said behind it is no code.
func TestReasonClosesItsCode(t *testing.T) {
	long := "It failed:\n\n```\n" + strings.Repeat("  at f\n", 400) + "```"
	got := reason(Done{Status: bus.Failed, Error: &bus.Error{Message: long}})
	if !strings.HasSuffix(got, "\n```") || strings.Count(got, "```") != 2 {
		t.Errorf("%q", got[len(got)-40:])
	}
	if got := reason(Done{Status: bus.Failed, Error: &bus.Error{Message: "no `code`"}}); got != "no `code`" {
		t.Errorf("%q", got)
	}
}

// Several changes of one kind that were refused are told at once: all of them by what was wished, some of them by what sets them apart.
func TestRefusalsAreToldTogether(t *testing.T) {
	x := index(t, "shop.json")
	ids := []string{"316123105676", "316123105677", "316123105678"}
	for _, c := range []struct {
		request string
		refused int // of the three
		want    string
	}{
		{"取消订单 " + strings.Join(ids, "、"), 3, "没有执行：取消订单 316123105676、316123105677、316123105678（共 3 项）。"},
		{"取消订单 " + strings.Join(ids, "、"), 2, "共 3 项，做了 1 项；没有执行的 2 项是您没有同意的：订单编号 316123105676；订单编号 316123105677。"},
		{"cancel orders " + strings.Join(ids, ", "), 1, "of 3, 2 done; not done, as you did not agree to it: order id 316123105676."},
		{"cancel orders " + strings.Join(ids, ", "), 3, "not done: cancel orders 316123105676, 316123105677, 316123105678 (3 in all)."},
	} {
		in := ask(c.request)
		for i, id := range ids {
			a := bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(`{"order_id":"` + id + `"}`)}
			d := Done{Action: a, Call: bus.ChildID("t", 1, i), Status: bus.OK, Observation: json.RawMessage(`{"summary":"已取消。"}`)}
			if i < c.refused {
				d.Status, d.Observation, d.Error = bus.Failed, nil, &bus.Error{Code: bus.CodeForbidden, Message: "用户没有同意。"}
			}
			in.Done = append(in.Done, d)
		}
		answer := x.Think(in).Answer
		if !strings.Contains(answer, c.want) || strings.Count(answer, "没有执行")+strings.Count(answer, "not done") != 1 {
			t.Errorf("%s, %d refused: %s", c.request, c.refused, answer)
		}
	}
}
