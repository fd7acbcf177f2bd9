package eval

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// Cards and wanted plans have the same new names, fields stay in their order, and values, descriptions and the set itself stay as they were.
func TestRenamed(t *testing.T) {
	s := Set{Cases: []Case{{
		ID: "1", Requests: []string{"carve a thing"},
		Cards: []bus.Card{
			{Name: "carve_wood", Description: "carve_wood", Parameters: json.RawMessage(`{"type":"object","properties":{"wood_kind":{"type":"string"},"a":{"type":"string"}},"required":["wood_kind"]}`),
				Returns: json.RawMessage(`{"type":"object","properties":{"figure_id":{"type":"string"}}}`)},
			{Name: "paint", Parameters: json.RawMessage(`{"type":"object","properties":{"figure_id":{"type":"string"}}}`)},
			{Name: "carveWood"},
		},
		Wanted: []plan.Call{{ToolName: "carve_wood", Parameter: map[string]any{"wood_kind": "wood_kind", "odd": 1}}, {ToolName: "paint", Parameter: map[string]any{"figure_id": "$0.figure_id.x"}}, {ToolName: "none"}},
	}}}
	before, _ := json.Marshal(s)
	for manner, want := range map[string]string{
		"camel": `carve_wood {"type":"object","properties":{"woodKind":{"type":"string"},"a":{"type":"string"}},"required":["woodKind"]} carve_wood` +
			` [{carve_wood map[odd:1 woodKind:wood_kind]} {paint map[figureId:$0.figureId.x]} {none map[]}]`,
		"badge": `svc_carve_wood {"type":"object","properties":{"x_wood_kind":{"type":"string"},"x_a":{"type":"string"}},"required":["x_wood_kind"]} carve_wood` +
			` [{svc_carve_wood map[odd:1 x_wood_kind:wood_kind]} {svc_paint map[x_figure_id:$0.x_figure_id.x]} {none map[]}]`,
		"numbered": `tool_1 {"type":"object","properties":{"param_1":{"type":"string"},"param_2":{"type":"string"}},"required":["param_1"]} carve_wood` +
			` [{tool_1 map[odd:1 param_1:wood_kind]} {tool_2 map[param_1:$0.field_1.x]} {none map[]}]`,
	} {
		r, err := s.Renamed(manner)
		if err != nil {
			t.Fatal(err)
		}
		c := r.Cases[0]
		if got := fmt.Sprint(c.Cards[0].Name, " ", string(c.Cards[0].Parameters), " ", c.Cards[0].Description, " ", c.Wanted); got != want {
			t.Errorf("%s:\n%s, want\n%s", manner, got, want)
		}
		if after, _ := json.Marshal(s); string(after) != string(before) {
			t.Errorf("%s changed the set itself", manner)
		}
	}
	if _, err := s.Renamed("odd"); err == nil || !strings.Contains(err.Error(), "camel") {
		t.Error(err)
	}
}
