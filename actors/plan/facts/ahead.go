package facts

import (
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// A date without a year is the latest one, for most of what is asked is of the past, and the next one where its part of the text looks ahead: 预测10月的销量, remind me
// on Friday. A word that does so elsewhere, or names something else by it (计划部, as planned), says nothing of it; nor does one to those who did something then.

var (
	// ahead: words that look into the future.
	ahead = words.MustCompile(`(?i)预测|预计|预估|将会|未来|计划|安排|提醒|预约|\b(?:forecast|predict|will|plan|schedule|expect|remind)`)
	// notAhead holds such a word and does not look ahead.
	notAhead = words.MustCompile(`(?i)(?:计划|预测|安排|预约|未来)(?:部门?|处|科|组|岗|员|书|表|内|外|单|专员|经理)|(?:按照?|照|依|根据|跟|和|比|超出?|没按|不在)(?:原)?(?:计划|预计|预估|预测|安排|预期)|(?:计划|预计|预约|安排)(?:好|过|完)?了?的(?:一样|那样)|` +
		`\b(?:as|than|like|per|to|with) (?:it was |was |were |we |had |originally |the |our |we had )*(?:plan(?:ned)?|scheduled?|expected|forecast(?:ed)?|predicted)\b|\bplan(?:ning|ners?|s)? (?:department|team|office|committee|staff|group|dept\.?)\b|\b(?:on|off|ahead of|behind) schedule\b|\bunexpected\w*`)
	partEnd   = words.MustCompile(`(?i)[，。；;！!？?\n]|,(?:\s|$)|然后|接着|\b(?:and|but|then) (?:then |also )?(?:what|how|which|when|who|where|why|did|was|were|will|please|forecast|predict|remind|show|list|cancel|refund|ship|send|tell)\b`)
	ofDeedHan = words.MustCompile(`^(?:[^，。；;,]{0,4}?)(?:下单|下的|购买|买|付款|发货|签收|退货|退款|成交|注册|取消)(?:了|过)?的`)
	ofDeedEng = words.MustCompile(`(?i)\b(?:who|that|which|orders?|placed|ordered|bought|paid|shipped|refunded|cancelled|customers|buyers)\b[^,.;]*$`)
)

// looksAhead reports whether the part of a text around a date, which lies between two of its bytes, looks into the future.
func looksAhead(s string, start, end int) bool {
	if !ahead.MatchString(s) {
		return false
	}
	blank := notAhead.ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
	from, to := partAround(blank, start, end)
	if len(words.Content(blank[from:start]+" "+blank[end:to])) == 0 { // 预测销量，10月的: it belongs to what stands beside it
		if from > 0 {
			from, _ = partAround(blank, max(0, strings.LastIndexFunc(blank[:from], unicode.IsLetter)), end)
		} else if to < len(s) {
			_, to = partAround(blank, start, min(len(s), to+len("，")))
		}
	}
	lead := ""
	for _, m := range ahead.FindAllStringIndex(blank[from:to], -1) {
		if at := from + m[1]; at <= start {
			lead = s[at:start]
			continue
		}
		return !ofDeedHan.MatchString(s[end:]) // 10月的销量预测, in October we will
	}
	return ahead.MatchString(blank[from:to]) && !ofDeedHan.MatchString(s[end:]) && !ofDeedEng.MatchString(lead)
}

// partAround are the ends of the part of a text that two of its bytes lie in.
func partAround(s string, start, end int) (from, to int) {
	to = len(s)
	for _, m := range partEnd.FindAllStringIndex(s, -1) {
		if m[1] <= start {
			from = m[0] // with the word that begins it: and what will
		} else if m[0] >= end {
			return from, m[0]
		}
	}
	return from, to
}
