package actors

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// A call that is repeated with its id runs once: the second caller joins it, and later ones are answered from the log.
func TestSameCall(t *testing.T) {
	m := scripted.New(t, play(map[string][]scripted.Step{
		"clerk": {scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`}), {Text: "held it"}},
	}))
	h := open(t, setup{model: m, passive: true})
	_, one := h.asks(clerkCall())
	h.ledger.wait(t, "hold")
	under, two := h.asks(clerkCall())
	<-under
	// It held a slot until it had joined the call that runs, which holds the other.
	eventually(t, "the second caller has joined", func() bool { return h.busy("clerk") == 1 })
	close(h.held)
	for _, got := range []<-chan bus.Response{one, two} {
		if r := <-got; r.Status != bus.OK || round.Text(r.Observation) != "held it" {
			t.Errorf("%+v", r)
		}
	}
	h.idle()
	_, later := h.asks(clerkCall())
	if r := <-later; r.Status != bus.OK || round.Text(r.Observation) != "held it" {
		t.Errorf("from the log: %+v", r)
	}
	if n := len(h.ledger.all()); n != 1 {
		t.Errorf("the tool ran %d times", n)
	}
	responses := 0
	for _, r := range h.records(bus.Where{Session: "s", Task: "t"}) {
		if r.Kind == bus.KindResponse {
			responses++
		}
	}
	if responses != 1 {
		t.Errorf("%d responses", responses)
	}
}

// joined is a call that runs on one node, and a second caller of it who waits on another.
func joined(t *testing.T, clerk ...scripted.Step) (runs, waits *house, one, two <-chan bus.Response) {
	t.Helper()
	server, l := bustest.Server(t), &ledger{}
	o := setup{server: server, ledger: l, model: scripted.New(t, play(map[string][]scripted.Step{"clerk": clerk})), agents: testAgents[1:2], passive: true}
	o.node = "runs"
	runs = open(t, o)
	_, one = runs.asks(clerkCall())
	l.wait(t, "hold")
	o.node, o.toolless = "waits", true
	waits = open(t, o)
	runs.team.services["clerk"].Stop() // the next call comes to the other node
	under, two := runs.asks(clerkCall())
	<-under
	waits.followed(clerkCall())
	return runs, waits, one, two
}

// Who waits on another node for a call hears of the question at which it comes to rest.
func TestCallerElsewhereHearsTheQuestion(t *testing.T) {
	t.Parallel()
	runs, _, one, two := joined(t, scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`}),
		scripted.Calls(scripted.Call{Name: "ask_user", Arguments: `{"question":"which?"}`}))
	close(runs.held)
	for _, got := range []<-chan bus.Response{one, two} {
		if r := <-got; r.Status != bus.InputRequired || r.Ask == nil || r.Ask.Question != "which?" {
			t.Errorf("%+v %v", r, r.Error)
		}
	}
}

// A node that only waited for a call and stops says that it is unavailable: the call goes on, and nobody has cancelled anything.
func TestStoppingWhileWaitingForACallElsewhereIsNotCancelling(t *testing.T) {
	runs, waits, one, two := joined(t, scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`}), scripted.Text("held it"))
	waits.stop()
	if r := <-two; r.Status != bus.Failed || r.Error == nil || r.Error.Code != bus.CodeUnavailable {
		t.Errorf("%+v %v", r, r.Error)
	}
	close(runs.held)
	if r := <-one; r.Status != bus.OK || round.Text(r.Observation) != "held it" {
		t.Errorf("%+v %v", r, r.Error)
	}
}

// Who waits on another node for a call has read its log when he begins to wait, and hears from then on what comes to it: with thousands who wait, to read it
// again each second to see who works on it would be the most that the bus does.
func TestWaitingForACallElsewhereReadsItsLogOnce(t *testing.T) {
	t.Parallel()
	runs, waits, _, _ := joined(t, scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`}), scripted.Text("held it"))
	var reads atomic.Int32
	user := connect(t, runs.server, "user")
	if _, err := user.Conn().Subscribe("$JS.API.DIRECT.GET."+bus.LogStream, func(m *nats.Msg) {
		if strings.Contains(string(m.Data), "t-1-0") {
			reads.Add(1)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := user.Conn().Flush(); err != nil {
		t.Fatal(err)
	}
	runs.kill() // heard of some seconds later
	waits.until(bus.Where{Session: "s", Task: "t"}, "claim", func(r bus.Record) bool { return r.Kind == bus.KindClaim && r.Node == "waits" })
	if n := reads.Load(); n != 1 { // by whoever claims it
		t.Errorf("the log was read %d times", n)
	}
}
