package cards

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// Entry is a card with what was read from it.
type Entry struct {
	bus.Card
	N      int // place in entries
	Params []fields.Field
	Gives  []fields.Field
	// result is the whole returns schema, for observations that are lists or scalars at the top.
	Result    fields.Field
	Validator *bus.Schema
	Acts      [Acts]bool
	Verbs     map[string]bool // change verbs that the card's own words name
	Vocab     map[string]bool // content terms of name and description, tags, skills
	NameWords []string
	Silent    bool            // its name says nothing, and the first words of its description stand for it: see [words.Spoken]
	Terms     []CardTerm      // informative words, each once
	TagTerms  map[string]bool // terms of the tags
	title     string          // what a person would call it, in Chinese if the card has any
	titleEn   string          // the same in English
	looks     bool            // see [Entry.Looks]
	says      []string        // see sayVerbs
	First     *Entry          // what a [plan.Reader] keeps for as long as this is there; nil without
}

// New reads a card. An error says to its owner why it cannot be offered; anyName takes names that are no tokens.
func New(c bus.Card, anyName bool) (*Entry, error) {
	if !bus.ValidToken(c.Name) && !(anyName && printable(c.Name)) {
		return nil, fmt.Errorf("name %.80q: %w", c.Name, bus.ErrBadName)
	}
	c.Description = words.Clip(c.Description, words.MaxText)
	e := &Entry{Card: c, Vocab: map[string]bool{}}
	var err error
	if e.Validator, err = fields.Compile(c.Parameters); err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	p, err := fields.ReadSchema(c.Parameters)
	if err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	if t, ok := p.Type.(string); ok && t != "object" {
		return nil, fmt.Errorf("parameters: a schema of type object is needed, this is of type %q", t)
	}
	e.Params = p.Fields(0)
	r, err := fields.ReadSchema(c.Returns)
	if doc, bad := fields.Decode(c.Returns); err == nil && bad == nil {
		err = bus.SimplePatterns(doc)
	}
	if err != nil {
		return nil, fmt.Errorf("returns: %w", err)
	}
	e.Result = fields.New("", r, false, 0)
	e.Gives = e.Result.Fields
	e.title, e.titleEn = e.name("zh"), e.name("en")
	e.looks = e.looking()
	e.Verbs, e.Acts = e.verbsOf(), e.acting()
	e.says = e.sayVerbs()
	e.NameWords = words.Terms(c.Name)
	if called, silent := words.Spoken(c.Name, c.Description); silent {
		e.NameWords, e.Silent = called, true
	}
	e.Terms = e.cardTerms()
	e.TagTerms = map[string]bool{}
	for _, w := range words.Content(strings.Join(c.Tags, " ")) {
		e.TagTerms[w] = true
	}
	for _, w := range words.Content(strings.Join(append(append([]string{c.Name, c.Description}, c.Tags...), c.Skills...), " ")) {
		e.Vocab[w] = true
	}
	for _, f := range e.Params {
		for _, w := range words.Content(f.Name + " " + f.Head()) {
			e.Vocab[w] = true
		}
	}
	return e, nil
}

