package actors

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// A task goes from the user to the Master, to a clerk, to a tool and back; every hand-over is in the log.
func TestTask(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, play(map[string][]scripted.Step{
		"master": {{Text: "the clerk can look it up", Calls: []scripted.Call{handOver("clerk", "look up a")}}, scripted.Text("a is v-a")},
		"clerk":  {scripted.Calls(scripted.Call{Name: "look", Arguments: `{"key":"a"}`}), scripted.Text("its value is v-a")},
	}))
	h := open(t, setup{model: m})
	w := h.submit(bus.Submission{Query: "what is a?"})
	r := h.response(w)
	if r.Status != bus.OK || round.Text(r.Observation) != "a is v-a" {
		t.Fatal(brief(r))
	}
	if r.Usage == nil || r.Usage.Rounds != 4 || r.Usage.Calls != 2 || r.Usage.InputTokens == 0 {
		t.Errorf("usage of the tree: %+v", r.Usage)
	}
	kinds := map[string]int{}
	for _, r := range h.records(w) {
		kinds[r.Agent+" "+string(r.Kind)]++
	}
	for _, k := range []string{"master request", "master round", "master result", "master response", "clerk request", "clerk round", "clerk result", "clerk response"} {
		if kinds[k] == 0 {
			t.Errorf("no %s in the log: %v", k, kinds)
		}
	}
	h.idle()
	h.closed(w) // the index too
}

// A second turn knows the first, and what does not fit any more is shortened by the model.
func TestMemory(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("words of an answer that is long ", 60)
	m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		last := r.Last("user")
		switch {
		case strings.Contains(last, "Shorten the conversation"):
			return scripted.Text("the user asked about alpha")
		case last == "first":
			return scripted.Text("answer one")
		case last == "second" && r.Messages[1].Text == "first" && r.Messages[2].Text == "answer one":
			return scripted.Text(long)
		case last == "third":
			if strings.Contains(r.Messages[0].Text, "the user asked about alpha") {
				return scripted.Text("remembered")
			}
			return scripted.Text("forgotten: " + r.Messages[0].Text)
		}
		return scripted.Text("unexpected: " + string(r.Body))
	}))
	h := open(t, setup{model: m})
	if r := h.response(h.submit(bus.Submission{Query: "first", Session: "s1"})); round.Text(r.Observation) != "answer one" {
		t.Fatal(brief(r))
	}
	if r := h.response(h.submit(bus.Submission{Query: "second", Session: "s1"})); round.Text(r.Observation) != strings.TrimSpace(long) && round.Text(r.Observation) != long {
		t.Fatal(brief(r))
	}
	for i := range 6 {
		h.response(h.submit(bus.Submission{Query: "filler " + strings.Repeat("and more words ", 10) + string(rune('a'+i)), Session: "s1"}))
	}
	if r := h.response(h.submit(bus.Submission{Query: "third", Session: "s1"})); round.Text(r.Observation) != "remembered" {
		t.Fatal(brief(r))
	}
}

