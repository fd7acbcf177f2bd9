package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// Sessions knows the conversations of the tasks that run on this node, from their snapshots and what the log has since, and keeps
// new snapshots when tasks end. In memory it holds only what tasks that run here began with. Safe for concurrent use.
type Sessions struct {
	bus    *bus.Bus
	window int

	mu     sync.Mutex
	begun  map[place]*Conversation
	ending map[string]*ending
}

// ending lets the tasks of one session that end on this node keep its snapshot one after the other: the first of those that wait keeps it for all.
type ending struct {
	turn  chan struct{} // holds one value while somebody has the turn
	tasks int           // that have the turn or wait for it; guarded by Sessions.mu
}

type place struct{ session, task string }

// NewSessions is for agents that read at most window tokens of earlier conversation; snapshots keep no more than that can need.
func NewSessions(b *bus.Bus, window int) *Sessions {
	return &Sessions{bus: b, window: window, begun: map[place]*Conversation{}, ending: map[string]*ending{}}
}

// Begin gives the turns before the task of a call that is about to run here, and remembers them for the calls below until [Sessions.Leave] when it is the
// task itself. fresh: whoever submitted the task says that the session was made for it, so there are none, and nothing is read; should it
// not be so, only this task does without them. The slice is the caller's to read, not to change.
func (s *Sessions) Begin(ctx context.Context, st *round.State, fresh bool) ([]Turn, error) {
	at := place{st.Session, st.Task}
	s.mu.Lock()
	c := s.begun[at]
	s.mu.Unlock()
	if c == nil {
		var err error
		if fresh && st.Attempt == 1 {
			c = &Conversation{Snapshot: bus.Snapshot{Session: bus.Session{ID: st.Session}}}
			c.Fold(bus.Record{Kind: bus.KindRequest, Task: st.Task, Call: st.Call, Seq: st.Last, Time: st.Begun, Request: &st.Request})
			c.Seq = 0 // of what others may have written before it, nothing is read
		} else if c, _, err = s.load(ctx, st.Session, st.Task); err != nil {
			return nil, err
		}
		if st.Root() {
			s.mu.Lock()
			s.begun[at] = c
			s.mu.Unlock()
		}
	}
	return c.Before(st.Task), nil
}

// Leave forgets what a task began with, and gives it; nil when it does not run here.
func (s *Sessions) Leave(session, task string) *Conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := place{session, task}
	c := s.begun[at]
	delete(s.begun, at)
	return c
}

// keepTries bounds how often a snapshot is tried again because other tasks of the session end at the same time.
const keepTries = 20

// End keeps a snapshot of the session with the turn of a task that has ended. began is what [Sessions.Leave] gave, and End's from now on.
// Without it, and when somebody else has kept another snapshot since, the newest is taken and read on from. So it costs one write as a rule;
// twice is the same as once. Behind a fresh session's first task only the head is kept: the next task reads the one before it from the log.
func (s *Sessions) End(ctx context.Context, began *Conversation, session string, ended Turn) error {
	done, err := s.inTurn(ctx, session)
	if err != nil {
		return fmt.Errorf("keep session %s: %w", session, err)
	}
	defer done()
	c := began
	if c != nil {
		c.Turns = slices.Clone(c.Turns) // calls below may still read what Begin gave
	}
	for try := range keepTries {
		known := c != nil
		if !known {
			var kept bool
			var err error
			if c, kept, err = s.load(ctx, session, ended.Task); err != nil {
				return fmt.Errorf("keep session %s: %w", session, err)
			}
			if kept || c.find(ended.Task) < 0 { // by whoever was faster; or the log no longer has it, or so much has come after it that nobody asks
				return nil
			}
		}
		c.End(ended)
		err := s.keep(ctx, c)
		if !errors.Is(err, bus.ErrFenced) {
			return err
		}
		c = nil
		if known {
			continue
		}
		select { // a replica may not have the snapshot yet that was in our way
		case <-time.After(time.Duration(try) * 5 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("keep session %s: %w", session, ctx.Err())
		}
	}
	return fmt.Errorf("keep session %s: others were faster %d times; the next task puts it right", session, keepTries)
}

// inTurn waits until no other task of the session is being ended here; done must be called.
func (s *Sessions) inTurn(ctx context.Context, session string) (done func(), err error) {
	s.mu.Lock()
	e := s.ending[session]
	if e == nil {
		e = &ending{turn: make(chan struct{}, 1)}
		s.ending[session] = e
	}
	e.tasks++
	s.mu.Unlock()
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if e.tasks--; e.tasks == 0 {
			delete(s.ending, session)
		}
	}
	select {
	case e.turn <- struct{}{}:
		return func() { <-e.turn; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}

// load folds a session up to now: its snapshot, and the log after that. kept: the snapshot has the end of the task.
func (s *Sessions) load(ctx context.Context, session, task string) (c *Conversation, kept bool, err error) {
	snapshot, err := s.bus.Snapshot(ctx, session)
	if err != nil {
		return nil, false, err
	}
	c = restore(snapshot)
	i := c.find(task)
	kept = i >= 0 && c.Turns[i].Ended()
	records, err := s.bus.Read(ctx, bus.Where{Session: session}, c.Seq)
	if err != nil {
		return nil, false, err
	}
	for _, r := range records {
		c.Fold(r)
	}
	c.bound(s.window)
	return c, kept, nil
}

func (s *Sessions) keep(ctx context.Context, c *Conversation) error {
	c.bound(s.window)
	kept := c.Snapshot
	if c.Seq > 0 { // else the log is read from its beginning, and its turns are in the order in which they began
		memory, err := json.Marshal(c.Turns)
		if err != nil {
			return fmt.Errorf("keep session %s: %w", c.ID, err)
		}
		kept.Memory = memory
	}
	return s.bus.KeepSnapshot(ctx, &kept)
}
