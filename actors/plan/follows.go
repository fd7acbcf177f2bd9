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
	// daysBefore is the day, week, month or year before the one of the question before: 前一个月呢, and the month before that?; its groups are the unit.
	daysBefore = words.MustCompile(`(?i)^(?:那么?|然后|，)*(?:再?往前(?:数|推)?的?|再?之前的?|再?前|再上)(?:那?一?)个?(天|日|周|星期|礼拜|月|季度?|年)(?:的|度)?(?:情况|数据)?(?:又?[是有]?多少|怎么样|如何)?[呢\s?？。]*$` +
		`|^(?:and |so |now |what about |how about |and what about )*(?:for |in )?the (day|week|month|quarter|year) (?:before|prior|preceding)(?: that| this| it)?(?: one)?[?.! ]*$`)
	// ofEachThing asks how much there is of each thing of a list, or what each costs: 它们的库存各是多少, how many are left?, 还剩多少件.
	ofEachThing = words.MustCompile(`(?i)^(?:那么?|请问|，)*(?:[它他]们|这些(?:商品|产品|货)?|(?:这|那)[几两二三四五六七八九十\d]{1,2}[个款种件](?:商品|产品)?)?的?(?:(?:库存|存货|价格|售价|成本)(?:[都各]?是?有?多少|呢|各多少|怎么样|够不够)|(?:[都各]|分别)?(?:是|卖)?多少钱|[都各]?(?:还|剩|有)+下?多少(?:库存|件|个|货|存货)?)(?:件|个|钱)?[了呢啊\s?？。]*$` +
		`|^(?:and |so |now |ok,? )*(?:how (?:many|much)(?: stock| pieces| units| inventory)?(?: (?:are|is|do we have|have we))?(?: still)?(?: got)?(?: there)?(?: left| remaining| in stock)?(?: (?:of|for) (?:each|them|these|those|all of them)(?: of them| one| product)?)?|(?:what(?:'s| is| are) )?(?:the )?(?:stock|inventory|prices?|costs?)(?: levels?| left)? (?:of|for) (?:each|them|these|those)(?: of them| one| product)?|how (?:many|much) (?:do they|does each(?: one)?) cost)[?.! ]*$`)
	// asksCost tells the price from the stock.
	asksCost = words.MustCompile(`(?i)价|成本|多少钱|\bcosts?\b|\bprices?\b`)
	// ofSeveral asks of more than one.
	ofSeveral = words.MustCompile(`(?i)们|这些|那些|[两二三四五六七八九十\d][个款种件]|各|分别|都|\b(?:each|them|these|those|they|all)\b`)
	// whoFirst begins a question whose places are customers.
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
	if full := x.stepsBack(g, text, base); full != "" {
		return full
	}
	if m := againstDays.FindStringSubmatch(text); m != nil {
		days := strings.TrimSpace(m[1] + m[2])
		base = comparedTail.ReplaceAllString(base, "")
		fresh, old := x.facts("in "+days, g.now), datesOf(x.facts(base, g.now))
		if len(fresh) != 1 || len(datesOf(fresh)) != 1 || len(words.Content(strings.Replace("in "+days, fresh[0].Text, " ", 1))) > 0 || len(old) != 1 {
			return ""
		}
		if of := old[0].Value.(facts.Period); of == fresh[0].Value.(facts.Period) { // 跟上一周比, of last week
			return x.heldAgainst(g, base, of, of.Previous())
		}
		if p := old[0].Value.(facts.Period); p.Days() < 360 && aYear.MatchString(days) { // the days of this month are not held against twelve
			days = words.Either(zh, days+"同期", "the same period last year")
		}
		if !strings.Contains(days, " ") && facts.MonthNumber(days) > 0 { // alone it may be a name
			days = fresh[0].Value.(facts.Period).From.Format("January 2006")
		}
		return strings.TrimRight(base, "?？。. ") + words.Either(zh, "，和"+days+"比", " compared with "+days)
	}
	if m := daysBefore.FindStringSubmatch(text); m != nil {
		old := datesOf(x.facts(base, g.now))
		if len(old) != 1 {
			return ""
		}
		p, n := old[0].Value.(facts.Period), unitDays[strings.ToLower(m[1]+m[2])]
		if d := p.Days(); d < n || d > n+n/9 { // not the month before a year
			return ""
		}
		return x.instead(g, base, p.Previous().InDays(words.Either(zh, "zh", "en")))
	}
	if m := drawThat.FindStringSubmatch(text); m != nil && (m[1] != "" || m[2] != "" || drawsIt.MatchString(text)) {
		base = strings.TrimRight(drawnSo.ReplaceAllString(base, ""), "?？。. ")
		return base + words.Either(zh, "，画"+words.Either(m[2] == "", "图", "成"+m[2]), " as"+words.Either(m[1] == "", " a chart", strings.ToLower(m[1])))
	}
	return ""
}

