package plan

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/bus"
)

// withdraw changes something, and takes more than it must be told.
var withdraw = bus.Card{Name: "cancel_order", Kind: "tool", Description: "cancel an order", Effect: bus.Unsafe,
	Parameters: json.RawMessage(`{"type":"object","required":["order_id"],"properties":{"order_id":{"type":"string","description":"order number, 12 digits"},"reason":{"type":"string","description":"why"}}}`)}

func entryOf(t *testing.T, c bus.Card) *cards.Entry {
	t.Helper()
	e, err := cards.New(c, false)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A change that another mind made, with arguments that the planner would leave out, is made: it is answered from, not made again.
func TestThinkDoesNotRepeatAChange(t *testing.T) {
	x := NewIndex([]bus.Card{withdraw}, Options{})
	in := ask("cancel order 281063663568")
	first := x.Think(in)
	if len(first.Actions) != 1 || first.Actions[0].ToolName != "cancel_order" {
		t.Fatal(told(first))
	}
	made := bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(`{"order_id":"281063663568","reason":"changed his mind"}`)}
	refused := &bus.Error{Code: bus.CodeForbidden, Message: "the user did not agree"}
	for name, again := range map[string]Input{
		"made":        {Done: []Done{{Action: made, Status: bus.OK, Observation: json.RawMessage(`"cancelled"`)}}},
		"refused":     {Done: []Done{{Action: made, Status: bus.Failed, Error: refused}}},
		"in doubt":    {Done: []Done{{Action: made, Status: bus.Failed, Error: &bus.Error{Code: bus.CodeInDoubt, Message: "nobody knows"}}}},
		"on its way":  {Running: []bus.Action{made}},
		"two of them": {Done: []Done{{Action: made, Status: bus.Failed, Error: refused}, {Action: bus.Action{ToolName: made.ToolName, Parameter: json.RawMessage(`{"order_id":281063663568,"reason":"x"}`)}, Status: bus.OK, Observation: json.RawMessage(`"cancelled"`)}}},
	} {
		again.Request, again.Now = in.Request, in.Now
		out := x.Think(again)
		if len(out.Actions) > 0 || len(again.Running) == 0 && out.Answer == "" {
			t.Errorf("%s: %s", name, told(out))
		}
		for _, d := range again.Done { // the caller's own
			if !slices.Contains([]string{string(made.Parameter), `{"order_id":281063663568,"reason":"x"}`}, string(d.Action.Parameter)) {
				t.Errorf("%s: its input is %s now", name, d.Action.Parameter)
			}
		}
	}
	other := in
	other.Done = []Done{{Action: bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(`{"order_id":"281063663569"}`)}, Status: bus.OK, Observation: json.RawMessage(`"cancelled"`)}}
	if out := x.Think(other); len(out.Actions) != 1 {
		t.Errorf("another order: %s", told(out))
	}
}

// The same words to another person are another change. What one person was told, would not be told or is being told, the next still is.
func TestThinkTellsEachPerson(t *testing.T) {
	x := newTeam(t).index["orders"]
	message := func(to string) bus.Action {
		return bus.Action{ToolName: "send_message_to_buyer", Parameter: json.RawMessage(`{"order_id":"` + to + `","text":"明天发货"}`)}
	}
	const one, other = "281063663568", "281061466024"
	in := ask("告诉订单 " + one + " 和 " + other + " 的买家：明天发货")
	refused := &bus.Error{Code: bus.CodeForbidden, Message: "the user did not agree"}
	for name, again := range map[string]Input{
		"told":       {Done: []Done{{Action: message(one), Status: bus.OK, Observation: json.RawMessage(`{"summary":"已发"}`)}}},
		"refused":    {Done: []Done{{Action: message(one), Status: bus.Failed, Error: refused}}},
		"on its way": {Running: []bus.Action{message(one)}},
	} {
		again.Request, again.Now = in.Request, in.Now
		if out := x.Think(again); len(out.Actions) != 1 || key(out.Actions[0]) != key(message(other)) {
			t.Errorf("%s: %s %q", name, told(out), out.Answer)
		}
		again.Done = append(again.Done, Done{Action: message(other), Status: bus.OK, Observation: json.RawMessage(`{"summary":"已发"}`)})
		if out := x.Think(again); len(out.Actions) > 0 || len(again.Running) == 0 && out.Answer == "" {
			t.Errorf("%s, and the other: %s %q", name, told(out), out.Answer)
		}
	}
}

// The same change is known again in other words, another is not; what was not begun may be tried again.
func TestAlike(t *testing.T) {
	card := withdraw
	loose := bus.Card{Name: "cancel_order", Kind: "tool", Effect: bus.Unsafe, Parameters: json.RawMessage(`{"type":"object","properties":{"order":{},"reason":{}}}`)}
	either := bus.Card{Name: "cancel_order", Kind: "tool", Effect: bus.Unsafe, Parameters: json.RawMessage(`{"type":"object","required":["text"],"anyOf":[{"required":["order_id"]},{"required":["user_pin"]}],
		"properties":{"text":{"type":"string"},"urgent":{"type":"boolean"},"order_id":{"type":"string","pattern":"^[0-9]{12}$"},"user_pin":{"type":"string","x-needs":"user_pin"}}}`)}
	for _, c := range []struct {
		card bus.Card
		a, b string
		want bool
	}{
		{card, `{"order_id":"281063663568"}`, `{"order_id":"281063663568","reason":"x"}`, true},
		{card, `{"order_id":"281063663568","reason":"y"}`, `{"order_id":"281063663568","reason":"x"}`, true},
		{card, `{"order_id":"281063663568"}`, `{"order_id":281063663568}`, true},
		{card, `{"order_id":"$t1.key"}`, `{"order_id":"281063663568"}`, true},
		{card, `{"order_id":"281063663569"}`, `{"order_id":"281063663568"}`, false},
		{either, `{"order_id":"281063663568","text":"x"}`, `{"order_id":281063663568,"text":"x","urgent":true}`, true},
		{either, `{"order_id":"281063663568","text":"x"}`, `{"order_id":"281063663569","text":"x"}`, false},
		{either, `{"order_id":"281063663568","text":"x"}`, `{"user_pin":"wang1","text":"x"}`, false},
		{loose, `{"order":"1"}`, `{"order":"1","reason":"x"}`, true},
		{loose, `{"order":"1","reason":"x"}`, `{"order":"1"}`, true},
		{loose, `{"order":"1"}`, `{"order":"2","reason":"x"}`, false},
	} {
		if sameChange(entryOf(t, c.card), bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(c.a)}, bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(c.b)}) != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, !c.want)
		}
	}
	for _, code := range []string{bus.CodeInvalidParameter, bus.CodeBusy, bus.CodeInDoubt, bus.CodeTimeout, bus.CodeForbidden, bus.CodeExpired, "sold_out"} {
		begun := !slices.Contains([]string{bus.CodeInvalidParameter, bus.CodeBusy}, code)
		if got := hadEffect(entryOf(t, card), Done{Status: bus.Failed, Error: &bus.Error{Code: code}}); got != begun {
			t.Errorf("%s: %v", code, got)
		}
	}
}
