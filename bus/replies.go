package bus

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// replies hands out reply subjects below one wildcard subscription, so that neither a call nor a stored message costs a subscription,
// and what ends the connection is told to all who wait without anything of theirs being asked.
type replies struct {
	mu      sync.Mutex
	prefix  string // of every reply subject
	n       uint64
	waiting map[string]*expected // by the last token
	over    bool                 // the bus is closed
}

// expected is one reply subject and what has come to it. One goroutine reads it.
type expected struct {
	subject string
	ready   chan struct{} // holds a value when there is something to take

	of    *replies
	token string
	most  int // messages that wait here; beyond it the oldest go, since the last is the answer
	queue []*nats.Msg
	first [1]*nats.Msg // where queue begins: most requests have one reply
	ended error        // why nothing more will come

	// then, when not nil, is called with the first message, or with why there is none within that time, instead of anything being kept; late
	// ends the wait.
	then   func(*nats.Msg, error)
	within time.Duration
	late   *time.Timer
}

// Why nothing more comes to a reply subject.
var (
	errLost     = errors.New("the connection was lost while waiting")
	errNoAnswer = errors.New("no answer in time")
)

// open subscribes, once, before anything is expected.
func (r *replies) open(nc *nats.Conn) error {
	r.mu.Lock() // the connection may be lost again already
	defer r.mu.Unlock()
	r.prefix, r.waiting = nc.NewInbox()+".", map[string]*expected{}
	_, err := nc.Subscribe(r.prefix+"*", r.deliver)
	return err
}

// expect makes a reply subject for at most most messages at a time; the caller closes it. What is lost after this is told to it.
func (r *replies) expect(most int) (*expected, error) {
	e := &expected{ready: make(chan struct{}, 1), most: most}
	e.queue = e.first[:0]
	return e, r.add(e)
}

// add gives e its subject, and begins its time if a function waits.
func (r *replies) add(e *expected) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return nats.ErrConnectionClosed
	}
	r.n++
	e.of, e.subject = r, string(strconv.AppendUint([]byte(r.prefix), r.n, 36))
	e.token = e.subject[len(r.prefix):]
	r.waiting[e.token] = e
	if e.then != nil {
		e.late = time.AfterFunc(e.within, func() { e.fail(errNoAnswer) })
	}
	return nil
}

func (r *replies) deliver(m *nats.Msg) {
	if then := r.keep(m); then != nil {
		then(m, nil)
	}
}

// keep puts a message where it is waited for. Where a function waits for it, that is given back, to be called.
func (r *replies) keep(m *nats.Msg) func(*nats.Msg, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.waiting[strings.TrimPrefix(m.Subject, r.prefix)]
	if e == nil { // nobody waits any more
		return nil
	}
	if e.then != nil {
		return e.leave()
	}
	if len(e.queue) == e.most {
		e.queue = append(e.queue[:0], e.queue[1:]...)
	}
	e.queue = append(e.queue, m)
	e.wake()
	return nil
}

// leave takes what a function waits for out of the waiting, under the lock.
func (e *expected) leave() func(*nats.Msg, error) {
	delete(e.of.waiting, e.token)
	e.late.Stop()
	return e.then
}

// fail tells the function that waits why there is no answer, unless it has been called.
func (e *expected) fail(err error) {
	e.of.mu.Lock()
	waits := e.of.waiting[e.token] == e
	if waits {
		e.leave()
	}
	e.of.mu.Unlock()
	if waits {
		e.then(nil, err)
	}
}

// lose tells all who wait that nothing more will come.
func (r *replies) lose(err error, over bool) {
	var thens []func(*nats.Msg, error)
	defer func() {
		for _, then := range thens {
			then(nil, err)
		}
	}()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = r.over || over
	for _, e := range r.waiting {
		if e.then != nil {
			thens = append(thens, e.leave())
			continue
		}
		if e.ended == nil {
			e.ended = err
		}
		e.wake()
	}
}

func (e *expected) wake() {
	select {
	case e.ready <- struct{}{}:
	default:
	}
}

// take gives the next message, in the order in which they came; nil when there is none now. The error, after the last message, says
// that there never will be.
func (e *expected) take() (*nats.Msg, error) {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	if len(e.queue) == 0 {
		return nil, e.ended
	}
	m := e.queue[0]
	e.queue[0] = nil
	e.queue = e.queue[1:]
	if len(e.queue) == 0 {
		e.queue = e.first[:0]
	}
	return m, nil
}

// next waits for a message until timeout fires or ctx ends.
func (e *expected) next(ctx context.Context, timeout *time.Timer) (*nats.Msg, error) {
	for {
		if m, err := e.take(); m != nil || err != nil {
			return m, err
		}
		select {
		case <-e.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-timeout.C:
			return nil, errNoAnswer
		}
	}
}

// close forgets the subject; what comes to it later is dropped.
func (e *expected) close() {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	delete(e.of.waiting, e.token)
}

// request asks the server and gives its one answer, within apiTimeout. Its errors can be tried again, but for [nats.ErrConnectionClosed]
// and ctx's.
func (b *Bus) request(ctx context.Context, subject string, header nats.Header, body []byte) (*nats.Msg, error) {
	return b.requestWithin(ctx, apiTimeout, subject, header, body)
}

// requestWithin is request for those who know how long to wait.
func (b *Bus) requestWithin(ctx context.Context, within time.Duration, subject string, header nats.Header, body []byte) (*nats.Msg, error) {
	e, err := b.replies.expect(1)
	if err != nil {
		return nil, err
	}
	defer e.close()
	if err := b.nc.PublishMsg(&nats.Msg{Subject: subject, Reply: e.subject, Header: header, Data: body}); err != nil {
		return nil, err
	}
	timeout := time.NewTimer(within)
	defer timeout.Stop()
	m, err := e.next(ctx, timeout)
	if err == nil && nobodyThere(m) {
		err = nats.ErrNoResponders
	}
	return m, err
}

// requestThen sends m and has then called with the one answer to it, as request would give it, or with why there is none: once, on a
// goroutine of the bus or of the caller.
func (b *Bus) requestThen(m *nats.Msg, then func(*nats.Msg, error)) {
	e := &expected{within: b.attemptWithin(0), then: func(m *nats.Msg, err error) {
		if err == nil && nobodyThere(m) {
			err = nats.ErrNoResponders
		}
		then(m, err)
	}}
	if err := b.replies.add(e); err != nil {
		then(nil, err)
		return
	}
	m.Reply = e.subject
	if err := b.nc.PublishMsg(m); err != nil {
		e.fail(err)
	}
}

// nobodyThere tells the server's word that nobody listens on the subject asked.
func nobodyThere(m *nats.Msg) bool { return len(m.Data) == 0 && m.Header.Get("Status") == "503" }
