package actors

import (
	"context"
	"errors"
	"time"

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
	died := func(node string) bool { return node == t.bus.Node() || !t.bus.Alive(node) } // at the start, whoever did before
	for {
		select {
		case <-ctx.Done():
			return
		case node := <-t.lease.Lapsed():
			t.log.Info("a node is gone; its tasks are shared out", "node", node)
			before := died
			died = func(n string) bool { return n == node || before(n) }
		case <-t.lease.Lost(): // the log's fence keeps us from doing harm; the others may take our tasks
			t.log.Warn("this node's lease lapsed; its tasks may be taken over")
			if !pause(ctx, time.Second) {
				return
			}
		case <-t.sweep:
		case <-tick.C:
		}
		open, err := t.bus.OpenTasks(ctx)
		if err != nil {
			if ctx.Err() == nil {
				t.log.Warn("open tasks could not be listed; trying again", "error", err)
				pause(ctx, time.Second)
				t.look()
			}
			continue
		}
		t.closedElsewhere(open)
		var unheard []bus.OpenTask
		for _, o := range open {
			switch {
			case t.orphan(o):
				t.goes(func() { t.adopt(ctx, o) })
			case o.Waiting && died(o.Node):
				unheard = append(unheard, o)
			}
		}
		died = func(string) bool { return false }
		if len(unheard) > 0 {
			t.goes(func() { t.hearOut(ctx, unheard) })
		}
	}
}

// hearOut goes on with those of the waiting tasks to which something was said that the node which noted them as waiting did not live to read: whoever was
// offered it then saw a node that works on the task, and let it be.
func (t *Team) hearOut(ctx context.Context, waiting []bus.OpenTask) {
	for _, o := range waiting {
		if d := t.desks[o.Agent]; d == nil || !d.agent.Entry {
			continue
		}
		if said, err := t.said(ctx, o.Session, o.Task, o.Heard); err != nil {
			return
		} else if len(said) > 0 {
			t.goes(func() { t.adopt(ctx, o) })
		}
	}
}

// orphan reports whether nobody seems to work on an open task, or it has waited for a person long enough.
func (t *Team) orphan(o bus.OpenTask) bool {
	if o.Waiting {
		return !o.Expires.IsZero() && time.Now().After(o.Expires)
	}
	if o.Node != t.bus.Node() {
		return !t.bus.Alive(o.Node)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running[callKey{o.Session, o.Task, o.Task}] == nil
}

// adopt goes on with a task from its log when a slot is free, if nobody else does. It reports whether somebody has seen to it.
func (t *Team) adopt(ctx context.Context, o bus.OpenTask) bool {
	d := t.desks[o.Agent]
	if d == nil || !d.agent.Entry {
		return false // the business of a node that has this agent
	}
	k := callKey{o.Session, o.Task, o.Task}
	if !t.enlist(k) {
		return false // it waits for a slot already
	}
	defer t.discharge(k)
	select { // first the slot: who has a seat and waits would look as if he worked
	case d.slots <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	used, done := t.adoptNow(t.ctx, d, k) // a claim is not left half-way because we only stopped taking
	if !used {
		<-d.slots
	}
	return done
}

func (t *Team) adoptNow(ctx context.Context, d *desk, k callKey) (used, done bool) {
	seat, mine := t.reserve(k)
	if !mine {
		return false, seat != nil && t.tell(k, inputs{})
	}
	state, at, err := t.own(ctx, k, nil, nil)
	if err == nil && at == ours {
		if err = t.bus.MarkOpen(ctx, t.open(state)); err == nil {
			t.spawn(d, state, t.before(ctx, state, false), seat, nil)
			return true, true
		}
	}
	t.release(k, seat)
	switch {
	case errors.Is(err, bus.ErrNotFound):
		// What was read may come from a replica that lags. Only if the leader has no record either has the log lost the task.
		_, last := t.bus.Last(ctx, bus.Where{Session: k.session, Task: k.task, Call: k.call})
		if errors.Is(last, bus.ErrNotFound) {
			err = t.bus.Unmark(ctx, k.session, k.task)
		}
	case err == nil && at == ended: // and whoever was at it did not live to say so
		t.close(state)
	}
	if errors.Is(err, bus.ErrDamaged) { // the next sweep says it again; sooner it is not mended
		t.log.Error("a task cannot be taken over", "session", k.session, "task", k.task, "error", err)
		return false, false
	}
	if err != nil {
		if ctx.Err() == nil {
			t.log.Warn("a task could not be taken over; trying again", "task", k.task, "error", err)
			pause(ctx, time.Second)
			t.look()
		}
		return false, false
	}
	return false, true
}

// enlist notes that a task is being adopted here; false: it is already.
func (t *Team) enlist(k callKey) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.adopting[k] {
		return false
	}
	t.adopting[k] = true
	return true
}

func (t *Team) discharge(k callKey) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.adopting, k)
}

