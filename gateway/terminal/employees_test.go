package terminal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Tools have their roles beside their names, each call its own, from the round that gives them on; nothing in a role reaches the terminal as
// a command. A plan that is kept with the tool planning is shown as one.
func TestTreeShowsRoles(t *testing.T) {
	var out strings.Builder
	tree := NewTree(&out, false, false)
	look := []bus.Action{{ToolName: "look", Parameter: json.RawMessage(`{}`)}}
	for _, r := range []bus.Record{
		{Kind: bus.KindRound, Call: "a", Round: 1, ActionCode: look, Employees: map[string]string{"look": "Seer", "planning": "Keeper\x1b[2J"}},
		{Kind: bus.KindRound, Call: "b", Round: 1, ActionCode: look, Employees: map[string]string{"look": "Watchman"}},
		{Kind: bus.KindRound, Call: "c", Round: 1, ActionCode: look},
		{Kind: bus.KindResult, Call: "a", ToolName: "look", Status: bus.OK, Observation: json.RawMessage(`"seen"`)},
		{Kind: bus.KindRound, Call: "a", Round: 2, ActionCode: look, Employees: map[string]string{"look": "Somebody else"}},
		{Kind: bus.KindResult, Call: "b", ToolName: "look", Status: bus.Failed, Error: &bus.Error{Code: "timeout", Message: "late"}},
		{Kind: bus.KindResult, Call: "a", ToolName: "planning", Status: bus.OK, Observation: json.RawMessage(
			`{"plan":{"title":"trip","steps":[{"id":"1","title":"pack","status":"completed","note":"two bags"},{"id":"2","title":"leave","status":"blocked"}]},"say":"1 of 2"}`)},
		{Kind: bus.KindResult, Call: "c", ToolName: "planning", Status: bus.OK, Observation: json.RawMessage(`{"plan":{"steps":7}}`)},
	} {
		tree.Show(r)
	}
	want := []string{
		"→ look · Seer  {}", "→ look · Watchman  {}", "→ look  {}", "← look · Seer  seen", "→ look · Seer  {}", "✗ look · Watchman  timeout: late",
		"← planning · Keeper[2J  1 of 2", "☰   trip", "  ■ 1  pack two bags", "  ‖ 2  leave", `← planning  {"plan":{"steps":7}}`,
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
