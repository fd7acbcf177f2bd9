package bus

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus/bustest/crash"
)

// starts says whether a server starts on a folder, and stops it again.
func starts(t *testing.T, o ServerOptions) {
	t.Helper()
	s, err := StartServer(o)
	if err != nil {
		t.Error("refused: ", err)
		return
	}
	s.Stop()
}

// notes keeps what is logged, and calls do at each message.
type notes struct {
	mu  sync.Mutex
	all []slog.Record
	do  func(message string)
}

func (n *notes) Enabled(context.Context, slog.Level) bool { return true }
func (n *notes) WithAttrs([]slog.Attr) slog.Handler       { return n }
func (n *notes) WithGroup(string) slog.Handler            { return n }
func (n *notes) Handle(_ context.Context, r slog.Record) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, r)
	if n.do != nil {
		n.do(r.Message)
	}
	return nil
}

func (n *notes) warned(of string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, r := range n.all {
		found := false
		r.Attrs(func(a slog.Attr) bool { found = found || strings.Contains(a.Value.String(), of); return true })
		if r.Level == slog.LevelWarn && found {
			return true
		}
	}
	return false
}

func TestStreamsOfOthersAreNoDamage(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, NoSync: true})
	b := connect(t, Options{Server: s})
	ctx := within(t)
	for name, storage := range map[string]jetstream.StorageType{"bench": jetstream.MemoryStorage, "theirs": jetstream.FileStorage} {
		must(b.js.CreateStream(ctx, jetstream.StreamConfig{Name: name, Subjects: []string{name}, Storage: storage}))
		must(b.js.Publish(ctx, name, []byte("x")))
	}
	b.Close()
	s.Stop()
	must(0, os.RemoveAll(newest(files(t, dir, "theirs"))))
	starts(t, ServerOptions{Dir: dir, NoSync: true})
}

// A server is killed in the middle of a removal: any part of the session may be purged then.
func TestKillInARemovalIsNoDamage(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, NoSync: true})
	b := connect(t, Options{Server: s})
	ctx := within(t)
	write(t, b, Where{Session: "other", Task: "t2", Call: "t2"}, 3, 0)
	last := write(t, b, Where{Session: "s", Task: "t1", Call: "t1"}, 5, 0)
	last = must(b.Append(ctx, record("s", "t1", "t1", KindResponse), last))
	late := write(t, b, Where{Session: "s", Task: "t1", Call: "t1-1-0"}, 2, 0)
	must(0, s.note())
	mark := removal{Seq: last, Tasks: []string{"t1"}}
	must(0, b.swapJSON(ctx, b.removalSubject("s"), mark, 0))
	must(0, must(b.js.Stream(ctx, LogStream)).DeleteMsg(ctx, late-1))
	starts(t, ServerOptions{Dir: crash.Copy(t, dir), NoSync: true})
	must(0, must(b.js.Stream(ctx, LogStream)).DeleteMsg(ctx, last-2))
	starts(t, ServerOptions{Dir: crash.Copy(t, dir), NoSync: true})

	// Of other sessions it is damage still, with the mark there and with what else is gone accounted for.
	must(0, must(b.js.Stream(ctx, LogStream)).DeleteMsg(ctx, 2))
	if _, err := StartServer(ServerOptions{Dir: crash.Copy(t, dir), NoSync: true}); !errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "session s ") {
		t.Errorf("with a record of another session lost: %v", err)
	}
}

// Damage that was accepted is not told again, nor does it end what is well, however often it is accepted.
func TestAcceptedDamageStaysAccepted(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, NoSync: true})
	b := connect(t, Options{Server: s})
	ctx := within(t)
	last := write(t, b, Where{Session: "s", Task: "t1", Call: "t1"}, 5, 0)
	must(b.Append(ctx, record("s", "t1", "t1", KindResponse), last))
	must(0, must(b.js.Stream(ctx, LogStream)).DeleteMsg(ctx, 3)) // of a call that has ended: nothing can be done about it
	b.Close()
	s.Stop()
	must(0, os.Remove(sealFile(dir)))
	if _, err := StartServer(ServerOptions{Dir: dir, NoSync: true}); !errors.Is(err, ErrDamaged) {
		t.Fatal("not noticed: ", err)
	}
	s = startServer(t, ServerOptions{Dir: dir, NoSync: true, AcceptDamage: true})
	b = connect(t, Options{Server: s})
	w := Where{Session: "healthy", Task: "t2", Call: "t2"}
	last = write(t, b, w, 3, 0)
	talk(t, b, "x", "t3", "x")
	must(0, b.Remove(ctx, "x"))
	write(t, b, Where{Session: "healthy", Task: "t4", Call: "t4"}, 1, 0)
	to := crash.Copy(t, dir) // before the removal is noted
	starts(t, ServerOptions{Dir: to, NoSync: true})
	s2 := startServer(t, ServerOptions{Dir: to, NoSync: true, AcceptDamage: true})
	b2 := connect(t, Options{Server: s2})
	if rec := must(b2.Last(ctx, w)); rec.Kind == KindResponse {
		t.Errorf("a task that is well was ended: %v", rec.Error)
	}
	// What is lost beyond it is damage anew.
	must(0, must(b2.js.Stream(ctx, LogStream)).DeleteMsg(ctx, last-1))
	if _, err := StartServer(ServerOptions{Dir: crash.Copy(t, to), NoSync: true}); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "healthy (t2") {
		t.Errorf("damage beyond what was accepted: %v", err)
	}
}

