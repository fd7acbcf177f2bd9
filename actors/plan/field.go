package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// sort of value a field takes, as read from its schema and its description.
type sort int

const (
	sortText   sort = iota // any string
	sortQuery              // the question itself, for search in texts
	sortEnum               // one of field.Enum
	sortPerson             // a person's name
	sortPhone
	sortID   // an identifier: digits of a told length, or letters and digits
	sortDate // a day, or a month
	sortNumber
	sortBool
	sortList
	sortObject
	sortLink // URL or e-mail
)

// field is one property of a card's parameters or returns.
type field struct {
	Name, Desc string
	Title      string
	TitleEn    string // of x-title-en
	Place      int    // among the properties as the schema lists them
	Side       side   // of two passages, which one it takes
	Type       string // JSON type; "" when the schema does not say
	Format     string
	Required   bool
	Sort       sort
	Source     bool                // it holds code, word for word
	Enum       []string            // allowed values, declared or told
	Means      map[string][]string // enum value → content words of what is told about it
	Called     means               // enum value → other words for it
	Examples   []string            // known values; longest first
	Pattern    *regexp.Regexp
	Lengths    []int // digits an id has; empty: not told
	Provides   []string
	Needs      []string
	Present    string  // tool.property that shows the value that the parameter has now; "": not told
	When       means   // of what state the thing that the parameter names must be: property → allowed values
	Fields     []field // of the items of a list or of an object
	Default    json.RawMessage
	Most       int // of a number; 0: not told
	// Instead names other parameters that do the same job ("与运单号给一个即可"); OneOf: one of them must be given.
	Instead []string
	OneOf   bool

	words []string // terms of name and description
	about []string // the informative ones of them
	grams []uint32 // hashed n-grams of the same, sorted
	vocab map[string]bool
}

// schema is as much of JSON Schema as the planner reads. Everything else is left to the validator. Schemas inside it are
// decoded when they are looked at, so that a deep one costs nothing.
type schema struct {
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
	Required    []string        `json:"required"`
	Properties  properties      `json:"properties"`
	Items       json.RawMessage `json:"items"`
	Provides    stringList      `json:"x-provides"`
	Needs       stringList      `json:"x-needs"`
	Means       means           `json:"x-means"`
	When        means           `json:"x-when"`
	Present     text            `json:"x-present"`
}

// properties keeps the order in which a schema lists them: people read columns in it.
type properties []property

type property struct {
	name   string
	schema json.RawMessage
	place  int
}

// UnmarshalJSON reads an object; of a name that occurs twice the last schema counts, as in encoding/json.
func (p *properties) UnmarshalJSON(b []byte) error {
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

// stringList takes a string or a list of strings.
type stringList []string

// UnmarshalJSON accepts "a" and ["a","b"]; anything else counts as nothing said.
func (l *stringList) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*l = stringList{one}
		return nil
	}
	var many []string
	if json.Unmarshal(b, &many) == nil {
		*l = many
	}
	return nil
}

// text takes a string; anything else counts as nothing said.
type text string

// UnmarshalJSON never fails.
func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
	}
	return nil
}

// maxFields bounds how many properties of one object are read.
const maxFields = 200

// fields lists the properties of an object schema, the required ones first, each group in the order of their names; so the
// order never depends on a map.
func (s schema) fields(depth int) []field {
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
	out := make([]field, 0, len(ps))
	for _, p := range ps {
		sub, err := read(p.schema)
		if err != nil {
			sub = schema{} // true, or an error that the validator reports: a field of which only the name is known
		}
		f := newField(p.name, sub, slices.Contains(s.Required, p.name), depth)
		f.Place = p.place
		out = append(out, f)
	}
	return out
}

func newField(name string, s schema, required bool, depth int) field {
	f := field{
		Name: name, Title: s.Title, TitleEn: s.TitleEn, Desc: s.Description, Required: required, Format: s.Format, Source: strings.HasPrefix(s.Content, "text/x-"),
		Provides: s.Provides, Needs: s.Needs, Called: s.Means, When: s.When, Present: string(s.Present), Default: s.Default,
	}
	if n, err := strconv.Atoi(string(s.Maximum)); err == nil {
		f.Most = n
	}
	switch t := s.Type.(type) {
	case string:
		f.Type = t
	case []any: // ["string","null"]
		for _, v := range t {
			if v, ok := v.(string); ok && v != "null" && f.Type == "" {
				f.Type = v
			}
		}
	}
	values := s
	if items, err := read(s.Items); err == nil && len(s.Items) > 0 {
		if len(s.Enum) == 0 {
			values.Enum = items.Enum
		}
		if len(s.Examples) == 0 {
			values.Examples = items.Examples
		}
		if depth < 3 {
			f.Fields = items.fields(depth + 1)
		}
	} else if depth < 3 && len(s.Properties) > 0 {
		f.Fields = s.fields(depth + 1)
	}
	f.Enum = texts(values.Enum)
	f.Examples = texts(values.Examples)
	if s.Pattern != "" {
		f.Pattern, _ = regexp.Compile(s.Pattern) // an invalid one is reported by the validator
	}
	f.listen()
	f.Side = f.sideOf()
	f.words = words(f.Name + " " + f.Title + " " + f.Desc)
	said := content(f.Title + " " + f.Desc)
	f.about = append(words(f.Name), said...)
	f.grams = grams(strings.Join(f.about, " "))
	slices.Sort(f.grams)
	f.grams = slices.Compact(f.grams)
	f.vocab = map[string]bool{}
	for _, w := range append(content(f.Name), said...) {
		f.vocab[w] = true
	}
	return f
}

// texts keeps the string values of a list, the longest first so that the longest match is found first.
func texts(vs []any) []string {
	var out []string
	for _, v := range vs {
		if s, ok := v.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}

// head is the title, or the part of the description that names the field.
func (f *field) head() string {
	if f.Title != "" {
		return f.Title
	}
	return head(f.Desc)
}

// maxLabel is how long the beginning of a description may be, in runes, to serve as a name for people.
const maxLabel = 36

// label is what a person would call the field in a language: its title there, else what its description begins with, if
// that is short and in the language, else its name.
func (f *field) label(lang string) string {
	if lang == "en" && f.TitleEn != "" {
		return f.TitleEn
	}
	if f.Title != "" && language(f.Title) == lang {
		return f.Title
	}
	if h := head(inLanguage(f.Desc, lang)); nameable(h, lang) {
		return h
	}
	if lang == "zh" && f.Title != "" {
		return f.Title
	}
	return strings.ReplaceAll(f.Name, "_", " ")
}

// nameable reports whether the beginning of a description may serve as a name in a language: short, and not a mere format such
// as YYYY-MM-DD.
func nameable(s, lang string) bool {
	return language(s) == lang && len([]rune(s)) <= maxLabel && strings.ContainsFunc(s, func(r rune) bool { return isHan(r) || unicode.IsLower(r) })
}

// isList reports whether the field holds several values.
func (f *field) isList() bool { return f.Type == "array" }
