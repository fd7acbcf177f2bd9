package terminal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A round is shown alike, whether it is a record of its own or comes with the response.
func TestRoundWithResponse(t *testing.T) {
	round := bus.Record{Session: "s", Task: "t", Call: "t-1-0", Agent: "orders", Round: 2, Critique: "counted", Thought: "it can be answered"}
	own, both := round, round
	own.Kind, own.Answer = bus.KindRound, "three"
	both.Kind, both.Status, both.Observation = bus.KindResponse, bus.OK, json.RawMessage(`"three"`)
	var shown [2]strings.Builder
	NewTree(&shown[0], false, false).Show(own)
	NewTree(&shown[1], false, false).Show(both)
	if got, want := shown[1].String(), shown[0].String(); got != want || !strings.Contains(got, "counted") || !strings.Contains(got, round.Thought) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestUsage(t *testing.T) {
	for want, u := range map[string]bus.Usage{
		"1 round, 0 calls":            {Rounds: 1},
		"3 rounds, 1 call, 12 tokens": {Rounds: 3, Calls: 1, InputTokens: 10, OutputTokens: 2},
		"0 rounds, 2 calls, 1 token":  {Calls: 2, OutputTokens: 1},
	} {
		if got := usage(u); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
