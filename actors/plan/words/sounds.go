package words

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Alike holds the 3,755 common signs of GB 2312, which stand there in the order of their readings, a line for each reading without its
// tone. Where a syllable ends is after the Han-Latin transliteration of the Unicode CLDR.
//
//go:embed alike.txt
var Alike string

// readings is, by sign, which line of alike it stands in: who types by sound slips within one.
var readings = sync.OnceValue(func() map[rune]rune {
	out := make(map[rune]rune, len(Alike)/3)
	line := rune(1)
	for _, r := range Alike {
		if r == '\n' {
			line++
			continue
		}
		out[r] = line
	}
	return out
})

// Sound is how a run of Han signs is read; "" when a sign is not known.
func Sound(run string) string {
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

// MinHeard and MaxHeard are how many signs a value or tag has that is heard in other signs of the same sound. Two signs have too many
// doubles: 售货 and 收货, 地质 and 地址.
const MinHeard, MaxHeard = 3, 6

// Sounding is what the cards call their values and themselves, by its sound; "" where two are read alike. What wishes for a change is none of
// it: 统一退款, one rule for refunds, is no 同意退款.
type Sounding map[string]string

// ordinary reports whether a sign in which two texts of the same length differ belongs to a common word: who asks what 王萍萍 买了 does not ask
// what was sold, 卖了.
func ordinary(said, meant string) bool {
	kept := ContentRuns(said, LightHan)
	other := []rune(meant)
	n, at := 0, 0
	for _, r := range said {
		if r != other[n] {
			if !slices.ContainsFunc(kept, func(p Piece) bool { return p.Start <= at && at < p.End }) {
				return true
			}
			rs := []rune(said)
			for from := max(0, n-3); from <= n; from++ {
				for to := n + 1; to <= min(len(rs), from+MaxHanWord); to++ {
					if to-from > 1 && WordsHan[string(rs[from:to])] {
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

// Misheard finds the stretches of a Han run that are read like a term of the cards and written otherwise, the longest first.
func (s Sounding) Misheard(run string, known func(pair string) bool) (out []Piece) {
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
		for n := min(MaxHeard, len(rs)-i); n >= MinHeard; n-- {
			said := run[at[i]:at[i+n]]
			key := Sound(said)
			if key == "" {
				continue
			}
			term := s[key]
			if term == "" || term == said || !slices.ContainsFunc(Pairs(said), func(p string) bool { return !known(p) }) || ordinary(said, term) {
				continue
			}
			out = append(out, Piece{Text: term, Han: true, Start: at[i], End: at[i+n]})
			i += n - 1
			break
		}
	}
	return out
}
