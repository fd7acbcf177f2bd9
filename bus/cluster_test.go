package bus

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

// cluster starts three servers that keep everything three times, each with its options as tune leaves them, and gives their URLs.
func cluster(t testing.TB, tune ...func(*server.Options)) string {
	t.Helper()
	url, _ := clusterOf(t, tune...)
	return url
}

// clusterOf is cluster for those who want the servers themselves.
func clusterOf(t testing.TB, tune ...func(*server.Options)) (url string, servers []*server.Server) {
	t.Helper()
	var routes, urls []string
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		routes = append(routes, "nats://"+l.Addr().String())
		_ = l.Close()
	}
	for i, route := range routes {
		opts := &server.Options{ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true,
			Routes: server.RoutesFromStr(strings.Join(routes, ","))}
		opts.Cluster.Name = "test"
		host, port, _ := net.SplitHostPort(strings.TrimPrefix(route, "nats://"))
		opts.Cluster.Host = host
		if _, err := fmt.Sscan(port, &opts.Cluster.Port); err != nil {
			t.Fatal(err)
		}
		for _, f := range tune {
			f(opts)
		}
		s, err := server.NewServer(opts)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		urls, servers = append(urls, "nats://"+s.Addr().String()), append(servers, s)
	}
	return strings.Join(urls, ","), servers
}

// What differs when three servers keep the log: repeats are answered differently, and there are no leaders at first.
func TestCluster(t *testing.T) {
	t.Parallel()
	url := cluster(t)
	b := connect(t, Options{URL: url, MaxQueue: 1})
	ctx := within(t)
	for _, name := range []string{LogStream, TaskStream, DeadStream, nodesStream, openStream, "OBJ_" + FilesStore} {
		if cfg := must(b.js.Stream(ctx, name)).CachedInfo().Config; cfg.Replicas != 3 {
			t.Errorf("%s has %d replicas", name, cfg.Replicas)
		}
	}
	m := message(LogSubject("main", "s", "t", "t"), "id-1", []byte(`{"hmap":"1","kind":"claim"}`))
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, "0")
	for range 2 { // the second is the repeat after a lost acknowledgement
		if seq, err := b.publish(ctx, m, func(err error) (uint64, error) { return b.settle(ctx, m, 0, err) }); err != nil || seq != 1 {
			t.Fatalf("%d, %v", seq, err)
		}
	}
	errs := make(chan error, 4)
	for range cap(errs) {
		go func() {
			_, err := b.Append(ctx, record("s", "t", "t", KindRound), 1)
			errs <- err
		}()
	}
	won := 0
	for range cap(errs) {
		if err := <-errs; err == nil {
			won++
		} else if !errors.Is(err, ErrFenced) {
			t.Error(err)
		}
	}
	if last := must(b.Last(ctx, Where{"s", "t", "t"})); won != 1 || last.Seq != 2 {
		t.Errorf("%d writers won, the last record is %d", won, last.Seq)
	}
	must(b.Submit(ctx, "master", Submission{Query: "q"}, ""))
	if _, err := b.Submit(ctx, "master", Submission{Query: "q"}, ""); !errors.Is(err, ErrBusy) {
		t.Errorf("%v, want ErrBusy", err)
	}
	if err := takeOne(t, b, "master").Accept(); err != nil {
		t.Error(err)
	}
	l, err := b.Lease(ctx)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// How many servers keep a thing is said by who makes it: a cluster may keep it once, who comes later changes nothing, and a server alone
// does not pretend to be three.
func TestReplicas(t *testing.T) {
	t.Parallel()
	url := cluster(t)
	for _, o := range []Options{{URL: url, Replicas: 1}, {URL: url, Replicas: 3}} {
		b := connect(t, o)
		for _, name := range []string{LogStream, TaskStream, DeadStream, nodesStream, openStream, "OBJ_" + FilesStore} {
			if cfg := must(b.js.Stream(within(t), name)).CachedInfo().Config; cfg.Replicas != 1 {
				t.Errorf("with %d asked for: %s has %d replicas", o.Replicas, name, cfg.Replicas)
			}
		}
	}
	alone := startServer(t, ServerOptions{Listen: "127.0.0.1:0"})
	b, err := Connect(within(t), Options{URL: alone.URL(), Replicas: 3})
	if err == nil {
		b.Close()
		t.Fatal("a server alone keeps everything three times")
	}
	if !strings.Contains(err.Error(), "nats.replicas") {
		t.Error(err)
	}
}

// What a person said is not taken for silence while the log chooses a new leader.
func TestSaidWhileTheLogChoosesALeader(t *testing.T) {
	t.Parallel()
	url, servers := clusterOf(t)
	b := connect(t, Options{URL: url})
	ctx := within(t)
	must(b.Tell(ctx, "s", "t", Input{Kind: Cancel, By: "user"}, ""))
	lead := must(b.js.Stream(ctx, LogStream)).CachedInfo().Cluster.Leader
	for _, s := range servers {
		if s.Name() == lead {
			s.Shutdown()
		}
	}
	if recs, err := b.Said(ctx, "s", "t", 0); err != nil || len(recs) != 1 {
		t.Errorf("%d inputs, %v", len(recs), err)
	}
}

// A node dies together with the server that led the leases. Who suspects it asks a cluster without a leader, where nobody answers, and
// asks again soon: as long as others wait for an answer it must not wait.
func TestSuspicionWhileThereIsNoLeader(t *testing.T) {
	t.Parallel()
	url, servers := clusterOf(t)
	b := connect(t, Options{URL: url})
	m := b.nodes()
	m.see("n", 1, leaseBody{Holder: "h", TTL: 60_000}, true)
	m.mu.Lock()
	m.known["n"].heard = time.Now().Add(-time.Hour)
	m.mu.Unlock()
	for _, s := range servers {
		if s.Name() != b.nc.ConnectedServerName() {
			s.Shutdown()
		}
	}
	suspected := make(chan struct{})
	go func() { defer close(suspected); _ = m.end("n") }()
	_, err := b.lastOf(b.ctx, nodesStream, nodeSubject("n"))
	if errors.Is(err, context.DeadlineExceeded) { // else the server has not yet lost its leader, or says so at once: nobody waits
		select {
		case <-suspected:
		default:
			t.Error("others had waited enough before the suspicion had")
		}
	}
	<-suspected
}
