package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// A task that is cancelled while it is in the queue is not begun.
func TestCancelInTheQueue(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	user := connect(t, server, "user")
	w := bus.Where{Session: "s", Task: "t"}
	if _, err := user.Submit(t.Context(), "master", bus.Submission{Query: "x", Session: w.Session, Task: w.Task}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := user.Tell(t.Context(), w.Session, w.Task, bus.Input{Kind: bus.Cancel}, ""); err != nil {
		t.Fatal(err)
	}
	m := scripted.New(t, scripted.Text("ran"))
	h := open(t, setup{server: server, model: m})
	if r := h.response(w); r.Status != bus.Cancelled || len(m.Requests()) > 0 {
		t.Errorf("%s, the model was asked %d times\n%s", brief(r), len(m.Requests()), h.log(w))
	}
}

// A caller that gives a call up right after making it is heard, whether or not the call has begun.
func TestCancelRightAfterTheCall(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: scripted.New(t, scripted.Hang())})
	nc, inbox := h.bus.Conn(), nats.NewInbox()
	sub, err := nc.SubscribeSync(inbox)
	if err != nil {
		t.Fatal(err)
	}
	req := clerkCall()
	if err := nc.PublishRequest(bus.CallSubject("main", req.ToolName), inbox, mustJSON(req)); err != nil {
		t.Fatal(err)
	}
	if err := nc.Publish(bus.CancelSubject("main", req.Call), mustJSON(bus.Cancellation{HMAP: bus.Version, Session: req.Session, Task: req.Task, Reply: inbox})); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	var r bus.Response
	for r.Status == "" || r.Status == bus.Working {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			t.Fatal("no end of the call: ", err)
		}
		if err := json.Unmarshal(m.Data, &r); err != nil {
			t.Fatal(err)
		}
	}
	if r.Status != bus.Cancelled {
		t.Errorf("%+v", r)
	}
	h.idle()
}

// When the Master's node stops in good order, the clerk elsewhere goes on, and whoever takes the task over gets what it did.
func TestStoppingTheMastersNodeDoesNotCancelTheClerk(t *testing.T) {
	t.Parallel()
	server, l := bustest.Server(t), &ledger{}
	m := scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "hold")), {Text: "end"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`}), {Text: "held"}},
	}))
	masters := setup{server: server, model: m, agents: testAgents[:1], toolless: true}
	first := open(t, masters)
	clerks := open(t, setup{server: server, ledger: l, model: m, agents: testAgents[1:2]})
	w := first.submit(bus.Submission{Query: "x"})
	l.wait(t, "hold")
	masters.node = "third"
	third := open(t, masters)
	first.stop()
	third.until(w, "claim", func(r bus.Record) bool { return r.Kind == bus.KindClaim && r.Node == "third" })
	close(clerks.held)
	if r := third.response(w); r.Status != bus.OK || round.Text(r.Observation) != "end" {
		t.Error(brief(r))
	}
	clerk := w.Task + "-1-0"
	cancelled := slices.ContainsFunc(third.records(w), func(r bus.Record) bool { return r.Status == bus.Cancelled || r.Input != nil })
	if n := third.claims(w)[clerk]; cancelled || n > 0 || len(l.all()) != 1 {
		t.Errorf("done: %v, %d claims of the clerk's call\n%s", l.all(), n, third.log(w))
	}
}

// A node that stops while work pours in leaves nothing running.
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	for range 2 {
		server := bustest.Server(t)
		m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("x") }))
		h := open(t, setup{server: server, model: m})
		b := connect(t, server, "load")
		load, end := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			var err error
			for i := 0; err == nil && load.Err() == nil; i++ {
				req := clerkCall()
				req.Call = fmt.Sprint("t-1-", i)
				if err = b.Conn().PublishRequest(bus.SubmitSubject("main"), "nobody.listens", []byte("hello")); err == nil {
					err = b.Conn().PublishRequest(bus.CallSubject("main", "clerk"), "nobody.listens", mustJSON(req))
				}
				if err == nil {
					err = b.Conn().Flush()
				}
			}
			done <- err
		}()
		if err := m.Wait(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
		h.stop()
		if n := h.team.Running(); n > 0 {
			t.Errorf("%d calls still run", n)
		}
		end()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
