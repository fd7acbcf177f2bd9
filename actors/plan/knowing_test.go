package plan

import (
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Other evidence is that of the new index alone, also of the tools behind agents.
func TestKnowing(t *testing.T) {
	x := NewIndex([]bus.Card{{Name: "clerk", Kind: "agent", Description: "looks after parcels"}},
		Options{Tools: []bus.Card{{Name: "find_parcel", Kind: "tool", Description: "find the parcel of a customer", Effect: bus.Read, Tags: []string{"clerk"}}}})
	if x.behind == nil {
		t.Fatal("no tool stands behind the clerk")
	}
	fails := &Evidence{Tools: map[string]Record{"find_parcel": {Calls: 100, Failed: 95}}}
	y := x.Knowing(fails)
	for name, v := range map[string]*Evidence{"its own": y.options.Evidence, "that of what stands behind": y.behind.index.options.Evidence} {
		if v.tool(y.behind.index.byName["find_parcel"]) <= x.options.Evidence.tool(x.behind.index.byName["find_parcel"]) {
			t.Errorf("by %s evidence a tool that fails costs no more", name)
		}
	}
	if x.options.Evidence != nil || x.behind.index.options.Evidence != nil {
		t.Error("the index that it was made of goes by it too")
	}
}
