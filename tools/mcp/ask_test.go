package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// What a server wants of the person goes to them as a question of the call, and the call goes on with the answer.
func TestElicitation(t *testing.T) {
	t.Parallel()
	for way, config := range ways(t) {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			elicited(t, newWorld(t, Options{}, config))
		})
	}
}

// ways are those to reach the same server, by their names.
func ways(t *testing.T) map[string]Server {
	return map[string]Server{
		"stdio": {Name: "every", Command: npm(t, "everything"), Args: []string{"stdio"}, Approval: "never"},
		"http":  listen(t, "streamableHttp").server("mcp"),
		"sse":   listen(t, "sse").server("sse"),
	}
}

func elicited(t *testing.T, w world) {
	r := request("every__trigger-elicitation-request", `{}`)
	answer := w.ask(r)
	questions := map[string]string{}
	for range 20 {
		if answer.Status != bus.InputRequired {
			break
		}
		a := answer.Ask
		if a.Kind != bus.Question || !strings.HasPrefix(a.ID, r.Call+"-") || a.Question == "" {
			t.Fatalf("%+v", a)
		}
		questions[a.Parameter] = a.Question
		// A repetition without an answer, as of a node that took over, gets the same question.
		if again := w.ask(r); again.Status != bus.InputRequired || again.Ask.ID != a.ID {
			t.Fatalf("again: %s %+v", again.Status, again.Ask)
		}
		said := r
		text := "Ada"
		if len(a.Options) > 0 {
			text = a.Options[0]
		}
		said.Input = &bus.Input{Kind: bus.Answer, Ask: a.ID, Text: text}
		answer = w.ask(said)
	}
	if answer.Status != bus.OK || !strings.Contains(string(answer.Observation), "Ada") || len(questions) == 0 {
		t.Fatalf("%s %s %v\n%v", answer.Status, answer.Observation, answer.Error, questions)
	}

	r = request("every__trigger-elicitation-request", `{}`)
	if answer = w.ask(r); answer.Status != bus.InputRequired {
		t.Fatalf("%s %v", answer.Status, answer.Error)
	}
	r.Input = &bus.Input{Kind: bus.Refuse, Ask: answer.Ask.ID}
	if answer = w.ask(r); answer.Status != bus.OK || !strings.Contains(string(answer.Observation), "decline") {
		t.Errorf("refused: %s %s %v", answer.Status, answer.Observation, answer.Error)
	}
	// An answer to a call that is not there any more.
	lost := request("every__trigger-elicitation-request", `{}`)
	lost.Input = &bus.Input{Kind: bus.Answer, Ask: lost.Call + "-mcp-1", Text: "Ada"}
	if answer = w.ask(lost); answer.Error == nil || answer.Error.Code != bus.CodeInDoubt {
		t.Errorf("lost: %s %v", answer.Status, answer.Error)
	}
}

// A server that may asks our model, at the cost of the call that is under way.
func TestSampling(t *testing.T) {
	t.Parallel()
	for way, config := range ways(t) {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			sampled(t, config)
		})
	}
}

func sampled(t *testing.T, may Server) {
	var asked Prompt
	var caller bus.Request
	sample := func(_ context.Context, call bus.Request, p Prompt) (Sample, error) {
		asked, caller = p, call
		return Sample{Text: "forty-two", Model: "m1", Usage: bus.Usage{InputTokens: 5, OutputTokens: 2}}, nil
	}
	not := may
	may.Name, may.Sampling = "may", true
	not.Name = "not"
	w := newWorld(t, Options{Sample: sample}, may, not)
	r := request("may__trigger-sampling-request", `{"prompt":"what is it","maxTokens":10}`)
	answer := w.ask(r)
	if answer.Status != bus.OK || !strings.Contains(string(answer.Observation), "forty-two") || answer.Usage == nil || answer.Usage.InputTokens != 5 {
		t.Fatalf("%s %s %v %v", answer.Status, answer.Observation, answer.Error, answer.Usage)
	}
	if len(asked.Messages) == 0 || !strings.Contains(asked.Messages[0].Text, "what is it") || caller.Call != r.Call {
		t.Errorf("%+v %+v", asked, caller)
	}
	d, err := w.bus.Directory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, there := d.Get("not__trigger-sampling-request"); there { // it offers that tool to clients with a model only
		t.Error("a server that may not ask the model was told of one")
	}
}

func TestForms(t *testing.T) {
	read := func(schema string) []field {
		t.Helper()
		fields, err := form(json.RawMessage(schema))
		if err != nil {
			t.Fatal(err)
		}
		return fields
	}
	fields := read(`{"type":"object","required":["n","ok","pick","word"],"properties":{"n":{"type":"integer","title":"How many"},"ok":{"type":"boolean"},
		"pick":{"type":"string","enum":["a","b"],"enumNames":["Apple","Bean"]},"word":{"type":"string"},"extra":{"type":"string"}}}`)
	if len(fields) != 4 {
		t.Fatalf("%+v", fields)
	}
	for i, c := range []struct {
		text string
		want any
	}{{"3", int64(3)}, {"是", true}, {"Bean", "b"}, {" x ", "x"}} {
		if got, err := fields[i].read(c.text); err != nil || got != c.want {
			t.Errorf("%s: %v %v", fields[i].name, got, err)
		}
	}
	for i, bad := range []string{"many", "perhaps", "Carrot"} {
		if got, err := fields[i].read(bad); err == nil {
			t.Errorf("%s: %v", fields[i].name, got)
		}
	}
	many := `{"type":"object","properties":{`
	for _, c := range "abcdefghij" {
		many += `"` + string(c) + `":{"type":"string"},`
	}
	if _, err := form(json.RawMessage(strings.TrimSuffix(many, ",") + `}}`)); err == nil {
		t.Error("a form of ten fields")
	}
	if _, err := form(json.RawMessage(`7`)); err == nil {
		t.Error("a number is no form")
	}
}

func FuzzForm(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":"string","enum":["x"],"enumNames":["X","Y"]}}}`, "x")
	f.Fuzz(func(t *testing.T, schema, answer string) {
		fields, err := form(json.RawMessage(schema))
		if err != nil {
			return
		}
		for _, field := range fields {
			_, _ = field.read(answer)
		}
	})
}
