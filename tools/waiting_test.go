package tools

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

func TestBoundedAtOnce(t *testing.T) {
	w := newWorld(t, Options{AtOnce: 2, Waiting: 1})
	var now, most atomic.Int32
	started, release := make(chan string, 10), make(chan struct{})
	w.add(bus.Card{Name: "gate", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
		n := now.Add(1)
		defer now.Add(-1)
		if n > most.Load() {
			most.Store(n)
		}
		started <- call.Request.Call
		<-release
		return nil, nil
	})
	var answers []<-chan bus.Response
	for i := range 2 {
		answers = append(answers, w.later(t.Context(), bus.Request{Call: fmt.Sprintf("c%d", i), ToolName: "gate"}))
		await(t, "start", started)
	}
	// Of two more, one finds the last place in the line and one none.
	a := w.later(t.Context(), bus.Request{Call: "c2", ToolName: "gate"})
	b := w.later(t.Context(), bus.Request{Call: "c3", ToolName: "gate"})
	var refused bus.Response
	select {
	case refused = <-a:
		answers = append(answers, b)
	case refused = <-b:
		answers = append(answers, a)
	case <-time.After(patience):
		t.Fatal("nobody was refused")
	}
	wantCode(t, refused, bus.Failed, bus.CodeBusy)
	if !refused.Error.Retryable {
		t.Error("busy passes, so it must be retryable")
	}
	close(release)
	for _, answer := range answers {
		if got := await(t, "answer", answer); got.Status != bus.OK || string(got.Observation) != "null" {
			t.Errorf("%+v", got)
		}
	}
	if most.Load() != 2 {
		t.Errorf("%d ran at once, want 2", most.Load())
	}
}

// Who waits in the line is answered when the time is up or the tool stops, although no slot ever came free.
func TestWaitingEnds(t *testing.T) {
	w := newWorld(t, Options{AtOnce: 1, Waiting: 1, Grace: patience})
	started, release := make(chan struct{}), make(chan struct{})
	w.add(bus.Card{Name: "gate", Effect: bus.Unsafe}, func(ctx context.Context, call *Call) (any, error) {
		close(started)
		<-release
		return "done", nil
	})
	running := w.later(t.Context(), bus.Request{Call: "c1", ToolName: "gate"})
	await(t, "start", started)
	wantCode(t, w.told(bus.Request{Call: "c2", ToolName: "gate", Deadline: time.Now().Add(time.Second)}), bus.Failed, bus.CodeBusy) // long enough to be asked at all

	// Two ask for the one place in the line: who is not refused has it.
	a := w.later(t.Context(), bus.Request{Call: "c3", ToolName: "gate"})
	b := w.later(t.Context(), bus.Request{Call: "c4", ToolName: "gate"})
	var waiting <-chan bus.Response
	select {
	case answer := <-a:
		wantCode(t, answer, bus.Failed, bus.CodeBusy)
		waiting = b
	case answer := <-b:
		wantCode(t, answer, bus.Failed, bus.CodeBusy)
		waiting = a
	case <-time.After(patience):
		t.Fatal("nobody was refused")
	}
	removed := make(chan error, 1)
	go func() { removed <- w.Remove("gate") }()
	answer := await(t, "answer to who waited", waiting)
	wantCode(t, answer, bus.Failed, bus.CodeUnavailable)
	if !answer.Error.Retryable {
		t.Error("it never began, so it may be asked again, unsafe or not")
	}
	close(release)
	if err := await(t, "end of Remove", removed); err != nil {
		t.Error(err)
	}
	if answer := await(t, "answer", running); answer.Status != bus.OK {
		t.Errorf("%+v", answer)
	}
}
