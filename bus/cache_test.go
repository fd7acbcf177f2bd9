package bus

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
)

func TestCache(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	if _, _, err := b.Cached(ctx, "a.b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an empty cache: %v", err)
	}
	first := must(b.Cache(ctx, "a.b", []byte("one")))
	second := must(b.Recache(ctx, "a.b", []byte("two"), first))
	if _, err := b.Recache(ctx, "a.b", []byte("late"), first); !errors.Is(err, ErrFenced) {
		t.Errorf("over a newer one: %v", err)
	}
	if _, err := b.Recache(ctx, "a.c", []byte("three"), 0); err != nil {
		t.Error(err)
	}
	if body, revision, err := beside(t, b).Cached(ctx, "a.b"); err != nil || string(body) != "two" || revision != second {
		t.Errorf("%s %d %v", body, revision, err)
	}
	other := connect(t, Options{Server: b.o.Server, Tenant: "other"})
	if _, _, err := other.Cached(ctx, "a.b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("another tenant sees it: %v", err)
	}
	must(b.Cache(ctx, "a", []byte("above")))
	must(b.Cache(ctx, "a.b.c", []byte("below")))
	var got []string
	if err := b.AllCached(ctx, "a", func(last string, body []byte) { got = append(got, last+"="+string(body)) }); err != nil || len(got) != 2 || got[0] != "b=two" || got[1] != "c=three" {
		t.Errorf("%v %v", got, err)
	}
	// A mark of deletion, as any client of the bucket leaves one, is nothing, and can be written over.
	kv := must(b.js.KeyValue(ctx, CacheBucket))
	if err := kv.Delete(ctx, "main.a.b"); err != nil {
		t.Fatal(err)
	}
	_, mark, err := b.Cached(ctx, "a.b")
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted: %v", err)
	}
	if _, err := b.Recache(ctx, "a.b", []byte("anew"), mark); err != nil {
		t.Errorf("in the place of a deleted one: %v", err)
	}
	for _, key := range []string{"", "a.", ".a", "a b", "*", "a.>", "$"} {
		_, err := b.Cache(ctx, key, []byte("x"))
		if _, _, read := b.Cached(ctx, key); !errors.Is(err, ErrBadName) || !errors.Is(read, ErrBadName) {
			t.Errorf("key %q: %v, %v", key, err, read)
		}
	}
	if _, err := b.Cache(ctx, "large", make([]byte, 64<<20)); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

// What is full drops what was written longest ago, and goes on.
func TestFullCacheDropsTheOldest(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	s := must(b.js.Stream(ctx, cacheStream))
	if c := s.CachedInfo().Config; c.MaxBytes != CacheBytes {
		t.Errorf("at most %d bytes", c.MaxBytes)
	}
	c := s.CachedInfo().Config
	c.MaxBytes = 64 << 10
	must(b.js.UpdateStream(ctx, c))
	for i := range 100 {
		must(b.Cache(ctx, "v."+string(rune('a'+i%26))+string(rune('a'+i/26)), bytes.Repeat([]byte("x"), 1<<10)))
	}
	n, newest := 0, ""
	if err := b.AllCached(ctx, "v", func(last string, _ []byte) { n++; newest = last }); err != nil || n < 10 || n > 64 || newest != "vd" {
		t.Errorf("%d left, the newest %s, %v", n, newest, err)
	}
}

// What an hmap wrote that knew no cache opens, and has one then.
func TestCacheIsMadeForAnOldFolder(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir})
	b := connect(t, Options{Server: s})
	talk(t, b, "s1", "t1", "a session")
	must(0, b.js.DeleteStream(within(t), cacheStream))
	b.Close()
	s.Stop()
	b = connect(t, Options{Server: startServer(t, ServerOptions{Dir: dir})})
	must(b.Cache(within(t), "lessons", []byte("one")))
	if body, _, err := b.Cached(within(t), "lessons"); err != nil || string(body) != "one" {
		t.Errorf("%s %v", body, err)
	}
	if recs := must(b.Read(within(t), Where{Session: "s1"}, 0)); len(recs) == 0 {
		t.Error("the log is gone")
	}
}

