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

// door is a listener that lets in a bounded number of connections, in all and from one address, and no more at a time than agreed. Whoever
// is too many is answered with 503 without being read, so that it costs neither memory nor a goroutine, nor anybody else's turn.
type door struct {
	net.Listener
	most, mostPerAddress int // mostPerAddress below 0: no bound

	pace bucket // Accept's, which runs in one goroutine

	mu    sync.Mutex
	all   int
	per   map[netip.Prefix]*caller // those who are inside, or were until lately
	sweep int                      // when per has so many, those who can be forgotten are
}

// caller is an address that somebody comes from.
type caller struct {
	open int    // connections
	pace bucket // of those let in
}

func newDoor(l net.Listener, most, mostPerAddress int) *door {
	return &door{Listener: l, most: most, mostPerAddress: mostPerAddress, per: map[netip.Prefix]*caller{}, pace: newBucket(arrivalRate, arrivalBurst)}
}

const (
	// So many connections a second are let in, and so many at once; the rest wait in the kernel's queue, where they cost nothing. A
	// handshake costs 0.2 ms, so a storm of reconnects takes a fifth of a core from those who stayed, and 2,000 are back in 2 s.
	arrivalRate  = 1000
	arrivalBurst = 500
	// callerRate is how many of them may be from one address, which may also open all that it may have at once. Otherwise one that comes and
	// goes would take the turns of all.
	callerRate = arrivalRate / 10
	// leastSweep is the fewest callers that are worth looking through.
	leastSweep = 1024
)

// Accept waits for the next connection that is let in.
func (d *door) Accept() (net.Conn, error) {
	for {
		c, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := addressOf(c)
		switch d.enter(from) {
		case inside:
			time.Sleep(d.pace.spend(1))
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
	if from.IsValid() && d.mostPerAddress >= 0 {
		c := d.caller(from)
		if c.open >= d.mostPerAddress || c.pace.fill() < 1 {
			return tooManyOfOne
		}
		c.pace.spend(1)
		c.open++
	}
	d.all++
	return inside
}

// caller gives the entry of an address. Entries are made no faster than connections are let in and forgotten when they are as good as new, so
// there are at most twice as many as can be of use.
func (d *door) caller(from netip.Prefix) *caller {
	c := d.per[from]
	if c != nil {
		return c
	}
	if len(d.per) >= max(d.sweep, leastSweep) {
		for from, c := range d.per {
			if c.open == 0 && c.pace.fill() == c.pace.most {
				delete(d.per, from)
			}
		}
		d.sweep = 2 * len(d.per)
	}
	c = &caller{pace: newBucket(callerRate, float64(max(d.mostPerAddress, callerRate)))}
	d.per[from] = c
	return c
}

func (d *door) leave(from netip.Prefix) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all--
	if c := d.per[from]; c != nil {
		c.open--
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
