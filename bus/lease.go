package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// leaseBody is the value of a node's key. Whoever watches measures by its own clock how long the key has not changed, so no two
// clocks are compared; the server's own expiry is not used because its unit is whole seconds and its marks say less.
type leaseBody struct {
	Holder string `json:"holder"` // one life of the node: two processes with the same name are two holders
	TTL    int64  `json:"ttl_ms"`
	// Orderly: the node's life before this one ended in good order.
	Orderly bool `json:"orderly,omitempty"`
}

// Lease says to the other nodes that this one is alive.
type Lease struct {
	bus    *Bus
	kv     jetstream.KeyValue
	lost   chan struct{}
	lapsed chan string
	cancel context.CancelFunc
	ended  chan struct{}

	mu     sync.Mutex
	others []string      // whose lease lapsed, not yet told; at most one for each node that ever was, and they are few
	news   chan struct{} // others has grown

	// Below: only the goroutine of run.
	body  leaseBody
	rev   uint64
	until time.Time // after that others may have taken over
}

// Lease joins the nodes and stays until [Lease.Close]. When another process holds the name it waits until that one's lease lapses
// or ctx ends. One lease a bus.
func (b *Bus) Lease(ctx context.Context) (*Lease, error) {
	kv, err := b.nodesBucket(ctx)
	if err != nil {
		return nil, fmt.Errorf("lease: %w", err)
	}
	l := &Lease{bus: b, kv: kv, lost: make(chan struct{}, 1), lapsed: make(chan string), news: make(chan struct{}, 1), ended: make(chan struct{})}
	members := b.nodes()
	for n := 0; ; n++ {
		if err = l.join(ctx); err == nil {
			break
		}
		if !pause(ctx, n) {
			if errors.Is(err, jetstream.ErrKeyExists) {
				err = errors.New("another process has it")
			}
			return nil, fmt.Errorf("lease for node %s: %w: %w", b.o.Node, ctx.Err(), err)
		}
	}
	run, cancel := context.WithCancel(b.ctx)
	l.cancel = cancel
	members.tell(l)
	b.done.Go(func() {
		defer close(l.ended)
		defer members.untell(l)
		l.run(run)
		l.giveUp()
	})
	return l, nil
}

// nodesBucket opens the bucket of the nodes, and tries until ctx ends: a node may come just when the servers choose a leader.
func (b *Bus) nodesBucket(ctx context.Context) (jetstream.KeyValue, error) {
	for n := 0; ; n++ {
		try, cancel := context.WithTimeout(ctx, apiTimeout)
		kv, err := b.js.KeyValue(try, NodesBucket)
		cancel()
		if err == nil || errors.Is(err, jetstream.ErrBucketNotFound) {
			return kv, err
		}
		b.log.Log(ctx, loudness(n), "bus: the bucket of the nodes does not answer yet", "err", err)
		if !pause(ctx, n) {
			return nil, fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}
}

// Lost gets a value each time the lease could not be renewed for its whole time. Others take over then: stop appending, let go of
// everything. The lease comes back by itself, and then [Lease.Lapsed] names this node too, for what nobody else took.
func (l *Lease) Lost() <-chan struct{} { return l.lost }

// Lapsed gives the nodes whose lease ended since we joined, by death or by Close, each confirmed by a read from the leader. Every node
// hears of each. Who does not read holds up nobody.
func (l *Lease) Lapsed() <-chan string { return l.lapsed }

// Close gives the lease up, so that the others need not wait. The bus stays usable.
func (l *Lease) Close() {
	l.cancel()
	<-l.ended
}

func (l *Lease) join(ctx context.Context) error {
	try, cancel := context.WithTimeout(ctx, l.bus.o.LeaseTTL)
	defer cancel()
	l.body = leaseBody{nuid.Next(), l.bus.o.LeaseTTL.Milliseconds(), l.bus.LeftInOrder(try, l.bus.o.Node)}
	body, err := json.Marshal(l.body)
	if err != nil {
		return err
	}
	sent := time.Now()
	if l.rev, err = l.kv.Create(try, l.bus.o.Node, body); err == nil {
		l.until = sent.Add(l.bus.o.LeaseTTL)
	}
	return err
}

func (l *Lease) run(ctx context.Context) {
	renew := time.NewTimer(l.bus.o.LeaseTTL / 3)
	defer renew.Stop()
	for {
		out, first := l.next()
		select {
		case <-ctx.Done():
			return
		case <-l.news:
		case out <- first:
			l.mu.Lock()
			l.others = l.others[1:]
			l.mu.Unlock()
		case <-renew.C:
			if !l.renew(ctx) {
				l.bus.log.Error("bus: the lease is lost; other nodes take over", "node", l.bus.o.Node)
				select {
				case l.lost <- struct{}{}:
				default:
				}
				if !l.rejoin(ctx) {
					return
				}
				l.hear(l.bus.o.Node)
			}
			renew.Reset(l.bus.o.LeaseTTL / 3)
		}
	}
}

// next is the first node to tell, and where; nowhere when there is none.
func (l *Lease) next() (chan<- string, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.others) == 0 {
		return nil, ""
	}
	return l.lapsed, l.others[0]
}

