package cards

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

var (
	// forWhom begins a description with whom it is done for, 给客户…, and toWhom ends one with that.
	forWhom = words.MustCompile(`^[给向为对替帮](?:一[个位名]|某[个位]?|指定的?)?\p{Han}{0,3}[人员者家户友方生工师商客丝们]`)
	toWhom  = words.MustCompile(`[给到至]\p{Han}{1,8}$`)
	// aMeasure stands between a verb and its thing.
	aMeasure = words.MustCompile(`^(\p{Han}{1,2}?)[一某]?[个张份条次封笔件](\p{Han}{2,8})$`)
	// partsDeed parts a verb from a thing that it is not done to, and undone stands before one that is not done.
	partsDeed = words.MustCompile(`[了过的没未不,，。;；！!？?]`)
	// byBa stands before a thing whose verb is behind it, 把标签打印出来, and worth before one that is worth so much: 50元的优惠券.
	byBa   = words.MustCompile(`[把将][^，,。；;！!？?]{0,20}$`)
	worth  = words.MustCompile(`\d+(?:\.\d+)?(?:元|块钱?|折)的`)
	undone = words.MustCompile(`[没未不已别勿]$`)
)

// doesToThing reports whether a text in Chinese has the verb of the description before the thing that it is done to, not far apart: 给王萍萍发20元优惠券, where the tool says 给客户发优惠券.
// The verb may be of one sign, and who it is done for may stand before it, so that the description does not begin with it.
func (e *Entry) doesToThing(text string) bool {
	if !words.IsHan(words.FirstRune(e.Description)) || !words.HasHan(text) {
		return false
	}
	first, _, _ := strings.Cut(words.Clip(e.Description, 200), "。")
	first, _, _ = strings.Cut(first, "，")
	first = toWhom.ReplaceAllString(forWhom.ReplaceAllString(first, ""), "")
	if len(wishes.ChangeVerbs(first)) > 0 { // a verb of change that is known is read as such
		return false
	}
	if m := aMeasure.FindStringSubmatch(first); m != nil {
		return slices.ContainsFunc([]rune(m[1]), func(v rune) bool { return doneTo(text, string(v), m[2]) })
	}
	rs := []rune(first)
	return len(rs) >= 3 && len(rs) <= 8 && !strings.ContainsFunc(first, func(r rune) bool { return !words.IsHan(r) }) && doneTo(text, string(rs[0]), string(rs[1:]))
}

// doneTo reports whether a text has a verb and, not far behind it, the thing that it is done to: 发20元优惠券. What was done, or is not to be, is none, nor is what the thing
// is only a word of: 发优惠券的客户.
func doneTo(text, verb, thing string) bool {
	at := strings.LastIndex(text, thing)
	if at < 0 || strings.HasPrefix(text[at+len(thing):], "的") {
		return false
	}
	if behind := text[at+len(thing):]; strings.HasPrefix(behind, verb+"给") || strings.HasPrefix(behind, verb) && byBa.MatchString(text[:at]) {
		return !undone.MatchString(text[:at])
	}
	text = worth.ReplaceAllString(text, " ")
	at = strings.LastIndex(text, thing)
	v := strings.LastIndex(text[:at], verb)
	return v >= 0 && utf8.RuneCountInString(text[v:at]) <= 12 && !partsDeed.MatchString(text[v:at]) && !undone.MatchString(text[:v])
}
