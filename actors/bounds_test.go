package actors

import (
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// An error of a foreign tool that no record can hold is a failed result, and the tool is not called for it again and again.
func TestHugeErrorOfAForeignTool(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	var calls atomic.Int32
	card := bus.Card{Name: "big", Kind: "tool", Description: "big errors", Effect: bus.Read, Tags: []string{"clerk"}, Parameters: json.RawMessage(`{"type":"object"}`)}
	s, err := connect(t, server, "foreign").Serve(card, func(in *bus.Incoming) {
		calls.Add(1)
		// Just small enough to be sent, and too large with what a record adds to it.
		if err := in.Respond(bus.Response{Status: bus.Failed, Error: &bus.Error{Code: bus.CodeInternal, Message: strings.Repeat("x", 1_044_250)}}); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	h := open(t, setup{server: server, model: scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "x")), {Text: "end"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "big", Arguments: `{}`}), {Text: "it failed"}},
	}))})
	w := h.submit(bus.Submission{Query: "x", Budget: &bus.Budget{Seconds: 20}})
	if r := h.response(w); r.Status != bus.OK || calls.Load() != 1 {
		t.Errorf("the tool was called %d times; %s", calls.Load(), brief(r))
	}
	r := h.until(w, "result of the tool", func(r bus.Record) bool { return r.Kind == bus.KindResult && r.Agent == "clerk" })
	if r.Status != bus.Failed || r.Error == nil || !strings.Contains(r.Error.Message, "too large") {
		t.Error(brief(r))
	}
	if n := h.claims(w); len(n) > 0 {
		t.Errorf("claims by call: %v", n)
	}
}

// Two tasks of one session that nobody can go on with are two dead letters.
func TestTwoPoisonedTasksAreTwoDeadLetters(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	for _, task := range []string{"t1", "t2"} {
		s := &round.State{}
		r := &bus.Record{Kind: bus.KindRequest, Session: "s", Task: task, Call: task, Agent: "master", Attempt: 1,
			Request: &bus.Request{HMAP: bus.Version, Session: "s", Task: task, Call: task, JobDesc: "job " + task}}
		if err := h.team.write(t.Context(), s, r); err != nil {
			t.Fatal(err)
		}
		if err := h.team.poison(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if r := h.response(bus.Where{Session: "s", Task: task}); r.Error == nil || r.Error.Code != bus.CodePoison {
			t.Error(brief(r))
		}
	}
	dead, err := h.bus.DeadLetters(t.Context())
	if err != nil || len(dead) != 2 {
		t.Errorf("%d dead letters: %+v %v", len(dead), dead, err)
	}
}

// Whoever gives a task up while an executor of it comes back, or another gives it up, leaves a dead letter only if the task ended as poison.
func TestGivenUpTooSoon(t *testing.T) {
	for name, others := range map[string]func(*round.State, *bus.Record){
		"goes on":     func(_ *round.State, r *bus.Record) { r.Kind, r.Attempt = bus.KindClaim, 2 },
		"ends well":   func(_ *round.State, r *bus.Record) { r.Kind, r.Status = bus.KindResponse, bus.OK },
		"gives it up": func(s *round.State, r *bus.Record) { *r = *s.Broken(&bus.Error{Code: bus.CodePoison}, round.Terms{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, setup{})
			r := bus.Record{Kind: bus.KindRequest, Session: "s", Task: "t", Call: "t", Agent: "master", Attempt: 1,
				Request: &bus.Request{HMAP: bus.Version, Session: "s", Task: "t", Call: "t", JobDesc: "job"}}
			s := &round.State{}
			if err := h.team.write(t.Context(), s, &r); err != nil {
				t.Fatal(err)
			}
			next := bus.Record{Session: "s", Task: "t", Call: "t", Agent: "master"}
			others(s, &next)
			if _, err := h.bus.Append(t.Context(), &next, s.Last); err != nil {
				t.Fatal(err)
			}
			if err := h.team.poison(t.Context(), s); !errors.Is(err, bus.ErrFenced) {
				t.Fatal(err)
			}
			dead, err := h.bus.DeadLetters(t.Context())
			if err != nil || len(dead) > 0 != (name == "gives it up") {
				t.Errorf("%+v %v", dead, err)
			}
		})
	}
}

// A task that an executor says something of, and gets no further with, is given up in the second attempt, and has its dead letter then.
func TestGivenUpInTheSecondAttempt(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	s := &round.State{}
	for n := range maxAttempts + 1 {
		r := bus.Record{Kind: bus.KindClaim, Session: "s", Task: "t", Call: "t", Agent: "master", Attempt: n + 1}
		if n == 0 {
			r.Kind, r.Request = bus.KindRequest, &bus.Request{HMAP: bus.Version, Session: "s", Task: "t", Call: "t", JobDesc: "job"}
		}
		if err := h.team.write(t.Context(), s, &r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.bus.Append(t.Context(), &bus.Record{Kind: bus.KindIntent, Session: "s", Task: "t", Call: "t", Agent: "master", Child: "c"}, s.Last); err != nil {
		t.Fatal(err)
	}
	if err := h.team.poison(t.Context(), s); !errors.Is(err, bus.ErrFenced) {
		t.Fatal(err)
	}
	if _, at, err := h.team.own(t.Context(), callKey{session: "s", task: "t", call: "t"}, nil, nil); err != nil || at != ended {
		t.Fatal(at, err)
	}
	if dead, err := h.bus.DeadLetters(t.Context()); err != nil || len(dead) != 1 {
		t.Errorf("%+v %v", dead, err)
	}
}

// An unsafe tool that says busy to the end was never begun: nobody is asked whether it may have been carried out.
func TestBusyToTheDeadlineIsNoDoubt(t *testing.T) {
	t.Parallel()
	h := open(t, setup{toolless: true, model: scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "post it")), {Text: "ok"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "post", Arguments: `{"to":"bob"}`}), {Text: "it did not work"}},
	}))})
	_, err := h.bus.Serve(bus.Card{Name: "post", Kind: "tool", Description: "post a text, unsafe, without asking", Effect: bus.Unsafe, Timeout: 1500 * time.Millisecond,
		Parameters: []byte(`{"type":"object","properties":{"to":{"type":"string"}}}`)}, func(in *bus.Incoming) {
		if err := in.Respond(bus.Response{Status: bus.Failed, Error: &bus.Error{Code: bus.CodeBusy, Message: "try later", Retryable: true}}); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	w := h.submit(bus.Submission{Query: "post it"})
	r := h.until(w, "a result of post, or a question", func(r bus.Record) bool {
		return r.Kind == bus.KindAsk || r.Kind == bus.KindResult && r.ToolName == "post"
	})
	if r.Kind == bus.KindAsk {
		t.Errorf("asked: %s", r.Ask.Question)
	}
}
