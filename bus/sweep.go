package bus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

const (
	// sweepEvery and missedMost put a killed service out after three unanswered sweeps, 4.5 s at most, and forgive two lost ones. One whose
	// node renews its lease is more likely slow than dead, and has missedAlive.
	sweepEvery  = 1500 * time.Millisecond
	missedMost  = 3
	missedAlive = 4 * missedMost
	// firstQuiet is how long the first sweep waits for one more answer, and firstMost for the first one and for all: when nobody serves
	// anything NATS says so at once, so that whoever was asked and is silent is only slow.
	firstQuiet = 60 * time.Millisecond
	firstMost  = 5 * time.Second
	// maxServices bounds what strangers can make us remember; more are not seen.
	maxServices = 4096
)

// instance is a service that answered.
type instance struct {
	id     micro.ServiceIdentity
	card   Card
	key    string // the card as text, to compare
	wrong  string // why the card cannot be used
	node   string
	since  time.Time
	came   int // how many came before it; 0 for all that were there when we began
	missed int // sweeps since it was last seen, or since it withdrew
	heard  time.Time
	sum    uint64 // of its last answer to a sweep, see sweeper.said
	gone   bool   // it has withdrawn; kept for a while, since an answer to a sweep may come behind that word
}

// vacancy is a name on which a call found nobody.
type vacancy struct {
	name  string
	asked time.Time
}

// maxVacancies is how many wait to be told to the directory; what does not fit its sweeps find out.
const maxVacancies = 64

// vacant says that a call which was made at asked found nobody of that name. It never waits.
func (b *Bus) vacant(name string, asked time.Time) {
	select {
	case b.vacancies <- vacancy{name, asked}:
	default:
	}
}

// sweeper keeps a directory up to date; all of it belongs to one goroutine.
type sweeper struct {
	bus   *Bus
	dir   *Directory
	heard chan *nats.Msg
	inbox string
	subs  []*nats.Subscription
	seen  map[string]*instance // by id
	said  map[uint64]string    // ids by the sum of an answer as it came: nearly all say what they said at the sweep before, and need not be read again
	sums  maphash.Seed         // of said; nobody else knows it, so nobody can make an answer that has the sum of another one
	begun bool                 // the first sweep is over
	none  bool                 // it was said that nobody serves anything
	came  int
}

func newSweeper(b *Bus) *sweeper {
	return &sweeper{bus: b, dir: &Directory{}, seen: map[string]*instance{}, said: map[uint64]string{}, sums: maphash.MakeSeed()}
}

func (s *sweeper) close() {
	for _, sub := range s.subs {
		_ = sub.Unsubscribe() // the connection may be closed, which is the same
	}
}

func (s *sweeper) ping() error {
	return s.bus.nc.PublishRequest("$SRV.PING", s.inbox, nil)
}

