package round

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// FuzzFill: whatever stands in an action code and in an observation, filling it in gives JSON or a fault worded for the mind, gives
// the same twice, and changes neither the action nor the observation.
func FuzzFill(f *testing.F) {
	f.Add(`{"id":"$t1.orders[0].id"}`, `about $t1.who.`, `{"orders":[{"id":12345678901234567890}],"who":"<b>"}`)
	f.Add(`{"a":"$$t1","b":"$t1","c":["$t1[0]","$t1.0"]}`, `$$t1 $t1[1] $t1[999999]`, `[1,[2]]`)
	f.Add(`["$t1.订单号", {"$t1": "$t2"}]`, `$t1.订单号的`, `{"订单号":null}`)
	f.Add(`{"x":"$t1..a","y":"$t1.[0]","z":"$t1[-1]","w":"$t1.+0"}`, `$`, `"text"`)
	f.Add(`null`, `$t1.a[0].b.c.d`, `{"a":[{"b":{"c":{}}}]}`)
	f.Add(`{"n":1e400,"m":-0.0}`, "\x00\xff$t1", `1e400`)
	f.Fuzz(func(t *testing.T, parameter, job, observation string) {
		if !json.Valid([]byte(parameter)) || !json.Valid([]byte(observation)) {
			t.Skip() // a record cannot carry it
		}
		n := &Round{N: 1, Acts: link("t1", 1, []bus.Action{
			{ID: "t1", ToolName: "get"}, {ToolName: "get", Parameter: json.RawMessage(parameter), JobDesc: job},
		})}
		n.Acts[0].Result = &bus.Record{Status: bus.OK, Observation: json.RawMessage(observation)}
		got, text, fault := n.fill(n.Acts[1])
		again, textAgain, faultAgain := n.fill(n.Acts[1])
		if !bytes.Equal(got, again) || text != textAgain || (fault == nil) != (faultAgain == nil) || fault != nil && *fault != *faultAgain {
			t.Fatalf("two different results: %s %q %v and %s %q %v", got, text, fault, again, textAgain, faultAgain)
		}
		if string(n.Acts[1].Parameter) != parameter || string(n.Acts[0].Result.Observation) != observation {
			t.Fatal("filling in changed what it read")
		}
		switch {
		case fault != nil:
			if fault.Code != bus.CodeInvalidParameter || !strings.Contains(fault.Message, "t1") {
				t.Fatalf("a fault that does not say what is wrong: %v", fault)
			}
		case !json.Valid(got):
			t.Fatalf("no JSON: %s", got)
		case !strings.Contains(parameter, "$") && string(got) != parameter:
			t.Fatalf("changed without a reference: %s", got)
		case !strings.Contains(job, "$") && text != job:
			t.Fatalf("changed without a reference: %s", text)
		}
	})
}

// FuzzCanonical: equal values are equal strings, and the string is the same value.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{``, `{}`, `{"b":1,"a":[ 1.0 , {"d":"<&>","c":null}]}`, `12345678901234567890`, `"\u4e2d"`, `{"a":1,"a":2}`, `1e400`, `{`, `[1] x`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		c := canonical(json.RawMessage(raw))
		if again := canonical(json.RawMessage(c)); again != c {
			t.Fatalf("not settled: %s, then %s", c, again)
		}
		if !json.Valid([]byte(raw)) {
			return
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(raw), " ", "\t"); err != nil {
			t.Fatal(err)
		}
		if other := canonical(indented.Bytes()); other != c {
			t.Fatalf("spaces make another value: %s and %s", c, other)
		}
	})
}

func TestFillIsBounded(t *testing.T) {
	n := &Round{Acts: link("t1", 1, []bus.Action{
		{ID: "a", ToolName: "get"}, {ToolName: "orders", JobDesc: strings.Repeat("$a ", 1000)},
	})}
	n.Acts[0].Result = &bus.Record{Status: bus.OK, Observation: JSONText(strings.Repeat("x", 10_000))}
	if _, _, fault := n.fill(n.Acts[1]); fault == nil || fault.Code != bus.CodeInvalidParameter {
		t.Fatalf("ten megabytes came in by reference, fault %v", fault)
	}
}

// What a callee sends need not be JSON, nor an answer at all.
func TestSettleStrangeAnswers(t *testing.T) {
	w := newWorld()
	w.cards["get"] = bus.Card{Name: "get", Kind: "tool", Effect: bus.Read}
	w.fold(t, bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Request: &bus.Request{}}, 0)
	round := w.state.Thought(1, 1)
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

// BenchmarkThreeRounds folds a call of three rounds and asks after every record what is due.
func BenchmarkThreeRounds(b *testing.B) {
	w := newWorld()
	for _, name := range []string{"search", "detail"} {
		w.cards[name] = bus.Card{Name: name, Kind: "tool", Effect: bus.Read}
	}
	w.fold(b, bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Agent: "orders", Request: &bus.Request{JobDesc: "我有多少订单是王萍萍买的?"}}, 0)
	think := func(actions ...bus.Action) {
		r := w.state.Thought(len(w.state.Rounds)+1, w.state.Seen())
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
			s.Fold(r)
			s.Due(terms)
		}
	}
}
