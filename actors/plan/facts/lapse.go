package facts

import (
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// A stretch in which something has not happened ends today, however it is said: 超过三个月没有卖出去, "not ordered in 6 months". Only what sells and
// buys is read so: of what waits, 三天没发货, the stretch tells how long, and not of when the orders are.
var lapsed = []*words.Pattern{
	words.MustCompile(`((?:超过|至少|已经?|都|有|连续|整整|近)*(` + words.HanNumber + `|半)个?(天|日|周|星期|礼拜|月|季度|年)(?:以上|之?内|以内|里|多|来|了|都|还|也|就)*)(?:没|未|无人|零)[^，。,；;？?]{0,4}?(?:卖|销|下[过了]?单|买|购|成交|消费|光顾|来过|动销)`),
	words.MustCompile(`(?i)\b(?:not|never|no|without|nobody|n['’]t)\b[^,.;?]{0,24}?\b(?:s[eo]ld?l?|sales|orders?|ordered|bought|buy|purchased?)\b[^,.;?]{0,12}?\b((?:in|for|within|over)\s+(?:the\s+)?(?:more than\s+|over\s+|at least\s+)?(\d{1,3}|an?|half an?|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty)\s+(day|week|month|quarter|year)s?)\b`),
}

// lapses reads such stretches.
func lapses(s string, now time.Time) []Fact {
	var out []Fact
	for _, re := range lapsed {
		for _, m := range re.FindAllStringSubmatchIndex(s, 5) {
			said, unit := strings.ToLower(s[m[4]:m[5]]), strings.ToLower(s[m[6]:m[7]])
			n, ok := words.Number(said)
			switch {
			case strings.HasPrefix(said, "half") || said == "半":
				n, unit, ok = 6, "month", slices.Contains([]string{"year", "年"}, unit)
			case said == "a" || said == "an":
				n, ok = 1, true
			}
			if ok {
				out = append(out, Fact{Kind: Date, Text: s[m[2]:m[3]], Value: stretch(n, unit, false, now), Start: m[2], End: m[3]})
			}
		}
	}
	return out
}
