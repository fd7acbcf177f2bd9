package plan

import (
	"encoding/json"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A list holds each of the names that are told, once, also where the job and what it was handed on with both tell them.
func TestListHoldsEachOnce(t *testing.T) {
	t.Parallel()
	x := NewIndex([]bus.Card{{
		Name: "memory__open_nodes", Kind: "tool", Description: "Open specific nodes in the knowledge graph by their names", Effect: bus.Read,
		Parameters: json.RawMessage(`{"type":"object","required":["names"],"properties":{"names":{"type":"array","items":{"type":"string"},"description":"An array of entity names to retrieve"}}}`),
	}}, Options{})
	for request, want := range map[string]string{
		"open the nodes Ada and Bob": `{"names":["Ada","Bob"]}`, "open the node Ada": `{"names":["Ada"]}`, `open the nodes "Ada" and "Bob"`: `{"names":["Ada","Bob"]}`,
	} {
		in := ask(request)
		in.Job, in.Context = true, request
		if out := x.Think(in); len(out.Actions) != 1 || string(out.Actions[0].Parameter) != want {
			t.Errorf("%s: %s", request, told(out))
		}
	}
}
