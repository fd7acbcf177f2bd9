package fields

import (
	"encoding/json"
	"strings"
	"testing"
)

// Names stand in the order of the result, those of lists as those of their first object has them.
func TestShape(t *testing.T) {
	for raw, want := range map[string]string{
		`{"b":1,"a":[{"z":"x","c":true},{"d":2}],"o":{"y":null}}`: "b a o; z c",
		`[{"n":"1"},{"m":"2"}]`:                                   "n", `{"a":1,"a":"x"}`: "a", `"text"`: "", `{"a":`: "", `no`: "", ``: "", `[[[[[[[[{"a":1}]]]]]]]]`: "",
	} {
		f := Shape(json.RawMessage(raw))
		all := map[string]any{}
		for _, n := range f.Fields {
			all[n.Name] = nil
		}
		got := strings.Join(Keys(all, &f), " ")
		if a := Child(&f, "a"); a != nil && len(a.Fields) > 0 {
			got += "; " + strings.Join(Keys(map[string]any{"c": 1, "z": 1}, a), " ")
		}
		if got != want {
			t.Errorf("%s: %q", raw, got)
		}
	}
	deep := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	if f := Shape(json.RawMessage(deep)); len(f.Fields) != 1 {
		t.Errorf("%d fields of a deep value", len(f.Fields))
	}
}
