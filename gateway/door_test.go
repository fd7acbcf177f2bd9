package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// visitors is a listener at which connections arrive from the addresses given, one after the other.
type visitors struct {
	net.Listener
	from []string
	came []*knock
}

type knock struct {
	net.Conn
	from   string
	heard  bytes.Buffer
	closed bool
}

func (k *knock) RemoteAddr() net.Addr             { return address(k.from) }
func (k *knock) Write(b []byte) (int, error)      { return k.heard.Write(b) }
func (k *knock) Read(b []byte) (int, error)       { return len(b), nil }
func (k *knock) SetWriteDeadline(time.Time) error { return nil }
func (k *knock) Close() error                     { k.closed = true; return nil }
func (v *visitors) last() *knock                  { return v.came[len(v.came)-1] }
func (k *knock) turnedAway(why string) (refusal bool) {
	text := k.heard.String()
	return k.closed && strings.HasPrefix(text, "HTTP/1.1 503 ") && strings.Contains(text, "Retry-After: 5\r\n") &&
		strings.Contains(text, `"code":"busy"`) && strings.Contains(text, why)
}

type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

func (v *visitors) Accept() (net.Conn, error) {
	if len(v.from) == 0 {
		return nil, io.EOF
	}
	k := &knock{from: v.from[0]}
	v.from, v.came = v.from[1:], append(v.came, k)
	return k, nil
}

func TestDoorTurnsAwayWhoIsTooMany(t *testing.T) {
	v := &visitors{from: []string{"203.0.113.7:1", "203.0.113.7:2", "203.0.113.7:3", "[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1",
		"127.0.0.1:1", "127.0.0.1:2", "[::ffff:203.0.113.7]:4", "127.0.0.1:3", "127.0.0.1:4"}}
	d := newDoor(v, 7, 2)
	var in []net.Conn
	for {
		c, err := d.Accept()
		if errors.Is(err, io.EOF) {
			break
		}
		in = append(in, c)
	}
	for i, why := range []string{"", "", "your address", "", "", "your address", "", "", "your address", "", "no more connections"} {
		if k := v.came[i]; why == "" && k.closed || why != "" && !k.turnedAway(why) {
			t.Errorf("%s: want %q, closed %v, %q", k.from, why, k.closed, k.heard.String())
		}
	}
	in[0].Close()
	in[0].Close() // net/http does so
	v.from = []string{"203.0.113.7:5", "203.0.113.7:6"}
	if c, err := d.Accept(); err != nil || c.RemoteAddr().String() != "203.0.113.7:5" {
		t.Fatal("no room after one had gone")
	}
	if _, err := d.Accept(); !errors.Is(err, io.EOF) || !v.last().turnedAway("") {
		t.Fatal("closing one twice made room for two")
	}
}

// Those who are turned away take nobody's turn, and one that comes and goes no more than its part.
func TestDoorKeepsOneAddressFromTheTurnsOfOthers(t *testing.T) {
	for name, opens := range map[string]bool{"one that is over its bound": true, "one that comes and goes": false} {
		synctest.Test(t, func(t *testing.T) {
			v, d, begun := &visitors{}, (*door)(nil), time.Now()
			for range 5000 {
				v.from = append(v.from, "203.0.113.7:1")
			}
			v.from = append(v.from, "198.51.100.1:1")
			for d = newDoor(v, 1<<20, 200); ; {
				c, err := d.Accept()
				if err != nil {
					t.Fatal(err)
				}
				if c.RemoteAddr().String() == "198.51.100.1:1" {
					break
				}
				if !opens {
					c.Close()
				}
			}
			if took := time.Since(begun); took > 0 {
				t.Errorf("behind 5,000 connections of %s another one waited %v", name, took)
			}
			if c := d.per[addressOf(v.came[0])]; c.pace.fill() >= 1 {
				t.Error("nobody was turned away")
			}
			time.Sleep(time.Second)
			v.from = []string{"203.0.113.7:1"}
			if _, err := d.Accept(); (err == nil) == opens {
				t.Errorf("%s, a second later: %v", name, err)
			}
		})
	}
}

// Addresses are forgotten when they are as good as new, and not before.
func TestDoorForgetsAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &visitors{from: []string{"203.0.113.7:1"}}
		d := newDoor(v, 1<<20, 1)
		if _, err := d.Accept(); err != nil { // and stays
			t.Fatal(err)
		}
		most := 0
		for i := range 100_000 {
			v.from, v.came = []string{fmt.Sprintf("[2001:db8:%x:%x::1]:1", i>>16, i&0xffff)}, nil
			c, err := d.Accept()
			if err != nil {
				t.Fatal(err)
			}
			c.Close()
			most = max(most, len(d.per))
		}
		if most > 3*arrivalBurst+leastSweep {
			t.Errorf("%d addresses are remembered of 100,000", most)
		}
		v.from = []string{"203.0.113.7:2"}
		if _, err := d.Accept(); !errors.Is(err, io.EOF) {
			t.Errorf("one that is inside was forgotten: %v", err)
		}
	})
}

// A storm is let in as fast as agreed and no faster.
func TestDoorLetsAStormInSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &visitors{}
		for range arrivalBurst + arrivalRate {
			v.from = append(v.from, "127.0.0.1:1")
		}
		d, begun := newDoor(v, 1<<20, -1), time.Now()
		for range arrivalBurst {
			d.Accept()
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("the first took %v", took)
		}
		for range arrivalRate {
			d.Accept()
		}
		if took := time.Since(begun); took < 990*time.Millisecond || took > 1010*time.Millisecond {
			t.Errorf("the rest took %v", took)
		}
	})
}

// A message without an end costs more and more; ordinary ones, however many, do not.
func TestPaceHoldsAnEndlessMessageBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for endless, want := range map[bool]time.Duration{false: 9 * time.Second, true: 54 * time.Second} {
			p, begun, b := newPaced(&knock{}), time.Now(), make([]byte, 1<<10)
			for range (paceBurst + 9*paceRate) / (len(b) + frameCost) {
				p.Read(b)
				if endless {
					p.spend(frameCost)
				} else {
					p.message()
				}
			}
			if took := time.Since(begun); took < want-time.Second || took > want+time.Second {
				t.Errorf("endless %v: took %v, want %v", endless, took, want)
			}
		}
	})
}

// Whoever sends more than agreed waits, until the connection is closed.
func TestPaceHoldsAFloodBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, begun := newPaced(&knock{}), time.Now()
		for range paceBurst / frameCost {
			p.spend(frameCost)
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("a burst took %v", took)
		}
		for range 10 * paceRate / frameCost {
			p.spend(frameCost)
		}
		if took := time.Since(begun).Round(10 * time.Millisecond); took != 10*time.Second {
			t.Errorf("ten seconds' worth took %v", took)
		}
		time.AfterFunc(time.Second, func() { p.Close() })
		p.spend(1 << 30)
		if took := time.Since(begun).Round(10 * time.Millisecond); took != 11*time.Second {
			t.Errorf("the wait did not end with the connection, but after %v", took)
		}
	})
}
