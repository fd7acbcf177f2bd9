package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// decode keeps numbers as they were written: a float would make one of two long ids.
func decode(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// keys of an object: in the order of the schema, the unknown ones after by name.
func keys(m map[string]any, f *field) []string {
	var out []string
	if f != nil {
		known := make([]*field, 0, len(f.Fields))
		for i := range f.Fields {
			if _, ok := m[f.Fields[i].Name]; ok {
				known = append(known, &f.Fields[i])
			}
		}
		slices.SortFunc(known, func(a, b *field) int { return a.Place - b.Place })
		for _, sub := range known {
			out = append(out, sub.Name)
		}
	}
	var rest []string
	for k := range m {
		if !slices.Contains(out, k) {
			rest = append(rest, k)
		}
	}
	slices.Sort(rest)
	return append(out, rest...)
}

func child(f *field, name string) *field {
	if f == nil {
		return nil
	}
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i]
		}
	}
	return nil
}

func objects(vs []any) bool {
	for _, v := range vs {
		if _, ok := v.(map[string]any); !ok {
			return false
		}
	}
	return len(vs) > 0
}

// maxInline is how many members of a list or an object stand on one line.
const maxInline = 10

// scalar writes a value on one line.
func scalar(v any, lang string) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case bool:
		if v {
			return say(lang, "是", "yes")
		}
		return say(lang, "否", "no")
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		var parts []string
		for _, e := range v[:min(len(v), maxInline)] {
			if s := scalar(e, lang); s != "" {
				parts = append(parts, s)
			}
		}
		if n := len(v) - maxInline; n > 0 {
			parts = append(parts, say(lang, "另有 %d 项", "%d more", n))
		}
		return strings.Join(parts, say(lang, "、", ", "))
	case map[string]any:
		var parts []string
		for _, k := range keys(v, nil) {
			if s := scalar(v[k], lang); s != "" && len(parts) < maxInline {
				parts = append(parts, strings.ReplaceAll(k, "_", " ")+say(lang, "：", ": ")+s)
			}
		}
		return strings.Join(parts, say(lang, "，", ", "))
	}
	return fmt.Sprint(v)
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
