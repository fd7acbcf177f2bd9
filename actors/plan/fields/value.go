package fields

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Walk visits the fields of an observation with their paths, through lists and objects.
func Walk(fs []Field, prefix string, visit func(path string, f *Field)) {
	for i := range fs {
		f := &fs[i]
		visit(prefix+f.Name, f)
		Walk(f.Fields, prefix+f.Name+".", visit)
	}
}

// Decode keeps numbers as they were written: a float would make one of two long ids.
func Decode(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// Keys of an object: in the order of the schema, the unknown ones after by name.
func Keys(m map[string]any, f *Field) []string {
	var out []string
	if f != nil {
		known := make([]*Field, 0, len(f.Fields))
		for i := range f.Fields {
			if _, ok := m[f.Fields[i].Name]; ok {
				known = append(known, &f.Fields[i])
			}
		}
		slices.SortFunc(known, func(a, b *Field) int { return a.Place - b.Place })
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

// Child is a field of an object by its name; nil when there is none.
func Child(f *Field, name string) *Field {
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

// Objects reports whether a list holds objects and nothing else.
func Objects(vs []any) bool {
	for _, v := range vs {
		if _, ok := v.(map[string]any); !ok {
			return false
		}
	}
	return len(vs) > 0
}

// maxInline is how many members of a list or an object stand on one line.
const maxInline = 10

// Said is [Scalar] in the words of a language: what a card calls a value of its result in English (x-means, the first word) stands in an English answer.
func (f *Field) Said(v any, lang string) string {
	s := Scalar(v, lang)
	if f != nil && lang == "en" && len(f.Called[s]) > 0 {
		return f.Called[s][0]
	}
	return s
}

// Scalar writes a value on one line.
func Scalar(v any, lang string) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case bool:
		if v {
			return words.Say(lang, "是", "yes")
		}
		return words.Say(lang, "否", "no")
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		var parts []string
		for _, e := range v[:min(len(v), maxInline)] {
			if s := Scalar(e, lang); s != "" {
				parts = append(parts, s)
			}
		}
		if n := len(v) - maxInline; n > 0 {
			parts = append(parts, words.Say(lang, "另有 %d 项", "%d more", n))
		}
		return strings.Join(parts, words.Say(lang, "、", ", "))
	case map[string]any:
		var parts []string
		for _, k := range Keys(v, nil) {
			if s := Scalar(v[k], lang); s != "" && len(parts) < maxInline {
				parts = append(parts, strings.ReplaceAll(k, "_", " ")+words.Say(lang, "：", ": ")+s)
			}
		}
		return strings.Join(parts, words.Say(lang, "，", ", "))
	}
	return fmt.Sprint(v)
}

// Indent moves a text two spaces in.
func Indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
