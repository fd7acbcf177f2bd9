package drill

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Ways in which a proxy troubles the connections through it.
const (
	flowing = ""        // it does not
	slow    = "slow"    // every piece waits a while
	stalled = "stalled" // nothing passes, and nobody is told
	deaf    = "deaf"    // nothing passes to the one who connected
	mute    = "mute"    // nothing passes from the one who connected
	refused = "refused" // every connection is cut, and new ones too
)

// proxy passes TCP connections on to an address and troubles them when it is told to. Nothing is ever lost or changed inside a
// connection that lives: that is what TCP promises.
type proxy struct {
	name     string
	listener net.Listener
	target   func() string // where to; may change between connections
	work     sync.WaitGroup

	met atomic.Int64 // connections cut and refused, and pieces held up

	mu     sync.Mutex
	mood   mood
	links  map[*link]struct{}
	closed bool
}

// mood is how a proxy behaves until it changes.
type mood struct {
	way   string
	delay time.Duration // of slow
	over  chan struct{} // closed when the mood changes
}

// link is one connection through the proxy.
type link struct{ near, far net.Conn }

func newProxy(name string, target func() string) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{name: name, listener: l, target: target, links: map[*link]struct{}{}, mood: mood{over: make(chan struct{})}}
	p.work.Go(p.accept)
	return p, nil
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

func (p *proxy) accept() {
	for {
		near, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond) // out of files for a moment
			continue
		}
		p.work.Go(func() { p.carry(near) })
	}
}

func (p *proxy) carry(near net.Conn) {
	defer func() { _ = near.Close() }() // it may have been cut
	if p.now().way == refused {
		p.met.Add(1)
		abort(near)
		return
	}
	far, err := net.DialTimeout("tcp", p.target(), 2*time.Second)
	if err != nil {
		abort(near)
		return
	}
	defer func() { _ = far.Close() }()
	l := &link{near, far}
	p.mu.Lock()
	if p.closed || p.mood.way == refused {
		p.mu.Unlock()
		abort(near)
		return
	}
	p.links[l] = struct{}{}
	p.mu.Unlock()
	gone := make(chan struct{})
	var both sync.WaitGroup
	both.Go(func() { p.pass(far, near, mute, gone) })
	both.Go(func() { p.pass(near, far, deaf, gone) })
	// Either direction's end is the end of both: neither NATS nor WebSocket uses half a connection.
	done := make(chan struct{})
	go func() { both.Wait(); close(done) }()
	<-done
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

// pass copies one direction; blocked is the mood that stops this one alone. It ends the other direction with its own.
func (p *proxy) pass(to, from net.Conn, blocked string, gone chan struct{}) {
	defer func() {
		p.mu.Lock()
		select {
		case <-gone:
		default:
			close(gone)
		}
		p.mu.Unlock()
		_, _ = to.Close(), from.Close() // they may have been cut
	}()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 && (!p.gate(blocked, gone) || write(to, buf[:n]) != nil) {
			return
		}
		if err != nil {
			return
		}
	}
}

func write(to net.Conn, b []byte) error {
	if err := to.SetWriteDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return err
	}
	_, err := to.Write(b)
	return err
}

// gate waits until bytes may pass; false: the connection has ended.
func (p *proxy) gate(blocked string, gone <-chan struct{}) bool {
	for {
		m := p.now()
		var wait <-chan time.Time
		switch {
		case m.way == slow:
			t := time.NewTimer(m.delay)
			defer t.Stop()
			wait = t.C
		case m.way != stalled && m.way != blocked:
			return true
		}
		p.met.Add(1)
		select {
		case <-wait:
			return true
		case <-m.over:
		case <-gone:
			return false
		}
	}
}

func (p *proxy) now() mood {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mood
}

// be changes the mood. refused cuts what there is.
func (p *proxy) be(way string, delay time.Duration) {
	p.mu.Lock()
	close(p.mood.over)
	p.mood = mood{way: way, delay: delay, over: make(chan struct{})}
	p.mu.Unlock()
	if way == refused {
		p.cut()
	}
}

// cut breaks every connection with a reset.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.met.Add(int64(len(p.links)))
	for l := range p.links {
		abort(l.near)
		abort(l.far)
	}
}

// busy reports whether anybody is connected through it.
func (p *proxy) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.links) > 0
}

// during has a mood for a while.
func (p *proxy) during(ctx context.Context, way string, delay, d time.Duration) {
	p.be(way, delay)
	_ = wait(ctx, d) // ended early: it flows again all the sooner
	p.be(flowing, 0)
}

// close ends it and every connection through it.
func (p *proxy) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.listener.Close()
	p.be(refused, 0)
	p.work.Wait()
}

// abort closes with a reset, as a machine does that is switched off and on.
func abort(c io.Closer) {
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0) // best effort: it is closed either way
	}
	_ = c.Close()
}
