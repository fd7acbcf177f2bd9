package actors

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// A model may show its plan with a tool, however many there are beside it, but for where the agent keeps a plan of its own.
func TestPlanningIsOffered(t *testing.T) {
	t.Parallel()
	cards := []bus.Card{{Name: keptPlan, Kind: "tool", Description: "keeps your plan", Effect: bus.Read, Tags: []string{bus.ModelTag}}}
	for i := range 4 * offered {
		cards = append(cards, bus.Card{Name: fmt.Sprintf("tool%d", i), Kind: "tool", Description: fmt.Sprintf("fetches parcel number %d", i), Effect: bus.Read})
	}
	for mode, want := range map[bus.Mode]bool{bus.React: true, bus.Plan: false} {
		v := &View{Language: "en", Mode: mode, Cards: cards, Index: plan.NewIndex(cards, plan.Options{}), Request: bus.Request{JobDesc: "fetch parcel number 7, then number 8"}}
		shown := offer(v)
		if got := slices.ContainsFunc(shown, func(c bus.Card) bool { return c.Name == keptPlan }); got != want || len(shown) > 2*offered+provided {
			t.Errorf("mode %s: offered %v, with %d tools", mode, got, len(shown))
		}
	}
	if len(cards) != 4*offered+1 || cards[0].Name != keptPlan {
		t.Error("the cards of the view were changed")
	}
}
