package drill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

// killed is the count of all kills.
const killed = "kills"

// trouble carries out a schedule.
type trouble struct {
	c     *cluster
	book  *book
	eyes  *bus.Bus // the drill's own connection, which nothing troubles but the servers' deaths
	hand  *bus.Bus // what removes sessions, through proxies
	house *child   // the one that is killed; nil: it is the cluster's trouble
	work  sync.WaitGroup

	mu    sync.Mutex
	rest  time.Time              // no NATS server is killed before
	turns map[string]*sync.Mutex // of the model's bad answers, by name: one answer meets one event
}

// turn is held by one event of a name at a time.
func (t *trouble) turn(name string) *sync.Mutex {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.turns == nil {
		t.turns = map[string]*sync.Mutex{}
	}
	if t.turns[name] == nil {
		t.turns[name] = new(sync.Mutex)
	}
	return t.turns[name]
}

// electing is how long NATS is left alone after one of its servers died. An election takes 4–6 s;
// with one after the other nothing would ever be stored, and nothing be put to the test.
const electing = 10 * time.Second

// spared reports whether NATS is to be left alone, and if not lets the next rest begin, behind a trouble that lasts so long.
func (t *trouble) spared(lasts time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Now().Before(t.rest) {
		return true
	}
	t.rest = time.Now().Add(lasts + electing)
	return false
}

// run carries out events at their time, each beside the others, and returns when all are over and everything runs again.
func (t *trouble) run(ctx context.Context, events []event) error {
	begun := time.Now()
	for _, e := range events {
		if wait(ctx, e.at-time.Since(begun)) != nil {
			break
		}
		t.work.Go(func() { t.do(ctx, e) })
	}
	t.work.Wait()
	return t.calm(ctx)
}

func (t *trouble) do(ctx context.Context, e event) {
	t.book.note("%s %s %s for %v", e.what, e.kind, e.way, e.d)
	switch e.what {
	case doKill:
		t.kill(ctx, e)
	case doQuorum:
		t.quorum(ctx, e)
	case doSplit:
		t.split(ctx, e)
	case doFreeze:
		t.freeze(ctx, e)
	case doNet:
		t.net(ctx, t.c.troubled(), e)
	case doDoor:
		t.net(ctx, t.c.gateways, e)
	case doModel:
		t.model(ctx, e)
	case doFlood:
		t.flood(ctx)
	case doRemove:
		t.remove(ctx, e)
	case doHostile:
		t.hostile(ctx, uint64(e.pick))
	}
}

// kill kills one child and starts it again. If none of its kind can be killed now it is another kind's turn: a drill makes the kills
// that it was asked for.
func (t *trouble) kill(ctx context.Context, e event) {
	if t.house != nil {
		t.killHouse(ctx, e)
		return
	}
	kinds := []string{e.kind, kindNode, kindGateway, kindTools}
	for n := 0; ctx.Err() == nil; n++ {
		kind := kinds[n%len(kinds)]
		up := slices.DeleteFunc(t.c.of(kind), func(c *child) bool { return !c.up() })
		if len(up) == 0 || kind == kindNATS && (len(up) < 3 || t.spared(0)) {
			if n%len(kinds) == len(kinds)-1 {
				_ = wait(ctx, 20*time.Millisecond)
			}
			continue
		}
		victim := up[e.pick%len(up)]
		name := kind
		if kind == kindNATS && e.pick%2 == 0 {
			if lead := t.leader(ctx); lead != nil && lead.up() {
				victim, name = lead, kind+" (leader)"
			}
		}
		if !t.strike(victim, name) {
			continue // somebody else was faster
		}
		_ = wait(ctx, e.d)
		t.revive(ctx, victim)
		return
	}
}

// strike kills a child that is up; false: it is not, or another is killing it.
func (t *trouble) strike(c *child, name string) bool {
	if !c.condemn() {
		return false
	}
	if c.kind == kindNode {
		t.book.died(nodeName(c.name, c.generation()))
	}
	c.kill()
	t.book.note("killed %s (start %d)", c.name, c.generation())
	t.book.count(killed, 1)
	t.book.count(killed+": "+name, 1)
	return true
}

// revive starts a child again.
func (t *trouble) revive(ctx context.Context, c *child) {
	if err := c.start(); err != nil {
		t.c.crash(err.Error())
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 60*time.Second)
	defer cancel()
	begun := time.Now()
	switch err := c.awaitReady(ctx); {
	case ctx.Err() != nil:
		t.c.crash(err.Error())
		return
	case err != nil: // it was killed again, or crashed, and that is known
		return
	}
	t.book.note("%s is ready (start %d)", c.name, c.generation())
	t.book.mu.Lock()
	t.book.restarts = append(t.book.restarts, time.Since(begun))
	t.book.mu.Unlock()
}

// quorum kills two NATS servers at once, so that for a while nothing can be stored.
func (t *trouble) quorum(ctx context.Context, e event) {
	servers := t.whole(ctx, 0)
	if len(servers) < 3 {
		return
	}
	t.book.count(e.name(), 1)
	for i := range 2 {
		victim := servers[(e.pick+i)%3]
		t.work.Go(func() {
			if t.strike(victim, kindNATS) {
				_ = wait(ctx, e.d)
				t.revive(ctx, victim)
			}
		})
	}
}

