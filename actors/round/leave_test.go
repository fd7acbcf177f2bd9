package round

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Who is asked to agree sees what a change replaces, as far as the call has seen it: of the thing that is named, and no other.
func TestApprovalShowsWhatIsReplaced(t *testing.T) {
	card := &bus.Card{Name: "set_stock", Description: "Set the stock.", Parameters: json.RawMessage(
		`{"properties":{"sku":{"type":"string"},"stock":{"type":"integer","x-present":"find.stock"},"shelf":{"type":"string","x-present":7}}}`)}
	shown := func(status bus.Status, observation string) *Round {
		return &Round{Acts: []*Act{{Action: bus.Action{ToolName: "find"}, Result: &bus.Record{Status: status, Observation: json.RawMessage(observation)}}}}
	}
	changed := func(n *Round, parameter string) *Round {
		n.Acts = append(n.Acts, &Act{Action: bus.Action{ToolName: "set_stock"}, Result: &bus.Record{Status: bus.OK, Parameter: json.RawMessage(parameter), Observation: json.RawMessage(`"done"`)}})
		return n
	}
	goods := `{"goods":[{"sku":"A","stock":71},{"sku":"B","stock":9007199254740993}],"note":"A"}`
	for _, c := range []struct {
		seen *Round
		with string
		want string
	}{
		{shown(bus.OK, goods), `{"sku":"A","stock":171}`, "sku: A, stock: 71 → 171"},
		{shown(bus.OK, goods), `{"sku":"B","stock":1}`, "sku: B, stock: 9007199254740993 → 1"},
		{shown(bus.OK, goods), `{"sku":"C","stock":1}`, "sku: C, stock: 1"},
		{shown(bus.OK, goods), `{"sku":"A","stock":71}`, "sku: A, stock: 71"},
		{shown(bus.Failed, goods), `{"sku":"A","stock":171}`, "sku: A, stock: 171"},
		{changed(shown(bus.OK, goods), `{"sku":"B","stock":171}`), `{"sku":"A","stock":171}`, "sku: A, stock: 71 → 171"},
		{changed(shown(bus.OK, goods), `{"sku":"A","stock":171}`), `{"sku":"A","stock":271}`, "sku: A, stock: 271"}, // 71 is not there any more
		{shown(bus.OK, `"A"`), `{"sku":"A","stock":171}`, "sku: A, stock: 171"},
		{shown(bus.OK, `{`), `{"sku":"A","stock":171,"shelf":"x"}`, "shelf: x, sku: A, stock: 171"},
	} {
		s := &State{Rounds: []*Round{c.seen}}
		got := words(false).wanted(card, json.RawMessage(c.with), "", s.present(card, json.RawMessage(c.with)))
		if got != "Set the stock ("+c.want+")" {
			t.Errorf("%s: %s", c.with, got)
		}
	}
}

// Who is asked to agree sees which thing it is, as far as the call has seen it, and in his language: not of another thing, nor of what was changed since.
func TestApprovalShowsWhatItIs(t *testing.T) {
	cards := map[string]*bus.Card{
		"detail": {Name: "detail", Kind: "tool", Effect: bus.Read},
		"list": {Name: "list", Kind: "tool", Effect: bus.Read, Returns: json.RawMessage(`{"properties":{"orders":{"items":{"properties":{
			"id":{"title":"编号","x-title-en":"Id"},"buyer":{"title":"买家","x-title-en":"Buyer"},"paid":{"title":"实付","x-title-en":"Paid"},"plain":{},"lines":{"title":"明细"}}}}}}`)},
		"cancel": {Name: "cancel", Kind: "tool", Effect: bus.Idempotent},
	}
	did := func(tool, parameter, observation string) *Act {
		return &Act{Action: bus.Action{ToolName: tool}, Result: &bus.Record{Status: bus.OK, Parameter: json.RawMessage(parameter), Observation: json.RawMessage(observation)}}
	}
	list := did("list", `{}`, `{"summary":"有 A 和 B。","orders":[{"id":"A","buyer":"王萍萍","paid":9007199254740993,"plain":1,"lines":[1]},{"id":"B","paid":2}]}`)
	detail := did("detail", `{"id":"A"}`, `{"summary":"订单 A：王萍萍。","summary_en":"Order A: Wang.","id":"A"}`)
	for _, c := range []struct {
		acts     []*Act
		language string
		id, want string
	}{
		{[]*Act{list}, "zh", "A", "买家：王萍萍，实付：9007199254740993"},
		{[]*Act{list}, "en", "B", "Paid: 2"},
		{[]*Act{list, detail}, "zh", "A", "订单 A：王萍萍。"},
		{[]*Act{list, detail}, "en", "A", "Order A: Wang."},
		{[]*Act{list, detail}, "en", "B", "Paid: 2"},
		{[]*Act{list}, "zh", "C", ""},
		{[]*Act{list, did("cancel", `{"id":"A"}`, `1`)}, "zh", "A", ""},
		{[]*Act{did("list", `{}`, `[{"id":"A"`)}, "zh", "A", ""},
		{[]*Act{did("list", `{}`, strings.Repeat("[", 20000)+`{"id":"A","buyer":"x"}`+strings.Repeat("]", 20000))}, "zh", "A", ""}, // of one that means harm
	} {
		s := &State{Rounds: []*Round{{Acts: c.acts}}}
		terms := Terms{Language: c.language, Card: func(name string) *bus.Card { return cards[name] }}
		got := terms.words().about(s.sight(&bus.Card{}, json.RawMessage(`{"id":"`+c.id+`"}`), terms), map[string]string{"id": c.id})
		if got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.id, c.language, got, c.want)
		}
	}
}

