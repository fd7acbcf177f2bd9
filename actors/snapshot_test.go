package actors

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// telling answers each request with its number, and notes what it was told of the conversation.
type telling struct {
	mu  sync.Mutex
	was [][]string
}

func (l *telling) answer(r scripted.Request) scripted.Step {
	var said []string
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			said = append(said, m.Text)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.was = append(l.was, said)
	return scripted.Text("answer " + string(rune('0'+len(l.was))))
}

func (l *telling) last() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.was[len(l.was)-1]
}

// A node that dies between a task's response and the session's snapshot costs nothing: the next task sees the whole conversation,
// and whoever takes the dead node's tasks over keeps the snapshot.
func TestKilledBeforeTheSnapshot(t *testing.T) {
	t.Parallel()
	told := &telling{}
	o := setup{server: bustest.Server(t)}
	watch, err := bus.Connect(t.Context(), bus.Options{Server: o.server})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(watch.Close)
	// Without its bucket the node cannot get past the place where it is to die: behind the response, before the snapshot.
	second := func(r scripted.Request) scripted.Step {
		js, err := jetstream.New(watch.Conn())
		if err == nil {
			err = js.DeleteKeyValue(t.Context(), bus.SessionsBucket)
		}
		if err != nil {
			t.Error(err)
		}
		return told.answer(r)
	}
	o.model = scripted.New(t, scripted.React(told.answer), scripted.React(second), scripted.React(told.answer))
	h := open(t, o)
	w := h.submit(bus.Submission{Query: "one"})
	h.response(w)
	h.closed(w)
	if s := snapshot(t, watch, w.Session); s.Tasks != 1 || s.Title != "one" {
		t.Fatalf("after a task: %+v", s)
	}
	cut := h.submit(bus.Submission{Query: "two", Session: w.Session})
	h.response(cut)
	h.kill()

	h = open(t, o)
	h.closed(cut)
	if s := snapshot(t, h.bus, w.Session); s.Tasks != 2 {
		t.Errorf("what the dead node left was closed without a snapshot: %+v", s)
	}
	if r := h.response(h.submit(bus.Submission{Query: "three", Session: w.Session})); round.Text(r.Observation) != "answer 3" {
		t.Error(brief(r))
	}
	if got := told.last(); !slices.Equal(got, []string{"answer 1", "answer 2"}) {
		t.Errorf("the third task was told of %s", strings.Join(got, ", "))
	}
}

func snapshot(t *testing.T, b *bus.Bus, session string) bus.Snapshot {
	t.Helper()
	s, err := b.Snapshot(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
