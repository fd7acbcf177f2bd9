package actors

import (
	"context"
	"errors"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// think asks the mind, beside the actor.
func (c *call) think(t round.Think) {
	v := look(c.state)
	v.Agent, v.Language, v.Mode, v.Now, v.Round, v.Left, v.Turns = c.desk.agent, c.lang, c.mode, c.said(), t.Round, t.Left, c.turns
	v.Live, v.Parallel = c.live(t.Round), Parallel(c.team.o.Limits, c.desk.agent)
	known, wait := c.state.Known(), c.pace.next(t.Round, time.Now())
	j := &job{}
	c.job(t.Key, j, func(ctx context.Context) any {
		if !pause(ctx, wait) {
			return &thought{key: t.Key, job: j, number: t.Round, err: ctx.Err()}
		}
		begun := time.Now()
		if v.Index = c.team.nothing; !c.state.Request.DisableTools {
			r := c.team.assembled(ctx, c.desk, &v.Request, len(v.Rounds) > 0)
			v.Cards, v.Index, v.parameters = r.cards, r.index, r.parameters
		}
		th, err := c.desk.mind.Think(ctx, v)
		if err == nil {
			c.team.employ(ctx, v, &th)
		}
		return &thought{t.Key, j, t.Round, known, th, time.Since(begun), err}
	})
}

// rethinkEvery is how often at most a round is thought of anew. Each wish gives up the thought that did not know of it, and a thought may cost: of those who write
// ten lines a second the next thought hears all.
const rethinkEvery = 250 * time.Millisecond

// pace is when the newest thought begins, and of which round.
type pace struct {
	round int
	at    time.Time
}

// next takes in one more thought of a round and tells how long it has to wait: the first of a round does not, nor one that comes long after the one before.
func (p *pace) next(round int, now time.Time) time.Duration {
	wait := time.Duration(0)
	if p.round == round {
		if wait = p.at.Sub(now); wait <= 0 { // it has begun
			wait = max(0, wait+rethinkEvery)
		}
	}
	*p = pace{round, now.Add(wait)}
	return wait
}

// said is when the call was asked for, in the house's zone: a task that goes on after midnight, or on another machine, means the same day.
func (c *call) said() time.Time {
	zone := c.team.o.Zone
	if zone == nil {
		zone = time.Local
	}
	return c.state.Begun.In(zone)
}

func (c *call) thought(m *thought) {
	if c.over || c.jobs[m.key] != m.job { // not wanted any more, but paid for
		c.unused = c.unused.Add(m.thought.Usage)
		c.advance()
		return
	}
	if m.err != nil {
		c.unused = c.unused.Add(m.thought.Usage)
		e := new(bus.Error)
		if !errors.As(m.err, &e) {
			e = &bus.Error{Code: bus.CodeModel, Message: m.err.Error()}
		}
		c.queue = append(c.queue, entry{c.state.Broken(e, c.terms()), m.key})
		c.advance()
		return
	}
	if p := c.state.Planned(m.thought.Plan); p != nil {
		c.queue = append(c.queue, entry{record: p})
	}
	c.checked = checked{m.thought.checked, m.thought.Actions}
	r := c.state.Thought(m.number, m.known)
	r.Thought, r.Critique, r.ActionCode, r.Answer, r.Model = m.thought.Thought, m.thought.Critique, m.thought.Actions, m.thought.Answer, m.thought.Model
	r.Employees, r.Millis = m.thought.Employees, m.took.Milliseconds()
	if spent := m.thought.Usage; spent != (bus.Usage{}) {
		r.Usage = &spent
	}
	c.queue = append(c.queue, entry{r, m.key})
	c.advance()
}

// ask calls an agent or a tool, beside the actor.
func (c *call) ask(k *round.Call) {
	left := patience
	if d := k.Request.Deadline; !d.IsZero() {
		left = min(left, d.Sub(c.now()))
	}
	k.Request.Deadline = time.Now().Add(left)
	c.job(k.Key, &job{child: k.Request.Call, card: k.Card}, func(ctx context.Context) any {
		begun := time.Now()
		resp := c.insist(ctx, k)
		if c.team.pointless(resp) {
			<-ctx.Done() // whoever goes on asks again
		}
		c.team.shorten(ctx, &resp, &k.Request)
		return &answered{k.Key, k.Request.Call, resp, time.Since(begun)}
	})
}

// patience bounds how long a callee is asked, again and again, when nothing else does.
const patience = time.Hour

// leastLeft is how long before its deadline a callee is asked again at the latest: it must have the time to say at least that it is busy.
const leastLeft = 100 * time.Millisecond

// insist asks again where that can do no harm: when nobody took the call, and, if twice is as good as once, when the callee went
// silent. A tool that nobody serves has two seconds to come back while its card is on offer, and half a second when it is not: somebody
// has ended it then, and the mind looks for another way. An agent that had taken it is asked under the same id until the deadline: it
// goes on where it was as soon as a node has it, while giving up would let the same work be begun anew. When the deadline leaves no time
// to ask again, what was said last holds: a tool that was busy all the time has not begun, while one that is asked too late may have.
func (c *call) insist(ctx context.Context, k *round.Call) bus.Response {
	harmless, taken := round.EffectOf(k.Card) != bus.Unsafe, false
	for try := 0; ; try++ {
		resp, err := c.team.bus.Call(ctx, k.Request, c.progress(&k.Request))
		if err != nil {
			return bus.Response{Status: bus.Failed, Error: &bus.Error{Code: bus.CodeInternal, Message: err.Error()}}
		}
		e := resp.Error
		if e == nil {
			return resp
		}
		silent := e.Code == bus.CodeUnavailable && !e.Retryable
		taken = taken || silent && k.Card.IsAgent()
		busy := e.Code == bus.CodeBusy && e.Retryable // nobody took it: there is a line, and it moves
		_, there := c.team.dir.Get(k.Card.Name)
		tries := 3
		if !there && !k.Card.IsAgent() {
			tries = 2
		}
		again := busy || harmless && silent || e.Retryable && e.Code == bus.CodeUnavailable
		wait := 100 * time.Millisecond << min(2*try, 5)
		late := time.Until(k.Request.Deadline) <= wait+leastLeft
		if !again || late || try >= tries && !taken && !busy || !pause(ctx, wait) {
			return resp
		}
	}
}

func (c *call) answered(m *answered) {
	if c.over {
		return
	}
	if c.state.Cancel != nil { // what came too late is not waited for any more
		delete(c.jobs, m.key)
		c.advance()
		return
	}
	r := c.state.Settle(m.child, m.response, m.took, c.terms())
	if r == nil {
		delete(c.jobs, m.key)
		c.advance()
		return
	}
	c.queue = append(c.queue, entry{r, m.key})
	c.advance()
}

// job runs work beside the actor under a key. Its context is the job's own, and not that of all work beside: ended with the cause
// [bus.ErrLeaving] it must tell nobody to stop, whatever ends the actor afterwards.
func (c *call) job(key string, j *job, work func(context.Context) any) {
	var ctx context.Context
	ctx, j.end = context.WithCancelCause(c.team.ctx)
	c.jobs[key] = j
	c.beside.Go(func(context.Context) any {
		defer j.end(nil)
		return work(ctx)
	})
}
