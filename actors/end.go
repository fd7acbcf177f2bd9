package actors

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// finish lets go of a call that has its response.
func (c *call) finish() {
	c.over = true
	c.reply()
	for _, r := range c.state.Rounds {
		for _, a := range r.Acts {
			switch {
			case !a.Running():
			case a.Ask == nil: // its asker may have been another node that is dead, and gives nothing up
				c.team.bus.Cancel(c.state.Session, c.state.Task, a.Child)
			case a.JobDesc != "":
				c.team.forget(c.state, a)
			}
		}
	}
	if c.state.Root() {
		c.team.close(c.state)
		c.team.taught()
	}
	c.leave()
}

// reply answers everybody who waits with the response, or with the question that the call waits for.
func (c *call) reply() {
	for _, in := range c.waiting {
		c.team.respond(in, reply(c.state))
	}
	c.waiting = nil
}

// beginParking prepares to sleep until a person speaks: nothing of this node is held meanwhile. A root call looks once more for
// inputs after the index says that it waits, since one may have come in between.
func (c *call) beginParking() {
	if !c.state.Root() {
		c.over = true
		c.reply()
		c.leave()
		return
	}
	c.busy = true
	after := c.state.LastInput
	open := c.team.open(c.state)
	open.Heard = after
	last := c.state.Last
	for _, a := range c.state.OpenAsks() {
		if open.Expires.IsZero() || a.Expires.Before(open.Expires) {
			open.Expires = a.Expires
		}
	}
	c.beside.Go(func(ctx context.Context) any {
		err := c.team.bus.MarkWaiting(ctx, open, last)
		if errors.Is(err, bus.ErrFenced) {
			return parking{nil, err}
		}
		if err != nil && ctx.Err() == nil {
			c.team.log.Warn("a waiting task could not be noted", "task", open.Task, "error", err)
		}
		fresh, err := c.team.said(ctx, open.Session, open.Task, after)
		if err != nil { // nobody has looked: whoever takes the task over does
			open.Expires, open.Heard = time.Time{}, 0
			firm, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			if err := c.team.bus.MarkOpen(firm, open); err != nil {
				c.team.log.Warn("a task that may have been spoken to is noted as waiting", "task", open.Task, "error", err)
			}
		}
		return parking{fresh, err}
	})
}

// park sleeps, unless somebody has spoken: then the index is told first that the task runs, and it goes on.
func (c *call) park(m parking) {
	if errors.Is(m.err, bus.ErrFenced) {
		c.drop(m.err.Error())
	}
	if c.over || m.err != nil {
		return
	}
	c.listened(m.fresh)
	if len(m.fresh) == 0 && !c.reading {
		c.over = true
		c.leave()
		return
	}
	open := c.team.open(c.state)
	c.beside.Go(func(ctx context.Context) any {
		if err := c.team.bus.MarkOpen(ctx, open); err != nil && ctx.Err() == nil {
			c.team.log.Warn("a task that goes on could not be noted", "task", open.Task, "error", err)
		}
		return roused{}
	})
}

// drop lets go of a call that somebody else has, or that cannot go on here. Its truth is in the log.
func (c *call) drop(why string) {
	if c.over {
		return
	}
	c.over = true
	c.team.log.Info("let go of a call", "call", c.state.Call, "task", c.state.Task, "why", why)
	waiting := c.waiting
	c.waiting = nil
	c.leave()
	for _, in := range waiting {
		c.team.incoming(c.desk, in) // by way of the log
	}
	c.team.look() // if nobody else has it, it is taken up from the log
}

