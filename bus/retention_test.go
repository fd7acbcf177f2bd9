package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// left counts what the stores still hold of a session.
func left(t *testing.T, b *Bus, session string) (n int) {
	t.Helper()
	for stream, subjects := range map[string][]string{
		LogStream:      {LogSubject("main", session, "*", "*"), InputSubject("main", session, "*")},
		sessionsStream: {b.sessionSubject(session), b.removalSubject(session)},
		openStream:     {openSubject(b.openKey(session, "*"))},
	} {
		for _, subject := range subjects {
			from := must(b.js.Stream(t.Context(), stream))
			info := must(from.Info(t.Context(), jetstream.WithSubjectFilter(subject)))
			for name, of := range info.State.Subjects {
				last, err := from.GetLastMsgForSubject(t.Context(), name)
				if errors.Is(err, jetstream.ErrMsgNotFound) { // it went meanwhile
					continue
				}
				if must(last, err); stream == LogStream || len(last.Data) > 0 { // what says that it is gone is empty
					n += int(of)
				}
			}
		}
	}
	return n
}

func TestRemoveTakesASessionWhole(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	file := func(name string) File { return must(b.Files().Put(ctx, name, "", "", strings.NewReader(name))) }
	given, made, whole := file("given"), file("made"), file("whole")

	r := ask("s", "t1", "first")
	r.Request.Files = []File{given}
	seq := must(b.Append(ctx, r, 0))
	result := record("s", "t1", "t1", KindResult)
	result.Files = []File{whole, given}
	seq = must(b.Append(ctx, result, seq))
	produced := record("s", "t1", "t1-1-0", KindFile)
	produced.File = &made
	must(b.Append(ctx, produced, 0))
	must(b.Tell(ctx, "s", "t1", Input{Kind: Steer, Text: "faster"}, ""))
	end := record("s", "t1", "t1", KindResponse)
	end.Status = OK
	must(b.Append(ctx, end, seq))
	keep(t, b, "s", time.Now())
	talk(t, b, "ss", "t1", "of another session")
	talk(t, b, "s-", "t1", "of another session")

	if err := b.Remove(ctx, "s"); err != nil {
		t.Fatal(err)
	}
	if n := left(t, b, "s"); n != 0 {
		t.Errorf("%d messages are left of it", n)
	}
	for _, f := range []File{made, whole} {
		if _, _, err := b.Files().Get(ctx, f.Ref); !errors.Is(err, ErrNotFound) {
			t.Errorf("the artifact %s: %v, want ErrNotFound", f.Name, err)
		}
	}
	if r, _, err := b.Files().Get(ctx, given.Ref); err != nil {
		t.Errorf("what was given to it may be known to others: %v", err)
	} else {
		_ = r.Close()
	}
	for _, other := range []string{"ss", "s-"} {
		if recs := must(b.Read(ctx, Where{Session: other}, 0)); len(recs) != 2 {
			t.Errorf("%d records are left of %s", len(recs), other)
		}
	}
	if err := b.Remove(ctx, "s"); !errors.Is(err, ErrNotFound) {
		t.Errorf("again: %v, want ErrNotFound", err)
	}
	if err := b.Remove(ctx, "*"); !errors.Is(err, ErrBadName) {
		t.Errorf("all: %v, want ErrBadName", err)
	}
}

func TestRemoveSparesWhatHasNotEnded(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	talk(t, b, "s", "t1", "ended")
	seq := must(b.Append(ctx, ask("s", "t2", "runs"), 0))
	if err := b.Remove(ctx, "s"); !errors.Is(err, ErrOpenTask) || !strings.Contains(err.Error(), "t2") {
		t.Errorf("with a task that runs: %v, want ErrOpenTask", err)
	}
	must(b.Append(ctx, record("s", "t2", "t2", KindResponse), seq))
	// Its node has still to keep the snapshot, as long as it lives.
	lease := must(b.Lease(ctx))
	if err := b.MarkOpen(ctx, OpenTask{Session: "s", Task: "t2"}); err != nil {
		t.Fatal(err)
	}
	if err := b.Remove(ctx, "s"); !errors.Is(err, ErrOpenTask) {
		t.Errorf("with a node that is at its end: %v, want ErrOpenTask", err)
	}
	lease.Close()
	if err := b.Remove(ctx, "s"); err != nil || left(t, b, "s") != 0 {
		t.Errorf("once that is gone: %v, %d left", err, left(t, b, "s"))
	}
}

