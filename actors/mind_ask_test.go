package actors

import (
	"encoding/json"
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

// strategies are the two ways to get actions out of a model; what holds for one holds for the other.
var strategies = []model.Strategy{model.FunctionCall, model.StructParse}

// wants is a step in which the model wants these actions, written as the strategy has it. The arguments of an agent are its job.
func wants(s model.Strategy, actions ...bus.Action) scripted.Step {
	if s == model.StructParse {
		return scripted.Text(string(mustJSON(map[string]any{"thought": "as I see it", "action_code": actions})))
	}
	step := scripted.Step{Text: "as I see it"}
	for _, a := range actions {
		arguments := string(a.Parameter)
		if a.JobDesc != "" {
			arguments = string(jobArguments(a.JobDesc))
		}
		step.Calls = append(step.Calls, scripted.Call{Name: a.ToolName, Arguments: arguments})
	}
	return step
}

// says is a step in which the model answers.
func says(s model.Strategy, answer string) scripted.Step {
	if s == model.StructParse {
		return scripted.Text(string(mustJSON(map[string]any{"thought": "done", "action_code": []bus.Action{}, "answer": answer})))
	}
	return scripted.Text(answer)
}

func tool(name, parameter string) bus.Action {
	return bus.Action{ToolName: name, Parameter: json.RawMessage(parameter)}
}

// soloist is an agent that takes tasks and has all tools of the house itself.
var soloist = []configs.Agent{{
	Name: "master", Title: map[string]string{"en": "Master", "zh": "总管"}, Description: "does it all", Entry: true, Prompt: "domain",
	Model: "default", Tools: []string{"*"}, Budget: configs.Budget{Rounds: 30, Seconds: 60},
}}

// A model that lies, in every way there is, does no harm: what it wants does not run, and it hears why.
func TestLiesGoBack(t *testing.T) {
	step := func(id, tool, parameter string, after ...string) bus.Action {
		return bus.Action{ID: id, ToolName: tool, Parameter: json.RawMessage(parameter), After: after}
	}
	for _, lie := range []struct {
		name    string
		query   string
		actions []bus.Action
		why     string // what the model hears
		form    bool   // only the form has a place for it
	}{
		{"invented tool", "what is a?", []bus.Action{tool("crystal_ball", `{"key":"a"}`)}, "there is no tool or agent", false},
		{"near miss", "what is a?", []bus.Action{tool("lookup", `{"key":"a"}`)}, "look", false},
		{"wrong type", "what is a?", []bus.Action{tool("look", `{"key":{"x":[1]}}`)}, "key", false},
		{"missing", "what is a?", []bus.Action{tool("look", `{}`)}, "key", false},
		{"extra argument", "what is a?", []bus.Action{tool("look", `{"key":"a","since":"yesterday"}`)}, `no parameter "since"`, false},
		{"invented value", "mark a as red", []bus.Action{tool("mark", `{"key":"a","colour":"ultraviolet"}`)}, "colour", false},
		{"question without words", "what is a?", []bus.Action{tool("ask_user", `{"question":" "}`)}, "question", false},
		{"circle", "what are a and b?", []bus.Action{step("t1", "look", `{"key":"a"}`, "t2"), step("t2", "look", `{"key":"b"}`, "t1")}, "wait for each other", true},
		{"after nobody", "what is a?", []bus.Action{step("t1", "look", `{"key":"a"}`, "t9")}, "after names", true},
		{"reference to nobody", "what is a?", []bus.Action{step("t1", "look", `{"key":"$t9.key"}`)}, "t9", true},
		{"field that is not returned", "what is a?", []bus.Action{step("t1", "find", `{"name":"a"}`), step("t2", "look", `{"key":"$t1.keyy"}`)}, `no "keyy"`, true},
		{"list taken for an object", "what is a?", []bus.Action{step("t1", "find", `{"name":"a"}`), step("t2", "look", `{"key":"$t1.all.key"}`)}, "is a list", true},
		{"invented id", "cancel my last order", []bus.Action{tool("cancel", `{"order":"281063663568"}`)}, `where does "281063663568" come from`, false},
		{"id near one that was named", "cancel order 281063663568", []bus.Action{tool("cancel", `{"order":"281063663586"}`)}, "where does", false},
		{"id inside a message", "write to bob that his order is on its way", []bus.Action{tool("write", `{"to":"bob","text":"your order 281063663568 is on its way"}`)}, "where does", false},
		{"link inside a message", "write to bob where he finds it", []bus.Action{tool("write", `{"to":"bob","text":"see https://shop.example/track/7"}`)}, "where does", false},
		{"change that nobody asked for", "where is order 281063663568?", []bus.Action{tool("cancel", `{"order":"281063663568"}`)}, "nobody asked for cancel", false},
		{"one good call beside a bad one", "what is a?", []bus.Action{tool("look", `{"key":"a"}`), tool("crystal_ball", `{}`)}, "there is no tool or agent", false},
	} {
		for _, s := range strategies {
			if lie.form && s != model.StructParse {
				continue
			}
			t.Run(lie.name+"/"+string(s), func(t *testing.T) {
				t.Parallel()
				m := scripted.New(t, wants(s, lie.actions...), says(s, "I was wrong"))
				h := open(t, setup{model: m, strategy: s, agents: soloist, more: liarsTools})
				w := h.submit(bus.Submission{Query: lie.query})
				if r := h.response(w); r.Status != bus.OK || round.Text(r.Observation) != "I was wrong" {
					t.Fatal(brief(r))
				}
				if done := h.ledger.all(); len(done) > 0 {
					t.Errorf("it ran: %v", done)
				}
				heard := ""
				for _, said := range m.Requests()[1].Messages {
					if said.Role != "system" {
						heard += said.Text + "\n"
					}
				}
				if !strings.Contains(heard, lie.why) {
					t.Errorf("the model did not hear %q:\n%s", lie.why, heard)
				}
				rounds := 0
				for _, r := range h.records(w) {
					if r.HasRound() {
						if rounds++; !strings.Contains(r.Critique, "sent back") {
							t.Errorf("the log does not say it: %q", r.Critique)
						}
					}
				}
				if rounds != 1 {
					t.Errorf("%d rounds", rounds)
				}
			})
		}
	}
}

// liarsTools are what the lies are about.
var liarsTools = []bus.Card{
	{Name: "find", Kind: "tool", Description: "find keys by a name", Effect: bus.Read,
		Parameters: json.RawMessage(`{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}`),
		Returns:    json.RawMessage(`{"type":"object","properties":{"key":{"type":"string"},"all":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"}}}}}}`)},
	{Name: "mark", Kind: "tool", Description: "mark a key with a colour", Effect: bus.Idempotent,
		Parameters: json.RawMessage(`{"type":"object","required":["key","colour"],"properties":{"key":{"type":"string"},"colour":{"enum":["red","green"]}}}`)},
	{Name: "cancel", Kind: "tool", Description: "cancel an order", Effect: bus.Unsafe,
		Parameters: json.RawMessage(`{"type":"object","required":["order"],"properties":{"order":{"type":"string"}}}`)},
	{Name: "write", Kind: "tool", Description: "write a message to somebody", Effect: bus.Unsafe,
		Parameters: json.RawMessage(`{"type":"object","required":["to","text"],"properties":{"to":{"type":"string"},"text":{"type":"string"}}}`)},
}

// What is true passes, in whatever form it was said: an id by the user, by an earlier turn, by a result, by an answer.
func TestTruthPasses(t *testing.T) {
	for _, s := range strategies {
		for _, c := range []struct{ before, query, order string }{
			{"", "cancel order 281063663568", "281063663568"},
			{"", "请取消订单２８１０６３６６３５６８", "281063663568"},
			{"", "cancel order 2810 6366 3568", "281063663568"},
			{"", "Cancel JD-7781-A, please", "jd-7781-a"},
			{"where is 281063663568?", "cancel it", "281063663568"},
		} {
			t.Run(fmt.Sprint(c.query, "/", s), func(t *testing.T) {
				t.Parallel()
				steps := []scripted.Step{wants(s, tool("cancel", `{"order":"`+c.order+`"}`)), says(s, "done")}
				if c.before != "" {
					steps = append([]scripted.Step{says(s, "on its way")}, steps...)
				}
				h := open(t, setup{model: scripted.New(t, steps...), strategy: s, agents: soloist, more: liarsTools})
				var w bus.Where
				if c.before != "" {
					w = h.submit(bus.Submission{Query: c.before})
					h.response(w)
				}
				if r := h.response(h.submit(bus.Submission{Query: c.query, Session: w.Session})); r.Status != bus.OK || round.Text(r.Observation) != "done" {
					t.Fatal(brief(r))
				}
				if !slices.ContainsFunc(h.ledger.all(), func(l string) bool { return strings.HasPrefix(l, "cancel") }) {
					t.Error("it did not run")
				}
			})
		}
	}
}

// A model that does not learn is not asked for ever: the planner's own plan takes the place of its, or the task fails and says why.
func TestAModelThatDoesNotLearn(t *testing.T) {
	for _, s := range strategies {
		for _, planner := range []string{configs.PlannerAdvise, configs.PlannerOff} {
			t.Run(string(s)+"/"+planner, func(t *testing.T) {
				t.Parallel()
				m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
					if strings.Contains(string(r.Body), "v-abc") {
						return says(s, "abc is v-abc")
					}
					return wants(s, tool("crystal_ball", `{}`))
				}))
				h := open(t, setup{model: m, strategy: s, agents: soloist, mind: configs.Mind{Planner: planner}})
				w := h.submit(bus.Submission{Query: `look a thing up by its key "abc"`})
				r := h.response(w)
				if planner == configs.PlannerOff {
					if r.Status != bus.Failed || r.Error.Code != bus.CodeModel || !strings.Contains(r.Error.Message, "crystal_ball") || len(m.Requests()) != 1+corrections {
						t.Fatal(brief(r), len(m.Requests()))
					}
					return
				}
				if r.Status != bus.OK || round.Text(r.Observation) != "abc is v-abc" || !slices.Contains(h.ledger.all(), "look abc") {
					t.Fatal(brief(r), h.ledger.all())
				}
				first := h.until(w, "first round", func(r bus.Record) bool { return r.HasRound() })
				if !strings.Contains(first.Critique, "the planner's is taken") {
					t.Error(first.Critique)
				}
			})
		}
	}
}

