package gateway

import (
	"bufio"
	"net"
	"net/http"
	"sync"
	"time"
)

// What a client may send: paceBurst at once, and paceRate a second from then on, in bytes. A frame costs frameCost besides, a ping or
// pong pingCost, a follow followCost, for it may have the log read. So 64 frames or 4 follows a second, and 256 or 16 at once: a
// person's programs are far below.
const (
	paceRate   = 256 << 10
	paceBurst  = 1 << 20
	frameCost  = 4 << 10
	pingCost   = 512
	followCost = 60 << 10
)

// paced is a connection that is read no faster than agreed. A flood backs up to its sender, without an error and at nobody else's
// cost. Reads and spend are one goroutine's.
type paced struct {
	net.Conn
	left float64 // bytes
	at   time.Time
	once sync.Once
	done chan struct{} // closed by Close
}

func newPaced(c net.Conn) *paced {
	return &paced{Conn: c, left: paceBurst, at: time.Now(), done: make(chan struct{})}
}

func (p *paced) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	p.spend(n)
	return n, err
}

// spend waits until cost is paid for, or the connection is closed.
func (p *paced) spend(cost int) {
	now := time.Now()
	p.left = min(p.left+now.Sub(p.at).Seconds()*paceRate, paceBurst) - float64(cost)
	p.at = now
	if p.left >= 0 {
		return
	}
	t := time.NewTimer(time.Duration(-p.left / paceRate * float64(time.Second)))
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
