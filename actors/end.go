package actors

import (
	"context"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// finish lets go of a call that has its response.
func (c *call) finish() {
	c.over = true
	c.reply()
	if c.state.Root() {
		c.team.ended(c.state)
	}
	c.leave()
}

// reply answers everybody who waits with the response, or with the question that the call waits for.
func (c *call) reply() {
	r := c.response()
	if asks := c.state.OpenAsks(); !c.state.Ended() && len(asks) > 0 {
		ask := asks[0]
		r = bus.Response{HMAP: bus.Version, Call: c.state.Call, Status: bus.InputRequired, Observation: round.JSONText(ask.Question), Ask: &ask, Node: c.team.bus.Node()}
	}
	for _, in := range c.waiting {
		if err := in.Respond(r); err != nil {
			c.team.log.Warn("a response could not be sent; the caller will ask again", "call", c.state.Call, "error", err)
		}
	}
	c.waiting = nil
}

// beginParking prepares to sleep until a person speaks: nothing of this node is held meanwhile. A root call looks once more for
// inputs after it has told that it waits, since one may have come in between.
func (c *call) beginParking() {
	if !c.state.Root() {
		c.over = true
		c.reply()
		c.leave()
		return
	}
	if c.busy {
		return
	}
	c.busy = true
	where, after := bus.Where{Session: c.state.Session, Task: c.state.Task}, c.state.LastInput
	open := c.team.open(c.state)
	open.Waiting = true
	for _, a := range c.state.OpenAsks() {
		if open.Expires.IsZero() || a.Expires.Before(open.Expires) {
			open.Expires = a.Expires
		}
	}
	c.beside.Go(func(ctx context.Context) any {
		if err := c.team.bus.MarkOpen(ctx, open); err != nil && ctx.Err() == nil {
			c.team.log.Warn("a waiting task could not be noted", "task", where.Task, "error", err)
		}
		fresh, err := c.team.inputs(ctx, where, after)
		if err != nil && ctx.Err() == nil {
			c.team.log.Warn("inputs could not be read", "task", where.Task, "error", err)
		}
		return parking{fresh}
	})
}

func (c *call) park(m parking) {
	c.busy = false
	for _, r := range m.fresh {
		c.state.Fold(r)
	}
	if len(m.fresh) > 0 || c.reading > 0 { // somebody has spoken
		open := c.team.open(c.state)
		c.beside.Go(func(ctx context.Context) any {
			if err := c.team.bus.MarkOpen(ctx, open); err != nil && ctx.Err() == nil {
				c.team.log.Warn("a task that goes on could not be noted", "task", open.Task, "error", err)
			}
			return tick{}
		})
		c.advance()
		return
	}
	c.over = true
	c.leave()
}

// drop lets go of a call that somebody else has, or that cannot go on here. Its truth is in the log.
func (c *call) drop(why string) {
	if c.over {
		return
	}
	c.over = true
	c.team.log.Info("let go of a call", "call", c.state.Call, "task", c.state.Task, "why", why)
	for _, in := range c.waiting {
		c.team.incoming(c.desk, in) // by way of the log
	}
	c.waiting = nil
	c.leave()
	c.team.look() // if nobody else has it, it is taken up from the log
}

// leave stops the actor and gives its slot back.
func (c *call) leave() {
	for _, j := range c.jobs {
		j.cancel()
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	c.team.gone(c)
}

// stop ends the work beside the actor. It may be called without finish or drop having been, when the node shuts down.
func (c *call) stop() {
	if !c.over {
		c.over = true
		for _, in := range c.waiting {
			in.Respond(bus.Response{HMAP: bus.Version, Call: c.state.Call, Status: bus.Failed, Error: &bus.Error{Code: bus.CodeUnavailable, Message: "the node is shutting down", Retryable: true}})
		}
		c.leave()
	}
	if c.beside != nil {
		c.beside.Stop()
	}
}

// open is the task's entry in the index of open tasks.
func (t *Team) open(s *round.State) bus.OpenTask {
	return bus.OpenTask{Session: s.Session, Task: s.Task, Agent: s.Agent, Node: t.bus.Node(), Since: s.Begun}
}

// ended tells whoever asked, and takes the task from the index. Both are beside the actor: a task that stays in the index by
// accident is found ended by whoever takes it up.
func (t *Team) ended(s *round.State) {
	reply, to := asResponse(s), s.Request.ReplyTo
	session, task := s.Session, s.Task
	t.work.Add(1)
	go func() {
		defer t.work.Done()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), 10*time.Second)
		defer cancel()
		if to != "" {
			t.replyTo(to, session, task, reply)
		}
		if err := t.bus.Unmark(ctx, session, task); err != nil {
			t.log.Warn("an ended task could not be taken from the index", "task", task, "error", err)
		}
	}()
}
