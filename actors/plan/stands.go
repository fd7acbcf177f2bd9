package plan

import (
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

var (
	// freeText are names of parameters whose value may be any sentence, also a question.
	freeText = regexp.MustCompile(`(?i)content|message|text|note|reason|remark|subject|query|question|desc|comment|job`)
	// idNamed are names of parameters that take an id, and longCode is what one looks like: words without any are none.
	idNamed  = regexp.MustCompile(`(?i)(?:_id|_no|_pin|_number|waybill|^id|^code)$`)
	longCode = regexp.MustCompile(`\d{4}|[A-Za-z]\d|\d[A-Za-z]`)
	// asksOf: 它的物流呢, 第二个呢.
	asksOf = regexp.MustCompile(`[它他她这那第].*呢\s*[?？]?$`)
)

// Stands reports whether words said while an ask is open are a request of their own, and neither its answer nor a value that it wants: a
// question, or a wish with a verb. They are a new turn then, and the ask stays open.
func Stands(text string, a bus.Ask) bool {
	for _, o := range a.Options {
		if holds(text, o) {
			return false
		}
	}
	if a.Kind != bus.Approval && (a.Parameter == "" || freeText.MatchString(a.Parameter)) {
		return false
	}
	if questionHan.MatchString(text) || questionEng.MatchString(text) || asksOf.MatchString(text) {
		return true
	}
	if named := idNamed.MatchString(a.Parameter); named && !longCode.MatchString(text) && (splitter{}).begins(text) {
		return true
	}
	// A wish in the middle of a question may still tell the value that is wanted: 帮我开一家卖洋酒的店.
	return (a.Kind == bus.Approval || len(a.Options) > 0 && foreign(text, a)) && splitter{}.begins(text)
}

// foreign reports whether a wish, behind the verb that it begins with, names at least two things, and none that the ask or its options speak of:
// 看看王萍萍的订单, where a product is to be chosen. One alone may be a choice in other words: 改便宜的那个.
func foreign(text string, a bus.Ask) bool {
	if insteadOf.MatchString(text) {
		return false
	}
	about := content(a.Question)
	for _, o := range a.Options {
		about = append(about, content(o)...)
	}
	if m := wantHan.FindStringIndex(text); m != nil {
		text = text[m[1]:]
	} else if m := wantEng.FindStringIndex(text); m != nil {
		text = text[m[1]:]
	}
	named := slices.DeleteFunc(append(content(text), longNumber.FindAllString(text, -1)...), func(w string) bool { return utf8.RuneCountInString(w) < 2 })
	return len(named) >= 2 && !slices.ContainsFunc(named, func(w string) bool { return slices.Contains(about, w) })
}
