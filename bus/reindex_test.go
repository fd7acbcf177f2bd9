package bus

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus/bustest/crash"
)

// A kill, or a power cut, may take marks that were acknowledged from the end of the index. The log has them all, and only its end is read.
func TestMarksLostAtAKillAreFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir})
	b := connect(t, Options{Server: s})
	begin := func(session string, waiting bool) uint64 {
		r := record(session, "t", "t", KindRequest)
		r.Agent = "master"
		last := must(b.Append(within(t), r, 0))
		must(0, b.MarkOpen(within(t), OpenTask{Session: session, Task: "t", Agent: "master", Waiting: waiting}))
		return last
	}
	runs := func(session string, last uint64) uint64 {
		r := record(session, "t", "t", KindRound)
		r.Agent, r.Round = "master", 1
		last = must(b.Append(within(t), r, last))
		must(0, b.MarkOpen(within(t), OpenTask{Session: session, Task: "t", Agent: "master"}))
		return last
	}
	begin("waits", true)
	roused := begin("roused", true)
	b.Close()
	s.Stop()
	onDisk := must(os.ReadFile(newest(files(t, dir, openStream))))
	was := must(readSeal(dir))
	if last := was.Streams[LogStream].Last; was.Indexed != last || last == 0 {
		t.Errorf("after an orderly stop the index follows the log to %d of %d", was.Indexed, last)
	}

	s = startServer(t, ServerOptions{Dir: dir})
	if s.reindex {
		t.Error("an index that was left in good order is held against the log")
	}
	b = connect(t, Options{Server: s})
	runs("roused", roused)
	begin("begun", false)
	must(b.Append(within(t), record("ended", "t", "t", KindResponse), begin("ended", false)))
	must(0, b.Unmark(within(t), "ended", "t"))
	must(0, s.note())
	to := crash.Copy(t, dir)
	must(0, os.WriteFile(newest(files(t, to, openStream)), onDisk, 0o600))
	_ = os.Remove(filepath.Join(to, streamsFolder, openStream, "msgs", "index.db"))
	left := must(readSeal(to))
	if left.Indexed != was.Indexed {
		t.Errorf("the log would be read from %d, want %d", left.Indexed, was.Indexed)
	}
	left.Streams[openStream] = was.Streams[openStream] // or the whole log is read
	must(0, left.write(to))

	cut := crash.Copy(t, to) // as another run of the machine would find it: what was not synced may be gone
	left.Boot = "before"
	must(0, left.write(cut))
	if s := startServer(t, ServerOptions{Dir: cut}); s.index.sure != 0 {
		t.Errorf("after a power cut the log is read from %d", s.index.sure)
	}

	again := startServer(t, ServerOptions{Dir: to})
	if again.index.sure != was.Indexed {
		t.Errorf("the log is read from %d, want %d", again.index.sure, was.Indexed)
	}
	found := connect(t, Options{Server: again})
	for _, what := range []string{"the end of the log", "all of the log"} {
		waiting := map[string]bool{}
		for _, o := range must(found.OpenTasks(within(t))) {
			waiting[o.Session] = o.Waiting
		}
		if want := map[string]bool{"waits": true, "roused": false, "begun": false}; !maps.Equal(waiting, want) {
			t.Errorf("held against %s, these are open, and wait: %v, want %v", what, waiting, want)
		}
		must(0, found.reindex(within(t), 0))
	}
}

// A log that lost its end gives its sequences anew: what the index knew of them says nothing.
func TestHorizonBehindTheEndOfTheLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir})
	b := connect(t, Options{Server: s})
	write(t, b, Where{Session: "s", Task: "t", Call: "t"}, 20, 0)
	b.Close()
	s.Stop()
	must(0, os.RemoveAll(filepath.Join(dir, streamsFolder, LogStream)))
	s = startServer(t, ServerOptions{Dir: dir, AcceptDamage: true})
	if s.index.sure != 0 {
		t.Errorf("the index is sure to %d of a log that is gone", s.index.sure)
	}
}

func TestHorizon(t *testing.T) {
	t.Parallel()
	at := time.Now()
	var h horizon
	for n := range 40 {
		h.note(uint64(100+n), at.Add(time.Duration(n)*indexedAfter/20))
	}
	if h.sure != 119 || len(h.stood) != 20 {
		t.Errorf("sure to %d with %d kept, want 119 and 20", h.sure, len(h.stood))
	}
	h.torn = true
	h.note(1000, at.Add(10*indexedAfter))
	h.note(1001, at.Add(20*indexedAfter))
	if h.sure != 119 {
		t.Errorf("torn, and still it is sure to %d", h.sure)
	}
}

// Only the index of open tasks may be written later than it is acknowledged, and only on a server that reads the log for what it lost. It is a bucket like others.
func TestOnlyTheIndexIsWrittenLater(t *testing.T) {
	t.Parallel()
	later := func(b *Bus) (all []string) {
		for info := range b.js.ListStreams(within(t)).Info() {
			if info.Config.PersistMode != jetstream.DefaultPersistMode {
				all = append(all, info.Config.Name)
			}
		}
		return all
	}
	s := startServer(t, ServerOptions{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	far := connect(t, Options{URL: s.URL()}) // makes everything, as on a server that is not ours
	connect(t, Options{Server: s})           // and takes it as it is
	if all := later(far); len(all) > 0 {
		t.Errorf("%v, though nobody reads the log for it", all)
	}
	b := connect(t, Options{Server: startServer(t, ServerOptions{Dir: t.TempDir()})})
	if all := later(b); len(all) != 1 || all[0] != openStream {
		t.Errorf("%v are written later", all)
	}
	config := func(b *Bus) jetstream.StreamConfig {
		c := must(b.js.Stream(within(t), openStream)).CachedInfo().Config
		c.Metadata, c.PersistMode = nil, jetstream.DefaultPersistMode
		return c
	}
	if made, want := config(b), config(far); !reflect.DeepEqual(made, want) {
		t.Errorf("made as\n%+v, a bucket is\n%+v", made, want)
	}
}
