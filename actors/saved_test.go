package actors

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// lookAndSend looks a key up and sends what it found: a saved tool of the clerk's.
func lookAndSend(last string) bus.SavedTool {
	return bus.SavedTool{
		Name: "look_and_send", Description: "looks a key up and sends what it finds to somebody", Agent: "clerk", Effect: bus.Unsafe,
		Parameters: json.RawMessage(`{"type":"object","required":["key","who"],"properties":{"key":{"type":"string"},"who":{"type":"string"}},"additionalProperties":false}`),
		Steps: []bus.SavedStep{
			{ID: "s1", ToolName: "look", Parameter: json.RawMessage(`{"key":"$args.key"}`)},
			{ID: "s2", ToolName: last, After: []string{"s1"}, Parameter: json.RawMessage(`{"to":"$args.who","text":"$s1.value"}`)},
		},
	}
}

// keep saves a tool and waits until the house offers it.
func (h *house) keep(tool bus.SavedTool, over int) bus.SavedTool {
	h.t.Helper()
	kept, err := h.bus.KeepTool(h.t.Context(), tool, over)
	if err != nil {
		h.t.Fatal(err)
	}
	version := kept.Card().Version
	eventually(h.t, "the saved tool is on offer", func() bool {
		c, there := h.team.dir.Get(tool.Name)
		return there && c.Version == version
	})
	return kept
}

// uses is a model whose clerk calls the saved tool once.
func uses(t *testing.T, arguments string) *scripted.Server {
	return scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "look up a and send it to bob")), {Text: "end"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "look_and_send", Arguments: arguments}), {Text: "done with it"}},
	}))
}

// The steps of a saved tool are calls like any other: each has its result in the log, references are filled in, and the one that needs leave
// asks, once, for what it would really do.
func TestSavedToolRunsItsStepsAsCalls(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: uses(t, `{"key":"a","who":"bob"}`)})
	tool := h.keep(lookAndSend("send"), 0)
	w := h.submit(bus.Submission{Query: "look up a and send it to bob"})
	a := h.ask(w)
	if a.Kind != bus.Approval || a.ToolName != "send" || !strings.Contains(string(a.Arguments), `"v-a"`) {
		t.Fatalf("%+v", a)
	}
	if done := h.ledger.all(); !slices.Equal(done, []string{"look a"}) {
		t.Errorf("before leave: %v", done)
	}
	h.tell(w, bus.Input{Kind: bus.Approve, Ask: a.ID})
	if r := h.response(w); r.Status != bus.OK {
		t.Fatalf("%s\n%s", brief(r), h.log(w))
	}
	if done := h.ledger.all(); !slices.Equal(done, []string{"look a", "send bob"}) {
		t.Errorf("done: %v", done)
	}
	call := w.Task + "-1-0-1-0"
	var kinds []string
	for _, r := range h.records(bus.Where{Session: w.Session, Task: w.Task, Call: call}) {
		kinds = append(kinds, string(r.Kind)+" "+r.ToolName)
		if r.Kind == bus.KindRound && (!strings.Contains(r.Thought, "version 1") || len(r.ActionCode) != 2) {
			t.Errorf("the round does not say what ran: %+v", r)
		}
		if r.Kind == bus.KindResponse && string(r.Observation) != `"sent"` {
			t.Errorf("its result is %s", r.Observation)
		}
	}
	for _, want := range []string{"request ", "round ", "result look", "intent send", "result send", "response "} {
		if !slices.Contains(kinds, want) {
			t.Errorf("no %s in the log of the call: %v", want, kinds)
		}
	}
	if tool.Version != 1 {
		t.Errorf("version %d", tool.Version)
	}
}

// A saved tool whose node dies in the middle goes on where it was on another, and its unsafe step is not repeated without a word.
func TestSavedToolIsTakenOver(t *testing.T) {
	t.Parallel()
	server, l := bustest.Server(t), &ledger{}
	m := uses(t, `{"key":"a","who":"slow"}`)
	first := open(t, setup{server: server, ledger: l, model: m, node: "first"})
	first.keep(lookAndSend("post"), 0)
	w := first.submit(bus.Submission{Query: "look up a and send it to bob"})
	l.wait(t, "post slow")
	second := open(t, setup{server: server, ledger: l, model: m, node: "second"})
	first.kill()
	a := second.ask(w)
	if a.ToolName != "post" || !strings.Contains(a.Question, "may or may not") {
		t.Fatalf("%+v\n%s", a, second.log(w))
	}
	second.tell(w, bus.Input{Kind: bus.Refuse, Ask: a.ID})
	if r := second.response(w); r.Status != bus.OK {
		t.Fatal(brief(r))
	}
	if done := l.all(); !slices.Equal(done, []string{"look a", "post slow"}) {
		t.Errorf("done: %v\n%s", done, second.log(w))
	}
}

