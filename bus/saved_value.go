package bus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var referenceText = regexp.MustCompile(`^\$([A-Za-z0-9_-]{1,64})((?:\.[^.\[\]]{1,200}|\[\d{1,6}\])*)$`)

// Reference takes a text of the form "$id.field.0" apart; "$$…" and all else is none. path begins with "." or "[", or is "".
func Reference(text string) (id, path string, ok bool) {
	m := referenceText.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// FillReferences replaces the references in a parameter by what look gives for them, and "$$" at the beginning of a text by "$". The first error of
// look ends it.
func FillReferences(parameter json.RawMessage, look func(id, path string) (any, error)) (json.RawMessage, error) {
	if len(bytes.TrimSpace(parameter)) == 0 {
		return nil, nil
	}
	var v any
	if err := DecodeNumbers(parameter, &v); err != nil {
		return nil, err
	}
	v, err := eachText(v, func(text string) (any, error) {
		if strings.HasPrefix(text, "$$") {
			return text[1:], nil
		}
		if id, path, ok := Reference(text); ok {
			return look(id, path)
		}
		return text, nil
	})
	if err != nil {
		return nil, err
	}
	return EncodePlain(v)
}

// Dig takes a path like ".orders.0.order_id" or ".orders[0].order_id" into a JSON value. The error says where it leaves it.
func Dig(raw json.RawMessage, path string) (any, error) {
	var v any
	if err := DecodeNumbers(raw, &v); err != nil {
		return nil, err
	}
	for _, key := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		switch in := v.(type) {
		case map[string]any:
			next, ok := in[key]
			if !ok {
				return nil, fmt.Errorf("there is no field %.80q, but %.300s", key, strings.Join(slices.Sorted(maps.Keys(in)), ", "))
			}
			v = next
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(in) {
				return nil, fmt.Errorf("the list there has %d elements, and no %.80q", len(in), key)
			}
			v = in[i]
		default:
			return nil, fmt.Errorf("there is no object or list that has %.80q", key)
		}
	}
	return v, nil
}

// leftOut is a value that takes the field of an object, or the element of a list, away with it.
type leftOut struct{}

// eachText replaces every text in a decoded JSON value, fields in the order of their names, so that of two errors the same one is always told.
func eachText(v any, f func(string) (any, error)) (any, error) {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			e, err := eachText(e, f)
			if err != nil {
				return nil, err
			}
			if e != (leftOut{}) {
				out = append(out, e)
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			e, err := eachText(v[k], f)
			if err != nil {
				return nil, err
			}
			if e != (leftOut{}) {
				out[k] = e
			}
		}
		return out, nil
	}
	return v, nil
}

// Shape is what a JSON value looks like without what it says: an object with the shape of each field, a list with that of its first element or none,
// else "string", "number", "boolean" or "null".
func Shape(raw json.RawMessage) (json.RawMessage, error) {
	var v any
	if err := DecodeNumbers(raw, &v); err != nil {
		return nil, err
	}
	return EncodePlain(shapeOf(v))
}

func shapeOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = shapeOf(e)
		}
		return out
	case []any:
		if len(v) == 0 {
			return []any{}
		}
		return []any{shapeOf(v[0])}
	case string:
		return "string"
	case bool:
		return "boolean"
	case nil:
		return "null"
	}
	return "number"
}

// Unlike says where a value is not of a shape; "" when it is. A field that the shape has may be null or away when the value has others of its object, for
// what is not known is often left out; an empty list is of every list's shape.
func Unlike(raw, shape json.RawMessage) string {
	var v, want any
	if DecodeNumbers(raw, &v) != nil || DecodeNumbers(shape, &want) != nil {
		return "no JSON came back"
	}
	return unlike(v, want, "the result")
}

func unlike(v, want any, at string) string {
	switch want := want.(type) {
	case map[string]any:
		fields, ok := v.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s was an object and is a %s", at, kindOf(v))
		}
		shared := len(want) == 0
		for _, k := range slices.Sorted(maps.Keys(want)) {
			if e, there := fields[k]; there {
				shared = true
				if why := unlike(e, want[k], at+"."+k); why != "" {
					return why
				}
			}
		}
		if !shared {
			return fmt.Sprintf("%s has none of the fields %.300s that it had", at, strings.Join(slices.Sorted(maps.Keys(want)), ", "))
		}
	case []any:
		list, ok := v.([]any)
		if !ok {
			return fmt.Sprintf("%s was a list and is a %s", at, kindOf(v))
		}
		if len(list) > 0 && len(want) > 0 {
			return unlike(list[0], want[0], at+"[0]")
		}
	default:
		if is := kindOf(v); v != nil && want != "null" && is != want {
			return fmt.Sprintf("%s was a %v and is a %s", at, want, is)
		}
	}
	return ""
}

func kindOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "list"
	}
	kind, _ := shapeOf(v).(string)
	return kind
}

// Print tells cards apart by what a caller depends on: parameters, result and effect.
func (c Card) Print() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s", c.Parameters, c.Returns, c.Effect))
	return hex.EncodeToString(sum[:6])
}

// DecodeNumbers decodes the first JSON value of raw with numbers as they are written ([json.Number]).
func DecodeNumbers(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// EncodePlain is JSON without HTML escaping and without a final newline.
func EncodePlain(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
