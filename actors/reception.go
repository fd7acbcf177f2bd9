package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// receipt answers a request on the submit subject; an answer on the ask subject carries the response as well.
type receipt struct {
	HMAP    string `json:"hmap"`
	Session string `json:"session,omitempty"`
	Task    string `json:"task,omitempty"`
	*bus.Response
	Error *bus.Error `json:"error,omitempty"`
}

// reception serves the two subjects on which anything that speaks NATS submits a task and is answered: submit with the ids, ask
// with the response, or with the question that the task waits for.
func (t *Team) reception(entries []string) error {
	if len(entries) == 0 {
		return nil
	}
	agent := entries[0]
	deaf, err := t.bus.OnDead(agent, t.turnAway)
	if err != nil {
		return err
	}
	context.AfterFunc(t.ctx, func() { _ = deaf() })
	for subject, wait := range map[string]bool{bus.SubmitSubject(t.bus.Tenant()): false, bus.AskSubject(t.bus.Tenant()): true} {
		sub, err := t.bus.Conn().QueueSubscribe(subject, "hmap", func(m *nats.Msg) {
			if !bus.ValidReply(m.Reply) { // or somebody who may only ask would have us purge the log, or forge records
				t.log.Warn("a request without a subject that may be answered on", "subject", subject, "reply", m.Reply)
				return
			}
			if t.ctx.Err() != nil {
				return
			}
			select {
			case t.visitors <- struct{}{}:
			default:
				t.answerVisitor(m, receipt{HMAP: bus.Version, Error: &bus.Error{Code: bus.CodeBusy, Message: "too many requests wait for their answers here; try again later", Retryable: true}})
				return
			}
			t.goes(func() {
				defer func() { <-t.visitors }()
				t.receive(agent, m, wait)
			})
		})
		if err != nil {
			return fmt.Errorf("serve %s: %w", subject, err)
		}
		t.doors = append(t.doors, sync.OnceFunc(func() {
			if err := sub.Unsubscribe(); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
				t.log.Warn("a subject could not be left", "subject", subject, "error", err)
			}
		}))
	}
	return nil
}

func (t *Team) receive(agent string, m *nats.Msg, wait bool) {
	ctx := t.ctx
	s, err := bus.ParseSubmission(m.Data)
	var got bus.Receipt
	if err == nil {
		if err = t.refuse(t.desks[agent], s); err == nil {
			got, err = t.bus.Submit(ctx, agent, s, m.Header.Get(nats.MsgIdHdr))
		}
	}
	out := receipt{HMAP: bus.Version, Session: got.Session, Task: got.Task}
	switch {
	case err != nil:
		out.Error = bus.Refusal(err)
	case wait:
		out.Response = t.await(ctx, got)
		out.Error = out.Response.Error // ours stands before the one that is in it
	}
	t.answerVisitor(m, out)
}

func (t *Team) answerVisitor(m *nats.Msg, r receipt) {
	body, err := json.Marshal(r)
	if err == nil {
		err = m.Respond(body)
	}
	if err != nil && t.ctx.Err() == nil {
		t.log.Warn("an answer could not be sent", "task", r.Task, "error", err)
	}
}

// visitor is somebody who waits here for the response of a task.
type visitor struct {
	task bus.Receipt
	turn context.CancelCauseFunc // away, with an [*bus.Error]
}

// await is the response of a task, the question it stops at, or why it never began.
func (t *Team) await(ctx context.Context, r bus.Receipt) *bus.Response {
	ctx, turn := context.WithCancelCause(ctx)
	defer turn(nil)
	v := &visitor{r, turn}
	t.asking.Store(v, nil)
	defer t.asking.Delete(v)
	where := bus.Where{Session: r.Session, Task: r.Task} // with what people say
	s, caughtUp := &round.State{}, false
	for e, err := range t.bus.Follow(ctx, where, 0) {
		if err != nil {
			break
		}
		if caughtUp = caughtUp || e.CaughtUp; !e.CaughtUp {
			s.Fold(&e.Record)
		}
		if s.Ended() || caughtUp && len(s.OpenAsks()) > 0 {
			answer := reply(s)
			answer.HMAP, answer.Call = bus.Version, r.Task
			return &answer
		}
	}
	why := new(bus.Error)
	if !errors.As(context.Cause(ctx), &why) {
		why = &bus.Error{Code: bus.CodeUnavailable, Message: "this node is shutting down; the task goes on, and its log has the answer", Retryable: true}
	}
	return &bus.Response{HMAP: bus.Version, Call: r.Task, Status: bus.Failed, Error: why}
}

// turnAway ends the waiting for a task that became a dead letter before it began.
func (t *Team) turnAway(task bus.Receipt, why *bus.Error) {
	t.asking.Range(func(k, _ any) bool {
		if v := k.(*visitor); v.task == task {
			v.turn(why)
		}
		return true
	})
}

// replyTo sends the response of a task to the subject its submission named.
func (t *Team) replyTo(subject, session, task string, r bus.Response) {
	body, err := json.Marshal(receipt{HMAP: bus.Version, Session: session, Task: task, Response: &r, Error: r.Error})
	if err == nil {
		err = t.bus.Conn().Publish(subject, body)
	}
	if err != nil {
		t.log.Warn("a response could not be sent to reply_to", "task", task, "error", err)
	}
}
