package bus

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func record(session, task, call string, kind Kind) *Record {
	return &Record{Kind: kind, Session: session, Task: task, Call: call}
}

// write appends n rounds to a call and returns the sequence of the last.
func write(t *testing.T, b *Bus, w Where, n int, last uint64) uint64 {
	t.Helper()
	for i := range n {
		rec := record(w.Session, w.Task, w.Call, KindRound)
		rec.Round = i + 1
		var err error
		if last, err = b.Append(within(t), rec, last); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

func seqs(recs []Record) []uint64 {
	var s []uint64
	for _, r := range recs {
		s = append(s, r.Seq)
	}
	return s
}

func TestAppendFencesTheSecondWriter(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	w := Where{"s", "t", "t"}
	first := write(t, b, w, 1, 0)
	if _, err := b.Append(ctx, record("s", "t", "t", KindClaim), 0); !errors.Is(err, ErrFenced) {
		t.Errorf("a second first record: %v, want ErrFenced", err)
	}
	// Two writers that folded the same log: one goes on, the other learns that it may not.
	other := beside(t, b)
	var wg sync.WaitGroup
	errs := make([]error, 2)
	for i, x := range []*Bus{b, other} {
		wg.Go(func() { _, errs[i] = x.Append(ctx, record("s", "t", "t", KindClaim), first) })
	}
	wg.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Errorf("of two writers at the same place: %v, %v; want exactly one to win", errs[0], errs[1])
	}
	if err := errors.Join(errs...); !errors.Is(err, ErrFenced) {
		t.Errorf("the loser got %v, want ErrFenced", err)
	}
	if recs := must(b.Read(ctx, w, 0)); len(recs) != 2 {
		t.Errorf("%d records, want 2", len(recs))
	}
}

// A lost acknowledgement is played by storing the message first: what follows is the repeat.
func TestAppendSurvivesALostAck(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	m := message(LogSubject("main", "s", "t", "t"), "id-1", []byte(`{"hmap":"1","kind":"claim"}`))
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, "0")
	stored := must(b.js.PublishMsg(ctx, m)).Sequence
	again := func(err error) (uint64, error) { return b.settle(ctx, m, 0, err) }
	if seq, err := b.publish(ctx, m, again); err != nil || seq != stored {
		t.Errorf("the repeat gave %d, %v; want %d as if nothing had happened", seq, err, stored)
	}
	// Somebody goes on: now the repeat is a zombie's.
	write(t, b, Where{"s", "t", "t"}, 1, stored)
	if _, err := b.publish(ctx, m, again); !errors.Is(err, ErrFenced) {
		t.Errorf("after another append: %v, want ErrFenced", err)
	}
	if recs := must(b.Read(ctx, Where{Session: "s"}, 0)); len(recs) != 2 {
		t.Errorf("%d records, want 2", len(recs))
	}
}

func TestAppendRefusesWhatCannotBeARecord(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	big := record("s", "t", "t", KindRound)
	big.Thought = strings.Repeat("x", 1<<20)
	version := record("s", "t", "t", KindRound)
	version.HMAP = "2"
	for _, c := range []struct {
		rec  *Record
		want error
	}{
		{record("*", "t", "t", KindRound), ErrBadName},
		{record("s", ">", "t", KindRound), ErrBadName},
		{record("s", "t", "a.b", KindRound), ErrBadName},
		{record("s", "t", "", KindRound), ErrBadName},
		{record("s", "t", strings.Repeat("x", 65), KindRound), ErrBadName},
		{big, ErrTooLarge},
		{version, ErrVersion},
	} {
		if _, err := b.Append(ctx, c.rec, 0); !errors.Is(err, c.want) {
			t.Errorf("%.40v: %v, want %v", c.rec, err, c.want)
		}
	}
	if _, err := b.Append(ctx, record("s", "t", "t", "gossip"), 0); err == nil {
		t.Error("an unknown kind was stored")
	}
	if recs := must(b.Read(ctx, Where{Session: "s"}, 0)); len(recs) != 0 {
		t.Errorf("stored all the same: %v", recs)
	}
}

