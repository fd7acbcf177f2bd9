package plan

import (
	"regexp"
	"slices"
)

// What is changed from one thing into another: a file that is moved, a passage that takes the place of another. Taken the wrong way round, it
// would do harm; so each side is known by the words beside it, and asked for where they do not tell.

// side is which of the two a value or a parameter is.
type side int

const (
	sideUnknown side = iota
	sideOld          // what was there, or where it goes from
	sideNew          // what takes its place, or where it goes
)

var (
	whereTo = regexp.MustCompile(`(?i)dest|target|(?:^|_)to(?:_|$)|^new|目标|目的`)
	leadsTo = regexp.MustCompile(`(?i)(?:\b(?:to|into|as|onto)|到|至|成|为|进)\s*["“「]?$`)

	// namedOld and namedNew are names and titles of parameters that take one of two passages.
	namedOld = regexp.MustCompile(`(?i)^(?:old|find|search|from|before|original)(?:_|[A-Z]|$)|^(?:旧|原|被替换)`)
	namedNew = regexp.MustCompile(`(?i)^(?:new|replace(?:ment)?|with|to|after)(?:_|[A-Z]|$)|^(?:新|替换为|换成|改成)`)
	// beforeNew and beforeOld stand before a passage, behindNew and behindOld behind one: 把「甲」改成「乙」, replace A with B, 用「乙」代替「甲」, B instead of A.
	beforeNew = regexp.MustCompile(`(?i)(?:\b(?:to|into|with|by|be|read|say)|[成为作]|应(?:该|当)?是|换上|换|改|[-=]+>|→|⇒)\s*[:：]?\s*["“「『'‘《]?$`)
	beforeOld = regexp.MustCompile(`(?i)(?:\b(?:from|replace|change|instead of|in place of|rather than)|代替|替代|取代|替换掉?|换掉|不是|而不是|把|将|从|由)\s*[:：]?\s*["“「『'‘《]?$`)
	behindNew = regexp.MustCompile(`(?i)^["”」』'’》]?\s*(?:(?:来|去)?(?:代替|替代|取代|替换掉?|换掉)\s*["“「『'‘《\p{Han}]|instead of\b|in place of\b|rather than\b)`)
	behindOld = regexp.MustCompile(`(?i)^["”」』'’》]?\s*(?:(?:全部?|都|一律|统一)?(?:改|换|替换|变|更改|修改|更换)(?:成|为|作)|(?:in|of) [^"“]{1,80}? (?:to|with|into|by)\b|(?:to|with|into|by|should|must)\b|应(?:该|当)?[是为]|[-=]+>|→|⇒)`)
	becoming  = regexp.MustCompile(`^[^"“「『'‘《]{0,6}[成为作]`)
)

// sideOf is which of the two a parameter takes; unknown for most.
func (f *field) sideOf() side {
	switch {
	case f.Sort != sortText:
		return sideUnknown
	case namedOld.MatchString(f.Name) || namedOld.MatchString(f.Title):
		return sideOld
	case namedNew.MatchString(f.Name) || namedNew.MatchString(f.Title):
		return sideNew
	}
	return sideUnknown
}

// replaces reports whether a card takes a passage and what takes its place.
func (e *entry) replaces() bool {
	takes := func(s side) bool { return slices.ContainsFunc(e.params, func(f field) bool { return f.Side == s }) }
	return takes(sideOld) && takes(sideNew)
}

// passages tells which of two passages is which, by their places among the facts; nothing where the words do not tell, or tell both the same.
func passages(s string, facts []fact) map[int]side {
	out := map[int]side{}
	var quotes []int
	for i, fa := range facts {
		if fa.from == "" && (fa.kind == factQuote || fa.kind == factSource) {
			quotes = append(quotes, i)
			out[i] = sideBeside(before(s, fa.start), clip(s[fa.end:], 120))
		}
	}
	if len(quotes) != 2 {
		return out
	}
	a, b := quotes[0], quotes[1]
	switch {
	case out[a] == sideUnknown:
		out[a] = out[b].other()
	case out[b] == sideUnknown:
		out[b] = out[a].other()
	case out[a] == out[b]:
		out[a], out[b] = sideUnknown, sideUnknown
	}
	return out
}

// passageGiven is the passage for a parameter where one answer tells both: asked for the new text, a person says 把「甲」改成「乙」.
func (x *Index) passageGiven(e *entry, f *field, g *goal) (string, bool) {
	if f.Side == sideUnknown || !e.replaces() {
		return "", false
	}
	for i := range e.params {
		o := &e.params[i]
		text, ok := g.given[o.Name]
		if !ok || o.Side == sideUnknown {
			continue
		}
		facts := readFacts(text, g.now, x.knows)
		sides := passages(text, facts)
		for j, fa := range facts {
			if len(sides) == 2 && sides[j] == f.Side {
				return fa.text, true
			}
		}
	}
	return "", false
}

// other is the opposite side.
func (s side) other() side {
	switch s {
	case sideOld:
		return sideNew
	case sideNew:
		return sideOld
	}
	return sideUnknown
}

// sideBeside tells by the words before and behind a passage which one it is.
func sideBeside(lead, rest string) side {
	isNew, isOld := beforeNew.MatchString(lead), beforeOld.MatchString(lead)
	if m := behindNew.FindStringIndex(rest); m != nil && !becoming.MatchString(rest[m[0]:]) {
		isNew = true
	}
	isOld = isOld || behindOld.MatchString(rest)
	switch {
	case isNew && !isOld:
		return sideNew
	case isOld && !isNew:
		return sideOld
	}
	return sideUnknown
}

// wrongWay is what speaks against a path as a parameter's value when something goes from one path to another: what follows "to" is where it goes, and
// nothing else is.
func wrongWay(f *field, s string, fa fact) float64 {
	if fa.kind != factPath || whereTo.MatchString(f.Name) == leadsTo.MatchString(before(s, fa.start)) {
		return 0
	}
	return 0.3
}