// A damaged cache is thrown away, and nothing else happens.
func TestDamagedCacheIsThrownAway(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir})
	b := connect(t, Options{Server: s})
	must(b.Cache(within(t), "a", []byte("about nothing")))
	talk(t, b, "s1", "t1", "a session")
	b.Close()
	s.Stop()
	flipAfter(t, newest(files(t, dir, cacheStream)), "about")
	log := &notes{}
	s, err := StartServer(ServerOptions{Dir: dir, Log: slog.New(log)})
	if err != nil {
		t.Fatal("refused: ", err)
	}
	t.Cleanup(s.Stop)
	if !log.warned(cacheStream) {
		t.Error("not noticed")
	}
	b = connect(t, Options{Server: s})
	if _, _, err := b.Cached(within(t), "a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("still there: %v", err)
	}
	must(b.Cache(within(t), "a", []byte("again")))
	if recs := must(b.Read(within(t), Where{Session: "s1"}, 0)); len(recs) == 0 {
		t.Error("the log is gone")
	}
	if _, err := os.Stat(filepath.Join(dir, streamsFolder, cacheStream)); err != nil {
		t.Error(err)
	}
}

// call writes a call of n rounds, with its end or without.
func wholeCall(t *testing.T, b *Bus, w Where, n int, ended bool) (last uint64) {
	t.Helper()
	last = must(b.Append(within(t), &Record{Kind: KindRequest, Session: w.Session, Task: w.Task, Call: w.Call, Request: &Request{
		Session: w.Session, Task: w.Task, Call: w.Call, ToolName: "master", JobDesc: w.Call}}, 0))
	last = write(t, b, w, n, last)
	if ended {
		last = must(b.Append(within(t), record(w.Session, w.Task, w.Call, KindResponse), last))
	}
	return last
}

// Each call that has ended comes once, whole, wherever the reading began, stopped and went on.
func TestEndedCalls(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	got := map[string]int{} // records by call
	read := func(after uint64, most int) (to uint64) {
		t.Helper()
		to, err := b.EndedCalls(ctx, after, most, func(recs []Record) {
			if got[recs[0].Call] != 0 {
				t.Errorf("%s comes again", recs[0].Call)
			}
			if recs[0].Kind != KindRequest || recs[0].Seq == 0 {
				t.Errorf("%s begins with %s", recs[0].Call, recs[0].Kind)
			}
			got[recs[0].Call] = len(recs)
		})
		if err != nil {
			t.Fatal(err)
		}
		return to
	}
	if to := read(0, 100); to != 0 {
		t.Errorf("an empty log: read to %d", to)
	}
	wholeCall(t, b, Where{"s", "t1", "t1"}, 3, true)
	last := wholeCall(t, b, Where{"s", "t2", "t2"}, 400, false) // more than a batch
	must(b.Tell(ctx, "s", "t2", Input{Kind: Steer, Text: "x"}, ""))
	to := read(0, 100)
	if len(got) != 1 || got["t1"] != 4 {
		t.Errorf("%v", got)
	}
	to = read(to, 1000)
	last = write(t, b, Where{"s", "t2", "t2"}, 2, last)
	must(b.Append(ctx, record("s", "t2", "t2", KindResponse), last))
	wholeCall(t, b, Where{"s", "t2", "t2-1-0"}, 2, true)
	if err := publishForeign(ctx, b, "s", "t3"); err != nil {
		t.Fatal(err)
	}
	other := connect(t, Options{Server: b.o.Server, Tenant: "other"})
	wholeCall(t, other, Where{"s", "t9", "t9"}, 1, true)
	end := read(to, 1000)
	if len(got) != 3 || got["t2"] != 403 || got["t2-1-0"] != 3 {
		t.Errorf("%v", got)
	}
	if again := read(end, 1000); again != end {
		t.Errorf("nothing new, and read from %d to %d", end, again)
	}
	if at := must(b.LogEnd(ctx)); at < end {
		t.Errorf("the log ends at %d, read to %d", at, end)
	}
}

// publishForeign brings what is no record into the log: garbage that says it is the end of a call, and what a pull takes for the server's word.
func publishForeign(ctx context.Context, b *Bus, session, task string) error {
	for _, body := range []string{"garbage", ""} {
		m := message(LogSubject(b.o.Tenant, session, task, task), "", []byte(body))
		m.Header.Set(HeaderKind, string(KindResponse))
		if body == "" {
			m.Header.Set("Status", "404")
		}
		if _, err := b.publish(ctx, m, nil); err != nil {
			return err
		}
	}
	return nil
}
