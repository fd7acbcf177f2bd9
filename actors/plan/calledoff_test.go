package plan

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Who gives up in the place of an answer has nothing done and nothing asked again, by whoever asked and by whom the job came from; an answer that a question wants is one.
func TestDropped(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{"取消订单", "cancel an order"} {
		first := index["orders"].Think(ask(request))
		if first.Ask == nil {
			t.Fatal(told(first))
		}
		for _, said := range []string{"那就算了", "取消", "never mind", "不取消了", "先不弄了，谢谢", "以后再说", "cancel", "no need", "I don't want to cancel it any more", "不"} {
			for _, who := range []string{"orders", "master"} {
				in := ask(request)
				in.Answers = []Answer{{Ask: *first.Ask, Text: said}}
				if out := index[who].Think(in); out.Ask != nil || len(out.Actions) > 0 || !strings.Contains(out.Answer, request) || !strings.Contains(out.Answer, map[string]string{"zh": "什么也没有改", "en": "nothing was changed"}[Language(said)]) {
					t.Errorf("%s, %s, %s: %s", request, said, who, told(out))
				}
			}
		}
		for _, said := range []string{"等一下", "不知道", "281063663568", "hold on"} {
			if Dropped(said, *first.Ask) {
				t.Errorf("%s gives up %s", said, request)
			}
		}
	}
	for _, c := range []struct {
		ask  bus.Ask
		said string
	}{
		{bus.Ask{Kind: bus.Question, Parameter: "state", Options: []string{"已取消", "已完成"}}, "取消"}, {bus.Ask{Kind: bus.Question, Parameter: "ok", Options: []string{"yes", "no"}}, "no"},
		{bus.Ask{Kind: bus.Question, Parameter: "text"}, "不退了"}, {bus.Ask{Kind: bus.Question, Parameter: "decision"}, "不"}, {bus.Ask{Kind: bus.Approval}, "算了"},
	} {
		if Dropped(c.said, c.ask) {
			t.Errorf("%s gives %s up", c.said, c.ask.Parameter)
		}
	}
}

// A word to call off with changes nothing while nothing waits, and says so; with "it" it is of what was shown.
func TestNothingToCallOff(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for _, said := range []string{"取消", "取消吧", "cancel", "Cancel.", "停", "stop", "取消任务"} {
		for _, before := range []string{"", "待发货的订单有哪些"} {
			in := ask(said)
			if before != "" {
				in.History = []Turn{{Request: before, Answer: "订单 281063663568"}}
			}
			h.log = nil
			if got := h.begin(t, in); len(h.log) > 0 || !strings.Contains(got, "没有什么要停下") && !strings.Contains(got, "nothing to stop") {
				t.Errorf("%s after %q: %s %v", said, before, got, h.log)
			}
		}
	}
	if SmallTalk("cancel it") || SmallTalk("取消它") || SmallTalk("取消第一个") {
		t.Error("what was shown cannot be cancelled")
	}
}
