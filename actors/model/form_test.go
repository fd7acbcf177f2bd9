package model

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

func TestStructParse(t *testing.T) {
	c, s, _ := client(t, Options{Strategy: StructParse}, scripted.Text("好的，我来查。\n```json\n"+
		`{"critique":"c","thought":"查订单","action_code":[{"tool_name":"search_order_code","parameter":{"consumer_name":["王萍萍"]},"trust_mode":1},{"tool_name":"logistics","job_desc":"看看","trust_mode":0,},],"answer":""}`+"\n```"))
	p := prompt(orders, logistics)
	p.Language = "zh"
	p.Messages = append(p.Messages,
		Message{Role: "assistant", Text: "想", Actions: []Called{{ID: "c1", ToolName: "logistics", Arguments: json.RawMessage(`{"job_desc":"查"}`)}}},
		Message{Role: "tool", CallID: "c1", Name: "logistics", Text: "在路上"},
		Message{Role: "user", Text: "继续"})
	r := ask(t, c, p)
	if r.Thought != "查订单" || r.Critique != "c" || len(r.Actions) != 2 || r.Actions[0].TrustMode != 1 || r.Actions[1].JobDesc != "看看" {
		t.Fatalf("reply %+v", r)
	}
	if got := string(r.Actions[0].Parameter); got != `{"consumer_name":"王萍萍"}` {
		t.Errorf("parameter %s", got)
	}
	q := s.Requests()[0]
	if len(q.Tools) != 0 || len(q.Messages) != 4 {
		t.Fatalf("request %+v", q)
	}
	for _, want := range []string{"seller's assistant", "回答格式", `"tool_name":"search_order_code"`, `"tool_name":"ask_user"`, "where is it"} {
		if !strings.Contains(q.Messages[0].Text, want) {
			t.Errorf("the system prompt lacks %q", want)
		}
	}
	if got := q.Messages[2].Text; got != `{"thought":"想","action_code":[{"tool_name":"logistics","job_desc":"查"}]}` {
		t.Errorf("history %s", got)
	}
	if got := q.Messages[3].Text; !strings.Contains(got, "在路上") || !strings.HasSuffix(got, "继续") {
		t.Errorf("observation %q", got)
	}
}

// What cannot be read is answered once with the reason.
func TestCorrectiveRound(t *testing.T) {
	good := scripted.Text(`{"thought":"t","action_code":[{"tool_name":"search_order_code","parameter":{}}]}`)
	for name, x := range map[string]struct{ bad, reason string }{
		"prose":        {"I would look for the orders.", "no JSON object"},
		"broken":       {`{"thought": "x", "action_code": }{ "`, ""},
		"no name":      {`{"action_code":[{"parameter":{}}]}`, `has no "tool_name"`},
		"cut":          {`{"thought":"x","action_code":[{"tool_name":"search_order_code","parameter":{"order_id":"1234`, "cut off"},
		"nothing":      {`{"thought":"x","action_code":[],"answer":""}`, `neither`},
		"empty finish": {`{"action_code":[{"tool_name":"finish","parameter":{"answer":""}}]}`, "neither"},
	} {
		t.Run(name, func(t *testing.T) {
			c, s, _ := client(t, Options{Strategy: StructParse}, scripted.Text(x.bad), good)
			r := ask(t, c, prompt(orders, logistics))
			if len(r.Actions) != 1 || r.Attempts != 2 {
				t.Errorf("reply %+v", r)
			}
			q := s.Requests()[1]
			if q.Last("assistant") != x.bad || !strings.Contains(q.Last("user"), x.reason) {
				t.Errorf("the model is told %q", q.Last("user"))
			}
		})
	}
}

func TestCorrectionInVain(t *testing.T) {
	say := func(s string) scripted.Step {
		return scripted.React(func(scripted.Request) scripted.Step { return scripted.Text(s) })
	}
	c, s, _ := client(t, Options{Strategy: StructParse}, say(`{"thought": 1, `))
	_, err := c.Ask(t.Context(), prompt(orders))
	var be *bus.Error
	if !errors.As(err, &be) || be.Code != bus.CodeModel || !strings.Contains(be.Message, "keep to the form") || len(s.Requests()) != 2 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}

	c, _, _ = client(t, Options{Strategy: StructParse}, say("王萍萍买了 3 单。"))
	if r := ask(t, c, prompt(orders)); r.Answer != "王萍萍买了 3 单。" || r.Attempts != 2 {
		t.Errorf("prose, twice: %+v", r)
	}

	// Whoever dispatches it says what there is.
	c, _, _ = client(t, Options{Strategy: StructParse}, say(`{"action_code":[{"tool_name":"nonsense"}]}`))
	if r := ask(t, c, prompt(orders)); len(r.Actions) != 1 || r.Actions[0].ToolName != "nonsense" {
		t.Errorf("unknown, twice: %+v", r)
	}
}

