package bus

import (
	"context"
	"testing"
	"time"
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

// Of three servers one is left: it still tells what the streams are like, and takes nothing.
func TestReachWithoutAMajority(t *testing.T) {
	t.Parallel()
	url, servers := clusterOf(t)
	b := connect(t, Options{URL: url})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := b.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	for _, s := range servers[1:] {
		s.Shutdown()
		s.WaitForShutdown()
	}
	for n := 0; ; n++ { // what misleads
		try, done := context.WithTimeout(ctx, time.Second) // some are answered by nobody
		_, err := b.js.Stream(try, LogStream)
		done()
		if err == nil && b.nc.IsConnected() && !servers[0].JetStreamIsStreamLeader("$G", LogStream) {
			break
		}
		if !pause(ctx, n) {
			t.Fatalf("the stream is not told of: %v", err)
		}
	}
	short, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	if err := b.Ready(short); err == nil {
		t.Error("ready without a majority")
	}
	if got := <-watch(t, b); got != Silent {
		t.Errorf("%s", got)
	}
}
