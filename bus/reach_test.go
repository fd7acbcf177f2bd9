package bus

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// watch gives what Reach says until the test ends.
func watch(t *testing.T, b *Bus) <-chan Reach {
	ctx, cancel := context.WithCancel(context.Background())
	said, done := make(chan Reach, 16), make(chan struct{})
	go func() {
		defer close(done)
		for r := range b.Reach(ctx) {
			said <- r
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return said
}

// What people are told while a server is away: that it is lost, and when it is back.
func TestReachAcrossAnOutage(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, Listen: "127.0.0.1:0", NoSync: true})
	addr := s.nats.Addr().String()
	said := watch(t, connect(t, Options{URL: s.URL()}))
	expect := func(want Reach) {
		t.Helper()
		for {
			select {
			case got := <-said:
				if got == want {
					return
				}
				if got != Silent { // between the two there may be a moment of it
					t.Fatalf("%s, not %s", got, want)
				}
			case <-within(t).Done():
				t.Fatalf("never %s", want)
			}
		}
	}
	expect(Reached)
	s.Stop()
	expect(Lost)
	startServer(t, ServerOptions{Dir: dir, Listen: addr, NoSync: true})
	expect(Reached)
}

// Connected, but nobody answers for the log, as between two leaders.
func TestReachWithoutALeader(t *testing.T) {
	b := connect(t, Options{Server: startServer(t, ServerOptions{NoSync: true})})
	var err error
	if b.js, err = jetstream.NewWithAPIPrefix(b.nc, "nobody"); err != nil {
		t.Fatal(err)
	}
	if got := <-watch(t, b); got != Silent {
		t.Errorf("%s", got)
	}
}
