package actors

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// incoming takes a call of one of our agents. It does not block.
func (t *Team) incoming(d *desk, in *bus.Incoming) {
	r := in.Request
	switch {
	case d.rote: // it was let in before
		t.begin(d, in)
		return
	case d.agent.Entry:
		t.deny(in, bus.CodeForbidden, "%s takes tasks from users only; publish them on %s", d.agent.Name, bus.TaskSubject(t.bus.Tenant(), d.agent.Name))
		return
	case r.Caller == "user" || len(r.Path) == 0 || r.Parent == "":
		t.deny(in, bus.CodeForbidden, "%s takes calls from agents only (caller, path and parent say who calls); users submit tasks to the master", d.agent.Name)
		return
	case r.JobDesc == "":
		t.deny(in, bus.CodeInvalidRequest, "job_desc is empty: say what %s shall do", d.agent.Name)
		return
	}
	t.begin(d, in)
}

// begin takes a call that may be made.
func (t *Team) begin(d *desk, in *bus.Incoming) {
	if in.Request.Call == in.Request.Task { // that of a task: only the queue begins one
		t.deny(in, bus.CodeInvalidRequest, "the call has the id of its task; give it one of its own")
		return
	}
	select {
	case d.slots <- struct{}{}:
	default:
		t.deny(in, bus.CodeBusy, "%s has %d calls under way on this node already", d.agent.Name, cap(d.slots))
		return
	}
	in.Working() // from here the caller knows which node has it
	begun := t.goes(func() {
		if !t.answer(t.ctx, d, in) {
			<-d.slots
		}
	})
	if !begun {
		<-d.slots
		t.leaving(in)
	}
}

// deny answers a call with a failure. Busy is the only one that passes.
func (t *Team) deny(in *bus.Incoming, code, format string, a ...any) {
	t.respond(in, bus.Response{Status: bus.Failed, Error: &bus.Error{Code: code, Message: fmt.Sprintf(format, a...), Retryable: code == bus.CodeBusy}})
}

// leaving answers a call that this node lets go of: whoever asks again with the same id finds it in the log.
func (t *Team) leaving(in *bus.Incoming) {
	t.respond(in, bus.Response{Status: bus.Failed, Error: &bus.Error{Code: bus.CodeUnavailable, Message: "the node is shutting down; ask again with the same call id"}})
}

func (t *Team) respond(in *bus.Incoming, r bus.Response) {
	r.HMAP, r.Call = bus.Version, in.Request.Call
	if err := in.Respond(r); err != nil && t.ctx.Err() == nil {
		t.log.Warn("a response could not be sent; the caller will ask again", "call", in.Request.Call, "error", err)
	}
}

// answer begins a call, answers it from the log when it has ended or waits for a person, joins it when it runs, or goes on with it
// when its node is gone. It reports whether the slot is used.
func (t *Team) answer(ctx context.Context, d *desk, in *bus.Incoming) bool {
	r := in.Request
	k := callKey{r.Session, r.Task, r.Call}
	r.Budget = d.budget(r.Budget)
	r.Input, r.ReplyTo = nil, "" // a call is answered where it was made
	for ctx.Err() == nil {
		seat, mine := t.reserve(k)
		if seat == nil {
			break
		}
		if !mine {
			select {
			case <-seat.ready:
				if t.tell(k, attach{in}) {
					return false
				}
			case <-ctx.Done():
			}
			continue
		}
		state, at, err := t.own(ctx, k, d.record(r), in.Request.Input)
		if err == nil && at == ours {
			t.spawn(d, state, t.before(ctx, state, false), seat, in)
			return true
		}
		t.release(k, seat)
		switch {
		case err != nil && ctx.Err() != nil:
		case err != nil:
			t.log.Warn("a call could not be begun", "call", r.Call, "error", err)
			t.respond(in, bus.Response{Status: bus.Failed, Error: &bus.Error{Code: bus.CodeUnavailable, Message: err.Error()}})
			return false
		case at == elsewhere:
			if t.join(ctx, state, in) {
				return false
			}
		default:
			t.respond(in, reply(state))
			return false
		}
	}
	t.leaving(in)
	return false
}

// reply is a call's response, or the question that it waits at.
func reply(s *round.State) bus.Response {
	if asks := s.OpenAsks(); !s.Ended() && len(asks) > 0 {
		return bus.Response{Status: bus.InputRequired, Observation: round.JSONText(asks[0].Question), Ask: &asks[0], Node: s.Node}
	}
	r := s.Response
	if r == nil {
		return bus.Response{Status: bus.Failed, Error: &bus.Error{Code: bus.CodeUnavailable, Message: "nobody works on it; ask again with the same call id"}}
	}
	return bus.Response{HMAP: bus.Version, Call: s.Call, Status: r.Status, Observation: r.Observation, Files: r.Files, Error: r.Error, Usage: r.Usage, Node: r.Node}
}

// How waiting for a call on another node ends before the call does.
var (
	errLost    = errors.New("the node that worked on it is gone")
	errGivenUp = errors.New("the caller gave it up")
)

// join waits for the end of a call that runs on another node, or for the question at which it comes to rest, and hands it on. It goes on from s, as
// the call stood when it was asked who has it: from its beginning a replica that lags could show a question again that was answered before.
// False: look again, that node went down, or this one is shutting down.
func (t *Team) join(ctx context.Context, s *round.State, in *bus.Incoming) bool {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	in.OnCancel(func() { end(errGivenUp) }) // the node that works on it is told by the caller when that ends
	var node atomic.Value
	node.Store(s.Node)
	t.goes(func() {
		for pause(ctx, time.Second) {
			if !t.bus.Alive(node.Load().(string)) {
				end(errLost)
			}
		}
	})
	caughtUp := false
	for e, err := range t.bus.Follow(ctx, bus.Where{Session: s.Session, Task: s.Task, Call: s.Call}, s.Last) {
		if err != nil {
			break
		}
		if caughtUp = caughtUp || e.CaughtUp; !e.CaughtUp {
			s.Fold(&e.Record)
			node.Store(s.Node)
		}
		if s.Ended() || caughtUp && len(s.OpenAsks()) > 0 {
			t.respond(in, reply(s))
			return true
		}
	}
	if errors.Is(context.Cause(ctx), errGivenUp) {
		t.respond(in, bus.Response{Status: bus.Cancelled, Error: &bus.Error{Code: bus.CodeCancelled, Message: errGivenUp.Error()}})
		return true
	}
	return false
}
