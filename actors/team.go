package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/mailbox"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/prompts"
)

// Options of a [Team]. Agents and Prompts are required.
type Options struct {
	Agents  []configs.Agent
	Prompts *prompts.Set
	// Models by the names that agents use. An agent whose model is not among them thinks with the planner alone.
	Models map[string]*model.Client
	Limits configs.Limits
	Log    *slog.Logger
}

// Team is the agents of one node. Make one with [Start].
type Team struct {
	bus      *bus.Bus
	engine   *actor.Engine
	o        Options
	log      *slog.Logger
	dir      *bus.Directory
	lease    *bus.Lease
	sessions *memory.Sessions
	desks    map[string]*desk
	nothing  *plan.Index // the planner for requests that want no tools

	ctx    context.Context // the team's life
	cancel context.CancelFunc
	work   sync.WaitGroup
	halts  []func() // in the order in which they are called

	mu      sync.Mutex
	running map[callKey]*seat
	sweep   chan struct{} // asks for a look at the index of open tasks; holds one
}

type callKey struct{ session, task, call string }

// seat is a call that runs here, or is about to: ready is closed when pid is set, or stays nil because it came to nothing.
type seat struct {
	pid   *actor.PID
	ready chan struct{}
}

// maxAttempts is how many executors a task may lose in the same place before it counts as poison.
const maxAttempts = 5

// Start brings the agents to the bus: from here on they take tasks and calls, and take over what dead nodes left. It returns
// when all are announced.
func Start(ctx context.Context, b *bus.Bus, e *actor.Engine, o Options) (*Team, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	t := &Team{
		bus: b, engine: e, o: o, log: o.Log, sessions: memory.NewSessions(b, 512), desks: map[string]*desk{},
		nothing: plan.NewIndex(nil, plan.Options{}), running: map[callKey]*seat{}, sweep: make(chan struct{}, 1),
	}
	t.ctx, t.cancel = context.WithCancel(context.WithoutCancel(ctx))
	fail := func(err error) (*Team, error) {
		t.Stop(ctx)
		return nil, fmt.Errorf("start the agents: %w", err)
	}
	var err error
	if t.dir, err = b.Directory(ctx); err != nil {
		return fail(err)
	}
	if t.lease, err = b.Lease(ctx); err != nil {
		return fail(err)
	}
	var entries []string
	for _, a := range o.Agents {
		if a.Entry {
			entries = append(entries, a.Name)
		}
	}
	for _, a := range o.Agents {
		slots := o.Limits.Calls
		if a.Entry {
			slots = o.Limits.Tasks
		}
		if !o.Prompts.Has(a.Prompt) {
			return fail(fmt.Errorf("agent %s: there is no prompt %q in every language", a.Name, a.Prompt))
		}
		d := &desk{agent: a, entries: entries, slots: make(chan struct{}, max(slots, 1)), dir: t.dir}
		d.mind = planner{}
		if m := o.Models[a.Model]; m != nil {
			d.mind = &thinker{model: m, prompts: o.Prompts, limits: o.Limits}
		}
		t.desks[a.Name] = d
	}
	for _, a := range o.Agents {
		d := t.desks[a.Name]
		s, err := b.Serve(t.card(a), func(in *bus.Incoming) { t.incoming(d, in) })
		if err != nil {
			return fail(fmt.Errorf("agent %s: %w", a.Name, err))
		}
		t.halts = append(t.halts, s.Stop)
		t.loop(func(ctx context.Context) { t.intake(ctx, d) })
	}
	stop, err := b.HearInputs(t.hint)
	if err != nil {
		return fail(err)
	}
	t.halts = append(t.halts, stop)
	if err := t.reception(entries); err != nil {
		return fail(err)
	}
	t.loop(t.wakeUp)
	t.loop(t.takeOver)
	return t, nil
}

// card is what an agent says about itself: its own description, and the skills it was given.
func (t *Team) card(a configs.Agent) bus.Card {
	return bus.Card{
		Name: a.Name, Kind: "agent", Description: a.Description, Skills: a.Skills,
		Tags: append(slices.Clone(a.Tags), a.Title["zh"], a.Title["en"]),
	}
}

func (t *Team) loop(f func(context.Context)) {
	t.work.Add(1)
	go func() {
		defer t.work.Done()
		f(t.ctx)
	}()
}

