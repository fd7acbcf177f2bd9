package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxFields bounds the questions of one form that a server wants filled in.
const maxFields = 8

// field is one field of a form: a text, number or yes-or-no, as the specification allows.
type field struct {
	name, title string
	kind        string
	options     []string
	values      []string // what the options stand for
}

// form reads what a server wants to know; required fields first, then in the order of their names.
func form(schema any) ([]field, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var f struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type        string   `json:"type"`
			Title       string   `json:"title"`
			Description string   `json:"description"`
			Enum        []string `json:"enum"`
			Names       []string `json:"enumNames"`
			OneOf       []struct {
				Const string `json:"const"`
				Title string `json:"title"`
			} `json:"oneOf"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("a form that is none: %w", err)
	}
	var fields []field
	for name, p := range f.Properties {
		if len(f.Required) > 0 && !slices.Contains(f.Required, name) {
			continue // nobody is asked for what may be left out
		}
		out := field{name: name, kind: p.Type, title: clip(plain(strings.TrimSpace(p.Title+" "+p.Description)), 300)}
		if out.title == "" {
			out.title = clip(plain(name), 100)
		}
		for i, v := range p.Enum {
			shown := v
			if i < len(p.Names) {
				shown = p.Names[i]
			}
			out.options, out.values = append(out.options, clip(plain(shown), 100)), append(out.values, v)
		}
		for _, o := range p.OneOf {
			shown := o.Title
			if shown == "" {
				shown = o.Const
			}
			out.options, out.values = append(out.options, clip(plain(shown), 100)), append(out.values, o.Const)
		}
		if p.Type == "boolean" {
			out.options = []string{"yes", "no"}
		}
		fields = append(fields, out)
	}
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	if len(fields) > maxFields {
		return nil, fmt.Errorf("a form of %d fields; a person is asked for at most %d", len(fields), maxFields)
	}
	return fields, nil
}

// read understands an answer.
func (f *field) read(text string) (any, error) {
	text = strings.TrimSpace(text)
	switch f.kind {
	case "boolean":
		switch strings.ToLower(text) {
		case "yes", "y", "true", "是", "好", "对", "1":
			return true, nil
		case "no", "n", "false", "否", "不", "0":
			return false, nil
		}
		return nil, errors.New("yes or no")
	case "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, errors.New("a whole number")
		}
		return n, nil
	case "number":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, errors.New("a number")
		}
		return n, nil
	}
	for i, shown := range f.options {
		if text == shown || text == f.values[i] {
			return f.values[i], nil
		}
	}
	if len(f.options) > 0 {
		return nil, errors.New("one of: " + strings.Join(f.options, ", "))
	}
	return text, nil
}
