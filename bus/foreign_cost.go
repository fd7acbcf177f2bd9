package bus

import "github.com/santhosh-tekuri/jsonschema/v6"

// maxVisits bounds the parts of a schema that one value can be held to, each as often as it is referred to: 1,000,000 take less than a second.
// Forty definitions of which each refers twice to the next would take for ever.
const maxVisits = 1_000_000

// visits counts those parts, up to more than maxVisits. known holds what was counted; a part that refers to itself counts once, for how
// often that is followed the value says, or the validator, which refuses to go round on the same one.
func visits(s *jsonschema.Schema, known map[*jsonschema.Schema]int) int {
	if s == nil {
		return 0
	}
	if n, ok := known[s]; ok {
		return n
	}
	known[s] = 1
	n := 1
	add := func(parts ...*jsonschema.Schema) {
		for _, part := range parts {
			n = min(n+visits(part, known), maxVisits+1)
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
	add(s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema)
	for _, parts := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		add(parts...)
	}
	if s.DynamicRef != nil {
		add(s.DynamicRef.Ref)
	}
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
