package plan

import (
	"regexp"
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
	var spans [][]int
	for _, re := range []*regexp.Regexp{reSource, reQuote} {
		spans = append(spans, re.FindAllStringIndex(s, 50)...)
	}
	if tellOthers.MatchString(s) || len(changeVerbs(s)) > 0 {
		if start, ok := saidFrom(s); ok {
			spans = append(spans, []int{start, len(s)})
		}
		if m := tellOthers.FindStringIndex(s); m != nil {
			spans = append(spans, []int{m[1], len(s)})
		}
	}
	for _, m := range latinLower.FindAllStringIndex(s, 20) {
		spans = append(spans, m)
	}
	return func(start, end int) bool {
		for _, m := range spans {
			if m[0] < end && start < m[1] {
				return true
			}
		}
		return nameFollows.MatchString(before(s, start))
	}
}
