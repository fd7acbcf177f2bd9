package actors

import (
	"context"
	"errors"
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

	waiting []*bus.Incoming // callers to answer; none for the root call
	beside  *mailbox.Beside
	jobs    map[string]*job // thoughts and calls under way, by key
	queue   []entry         // records to append, in order, before anything that is due
	busy    bool            // an append is under way
	reading int             // reads of inputs under way
	awake   bool            // a root call has read the inputs that came before it ran
	timer   *time.Timer
	over    bool // nothing more is done here
	left    bool // seat and slot are given back
}

// job is a thought or a call under way.
type job struct {
	end   context.CancelCauseFunc
	child string
	card  bus.Card // of the callee, which stays in force until it has answered
}

// entry is a record to append; key is the job that is settled by it, or "".
type entry struct {
	record *bus.Record
	key    string
}

// What the actor is told by the work beside it, and by others.
type (
	thought struct {
		key     string
		job     *job
		number  int
		seen    uint64
		thought Thought
		took    time.Duration
		err     error
	}
	answered struct {
		key, child string
		response   bus.Response
		took       time.Duration
	}
	appended struct {
		entry entry
		seq   uint64
		err   error
	}
	inputs  struct{} // look for new inputs
	heard   struct{ records []bus.Record }
	cancel  struct{ in *bus.Incoming } // this caller has given the call up
	attach  struct{ in *bus.Incoming } // one more caller
	tick    struct{}
	parking struct{ fresh []bus.Record }
	roused  struct{} // the index says again that the task runs
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
	case thought:
		c.thought(m)
	case answered:
		c.answered(m)
	case appended:
		c.appended(m)
	case inputs:
		switch {
		case !c.state.Root() || c.state.Ended():
		case c.over: // it came just as we left
			c.team.goes(func() {
				if !c.team.wake(c.team.ctx, c.state.Session, c.state.Task) {
					c.team.look()
				}
			})
		default:
			c.listen()
		}
	case heard:
		c.reading--
		c.awake = true
		for _, r := range m.records {
			c.state.Fold(r)
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
	due := c.state.Due(c.terms())
	want := map[string]bool{}
	if due.Think != nil {
		want[due.Think.Key] = true
	}
	for _, k := range due.Calls {
		want[k.Key] = true
	}
	for key, j := range c.jobs {
		if !want[key] {
			j.end(nil)
			if j.child == "" {
				delete(c.jobs, key)
			}
		}
	}
	if due.Think != nil && c.jobs[due.Think.Key] == nil {
		c.think(*due.Think)
	}
	for _, k := range due.Calls {
		if c.jobs[k.Key] == nil {
			c.ask(k)
		}
	}
	switch {
	case c.busy:
	case len(c.queue) > 0:
		e := c.queue[0]
		c.queue = c.queue[1:]
		if e.record.Kind == bus.KindPlan { // steps may have moved on since it was thought of
			if e.record = c.state.Planned(e.record.Plan); e.record == nil {
				c.advance()
				return
			}
		}
		c.append(e)
	case due.Write != nil:
		c.append(entry{record: due.Write})
	case len(due.Waiting) > 0 && len(c.jobs) == 0 && c.reading == 0:
		c.beginParking()
	}
	c.wake(due.Wake)
}

func (c *call) terms() round.Terms {
	r := c.desk.now()
	return round.Terms{
		Now:     time.Now().UTC(),
		Card:    func(name string) (bus.Card, bool) { return c.card(r, name) },
		Check:   r.check,
		Names:   func() []string { return append([]string{}, r.names...) },
		Context: c.context(), Language: c.lang, AskTTL: c.team.o.Limits.AskTTL,
	}
}

// card is the card of who may be called: as it is now, or as it was when a call that still runs began.
func (c *call) card(r *roster, name string) (bus.Card, bool) {
	if card, ok := r.by[name]; ok {
		return card, true
	}
	for _, j := range c.jobs {
		if j.card.Name == name {
			return j.card, true
		}
	}
	return bus.Card{}, false
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

// think asks the mind, beside the actor.
func (c *call) think(t round.Think) {
	v := look(c.state)
	r := c.desk.now()
	v.Agent, v.Language, v.Mode, v.Now, v.Round, v.Left, v.Turns = c.desk.agent, c.lang, c.mode, time.Now(), t.Round, t.Left, c.turns
	v.Cards, v.Index = r.cards, r.index
	if c.state.Request.DisableTools {
		v.Cards, v.Index = nil, c.team.nothing
	}
	v.Live = c.live(t.Round)
	seen := c.state.Seen()
	j := &job{}
	c.job(t.Key, j, func(ctx context.Context) any {
		begun := time.Now()
		th, err := c.desk.mind.Think(ctx, v)
		return thought{t.Key, j, t.Round, seen, th, time.Since(begun), err}
	})
}

func (c *call) thought(m thought) {
	if c.over || c.jobs[m.key] != m.job { // not wanted any more
		c.advance()
		return
	}
	if m.err != nil {
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
	r := c.state.Thought(m.number, m.seen)
	r.Thought, r.Critique, r.ActionCode, r.Answer, r.Model = m.thought.Thought, m.thought.Critique, m.thought.Actions, m.thought.Answer, m.thought.Model
	r.Millis = m.took.Milliseconds()
	if m.thought.Usage != (bus.Usage{}) {
		r.Usage = &m.thought.Usage
	}
	c.queue = append(c.queue, entry{r, m.key})
	c.advance()
}

// ask calls an agent or a tool, beside the actor.
func (c *call) ask(k round.Call) {
	c.job(k.Key, &job{child: k.Request.Call, card: k.Card}, func(ctx context.Context) any {
		begun := time.Now()
		resp := c.insist(ctx, k)
		c.team.shorten(ctx, &resp, k.Request)
		return answered{k.Key, k.Request.Call, resp, time.Since(begun)}
	})
}

// patience bounds how long a callee is asked again and again when nothing else does.
const patience = time.Hour

// insist asks again where that can do no harm: when nobody took the call, and, if twice is as good as once, when the callee went
// silent. An agent that had taken it is asked under the same id until the deadline: it goes on where it was as soon as a node has
// it, while giving up would let the same work be begun anew.
func (c *call) insist(ctx context.Context, k round.Call) bus.Response {
	harmless, taken := round.EffectOf(k.Card) != bus.Unsafe, false
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for try := 0; ; try++ {
		resp, err := c.team.bus.Call(ctx, k.Request, c.progress(k.Request))
		if err != nil {
			return bus.Response{Status: bus.Failed, Error: &bus.Error{Code: bus.CodeInternal, Message: err.Error()}}
		}
		e := resp.Error
		if e == nil {
			return resp
		}
		silent := e.Code == bus.CodeUnavailable && !e.Retryable
		taken = taken || silent && k.Card.IsAgent()
		again := harmless && silent || e.Retryable && (e.Code == bus.CodeUnavailable || e.Code == bus.CodeBusy)
		if !again || try >= 3 && !taken || !pause(ctx, 100*time.Millisecond<<min(2*try, 5)) {
			return resp
		}
	}
}

func (c *call) answered(m answered) {
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

// append writes one record, beside the actor; the next is written when this one is folded.
func (c *call) append(e entry) {
	c.busy = true
	last := c.state.Last
	c.beside.Go(func(ctx context.Context) any {
		seq, err := c.team.bus.Append(ctx, e.record, last)
		return appended{e, seq, err}
	})
}

func (c *call) appended(m appended) {
	c.busy = false
	switch {
	case errors.Is(m.err, bus.ErrTooLarge) && c.cut(m.entry):
		c.advance()
		return
	case m.err != nil:
		if !errors.Is(m.err, context.Canceled) {
			c.drop(m.err.Error())
		}
		return
	}
	r := *m.entry.record
	r.Seq = m.seq
	c.state.Fold(r)
	if m.entry.key != "" {
		if j := c.jobs[m.entry.key]; j != nil {
			j.end(nil)
			delete(c.jobs, m.entry.key)
		}
	}
	c.advance()
}

// cut puts something smaller in the place of a record that no message can hold: a result becomes a failed one that says so, and
// anything else ends the call. False: that was tried already.
func (c *call) cut(e entry) bool {
	why := &bus.Error{Code: bus.CodeInternal, Message: "a " + string(e.record.Kind) + " record was too large for a message; ask for less at a time"}
	var less *bus.Record
	switch {
	case e.record.Kind == bus.KindResponse && e.record.Error != nil && e.record.Error.Message == why.Message:
		return false
	case e.record.Kind == bus.KindResult && (e.record.Error == nil || e.record.Error.Message != why.Message):
		less = e.record
		less.Status, less.Observation, less.Files, less.Error = bus.Failed, nil, nil, why
	default:
		less = c.state.Broken(why, c.terms())
		less.Files = nil
	}
	c.queue = append([]entry{{less, e.key}}, c.queue...)
	return true
}

// listen reads what people have said since, beside the actor.
func (c *call) listen() {
	c.reading++
	where, after := bus.Where{Session: c.state.Session, Task: c.state.Task}, c.state.LastInput
	c.beside.Go(func(ctx context.Context) any {
		records, err := c.team.inputs(ctx, where, after)
		if err != nil && ctx.Err() == nil {
			c.team.log.Warn("inputs could not be read", "task", where.Task, "error", err)
		}
		return heard{records}
	})
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

// progress hands a callee's progress lines to whoever looks on, and up to our own callers.
func (c *call) progress(r bus.Request) func(bus.Response) {
	return func(w bus.Response) {
		if w.Progress == "" {
			return
		}
		c.team.bus.Speak(r.Session, bus.Live{Task: r.Task, Call: r.Call, Agent: r.ToolName, Channel: "progress", Text: w.Progress})
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

func (c *call) wake(at time.Time) {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if !at.IsZero() {
		key := c.key()
		c.timer = time.AfterFunc(max(time.Until(at), time.Millisecond), func() { c.team.tell(key, tick{}) })
	}
}

func (c *call) key() callKey { return callKey{c.state.Session, c.state.Task, c.state.Call} }
