package tools

import (
	"context"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A request for an unsafe effect that comes when its caller's log has gone on, from a node that was frozen or over a network that stood still, does
// nothing; and whoever asks for it by the newer intent, under the same id, is not told that it was refused.
func TestLateRequestDoesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{})
	runs := map[string]int{}
	for name, effect := range map[string]bus.Effect{"pay": bus.Unsafe, "look": bus.Read} {
		w.add(bus.Card{Name: name, Effect: effect}, func(context.Context, *Call) (any, error) {
			runs[name]++
			return "done", nil
		})
	}
	last := uint64(0)
	put := func(r bus.Record) uint64 {
		r.Session, r.Task, r.Call = "s", "t", "t"
		var err error
		if last, err = w.bus.Append(t.Context(), &r, last); err != nil {
			t.Fatal(err)
		}
		return last
	}
	ask := func(tool string, intent uint64) bus.Response {
		r, err := w.bus.Call(t.Context(), bus.Request{Session: "s", Task: "t", Parent: "t", Call: "t-1-0", ToolName: tool, Intent: intent}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	old := put(bus.Record{Kind: bus.KindIntent, Child: "t-1-0"})
	put(bus.Record{Kind: bus.KindClaim})
	if r := ask("pay", old); r.Status != bus.Failed || r.Error.Code != bus.CodeUnavailable || !r.Error.Retryable || runs["pay"] != 0 {
		t.Errorf("late: %+v after %d runs", r.Error, runs["pay"])
	}
	if r := ask("look", old); r.Status != bus.OK {
		t.Errorf("what changes nothing: %+v", r.Error)
	}
	if r := ask("pay", put(bus.Record{Kind: bus.KindIntent, Child: "t-1-0"})); r.Status != bus.OK || runs["pay"] != 1 {
		t.Errorf("in time: %+v after %d runs", r.Error, runs["pay"])
	}
}
