package bus

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

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
	t.Parallel()
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
	if d := time.Since(back); d > 9*time.Second { // missing heartbeats alone would take 10 s to notice
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
