package fields

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Counted is what a list holds, by its title or description: 订单列表 holds 订单. "" when it says nothing.
func (f *Field) Counted(lang string) string {
	if f == nil {
		return ""
	}
	s := f.Label(lang)
	if s == strings.ReplaceAll(f.Name, "_", " ") && lang == "zh" {
		return ""
	}
	for _, end := range []string{"列表", "清单", "明细", "记录", " list"} {
		s = strings.TrimSuffix(s, end)
	}
	return s
}

// Sort of value a field takes, as read from its schema and its description.
type Sort int

const (
	Text   Sort = iota // any string
	Query              // the question itself, for search in texts
	Enum               // one of field.Enum
	Person             // a person's name
	Phone
	ID   // an identifier: digits of a told length, or letters and digits
	Date // a day, or a month
	Number
	Bool
	List
	object
	Link // URL or e-mail
)

// Field is one property of a card's parameters or returns.
type Field struct {
	Name, Desc string
	Parts      string // the words of the name with _ between them, whatever way it is written in: user_Id of userId
	Title      string
	TitleEn    string // of x-title-en
	Place      int    // among the properties as the schema lists them
	Turn       int    // among what is asked for: Place, or, where the names were sorted on the way here, the place in "required"
	Side       Side   // of two passages, which one it takes
	Type       string // JSON type; "" when the schema does not say
	Format     string
	Required   bool
	Sort       Sort
	Source     bool                // it holds code, word for word
	Clock      bool                // it takes a time of day
	Enum       []string            // allowed values, declared or told
	Means      map[string][]string // enum value → content words of what is told about it
	Called     Means               // enum value → other words for it
	Examples   []string            // known values; longest first
	Pattern    *regexp.Regexp
	Lengths    []int // digits an id has; empty: not told
	Provides   []string
	Needs      []string
	Present    string  // tool.property that shows the value that the parameter has now; "": not told
	Holds      string  // words of the texts in which its value is looked for; "": not told
	Limits     string  // "least" or "most": it takes the bound of a limit that is said of what its title names, the bound included; "": it is no bound
	Lacks      Lacks   // of a whole result: what is asked of its tool and what it has nothing of
	Stated     Stated  // how a condition says which values the property has
	Step       float64 // of a number, what lies between one value and the next; 0: not told
	When       Means   // of what state the thing that the parameter names must be: property → allowed values
	Fields     []Field // of the items of a list or of an object
	Default    json.RawMessage
	Most       int      // of a number; 0: not told
	Least      *float64 // of a number; nil: not told
	// Instead names other parameters that do the same job ("与运单号给一个即可"); OneOf: one of them must be given.
	Instead []string
	OneOf   bool

	Words []string // terms of name and description
	About []string // the informative ones of them
	Grams []uint32 // hashed n-grams of the same, sorted
	Vocab map[string]bool
}