// Stop withdraws the agents, lets go of what runs and waits, until ctx ends at the latest. What ran goes on wherever its task is
// taken up next.
func (t *Team) Stop(ctx context.Context) {
	for _, halt := range t.halts {
		halt()
	}
	t.cancel()
	t.mu.Lock()
	var pids []*actor.PID
	for _, s := range t.running {
		if s.pid != nil {
			pids = append(pids, s.pid)
		}
	}
	t.mu.Unlock()
	for _, pid := range pids {
		select {
		case <-t.engine.Stop(pid).Done():
		case <-time.After(3 * time.Second): // an actor stopped twice never says that it is done
		case <-ctx.Done():
		}
	}
	t.work.Wait()
	if t.lease != nil {
		t.lease.Close()
	}
}

// Running is how many calls run here now.
func (t *Team) Running() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.running)
}

// reserve takes the seat of a call; false: it is taken, by the seat returned.
func (t *Team) reserve(k callKey) (*seat, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.running[k]; s != nil {
		return s, false
	}
	s := &seat{ready: make(chan struct{})}
	t.running[k] = s
	return s, true
}

// release gives up a seat on which nobody sat down.
func (t *Team) release(k callKey, s *seat) {
	t.mu.Lock()
	if t.running[k] == s {
		delete(t.running, k)
	}
	t.mu.Unlock()
	close(s.ready)
}

// spawn lets the call run on its reserved seat.
func (t *Team) spawn(d *desk, s *round.State, turns []memory.Turn, seat *seat, in *bus.Incoming) {
	c := &call{team: t, desk: d, state: s, turns: turns, lang: Language(s.Request.JobDesc), seat: seat}
	c.mode = d.mode(s.Request)
	if in != nil {
		c.waiting = append(c.waiting, in)
		in.OnCancel(t.canceller(c.key(), in))
	}
	id := s.Session + "." + s.Task + "." + s.Call
	pid := mailbox.Spawn(t.engine, func() actor.Receiver { return c }, "call", id, func(v any, stack []byte) {
		t.log.Error("an agent panicked", "call", s.Call, "task", s.Task, "panic", v, "stack", string(stack))
		c.drop("a defect stopped it")
	})
	t.mu.Lock()
	seat.pid = pid
	t.mu.Unlock()
	close(seat.ready)
}

// gone frees the seat and the slot of a call and stops its actor.
func (t *Team) gone(c *call) {
	t.mu.Lock()
	if t.running[c.key()] == c.seat {
		delete(t.running, c.key())
	}
	t.mu.Unlock()
	<-c.desk.slots
	t.engine.Poison(c.pid)
}

// tell sends a message to a call, if it runs here.
func (t *Team) tell(k callKey, message any) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.running[k]
	if s == nil || s.pid == nil {
		return false
	}
	t.engine.Send(s.pid, message)
	return true
}

func (t *Team) canceller(k callKey, in *bus.Incoming) func() {
	return func() { t.tell(k, cancel{in.Request.Caller}) }
}

// look asks for a look at the index of open tasks.
func (t *Team) look() {
	select {
	case t.sweep <- struct{}{}:
	default:
	}
}

// load folds the log of one call. A root call's inputs are folded with it.
func (t *Team) load(ctx context.Context, k callKey) (*round.State, error) {
	where := bus.Where{Session: k.session, Task: k.task, Call: k.call}
	if k.call == k.task {
		where.Call = ""
	}
	records, err := t.bus.Read(ctx, where, 0)
	if err != nil {
		return nil, err
	}
	s := &round.State{}
	for _, r := range records {
		if r.Call == k.call {
			s.Fold(r)
		}
	}
	if s.Call == "" {
		return nil, fmt.Errorf("call %s: %w", k.call, bus.ErrNotFound)
	}
	return s, nil
}

// claim takes a call that was begun elsewhere. ErrFenced: somebody else was faster.
func (t *Team) claim(ctx context.Context, s *round.State) error {
	r := &bus.Record{Kind: bus.KindClaim, Session: s.Session, Task: s.Task, Call: s.Call, Parent: s.Request.Parent, Agent: s.Agent, Node: t.bus.Node(), Attempt: s.Attempt + 1}
	seq, err := t.bus.Append(ctx, r, s.Last)
	if err != nil {
		return err
	}
	done := *r
	done.Seq = seq
	s.Fold(done)
	return nil
}

// inputs reads what people have said to a task since.
func (t *Team) inputs(ctx context.Context, w bus.Where, after uint64) ([]bus.Record, error) {
	records, err := t.bus.Read(ctx, w, after)
	return slices.DeleteFunc(records, func(r bus.Record) bool { return r.Kind != bus.KindInput || r.Node != "" }), err
}

// before is the conversation before the task. A conversation that cannot be read is an empty one: the task is worth more.
func (t *Team) before(ctx context.Context, session, task string) []memory.Turn {
	turns, err := t.sessions.Turns(ctx, session)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.log.Warn("the conversation could not be read", "session", session, "error", err)
	}
	return memory.Before(turns, task)
}
