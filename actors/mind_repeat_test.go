package actors

import (
	"encoding/json"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
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
	t.Parallel()
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
