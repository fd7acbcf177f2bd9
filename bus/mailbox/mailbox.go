// Package mailbox is the last metre between the bus and a hollywood actor: actors that no panic can kill, and slow work beside them.
//
// hollywood v1.0.5 ends the whole process when an actor panics more often than its restarts allow, or once in Stopped, and a message
// that panicked is lost without a word. So no panic may reach it: this package has the only recover of the house.
package mailbox

import (
	"math"
	"runtime/debug"

	"github.com/anthdm/hollywood/actor"
)

// inboxSize is where an inbox begins; it grows by itself, without bound. With 8 an idle actor costs 0.9 KiB instead of 20.4.
const inboxSize = 8

// Spawn starts an actor as kind/id. A panic in its Receive ends the handling of that one message; onPanic, when not nil, gets the value
// and the stack, on the actor's goroutine, and the actor goes on with its next message in the state the panic left. What it means is
// onPanic's business: log it, and have the actor stopped if its state cannot be trusted. A panic of onPanic itself is dropped.
//
// Receive gets Initialized and Started in the caller's goroutine before Spawn returns. The id must be free; hollywood drops a second
// actor of the same one with only an event.
func Spawn(e *actor.Engine, r func() actor.Receiver, kind, id string, onPanic func(value any, stack []byte)) *actor.PID {
	return e.Spawn(r, kind, actor.WithID(id), actor.WithInboxSize(inboxSize), actor.WithMiddleware(guard(onPanic)),
		// Never reached behind the guard; at the limit hollywood would call a nil function.
		actor.WithMaxRestarts(math.MaxInt32))
}

// guard keeps panics from hollywood.
func guard(onPanic func(any, []byte)) actor.MiddlewareFunc {
	return func(next actor.ReceiveFunc) actor.ReceiveFunc {
		return func(c *actor.Context) {
			Room()
			if p := Catch(func() { next(c) }); p != nil && onPanic != nil {
				_ = Catch(func() { onPanic(p.Value, p.Stack) }) // whoever reports a panic has nobody to report his own to
			}
		}
	}
}

// Panicked is what came of work that panicked.
type Panicked struct {
	Value any
	Stack []byte
}

// Catch runs f and gives its panic, nil if there was none.
func Catch(f func()) (p *Panicked) {
	defer func() {
		if v := recover(); v != nil {
			p = &Panicked{Value: v, Stack: debug.Stack()}
		}
	}()
	f()
	return nil
}
