package bus

import (
	"fmt"
	"iter"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is one that [CompileSchema] made.
type Schema struct {
	*jsonschema.Schema
	visits  int  // parts that one value is held to at most, when there are no circles
	circles bool // a part leads back to itself
}

// maxSteps bounds how often a part of a schema is held to a part of a value: 5,000,000 take some seconds, and an honest value of a megabyte far less.
const maxSteps = 5_000_000

// Validate holds a decoded value, see [jsonschema.UnmarshalJSON], to the schema. A *[jsonschema.ValidationError] says where it does not hold; any
// other error, that it would take too long to find out: a part that holds the same property to itself twice takes 2ⁿ steps for a value that is n deep.
func (s *Schema) Validate(v any) error {
	if s.circles || s.visits*parts(v) > maxSteps {
		if w := (weigher{left: maxSteps}); !w.hold(s.Schema, v, nil) {
			return fmt.Errorf("to hold it to its schema would take more than %d steps: give less, or less deep", maxSteps)
		}
	}
	return s.Schema.Validate(v)
}

// parts counts a value and all that is in it.
func parts(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += parts(e)
		}
	case map[string]any:
		for _, e := range v {
			n += parts(e)
		}
	}
	return n
}

// weigher goes the way of the validator, and counts only.
type weigher struct{ left int }

// holding are the parts that are held to the same value, one because of the other.
type holding struct {
	part  *jsonschema.Schema
	above *holding
}

// hold goes through a part of a schema and a value; false when the steps have run out. Of a choice it takes every branch, which the validator may not need.
func (w *weigher) hold(s *jsonschema.Schema, v any, above *holding) bool {
	if s == nil {
		return true
	}
	if w.left--; w.left < 0 {
		return false
	}
	for at := above; at != nil; at = at.above {
		if at.part == s {
			return true // the validator refuses it here
		}
	}
	here := &holding{s, above}
	for part := range inPlace(s) {
		if !w.hold(part, v, here) {
			return false
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, part := range s.DependentSchemas {
			if !w.hold(part, v, here) {
				return false
			}
		}
		for _, part := range s.Dependencies {
			if part, ok := part.(*jsonschema.Schema); ok && !w.hold(part, v, here) {
				return false
			}
		}
		for k, e := range v {
			if !w.property(s, k, e) {
				return false
			}
		}
	case []any:
		for i, e := range v {
			if !w.item(s, i, e) {
				return false
			}
		}
	}
	return true
}

func (w *weigher) property(s *jsonschema.Schema, k string, e any) bool {
	named := s.Properties[k]
	known := named != nil
	if !w.hold(s.PropertyNames, k, nil) || !w.hold(named, e, nil) {
		return false
	}
	for pattern, part := range s.PatternProperties {
		if pattern.MatchString(k) {
			if known = true; !w.hold(part, e, nil) {
				return false
			}
		}
	}
	if known {
		return true
	}
	other, _ := s.AdditionalProperties.(*jsonschema.Schema)
	return w.hold(other, e, nil) && w.hold(s.UnevaluatedProperties, e, nil)
}

func (w *weigher) item(s *jsonschema.Schema, i int, e any) bool {
	first, rest := s.PrefixItems, s.Items2020
	switch items := s.Items.(type) { // before 2020
	case *jsonschema.Schema:
		rest = items
	case []*jsonschema.Schema:
		first = items
		rest, _ = s.AdditionalItems.(*jsonschema.Schema)
	}
	if i < len(first) {
		rest = first[i]
	}
	if !w.hold(s.Contains, e, nil) || !w.hold(rest, e, nil) {
		return false
	}
	return rest != nil || w.hold(s.UnevaluatedItems, e, nil)
}

// inPlace are the parts that hold the same value as a part does, whatever that value is.
func inPlace(s *jsonschema.Schema) iter.Seq[*jsonschema.Schema] {
	return func(yield func(*jsonschema.Schema) bool) {
		for _, part := range [...]*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else} {
			if part != nil && !yield(part) {
				return
			}
		}
		if s.DynamicRef != nil && !yield(s.DynamicRef.Ref) {
			return
		}
		for _, parts := range [...][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
			for _, part := range parts {
				if !yield(part) {
					return
				}
			}
		}
	}
}
