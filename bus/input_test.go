package bus

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func TestTellAndInputs(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	seq := must(b.Tell(ctx, "s", "t", Input{Kind: Answer, Text: "京东小店", Ask: "t-1-0"}, ""))
	must(b.js.Publish(ctx, InputSubject("main", "s", "t"), []byte("no input")))
	next := must(b.Tell(ctx, "s", "t2", Input{Kind: Cancel}, ""))
	var got []*InputJob
	for j, err := range b.Inputs(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, j); len(got) == 1 {
			err = j.Later(ctx, 0)
		} else {
			err = j.Done()
		}
		if err != nil {
			t.Error(err)
		}
		if len(got) == 3 {
			break
		}
	}
	count := map[uint64]int{}
	for _, j := range got {
		count[j.Seq]++
	}
	if count[seq] != 2 || count[next] != 1 {
		t.Errorf("inputs came as %v; want %d twice and %d once", count, seq, next)
	}
	if j := got[0]; j.Session != "s" || j.Task != "t" || j.Input.Kind != Answer || j.Input.Text != "京东小店" || j.Input.Ask != "t-1-0" {
		t.Errorf("got %+v", j)
	}
}

func TestTellRefuses(t *testing.T) {
	b := newBus(t)
	for _, c := range []struct {
		session, task string
		in            Input
		want          error
	}{
		{"*", "t", Input{Kind: Cancel}, ErrBadName},
		{"s", ">", Input{Kind: Cancel}, ErrBadName},
		{"s", "t", Input{Kind: Cancel, Ask: "a b"}, ErrBadName},
		{"s", "t", Input{Kind: Cancel, HMAP: "2"}, ErrVersion},
		{"s", "t", Input{Kind: Steer, Text: strings.Repeat("x", 2<<20)}, ErrTooLarge},
	} {
		if _, err := b.Tell(within(t), c.session, c.task, c.in, ""); !errors.Is(err, c.want) {
			t.Errorf("%s %s %.60v: %v, want %v", c.session, c.task, c.in, err, c.want)
		}
	}
	if _, err := b.Tell(within(t), "s", "t", Input{Kind: "shout"}, ""); err == nil {
		t.Error("an unknown kind was stored")
	}
}

func TestTellTwiceIsOnce(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	a := must(b.Tell(ctx, "s", "t", Input{Kind: Approve}, "click 1"))
	c := must(b.Tell(ctx, "s", "t", Input{Kind: Approve}, "click 1"))
	if a != c || len(must(b.Read(ctx, Where{Session: "s"}, 0))) != 1 {
		t.Errorf("told at %d and again at %d", a, c)
	}
}

// Every node hears, by then the input can be read, and a restart of the server loses no hint.
func TestHearInputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, Listen: "127.0.0.1:0"})
	ctx := within(t)
	b, other := connect(t, Options{URL: s.URL()}), connect(t, Options{URL: s.URL()})
	must(b.Tell(ctx, "s", "old", Input{Kind: Cancel}, ""))
	heard := []chan string{make(chan string, 16), make(chan string, 16)}
	for i, x := range []*Bus{b, other} {
		stop, err := x.HearInputs(ctx, func(session, task string) {
			if task != "" && len(must(x.Read(ctx, Where{Session: session, Task: task}, 0))) == 0 {
				t.Error("heard of an input that cannot be read")
			}
			heard[i] <- task
		})
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
	}
	must(b.Tell(ctx, "s", "t", Input{Kind: Cancel}, ""))
	for _, h := range heard {
		if task := <-h; task != "t" {
			t.Errorf("heard of %q", task)
		}
	}
	_, addr, _ := strings.Cut(s.URL(), "@")
	s.Stop()
	startServer(t, ServerOptions{Dir: dir, Listen: addr})
	must(b.Tell(ctx, "s", "t2", Input{Kind: Cancel}, ""))
	for _, h := range heard {
		select {
		case task := <-h:
			if task != "t2" {
				t.Errorf("after a restart heard of %q", task)
			}
		case <-ctx.Done():
			t.Fatal("after a restart heard nothing")
		}
	}
}

// Whoever begins to listen waits for a server that does not answer no longer than its own context.
func TestHearInputsEndsWithItsContext(t *testing.T) {
	b := withoutStreams(t)
	asked := make(chan struct{}, 100)
	must(b.nc.Subscribe("$JS.API.STREAM.INFO.>", func(*nats.Msg) { asked <- struct{}{} }))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := b.HearInputs(ctx, func(string, string) {})
		ended <- err
	}()
	<-asked
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("it still waits")
	}
}

// Of what is said to a task that nobody sees to, only the newest waits to be offered again: the server offers no more than it waits for, to all tasks.
func TestInputsThatNobodySeesTo(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	ctx := within(t)
	const words = 50
	tell := func(task string) uint64 { return must(b.Tell(ctx, "s", task, Input{Kind: Steer, Text: "x"}, "")) }
	for range words {
		tell("t1")
	}
	newest := tell("t1")
	tell("t2")
	given := 0
	for j, err := range b.Inputs(ctx) {
		must(0, must(j, err).Later(ctx, time.Hour))
		if given++; given == words+2 {
			break
		}
	}
	c := must(b.js.Consumer(ctx, LogStream, "inputs=main"))
	for {
		info := must(c.Info(ctx))
		if info.NumPending == 0 && info.NumAckPending == 2 && info.AckFloor.Stream == newest-1 {
			return
		}
		if !pause(ctx, 2) {
			t.Fatalf("%d wait to be offered again, want the newest of each task", info.NumAckPending)
		}
	}
}
