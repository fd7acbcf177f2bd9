package round

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// fiveCancels asks for leave to cancel five orders.
func fiveCancels() bus.Ask {
	ask := bus.Ask{Kind: bus.Approval, Question: "取消一个订单 Cancel an order", Arguments: json.RawMessage(`{"order_id":"281000000001"}`)}
	for i := 2; i <= 5; i++ {
		ask.Others = append(ask.Others, bus.AskedCall{Arguments: json.RawMessage(fmt.Sprintf(`{"order_id":"28100000000%d"}`, i))})
	}
	return ask
}

// Who is asked for several calls may agree to some: by their places or ids, and only where the words say nothing besides.
func TestPicked(t *testing.T) {
	for text, want := range map[string]string{
		"可以，但只改前两个": "11... sure", "只取消前两个": "11... sure", "只要第一个和第三个": "1.1.. sure", "只要第1、3个": "1.1.. sure", "可以，只要1和3": "1.1.. sure",
		"除了第二个都可以": "1.111 sure", "除了第二个，其他都可以": "1.111 sure", "不要改第二个": "1.111", "第二个不要": "1.111", "同意，第二个除外": "1.111 sure",
		"第2到4个可以": ".111. sure", "只要最后一个": "....1 sure", "前两个可以，第三个不要": "11... sure", "可以，第五个先别取消": "1111. sure",
		"只取消281000000004": "...1. sure", "只取消第二个订单": ".1... sure", "前两个": "11...",
		"yes, but only the first two": "11... sure", "only the first": "1.... sure", "ok, but only the first": "1.... sure", "just 1 and 3": "1.1.. sure",
		"all but the second": "1.111", "yes, all but the second": "1.111 sure", "everything except the last one": "1111.", "not the second": "1.111", "yes, except #3": "11.11 sure",
		"go ahead with 2 to 4": ".111. sure", "cancel only the last two": "...11 sure", "don't cancel the third": "11.11", "approve the first and third": "1.1.. sure",
		"only 281000000002 please": ".1... sure",

		// Neither: a mere number, another deed, another value, a place that is not there, a question, a plain yes or no.
		"只改2个": "", "only 2": "", "只发货前两个": "", "ship only the first": "", "只改前两个，改成300": "", "可以，但只改前九个": "", "第六个不要": "", "only the first?": "", "第一个是什么": "",
		"可以": "", "不同意": "", "算了": "", "yes": "", "no": "", "可以，但是先等等": "", "只改便宜的": "", "把第一个的价格改成 30": "", "不要，第二个价格不对": "",
	} {
		yes, sure, ok := Picked(text, fiveCancels())
		got := ""
		for _, y := range yes {
			got += map[bool]string{true: "1", false: "."}[y]
		}
		if sure && ok {
			got += " sure"
		}
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", text, got, ok, want)
		}
	}
	if _, _, ok := Picked("只要第一个", bus.Ask{Kind: bus.Approval}); ok {
		t.Error("of one call none is picked")
	}
}

// What was picked is done and nothing else; where a yes was not said in so many words, leave is asked for what is left.
func TestLeaveForSome(t *testing.T) {
	w := twice(t, json.RawMessage(`{"n":1}`), json.RawMessage(`{"n":2}`))
	a, b := w.state.Rounds[0].Acts[0], w.state.Rounds[0].Acts[1]
	w.fold(t, *w.state.Due(w.terms()).Write, 0)
	say := func(text string) {
		w.fold(t, bus.Record{Kind: bus.KindInput, Session: "s", Task: "t", Call: "t", Input: &bus.Input{Kind: bus.Answer, Text: text}}, 0)
	}
	say("not the first")
	if said := a.said[a.Child]; said.Kind != bus.Refuse || len(b.said) > 0 {
		t.Fatalf("first %+v, second %+v", said, b.said)
	}
	w.fold(t, *w.state.Due(w.terms()).Write, 0) // the end of the first
	ask := w.state.Due(w.terms()).Write
	if ask == nil || ask.Ask == nil || ask.Ask.ID != b.Child || len(ask.Ask.Others) > 0 {
		t.Fatalf("want an ask for the second alone: %s", shown(t, ask))
	}

	w = twice(t, json.RawMessage(`{"n":1}`), json.RawMessage(`{"n":2}`))
	a, b = w.state.Rounds[0].Acts[0], w.state.Rounds[0].Acts[1]
	w.fold(t, *w.state.Due(w.terms()).Write, 0)
	say("yes, but only the second")
	if a.said[a.Child].Kind != bus.Refuse || b.said[b.Child].Kind != bus.Approve {
		t.Errorf("first %+v, second %+v", a.said, b.said)
	}
}

// An approval of several calls says once what they have in common, calls things as the card does in the language, and how many are not among them.
func TestApprovalOfSeveralIsReadable(t *testing.T) {
	card := &bus.Card{Name: "set_price", Description: "改价。 Change the price.", Parameters: json.RawMessage(`{"properties":{"sku_id":{"title":"编号"},"price":{"title":"新售价","x-title-en":"New price"}}}`),
		Returns: json.RawMessage(`{"properties":{"sku_id":{"x-title-en":"Product id"}}}`)}
	calls := []*filled{{parameter: json.RawMessage(`{"sku_id":"A","price":300}`)}, {parameter: json.RawMessage(`{"sku_id":"B","price":300}`)}}
	nothing := func(json.RawMessage) sight { return sight{} }
	got := words(false).mayI(card, calls, "7 more are left.", nothing)
	for _, want := range []string{"Change the price (New price: 300)", "\n1. Product id: A\n2. Product id: B\n", "7 more are left.", "only the first two"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	long := strings.Repeat("长", 300)
	if got := words(true).mayI(card, []*filled{{parameter: json.RawMessage(`{"sku_id":"` + long + `"}`)}}, "", nothing); !strings.Contains(got, long) {
		t.Errorf("nobody agrees to what was cut away: %s", got)
	}
}
