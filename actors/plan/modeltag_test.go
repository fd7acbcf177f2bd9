package plan

import (
	"encoding/json"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A tool that is for models is known, so that what a model calls of it can be checked, and no request brings it up, not even by its words.
func TestToolsForModels(t *testing.T) {
	cards := []bus.Card{
		{Name: "planning", Kind: "tool", Description: "make a plan, mark its steps", Effect: bus.Read, Tags: []string{bus.ModelTag},
			Parameters: json.RawMessage(`{"type":"object","required":["command"],"properties":{"command":{"type":"string","enum":["create","finish"]}}}`)},
		{Name: "search_rules", Kind: "tool", Description: "finds rules of the shop", Effect: bus.Read,
			Parameters: json.RawMessage(`{"type":"object","required":["query"],"properties":{"query":{"type":"string"}}}`)},
	}
	x := NewIndex(cards, Options{})
	for _, request := range []string{"make a plan", "mark its steps, command create", "planning", "call planning with command finish"} {
		out := x.Think(Input{Request: request})
		for _, a := range out.Actions {
			if a.ToolName == "planning" || a.ToolName == "ask_user" {
				t.Errorf("%s: %+v", request, a)
			}
		}
		if out.Ask != nil && out.Ask.ToolName == "planning" {
			t.Errorf("%s: %+v", request, out.Ask)
		}
	}
	if p := x.Check([]bus.Action{{ToolName: "planning", Parameter: json.RawMessage(`{"command":"finish"}`)}}); len(p) > 0 {
		t.Errorf("a call that holds: %v", p)
	}
	if p := x.Check([]bus.Action{{ToolName: "planning", Parameter: json.RawMessage(`{"command":"dance"}`)}}); len(p) == 0 {
		t.Error("a call that does not hold was not noticed")
	}
}