func TestReservedNames(t *testing.T) {
	for name, x := range map[string]struct {
		step    scripted.Step
		answer  string
		actions int
	}{
		"finish":            {scripted.Calls(scripted.Call{Name: Finish, Arguments: `{"answer":"42"}`}), "42", 0},
		"finish with text":  {scripted.Step{Text: "it is 42", Calls: []scripted.Call{{Name: Finish}}}, "it is 42", 0},
		"finish among":      {scripted.Calls(scripted.Call{Name: Finish, Arguments: `{"answer":"42"}`}, scripted.Call{Name: "search_order_code"}), "", 1},
		"ask_user":          {scripted.Calls(scripted.Call{Name: AskUser, Arguments: `{"question":"which?","options":"a"}`}), "", 1},
		"unknown":           {scripted.Calls(scripted.Call{Name: "nonsense", Arguments: `{}`}), "", 1},
		"prefixed":          {scripted.Calls(scripted.Call{Name: "functions.search_order_code", Arguments: `{}`}), "", 1},
		"written":           {scripted.Text("```json\n" + `{"action_code":{"api_name":"search_order_code","parameter":{}}}` + "\n```"), "", 1},
		"written tool_call": {scripted.Text(`<tool_call>{"name":"search_order_code","arguments":{}}</tool_call>`), "", 1},
		"about JSON":        {scripted.Text(`{"action_code":[{"tool_name":"nonsense"}]}`), `{"action_code":[{"tool_name":"nonsense"}]}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := client(t, Options{}, x.step)
			r := ask(t, c, prompt(orders))
			if r.Answer != x.answer || len(r.Actions) != x.actions {
				t.Errorf("reply %+v", r)
			}
			if name == "prefixed" && r.Actions[0].ToolName != "search_order_code" {
				t.Errorf("name %s", r.Actions[0].ToolName)
			}
			if name == "ask_user" && string(r.Actions[0].Parameter) != `{"options":["a"],"question":"which?"}` {
				t.Errorf("parameter %s", r.Actions[0].Parameter)
			}
		})
	}
}

func TestWantedObject(t *testing.T) {
	p := prompt()
	p.Schema = json.RawMessage(`{"type":"object","properties":{"score":{"type":"integer","maximum":10}},"required":["score"]}`)
	c, s, _ := client(t, Options{}, scripted.Text(`My verdict: {"score": 11}`), scripted.Text("<think>{}</think>```json\n{'score': '7',}\n```"))
	r := ask(t, c, p)
	if string(r.JSON) != `{"score":7}` || r.Attempts != 2 {
		t.Errorf("reply %s %+v", r.JSON, r)
	}
	if told := s.Requests()[1].Last("user"); !strings.Contains(told, "/score") || !strings.Contains(told, "10") {
		t.Errorf("the model is told %q", told)
	}

	c, _, _ = client(t, Options{}, scripted.Text(`{"score": 1`), scripted.Text(`{"score": 10}`))
	if r := ask(t, c, p); string(r.JSON) != `{"score": 10}` {
		t.Errorf("a number cut off was believed: %s", r.JSON)
	}

	c, s, _ = client(t, Options{})
	outside := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(outside, []byte(`{"type":"object"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Schema = json.RawMessage(`{"$ref":"file://` + outside + `"}`)
	if _, err := c.Ask(t.Context(), p); err == nil || len(s.Requests()) != 0 {
		t.Errorf("a schema that refers outside: %v", err)
	}
}

// Servers refuse a call without its observation and the other way round.
func TestHistoryIsAlwaysValid(t *testing.T) {
	c, s, _ := client(t, Options{}, scripted.Text("ok"))
	ask(t, c, Prompt{Messages: []Message{
		{Role: "user", Text: "look", Images: []string{"data:image/png;base64,AA=="}},
		{Role: "assistant", Actions: []Called{{ID: "a", ToolName: "x"}, {ID: "b", ToolName: "y", Arguments: json.RawMessage(`{"q":1}`)}}},
		{Role: "tool", CallID: "b"},
		{Role: "tool", CallID: "z", Name: "old", Text: "late"},
		{Role: "assistant"},
		{Role: "user"},
	}})
	m := s.Requests()[0].Messages
	if len(m) != 4 {
		t.Fatalf("%+v", m)
	}
	if m[0].Text != "look" || len(m[0].Images) != 1 {
		t.Errorf("image: %+v", m[0])
	}
	if len(m[1].Calls) != 1 || m[1].Calls[0] != (scripted.Call{ID: "b", Name: "y", Arguments: `{"q":1}`}) {
		t.Errorf("calls: %+v", m[1])
	}
	if m[2].Role != "tool" || m[2].Text != "(empty)" {
		t.Errorf("an empty observation is told as such: %+v", m[2])
	}
	if m[3].Role != "user" || !strings.Contains(m[3].Text, "late") {
		t.Errorf("an observation without a call: %+v", m[3])
	}
}

func TestTextsAreInBothLanguages(t *testing.T) {
	files, err := textFiles.ReadDir("text")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name, _, _ := strings.Cut(f.Name(), ".")
		if zh, en := text(name, "zh"), text(name, "en"); zh == "" || en == "" || strings.Count(zh, "%s") != strings.Count(en, "%s") {
			t.Errorf("%s differs between languages", name)
		}
	}
}
