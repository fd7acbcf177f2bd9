package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// Index is one version of the directory, prepared for planning. It never changes; make a new one when cards come or go.
type Index struct {
	// Rejects lists the cards left out, in the order given.
	Rejects []Reject

	options Options
	entries []*entry
	byName  map[string]*entry
	terms   *postings[string] // words
	grams   *postings[uint32] // hashed n-grams
	lexicon lexicon
	vectors [][]float32       // of Options.Embed, by entry; nil without, and when they are not believed
	trusted float64           // how far these are believed, 0–1
	shape   *shape            // fields of all cards, for edges
	verbs   map[string]bool   // first words of names and descriptions
	trade   map[string]bool   // words of the cards' own trade; no names of people
	heard   map[string]int    // in how many cards each word stands
	spoken  map[string]bool   // words in which any card of the house speaks, also of tools that are not on offer here
	spelled map[string]string // how it is written there, where it is Latin
	cards   int               // how many were heard
	sounds  sounding          // values and tags in Chinese by how they are read
	common  map[rune]string   // the commonest Han pairs by their first sign
	values  dictionary        // what the cards know by name
	foreign map[string]bool   // tools that are another agent's; its own ones serve first
	han     *hanCards         // for requests in Chinese; nil: few cards speak it
	behind  *behind           // what agents can do by their tools; nil: not known
}

// entry is a card with what was read from it.
type entry struct {
	bus.Card
	n       int // place in entries
	params  []field
	returns []field
	// result is the whole returns schema, for observations that are lists or scalars at the top.
	result    field
	validator *bus.Schema
	acts      [acts]bool
	verbs     map[string]bool // change verbs that the card's own words name
	vocab     map[string]bool // content terms of name and description, tags, skills
	nameWords []string
	terms     []cardTerm      // informative words, each once
	tags      map[string]bool // terms of the tags
	title     string          // what a person would call it, in Chinese if the card has any
	titleEn   string          // the same in English
	first     *entry          // what a [Reader] keeps for as long as this is there; nil without
}

// maxSchema bounds a schema; a larger one is no description of arguments.
const maxSchema = 64 << 10

// NewIndex reads the cards. The order of cards does not change any outcome but the order of equal candidates. Cards with an
// invalid name, a schema that is broken, too large, has patterns that are too large or refers to the network, or a name that an earlier card took are
// rejected, each with its reason; the others work.
func NewIndex(cards []bus.Card, o Options) *Index {
	x := &Index{options: o, byName: map[string]*entry{}}
	type outcome struct {
		e   *entry
		err error
	}
	read := make([]outcome, len(cards))
	beside(len(cards), func(i int) { read[i].e, read[i].err = o.Reader.entry(cards[i], o) })
	for i, c := range cards {
		e, err := read[i].e, read[i].err
		if err == nil && x.byName[c.Name] != nil {
			err = errors.New("the name is taken by an earlier card; give the card a name of its own")
		}
		if err != nil {
			x.Rejects = append(x.Rejects, Reject{clip(c.Name, bus.MaxToken), err.Error()})
			continue
		}
		x.byName[c.Name] = e
		if slices.Contains(c.Tags, bus.ModelTag) { // what a model calls of it is checked, and no plan of ours has it
			continue
		}
		e.n = len(x.entries)
		x.entries = append(x.entries, e)
	}
	x.retrieval()
	x.shape = newShape(x.entries)
	x.trade, x.verbs, x.heard = map[string]bool{}, map[string]bool{}, map[string]int{}
	x.spelled = map[string]string{}
	if len(o.Tools) > 0 {
		x.behind = newBehind(x, o.Tools)
	}
	entries := x.entries
	if x.behind != nil {
		entries = slices.Concat(entries, x.behind.index.entries)
	}
	for _, e := range entries {
		for _, text := range []string{e.Name, e.Description} {
			if ps := pieces(clip(text, 80)); len(ps) > 0 && !ps[0].han && !stopEnglish[strings.ToLower(ps[0].text)] {
				x.verbs[stem(strings.ToLower(ps[0].text))] = true
			}
		}
		for w := range e.tradeWords() {
			x.trade[w] = true
		}
		for w := range e.vocab {
			x.heard[w]++
		}
		for _, p := range pieces(strings.Join(append(append([]string{e.Name, e.Description}, e.Tags...), e.Skills...), " ")) {
			if w := strings.ToLower(p.text); !p.han {
				x.spell(w)
			}
		}
	}
	x.spoken = map[string]bool{}
	for w := range x.heard {
		x.spoken[w] = true
	}
	for _, c := range o.Tools {
		for _, w := range content(wording(c)) {
			x.spoken[w] = true
		}
	}
	if x.behind != nil {
		x.behind.index.spoken = x.spoken
	}
	x.cards, x.sounds = len(entries), newSounding(entries)
	x.names(entries)
	x.common = commonPairs(x.heard, len(entries))
	x.values = newDictionary(entries, x.trade)
	return x
}

