package drill

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/hmap-project/hmap/bus"
)

// flooding is the client kind of what fills the queue.
const flooding = "flood"

// Flood is one attempt to submit more than the queue holds.
type Flood struct {
	Begun, Ended time.Time
	Accepted     int // submissions that were said to be taken
	Busy         []Refusal
}

// Refusal is a submission that was refused because the queue is full. Nobody sends it again.
type Refusal struct {
	Session, Task string
	Asked, Told   time.Time
	// Held is what was in the queue when it was looked at right after, by Looked; -1: nobody could tell.
	Held   int
	Looked time.Time
}

// flood stops all nodes for a moment and submits more than the queue holds.
func (t *trouble) flood(ctx context.Context) {
	t.book.count("floods", 1)
	var frozen sync.WaitGroup
	defer frozen.Wait()
	life, thaw := context.WithTimeout(ctx, 4*time.Second)
	defer thaw()
	for _, n := range t.c.of(kindNode) {
		if n.up() {
			t.book.died(nodeName(n.name, n.generation()))
			frozen.Go(func() { _ = n.frozenFor(life, 4*time.Second) }) // it may be dead
		}
	}
	f := Flood{Begun: time.Now()}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range queueBound / 2 {
				told := &Told{Name: "flood", Client: flooding, Session: "f" + nuid.Next(), Task: "t" + nuid.Next()}
				s := bus.Submission{Query: Script{}.Query(), Session: told.Session, Task: told.Task}
				asked := time.Now()
				_, err := t.eyes.Submit(life, master, s, "")
				switch {
				case errors.Is(err, bus.ErrBusy):
					r := Refusal{Session: told.Session, Task: told.Task, Asked: asked, Told: time.Now()}
					r.Held, r.Looked = queued(ctx, t.eyes), time.Now()
					t.book.mu.Lock()
					t.book.counts["busy told"]++
					f.Busy = append(f.Busy, r)
					t.book.mu.Unlock()
					return
				case err != nil:
					return
				}
				told.Accepted = time.Now()
				t.book.mu.Lock()
				t.book.flooded = append(t.book.flooded, told)
				f.Accepted++
				t.book.mu.Unlock()
				t.book.leave(told.Session)
			}
		})
	}
	all.Wait()
	f.Ended = time.Now()
	t.book.mu.Lock()
	defer t.book.mu.Unlock()
	t.book.floods = append(t.book.floods, f)
}

// queued is how many submissions the queue holds, given out or not; -1 when nobody says.
func queued(ctx context.Context, eyes *bus.Bus) int {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	js, err := jetstream.New(eyes.Conn())
	if err != nil {
		return -1
	}
	s, err := js.Stream(ctx, bus.TaskStream)
	if err != nil {
		return -1
	}
	return int(s.CachedInfo().State.Msgs)
}
