package actors

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// wish is a natural request to the planner's test shop, with the tools that serve it, the best first; none: nothing does, or it must be
// asked back first.
type wish struct {
	text  string
	tools []string
	plain bool // one wish, and nothing is lacking
}

// shopWishes reads the planner's own file of them.
func shopWishes(t *testing.T) (cards []bus.Card, all []wish) {
	t.Helper()
	raw, err := os.ReadFile("plan/testdata/shop.json")
	if err == nil {
		err = json.Unmarshal(raw, &cards)
	}
	if err != nil {
		t.Fatal(err)
	}
	if raw, err = os.ReadFile("plan/testdata/phrasings.txt"); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(raw), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		part := strings.Split(line, " | ")
		tools := strings.TrimSpace(strings.TrimSuffix(part[1], "|"))
		w := wish{text: part[0], plain: !strings.Contains(tools, ",") && !strings.HasPrefix(tools, "ask:") && tools != "none"}
		if w.plain {
			first, last, chained := strings.Cut(tools, ">")
			w.tools = strings.Split(first, "/")
			if chained {
				w.tools = append(w.tools, last)
			}
		}
		all = append(all, w)
	}
	return cards, all
}

// Where the planner says that it is sure, it is right; and it is sure of most single wishes, else it would be of no use.
func TestSureIsRight(t *testing.T) {
	t.Parallel()
	cards, wishes := shopWishes(t)
	x := plan.NewIndex(cards, plan.Options{})
	sure, plain := 0, 0
	for _, w := range wishes {
		v := &View{Language: Language(w.text), Index: x, Cards: cards, Now: time.Now(), Request: bus.Request{JobDesc: w.text}}
		out := x.Think(inputOf(v))
		if w.plain {
			plain++
		}
		if doubt(v, out) != "" {
			continue
		}
		sure++
		if chosen := out.Explain.Clauses[0].Chosen; !slices.Contains(w.tools, chosen) {
			t.Errorf("%s: sure of %s, wanted %v", w.text, chosen, w.tools)
		}
	}
	t.Logf("sure of %d requests of %d; %d are single wishes that lack nothing", sure, len(wishes), plain)
	if 10*sure < 6*plain {
		t.Errorf("sure of %d alone", sure)
	}
}

// What the three ways cost on the shop's questions, with an ideal model, which calls what the planner would and then answers. A quarter of
// them by default, all with HMAP_SETS=all.
func TestPlannerFirstSavesCalls(t *testing.T) {
	t.Parallel()
	cards, wishes := shopWishes(t)
	x := plan.NewIndex(cards, plan.Options{})
	type bill struct{ calls, tokens int }
	bills := map[string]bill{}
	for _, planner := range []string{configs.PlannerOff, configs.PlannerAdvise, configs.PlannerFirst} {
		m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
			if observed(r) > 0 {
				return scripted.Text("that is it")
			}
			out := x.Think(plan.Input{Request: r.Last("user"), Now: time.Now()})
			step := scripted.Step{Text: "as the planner would"}
			for _, a := range out.Actions {
				step.Calls = append(step.Calls, scripted.Call{Name: a.ToolName, Arguments: string(a.Parameter)})
			}
			if len(step.Calls) == 0 {
				step.Text = "I cannot say"
			}
			return step
		}))
		h := open(t, setup{model: m, agents: soloist, toolless: true, more: cards, mind: configs.Mind{Planner: planner}})
		for i, w := range wishes {
			if i%4 > 0 && os.Getenv("HMAP_SETS") != "all" {
				continue
			}
			if !w.plain || x.Think(plan.Input{Request: w.text, Now: time.Now()}).Ask != nil {
				continue
			}
			task := h.submit(bus.Submission{Query: w.text})
			answered := h.until(task, "an answer or a question", func(r bus.Record) bool {
				return r.Kind == bus.KindAsk || r.Kind == bus.KindResponse && r.Call == r.Task
			})
			if answered.Kind == bus.KindAsk { // a change: that is as far as it goes
				h.tell(task, bus.Input{Kind: bus.Cancel})
				h.response(task)
			}
		}
		b := bill{}
		for _, r := range m.Requests() {
			b.calls++
			b.tokens += model.CountTokens(string(r.Body))
		}
		bills[planner] = b
		t.Logf("planner %s: %d calls of the model, %d tokens sent", planner, b.calls, b.tokens)
		h.stop()
	}
	off, advise, first := bills[configs.PlannerOff], bills[configs.PlannerAdvise], bills[configs.PlannerFirst]
	if advise.calls > off.calls || 100*advise.tokens > 110*off.tokens {
		t.Errorf("advice costs %+v instead of %+v", advise, off)
	}
	if 2*first.calls > off.calls || 2*first.tokens > off.tokens {
		t.Errorf("a planner that leads costs %+v instead of %+v", first, off)
	}
}

