package actors

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// Whoever floods a task with words makes its node read them one read after the other, and not once a word side by side: each read gives all that were
// said since, so that a thousand at once would hold a thousand times as much.
func TestFloodOfInputsIsReadInTurn(t *testing.T) {
	t.Parallel()
	const words = 1000
	h := open(t, setup{server: bustest.Server(t), node: "flooded", model: scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "hold")), {Text: "end"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "hold", Arguments: `{}`}), {Text: "held"}},
	}))})
	user := connect(t, h.server, "user")
	w := h.submit(bus.Submission{Query: "hold"})
	h.ledger.wait(t, "hold")
	seen := make(chan *nats.Msg, 100*words)
	for _, subject := range []string{"$JS.API.DIRECT.GET." + bus.LogStream, "_INBOX_flooded.>"} {
		if _, err := user.Conn().ChanSubscribe(subject, seen); err != nil {
			t.Fatal(err)
		}
	}
	said := bus.InputSubject("main", w.Session, w.Task)
	for i := range words {
		if err := user.Conn().Publish(said, fmt.Appendf(nil, `{"kind":"answer","ask":"of-nobody-%d"}`, i)); err != nil {
			t.Fatal(err)
		}
	}
	h.tell(w, bus.Input{Kind: bus.Cancel})
	if r := h.response(w); r.Status != bus.Cancelled {
		t.Error(brief(r))
	}
	h.idle()
	if err := user.Conn().Flush(); err != nil {
		t.Fatal(err)
	}
	under, most := map[string]bool{}, 0
	for len(seen) > 0 {
		switch m := <-seen; {
		case strings.Contains(string(m.Data), `"`+said+`"`):
			under[m.Reply] = true
			most = max(most, len(under))
		case m.Header.Get("Status") != "": // the last of the answers to a read
			delete(under, m.Subject)
		}
	}
	if most == 0 || most > 2 { // the answers to one may be seen behind the question of the next
		t.Errorf("%d reads at the same time", most)
	}
}
