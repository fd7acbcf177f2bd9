package memory

import (
	"container/list"
	"context"
	"sync"

	"github.com/hmap-project/hmap/bus"
)

// Sessions caches the conversations of the sessions used last, each with the place in the log up to which it was folded, so that
// the next turn reads only what is new. Safe for concurrent use.
type Sessions struct {
	bus  *bus.Bus
	max  int
	mu   sync.Mutex
	by   map[string]*list.Element
	used *list.List // of *conversation, most recent first
}

type conversation struct {
	session string
	mu      sync.Mutex // held while reading
	turns   []Turn
	seq     uint64
}

// NewSessions keeps at most max conversations in memory.
func NewSessions(b *bus.Bus, max int) *Sessions {
	return &Sessions{bus: b, max: max, by: map[string]*list.Element{}, used: list.New()}
}

// Turns is the conversation of a session up to now. The slice is the caller's to read, not to change.
func (s *Sessions) Turns(ctx context.Context, session string) ([]Turn, error) {
	c := s.find(session)
	c.mu.Lock()
	defer c.mu.Unlock()
	records, err := s.bus.Read(ctx, bus.Where{Session: session}, c.seq)
	if err != nil {
		return nil, err
	}
	if n := len(records); n > 0 {
		c.turns, c.seq = Conversation(c.turns, records), records[n-1].Seq
	}
	return c.turns, nil
}

func (s *Sessions) find(session string) *conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.by[session]; e != nil {
		s.used.MoveToFront(e)
		return e.Value.(*conversation)
	}
	c := &conversation{session: session}
	s.by[session] = s.used.PushFront(c)
	for s.used.Len() > s.max {
		e := s.used.Back()
		delete(s.by, e.Value.(*conversation).session)
		s.used.Remove(e)
	}
	return c
}
