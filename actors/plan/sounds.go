package plan

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// alike holds the 3,755 common signs of GB 2312, which stand there in the order of their readings, a line for each reading without its
// tone. Where a syllable ends is after the Han-Latin transliteration of the Unicode CLDR.
//
//go:embed alike.txt
var alike string

// readings is, by sign, which line of alike it stands in: who types by sound slips within one.
var readings = sync.OnceValue(func() map[rune]rune {
	out := make(map[rune]rune, len(alike)/3)
	line := rune(1)
	for _, r := range alike {
		if r == '\n' {
			line++
			continue
		}
		out[r] = line
	}
	return out
})

// sound is how a run of Han signs is read; "" when a sign is not known.
func sound(run string) string {
	var out strings.Builder
	for _, r := range run {
		line, ok := readings()[r]
		if !ok {
			return ""
		}
		out.WriteRune(line)
	}
	return out.String()
}

// minHeard and maxHeard are how many signs a value or tag has that is heard in other signs of the same sound. Two signs have too many
// doubles: 售货 and 收货, 地质 and 地址.
const minHeard, maxHeard = 3, 6

// sounding is what the cards call their values and themselves, by its sound; "" where two are read alike. What wishes for a change is none of
// it: 统一退款, one rule for refunds, is no 同意退款.
type sounding map[string]string

func newSounding(entries []*entry) sounding {
	out := sounding{}
	add := func(term string) {
		if len(changeVerbs(term)) > 0 {
			return
		}
		n := 0
		for _, r := range term {
			if n++; !isHan(r) || n > maxHeard {
				return
			}
		}
		if n < minHeard {
			return
		}
		if key := sound(term); key != "" {
			if other, ok := out[key]; ok && other != term {
				term = ""
			}
			out[key] = term
		}
	}
	for _, e := range entries {
		for _, tag := range e.Tags {
			add(tag)
		}
		if !e.reads() { // its values decide what becomes of something
			continue
		}
		for i := range e.params {
			f := &e.params[i]
			for _, v := range f.Enum {
				add(v)
				for _, name := range f.Called[v] {
					add(name)
				}
			}
		}
	}
	return out
}

// ordinary reports whether a sign in which two texts of the same length differ belongs to a common word: who asks what 王萍萍 买了 does not ask
// what was sold, 卖了.
func ordinary(said, meant string) bool {
	kept := contentRuns(said, lightHan)
	other := []rune(meant)
	n, at := 0, 0
	for _, r := range said {
		if r != other[n] {
			if !slices.ContainsFunc(kept, func(p piece) bool { return p.start <= at && at < p.end }) {
				return true
			}
			rs := []rune(said)
			for from := max(0, n-3); from <= n; from++ {
				for to := n + 1; to <= min(len(rs), from+maxHanWord); to++ {
					if to-from > 1 && wordsHan[string(rs[from:to])] {
						return true
					}
				}
			}
		}
		n++
		at += len(string(r))
	}
	return false
}

// slipOf reports whether two signs are one of the commonest words of the cards in another sign of the same sound: 订淡 names nothing.
func (x *Index) slipOf(pair string) bool {
	meant := x.common[firstRune(pair)]
	return meant != "" && pair != meant && sound(pair) != "" && sound(pair) == sound(meant)
}

// misheard finds the stretches of a Han run that are read like a term of the cards and written otherwise, the longest first.
func (s sounding) misheard(run string, known func(pair string) bool) (out []piece) {
	if len(s) == 0 {
		return nil
	}
	rs := []rune(run)
	at := make([]int, 0, len(rs)+1) // bytes before each sign
	for i := range run {
		at = append(at, i)
	}
	at = append(at, len(run))
	for i := 0; i < len(rs); i++ {
		for n := min(maxHeard, len(rs)-i); n >= minHeard; n-- {
			said := run[at[i]:at[i+n]]
			key := sound(said)
			if key == "" {
				continue
			}
			term := s[key]
			if term == "" || term == said || !slices.ContainsFunc(pairs(said), func(p string) bool { return !known(p) }) || ordinary(said, term) {
				continue
			}
			out = append(out, piece{text: term, han: true, start: at[i], end: at[i+n]})
			i += n - 1
			break
		}
	}
	return out
}
