package bus

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

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

// A server that has more to store than it takes says so, and has stored nothing: what is to be stored is sent again, and not given up.
func TestAServerThatIsFloodedIsAskedAgain(t *testing.T) {
	t.Parallel()
	b := withoutStreams(t)
	ctx := within(t)
	asked := map[string]int{}
	must(b.nc.Subscribe("hmap.main.*.>", func(m *nats.Msg) {
		body := `{"stream":"S","seq":7}`
		if asked[m.Subject]++; asked[m.Subject] == 1 { // as nats-server 2.15 answers then
			body = `{"error":{"code":429,"err_code":10167,"description":"too many requests"},"stream":"S","seq":0}`
		}
		_ = m.Respond([]byte(body))
	}))
	if seq, err := b.Append(ctx, record("s", "t", "t", KindRound), 3); err != nil || seq != 7 {
		t.Errorf("appended as %d, %v", seq, err)
	}
	if _, err := b.Submit(ctx, "master", Submission{Query: "x"}, ""); err != nil {
		t.Error(err)
	}
	if seq, err := b.Tell(ctx, "s", "t", Input{Kind: Cancel}, ""); err != nil || seq != 7 {
		t.Errorf("told as %d, %v", seq, err)
	}
}