func TestReadGivesSessionTaskAndCall(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	a := write(t, b, Where{"s", "t1", "t1"}, 2, 0)
	c := write(t, b, Where{"s", "t1", "t1-1-0"}, 1, 0)
	d := write(t, b, Where{"s", "t2", "t2"}, 1, 0)
	write(t, b, Where{"s2", "t1", "t1"}, 1, 0)
	other := connect(t, Options{Server: b.o.Server, Tenant: "elsewhere"})
	write(t, other, Where{"s", "t1", "t1"}, 1, 0)
	in := must(b.Tell(ctx, "s", "t1", Input{Kind: Steer, Text: "faster"}, ""))
	for _, x := range []struct {
		w     Where
		after uint64
		want  []uint64
	}{
		{Where{Session: "s"}, 0, []uint64{a - 1, a, c, d, in}},
		{Where{Session: "s"}, a, []uint64{c, d, in}},
		{Where{Session: "s", Task: "t1"}, 0, []uint64{a - 1, a, c, in}},
		{Where{"s", "t1", "t1"}, 0, []uint64{a - 1, a}},
		{Where{"s", "t1", "t1"}, 1000, nil},
		{Where{Session: "nobody"}, 0, nil},
	} {
		recs, err := b.Read(ctx, x.w, x.after)
		if err != nil || !slices.Equal(seqs(recs), x.want) {
			t.Errorf("%v after %d: %v, %v; want %v", x.w, x.after, seqs(recs), err, x.want)
		}
	}
	recs := must(b.Read(ctx, Where{Session: "s", Task: "t1"}, c))
	if r := recs[0]; r.Kind != KindInput || r.Call != "t1" || r.Input == nil || r.Input.Text != "faster" || r.Time.IsZero() {
		t.Errorf("an input reads as %+v", r)
	}
	if _, err := b.Read(ctx, Where{Session: "*"}, 0); !errors.Is(err, ErrBadName) {
		t.Errorf("reading *: %v, want ErrBadName", err)
	}
	if _, err := b.Last(ctx, Where{"s", "t1", "none"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("last of nothing: %v, want ErrNotFound", err)
	}
}

// Bodies of foreign publishers must not stop a reader.
func TestReadSkipsForeignBodies(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	w := Where{"s", "t", "t"}
	for i, body := range []string{"", "text", "{", `{"kind":"gossip"}`, `{"hmap":"2","kind":"round"}`, `{"kind":"round","round":"x"}`, "\xff\xfe", "[1]"} {
		must(b.js.Publish(ctx, LogSubject("main", "s", "t", fmt.Sprint("c", i)), []byte(body)))
		must(b.js.Publish(ctx, InputSubject("main", "s", "t"), []byte(body)))
	}
	must(b.js.Publish(ctx, "hmap.main.log.s", []byte(`{"hmap":"1","kind":"round"}`)))
	must(b.js.Publish(ctx, "hmap.main.log.s.t.t.x", []byte(`{"hmap":"1","kind":"round"}`)))
	lie := must(b.js.Publish(ctx, LogSubject("main", "s", "t", "lie"), []byte(`{"hmap":"1","kind":"round","session":"other","task":"other","call":"other"}`)))
	last := write(t, b, w, 1, 0)
	recs := must(b.Read(ctx, Where{Session: "s"}, 0))
	if !slices.Equal(seqs(recs), []uint64{lie.Sequence, last}) {
		t.Fatalf("read %v", recs)
	}
	if r := recs[0]; r.Session != "s" || r.Task != "t" || r.Call != "lie" {
		t.Errorf("a body that lies about its place is believed: %+v", r)
	}
}

func TestFollowHistoryMarkerLive(t *testing.T) {
	b := newBus(t)
	w := Where{"s", "t", "t"}
	last := write(t, b, w, 3, 0)
	var got []uint64
	for e, err := range b.Follow(within(t), Where{Session: "s"}, 1) {
		if err != nil {
			t.Fatal(err)
		}
		if e.CaughtUp {
			if e.Record.Seq != last || !slices.Equal(got, []uint64{2, 3}) {
				t.Fatalf("marker at %d after %v, want it at %d after history", e.Record.Seq, got, last)
			}
			last = write(t, b, w, 3, last)
			continue
		}
		if got = append(got, e.Record.Seq); e.Record.Seq == 6 {
			break
		}
	}
	if !slices.Equal(got, []uint64{2, 3, 4, 5, 6}) {
		t.Errorf("followed %v", got)
	}
}

// A reader far slower than the writer gets everything, and holds up nobody.
func TestFollowSlowReader(t *testing.T) {
	b := newBus(t)
	w := Where{"s", "t", "t"}
	const n = 3 * tailMessages
	started, written := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(written)
		<-started
		write(t, b, w, n, 0)
	}()
	want := uint64(1)
	for e, err := range b.Follow(within(t), w, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.CaughtUp {
			close(started)
			<-written // does not read at all until the writer is through
			continue
		}
		if e.Record.Seq != want {
			t.Fatalf("got %d, want %d", e.Record.Seq, want)
		}
		if want++; want > n {
			break
		}
	}
	if want != n+1 {
		t.Errorf("ended before %d", want)
	}
}

