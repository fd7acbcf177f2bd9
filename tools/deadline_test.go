package tools

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

func TestDeadline(t *testing.T) {
	w := newWorld(t, Options{})
	obeys := func(ctx context.Context, _ *Call) (any, error) { <-ctx.Done(); return nil, ctx.Err() }
	w.add(bus.Card{Name: "slow", Effect: bus.Read, Timeout: 20 * time.Millisecond}, obeys)
	w.add(bus.Card{Name: "slow_change", Effect: bus.Unsafe, Timeout: 20 * time.Millisecond}, obeys)
	w.add(bus.Card{Name: "hurried", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
		d, _ := ctx.Deadline()
		return d.Equal(call.Request.Deadline), nil
	})

	answer := w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "slow"})
	wantCode(t, answer, bus.Failed, bus.CodeTimeout)
	if !answer.Error.Retryable {
		t.Error("a read may be tried again")
	}
	answer = w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "slow_change"})
	wantCode(t, answer, bus.Failed, bus.CodeTimeout)
	if answer.Error.Retryable {
		t.Error("an unsafe call must not be tried again silently")
	}
	if answer = w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "hurried", Deadline: time.Now().Add(patience / 2)}); string(answer.Observation) != "true" {
		t.Errorf("the request's deadline is not the context's: %+v", answer)
	}
}

// A function that ignores its context is given up on: its caller gets an answer, its slot stays taken.
func TestHang(t *testing.T) {
	w := newWorld(t, Options{AtOnce: 1, Waiting: -1})
	release := make(chan struct{})
	var once sync.Once
	t.Cleanup(func() { once.Do(func() { close(release) }) })
	hangs := func(context.Context, *Call) (any, error) { <-release; return "late", nil }
	w.add(bus.Card{Name: "reads", Effect: bus.Read, Timeout: 10 * time.Millisecond}, hangs)
	w.add(bus.Card{Name: "writes", Effect: bus.Unsafe, Timeout: 10 * time.Millisecond}, hangs)

	read := w.later(t.Context(), bus.Request{Call: "c1", ToolName: "reads"})
	write := w.later(t.Context(), bus.Request{Call: "c1", ToolName: "writes"})
	wantCode(t, await(t, "answer", read), bus.Failed, bus.CodeTimeout)
	doubt := await(t, "answer", write)
	wantCode(t, doubt, bus.Failed, bus.CodeInDoubt)
	if doubt.Error.Retryable {
		t.Error("what is in doubt must not be tried again silently")
	}
	wantCode(t, w.ask(t.Context(), bus.Request{Call: "c2", ToolName: "writes"}), bus.Failed, bus.CodeBusy)
	wantCode(t, w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "writes"}), bus.Failed, bus.CodeInDoubt) // remembered
	once.Do(func() { close(release) })
}

func TestCancel(t *testing.T) {
	w := newWorld(t, Options{AtOnce: 1})
	started, cause := make(chan struct{}), make(chan error, 1)
	w.add(bus.Card{Name: "slow", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
		if call.Request.Call == "after" {
			return "done", nil
		}
		close(started)
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = w.bus.Call(ctx, bus.Request{Session: "s1", Task: "t1", Call: "c1", ToolName: "slow"}, nil) // its caller has left
	}()
	await(t, "start", started)
	after := w.later(t.Context(), bus.Request{Call: "after", ToolName: "slow"})
	cancel()
	if err := await(t, "end of the context", cause); !errors.Is(err, errCancelled) {
		t.Errorf("the context ended by %v", err)
	}
	await(t, "end of the call", gone)
	if answer := await(t, "answer of the next in line", after); answer.Status != bus.OK {
		t.Errorf("%+v", answer)
	}
}

// The deadline is checked here too: not every caller is ours.
func TestDeadlineThatHasPassed(t *testing.T) {
	w := newWorld(t, Options{})
	w.add(bus.Card{Name: "never", Effect: bus.Read}, func(context.Context, *Call) (any, error) {
		t.Error("it ran")
		return nil, nil
	})
	body, err := json.Marshal(bus.Request{HMAP: bus.Version, Session: "s1", Task: "t1", Call: "c1", ToolName: "never", Deadline: time.Now().Add(-time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := w.bus.Conn().Request(bus.CallSubject(w.bus.Tenant(), "never"), body, patience)
	if err != nil {
		t.Fatal(err)
	}
	var answer bus.Response
	if err := json.Unmarshal(reply.Data, &answer); err != nil {
		t.Fatal(err)
	}
	wantCode(t, answer, bus.Failed, bus.CodeTimeout)
}
