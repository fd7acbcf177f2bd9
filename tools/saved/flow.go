package saved

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// maker turns the arguments of calls into parameters, references and what stays.
type maker struct {
	said     string
	lang     string // of errors
	by       map[string]bus.Card
	fields   []field
	observed []observed
}

// field is a parameter of the new tool.
type field struct {
	name     string
	schema   map[string]any
	value    any
	required bool
}

// observed is a scalar that a step brought, and where.
type observed struct {
	text, reference string
}

// parameter is a step's parameter with references in it.
func (m *maker) parameter(card bus.Card, raw json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	var given map[string]any
	if err := bus.DecodeNumbers(raw, &given); err != nil {
		return nil, fmt.Errorf("its arguments cannot be read: %w", err)
	}
	var schema map[string]any
	_ = json.Unmarshal(card.Parameters, &schema) // without one the values tell the types
	if code, ok := given["code"].(string); ok && card.Name == interpreter {
		m.code(given, code)
		return bus.EncodePlain(given)
	}
	out := map[string]any{}
	needs := names(schema["required"])
	for _, k := range slices.Sorted(maps.Keys(given)) {
		out[k] = m.value(k, given[k], property(schema, k), slices.Contains(needs, k), 0)
	}
	return bus.EncodePlain(out)
}

// value is what stands in a step for an argument.
func (m *maker) value(name string, v any, schema map[string]any, needed bool, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		needs := names(schema["required"])
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out[k] = m.value(k, v[k], property(schema, k), slices.Contains(needs, k), depth+1)
		}
		return out
	case []any:
		if len(v) > 0 && !slices.ContainsFunc(v, func(e any) bool { return !scalar(e) }) && slices.ContainsFunc(v, m.isSaid) {
			return m.field(name, v, schema, true) // a list that was said is one parameter
		}
		items, _ := schema["items"].(map[string]any)
		out := make([]any, 0, len(v))
		for _, e := range v {
			out = append(out, m.value(name, e, items, false, depth+1))
		}
		return out
	}
	switch choice := schema["enum"] != nil || is[bool](v); {
	case is[bool](v):
		return v
	case m.isSaid(v) && choice:
		return m.field(name, v, schema, false)
	case m.isSaid(v):
		return m.field(name, v, schema, true)
	}
	if ref := m.reference(v); ref != "" {
		return ref
	}
	if text, ok := v.(string); ok && (date.MatchString(text) || strings.HasPrefix(text, "obj:")) { // counted from what was said: "last month"
		return m.field(name, v, schema, needed)
	}
	if text, ok := v.(string); ok && strings.HasPrefix(text, "$") {
		return "$" + text
	}
	return v
}

var date = regexp.MustCompile(`^\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}(:\d{2})?)?$`)

// isSaid reports whether a person named a value: as a whole word where it is Latin or a number.
func (m *maker) isSaid(v any) bool {
	text := plainly(textOf(v))
	if n := utf8.RuneCountInString(text); n == 0 || n < 2 && !unicode.IsDigit(rune(text[0])) {
		return false
	}
	for at := 0; ; {
		i := strings.Index(m.said[at:], text)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(text)
		before, _ := utf8.DecodeLastRuneInString(m.said[:begin])
		after, _ := utf8.DecodeRuneInString(m.said[end:])
		first, _ := utf8.DecodeRuneInString(text)
		last, _ := utf8.DecodeLastRuneInString(text)
		if !(latin(before) && latin(first)) && !(latin(after) && latin(last)) {
			return true
		}
		at = end
	}
}

func latin(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) && r != utf8.RuneError
}

// field is the reference to a parameter for a value: one of the same name and value, else a new one.
func (m *maker) field(name string, v any, schema map[string]any, required bool) string {
	name = token(name)
	text := textOf(v)
	for _, f := range m.fields {
		same := textOf(f.value) == text && fmt.Sprintf("%T", f.value) == fmt.Sprintf("%T", v)
		// One thing said may go to arguments of several names; two days that happen to be one stay two.
		if same && (f.name == name || strings.HasPrefix(f.name, name+"_") || required && utf8.RuneCountInString(text) > 2 && !date.MatchString(text)) {
			return "$args." + f.name
		}
	}
	base := name
	for n := 2; slices.ContainsFunc(m.fields, func(f field) bool { return f.name == name }); n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	own := map[string]any{}
	for _, k := range []string{"type", "title", "x-title-en", "description", "enum", "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "items", "x-needs", "x-means"} {
		if w, there := schema[k]; there {
			own[k] = w
		}
	}
	if own["type"] == nil {
		own["type"] = typeOf(v)
	}
	own["examples"] = examples(v, schema["examples"])
	if !required && (schema["enum"] != nil || schema["default"] != nil) {
		own["default"] = v
	}
	m.fields = append(m.fields, field{name, own, v, required})
	return "$args." + name
}

// examples are what was said first, and what the tool's own schema has, from which a planner reads values out of plain words.
func examples(v any, more any) []any {
	out := []any{v}
	list, _ := more.([]any)
	for _, e := range list[:min(len(list), maxExamples)] {
		if textOf(e) != textOf(v) {
			out = append(out, e)
		}
	}
	return out
}

const maxExamples = 100

// observe takes in what a step brought, for the arguments of later ones.
func (m *maker) observe(id string, raw json.RawMessage) {
	var v any
	if bus.DecodeNumbers(raw, &v) != nil {
		return
	}
	var visit func(v any, at string)
	visit = func(v any, at string) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if !strings.ContainsAny(k, ".[]") && k != "" {
					visit(v[k], at+"."+k)
				}
			}
		case []any:
			for i, e := range v {
				visit(e, at+"."+strconv.Itoa(i))
			}
		default:
			if text := textOf(v); telling(v) && len(m.observed) < maxObserved {
				m.observed = append(m.observed, observed{text, "$" + id + at})
			}
		}
	}
	visit(v, "")
}

const maxObserved = 20_000

// telling reports whether a value is one that two places hardly share by chance.
func telling(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v) >= 3 || utf8.RuneCountInString(v) == 2 && len(v) > 4
	case json.Number:
		return len(v) >= 4
	}
	return false
}

// reference is where an earlier step brought a value first; "": nowhere.
func (m *maker) reference(v any) string {
	if !telling(v) {
		return ""
	}
	text := textOf(v)
	for _, o := range m.observed {
		if o.text == text {
			return o.reference
		}
	}
	return ""
}

// schema is the JSON Schema of the parameters; nil: there are none.
func (m *maker) schema() (json.RawMessage, error) {
	if len(m.fields) == 0 {
		return nil, nil
	}
	properties, required := map[string]any{}, []string{}
	for _, f := range m.fields {
		properties[f.name] = f.schema
		if f.required {
			required = append(required, f.name)
		}
	}
	return bus.EncodePlain(map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
