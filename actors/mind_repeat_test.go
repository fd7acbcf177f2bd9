package actors

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// withdraw changes something, and takes more than it must be told.
func withdraw(approval string) bus.Card {
	return bus.Card{Name: "cancel_order", Kind: "tool", Description: "cancel an order", Effect: bus.Unsafe, Approval: approval,
		Parameters: json.RawMessage(`{"type":"object","required":["order_id"],"properties":{"order_id":{"type":"string","description":"order number, 12 digits"},"reason":{"type":"string","description":"why"}}}`)}
}

// Who stands in for a model does not do again what it did, nor ask again for what a person refused, in whatever words the model had it.
func TestStandInDoesNotRepeat(t *testing.T) {
	for _, c := range []struct{ approval, said string }{{"", ""}, {"ask", "no"}} {
		n := 0
		m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step {
			if n++; n == 1 {
				return wants(strategies[0], tool("cancel_order", `{"order_id":"281063663568","reason":"changed his mind"}`))
			}
			return scripted.Refuse(400, "no more")
		}))
		h := open(t, setup{model: m, agents: soloist, more: []bus.Card{withdraw(c.approval)}, mind: configs.Mind{Planner: configs.PlannerAdvise, Fallback: true}})
		w := h.submit(bus.Submission{Query: "cancel order 281063663568"})
		if c.said != "" {
			h.ask(w)
			h.tell(w, bus.Input{Kind: bus.Answer, Text: c.said})
		}
		asks := 0
		end := h.until(w, "the end or a second question", func(r bus.Record) bool {
			if r.Kind == bus.KindAsk {
				asks++
			}
			return asks == 2 || r.Kind == bus.KindResponse && r.Call == r.Task
		})
		if want := map[string]int{"": 1, "no": 0}[c.said]; end.Kind == bus.KindAsk || len(h.ledger.all()) != want {
			t.Errorf("said %q: %s, ran %v", c.said, brief(end), h.ledger.all())
		}
		h.stop()
	}
}

// The same change is known again in other words, another is not; what was not begun may be tried again.
func TestAlike(t *testing.T) {
	card := withdraw("")
	loose := bus.Card{Name: "cancel_order", Kind: "tool", Effect: bus.Unsafe, Parameters: json.RawMessage(`{"type":"object","properties":{"order":{},"reason":{}}}`)}
	for _, c := range []struct {
		card *bus.Card
		a, b string
		want bool
	}{
		{&card, `{"order_id":"281063663568"}`, `{"order_id":"281063663568","reason":"x"}`, true},
		{&card, `{"order_id":"281063663568","reason":"y"}`, `{"order_id":"281063663568","reason":"x"}`, true},
		{&card, `{"order_id":"281063663568"}`, `{"order_id":281063663568}`, true},
		{&card, `{"order_id":"$t1.key"}`, `{"order_id":"281063663568"}`, true},
		{&card, `{"order_id":"281063663569"}`, `{"order_id":"281063663568"}`, false},
		{&loose, `{"order":"1"}`, `{"order":"1","reason":"x"}`, true},
		{&loose, `{"order":"1","reason":"x"}`, `{"order":"1"}`, true},
		{&loose, `{"order":"1"}`, `{"order":"2","reason":"x"}`, false},
	} {
		if alike(c.card, tool("cancel_order", c.a), tool("cancel_order", c.b)) != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, !c.want)
		}
	}
	for _, code := range []string{bus.CodeInvalidParameter, bus.CodeBusy, bus.CodeInDoubt, bus.CodeTimeout, bus.CodeForbidden, bus.CodeExpired, "sold_out"} {
		begun := !slices.Contains([]string{bus.CodeInvalidParameter, bus.CodeBusy}, code)
		if got := settled(plan.Done{Status: bus.Failed, Error: &bus.Error{Code: code}}, bus.Unsafe); got != begun {
			t.Errorf("%s: %v", code, got)
		}
	}
}
