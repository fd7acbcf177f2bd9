package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A small schema whose patterns are huge when written out is rejected, wherever in it they stand; ordinary ones are not.
func TestHugePatterns(t *testing.T) {
	str := func(pattern string) any { return map[string]any{"type": "string", "pattern": pattern} }
	object := func(properties any) any { return map[string]any{"type": "object", "properties": properties} }
	bomb := strings.Repeat("(?:[a-z0-9]?){1000}", 100)
	many, ids := map[string]any{}, map[string]any{}
	for i := range 100 {
		name := "id_" + strings.Repeat("x", i)
		many[name], ids[name] = str("^(?:[a-z0-9]?){900}$"), str("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}$")
	}
	for name, c := range map[string]struct {
		parameters, returns any
		rejected            bool
	}{
		"a bomb":              {object(map[string]any{"key": str(bomb)}), nil, true},
		"many in one":         {object(many), nil, true},
		"in returns":          {nil, object(map[string]any{"key": str(bomb)}), true},
		"in a list":           {object(map[string]any{"keys": map[string]any{"type": "array", "items": str(bomb)}}), nil, true},
		"of names":            {map[string]any{"type": "object", "patternProperties": map[string]any{bomb: true}}, nil, true},
		"repeated in itself":  {object(map[string]any{"key": str("(?:(?:[a-z]?){30}){30}" + strings.Repeat("(?:(?:[a-z]b){30}){30}", 4))}), nil, true},
		"a hundred ids":       {object(ids), object(ids), false},
		"a long text":         {object(map[string]any{"key": str("^.{1,1000}$")}), nil, false},
		"a property so named": {object(map[string]any{"pattern": map[string]any{"type": "string"}}), nil, false},
	} {
		raw := func(v any) json.RawMessage {
			b, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		x := NewIndex([]bus.Card{{Name: "look", Kind: "tool", Effect: bus.Read, Description: "look a thing up", Parameters: raw(c.parameters), Returns: raw(c.returns)}}, Options{})
		if rejected := len(x.Rejects) == 1 && strings.Contains(x.Rejects[0].Reason, "patterns"); rejected != c.rejected {
			t.Errorf("%s: %v", name, x.Rejects)
		}
	}
}
