package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// Words beside a place in a list or a pronoun that turn it round: all but the first one, the order after it, 其它. What is named there is
// what shall not be touched, so a change is not carried out by it: the things are asked for.

var (
	// allBut tells what a change shall leave alone, or takes back what was said.
	allBut = words.MustCompile(`(?i)(?:^|[^删清解扣移免拆根去])除(?:了|去|开|掉|第|这|那|此|它|他|她)|以外|之外|除外|其[他它余]|剩下|剩余|留着|留下|保留|别动|不动|跳过|不对|说错|而?不是|` +
		`[,.;]\s*(?:no|wait|sorry|i meant?)\b|(?:,|\band|\bbut) not (?:the|it|this|that|number|row)\b|\b(?:skip|minus)\b|\b(?:save|without) (?:for )?(?:the|it|this|that|number|row)\b|` +
		`\b(?:` + exceptEng + `|besides|spare|unless|rather than)\b|\b(?:but not|all but|but (?:for )?(?:the|it|this|that))\b|\b(?:everything|every ?one|any|them|these|those|orders?|ones) but\b|` +
		`\bthe (?:rest|others?|remaining|remainder)\b|\b(?:keep|leave)\s+(?:out\s+)?(?:it|the|this|that|them|these|those|only|all|row|number)\b`)
	// theOthers are of a list that is only known by what is not meant.
	theOthers = words.MustCompile(`(?i)其[他它余]|剩下|剩余|\bthe (?:rest|others?|remaining|remainder)\b|\bother (?:ones?|orders?)\b`)
	// nextTo stands before a place that is not itself meant, and nextOf behind one. In time they mean that only where something is to be changed.
	nextTo   = words.MustCompile(`(?i)(?:\b(?:below|under|underneath|above|beneath|following|past|beyond|through|thru|next to)\s+|[到至]|第\s?[一二两三四五六七八九十\d]{1,3}\s?[、,和与及])$`)
	nextOf   = words.MustCompile(`(?i)^的?\s*(?:之[上下]|以[上下]|[上下前后][面边]|往[前后上下]|[上下前后]一?[个单条行笔]|[到至](?:第|最后)|旁边|隔壁)|^(?:\s*,)?\s*(?:and\s+(?:the\s+)?)?(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d{1,2}(?:st|nd|rd|th))\b|^\s+(?:onwards?|downwards?|upwards?|on down|and (?:below|above|under|up|down|on)|(?:to|through|thru|until|till)\s+(?:the\s+)?(?:last|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d))\b`)
	alsoRow  = words.MustCompile(`(?i)^\s*(?:,|and\b)`)
	laterTo  = words.MustCompile(`(?i)\b(?:before|after|since|until|till)\s+$`)
	laterOf  = words.MustCompile(`(?i)^的?\s*(?:[之以][前后]|起|开始|及?往)|^\s+(?:and|or) (?:later|earlier|after|before)\b`)
	fromHan  = words.MustCompile(`第\s?([一二两三四五六七八九十\d]{1,3})(?:个|单|笔|条|行|项|位|款)?(?:订单)?\s*(?:到|至|[-~～—–]+)\s*$`)
	fromRow  = words.MustCompile(`(?i)\b(?:row|number)\s(\d{1,2})\s+to\s+$`)
	fromEng  = words.MustCompile(`(?i)\bthe\s+(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|\d{1,2}(?:st|nd|rd|th))(?:\s+(?:one|order|row))?\s+(?:through|thru|to|until|till)\s+$`)
	fromLast = words.MustCompile(`(?i)^[\s-]+to[\s-]+last\b`)
)

// since is where a range of places begins: 第一到第三个 and "the first through the third" are three rows. start is its first byte.
func (s place) since(text string) (from, start int) {
	lead := words.Before(text, s.start)
	n := 0
	if m := fromHan.FindStringSubmatch(lead); m != nil {
		n, _ = words.Number(m[1])
		lead = m[0]
	} else if m := fromRow.FindStringSubmatch(lead); m != nil {
		n = words.Nth(m[1])
		lead = m[0]
	} else if m := fromEng.FindStringSubmatch(lead); m != nil {
		n = words.Nth(m[1])
		lead = m[0]
	}
	if n < 1 || s.from != s.to || n >= s.to {
		return s.from, s.start
	}
	return n, s.start - len(lead)
}

// beside is the stretch of a text by which a place in a list or a pronoun does not mean what is named; "" when each means just that.
func (x *Index) beside(text string, places []place, history []earlier) string {
	change := x.wishesChange(text)
	for i, s := range places {
		lead, rest := words.Before(text, s.start), text[s.end:]
		for _, re := range []*words.Pattern{nextTo, laterTo} {
			if m := re.FindString(lead); m != "" && (change || re == nextTo) {
				return m + s.text
			}
		}
		for _, re := range []*words.Pattern{nextOf, laterOf} {
			m := re.FindString(rest)
			if i+1 < len(places) && places[i+1].start < s.end+len(m) && alsoRow.MatchString(m) { // the next one is read as well
				continue
			}
			if m != "" && (change || re == nextOf) {
				return s.text + m
			}
		}
	}
	if !change {
		return ""
	}
	points := len(places) > 0 || !words.LongNumber.MatchString(text) && (len(history) > 0 && theOthers.MatchString(text) || allOfThem.MatchString(text))
	for _, p := range pronouns {
		points = points || p.MatchString(text)
	}
	if !points {
		return ""
	}
	told := toldOrQuoted(text)
	for _, m := range allBut.FindAllStringIndex(text, -1) {
		if !overlaps(told, m[0], m[1]) {
			return text[m[0]:m[1]]
		}
	}
	return ""
}

// wishesChange reports whether any part of a text wishes for a change.
func (x *Index) wishesChange(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",，;；。\n", r) })
	return slices.ContainsFunc(append(parts, text), func(part string) bool {
		c := wishes.Clause{End: len(part)}
		c.Classify(part)
		return len(c.Change) > 0
	})
}

// asksWhich settles a request in which words turn a place or a pronoun round: it becomes goal.lost, or, once that was answered, a request for
// what the answer names. false when nothing is turned round.
func (x *Index) asksWhich(g *goal, text string, places []place, history []earlier) (put string, ok bool) {
	what := x.beside(x.unexcepted(text, g), places, history)
	if what == "" {
		return text, false
	}
	if put, ok := x.theRest(text, places, history); ok && allBut.MatchString(text) {
		return put, false
	}
	if said, ok := g.given[what]; ok {
		if !x.wishesChange(said) {
			said = wishes.FirstVerb(wishes.ChangeVerbs(text)) + " " + said
		}
		if ps := placesIn(said, history); x.beside(x.unexcepted(said, g), ps, history) == "" {
			return said, false
		}
	}
	g.lost = &bus.Ask{Kind: bus.Question, Parameter: what, Question: whichMeant(g.lang, what)}
	return text, true
}

// whichMeant asks which things are meant, for some words leave that open.
func whichMeant(lang, what string) string {
	return words.Say(lang, "因为有「%s」，我读不准该处理哪几个，所以什么也没有执行。请直接告诉我要处理的编号或名称，或者它们在列表里的位置，比如「第二到第四个」。",
		"Because of “%s” I cannot tell for sure which ones are meant, so nothing was done. Please tell me the numbers or names of those to be dealt with, or their places in the list, such as “rows 2 to 4”.", what)
}
