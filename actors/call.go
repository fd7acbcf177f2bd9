package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/mailbox"
)

// call is the agent actor: one call on its way. It keeps doing what its state says is due.
type call struct {
	team  *Team
	desk  *desk
	seat  *seat
	pid   *actor.PID
	state *round.State
	turns []memory.Turn
	mode  bus.Mode
	lang  string
	begun time.Time // when it began on this node

	waiting []*bus.Incoming // callers to answer; none for the root call
	beside  *mailbox.Beside
	jobs    map[string]*job // thoughts and calls under way, by key
	queue   []entry         // records to append, in order, before anything that is due
	busy    bool            // an append is under way
	reading bool            // a read of inputs is under way
	unread  bool            // more has come since it began
	awake   bool            // a root call has read the inputs that came before it ran
	pace    pace            // of its thoughts
	unused  bus.Usage       // of thoughts that were given up or failed; the next round tells it, or the response
	checked checked         // what the newest thought wants
	offered *roster         // who may be called, as the newest decision saw it
	asked   round.Terms     // of every decision, but for the time
	timer   *time.Timer
	wakeAt  time.Time // when the timer is yet to fire; zero: it is not
	over    bool      // nothing more is done here
	left    bool      // seat and slot are given back
}

// job is a thought or a call under way.
type job struct {
	end   context.CancelCauseFunc
	child string
	card  *bus.Card // of the callee, which stays in force until it has answered; nil: it is a thought
}

// entry is a record to append; key is the job that is settled by it, or "".
type entry struct {
	record *bus.Record
	key    string
}

// What the actor is told by the work beside it, and by others. The first four are sent as pointers, for they are large.
type (
	thought struct {
		key     string
		job     *job
		number  int
		known   round.Known
		thought Thought
		took    time.Duration
		err     error
	}
	answered struct {
		key, child string
		response   bus.Response
		took       time.Duration
	}
	tried struct { // one attempt to append
		entry   entry
		attempt bus.Attempt
	}
	appended struct {
		entry entry
		seq   uint64
		err   error
	}
	inputs struct{} // look for new inputs
	heard  struct {
		records []bus.Record
		err     error // the node shuts down
	}
	cancel  struct{ in *bus.Incoming } // this caller has given the call up
	attach  struct{ in *bus.Incoming } // one more caller
	tick    struct{}
	parking struct {
		fresh []bus.Record
		err   error // the node shuts down
	}
	roused struct{} // the index says again that the task runs
)

// Receive handles one message; it never blocks.
func (c *call) Receive(ctx *actor.Context) {
	switch m := ctx.Message().(type) {
	case actor.Initialized:
	case actor.Started:
		c.pid = ctx.PID()
		c.beside = mailbox.NewBeside(c.team.ctx, ctx.Engine(), c.pid)
		if c.state.Root() {
			c.listen() // a cancel may be older than the task's first record
		} else {
			c.advance()
		}
	case actor.Stopped:
		c.stop()
	case *thought:
		c.thought(m)
	case *answered:
		c.answered(m)
	case *tried:
		c.tried(m)
	case *appended:
		c.appended(m)
	case inputs:
		switch {
		case !c.state.Root() || c.state.Ended():
		case c.over: // it came just as we left
			c.team.goes(func() {
				if !c.team.wake(c.team.ctx, &bus.InputJob{Session: c.state.Session, Task: c.state.Task}) {
					c.team.look()
				}
			})
		default:
			c.listen()
		}
	case heard:
		if m.err != nil { // nothing more is decided here
			return
		}
		c.reading, c.awake = false, true
		c.listened(m.records)
		if c.unread {
			c.listen()
		}
		c.advance()
	case parking:
		c.park(m)
	case roused:
		c.busy = false
		c.advance()
	case cancel:
		c.givenUp(m.in)
	case attach:
		c.attach(m.in)
	case tick:
		c.wakeAt = time.Time{}
		c.advance()
	case mailbox.Panicked:
		c.team.log.Error("work beside a call panicked", "call", c.state.Call, "panic", m.Value, "stack", string(m.Stack))
		c.drop("a defect stopped it")
	}
}

