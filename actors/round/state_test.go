package round

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// What a callee sends need not be JSON, nor an answer at all.
func TestSettleStrangeAnswers(t *testing.T) {
	w := newWorld()
	w.cards["get"] = bus.Card{Name: "get", Kind: "tool", Effect: bus.Read}
	w.fold(t, bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Request: &bus.Request{}}, 0)
	round := w.state.Thought(1, w.state.Known())
	round.ActionCode = []bus.Action{{ToolName: "get"}}
	w.fold(t, *round, 0)
	for _, c := range []struct {
		response    bus.Response
		status      bus.Status
		observation string
	}{
		{bus.Response{Status: bus.OK, Observation: json.RawMessage(`no "JSON"`)}, bus.OK, `"no \"JSON\""`},
		{bus.Response{Status: bus.OK, Observation: json.RawMessage("{ \"a\" : 1.0 }\n")}, bus.OK, `{"a":1.0}`},
		{bus.Response{Status: bus.OK}, bus.OK, ``},
		{bus.Response{}, bus.Failed, ``},
		{bus.Response{Status: bus.Working}, bus.Failed, ``},
		{bus.Response{Status: "strange"}, bus.Failed, ``},
	} {
		r := w.state.Settle("t1-1-0", c.response, 0, w.terms())
		if r.Status != c.status || string(r.Observation) != c.observation || (r.Status == bus.OK) != (r.Error == nil) {
			t.Errorf("%+v is taken for %s %s %v", c.response, r.Status, r.Observation, r.Error)
		}
	}
	if r := w.state.Settle("t1-9-9", bus.Response{Status: bus.OK}, 0, w.terms()); r != nil {
		t.Errorf("an answer of nobody is taken: %+v", r)
	}
}

// A callee's ask goes on under an id that can be answered, and what it says to have used can never make a budget overflow.
func TestSettleLies(t *testing.T) {
	w := newWorld()
	w.cards["orders"] = bus.Card{Name: "orders", Kind: "agent"}
	w.fold(t, bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Request: &bus.Request{Budget: &bus.Budget{Tokens: 1000}}}, 0)
	round := w.state.Thought(1, w.state.Known())
	round.ActionCode = []bus.Action{{ToolName: "orders", JobDesc: "x"}}
	w.fold(t, *round, 0)
	for _, id := range []string{"t1-1-0-which one?", "t1-1-0-a.b", "t1-1-0->", "t1-1-0-" + strings.Repeat("x", 1000), ""} {
		r := w.state.Settle("t1-1-0", bus.Response{Status: bus.InputRequired, Ask: &bus.Ask{ID: id, Kind: bus.Question, Question: "which?"}}, 0, w.terms())
		if r == nil || !bus.ValidToken(r.Ask.ID) || r.Ask.Own != "" {
			t.Errorf("an ask with the id %.40q becomes %+v", id, r)
		}
	}
	for _, u := range []bus.Usage{{InputTokens: math.MaxInt}, {OutputTokens: math.MaxInt}, {Rounds: math.MaxInt}, {Calls: math.MaxInt}, {Money: math.MaxFloat64}} {
		if r := w.state.Settle("t1-1-0", bus.Response{Status: bus.OK, Usage: &u}, 0, w.terms()); r.Usage != nil {
			t.Errorf("counted: %+v", r.Usage)
		}
	}
}

// What is folded after the response changes nothing, not even another response.
func TestNothingAfterTheResponse(t *testing.T) {
	w := newWorld()
	w.fold(t, bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Request: &bus.Request{}}, 0)
	w.fold(t, bus.Record{Kind: bus.KindResponse, Call: "t1", Status: bus.OK}, 0)
	last := w.state.Last
	w.fold(t, bus.Record{Kind: bus.KindResponse, Call: "t1", Status: bus.Failed}, 0)
	w.fold(t, bus.Record{Kind: bus.KindClaim, Call: "t1"}, 0)
	if w.state.Response.Status != bus.OK || w.state.Last != last || w.state.Attempt != 1 {
		t.Errorf("the response became %s, the last record %d, the attempt %d", w.state.Response.Status, w.state.Last, w.state.Attempt)
	}
}

// A round cannot know what comes after it, whatever it says.
func TestSeenFromTheFuture(t *testing.T) {
	w := newWorld()
	w.cards["get"] = bus.Card{Name: "get", Kind: "tool", Effect: bus.Read}
	w.fold(t, bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Request: &bus.Request{}}, 0)
	round := w.state.Thought(1, Known{1 << 40, 1 << 40})
	round.ActionCode = []bus.Action{{ToolName: "get"}, {ToolName: "get"}}
	w.fold(t, *round, 0)
	w.fold(t, *w.state.Settle("t1-1-0", bus.Response{Status: bus.OK}, 0, w.terms()), 0)
	if due := w.check(t); due.Think == nil || due.Think.Round != 2 {
		t.Errorf("an observation that is not trusted is not thought about: %s", shown(t, due))
	}
}

// BenchmarkThreeRounds folds a call of three rounds and asks after every record what is due.
func BenchmarkThreeRounds(b *testing.B) {
	w := newWorld()
	for _, name := range []string{"search", "detail"} {
		w.cards[name] = bus.Card{Name: name, Kind: "tool", Effect: bus.Read}
	}
	w.fold(b, bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Agent: "orders", Request: &bus.Request{JobDesc: "我有多少订单是王萍萍买的?"}}, 0)
	think := func(actions ...bus.Action) {
		r := w.state.Thought(len(w.state.Rounds)+1, w.state.Known())
		r.Thought, r.ActionCode = "look it up", actions
		w.fold(b, *r, 0)
	}
	answer := func(child string) {
		w.fold(b, *w.state.Settle(child, bus.Response{Status: bus.OK, Observation: json.RawMessage(`{"orders":[{"id":"1"},{"id":"2"}],"count":2}`)}, 0, w.terms()), 0)
	}
	think(bus.Action{ToolName: "search", Parameter: json.RawMessage(`{"search_keys":"订单","name":"王萍萍"}`)})
	answer("t1-1-0")
	think(bus.Action{ID: "a", ToolName: "search", Parameter: json.RawMessage(`{"search_keys":"订单"}`), TrustMode: 1},
		bus.Action{ToolName: "detail", Parameter: json.RawMessage(`{"id":"$a.orders[1].id"}`)})
	answer("t1-2-0")
	answer("t1-2-1")
	think()
	w.fold(b, *w.state.Due(w.terms()).Write, 0)
	if !w.state.Ended() {
		b.Fatal("not ended")
	}
	terms := w.terms()
	b.ReportAllocs()
	for b.Loop() {
		var s State
		for _, r := range w.log {
			s.Fold(&r)
			s.Due(terms)
		}
	}
}
