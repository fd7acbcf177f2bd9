package actors

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// sweepEvery is how often the index of open tasks is looked at without a reason: for asks that expired, and for what was lost
// sight of by accident.
const sweepEvery = time.Minute

// takeOver looks for tasks that nobody works on: at the start, when a node's lease lapses, when a call here was dropped, and now
// and then.
func (t *Team) takeOver(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	t.look()
	for {
		select {
		case <-ctx.Done():
			return
		case node := <-t.lease.Lapsed():
			t.log.Info("a node is gone; its tasks are shared out", "node", node)
		case <-t.sweep:
		case <-tick.C:
		}
		open, err := t.bus.OpenTasks(ctx)
		if err != nil {
			if ctx.Err() == nil {
				t.log.Warn("open tasks could not be listed; trying again", "error", err)
				select {
				case <-time.After(time.Second):
					t.look()
				case <-ctx.Done():
				}
			}
			continue
		}
		var all sync.WaitGroup
		for _, o := range open {
			if t.orphan(o) {
				all.Go(func() { t.adopt(ctx, o) })
			}
		}
		all.Wait()
	}
}

// orphan reports whether nobody works on an open task, or it has waited for a person long enough.
func (t *Team) orphan(o bus.OpenTask) bool {
	if o.Waiting {
		return !o.Expires.IsZero() && time.Now().After(o.Expires)
	}
	if o.Node == t.bus.Node() {
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.running[callKey{o.Session, o.Task, o.Task}] == nil
	}
	return !t.bus.Alive(o.Node)
}

// adopt goes on with a task from its log, when a slot is free and nobody else was faster. It reports false when the attempt should
// be made again.
func (t *Team) adopt(ctx context.Context, o bus.OpenTask) bool {
	d := t.desks[o.Agent]
	if d == nil || !d.agent.Entry {
		return true // another node's agent
	}
	k := callKey{o.Session, o.Task, o.Task}
	seat, mine := t.reserve(k)
	if !mine {
		return true
	}
	select {
	case d.slots <- struct{}{}:
	case <-ctx.Done():
		t.release(k, seat)
		return false
	}
	state, err := t.load(ctx, k)
	if err == nil && !state.Ended() {
		if err = t.claim(ctx, state); err == nil {
			if state.Stalled >= maxAttempts {
				err = t.poison(ctx, state)
			} else if err = t.bus.MarkOpen(ctx, t.open(state)); err == nil {
				t.spawn(d, state, t.before(ctx, k.session, k.task), seat, nil)
				return true
			}
		}
	}
	<-d.slots
	t.release(k, seat)
	switch {
	case err == nil, errors.Is(err, bus.ErrNotFound): // ended, or the log no longer has it
		if err := t.bus.Unmark(ctx, k.session, k.task); err != nil && ctx.Err() == nil {
			t.log.Warn("an ended task could not be taken from the index", "task", k.task, "error", err)
		}
		return true
	case errors.Is(err, bus.ErrFenced):
		return true
	}
	if ctx.Err() == nil {
		t.log.Warn("a task could not be taken over; trying again", "task", k.task, "error", err)
		t.look()
	}
	return false
}

// poison ends a task that has cost too many executors their life, and keeps it with the dead letters.
func (t *Team) poison(ctx context.Context, s *round.State) error {
	e := &bus.Error{Code: bus.CodePoison, Message: "every node that worked on it went down; see the dead letters"}
	r := s.Broken(e, round.Terms{Now: time.Now(), Language: Language(s.Request.JobDesc)})
	seq, err := t.bus.Append(ctx, r, s.Last)
	if err != nil {
		return err
	}
	done := *r
	done.Seq = seq
	s.Fold(done)
	t.ended(s)
	return t.bus.Bury(ctx, s.Agent, bus.Submission{
		Query: s.Request.JobDesc, Session: s.Session, Mode: s.Request.Mode, Output: s.Request.Output, Files: s.Request.Files, Budget: s.Request.Budget,
	}, s.Attempt, e)
}

// wakeUp goes on with tasks that wait for a person when one speaks. Every input comes to one node at least.
func (t *Team) wakeUp(ctx context.Context) {
	for in, err := range t.bus.Inputs(ctx) {
		if err != nil {
			if ctx.Err() == nil {
				t.log.Warn("inputs could not be read; trying again", "error", err)
			}
			continue
		}
		t.work.Add(1)
		go func() {
			defer t.work.Done()
			if t.wake(ctx, in.Session, in.Task) {
				in.Done()
			} else {
				in.Later(time.Second)
			}
		}()
	}
}

// rouse is [Team.wake] beside an actor.
func (t *Team) rouse(k callKey) {
	t.loop(func(ctx context.Context) {
		if !t.wake(ctx, k.session, k.task) {
			t.look()
		}
	})
}

func (t *Team) wake(ctx context.Context, session, task string) bool {
	if t.tell(callKey{session, task, task}, inputs{}) {
		return true
	}
	o, found, err := t.bus.OpenTask(ctx, session, task)
	switch {
	case err != nil:
		return false
	case !found:
		return true // ended
	case !o.Waiting && o.Node != t.bus.Node() && t.bus.Alive(o.Node):
		return true // its node heard it too
	}
	return t.adopt(ctx, o)
}

// hint tells a running task that an input has come; "" means that some may have been missed.
func (t *Team) hint(session, task string) {
	if task != "" {
		t.tell(callKey{session, task, task}, inputs{})
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, s := range t.running {
		if k.call == k.task && s.pid != nil {
			t.engine.Send(s.pid, inputs{})
		}
	}
}
