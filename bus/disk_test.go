package bus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A disk that fills while tasks run, and has room again later: who appends waits, the reason is said, and what was acknowledged is there.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t, "6m")
	s := startServer(t, ServerOptions{Dir: filepath.Join(dir, "data"), Listen: "127.0.0.1:0"})
	b := connect(t, Options{Server: s})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	url := s.URL()

	ballast := filepath.Join(dir, "ballast")
	fill := func() {
		f := must(os.Create(ballast))
		defer func() { _ = f.Close() }()
		for {
			if _, err := f.Write(make([]byte, 4096)); err != nil {
				return
			}
		}
	}
	var last uint64
	grow := func(ctx context.Context) error {
		r := record("s", "t", "t", KindRound)
		r.Thought = strings.Repeat("x", 50_000)
		seq, err := b.Append(ctx, r, last)
		if err == nil {
			last = seq
		}
		return err
	}
	for range 10 {
		if err := grow(ctx); err != nil {
			t.Fatal(err)
		}
	}
	fill()
	waiting := make(chan error, 1)
	go func() {
		for range 5 { // one may fit into what the server has reserved
			if err := grow(ctx); err != nil {
				waiting <- err
				return
			}
		}
		waiting <- nil
	}()
	for s.Trouble() == nil {
		select {
		case err := <-waiting:
			t.Fatalf("all was appended on a full disk: %v", err)
		case <-ctx.Done():
			t.Fatal("nobody noticed that the disk is full")
		case <-time.After(10 * time.Millisecond):
		}
	}
	if said := s.Trouble().Error(); !strings.Contains(said, "no space left") || !strings.Contains(said, dir) || !strings.Contains(said, "free space") {
		t.Errorf("it says %q", said)
	}
	if err := b.Ready(ctx); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("ready on a full disk: %v", err)
	}
	if err := Writable(dir); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a full disk is called writable: %v", err)
	} else if again := Writable(dir); again == nil || again.Error() != err.Error() {
		t.Errorf("the same trouble is told in other words: %v, %v", err, again)
	}
	if got := <-watch(t, b); got != Unwritable {
		t.Errorf("a full disk is told as %s", got)
	}
	// Who gives up is told the cause, too.
	short, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	if _, err := b.Submit(short, "master", Submission{Query: "q"}, ""); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a submission is told %v", err)
	}
	stop()
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; err != nil {
		t.Fatalf("with room again: %v", err)
	}
	if recs := must(b.Read(ctx, Where{Session: "s"}, 0)); len(recs) != 15 || recs[14].Seq != last {
		t.Errorf("%d records, want 15", len(recs))
	}
	if err := b.Ready(ctx); err != nil {
		t.Errorf("with room again: %v", err)
	}
	if s.Trouble() != nil || s.URL() != url {
		t.Errorf("afterwards: %v at %s, before at %s", s.Trouble(), s.URL(), url)
	}
	other := connect(t, Options{URL: url, Replicas: 1}) // the port is the old one
	if _, err := other.Last(ctx, Where{"s", "t", "t"}); err != nil {
		t.Error(err)
	}
}

// Marks that were acknowledged and could not be written are found again in the log as soon as the disk has room, and need no start for it.
func TestMarksLostOnAFullDisk(t *testing.T) {
	t.Parallel()
	s := startServer(t, ServerOptions{Dir: t.TempDir()})
	b := connect(t, Options{Server: s})
	r := record("s", "t", "t", KindRequest)
	r.Agent = "master"
	must(b.Append(within(t), r, 0))
	s.reindexNow()
	if o, found, err := b.OpenTask(within(t), "s", "t"); err != nil || !found || o.Agent != "master" {
		t.Errorf("%+v, %v, %v", o, found, err)
	}
	if s.pending || s.index.torn {
		t.Error("it is not settled")
	}
}

// A server's own bound, as an operator sets it: an append waits until there is room, and is not refused for good.
func TestStorageLimit(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	var last uint64
	r := record("s", "t", "t", KindRound)
	r.Thought = strings.Repeat("x", 100_000)
	last = must(b.Append(ctx, r, last))
	js := b.o.Server
	if err := limit(js, 300_000); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		short, stop := context.WithTimeout(ctx, 500*time.Millisecond)
		next := *r
		seq, err := b.Append(short, &next, last)
		stop()
		if errors.Is(err, context.DeadlineExceeded) {
			if !strings.Contains(err.Error(), "resource limits") {
				t.Errorf("the reason is missing: %v", err)
			}
			break
		}
		if err != nil {
			t.Fatalf("refused for good: %v", err)
		}
		last = seq
	}
	done := make(chan error, 1)
	go func() {
		next := *r
		_, err := b.Append(ctx, &next, last)
		done <- err
	}()
	if err := limit(js, 0); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// limit sets how many bytes the account may keep; 0: as many as it likes.
func limit(s *Server, bytes int64) error {
	if bytes == 0 {
		bytes = -1
	}
	acc, err := s.nats.LookupAccount("$G")
	if err != nil {
		return err
	}
	return acc.UpdateJetStreamLimits(map[string]server.JetStreamAccountLimits{"": {MaxMemory: -1, MaxStore: bytes, MaxStreams: -1, MaxConsumers: -1, MaxAckPending: -1, MemoryMaxStreamBytes: -1, StoreMaxStreamBytes: -1}})
}

func TestDirectoryThatCannotBeWritten(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean something else there")
	}
	var dirs []string
	if os.Geteuid() != 0 { // root may write whatever its mode is
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	} else {
		dirs = append(dirs, readOnlyDisk(t))
	}
	for _, dir := range dirs {
		_, err := StartServer(ServerOptions{Dir: dir})
		if err == nil || !strings.Contains(err.Error(), "cannot be written") || !strings.Contains(err.Error(), dir) {
			t.Errorf("%v", err)
		}
		if _, err := StartServer(ServerOptions{Dir: filepath.Join(dir, "new")}); err == nil || !strings.Contains(err.Error(), "give another one") {
			t.Errorf("%v", err)
		}
	}
}