// advance does what is due.
func (c *call) advance() {
	if c.over {
		return
	}
	if c.state.Ended() {
		c.finish()
		return
	}
	if c.state.Root() && !c.awake {
		return
	}
	terms := c.terms()
	due := c.state.Due(terms)
	for key, j := range c.jobs {
		if !due.Wants(key) {
			j.end(nil)
			if j.child == "" {
				delete(c.jobs, key)
			}
		}
	}
	if due.Think != nil && c.jobs[due.Think.Key] == nil {
		c.think(*due.Think)
	}
	for i := range due.Calls {
		if k := &due.Calls[i]; c.jobs[k.Key] == nil {
			c.ask(k)
		}
	}
	switch {
	case c.busy:
	case len(c.queue) > 0:
		e := c.queue[0]
		c.queue = c.queue[1:]
		switch e.record.Kind {
		case bus.KindPlan: // steps may have moved on since it was thought of
			if e.record = c.state.Planned(e.record.Plan); e.record == nil {
				c.advance()
				return
			}
		case bus.KindRound:
			if !c.state.Follows(e.record.Round) { // another was on its way when a wish let this one be thought, and its acts would have the ids of that one's
				delete(c.jobs, e.key)
				if e.record.Usage != nil {
					c.unused = c.unused.Add(*e.record.Usage)
				}
				c.advance()
				return
			}
			if end := c.state.Concluded(e.record, terms); end != nil {
				e.record = end
			}
		}
		c.append(e)
	case due.Write != nil:
		c.append(entry{record: due.Write})
	case len(due.Waiting) > 0 && len(c.jobs) == 0 && !c.reading:
		c.beginParking()
	}
	c.wake(due.Wake)
}

// terms are those of one decision. What they ask the call is the same each time, and made once.
func (c *call) terms() round.Terms {
	c.offered = c.desk.soon()
	if c.asked.Card == nil {
		c.asked = round.Terms{
			Card: c.card,
			Check: func(card *bus.Card, parameter json.RawMessage) *bus.Error {
				return c.checked.or(c.offered, card, parameter)
			},
			Names:   func() []string { return append([]string{}, c.offered.names...) },
			Running: func(key string) bool { return c.jobs[key] != nil },
			Context: c.context, Language: c.lang, AskTTL: c.team.o.Limits.AskTTL,
		}
	}
	t := c.asked
	t.Now = c.now()
	return t
}

// now is the time by a clock that goes on from when the call began here: one that is set meanwhile makes no deadline pass.
func (c *call) now() time.Time { return c.begun.Add(time.Since(c.begun)).UTC() }

// card is the card of who may be called: as it is now, or as it was when a call that still runs began; nil: there is none.
func (c *call) card(name string) *bus.Card {
	if card := c.offered.by[name]; card != nil {
		return card
	}
	for _, j := range c.jobs {
		if j.card != nil && j.card.Name == name {
			return j.card
		}
	}
	return nil
}

// context is what an agent called from here must know of the conversation.
func (c *call) context() string {
	if !c.state.Root() {
		return c.state.Request.Context
	}
	var b strings.Builder
	b.WriteString(c.state.Request.JobDesc)
	for _, a := range c.state.Answers {
		if a.Input.Text != "" {
			fmt.Fprintf(&b, "\n%s → %s", a.Ask.Question, a.Input.Text)
		}
	}
	for _, w := range c.state.Steering {
		b.WriteString("\n" + w.Text)
	}
	if d := memory.Digest(c.turns, 1500); d != "" {
		b.WriteString("\n\n" + d)
	}
	return b.String()
}