// Whatever the model does, the task ends: well, or with a record that says what was wrong.
func TestModelTroubles(t *testing.T) {
	t.Parallel()
	look := scripted.Calls(scripted.Call{Name: "look", Arguments: `{"key":"a"}`})
	good := scripted.Text("a is v-a")
	for _, c := range []struct {
		name     string
		strategy model.Strategy
		steps    []scripted.Step
		answer   string // "" : ends with an error
		code     string
	}{
		{"429", "", []scripted.Step{scripted.TooMany("0"), look, scripted.TooMany("1"), good}, "a is v-a", ""},
		{"500 three times", "", []scripted.Step{scripted.Refuse(500, "x"), scripted.Refuse(502, "x"), scripted.Refuse(503, "x"), good}, "a is v-a", ""},
		{"500 for ever", "", []scripted.Step{scripted.React(func(scripted.Request) scripted.Step { return scripted.Refuse(500, "x") })}, "", bus.CodeModel},
		{"401", "", []scripted.Step{scripted.Refuse(401, "bad key")}, "", bus.CodeModel},
		{"cut stream", "", []scripted.Step{scripted.Cut("a is something that is cut"), good}, "a is v-a", ""},
		{"no end", "", []scripted.Step{scripted.Unfinished("a is"), good}, "a is v-a", ""},
		{"empty, then good", "", []scripted.Step{scripted.Empty(), good}, "a is v-a", ""},
		{"empty for ever", "", []scripted.Step{scripted.React(func(scripted.Request) scripted.Step { return scripted.Empty() })}, "", bus.CodeModel},
		{"endless repetition", "", []scripted.Step{scripted.React(func(scripted.Request) scripted.Step { return scripted.Endless("again and again. ") })}, "", bus.CodeModel},
		{"hangs", "", []scripted.Step{scripted.Hang(), good}, "a is v-a", ""},
		{"unknown tool, then good", "", []scripted.Step{scripted.Calls(scripted.Call{Name: "nosuch", Arguments: `{}`}), good}, "a is v-a", ""},
		{"wrong types, then good", "", []scripted.Step{scripted.Calls(scripted.Call{Name: "look", Arguments: `{"key":{"x":[1]}}`}), good}, "a is v-a", ""},
		{"broken arguments", "", []scripted.Step{scripted.Calls(scripted.Call{Name: "look", Arguments: `{"key":"a",}`}), good}, "a is v-a", ""},
		{"the same call for ever", "", []scripted.Step{scripted.React(func(scripted.Request) scripted.Step { return look })}, "", bus.CodeRepeated},
		{"prose around JSON", model.StructParse, []scripted.Step{scripted.Text("Let me see.\n```json\n" + `{"thought":"t","action_code":[{"tool_name":"look","parameter":{"key":"a"}}]}` + "\n```\nThat is it."), scripted.Text(`{"thought":"t","action_code":[],"answer":"a is v-a"}`)}, "a is v-a", ""},
		{"two JSON objects", model.StructParse, []scripted.Step{scripted.Text(`{"thought":"t"} {"action_code":{"api_name":"look","parameter":{"key":["a"]}}}`), scripted.Text(`{"thought":"t","action_code":[],"answer":"a is v-a"}`)}, "a is v-a", ""},
		{"nonsense, then the form", model.StructParse, []scripted.Step{scripted.Text("{{{"), scripted.Text(`{"thought":"t","action_code":[],"answer":"a is v-a"}`)}, "a is v-a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := open(t, setup{model: scripted.New(t, c.steps...), strategy: c.strategy, timeout: 2 * time.Second})
			r := h.response(h.submit(bus.Submission{Query: "what is a?"}))
			switch {
			case c.answer != "" && (r.Status != bus.OK || round.Text(r.Observation) != c.answer):
				t.Fatal(brief(r))
			case c.answer == "" && (r.Status != bus.Failed || r.Error == nil || r.Error.Code != c.code || len(r.Observation) == 0):
				t.Fatal(brief(r))
			}
		})
	}
}

// sending is a model that wants a text sent, which needs leave.
func sending(to string) scripted.Step {
	return play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "send it")), {Text: "done"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "send", Arguments: `{"to":"` + to + `"}`}), {Text: "finished"}},
	})
}

// A change waits for leave: the question goes up to the user, nothing is held meanwhile, and the answer goes down again.
func TestApproval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   bus.Input
		sent bool
	}{
		{"approved", bus.Input{Kind: bus.Approve}, true},
		{"yes", bus.Input{Kind: bus.Answer, Text: "好的"}, true},
		{"refused", bus.Input{Kind: bus.Refuse}, false},
		{"another wish", bus.Input{Kind: bus.Answer, Text: "not to bob, to eve"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := open(t, setup{model: scripted.New(t, sending("bob"))})
			w := h.submit(bus.Submission{Query: "send it"})
			a := h.ask(w)
			if a.Kind != bus.Approval || a.ToolName != "send" {
				t.Fatalf("%+v", a)
			}
			h.idle() // parked: nothing runs while a person thinks
			c.in.Ask = a.ID
			h.tell(w, c.in)
			h.tell(w, c.in) // a second click changes nothing
			if r := h.response(w); r.Status != bus.OK {
				t.Fatal(brief(r))
			}
			if sent := slices.Contains(h.ledger.all(), "send bob"); sent != c.sent || len(h.ledger.all()) > 1 {
				t.Errorf("ledger: %v", h.ledger.all())
			}
		})
	}
}