// printable reports whether a name can be shown and told from others: not empty, at most 4 × [bus.MaxToken] bytes, of signs that print.
func printable(name string) bool {
	return strings.TrimSpace(name) != "" && len(name) <= 4*bus.MaxToken && utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

// deed is what the card says that a call does (x-deed), without what it does it to and on which terms; "" when it says nothing of that.
func (e *Entry) deed(lang string) string {
	var schema struct {
		Deed json.RawMessage `json:"x-deed"`
	}
	var said map[string]string
	if json.Unmarshal(e.Parameters, &schema) != nil || json.Unmarshal(schema.Deed, &said) != nil { // a card may say anything
		return ""
	}
	return words.Head(said[lang])
}

// name is the card's name for people in a language: what it says that a call does, or the first sentence of its description in that language, without "used
// to"; any other first sentence when there is none.
func (e *Entry) name(lang string) string {
	if does := e.deed(lang); does != "" {
		return words.Short(does, 60)
	}
	first := words.InLanguage(e.Description, lang)
	for _, p := range []string{"该工具用于", "本工具用于", "此工具用于", "这个工具用于", "用于", "This tool ", "Used to ", "Tool to "} {
		first = strings.TrimPrefix(first, p)
	}
	if first == "" {
		return e.Name
	}
	return words.Short(first, 60)
}

// Called is the title in the language.
func (e *Entry) Called(lang string) string {
	if lang == "en" {
		return e.titleEn
	}
	return e.title
}

// HasVerb reports whether the card's own words name one of the verbs of change that a clause has.
func (e *Entry) HasVerb(change map[string]int) bool {
	for v := range change {
		if e.Verbs[v] {
			return true
		}
	}
	return false
}

// Reads reports whether calling the tool changes nothing. Silence of the card is a promise of nothing, so its own words
// decide then: a tool that names a change is taken for one that changes.
func (e *Entry) Reads() bool {
	switch e.Effect {
	case bus.Read:
		return true
	case bus.Idempotent, bus.Unsafe:
		return false
	}
	return e.IsAgent() || len(e.Verbs) == 0
}

// Required lists the required parameters.
func (e *Entry) Required() []*fields.Field {
	var out []*fields.Field
	for i := range e.Params {
		if e.Params[i].Required {
			out = append(out, &e.Params[i])
		}
	}
	return out
}

// Param finds a parameter by name; nil when there is none.
func (e *Entry) Param(name string) *fields.Field {
	for i := range e.Params {
		if e.Params[i].Name == name {
			return &e.Params[i]
		}
	}
	return nil
}

// DeclaresChange reports whether the card says that the tool changes something; where it is silent nothing is known.
func (e *Entry) DeclaresChange() bool { return e.Effect != "" && !e.Reads() }

// CardTerm is an informative word of a card.
type CardTerm struct {
	Term   string
	Id     int
	Idf    float64
	Name   bool
	About  bool // of the description
	Fields bool
	Tf     float64
	Sense  int32  // among the word vectors
	Params uint32 // the required parameters it is a word of
}

// terms are the informative words of a card, each once.
func (e *Entry) cardTerms() []CardTerm {
	var out []CardTerm
	place := map[string]int{}
	add := func(text string, mark func(*CardTerm)) {
		for _, w := range words.Content(text) {
			i, ok := place[w]
			if !ok {
				i = len(out)
				place[w] = i
				out = append(out, CardTerm{Term: w})
			}
			mark(&out[i])
		}
	}
	add(e.Name, func(t *CardTerm) { t.Name = true; t.Tf += 3 })
	add(e.Description+" "+strings.Join(e.Tags, " ")+" "+strings.Join(e.Skills, " "), func(t *CardTerm) { t.About = true; t.Tf += 2 })
	n := 0
	for _, f := range e.Params {
		bit := uint32(0)
		if f.Required && n < 32 {
			bit = 1 << n
			n++
		}
		add(f.Name+" "+f.Head(), func(t *CardTerm) { t.Fields = true; t.Tf += 0.5; t.Params |= bit })
	}
	for _, f := range e.Gives {
		add(f.Name+" "+f.Head(), func(t *CardTerm) { t.Fields = true; t.Tf += 0.5 })
	}
	return out
}

// TradeWords is the vocabulary in which a tool describes itself: name, description, tags, the heads of its parameters.
// Examples in descriptions are values, not trade.
func (e *Entry) TradeWords() map[string]bool {
	out := map[string]bool{}
	text := e.Name + " " + fields.ToldExamples.ReplaceAllString(e.Description, " ") + " " + strings.Join(e.Tags, " ")
	for _, f := range e.Params {
		text += " " + f.Name + " " + f.Head()
	}
	for _, w := range words.Content(text) {
		out[w] = true
	}
	return out
}

// CanTell reports whether an agent may find out what the field wants: a value that can be read out of its words again, of a
// kind that it speaks about.
func (e *Entry) CanTell(f *fields.Field) bool {
	if f.Sort != fields.ID && f.Sort != fields.Phone || f.Sort == fields.ID && f.Pattern == nil && len(f.Lengths) == 0 {
		return false
	}
	for _, w := range words.Content(f.Head()) {
		if e.Vocab[w] {
			return true
		}
	}
	return false
}

// Shows is what it is worth, 0–1, that a tool tells much of a thing of which nothing is asked: a bare order number wants the whole order.
func (e *Entry) Shows(bound map[string]fields.Binding) float64 {
	if !e.Reads() || len(e.Missing(bound)) > 0 {
		return 0
	}
	n := 0.0
	var count func(fs []fields.Field)
	count = func(fs []fields.Field) {
		for i := range fs {
			n++
			count(fs[i].Fields)
		}
	}
	count(e.Gives)
	return n / (n + 10)
}

// ListsOf reports whether a tool lists things by a known value that it was given, and by nothing else.
func (e *Entry) ListsOf(bound map[string]fields.Binding) bool {
	return e.Reads() && !e.IsAgent() && slices.ContainsFunc(e.Lists(), func(l *fields.Field) bool {
		return l.HasIDs() && slices.ContainsFunc(l.Fields, func(c fields.Field) bool {
			b, ok := bound[c.Name]
			return ok && !b.Weak && c.Sort != fields.ID && b.Why != "enum"
		})
	})
}

// GoesBy reports whether the text holds a word that is a tag of the card by itself: sales is what one of them does, after-sales is not. Or a
// whole tag of several words or three signs, such as 快没了, which may hold no word that would tell.
func (e *Entry) GoesBy(text string) bool {
	said, low := words.Content(text), strings.ToLower(text)
	return slices.ContainsFunc(e.Tags, func(tag string) bool {
		if utf8.RuneCountInString(tag) >= words.MinHeard && (words.IsHan(words.FirstRune(tag)) || strings.Contains(tag, " ")) && words.Holds(low, strings.ToLower(tag)) {
			return true
		}
		ws := words.Content(tag)
		return len(ws) == 1 && len(words.Pieces(tag)) == 1 && slices.Contains(said, ws[0])
	})
}
