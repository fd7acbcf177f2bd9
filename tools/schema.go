package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/hmap-project/hmap/bus"
)

// schema is a JSON Schema of a card, compiled once. nil accepts everything.
type schema struct{ root *bus.Schema }

// compile compiles a schema; what names it in errors. Empty text gives nil. A model reads "format": "date" as a promise, so we hold it to that.
func compile(what string, text json.RawMessage) (*schema, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	root, err := bus.CompileSchema(text, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return &schema{root}, nil
}

// arguments reads the parameter of a request: lenient in form ([coerce]), strict in content. It returns the arguments as
// they were understood, and an error worded for the model that wrote them. Missing or null is the empty object.
func (s *schema) arguments(tool string, given json.RawMessage) (json.RawMessage, error) {
	if given = bytes.TrimSpace(given); len(given) == 0 || string(given) == "null" {
		given = json.RawMessage("{}")
	}
	value, err := parse(given)
	if err != nil {
		return nil, fmt.Errorf("the parameter of %s is not JSON: %w", tool, err)
	}
	if s == nil {
		if object, ok := coerceTo(value, []string{"object"}).(map[string]any); ok && len(object) == 0 {
			return json.RawMessage("{}"), nil
		}
		return nil, fmt.Errorf("%s takes no arguments: leave the parameter out; it was given %s", tool, brief(value))
	}
	value = coerce(value, s.root.Schema, 0)
	if problems := s.problems(value); len(problems) > 0 {
		return nil, fmt.Errorf("the arguments of %s do not hold its schema: %s", tool, strings.Join(problems, "; "))
	}
	return encode(value)
}

// problems says what is wrong with a parsed value: place, what was given, what is wanted. None: it holds the schema.
func (s *schema) problems(value any) []string {
	if s == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	switch err := s.root.Validate(value); {
	case err == nil:
		return nil
	case !errors.As(err, &invalid):
		return []string{err.Error()}
	}
	var out []string
	for _, leaf := range leaves(invalid, nil) {
		for _, line := range s.word(leaf, value) {
			if !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	const most = 8 // a model that got everything wrong needs the shape, not a hundred lines
	if len(out) > most {
		out = append(out[:most:most], fmt.Sprintf("and %d more", len(out)-most))
	}
	return out
}

func leaves(e *jsonschema.ValidationError, found []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return append(found, e)
	}
	for _, cause := range e.Causes {
		found = leaves(cause, found)
	}
	return found
}

var english = message.NewPrinter(language.English)

// word says one violation in words.
func (s *schema) word(e *jsonschema.ValidationError, value any) []string {
	place, at := e.InstanceLocation, s.at(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return s.missing(place, k.Missing)
	case *kind.DependentRequired:
		return s.missing(place, k.Missing)
	case *kind.AdditionalProperties:
		var known []string
		if at != nil {
			for name := range at.Properties {
				known = append(known, name)
			}
			slices.Sort(known)
		}
		var out []string
		for _, name := range k.Properties {
			out = append(out, fmt.Sprintf("%s: no such parameter; there are: %s", where(append(slices.Clone(place), name)), strings.Join(known, ", ")))
		}
		return out
	}
	return []string{fmt.Sprintf("%s: given %s, wanted %s", where(place), brief(instance(value, place)), wish(e.ErrorKind, describe(at)))}
}

// wish says what a violated rule wants; about is the description of the whole schema there, and may be empty.
func wish(k jsonschema.ErrorKind, about string) string {
	var rule string
	switch k := k.(type) {
	case *kind.Type:
		if about != "" {
			return about
		}
		return strings.Join(k.Want, " or ")
	case *kind.Pattern:
		if about != "" {
			return about
		}
		return "a text matching " + k.Want
	case *kind.Enum:
		return "one of " + list(k.Want)
	case *kind.Const:
		return brief(k.Want)
	case *kind.Minimum:
		rule = "at least " + decimal(k.Want)
	case *kind.Maximum:
		rule = "at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		rule = "more than " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		rule = "less than " + decimal(k.Want)
	case *kind.MinLength:
		rule = fmt.Sprintf("at least %d characters", k.Want)
	case *kind.MaxLength:
		rule = fmt.Sprintf("at most %d characters", k.Want)
	case *kind.MinItems:
		rule = fmt.Sprintf("at least %d elements", k.Want)
	case *kind.MaxItems:
		rule = fmt.Sprintf("at most %d elements", k.Want)
	case *kind.Format:
		rule = "format " + k.Want
	default:
		rule = k.LocalizedString(english)
	}
	if about == "" {
		return rule
	}
	return rule + ": " + about
}

func decimal(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	f, _ := n.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func (s *schema) missing(place, names []string) []string {
	var out []string
	for _, name := range names {
		path := append(slices.Clone(place), name)
		out = append(out, strings.TrimSuffix(fmt.Sprintf("%s: missing, wanted %s", where(path), describe(s.at(path))), ", wanted "))
	}
	return out
}

// at is the schema at a place of the instance, as far as properties, items and references lead; else nil.
func (s *schema) at(place []string) *jsonschema.Schema {
	now := follow(s.root.Schema)
	for _, step := range place {
		if now == nil {
			return nil
		}
		if next, ok := now.Properties[step]; ok {
			now = follow(next)
		} else {
			now = follow(items(now))
		}
	}
	return now
}

// follow resolves references, bounded because they may go in a circle.
func follow(s *jsonschema.Schema) *jsonschema.Schema {
	for range 16 {
		if s == nil || s.Ref == nil {
			return s
		}
		s = s.Ref
	}
	return nil
}

// items is the schema of the elements of a list, when they have one in common.
func items(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Items2020 != nil {
		return s.Items2020
	}
	one, _ := s.Items.(*jsonschema.Schema)
	return one
}

// instance is the value at a place.
func instance(value any, place []string) any {
	for _, step := range place {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		}
	}
	return value
}

// where writes a place the way a programmer would: items[2].price.
func where(place []string) string {
	if len(place) == 0 {
		return "the parameter"
	}
	var out strings.Builder
	for i, step := range place {
		if _, err := strconv.Atoi(step); err == nil {
			fmt.Fprintf(&out, "[%s]", step)
			continue
		}
		if i > 0 {
			out.WriteByte('.')
		}
		out.WriteString(clip(step, 80))
	}
	return out.String()
}

// describe says what a schema wants: type, allowed values, pattern, and its own description.
func describe(s *jsonschema.Schema) string {
	if s == nil {
		return ""
	}
	var out []string
	if s.Types != nil {
		out = append(out, strings.Join(s.Types.ToStrings(), " or "))
	}
	if s.Enum != nil {
		out = append(out, "one of "+list(s.Enum.Values))
	}
	if s.Pattern != nil {
		out = append(out, "matching "+s.Pattern.String())
	}
	text := strings.Join(out, ", ")
	if s.Description != "" {
		text += " (" + clip(s.Description, 200) + ")"
	}
	return strings.TrimSpace(text)
}

func list(values []any) string {
	var out []string
	for _, v := range values {
		out = append(out, brief(v))
	}
	return clip(strings.Join(out, ", "), 600)
}

// brief is a value as short JSON.
func brief(value any) string {
	text, err := encode(value)
	if err != nil {
		return "something that is not JSON"
	}
	return clip(string(text), 120)
}

// clip cuts a text to at most n bytes and a mark, between characters.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
