package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

func TestSameCallTwice(t *testing.T) {
	w := newWorld(t, Options{})
	var runs atomic.Int32
	release := make(chan struct{})
	run := func(ctx context.Context, call *Call) (any, error) {
		n := runs.Add(1)
		return n, talk(ctx, call, release)
	}
	parameters := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"m":{"type":"integer"}}}`)
	w.add(bus.Card{Name: "writes", Effect: bus.Unsafe, Parameters: parameters}, run)
	w.add(bus.Card{Name: "reads", Effect: bus.Read, Parameters: parameters}, run)
	same := bus.Request{Call: "c1", ToolName: "writes", Parameter: json.RawMessage(`{"n":1,"m":2}`)}
	spaced := same
	spaced.Parameter = json.RawMessage(`{"m": 2, "n": 1}`)
	other := same
	other.Parameter = json.RawMessage(`{"n":2}`)

	lines, first := w.hear(t.Context(), same)
	await(t, "first asker's progress", lines)
	lines, second := w.hear(t.Context(), spaced)
	await(t, "second asker's progress", lines) // so it has joined
	wantCode(t, w.ask(t.Context(), other), bus.Failed, bus.CodeInvalidRequest)
	close(release)
	one, two := await(t, "first answer", first), await(t, "second answer", second)
	three := w.ask(t.Context(), same)
	for i, answer := range []bus.Response{one, two, three} {
		if answer.Status != bus.OK || string(answer.Observation) != "1" {
			t.Errorf("answer %d: %s %s %v", i, answer.Status, answer.Observation, answer.Error)
		}
	}
	if runs.Load() != 1 {
		t.Errorf("ran %d times, want once", runs.Load())
	}
	wantCode(t, w.ask(t.Context(), other), bus.Failed, bus.CodeInvalidRequest)

	same.ToolName = "reads"
	for _, want := range []string{"2", "3"} { // a read is simply run again
		if answer := w.ask(t.Context(), same); string(answer.Observation) != want {
			t.Errorf("%+v, want %s", answer, want)
		}
	}
}

// One of two askers leaves: the other still gets its answer. When the last one leaves, the call ends.
func TestJoinedAskerLeaves(t *testing.T) {
	w := newWorld(t, Options{})
	release, ended := make(chan struct{}), make(chan error, 2)
	w.add(bus.Card{Name: "writes", Effect: bus.Unsafe}, func(ctx context.Context, call *Call) (any, error) {
		err := talk(ctx, call, release)
		ended <- err
		return "done", err
	})
	for _, firstLeaves := range []bool{true, false} {
		r := bus.Request{Call: fmt.Sprintf("c-%v", firstLeaves), ToolName: "writes"}
		leaving, leave := context.WithCancel(t.Context())
		staying, end := context.WithCancel(t.Context())
		defer end()
		contexts := [2]context.Context{leaving, staying}
		if !firstLeaves {
			contexts = [2]context.Context{staying, leaving}
		}
		var lines [2]<-chan string
		var answers [2]<-chan bus.Response
		for i := range 2 {
			lines[i], answers[i] = w.hear(contexts[i], r)
			await(t, "progress", lines[i])
		}
		stays := 1
		if !firstLeaves {
			stays = 0
		}
		leave()
		if answer := await(t, "leaving", answers[1-stays]); answer.Status != bus.Cancelled {
			t.Errorf("who left got %+v", answer)
		}
		for len(lines[stays]) > 0 {
			<-lines[stays]
		}
		for range 5 { // it goes on, well after the leaving was heard
			await(t, "progress after one has left", lines[stays])
		}
		end()
		if err := await(t, "end", ended); !errors.Is(err, context.Canceled) {
			t.Errorf("after the last asker left: %v", err)
		}
		await(t, "answer", answers[stays])
	}
}
