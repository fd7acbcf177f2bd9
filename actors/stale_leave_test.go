package actors

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// Leave for one change is no leave for the next, though whoever takes the task over says it to the callee again: also where ids are so long that the callee's asks
// get other ones on the way up.
func TestLeaveSaidAgain(t *testing.T) {
	for _, task := range []string{"t1", "t" + strings.Repeat("x", 57)} {
		t.Run(task, func(t *testing.T) {
			t.Parallel()
			server, l := bustest.Server(t), &ledger{}
			m := scripted.New(t, play(map[string][]scripted.Step{
				"master": {scripted.Calls(handOver("clerk", "send it to bob, then to ann")), {Text: "end"}},
				"clerk": {scripted.Calls(scripted.Call{Name: "send", Arguments: `{"to":"bob"}`}),
					scripted.Calls(scripted.Call{Name: "send", Arguments: `{"to":"ann"}`}), {Text: "sent"}},
			}))
			clerks := open(t, setup{server: server, ledger: l, model: m, node: "clerks", agents: testAgents[1:2]})
			first := open(t, setup{server: server, ledger: l, model: m, node: "first", agents: testAgents[:1], toolless: true})
			w := first.submit(bus.Submission{Query: "send it to bob, then to ann", Session: "s", Task: task})
			a := first.ask(w)
			first.tell(w, bus.Input{Kind: bus.Approve, Ask: a.ID})
			l.wait(t, "send bob")
			first.kill()
			clerks.until(w, "the clerk's second ask", func(r bus.Record) bool {
				return r.Kind == bus.KindAsk && r.Call != r.Task && strings.Contains(string(r.Ask.Arguments), "ann")
			})
			open(t, setup{server: server, ledger: l, model: m, node: "second", agents: testAgents[:1], toolless: true})
			clerks.until(w, "the second ask with the task", func(r bus.Record) bool {
				return r.Kind == bus.KindAsk && r.Call == r.Task && strings.Contains(string(r.Ask.Arguments), "ann")
			})
			for _, x := range l.all() {
				if x == "send ann" {
					t.Error("it is sent to ann without leave")
				}
			}
		})
	}
}