// twice is a call of master that wants leave for two calls of close, with the arguments given, the second after others, and a world to play it in.
func twice(t *testing.T, first, second json.RawMessage, after ...string) *world {
	w := newWorld()
	w.cards["close"] = bus.Card{Name: "close", Kind: "tool", Effect: bus.Unsafe, Approval: "ask"}
	w.fold(t, bus.Record{Kind: bus.KindRequest, Session: "s", Task: "t", Call: "t", Agent: "master", Request: &bus.Request{JobDesc: "x"}}, 0)
	r := w.state.Thought(1, w.state.Known())
	r.ActionCode = []bus.Action{{ID: "a", ToolName: "close", Parameter: first}, {ID: "b", ToolName: "close", Parameter: second}}
	r.ActionCode[1].After = after
	w.fold(t, *r, 0)
	return w
}

// A callee that says that its own question is for other calls too gets no leave for them: nobody was shown them.
func TestCalleeGivesNoLeaveForOthers(t *testing.T) {
	w := twice(t, json.RawMessage(`{"n":1}`), json.RawMessage(`{"n":2}`), "a") // the turn of the second has not come
	a, b := w.state.Rounds[0].Acts[0], w.state.Rounds[0].Acts[1]
	w.fold(t, *w.state.Due(w.terms()).Write, 0)
	w.fold(t, bus.Record{Kind: bus.KindInput, Session: "s", Task: "t", Call: "t", Input: &bus.Input{Kind: bus.Approve}}, 0)
	w.fold(t, *w.state.Due(w.terms()).Write, 0) // the intent
	asked := bus.Response{Status: bus.InputRequired, Ask: &bus.Ask{Kind: bus.Approval, Question: "Tea?", Others: []bus.AskedCall{{Call: b.Child}}}}
	w.fold(t, *w.state.Settle(a.Child, asked, 0, w.terms()), 0)
	w.fold(t, bus.Record{Kind: bus.KindInput, Session: "s", Task: "t", Call: "t", Input: &bus.Input{Kind: bus.Approve}}, 0)
	if a.forward == nil {
		t.Fatal("the callee got no answer")
	}
	if said, is := b.said[b.Child]; is {
		t.Errorf("a yes to tea is leave for another call: %+v", said)
	}
}

// What leave is asked for fits into a message and before a reader: the rest is asked for next, and a yes to the first ask is none to it.
func TestLeaveIsAskedInPieces(t *testing.T) {
	long := func(letter string) json.RawMessage { return JSONText(strings.Repeat(letter, maxAsked*2/3)) }
	w := twice(t, long("a"), long("b"))
	a, b := w.state.Rounds[0].Acts[0], w.state.Rounds[0].Acts[1]
	ask := w.state.Due(w.terms()).Write
	if ask == nil || ask.Ask == nil || len(ask.Ask.Others) > 0 {
		t.Fatalf("want an ask for the first call only: %.200s", shown(t, ask))
	}
	w.fold(t, *ask, 0)
	if due := w.state.Due(w.terms()); due.Write != nil {
		t.Fatalf("two asks for one tool at a time: %.200s", shown(t, due.Write))
	}
	w.fold(t, bus.Record{Kind: bus.KindInput, Session: "s", Task: "t", Call: "t", Input: &bus.Input{Kind: bus.Approve}}, 0)
	if _, is := b.said[b.Child]; is {
		t.Error("a yes is one to a call that was not shown")
	}
	for range 2 { // the intent of the first, and then the ask
		w.fold(t, *w.state.Due(w.terms()).Write, 0)
	}
	if a.intentSeq == 0 || b.Ask == nil {
		t.Errorf("the second was not asked for: %.200s", shown(t, w.state.Due(w.terms()).Write))
	}
}

