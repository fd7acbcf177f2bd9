package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// TestThoughtSaysEachOnce: a list and its length may be called alike, and who reads the thought is told of them once.
func TestThoughtSaysEachOnce(t *testing.T) {
	x := NewIndex([]bus.Card{{
		Name: "late_parcels", Kind: "tool", Description: "Lists the late parcels", Effect: bus.Read,
		Returns: json.RawMessage(`{"type":"object","properties":{"total":{"type":"integer","title":"Late parcels"},"parcels":{"type":"array","title":"Late parcels","items":{"type":"object","properties":{"parcel_id":{"type":"string"}}}}}}`),
	}}, Options{})
	out := x.Think(ask("which parcels are late?"))
	one(t, out)
	if n := strings.Count(out.Thought, "Late parcels"); n != 1 {
		t.Errorf("“Late parcels” %d times in: %s", n, out.Thought)
	}
}