// whole waits until all NATS servers are up and may be troubled for so long; none when the drill ends first.
func (t *trouble) whole(ctx context.Context, lasts time.Duration) []*child {
	servers := t.await(ctx, kindNATS, 3)
	for ctx.Err() == nil && t.spared(lasts) {
		_ = wait(ctx, 20*time.Millisecond)
		servers = t.await(ctx, kindNATS, 3)
	}
	return servers
}

// split parts one NATS server from the two others, half the time the one that leads the log: both ways, as when packets get lost, or with an
// end to each connection, or in one direction alone. Clients reach all three as before, the parted one too.
func (t *trouble) split(ctx context.Context, e event) {
	servers := t.whole(ctx, e.d)
	if len(servers) < 3 {
		return
	}
	parted, lead := e.pick%3, slices.Index(servers, t.leader(ctx))
	if e.pick%2 == 0 && lead >= 0 {
		parted = lead
	}
	from, to := t.c.between(parted)
	before := met(from) + met(to)
	t.book.note("parted %s from the others", servers[parted].name)
	there, back := e.way, e.way // of the connections that it made, and of those that the others made
	switch e.way {
	case deaf:
		back = mute
	case mute:
		back = deaf
	}
	var all sync.WaitGroup
	for _, p := range from {
		all.Go(func() { p.during(ctx, there, 0, e.d) })
	}
	for _, p := range to {
		all.Go(func() { p.during(ctx, back, 0, e.d) })
	}
	all.Wait()
	if met(from)+met(to) > before {
		t.book.count(e.name(), 1)
		if parted == lead {
			t.book.count("partitions of the leader", 1)
		}
	}
}

// met is what proxies have held up and cut.
func met(all []*proxy) (n int64) {
	for _, p := range all {
		n += p.met.Load()
	}
	return n
}

// leader is the server that leads the log, nil when nobody can tell.
func (t *trouble) leader(ctx context.Context) *child {
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	js, err := jetstream.New(t.eyes.Conn())
	if err != nil {
		return nil
	}
	s, err := js.Stream(ctx, bus.LogStream)
	if err != nil || s.CachedInfo().Cluster == nil {
		return nil
	}
	for _, c := range t.c.of(kindNATS) {
		if c.name == s.CachedInfo().Cluster.Leader {
			return c
		}
	}
	return nil
}

func (t *trouble) freeze(ctx context.Context, e event) {
	for late := time.Now().Add(patience); time.Now().Before(late); {
		up := t.await(ctx, e.kind, 1)
		if len(up) == 0 {
			return
		}
		c := up[e.pick%len(up)]
		if e.kind == kindNode {
			t.book.died(nodeName(c.name, c.generation()))
		}
		t.book.note("froze %s (start %d)", c.name, c.generation())
		if err := c.frozenFor(ctx, e.d); err != nil { // it was killed that moment
			t.book.count("freezes that failed: "+err.Error(), 1)
			continue
		}
		t.book.count(e.name(), 1)
		return
	}
}

// await waits until n of a kind are up, and gives all that are; none when the drill ends first.
func (t *trouble) await(ctx context.Context, kind string, n int) []*child {
	for ctx.Err() == nil {
		if up := slices.DeleteFunc(t.c.of(kind), func(c *child) bool { return !c.up() }); len(up) >= n {
			return up
		}
		_ = wait(ctx, 20*time.Millisecond)
	}
	return nil
}

// patience is how long a trouble that has met nobody is made again, or goes on: while NATS elects, little is said and nobody asks a model.
const patience = 30 * time.Second

// net troubles one of the proxies through which somebody is connected, of three in front of NATS that is one, and another one until
// somebody was met: who is connected may have nothing to say, and may be dead a moment later.
func (t *trouble) net(ctx context.Context, all []*proxy, e event) {
	for late, n := time.Now().Add(e.d+patience), 0; ctx.Err() == nil && time.Now().Before(late); n++ {
		used := slices.DeleteFunc(slices.Clone(all), func(p *proxy) bool { return !p.busy() })
		if len(used) == 0 {
			_ = wait(ctx, 20*time.Millisecond)
			continue
		}
		p := used[(e.pick+n)%len(used)]
		met := p.met.Load()
		if e.way == "cut" {
			p.cut()
		} else {
			p.during(ctx, e.way, e.slow, e.d)
		}
		if p.met.Load() > met {
			t.book.count(e.name(), 1)
			return
		}
	}
}

// model lets some of the model's answers be bad in one way, until at least one was. Two events of one way do not take the same answer for theirs.
func (t *trouble) model(ctx context.Context, e event) {
	turn := t.turn(e.name())
	turn.Lock()
	defer turn.Unlock()
	m, before := t.c.of(kindModel)[0], t.c.given(e.name())
	for over := time.Now().Add(e.d); ctx.Err() == nil && (time.Now().Before(over) || t.c.given(e.name()) == before && time.Now().Before(over.Add(patience))); {
		_ = m.tell(fmt.Sprintf("%s %d", e.way, e.pick)) // it may be dead, and its next life knows nothing
		_ = wait(ctx, 100*time.Millisecond)
	}
	_ = m.tell(e.way + " 0")
}

// calm lets everything run again.
func (t *trouble) calm(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 60*time.Second)
	defer cancel()
	if t.house != nil {
		return t.house.awaitReady(ctx)
	}
	for _, p := range append(t.c.troubled(), t.c.gateways...) {
		p.be(flowing, 0)
	}
	var errs []error
	for _, c := range t.c.children {
		if c.kind == kindHouse {
			continue // that is looked after by its own
		}
		errs = append(errs, c.awaitReady(ctx))
	}
	return errors.Join(errs...)
}
