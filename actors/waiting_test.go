package actors

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/configs"
)

// An input that comes first to a node without the task's agent still wakes the task.
func TestWakeUpIsNotSwallowedByANodeWithoutTheAgent(t *testing.T) {
	t.Parallel()
	o := setup{server: bustest.Server(t), model: scripted.New(t, sending("bob"))}
	h := open(t, o)
	w := h.submit(bus.Submission{Query: "send it"})
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
	t.Parallel()
	agents := slices.Clone(testAgents)
	agents[1].Budget = configs.Budget{Seconds: 1}
	h := open(t, setup{model: scripted.New(t, sending("bob")), agents: agents})
	w := h.submit(bus.Submission{Query: "send it"})
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

// An input counts as seen to when its task has read it, not when it was told of it: whoever is killed in between may have said already that
// the task waits.
func TestInputIsSeenToOnceItIsRead(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	h := open(t, setup{server: server})
	other := connect(t, server, "other")
	lease, err := other.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Close()
	k := callKey{"s", "t", "t"}
	seat, mine := h.team.reserve(k)
	if !mine {
		t.Fatal("it runs already")
	}
	expect := func(what string, in bus.InputJob, open bus.OpenTask, want bool) {
		t.Helper()
		in.Session, in.Task, open.Session, open.Task = k.session, k.task, k.session, k.task
		if err := h.bus.MarkOpen(t.Context(), open); err != nil {
			t.Fatal(err)
		}
		if got := h.team.wake(t.Context(), &in); got != want {
			t.Errorf("%s: seen to: %v, want %v", what, got, want)
		}
	}
	here, there := bus.OpenTask{Node: h.bus.Node()}, bus.OpenTask{Node: "other"}
	expect("here, told", bus.InputJob{Seq: 7}, here, false)
	seat.read.Store(7)
	expect("here, read", bus.InputJob{Seq: 7}, here, true)
	expect("here, the next one", bus.InputJob{Seq: 8}, here, false)
	expect("here, about to sleep", bus.InputJob{Seq: 7}, bus.OpenTask{Node: h.bus.Node(), Waiting: true}, false)
	h.team.release(k, seat)
	expect("there, just told", bus.InputJob{Seq: 9, Tries: 1}, there, false)
	expect("there, a second ago", bus.InputJob{Seq: 9, Tries: 2}, there, true)
	if err := h.bus.Unmark(t.Context(), k.session, k.task); err != nil {
		t.Fatal(err)
	}
}

// What cannot be read is no silence.
func TestSaidIsNoSilence(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	h.kill()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if records, err := h.team.said(ctx, "s", "t", 0); err == nil {
		t.Errorf("%d inputs", len(records))
	}
}

// One slot is enough: a task that waits for a person holds none, and is woken.
func TestOneSlotIsEnough(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: scripted.New(t, sending("bob")), limits: slots(1)})
	w := h.submit(bus.Submission{Query: "send it"})
	a := h.ask(w)
	h.idle()
	h.tell(w, bus.Input{Kind: bus.Approve, Ask: a.ID})
	if r := h.response(w); r.Status != bus.OK {
		t.Error(brief(r))
	}
}

// What a stranger writes where a call's records stand is no record, but it moves the fence: the call goes on behind it, asleep or awake.
func TestCallGoesOnBehindWhatIsNoRecord(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: scripted.New(t, sending("bob"))})
	disturb := func(w bus.Where, call string) {
		t.Helper()
		if _, err := h.bus.Conn().Request(bus.LogSubject("main", w.Session, w.Task, call), []byte(`{"hmap":"2","kind":"gossip"}`), 10*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	w := h.submit(bus.Submission{Query: "send it"})
	a := h.ask(w)
	h.idle()
	disturb(w, w.Task)
	disturb(w, w.Task+"-1-0")
	if found, err := h.bus.Find(t.Context(), w.Task); err != nil || found.Session != w.Session {
		t.Errorf("the task is found at %v, %v", found, err)
	}
	h.tell(w, bus.Input{Kind: bus.Approve, Ask: a.ID})
	if r := h.response(w); r.Status != bus.OK || !slices.Equal(h.ledger.all(), []string{"send bob"}) {
		t.Errorf("%s; done: %v\n%s", brief(r), h.ledger.all(), h.log(w))
	}
	second := h.submit(bus.Submission{Query: "send it", Session: w.Session})
	h.until(second, "request of the clerk", func(r bus.Record) bool { return r.Kind == bus.KindRequest && r.Agent == "clerk" })
	disturb(second, second.Task+"-1-0")
	disturb(second, second.Task)
	b := h.ask(second)
	h.tell(second, bus.Input{Kind: bus.Refuse, Ask: b.ID})
	h.response(second)
}

// A mark that comes late, of a node that was frozen and goes on, stops no task: whose it is the log says, and it waits for its person and goes on.
func TestLateMarkOfAnotherNodeStopsNothing(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	other := connect(t, server, "other")
	lease, err := other.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Close()
	answer := sending("bob")
	h := open(t, setup{server: server, model: scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		if err := other.MarkOpen(t.Context(), bus.OpenTask{Session: "s", Task: "t", Agent: "master"}); err != nil {
			t.Error(err)
		}
		return answer.React(r)
	}))})
	w := h.submit(bus.Submission{Query: "send it", Session: "s", Task: "t"})
	a := h.ask(w)
	h.idle()
	if o, found, err := other.OpenTask(t.Context(), "s", "t"); err != nil || !found || !o.Waiting {
		t.Errorf("noted as %+v, %v, %v", o, found, err)
	}
	h.tell(w, bus.Input{Kind: bus.Approve, Ask: a.ID})
	if r := h.response(w); r.Status != bus.OK {
		t.Error(brief(r))
	}
}
