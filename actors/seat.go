package actors

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/mailbox"
)

type callKey struct{ session, task, call string }

// seat is a call that runs here, or is about to: ready is closed when pid is set, or stays nil because it came to nothing.
type seat struct {
	pid   *actor.PID
	poked bool          // an input came before pid was set
	read  atomic.Uint64 // the newest input that the call has read
	ready chan struct{}
}

// reserve takes the seat of a call; false: it is taken, by the seat returned, or the team has stopped and there is none.
func (t *Team) reserve(k callKey) (*seat, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.running[k]; s != nil || t.closed {
		return s, false
	}
	s := &seat{ready: make(chan struct{})}
	t.running[k] = s
	return s, true
}

// release gives up a seat on which nobody sat down.
func (t *Team) release(k callKey, s *seat) {
	t.mu.Lock()
	if t.running[k] == s {
		delete(t.running, k)
	}
	t.mu.Unlock()
	close(s.ready)
}

// spawn lets the call run on its reserved seat. It uses up the slot, which the call gives back.
func (t *Team) spawn(d *desk, s *round.State, turns []memory.Turn, seat *seat, in *bus.Incoming) {
	c := &call{team: t, desk: d, state: s, turns: turns, lang: spokenAfter(&s.Request, turns), seat: seat, jobs: map[string]*job{}, begun: time.Now()}
	c.mode = d.mode(s.Request)
	if in != nil {
		c.waiting = append(c.waiting, in)
	}
	t.mu.Lock()
	t.spawned++
	id := s.Task + "." + s.Call + "#" + strconv.FormatUint(t.spawned, 10) // an actor's name is free only some time after its end
	t.mu.Unlock()
	pid := mailbox.Spawn(t.engine, func() actor.Receiver { return c }, "call", id, func(v any, stack []byte) {
		t.log.Error("an agent panicked", "call", s.Call, "task", s.Task, "panic", v, "stack", string(stack))
		c.drop("a defect stopped it")
	})
	t.mu.Lock()
	seat.pid = pid
	if seat.poked {
		t.engine.Send(pid, inputs{})
	}
	late := t.closed
	t.mu.Unlock()
	close(seat.ready)
	if in != nil {
		in.OnCancel(func() { t.engine.Send(pid, cancel{in}) })
	}
	if late { // Stop has not seen it
		t.engine.Stop(pid)
	}
}

// gone frees the seat and the slot of a call and stops its actor.
func (t *Team) gone(c *call) {
	if c.state.Root() {
		t.sessions.Leave(c.state.Session, c.state.Task)
	}
	t.mu.Lock()
	if t.running[c.key()] == c.seat {
		delete(t.running, c.key())
	}
	t.mu.Unlock()
	<-c.desk.slots // never blocks: the call's own token is in it
	t.engine.Poison(c.pid)
}

// tell sends a message to a call, if it runs here or is about to: then it looks for inputs once it does.
func (t *Team) tell(k callKey, message any) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.running[k]
	switch {
	case s == nil:
		return false
	case s.pid != nil:
		t.engine.Send(s.pid, message)
		return true
	}
	_, input := message.(inputs)
	s.poked = s.poked || input
	return input
}