var (
	// comparedTail is what goesWith puts behind a question to hold it against other days.
	comparedTail = words.MustCompile(`，和[^，。]{2,30}比$|，环比$| compared with [^,.]{3,40}$`)
	aYear        = words.MustCompile(`(?i)^(?:去年|上一?年|last year)$`)
)

// unitDays is how many days the shortest of such a unit has.
var unitDays = map[string]int{"天": 1, "日": 1, "day": 1, "周": 7, "星期": 7, "礼拜": 7, "week": 7, "月": 28, "month": 28, "季": 90, "季度": 90, "quarter": 90, "年": 365, "year": 365}

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

// beforeNothing is the newest turn that came to something, where the last one came to nothing and what a text says takes the place of nothing in it: last month, after
// orders of hers and a question that nothing answered. The zero turn: none is.
func (x *Index) beforeNothing(g *goal, last earlier, said string, history []earlier) earlier {
	if !x.cameToNothing(g, last) {
		return earlier{}
	}
	if last.base != "" && x.instead(g, last.base, said) != "" { // it replaces nothing of what failed
		for _, e := range slices.Backward(history[:len(history)-1]) {
			if e.Request == last.base && !e.closed() && e.Ask == nil {
				return e
			}
		}
	}
	if x.instead(g, last.Request, said) != "" {
		return earlier{}
	}
	for _, e := range slices.Backward(history[:len(history)-1]) {
		if e.closed() || e.Ask != nil {
			return earlier{}
		}
		if !x.cameToNothing(g, e) {
			return e
		}
	}
	return earlier{}
}

// cameToNothing reports whether a turn was not done, or was a question to texts in which nothing was found.
func (x *Index) cameToNothing(g *goal, e earlier) bool {
	if missed.MatchString(e.Answer) || !foundNothing.MatchString(e.Answer) {
		return missed.MatchString(e.Answer)
	}
	return x.asksTexts(g, e.Request)
}

// foundNothing is an answer of [round.nothing].
var foundNothing = words.MustCompile(`^(?:没有找到符合条件的结果（|Nothing was found for )`)

// placeBehind is how goesWith asks for a place in a ranking.
var placeBehind = words.MustCompile(`，前\d{1,2}名$|, top \d{1,2}$`)

// maxEach is of how many things of a list each is looked up by itself; of more, all are listed.
const maxEach = 5

// eachThing is a question of so few products, by the names or ids that the last list has of them; "" when it lists none, or more.
func (x *Index) eachThing(text string, g *goal, history []earlier) string {
	if !ofEachThing.MatchString(text) {
		return ""
	}
	turn, l := lastList(history)
	if l == nil {
		return ""
	}
	zh := words.Language(text) == "zh"
	what := words.Either(asksCost.MatchString(text), words.Either(zh, "价格", "price"), words.Either(zh, "库存", "stock"))
	if one := l.winner(history[turn].Turn); len(one) == 1 && !ofSeveral.MatchString(text) && x.otherThing(one[0]) { // of the one that was asked for
		name := words.Either(x.called(*l, one) == "", one[0], x.called(*l, one))
		return words.Either(zh, name+" 的"+what, what+" of "+name)
	}
	if l.cut {
		return ""
	}
	if l.twin { // each of them was looked up by itself
		whole := list{heads: l.heads}
		for _, o := range history[turn].lists {
			if slices.Equal(o.heads, l.heads) && !o.cut {
				whole.rows = append(whole.rows, o.rows...)
			}
		}
		for c := range whole.heads {
			whole.cols = append(whole.cols, whole.col(c))
		}
		l = &whole
	}
	if len(l.rows) == 0 || len(l.rows) > maxEach {
		return ""
	}
	col, _ := l.column("商品", nil)
	if col < 0 {
		return ""
	}
	var names []string
	for _, r := range l.rows {
		sold := slices.ContainsFunc(r, func(cell string) bool {
			return slices.ContainsFunc(x.facts(cell, g.now), func(f facts.Fact) bool { return f.Kind == facts.Known && x.otherThing(f.Text) })
		})
		if !sold || !nameOnly(r[col]) {
			return ""
		}
		names = append(names, r[col])
	}
	if zh {
		return strings.Join(names, "、") + " 的" + what
	}
	return what + " of " + strings.Join(names, " and ")
}

// bestSold ranks what it asks for without a word of degree of its own: sold best, 卖得最好.
var bestSold = words.MustCompile(`(?i)最[好旺火畅]|\bbest\b|\btop\b|排行|排名`)

// datesOf are the stretches of time among facts.
func datesOf(fs []facts.Fact) []facts.Fact {
	return slices.DeleteFunc(slices.Clone(fs), func(f facts.Fact) bool { _, ok := f.Value.(facts.Period); return !ok })
}