// ask_user of a clerk reaches the user and the answer reaches the clerk.
func TestAskUser(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "look something up")), {Text: "done"}},
		"clerk": {scripted.Calls(scripted.Call{Name: "ask_user", Arguments: `{"question":"which key?","options":["a","b"]}`}),
			scripted.React(func(r scripted.Request) scripted.Step {
				return scripted.Calls(scripted.Call{Name: "look", Arguments: `{"key":` + string(mustJSON(r.Last("tool"))) + `}`})
			}), {Text: "finished"}},
	}))
	h := open(t, setup{model: m})
	w := h.submit(bus.Submission{Query: "look"})
	if a := h.ask(w); a.Question != "which key?" || len(a.Options) != 2 {
		t.Fatalf("%+v", a)
	}
	h.tell(w, bus.Input{Kind: bus.Answer, Text: "b"})
	h.response(w)
	if got := h.ledger.all(); !slices.Equal(got, []string{"look b"}) {
		t.Errorf("ledger: %v", got)
	}
}

// Cancel cancels: while the model thinks, while a tool below a clerk runs, and while a person is waited for.
func TestCancel(t *testing.T) {
	t.Parallel()
	t.Run("while thinking", func(t *testing.T) {
		m := scripted.New(t, scripted.Hang())
		h := open(t, setup{model: m})
		w := h.submit(bus.Submission{Query: "x"})
		if err := m.Wait(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		h.tell(w, bus.Input{Kind: bus.Cancel, Text: "changed my mind"})
		if r := h.response(w); r.Status != bus.Cancelled || !strings.Contains(round.Text(r.Observation), "changed my mind") {
			t.Fatal(brief(r))
		}
		h.idle()
	})
	t.Run("while a tool runs", func(t *testing.T) {
		m := scripted.New(t, play(map[string][]scripted.Step{
			"master": {scripted.Calls(handOver("clerk", "hold"))},
			"clerk":  {scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`})},
		}))
		h := open(t, setup{model: m})
		w := h.submit(bus.Submission{Query: "x"})
		h.until(w, "round of the clerk", func(r bus.Record) bool { return r.Kind == bus.KindRound && r.Agent == "clerk" })
		h.ledger.wait(t, "hold")
		h.tell(w, bus.Input{Kind: bus.Cancel})
		if r := h.response(w); r.Status != bus.Cancelled {
			t.Fatal(brief(r))
		}
		h.ledger.wait(t, "let go") // the tool was told
		h.idle()
		h.until(w, "cancelled response of the clerk", func(r bus.Record) bool {
			return r.Kind == bus.KindResponse && r.Agent == "clerk" && r.Status == bus.Cancelled
		})
	})
	t.Run("while waiting", func(t *testing.T) {
		h := open(t, setup{model: scripted.New(t, sending("bob"))})
		w := h.submit(bus.Submission{Query: "send it"})
		h.ask(w)
		h.idle()
		h.tell(w, bus.Input{Kind: bus.Cancel})
		if r := h.response(w); r.Status != bus.Cancelled || len(h.ledger.all()) > 0 {
			t.Fatal(brief(r), h.ledger.all())
		}
		h.until(w, "cancelled response of the clerk", func(r bus.Record) bool {
			return r.Kind == bus.KindResponse && r.Agent == "clerk" && r.Status == bus.Cancelled
		})
	})
}

// H-MAP's caller rule: the Master is called by users only, the others by agents only.
func TestCallerRule(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	ctx := t.Context()
	call := func(r bus.Request) bus.Response {
		t.Helper()
		r.HMAP, r.Session, r.Task, r.Call = bus.Version, "s", "t", "t-1-0"
		resp, err := h.bus.Call(ctx, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	if r := call(bus.Request{ToolName: "master", Caller: "clerk", Parent: "t", Path: []string{"clerk"}, JobDesc: "x"}); r.Error == nil || r.Error.Code != bus.CodeForbidden {
		t.Errorf("an agent called the master: %+v", r)
	}
	if r := call(bus.Request{ToolName: "clerk", Caller: "user", JobDesc: "x"}); r.Error == nil || r.Error.Code != bus.CodeForbidden {
		t.Errorf("a user called the clerk: %+v", r)
	}
	if _, err := h.bus.Submit(ctx, "clerk", bus.Submission{Query: "x"}, ""); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a submission to the clerk is refused", func() bool {
		dead, err := h.bus.DeadLetters(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return len(dead) == 1 && strings.Contains(dead[0].Cause, bus.CodeForbidden)
	})
}

// Calls that would go in a circle are refused, and say so to the agent that wanted them.
func TestCycle(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "x")), {Text: "end"}},
		"clerk":  {scripted.Calls(handOver("peer", "x")), {Text: "clerk's end"}},
		"peer": {scripted.Calls(handOver("clerk", "x")), scripted.React(func(r scripted.Request) scripted.Step {
			return scripted.Text(r.Last("tool"))
		})},
	}))
	h := open(t, setup{model: m})
	w := h.submit(bus.Submission{Query: "x"})
	h.response(w)
	r := h.until(w, "refusal", func(r bus.Record) bool { return r.Kind == bus.KindResult && r.Agent == "peer" })
	if r.Error == nil || r.Error.Code != bus.CodeForbidden || !strings.Contains(r.Error.Message, "master → clerk → peer → clerk") {
		t.Fatal(brief(r))
	}
}

// A budget is for the whole tree; when it is spent the task ends with what there is, and says why.
func TestBudget(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		return scripted.Calls(scripted.Call{Name: "look", Arguments: `{"key":"k` + string(rune('a'+observed(r))) + `"}`})
	}))
	h := open(t, setup{model: m})
	r := h.response(h.submit(bus.Submission{Query: "x", Budget: &bus.Budget{Rounds: 3}}))
	if r.Status != bus.Failed || r.Error.Code != bus.CodeBudget || !strings.Contains(round.Text(r.Observation), "v-ka") {
		t.Fatal(brief(r))
	}
	if n := len(h.ledger.all()); n != 3 {
		t.Errorf("%d calls", n)
	}
}

// A model that plans sees its plan followed: steps that depend on nothing run at once, a failed one is never completed, and the
// plan can be seen changing.
func TestPlan(t *testing.T) {
	steps := `{"title":"two","steps":[{"id":"s1","title":"look a"},{"id":"s2","title":"look missing"},{"id":"s3","title":"sum","after":["s1","s2"]}]}`
	m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		if !r.Offers("plan") {
			return scripted.Refuse(400, "no plan offered")
		}
		if observed(r) == 0 {
			return scripted.Calls(scripted.Call{Name: "plan", Arguments: steps},
				scripted.Call{Name: "look", Arguments: `{"key":"a","plan_step":"s1"}`}, scripted.Call{Name: "look", Arguments: `{"key":"missing","plan_step":"s2"}`})
		}
		return scripted.Text("as far as it went")
	}))
	h := open(t, setup{model: m})
	w := h.submit(bus.Submission{Query: "do two things", Mode: bus.Plan})
	if r := h.response(w); r.Status != bus.OK {
		t.Fatal(brief(r))
	}
	var last *bus.PlanBody
	seen := map[bus.StepStatus]bool{}
	for _, r := range h.records(w) {
		if r.Kind == bus.KindPlan {
			last = r.Plan
			for _, s := range r.Plan.Steps {
				seen[s.Status] = true
			}
		}
	}
	if last == nil {
		t.Fatal("no plan in the log")
	}
	got := []bus.StepStatus{last.Steps[0].Status, last.Steps[1].Status, last.Steps[2].Status}
	if want := []bus.StepStatus{bus.StepCompleted, bus.StepFailed, bus.StepBlocked}; !slices.Equal(got, want) {
		t.Errorf("steps: %v, want %v", got, want)
	}
	if !seen[bus.NotStarted] || !seen[bus.InProgress] {
		t.Errorf("the plan was not seen changing: %v", seen)
	}
}

// What no message can hold does not stop a task without a word.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	random := rand.New(rand.NewPCG(1, 2)) // no repetition that the model client would cut
	for b.Len() < 800_000 {
		b.WriteByte('"') // twice as long in JSON
		b.WriteByte(byte('a' + random.IntN(26)))
	}
	h := open(t, setup{model: scripted.New(t, scripted.Step{Text: b.String(), Plain: true})})
	r := h.response(h.submit(bus.Submission{Query: "x"}))
	if r.Status != bus.Failed || r.Error == nil || !strings.Contains(r.Error.Message, "too large") {
		t.Fatal(brief(r))
	}
	h.idle()
}
