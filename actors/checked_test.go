package actors

import (
	"encoding/json"
	"testing"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// What an index found right is not asked again, and only that: neither for other arguments nor by an index of other cards.
func TestCheckedOnce(t *testing.T) {
	card := bus.Card{Name: "find", Kind: "tool", Effect: bus.Read, Parameters: json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`)}
	r := &roster{index: plan.NewIndex([]bus.Card{card}, plan.Options{})}
	wrong, other := json.RawMessage(`{"id":"x"}`), json.RawMessage(`{"id":"y"}`)
	c := checked{r.index, []bus.Action{{ToolName: "find", Parameter: wrong}}}
	if err := c.or(r, &card, wrong); err != nil {
		t.Errorf("asked again: %v", err)
	}
	if c.or(r, &card, other) == nil {
		t.Error("other arguments were not looked at")
	}
	if c.or(&roster{index: plan.NewIndex([]bus.Card{card}, plan.Options{})}, &card, wrong) == nil {
		t.Error("another index was not asked")
	}
	if new(checked).or(r, &card, wrong) == nil {
		t.Error("nothing was found right, and nothing was asked")
	}
}
