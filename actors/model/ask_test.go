package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

var orders = bus.Card{Name: "search_order_code", Kind: "tool", Description: "finds orders", Parameters: json.RawMessage(
	`{"type":"object","properties":{"consumer_name":{"type":"string","x-needs":"customer"},"search_keys":{"type":"string"},"limit":{"type":"integer"},"x-ray":{"type":"string"}}}`)}

var logistics = bus.Card{Name: "logistics", Kind: "agent", Description: "tracks parcels", Skills: []string{"where is it"}}

// client asks a script. Waiting costs nothing; waited tells how long it would have been.
func client(t *testing.T, o Options, steps ...scripted.Step) (*Client, *scripted.Server, *[]time.Duration) {
	t.Helper()
	s := scripted.New(t, steps...)
	o.BaseURL = s.URL
	if o.Model == "" {
		o.Model = "m"
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var waited []time.Duration
	c.pause = func(ctx context.Context, d time.Duration) error {
		waited = append(waited, d)
		return ctx.Err()
	}
	return c, s, &waited
}

func prompt(cards ...bus.Card) Prompt {
	return Prompt{System: "You are a seller's assistant.", Messages: []Message{{Role: "user", Text: "我有多少订单是王萍萍买的?"}}, Tools: cards}
}

func ask(t *testing.T, c *Client, p Prompt) Reply {
	t.Helper()
	r, err := c.Ask(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFunctionCall(t *testing.T) {
	c, s, _ := client(t, Options{PriceIn: 1e6, PriceOut: 2e6}, scripted.Step{Text: "先查订单", Reasoning: "嗯", Calls: []scripted.Call{
		{Name: "search_order_code", Arguments: `{"consumer_name":["王萍萍"],"search_keys":"订单","limit":"5"}`},
		{Name: "logistics", Arguments: `{"job_desc":"track it"}`}}})
	r := ask(t, c, prompt(orders, logistics))
	if r.Thought != "先查订单" || r.Reasoning != "嗯" || r.Answer != "" || len(r.Actions) != 2 || r.Attempts != 1 || r.Model != "m" {
		t.Fatalf("reply %+v", r)
	}
	a, b := r.Actions[0], r.Actions[1]
	if a.ID != "t1" || b.ID != "t2" || a.ToolName != "search_order_code" || b.JobDesc != "track it" || b.Parameter != nil {
		t.Errorf("actions %+v %+v", a, b)
	}
	if got := string(a.Parameter); got != `{"consumer_name":"王萍萍","limit":5,"search_keys":"订单"}` {
		t.Errorf("parameter %s", got)
	}
	in, out := float64(r.Usage.InputTokens), float64(r.Usage.OutputTokens)
	if in == 0 || out == 0 || r.Usage.Money != in+2*out {
		t.Errorf("usage %+v", r.Usage)
	}
	q := s.Requests()[0]
	for _, name := range []string{"search_order_code", "logistics", AskUser, Finish} {
		if !q.Offers(name) {
			t.Errorf("%s is not offered", name)
		}
	}
	if p := string(q.Tools[0].Parameters); strings.Contains(p, "x-needs") || !strings.Contains(p, "x-ray") {
		t.Errorf("keywords for the planner, not names, are taken out: %s", p)
	}
	if p := string(q.Tools[1].Parameters); !strings.Contains(p, `"required":["job_desc"]`) {
		t.Errorf("agent's parameters: %s", p)
	}
	if q.Temperature != nil {
		t.Errorf("temperature %v was sent unasked", *q.Temperature)
	}
}

func TestBodyFields(t *testing.T) {
	zero := float32(0)
	c, s, _ := client(t, Options{Temperature: &zero, Extra: map[string]any{"top_k": 3, "stream_options": nil}, MaxTokens: 77}, scripted.Text("ok"))
	ask(t, c, prompt())
	var body map[string]any
	if err := json.Unmarshal(s.Requests()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if v, ok := body["temperature"]; !ok || v != 0.0 {
		t.Errorf("temperature %v %v", v, ok)
	}
	if _, ok := body["stream_options"]; ok || body["top_k"] != 3.0 || body["max_tokens"] != 77.0 {
		t.Errorf("body %v", body)
	}

	c, s, _ = client(t, Options{Temperature: &zero, Model: "gpt-5-mini"}, scripted.Text("ok"))
	ask(t, c, prompt())
	if q := s.Requests()[0]; q.Temperature != nil || !strings.Contains(string(q.Body), `"max_completion_tokens":16384`) {
		t.Errorf("reasoning model got %s", q.Body)
	}
}

func TestContextEnds(t *testing.T) {
	c, s, _ := client(t, Options{}, scripted.Hang())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := c.Ask(ctx, prompt()); done <- err }()
	if err := s.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}

	// A wait beyond the deadline is not begun.
	c, _, waited := client(t, Options{}, scripted.TooMany("30"))
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := c.Ask(ctx, prompt()); err == nil || len(*waited) != 0 {
		t.Errorf("%v, waited %v", err, *waited)
	}
}

func TestTimeout(t *testing.T) {
	drip := scripted.Step{Comments: 1, Text: "x", HangAfter: true, Unfinished: true}
	c, _, _ := client(t, Options{Timeout: 50 * time.Millisecond, Retries: -1}, drip)
	if _, err := c.Ask(t.Context(), prompt()); err == nil || !strings.Contains(err.Error(), "no whole answer within 50ms") {
		t.Errorf("%v", err)
	}
}

// Silence after the whole answer costs the token counts, not the answer.
func TestSilenceAfterTheEnd(t *testing.T) {
	c, _, _ := client(t, Options{}, scripted.Step{Text: "ok", NoUsage: true, HangAfter: true})
	c.grace = 20 * time.Millisecond
	if r := ask(t, c, prompt()); r.Answer != "ok" || r.Attempts != 1 || r.Usage.OutputTokens != 1 {
		t.Errorf("reply %+v", r)
	}
}

// After [DONE] there is nothing to wait for.
func TestSilenceAfterDone(t *testing.T) {
	c, _, _ := client(t, Options{}, scripted.Step{Raw: []string{`{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`, "[DONE]"}, HangAfter: true})
	c.grace = time.Hour
	if r := ask(t, c, prompt()); r.Answer != "ok" || r.Attempts != 1 || r.Millis > 30_000 {
		t.Errorf("reply %+v", r)
	}
}

// A new connection for each question would cost a TLS handshake each.
func TestConnectionIsUsedAgain(t *testing.T) {
	var fresh atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		defer func() { _ = http.NewResponseController(w).Flush() }() // the end of the body comes in a piece of its own
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			fresh.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	c, err := New(Options{BaseURL: s.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		ask(t, c, prompt())
	}
	if n := fresh.Load(); n != 1 {
		t.Errorf("%d connections for 5 questions", n)
	}
}

func TestSilence(t *testing.T) {
	c, _, _ := client(t, Options{Idle: 50 * time.Millisecond, Retries: -1}, scripted.Hang())
	if _, err := c.Ask(t.Context(), prompt()); err == nil || !strings.Contains(err.Error(), "nothing came for 50ms") {
		t.Errorf("%v", err)
	}
}

func TestBackoffGrowsWithJitter(t *testing.T) {
	c, _, waited := client(t, Options{Backoff: time.Second, Retries: 8}, scripted.React(func(scripted.Request) scripted.Step { return scripted.Refuse(500, "") }))
	_, _ = c.Ask(t.Context(), prompt())
	if len(*waited) != 8 {
		t.Fatalf("waited %v", *waited)
	}
	for i, d := range *waited {
		if most := min(time.Second<<i, maxBackoff); d < 0 || d > most {
			t.Errorf("wait %d: %v, at most %v", i, d, most)
		}
	}
}

func TestUsageOverTries(t *testing.T) {
	spoiled := scripted.Step{Text: "ab", Finish: "length"}
	c, _, _ := client(t, Options{}, spoiled, scripted.Text("abc"))
	if r := ask(t, c, prompt()); r.Usage.OutputTokens != 5 {
		t.Errorf("the failed try was paid for too: %+v", r.Usage)
	}
	c, _, _ = client(t, Options{}, scripted.Step{Text: "one two three", NoUsage: true})
	if r := ask(t, c, prompt()); r.Usage.OutputTokens != 3 || r.Usage.InputTokens < 10 {
		t.Errorf("estimated usage %+v", r.Usage)
	}
	for _, lie := range []string{`"prompt_tokens":-5,"completion_tokens":100`, `"prompt_tokens":1e300,"completion_tokens":1`, `"prompt_tokens":9000000000,"completion_tokens":1`} {
		c, _, _ = client(t, Options{}, scripted.Raw(`{"choices":[{"index":0,"delta":{"content":"one two three"},"finish_reason":"stop"}],"usage":{`+lie+`}}`))
		if r := ask(t, c, prompt()); r.Usage.OutputTokens != 3 || r.Usage.InputTokens < 10 || r.Usage.InputTokens > 1000 {
			t.Errorf("%s is counted as %+v", lie, r.Usage)
		}
	}
}

func TestKeyIsNeverPrinted(t *testing.T) {
	c, s, _ := client(t, Options{Key: "sk-secret"}, scripted.Text("ok"))
	ask(t, c, prompt())
	if got := s.Requests()[0].Header.Get("Authorization"); got != "Bearer sk-secret" {
		t.Errorf("header %q", got)
	}
	b, err := json.Marshal(c.o)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v %s", c, c, c), fmt.Sprintf("%+v %#v", c.o, c.o), string(b)} {
		if strings.Contains(text, "sk-secret") {
			t.Errorf("the key is told: %s", text)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	c, _, _ := client(t, Options{}, scripted.React(func(r scripted.Request) scripted.Step { return scripted.Text("re: " + r.Last("user")) }))
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			q := fmt.Sprint("question ", i)
			r, err := c.Ask(t.Context(), Prompt{Messages: []Message{{Role: "user", Text: q}}})
			if err != nil || r.Answer != "re: "+q {
				t.Errorf("%+v %v", r, err)
			}
		})
	}
	wg.Wait()
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []Options{{}, {BaseURL: "nonsense", Model: "m"}, {BaseURL: "http://h/v1"}, {BaseURL: "http://u:p@h/v1", Model: "m"},
		{BaseURL: "http://h/v1", Model: "m", Strategy: "guess"}, {BaseURL: "http://h/v1", Model: "m", Extra: map[string]any{"f": func() {}}}} {
		if c, err := New(o); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
}