// A removal that was cut off anywhere is ended by the next sweep, and a task that began meanwhile stays.
func TestRemovalIsEndedAfterACrash(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	made := must(b.Files().Put(ctx, "made", "", "", strings.NewReader("x")))
	crashes := map[string]func(session string, seq uint64){
		"after the mark":         func(string, uint64) {},
		"without a snapshot":     func(s string, _ uint64) { must(0, b.purge(ctx, sessionsStream, b.sessionSubject(s), 0)) },
		"between log and inputs": func(s string, seq uint64) { must(0, b.purge(ctx, LogStream, LogSubject("main", s, "*", "*"), seq)) },
	}
	n := 0
	for when, crash := range crashes {
		for _, begun := range []bool{false, true} {
			n++
			s := fmt.Sprintf("s%d", n)
			talk(t, b, s, "t1", "old")
			must(b.Tell(ctx, s, "t1", Input{Kind: Steer, Text: "old too"}, ""))
			f := record(s, "t1", "t1-1-0", KindFile)
			f.File = &made
			seq := must(b.Append(ctx, f, 0))
			keep(t, b, s, time.Now())
			if err := b.swapJSON(ctx, b.removalSubject(s), removal{Seq: seq}, 0); err != nil {
				t.Fatal(err)
			}
			crash(s, seq)
			if begun {
				talk(t, b, s, "t2", "new")
			}
			if got := must(b.Snapshot(ctx, s)); got.Tasks == 0 && got.Seq != seq {
				t.Errorf("%s: who reads the log begins after %d, want %d", when, got.Seq, seq)
			}
			if _, err := b.Sweep(ctx, Retention{}); err != nil {
				t.Fatal(when, err)
			}
			got := must(b.Read(ctx, Where{Session: s}, 0))
			snapshot := must(b.Snapshot(ctx, s))
			if !begun && left(t, b, s) != 0 {
				t.Errorf("%s: %d messages are left", when, left(t, b, s))
			}
			if begun && (len(got) != 2 || got[0].Task != "t2" || snapshot.Title != "new" || snapshot.Tasks != 1 || snapshot.Memory != nil || left(t, b, s) != 3) {
				t.Errorf("%s, and a task began: %v, %+v", when, got, snapshot)
			}
		}
	}
}

// What a callee of an ended task writes while the session is removed goes too; what belongs to a new task stays.
func TestRemovalOfLateRecords(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	seq := talk(t, b, "s", "t1", "old")
	child := must(b.Append(ctx, record("s", "t1", "t1-1-0", KindRound), 0))
	seq = max(seq, child)
	must(b.Append(ctx, record("s", "t1", "t1-1-0", KindResponse), child)) // late
	mark := removal{Seq: seq, Tasks: []string{"t1"}}
	must(0, b.swapJSON(ctx, b.removalSubject("s"), mark, 0))
	if err := b.endRemoval(ctx, "s", mark); err != nil {
		t.Fatal(err)
	}
	if n := left(t, b, "s"); n != 0 {
		t.Errorf("%d messages are left", n)
	}
	if _, err := b.Append(ctx, record("s", "t1", "t1-1-0", KindResponse), child); !errors.Is(err, ErrFenced) {
		t.Errorf("and later still: %v, want ErrFenced", err)
	}
}

