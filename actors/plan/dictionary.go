package plan

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// dictionary holds the known values of the cards: what parameters give as such, by their first sign, the longest first. A text that
// holds one names a thing, not what is wanted of it.
type dictionary map[rune][]knownValue

type knownValue struct {
	text   string // in lower case
	person bool
}

// maxValue is the longest known value looked for, in bytes; longer ones are sentences.
const maxValue = 60

// newDictionary reads the known values of names and things. One that is a word of the trade (售后 as a field of knowledge) tells no thing
// apart and is left out.
func newDictionary(entries []*cards.Entry, trade map[string]bool) dictionary {
	out := dictionary{}
	seen := map[string]bool{}
	for _, e := range entries {
		for i := range e.Params {
			f := &e.Params[i]
			if f.Sort != fields.Text && f.Sort != fields.Person {
				continue
			}
			for _, v := range f.Examples {
				v = strings.ToLower(strings.TrimSpace(v))
				if seen[v] || len(v) > maxValue || utf8.RuneCountInString(v) < 2 || !slices.ContainsFunc(words.Content(v), func(w string) bool { return !trade[w] }) {
					continue
				}
				seen[v] = true
				r := words.FirstRune(v)
				out[r] = append(out[r], knownValue{v, f.Sort == fields.Person})
			}
		}
	}
	for _, vs := range out {
		slices.SortFunc(vs, func(a, b knownValue) int {
			return cmp.Or(len(b.text)-len(a.text), strings.Compare(a.text, b.text))
		})
	}
	return out
}

// facts are the known values in a text, the longest first, where no fact that says more has been read.
func (v dictionary) facts(s string, read []facts.Fact) []facts.Fact {
	low := strings.ToLower(s)
	if len(v) == 0 || len(low) != len(s) {
		return nil
	}
	var out []facts.Fact
	last := 0
	for at, r := range low {
		if at < last {
			continue
		}
		for _, known := range v[r] {
			end := at + len(known.text)
			if !strings.HasPrefix(low[at:], known.text) || !words.StandsAlone(low, at, end) {
				continue
			}
			f := facts.Fact{Kind: facts.Known, Text: s[at:end], Value: s[at:end], Start: at, End: end}
			if known.person {
				f.Kind = facts.Person
			}
			if !slices.ContainsFunc(read, func(o facts.Fact) bool { return o.Start < f.End && f.Start < o.End && !f.Replaces(o) }) {
				out = append(out, f)
				last = f.End
			}
			break
		}
	}
	return out
}
