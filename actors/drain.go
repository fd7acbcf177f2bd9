package actors

import (
	"context"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// drainLook is how often a drain looks whether it is done. It happens once in the life of a node, so nobody needs to tell it.
const drainLook = 20 * time.Millisecond

// Drain takes nothing new: no tasks, no calls, nothing that other nodes left. It returns 0 when all that runs here has come to its end
// or to a question, or how many calls still ran when ctx ended; [Team.Stop], which comes next in either case, hands those over.
//
// Only this node may serve an agent that tasks under way still need: they would fail without it, so it is withdrawn when another
// node serves it, or by Stop.
func (t *Team) Drain(ctx context.Context) (left int) {
	for _, d := range t.desks { // the others may be ending as well
		d.now()
	}
	t.refuseNew()
	look := time.NewTicker(drainLook)
	defer look.Stop()
	for {
		t.withdraw(false)
		if t.quiet() {
			return 0
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return t.Running()
		}
	}
}

// refuseNew ends all ways by which new work comes, but for the calls of agents.
func (t *Team) refuseNew() {
	t.endTaking()
	for _, leave := range t.doors {
		leave()
	}
}

// withdraw takes agents off the bus: all, or those that another node serves as well.
func (t *Team) withdraw(all bool) {
	elsewhere := map[string]bool{}
	if !all {
		for _, p := range t.dir.Entries() {
			elsewhere[p.Card.Name] = elsewhere[p.Card.Name] || p.Node != t.bus.Node()
		}
	}
	for name, service := range t.services {
		if all || elsewhere[name] {
			service.Stop() // again is harmless
		}
	}
	t.withdrawSaved(all, elsewhere)
}

// quiet reports whether nothing runs here, is about to, or waits for an answer: whoever begins anything takes a slot first.
func (t *Team) quiet() bool {
	held := len(t.visitors) + len(t.saved.slots)
	for _, d := range t.desks {
		held += len(d.slots)
	}
	return held == 0
}

// pointless reports whether a callee that was not there may come back for whoever goes on with the task: the whole house may be
// about to end, and a result that says so would be the end of the task's hope.
func (t *Team) pointless(r bus.Response) bool {
	return t.taking.Err() != nil && r.Error != nil && r.Error.Code == bus.CodeUnavailable && r.Error.Retryable
}
