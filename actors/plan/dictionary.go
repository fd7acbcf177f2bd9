package plan

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
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
func newDictionary(entries []*entry, trade map[string]bool) dictionary {
	out := dictionary{}
	seen := map[string]bool{}
	for _, e := range entries {
		for i := range e.params {
			f := &e.params[i]
			if f.Sort != sortText && f.Sort != sortPerson {
				continue
			}
			for _, v := range f.Examples {
				v = strings.ToLower(strings.TrimSpace(v))
				if seen[v] || len(v) > maxValue || utf8.RuneCountInString(v) < 2 || !slices.ContainsFunc(content(v), func(w string) bool { return !trade[w] }) {
					continue
				}
				seen[v] = true
				r := firstRune(v)
				out[r] = append(out[r], knownValue{v, f.Sort == sortPerson})
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
func (v dictionary) facts(s string, read []fact) []fact {
	low := strings.ToLower(s)
	if len(v) == 0 || len(low) != len(s) {
		return nil
	}
	var out []fact
	last := 0
	for at, r := range low {
		if at < last {
			continue
		}
		for _, known := range v[r] {
			end := at + len(known.text)
			if !strings.HasPrefix(low[at:], known.text) || !standsAlone(low, at, end) {
				continue
			}
			f := fact{kind: factKnown, text: s[at:end], value: s[at:end], start: at, end: end}
			if known.person {
				f.kind = factPerson
			}
			if !slices.ContainsFunc(read, func(o fact) bool { return o.start < f.end && f.start < o.end && !f.replaces(o) }) {
				out = append(out, f)
				last = f.end
			}
			break
		}
	}
	return out
}

// standsAlone reports whether a value stands by itself at [start,end): a Latin one as whole words, a Han one not as the beginning of a number's
// name (手机 in 手机号).
func standsAlone(s string, start, end int) bool {
	if isHan(firstRune(s[start:])) {
		return !strings.HasPrefix(s[end:], "号") && !strings.HasPrefix(s[end:], "码")
	}
	return !wordByte(s, start-1) && !wordByte(s, end)
}

// replaces reports whether a known value says more than what the text alone shows: a capitalised word or a code inside it.
func (f fact) replaces(o fact) bool {
	return (o.kind == factProper || o.kind == factCode || o.kind == factNumber) && f.start <= o.start && o.end <= f.end
}

// merged puts known values among the facts of a text, in place of those that they replace.
func merged(read, known []fact) []fact {
	var out []fact
	for _, o := range read {
		if !slices.ContainsFunc(known, func(f fact) bool { return f.start < o.end && o.start < f.end && f.replaces(o) }) {
			out = append(out, o)
		}
	}
	out = append(out, known...)
	byPlace(out)
	return out
}

// topic is a stretch of a text without its facts: what is wanted, not what it is wanted of. The whole stretch when nothing remains.
func topic(s string, start, end int, facts []fact) string {
	if out := withoutFacts(s, start, end, facts); len(content(out)) > 0 {
		return out
	}
	return s[start:end]
}

// withoutFacts is a stretch of text without the values that are read from it, but for those that may well be what it is about.
func withoutFacts(s string, start, end int, facts []fact) string {
	var b strings.Builder
	at := start
	for _, f := range facts {
		switch {
		case f.from != "" || f.start < at || f.end > end:
			continue
		case f.kind == factQuote || f.kind == factProper || f.kind == factRate || f.kind == factCompare:
			continue // these may well be the topic
		}
		b.WriteString(s[at:f.start] + " ")
		at = f.end
	}
	b.WriteString(s[at:end])
	return b.String()
}
