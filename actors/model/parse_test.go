package model

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hmap-project/hmap/bus"
)

func one(tool, parameter string) []bus.Action {
	a := bus.Action{ToolName: tool}
	if parameter != "" {
		a.Parameter = json.RawMessage(parameter)
	}
	return []bus.Action{a}
}

func TestParseActionCode(t *testing.T) {
	for name, x := range map[string]struct {
		text string
		want Parsed
	}{
		"whole form": {
			`{"critique":"c","thought":"t","action_code":[{"id":"t1","after":["t0"],"tool_name":"x","parameter":{"a":1},"job_desc":"j","trust_mode":1,"step":"s"}],"answer":""}`,
			Parsed{Critique: "c", Thought: "t", Actions: []bus.Action{{ID: "t1", After: []string{"t0"}, ToolName: "x",
				Parameter: json.RawMessage(`{"a":1}`), JobDesc: "j", TrustMode: 1, Step: "s"}}}},
		"answer":                 {`{"thought":"t","action_code":[],"answer":"42"}`, Parsed{Thought: "t", Answer: "42"}},
		"answer of parts":        {`{"answer":{"n":1}}`, Parsed{Answer: `{"n":1}`}},
		"no action said by null": {`{"action_code":null,"answer":"a"}`, Parsed{Answer: "a"}},
		"no action said by {}":   {`{"action_code":{},"answer":"a"}`, Parsed{Answer: "a"}},
		"prose around":           {"Sure! Here it is:\n{\"answer\":\"a\"}\nHope it helps {smile}.", Parsed{Answer: "a"}},
		"braces in prose before": {`Use {name} like so: {"answer":"a"}`, Parsed{Answer: "a"}},
		"fence":                  {"```json\n{\"answer\":\"a ``` b\"}\n```", Parsed{Answer: "a ``` b"}},
		"fence cut":              {"```json\n{\"answer\":\"a\"\n```", Parsed{Answer: "a"}},
		"thinking":               {`<think>{"answer":"no"}</think>{"answer":"yes"}`, Parsed{Answer: "yes"}},
		"thinking without begin": {`maybe {"answer":"no"}</think>{"answer":"yes"}`, Parsed{Answer: "yes"}},
		"tags in the answer":     {`{"answer":"write <think> and </think>"}`, Parsed{Answer: "write <think> and </think>"}},
		"thought, then action":   {`{"thought":"t"} {"action_code":[{"tool_name":"x"}]}`, Parsed{Thought: "t", Actions: one("x", "")}},
		"made-up observation":    {`{"action_code":[{"tool_name":"x"}]} {"observation":"3"} {"answer":"3"}`, Parsed{Actions: one("x", "")}},
		"trailing commas":        {`{"action_code":[{"tool_name":"x","parameter":{"a":1,},},],}`, Parsed{Actions: one("x", `{"a":1}`)}},
		"python":                 {`{'answer': 'it\'s } so', 'plan': None, 'ok': True}`, Parsed{Answer: "it's } so"}},
		"comments":               {"{\"answer\": \"a\" // done\n}", Parsed{Answer: "a"}},
		"raw newline":            {"{\"answer\": \"a\nb\"}", Parsed{Answer: "a\nb"}},
		"missing closers":        {`{"action_code":[{"tool_name":"x","parameter":{"a":"b"}`, Parsed{Actions: one("x", `{"a":"b"}`)}},
		"cut in a string":        {`{"action_code":[{"tool_name":"x","parameter":{"id":"12`, Parsed{Actions: one("x", `{"id":"12"}`), Cut: true}},
		"cut in a number":        {`{"action_code":[{"tool_name":"x","parameter":{"id":12`, Parsed{Actions: one("x", `{"id":12}`), Cut: true}},
		"the article's own form": {`{ "action_code": { "api_name": "search_order_code", "parameter": { "consumer_name": [ "王萍萍" ], "search_keys": [ "訂單" ] }, } }`,
			Parsed{Actions: one("search_order_code", `{ "consumer_name": [ "王萍萍" ], "search_keys": [ "訂單" ] }`)}},
		"arguments beside the name": {`{"function_name":"deep_search","query":"x","top_k":3}`, Parsed{Actions: one("deep_search", `{"query":"x","top_k":3}`)}},
		"function call form":        {`{"name":"x","arguments":{"q":1}}`, Parsed{Actions: one("x", `{"q":1}`)}},
		"nested function":           {`{"tool_calls":[{"id":"a","function":{"name":"x","arguments":"{\"q\":1}"}}]}`, Parsed{Actions: []bus.Action{{ID: "a", ToolName: "x", Parameter: json.RawMessage(`{"q":1}`)}}}},
		"list alone":                {`[{"tool_name":"x"},{"tool_name":"y"}]`, Parsed{Actions: append(one("x", ""), one("y", "")...)}},
		"camel case":                {`{"actionCode":[{"toolName":"x","trustMode":"1","jobDesc":"j"}]}`, Parsed{Actions: []bus.Action{{ToolName: "x", JobDesc: "j", TrustMode: 1}}}},
		"action code in a string":   {`{"action_code":"[{\"tool_name\":\"x\"}]"}`, Parsed{Actions: one("x", "")}},
		"parameter in a string":     {`{"action_code":[{"tool_name":"x","parameter":"{'a': 1}"}]}`, Parsed{Actions: one("x", `{"a": 1}`)}},
		"parameter in a list":       {`{"action_code":[{"tool_name":"x","parameter":[{"a":1}]}]}`, Parsed{Actions: one("x", `{"a":1}`)}},
		"numbers as ids":            {`{"action_code":[{"id":1,"tool_name":"x"},{"id":2,"after":1,"tool_name":"y"}]}`, Parsed{Actions: []bus.Action{{ID: "1", ToolName: "x"}, {ID: "2", After: []string{"1"}, ToolName: "y"}}}},
		"plan": {`{"plan":{"title":"p","steps":["a",{"id":"b","title":"B","after":["1"],"status":"completed"}]}}`, Parsed{Plan: &bus.PlanBody{Title: "p", Steps: []bus.Step{
			{ID: "1", Title: "a", Status: bus.NotStarted}, {ID: "b", Title: "B", After: []string{"1"}, Status: bus.NotStarted}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseActionCode(x.text)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(x.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseActionCodeSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "no JSON object",
		"just prose":            "no JSON object",
		`{"thought":"t"}`:       `neither "action_code"`,
		`{"name":"x"}`:          `neither "action_code"`,
		`{"action_code":[5]}`:   "action 1",
		`{"action_code":"say"}`: "is a string",
		`{"action_code":[{"tool_name":"x"},{"job_desc":"j"}]}`:               `action 2 of "action_code": it has no "tool_name"`,
		`{"action_code":[{"tool_name":"x","parameter":5}]}`:                  `"parameter" of x: it is not an object`,
		`{"action_code":[{"tool_name":"x","parameter":[1,2]}]}`:              "it is a list",
		`{"action_code":[` + strings.Repeat(`{"tool_name":"x"},`, 65) + `]}`: "at most 64",
		strings.Repeat("[{", 200):                                            "not JSON",
		`{"a":` + strings.Repeat(`"x" `, maxRepair/4) + "}":                  "not JSON",
	} {
		p, err := ParseActionCode(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q (%+v)", text, err, want, p)
		}
	}
}

// Whatever comes, parsing ends, soon, and what it gives can be sent on.
func FuzzParseActionCode(f *testing.F) {
	for _, s := range []string{`{"thought":"t","action_code":[{"tool_name":"x","parameter":{"a":["b"]}}],"answer":""}`, "```json\n{'a': True,}\n```",
		`<think>x</think>{"action_code":{"api_name":"x","parameter":{},}}`, `[{"tool_name":"x"`, `{"function_name":"s","q":"\u00e4"}`, `{"plan":["a"]}{"answer":1}`, "{\"a\x00b\":'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseActionCode(text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		if len(p.Actions) == 0 && p.Answer == "" && p.Plan == nil || len(p.Actions) > MaxActions {
			t.Errorf("no error, but %+v", p)
		}
		for _, a := range p.Actions {
			if a.ToolName == "" || a.Parameter != nil && fields(a.Parameter) == nil {
				t.Errorf("action %+v", a)
			}
		}
		if _, err := json.Marshal(p); err != nil {
			t.Error(err)
		}
	})
}

// Repair must not be a way to keep us busy.
func TestParseEndsSoon(t *testing.T) {
	for name, unit := range map[string]string{"open": "{", "lists": "[{", "strings": `{"a":"`, "quotes": `{'`, "keys": `{"a" "b" `, "escapes": `{"\`, "fences": "```{",
		"comments": "{/*", "numbers": "{1 ", "think": "<think>{", "values": `{"a":1 "b":2,`, "concat": `{"a" + "b" + `, "colons": "{a:b:c "} {
		begun := time.Now()
		for _, size := range []int{maxRepair, maxAnswer} {
			text := strings.Repeat(unit, size/len(unit))
			_, _ = ParseActionCode(text)
			_, _ = ParseActionCode("{" + strings.ReplaceAll(text, "{", "") + "}")
		}
		if d := time.Since(begun); d > time.Minute { // without the bounds it is many
			t.Errorf("%s: %v", name, d)
		} else {
			t.Log(name, d)
		}
	}
}

func TestCoerce(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"number"},"i":{"type":["integer","null"]},"b":{"type":"boolean"},"s":{"type":"string"},
		"l":{"type":"array","items":{"type":"integer"}},"o":{"type":"object","properties":{"n":{"type":"number"}}},"any":{},"true":true}}`
	for in, want := range map[string]string{
		`{"n":"5"}`:                             `{"n":5}`,
		`{"n":" -1.5e3 "}`:                      `{"n":-1.5e3}`,
		`{"n":"five"}`:                          `{"n":"five"}`,
		`{"n":"01"}`:                            `{"n":"01"}`,
		`{"n":[5]}`:                             `{"n":5}`,
		`{"n":["5"]}`:                           `{"n":5}`,
		`{"n":[5,6]}`:                           `{"n":[5,6]}`,
		`{"i":"7"}`:                             `{"i":7}`,
		`{"i":null}`:                            `{"i":null}`,
		`{"b":"True"}`:                          `{"b":true}`,
		`{"b":"yes"}`:                           `{"b":"yes"}`,
		`{"s":["王萍萍"]}`:                         `{"s":"王萍萍"}`,
		`{"s":123456789012345678}`:              `{"s":"123456789012345678"}`,
		`{"s":"5"}`:                             `{"s":"5"}`,
		`{"s":{}}`:                              `{"s":{}}`,
		`{"l":3}`:                               `{"l":[3]}`,
		`{"l":"3"}`:                             `{"l":[3]}`,
		`{"l":"[\"3\"]"}`:                       `{"l":[3]}`,
		`{"l":["3",4]}`:                         `{"l":[3,4]}`,
		`{"l":"$t1.ids"}`:                       `{"l":"$t1.ids"}`,
		`{"n":"$t1.n"}`:                         `{"n":"$t1.n"}`,
		`{"o":"{\"n\":\"1\"}"}`:                 `{"o":{"n":1}}`,
		`{"o":[{"n":"1"}]}`:                     `{"o":{"n":1}}`,
		`{"any":["x"],"true":[1],"else":"<5>"}`: `{"any":["x"],"true":[1],"else":"<5>"}`,
	} {
		if got := string(coerce(json.RawMessage(in), json.RawMessage(schema))); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
	for _, s := range []string{"", "true", "5", `{"properties":5}`, `{"type":5}`} {
		if got := string(coerce(json.RawMessage(`{"a":"5"}`), json.RawMessage(s))); got != `{"a":"5"}` {
			t.Errorf("schema %s: %s", s, got)
		}
	}
}

func FuzzCoerce(f *testing.F) {
	f.Add(`{"n":"5"}`, `{"properties":{"n":{"type":"number"}}}`)
	f.Add(`{"n":5,"s":"x","b":true,"l":[1,2],"o":{"n":null},"x":[{}]}`, `{"properties":{"n":{"type":"number"},"s":{"type":["string"]},"b":{"type":"boolean"},"l":{"type":"array","items":{"type":"integer"}},"o":{"properties":{"n":{"type":"string"}}}}}`)
	f.Add(`{"l":[["1"]]}`, `{"properties":{"l":{"type":"array","items":{"type":["integer"]}}}}`)
	f.Fuzz(func(t *testing.T, parameter, schema string) {
		p := json.RawMessage(strings.TrimSpace(parameter))
		if fields(p) == nil {
			return
		}
		if got := coerce(p, json.RawMessage(schema)); fields(got) == nil && len(fields(p)) > 0 {
			t.Errorf("%s by %s became %s", parameter, schema, got)
		}
		var n node
		if json.Unmarshal([]byte(schema), &n) != nil || !n.fits(&cursor{b: p}, 0) {
			return
		}
		if got, changed := n.mend(p, 0); changed {
			t.Errorf("%s is held to fit %s and became %s", p, schema, got)
		}
	})
}
