package actors

import (
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

// A bucket of snapshots that takes nothing any more, by its operator's settings, costs an ended task three closings: then it leaves the
// index without, so that it does not count as running for ever and its session can be removed.
func TestSnapshotThatIsRefusedForGood(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("done") }))})
	js, err := jetstream.New(h.bus.Conn())
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "KV_"+bus.SessionsBucket)
	if err != nil {
		t.Fatal(err)
	}
	c := s.CachedInfo().Config
	limit := func(bytes int32) {
		t.Helper()
		c.MaxMsgSize = bytes
		if _, err := js.UpdateStream(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	limit(100) // refused at once, where a full bucket is tried for the ten seconds of each closing
	w := h.submit(bus.Submission{Query: "hello"})
	h.response(w)
	said := func(what string) int { return strings.Count(strings.Join(h.said.all(), ""), what) }
	for n := 1; n < closeTries; n++ { // each sweep closes it once
		eventually(t, "a closing in vain", func() bool { return said("could not be kept") == n && h.vain(w) == n })
		if _, found, err := h.bus.OpenTask(t.Context(), w.Session, w.Task); err != nil || !found {
			t.Fatalf("left the index after %d closings (%v)", n, err)
		}
		h.idle()
		if err := h.bus.Remove(t.Context(), w.Session); !errors.Is(err, bus.ErrOpenTask) {
			t.Fatalf("removed with a task that may yet be closed: %v", err)
		}
		h.team.look()
	}
	h.closed(w)
	eventually(t, "it is forgotten", func() bool { return h.vain(w) == 0 })
	if kept, without := said("could not be kept"), said("leaves the index without"); kept != closeTries || without != 1 {
		t.Errorf("%d closings in vain, %d tasks that left without", kept, without)
	}
	limit(-1)
	if err := h.bus.Remove(t.Context(), w.Session); err != nil {
		t.Error(err)
	}
	h.team.mu.Lock()
	defer h.team.mu.Unlock()
	if n := len(h.team.closing); n != 0 {
		t.Errorf("%d closings are still noted", n)
	}
}

// vain is how often a task that has ended was closed in vain.
func (h *house) vain(w bus.Where) int {
	h.team.mu.Lock()
	defer h.team.mu.Unlock()
	return h.team.closing[callKey{w.Session, w.Task, w.Task}].vain
}

// Tasks that another node took from the index are not remembered here, and one that is being closed is.
func TestClosedElsewhere(t *testing.T) {
	here, gone, busy := callKey{"s", "here", "here"}, callKey{"s", "gone", "gone"}, callKey{"s", "busy", "busy"}
	team := &Team{closing: map[callKey]closing{here: {vain: 1}, gone: {vain: 2}, busy: {busy: true}}}
	team.closedElsewhere([]bus.OpenTask{{Session: "s", Task: "here"}, {Session: "other", Task: "gone"}})
	_, free := team.beginClosing(busy)
	if len(team.closing) != 2 || team.closing[here].vain != 1 || free {
		t.Errorf("%v", team.closing)
	}
}
