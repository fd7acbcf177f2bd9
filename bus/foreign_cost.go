package bus

import "github.com/santhosh-tekuri/jsonschema/v6"

// maxVisits bounds the parts of a schema that one value can be held to, each as often as it is referred to: 1,000,000 take less than a second.
// Forty definitions of which each refers twice to the next would take for ever.
const maxVisits = 1_000_000

// count counts those parts, up to more than maxVisits, and sees circles. known holds what was counted, 0 for what is being counted: how often a circle
// is gone through the value says, see [Schema.Validate].
func (whole *Schema) count(s *jsonschema.Schema, known map[*jsonschema.Schema]int) int {
	if s == nil {
		return 0
	}
	if n, ok := known[s]; ok {
		whole.circles = whole.circles || n == 0
		return n
	}
	known[s] = 0
	n := 1
	add := func(parts ...*jsonschema.Schema) {
		for _, part := range parts {
			n = min(n+whole.count(part, known), maxVisits+1)
		}
	}
	maybe := func(part any) {
		switch part := part.(type) {
		case *jsonschema.Schema:
			add(part)
		case []*jsonschema.Schema:
			add(part...)
		}
	}
	for part := range inPlace(s) {
		add(part)
	}
	add(s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema)
	add(s.PrefixItems...)
	for _, parts := range []map[string]*jsonschema.Schema{s.Properties, s.DependentSchemas} {
		for _, part := range parts {
			add(part)
		}
	}
	for _, part := range s.PatternProperties {
		add(part)
	}
	for _, part := range s.Dependencies {
		maybe(part)
	}
	maybe(s.AdditionalProperties)
	maybe(s.Items)
	maybe(s.AdditionalItems)
	known[s] = n
	return n
}