// What several last steps bring comes as one object, by the names of their tools.
func TestSavedToolWithSeveralEnds(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	tool := lookAndSend("post")
	tool.Steps[1].Parameter, tool.Steps[1].After = json.RawMessage(`{"to":"$args.who"}`), nil
	h.keep(tool, 0)
	req := clerkCall()
	req.ToolName, req.JobDesc, req.Parameter = tool.Name, "", json.RawMessage(`{"key":"a","who":"$ $s1.value"}`)
	r, err := h.bus.Call(t.Context(), req, nil)
	if want := `{"look":{"key":"a","value":"v-a"},"post":"posted"}`; err != nil || string(r.Observation) != want {
		t.Errorf("%s %+v %v, want %s", r.Observation, r.Error, err, want)
	}
	if done := h.ledger.all(); !slices.Contains(done, "post $ $s1.value") {
		t.Errorf("what is said refers to nothing: %v", done)
	}
}

// What cannot run says why before anything of it has: a step whose tool is gone, one that does more now than when it was saved.
func TestSavedToolThatNoLongerFits(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(*bus.SavedTool)
		code, says string
	}{
		"gone":      {func(s *bus.SavedTool) { s.Steps[1].ToolName = "vanished" }, bus.CodeUnavailable, "vanished"},
		"lies":      {func(s *bus.SavedTool) { s.Effect = bus.Read }, bus.CodeForbidden, "send is now unsafe"},
		"an agent":  {func(s *bus.SavedTool) { s.Steps[1].ToolName = "peer" }, bus.CodeUnavailable, "peer"},
		"arguments": {func(s *bus.SavedTool) { s.Steps[0].Parameter = json.RawMessage(`{"kee":"$args.key"}`) }, bus.CodeInvalidParameter, "s1 (look)"},
		"failing":   {func(s *bus.SavedTool) { s.Steps[0].Parameter = json.RawMessage(`{"key":"missing"}`) }, bus.CodeInvalidParameter, "no such key"},
		"elsewhere": {func(s *bus.SavedTool) { s.Steps[1].Parameter = json.RawMessage(`{"to":"$s1.owner"}`) }, bus.CodeInvalidParameter, "owner"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, setup{})
			tool := lookAndSend("send")
			c.change(&tool)
			h.keep(tool, 0)
			req := clerkCall()
			req.ToolName, req.JobDesc, req.Parameter, req.Language = tool.Name, "", json.RawMessage(`{"key":"a","who":"bob"}`), "en"
			r, err := h.bus.Call(t.Context(), req, nil)
			if err != nil || r.Error == nil || r.Error.Code != c.code || !strings.Contains(strings.ReplaceAll(r.Error.Message, "send of its step s2 is unsafe now", "send is now unsafe"), c.says) {
				t.Fatalf("%+v %v", r.Error, err)
			}
			if slices.Contains(h.ledger.all(), "send bob") {
				t.Error("it was sent all the same")
			}
		})
	}
}

// Changes take effect without a restart, on nodes that were there and on one that comes; a removal lets calls under way come to their end.
func TestSavedToolChangesWhileItRuns(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	h := open(t, setup{server: server, node: "first"})
	other := open(t, setup{server: server, node: "second"})
	tool := lookAndSend("hold")
	tool.Effect = bus.Read
	tool = h.keep(tool, 0)
	req := clerkCall()
	req.ToolName, req.JobDesc, req.Parameter = tool.Name, "", json.RawMessage(`{"key":"a","who":"bob"}`)
	_, answer := h.asks(req)
	eventually(t, "it holds", func() bool {
		return slices.Contains(append(h.ledger.all(), other.ledger.all()...), "hold")
	})
	tool.Description = "another description"
	tool = other.keep(tool, 1)
	eventually(t, "both nodes serve the new version", func() bool {
		n := 0
		for _, p := range h.team.dir.Entries() {
			if p.Card.Name == tool.Name && p.Card.Description == tool.Description {
				n++
			}
		}
		return n == 2 && len(h.team.dir.Rejected()) == 0
	})
	if err := other.bus.RemoveTool(t.Context(), tool.Name); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is on offer no more", func() bool { _, there := h.team.dir.Get(tool.Name); return !there })
	close(h.held)
	close(other.held)
	if r := <-answer; r.Status != bus.OK || string(r.Observation) != `"held"` {
		t.Errorf("%s %+v", r.Observation, r.Error)
	}
	tool = h.keep(tool, 0)
	if tool.Version != 4 {
		t.Errorf("saved again it has version %d", tool.Version)
	}
	third := open(t, setup{server: server, node: "third"})
	if c, there := third.team.dir.Get(tool.Name); !there || c.Version != tool.Card().Version {
		t.Errorf("a node that comes does not know it: %+v", c)
	}
}

