package actors

import (
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// Whoever takes a task over cancels what the node before it had begun, though that one gave nothing up: killed, stopped in order, or dead when the user said so.
func TestCancelAfterTakeover(t *testing.T) {
	for name, end := range map[string]func(first *house){"killed": (*house).kill, "stopped": func(h *house) { h.stop() }} {
		for when, early := range map[string]bool{"before the takeover": true, "after it": false} {
			t.Run(name+", cancelled "+when, func(t *testing.T) {
				t.Parallel()
				server, l := bustest.Server(t), &ledger{}
				m := scripted.New(t, play(map[string][]scripted.Step{
					"master": {scripted.Calls(handOver("clerk", "hold, then post")), {Text: "end"}},
					"clerk":  {scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`}), scripted.Calls(scripted.Call{Name: "post", Arguments: `{"to":"bob"}`}), {Text: "posted it"}},
				}))
				clerks := open(t, setup{server: server, ledger: l, model: m, node: "clerks", agents: testAgents[1:2]})
				first := open(t, setup{server: server, ledger: l, model: m, node: "first", agents: testAgents[:1], toolless: true})
				w := first.submit(bus.Submission{Query: "hold, then post"})
				l.wait(t, "hold")
				end(first)
				if early {
					clerks.tell(w, bus.Input{Kind: bus.Cancel})
				}
				second := open(t, setup{server: server, ledger: l, model: m, node: "second", agents: testAgents[:1], toolless: true})
				second.until(w, "claim", func(r bus.Record) bool { return r.Kind == bus.KindClaim && r.Node == "second" })
				if !early {
					clerks.tell(w, bus.Input{Kind: bus.Cancel})
				}
				if r := second.response(w); r.Status != bus.Cancelled {
					t.Errorf("the task: %s", brief(r))
				}
				second.until(w, "the clerk to be cancelled", func(r bus.Record) bool {
					return r.Kind == bus.KindResponse && r.Call != r.Task && r.Status == bus.Cancelled
				})
			})
		}
	}
}
