package bus

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

func TestServerKeepsAllAcrossAStop(t *testing.T) {
	dir := t.TempDir()
	first := startServer(t, ServerOptions{Dir: dir, Listen: "127.0.0.1:0"})
	b := connect(t, Options{Server: first})
	ctx := within(t)
	rec := record("s", "t", "t", KindRequest)
	seq, err := b.Append(ctx, rec, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Submit(ctx, "master", Submission{Query: "waits"}, ""); err != nil {
		t.Fatal(err)
	}
	b.Close()
	first.Stop()
	first.Stop() // twice is harmless

	second := startServer(t, ServerOptions{Dir: dir, Listen: "127.0.0.1:0"})
	if !second.nats.JetStreamConfig().SyncAlways {
		t.Error("writes are not synced by default")
	}
	if second.token != first.token {
		t.Error("the token changed, so clients that know it are locked out")
	}
	b = connect(t, Options{Server: second})
	got, err := b.Last(ctx, Where{"s", "t", "t"})
	if err != nil || got.Seq != seq || got.Kind != KindRequest {
		t.Errorf("after a restart the last record is %+v, %v", got, err)
	}
	job := takeOne(t, b, "master")
	if job.Submission.Query != "waits" {
		t.Errorf("after a restart the queue holds %+v", job.Submission)
	}
	if err := job.Accept(); err != nil {
		t.Error(err)
	}
}

func TestServerDirectoryInUse(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir})
	_, err := StartServer(ServerOptions{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "another hmap") {
		t.Fatalf("second server on the same directory: %v", err)
	}
	s.Stop()
	startServer(t, ServerOptions{Dir: dir})
}

func TestServerPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for _, listen := range []string{l.Addr().String(), "nonsense", "127.0.0.1:70000", "127.0.0.1:x"} {
		if _, err := StartServer(ServerOptions{Dir: t.TempDir(), Listen: listen}); err == nil || !strings.Contains(err.Error(), listen) {
			t.Errorf("listen on %s: %v", listen, err)
		}
	}
}

func TestServerOnlyWithToken(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, Listen: "127.0.0.1:0"})
	url, err := ReadContext(dir)
	if err != nil || url != s.URL() {
		t.Fatalf("ReadContext: %q, %v; want %q", url, err, s.URL())
	}
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatalf("with the token: %v", err)
	}
	nc.Close()
	_, addr, _ := strings.Cut(url, "@")
	for _, bad := range []string{"nats://" + addr, "nats://wrong@" + addr} {
		if nc, err := nats.Connect(bad); err == nil {
			nc.Close()
			t.Errorf("connected with %s", bad)
		}
	}
	if runtime.GOOS != "windows" {
		for _, name := range []string{"token", filepath.Join("nats", "context", "hmap.json")} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v; want mode 0600", name, info.Mode(), err)
			}
		}
	}
	s.Stop()
	if _, err := ReadContext(dir); !errors.Is(err, ErrNotFound) {
		t.Errorf("after Stop: %v, want ErrNotFound", err)
	}
}

func TestConnectSaysWhatIsWrong(t *testing.T) {
	s := startServer(t, ServerOptions{})
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "neither"},
		{Options{Server: s, Tenant: "a.b"}, "tenant"},
		{Options{Server: s, Node: "*"}, "node"},
		{Options{URL: "nats://secret@127.0.0.1:1"}, "connect to 127.0.0.1:1"},
	} {
		b, err := Connect(context.Background(), c.o)
		if err == nil {
			b.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

func TestStreamsKeepAnOperatorsLimits(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	s := must(b.js.Stream(ctx, LogStream))
	cfg := s.CachedInfo().Config
	cfg.MaxBytes = 1 << 30
	must(b.js.UpdateStream(ctx, cfg))
	connect(t, Options{Server: b.o.Server, MaxQueue: 7})
	if got := must(b.js.Stream(ctx, LogStream)).CachedInfo().Config.MaxBytes; got != 1<<30 {
		t.Errorf("MaxBytes of the log is %d after another node connected", got)
	}
	connect(t, Options{Server: b.o.Server})
	if got := must(b.js.Stream(ctx, TaskStream)).CachedInfo().Config.MaxMsgs; got != 7 {
		t.Errorf("the queue holds %d, want the 7 that one node asked for", got)
	}
}

// Whichever stream a full disk hits first, it is seen.
func TestAllStreamsAreWatched(t *testing.T) {
	names := newBus(t).js.StreamNames(within(t))
	n := 0
	for name := range names.Name() {
		if n++; !slices.Contains(watched, name) {
			t.Errorf("nobody watches whether %s can be written", name)
		}
	}
	if names.Err() != nil || n != len(watched) {
		t.Errorf("%d streams, watched are %d; %v", n, len(watched), names.Err())
	}
}