// A planner that leads acts alone where it is sure, and the log says so; what it is not sure of the model thinks, to the end of the call.
func TestPlannerFirst(t *testing.T) {
	t.Parallel()
	for _, s := range strategies {
		m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
			return says(s, "thought by the model")
		}))
		h := open(t, setup{model: m, strategy: s, agents: soloist, mind: configs.Mind{Planner: configs.PlannerFirst}})
		w := h.submit(bus.Submission{Query: `look a thing up by its key "abc"`})
		if r := h.response(w); r.Status != bus.OK || !strings.Contains(round.Text(r.Observation), "v-abc") || len(m.Requests()) > 0 {
			t.Fatal(brief(r), len(m.Requests()))
		}
		h.until(w, "round of a sure planner", func(r bus.Record) bool {
			return r.HasRound() && r.Model == "" && strings.Contains(r.Critique, "the planner is sure")
		})
		w = h.submit(bus.Submission{Query: "write a poem about spring"})
		if r := h.response(w); round.Text(r.Observation) != "thought by the model" || len(m.Requests()) != 1 {
			t.Fatal(brief(r), len(m.Requests()))
		}
		h.until(w, "round of the model", func(r bus.Record) bool {
			return r.HasRound() && r.Model != "" && strings.Contains(r.Critique, "not sure")
		})
	}
}

// Who began goes on: when the planner led and a call fails, the model takes over, and keeps it.
func TestTheModelTakesOver(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, scripted.Text("there is no such key"))
	h := open(t, setup{model: m, agents: soloist, mind: configs.Mind{Planner: configs.PlannerFirst}})
	w := h.submit(bus.Submission{Query: `look a thing up by its key "missing"`})
	if r := h.response(w); round.Text(r.Observation) != "there is no such key" || len(m.Requests()) != 1 {
		t.Fatal(brief(r), len(m.Requests()))
	}
}

// Advice is shown where the planner is sure, and only there; the model may do otherwise.
func TestAdvice(t *testing.T) {
	t.Parallel()
	for _, s := range strategies {
		m := scripted.New(t, wants(s, tool("look", `{"key":"b"}`)), says(s, "as I like it"), says(s, "spring is here"))
		h := open(t, setup{model: m, strategy: s, agents: soloist, mind: configs.Mind{Planner: configs.PlannerAdvise}})
		if r := h.response(h.submit(bus.Submission{Query: `look a thing up by its key "abc"`})); round.Text(r.Observation) != "as I like it" {
			t.Fatal(brief(r))
		}
		h.response(h.submit(bus.Submission{Query: "write a poem about spring"}))
		asked := m.Requests()
		if said := asked[0].Messages[0].Text; !strings.Contains(said, `look {"key":"abc"}`) {
			t.Errorf("%s: no advice in\n%s", s, said)
		}
		if said := asked[2].Messages[0].Text; strings.Contains(said, "What the planner would do") {
			t.Errorf("%s: advice without being sure:\n%s", s, said)
		}
		if got := h.ledger.all(); !slices.Equal(got, []string{"look b"}) {
			t.Error(got)
		}
	}
}

// While the model fails the planner stands in, if it is allowed to and has something to say; the log says who thought, and why.
func TestFallback(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, query string
		mind        configs.Mind
		answer      string // "": it fails
	}{
		{"stands in", `look a thing up by its key "abc"`, configs.Mind{Planner: configs.PlannerAdvise, Fallback: true}, "v-abc"},
		{"small talk", "hello", configs.Mind{Planner: configs.PlannerAdvise, Fallback: true}, "Hello"},
		{"has no plan", "write a poem about spring", configs.Mind{Planner: configs.PlannerAdvise, Fallback: true}, ""},
		{"may not", `look a thing up by its key "abc"`, configs.Mind{Planner: configs.PlannerAdvise}, ""},
		{"is off", `look a thing up by its key "abc"`, configs.Mind{Planner: configs.PlannerOff, Fallback: true}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Refuse(401, "no such key") }))
			h := open(t, setup{model: m, agents: soloist, mind: c.mind})
			w := h.submit(bus.Submission{Query: c.query})
			r := h.response(w)
			if c.answer == "" {
				if r.Status != bus.Failed || r.Error.Code != bus.CodeModel {
					t.Fatal(brief(r))
				}
				return
			}
			if r.Status != bus.OK || !strings.Contains(round.Text(r.Observation), c.answer) {
				t.Fatal(brief(r))
			}
			h.until(w, "round that says it", func(r bus.Record) bool {
				return r.HasRound() && r.Model == "" && strings.Contains(r.Critique, "the planner stands in") && strings.Contains(r.Critique, "wants a key")
			})
		})
	}
}