// listen reads what people have said since, beside the actor: one read after the other, for each gives all that there is, and a flood of words
// read side by side would be held as many times.
func (c *call) listen() {
	if c.unread = c.reading; c.reading {
		return
	}
	c.reading = true
	session, task, after := c.state.Session, c.state.Task, c.state.LastInput
	c.beside.Go(func(ctx context.Context) any {
		records, err := c.team.said(ctx, session, task, after)
		return heard{records, err}
	})
}

// listened takes in what people have said.
func (c *call) listened(records []bus.Record) {
	for _, r := range records {
		c.state.Fold(&r)
	}
	c.seat.read.Store(c.state.LastInput)
}

// live sends text while it is being written to whoever looks on.
func (c *call) live(number int) func(channel, text string) {
	offsets := map[string]int{}
	session, l := c.state.Session, bus.Live{Task: c.state.Task, Call: c.state.Call, Agent: c.desk.agent.Name, Round: number}
	return func(channel, text string) {
		l.Channel, l.Text, l.Offset = channel, text, offsets[channel]
		offsets[channel] += utf8.RuneCountInString(text)
		c.team.bus.Speak(session, l)
	}
}

// progress hands a callee's progress lines, and the text that it writes, to whoever looks on.
func (c *call) progress(r *bus.Request) func(bus.Response) {
	written := 0
	return func(w bus.Response) {
		l := bus.Live{Task: r.Task, Call: r.Call, Agent: r.ToolName}
		if w.Progress != "" {
			l.Channel, l.Text = "progress", w.Progress
			c.team.bus.Speak(r.Session, l)
		}
		if w.Text != "" {
			l.Channel, l.Text, l.Offset = "answer", w.Text, written
			written += utf8.RuneCountInString(w.Text)
			c.team.bus.Speak(r.Session, l)
		}
	}
}

func (c *call) input(in bus.Input) *bus.Record {
	return &bus.Record{
		Kind: bus.KindInput, Session: c.state.Session, Task: c.state.Task, Call: c.state.Call, Parent: c.state.Request.Parent,
		Agent: c.desk.agent.Name, Node: c.team.bus.Node(), Input: &in,
	}
}

// attach takes one more caller of the same call: one that asks again.
func (c *call) attach(in *bus.Incoming) {
	if c.over && !c.state.Ended() { // it came just as we left
		c.team.incoming(c.desk, in)
		return
	}
	c.waiting = append(c.waiting, in)
	if c.over {
		c.reply()
		return
	}
	pid, engine := c.pid, c.team.engine
	in.OnCancel(func() { engine.Send(pid, cancel{in}) })
	if i := in.Request.Input; i != nil && len(c.state.OpenAsks()) > 0 {
		c.queue = append(c.queue, entry{record: c.input(*i)})
	}
	c.advance()
}

// givenUp takes a caller away. When it was the last one, nobody wants the call any more.
func (c *call) givenUp(in *bus.Incoming) {
	i := slices.Index(c.waiting, in)
	if i < 0 || c.over {
		return
	}
	c.waiting = slices.Delete(c.waiting, i, i+1)
	c.team.respond(in, bus.Response{Status: bus.Cancelled, Error: &bus.Error{Code: bus.CodeCancelled, Message: "given up by the caller"}})
	if len(c.waiting) == 0 && c.state.Cancel == nil {
		c.queue = append(c.queue, entry{record: c.input(bus.Input{Kind: bus.Cancel, By: in.Request.Caller})})
	}
	c.advance()
}

// wake has the call look again at a time, and at no other; zero: at none.
func (c *call) wake(at time.Time) {
	if !at.IsZero() && at.Equal(c.wakeAt) {
		return
	}
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if c.wakeAt = at; !at.IsZero() {
		key := c.key()
		c.timer = time.AfterFunc(max(at.Sub(c.now()), time.Millisecond), func() { c.team.tell(key, tick{}) })
	}
}

func (c *call) key() callKey { return callKey{c.state.Session, c.state.Task, c.state.Call} }
