package plan

import (
	"errors"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// Index is one version of the directory, prepared for planning. It never changes; make a new one when cards come or go.
type Index struct {
	// Rejects lists the cards left out, in the order given.
	Rejects []Reject

	options Options
	entries []*cards.Entry
	own     []*cards.Entry // those that are no connected server's
	byName  map[string]*cards.Entry
	terms   *postings[string] // words
	grams   *postings[uint32] // hashed n-grams
	lexicon lexicon
	vectors [][]float32       // of Options.Embed, by entry; nil without, and when they are not believed
	trusted float64           // how far these are believed, 0–1
	shape   *shape            // fields of all cards, for edges
	verbs   map[string]bool   // first words of names and descriptions
	begins  map[string]bool   // those of descriptions
	trade   map[string]bool   // words of the cards' own trade; no names of people
	heard   map[string]int    // in how many cards each word stands
	spoken  map[string]bool   // words in which any card of the house speaks, also of tools that are not on offer here
	spelled map[string]string // how it is written there, where it is Latin
	cards   int               // how many were heard
	texts   []texts           // of the tools that tell what is in those they search
	besides map[string]bool   // words in which the other tools speak; nil: there are no such texts
	sounds  words.Sounding    // values and tags in Chinese by how they are read
	common  map[rune]string   // the commonest Han pairs by their first sign
	values  dictionary        // what the cards know by name
	foreign map[string]bool   // tools that are another agent's; its own ones serve first
	han     *hanCards         // for requests in Chinese; nil: few cards speak it
	behind  *behind           // what agents can do by their tools; nil: not known
}

// NewIndex reads the cards. The order of cards does not change any outcome but the order of equal candidates. Cards with an
// invalid name, a schema that is broken, too large, has patterns that are too large or refers to the network, or a name that an earlier card took are
// rejected, each with its reason; the others work.
func NewIndex(offered []bus.Card, o Options) *Index {
	x := &Index{options: o, byName: map[string]*cards.Entry{}}
	type outcome struct {
		e   *cards.Entry
		err error
	}
	read := make([]outcome, len(offered))
	beside(len(offered), func(i int) { read[i].e, read[i].err = o.Reader.entry(offered[i], o.AnyName) })
	for i, c := range offered {
		e, err := read[i].e, read[i].err
		if err == nil && x.byName[c.Name] != nil {
			err = errors.New("the name is taken by an earlier card; give the card a name of its own")
		}
		if err != nil {
			x.Rejects = append(x.Rejects, Reject{words.Clip(c.Name, bus.MaxToken), err.Error()})
			continue
		}
		x.byName[c.Name] = e
		if slices.Contains(c.Tags, bus.ModelTag) { // what a model calls of it is checked, and no plan of ours has it
			continue
		}
		e.N = len(x.entries)
		x.entries = append(x.entries, e)
		if e.Server() == "" {
			x.own = append(x.own, e)
		}
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
	x.begins = map[string]bool{}
	for _, e := range entries {
		x.begins[firstWord(e.Description)] = true
	}
	for _, e := range entries {
		for _, v := range []string{x.nameVerb(e), firstWord(e.Description)} {
			if v != "" && !words.StopEnglish[v] {
				x.verbs[v] = true
			}
		}
		for _, tag := range e.Tags { // what it is called, and what begins how it says what it does: research a topic
			if slices.ContainsFunc(e.Skills, func(s string) bool { return strings.HasPrefix(s, tag+" ") }) {
				x.verbs[words.Stem(tag)] = true
			}
		}
		for w := range e.TradeWords() {
			x.trade[w] = true
		}
		for w := range e.Vocab {
			x.heard[w]++
		}
		for _, p := range words.Pieces(strings.Join(append(append([]string{e.Name, e.Description}, e.Tags...), e.Skills...), " ")) {
			if w := strings.ToLower(p.Text); !p.Han {
				x.spell(w)
			}
		}
	}
	x.spoken = map[string]bool{}
	for w := range x.heard {
		x.spoken[w] = true
	}
	for _, c := range o.Tools {
		for _, w := range words.Content(cards.Wording(c)) {
			x.spoken[w] = true
		}
	}
	if x.behind != nil {
		x.behind.index.spoken = x.spoken
	}
	x.hold()
	x.cards, x.sounds = len(entries), newSounding(entries)
	x.names(entries)
	x.common = commonPairs(x.heard, len(entries))
	x.values = newDictionary(entries, x.trade)
	return x
}

// Len is the number of cards on offer.
func (x *Index) Len() int { return len(x.entries) }

// ofSmall are the cards that are always looked at: all of a small house, the own ones of one that has many only with what connected servers bring; else none.
func (x *Index) ofSmall() []*cards.Entry {
	switch {
	case len(x.entries) <= smallHouse:
		return x.entries
	case len(x.own) <= smallHouse:
		return x.own
	}
	return nil
}