// Accepted and then killed, before what lacks records was ended: it is asked for again.
func TestAcceptedDamageIsSettledFirst(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	damageFile(t, newest(files(t, dir, LogStream)), half)
	startServer(t, ServerOptions{Dir: dir, AcceptDamage: true})
	to := crash.Copy(t, dir)
	if _, err := StartServer(ServerOptions{Dir: to}); !errors.Is(err, ErrDamaged) {
		t.Errorf("nobody has settled it: %v", err)
	}
	b := connect(t, Options{Server: startServer(t, ServerOptions{Dir: to, AcceptDamage: true})})
	if open := must(b.Read(within(t), Where{Session: "s5"}, 0)); open[len(open)-1].Kind != KindResponse {
		t.Error("what lacks its last records goes on")
	}
}

// Killed while it starts: what the last orderly stop vouched for may have been written to since by those who connect over TCP.
func TestKillInAStartIsNoDamage(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, NoSync: true})
	b := connect(t, Options{Server: s})
	last := write(t, b, Where{Session: "s", Task: "t1", Call: "t1"}, 3, 0)
	b.Close()
	s.Stop()
	var ready []byte // the seal when clients can come
	log := &notes{do: func(message string) {
		if strings.Contains(message, "Listening for client connections") {
			ready = must(os.ReadFile(sealFile(dir)))
		}
	}}
	s = startServer(t, ServerOptions{Dir: dir, NoSync: true, Listen: "127.0.0.1:0", Log: slog.New(log)})
	if ready == nil {
		t.Fatal("nobody listens")
	}
	b = connect(t, Options{URL: s.URL()})
	write(t, b, Where{Session: "s", Task: "t1", Call: "t1"}, 1, last)
	to := crash.Copy(t, dir)
	must(0, os.WriteFile(sealFile(to), ready, 0o600))
	starts(t, ServerOptions{Dir: to, NoSync: true})
}

// While not every write is synced, a power cut may leave a log that is shorter than what was noted. That is told, and no damage.
func TestPowerCutWithoutSync(t *testing.T) {
	t.Parallel()
	for _, loose := range []bool{true, false} {
		dir := t.TempDir()
		s := startServer(t, ServerOptions{Dir: dir, NoSync: loose})
		b := connect(t, Options{Server: s})
		w := Where{Session: "s", Task: "t1", Call: "t1"}
		last := write(t, b, w, 5, 0)
		onDisk := must(os.ReadFile(newest(files(t, dir, LogStream))))
		write(t, b, w, 5, last)
		must(0, s.note())
		to := crash.Copy(t, dir)
		must(0, os.WriteFile(newest(files(t, to, LogStream)), onDisk, 0o600))
		log := &notes{}
		again, err := StartServer(ServerOptions{Dir: to, NoSync: true, Log: slog.New(log)})
		if err == nil {
			again.Stop()
		}
		if !loose && !errors.Is(err, ErrDamaged) {
			t.Errorf("with each write synced: %v, want ErrDamaged", err)
		}
		if loose && (err != nil || !log.warned("reached 10 and ends at 5")) {
			t.Errorf("without: %v, told %v", err, log.warned("HMAP_LOG"))
		}
	}
}

// The last place of a queue that was emptied is known after a kill, too.
func TestEmptiedQueueAfterAKill(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir})
	b := connect(t, Options{Server: s})
	ctx := within(t)
	for range 2 {
		must(b.Submit(ctx, "master", Submission{Query: "x"}, ""))
		must(0, takeOne(t, b, "master").Accept())
		must(0, b.nc.Flush())
		must(0, s.note())
		to := crash.Copy(t, dir)
		killed(t, to)
		starts(t, ServerOptions{Dir: to})
	}
}

// A session that was removed does not come back with a kill, nor does what an older task of it left in the bucket, nor the mark of its removal.
func TestRemovedSessionStaysAwayAfterAKill(t *testing.T) {
	dir := t.TempDir()
	b := connect(t, Options{Server: startServer(t, ServerOptions{Dir: dir, NoSync: true})})
	ctx := within(t)
	talk(t, b, "other", "t9", "other")
	keep(t, b, "other", time.Now())
	for range 3 {
		keep(t, b, "s", time.Now())
	}
	talk(t, b, "s", "t1", "s")
	must(0, b.Remove(ctx, "s"))
	to := crash.Copy(t, dir)
	b2 := connect(t, Options{Server: startServer(t, ServerOptions{Dir: to, NoSync: true})})
	list, _, err := b2.Sessions(ctx, 0, 10)
	if err != nil || len(list) != 1 || list[0].ID != "other" {
		t.Errorf("listed: %+v, %v", list, err)
	}
	if n := left(t, b2, "s"); n != 0 {
		t.Errorf("%d messages are left", n)
	}
	// And it can be begun anew.
	talk(t, b2, "s", "t2", "s")
	keep(t, b2, "s", time.Now())
	if s := must(b2.Snapshot(ctx, "s")); s.Tasks != 1 || s.Revision == 0 {
		t.Errorf("begun anew it is %+v", s)
	}
	must(0, b2.Remove(ctx, "s"))
	if n := left(t, b2, "s"); n != 0 {
		t.Errorf("%d messages are left the second time", n)
	}
}