func TestFollowEndsWithItsContextAndItsBus(t *testing.T) {
	b := newBus(t)
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	for e, err := range b.Follow(ctx, Where{Session: "s"}, 0) {
		if err != nil || !e.CaughtUp {
			t.Errorf("%+v, %v", e, err)
		}
		cancel()
	}
	for range b.Follow(within(t), Where{Session: "s"}, 0) {
		b.Close()
	}
	if _, err := b.Read(within(t), Where{Session: "s"}, 0); err == nil {
		t.Error("reading from a closed bus succeeded")
	}
	if _, err := b.Append(within(t), record("s", "t", "t", KindClaim), 0); err == nil {
		t.Error("appending to a closed bus succeeded")
	}
}

// The server goes away in the middle and comes back: no gap, no repeat, one marker; a writer in between just takes longer.
func TestFollowAcrossARestart(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, Listen: "127.0.0.1:0"})
	b := connect(t, Options{URL: s.URL()})
	w := Where{"s", "t", "t"}
	last := write(t, b, w, 2, 0)
	_, addr, _ := strings.Cut(s.URL(), "@")
	var got []uint64
	var back time.Time
	markers := 0
	for e, err := range b.Follow(within(t), w, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.CaughtUp {
			markers++
			s.Stop()
			s = startServer(t, ServerOptions{Dir: dir, Listen: addr})
			last = write(t, b, w, 2, last)
			back = time.Now()
			continue
		}
		if got = append(got, e.Record.Seq); e.Record.Seq == 4 {
			break
		}
	}
	if !slices.Equal(got, []uint64{1, 2, 3, 4}) || markers != 1 {
		t.Errorf("followed %v with %d markers", got, markers)
	}
	if d := time.Since(back); d > 5*time.Second { // missing heartbeats alone would take 10 s to notice
		t.Errorf("live again %v after the writer", d)
	}
}

// A delivery that is lost on the way, here because somebody else takes it, is noticed by the next one.
func TestFollowLostDelivery(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	w := Where{"s", "t", "t"}
	var got []uint64
	for e, err := range b.Follow(ctx, w, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.CaughtUp {
			for name := range must(b.js.Stream(ctx, LogStream)).ConsumerNames(ctx).Name() {
				// Our request and the thief's take turns, so of five at least one goes astray.
				stolen := must(must(b.js.Consumer(ctx, LogStream, name)).Fetch(2))
				write(t, b, w, 5, 0)
				n := 0
				for range stolen.Messages() {
					n++
				}
				if n == 0 {
					t.Error("nothing was stolen, so nothing is tested")
				}
			}
			continue
		}
		if got = append(got, e.Record.Seq); e.Record.Seq == 5 {
			break
		}
	}
	if !slices.Equal(got, []uint64{1, 2, 3, 4, 5}) {
		t.Errorf("followed %v", got)
	}
}

// Readers leave nothing behind on the server.
func TestReadLeavesNoConsumers(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	write(t, b, Where{"s", "t", "t"}, 1, 0)
	for range 20 {
		must(b.Read(ctx, Where{Session: "s"}, 0))
	}
	s := must(b.js.Stream(ctx, LogStream))
	for {
		if info := must(s.Info(ctx)); info.State.Consumers == 0 {
			return
		}
		if ctx.Err() != nil {
			t.Fatal("consumers are left")
		}
	}
}

// TryAppend never blocks; what it leaves open, Insist decides as Append does.
func TestTryAppend(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	try := func(rec *Record, last uint64) Attempt {
		t.Helper()
		got := make(chan Attempt, 2)
		if err := b.TryAppend(rec, last, func(a Attempt) { got <- a }); err != nil {
			t.Fatal(err)
		}
		select {
		case a := <-got:
			return a
		case <-ctx.Done():
			t.Fatal("then was not called")
			panic("unreachable")
		}
	}
	rec := func() *Record { return &Record{Kind: KindClaim, Session: "s", Task: "t", Call: "t"} }
	first := try(rec(), 0)
	if first.Seq == 0 || must(first.Insist(ctx)) != first.Seq {
		t.Errorf("stored as %d, and not found again", first.Seq)
	}
	second := try(rec(), first.Seq)
	if second.Seq <= first.Seq {
		t.Errorf("the second is %d, the first %d", second.Seq, first.Seq)
	}
	stale := try(rec(), first.Seq)
	if _, err := stale.Insist(ctx); stale.Seq != 0 || !errors.Is(err, ErrFenced) {
		t.Errorf("behind a record that is not the last: %d, %v, want ErrFenced", stale.Seq, err)
	}
	if err := b.TryAppend(&Record{Kind: KindClaim, Session: "*", Task: "t", Call: "t"}, 0, func(Attempt) { t.Error("then was called") }); !errors.Is(err, ErrBadName) {
		t.Errorf("a bad name: %v", err)
	}
	if records := must(b.Read(ctx, Where{Session: "s", Task: "t", Call: "t"}, 0)); len(records) != 2 {
		t.Errorf("%d records", len(records))
	}
	b.Close()
	closed := make(chan Attempt, 1)
	if err := b.TryAppend(rec(), second.Seq, func(a Attempt) { closed <- a }); err != nil || (<-closed).Seq != 0 {
		t.Errorf("on a closed bus: %v", err)
	}
}

