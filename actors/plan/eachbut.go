package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// A change to all things of a kind but some (without.go) is put as two wishes, and what cannot be put so is asked about.

// eachBut is a request for a change to all things of a kind but some as two: to find them without these, and to do it to them (every.go). Where it cannot be put
// so, who asks is asked which ones are meant.
func (x *Index) eachBut(g *goal) string {
	said := strings.TrimRight(strings.TrimSpace(g.text), "。.!！~ ")
	if g.fresh > 0 || g.lost != nil || len(said) > maxPointing || strings.ContainsAny(said, "\n") || len(toldOrQuoted(said)) > 0 || len(wishes.ChangeVerbs(said)) == 0 && !wishes.Adjusting.MatchString(said) {
		return x.eachOf(g)
	}
	if both := picksTwo(said); both != "" {
		return x.whichInstead(g, both)
	}
	main, but, told, ok := x.leftOutOf(said, g)
	if !ok {
		if held := holdsSome(x.lessUnchanged(said)); held != "" && (severalHan.MatchString(said) || severalEng.MatchString(said)) {
			return x.whichInstead(g, held)
		}
		whole := *g
		if whole.text = x.lessUnchanged(said); whole.text == said {
			whole.text = g.text
		}
		put := x.eachOf(&whole)
		g.left = whole.left
		return put
	}
	whole := *g
	whole.text = main
	put := x.eachOf(&whole)
	if put == "" && (severalHan.MatchString(main) || severalEng.MatchString(main)) {
		return x.whichInstead(g, but)
	} else if put == "" {
		return ""
	}
	g.left = whole.left
	if told {
		if of, then, ok := strings.Cut(put, "，然后"); ok && strings.HasPrefix(of, "列出") {
			return "列出除了" + but + "以外的" + strings.TrimPrefix(of, "列出") + "，然后" + then
		}
		if of, then, ok := strings.Cut(put, ", then "); ok {
			return of + " except for " + but + ", then " + then
		}
	}
	return x.whichInstead(g, but)
}

// whichInstead asks which things are meant, for some words leave that open; once it was answered it is the request for what the answer names.
func (x *Index) whichInstead(g *goal, open string) string {
	said, ok := g.given[open]
	if !ok {
		g.lost = &bus.Ask{Kind: bus.Question, Parameter: open, Question: whichMeant(g.lang, open)}
		return ""
	}
	if !x.wishesChange(said) {
		said = wishes.FirstVerb(wishes.ChangeVerbs(g.text)) + " " + said
	}
	return said
}

// andAlso stands between two things that a change is wished for.
var andAlso = words.MustCompile(`(?i)\s+and\s+(?:also\s+)?|和|以及|还有|跟`)

// picksTwo is what a change is wished for where that is two picks in one, of which one at least goes by rank: the newest and the oldest, the unpaid one and the
// newest pending one. Each is found in a way of its own, and no look-up finds both. "" when it is not so.
func picksTwo(text string) string {
	verbs := wishes.ChangeVerbs(text)
	if len(verbs) != 1 || words.LongNumber.MatchString(text) {
		return ""
	}
	at := verbs[wishes.FirstVerb(verbs)]
	things := text[at:]
	if words.Language(text) == "zh" && at > 0 { // 把 A 和 B 取消
		things = text[:at]
		if strings.TrimSpace(ofAll.ReplaceAllString(things, "")) == "" {
			things = text[at:]
		}
	}
	m := andAlso.FindStringIndex(things)
	if m == nil {
		return ""
	}
	ranked, says := false, func(part string) bool {
		part = fillsOut.ReplaceAllString(ofAll.ReplaceAllString(part, " "), " ")
		return len(words.Content(strings.Replace(part, wishes.FirstVerb(verbs), " ", 1))) > 0
	}
	for _, part := range []string{things[:m[0]], things[m[1]:]} {
		if !says(part) {
			return ""
		}
		ranked = ranked || wishes.MostWords.MatchString(part) || wishes.LeastWord.MatchString(part)
	}
	if !ranked {
		return ""
	}
	return strings.TrimSpace(things)
}

// staysAsItIs is a part at the end of a request by which something of the things stays as it is.
var staysAsItIs = words.MustCompile(`(?i)[，,;；]\s*(?:但是?|而)?(\p{Han}{2,6}?)都?(?:保持|维持)?(?:不变|不动|照旧)$|,?\s+(?:and |but )?(?:keep|leave) the ([a-z]+) (?:as it is|unchanged|alone|the same)$`)

// lessUnchanged is a request for a change without a part that says of a property that it stays as it is, which it does.
func (x *Index) lessUnchanged(text string) string {
	m := staysAsItIs.FindStringSubmatch(text)
	if m == nil || !x.ofProperty(m[1]+m[2]) {
		return text
	}
	return strings.TrimSuffix(text, m[0])
}
