package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"
)

// talk writes a task from request to response, and gives the sequence of the last record.
func talk(t testing.TB, b *Bus, session, task, query string) uint64 {
	t.Helper()
	seq := must(b.Append(t.Context(), ask(session, task, query), 0))
	r := record(session, task, task, KindResponse)
	r.Status, r.Observation = OK, json.RawMessage(`"done"`)
	return must(b.Append(t.Context(), r, seq))
}

func ask(session, task, query string) *Record {
	r := record(session, task, task, KindRequest)
	r.Request = &Request{Session: session, Task: task, Call: task, Caller: "user", ToolName: "master", JobDesc: query}
	return r
}

// keep stores a snapshot over whatever is there.
func keep(t testing.TB, b *Bus, session string, last time.Time) {
	t.Helper()
	s := must(b.Snapshot(t.Context(), session))
	s.Title, s.Tasks, s.First, s.Last, s.Memory = "about "+session, s.Tasks+1, last, last, json.RawMessage(`[1]`)
	if err := b.KeepSnapshot(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
}

func TestSnapshotIsKeptByOneAtATime(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	none := must(b.Snapshot(ctx, "s"))
	if none.Revision != 0 || none.Seq != 0 || none.ID != "s" {
		t.Errorf("of a session that has none: %+v", none)
	}
	first := none
	first.Title, first.Tasks, first.Seq, first.Memory = "  多少订单？\nsecond line", 1, 7, json.RawMessage(`[{"a":"<b>"}]`)
	if err := b.KeepSnapshot(ctx, &first); err != nil || first.Revision == 0 {
		t.Fatal(err, first.Revision)
	}
	got := must(b.Snapshot(ctx, "s"))
	if got.Title != "多少订单？" || got.Tasks != 1 || got.Seq != 7 || string(got.Memory) != `[{"a":"<b>"}]` || got.Revision != first.Revision {
		t.Errorf("%+v", got)
	}
	if err := b.KeepSnapshot(ctx, &none); !errors.Is(err, ErrFenced) {
		t.Errorf("who has not seen the first one: %v, want ErrFenced", err)
	}
	long := got
	long.Title = strings.Repeat("长", 200)
	if err := b.KeepSnapshot(ctx, &long); err != nil {
		t.Fatal(err)
	}
	if again := must(b.Snapshot(ctx, "s")); len([]rune(again.Title)) != titleLength {
		t.Errorf("a title of %d characters", len([]rune(again.Title)))
	}
	if err := b.KeepSnapshot(ctx, &Snapshot{Session: Session{ID: "a.b"}}); !errors.Is(err, ErrBadName) {
		t.Errorf("a bad name: %v", err)
	}
	big := Snapshot{Session: Session{ID: "big"}, Memory: json.RawMessage(`"` + strings.Repeat("x", 2<<20) + `"`)}
	if err := b.KeepSnapshot(ctx, &big); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a large one: %v", err)
	}
}

// What cannot be read counts as missing, and can be replaced.
func TestSnapshotDamaged(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	for _, body := range []string{"", "not JSON", `{"format":99,"seq":5,"memory":[1]}`, `{"seq":5}`, `{"format":1,"tasks":-1,"seq":5}`} {
		must(b.js.Publish(ctx, b.sessionSubject("s"), []byte(body)))
		got := must(b.Snapshot(ctx, "s"))
		if got.Seq != 0 || got.Memory != nil || got.Revision == 0 {
			t.Errorf("%q: %+v", body, got)
		}
		got.Seq = 9
		if err := b.KeepSnapshot(ctx, &got); err != nil {
			t.Errorf("%q cannot be replaced: %v", body, err)
		}
		if got = must(b.Snapshot(ctx, "s")); got.Seq != 9 {
			t.Errorf("%q was replaced by %+v", body, got)
		}
	}
}

