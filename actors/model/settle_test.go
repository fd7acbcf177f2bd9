package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

// calls is a step in which a model calls one tool, as the strategy has it.
func calls(s Strategy, name, arguments string) scripted.Step {
	if s == StructParse {
		return scripted.Text(fmt.Sprintf(`{"thought":"t","action_code":[{"tool_name":%q,"parameter":%s}]}`, name, arguments))
	}
	return scripted.Calls(scripted.Call{Name: name, Arguments: arguments})
}

// A name counts as the one offer that it can mean; where it can mean two, or none, it stays as it is.
func TestNamesAsModelsWriteThem(t *testing.T) {
	twins := []bus.Card{orders, logistics, {Name: "get_news", Kind: "tool"}, {Name: "getNews", Kind: "tool"}}
	for _, s := range []Strategy{FunctionCall, StructParse} {
		for written, meant := range map[string]string{
			"search_order_code": "search_order_code", "Search_Order_Code": "search_order_code", "searchOrderCode": "search_order_code",
			"search-order-code": "search_order_code", "functions.search_order_code": "search_order_code", "default_api:SearchOrderCode": "search_order_code",
			"get_news": "get_news", "getNews": "getNews", "GetNews": "GetNews", "search_order": "search_order", "functions.": "functions.",
		} {
			c, _, _ := client(t, Options{Strategy: s}, calls(s, written, `{"limit":"5"}`))
			r := ask(t, c, prompt(twins...))
			if len(r.Actions) != 1 || r.Actions[0].ToolName != meant {
				t.Errorf("%s: %q: %+v", s, written, r.Actions)
			}
			if meant == orders.Name && string(r.Actions[0].Parameter) != `{"limit":5}` {
				t.Errorf("%s: %q: arguments of another tool: %s", s, written, r.Actions[0].Parameter)
			}
		}
	}
}

// What an agent is given is its job, in the ways models have of saying that; anything else is none, and stays to be looked at.
func TestJobs(t *testing.T) {
	for _, s := range []Strategy{FunctionCall, StructParse} {
		for arguments, job := range map[string]string{
			`{"job_desc":"track it"}`: "track it", `{"jobDesc":"track it"}`: "track it", `{"job":"track it"}`: "track it",
			`{"foo":1}`: "", `{}`: "", `{"job_desc":""}`: "", `{"job_desc":null}`: "", `{"order":"281063663568"}`: "",
		} {
			c, _, _ := client(t, Options{Strategy: s}, calls(s, "logistics", arguments))
			a := ask(t, c, prompt(orders, logistics)).Actions[0]
			if a.JobDesc != job || job != "" && a.Parameter != nil || job == "" && arguments != `{}` && string(a.Parameter) != arguments {
				t.Errorf("%s: %s: job %q, parameter %s", s, arguments, a.JobDesc, a.Parameter)
			}
		}
	}
}

// A dictionary in a card is for the planner: a model is shown a few of its words, and all values that are allowed.
func TestFewExamplesAreShown(t *testing.T) {
	var words []any
	for i := range 600 {
		words = append(words, fmt.Sprintf("word %d", i))
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{
		"who":      map[string]any{"type": "string", "examples": words},
		"which":    map[string]any{"enum": words[:20], "default": map[string]any{"examples": words[:20]}},
		"examples": map[string]any{"type": "array", "items": map[string]any{"type": "string", "examples": words[:3]}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	card := bus.Card{Name: "find", Kind: "tool", Parameters: schema}
	for _, s := range []Strategy{FunctionCall, StructParse} {
		c, server, _ := client(t, Options{Strategy: s}, calls(s, "find", `{"who":"word 599"}`))
		ask(t, c, prompt(card))
		body := string(server.Requests()[0].Body)
		if n := strings.Count(body, "word "); n != shownExamples+20+20+3 {
			t.Errorf("%s: %d words are shown", s, n)
		}
	}
	c, server, _ := client(t, Options{}, scripted.Text(`{"who":"word 599"}`))
	ask(t, c, Prompt{Schema: schema, Messages: []Message{{Role: "user", Text: "who?"}}})
	if n := strings.Count(string(server.Requests()[0].Body), "word "); n != shownExamples+20+20+3 {
		t.Errorf("%d words are shown of a wanted object", n)
	}
	if got := spread(words, 3); !slices.Equal(got, []any{"word 0", "word 200", "word 400"}) {
		t.Error(got)
	}
}

// What cannot be read is not sent back whole.
func TestGarbageGoesBackShort(t *testing.T) {
	c, server, _ := client(t, Options{Strategy: StructParse}, scripted.Text(strings.Repeat("no form at all {{{ ", 3000)), calls(StructParse, "search_order_code", `{}`))
	ask(t, c, prompt(orders))
	if q := server.Requests(); len(q) != 2 || len(q[1].Body) > len(q[0].Body)+2000 {
		t.Errorf("%d bytes, then %d", len(q[0].Body), len(q[1].Body))
	}
}

// What no model means to say is asked for again; so is an endless answer that comes whole.
func TestGarbledAnswers(t *testing.T) {
	for _, s := range []Strategy{FunctionCall, StructParse} {
		for name, first := range map[string]scripted.Step{
			"control characters": scripted.Text("a\x00\x1b[2J b"), "marks of a template": scripted.Text("<|im_start|>assistant\nhello<|im_end|>"),
			"repetition, whole": {Text: strings.Repeat("ha ", 5000), Plain: true}, "repetition, streamed": scripted.Text(strings.Repeat("ha ", 5000)),
		} {
			good := scripted.Text("yes")
			if s == StructParse {
				good = scripted.Text(`{"thought":"t","answer":"yes"}`)
			}
			c, server, _ := client(t, Options{Strategy: s}, first, good)
			if r := ask(t, c, prompt(orders)); r.Answer != "yes" || len(server.Requests()) != 2 {
				t.Errorf("%s: %s: %q after %d requests", s, name, r.Answer, len(server.Requests()))
			}
		}
	}
}

// A call that the server left in the text is one, with prose before it or without; one of a tool that is not there stays text.
func TestCallsInTheText(t *testing.T) {
	for text, thought := range map[string]string{
		`<tool_call>{"name":"search_order_code","arguments":{"limit":5}}</tool_call>`:                    "",
		"Let me see.\n<tool_call>\n{\"name\": \"search_order_code\", \"arguments\": {\"limit\": \"5\"}}": "Let me see.",
	} {
		c, _, _ := client(t, Options{}, scripted.Text(text))
		r := ask(t, c, prompt(orders))
		if len(r.Actions) != 1 || r.Actions[0].ToolName != "search_order_code" || string(r.Actions[0].Parameter) != `{"limit":5}` || r.Thought != thought || r.Answer != "" {
			t.Errorf("%q: %+v", text, r)
		}
	}
	c, _, _ := client(t, Options{}, scripted.Text(`See <tool_call>{"name":"crystal_ball","arguments":{}}`))
	if r := ask(t, c, prompt(orders)); len(r.Actions) > 0 || r.Answer == "" {
		t.Errorf("%+v", r)
	}
}
