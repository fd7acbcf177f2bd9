package bus

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestServeAnswersBadBodies(t *testing.T) {
	b := newBus(t)
	serve(t, b, toolCard("echo"), func(in *Incoming) { t.Errorf("handled %+v", in.Request) })
	ok := `"session":"s","task":"t","call":"c"`
	for _, c := range []struct{ body, code string }{
		{"", CodeInvalidRequest},
		{"text", CodeInvalidRequest},
		{"{", CodeInvalidRequest},
		{`{}`, CodeInvalidRequest},
		{`{"session":"*","task":"t","call":"c"}`, CodeInvalidRequest},
		{`{` + ok + `,"tool_name":"other"}`, CodeInvalidRequest},
		{`{` + ok + `,"path":["a.b"]}`, CodeInvalidRequest},
		{`{` + ok + `,"deadline":"soon"}`, CodeInvalidRequest},
		{`{` + ok + `,"budget":{"depth":-1}}`, CodeInvalidRequest},
		{`{` + ok + `,"hmap":"9"}`, CodeUnsupported},
	} {
		m, err := b.nc.RequestWithContext(within(t), CallSubject("main", "echo"), []byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		var r Response
		if err := json.Unmarshal(m.Data, &r); err != nil || r.Status != Failed || r.Error.Code != c.code {
			t.Errorf("%s: %s", c.body, m.Data)
		}
	}
}

// The answer goes where the request says; that must not lend our rights to strangers.
func TestServeDoesNotAnswerOnTheServersSubjects(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	serve(t, b, toolCard("echo"), func(in *Incoming) {
		if in.reply[0] == '$' || strings.HasPrefix(in.reply, "hmap.") {
			t.Errorf("would answer on %s", in.reply)
		}
		echo(in)
	})
	body := must(json.Marshal(request("echo")))
	for _, reply := range []string{"$JS.API.STREAM.PURGE." + LogStream, LogSubject("main", "s", "t", "t"), TaskSubject("main", "master")} {
		if err := b.nc.PublishRequest(CallSubject("main", "echo"), reply, body); err != nil {
			t.Fatal(err)
		}
	}
	must(b.Call(ctx, request("echo"), nil)) // behind the others in the same queue
	if n := must(b.js.Stream(ctx, TaskStream)).CachedInfo().State.Msgs; n != 0 {
		t.Error("an answer became a submission")
	}
}

func TestRespond(t *testing.T) {
	b := newBus(t)
	got := make(chan *Incoming, 1)
	serve(t, b, toolCard("tool"), func(in *Incoming) { got <- in })
	answer := func(f func(in *Incoming)) Response {
		go func() { f(<-got) }()
		return must(b.Call(within(t), request("tool"), nil))
	}
	r := answer(func(in *Incoming) {
		huge := must(json.Marshal(strings.Repeat("x", 2<<20)))
		if err := in.Respond(Response{Status: OK, Observation: huge}); !errors.Is(err, ErrTooLarge) {
			t.Errorf("a huge response: %v, want ErrTooLarge", err)
		}
	})
	if r.Status != Failed || r.Error.Code != CodeInternal || !strings.Contains(r.Error.Message, "Files") {
		t.Errorf("instead of a huge response: %+v", r)
	}
	r = answer(func(in *Incoming) {
		if err := in.Respond(Response{Status: OK, Observation: json.RawMessage("{")}); err == nil {
			t.Error("an observation that is no JSON was sent")
		}
	})
	if r.Status != Failed || r.Error.Code != CodeInternal {
		t.Errorf("instead of broken JSON: %+v", r)
	}
	r = answer(func(in *Incoming) {
		for _, s := range []Status{"", Working, "splendid"} {
			if err := in.Respond(Response{Status: s}); err == nil {
				t.Errorf("status %q ended a call", s)
			}
		}
		if err := in.Respond(Response{Status: OK}); err != nil {
			t.Error(err)
		}
		if err := in.Respond(Response{Status: OK}); err == nil {
			t.Error("a call was answered twice")
		}
		in.Progress("too late")
	})
	if r.Status != OK {
		t.Errorf("%+v", r)
	}
}

func TestServeRefusesABadCard(t *testing.T) {
	b := newBus(t)
	for _, change := range []func(*Card){
		func(c *Card) { c.Name = "a.b" },
		func(c *Card) { c.Kind = "toy" },
		func(c *Card) { c.Description = "" },
		func(c *Card) { c.Effect = "maybe" },
		func(c *Card) { c.Parameters = json.RawMessage(`{"type":"string"}`) },
		func(c *Card) { c.Version = "one" },
	} {
		card := toolCard("tool")
		change(&card)
		if s, err := b.Serve(card, echo); err == nil {
			s.Stop()
			t.Errorf("served %+v", card)
		}
	}
}
