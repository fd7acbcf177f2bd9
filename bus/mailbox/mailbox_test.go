package mailbox

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func engine(t *testing.T) *actor.Engine {
	t.Helper()
	e, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

type receiver func(*actor.Context)

func (r receiver) Receive(c *actor.Context) { r(c) }

func wait[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(10 * time.Second):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// More panics than hollywood would forgive: each costs its message and nothing else.
func TestPanicInReceive(t *testing.T) {
	e := engine(t)
	got, panics := make(chan int, 100), make(chan string, 100)
	pid := Spawn(e, func() actor.Receiver {
		made := 0
		return receiver(func(c *actor.Context) {
			n, ok := c.Message().(int)
			if !ok {
				return
			}
			if made++; n%2 == 1 {
				panic(n)
			}
			got <- n + 100*made // the state lives on: nothing was restarted
		})
	}, "test", "odd", func(v any, stack []byte) {
		if !strings.Contains(string(stack), "mailbox_test.go") {
			t.Errorf("the stack does not lead to the panic:\n%s", stack)
		}
		panics <- "caught"
		panic("onPanic panics as well")
	})
	for n := range 10 {
		e.Send(pid, n)
	}
	var order []int
	for range 5 {
		order = append(order, wait(t, got))
	}
	if !slices.Equal(order, []int{100, 302, 504, 706, 908}) {
		t.Errorf("got %v", order)
	}
	for range 5 {
		wait(t, panics)
	}
	<-e.Poison(pid).Done()
}

// In hollywood alone each of these ends the process.
func TestPanicInLifecycle(t *testing.T) {
	e := engine(t)
	caught := make(chan any, 10)
	pid := Spawn(e, func() actor.Receiver {
		return receiver(func(c *actor.Context) {
			switch c.Message().(type) {
			case actor.Initialized:
				panic("initialized")
			case actor.Started:
				panic("started")
			case actor.Stopped:
				panic("stopped")
			case string:
				panic(errors.New("an error"))
			}
		})
	}, "test", "panics", func(v any, _ []byte) { caught <- v })
	e.Send(pid, "x")
	<-e.Poison(pid).Done()
	var all []string
	for len(caught) > 0 {
		switch v := wait(t, caught).(type) {
		case string:
			all = append(all, v)
		case error:
			all = append(all, v.Error())
		}
	}
	if !slices.Equal(all, []string{"initialized", "started", "an error", "stopped"}) {
		t.Errorf("caught %v", all)
	}
}

func TestNoReportWanted(t *testing.T) {
	e := engine(t)
	ok := make(chan struct{})
	pid := Spawn(e, func() actor.Receiver {
		return receiver(func(c *actor.Context) {
			switch c.Message() {
			case "panic":
				panic("x")
			case "ok":
				close(ok)
			}
		})
	}, "test", "quiet", nil)
	e.Send(pid, "panic")
	e.Send(pid, "ok")
	wait(t, ok)
	<-e.Poison(pid).Done()
}

// worker hands its messages out and runs work beside itself.
func worker(t *testing.T, e *actor.Engine) (*Beside, <-chan any, *actor.PID) {
	t.Helper()
	got, made := make(chan any, 100), make(chan *Beside, 1)
	pid := Spawn(e, func() actor.Receiver {
		var b *Beside
		return receiver(func(c *actor.Context) {
			switch m := c.Message().(type) {
			case actor.Initialized:
			case actor.Started:
				b = NewBeside(t.Context(), c.Engine(), c.PID())
				made <- b
			case actor.Stopped:
				b.Stop()
			default:
				got <- m
			}
		})
	}, "test", "worker", func(v any, stack []byte) { t.Errorf("%v\n%s", v, stack) })
	return wait(t, made), got, pid
}

func TestBesideResultComesAsMessage(t *testing.T) {
	e := engine(t)
	b, got, pid := worker(t, e)
	release := make(chan struct{})
	b.Go(func(context.Context) any { <-release; return 7 })
	b.Go(func(context.Context) any { return nil }) // says nothing
	e.Send(pid, "meanwhile")
	if m := wait(t, got); m != "meanwhile" {
		t.Errorf("the actor was held up: %v", m)
	}
	close(release)
	if m := wait(t, got); m != 7 {
		t.Errorf("got %v", m)
	}
	b.Go(func(context.Context) any { panic("boom") })
	p, ok := wait(t, got).(Panicked)
	if !ok || p.Value != "boom" || !strings.Contains(string(p.Stack), "mailbox_test.go") {
		t.Errorf("got %+v", p)
	}
	<-e.Poison(pid).Done()
}

func TestBesideStopWhileWorking(t *testing.T) {
	e := engine(t)
	b, got, pid := worker(t, e)
	began, ended := make(chan struct{}), make(chan struct{})
	b.Go(func(ctx context.Context) any {
		close(began)
		<-ctx.Done()
		close(ended)
		return "too late"
	})
	wait(t, began)
	<-e.Poison(pid).Done() // Stopped stops the work, and waits for it
	select {
	case <-ended:
	default:
		t.Error("the work outlived its actor")
	}
	b.Go(func(context.Context) any { t.Error("work after Stop"); return nil })
	if !b.Stop() {
		t.Error("the second Stop found work")
	}
	if len(got) != 0 {
		t.Errorf("sent after Stop: %v", <-got)
	}
}

func TestBesideStopIsBounded(t *testing.T) {
	e := engine(t)
	b, got, pid := worker(t, e)
	began, release := make(chan struct{}), make(chan struct{})
	b.Go(func(context.Context) any { close(began); <-release; return "stubborn" })
	wait(t, began)
	if b.stop(10 * time.Millisecond) {
		t.Error("stop says that all work ended")
	}
	close(release)
	<-e.Poison(pid).Done()
	if len(got) != 0 {
		t.Errorf("sent after Stop: %v", <-got)
	}
}

func TestBesideEndsWithItsContext(t *testing.T) {
	e := engine(t)
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan any, 1)
	pid := Spawn(e, func() actor.Receiver {
		return receiver(func(c *actor.Context) {
			if err, ok := c.Message().(error); ok {
				got <- err
			}
		})
	}, "test", "ctx", nil)
	b := NewBeside(ctx, e, pid)
	b.Go(func(ctx context.Context) any { <-ctx.Done(); return ctx.Err() })
	cancel()
	if err := wait(t, got); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	b.Stop()
	<-e.Poison(pid).Done()
}