// A change that nobody asked for, and that needs no leave, is the user's to decide when the model insists on it.
func TestUnaskedChangeIsAskedFor(t *testing.T) {
	for _, s := range strategies {
		for _, answer := range []string{"yes", "no"} {
			t.Run(string(s)+"/"+answer, func(t *testing.T) {
				t.Parallel()
				m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
					if body := string(r.Body); strings.Contains(body, "cancelled") || answer == "no" && strings.Contains(body, "Shall cancel") {
						return says(s, "that is all")
					}
					return wants(s, tool("cancel", `{"order":"281063663568"}`))
				}))
				h := open(t, setup{model: m, strategy: s, agents: soloist, more: liarsTools})
				w := h.submit(bus.Submission{Query: "I do not like 281063663568 any more"})
				ask := h.ask(w)
				if ask.Kind != bus.Question || !strings.Contains(ask.Question, "cancel") || len(ask.Options) != 2 {
					t.Fatalf("%+v", ask)
				}
				h.tell(w, bus.Input{Kind: bus.Answer, Text: answer})
				if r := h.response(w); r.Status != bus.OK {
					t.Fatal(brief(r))
				}
				if ran := len(h.ledger.all()) > 0; ran != (answer == "yes") {
					t.Errorf("said %s: %v", answer, h.ledger.all())
				}
			})
		}
	}
}

