package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Turns of a few words that say nothing without the question before them, and add to it what they say: the second of a ranking, the days to hold its figures
// against, a chart of them.

var (
	// nthOf asks for one place of a ranking: 第二名是谁, which is second?; its groups are the number.
	nthOf = words.MustCompile(`(?i)^(?:那么?|请问|然后|，)*(?:排名?在?)?第([二三四五六七八九十]|\d{1,2})(?:名|位|[多高好大贵])的?(?:又?是|呢)?(?:谁|哪一?[个位家款种]|什么|多少)?[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*(?:(?:which|who|what)(?: one| product| city| customer)?(?:'s| is| was| came| comes)? )(?:in |the )*(second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|number (?:\d{1,2}|two|three|four|five)|\d{1,2}(?:st|nd|rd|th))(?: (?:place|best|most|highest|largest|biggest))?[?.! ]*$`)
	// againstDays holds the figures before it against those of other days: 跟上周同一天比呢, compared with last month?; its groups are the days.
	againstDays = words.MustCompile(`(?i)^(?:那么?|再|，)*(?:[跟和与同比较]|对比|相比)(?:起|于|较)?(\p{Han}{2,10}?|[\d\p{Han}\-/]{2,16}?)(?:的(?:时候|情况|数据?))?(?:相?比较?|对比|来说)?(?:起来|一下)?(?:呢|怎么样|如何|差多少|[涨多]了?多少|[有是]?什么变化|涨了还是跌了)?[呢吗吧\s?？。]*$` +
		`|^(?:and |so |now |how (?:does|is|was|did) (?:that|it|this) )*(?:compared?|versus|vs\.?|against|relative|in comparison)(?: (?:it|that|this))?(?: (?:to|with|against))? (.{4,40}?)[?.! ]*$`)
	// whoMost begins a question whose places are customers.
	whoFirst = words.MustCompile(`(?i)^谁`)
)

// goesWith is the question before a turn with what that turn adds to it, where it has such a form and the question takes it; "" else.
func (x *Index) goesWith(g *goal, text, base string) string {
	if base == "" || strings.Contains(base, "\n") || SmallTalk(base) || x.wishesChange(base) {
		return ""
	}
	zh := words.Language(base) == "zh"
	if m := nthOf.FindStringSubmatch(text); m != nil {
		said := strings.TrimPrefix(strings.ToLower(m[1]+m[2]), "number ")
		n, ok := words.Number(said)
		if !ok {
			n = words.Nth(said)
		}
		ranked := wishes.ReadReckoning(base)
		switch {
		case n < 2 || !ranked.Superlative() && ranked.By == "" && !bestSold.MatchString(base):
			return ""
		case ranked.N >= n:
			return base
		}
		base = whoFirst.ReplaceAllString(base, "哪个客户")
		return strings.TrimRight(base, "?？。. ") + words.Either(zh, fmt.Sprintf("，前%d名", n), fmt.Sprintf(", top %d", n))
	}
	if m := againstDays.FindStringSubmatch(text); m != nil {
		days := strings.TrimSpace(m[1] + m[2])
		fresh, old := x.facts("in "+days, g.now), datesOf(x.facts(base, g.now))
		if len(fresh) != 1 || len(datesOf(fresh)) != 1 || len(words.Content(strings.Replace("in "+days, fresh[0].Text, " ", 1))) > 0 || len(old) != 1 {
			return ""
		}
		if !strings.Contains(days, " ") && facts.MonthNumber(days) > 0 { // alone it may be a name
			days = fresh[0].Value.(facts.Period).From.Format("January 2006")
		}
		return strings.TrimRight(base, "?？。. ") + words.Either(zh, "，和"+days+"比", " compared with "+days)
	}
	if m := drawThat.FindStringSubmatch(text); m != nil && (m[1] != "" || m[2] != "" || drawsIt.MatchString(text)) {
		base = strings.TrimRight(drawnSo.ReplaceAllString(base, ""), "?？。. ")
		return base + words.Either(zh, "，画"+words.Either(m[2] == "", "图", "成"+m[2]), " as"+words.Either(m[1] == "", " a chart", strings.ToLower(m[1])))
	}
	return ""
}

// standing is the request of the newest turn that came to something; "" when nothing can go on with it.
func standing(history []earlier) string {
	for _, e := range slices.Backward(history) {
		if e.closed() || e.Ask != nil {
			return ""
		}
		if !missed.MatchString(e.Answer) {
			return e.Request
		}
	}
	return ""
}

// bestSold ranks what it asks for without a word of degree of its own: sold best, 卖得最好.
var bestSold = words.MustCompile(`(?i)最[好旺火畅]|\bbest\b|\btop\b|排行|排名`)

// datesOf are the stretches of time among facts.
func datesOf(fs []facts.Fact) []facts.Fact {
	return slices.DeleteFunc(slices.Clone(fs), func(f facts.Fact) bool { _, ok := f.Value.(facts.Period); return !ok })
}
