package plan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/vectors"
)

// slips of the fingers that a request is read without: "cancle order 17" is a wish to cancel it, 代发货的订单 are those 待发货. Only
// toward words that the cards use, and never in what is quoted, told to somebody, or a name. No sound becomes a wish for a change, and no
// word that there is.

// plainly are words of time and wishing that requests hold and cards seldom do.
var plainly = stems(`today tomorrow yesterday week month quarter year please customer product`)

// respelt is a text without its slips, and what was read otherwise, each as a sentence in the language. The text itself when there is none.
func (x *Index) respelt(text, lang string) (string, []string) {
	var out strings.Builder
	var told []string
	at := 0
	put := func(start, end int, meant string) {
		told = append(told, say(lang, "「%s」当作「%s」", "“%s” read as “%s”", text[start:end], meant))
		out.WriteString(text[at:start] + meant)
		at = end
	}
	taken := verbatim(text)
	for _, p := range pieces(text) {
		switch {
		case len(told) == maxSlips:
		case p.han:
			for _, m := range x.sounds.misheard(p.text, func(pair string) bool { return x.heard[pair] > 0 }) {
				if start, end := p.start+m.start, p.start+m.end; !taken(start, end) {
					put(start, end, m.text)
				}
			}
		case !taken(p.start, p.end) && !partOfCode(text, p):
			if meant := x.meant(text, p); meant != "" {
				put(p.start, p.end, meant)
			}
		}
	}
	if at == 0 {
		return text, nil
	}
	return out.String() + text[at:], told
}

// maxSlips bounds how many words of one request are read otherwise; a text with more is no slip of the fingers.
const maxSlips = 6

// meant is the word of the cards that a Latin word is a slip for; "" for one that may well be meant as it stands.
func (x *Index) meant(text string, p piece) string {
	w := strings.ToLower(p.text)
	if w != p.text && !sentenceStart(text, p.start) { // a name
		return ""
	}
	root := stem(w)
	if x.verbs[root] || wishVerbs[root] || changing[root] || plainly[root] || thingWords[root] {
		return ""
	}
	best := x.respelled(w)
	if best = inflected(best, w); best == "" || best == w {
		return ""
	}
	if _, word := vectors.English().Find(root); word && undoubled(root) != undoubled(stem(best)) &&
		(changing[stem(best)] || float64(x.heard[stem(best)]) <= frequent*float64(x.cards)) { // a word that there is wishes for no change
		return ""
	}
	return best
}

// inflected gives a word the ending that a slip for it has: "cancled orders" are no wish to cancel.
func inflected(word, like string) string {
	for _, ending := range []string{"ed", "ing", "s"} {
		if word != "" && strings.HasSuffix(like, ending) && !strings.HasSuffix(word, ending) {
			if ending != "s" {
				word = strings.TrimSuffix(word, "e")
			}
			return word + ending
		}
	}
	return word
}

// undoubled is a word with each letter once where it stands twice: cancell, cancel.
func undoubled(w string) string {
	var out strings.Builder
	for i := range len(w) {
		if i == 0 || w[i] != w[i-1] {
			out.WriteByte(w[i])
		}
	}
	return out.String()
}

// partOfCode reports whether a Latin word belongs to a code, an address or a number: SF-awb, awating@example.org.
func partOfCode(s string, p piece) bool {
	joint := func(i int) bool {
		return i >= 0 && i < len(s) && (strings.IndexByte("-_@/\\#$.:+", s[i]) >= 0 || s[i] >= '0' && s[i] <= '9')
	}
	// a full stop or colon that ends a sentence joins nothing
	return joint(p.start-1) || joint(p.end) && (p.end+1 < len(s) && s[p.end+1] != ' ' && s[p.end+1] != '\n')
}

// nameFollows: what stands behind is a name, however it is written.
var nameFollows = regexp.MustCompile(`(?i)(?:\b(?:named|called|titled)|叫做?|名为|名叫)\s*$`)

// verbatim tells which stretches of a text stand as they were written: quotes, what is to be said to somebody, and names of people.
func verbatim(s string) func(start, end int) bool {
	spans := toldOrQuoted(s)
	if tellOthers.MatchString(s) || len(changeVerbs(s)) > 0 {
		if start, ok := saidFrom(s); ok {
			spans = append(spans, []int{start, len(s)})
		}
		if m := tellOthers.FindStringIndex(s); m != nil {
			spans = append(spans, []int{m[1], len(s)})
		}
	}
	spans = append(spans, latinLower.FindAllStringIndex(s, 20)...)
	return func(start, end int) bool {
		return overlaps(spans, start, end) || nameFollows.MatchString(before(s, start))
	}
}

// overlaps reports whether a stretch shares a byte with any of others.
func overlaps(spans [][]int, start, end int) bool {
	return slices.ContainsFunc(spans, func(m []int) bool { return m[0] < end && start < m[1] })
}

var (
	// receiver is somebody who is told something.
	receiver = regexp.MustCompile(`(?i)买家|顾客|客户|用户|收货人|收件人|对方|人家|[他她]们?|\b(?:buyers?|customers?|clients?|him|her|them)\b`)
	// receives stands between somebody who is told something and the place in a list that says who that is.
	receives = regexp.MustCompile(`(?i)^\s*(?:[、,和与及]|of|for|from|and|who (?:placed|bought))(?:\s|[、,和与及的]|of|and|the|orders?)*$`)
)

// toldOrQuoted are the stretches of a text that are nobody's wish: quotes, and what is to be told to somebody. Who that is may be a place in a
// list: the buyer of the second order.
func toldOrQuoted(s string) [][]int {
	spans := slices.Concat(reSource.FindAllStringIndex(s, -1), reQuote.FindAllStringIndex(s, -1))
	tell := tellOthers.FindStringIndex(s)
	if _, sends := changeVerbs(s)["send"]; tell == nil && !sends {
		return spans
	}
	from, ok := saidFrom(s)
	if tell != nil && !ok {
		from, ok = tell[1], true
		if m := receiver.FindStringIndex(s[tell[0]:]); m != nil {
			from = tell[0] + m[1]
		}
		for _, m := range slices.Concat(rowsHan.FindAllStringIndex(s, -1), rowsEng.FindAllStringIndex(s, -1), linesEng.FindAllStringIndex(s, -1), placeInHan.FindAllStringIndex(s, -1), placeInEnglish.FindAllStringIndex(s, -1)) {
			if m[0] < tell[1] && tell[1] <= m[1] || m[0] >= from && receives.MatchString(s[from:m[0]]) {
				from = max(from, m[1])
			}
		}
	}
	if ok {
		spans = append(spans, []int{from, len(s)})
	}
	return spans
}
