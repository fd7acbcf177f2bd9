package saved

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
)

// stall is a bus with the tools of the shop, which write down what they were called with.
type stall struct {
	bus  *bus.Bus
	dir  *bus.Directory
	host *tools.Host
	mu   sync.Mutex
	done []string
}

func open(t *testing.T, cards []bus.Card, brings map[string]string) *stall {
	t.Helper()
	b, err := bus.Connect(t.Context(), bus.Options{Server: bustest.Server(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	s := &stall{bus: b, host: tools.NewHost(b, engine, tools.Options{})}
	t.Cleanup(func() {
		if err := s.host.Stop(); err != nil {
			t.Error(err)
		}
	})
	var names []string
	for _, c := range cards {
		if c.IsAgent() {
			continue
		}
		if c.Description == "" {
			c.Description = "does it"
		}
		c.Returns = nil
		names = append(names, c.Name)
		err := s.host.Add(tools.Tool{Card: c, Run: func(_ context.Context, call *tools.Call) (any, error) {
			s.mu.Lock()
			s.done = append(s.done, c.Name+" "+string(call.Request.Parameter))
			s.mu.Unlock()
			return json.RawMessage(brings[c.Name]), nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if s.dir, err = b.Directory(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.dir.Await(t.Context(), names...); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTry(t *testing.T) {
	t.Parallel()
	const orders = `{"orders":[{"order_id":"281063663568"}]}`
	s := open(t, shopCards, map[string]string{"search": orders, "send": `{"ok":true}`, interpreter: `{"answer":"1024"}`})
	steps := made(t, (&log{}).task("t1", "orders of Bob, write to the first: hello there", bus.OK,
		[3]string{"search", `{"name":"Bob"}`, orders}, [3]string{"send", `{"order_id":"281063663568","text":"hello there"}`, `{"ok":true}`}), Wish{})
	look := made(t, (&log{}).task("t1", "orders of Bob", bus.OK, [3]string{"search", `{"name":"Bob"}`, orders}), Wish{})
	code := made(t, (&log{}).task("t1", "compute", bus.OK, [3]string{interpreter, `{"code":"n = 2\nprint(n**10)"}`, `{"answer":"1024"}`}), Wish{})
	for name, c := range map[string]struct {
		tool   bus.SavedTool
		change func(*bus.SavedTool)
		says   string // of Why; "": it passes
		words  string
	}{
		"a change is looked at":     {steps, nil, "", "of 2 steps 1 were run"},
		"the same shape":            {look, nil, "", "same shape"},
		"the same value":            {code, nil, "", "same result"},
		"another value":             {code, func(s *bus.SavedTool) { s.Test.Value = json.RawMessage(`{"answer":"7"}`) }, "it brings", ""},
		"another shape":             {look, func(s *bus.SavedTool) { s.Test.Shape = json.RawMessage(`{"orders":"string"}`) }, "was a string", ""},
		"a tool that is gone":       {look, func(s *bus.SavedTool) { s.Steps[0].ToolName = "vanished" }, "gone", ""},
		"a schema that has changed": {look, func(s *bus.SavedTool) { s.Steps[0].Parameter, s.Steps[0].Card = json.RawMessage(`{"name":7}`), "other" }, "has changed since", ""},
		"more than it says":         {steps, func(s *bus.SavedTool) { s.Effect = bus.Read }, "unsafe now", ""},
		"a field that went":         {steps, func(s *bus.SavedTool) { s.Steps[1].Parameter = json.RawMessage(`{"order_id":"$s1.rows.0","text":"x"}`) }, `no field "rows"`, ""},
		"a missing argument":        {look, func(s *bus.SavedTool) { s.Test = nil }, "name is missing", ""},
	} {
		tool := c.tool
		tool.Steps = slices.Clone(tool.Steps)
		if tool.Test != nil {
			test := *tool.Test
			tool.Test = &test
		}
		if c.change != nil {
			c.change(&tool)
		}
		out := Try(t.Context(), s.bus, s.dir, tool, bus.Request{})
		if (out.Why == "") != (c.says == "") || !strings.Contains(out.Why, c.says) || !strings.Contains(out.Words("en"), c.words) {
			t.Errorf("%s: %q %q, want %q %q", name, out.Why, out.Words("en"), c.says, c.words)
		}
	}
	if i := slices.IndexFunc(s.done, func(d string) bool { return strings.HasPrefix(d, "send") }); i >= 0 {
		t.Errorf("a test has changed something: %v", s.done)
	}
	if !slices.Contains(s.done, interpreter+` {"arguments":{"n":2},"code":"n = args[\"n\"]\nprint(n**10)"}`) {
		t.Errorf("done: %v", s.done)
	}
	if now, err := Refresh(steps, s.dir); err != nil || now.Effect != bus.Unsafe || now.Steps[0].Card == "" {
		t.Errorf("%+v %v", now, err)
	}
	steps.Steps[0].ToolName = "vanished"
	if _, err := Refresh(steps, s.dir); err == nil {
		t.Error("a step without a tool was taken")
	}
}

// save_tool keeps exactly what was shown, once, after a yes; two who take one name at once do not get each other's tool.
func TestSaveTool(t *testing.T) {
	t.Parallel()
	s := open(t, append(slices.Clone(shopCards), bus.Card{Name: "clerk", Kind: "tool", Effect: bus.Read}), map[string]string{"search": `{"orders":[]}`})
	agent, err := s.bus.Serve(bus.Card{Name: "orders", Kind: "agent", Description: "orders"}, func(*bus.Incoming) {})
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Stop()
	if err := s.host.Add(Tool(s.bus)); err != nil {
		t.Fatal(err)
	}
	if err := s.dir.Await(t.Context(), "orders", ToolName); err != nil {
		t.Fatal(err)
	}
	l := (&log{}).task("t1", "orders of Bob", bus.OK, [3]string{"search", `{"name":"Bob"}`, `{"orders":[]}`})
	last := map[string]uint64{}
	for _, r := range l.records {
		r.HMAP = bus.Version
		r.Session = "s"
		seq, err := s.bus.Append(t.Context(), &r, last[r.Call])
		if err != nil {
			t.Fatal(err)
		}
		last[r.Call] = seq
	}
	ask := func(call, parameter string, in *bus.Input) bus.Response {
		t.Helper()
		r, err := s.bus.Call(t.Context(), bus.Request{Session: "s", Task: "t2", Call: call, Caller: "analyst", Parent: "t2", Path: []string{"master"}, ToolName: ToolName,
			Parameter: json.RawMessage(parameter), Input: in, Language: "en"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	shown := ask("c1", `{"name":"orders_of"}`, nil)
	if shown.Status != bus.InputRequired || shown.Ask == nil || shown.Ask.Kind != bus.Approval || !strings.Contains(shown.Ask.Question, "for example Bob") || !strings.Contains(shown.Ask.Question, "reads only") {
		t.Fatalf("%+v", shown)
	}
	for _, in := range []bus.Input{{Kind: bus.Refuse}, {Kind: bus.Expire}, {Kind: bus.Answer, Text: "no, later"}} {
		in.Ask = shown.Ask.ID
		if r := ask("c1", `{"name":"orders_of"}`, &in); r.Error == nil || r.Error.Code != bus.CodeForbidden {
			t.Errorf("%+v: %+v", in, r)
		}
	}
	// What is neither yes nor no is asked again, a few times, and then it is a no.
	unclear := bus.Input{Kind: bus.Answer, Text: "well, perhaps", Ask: ask("c7", `{"name":"orders_of"}`, nil).Ask.ID}
	for range maxUnclear {
		r := ask("c7", `{"name":"orders_of"}`, &unclear)
		if r.Status != bus.InputRequired || r.Ask.ID == unclear.Ask || !strings.HasPrefix(r.Ask.Question, "I could not tell") {
			t.Fatalf("%+v", r)
		}
		unclear.Ask = r.Ask.ID
	}
	if r := ask("c7", `{"name":"orders_of"}`, &unclear); r.Error == nil || r.Error.Code != bus.CodeForbidden {
		t.Errorf("%+v", r)
	}
	// What was shown under another sum is asked again.
	if r := ask("c2", `{"name":"orders_of","description":"something else"}`, &bus.Input{Kind: bus.Approve, Ask: shown.Ask.ID}); r.Status != bus.InputRequired {
		t.Errorf("%+v", r)
	}
	if all, err := s.bus.SavedTools(t.Context()); err != nil || len(all) > 0 {
		t.Fatalf("%+v %v", all, err)
	}
	yes := bus.Input{Kind: bus.Answer, Text: "yes please", Ask: shown.Ask.ID} // as any approval reads it
	yes.Ask = ask("c-u3", `{"name":"orders_of"}`, nil).Ask.ID
	for _, call := range []string{"c-u3", "c5"} { // said again, also on another node that knows nothing of it, it is kept as it is
		if r := ask(call, `{"name":"orders_of"}`, &yes); r.Status != bus.OK || !strings.Contains(string(r.Observation), `"version":1`) {
			t.Fatalf("%s: %s %+v", call, r.Observation, r.Error)
		}
	}
	if r := ask("c6", `{"name":"orders_of","description":"something else"}`, nil); r.Error == nil || !strings.Contains(r.Error.Message, "is taken") {
		t.Errorf("%+v", r)
	}
	all, err := s.bus.SavedTools(t.Context())
	if err != nil || len(all) != 1 || all[0].Name != "orders_of" || all[0].Agent != "orders" {
		t.Fatalf("%+v %v", all, err)
	}
	for _, parameter := range []string{`{"name":"Bad Name"}`, `{"name":"search"}`, `{"more":1}`} {
		if r := ask("c4", parameter, nil); r.Error == nil {
			t.Errorf("%s: %+v", parameter, r)
		}
	}
}