func (l *Lease) hear(node string) {
	l.mu.Lock()
	l.others = append(l.others, node)
	l.mu.Unlock()
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// renew tries until it is done, or until the lease is lost.
func (l *Lease) renew(ctx context.Context) bool {
	body, err := json.Marshal(l.body)
	if err != nil {
		return false
	}
	for n := 0; time.Now().Before(l.until) && ctx.Err() == nil; n++ {
		sent := time.Now()
		try, cancel := context.WithDeadline(ctx, earlier(l.until, sent.Add(l.bus.o.LeaseTTL/3)))
		rev, err := l.kv.Update(try, l.bus.o.Node, body, l.rev)
		if err != nil && code(err) == jetstream.JSErrCodeStreamWrongLastSequence {
			// Ours after all if an acknowledgement was lost; then the next attempt stands on what is there.
			var mine bool
			if rev, mine, err = l.mine(try); err == nil && !mine {
				cancel()
				return false
			} else if err == nil {
				l.rev = rev
				cancel()
				continue
			}
		}
		cancel()
		if err == nil {
			l.rev, l.until = rev, sent.Add(l.bus.o.LeaseTTL)
			return true
		}
		wait, stop := context.WithDeadline(ctx, l.until)
		pause(wait, min(n, 2))
		stop()
	}
	return ctx.Err() != nil // ending is not losing
}

func (l *Lease) mine(ctx context.Context) (rev uint64, mine bool, err error) {
	m, err := l.bus.lastOf(ctx, nodesStream, nodeSubject(l.bus.o.Node))
	if errors.Is(err, ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	body, alive := parseLease(m.Header.Get(kvOperation), m.Data)
	return m.Sequence, alive && body.Holder == l.body.Holder, nil
}

// rejoin takes the old key away, so that all others hear that the old life ended, and begins a new one.
func (l *Lease) rejoin(ctx context.Context) bool {
	for n := 0; ; n++ {
		try, cancel := context.WithTimeout(ctx, l.bus.o.LeaseTTL)
		rev, mine, err := l.mine(try)
		if err == nil && mine {
			err = l.kv.Delete(try, l.bus.o.Node, jetstream.LastRevision(rev))
		}
		cancel()
		if err == nil {
			if err = l.join(ctx); err == nil {
				l.bus.log.Info("bus: the lease is back", "node", l.bus.o.Node)
				return true
			}
		}
		if !pause(ctx, n) {
			return false
		}
	}
}

func (l *Lease) giveUp() {
	if !l.bus.nc.IsConnected() {
		return // it lapses by itself
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second) // ours has ended
	defer cancel()
	rev, mine, err := l.mine(ctx)
	if err == nil && mine {
		m := nats.NewMsg(nodeSubject(l.bus.o.Node)) // what a Delete of the bucket publishes, and that it was no death
		m.Header.Set(kvOperation, kvDeleted)
		m.Header.Set(HeaderOrderly, "true")
		if _, err = l.bus.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(rev)); err == nil {
			l.bus.nodes().see(l.bus.o.Node, rev+1, leaseBody{}, false) // we need not wait to hear it
		}
	}
	if err != nil {
		l.bus.log.Debug("bus: giving up the lease; it lapses by itself", "err", err)
	}
}

// LeftInOrder reports whether a node gave its lease up by itself, in its newest life that has ended: by [Lease.Close] rather than by death. False when that
// cannot be known: it died, never was, is gone for longer than the bucket keeps a mark (an hour), or the bucket does not answer.
func (b *Bus) LeftInOrder(ctx context.Context, node string) bool {
	if !ValidToken(node) {
		return false
	}
	last, err := b.lastOf(ctx, nodesStream, nodeSubject(node))
	if err != nil {
		return false
	}
	if body, alive := parseLease(last.Header.Get(kvOperation), last.Data); alive {
		return body.Orderly
	}
	return last.Header.Get(HeaderOrderly) == "true"
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

const (
	kvOperation = "KV-Operation" // header of a mark of deletion
	kvDeleted   = "DEL"
	nodesStream = "KV_" + NodesBucket
)

func nodeSubject(node string) string { return "$KV." + NodesBucket + "." + node }

// parseLease reads a node's key; alive is false for a mark of deletion and for what is no lease.
func parseLease(operation string, value []byte) (body leaseBody, alive bool) {
	if operation != "" || json.Unmarshal(value, &body) != nil || body.Holder == "" || body.TTL <= 0 {
		return leaseBody{}, false
	}
	return body, true
}
