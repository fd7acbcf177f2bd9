package bus

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

// Event says what an [Announcement] is about.
type Event string

// The events.
const (
	Here Event = "here"
	Gone Event = "gone"
)

// Announcement is the body on an [AnnounceSubject]: the identity of a NATS micro service, as its answer to $SRV.PING has it, and
// whether it came or went. It only makes known at once what the next sweep would find.
type Announcement struct {
	HMAP  string `json:"hmap"`
	Event Event  `json:"event"`
	micro.ServiceIdentity
}

// Present is one running instance of an agent or a tool.
type Present struct {
	Card  Card
	ID    string    // of the micro service
	Node  string    // where it runs; empty when it does not say
	Since time.Time // when it came, as it says itself or as we saw it first
}

// Rejected is an instance whose card cannot be used. It still gets calls made on its name's subject: who may serve which name is a
// matter of NATS permissions, the directory only decides what is offered.
type Rejected struct {
	Card   Card // as far as it could be read
	ID     string
	Reason string
}

// Directory knows which agents and tools of the tenant are there. Its methods read a snapshot: cheap, and safe from many goroutines.
// What they return is shared, so it must not be changed.
type Directory struct {
	now atomic.Pointer[snapshot]
}

type snapshot struct {
	cards    []Card
	byName   map[string]Card
	present  []Present
	rejected []Rejected
	nobody   bool
	version  uint64
	changed  chan struct{}
}

// Cards are the cards on offer, one for each name, sorted by name.
func (d *Directory) Cards() []Card { return d.now.Load().cards }

// Get gives the card of that name.
func (d *Directory) Get(name string) (Card, bool) {
	c, ok := d.now.Load().byName[name]
	return c, ok
}

// Entries are the running instances behind the cards on offer, sorted by name, then by when they came.
func (d *Directory) Entries() []Present { return d.now.Load().present }

// Rejected are the instances that are not offered and why, sorted by name, then id.
func (d *Directory) Rejected() []Rejected { return d.now.Load().rejected }

// Nobody reports whether NATS itself said, when it was asked last, that no service of any program is there. Then whoever finds no card need not wait for one
// that is slow to answer.
func (d *Directory) Nobody() bool { return d.now.Load().nobody }

// Version grows with each change.
func (d *Directory) Version() uint64 { return d.now.Load().version }

// Changed is closed at the next change. Ask for it before reading, or a change in between is missed.
func (d *Directory) Changed() <-chan struct{} { return d.now.Load().changed }

// Await waits until all of the names are on offer, or ctx ends: whoever has just come is heard of a moment later, on a busy machine not so soon.
func (d *Directory) Await(ctx context.Context, names ...string) error {
	for {
		changed := d.Changed()
		i := slices.IndexFunc(names, func(name string) bool {
			_, ok := d.Get(name)
			return !ok
		})
		if i < 0 {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%.80s is not on offer yet: %w", names[i], context.Cause(ctx))
		}
	}
}

// listedWithin bounds how long is waited for the directory to have heard of what this bus serves itself, and listedSoon how long without a word.
const (
	listedWithin = 30 * time.Second
	listedSoon   = 3 * time.Second
)

// Listed waits until the directory has judged all that this bus serves: a card is on offer then, or rejected because of another one of its name. Where it
// returns nil, a task that comes now is not told that nobody is there. Hearing of 50 services takes milliseconds, on a busy machine seconds, so it waits
// up to 30 s, and says so after 3. The error names what is missing.
func (b *Bus) Listed(ctx context.Context) error {
	d, err := b.Directory(ctx)
	if err != nil {
		return fmt.Errorf("listed: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, listedWithin)
	defer cancel()
	soon := time.NewTimer(listedSoon)
	defer soon.Stop()
	for {
		changed := d.Changed()
		missing := b.unlisted(d)
		if len(missing) == 0 {
			return nil
		}
		select {
		case <-changed:
		case <-soon.C:
			b.log.Warn("bus: the machine is busy: waiting until what this node serves is on offer", "missing", len(missing), "first", missing[0], "within", listedWithin)
		case <-ctx.Done():
			return fmt.Errorf("%.80s and %d more of this node are not on offer yet: %w", missing[0], len(missing)-1, context.Cause(ctx))
		}
	}
}

// unlisted are the names of what this bus serves and the directory has not heard of.
func (b *Bus) unlisted(d *Directory) (names []string) {
	now := d.now.Load()
	known := map[string]bool{}
	for _, p := range now.present {
		known[p.ID] = true
	}
	for _, r := range now.rejected {
		known[r.ID] = true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for s := range b.services {
		if i := s.svc.Info(); !known[i.ID] {
			names = append(names, i.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Directory gives the directory of the bus, after a first sweep when it is the first to ask; it ends with the bus. Who comes is seen at
// once if announced, else within 1.5 s; who withdraws, at once; who is killed, within 5 s, or when the lease of its node has lapsed. There is no end-of-list on NATS, so a service
// that answers the first sweep 60 ms after the others, or 5 s after it was asked, comes a moment later.
func (b *Bus) Directory(ctx context.Context) (*Directory, error) {
	b.directoryMu.Lock()
	defer b.directoryMu.Unlock()
	if b.directory != nil {
		return b.directory, nil
	}
	s := newSweeper(b)
	s.heard, s.inbox = make(chan *nats.Msg, 4096), b.nc.NewInbox()
	s.dir.now.Store(&snapshot{changed: make(chan struct{})})
	for _, subject := range []string{s.inbox, AnnounceSubject(b.o.Tenant)} {
		sub, err := b.nc.ChanSubscribe(subject, s.heard)
		if err != nil {
			s.close()
			return nil, fmt.Errorf("directory: %w", err)
		}
		s.subs = append(s.subs, sub)
	}
	if err := s.first(ctx); err != nil {
		s.close()
		return nil, fmt.Errorf("directory: %w", err)
	}
	b.directory, s.begun = s.dir, true
	b.done.Go(s.run)
	return s.dir, nil
}