// A saved tool takes nobody's name, calls no saved tool, and takes no call that is in no task.
func TestSavedToolKeepsItsPlace(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	taken := lookAndSend("send")
	taken.Name = "look"
	taken.Steps[0].ToolName = "hold"
	if _, err := h.bus.KeepTool(t.Context(), taken, 0); err != nil {
		t.Fatal(err)
	}
	inner := h.keep(lookAndSend("send"), 0)
	outer := lookAndSend("send")
	outer.Name, outer.Steps = "outer_tool", []bus.SavedStep{{ID: "s1", ToolName: inner.Name, Parameter: json.RawMessage(`{"key":"a","who":"b"}`)}}
	h.keep(outer, 0)
	req := clerkCall()
	req.JobDesc, req.Parameter = "", json.RawMessage(`{"key":"a","who":"bob"}`)
	for _, c := range []struct {
		name, parent, parameter, code string
	}{
		{"outer_tool", "t", `{"key":"a","who":"bob"}`, bus.CodeUnavailable},
		{inner.Name, "", `{"key":"a","who":"bob"}`, bus.CodeForbidden},
		{inner.Name, "t", `{"key":7,"who":"bob"}`, bus.CodeInvalidParameter},
		{inner.Name, "t", `{"key":"a"}`, bus.CodeInvalidParameter},
		{inner.Name, "t", `[]`, bus.CodeInvalidParameter},
	} {
		req.ToolName, req.Parent, req.Parameter = c.name, c.parent, json.RawMessage(c.parameter)
		r, err := h.bus.Call(t.Context(), req, nil)
		if err != nil || r.Error == nil || r.Error.Code != c.code {
			t.Errorf("%+v: %+v %v", c, r.Error, err)
		}
		req.Call += "x"
	}
	late, err := h.bus.Serve(bus.Card{Name: inner.Name, Kind: "tool", Description: "was there before, and comes back", Effect: bus.Read}, func(in *bus.Incoming) {
		if err := in.Respond(bus.Response{Status: bus.OK, Observation: json.RawMessage(`"its own"`)}); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the saved tool gives way to a tool of its name", func() bool {
		c, there := h.team.dir.Get(inner.Name)
		return there && !c.IsSaved()
	})
	if c, there := h.team.dir.Get("look"); !there || c.IsSaved() || len(h.team.dir.Rejected()) > 0 {
		t.Errorf("look is %+v, rejected: %v", c, h.team.dir.Rejected())
	}
	late.Stop()
	eventually(t, "the saved tool is there again when that tool is gone", func() bool {
		c, there := h.team.dir.Get(inner.Name)
		return there && c.IsSaved()
	})
	if _, err := h.bus.SavedTool(t.Context(), "nothing_there"); !errors.Is(err, bus.ErrNotFound) {
		t.Error(err)
	}
	if done := h.ledger.all(); len(done) > 0 {
		t.Errorf("done: %v", done)
	}
}

// Why a saved tool cannot be served is told once, however often it is tried.
func TestSavedToolThatCannotBeServed(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	tool := h.keep(lookAndSend("send"), 0)
	saved := &h.team.saved
	saved.mu.Lock()
	d := saved.by[tool.Name]
	d.withdraw()
	d.tool.Name = "no name"
	saved.mu.Unlock()
	for range 3 {
		h.team.yieldSaved()
	}
	if n := strings.Count(strings.Join(h.said.all(), ""), "a saved tool cannot be served"); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// A version that this node cannot read, because a newer one wrote it or it is damaged, ends the one before it, and its number is not given again.
func TestSavedToolThatCannotBeRead(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	tool := h.keep(lookAndSend("send"), 0)
	tool = h.keep(tool, 1)
	for body, version := range map[string]int{`{"name":"look_and_send","version":3,"steps":[{"loop":["s1"]}]}`: 4, `{"name":`: 1} {
		if err := h.bus.Conn().Publish("$KV."+bus.ToolsBucket+".main.look_and_send", []byte(body)); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the version before is off the bus", func() bool {
			_, there := h.team.dir.Get(tool.Name)
			return !there
		})
		if next := h.keep(tool, 0); next.Version != version {
			t.Errorf("behind %s: version %d, want %d", body, next.Version, version)
		}
	}
}
