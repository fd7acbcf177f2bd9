package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told is all that a gather knows, to compare.
func told(g *gather) string {
	s := fmt.Sprintf("text %q reasoning %q finish %q model %q tokens %d %d size %d", g.Text.String(), g.Reasoning.String(), g.Finish, g.Model, g.In, g.Out, g.size)
	for _, c := range g.Calls {
		s += fmt.Sprintf("\ncall %q %q %q", c.id, c.name, c.arguments.String())
	}
	return s
}

// What vendors send usually must go the short way, or nothing is won.
func TestUsualEventsAreScanned(t *testing.T) {
	for name, line := range map[string]string{
		"openai":     `{"id":"c1","object":"chat.completion.chunk","created":1763700000,"model":"gpt","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"content":"好\n"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"aG"}`,
		"role":       `{"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}]}`,
		"call":       `{"choices":[{"index":0,"delta":{"content":null,"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"x","arguments":"{\"a\": \"\u597d\ud83d\ude00\"}"}}]},"finish_reason":null}]}`,
		"usage":      `{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":0,"list":[1.5e-3,true,{}]}}}`,
		"deepseek":   `{"id":"x","choices":[{"index":0,"delta":{"content":null,"reasoning_content":"hm"},"logprobs":null,"finish_reason":null}]}`,
		"openrouter": `{"provider":"P","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"hm","reasoning_details":[{"type":"x"}]},"finish_reason":null,"native_finish_reason":null}]}`,
		"vllm":       `{"choices": [{"index": 0, "delta": {"content": " a", "tool_calls": []}, "logprobs": null, "finish_reason": "stop", "stop_reason": null}], "error": null}`,
		"whole":      `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a","tool_calls":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`,
		"groq":       ` {"x_groq":{"id":"a"},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]} `,
	} {
		var e event
		if !e.read([]byte(line)) {
			t.Errorf("%s is not scanned: %s", name, line)
		}
		same(t, line)
	}
}

func TestUnusualEventsAreNotScanned(t *testing.T) {
	for _, line := range []string{``, `x`, `[]`, `{`, `{}x`, `{"choices":[{"delta":{"content":"a}}]}`, `{"error":{"message":"m"}}`, `{"error":""}`, `{"object":"error"}`,
		`{"choices":[{"index":1,"delta":{"content":"x"}}]}`, `{"choices":[{"index":0},{"index":0}]}`, `{"choices":[{"delta":{"content":["a"]}}]}`,
		`{"choices":[{"delta":{"content":"a","content":"b"}}]}`, `{"Choices":[]}`, `{"choices":[{"delta":{"content":"a"},"message":{"content":"b"}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":"1"}]}}]}`, `{"choices":[{"delta":{"function_call":{"name":"x"}}}]}`, "{\"a\":\"\x01\"}", "{\"a\":\"\xff\"}",
		`{"a":"\x"}`, `{"a":"\u12"}`, `{"a":01}`, `{"a":1.}`, `{"a":-}`, `{"a":1e}`, `{"a":nul}`, `{"object":}`, `{"a" 1}`, `{"a":1,}`, `{,}`, `{"a":[1 2]}`, `{"usage":{"prompt_tokens":1.5}}`,
		`{"a":` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + `}`} {
		var e event
		if e.read([]byte(line)) {
			t.Errorf("%s is scanned", line)
		}
	}
}

// same holds the two ways to read an event against each other, alone and after one that began a call.
func same(t *testing.T, lines ...string) {
	t.Helper()
	var e event
	short, long := &gather{}, &gather{}
	for _, line := range lines {
		if !e.read([]byte(line)) {
			return
		}
		short.take(&e)
		if err := long.addUnusual([]byte(line)); err != nil {
			t.Fatalf("%q is scanned, but %v", line, err)
		}
		if d := cmp.Diff(told(long), told(short)); d != "" {
			t.Fatalf("%q: %s", line, d)
		}
	}
}

func FuzzEvent(f *testing.F) {
	const call = `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"a\""}}]}}]}`
	f.Add(call, `{"model":"m","choices":[{"index":0,"delta":{"content":"\u597d\ud83d\ude00\ud83d\u0041","refusal":null,"reasoning":"r","reasoning_content":""},"finish_reason":"stop","logprobs":null}],"usage":null,"error":null}`)
	f.Add(`{"choices":[{"message":{"content":"a\/\b"},"delta":null}],"usage":{"prompt_tokens":1,"completion_tokens":2,"x":[-0.5E+3,{"a":true}]}}`, `{"object":"x","choices":null}`)
	f.Add(call, `{"choices": [{"delta": {"tool_calls": [{"index": 1, "function": {"arguments": "}"}}, {"id": "b"}], "content": null, "function_call": null}}]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		same(t, a, b)
		same(t, b)
	})
}