// What people said is asked for until the leader of the log answers, and read until a replica has all that the leader knows of.
func TestSaidWaitsForTheLeaderAndTheReplicas(t *testing.T) {
	b := withoutStreams(t)
	const body, newest = `{"kind":"cancel"}`, 9
	subject := InputSubject("main", "s", "t")
	var leader, replica atomic.Int32
	must(b.nc.Subscribe("$JS.API.STREAM.MSG.GET."+LogStream, func(m *nats.Msg) {
		switch leader.Add(1) {
		case 1: // there is none: nobody answers
		case 2:
			_ = m.Respond([]byte(`{"error":{"code":503,"err_code":10008,"description":"JetStream system temporarily unavailable"}}`))
		default:
			_ = m.Respond(fmt.Appendf(nil, `{"message":{"subject":%q,"seq":%d,"data":%q}}`, subject, newest, base64.StdEncoding.EncodeToString([]byte(body))))
		}
	}))
	must(b.nc.Subscribe("$JS.API.DIRECT.GET."+LogStream, func(m *nats.Msg) {
		seq := newest - 2
		switch replica.Add(1) {
		case 1: // has none of it
			_ = b.nc.PublishMsg(&nats.Msg{Subject: m.Reply, Header: nats.Header{"Status": {"404"}}})
			return
		case 2: // has the one before
		default:
			seq = newest
		}
		_ = b.nc.PublishMsg(&nats.Msg{Subject: m.Reply, Data: []byte(body), Header: nats.Header{"Nats-Subject": {subject}, "Nats-Sequence": {fmt.Sprint(seq)},
			"Nats-Time-Stamp": {"2026-01-01T00:00:00Z"}, "Nats-Num-Pending": {"0"}, "Nats-Last-Sequence": {"0"}}})
		_ = b.nc.PublishMsg(&nats.Msg{Subject: m.Reply, Header: nats.Header{"Status": {"204"}, "Nats-Num-Pending": {"0"}, "Nats-Last-Sequence": {fmt.Sprint(seq)}}})
	}))
	recs, err := b.Said(within(t), "s", "t", 0)
	if err != nil || len(recs) != 1 || recs[0].Seq != newest || recs[0].Input.Kind != Cancel {
		t.Errorf("%+v, %v, after asking the leader %d times and the replicas %d times", recs, err, leader.Load(), replica.Load())
	}
	if recs, err := b.Said(within(t), "s", "t", newest); err != nil || len(recs) != 0 {
		t.Errorf("said after the last: %+v, %v", recs, err)
	}
}

// A file of the log that is lost while the server runs is told, and neither waited for nor taken for the end.
func TestReadOfWhatIsLostWhileRunning(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, NoSync: true})
	b := connect(t, Options{Server: s})
	last := uint64(0)
	for range 30 { // three files of the server's, 8 MiB each
		r := record("s", "t", "t", KindRound)
		r.Thought = strings.Repeat("x", 700_000)
		last = must(b.Append(within(t), r, last))
	}
	b.Close()
	s.Stop()
	s = startServer(t, ServerOptions{Dir: dir, NoSync: true}) // has none of it in memory
	b = connect(t, Options{Server: s})
	all := files(t, dir, LogStream)
	if len(all) < 3 {
		t.Fatalf("%d files, want a middle one", len(all))
	}
	if err := os.Remove(all[1]); err != nil {
		t.Fatal(err)
	}
	for _, w := range []Where{{"s", "t", "t"}, {Session: "s", Task: "t"}, {Session: "s"}} {
		if recs, err := b.Read(within(t), w, 0); !errors.Is(err, ErrDamaged) {
			t.Errorf("%v: %d records, %v, want ErrDamaged", w, len(recs), err)
		}
	}
}