func TestSweepByAge(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	old := func(session, task string, hours int) {
		r := ask(session, task, "q")
		r.Time = time.Now().Add(-time.Duration(hours) * time.Hour)
		end := record(session, task, task, KindResponse)
		end.Status, end.Time = OK, r.Time
		must(b.Append(ctx, end, must(b.Append(ctx, r, 0))))
		keep(t, b, session, r.Time)
	}
	old("old", "t", 48)
	old("runs", "t", 48)
	old("young", "t", 1)
	old("old-too", "t", 30)
	must(b.Append(ctx, ask("runs", "t2", "still"), 0))
	old("spoken-to", "t", 48)
	talk(t, b, "spoken-to", "t2", "of which the snapshot does not know")

	if n, err := b.Sweep(ctx, Retention{}); n != 0 || err != nil {
		t.Errorf("without a bound it removed %d, %v", n, err)
	}
	n, err := b.Sweep(ctx, Retention{Age: 24 * time.Hour})
	if n != 2 || err != nil {
		t.Errorf("it removed %d, %v", n, err)
	}
	for session, want := range map[string]int{"old": 0, "old-too": 0, "runs": 3, "young": 2, "spoken-to": 4} {
		if got := len(must(b.Read(ctx, Where{Session: session}, 0))); got != want {
			t.Errorf("%s: %d records, want %d", session, got, want)
		}
	}
}

func TestSweepByBytes(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	for i := range 10 {
		s := fmt.Sprintf("s%d", i)
		seq := must(b.Append(ctx, ask(s, "t", strings.Repeat("x", 10_000)), 0))
		if i != 1 { // it runs
			must(b.Append(ctx, record(s, "t", "t", KindResponse), seq))
		}
		keep(t, b, s, time.Now())
	}
	if n, err := b.Sweep(ctx, Retention{Bytes: 55_000}); n != 5 || err != nil {
		t.Errorf("it removed %d, %v", n, err)
	}
	list, _, err := b.Sessions(ctx, 0, 20)
	if got := ids(list); err != nil || !slices.Equal(got, []string{"s9", "s8", "s7", "s6", "s1"}) {
		t.Errorf("there are %v, %v", got, err)
	}
	if over := must(b.over(ctx, 55_000)); over {
		t.Error("and the log is over its bound still")
	}
}

// One node at a time sweeps; when it is gone another does at once.
func TestRetainTakesTurns(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	other := beside(t, b)
	lease := must(b.Lease(ctx))
	for _, c := range []struct {
		who  *Bus
		want bool
	}{{b, true}, {other, false}, {b, true}, {other, false}} {
		if got := must(c.who.takeTurn(ctx)); got != c.want {
			t.Errorf("%s: %v, want %v", c.who.Node(), got, c.want)
		}
	}
	lease.Close()
	for !must(other.takeTurn(ctx)) { // it has still to hear of that
		if !pause(ctx, 0) {
			t.Fatal("the node that swept is gone, and nobody does")
		}
	}
}

func TestRetain(t *testing.T) {
	b := newBus(t)
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	talk(t, b, "s", "t", "q")
	done := make(chan struct{})
	go func() { defer close(done); b.Retain(ctx, Retention{Age: time.Nanosecond}) }()
	// The session was never listed: the first sweep does that, too.
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for left(t, b, "s") > 0 {
		select {
		case <-look.C:
		case <-ctx.Done():
			t.Fatal("nobody swept")
		}
	}
	cancel()
	<-done
}

func TestMadeArtifacts(t *testing.T) {
	given := File{Ref: "obj:given"}
	records := []Record{
		{Task: "t", Call: "t", Kind: KindRequest, Request: &Request{Files: []File{given}}},
		{Task: "t", Call: "t-1-0", Kind: KindRequest, Request: &Request{Files: []File{given, {Ref: "obj:a"}}}},
		{Task: "t", Call: "t-1-0", Kind: KindFile, File: &File{Ref: "obj:a"}},
		{Task: "t", Call: "t", Kind: KindResponse, Files: []File{given, {Ref: "obj:b"}, {Ref: "https://elsewhere"}}},
	}
	got := made(records)
	slices.Sort(got)
	if !slices.Equal(got, []string{"obj:a", "obj:b"}) {
		t.Errorf("%v", got)
	}
}
