package model

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/hmap-project/hmap/actors/mask"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

// secrets are values that no request may hold.
var secrets = []string{"13812345678", "11010519491231002X", "4111111111111111", "ann@example.com", "王萍萍", "中关村大街1号"}

func rules(t *testing.T) *mask.Rules {
	t.Helper()
	r, err := mask.New(mask.Options{Kinds: mask.Kinds, Names: []string{"王萍萍"}, Addresses: []string{"中关村大街1号"}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// leaks are the secrets in a text.
func leaks(text string) (out []string) {
	for _, s := range secrets {
		if strings.Contains(text, s) {
			out = append(out, s)
		}
	}
	return out
}

// personal is a prompt with a secret in every place that a text can stand in.
func personal() Prompt {
	return Prompt{
		System: "You help ann@example.com.",
		Messages: []Message{
			{Role: "user", Text: "Where is the parcel of 王萍萍, 13812345678?"},
			{Role: "assistant", Text: "I ask for 王萍萍.", Actions: []Called{{ID: "c1", ToolName: "find", Arguments: json.RawMessage(`{"phone":13812345678,"card":"4111111111111111"}`)}}},
			{Role: "tool", CallID: "c1", Name: "find", Text: `{"id":"11010519491231002X","phone":13812345678,"lives":"中关村大街1号"}`},
			{Role: "user", Text: "Write to her.", Images: []string{"data:image/png;base64,AAAA"}},
		},
		Tools: []bus.Card{{Name: "find", Kind: "tool", Description: "finds people", Parameters: json.RawMessage(
			`{"type":"object","properties":{"phone":{"type":"integer","examples":["13812345678"]},"card":{"type":"string"},"to":{"type":"string"}}}`)}},
	}
}

// Nothing that is masked leaves, in either strategy, streamed or not, also when the answer goes back to be corrected; what comes back, and
// what is told while it is written, has the values in it.
func TestMaskedExchange(t *testing.T) {
	for _, strategy := range []Strategy{FunctionCall, StructParse} {
		for _, whole := range []bool{false, true} {
			name := string(strategy)
			if whole {
				name += ", whole"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var mu sync.Mutex
				heard := map[string]string{}
				answers := 0
				step := scripted.React(func(r scripted.Request) scripted.Step {
					mu.Lock()
					answers++
					n := answers
					mu.Unlock()
					mark := func(label string) string { // as the model was shown it
						i := strings.Index(string(r.Body), `<`+label+`-1>`)
						if i < 0 {
							t.Errorf("no <%s-1> in %s", label, r.Body)
							return "?"
						}
						return string(r.Body[i : i+len(label)+4])
					}
					args := `{"phone":"` + mark("mobile") + `","to":"\u003cemail-1\u003e, ` + mark("name") + ` <mobile-77>","card":"` + mark("bank-card") + `"}`
					switch {
					case strategy == StructParse && n == 1: // unreadable, and full of what it was shown
						return scripted.Text(`{"thought":"call <mobile-1>","action_code":[{"tool_name":`)
					case strategy == StructParse:
						return scripted.Text(`{"thought":"I write to <name-1> at <mobile-1>.","action_code":[{"tool_name":"find","parameter":` + args + `}]}`)
					}
					return scripted.Step{Reasoning: "<name-1> is <id-card-1>", Text: "I write to <name-1> at <mobile-1>.", Calls: []scripted.Call{{Name: "find", Arguments: args}}}
				})
				c, s, _ := client(t, Options{Strategy: strategy, NoStream: whole, Mask: rules(t)}, step)
				p := personal()
				p.OnDelta = func(channel, text string) {
					mu.Lock()
					defer mu.Unlock()
					if heard[channel] += text; text == "" {
						heard[channel] = ""
					}
				}
				r := ask(t, c, p)
				if want := "I write to 王萍萍 at 13812345678."; r.Thought != want || heard["thought"] != want {
					t.Errorf("thought %q, heard %q", r.Thought, heard["thought"])
				}
				if strategy == FunctionCall && (r.Reasoning != "王萍萍 is 11010519491231002X" || heard["reasoning"] != r.Reasoning) {
					t.Errorf("reasoning %q, heard %q", r.Reasoning, heard["reasoning"])
				}
				var got struct {
					Phone    int
					To, Card string
				}
				if len(r.Actions) != 1 || json.Unmarshal(r.Actions[0].Parameter, &got) != nil || got.Phone != 13812345678 ||
					got.To != "ann@example.com, 王萍萍 <mobile-77>" || got.Card != "4111111111111111" {
					t.Errorf("actions %+v", r.Actions)
				}
				for _, q := range s.Requests() {
					if l := leaks(string(q.Body)); len(l) > 0 {
						t.Errorf("request %d has %v: %s", q.N, l, q.Body)
					}
					if !json.Valid(q.Body) || strings.Count(q.Messages[0].Text, "Marks such as") != 1 {
						t.Errorf("request %d: %s", q.N, q.Body)
					}
					for _, m := range q.Messages {
						for _, call := range m.Calls {
							if !json.Valid([]byte(call.Arguments)) {
								t.Errorf("arguments that are no JSON: %s", call.Arguments)
							}
						}
					}
				}
			})
		}
	}
}

// An object that was asked for comes back with the values, and holds the schema.
func TestMaskedObject(t *testing.T) {
	c, s, _ := client(t, Options{Mask: rules(t)}, scripted.Text(`{"phone":"<mobile-1>"}`))
	p := Prompt{Schema: json.RawMessage(`{"type":"object","required":["phone"],"properties":{"phone":{"enum":["13812345678"]}}}`), Messages: []Message{{Role: "user", Text: "call 13812345678"}}}
	if r := ask(t, c, p); string(r.JSON) != `{"phone":"13812345678"}` {
		t.Errorf("%s", r.JSON)
	}
	if l := leaks(string(s.Requests()[0].Body)); len(l) > 0 {
		t.Error(l)
	}
}

// A prompt with nothing personal in it goes out as it is.
func TestMaskedNothing(t *testing.T) {
	plain, one, _ := client(t, Options{}, scripted.Text("ok"))
	masked, two, _ := client(t, Options{Mask: rules(t)}, scripted.Text("<mobile-1> ok"))
	p := Prompt{System: "You count orders.", Messages: []Message{{Role: "user", Text: "What does <mobile-1> mean in order 281063663568?"}}, Tools: []bus.Card{orders}}
	ask(t, plain, p)
	if r := ask(t, masked, p); r.Answer != "<mobile-1> ok" {
		t.Error(r.Answer)
	}
	if a, b := one.Requests()[0].Body, two.Requests()[0].Body; string(a) != string(b) {
		t.Errorf("%s\nis not\n%s", b, a)
	}
}

func TestMaskedVectors(t *testing.T) {
	var sent string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		sent = string(b)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"data":[{"index":0,"embedding":[1,0]}]}`)
	}))
	t.Cleanup(s.Close)
	c, err := New(Options{BaseURL: s.URL, Model: "m", Mask: rules(t)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Embed(t.Context(), []string{"the parcel of 王萍萍, 13812345678"}); err != nil {
		t.Fatal(err)
	}
	if l := leaks(sent); len(l) > 0 || !strings.Contains(sent, "parcel of") {
		t.Errorf("%v in %s", l, sent)
	}
}
