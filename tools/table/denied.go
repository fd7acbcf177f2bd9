package table

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// denied is where the text before a place says that it is not so; nil where it does not, or asks whether it is: 有没有, 是不是, 退不退款. What only
// asks stays a word that is not understood.
func (r *reading) denied(end int) []int { return r.deniedBy(reNot, end) }

func (r *reading) deniedBy(words *regexp.Regexp, end int) []int {
	at := words.FindStringIndex(strings.TrimRight(r.s[:end], " “「\""))
	if at == nil {
		return nil
	}
	before, _ := utf8.DecodeLastRuneInString(r.s[:at[0]])
	_, n := utf8.DecodeRuneInString(r.s[at[0]:])
	if after, _ := utf8.DecodeRuneInString(r.s[at[0]+n:]); unicode.Is(unicode.Han, before) && before == after {
		return nil
	}
	return at
}

// deniedNamed is where the text before a value, or before the name of its column in front of it, says that it is not so: without line C.
func (r *reading) deniedNamed(n named) []int {
	if at := r.denied(n.start); at != nil {
		return at
	}
	for _, m := range r.mentions {
		if m.column != n.column || m.end > n.start || strings.Trim(r.s[m.end:n.start], " “「\"") != "" {
			continue
		}
		for _, words := range []*regexp.Regexp{reNot, reLacks} {
			if at := r.deniedBy(words, m.start); at != nil {
				return at
			}
		}
	}
	return nil
}

// deniedBehind: what stands behind a value, or behind the last of several, says that it is not so: 家电和日用以外.
func (r *reading) deniedBehind(i int) bool {
	n := r.named[i]
	if at := reNotAfter.FindStringIndex(r.s[n.end:]); at != nil {
		r.use(n.end, n.end+at[1])
		return true
	}
	return i+1 < len(r.named) && r.named[i+1].column == n.column && n.end <= r.named[i+1].start && reAnd.MatchString(r.s[n.end:r.named[i+1].start]) && r.deniedBehind(i+1)
}
