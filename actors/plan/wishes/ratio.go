package wishes

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

var (
	ratioHan = words.MustCompile(`(\p{Han}{2,10}?)(?:大概|大约|一共|总共|到底)?占了?(?:到|全店|整个|全部|所有|我们|总)*的?(\p{Han}{2,8}?)的?(?:多少|几成|百分之|比例|比重|占比|多大|几个点)|(\p{Han}{2,10}?)[与和跟对](\p{Han}{2,8}?)(?:之间)?的(?:比例|比值|比率)`)
	ratioEng = words.MustCompile(`(?i)\b([a-z][a-z ]{1,30}?) (?:is |are |was |were )?as an? (?:share|percentage|percent|proportion|fraction|part) of (?:the |our |my |total |all )*([a-z][a-z ]{1,20})|\b(?:ratio|share|percentage|proportion) of (?:the |our |my |total |all )*([a-z][a-z ]{1,30}?) (?:to|in|relative to|compared (?:to|with)|against|over) (?:the |our |my |total |all )*([a-z][a-z ]{1,20})`)
	// partOfEng names the whole first: what percentage of sales is refunded.
	partOfEng = words.MustCompile(`(?i)\b(?:share|percentage|percent|per cent|proportion|fraction|part|how much) of (?:the |our |my |total |all )*([a-z][a-z ]{1,20}?) (?:is|are|was|were|do|does|did|goes?|went|comes?|came|gets?|got|has been|have been)\b([a-z ]{3,40})`)
)

// Ratio reads which figure a text wants as a part of which other one, as it calls them: 退款金额 and 销售额 of 退款金额占销售额多少. ok is false when it wants none.
func Ratio(text string) (part, whole string, ok bool) {
	for _, re := range []*words.Pattern{ratioHan, ratioEng} {
		if m := re.FindStringSubmatch(text); m != nil {
			return strings.TrimSpace(m[1] + m[3]), strings.TrimSpace(m[2] + m[4]), true
		}
	}
	if m := partOfEng.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[2]), strings.TrimSpace(m[1]), true
	}
	return "", "", false
}
