package actors

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

// A round that is thought of again and again begins some thoughts, not one for each wish, and what they cost is in the log.
func TestFloodOfWishes(t *testing.T) {
	t.Parallel()
	const wishes = 60
	m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		if r.N == 0 {
			return scripted.Step{Text: "what you did not want", HangAfter: true, NoUsage: true} // until it is given up
		}
		return scripted.Step{Text: fmt.Sprint("answer ", r.N), Delay: 2 * rethinkEvery, NoUsage: true}
	}))
	h := open(t, setup{model: m})
	query := strings.Repeat("talk to me, ", 1000)
	writes := begunWriting(t, h)
	w := h.submit(bus.Submission{Query: query, Session: "s"})
	<-writes // what was begun is paid for
	for n := range wishes {
		h.tell(w, bus.Input{Kind: bus.Steer, Text: fmt.Sprint("rather ", n)})
	}
	if r := h.response(w); r.Status != bus.OK {
		t.Fatal(brief(r))
	}
	asked := len(m.Requests())
	if asked > wishes/4 {
		t.Errorf("%d thoughts for %d wishes", asked, wishes)
	}
	spent := 0
	for _, r := range h.records(w) {
		if r.Kind != bus.KindInput && r.Usage != nil {
			spent += r.Usage.InputTokens
		}
	}
	if least := 2 * model.CountTokens(query); spent < least {
		t.Errorf("%d tokens are told of the first thought and the last, want %d and more", spent, least)
	}
}

// What was thought in vain is paid for, too, where no round comes after it: the response tells it.
func TestThoughtsInVainAreTold(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		if r.N == 0 {
			return scripted.Step{Text: "what you did not want", HangAfter: true, NoUsage: true}
		}
		return scripted.Step{Status: 400, Message: "no such model"}
	}))
	h := open(t, setup{model: m})
	query := strings.Repeat("talk to me, ", 1000)
	writes := begunWriting(t, h)
	w := h.submit(bus.Submission{Query: query, Session: "s"})
	<-writes
	h.tell(w, bus.Input{Kind: bus.Steer, Text: "rather not"})
	if r := h.response(w); r.Status != bus.Failed || r.Usage == nil || r.Usage.InputTokens < model.CountTokens(query) {
		t.Errorf("%s: %+v", brief(r), r.Usage)
	}
}

// begunWriting is closed when somebody has begun to write an answer in session s, so that it is paid for.
func begunWriting(t *testing.T, h *house) <-chan struct{} {
	t.Helper()
	writes := make(chan struct{})
	go func() {
		defer close(writes)
		for range h.bus.Hear(t.Context(), "s", 8) {
			return
		}
	}()
	return writes
}

func TestPace(t *testing.T) {
	t.Parallel()
	var p pace
	start := time.Now()
	for n, c := range []struct {
		round int
		at    time.Duration
		want  time.Duration
	}{
		{1, 0, 0},
		{1, 10, rethinkEvery - 10},              // the first has begun
		{1, 20, rethinkEvery - 20},              // the second has not: the third takes its place
		{1, rethinkEvery + 5, rethinkEvery - 5}, // that one has
		{2, rethinkEvery + 6, 0},                // of a new round
		{2, 10 * rethinkEvery, 0},
		{2, 10*rethinkEvery + 1, rethinkEvery - 1},
	} {
		if got := p.next(c.round, start.Add(c.at)); got != c.want {
			t.Errorf("%d: waits %v, want %v", n, got, c.want)
		}
	}
}
