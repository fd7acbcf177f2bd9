package bus

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A value that a recursive schema, or many rows that a wide one, would be held to for ever is refused; honest ones are held to all of it.
func TestValuesThatTakeForEver(t *testing.T) {
	t.Parallel()
	deep := func(open, end string, n int) string {
		return strings.Repeat(open, n) + `"end"` + strings.Repeat(end, n)
	}
	wide := `{"type":"array","items":{"$ref":"#/$defs/a0"},"$defs":{`
	for i := range 16 {
		wide += fmt.Sprintf(`"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	wide += `"a16":{}}}`
	for name, c := range map[string]struct {
		schema, value string
		refused       bool
	}{
		"one property twice":          {`{"properties":{"x":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`, deep(`{"x":`, "}", 40), true},
		"by a pattern and a name":     {`{"properties":{"x":{"$ref":"#"}},"patternProperties":{"x":{"$ref":"#"}}}`, deep(`{"x":`, "}", 40), true},
		"by any other name, twice":    {`{"anyOf":[{"additionalProperties":{"$ref":"#"}},{"additionalProperties":{"$ref":"#"}}]}`, deep(`{"y":`, "}", 40), true},
		"items":                       {`{"items":{"$ref":"#"},"contains":{"$ref":"#"}}`, deep("[", "]", 40), true},
		"items of old":                {`{"$schema":"http://json-schema.org/draft-07/schema#","not":{"items":[{"$ref":"#"}]},"items":{"$ref":"#"}}`, deep("[", "]", 40), true},
		"what nothing else looked at": {`{"if":{"not":{"unevaluatedProperties":{"$ref":"#"}}},"properties":{"x":{"$ref":"#"}}}`, deep(`{"x":`, "}", 40), true},
		"what another property wants": {`{"dependentSchemas":{"x":{"properties":{"x":{"$ref":"#"}}}},"properties":{"x":{"$ref":"#"}}}`, deep(`{"x":`, "}", 40), true},
		"by an anchor":                {`{"$dynamicAnchor":"n","properties":{"x":{"allOf":[{"$dynamicRef":"#n"},{"$dynamicRef":"#n"}]}}}`, deep(`{"x":`, "}", 40), true},
		"many rows":                   {wide, "[" + strings.Repeat("1,", 1000) + "1]", true},
		"few rows":                    {wide, "[1,2]", false},
		"a tree":                      {`{"properties":{"left":{"$ref":"#"},"right":{"$ref":"#"}},"additionalProperties":{"$ref":"#"}}`, deep(`{"left":`, "}", 300), false},
		"a long list":                 {`{"type":"array","items":{"anyOf":[{"type":"number"},{"$ref":"#"}]}}`, "[" + strings.Repeat("1,", 20_000) + "1]", false},
		"in a circle":                 {`{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}`, "1", false},
		"a schema as a value":         {`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, deep(`{"properties":{"x":`, "}}", 20), false},
	} {
		s, err := CompileSchema([]byte(c.schema), false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(c.value)))
		if err != nil {
			t.Fatal(name, err)
		}
		if c.refused && name != "many rows" && name != "by an anchor" { // sooner than Validate would
			if w := (weigher{left: 100_000}); w.hold(s.Schema, v, nil) || !s.circles {
				t.Errorf("%s is taken for harmless", name)
			}
			continue
		}
		err = s.Validate(v)
		if refused := err != nil && !errors.As(err, new(*jsonschema.ValidationError)); refused != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Where an anchor leads that depends on the way there cannot be counted.
func TestAnchorsThatDependOnTheWay(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"$dynamicAnchor":"n","$ref":"one","$defs":{"one":{"$id":"one","$dynamicAnchor":"n","items":{"$dynamicRef":"#n"}}}}`,
		`{"$dynamicAnchor":"meta","$ref":"https://json-schema.org/draft/2020-12/schema"}`,
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"$defs":{"one":{"$id":"mem:one","items":{"$recursiveRef":"#"}}},"$ref":"mem:one"}`,
	} {
		if _, err := CompileSchema([]byte(schema), false); err == nil || !strings.Contains(err.Error(), "cannot be told") {
			t.Errorf("%s: %v", schema, err)
		}
	}
}
