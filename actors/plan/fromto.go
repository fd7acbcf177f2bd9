package plan

import (
	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

var (
	whereTo = words.MustCompile(`(?i)dest|target|(?:^|_)to(?:_|$)|^new|目标|目的`)
	leadsTo = words.MustCompile(`(?i)(?:\b(?:to|into|as|onto)|到|至|成|为|进)\s*["“「]?$`)
)

var (
	// beforeNew and beforeOld stand before a passage, behindNew and behindOld behind one: 把「甲」改成「乙」, replace A with B, 用「乙」代替「甲」, B instead of A.
	beforeNew = words.MustCompile(`(?i)(?:\b(?:to|into|with|by|be|read|say)|[成为作]|应(?:该|当)?是|换上|换|改|[-=]+>|→|⇒)\s*[:：]?\s*["“「『'‘《]?$`)
	beforeOld = words.MustCompile(`(?i)(?:\b(?:from|replace|change|instead of|in place of|rather than)|代替|替代|取代|替换掉?|换掉|不是|而不是|把|将|从|由)\s*[:：]?\s*["“「『'‘《]?$`)
	behindNew = words.MustCompile(`(?i)^["”」』'’》]?\s*(?:(?:来|去)?(?:代替|替代|取代|替换掉?|换掉)\s*["“「『'‘《\p{Han}]|instead of\b|in place of\b|rather than\b)`)
	behindOld = words.MustCompile(`(?i)^["”」』'’》]?\s*(?:(?:全部?|都|一律|统一)?(?:改|换|替换|变|更改|修改|更换)(?:成|为|作)|(?:in|of) [^"“]{1,80}? (?:to|with|into|by)\b|(?:to|with|into|by|should|must)\b|应(?:该|当)?[是为]|[-=]+>|→|⇒)`)
	becoming  = words.MustCompile(`^[^"“「『'‘《]{0,6}[成为作]`)
)

// passages tells which of two passages is which, by their places among the facts; nothing where the words do not tell, or tell both the same.
func passages(s string, found []facts.Fact) map[int]fields.Side {
	out := map[int]fields.Side{}
	var quotes []int
	for i, fa := range found {
		if fa.From == "" && (fa.Kind == facts.Quote || fa.Kind == facts.Source) {
			quotes = append(quotes, i)
			out[i] = sideBeside(words.Before(s, fa.Start), words.Clip(s[fa.End:], 120))
		}
	}
	if len(quotes) != 2 {
		return out
	}
	a, b := quotes[0], quotes[1]
	switch {
	case out[a] == fields.SideUnknown:
		out[a] = out[b].Other()
	case out[b] == fields.SideUnknown:
		out[b] = out[a].Other()
	case out[a] == out[b]:
		out[a], out[b] = fields.SideUnknown, fields.SideUnknown
	}
	return out
}

// passageGiven is the passage for a parameter where one answer tells both: asked for the new text, a person says 把「甲」改成「乙」.
func (x *Index) passageGiven(e *cards.Entry, f *fields.Field, g *goal) (string, bool) {
	if f.Side == fields.SideUnknown || !e.Replaces() {
		return "", false
	}
	for i := range e.Params {
		o := &e.Params[i]
		text, ok := g.given[o.Name]
		if !ok || o.Side == fields.SideUnknown {
			continue
		}
		facts := facts.Read(text, g.now, x.knows)
		sides := passages(text, facts)
		for j, fa := range facts {
			if len(sides) == 2 && sides[j] == f.Side {
				return fa.Text, true
			}
		}
	}
	return "", false
}

// sideBeside tells by the words before and behind a passage which one it is.
func sideBeside(lead, rest string) fields.Side {
	isNew, isOld := beforeNew.MatchString(lead), beforeOld.MatchString(lead)
	if m := behindNew.FindStringIndex(rest); m != nil && !becoming.MatchString(rest[m[0]:]) {
		isNew = true
	}
	isOld = isOld || behindOld.MatchString(rest)
	switch {
	case isNew && !isOld:
		return fields.SideNew
	case isOld && !isNew:
		return fields.SideOld
	}
	return fields.SideUnknown
}

// wrongWay is what speaks against a path as a parameter's value when something goes from one path to another: what follows "to" is where it goes, and
// nothing else is.
func wrongWay(f *fields.Field, s string, fa facts.Fact) float64 {
	if fa.Kind != facts.Path || whereTo.MatchString(f.Parts) == leadsTo.MatchString(words.Before(s, fa.Start)) {
		return 0
	}
	return 0.3
}
