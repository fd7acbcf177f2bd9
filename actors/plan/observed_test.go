package plan

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/fields"
)

// Ids that are numbers keep every digit on their way from an observation into an argument, of whichever type it is.
func TestLongIDsObserved(t *testing.T) {
	raw := json.RawMessage(`{"rows":[{"id":281065626058},{"id":123456789012345679},{"id":7.0}]}`)
	for typ, want := range map[string][]any{
		"string":  {"281065626058", "123456789012345679", "7"},
		"integer": {json.Number("281065626058"), json.Number("123456789012345679"), json.Number("7.0")},
	} {
		var got []any
		for _, v := range dig(raw, "rows.id") {
			got = append(got, fit(&fields.Field{Type: typ}, v))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", typ, got, want)
		}
	}
}