// What was shown as replaced goes with each call that was agreed to, and is what was shown last; what was cut short holds nobody to anything.
func TestACallSaysWhatWasShown(t *testing.T) {
	w := newWorld()
	w.cards["find"] = bus.Card{Name: "find", Kind: "tool", Effect: bus.Read}
	w.cards["set"] = bus.Card{Name: "set", Kind: "tool", Effect: bus.Idempotent, Approval: "ask", Parameters: json.RawMessage(
		`{"properties":{"sku":{"type":"string"},"stock":{"type":"integer","x-present":"find.stock"},"note":{"type":"string","x-present":"find.note"}}}`)}
	w.fold(t, bus.Record{Kind: bus.KindRequest, Session: "s", Task: "t", Call: "t", Agent: "master", Request: &bus.Request{JobDesc: "x"}}, 0)
	r := w.state.Thought(1, w.state.Known())
	r.ActionCode = []bus.Action{
		{ID: "f", ToolName: "find", TrustMode: 1}, {ID: "a", ToolName: "set", Parameter: json.RawMessage(`{"sku":"A","stock":9}`), After: []string{"f"}},
		{ID: "b", ToolName: "set", Parameter: json.RawMessage(`{"sku":"B","stock":9,"note":"new"}`), After: []string{"f"}},
	}
	w.fold(t, *r, 0)
	found := bus.Response{Status: bus.OK, Observation: json.RawMessage(`[{"sku":"A","stock":71},{"sku":"B","stock":2,"note":"long… [cut, 9000 bytes in all]"}]`)}
	w.fold(t, *w.state.Settle(w.state.Rounds[0].Acts[0].Child, found, 0, w.terms()), 0)
	for _, said := range []string{"hm", ""} { // after words that are neither yes nor no it is shown again
		ask := w.state.Due(w.terms()).Write
		if ask == nil || ask.Ask == nil || len(ask.Ask.Others) != 1 {
			t.Fatalf("want one ask for both: %s", shown(t, ask))
		}
		w.fold(t, *ask, 0)
		kind := bus.Approve
		if said != "" {
			kind = bus.Answer
		}
		w.fold(t, bus.Record{Kind: bus.KindInput, Session: "s", Task: "t", Call: "t", Input: &bus.Input{Kind: kind, Text: said}}, 0)
	}
	for range 2 {
		w.fold(t, *w.state.Due(w.terms()).Write, 0) // the intents
	}
	got := map[string]string{}
	for _, c := range w.state.Due(w.terms()).Calls {
		present, _ := json.Marshal(c.Request.Present)
		got[string(c.Request.Parameter)] = string(present)
	}
	if got[`{"sku":"A","stock":9}`] != `{"stock":"71"}` || got[`{"sku":"B","stock":9,"note":"new"}`] != `{"stock":"2"}` {
		t.Errorf("%v", got)
	}
}

// What is shown as replaced, and as the thing, is of the thing that the call names: a new value names none that has it already. An empty value is one, and the longest go
// with no call.
func TestShownOfTheThingAlone(t *testing.T) {
	card := &bus.Card{Name: "change", Kind: "tool", Effect: bus.Idempotent, Parameters: json.RawMessage(`{"properties":{"id":{"type":"string","x-needs":"id","x-present":"find.id"},` +
		`"address":{"type":"string","x-present":"other.address|find.address"},"note":{"type":"string","x-present":"find.note"}}}`)}
	found := `[{"id":"B","address":"9 New St","note":"m"},{"id":"A","address":"1 Old… Rd","note":""},{"id":"C","note":"` + strings.Repeat("x", maxPresent+1) + `"}]`
	s := &State{Rounds: []*Round{{Acts: []*Act{{Action: bus.Action{ToolName: "find"}, Result: &bus.Record{Status: bus.OK, Observation: json.RawMessage(found)}}}}}}
	for with, want := range map[string]string{
		`{"id":"A","address":"9 New St","note":"VIP"}`: `{"address":"1 Old… Rd","note":""}`,
		`{"id":"C","note":"short"}`:                    `{}`,
		`{"address":"9 New St","note":"VIP"}`:          `{}`,
	} {
		got, _ := json.Marshal(whole(s.present(card, json.RawMessage(with))))
		if string(got) != want {
			t.Errorf("%s: %s, want %s", with, got, want)
		}
	}
	find := &bus.Card{Name: "find", Kind: "tool", Effect: bus.Read}
	seen := s.sight(card, json.RawMessage(`{"id":"A","address":"9 New St"}`), Terms{Card: func(string) *bus.Card { return find }})
	if seen.id != "A" {
		t.Errorf("the thing is %q", seen.id)
	}
}
