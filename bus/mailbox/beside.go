package mailbox

import (
	"context"
	"sync"
	"time"

	"github.com/anthdm/hollywood/actor"
)

// StopWithin is how long [Beside.Stop] waits for work that was told to end.
const StopWithin = 5 * time.Second

// Beside runs slow work next to an actor, whose Receive must never block. The actor owns it: it makes one in Started and stops it in
// Stopped. It may be used from many goroutines.
type Beside struct {
	engine *actor.Engine
	pid    *actor.PID
	ctx    context.Context // the life of the work
	cancel context.CancelFunc

	mu      sync.Mutex
	stopped bool
	running int
	ended   chan struct{} // closed when the last work has ended; there only while Stop waits
}

// NewBeside is for the actor pid, c.PID() in its Receive. Work gets a context below ctx.
func NewBeside(ctx context.Context, e *actor.Engine, pid *actor.PID) *Beside {
	b := &Beside{engine: e, pid: pid}
	b.ctx, b.cancel = context.WithCancel(ctx)
	return b
}

// Go runs work in a goroutine of its own and returns at once. What work returns is sent to the actor as a message; nil is not sent; a panic
// is sent as [Panicked]. work must end soon after its context does. How many run at once is the caller's business. After Stop nothing is
// run and nothing is sent: the result of work that was under way then is dropped.
func (b *Beside) Go(work func(ctx context.Context) any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return
	}
	b.running++
	go func() {
		Room()
		var result any
		if p := Catch(func() { result = work(b.ctx) }); p != nil {
			result = *p
		}
		b.done(result)
	}()
}

func (b *Beside) done(result any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if result != nil && !b.stopped {
		b.engine.Send(b.pid, result)
	}
	if b.running--; b.running == 0 && b.ended != nil {
		close(b.ended)
		b.ended = nil
	}
}

// Stop ends the context of all work and waits until it has ended, but no longer than [StopWithin]; it reports whether all did. Work that
// does not heed its context is left behind and can harm nobody any more. Twice is harmless.
func (b *Beside) Stop() bool { return b.stop(StopWithin) }

func (b *Beside) stop(within time.Duration) bool {
	b.cancel()
	b.mu.Lock()
	b.stopped = true
	if b.running == 0 {
		b.mu.Unlock()
		return true
	}
	if b.ended == nil {
		b.ended = make(chan struct{})
	}
	ended := b.ended
	b.mu.Unlock()
	t := time.NewTimer(within)
	defer t.Stop()
	select {
	case <-ended:
		return true
	case <-t.C:
		return false
	}
}
