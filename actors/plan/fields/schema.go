package fields

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// Schema is as much of JSON Schema as the planner reads. Everything else is left to the validator. Schemas inside it are
// decoded when they are looked at, so that a deep one costs nothing.
type Schema struct {
	Type        any             `json:"type"`
	Title       string          `json:"title"`
	TitleEn     string          `json:"x-title-en"`
	Description string          `json:"description"`
	Format      string          `json:"format"`
	Pattern     string          `json:"pattern"`
	Content     string          `json:"contentMediaType"`
	Enum        []any           `json:"enum"`
	Examples    []any           `json:"examples"`
	Default     json.RawMessage `json:"default"`
	Maximum     json.RawMessage `json:"maximum"`
	Minimum     json.RawMessage `json:"minimum"`
	Required    []string        `json:"required"`
	Properties  Properties      `json:"properties"`
	Items       json.RawMessage `json:"items"`
	Provides    StringList      `json:"x-provides"`
	Needs       StringList      `json:"x-needs"`
	Means       Means           `json:"x-means"`
	When        Means           `json:"x-when"`
	Present     TextOnly        `json:"x-present"`
	Holds       TextOnly        `json:"x-holds"`
	Limits      TextOnly        `json:"x-limits"`
	Lacks       Lacks           `json:"x-lacks"`
	Stated      Stated          `json:"x-said"`
	Step        json.RawMessage `json:"multipleOf"`
}

// Properties keeps the order in which a schema lists them: people read columns in it.
type Properties []property

type property struct {
	name   string
	schema json.RawMessage
	place  int
}

// UnmarshalJSON reads an object; of a name that occurs twice the last schema counts, as in encoding/json.
func (p *Properties) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	switch t, err := d.Token(); {
	case err != nil:
		return err
	case t == nil: // null
		return nil
	case t != json.Delim('{'):
		return errors.New("properties must be an object")
	}
	at := map[string]int{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if i, ok := at[name]; ok {
			(*p)[i].schema = raw
			continue
		}
		at[name] = len(*p)
		*p = append(*p, property{name, raw, len(*p)})
	}
	return nil
}

// StringList takes a string or a list of strings.
type StringList []string

// UnmarshalJSON accepts "a" and ["a","b"]; anything else counts as nothing said.
func (l *StringList) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*l = StringList{one}
		return nil
	}
	var many []string
	if json.Unmarshal(b, &many) == nil {
		*l = many
	}
	return nil
}

// TextOnly takes a string; anything else counts as nothing said.
type TextOnly string

// UnmarshalJSON never fails.
func (t *TextOnly) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = TextOnly(s)
	}
	return nil
}

// maxFields bounds how many properties of one object are read.
const maxFields = 200

// Fields lists the properties of an object schema, the required ones first, each group in the order of their names; so the
// order never depends on a map.
func (s Schema) Fields(depth int) []Field {
	ps := slices.Clone(s.Properties)
	slices.SortFunc(ps, func(a, b property) int {
		ra, rb := slices.Contains(s.Required, a.name), slices.Contains(s.Required, b.name)
		if ra != rb {
			if ra {
				return -1
			}
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
	ps = ps[:min(len(ps), maxFields)]
	sorted := slices.IsSortedFunc(s.Properties, func(a, b property) int { return strings.Compare(a.name, b.name) })
	out := make([]Field, 0, len(ps))
	for _, p := range ps {
		sub, err := ReadSchema(p.schema)
		if err != nil {
			sub = Schema{} // true, or an error that the validator reports: a field of which only the name is known
		}
		f := New(p.name, sub, slices.Contains(s.Required, p.name), depth)
		f.Place, f.Turn = p.place, p.place
		if sorted {
			f.Turn = slices.Index(s.Required, p.name)
		}
		out = append(out, f)
	}
	return out
}

// MaxSchema bounds a schema; a larger one is no description of arguments.
const MaxSchema = 64 << 10

// ReadSchema reads a schema; none, null and true say nothing, and are no error.
func ReadSchema(raw json.RawMessage) (Schema, error) {
	var s Schema
	if len(bytes.TrimSpace(raw)) == 0 || string(raw) == "null" || string(raw) == "true" {
		return s, nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, fmt.Errorf("not a JSON Schema: %v", err)
	}
	return s, nil
}

// Compile prepares the validator of a parameters schema; nil for no schema.
func Compile(raw json.RawMessage) (*bus.Schema, error) {
	if len(bytes.TrimSpace(raw)) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if len(raw) > MaxSchema {
		return nil, fmt.Errorf("%d bytes are over the limit of %d", len(raw), MaxSchema)
	}
	return bus.CompileSchema(raw, false)
}
