package plan

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/vectors"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// slips of the fingers that a request is read without: "cancle order 17" is a wish to cancel it, 代发货的订单 are those 待发货. Only
// toward words that the cards use, and never in what is quoted, told to somebody, or a name. No sound becomes a wish for a change, and no
// word that there is.

// plainly are words of time and wishing that requests hold and cards seldom do.
var plainly = words.Stems(`today tomorrow yesterday week month quarter year please customer product`)

// respelt is a text without its slips, and what was read otherwise, each as a sentence in the language. The text itself when there is none.
func (x *Index) respelt(text, lang string) (string, []string) {
	var out strings.Builder
	var told []string
	at := 0
	put := func(start, end int, meant string) {
		told = append(told, words.Say(lang, "「%s」当作「%s」", "“%s” read as “%s”", text[start:end], meant))
		out.WriteString(text[at:start] + meant)
		at = end
	}
	taken := verbatim(text)
	for _, p := range words.Pieces(text) {
		switch {
		case len(told) == maxSlips:
		case p.Han:
			for _, m := range x.sounds.Misheard(p.Text, func(pair string) bool { return x.heard[pair] > 0 }) {
				if start, end := p.Start+m.Start, p.Start+m.End; !taken(start, end) {
					put(start, end, m.Text)
				}
			}
		case !taken(p.Start, p.End) && !words.PartOfCode(text, p):
			if meant := x.meant(text, p); meant != "" {
				put(p.Start, p.End, meant)
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
func (x *Index) meant(text string, p words.Piece) string {
	w := strings.ToLower(p.Text)
	if w != p.Text && !words.SentenceStart(text, p.Start) { // a name
		return ""
	}
	root := words.Stem(w)
	if x.verbs[root] || wishes.WishVerbs[root] || wishes.Changing[root] || plainly[root] || wishes.ThingWords[root] {
		return ""
	}
	best := x.respelled(w)
	if best = words.Inflected(best, w); best == "" || best == w {
		return ""
	}
	if _, word := vectors.English().Find(root); word && words.Undoubled(root) != words.Undoubled(words.Stem(best)) &&
		(wishes.Changing[words.Stem(best)] || float64(x.heard[words.Stem(best)]) <= frequent*float64(x.cards)) { // a word that there is wishes for no change
		return ""
	}
	return best
}

// nameFollows: what stands behind is a name, however it is written.
var nameFollows = words.MustCompile(`(?i)(?:\b(?:named|called|titled)|叫做?|名为|名叫)\s*$`)

// verbatim tells which stretches of a text stand as they were written: quotes, what is to be said to somebody, and names of people.
func verbatim(s string) func(start, end int) bool {
	spans := toldOrQuoted(s)
	if wishes.TellOthers.MatchString(s) || len(wishes.ChangeVerbs(s)) > 0 {
		if start, ok := wishes.SaidFrom(s); ok {
			spans = append(spans, []int{start, len(s)})
		}
		if m := wishes.TellOthers.FindStringIndex(s); m != nil {
			spans = append(spans, []int{m[1], len(s)})
		}
	}
	spans = append(spans, facts.LatinLower.FindAllStringIndex(s, 20)...)
	return func(start, end int) bool {
		return overlaps(spans, start, end) || nameFollows.MatchString(words.Before(s, start))
	}
}

// overlaps reports whether a stretch shares a byte with any of others.
func overlaps(spans [][]int, start, end int) bool {
	return slices.ContainsFunc(spans, func(m []int) bool { return m[0] < end && start < m[1] })
}

var (
	// receiver is somebody who is told something.
	receiver = words.MustCompile(`(?i)买家|顾客|客户|用户|收货人|收件人|对方|人家|[他她]们?|\b(?:buyers?|customers?|clients?|him|her|them)\b`)
	// described tells which of those are told something, and not what.
	described = words.MustCompile(`(?i)^\s+(?:who|whose|that (?:have|has|spent|bought|ordered|paid))\b`)
	// rowNoun is what a place in a list is one of.
	rowNoun = words.MustCompile(`(?i)^\s+(?:orders?|ones?|rows?)\b`)
	// receives stands between somebody who is told something and the place in a list that says who that is.
	receives = words.MustCompile(`(?i)^\s*(?:[、,和与及]|of|for|from|and|who (?:placed|bought))(?:\s|[、,和与及的]|of|and|the|orders?)*$`)
)

// toldOrQuoted are the stretches of a text that are nobody's wish: quotes, and what is to be told to somebody. Who that is may be a place in a
// list: the buyer of the second order. Of one request it is asked some fifteen times, so what was found last is kept.
func toldOrQuoted(s string) [][]int {
	if last := lastTold.Load(); last != nil && last.of == s {
		return last.spans
	}
	spans := slices.Clip(findToldOrQuoted(s)) // who appends to it makes another one
	lastTold.Store(&toldSpans{s, spans})
	return spans
}

// toldSpans are the stretches that were found in a text; nobody changes them.
type toldSpans struct {
	of    string
	spans [][]int
}

var lastTold atomic.Pointer[toldSpans]

func findToldOrQuoted(s string) [][]int {
	spans := slices.Concat(facts.SourceText.FindAllStringIndex(s, -1), facts.Quoted.FindAllStringIndex(s, -1))
	tell := wishes.TellOthers.FindStringIndex(s)
	if _, sends := wishes.ChangeVerbs(s)["send"]; tell == nil && !sends {
		return spans
	}
	from, ok := wishes.SaidFrom(s)
	if tell != nil && !ok {
		from, ok = tell[1], true
		if m := receiver.FindStringIndex(s[tell[0]:]); m != nil {
			from = tell[0] + m[1]
		}
		if described.MatchString(s[from:]) { // which ones they are
			return spans
		}
		for _, m := range slices.Concat(rowsHan.FindAllStringIndex(s, -1), rowsEng.FindAllStringIndex(s, -1), linesEng.FindAllStringIndex(s, -1), placeInHan.FindAllStringIndex(s, -1), placeInEnglish.FindAllStringIndex(s, -1), theseMany.FindAllStringIndex(s, -1)) {
			if m[0] < tell[1] && tell[1] <= m[1] || m[0] >= from && receives.MatchString(s[from:m[0]]) {
				from = max(from, m[1]+len(rowNoun.FindString(s[m[1]:])))
			}
		}
	}
	if ok {
		spans = append(spans, []int{from, wishes.SaidUntil(s, from)})
	}
	return spans
}
