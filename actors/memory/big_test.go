package memory

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// shape is a log made up for measuring: every session has five tasks of ten records, which lie together, and the tasks of all
// sessions take turns. Two sessions more have 100 records each, one in one place and one all over the log, and one has a task early in the log.
type shape struct{ sessions int }

func (s shape) records() int { return s.sessions*50 + 210 }

const (
	tasksEach   = 5
	recordsEach = 10 // of a task
)

// body is a record of about 700 bytes.
func body(session, task string, kind bus.Kind, n int) bus.Record {
	r := bus.Record{HMAP: bus.Version, Kind: kind, Session: session, Task: task, Call: task, Agent: "master", Node: "n", Time: time.Now().UTC()}
	switch kind {
	case bus.KindRequest:
		r.Request = &bus.Request{HMAP: bus.Version, Session: session, Task: task, Call: task, Caller: "user", ToolName: "master", JobDesc: "about " + task}
	case bus.KindResponse:
		r.Status = bus.OK
		r.Observation = json.RawMessage(`"` + strings.Repeat("an answer of some length, ", 10) + `"`)
	default:
		r.Round, r.Thought = n, strings.Repeat("a thought of some length, ", 20)
	}
	return r
}

func kindOf(n int) bus.Kind {
	switch n {
	case 0:
		return bus.KindRequest
	case recordsEach - 1:
		return bus.KindResponse
	}
	return bus.KindRound
}

