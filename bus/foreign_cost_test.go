package bus

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A schema of a few kilobytes could keep a validator busy for ever; one that goes round in circles, or is large and honest, does not.
func TestSchemasThatTakeForEver(t *testing.T) {
	t.Parallel()
	doubling := func(format string) string {
		defs := ""
		for i := range 40 {
			defs += fmt.Sprintf(`"a%d":`+format+",", i, i+1, i+1)
		}
		return `{"type":"object","$defs":{` + defs + `"a40":{}},"$ref":"#/$defs/a0"}`
	}
	for _, schema := range []string{
		doubling(`{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`),
		doubling(`{"not":{"$ref":"#/$defs/a%d"},"if":{"$ref":"#/$defs/a%d"}}`),
		doubling(`{"anyOf":[{"properties":{"x":{"$ref":"#/$defs/a%d"}}},{"items":{"$ref":"#/$defs/a%d"}}]}`),
	} {
		if _, err := CompileSchema([]byte(schema), false); err == nil || !strings.Contains(err.Error(), "so often") {
			t.Errorf("%.80s: %v", schema, err)
		}
	}
	wide := `{"type":"object","$defs":{"one":{"type":"object","properties":{"a":{"type":"string"},"b":{"$ref":"#"}}}},"properties":{`
	for i := range 500 {
		wide += fmt.Sprintf(`"p%d":{"$ref":"#/$defs/one"},`, i)
	}
	for _, schema := range []string{
		wide + `"x":{}}}`,
		`{"type":"object","properties":{"left":{"$ref":"#"},"right":{"$ref":"#"}}}`,
		`{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}`,
	} {
		s, err := CompileSchema([]byte(schema), false)
		if err != nil {
			t.Errorf("%.80s: %v", schema, err)
			continue
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(`{"left":{"right":{}}}`)))
		if err != nil {
			t.Fatal(err)
		}
		_ = s.Validate(v) // it comes back
	}
}
