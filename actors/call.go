package actors

import (
	"context"
	"errors"
	"fmt"
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
	timer   *time.Timer
	over    bool
}

// job is a thought or a call under way.
type job struct {
	cancel context.CancelFunc
	child  string
	begun  time.Time
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
	cancel  struct{ by string }
	attach  struct{ in *bus.Incoming }
	tick    struct{}
	parking struct{ fresh []bus.Record }
)

// Receive handles one message; it never blocks.
func (c *call) Receive(ctx *actor.Context) {
	switch m := ctx.Message().(type) {
	case actor.Initialized:
	case actor.Started:
		c.pid = ctx.PID()
		c.beside = mailbox.NewBeside(c.team.ctx, ctx.Engine(), c.pid)
		c.jobs = map[string]*job{}
		c.advance()
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
			c.team.rouse(c.key())
		default:
			c.listen()
		}
	case heard:
		c.reading--
		for _, r := range m.records {
			c.state.Fold(r)
		}
		c.advance()
	case parking:
		c.park(m)
	case cancel:
		if !c.state.Root() && c.state.Cancel == nil {
			c.queue = append(c.queue, entry{record: c.input(bus.Input{Kind: bus.Cancel, By: m.by})})
		}
		c.advance()
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
			j.cancel()
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
	case len(due.Waiting) > 0 && len(c.jobs) == 0:
		c.beginParking()
	}
	c.wake(due.Wake)
}

func (c *call) terms() round.Terms {
	r := c.desk.now()
	return round.Terms{
		Now:     time.Now().UTC(),
		Card:    func(name string) (bus.Card, bool) { card, ok := r.by[name]; return card, ok },
		Check:   r.check,
		Names:   func() []string { return append([]string{}, r.names...) },
		Context: c.context(), Language: c.lang, AskTTL: c.team.o.Limits.AskTTL,
	}
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
	c.job(t.Key, "", func(ctx context.Context) any {
		begun := time.Now()
		th, err := c.desk.mind.Think(ctx, v)
		return thought{t.Key, t.Round, seen, th, time.Since(begun), err}
	})
}

func (c *call) thought(m thought) {
	if c.jobs[m.key] == nil { // not wanted any more
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

// ask calls an agent or a tool, beside the actor. A call that nobody took is tried again, since that cannot have had an effect; so
// is one whose callee went silent, if twice does no harm: an agent goes on where it was, under the same id.
func (c *call) ask(k round.Call) {
	harmless := round.EffectOf(k.Card) != bus.Unsafe
	c.job(k.Key, k.Request.Call, func(ctx context.Context) any {
		begun := time.Now()
		var resp bus.Response
		for try := 0; ; try++ {
			var err error
			resp, err = c.team.bus.Call(ctx, k.Request, c.progress(k.Request))
			if err != nil {
				resp = bus.Response{Status: bus.Failed, Error: &bus.Error{Code: bus.CodeInternal, Message: err.Error()}}
			}
			e := resp.Error
			again := e != nil && (e.Code == bus.CodeUnavailable && (e.Retryable || harmless) || e.Code == bus.CodeBusy && e.Retryable)
			if !again || try == 3 || !rest(ctx, try) {
				break
			}
		}
		c.team.shorten(ctx, &resp, k.Request)
		return answered{k.Key, k.Request.Call, resp, time.Since(begun)}
	})
}

// rest waits 0.1, 0.4, 1.6 seconds; false: the context ended first.
func rest(ctx context.Context, try int) bool {
	t := time.NewTimer(100 * time.Millisecond << (2 * try))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
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

// job runs work beside the actor under a key.
func (c *call) job(key, child string, work func(context.Context) any) {
	stopped, stop := context.WithCancel(context.Background())
	c.jobs[key] = &job{stop, child, time.Now()}
	c.beside.Go(func(ctx context.Context) any {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(stopped, cancel)()
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
			j.cancel()
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
	case e.record.Kind == bus.KindResult && e.record.Error == nil:
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
	in.OnCancel(c.team.canceller(c.key(), in))
	if i := in.Request.Input; i != nil && len(c.state.OpenAsks()) > 0 {
		c.queue = append(c.queue, entry{record: c.input(*i)})
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

// response is the call's response as a message.
func (c *call) response() bus.Response {
	return asResponse(c.state)
}

func asResponse(s *round.State) bus.Response {
	r := s.Response
	if r == nil {
		return bus.Response{HMAP: bus.Version, Call: s.Call, Status: bus.Failed, Error: &bus.Error{Code: bus.CodeUnavailable, Message: "the agent stopped working on it", Retryable: true}}
	}
	return bus.Response{HMAP: bus.Version, Call: s.Call, Status: r.Status, Observation: r.Observation, Files: r.Files, Error: r.Error, Usage: r.Usage, Node: r.Node}
}
