package bus

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// members is what this bus knows of the nodes' leases.
type members struct {
	bus      *Bus
	suspects chan string

	mu     sync.Mutex
	known  map[string]*member
	leases []*Lease // that want to know who lapsed
}

type member struct {
	seq   uint64
	ttl   time.Duration
	heard time.Time     // when that was seen
	asked int           // how often the leader was asked for it since
	gone  chan struct{} // closed when the lease ended
	due   *time.Timer
}

// nodes starts watching at its first use.
func (b *Bus) nodes() *members {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.members == nil {
		b.members = &members{bus: b, suspects: make(chan string), known: map[string]*member{}}
		b.done.Go(b.members.watch)
		b.done.Go(b.members.confirm)
	}
	return b.members
}

// Alive reports whether a node holds its lease. A node not seen is asked for at the leader; while that cannot be reached, true:
// nobody is declared dead on a guess. A node that died counts as alive until its lease has run out.
func (b *Bus) Alive(node string) bool {
	if !ValidToken(node) {
		return false
	}
	if b.goneNode(node) != nil || !b.nc.IsConnected() {
		return true
	}
	last, err := b.lastOf(b.ctx, nodesStream, nodeSubject(node))
	if err != nil {
		return !errors.Is(err, ErrNotFound)
	}
	_, alive := parseLease(last.Header.Get(kvOperation), last.Data)
	return alive
}

// goneNode gives a channel closed when the lease of node ends; nil, which never is, when it is not known to hold one.
func (b *Bus) goneNode(node string) <-chan struct{} {
	m := b.nodes()
	m.mu.Lock()
	defer m.mu.Unlock()
	if known := m.known[node]; known != nil {
		return known.gone
	}
	return nil
}

func (m *members) tell(l *Lease) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.leases = append(m.leases, l)
}

func (m *members) untell(l *Lease) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.leases = slices.DeleteFunc(slices.Clone(m.leases), func(x *Lease) bool { return x == l })
}

func (m *members) watch() {
	ctx := m.bus.ctx
	defer m.stopTimers()
	after := uint64(0)
	for n := 0; ctx.Err() == nil; n++ {
		for e, err := range m.bus.tail(ctx, nodesStream, []string{nodeSubject("*")}, after) {
			if err != nil {
				m.bus.log.Warn("bus: watching the nodes fails", "err", err)
				break
			}
			if after = e.seq; e.caughtUp {
				continue
			}
			body, alive := parseLease(e.msg.Headers().Get(kvOperation), e.msg.Data())
			m.see(e.msg.Subject()[len(nodeSubject("")):], e.seq, body, alive)
		}
		pause(ctx, n)
	}
}

// see takes what the bucket says about a node. What is older than what we know changes nothing.
func (m *members) see(node string, seq uint64, body leaseBody, alive bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.known[node]
	switch ttl := time.Duration(body.TTL) * time.Millisecond; {
	case known != nil && seq <= known.seq, known == nil && !alive:
	case known == nil:
		m.known[node] = &member{seq: seq, ttl: ttl, heard: time.Now(), gone: make(chan struct{}), due: time.AfterFunc(ttl, func() {
			select {
			case m.suspects <- node:
			case <-m.bus.ctx.Done():
			}
		})}
	case alive:
		known.seq, known.ttl, known.heard, known.asked = seq, ttl, time.Now(), 0
		known.due.Reset(ttl)
	default:
		delete(m.known, node)
		known.due.Stop()
		close(known.gone)
		for _, l := range m.leases {
			if node != m.bus.o.Node { // its own loss the holder finds out by itself
				l.hear(node)
			}
		}
	}
}

// confirm looks at nodes that have not been heard of for the time of their lease.
func (m *members) confirm() {
	for {
		select {
		case node := <-m.suspects:
			if err := m.end(node); err != nil {
				m.bus.log.Debug("bus: a lease seems to have lapsed", "node", node, "err", err)
			}
		case <-m.bus.ctx.Done():
			return
		}
	}
}

// end takes a node's key away under the sequence last seen: who renews at this moment wins over us, or loses its lease and knows it.
// All watchers hear the outcome in the same order. Until that comes, the node is looked at again.
func (m *members) end(node string) error {
	m.mu.Lock()
	known := m.known[node]
	if known == nil {
		m.mu.Unlock()
		return nil
	}
	if left := known.ttl - time.Since(known.heard); left > 0 { // it renewed while the suspicion waited for its turn
		known.due.Reset(left)
		m.mu.Unlock()
		return nil
	}
	seq, n := known.seq, known.asked
	known.asked++
	known.due.Reset(max(known.ttl/4, 50*time.Millisecond))
	m.mu.Unlock()

	ctx, cancel := context.WithTimeout(m.bus.ctx, m.bus.attemptWithin(n)) // with a node its machine's server may have gone, which led the bucket
	defer cancel()
	last, err := m.bus.lastOf(ctx, nodesStream, nodeSubject(node))
	if errors.Is(err, ErrNotFound) { // aged away
		m.see(node, seq+1, leaseBody{}, false)
		return nil
	}
	if err != nil {
		return err
	}
	if body, alive := parseLease(last.Header.Get(kvOperation), last.Data); last.Sequence > seq {
		m.see(node, last.Sequence, body, alive)
		return nil
	}
	kv, err := m.bus.js.KeyValue(ctx, NodesBucket)
	if err == nil {
		err = kv.Delete(ctx, node, jetstream.LastRevision(seq))
	}
	return err
}

func (m *members) stopTimers() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.known {
		k.due.Stop()
	}
}
