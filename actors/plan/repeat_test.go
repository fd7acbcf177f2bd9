package plan

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// withdraw changes something, and takes more than it must be told.
var withdraw = bus.Card{Name: "cancel_order", Kind: "tool", Description: "cancel an order", Effect: bus.Unsafe,
	Parameters: json.RawMessage(`{"type":"object","required":["order_id"],"properties":{"order_id":{"type":"string","description":"order number, 12 digits"},"reason":{"type":"string","description":"why"}}}`)}

func entryOf(t *testing.T, c bus.Card) *entry {
	t.Helper()
	e, err := newEntry(c, Options{})
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

// The same change is known again in other words, another is not; what was not begun may be tried again.
func TestAlike(t *testing.T) {
	card := withdraw
	loose := bus.Card{Name: "cancel_order", Kind: "tool", Effect: bus.Unsafe, Parameters: json.RawMessage(`{"type":"object","properties":{"order":{},"reason":{}}}`)}
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
		{loose, `{"order":"1"}`, `{"order":"1","reason":"x"}`, true},
		{loose, `{"order":"1","reason":"x"}`, `{"order":"1"}`, true},
		{loose, `{"order":"1"}`, `{"order":"2","reason":"x"}`, false},
	} {
		if entryOf(t, c.card).alike(bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(c.a)}, bus.Action{ToolName: "cancel_order", Parameter: json.RawMessage(c.b)}) != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, !c.want)
		}
	}
	for _, code := range []string{bus.CodeInvalidParameter, bus.CodeBusy, bus.CodeInDoubt, bus.CodeTimeout, bus.CodeForbidden, bus.CodeExpired, "sold_out"} {
		begun := !slices.Contains([]string{bus.CodeInvalidParameter, bus.CodeBusy}, code)
		if got := entryOf(t, card).settled(Done{Status: bus.Failed, Error: &bus.Error{Code: code}}); got != begun {
			t.Errorf("%s: %v", code, got)
		}
	}
}
