package cards

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// refInText finds references such as "$t1.order_id" or "$0.field".
var refInText = words.MustCompile(`^\$([A-Za-z0-9_-]{1,64})(?:\.([\w.\-]+))?$`)

// ReadArguments reads the parameter of an action, with numbers as they are written, but for zeros. Missing or null is the empty object.
func ReadArguments(raw json.RawMessage) (map[string]any, error) {
	if len(raw) == 0 {
		return map[string]any{}, nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	switch given := doc.(type) {
	case nil:
		return map[string]any{}, nil
	case map[string]any:
		_, err := inRange(given)
		return given, err
	}
	return nil, fmt.Errorf("it is %.80s", raw)
}

// inRange refuses numbers that a float64 cannot hold, and gives v with every zero written 0, in place. The validator compares numbers as exact
// fractions: those of a million digits take it 30 ms, and from 1e-1000001 on, or a zero with an exponent of 20 digits, it breaks down.
func inRange(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		if mantissa, _, _ := strings.Cut(strings.ToLower(v.String()), "e"); !strings.ContainsAny(mantissa, "123456789") {
			return json.Number("0"), nil
		}
		f, err := v.Float64()
		if err != nil || len(v) > 320 || f == 0 {
			return nil, fmt.Errorf("the number %s is out of range", words.Clip(v.String(), 40))
		}
	case []any:
		for i, e := range v {
			if v[i], err = inRange(e); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key, e := range v {
			if v[key], err = inRange(e); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// References lists the action ids that arguments refer to, each once.
func References(given map[string]any) []string {
	var out []string
	var visit func(v any, depth int)
	visit = func(v any, depth int) {
		if depth > 20 {
			return
		}
		switch v := v.(type) {
		case string:
			if !strings.HasPrefix(v, "$") {
				return
			}
			if m := refInText.FindStringSubmatch(v); m != nil && !words.AllDigits(strings.ReplaceAll(v[1:], ".", "")) {
				out = append(out, m[1])
			}
		case []any:
			for _, e := range v {
				visit(e, depth+1)
			}
		case map[string]any:
			for _, e := range v {
				visit(e, depth+1)
			}
		}
	}
	visit(given, 0)
	slices.Sort(out)
	return slices.Compact(out)
}

// Literal gives the arguments of an action as they are written where no text of theirs is meant as a reference: one that would be read as one, or that
// begins with "$$", gets a "$" more.
func Literal(raw json.RawMessage) json.RawMessage {
	return eachText(raw, func(s string) string {
		if strings.HasPrefix(s, "$$") || refInText.MatchString(s) {
			return "$" + s
		}
		return s
	})
}

// Spoken undoes Literal. References stay.
func Spoken(raw json.RawMessage) json.RawMessage {
	return eachText(raw, func(s string) string {
		if strings.HasPrefix(s, "$$") {
			return s[1:]
		}
		return s
	})
}

// eachText replaces the texts in a JSON value; what is none stays as it is.
func eachText(raw json.RawMessage, f func(string) string) json.RawMessage {
	var v any
	if !bytes.Contains(raw, []byte(`"$`)) || bus.DecodeNumbers(raw, &v) != nil {
		return raw
	}
	var visit func(v any) any
	visit = func(v any) any {
		switch v := v.(type) {
		case string:
			return f(v)
		case []any:
			for i := range v {
				v[i] = visit(v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = visit(v[k])
			}
		}
		return v
	}
	out, err := bus.EncodePlain(visit(v))
	if err != nil {
		return raw // not reached: it came out of JSON
	}
	return out
}

// Invalid validates arguments and says what is wrong; "" when nothing is. refs: there are references among them.
func (e *Entry) Invalid(given map[string]any, refs bool) string {
	if e.Validator == nil {
		return ""
	}
	err := e.Validator.Validate(given)
	if err == nil {
		return ""
	}
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return err.Error()
	}
	var lines []string
	for _, leaf := range leaves(v, nil) {
		if refs && isRef(given, leaf.InstanceLocation) {
			continue // the value behind a reference is only known when it runs
		}
		where := strings.Join(leaf.InstanceLocation, ".")
		msg := leaf.Error()
		if i := strings.LastIndex(msg, ": "); i >= 0 {
			msg = msg[i+2:]
		}
		if where != "" {
			msg = where + " " + msg
		}
		if len(leaf.InstanceLocation) > 0 {
			if f := e.Param(leaf.InstanceLocation[0]); f != nil && f.Desc != "" {
				msg += " (" + words.Short(f.Desc, 120) + ")"
			}
		}
		lines = append(lines, msg)
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

func leaves(v *jsonschema.ValidationError, out []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(v.Causes) == 0 {
		return append(out, v)
	}
	for _, c := range v.Causes {
		out = leaves(c, out)
	}
	return out
}

// isRef reports whether the value at a location, or one around it, is a reference.
func isRef(doc any, loc []string) bool {
	for _, key := range loc {
		switch d := doc.(type) {
		case map[string]any:
			doc = d[key]
		case []any:
			var i int
			if _, err := fmt.Sscanf(key, "%d", &i); err != nil || i < 0 || i >= len(d) {
				return false
			}
			doc = d[i]
		}
	}
	s, ok := doc.(string)
	return ok && refInText.MatchString(s)
}