// fill writes the log, and the snapshots that the ends of its tasks would have left if snapshots is set.
func (s shape) fill(t testing.TB, b *bus.Bus, snapshots bool) {
	t.Helper()
	js, err := jetstream.New(b.Conn(), jetstream.WithPublishAsyncMaxPending(4000))
	if err != nil {
		t.Fatal(err)
	}
	put := func(r bus.Record) {
		text, err := json.Marshal(r)
		if err == nil {
			_, err = js.PublishAsync(bus.LogSubject("main", r.Session, r.Task, r.Call), text, jetstream.WithStallWait(time.Minute))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	all, spread := s.sessions*tasksEach, 0
	for turn := range tasksEach {
		if turn == 1 {
			for n := range recordsEach {
				put(body("quiet", "t", kindOf(n), n))
			}
		}
		for i := range s.sessions {
			session, task := fmt.Sprintf("s%05d", i), fmt.Sprintf("t%05d-%d", i, turn)
			for n := range recordsEach {
				put(body(session, task, kindOf(n), n))
			}
			for at := turn*s.sessions + i; spread < 100 && spread*all <= at*100; spread++ {
				put(body("spread", fmt.Sprintf("t%d", spread/recordsEach), kindOf(spread%recordsEach), spread))
			}
			if turn == tasksEach/2 && i == 0 {
				for n := range 100 {
					put(body("together", fmt.Sprintf("t%d", n/recordsEach), kindOf(n%recordsEach), n))
				}
			}
		}
	}
	select {
	case <-js.PublishAsyncComplete():
	case <-time.After(5 * time.Minute):
		t.Fatal("the log could not be written")
	}
	if !snapshots {
		return
	}
	// Up to the last tasks' beginning, as they leave it.
	info, err := js.Stream(t.Context(), bus.LogStream)
	if err != nil {
		t.Fatal(err)
	}
	first := info.CachedInfo().State.LastSeq - uint64(s.sessions*recordsEach)
	quiet := &Conversation{Snapshot: bus.Snapshot{Session: bus.Session{ID: "quiet"}, Seq: uint64(s.sessions * recordsEach)}}
	if err := NewSessions(b, 4000).keep(t.Context(), quiet); err != nil {
		t.Fatal(err)
	}
	for i := range s.sessions {
		c := &Conversation{Snapshot: bus.Snapshot{Session: bus.Session{ID: fmt.Sprintf("s%05d", i)}, Seq: first}}
		for turn := range tasksEach {
			c.End(Turn{Task: fmt.Sprintf("t%05d-%d", i, turn), Request: "about it", Answer: strings.Repeat("an answer of some length, ", 10),
				Status: bus.OK, At: time.Now(), Seq: 1, ended: time.Now()})
		}
		if err := NewSessions(b, 4000).keep(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
}

// best is the least time that do took of n times.
func best(t testing.TB, n int, do func(i int) error) time.Duration {
	t.Helper()
	least := time.Hour
	for i := range n {
		begun := time.Now()
		if err := do(i); err != nil {
			t.Fatal(err)
		}
		least = min(least, time.Since(begun))
	}
	return least
}

func start(t testing.TB, dir string) (*bus.Server, *bus.Bus) {
	t.Helper()
	s, err := bus.StartServer(bus.ServerOptions{Dir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := bus.Connect(t.Context(), bus.Options{Server: s})
	if err != nil {
		s.Stop()
		t.Fatal(err)
	}
	return s, b
}

// figures measures what people and tasks wait for on a log of that shape, in the order of the table.
func figures(t *testing.T, s shape) (names []string, took map[string]time.Duration) {
	took = map[string]time.Duration{}
	note := func(name string, d time.Duration) {
		names = append(names, name)
		took[name] = d
	}
	ctx := t.Context()
	dir := t.TempDir()
	server, b := start(t, dir)
	begun := time.Now()
	s.fill(t, b, true)
	t.Logf("%d records and %d snapshots written in %v, %d MiB on disk", s.records(), s.sessions, time.Since(begun).Round(time.Millisecond), usage(t, dir)>>20)
	starts := time.Hour
	for range 3 {
		b.Close()
		server.Stop()
		begun = time.Now()
		server, b = start(t, dir)
		starts = min(starts, time.Since(begun))
	}
	note("start and connect", starts)
	defer func() { b.Close(); server.Stop() }()
	sessions := NewSessions(b, 4000)
	read := func(session string) func(int) error {
		return func(int) error {
			records, err := b.Read(ctx, bus.Where{Session: session}, 0)
			if err == nil && len(records) != 100 {
				err = fmt.Errorf("%s has %d records", session, len(records))
			}
			return err
		}
	}
	begin := func(session, task string, before int) error {
		turns, err := sessions.Begin(ctx, &round.State{Session: session, Task: task, Call: task + "-1-0"}, false)
		if err == nil && len(turns) != before {
			err = fmt.Errorf("%s: %d turns before, want %d", session, len(turns), before)
		}
		return err
	}
	some := func(i int) string { return fmt.Sprintf("s%05d", (i*7919+13)%s.sessions) }

	note("next turn of an old session, cold", best(t, 1, func(i int) error { return begin(some(i), "next", tasksEach) }))
	note("next turn of an old session", best(t, 50, func(i int) error { return begin(some(i), "next", tasksEach) }))
	note("next turn of a session quiet for long, cold", best(t, 1, func(int) error { return begin("quiet", "next", 1) }))
	note("next turn of a session quiet for long", best(t, 20, func(int) error { return begin("quiet", "next", 1) }))
	n := 0
	note("whole turn of a fresh session, with its three appends", best(t, 50, func(int) error {
		n++
		run(t, b, sessions, fmt.Sprintf("fresh%d", n), "t", true)
		return nil
	}))
	note("whole turn of a session that goes on", best(t, 50, func(i int) error {
		n++
		run(t, b, sessions, "fresh1", fmt.Sprintf("t%d", n), false)
		return nil
	}))
	note("read 100 records that lie together, cold", best(t, 1, read("together")))
	note("read 100 records that lie together", best(t, 20, read("together")))
	note("read 100 records all over the log, cold", best(t, 1, read("spread")))
	note("read 100 records all over the log", best(t, 20, read("spread")))
	note("list the newest 50 sessions", best(t, 20, func(int) error {
		list, _, err := b.Sessions(ctx, 0, 50)
		if err == nil && len(list) != 50 {
			err = fmt.Errorf("%d sessions listed", len(list))
		}
		return err
	}))
	note("list the 50 sessions before them", best(t, 20, func(int) error {
		_, next, err := b.Sessions(ctx, 0, 50)
		if err == nil {
			_, _, err = b.Sessions(ctx, next, 50)
		}
		return err
	}))
	note("follow: from append to the follower", follow(t, b))
	note("sweep that finds nothing", best(t, 5, func(int) error {
		_, err := b.Sweep(ctx, bus.Retention{Age: 24 * time.Hour})
		return err
	}))
	note("remove a session", best(t, 20, func(i int) error { return b.Remove(ctx, fmt.Sprintf("s%05d", s.sessions/2+i)) }))
	return names, took
}

// follow is the least time from an append to its arrival at one who follows the session.
func follow(t *testing.T, b *bus.Bus) time.Duration {
	t.Helper()
	st := &round.State{}
	least, sent, left := time.Hour, time.Time{}, 50
	for e, err := range b.Follow(t.Context(), bus.Where{Session: "live"}, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if !e.CaughtUp {
			least = min(least, time.Since(sent))
		}
		if left--; left == 0 {
			break
		}
		r := body("live", "t", bus.KindRound, left)
		if st.Last == 0 {
			r = body("live", "t", bus.KindRequest, 0)
		}
		sent = time.Now()
		write(t, b, st, r)
	}
	return least
}

// usage is how many bytes the files below a folder have.
func usage(t testing.TB, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if info, gone := d.Info(); err == nil && gone == nil && !d.IsDir() {
			n += info.Size()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// grows are the figures that follow the number of blocks that are touched, and so the log; snapshots are there to do without them.
var grows = []string{"read 100 records all over the log, cold", "read 100 records all over the log", "start and connect"}

// TestLogGrows measures on a small log, and with HMAP_BIG=1 also on one of 10,000 sessions and 500,000 records beside it:
//
//	HMAP_BIG=1 go test -run TestLogGrows -v ./actors/memory
func TestLogGrows(t *testing.T) {
	if os.Getenv("HMAP_BIG") == "" {
		figures(t, shape{60})
		return
	}
	_, small := figures(t, shape{100})
	names, big := figures(t, shape{10_000})
	t.Logf("%-55s %10d %10d records", "", shape{100}.records(), shape{10_000}.records())
	for _, name := range names {
		t.Logf("%-55s %10v %10v", name, small[name].Round(time.Microsecond), big[name].Round(time.Microsecond))
		if !slices.Contains(grows, name) && !strings.Contains(name, "cold") && big[name] > 4*small[name]+2*time.Millisecond {
			t.Errorf("%s grows with the log: %v, %v", name, small[name], big[name])
		}
	}
}

// TestRetentionOfABigLog removes sessions from the beginning, the middle and all over a log until half is left, and indexes one without snapshots.
func TestRetentionOfABigLog(t *testing.T) {
	s := shape{40}
	if os.Getenv("HMAP_BIG") != "" {
		s.sessions = 10_000
	}
	dir := t.TempDir()
	server, b := start(t, dir)
	defer func() { b.Close(); server.Stop() }()
	s.fill(t, b, false)
	begun := time.Now()
	if err := b.IndexSessions(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d sessions indexed in %v", s.sessions+2, time.Since(begun).Round(time.Millisecond))
	bytes, disk := logBytes(t, b), usage(t, dir)
	begun = time.Now()
	removed, err := b.Sweep(t.Context(), bus.Retention{Bytes: int64(bytes / 2)})
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(begun)
	t.Logf("%d sessions removed in %v, %v each; the log from %d to %d MiB, the folder from %d to %d MiB", removed, took.Round(time.Millisecond),
		(took / time.Duration(max(removed, 1))).Round(time.Microsecond), bytes>>20, logBytes(t, b)>>20, disk>>20, usage(t, dir)>>20)
	if now := logBytes(t, b); now > bytes/2 || now < bytes/2-bytes/20 {
		t.Errorf("%d bytes are left of %d", now, bytes)
	}
	if removed < s.sessions/2-5 || removed > s.sessions/2+5 {
		t.Errorf("%d sessions removed of %d", removed, s.sessions)
	}
}

func logBytes(t testing.TB, b *bus.Bus) uint64 {
	t.Helper()
	js, err := jetstream.New(b.Conn())
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), bus.LogStream)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Bytes
}

// TestIdleSessions: sessions that nobody talks in hold no memory and no goroutine of a node; with HMAP_BIG=1 20,000 of them.
func TestIdleSessions(t *testing.T) {
	n := 200
	if os.Getenv("HMAP_BIG") != "" {
		n = 20_000
	}
	b := bustest.New(t)
	s := NewSessions(b, 4000)
	state := func() (heap uint64, goroutines int) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	run(t, b, s, "warm", "t", true)
	heap, goroutines := state()
	for i := range n {
		run(t, b, s, fmt.Sprintf("s%d", i), "t", true)
	}
	heapNow, goroutinesNow := state()
	t.Logf("%d sessions: heap %d → %d KiB with the server's own index (%d B each), goroutines %d → %d", n, heap>>10, heapNow>>10,
		(int64(heapNow)-int64(heap))/int64(n), goroutines, goroutinesNow)
	if len(s.begun) != 0 || goroutinesNow > goroutines+5 {
		t.Errorf("%d sessions are held, %d goroutines, before %d", len(s.begun), goroutinesNow, goroutines)
	}
}
