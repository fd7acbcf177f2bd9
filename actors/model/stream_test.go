package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

// Each case is a stream as some vendor sends it; all of them mean the same call of search_order_code, and some a second one.
func TestVendors(t *testing.T) {
	const end = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
	calls := func(s string) string { return `{"choices":[{"index":0,"delta":{"tool_calls":[` + s + `]}}]}` }
	first := bus.Action{ToolName: "search_order_code", Parameter: json.RawMessage(`{"limit":1}`)}
	both := []bus.Action{first, {ToolName: "search_order_code", Parameter: json.RawMessage(`{"limit":2}`)}}
	both[0].ID, both[1].ID = "t1", "t2"
	for name, x := range map[string]struct {
		chunks []string
		want   []bus.Action
	}{
		"by the book": {[]string{
			calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":""}}`), calls(`{"index":0,"function":{"arguments":"{\"limit\""}}`), calls(`{"index":0,"function":{"arguments":":1}"}}`),
			calls(`{"index":1,"id":"b","function":{"name":"search_order_code","arguments":"{\"limit\":2}"}}`)}, both},
		"no index, id null": {[]string{calls(`{"id":"a","function":{"name":"search_order_code","arguments":"{\"lim"}}`), calls(`{"id":null,"function":{"name":null,"arguments":"it\":1}"}}`)}, []bus.Action{first}},
		"index always 0": {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{\"limit\""}}`), calls(`{"index":0,"function":{"arguments":":1}"}}`),
			calls(`{"index":0,"id":"b","function":{"name":"search_order_code","arguments":"{\"limit\""}}`), calls(`{"index":0,"function":{"arguments":":2}"}}`)}, both},
		"index as text, from 1": {[]string{calls(`{"index":"1","id":"a","function":{"name":"search_order_code","arguments":"{\"limit\""}}`), calls(`{"index":"1","function":{"arguments":":1}"}}`)}, []bus.Action{first}},
		"interleaved": {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{"}},{"index":1,"id":"b","function":{"name":"search_order_code","arguments":"{"}}`),
			calls(`{"index":1,"function":{"arguments":"\"limit\":2}"}},{"index":0,"function":{"arguments":"\"limit\":1}"}}`)}, both},
		"id and name in every delta": {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{\"limit\""}}`), calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":":1}"}}`)}, []bus.Action{first}},
		"no ids, whole calls":        {[]string{calls(`{"function":{"name":"search_order_code","arguments":"{\"limit\":1}"}}`), calls(`{"function":{"name":"search_order_code","arguments":"{\"limit\":2}"}}`)}, both},
		"the end repeats the whole":  {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{\"limit\":1}"}}`), calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{\"limit\":1}"}}`)}, []bus.Action{first}},
		"another id in each delta":   {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{\"limit\""}}`), calls(`{"index":0,"id":"b","function":{"arguments":":1}"}}`)}, []bus.Action{first}},
		"two without arguments":      {[]string{calls(`{"index":0,"id":"a","function":{"name":"ask_user"}}`), calls(`{"index":0,"id":"b","function":{"name":"ask_user"}}`)}, []bus.Action{{ID: "t1", ToolName: AskUser}, {ID: "t2", ToolName: AskUser}}},
		"empty lists all along":      {[]string{calls(``), calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{\"limit\":1}"}}`), calls(``)}, []bus.Action{first}},
		"arguments as an object":     {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":{"limit":1}}}`)}, []bus.Action{first}},
		"arguments twice encoded":    {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"\"{\\\"limit\\\":1}\""}}`)}, []bus.Action{first}},
		"arguments broken":           {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{'limit': 1,}"}}`)}, []bus.Action{{ToolName: first.ToolName, Parameter: json.RawMessage(`{"limit": 1}`)}}},
		"no arguments":               {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code"}}`)}, []bus.Action{{ToolName: first.ToolName}}},
		"function_call":              {[]string{`{"choices":[{"delta":{"function_call":{"name":"search_order_code","arguments":"{\"limit\""}}}]}`, `{"choices":[{"delta":{"function_call":{"arguments":":1}"}}}]}`}, []bus.Action{first}},
		"second choice ignored":      {[]string{calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{\"limit\":1}"}}`), `{"choices":[{"index":1,"delta":{"content":"x"}}]}`}, []bus.Action{first}},
		"usage null, choices null":   {[]string{`{"choices":null,"usage":null}`, calls(`{"index":0,"id":"a","function":{"name":"search_order_code","arguments":"{\"limit\":1}"}}`)}, []bus.Action{first}},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := client(t, Options{}, scripted.Raw(append(x.chunks, end)...))
			r := ask(t, c, prompt(orders))
			if d := cmp.Diff(x.want, r.Actions); d != "" {
				t.Error(d)
			}
			if r.Attempts != 1 || r.Answer != "" || r.Thought != "" {
				t.Errorf("reply %+v", r)
			}
		})
	}
}

func TestTextsOfVendors(t *testing.T) {
	const end = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
	for name, x := range map[string]struct {
		step              scripted.Step
		answer, reasoning string
	}{
		"reasoning_content": {scripted.Step{Text: "a", Reasoning: "r"}, "a", "r"},
		"openrouter":        {scripted.Raw(`{"choices":[{"delta":{"reasoning":"r","reasoning_content":"r"}}]}`, `{"choices":[{"delta":{"content":"a"}}]}`, end), "a", "r"},
		"ollama":            {scripted.Raw(`{"choices":[{"delta":{"reasoning":"r"}}]}`, `{"choices":[{"delta":{"content":"a"}}]}`, end), "a", "r"},
		"think tags":        {scripted.Text("<think>r</think>\na"), "a", "r"},
		"not streamed":      {scripted.Step{Text: "a", Reasoning: "r", Plain: true}, "a", "r"},
		"parts":             {scripted.Raw(`{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, end), "ab", ""},
		"refusal":           {scripted.Raw(`{"choices":[{"delta":{"refusal":"no"}}]}`, end), "no", ""},
		"error null":        {scripted.Raw(`{"error":null,"choices":[{"delta":{"content":"a"}}]}`, `{"error":null,"choices":[{"delta":{},"finish_reason":"stop"}]}`), "a", ""},
		"comments":          {scripted.Step{Text: "a", Comments: 1000}, "a", ""},
		"cut after the end": {scripted.Step{Text: "a", Cut: 3}, "a", ""}, // the role, "a", the finish_reason
		"no [DONE]":         {scripted.Raw(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`), "a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := client(t, Options{}, x.step)
			r := ask(t, c, prompt())
			if r.Answer != x.answer || r.Reasoning != x.reasoning || r.Attempts != 1 {
				t.Errorf("reply %+v", r)
			}
		})
	}
}

func TestRepeats(t *testing.T) {
	var numbered strings.Builder
	for i := range 2000 {
		fmt.Fprintln(&numbered, i, "is a line")
	}
	for name, x := range map[string]struct {
		text string
		want bool
	}{
		"short":         {strings.Repeat("ha ", 1000), false},
		"long enough":   {strings.Repeat("ha ", 1400), true},
		"chinese":       {"好的。" + strings.Repeat("我来帮您查询。", 300), true},
		"one character": {strings.Repeat("。", 2000), true},
		"long unit":     {strings.Repeat(strings.Repeat("x", 299)+"y", 20), false},
		"ended":         {strings.Repeat("ha ", 1400) + "and now to something else", false},
		"numbered":      {numbered.String(), false},
	} {
		if got := repeats(x.text); got != x.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAnswerWithoutEnd(t *testing.T) {
	var chunks []string
	for i := range 1200 {
		chunks = append(chunks, fmt.Sprintf(`{"choices":[{"delta":{"content":"%s"}}]}`, strings.Repeat(fmt.Sprintf("%03d", i), 300)))
	}
	c, _, _ := client(t, Options{}, scripted.Raw(append(chunks, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`)...), scripted.Text("ok"))
	if r := ask(t, c, prompt()); r.Answer != "ok" || r.Attempts != 2 {
		t.Errorf("reply %.100v", r)
	}

	chunks = nil
	for i := range MaxActions + 1 {
		chunks = append(chunks, fmt.Sprintf(`{"choices":[{"delta":{"tool_calls":[{"index":%d,"id":"%d","function":{"name":"x","arguments":"{}"}}]}}]}`, i, i))
	}
	c, _, _ = client(t, Options{}, scripted.Raw(append(chunks, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`)...), scripted.Text("ok"))
	if r := ask(t, c, prompt()); r.Answer != "ok" {
		t.Errorf("reply %+v", r)
	}
}

// No stream makes gather fail in another way than by its error.
func FuzzGather(f *testing.F) {
	f.Add(`{"choices":[{"delta":{"content":"a","tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}]}}]}`, `{"choices":[{"message":{"content":[{"text":"x"}]},"finish_reason":"stop"}]}`)
	f.Add(`{"error":"x"}`, `{"usage":{"prompt_tokens":1.0}}`)
	f.Add(`{"choices":[{"delta":{"tool_calls":[{"index":"x","function":{"name":5,"arguments":[1]}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{}]}}]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		g := &gather{}
		for _, s := range []string{a, b, a} {
			if _, _, err := g.add([]byte(s)); err != nil && err.Error() == "" {
				t.Log("an error without words") // a server may send one
			}
		}
		r, failed := readFunctions(g, prompt(orders).offered())
		if failed == nil && r.Answer == "" && len(r.Actions) == 0 {
			t.Errorf("an empty reply of %s %s", a, b)
		}
		for _, x := range r.Actions {
			if x.Parameter != nil && fields(x.Parameter) == nil {
				t.Errorf("parameter %s", x.Parameter)
			}
		}
	})
}
