package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// parse reads one JSON value and keeps numbers as they are written. A number beyond a float64 is refused: comparing it as an
// exact fraction could take a million digits.
func parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return value, checkNumbers(value)
}

func checkNumbers(value any) error {
	switch v := value.(type) {
	case json.Number:
		mantissa, exponent, _ := strings.Cut(strings.ToLower(v.String()), "e")
		n := 0
		if exponent != "" {
			var err error
			if n, err = strconv.Atoi(exponent); err != nil {
				n = 1000
			}
		}
		if len(mantissa) > 320 || n > 308 || n < -330 {
			return fmt.Errorf("number %s is out of range", clip(v.String(), 40))
		}
	case []any:
		for _, e := range v {
			if err := checkNumbers(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, e := range v {
			if err := checkNumbers(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxDepth is how deep coercion and shortening look. Arguments written by a model have a few levels; what lies below is
// taken as it is.
const maxDepth = 32

// coerce turns what a model wrote into what the schema wants, where the meaning cannot be mistaken:
//
//	["x"] for a scalar      → "x"       (H-MAP's own example writes parameters so)
//	"5", "true", "{…}"      → the number, boolean, object or list it spells
//	5 for a string          → "5"       (order numbers)
//	"x" for a list          → ["x"]
//	5.0 for an integer      → 5
//	null for an optional    → left out
//
// Anything else stays as it is, for the validation to complain about.
func coerce(value any, s *jsonschema.Schema, depth int) any {
	s = follow(s)
	if s == nil || depth > maxDepth {
		return value
	}
	value = coerceTo(value, wanted(s))
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			property, ok := s.Properties[name]
			if !ok {
				continue
			}
			if inner == nil {
				if types := wanted(follow(property)); len(types) > 0 && !slices.Contains(types, "null") {
					delete(v, name)
				}
				continue // no null is turned into anything
			}
			v[name] = coerce(inner, property, depth+1)
		}
	case []any:
		if each := items(s); each != nil {
			for i := range v {
				v[i] = coerce(v[i], each, depth+1)
			}
		}
	}
	return value
}

// wanted lists the types that a schema allows, by its type or else by its enum. Empty: any.
func wanted(s *jsonschema.Schema) []string {
	if s == nil {
		return nil
	}
	if s.Types != nil {
		return s.Types.ToStrings()
	}
	var types []string
	if s.Enum != nil {
		for _, v := range s.Enum.Values {
			types = append(types, typeOf(v))
		}
	}
	return types
}

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	default:
		return "number"
	}
}

// coerceTo makes value one of the types, if that can be done without guessing.
func coerceTo(value any, types []string) any {
	if len(types) == 0 {
		return value
	}
	can := func(name string) bool { return slices.Contains(types, name) }
	switch v := value.(type) {
	case json.Number:
		switch {
		case can("number"):
		case can("integer"):
			return whole(v)
		case can("string"):
			return v.String()
		case can("array"):
			return []any{value}
		}
	case []any:
		if !can("array") && len(v) == 1 {
			if inner := coerceTo(v[0], types); can(typeOf(inner)) || typeOf(inner) == "number" && can("integer") {
				return inner
			}
		}
	case string:
		if can("string") {
			return value
		}
		text := strings.TrimSpace(v)
		if spelt, err := parse([]byte(text)); err == nil && spelt != nil {
			if name := typeOf(spelt); name != "string" && can(name) {
				return spelt
			} else if name == "number" && can("integer") {
				return coerceTo(spelt, types)
			}
		}
		if can("boolean") && (strings.EqualFold(text, "true") || strings.EqualFold(text, "false")) {
			return strings.EqualFold(text, "true")
		}
		if can("array") {
			return []any{value}
		}
	case bool, map[string]any:
		if !can(typeOf(value)) && can("array") {
			return []any{value}
		}
	}
	return value
}

// whole writes a number without a fraction as an integer (5.0, 1e3), since that is all that Go decodes into an int.
func whole(n json.Number) any {
	if !strings.ContainsAny(n.String(), ".eE") {
		return n
	}
	f, err := n.Float64()
	if err != nil || f != float64(int64(f)) || f > 1<<53 || f < -1<<53 {
		return n
	}
	return json.Number(strconv.FormatInt(int64(f), 10))
}
