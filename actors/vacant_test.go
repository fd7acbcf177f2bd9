package actors

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/bus"
)

// A tool that was killed is asked for once; then it is off the list, and the planner does without it.
func TestAKilledToolIsNotAskedForTwice(t *testing.T) {
	t.Parallel()
	h := open(t, setup{agents: soloist})
	other, err := bus.Connect(t.Context(), bus.Options{Server: h.server})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	card := bus.Card{Name: "weather", Kind: "tool", Description: "The weather of a city today: temperature, rain and wind", Effect: bus.Read,
		Parameters: json.RawMessage(`{"type":"object","required":["city"],"properties":{"city":{"type":"string","examples":["Paris","London"]}}}`)}
	answer := func(in *bus.Incoming) {
		if err := in.Respond(bus.Response{Status: bus.OK, Observation: json.RawMessage(`"rain"`)}); err != nil {
			t.Error(err)
		}
	}
	if _, err := other.Serve(card, answer); err != nil {
		t.Fatal(err)
	}
	if err := h.team.dir.Await(t.Context(), "weather"); err != nil {
		t.Fatal(err)
	}
	ask := bus.Submission{Query: "What is the weather in Paris?"}
	if r := h.response(h.submit(ask)); !strings.Contains(string(r.Observation), "rain") {
		t.Fatal(brief(r))
	}
	other.Conn().Close() // as kill -9 does: no word
	eventually(t, "the server has noticed", func() bool {
		_, err := h.bus.Conn().Request(bus.CallSubject(h.bus.Tenant(), "weather"), nil, 20*time.Millisecond)
		return errors.Is(err, nats.ErrNoResponders)
	})
	w := h.submit(ask)
	h.response(w)
	asked := 0
	for _, r := range h.records(w) {
		if r.Kind == bus.KindResult && r.ToolName == "weather" {
			if asked++; r.Error == nil || r.Error.Code != bus.CodeUnavailable {
				t.Error(brief(r))
			}
		}
	}
	if asked != 1 {
		t.Errorf("it was asked for %d times", asked)
	}
}