func (s *sweeper) first(ctx context.Context) error {
	if err := s.ping(); err != nil {
		return err
	}
	end, quiet := time.NewTimer(firstMost), time.NewTimer(firstMost)
	defer end.Stop()
	defer quiet.Stop()
	for {
		select {
		case m := <-s.heard:
			s.hear(m) // or it says that nobody serves anything
			quiet.Reset(firstQuiet)
		case <-quiet.C:
			s.publish()
			return nil
		case <-end.C:
			s.publish()
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *sweeper) run() {
	defer s.close()
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	up, asked := s.bus.up.wait(), time.Now()
	for {
		changed := false
		select {
		case m := <-s.heard:
			changed = s.hear(m)
			changed = s.hearAll() || changed
		case <-tick.C:
			changed = s.hearAll()
			// Who is cut off knows nothing new, and who was held up himself did not listen: they forget nobody.
			if s.bus.nc.IsConnected() && time.Since(asked) < 2*sweepEvery {
				changed = s.forget() || changed
			}
			asked = time.Now()
			s.tryPing()
		case v := <-s.bus.vacancies:
			changed = s.hearAll()
			changed = s.vacate(v) || changed
		case <-up.Done():
			up = s.bus.up.wait()
			s.tryPing()
		case <-s.bus.ctx.Done():
			return
		}
		if changed {
			s.publish()
		}
	}
}

func (s *sweeper) tryPing() {
	if err := s.ping(); err != nil {
		s.bus.log.Debug("bus: sweeping the directory", "err", err)
	}
}

// hearAll takes in what is there already, so that a burst of answers makes one snapshot, and reports whether anything changed.
func (s *sweeper) hearAll() (changed bool) {
	for len(s.heard) > 0 {
		changed = s.hear(<-s.heard) || changed
	}
	return changed
}

// forget drops who has been silent for too long. What this bus serves itself is there, however late its answers are.
func (s *sweeper) forget() bool {
	before, own := len(s.seen), s.bus.serves()
	maps.DeleteFunc(s.seen, func(id string, in *instance) bool {
		if in.missed++; in.missed < missedMost || own[id] {
			return false
		}
		return in.gone || in.missed >= missedAlive || s.bus.goneNode(in.node) == nil
	})
	return len(s.seen) != before
}

// vacate drops those of a name who were not heard of since a call found nobody there. Whose node renews its lease may only have lost its
// connection for a moment.
func (s *sweeper) vacate(v vacancy) bool {
	before, own := len(s.seen), s.bus.serves()
	maps.DeleteFunc(s.seen, func(id string, in *instance) bool {
		return in.card.Name == v.name && in.heard.Before(v.asked) && !own[id] && s.bus.goneNode(in.node) == nil
	})
	return len(s.seen) != before
}

// hear takes an answer to a sweep or an announcement, and reports whether anything changed.
func (s *sweeper) hear(m *nats.Msg) bool {
	was := s.none
	s.none = nobodyThere(m)
	sum := maphash.Bytes(s.sums, m.Data)
	if in := s.seen[s.said[sum]]; in != nil && in.sum == sum && !in.gone {
		in.missed, in.heard = 0, time.Now()
		return s.none != was
	}
	return s.note(m) || s.none != was
}

// note takes in what a service says of itself.
func (s *sweeper) note(m *nats.Msg) bool {
	var a Announcement
	if err := json.Unmarshal(m.Data, &a); err != nil || a.ID == "" || len(a.ID) > MaxToken {
		return false // $SRV.PING is answered by services that are none of ours, in ways of their own
	}
	if a.Metadata["hmap"] == "" || orElse(a.Metadata["tenant"], "main") != s.bus.o.Tenant {
		return false
	}
	old := s.seen[a.ID]
	switch {
	case a.Event == Gone:
		if old == nil || old.gone {
			return false
		}
		old.gone, old.missed = true, 0
		return true
	case old != nil && old.gone && a.Event != Here:
		return false
	case old != nil && old.gone: // and it is back
		delete(s.seen, a.ID)
		old = nil
	}
	if old != nil {
		old.missed, old.heard = 0, time.Now()
		if old.id.Name == a.Name && old.id.Version == a.Version && maps.Equal(old.id.Metadata, a.Metadata) {
			s.remember(m, a, old)
			return false
		}
	}
	if old == nil && len(s.seen) >= maxServices {
		s.bus.log.Warn("bus: too many services, this one is not seen", "name", a.Name, "most", maxServices)
		return false
	}
	in := &instance{id: micro.ServiceIdentity{ID: a.ID}, since: time.Now().UTC(), came: s.came, heard: time.Now()}
	if old != nil {
		in.came = old.came
	} else if s.begun {
		s.came++
		in.came = s.came
	}
	if t, err := time.Parse(time.RFC3339Nano, a.Metadata["since"]); err == nil {
		in.since = t
	}
	var err error
	if in.card, err = parseCard(a.Name, a.Version, a.Metadata); err != nil {
		in.wrong = strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	if !errors.Is(err, ErrTooLarge) { // of those nothing is kept: thousands of them would be gigabytes
		in.id, in.node = a.ServiceIdentity, a.Metadata["node"]
	}
	if key, err := json.Marshal(in.card); err == nil {
		in.key = string(key)
	}
	s.seen[a.ID] = in
	s.remember(m, a, in)
	return true
}

// remember keeps how an answer to a sweep reads; an announcement, which may be the word of going, is always read.
func (s *sweeper) remember(m *nats.Msg, a Announcement, in *instance) {
	if a.Event != "" {
		return
	}
	if len(s.said) >= 2*maxServices { // full of what those said that are gone
		clear(s.said)
	}
	in.sum = maphash.Bytes(s.sums, m.Data)
	s.said[in.sum] = a.ID
}

// publish makes the snapshot. Of different cards with one name the one that came first is offered: nobody takes a name by claiming
// to be old, only among those that were there before us their own word counts, then their id.
func (s *sweeper) publish() {
	old := s.dir.now.Load()
	next := &snapshot{byName: map[string]Card{}, nobody: s.none, version: old.version + 1, changed: make(chan struct{})}
	all := slices.SortedFunc(maps.Values(s.seen), func(a, b *instance) int {
		return cmp.Or(cmp.Compare(a.card.Name, b.card.Name), cmp.Compare(a.came, b.came), a.since.Compare(b.since), cmp.Compare(a.id.ID, b.id.ID))
	})
	keys := map[string]*instance{}
	for _, in := range all {
		first := keys[in.card.Name]
		switch {
		case in.gone:
			continue
		case in.wrong != "":
			next.rejected = append(next.rejected, Rejected{in.card, in.id.ID, in.wrong})
			continue
		case first == nil:
			keys[in.card.Name] = in
			next.cards = append(next.cards, in.card)
			next.byName[in.card.Name] = in.card
		case first.key != in.key:
			reason := fmt.Sprintf("the name %s is taken by a different card (service %s)", in.card.Name, first.id.ID)
			next.rejected = append(next.rejected, Rejected{in.card, in.id.ID, reason})
			continue
		}
		next.present = append(next.present, Present{in.card, in.id.ID, in.node, in.since})
	}
	s.dir.now.Store(next)
	close(old.changed)
}
