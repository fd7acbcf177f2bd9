package plan

import (
	"encoding/json"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

const twoOrders = `{"total":2,"orders":[{"order_id":"316123105676","ordered_at":"2026-05-02 10:00"},{"order_id":"316123105677","ordered_at":"2026-05-09 10:00"}]}`

func TestReplyNamesAnOption(t *testing.T) {
	q := bus.Ask{Parameter: "order_id", ToolName: "cancel_order", Options: []string{"316123105676", "316123105677"}}
	done := []Done{{Status: bus.OK, Observation: json.RawMessage(twoOrders)}}
	for text, want := range map[string]string{
		"1": "316123105676", "第二个": "316123105677", "the second one": "316123105677", "#2": "316123105677", "2号吧": "316123105677",
		"最近那个": "316123105677", "the latest": "316123105677", "最早的": "316123105676", "就 316123105676 吧": "316123105676",
		"3": "", "0": "", "随便": "", "都行啊": "",
	} {
		if got, ok := reply(q, text, done); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, wanted %q", text, got, ok, want)
		}
	}
	if got, ok := reply(q, "最近那个", nil); ok {
		t.Errorf("no times are known, and yet it took %s", got)
	}
}

func TestUnusableReplyIsAskedAgainThenGivenUp(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("取消王萍萍的订单")
	in = did(in, x.Think(in), twoOrders)
	for n := range maxReplies {
		out := x.Think(in)
		if out.Ask == nil || len(out.Actions) > 0 {
			t.Fatalf("after %d replies: %s", n, told(out))
		}
		if n > 0 {
			holdsAll(t, out.Ask.Question, "序号（1–2）")
		}
		in.Answers = append(in.Answers, Answer{Ask: *out.Ask, Text: "随便"})
	}
	out := x.Think(in)
	if out.Ask != nil || len(out.Actions) > 0 {
		t.Fatalf("should give up: %s", told(out))
	}
	holdsAll(t, out.Answer, "没有继续")
	in.Answers[len(in.Answers)-1].Text = "最近那个"
	if a, args := one(t, x.Think(in)); a.ToolName != "cancel_order" || args["order_id"] != "316123105677" {
		t.Errorf("planned %s %v", a.ToolName, args)
	}
}

func TestNotFoundIsInTheLanguageOfTheRequest(t *testing.T) {
	got := answered(t, "shop.json", "Can I cancel an order after it was shipped?", `{"found":false,"answer":"规则库里没有找到有关的条文。","passages":[]}`)
	if words.Language(got) != "en" {
		t.Errorf("answered %s", got)
	}
	holdsAll(t, got, "Nothing was found")
}

func FuzzReply(f *testing.F) {
	for _, s := range []string{"1", "第二个", "最近那个", "\xff", "999999999999"} {
		f.Add(s, twoOrders)
	}
	options := []string{"316123105676", "316123105677"}
	f.Fuzz(func(t *testing.T, text, observation string) {
		got, ok := reply(bus.Ask{Options: options}, text, []Done{{Status: bus.OK, Observation: json.RawMessage(observation)}})
		if ok == (got == "") {
			t.Errorf("%q, %v", got, ok)
		}
	})
}
