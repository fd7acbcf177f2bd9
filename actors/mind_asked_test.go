package actors

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// changer is a tool that changes an order.
func changer(name, description string, order string) bus.Card {
	return bus.Card{Name: name, Kind: "tool", Description: description, Effect: bus.Unsafe,
		Parameters: json.RawMessage(`{"type":"object","required":["order"],"properties":{"order":` + order + `}}`)}
}

// A change counts as asked for when the person's own words ask for it: not when they hold its letters, nor when somebody else said it.
func TestAsked(t *testing.T) {
	order := `{"type":"string","description":"number of the order"}`
	cancel, send := changer("cancel_order", "Cancels an order", order), changer("send_coupon", "Gives a coupon", order)
	turn := func(request, answer string) []memory.Turn { return []memory.Turn{{Request: request, Answer: answer}} }
	for _, c := range []struct {
		card             bus.Card
		request, context string
		turns            []memory.Turn
		want             bool
	}{
		{changer("add_note", "Adds a note", order), "What is the address of order 281063663568?", "", nil, false},
		{changer("pay_out", "Pays out", order), "Was the payment of order 281063663568 received?", "", nil, false},
		{changer("set_price", "Sets a price", order), "Show the settlement of order 281063663568", "", nil, false},
		{changer("urge_shipment", "催发货", order), "show the urgent order 281063663568", "", nil, false},
		{send, "Who is the sender of order 281063663568?", "", nil, false},
		{cancel, "Is order 281063663568 cancelled?", "", nil, false},
		{cancel, "show order 1", "show order 1\nShall cancel_order be carried out?\nCancel it, then → no", nil, false},
		{cancel, "cancel order 1", "show order 1\n\n- show the rules → cancel within 24 hours", nil, false},
		{cancel, "show it", "", turn("cancel order 1", "It is cancelled."), false},
		{cancel, "the second", "", turn("cancel my order", "Which of them?"), true},
		{cancel, "what is to be done", "show order 1\nWhat now? → cancel it", nil, true},
		{cancel, "what is to be done", "show order 1\nWhat? → that\nand cancel it", nil, true},
		{cancel, "please cancel order 1", "", nil, true},
		{cancel, "I would like order 1 cancelled", "", nil, true},
		{cancel, "run cancel_order on 1", "", nil, true},
		{cancel, "取消订单 1", "", nil, true},
		{changer("translate", "Translates", order), "translate 1", "", nil, true},
		{changer("translate", "Translates", order), "Who translated 1?", "", nil, false},
	} {
		cards := []bus.Card{c.card}
		v := &View{Language: "en", Index: plan.NewIndex(cards, plan.Options{}), Cards: cards, Now: time.Now(), Turns: c.turns, Request: bus.Request{JobDesc: c.request, Context: c.context}}
		if asked(v, &c.card, tool(c.card.Name, `{"order":"1"}`)) != c.want {
			t.Errorf("%s: %q in %q: %v", c.card.Name, c.request, c.context, !c.want)
		}
	}
}

// A yes is to one call: with other arguments the same tool is asked for anew.
func TestAYesIsToOneCall(t *testing.T) {
	t.Parallel()
	n := 0
	m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step {
		switch n++; n {
		case 1, 3:
			return wants(strategies[0], tool("cancel", `{"order": "281063663568"}`))
		case 2:
			return wants(strategies[0], tool("cancel", `{"order":"281063663568"}`))
		case 4, 5:
			return wants(strategies[0], tool("cancel", `{"order":"281099999999"}`))
		}
		return says(strategies[0], "done")
	}))
	h := open(t, setup{model: m, agents: soloist, more: liarsTools, mind: configs.Mind{Planner: configs.PlannerAdvise}})
	w := h.submit(bus.Submission{Query: "where are 281063663568 and 281099999999?"})
	first := h.ask(w)
	h.tell(w, bus.Input{Kind: bus.Answer, Text: "yes"})
	second := h.until(w, "second question", func(r bus.Record) bool {
		return r.Kind == bus.KindAsk && r.Ask.ID != first.ID || r.Kind == bus.KindResponse && r.Call == r.Task
	})
	if second.Kind != bus.KindAsk {
		t.Fatal(brief(second), h.ledger.all())
	}
	h.tell(w, bus.Input{Kind: bus.Answer, Text: "no"})
	if r := h.response(w); round.Text(r.Observation) != "done" || !slices.Equal(h.ledger.all(), []string{`cancel {"order":"281063663568"}`}) {
		t.Error(brief(r), h.ledger.all())
	}
}
