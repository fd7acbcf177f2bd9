package actors

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// A node stalls where it is about to note that its task waits, notes it, and dies before it reads what was said meanwhile. The answer, that the others let be
// since the node lived, is heard when it is gone, by who was there before and by who comes later; and a task to which nothing was said is left alone.
func TestAnswerToANodeThatDied(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		t.Run(fmt.Sprint("late ", late), func(t *testing.T) {
			t.Parallel()
			server := bustest.Server(t)
			dying := connect(t, server, "dying")
			lease, err := dying.Lease(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			expires := time.Now().Add(24 * time.Hour)
			begin := func(task string) {
				last := uint64(0)
				for _, r := range []bus.Record{
					{Kind: bus.KindRequest, Attempt: 1, Request: &bus.Request{HMAP: bus.Version, Session: "s", Task: task, Call: task, Caller: "user", ToolName: "master", JobDesc: "x"}},
					{Kind: bus.KindRound, Round: 1, ActionCode: []bus.Action{{ToolName: "ask_user", Parameter: json.RawMessage(`{"question":"which?"}`)}}},
					{Kind: bus.KindAsk, Round: 1, Child: task + "-1-0", Ask: &bus.Ask{ID: task + "-1-0", Kind: bus.Question, Question: "which?", Expires: expires}},
				} {
					r.Session, r.Task, r.Call, r.Agent = "s", task, task, "master"
					if last, err = dying.Append(t.Context(), &r, last); err != nil {
						t.Fatal(err)
					}
				}
			}
			note := func(task string, waiting bool) {
				o := bus.OpenTask{Session: "s", Task: task, Agent: "master", Waiting: waiting}
				if waiting {
					o.Expires = expires
				}
				if err := dying.MarkOpen(t.Context(), o); err != nil {
					t.Fatal(err)
				}
			}
			begin("t")
			begin("silent")
			note("t", false)
			note("silent", true)
			o := setup{server: server, node: "other", model: scripted.New(t, scripted.Text("done"))}
			h := open(t, o)
			if _, err := dying.Tell(t.Context(), "s", "t", bus.Input{Kind: bus.Answer, Ask: "t-1-0", Text: "that one"}, ""); err != nil {
				t.Fatal(err)
			}
			js, err := jetstream.New(dying.Conn())
			if err != nil {
				t.Fatal(err)
			}
			eventually(t, "the answer is let be", func() bool {
				c, err := js.Consumer(t.Context(), bus.LogStream, "inputs=main")
				if err != nil {
					return false
				}
				i := c.CachedInfo()
				return i.NumPending == 0 && i.NumAckPending == 0 && i.Delivered.Consumer > 0
			})
			if late {
				h.stop()
			}
			note("t", true)
			lease.Close()
			dying.Close()
			if late {
				o.node = "later"
				h = open(t, o)
			}
			if r := h.response(bus.Where{Session: "s", Task: "t"}); r.Status != bus.OK {
				t.Error(brief(r))
			}
			if n := len(h.records(bus.Where{Session: "s", Task: "silent"})); n != 3 {
				t.Errorf("to the other nothing was said, and it has %d records\n%s", n, h.log(bus.Where{Session: "s", Task: "silent"}))
			}
		})
	}
}
