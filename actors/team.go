package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/actors/vectors"
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
	// Mind says how the planner and a model share the thinking; zero: the model thinks alone, and what it plans is checked.
	Mind   configs.Mind
	Limits configs.Limits
	// Zone is where the days begin that "today" and "last month" mean; nil: the machine's.
	Zone *time.Location
	// Phrases are what people say in passing, for the planner; nil: none.
	Phrases *plan.Phrasebook
	// Employees says how tools get role names.
	Employees Employees
	// Scenes say for which requests the tools of MCP servers are offered.
	Scenes map[string]configs.Scene
	// Passive agents are there and answer calls, but take no tasks, neither new ones nor those of others.
	Passive bool
	// Embedding is the model whose vectors help the planner to find tools, beside its own; nil: none.
	Embedding *model.Client
	// Learn is how often at most is learned from the log, see [LearnEvery]; 0: never, and what was learned does not count.
	Learn time.Duration
	Log   *slog.Logger
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
	visitors chan struct{}
	asking   sync.Map // *visitor
	begun    time.Time

	ctx       context.Context // the team's life; its cause is [bus.ErrLeaving]
	cancel    context.CancelCauseFunc
	taking    context.Context // ends with [Team.Drain] already
	endTaking context.CancelFunc
	doors     []func() // leave the subjects on which new work comes; harmless when called again
	services  map[string]*bus.Service
	deafen    func() // to inputs for what runs

	mu       sync.Mutex
	closed   bool // nothing new is begun
	work     sync.WaitGroup
	running  map[callKey]*seat
	adopting map[callKey]bool
	closing  map[callKey]closing
	spawned  uint64
	sweep    chan struct{} // asks for a look at the index of open tasks; holds one
	ended    chan struct{} // a task has ended, so there is something to learn; holds one
	evidence atomic.Pointer[plan.Evidence]
	vectors  *vectors.Store // nil: there is no embedding model
	reader   plan.Reader
	saved    saved
}

const (
	// maxAttempts is how many executors a call may lose in the same place before it counts as poison.
	maxAttempts = 5
	// maxVisitors is how many requests on the ask and submit subjects may wait for their answers on this node.
	maxVisitors = 1024
)

// Start brings the agents to the bus: from here on they take tasks and calls, and take over what dead nodes left. It returns
// when all are announced.
func Start(ctx context.Context, b *bus.Bus, e *actor.Engine, o Options) (*Team, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	t := &Team{
		bus: b, engine: e, o: o, log: o.Log, sessions: memory.NewSessions(b, o.Limits.History), desks: map[string]*desk{},
		nothing: plan.NewIndex(nil, plan.Options{}), visitors: make(chan struct{}, maxVisitors), begun: time.Now(),
		running: map[callKey]*seat{}, adopting: map[callKey]bool{}, closing: map[callKey]closing{}, sweep: make(chan struct{}, 1),
		ended: make(chan struct{}, 1), services: map[string]*bus.Service{}, deafen: func() {}, saved: saved{slots: make(chan struct{}, max(o.Limits.Calls, 1)), by: map[string]*savedDesk{}},
	}
	t.ctx, t.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	t.taking, t.endTaking = context.WithCancel(t.ctx)
	if err := t.start(ctx); err != nil {
		t.Stop(ctx)
		return nil, fmt.Errorf("start the agents: %w", err)
	}
	return t, nil
}

