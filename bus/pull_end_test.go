package bus

import (
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

// door lets connections through to a server until it is shut, and after it is opened again.
type door struct {
	net.Listener
	shut sync.RWMutex // held while it is shut
	mu   sync.Mutex
	open []net.Conn
}

// behindDoor gives a URL of s that leads through a door.
func behindDoor(t *testing.T, s *Server) (string, *door) {
	t.Helper()
	u := must(url.Parse(s.URL()))
	target := u.Host
	d := &door{Listener: must(net.Listen("tcp", "127.0.0.1:0"))}
	u.Host = d.Addr().String()
	var work sync.WaitGroup
	work.Go(func() {
		for {
			near, err := d.Accept()
			if err != nil {
				return
			}
			d.shut.RLock()
			far := must(net.Dial("tcp", target))
			d.mu.Lock()
			d.open = append(d.open, near, far)
			d.mu.Unlock()
			d.shut.RUnlock()
			for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
				work.Go(func() {
					_, _ = io.Copy(way[0], way[1])
					_, _ = near.Close(), far.Close()
				})
			}
		}
	})
	t.Cleanup(func() { d.close(); _ = d.Listener.Close(); work.Wait() })
	return u.String(), d
}

// close ends the connections that are open.
func (d *door) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.open {
		_ = c.Close()
	}
	d.open = nil
}

// A pull that ends while the connection is lost is not there again once that is back, where nobody would ever take it away.
func TestPullThatEndsWhileNobodyHears(t *testing.T) {
	t.Parallel()
	s := startServer(t, ServerOptions{NoSync: true, Listen: "127.0.0.1:0"})
	at, way := behindDoor(t, s)
	b := connect(t, Options{URL: at})
	p := must(b.pulls(within(t), TaskStream, jetstream.ConsumerConfig{Durable: "d", AckPolicy: jetstream.AckExplicitPolicy}))
	subscribed := func() (all []string) {
		for _, c := range must(s.nats.Connz(&server.ConnzOptions{Subscriptions: true})).Conns {
			all = append(all, c.Subs...)
		}
		return all
	}
	until := func(what string, so func() bool) {
		t.Helper()
		look := time.NewTicker(time.Millisecond)
		defer look.Stop()
		for end := time.Now().Add(30 * time.Second); !so(); <-look.C {
			if time.Now().After(end) {
				t.Fatalf("%s: %v", what, subscribed())
			}
		}
	}
	until("subscribed", func() bool { return strings.Contains(strings.Join(subscribed(), " "), p.inbox) })
	way.shut.Lock()
	way.close()
	until("the connection is lost", func() bool { return !b.nc.IsConnected() })
	p.end()
	way.shut.Unlock()
	until("the connection is back", func() bool { return b.nc.IsConnected() && b.nc.Flush() == nil })
	if all := strings.Join(subscribed(), " "); strings.Contains(all, p.inbox) || !strings.Contains(all, "_INBOX") {
		t.Errorf("subscribed: %s", all)
	}
}
