package bus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// CompileSchema reads a JSON Schema that a stranger wrote: on a card, in an answer, in a file. All who hold values to such schemas compile them
// here, so that what one of them refuses none takes. It must be whole in itself, for nothing that it refers to is fetched, not deep, not one that takes for ever, and its patterns small,
// see [SimplePatterns]. formats holds values to "format" as well, which a JSON Schema by itself only notes. The error is one line.
func CompileSchema(raw json.RawMessage, formats bool) (*Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if deeper(doc, maxSchemaDepth) {
		return nil, fmt.Errorf("nested more than %d deep", maxSchemaDepth)
	}
	if err := SimplePatterns(doc); err != nil {
		return nil, err
	}
	if anchored(doc) && elsewhere(doc, true) {
		return nil, errors.New("it has a $dynamicAnchor or $recursiveAnchor, and parts with another $id: where it leads cannot be told; use $ref and $anchor")
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nowhere{})
	if formats {
		c.AssertFormat()
	}
	const place = "mem:schema"
	if err := c.AddResource(place, doc); err != nil {
		return nil, err
	}
	s, err := c.Compile(place)
	if err != nil { // the validator's own report has many lines
		why := strings.Join(strings.Fields(err.Error()), " ")
		if r := []rune(why); len(r) > 400 {
			why = string(r[:400]) + "…"
		}
		return nil, errors.New("not a valid JSON Schema: " + why)
	}
	out := &Schema{Schema: s}
	if out.visits = out.count(s, map[*jsonschema.Schema]int{}); out.visits > maxVisits {
		return nil, fmt.Errorf("its parts refer to each other so often that to hold one value to it would take more than %d steps", maxVisits)
	}
	return out, nil
}

// maxSchemaDepth bounds how deep a schema is nested: compiling takes the third power of it, minutes for what fits into a card.
const maxSchemaDepth = 64

// deeper reports whether a JSON value is nested more than n deep.
func deeper(v any, n int) bool {
	if n < 0 {
		return true
	}
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return deeper(e, n-1) })
	case map[string]any:
		for _, e := range v {
			if deeper(e, n-1) {
				return true
			}
		}
	}
	return false
}

// anchored reports whether a decoded schema has an anchor whose place depends on the way that led there.
func anchored(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, anchored)
	case map[string]any:
		if _, ok := v["$dynamicAnchor"].(string); ok || v["$recursiveAnchor"] == true {
			return true
		}
		for _, e := range v {
			if anchored(e) {
				return true
			}
		}
	}
	return false
}

// elsewhere reports whether a decoded schema has parts that are schemas of their own, or refers to one of those that everybody has.
func elsewhere(v any, root bool) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return elsewhere(e, false) })
	case map[string]any:
		if _, named := v["$id"].(string); named && !root {
			return true
		}
		if to, refers := v["$ref"].(string); refers && !strings.HasPrefix(to, "#") {
			return true
		}
		for _, e := range v {
			if elsewhere(e, false) {
				return true
			}
		}
	}
	return false
}

type nowhere struct{}

// Load always fails.
func (nowhere) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %.80q, which is not followed; a schema must be whole in itself", url)
}

// maxPatterns bounds what the patterns of one schema match when their repetitions are written out, in signs. A hundred ids of
// forty signs stay below it; (?:[a-z]?){1000} a thousand times over, which fits into 19 kB, does not: each text would be held
// against a million signs.
const maxPatterns = 4000

// SimplePatterns says what is wrong with the patterns of a decoded schema; nil when they are small enough. It compiles none of them.
func SimplePatterns(schema any) error {
	if n := patterns(schema); n > maxPatterns {
		return fmt.Errorf("its patterns match %d signs with repetitions written out, over the limit of %d; bound lengths by maxLength and maxItems", n, maxPatterns)
	}
	return nil
}

// patterns is the size of all patterns in a schema.
func patterns(v any) int {
	sum := 0
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			sum += patterns(e)
		}
	case map[string]any:
		for k, e := range v {
			if s, ok := e.(string); ok && k == "pattern" {
				sum += patternSize(s)
			}
			if m, ok := e.(map[string]any); ok && k == "patternProperties" {
				for p := range m {
					sum += patternSize(p)
				}
			}
			sum += patterns(e)
		}
	}
	return sum
}

// patternSize counts the signs and marks of a pattern; 0 of one that is none, which the validator reports.
func patternSize(s string) int {
	re, err := syntax.Parse(s, syntax.Perl)
	if err != nil {
		return 0
	}
	return writtenOut(re)
}

func writtenOut(re *syntax.Regexp) int {
	n := max(1, len(re.Rune))
	if re.Op == syntax.OpCharClass { // one sign of many
		n = 1
	}
	for _, sub := range re.Sub {
		n += writtenOut(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}
