package bus

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What a stranger's schema can do to whoever compiles it, and what a card of an honest one may have.
func TestCompileSchema(t *testing.T) {
	bomb := strings.Repeat("(?:[a-z0-9]?){1000}", 100)
	for name, c := range map[string]struct{ schema, why string }{
		"a bomb":            {`{"type":"object","properties":{"a":{"type":"string","pattern":"` + bomb + `"}}}`, "patterns"},
		"a bomb of names":   {`{"patternProperties":{"` + bomb + `":true}}`, "patterns"},
		"a bomb in a def":   {`{"$defs":{"a":{"items":{"pattern":"` + bomb + `"}}},"$ref":"#/$defs/a"}`, "patterns"},
		"deep":              {strings.Repeat(`{"items":`, 1000) + "true" + strings.Repeat("}", 1000), "deep"},
		"a file":            {`{"$ref":"file:///etc/passwd"}`, "whole in itself"},
		"an address":        {`{"$schema":"http://127.0.0.1:1/x"}`, "whole in itself"},
		"no pattern":        {`{"pattern":"("}`, "not a valid JSON Schema"},
		"no type":           {`{"type":"nothing"}`, "not a valid JSON Schema"},
		"no JSON":           {`{`, "not JSON"},
		"two":               {`{} {}`, "not JSON"},
		"nothing":           {``, "not JSON"},
		"true":              {`true`, ""},
		"an honest pattern": {`{"pattern":"^[0-9a-f]{8}(-[0-9a-f]{4}){3}$"}`, ""},
		"a circle":          {`{"$ref":"#"}`, ""},
	} {
		s, err := CompileSchema(json.RawMessage(c.schema), false)
		if (err == nil) != (c.why == "") || err != nil && (!strings.Contains(err.Error(), c.why) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 1000) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			_ = s.Validate("x") // whatever it says, it ends
		}
	}
}

// Formats are held to where that was asked for.
func TestCompileSchemaFormats(t *testing.T) {
	for _, formats := range []bool{true, false} {
		s, err := CompileSchema(json.RawMessage(`{"type":"string","format":"date"}`), formats)
		if err != nil {
			t.Fatal(err)
		}
		if bad := s.Validate("tomorrow") != nil; bad != formats {
			t.Errorf("formats %v: refused %v", formats, bad)
		}
	}
}

// Whatever a stranger writes is refused or can be validated with.
func FuzzCompileSchema(f *testing.F) {
	for _, s := range []string{`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"enum":[1,"x"]}}}`, `{"pattern":"(a?){9}"}`, `{"minimum":1e400}`, `{"$ref":"#"}`} {
		f.Add([]byte(s), []byte(`{"a":[1,null,"x",1e300]}`))
	}
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		s, err := CompileSchema(schema, true)
		if err != nil {
			return
		}
		if v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(value))); err == nil {
			_ = s.Validate(v)
		}
	})
}
