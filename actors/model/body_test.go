package model

import (
	"encoding/json"
	"io"
	"net/http/httptrace"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	openai "github.com/sashabaranov/go-openai"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

// What is written by hand must mean what go-openai would have sent.
func TestBodyIsGoOpenAIs(t *testing.T) {
	p := Prompt{System: "sys \"q\" <b> \x01\n", Tools: []bus.Card{orders, logistics}, Messages: []Message{
		{Role: "user", Text: "看\u2028 \\ \xff", Images: []string{"https://h/?a=1&b=2", "data:image/png;base64,AA=="}},
		{Role: "assistant", Text: "t", Actions: []Called{{ID: "a", ToolName: "x", Arguments: json.RawMessage(`{"q":"\n"}`)}, {ID: "b", ToolName: "y"}}},
		{Role: "tool", CallID: "a", Text: `{"r":1}`}, {Role: "tool", CallID: "b"},
		{Role: "assistant", Text: "done"}, {Role: "user", Text: "more"},
	}}
	for _, tools := range [][]bus.Card{p.Tools, nil} {
		p.Tools = tools
		talk := functionCall(p)
		//nolint:staticcheck // max_tokens is what servers other than OpenAI's own know
		want := openai.ChatCompletionRequest{Model: "m", Messages: talk.conversation(), MaxTokens: 77, Stream: true, StreamOptions: &openai.StreamOptions{IncludeUsage: true}}
		for _, c := range append(tools[:len(tools):len(tools)], reserved("en")...) {
			if len(tools) > 0 {
				want.ToolChoice = "auto"
				want.Tools = append(want.Tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
					Name: c.Name, Description: c.Description, Parameters: parameters(c, "en")}})
			}
		}
		got := newHead(&Options{MaxTokens: 77}, "m").appendTo(nil, talk.conversation(), talk.tools)
		if d := cmp.Diff(decoded(t, encode(want)), decoded(t, got)); d != "" {
			t.Error(d)
		}
	}
}

func decoded(t *testing.T, raw []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return v
}

// A field that Extra names is Extra's alone.
func TestExtraDecides(t *testing.T) {
	h := newHead(&Options{Extra: map[string]any{"messages": []int{1}, "tools": nil, "tool_choice": "required", "model": "other", "stream": nil, "max_tokens": nil, "stream_options": nil}}, "m")
	talk := functionCall(prompt(orders))
	if got := string(h.appendTo(nil, talk.conversation(), talk.tools)); got != `{"messages":[1],"model":"other","tool_choice":"required"}` {
		t.Error(got)
	}
	all := map[string]any{}
	for _, k := range []string{"model", "messages", "tools", "tool_choice", "stream", "stream_options", "max_tokens"} {
		all[k] = nil
	}
	if got := string(newHead(&Options{Extra: all}, "m").appendTo(nil, nil, nil)); got != `{}` {
		t.Error(got)
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\n\t\x00\x7f好😀\u2028\xff\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, s string) {
		b := appendString([]byte("x"), s)
		var got string
		if err := json.Unmarshal(b[1:], &got); err != nil || b[0] != 'x' || !utf8.Valid(b) {
			t.Fatalf("%q: %v %s", s, err, b)
		}
		if want := strings.ToValidUTF8(s, ""); want == s && got != s || strings.ToValidUTF8(strings.ReplaceAll(got, "\ufffd", ""), "") != strings.ReplaceAll(want, "\ufffd", "") {
			t.Errorf("%q became %q", s, got)
		}
	})
}

// The bytes of a request are used anew only when nobody reads them any more.
func TestPayload(t *testing.T) {
	c, err := New(Options{BaseURL: "http://h/v1/", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	talk := functionCall(prompt(orders))
	r := c.request(t.Context(), "m", &talk)
	if r.URL.String() != "http://h/v1/chat/completions" {
		t.Error(r.URL)
	}
	again, err := r.GetBody()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(r.Body)
	if err != nil || int64(len(whole)) != r.ContentLength {
		t.Fatalf("%d of %d bytes, %v", len(whole), r.ContentLength, err)
	}
	if second, err := io.ReadAll(again); err != nil || string(second) != string(whole) {
		t.Errorf("the second time %q, %v", second, err)
	}

	for name, x := range map[string]struct {
		act   func(*payload)
		given bool
	}{
		"sent":          {func(p *payload) { _, _ = io.Copy(io.Discard, &p.bytes) }, true},
		"half sent":     {func(p *payload) { _, _ = p.bytes.ReadByte() }, false},
		"sent again":    {func(p *payload) { _, _ = io.Copy(io.Discard, &p.bytes); p.again() }, false},
		"told of twice": {func(p *payload) { _, _ = io.Copy(io.Discard, &p.bytes); p.sent(httptrace.WroteRequestInfo{}) }, true},
	} {
		buf := []byte("body")
		p := newPayload(&buf)
		x.act(p)
		p.sent(httptrace.WroteRequestInfo{})
		if given := len(buf) == 0; given != x.given { // what is given back is emptied
			t.Errorf("%s: given back: %v", name, given)
		}
	}
}

// A card is shown as it is now, not as it was under the same name.
func TestOffersFollowTheCard(t *testing.T) {
	agent := logistics
	for i, change := range []func(){func() {}, func() { agent.Skills = []string{"new"} }, func() { agent.Description = "new" }, func() { agent.Kind = "tool" }} {
		change()
		if d := cmp.Diff(string(newOffer(agent, "en").line), string(offerOf(&agent, "en").line)); d != "" {
			t.Errorf("%d: %s", i, d)
		}
	}
	for i := range 2 * maxOffers { // they are bounded
		agent.Name = strings.Repeat("x", i%7) + string(rune(0x4e00+i))
		offerOf(&agent, "en")
	}
	if n := len(offers.of); n > maxOffers {
		t.Errorf("%d are kept", n)
	}
}

func TestNoStream(t *testing.T) {
	call := scripted.Call{Name: "search_order_code", Arguments: `{"consumer_name":"王萍萍"}`}
	c, s, waited := client(t, Options{NoStream: true}, scripted.TooMany("1"), scripted.Step{Text: "x", Cut: 10}, scripted.Raw(`garbage`), scripted.Raw(`{"error":{"message":"busy"}}`),
		scripted.Step{Text: "先查", Reasoning: "嗯", Calls: []scripted.Call{call}})
	h := heard{}
	p := prompt(orders)
	p.OnDelta = h.delta
	r := ask(t, c, p)
	if r.Thought != "先查" || r.Reasoning != "嗯" || len(r.Actions) != 1 || r.Attempts != 5 || len(*waited) != 4 || r.Usage.OutputTokens == 0 {
		t.Errorf("reply %+v", r)
	}
	if h["thought"] != "先查" {
		t.Errorf("heard %v", h)
	}
	if q := s.Requests()[0]; q.Stream || strings.Contains(string(q.Body), "stream") || q.Header.Get("Accept") != "application/json" {
		t.Errorf("asked for a stream: %s", q.Body)
	}

	// A server that streams all the same.
	c, _, _ = client(t, Options{NoStream: true, Extra: map[string]any{"stream": true}}, scripted.Text("ok"))
	if r := ask(t, c, prompt()); r.Answer != "ok" {
		t.Errorf("reply %+v", r)
	}
}