func (t *Team) start(ctx context.Context) error {
	var err error
	if t.dir, err = t.bus.Directory(ctx); err != nil {
		return err
	}
	if t.lease, err = t.bus.Lease(ctx); err != nil {
		return err
	}
	if e := t.o.Embedding; e != nil && !t.o.Passive {
		t.vectors = vectors.Start(t.ctx, t.bus, vectors.Options{Space: e.Space(), Ask: e.Embed, Wait: t.o.Limits.EmbedWait, Log: t.log})
	}
	var entries []string
	for _, a := range t.o.Agents {
		if a.Entry {
			entries = append(entries, a.Name)
		}
	}
	for _, a := range t.o.Agents {
		if !t.o.Prompts.Has(a.Prompt) {
			return fmt.Errorf("agent %s: there is no prompt %q in every language", a.Name, a.Prompt)
		}
		slots := t.o.Limits.Calls
		if a.Entry {
			slots = t.o.Limits.Tasks
		}
		// One more than may run: the intake holds one while the queue is empty.
		d := &desk{agent: a, entries: entries, slots: make(chan struct{}, max(slots, 1)+1), dir: t.dir, taking: t.taking, mind: t.o.mindOf(a), evidence: t.evidence.Load, vectors: t.vectors, reader: &t.reader, phrases: t.o.Phrases}
		t.desks[a.Name] = d
	}
	for _, a := range t.o.Agents {
		d := t.desks[a.Name]
		s, err := t.bus.Serve(card(a), func(in *bus.Incoming) { t.incoming(d, in) })
		if err != nil {
			return fmt.Errorf("agent %s: %w", a.Name, err)
		}
		t.services[a.Name] = s
	}
	deafen, err := t.bus.HearInputs(ctx, t.hint)
	if err != nil {
		return err
	}
	t.deafen = deafen
	known := make(chan struct{})
	t.goes(func() { t.keepSaved(t.taking, known) })
	select {
	case <-known:
	case <-time.After(savedWithin):
		t.log.Warn("the saved tools are not known yet; they come when they can be read")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if t.o.Passive {
		return nil
	}
	if err := t.bus.Listed(ctx); err != nil { // before the first task, which else finds nobody
		t.log.Warn("not all agents of this node are on offer", "error", err)
	}
	if err := t.reception(entries); err != nil {
		return err
	}
	for _, d := range t.desks {
		t.goes(func() { t.intake(t.taking, d) })
	}
	t.goes(func() { t.keepRosters(t.taking) })
	if t.o.Learn > 0 {
		t.goes(func() { t.learn(t.ctx) })
	}
	t.goes(func() { t.unserved(t.taking, unservedEvery) })
	if len(entries) > 0 { // else no task can be gone on with here
		t.goes(func() { t.wakeUp(t.taking) })
		t.goes(func() { t.takeOver(t.taking) })
	}
	return nil
}

// card is what an agent says about itself: its own description, and the skills it was given.
func card(a configs.Agent) bus.Card {
	return bus.Card{
		Name: a.Name, Kind: "agent", Description: a.Description, Skills: a.Skills,
		Tags: append(slices.Clone(a.Tags), a.Title["zh"], a.Title["en"]),
	}
}

// goes runs f beside, as a part of the team that Stop waits for; false: the team has stopped, and f does not run.
func (t *Team) goes(f func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.work.Add(1)
	go func() {
		defer t.work.Done()
		mailbox.Room()
		f()
	}()
	return true
}

// Stop withdraws the agents, lets go of what runs, and waits for all of it, until ctx ends at the latest. What ran goes on wherever
// its task is taken up next, at once since the lease is given up: callees are not told to stop.
func (t *Team) Stop(ctx context.Context) {
	t.refuseNew()
	t.withdraw(true)
	t.deafen()
	t.mu.Lock()
	t.closed = true
	var pids []*actor.PID
	for _, s := range t.running {
		if s.pid != nil {
			pids = append(pids, s.pid)
		}
	}
	t.mu.Unlock()
	t.cancel(bus.ErrLeaving)
	if t.vectors != nil {
		t.vectors.Stop()
	}
	var stopped []<-chan struct{}
	for _, pid := range pids { // side by side: each has appends of its own to wait for
		stopped = append(stopped, t.engine.Stop(pid).Done())
	}
	late := time.After(3 * time.Second) // an actor stopped twice never says that it is done
	for _, done := range stopped {
		select {
		case <-done:
			continue
		case <-late:
		case <-ctx.Done():
		}
		break
	}
	done := make(chan struct{})
	go func() { // ends with the last work, which is the only thing that can outlive Stop
		defer close(done)
		t.work.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		t.log.Warn("stopped while some work went on")
	}
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

// look asks for a look at the index of open tasks.
func (t *Team) look() {
	select {
	case t.sweep <- struct{}{}:
	default:
	}
}

// before is the conversation before the task of a call. fresh: its session began with it. A conversation that cannot be read is an
// empty one: the task is worth more.
func (t *Team) before(ctx context.Context, s *round.State, fresh bool) []memory.Turn {
	turns, err := t.sessions.Begin(ctx, s, fresh)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.log.Warn("the conversation could not be read", "session", s.Session, "error", err)
	}
	return turns
}
