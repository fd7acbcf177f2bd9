package model

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

// Every way to fail that may pass is followed by one good answer, which must come through.
func TestFailuresThatPass(t *testing.T) {
	good := scripted.Text("3 单")
	for name, bad := range map[string]scripted.Step{
		"429":            scripted.TooMany("2"),
		"500":            scripted.Refuse(500, "boom"),
		"529 html":       {Status: 529, Message: "<html>"},
		"hang":           scripted.Hang(),
		"hang in answer": {Text: "3", HangAfter: true, Unfinished: true},
		"cut":            scripted.Cut("a long enough answer"),
		"cut whole":      {Text: "answer", Plain: true, Cut: 10},
		"unfinished":     scripted.Unfinished("3 "),
		"empty":          scripted.Empty(),
		"blank":          scripted.Text(" \n "),
		"only thinking":  scripted.Text("<think>hm"),
		"endless":        scripted.Endless("ha "),
		"endless call":   scripted.Raw(append([]string{`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"q\":\""}}]}}]}`}, repeated(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"la la la la la la la la la la la la la la "}}]}}]}`, 200)...)...),
		"at the limit":   {Text: "3 单 al", Finish: "length"},
		"error in stream": scripted.Raw(`{"choices":[{"delta":{"content":"3"}}]}`,
			`{"error":{"message":"overloaded","code":529}}`),
		"error with null first": scripted.Raw(`{"error":null,"choices":[{"delta":{"content":"3"}}]}`, `{"error":"busy"}`),
		"vllm error":            scripted.Raw(`{"object":"error","message":"engine dead","code":500}`),
		"garbage":               scripted.Raw(`not json`),
		"finish error":          {Text: "3", Finish: "error"},
		"cut arguments":         {Calls: []scripted.Call{{Name: "search_order_code", Arguments: `{"order_id":"1234`}}},
		"hopeless arguments":    {Calls: []scripted.Call{{Name: "search_order_code", Arguments: `5`}}},
		"nameless call":         {Calls: []scripted.Call{{Arguments: `{}`}}},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{}
			if strings.HasPrefix(name, "hang") {
				o.Idle = 50 * time.Millisecond
			}
			c, s, waited := client(t, o, bad, good)
			r := ask(t, c, prompt(orders))
			if r.Answer != "3 单" || r.Attempts != 2 || len(s.Requests()) != 2 || len(*waited) != 1 {
				t.Errorf("reply %+v, %d requests, waited %v", r, len(s.Requests()), *waited)
			}
			if name == "429" && ((*waited)[0] < 2*time.Second || (*waited)[0] > 3*time.Second) {
				t.Errorf("waited %v of 2 s", *waited)
			}
		})
	}
}

func repeated(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func TestFailuresForGood(t *testing.T) {
	for name, x := range map[string]struct {
		step     scripted.Step
		key      string
		want     string
		attempts int
	}{
		"400":                 {scripted.Refuse(400, "bad field"), "", "bad field", 1},
		"401":                 {scripted.Refuse(401, "wrong key sk-secret"), "sk-secret", "check the key in HMAP_KEY (wrong key ***)", 1},
		"401 no key":          {scripted.Refuse(401, "no"), "", "set it in HMAP_KEY", 1},
		"403":                 {scripted.Refuse(403, "no"), "k", "may not use this model", 1},
		"404":                 {scripted.Refuse(404, "no"), "", `no model "m"`, 1},
		"402":                 {scripted.Refuse(402, "pay"), "", "out of credit", 1},
		"long":                {scripted.Refuse(400, "This model's maximum context length is 8192 tokens"), "", "longer than the model's window", 1},
		"long, in the stream": {scripted.Raw(`{"error":{"message":"prompt is too long","code":"x"}}`), "", "longer than the model's window", 1},
		"long, of vllm":       {scripted.Raw(`{"object":"error","message":"maximum context length is 5","code":400}`), "", "longer than the model's window", 1},
		"filter":              {scripted.Step{Text: "x", Finish: "content_filter"}, "", "content filter", 1},
		"late":                {scripted.TooMany("3600"), "", "overloaded", 1},
		"always 500":          {scripted.React(func(scripted.Request) scripted.Step { return scripted.Refuse(500, "boom") }), "", "status 500 (boom) (5 tries)", 5},
		"always empty":        {scripted.React(func(scripted.Request) scripted.Step { return scripted.Empty() }), "", "empty", 2},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := client(t, Options{Key: x.key, KeyName: "HMAP_KEY"}, x.step)
			r, err := c.Ask(t.Context(), prompt())
			var be *bus.Error
			if !errors.As(err, &be) || be.Code != bus.CodeModel || !strings.Contains(be.Message, x.want) {
				t.Fatalf("error %v, want %q", err, x.want)
			}
			if r.Attempts != x.attempts || r.Answer != "" {
				t.Errorf("reply %+v", r)
			}
			if x.key != "" && strings.Contains(err.Error(), "sk-secret") {
				t.Errorf("the key is told: %v", err)
			}
			if name != "filter" && !strings.Contains(name, ",") && name != "always empty" && r.Usage != (bus.Usage{}) {
				t.Errorf("a refused request costs %+v", r.Usage)
			}
			if errors.Is(err, ErrTooLong) != strings.HasPrefix(name, "long") {
				t.Errorf("ErrTooLong in %v", err)
			}
			if wants := name == "late" || name == "always 500"; be.Retryable != wants {
				t.Errorf("retryable %v", be.Retryable)
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	c, s, waited := client(t, Options{Retries: 2})
	s.Close()
	_, err := c.Ask(t.Context(), prompt())
	if err == nil || !strings.Contains(err.Error(), "nobody answers at") || len(*waited) != 2 {
		t.Errorf("%v after %v", err, *waited)
	}
	if err := c.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "nobody answers at") {
		t.Errorf("probe: %v", err)
	}
}

func TestFallbacks(t *testing.T) {
	c, s, _ := client(t, Options{Model: "a", Fallbacks: []string{"b", "c"}, Retries: -1}, scripted.React(func(r scripted.Request) scripted.Step {
		switch r.Model {
		case "a":
			return scripted.Refuse(503, "full")
		case "b":
			return scripted.Refuse(404, "gone")
		}
		return scripted.Text("from " + r.Model)
	}))
	if r := ask(t, c, prompt()); r.Answer != "from c" || r.Model != "c" || r.Attempts != 3 {
		t.Errorf("reply %+v", r)
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("%d requests", n)
	}

	c, s, _ = client(t, Options{Model: "a", Fallbacks: []string{"b"}}, scripted.Refuse(401, "no"))
	if _, err := c.Ask(t.Context(), prompt()); err == nil || len(s.Requests()) != 1 {
		t.Errorf("a refused key is refused for every model: %v, %d requests", err, len(s.Requests()))
	}

	c, _, _ = client(t, Options{Model: "a", Fallbacks: []string{"b"}}, scripted.Refuse(404, "x"), scripted.Refuse(400, "y"))
	_, err := c.Ask(t.Context(), prompt())
	if err == nil || !strings.Contains(err.Error(), `no model "a"`) || !strings.Contains(err.Error(), "; b: ") {
		t.Errorf("the error tells of both: %v", err)
	}
}
