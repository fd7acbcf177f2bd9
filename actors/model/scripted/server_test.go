package scripted_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
)

func post(ctx context.Context, t *testing.T, s *scripted.Server, body string) (*http.Response, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res, string(b), err
}

const (
	whole  = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
	stream = `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`
)

func TestSteps(t *testing.T) {
	call := scripted.Calls(scripted.Call{Name: "x", Arguments: `{"long":"enough to be sent in pieces"}`})
	for name, x := range map[string]struct {
		step   scripted.Step
		body   string
		status int
		has    []string
		hasNot string
		cut    bool
	}{
		"text":           {scripted.Text("hello you"), whole, 200, []string{`"content":"hello you"`, `"finish_reason":"stop"`, `"prompt_tokens":2`}, "data:", false},
		"text streamed":  {scripted.Text("hello you"), stream, 200, []string{`"content":"hello"`, `"content":" you"`, `"finish_reason":"stop"`, "usage", "data: [DONE]"}, "hello you", false},
		"calls":          {call, whole, 200, []string{`"name":"x"`, `"finish_reason":"tool_calls"`}, "data:", false},
		"calls streamed": {call, stream, 200, []string{`"id":"call_0"`, `"index":0`, `"finish_reason":"tool_calls"`}, "enough", false},
		"plain":          {scripted.Step{Text: "a", Plain: true}, stream, 200, []string{`"content":"a"`}, "data:", false},
		"reasoning":      {scripted.Step{Text: "a", Reasoning: "b"}, stream, 200, []string{`"reasoning_content":"b"`}, "nothing", false},
		"429":            {scripted.TooMany("7"), stream, 429, []string{"rate limit"}, "data:", false},
		"500":            {scripted.Refuse(500, "boom"), stream, 500, []string{"boom"}, "data:", false},
		"cut":            {scripted.Cut("hello you all"), stream, 200, []string{"hello"}, " you", true},
		"cut whole":      {scripted.Step{Text: "a", Cut: 9}, whole, 200, nil, "content", true},
		"unfinished":     {scripted.Unfinished("hello"), stream, 200, []string{"hello"}, `"finish_reason":"`, false},
		"empty":          {scripted.Empty(), stream, 200, []string{`"finish_reason":"stop"`, "[DONE]"}, "hello", false},
		"raw":            {scripted.Raw("anything"), stream, 200, []string{"data: anything\n\n"}, "[DONE]", false},
		"raw whole":      {scripted.Raw("anything"), whole, 200, []string{"anything"}, "data:", false},
		"comments":       {scripted.Step{Comments: 3}, stream, 200, []string{": keep-alive"}, "hello", false},
		"no usage":       {scripted.Step{Text: "a", NoUsage: true}, stream, 200, []string{"[DONE]"}, "usage", false},
		"not JSON":       {scripted.Text("a"), "{", 400, []string{"body:"}, "content", false},
		"wrong type":     {scripted.Text("a"), `{"messages":[{"content":5}]}`, 400, []string{"body:"}, "stop", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := scripted.New(t, x.step)
			res, body, err := post(t.Context(), t, s, x.body)
			if (err != nil) != x.cut {
				t.Fatalf("error %v", err)
			}
			if err == nil && res.StatusCode != x.status {
				t.Errorf("status %d", res.StatusCode)
			}
			for _, want := range x.has {
				if !strings.Contains(body, want) {
					t.Errorf("lacks %q:\n%s", want, body)
				}
			}
			if strings.Contains(body, x.hasNot) {
				t.Errorf("has %q:\n%s", x.hasNot, body)
			}
			if name == "429" && res.Header.Get("Retry-After") != "7" {
				t.Error("no Retry-After")
			}
		})
	}
}

func TestScriptEnds(t *testing.T) {
	s := scripted.New(t, scripted.Text("one"))
	s.Add(scripted.React(func(r scripted.Request) scripted.Step { return scripted.Text(fmt.Sprint("n", r.N, r.Last("user"))) }))
	for i, want := range []string{"one", "n1hi", "n2hi"} { // a reaction stays
		if _, body, err := post(t.Context(), t, s, whole); err != nil || !strings.Contains(body, want) {
			t.Errorf("%d: %s %v", i, body, err)
		}
	}
	s = scripted.New(nil)
	defer s.Close()
	if res, body, err := post(t.Context(), t, s, whole); err != nil || res.StatusCode != 400 || !strings.Contains(body, "no step for request 1") {
		t.Errorf("%s %v", body, err)
	}
}

func TestHangEndsWithTheClientOrTheServer(t *testing.T) {
	s := scripted.New(t, scripted.Hang(), scripted.Step{Delay: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() { _, _, err := post(ctx, t, s, whole); ended <- err }()
	if err := s.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	go func() { _, _, err := post(t.Context(), t, s, whole); ended <- err }()
	if err := s.Wait(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := <-ended; err == nil {
		t.Error("a closed server has answered")
	}
	if err := s.Wait(ctx, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for what does not come: %v", err)
	}
}

func TestEachStepOnce(t *testing.T) {
	const n = 100
	var steps []scripted.Step
	for i := range n {
		steps = append(steps, scripted.Text(fmt.Sprintf("<%d>", i)))
	}
	s := scripted.New(t, steps...)
	var wg sync.WaitGroup
	var mu sync.Mutex
	got := map[string]int{}
	for range n {
		wg.Go(func() {
			_, body, err := post(t.Context(), t, s, whole)
			if err != nil {
				t.Error(err)
				return
			}
			var in struct {
				Choices []struct{ Message struct{ Content string } }
			}
			if err := json.Unmarshal([]byte(body), &in); err != nil || len(in.Choices) != 1 {
				t.Errorf("%s: %v", body, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			got[in.Choices[0].Message.Content]++
		})
	}
	wg.Wait()
	if len(got) != n || len(s.Requests()) != n {
		t.Errorf("%d answers, %d requests", len(got), len(s.Requests()))
	}
}

func TestRequestIsKept(t *testing.T) {
	s := scripted.New(t, scripted.Text("ok"))
	_, _, err := post(t.Context(), t, s, `{"model":"m","temperature":0,"tools":[{"function":{"name":"x","parameters":{"type":"object"}}}],"messages":[
		{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:,"}}]},
		{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"x","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"3"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	r := s.Requests()[0]
	if r.Temperature == nil || *r.Temperature != 0 || !r.Offers("x") || r.Offers("y") || r.Last("tool") != "3" || r.Last("system") != "" ||
		r.Messages[0].Images[0] != "data:," || r.Messages[1].Calls[0].Name != "x" || r.Messages[2].ToolCallID != "a" {
		t.Errorf("%+v", r)
	}
}

func TestEmbeddings(t *testing.T) {
	s := scripted.New(t)
	for body, status := range map[string]int{`{"input":"one"}`: 200, `{"input":["a","b"]}`: 200, `{"input":5}`: 400, `{`: 400} {
		res, err := http.Post(s.URL+"/embeddings", "application/json", bytes.NewReader([]byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != status {
			t.Errorf("%s: %d", body, res.StatusCode)
		}
	}
	res, err := http.Get(s.URL + "/models")
	if err != nil || res.StatusCode != 200 {
		t.Errorf("models: %v", err)
	}
	_ = res.Body.Close()
}

func ExampleNew() {
	s := scripted.New(nil, scripted.Text("three orders"))
	defer s.Close()
	res, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"how many?"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer res.Body.Close()
	var answer struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Choices[0].Message.Content, "/", s.Requests()[0].Last("user"))
	// Output: three orders / how many?
}
