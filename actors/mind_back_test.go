package actors

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// An agent that is called without a job is not sent off: the model hears what is missing.
func TestNoJobGoesBack(t *testing.T) {
	t.Parallel()
	for _, s := range strategies {
		m := scripted.New(t, wants(s, tool("clerk", `{"foo":1}`)), says(s, "never mind"))
		h := open(t, setup{model: m, strategy: s})
		w := h.submit(bus.Submission{Query: "what is a?"})
		if r := h.response(w); r.Status != bus.OK || round.Text(r.Observation) != "never mind" {
			t.Fatal(brief(r))
		}
		if heard := string(m.Requests()[1].Body); !strings.Contains(heard, bus.CodeInvalidParameter) || !strings.Contains(heard, "job_desc: say") {
			t.Errorf("%s: the model did not hear what is missing: %s", s, heard)
		}
		for _, r := range h.records(w) {
			if r.Kind == bus.KindResult || r.Agent == "clerk" {
				t.Errorf("%s: it was sent off: %s", s, brief(r))
			}
		}
	}
}

// What goes back is the reason, however much the model wanted at once and however long its words were.
func TestLittleGoesBack(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("so long ", 80)
	var many []bus.Action
	for i := range 50 {
		many = append(many, tool("crystal ball!", fmt.Sprintf(`{"n":%d,"text":%q,"list":[%q]}`, i, long, long)))
	}
	for _, s := range strategies {
		for n, calls := range map[string][]bus.Action{"50 at once": many, "three": many[:3]} {
			m := scripted.New(t, wants(s, calls...), says(s, "never mind"))
			h := open(t, setup{model: m, strategy: s, agents: soloist})
			h.response(h.submit(bus.Submission{Query: "what is a?"}))
			q := m.Requests()
			if more := len(q[1].Body) - len(q[0].Body); more > 4000 { // of 65,000
				t.Errorf("%s, %s: %d bytes went back", s, n, more)
			}
			if c := q[1].Messages[2].Calls; s == model.FunctionCall && (len(c) == 0 || !bus.ValidToken(c[0].Name)) {
				t.Errorf("%s: calls as servers refuse them: %+v", n, c)
			}
		}
	}
}

// A round that has cost much goes back once, and a call in which it was in vain is not sent back again.
func TestGoingBackIsBounded(t *testing.T) {
	t.Parallel()
	for _, s := range strategies {
		m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return wants(s, tool("crystal_ball", `{}`)) }))
		h := open(t, setup{model: m, strategy: s, agents: soloist, mind: configs.Mind{Planner: configs.PlannerAdvise}})
		ask := `look a thing up by its key "abc"`
		w := h.submit(bus.Submission{Query: ask})
		if r := h.response(w); r.Status != bus.OK || !slices.Contains(h.ledger.all(), "look abc") {
			t.Fatal(brief(r))
		}
		if n := len(m.Requests()); n != 1+corrections+1 { // the second round is asked for once
			t.Errorf("%s: %d requests for two rounds", s, n)
		}
		before := len(m.Requests())
		h.response(h.submit(bus.Submission{Query: ask + strings.Repeat(" .", correctionTokens/3)}))
		if n := len(m.Requests()) - before; n != 3 {
			t.Errorf("%s: %d requests for two rounds with a long prompt", s, n)
		}
	}
}

// Where the model does not get it right, what the planner would do in a house without one is done: run a tool whose card says nothing of its
// effect, answer from what there is, or say that nothing fits. An error speaks of the planner only where it may have a say.
func TestInsteadOfALiar(t *testing.T) {
	t.Parallel()
	weather := bus.Card{Name: "weather", Kind: "tool", Description: "The weather of a city today: temperature, rain and wind",
		Parameters: []byte(`{"type":"object","required":["city"],"properties":{"city":{"type":"string","examples":["Paris","London"]}}}`),
		Returns:    []byte(`{"type":"object","properties":{"summary":{"type":"string"}}}`)}
	for _, s := range strategies {
		for query, answer := range map[string]string{"What is the weather in Paris?": "x", "How many angels dance on a pin?": "Sorry"} {
			liar := scripted.React(func(scripted.Request) scripted.Step { return wants(s, tool("crystal_ball", `{}`)) })
			h := open(t, setup{model: scripted.New(t, liar), strategy: s, agents: soloist, more: []bus.Card{weather}, mind: configs.Mind{Planner: configs.PlannerAdvise}})
			if r := h.response(h.submit(bus.Submission{Query: query})); r.Status != bus.OK || !strings.Contains(round.Text(r.Observation), answer) {
				t.Errorf("%s: %s: %s", s, query, brief(r))
			}
			h = open(t, setup{model: scripted.New(t, liar), strategy: s, agents: soloist, more: []bus.Card{weather}, mind: configs.Mind{Planner: configs.PlannerOff}})
			if r := h.response(h.submit(bus.Submission{Query: query})); r.Status != bus.Failed || r.Error == nil || strings.Contains(r.Error.Message, "planner") {
				t.Errorf("%s: %s: without a planner: %s", s, query, brief(r))
			}
		}
	}
}