// A model that is down is waited for once, and not again in each round: soon after, it is asked again.
func TestAModelThatIsDownIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Refuse(503, "later") }))
	h := open(t, setup{model: m, agents: soloist, mind: configs.Mind{Planner: configs.PlannerAdvise, Fallback: true}})
	for range 2 {
		r := h.response(h.submit(bus.Submission{Query: `look a thing up by its key "abc"`}))
		if r.Status != bus.OK || !strings.Contains(round.Text(r.Observation), "v-abc") {
			t.Fatal(brief(r))
		}
	}
	if n := len(m.Requests()); n != 4 { // once, with three retries
		t.Errorf("%d requests", n)
	}
	h.response(h.submit(bus.Submission{Query: "write a poem about spring"})) // the planner has no plan for it
	if n := len(m.Requests()); n != 8 {
		t.Errorf("%d requests: who has no other way asks the model", n)
	}
}

// Small models do small steps, and what they make up is not taken.
func TestSmallSteps(t *testing.T) {
	t.Parallel()
	object := func(v any) scripted.Step { return scripted.Text(string(mustJSON(v))) }
	lead := func(s configs.Steps) configs.Mind { return configs.Mind{Planner: configs.PlannerFirst, Steps: s} }
	for _, c := range []struct {
		name   string
		query  string
		mind   configs.Mind
		small  scripted.Step
		answer string // part of it
		large  int    // calls of the agent's model
		said   string // in a critique
	}{
		{"goal", "hm, well, that abc thing, what about it", lead(configs.Steps{Goal: "small"}), object(map[string]string{"goal": `look a thing up by its key "abc"`}), "v-abc", 0, "goal distilled"},
		{"goal with an id from nowhere", "hm, well, that thing, what about it", lead(configs.Steps{Goal: "small"}), object(map[string]string{"goal": `look a thing up by its key "281063663568"`}), "the model", 1, "not sure"},
		{"goal with a short number from nowhere", "hm, well, that thing, what about it", lead(configs.Steps{Goal: "small"}), object(map[string]string{"goal": `look a thing up by its key "4711"`}), "the model", 1, "not sure"},
		{"goal that is none", "hm, well, that thing, what about it", lead(configs.Steps{Goal: "small"}), scripted.Empty(), "the model", 1, "not sure"},
		{"arguments", "look a thing up, the one under abc", lead(configs.Steps{Arguments: "small"}), object(map[string]string{"key": "abc"}), "v-abc", 0, "arguments read"},
		{"arguments from nowhere", "look a thing up, please", lead(configs.Steps{Arguments: "small"}), object(map[string]string{"key": "xyz"}), "the model", 1, "not sure"},
		{"answer", `look a thing up by its key "abc"`, lead(configs.Steps{Answer: "small"}), scripted.Text("In short: v-abc."), "In short: v-abc.", 0, "worded by a small model"},
		{"answer with a figure from nowhere", `look a thing up by its key "abc"`, lead(configs.Steps{Answer: "small"}), scripted.Text("All 17 of them: v-abc."), "v-abc", 0, "the planner is sure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("the model") }))
			small := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return c.small }))
			h := open(t, setup{model: m, small: small, agents: soloist, mind: c.mind})
			w := h.submit(bus.Submission{Query: c.query})
			r := h.response(w)
			if r.Status != bus.OK || !strings.Contains(round.Text(r.Observation), c.answer) || strings.Contains(round.Text(r.Observation), "17") {
				t.Error(brief(r))
			}
			if n := len(m.Requests()); n != c.large || len(small.Requests()) == 0 {
				t.Errorf("%d calls of the agent's model, %d of the small one", n, len(small.Requests()))
			}
			if r.Usage == nil || r.Usage.InputTokens == 0 {
				t.Error("what the small model cost is not counted")
			}
			critiques := ""
			for _, r := range h.records(w) {
				critiques += r.Critique + "\n"
			}
			if !strings.Contains(critiques, c.said) {
				t.Errorf("the log does not say %q: %s", c.said, critiques)
			}
		})
	}
}

// Notes of a long conversation are the small model's work, where there is one.
func TestSmallModelShortens(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		if strings.Contains(r.Messages[0].Text, "it was about alpha") {
			return scripted.Text("remembered")
		}
		return scripted.Text("an answer " + strings.Repeat("of many words ", 60))
	}))
	small := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("it was about alpha") }))
	h := open(t, setup{model: m, small: small, mind: configs.Mind{Steps: configs.Steps{Shorten: "small"}}})
	last := ""
	for i := range 8 {
		last = round.Text(h.response(h.submit(bus.Submission{Query: fmt.Sprint("tell me more ", strings.Repeat("and more words ", 10), i), Session: "s"})).Observation)
	}
	if !strings.Contains(last, "remembered") || len(small.Requests()) == 0 {
		t.Error(last, len(small.Requests()))
	}
}
