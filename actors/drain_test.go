package actors

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// drains begins a drain beside; left gives what it returns.
func (h *house) drains(within time.Duration) (left <-chan int) {
	got := make(chan int, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		got <- h.team.Drain(ctx)
	}()
	return got
}

func holding(t *testing.T) *scripted.Server {
	return scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "hold")), {Text: "end"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`}), {Text: "held"}},
	}))
}

// A node that drains ends what it has, with the agents that only it has, and takes nothing that comes meanwhile.
func TestDrain(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	m := scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "hold")), scripted.Calls(handOver("clerk", "hold again")), {Text: "end"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`}), {Text: "held"}},
	}))
	draining := open(t, setup{server: server, model: m, node: "draining"})
	w := draining.submit(bus.Submission{Query: "x"})
	draining.ledger.wait(t, "hold")
	left := draining.drains(longest)
	<-draining.team.taking.Done()
	draining.asksForNothing()
	late := draining.submit(bus.Submission{Query: "late"})
	close(draining.held)
	if r := draining.response(w); r.Status != bus.OK || round.Text(r.Observation) != "end" {
		t.Error(brief(r))
	}
	if n := <-left; n != 0 {
		t.Errorf("%d calls left", n)
	}
	if n := len(draining.claims(w)); n != 0 {
		t.Errorf("claimed again:\n%s", draining.log(w))
	}
	if records := draining.records(late); len(records) > 0 {
		t.Errorf("a task that came meanwhile was begun: %v", brief(records[0]))
	}
	next := open(t, setup{server: server, model: m, node: "next"})
	close(next.held)
	draining.stop() // with its tools
	if r := next.response(late); r.Status != bus.OK || r.Node != "next" {
		t.Error(brief(r))
	}
}

// An agent that another node has too is withdrawn at once: the calls of a draining node's tasks go there.
func TestDrainWithdrawsWhatOthersHave(t *testing.T) {
	t.Parallel()
	server, m := bustest.Server(t), holding(t)
	draining := open(t, setup{server: server, model: m, node: "draining"})
	other := open(t, setup{server: server, model: m, node: "other", agents: testAgents[1:2], toolless: true})
	nodes := func(h *house) (nodes []string) {
		for _, p := range h.team.dir.Entries() {
			if p.Card.Name == "clerk" {
				nodes = append(nodes, p.Node)
			}
		}
		return nodes
	}
	eventually(t, "the draining node knows the other one", func() bool { return len(nodes(draining)) == 2 })
	if n := <-draining.drains(longest); n != 0 {
		t.Errorf("%d calls left", n)
	}
	eventually(t, "only the other node has a clerk", func() bool { return slices.Equal(nodes(other), []string{"other"}) })
	_, answer := other.asks(clerkCall())
	draining.ledger.wait(t, "hold") // its tools are there until the end
	if n := draining.busy("clerk"); n != 0 {
		t.Errorf("the draining node took %d calls", n)
	}
	close(draining.held)
	if r := <-answer; r.Status != bus.OK {
		t.Errorf("%+v", r)
	}
}

// A team that was only there to be seen learns nothing of the others when it ends: for each command that would be an index of all cards for each agent.
func TestStopMakesNoRoster(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: holding(t), passive: true})
	h.stop()
	for name, d := range h.team.desks {
		if d.roster.Load() != nil {
			t.Errorf("a roster was made for %s", name)
		}
	}
}

// What is not done in time is handed over, and goes on elsewhere at once, not when a lease has lapsed.
func TestDrainHandsOver(t *testing.T) {
	t.Parallel()
	server, m := bustest.Server(t), holding(t)
	limits := testLimits
	limits.Lease = 2 * longest // beyond what the answer is waited for
	draining := open(t, setup{server: server, model: m, node: "draining", limits: limits})
	w := draining.submit(bus.Submission{Query: "x"})
	draining.ledger.wait(t, "hold")
	next := open(t, setup{server: server, model: m, node: "next", limits: limits})
	close(next.held)
	if n := <-draining.drains(50 * time.Millisecond); n == 0 {
		t.Fatal("nothing is left although the tool hangs")
	}
	draining.stop()
	if r := next.response(w); r.Status != bus.OK || round.Text(r.Observation) != "end" {
		t.Error(brief(r))
	}
}

// A call that nobody can take any more, because the whole house ends, is no failed result: it is made again when somebody is there.
func TestDrainingHouseFailsNothing(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	gate := newGate()
	m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		switch {
		case who(r) == "clerk":
			return scripted.Text("looked")
		case observed(r) == 0:
			gate.wait()
			return scripted.Calls(handOver("clerk", "look"))
		}
		return scripted.Text(r.Last("tool"))
	}))
	masters := open(t, setup{server: server, model: m, node: "masters", agents: testAgents[:1], toolless: true})
	clerks := open(t, setup{server: server, model: m, node: "clerks", agents: testAgents[1:2]})
	w := masters.submit(bus.Submission{Query: "x"})
	if err := m.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	left := masters.drains(4 * time.Second) // longer than a call that nobody takes is made again
	<-masters.team.taking.Done()
	clerks.stop()
	gate.open()
	if n := <-left; n == 0 {
		t.Fatal("the task ended although its clerk was gone:\n" + masters.log(w))
	}
	masters.stop()
	back := open(t, setup{server: server, model: m, node: "back"})
	if r := back.response(w); r.Status != bus.OK || round.Text(r.Observation) != "looked" {
		t.Errorf("%s\n%s", brief(r), back.log(w))
	}
}

// asksForNothing waits until no job of the queue is asked for any more.
func (h *house) asksForNothing() {
	h.t.Helper()
	js, err := jetstream.New(h.bus.Conn())
	if err != nil {
		h.t.Fatal(err)
	}
	stream, err := js.Stream(h.t.Context(), bus.TaskStream)
	if err != nil {
		h.t.Fatal(err)
	}
	eventually(h.t, "nobody asks for jobs", func() bool {
		asked := 0
		for info := range stream.ListConsumers(h.t.Context()).Info() { // to the end: it leaves a goroutine behind otherwise
			asked += info.NumWaiting
		}
		return asked == 0
	})
}
