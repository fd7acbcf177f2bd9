package actors

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// A task outlives any number of nodes that leave in good order while it thinks; nodes that die of it end it. A node that comes back under its name tells the two
// apart, too.
func TestLeavingInOrderIsNoDeath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		dies, same bool
		want       bus.Status
	}{{"others", false, false, bus.OK}, {"the same", false, true, bus.OK}, {"others, dying", true, false, bus.Failed}, {"the same, dying", true, true, bus.Failed}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := bustest.Server(t)
			js, err := jetstream.New(connect(t, server, "user").Conn())
			if err != nil {
				t.Fatal(err)
			}
			var answers atomic.Bool
			m := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step {
				if answers.Load() {
					return scripted.Text("done")
				}
				return scripted.Hang()
			}))
			o := setup{server: server, model: m, node: "node"}
			var w bus.Where
			for n := range maxAttempts + 1 {
				if !c.same {
					o.node = fmt.Sprint("node", n)
				}
				h := open(t, o)
				if n == 0 {
					w = h.submit(bus.Submission{Query: "x"})
				}
				if err := m.Wait(t.Context(), n+1); err != nil {
					t.Fatal(err)
				}
				h.stop()
				if c.dies { // the mark of a node that was killed is the others' who missed it
					nodes, err := js.KeyValue(t.Context(), bus.NodesBucket)
					if err != nil {
						t.Fatal(err)
					}
					if err := nodes.Delete(t.Context(), o.node); err != nil {
						t.Fatal(err)
					}
				}
			}
			answers.Store(true)
			o.node = "last"
			h := open(t, o)
			if r := h.response(w); r.Status != c.want || c.dies && r.Error.Code != bus.CodePoison {
				t.Errorf("%s\n%s", brief(r), h.log(w))
			}
		})
	}
}