// wakeUp goes on with tasks that wait for a person when one speaks. Every input comes to one node at least, again and again until
// somebody has seen to it.
func (t *Team) wakeUp(ctx context.Context) {
	for ctx.Err() == nil {
		for in, err := range t.bus.Inputs(ctx) {
			if err != nil {
				t.log.Warn("inputs could not be read; trying again", "error", err)
				break
			}
			t.goes(func() {
				if t.wake(ctx, in) {
					err = in.Done()
				} else {
					err = in.Later(ctx, min(time.Second<<min(in.Tries-1, 6), time.Minute))
				}
				if err != nil && ctx.Err() == nil {
					t.log.Warn("an input was not acknowledged; it comes again", "task", in.Task, "error", err)
				}
			})
		}
		pause(ctx, time.Second)
	}
}

// wake sees to it that a task learns of an input. False: not yet, or not for sure: whoever is only told of it may be killed before it reads,
// with the index saying already that the task waits, and then nobody would look.
func (t *Team) wake(ctx context.Context, in *bus.InputJob) bool {
	session, task := in.Session, in.Task
	k := callKey{session, task, task}
	here := t.tell(k, inputs{})
	read := here && t.hasRead(k) >= in.Seq
	o, found, err := t.bus.OpenTask(ctx, session, task)
	switch {
	case err != nil:
		return false
	case !found:
		last, err := t.bus.Last(ctx, bus.Where{Session: session, Task: task, Call: task})
		if errors.Is(err, bus.ErrNotFound) || err == nil && (read || last.Kind == bus.KindResponse || last.Node != t.bus.Node() && t.bus.Alive(last.Node)) {
			return true // ended, or about to be noted; or still in the queue: whoever begins it reads its inputs
		}
		if err != nil || here {
			return false
		}
		o = bus.OpenTask{Session: session, Task: task, Agent: last.Agent} // its node went down before it could note it
	case o.Waiting && here:
		return false // about to sleep: only when the index says that it is awake is it sure to be found
	case here:
		return read
	case !o.Waiting && o.Node != t.bus.Node() && t.bus.Alive(o.Node):
		return in.Tries > 1 // its node heard it too, and has had a second to read it
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
	var roots []callKey
	for k := range t.running {
		if k.call == k.task {
			roots = append(roots, k)
		}
	}
	t.mu.Unlock()
	for _, k := range roots {
		t.tell(k, inputs{})
	}
}

// said reads what people have said to a task since, and tries until ctx ends: only then it gives an error. Who took that for silence would
// go on with what was cancelled.
func (t *Team) said(ctx context.Context, session, task string, after uint64) ([]bus.Record, error) {
	for {
		records, err := t.bus.Said(ctx, session, task, after)
		if err == nil {
			return records, nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
		t.log.Warn("inputs could not be read; trying again", "task", task, "error", err)
		pause(ctx, time.Second)
	}
}

// hasRead is the place of the newest input that a task which runs here has read; 0 when it does not, or has read none.
func (t *Team) hasRead(k callKey) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.running[k]; s != nil {
		return s.read.Load()
	}
	return 0
}