// leave stops the actor and gives its seat and slot back. Callees go on: whoever takes the call's place asks them again.
func (c *call) leave() {
	if c.left {
		return
	}
	c.left = true
	for _, j := range c.jobs {
		j.end(bus.ErrLeaving)
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	c.team.gone(c)
}

// stop ends the work beside the actor. When neither finish nor drop came first, the node shuts down.
func (c *call) stop() {
	if !c.over {
		c.over = true
		for _, in := range c.waiting {
			c.team.leaving(in)
		}
		c.waiting = nil
	}
	c.leave()
	if c.beside != nil && !c.beside.Stop() {
		c.team.log.Warn("work beside a call did not end in time", "call", c.state.Call)
	}
}

// open is the task's entry in the index of open tasks.
func (t *Team) open(s *round.State) bus.OpenTask {
	return bus.OpenTask{Session: s.Session, Task: s.Task, Agent: s.Agent, Node: t.bus.Node(), Since: s.Begun}
}

// closeTries is how often a node closes a task in vain before the session's snapshot counts as one that will never be kept.
const closeTries = 3

// closing is an ended task that is still in the index: how often it was closed in vain here, and whether that is under way.
type closing struct {
	vain int
	busy bool
}

// close tells whoever asked that a task has ended, keeps the session's snapshot, and takes the task from the index, beside. Until the
// index is clear, whoever takes the task up finds it ended and does the same, so that the answer is sent at least once, and the
// snapshot kept, unless the bucket of snapshots refuses it for good.
func (t *Team) close(s *round.State) {
	r, to, k := reply(s), s.Request.ReplyTo, callKey{s.Session, s.Task, s.Task}
	began, turn := t.sessions.Leave(k.session, k.task), memory.TurnOf(s)
	last, free := t.beginClosing(k)
	if !free {
		return
	}
	t.goes(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), 10*time.Second)
		defer cancel()
		if to != "" {
			t.replyTo(to, k.session, k.task, r)
		}
		err := t.sessions.End(ctx, began, k.session, turn)
		if err != nil { // the log has it all; the next task reads more of it
			t.log.Warn("the conversation could not be kept", "session", k.session, "error", err)
			if passes := !errors.Is(err, bus.ErrTooLarge) && !errors.Is(err, bus.ErrDamaged); passes && !last {
				t.endClosing(k, false) // closed again by the next sweep; out of the index too, no list would ever name the session
				return
			}
		}
		if err != nil && last { // nothing may run, and be swept up, for ever
			t.log.Warn("an ended task leaves the index without its conversation; the list of sessions may lack it until its next task: "+
				"see whether "+bus.SessionsBucket+" has room and may be written", "session", k.session, "task", k.task)
		}
		ctx, cancel = context.WithTimeout(context.WithoutCancel(t.ctx), 10*time.Second) // what is above may have used up its own
		defer cancel()
		if err = t.bus.Unmark(ctx, k.session, k.task); err != nil {
			t.log.Warn("an ended task could not be taken from the index", "task", k.task, "error", err)
		}
		t.endClosing(k, err == nil)
	})
}

// beginClosing says whether a closing in vain would be the last, and whether the task is free to be closed: one at a time, so that a
// short trouble cannot use up all tries at once.
func (t *Team) beginClosing(k callKey) (last, free bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.closing[k]
	if c.busy {
		return false, false
	}
	t.closing[k] = closing{c.vain, true}
	return c.vain+1 >= closeTries, true
}

func (t *Team) endClosing(k callKey, gone bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if gone {
		delete(t.closing, k)
		return
	}
	t.closing[k] = closing{vain: t.closing[k].vain + 1}
}

// closedElsewhere forgets the closings of tasks that the index no longer has: another node took them from it, or somebody the session.
func (t *Team) closedElsewhere(open []bus.OpenTask) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.closing, func(k callKey, c closing) bool {
		return !c.busy && !slices.ContainsFunc(open, func(o bus.OpenTask) bool { return o.Session == k.session && o.Task == k.task })
	})
}

// forget tells a callee that waits for a person that nobody wants it any more, so that its call ends too.
func (t *Team) forget(s *round.State, a *round.Act) {
	r := bus.Request{
		Session: s.Session, Task: s.Task, Call: a.Child, Parent: s.Call, Caller: s.Agent, ToolName: a.ToolName, JobDesc: a.JobDesc,
		Path: append(append([]string{}, s.Request.Path...), s.Agent), Input: &bus.Input{Kind: bus.Cancel, By: s.Agent},
		Deadline: time.Now().Add(10 * time.Second),
	}
	t.goes(func() {
		if _, err := t.bus.Call(t.ctx, r, nil); err != nil && t.ctx.Err() == nil {
			t.log.Warn("a callee could not be told that its call is over", "call", r.Call, "error", err)
		}
	})
}