func FuzzSnapshot(f *testing.F) {
	f.Add([]byte(`{"format":1,"title":"t","first":"2026-11-21T08:00:00Z","last":"2026-11-21T08:00:00Z","tasks":2,"seq":9,"memory":[]}`))
	f.Add([]byte(`{"format":1,"memory":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		s, ok := parseSnapshot(body)
		if !ok && (s.Seq != 0 || s.Memory != nil) {
			t.Errorf("refused, and yet %+v", s)
		}
	})
}

func ids(list []Session) (names []string) {
	for _, s := range list {
		names = append(names, s.ID)
	}
	return names
}

func TestSessionsNewestFirst(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	if list, next, err := b.Sessions(ctx, 0, 10); err != nil || len(list) != 0 || next != 0 {
		t.Errorf("of nothing: %v, %d, %v", list, next, err)
	}
	other := connect(t, Options{Server: b.o.Server, Tenant: "other"})
	var want []string
	for i := range 30 {
		id := fmt.Sprintf("s%d", i)
		keep(t, b, id, time.Now())
		keep(t, other, id+"-of-another", time.Now())
		want = append(want, id)
	}
	for range 100 { // one that is talked to all the time leaves gaps
		keep(t, b, "s3", time.Now())
	}
	want = append(slices.Delete(want, 3, 4), "s3")
	slices.Reverse(want)
	for _, limit := range []int{1, 7, 30, 1000} {
		var got []string
		for before := uint64(0); ; {
			list, next, err := b.Sessions(ctx, before, limit)
			if err != nil || len(list) > limit {
				t.Fatal(len(list), err)
			}
			got = append(got, ids(list)...)
			if before = next; next == 0 {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d: %v, want %v", limit, got, want)
		}
	}
	list, _, err := b.Sessions(ctx, 0, 1)
	if err != nil || list[0].Title != "about s3" || list[0].Tasks != 101 || list[0].Last.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
}

// A session is in the list from its first task on, before anything was folded.
func TestSessionsWithOpenTasks(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	keep(t, b, "old", time.Now())
	keep(t, b, "young", time.Now())
	must(b.Append(ctx, ask("new", "t1", "how many?"), 0))
	for _, o := range []OpenTask{{Session: "new", Task: "t1"}, {Session: "old", Task: "t2", Waiting: true}, {Session: "old", Task: "t3"}} {
		if err := b.MarkOpen(ctx, o); err != nil {
			t.Fatal(err)
		}
	}
	list, next, err := b.Sessions(ctx, 0, 10)
	if err != nil || next != 0 || !slices.Equal(ids(list), []string{"old", "new", "young"}) {
		t.Fatalf("%v, %d, %v", ids(list), next, err)
	}
	if s := list[0]; s.Running != 1 || s.Waiting != 1 || s.Title != "about old" || s.Tasks != 1 {
		t.Errorf("%+v", s)
	}
	if s := list[1]; s.Running != 1 || s.Title != "how many?" || s.Tasks != 1 {
		t.Errorf("%+v", s)
	}
}

// More sessions wait than fit on a page, most of them in their first task, of which there is no snapshot: all are listed, once, before the others.
func TestSessionsWithMoreOpenTasksThanAPage(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	keep(t, b, "o3", time.Now())
	keep(t, b, "quiet", time.Now())
	want := []string{"quiet"}
	for i := range 7 {
		id := fmt.Sprintf("o%d", i)
		must(b.Append(ctx, ask(id, "t1", "about "+id), 0))
		if err := b.MarkOpen(ctx, OpenTask{Session: id, Task: "t1", Waiting: true}); err != nil {
			t.Fatal(err)
		}
		want = append(want, id)
	}
	slices.Reverse(want)
	for _, limit := range []int{1, 3, 7, 8, 100} {
		var got []Session
		for before, pages := uint64(0), 0; pages == 0 || before > 0; pages++ {
			list, next, err := b.Sessions(ctx, before, limit)
			if err != nil || len(list) > limit || pages > len(want) {
				t.Fatal(len(list), pages, err)
			}
			got, before = append(got, list...), next
		}
		if !slices.Equal(ids(got), want) {
			t.Errorf("in pages of %d: %v, want %v", limit, ids(got), want)
		}
		for _, s := range got {
			if s.ID != "quiet" && s.Waiting != 1 || s.Title != "about "+s.ID {
				t.Errorf("%+v", s)
			}
		}
	}
}

// A log of a version that kept no snapshots is indexed once, and what has a snapshot already keeps it.
func TestIndexSessions(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	talk(t, b, "s1", "t1", "one")
	talk(t, b, "s2", "t1", "two")
	keep(t, b, "s3", time.Now())
	talk(t, b, "s3", "t1", "three")
	talk(t, b, "s1", "t2", "one more")
	for range 2 {
		if err := b.IndexSessions(ctx); err != nil {
			t.Fatal(err)
		}
		list, _, err := b.Sessions(ctx, 0, 10)
		if err != nil || !slices.Equal(ids(list), []string{"s1", "s2", "s3"}) {
			t.Fatalf("%v, %v", ids(list), err)
		}
		if s := list[0]; s.Title != "one" || s.Tasks != 2 || !s.First.Before(s.Last) {
			t.Errorf("%+v", s)
		}
		if list[2].Title != "about s3" {
			t.Errorf("a snapshot was replaced: %+v", list[2])
		}
		if got := must(b.Snapshot(ctx, "s1")); got.Seq != 0 {
			t.Errorf("nothing was folded, and yet it says up to %d", got.Seq)
		}
		if !must(known(b.swept(ctx))).Indexed {
			t.Error("it will be done again at each start")
		}
	}
}

func known(s swept, _ uint64, err error) (swept, error) { return s, err }

func TestLimitsOfTheLogAreWarnedOf(t *testing.T) {
	s := startServer(t, ServerOptions{NoSync: true})
	var said strings.Builder
	first := connect(t, Options{Server: s})
	log := must(first.js.Stream(within(t), LogStream)).CachedInfo().Config
	for _, set := range []func(){func() {}, func() { log.MaxAge = time.Hour }} {
		set()
		must(first.js.UpdateStream(within(t), log))
		said.Reset()
		b, err := Connect(context.Background(), Options{Server: s, Log: slog.New(slog.NewTextHandler(&said, nil))})
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
		if got := strings.Contains(said.String(), "in half"); got != (log.MaxAge > 0) {
			t.Errorf("with a max age of %v: %s", log.MaxAge, said.String())
		}
	}
}
