package gateway

import (
	"bufio"
	"net"
	"net/http"
	"sync"
	"time"
)

// What a client may send: paceBurst at once, and paceRate a second from then on, in bytes. A frame costs frameCost besides, also a ping or
// pong, and a follow followCost, for it may have the log read. So 16 frames or one follow a second, and 256 or 16 at once: a person's
// programs are far below. What is read of one message beyond messageBytes costs endlessCost times as much: it can only be in thousands of
// pieces with nothing in them, each of which is work.
const (
	paceRate     = 64 << 10
	paceBurst    = 1 << 20
	frameCost    = 4 << 10
	followCost   = 60 << 10
	messageBytes = 2 * maxFrame
	endlessCost  = 16
)

// bucket holds what may be spent at once, and fills up again evenly. Make one with [newBucket]; it is one goroutine's at a time.
type bucket struct {
	rate, most float64 // a second; at once
	left       float64 // below 0 it is owed
	at         time.Time
}

func newBucket(rate, most float64) bucket {
	return bucket{rate: rate, most: most, left: most, at: time.Now()}
}

// fill is what may be spent now.
func (b *bucket) fill() float64 {
	now := time.Now()
	b.left = min(b.left+now.Sub(b.at).Seconds()*b.rate, b.most)
	b.at = now
	return b.left
}

// spend takes cost, and gives how long to wait until it is paid for; 0 or less: not at all.
func (b *bucket) spend(cost float64) time.Duration {
	b.left = b.fill() - cost
	return time.Duration(-b.left / b.rate * float64(time.Second))
}

// paced is a connection that is read no faster than agreed. A flood backs up to its sender, without an error and at nobody else's
// cost. Reads and spend are one goroutine's.
type paced struct {
	net.Conn
	left bucket // bytes
	part int    // bytes read since the last message ended
	once sync.Once
	done chan struct{} // closed by Close
}

func newPaced(c net.Conn) *paced {
	return &paced{Conn: c, left: newBucket(paceRate, paceBurst), done: make(chan struct{})}
}

func (p *paced) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	if p.part += n; p.part > messageBytes {
		p.spend(n * endlessCost)
	} else {
		p.spend(n)
	}
	return n, err
}

// message ends what counts as one message and has it paid for.
func (p *paced) message() {
	p.part = 0
	p.spend(frameCost)
}

// spend waits until cost is paid for, or the connection is closed.
func (p *paced) spend(cost int) {
	wait := p.left.spend(float64(cost))
	if wait <= 0 {
		return
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-p.done:
	}
}

// Close ends a wait of the reader, too.
func (p *paced) Close() error {
	p.once.Do(func() { close(p.done) })
	return p.Conn.Close()
}

// pacedHijack gives a paced connection to whoever hijacks it.
type pacedHijack struct {
	http.ResponseWriter
	conn *paced // set by Hijack
}

// Hijack implements [http.Hijacker].
func (h *pacedHijack) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.conn = newPaced(c)
	return h.conn, rw, nil
}
