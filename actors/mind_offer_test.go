package actors

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// crowd is a house with many tools that have nothing to do with each other, and a few that need one another.
func crowd() []bus.Card {
	object := func(properties string, required string) json.RawMessage {
		return json.RawMessage(`{"type":"object","required":[` + required + `],"properties":{` + properties + `}}`)
	}
	cards := []bus.Card{
		{Name: "trace_parcel", Kind: "tool", Effect: bus.Read, Description: "Trace a parcel: where it is and when it arrives.",
			Parameters: object(`"waybill":{"type":"string","description":"number of the waybill","x-needs":"waybill"}`, `"waybill"`)},
		{Name: "dossier", Kind: "tool", Effect: bus.Read, Description: "All about one purchase.",
			Parameters: object(`"purchase":{"type":"string","description":"number of the purchase","x-needs":["purchase"]}`, `"purchase"`),
			Returns:    object(`"waybill":{"type":"string","x-provides":"waybill"}`, "")},
		{Name: "ledger_of", Kind: "tool", Effect: bus.Read, Description: "What a person bought.",
			Parameters: object(`"person":{"type":"string","description":"name of a person"}`, `"person"`),
			Returns:    object(`"entries":{"type":"array","items":{"type":"object","properties":{"purchase":{"type":"string","x-provides":["purchase"]}}}}`, "")},
	}
	for i := range 60 {
		topic := []string{"weather", "music", "chess", "garden", "train"}[i%5]
		cards = append(cards, bus.Card{Name: fmt.Sprintf("%s_%d", topic, i), Kind: "tool", Effect: bus.Read, Description: fmt.Sprintf("Tell about the %s of place %d.", topic, i),
			Parameters: object(`"place":{"type":"string"}`, "")})
	}
	return cards
}

// Of many tools a model is shown few: those that fit, what those need, what that needs in turn, and what was used already.
func TestOfferIsShortAndWhole(t *testing.T) {
	cards := crowd()
	v := &View{Cards: cards, Index: plan.NewIndex(cards, plan.Options{}), Now: time.Now(), Language: "en", Mode: bus.React,
		Request: bus.Request{JobDesc: "Trace the parcel of Wang Pingping"},
		Rounds:  []Past{{Acts: []Acted{{Action: bus.Action{ToolName: "chess_2"}}}}}}
	shown := map[string]bool{}
	for _, c := range offer(v) {
		shown[c.Name] = true
	}
	for _, name := range []string{"trace_parcel", "dossier", "ledger_of", "chess_2"} {
		if !shown[name] {
			t.Errorf("%s is not shown", name)
		}
	}
	if len(shown) > 2*offered {
		t.Errorf("%d tools are shown", len(shown))
	}
	v.Mode = bus.Plan
	if all := offer(v); all[len(all)-1].Name != planTool || !strings.Contains(string(all[0].Parameters), "plan_step") {
		t.Error("in mode plan there is no plan to write down")
	}
	v.Mode, v.Rounds, v.Request.JobDesc = bus.React, nil, "hello"
	if len(offer(v)) > 0 {
		t.Error("tools for small talk")
	}
}

// ask_user and finish are always there, however many tools there are, and a tool that is not shown may be called all the same.
func TestOfferKeepsTheReserved(t *testing.T) {
	t.Parallel()
	for _, s := range strategies {
		m := scripted.New(t, wants(s, tool("ask_user", `{"question":"whose?"}`)), wants(s, tool("garden_58", `{"place":"here"}`)), says(s, "done"))
		h := open(t, setup{model: m, strategy: s, agents: soloist, more: crowd()})
		w := h.submit(bus.Submission{Query: "trace the parcel"})
		h.ask(w)
		h.tell(w, bus.Input{Kind: bus.Answer, Text: "Wang Pingping's"})
		if r := h.response(w); r.Status != bus.OK || len(h.ledger.all()) != 1 {
			t.Error(brief(r), h.ledger.all())
		}
		asked := m.Requests()[0]
		for _, name := range []string{"ask_user", "finish", "trace_parcel"} {
			if !asked.Offers(name) && !strings.Contains(asked.Messages[0].Text, `"tool_name":"`+name+`"`) {
				t.Errorf("%s: %s is not offered", s, name)
			}
		}
		if n := len(asked.Tools) + strings.Count(asked.Messages[0].Text, `"kind":"tool"`); n > 2*offered+2 {
			t.Errorf("%s: %d tools are shown", s, n)
		}
	}
}
