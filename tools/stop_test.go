package tools

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

func TestStop(t *testing.T) {
	for name, c := range map[string]struct {
		grace  time.Duration
		status bus.Status
		hurry  bool
	}{
		"lets running calls finish":   {patience, bus.OK, false},
		"cancels what goes on longer": {time.Millisecond, bus.Failed, false},
		"cancels when hurried":        {time.Hour, bus.Failed, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{Grace: c.grace})
			release := make(chan struct{})
			w.add(bus.Card{Name: "slow", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
				if call.Request.Call != "c1" {
					return "door open", nil
				}
				return "done", talk(ctx, call, release)
			})
			lines, answer := w.hear(t.Context(), bus.Request{Call: "c1", ToolName: "slow"})
			await(t, "progress", lines)
			stopped := make(chan error, 1)
			go func() { stopped <- w.Stop() }()
			if c.hurry {
				w.Hurry()
			}
			if c.status == bus.OK {
				for w.ask(t.Context(), bus.Request{Call: "c2", ToolName: "slow"}).Status == bus.OK { // until the door is closed
				}
				for len(lines) > 0 {
					<-lines
				}
				for range 3 {
					await(t, "progress while stopping", lines)
				}
				close(release)
			}
			if err := await(t, "end of Stop", stopped); err != nil {
				t.Error(err)
			}
			got := await(t, "answer", answer)
			if got.Status != c.status || got.Error != nil && (got.Error.Code != bus.CodeUnavailable || !got.Error.Retryable) {
				t.Errorf("%s %v", got.Status, got.Error)
			}
			if err := w.Add(Tool{Card: bus.Card{Name: "x", Description: "x"}, Run: func(context.Context, *Call) (any, error) { return nil, nil }}); !errors.Is(err, ErrStopped) {
				t.Errorf("Add after Stop: %v", err)
			}
		})
	}
}

func TestStopSaysWhatDoesNotEnd(t *testing.T) {
	w := newWorld(t, Options{Grace: time.Millisecond})
	started, release := make(chan struct{}), make(chan struct{})
	w.add(bus.Card{Name: "deaf", Effect: bus.Read}, func(context.Context, *Call) (any, error) {
		close(started)
		<-release
		return nil, nil
	})
	answer := w.later(t.Context(), bus.Request{Call: "c1", ToolName: "deaf"})
	await(t, "start", started)
	if err := w.Stop(); err == nil || !strings.Contains(err.Error(), "deaf") {
		t.Errorf("Stop said %v", err)
	}
	wantCode(t, await(t, "answer", answer), bus.Failed, bus.CodeUnavailable)
	close(release)
}

func TestRemoveAndAddAgain(t *testing.T) {
	w := newWorld(t, Options{})
	for _, want := range []string{`"one"`, `"two"`} {
		w.add(bus.Card{Name: "it", Effect: bus.Read}, func(context.Context, *Call) (any, error) { return strings.Trim(want, `"`), nil })
		if answer := w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "it"}); string(answer.Observation) != want {
			t.Errorf("%+v, want %s", answer, want)
		}
		if err := w.Remove("it"); err != nil {
			t.Error(err)
		}
	}
	if err := w.Remove("never there"); err != nil {
		t.Error(err)
	}
}
