package actors

import (
	"slices"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// An input that comes first to a node without the task's agent still wakes the task.
func TestWakeUpIsNotSwallowedByANodeWithoutTheAgent(t *testing.T) {
	o := setup{server: newServer(t), model: scripted.New(t, sending("bob"))}
	h := open(t, o)
	w := h.submit(bus.Submission{Query: "x"})
	h.ask(w)
	h.idle()
	h.stop()
	other := open(t, setup{server: o.server, agents: testAgents[2:3]})
	other.tell(w, bus.Input{Kind: bus.Cancel})
	h = open(t, o)
	other.stop() // by now it has had the input
	if r := h.response(w); r.Status != bus.Cancelled {
		t.Error(brief(r))
	}
}

// The time that a person takes is not the task's: an approval counts even when the agent's own time would have been over.
func TestThePersonsTimeIsNotTheTasks(t *testing.T) {
	agents := slices.Clone(testAgents)
	agents[1].Budget = configs.Budget{Seconds: 1}
	h := open(t, setup{model: scripted.New(t, sending("bob")), agents: agents})
	w := h.submit(bus.Submission{Query: "x"})
	begun := h.until(w, "request of the clerk", func(r bus.Record) bool { return r.Kind == bus.KindRequest && r.Agent == "clerk" }).Time
	a := h.ask(w)
	h.idle()
	eventually(t, "the clerk's second has passed", func() bool { return time.Since(begun) > 1100*time.Millisecond })
	h.tell(w, bus.Input{Kind: bus.Approve, Ask: a.ID})
	h.response(w)
	if !slices.Equal(h.ledger.all(), []string{"send bob"}) {
		t.Errorf("approved, but done: %v\n%s", h.ledger.all(), h.log(w))
	}
}

// One slot is enough: a task that waits for a person holds none, and is woken.
func TestOneSlotIsEnough(t *testing.T) {
	h := open(t, setup{model: scripted.New(t, sending("bob")), limits: slots(1)})
	w := h.submit(bus.Submission{Query: "x"})
	a := h.ask(w)
	h.idle()
	h.tell(w, bus.Input{Kind: bus.Approve, Ask: a.ID})
	if r := h.response(w); r.Status != bus.OK {
		t.Error(brief(r))
	}
}