// Len is the number of cards on offer.
func (x *Index) Len() int { return len(x.entries) }

func newEntry(c bus.Card, o Options) (*entry, error) {
	if !bus.ValidToken(c.Name) && !(o.AnyName && printable(c.Name)) {
		return nil, fmt.Errorf("name %.80q: %w", c.Name, bus.ErrBadName)
	}
	c.Description = clip(c.Description, MaxText)
	e := &entry{Card: c, vocab: map[string]bool{}}
	var err error
	if e.validator, err = compile(c.Parameters); err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	p, err := read(c.Parameters)
	if err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	if t, ok := p.Type.(string); ok && t != "object" {
		return nil, fmt.Errorf("parameters: a schema of type object is needed, this is of type %q", t)
	}
	e.params = p.fields(0)
	r, err := read(c.Returns)
	if doc, bad := decode(c.Returns); err == nil && bad == nil {
		err = bus.SimplePatterns(doc)
	}
	if err != nil {
		return nil, fmt.Errorf("returns: %w", err)
	}
	e.result = newField("", r, false, 0)
	e.returns = e.result.Fields
	e.title, e.titleEn = e.name("zh"), e.name("en")
	e.verbs, e.acts = e.verbsOf(), e.acting()
	e.nameWords = words(c.Name)
	e.terms = e.cardTerms()
	e.tags = map[string]bool{}
	for _, w := range content(strings.Join(c.Tags, " ")) {
		e.tags[w] = true
	}
	for _, w := range content(strings.Join(append(append([]string{c.Name, c.Description}, c.Tags...), c.Skills...), " ")) {
		e.vocab[w] = true
	}
	for _, f := range e.params {
		for _, w := range content(f.Name + " " + f.head()) {
			e.vocab[w] = true
		}
	}
	return e, nil
}

// printable reports whether a name can be shown and told from others: not empty, at most 4 × [bus.MaxToken] bytes, of signs that print.
func printable(name string) bool {
	return strings.TrimSpace(name) != "" && len(name) <= 4*bus.MaxToken && utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

// name is the card's name for people in a language: the first sentence of its description in that language, without "used
// to"; any other first sentence when there is none.
func (e *entry) name(lang string) string {
	first := inLanguage(e.Description, lang)
	for _, p := range []string{"该工具用于", "本工具用于", "此工具用于", "这个工具用于", "用于", "This tool ", "Used to ", "Tool to "} {
		first = strings.TrimPrefix(first, p)
	}
	if first == "" {
		return e.Name
	}
	return short(first, 60)
}

// called is the title in the language.
func (e *entry) called(lang string) string {
	if lang == "en" {
		return e.titleEn
	}
	return e.title
}

// reads reports whether calling the tool changes nothing. Silence of the card is a promise of nothing, so its own words
// decide then: a tool that names a change is taken for one that changes.
func (e *entry) reads() bool {
	switch e.Effect {
	case bus.Read:
		return true
	case bus.Idempotent, bus.Unsafe:
		return false
	}
	return e.IsAgent() || len(e.verbs) == 0
}

// required lists the required parameters.
func (e *entry) required() []*field {
	var out []*field
	for i := range e.params {
		if e.params[i].Required {
			out = append(out, &e.params[i])
		}
	}
	return out
}

// param finds a parameter by name; nil when there is none.
func (e *entry) param(name string) *field {
	for i := range e.params {
		if e.params[i].Name == name {
			return &e.params[i]
		}
	}
	return nil
}

func read(raw json.RawMessage) (schema, error) {
	var s schema
	if len(bytes.TrimSpace(raw)) == 0 || string(raw) == "null" || string(raw) == "true" {
		return s, nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, fmt.Errorf("not a JSON Schema: %v", err)
	}
	return s, nil
}

// compile prepares the validator of a parameters schema; nil for no schema.
func compile(raw json.RawMessage) (*bus.Schema, error) {
	if len(bytes.TrimSpace(raw)) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if len(raw) > maxSchema {
		return nil, fmt.Errorf("%d bytes are over the limit of %d", len(raw), maxSchema)
	}
	return bus.CompileSchema(raw, false)
}
