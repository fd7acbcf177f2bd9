package tools

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/mailbox"
)

// Why a call's context ended, besides its deadline.
var (
	errCancelled = errors.New("cancelled by the caller")
	errStopping  = errors.New("the tool is being stopped")
)

// progressPause is the least time between two progress lines of a call; of those between the newest is told when it has passed.
const progressPause = 50 * time.Millisecond

// toolActor stands in front of one tool. It decides who runs, waits, joins or is refused, and never works itself: a call
// runs beside it (worker) and comes back as a message. All its fields belong to the goroutine of Receive.
type toolActor struct {
	worker  *worker
	options Options
	engine  *actor.Engine
	life    context.Context // of every call; ends when the host stops the tool
	work    *sync.WaitGroup // the goroutines beside the actor

	self    *actor.PID
	open    map[string]*visit // calls that are not answered yet, by key
	line    []*visit          // those that wait for a slot, first come first
	busy    int               // slots taken, also by calls that were given up on but have not returned
	past    memory
	closing bool            // no new calls
	drained chan<- struct{} // closed, and set to nil, when closing and nothing is open
}

// visit is one call id on its way through the actor.
type visit struct {
	request  bus.Request
	key      string          // by which the actor knows it
	askers   []*bus.Incoming // everybody who asked with this call id; never empty
	ctx      context.Context // ends at the deadline, when the last asker leaves, and when the tool is stopped
	end      context.CancelCauseFunc
	unhook   func() bool // lets go of the watch on ctx
	started  bool
	patience *time.Timer            // runs once ctx has ended and the tool has not come back, else nil
	news     atomic.Pointer[string] // the newest progress line, until it is told; a tool that chatters changes it, and fills no inbox
	spoke    time.Time              // when one was told last
	later    *time.Timer            // until the next may be, else nil
}

// What the actor is sent, besides *bus.Incoming.
type (
	left   struct{ in *bus.Incoming } // an asker cancelled
	lapsed struct{ v *visit }         // the context of a call ended
	said   struct{ v *visit }         // there is news
	wrote  struct {                   // a segment of its text
		v    *visit
		text string
	}
	ended struct { // a call's function has returned
		v      *visit
		answer bus.Response
	}
	overdue struct{ v *visit }                // it has not, long after the context of its call ended
	drain   struct{ drained chan<- struct{} } // take no more, and tell when everything is answered
)

// Receive handles one message; it does not block.
func (a *toolActor) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case actor.Started:
		a.self = c.PID()
	case *bus.Incoming:
		a.take(m)
	case left:
		a.leave(m.in)
	case lapsed:
		a.lapse(m.v)
	case said:
		a.say(m.v)
	case wrote:
		if a.open[m.v.key] == m.v {
			for _, in := range m.v.askers {
				in.Text(m.text)
			}
		}
	case *ended:
		a.busy--
		if a.open[m.v.key] == m.v { // nobody gave it up
			a.close(m.v, m.answer)
		}
		a.next()
	case overdue:
		a.giveUp(m.v)
	case drain:
		a.closing, a.drained = true, m.drained
		for len(a.line) > 0 {
			a.lapseWith(a.line[0], errStopping)
		}
		a.checkDrained()
	}
}

// key tells calls apart. Ids of calls are unique inside a task only.
func key(r *bus.Request) string { return r.Session + "." + r.Task + "." + r.Call }

// take answers a request at once, joins it to the same call, starts it, or lets it wait.
func (a *toolActor) take(in *bus.Incoming) {
	request := in.Request
	if refusal := a.check(request); refusal != nil {
		a.respond(in, failed(refusal))
		return
	}
	call := key(&request)
	if v, ok := a.open[call]; ok {
		if !sameArguments(v.request, request) {
			a.respond(in, failed(otherArguments(request)))
			return
		}
		if !v.started { // it is begun by the newest word
			v.request.Intent = max(v.request.Intent, request.Intent)
		}
		v.askers = append(v.askers, in)
		a.watch(in)
		return
	}
	if answer, ok := a.past.recall(call, request, time.Now()); ok {
		a.respond(in, answer)
		return
	}
	if a.busy >= a.options.AtOnce && len(a.line) >= a.options.Waiting {
		a.respond(in, failed(&bus.Error{
			Code: bus.CodeBusy, Retryable: true,
			Message: fmt.Sprintf("%s works on %d calls and %d more are waiting; try again later", request.ToolName, a.busy, len(a.line)),
		}))
		return
	}
	a.admit(in, call)
}

// check is what the bus, which has checked the body, cannot know.
func (a *toolActor) check(r bus.Request) *bus.Error {
	name := a.worker.tool.Card.Name
	switch {
	case a.closing:
		return &bus.Error{Code: bus.CodeUnavailable, Message: name + " is being stopped", Retryable: true}
	case !r.Deadline.IsZero() && !time.Now().Before(r.Deadline):
		return &bus.Error{Code: bus.CodeTimeout, Message: "the deadline had passed before " + name + " was asked"}
	}
	return nil
}

