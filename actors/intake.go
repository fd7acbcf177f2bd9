package actors

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// intake takes the submissions for one agent from the queue, one for each free slot, until ctx ends. Submissions for an agent that
// users may not call go to the dead letters.
func (t *Team) intake(ctx context.Context, d *desk) {
	for ctx.Err() == nil {
		for job, err := range t.bus.Work(ctx, d.agent.Name, d.slots) {
			if err != nil {
				t.log.Warn("the task queue could not be read; trying again", "agent", d.agent.Name, "error", err)
				break
			}
			begun := t.goes(func() { // the log's answer is waited for here, so that the next job need not
				if !t.take(t.ctx, d, job) {
					<-d.slots
				}
			})
			if !begun {
				<-d.slots
				t.putBack(job, errStopping)
				return
			}
		}
		pause(ctx, time.Second)
	}
}

// pause waits; false: the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// take starts a submission, or says why not. It reports whether the slot is used.
func (t *Team) take(ctx context.Context, d *desk, job *bus.Job) bool {
	s := job.Submission
	if err := t.refuse(d, s); err != nil {
		t.reject(ctx, job, err)
		return false
	}
	k := callKey{s.Session, s.Task, s.Task}
	seat, mine := t.reserve(k)
	if seat == nil {
		t.putBack(job, errStopping)
		return false
	}
	if !mine { // the submission came twice; out of the queue it may go only once it is in the index, or nobody would look when its begin fails here
		if err := t.noted(ctx, s); err != nil {
			t.putBack(job, err)
		} else {
			t.accept(job)
		}
		return false
	}
	// What was begun is noted in the index even if we are told to stop meanwhile: between the two nobody would find it.
	firm, cancel := context.WithTimeout(context.WithoutCancel(ctx), bus.NoteWithin) // giving up only puts it behind the others
	defer cancel()
	defer t.hold(job)()
	state, at, err := t.own(firm, k, d.record(d.request(s)), nil)
	if err == nil && at == ours && state.Last == state.Began {
		var gone bool // carried out before: the log says so no more
		if gone, err = job.Removed(firm, state.Began); gone {
			t.release(k, seat)
			return false
		}
	}
	if err == nil && at == ours {
		err = t.bus.MarkOpen(firm, t.open(state))
	}
	if err == nil && at == elsewhere {
		err = t.noted(firm, s)
	}
	if errors.Is(err, bus.ErrTooLarge) { // it did not come by [bus.Bus.Submit], which leaves room for the record of it
		t.release(k, seat)
		t.reject(ctx, job, &bus.Error{Code: bus.CodeInvalidRequest, Message: err.Error()})
		return false
	}
	if err != nil {
		t.release(k, seat)
		t.log.Warn("a task could not be begun; it goes back to the queue", "task", s.Task, "tries", job.Tries, "error", err)
		t.putBack(job, err)
		return false
	}
	t.accept(job)
	if at != ours {
		t.release(k, seat)
		if at == ended {
			t.close(state)
		}
		return false
	}
	t.spawn(d, state, t.before(ctx, state, job.Fresh), seat, nil)
	return true
}

// noted gives an error unless a task that was begun is in the index, where it is found when whoever began it goes down.
func (t *Team) noted(ctx context.Context, s bus.Submission) error {
	if _, found, err := t.bus.OpenTask(ctx, s.Session, s.Task); err != nil || !found {
		return errors.New("begun by a node that has not noted it yet")
	}
	return nil
}

const holdEvery = time.Second // of the three that a taker has

// hold keeps a job from being given to others while its task begins; end it.
func (t *Team) hold(job *bus.Job) (end func()) {
	var mu sync.Mutex
	var again *time.Timer // nil: it is over
	mu.Lock()
	defer mu.Unlock()
	again = time.AfterFunc(holdEvery, func() {
		mu.Lock()
		defer mu.Unlock()
		if again == nil {
			return
		}
		if err := job.Hold(); err != nil {
			t.log.Debug("a job could not be held", "task", job.Submission.Task, "error", err)
		}
		again.Reset(holdEvery)
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		again.Stop()
		again = nil
	}
}

// errStopping: another node takes it.
var errStopping = errors.New("the node is shutting down")

// putBack has a job come again: at once when it is only this node that is in the way.
func (t *Team) putBack(job *bus.Job, cause error) {
	delay := min(time.Second<<min(job.Tries-1, 6), time.Minute) // what is in the way now must not use up the tries
	if cause == errStopping {
		delay = time.Millisecond
	}
	if err := job.Retry(delay, cause); err != nil && t.ctx.Err() == nil {
		t.log.Warn("a submission could not be put back; it comes again by itself", "task", job.Submission.Task, "error", err)
	}
}

// reject puts a job with the dead letters.
func (t *Team) reject(ctx context.Context, job *bus.Job, cause error) {
	if err := job.Reject(ctx, cause); err != nil && ctx.Err() == nil {
		t.log.Warn("a submission could not be rejected", "task", job.Submission.Task, "error", err)
	}
}

// accept takes a job out of the queue. If the word is lost, it comes again and is found in the log.
func (t *Team) accept(job *bus.Job) {
	if err := job.Accept(); err != nil {
		t.log.Warn("a submission could not be acknowledged; it will come again and be recognised", "task", job.Submission.Task, "error", err)
	}
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
