package actors

import (
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// Today is the day of the request in the house's zone, wherever and whenever it is thought of: two zones that are never in the same day
// say so, to a model and to the planner.
func TestTodayIsOfTheZone(t *testing.T) {
	t.Parallel()
	for _, hours := range []int{14, -12} {
		zone := time.FixedZone("", hours*3600)
		m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
			_, said, _ := strings.Cut(r.Messages[0].Text, "Today is ")
			day, _, _ := strings.Cut(said, " ")
			return scripted.Text(day)
		}))
		h := open(t, setup{model: m, zone: zone})
		w := h.submit(bus.Submission{Query: "what day is it?"})
		told := round.Text(h.response(w).Observation)
		asked := h.records(w)[0].Time.In(zone).Format(time.DateOnly)
		if told != asked {
			t.Errorf("UTC%+d: the model was told %s, the request is of %s", hours, told, asked)
		}
	}
	at := time.Date(2026, 5, 16, 20, 0, 0, 0, time.UTC)
	c := &call{team: &Team{o: Options{Zone: time.FixedZone("", 8*3600)}}, state: &round.State{Begun: at}}
	x := plan.NewIndex([]bus.Card{{Kind: "tool", Name: "list_orders", Description: "Lists orders of a day.", Effect: bus.Read,
		Parameters: []byte(`{"type":"object","required":["day"],"properties":{"day":{"type":"string","format":"date"}}}`)}}, plan.Options{})
	out := x.Think(plan.Input{Request: "list the orders of today", Now: c.said()})
	if len(out.Actions) != 1 || string(out.Actions[0].Parameter) != `{"day":"2026-05-17"}` {
		t.Errorf("%+v", out)
	}
}