// New reads one property of an object; depth is how deep it lies, and bounds what is read.
func New(name string, s Schema, required bool, depth int) Field {
	present, _, _ := strings.Cut(string(s.Present), "|") // where it is to be looked up; others may show it, too
	f := Field{
		Name: name, Parts: words.Parted(name), Title: s.Title, TitleEn: s.TitleEn, Desc: s.Description, Required: required, Format: s.Format, Source: strings.HasPrefix(s.Content, "text/x-"),
		Provides: s.Provides, Needs: s.Needs, Called: s.Means, When: s.When, Present: present, Holds: string(s.Holds), Limits: string(s.Limits), Lacks: s.Lacks, Stated: s.Stated, Default: s.Default,
	}
	if n, err := strconv.ParseFloat(string(s.Minimum), 64); err == nil {
		f.Least = &n
	}
	if n, err := strconv.ParseFloat(string(s.Step), 64); err == nil {
		f.Step = n
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
	if items, err := ReadSchema(s.Items); err == nil && len(s.Items) > 0 {
		if len(s.Enum) == 0 {
			values.Enum = items.Enum
		}
		if len(s.Examples) == 0 {
			values.Examples = items.Examples
		}
		if depth < 3 {
			f.Fields = items.Fields(depth + 1)
		}
	} else if depth < 3 && len(s.Properties) > 0 {
		f.Fields = s.Fields(depth + 1)
	}
	f.Enum = texts(values.Enum)
	f.Examples = texts(values.Examples)
	if s.Pattern != "" {
		f.Pattern, _ = regexp.Compile(s.Pattern) // an invalid one is reported by the validator
	}
	f.listen()
	f.Side = f.sideOf()
	f.Words = words.Terms(f.Name + " " + f.Title + " " + f.Desc)
	said := words.Content(f.Title + " " + f.Desc)
	f.About = append(words.Terms(f.Name), said...)
	f.Grams = words.Grams(strings.Join(f.About, " "))
	slices.Sort(f.Grams)
	f.Grams = slices.Compact(f.Grams)
	f.Vocab = map[string]bool{}
	for _, w := range append(words.Content(f.Name), said...) {
		f.Vocab[w] = true
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

// Head is the title, or the part of the description that names the field.
func (f *Field) Head() string {
	if f.Title != "" {
		return f.Title
	}
	return words.Head(f.Desc)
}

// maxLabel is how long the beginning of a description may be, in runes, to serve as a name for people.
const maxLabel = 36

// Label is what a person would call the field in a language: its title there, else what its description begins with, if
// that is short and in the language, else its name.
func (f *Field) Label(lang string) string {
	if lang == "en" && f.TitleEn != "" {
		return f.TitleEn
	}
	if f.Title != "" && words.Language(f.Title) == lang {
		return f.Title
	}
	if h := words.Head(words.InLanguage(f.Desc, lang)); Nameable(h, lang) {
		return h
	}
	if lang == "zh" && f.Title != "" {
		return f.Title
	}
	return strings.ReplaceAll(f.Name, "_", " ")
}

// Within is the label as it stands within a sentence: an English one does not begin with a capital there, but for SKU and the like.
func (f *Field) Within(lang string) string {
	s := f.Label(lang)
	if len(s) > 1 && unicode.IsUpper(rune(s[0])) && unicode.IsLower(rune(s[1])) {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// Nameable reports whether the beginning of a description may serve as a name in a language: short, and not a mere format such
// as YYYY-MM-DD.
func Nameable(s, lang string) bool {
	return words.Language(s) == lang && len([]rune(s)) <= maxLabel && strings.ContainsFunc(s, func(r rune) bool { return words.IsHan(r) || unicode.IsLower(r) })
}

// IsList reports whether the field holds several values.
func (f *Field) IsList() bool { return f.Type == "array" }

// What is changed from one thing into another: a file that is moved, a passage that takes the place of another. Taken the wrong way round, it
// would do harm; so each side is known by the words beside it, and asked for where they do not tell.

// Side is which of the two a value or a parameter is.
type Side int

const (
	// SideUnknown, SideOld and SideNew: it is not told, it is what stands there, it is what takes its place.
	SideUnknown Side = iota
	SideOld          // what was there, or where it goes from
	SideNew          // what takes its place, or where it goes
)

var (

	// namedOld and namedNew are names and titles of parameters that take one of two passages.
	namedOld = words.MustCompile(`(?i)^(?:old|find|search|from|before|original)(?:_|[A-Z]|$)|^(?:旧|原|被替换)`)
	namedNew = words.MustCompile(`(?i)^(?:new|replace(?:ment)?|with|to|after)(?:_|[A-Z]|$)|^(?:新|替换为|换成|改成)`)
)

// sideOf is which of the two a parameter takes; unknown for most.
func (f *Field) sideOf() Side {
	switch {
	case f.Sort != Text:
		return SideUnknown
	case namedOld.MatchString(f.Parts) || namedOld.MatchString(f.Title):
		return SideOld
	case namedNew.MatchString(f.Parts) || namedNew.MatchString(f.Title):
		return SideNew
	}
	return SideUnknown
}

// Other is the opposite side.
func (s Side) Other() Side {
	switch s {
	case SideOld:
		return SideNew
	case SideNew:
		return SideOld
	}
	return SideUnknown
}

// A list that leaves rows out makes a figure of all rows wrong, and a report short. Where a card lets its caller say how many rows are listed, and tells the
// most, that many are asked for; the answer shows the first of them all the same.

var (
	// rowsName and rowsTitle: what a parameter is called that says how many rows a list has.
	rowsName  = words.MustCompile(`(?i)^(?:limit|(?:page|result|list)_?size|per_?page|(?:max|num|number_of)_?(?:rows|results|items|records|entries)|rows|count)$`)
	rowsTitle = words.MustCompile(`(?i)行数|条数|(?:maximum|max\.?|how many|number of) (?:rows|results|items|records|entries)`)
)

// SaysRows reports whether a parameter says how many rows a list has.
func (f *Field) SaysRows() bool {
	return (f.Type == "integer" || f.Type == "number") && (rowsName.MatchString(f.Parts) || rowsTitle.MatchString(f.Title+" "+f.Desc))
}

// Per is what one of a unit is in the figures of a column: 24 of a day in hours. nil when they are of another kind, so that neither limits the other.
func (f *Field) Per(unit string) *big.Rat {
	if is, of := words.QuantityOf(f.Label("zh")+" "+f.Label("en")), words.QuantityOf(unit); is == "money" && of == "pieces" || is == "pieces" && of == "money" {
		return nil
	}
	mine, said := words.InHours(f.Label("zh")+" "+f.Label("en")), words.InHours(unit)
	switch {
	case said == nil:
		return big.NewRat(1, 1)
	case mine == nil:
		return nil
	}
	return new(big.Rat).Quo(said, mine)
}

// Sayings are the allowed values and what else they are called, in the order in which they are declared.
func (f *Field) Sayings() []string {
	var all []string
	for _, v := range f.Enum {
		all = append(append(all, v), f.Called[v]...)
	}
	return all
}

// HasIDs reports whether the rows of a list are things that have an id.
func (f *Field) HasIDs() bool {
	return slices.ContainsFunc(f.Fields, func(c Field) bool { return c.Sort == ID })
}

// Shares is how many words of a text a column is called by.
func (f *Field) Shares(text string) int {
	said := words.Content(text)
	n := 0
	for _, w := range slices.Compact(slices.Sorted(slices.Values(words.Content(f.Label("zh") + " " + f.Label("en") + " " + f.Name)))) {
		if slices.Contains(said, w) {
			n++
		}
	}
	return n
}

// sortName and sortTitle: what such a parameter is called.
var (
	sortName  = words.MustCompile(`(?i)^(?:sort|order)(?:ed|ing)?(?:_?by)?$`)
	sortTitle = words.MustCompile(`(?i)排序|\bsort(?:ed|ing)?\b|\border by\b`)
)

// Sorts reports whether a parameter says in which order rows are listed. That tells of no wish but how the rows stand.
func (f *Field) Sorts() bool {
	return len(f.Enum) > 0 && (sortName.MatchString(f.Parts) || sortTitle.MatchString(f.Title))
}

// Names reports whether a field says of whom or of what a call is.
func (f *Field) Names() bool {
	return len(f.Needs)+len(f.Instead) > 0 || slices.Contains([]Sort{ID, Person, Phone, Link}, f.Sort)
}