// admit gives a call its context, and a slot or a place in the line. The time in the line counts: what the card promises is
// how long the caller waits.
func (a *toolActor) admit(in *bus.Incoming, call string) {
	deadline := time.Now().Add(a.worker.timeout)
	if d := in.Request.Deadline; !d.IsZero() && d.Before(deadline) {
		deadline = d
	}
	v := &visit{request: in.Request, key: call, askers: []*bus.Incoming{in}}
	cancellable, end := context.WithCancelCause(a.life)
	ctx, release := context.WithDeadline(cancellable, deadline)
	v.ctx = ctx
	v.end = func(cause error) { end(cause); release() }
	engine, self := a.engine, a.self
	v.unhook = context.AfterFunc(ctx, func() { engine.Send(self, lapsed{v}) })
	a.open[v.key] = v
	a.watch(in)
	a.line = append(a.line, v)
	a.next()
}

func (a *toolActor) watch(in *bus.Incoming) {
	engine, self := a.engine, a.self
	in.OnCancel(func() { engine.Send(self, left{in}) })
}

// next starts waiting calls while there are free slots.
func (a *toolActor) next() {
	for a.busy < a.options.AtOnce && len(a.line) > 0 {
		v := a.line[0]
		a.line = a.line[1:]
		v.started = true
		a.busy++
		engine, self, worker := a.engine, a.self, a.worker
		a.work.Go(func() {
			mailbox.Room()
			say := func(line string) {
				if v.news.Swap(&line) == nil {
					engine.Send(self, said{v})
				}
			}
			answer := worker.run(v.ctx, v.request, say, func(text string) { engine.Send(self, wrote{v, text}) })
			engine.Send(self, &ended{v, answer})
		})
	}
}

// leave takes an asker off its call. The last one to leave ends the call.
func (a *toolActor) leave(in *bus.Incoming) {
	v, ok := a.open[key(&in.Request)]
	if !ok {
		return
	}
	for i, other := range v.askers {
		if other != in {
			continue
		}
		if len(v.askers) == 1 {
			v.end(errCancelled) // and lapsed comes back
			return
		}
		v.askers = append(v.askers[:i:i], v.askers[i+1:]...)
		a.respond(in, a.worker.gaveUp(errCancelled, true))
		return
	}
}

// lapse ends a call that still waits for a slot. One that has started ends by itself, or is given up on.
func (a *toolActor) lapse(v *visit) {
	switch {
	case !v.started:
		a.lapseWith(v, context.Cause(v.ctx))
	case a.open[v.key] == v:
		engine, self := a.engine, a.self
		v.patience = time.AfterFunc(unwind, func() { engine.Send(self, overdue{v}) })
	}
}

func (a *toolActor) lapseWith(v *visit, cause error) {
	for i, waiting := range a.line {
		if waiting == v {
			a.line = append(a.line[:i:i], a.line[i+1:]...)
			a.close(v, a.worker.neverBegan(cause))
			return
		}
	}
}

// giveUp answers for a tool that does not come back. Its slot stays taken until it does.
func (a *toolActor) giveUp(v *visit) {
	if a.open[v.key] != v {
		return
	}
	a.options.Log.Warn("tool: it goes on after its time", slog.String("tool", a.worker.tool.Card.Name), slog.String("call", v.request.Call))
	a.close(v, a.worker.gaveUp(context.Cause(v.ctx), false))
}

// say passes the news of a call on to everybody who asked, now or when it may.
func (a *toolActor) say(v *visit) {
	if a.open[v.key] != v {
		return
	}
	if wait := progressPause - time.Since(v.spoke); wait > 0 {
		engine, self := a.engine, a.self
		v.later = time.AfterFunc(wait, func() { engine.Send(self, said{v}) })
		return
	}
	a.tell(v)
}

func (a *toolActor) tell(v *visit) {
	line := v.news.Swap(nil)
	if line == nil {
		return
	}
	v.spoke = time.Now()
	for _, in := range v.askers {
		in.Progress(*line)
	}
}

// close hands a call's answer to everybody who asked, and remembers it.
func (a *toolActor) close(v *visit, answer bus.Response) {
	a.tell(v)
	for _, in := range v.askers {
		a.respond(in, answer)
	}
	delete(a.open, v.key)
	v.unhook()
	for _, t := range []*time.Timer{v.patience, v.later} {
		if t != nil {
			t.Stop()
		}
	}
	v.end(nil)
	again := answer.Error != nil && answer.Error.Retryable || answer.Status == bus.InputRequired
	if v.started && a.worker.tool.Card.Effect != bus.Read && !again {
		a.past.keep(v.key, v.request, answer, time.Now())
	}
	a.checkDrained()
}

func (a *toolActor) checkDrained() {
	if a.drained != nil && len(a.open) == 0 {
		close(a.drained)
		a.drained = nil
	}
}

func (a *toolActor) respond(in *bus.Incoming, answer bus.Response) {
	if err := in.Respond(answer); err != nil {
		a.options.Log.Warn("tool: the answer did not go out", slog.String("tool", a.worker.tool.Card.Name), slog.String("call", in.Request.Call), slog.Any("error", err))
	}
}

func failed(err *bus.Error) bus.Response { return bus.Response{Status: bus.Failed, Error: err} }

func otherArguments(r bus.Request) *bus.Error {
	return &bus.Error{
		Code:    bus.CodeInvalidRequest,
		Message: fmt.Sprintf("call %s was already made with other arguments; a new call needs an id of its own", r.Call),
	}
}
