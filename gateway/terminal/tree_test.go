package terminal

import (
	"testing"

	"github.com/hmap-project/hmap/bus"
)

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
