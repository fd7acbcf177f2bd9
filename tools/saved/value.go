package saved

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// shown is a parameter as it is told to people.
type shown struct{ name, kind, example string }

// parameters are those of a tool, by name.
func parameters(t bus.SavedTool) (all []shown) {
	var schema struct {
		Properties map[string]struct {
			Type     any   `json:"type"`
			Examples []any `json:"examples"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(t.Parameters, &schema) // it was checked when it was saved
	for name, p := range schema.Properties {
		one := shown{name: name, kind: textOf(p.Type)}
		if len(p.Examples) > 0 {
			one.example = clip(textOf(p.Examples[0]), 80)
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b shown) int { return cmp.Compare(a.name, b.name) })
	return all
}

// Names are those of a tool's parameters, in alphabetical order.
func Names(t bus.SavedTool) []string {
	names := []string{}
	for _, p := range parameters(t) {
		names = append(names, p.name)
	}
	return names
}

// token is a name that a parameter may have.
func token(name string) string {
	name = strings.Trim(notToken.ReplaceAllString(name, "_"), "_")
	if name == "" || len(name) > 48 {
		return "value"
	}
	return name
}

var notToken = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// names are the texts of a list.
func names(v any) (out []string) {
	list, _ := v.([]any)
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// property is the schema of a field of an object; nil: unknown.
func property(schema map[string]any, name string) map[string]any {
	all, _ := schema["properties"].(map[string]any)
	one, _ := all[name].(map[string]any)
	return one
}

func is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

func scalar(v any) bool { return !is[map[string]any](v) && !is[[]any](v) && v != nil }

// textOf is a scalar as text, anything else as JSON.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case nil:
		return ""
	}
	text, err := bus.EncodePlain(v)
	if err != nil {
		return ""
	}
	return string(text)
}

func typeOf(v any) string {
	switch v := v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	}
	return "object"
}
