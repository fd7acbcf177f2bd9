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

// An event that is like the one before is not read in full, and still is another when more than its text is.
func TestEventsAlike(t *testing.T) {
	text := func(s string) string {
		return `{"model":"m","choices":[{"index":0,"delta":{"content":"` + s + `"},"finish_reason":null}]}`
	}
	var e event
	for _, x := range []struct {
		line  string
		again bool
		text  string
	}{
		{text("a"), false, "a"}, {text("bc"), true, "bc"}, {text(`\n\u597d`), true, "\n好"}, {text("a"), true, "a"},
		{text(""), false, ""}, {text("a"), false, "a"}, {text("a") + " ", false, "a"}, {text("b") + " ", true, "b"},
		{text(`a"},"x":{"y":"z`), false, "a"}, {text("a"), false, "a"},
	} {
		again := e.again([]byte(x.line))
		if again != x.again || !again && !e.anew([]byte(x.line)) || e.text.String() != x.text {
			t.Errorf("%s: again %v, text %q", x.line, again, e.text.String())
		}
	}
	for _, bad := range []string{text("\x01"), text(`\`), text(`\x`), text("\xff"), text(`a"b`)} {
		if e.again([]byte(bad)) || e.anew([]byte(bad)) {
			t.Errorf("%q is read", bad)
		}
		if !e.read([]byte(text("a"))) {
			t.Errorf("after %q nothing is read", bad)
		}
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

// same holds the two ways to read events against each other.
func same(t *testing.T, lines ...string) {
	t.Helper()
	var e event
	short, long := &gather{}, &gather{}
	for _, line := range lines {
		raw := []byte(line)
		if !e.read(raw) {
			continue
		}
		short.take(&e)
		clear(raw) // as the reader writes over it
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
	f.Add(call, `x","y":"`)
	f.Add(call, `{"model":"m","choices":[{"index":0,"delta":{"content":"\u597d\ud83d\ude00\ud83d\u0041","refusal":null,"reasoning":"r","reasoning_content":""},"finish_reason":"stop","logprobs":null}],"usage":null,"error":null}`)
	f.Add(`{"choices":[{"message":{"content":"a\/\b"},"delta":null}],"usage":{"prompt_tokens":1,"completion_tokens":2,"x":[-0.5E+3,{"a":true}]}}`, `{"object":"x","choices":null}`)
	f.Add(call, `{"choices": [{"delta": {"tool_calls": [{"index": 1, "function": {"arguments": "}"}}, {"id": "b"}], "content": null, "function_call": null}}]}`)
	f.Add(`{"choices":[{"delta":{"content":"a"}}]}`, `{"choices":[{"delta":{"content":"b\n"}}]}`)
	f.Add(`{"choices":[{"delta":{"reasoning_content":"a","reasoning":"b"}}]}`, `{"choices":[{"delta":{"reasoning_content":"","reasoning":"b"}}]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		same(t, a, b, a, a, b)
		same(t, b, b)
		if before, after, ok := strings.Cut(a, `"a"`); ok { // like a, but for one text
			same(t, a, before+b+after, before+`"`+b+`"`+after, a)
		}
	})
}
