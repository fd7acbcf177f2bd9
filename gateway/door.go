package gateway

import (
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// door is a listener that lets in a bounded number of connections, in all and from one address. Whoever is too many is answered with
// 503 without being read, so that it costs neither memory nor a goroutine.
type door struct {
	net.Listener
	most, mostPerAddress int // mostPerAddress below 0: no bound

	// Accept's, which runs in one goroutine: how many may still come at once, and when that was so.
	left float64
	at   time.Time

	mu  sync.Mutex
	all int
	per map[netip.Prefix]int
}

func newDoor(l net.Listener, most, mostPerAddress int) *door {
	return &door{Listener: l, most: most, mostPerAddress: mostPerAddress, per: map[netip.Prefix]int{}, left: arrivalBurst, at: time.Now()}
}

// So many connections a second are let in, and so many at once; the rest wait in the kernel's queue, where they cost nothing. A handshake
// costs 0.2 ms, so a storm of reconnects takes a fifth of a core from those who stayed, and 2,000 are back in 2 s.
const (
	arrivalRate  = 1000
	arrivalBurst = 500
)

// pace waits until the next one may come.
func (d *door) pace() {
	now := time.Now()
	d.left = min(d.left+now.Sub(d.at).Seconds()*arrivalRate, arrivalBurst) - 1
	d.at = now
	if d.left < 0 {
		time.Sleep(time.Duration(-d.left / arrivalRate * float64(time.Second)))
	}
}

// Accept waits for the next connection that is let in.
func (d *door) Accept() (net.Conn, error) {
	for {
		d.pace()
		c, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := addressOf(c)
		switch d.enter(from) {
		case inside:
			return &visitor{Conn: c, leave: sync.OnceFunc(func() { d.leave(from) })}, nil
		case tooMany:
			turnAway(c, "no more connections are taken now; try again later")
		case tooManyOfOne:
			turnAway(c, "too many connections from your address; close some, or try again later")
		}
	}
}

// What becomes of a connection at the door.
const (
	inside = iota
	tooMany
	tooManyOfOne
)

func (d *door) enter(from netip.Prefix) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all >= d.most {
		return tooMany
	}
	if from.IsValid() {
		if d.mostPerAddress >= 0 && d.per[from] >= d.mostPerAddress {
			return tooManyOfOne
		}
		d.per[from]++
	}
	d.all++
	return inside
}

func (d *door) leave(from netip.Prefix) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all--
	if !from.IsValid() {
		return
	}
	if d.per[from]--; d.per[from] == 0 {
		delete(d.per, from)
	}
}

// addressOf is what is counted as one address: an IPv4 address, a /64 of IPv6, which is what one household gets. Invalid: not counted.
func addressOf(c net.Conn) netip.Prefix {
	at, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil || at.Addr().IsLoopback() {
		return netip.Prefix{}
	}
	bits := 64
	ip := at.Addr().Unmap().WithZone("")
	if ip.Is4() {
		bits = 32
	}
	p, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}

// turnAway answers whatever is asked with 503. The answer fits into the socket's empty buffer, so nobody waits.
func turnAway(c net.Conn, why string) {
	body := `{"code":"busy","message":"` + why + `","retryable":true}` + "\n"
	res := http.Response{StatusCode: http.StatusServiceUnavailable, ProtoMajor: 1, ProtoMinor: 1, Close: true, ContentLength: int64(len(body)),
		Header: http.Header{"Content-Type": {"application/json"}, "Retry-After": {"5"}}, Body: io.NopCloser(strings.NewReader(body))}
	_ = c.SetWriteDeadline(time.Now().Add(time.Second))
	_ = res.Write(c) // whoever has gone already needs no answer
	_ = c.Close()
}

// visitor is a connection that was let in.
type visitor struct {
	net.Conn
	leave func()
}

// Close makes room at the door.
func (v *visitor) Close() error {
	v.leave()
	return v.Conn.Close()
}

// bare takes our wrapping away, so that what is written can go to the system in one piece.
func bare(c net.Conn) net.Conn {
	if v, ok := c.(*visitor); ok {
		return v.Conn
	}
	return c
}