// An agent is not sent off with an id that nobody named, and a job is not the user's wish: what only another model wants is asked for.
func TestJobsAreChecked(t *testing.T) {
	t.Parallel()
	agents := slices.Clone(testAgents)
	agents[1].Tools = []string{"*"}
	for _, s := range strategies {
		m := scripted.New(t, wants(s, bus.Action{ToolName: "clerk", JobDesc: "cancel order 281063663569"}),
			wants(s, bus.Action{ToolName: "clerk", JobDesc: "cancel order 281063663568"}),
			wants(s, tool("cancel", `{"order":"281063663568"}`)), wants(s, tool("look", `{"key":"281063663568"}`)), says(s, "it is on its way"), says(s, "on its way"))
		h := open(t, setup{model: m, strategy: s, agents: agents, more: liarsTools})
		w := h.submit(bus.Submission{Query: "where is order 281063663568?"})
		if r := h.response(w); r.Status != bus.OK || round.Text(r.Observation) != "on its way" {
			t.Fatal(brief(r))
		}
		if got := h.ledger.all(); !slices.Equal(got, []string{"look 281063663568"}) {
			t.Error(got)
		}
		for agent, why := range map[string]string{"master": "where does", "clerk": "nobody asked for cancel"} {
			h.until(w, why, func(r bus.Record) bool {
				return r.HasRound() && r.Agent == agent && strings.Contains(r.Critique, why)
			})
		}
	}
}

// A change that needs leave is not asked for twice: the approval is the question.
func TestUnaskedChangeWithApproval(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		if strings.Contains(string(r.Body), `"sent`) {
			return scripted.Text("done")
		}
		return scripted.Calls(scripted.Call{Name: "send", Arguments: `{"to":"bob"}`})
	}))
	h := open(t, setup{model: m, agents: soloist})
	w := h.submit(bus.Submission{Query: "bob should know"})
	if a := h.ask(w); a.Kind != bus.Approval || !strings.Contains(a.Question, "did not ask for this") {
		t.Fatalf("%+v", a)
	}
	h.tell(w, bus.Input{Kind: bus.Refuse})
	h.until(w, "refused call", func(r bus.Record) bool { return r.Kind == bus.KindResult && r.Error != nil })
	if len(h.ledger.all()) > 0 {
		t.Error(h.ledger.all())
	}
}
