package actors

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// What a small model puts into the user's mouth changes nothing: no wish, no piece of a word, no value that nobody said.
func TestSmallModelsInventNoChange(t *testing.T) {
	t.Parallel()
	cancel := changer("cancel", "cancel an order", `{"type":"string"}`)
	numbered := changer("cancel", "cancel an order", `{"type":"string","description":"number of the order, 12 digits"}`)
	refund := bus.Card{Name: "refund", Kind: "tool", Description: "refund money for an order", Effect: bus.Unsafe,
		Parameters: json.RawMessage(`{"type":"object","required":["order","how"],"properties":{"order":{"type":"string","pattern":"^[0-9]{12}$","description":"number of the order"},"how":{"type":"string","enum":["ship back first","keep the goods"]}}}`)}
	for _, c := range []struct {
		query, small string
		steps        configs.Steps
		card         bus.Card
		runs         string
	}{
		{"hm, well, order 281063663568, what about it", `{"goal":"cancel order 281063663568"}`, configs.Steps{Goal: "small"}, numbered, ""},
		{"cancel the order", `{"order":"he"}`, configs.Steps{Arguments: "small"}, cancel, ""},
		{"cancel the order please, it is in 281063663568", `{"order":"281063"}`, configs.Steps{Arguments: "small"}, cancel, ""},
		{"refund money for order 281063663568", `{"how":"keep the goods"}`, configs.Steps{Arguments: "small"}, refund, ""},
		{"cancel the order called Bluebird", `{"order":"bluebird"}`, configs.Steps{Arguments: "small"}, cancel, "bluebird"},
	} {
		m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("the model") }))
		small := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text(c.small) }))
		h := open(t, setup{model: m, small: small, agents: soloist, more: []bus.Card{c.card}, mind: configs.Mind{Planner: configs.PlannerFirst, Steps: c.steps}})
		r := h.response(h.submit(bus.Submission{Query: c.query}))
		if ran := strings.Join(h.ledger.all(), " "); (ran != "") != (c.runs != "") || !strings.Contains(strings.ToLower(ran), c.runs) {
			t.Errorf("%s, and the small model said %s: ran %q, %s", c.query, c.small, ran, brief(r))
		}
		h.stop()
	}
}

// A result of many small values is gathered in time that grows as it does: twice as many take about twice the room, not four times. Room is counted
// for the whole process, so nothing runs beside it.
func TestKnownGrowsAsTheResults(t *testing.T) {
	room := func(n int) uint64 {
		v := &View{Rounds: []Past{{Acts: []Acted{{Result: &bus.Record{Status: bus.OK, Observation: json.RawMessage("[" + strings.Repeat(`"ab1",`, n) + `"x"]`)}}}}}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		knownTo(v, "")
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if one, two := room(4000), room(8000); two > 3*one {
		t.Errorf("%d bytes, then %d", one, two)
	}
}
