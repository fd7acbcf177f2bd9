package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// incoming takes a call of one of our agents. It does not block.
func (t *Team) incoming(d *desk, in *bus.Incoming) {
	r := in.Request
	deny := func(code, format string, a ...any) {
		in.Respond(bus.Response{HMAP: bus.Version, Call: r.Call, Status: bus.Failed, Error: &bus.Error{Code: code, Message: fmt.Sprintf(format, a...), Retryable: code == bus.CodeBusy}})
	}
	switch {
	case d.agent.Entry:
		deny(bus.CodeForbidden, "%s takes tasks from users only; publish them on %s", d.agent.Name, bus.TaskSubject(t.bus.Tenant(), d.agent.Name))
		return
	case r.Caller == "user" || len(r.Path) == 0 || r.Parent == "":
		deny(bus.CodeForbidden, "%s takes calls from agents only (caller, path and parent say who calls); users submit tasks to the master", d.agent.Name)
		return
	case r.JobDesc == "":
		deny(bus.CodeInvalidRequest, "job_desc is empty: say what %s shall do", d.agent.Name)
		return
	}
	select {
	case d.slots <- struct{}{}:
	default:
		deny(bus.CodeBusy, "%s has %d calls under way on this node already", d.agent.Name, cap(d.slots))
		return
	}
	t.work.Add(1)
	go func() {
		defer t.work.Done()
		ctx, cancel := context.WithCancel(t.ctx)
		defer cancel()
		if !t.answer(ctx, d, in) {
			<-d.slots
		}
	}()
}

// answer begins a call, answers it from the log when it has ended, joins it when it runs, or goes on with it when its node is
// gone or it has waited for this input. It reports whether the slot is used.
func (t *Team) answer(ctx context.Context, d *desk, in *bus.Incoming) bool {
	r := in.Request
	k := callKey{r.Session, r.Task, r.Call}
	for {
		seat, mine := t.reserve(k)
		if !mine {
			select {
			case <-seat.ready:
			case <-ctx.Done():
				return false
			}
			if t.tell(k, attach{in}) {
				return false
			}
			continue
		}
		state, err := t.takeUp(ctx, d, in)
		if err == nil && state != nil {
			t.spawn(d, state, t.before(ctx, r.Session, r.Task), seat, in)
			return true
		}
		t.release(k, seat)
		if err != nil {
			if ctx.Err() == nil {
				t.log.Warn("a call could not be begun", "call", r.Call, "error", err)
			}
			in.Respond(bus.Response{HMAP: bus.Version, Call: r.Call, Status: bus.Failed, Error: &bus.Error{Code: bus.CodeUnavailable, Message: err.Error(), Retryable: true}})
			return false
		}
		if t.join(ctx, k, in) {
			return false
		}
	}
}

// takeUp begins the call or takes it up; a nil state means that it runs on another node.
func (t *Team) takeUp(ctx context.Context, d *desk, in *bus.Incoming) (*round.State, error) {
	r := in.Request
	r.Budget = d.budget(r.Budget)
	input := r.Input
	r.Input = nil
	first := d.record(r)
	seq, err := t.bus.Append(ctx, first, 0)
	if err == nil {
		begun := *first
		begun.Seq = seq
		s := &round.State{}
		s.Fold(begun)
		return s, nil
	}
	if !errors.Is(err, bus.ErrFenced) {
		return nil, err
	}
	s, err := t.load(ctx, callKey{r.Session, r.Task, r.Call})
	if err != nil {
		return nil, err
	}
	if s.Ended() {
		return s, nil // its actor does nothing but answer
	}
	waiting := len(s.OpenAsks()) > 0 && input != nil
	if !waiting && s.Node != t.bus.Node() && t.bus.Alive(s.Node) {
		return nil, nil
	}
	if s.Node != t.bus.Node() || !waiting {
		if err := t.claim(ctx, s); err != nil {
			return nil, ignoreFence(err)
		}
	}
	if waiting {
		rec := &bus.Record{Kind: bus.KindInput, Session: s.Session, Task: s.Task, Call: s.Call, Parent: r.Parent, Agent: d.agent.Name, Node: t.bus.Node(), Input: input}
		seq, err := t.bus.Append(ctx, rec, s.Last)
		if err != nil {
			return nil, ignoreFence(err)
		}
		said := *rec
		said.Seq = seq
		s.Fold(said)
	}
	return s, nil
}

// ignoreFence: who was fenced looks again instead of failing.
func ignoreFence(err error) error {
	if errors.Is(err, bus.ErrFenced) {
		return nil
	}
	return err
}

// join waits for the end of a call that runs on another node and hands its response on. False: that node went down, or the call
// waits for a person now; look again.
func (t *Team) join(ctx context.Context, k callKey, in *bus.Incoming) bool {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	in.OnCancel(func() { end(nil) })
	s := &round.State{}
	go t.watch(ctx, k, func() { end(errLost) }) // ends with ctx, which ends with join
	for e, err := range t.bus.Follow(ctx, bus.Where{Session: k.session, Task: k.task, Call: k.call}, 0) {
		if err != nil {
			break
		}
		if !e.CaughtUp {
			s.Fold(e.Record)
		}
		if s.Ended() {
			in.Respond(asResponse(s))
			return true
		}
		if asks := s.OpenAsks(); e.CaughtUp && len(asks) > 0 {
			in.Respond(bus.Response{HMAP: bus.Version, Call: k.call, Status: bus.InputRequired, Observation: round.JSONText(asks[0].Question), Ask: &asks[0], Node: s.Node})
			return true
		}
	}
	if errors.Is(context.Cause(ctx), errLost) {
		return false
	}
	in.Respond(bus.Response{HMAP: bus.Version, Call: k.call, Status: bus.Cancelled, Error: &bus.Error{Code: bus.CodeCancelled, Message: "the caller no longer waits"}})
	return true
}

var errLost = errors.New("the node that worked on it is gone")

// watch looks every second whether the node that works on a call is still there, and says when it is not.
func (t *Team) watch(ctx context.Context, k callKey, lost func()) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if s, err := t.load(ctx, k); err == nil && !s.Ended() && !t.bus.Alive(s.Node) {
				lost()
				return
			}
		}
	}
}
