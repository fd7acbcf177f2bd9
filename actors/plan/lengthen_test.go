package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// TestListsAreLengthened: a figure of all rows, and a document, ask a tool for as many rows as it lists at most, whatever the parameter for it is called; a
// plain list keeps the tool's own length.
func TestListsAreLengthened(t *testing.T) {
	for _, name := range []string{"limit", "page_size", "max_rows"} {
		x := NewIndex([]bus.Card{{
			Name: "list_leases", Kind: "tool", Description: "List the leases of flats: tenant, town and rent.", Effect: bus.Read, Tags: []string{"leases"},
			Parameters: json.RawMessage(`{"type":"object","properties":{"` + name + `":{"type":"integer","minimum":1,"maximum":300}}}`),
			Returns: json.RawMessage(`{"type":"object","properties":{"count":{"type":"integer","title":"Leases"},"leases":{"type":"array","title":"Leases","items":{"type":"object","properties":{
				"tenant":{"type":"string","title":"Tenant"},"town":{"type":"string","title":"Town"},"rent":{"type":"number","title":"Rent"}}}}}}`),
		}}, Options{})
		for request, all := range map[string]bool{"how many leases per town": true, "average rent of the leases": true, "list the leases\nContext: list the leases, then put them into Excel": true, "list the leases": false} {
			out := x.Think(Input{Request: request, Language: "en"})
			if len(out.Actions) != 1 {
				t.Errorf("%s: %+v", request, out)
				continue
			}
			if got := string(out.Actions[0].Parameter); strings.Contains(got, `"`+name+`":300`) != all {
				t.Errorf("%s: %s", request, got)
			}
		}
	}
}
