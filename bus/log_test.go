package bus

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
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

// What people said is asked for until the leader of the log answers, and read until a replica has all that the leader knows of.
func TestSaidWaitsForTheLeaderAndTheReplicas(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	var reads sync.WaitGroup
	for _, w := range []Where{{"s", "t", "t"}, {Session: "s", Task: "t"}, {Session: "s"}} {
		reads.Go(func() { // at once: each waits for an answer that the server does not give
			if recs, err := b.Read(within(t), w, 0); !errors.Is(err, ErrDamaged) {
				t.Errorf("%v: %d records, %v, want ErrDamaged", w, len(recs), err)
			}
		})
	}
	reads.Wait()
}
