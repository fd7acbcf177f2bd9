package bus

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// withoutStreams is a bus in a cluster whose server keeps nothing, so that a test may answer for it.
func withoutStreams(t *testing.T) *Bus {
	t.Helper()
	opts := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true} // has no JetStream
	opts.Cluster.Name, opts.Cluster.Host, opts.Cluster.Port = "test", "127.0.0.1", server.RANDOM_PORT
	s := must(server.NewServer(opts))
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	nc := must(nats.Connect("nats://" + s.Addr().String()))
	t.Cleanup(nc.Close)
	js := must(jetstream.New(nc, jetstream.WithDefaultTimeout(apiTimeout)))
	b := &Bus{o: Options{Tenant: "main"}, nc: nc, js: js, log: slog.New(slog.DiscardHandler), ctx: t.Context()}
	must(b, b.replies.open(nc))
	return b
}

// A reader whose request for a consumer nobody answers, as while a cluster has no leader, asks again soon, however far away the caller's
// own deadline is.
func TestTailAsksAgain(t *testing.T) {
	t.Parallel()
	b := withoutStreams(t)
	asked := make(chan time.Time, 100)
	must(b.nc.Subscribe("$JS.API.CONSUMER.CREATE.>", func(*nats.Msg) { asked <- time.Now() }))
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range b.tail(ctx, LogStream, []string{">"}, 0) {
			t.Error("read something")
		}
	}()
	var first time.Time
	for n := range 2 {
		select {
		case at := <-asked:
			if n == 0 {
				first = at
			} else if between := at.Sub(first); between > apiTimeout {
				t.Errorf("asked again after %v", between)
			}
		case <-time.After(patience):
			t.Fatalf("asked %d times within %v", n, patience)
		}
	}
	cancel()
	<-ended
}
