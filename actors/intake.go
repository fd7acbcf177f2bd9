package actors

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// intake takes the submissions for one agent from the queue, one for each free slot. Submissions for an agent that users may not
// call go to the dead letters.
func (t *Team) intake(ctx context.Context, d *desk) {
	for job, err := range t.bus.Work(ctx, d.agent.Name, d.slots) {
		if err != nil {
			t.log.Warn("the task queue could not be read; trying again", "agent", d.agent.Name, "error", err)
			continue
		}
		t.work.Add(1)
		go func() { // the log's answer is waited for here, so that the next job need not
			defer t.work.Done()
			if !t.take(ctx, d, job) {
				<-d.slots
			}
		}()
	}
}

// take starts a submission, or says why not. It reports whether the slot is used.
func (t *Team) take(ctx context.Context, d *desk, job *bus.Job) bool {
	s := job.Submission
	if err := t.refuse(d, s); err != nil {
		if err := job.Reject(ctx, err); err != nil {
			t.log.Warn("a submission could not be rejected", "task", s.Task, "error", err)
		}
		return false
	}
	k := callKey{s.Session, s.Task, s.Task}
	seat, mine := t.reserve(k)
	if !mine { // runs here already: the submission came twice
		t.accept(ctx, job)
		return false
	}
	state, err := t.begin(ctx, d, s)
	if err != nil || state == nil {
		t.release(k, seat)
		if err != nil {
			t.log.Warn("a task could not be begun; it goes back to the queue", "task", s.Task, "tries", job.Tries, "error", err)
			job.Retry(time.Second, err)
		} else {
			t.accept(ctx, job)
		}
		return false
	}
	if err := t.bus.MarkOpen(ctx, t.open(state)); err != nil {
		t.release(k, seat)
		job.Retry(time.Second, err)
		return false
	}
	if !t.accept(ctx, job) { // the log has it all the same, and the second delivery finds it there
		t.log.Warn("a task's receipt was not confirmed", "task", s.Task)
	}
	t.spawn(d, state, t.before(ctx, s.Session, s.Task), seat, nil)
	return true
}

func (t *Team) accept(ctx context.Context, job *bus.Job) bool {
	if err := job.Accept(ctx); err != nil {
		t.log.Warn("a submission could not be acknowledged; it will come again and be recognised", "task", job.Submission.Task, "error", err)
		return false
	}
	return true
}

// begin appends the request, or finds that the task was begun before: then it is claimed if its node is gone. A nil state means
// that there is nothing to do.
func (t *Team) begin(ctx context.Context, d *desk, s bus.Submission) (*round.State, error) {
	r := d.record(d.request(s))
	seq, err := t.bus.Append(ctx, r, 0)
	if err == nil {
		first := *r
		first.Seq = seq
		state := &round.State{}
		state.Fold(first)
		return state, nil
	}
	if !errors.Is(err, bus.ErrFenced) {
		return nil, err
	}
	state, err := t.load(ctx, callKey{s.Session, s.Task, s.Task})
	switch {
	case err != nil:
		return nil, err
	case state.Ended():
		t.ended(state)
		return nil, nil
	case state.Node != t.bus.Node() && t.bus.Alive(state.Node):
		return nil, nil
	}
	if err := t.claim(ctx, state); errors.Is(err, bus.ErrFenced) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return state, nil
}

// refuse says why a submission cannot become a task.
func (t *Team) refuse(d *desk, s bus.Submission) error {
	switch {
	case !d.agent.Entry:
		return &bus.Error{Code: bus.CodeForbidden, Message: d.agent.Name + " takes calls from other agents only; submit to an agent that takes tasks from users"}
	case strings.TrimSpace(s.Query) == "":
		return &bus.Error{Code: bus.CodeInvalidRequest, Message: "the query is empty"}
	}
	return nil
}
