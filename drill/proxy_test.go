package drill

import (
	"io"
	"net"
	"testing"
	"time"
)

// echo answers every byte with itself.
func echo(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, c); c.Close() }()
		}
	}()
	return l.Addr().String()
}

// A proxy in a mood holds bytes back or cuts, loses none of a connection that lives, and flows again afterwards.
func TestProxyMoods(t *testing.T) {
	at := echo(t)
	p, err := newProxy("test", func() string { return at })
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", p.addr())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	say := func(c net.Conn, b byte) { _, _ = c.Write([]byte{b}) }
	hear := func(c net.Conn, within time.Duration) (byte, error) {
		buf := make([]byte, 1)
		_ = c.SetReadDeadline(time.Now().Add(within))
		_, err := c.Read(buf)
		return buf[0], err
	}
	c := dial()
	for i, way := range []string{flowing, slow, stalled, deaf, mute} {
		p.be(way, 5*time.Millisecond)
		say(c, byte(i))
		if way != flowing && way != slow {
			if b, err := hear(c, 30*time.Millisecond); err == nil {
				t.Errorf("%s: %d came through", way, b)
			}
			p.be(flowing, 0)
		}
		if b, err := hear(c, 5*time.Second); err != nil || b != byte(i) {
			t.Errorf("%s: %d, %v", way, b, err)
		}
	}
	met := p.met.Load()
	if p.cut(); p.met.Load() != met+1 {
		t.Errorf("%d connections cut", p.met.Load()-met)
	}
	if _, err := hear(c, 5*time.Second); err == nil {
		t.Error("a cut connection goes on")
	}
	p.be(refused, 0)
	if late, err := net.Dial("tcp", p.addr()); err == nil { // the reset may come before the dialler is back
		if _, err := hear(late, 5*time.Second); err == nil {
			t.Error("a refused connection goes on")
		}
		late.Close()
	}
	p.be(flowing, 0)
	c = dial()
	say(c, 9)
	if b, err := hear(c, 5*time.Second); err != nil || b != 9 {
		t.Errorf("afterwards: %d, %v", b, err)
	}
}
