package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A few words that say nothing of what: where is the parcel, of the one order spoken of; how much in total, of the list; and the worst, after the best. What is left of such a
// turn to be read alone would be told of the whole shop, and that is said.

var (
	// ofItsParcel asks of the shipment of an order, asksBuyer of who placed it, and asksGoods of what was bought with it.
	ofItsParcel = words.MustCompile(`(?i)^(?:那么?|现在|请问|，|\s)*(?:的?(?:物流|快递|包裹|运单)(?:信息|情况|状态|单号|号|呢)*|(?:什么时候|何时|哪一?天|几号)?(?:签收|发货|寄出|送到|到货)(?:了|的)?(?:吗|没有?)?)(?:现在)?(?:到哪(?:里|儿)?了?|在哪(?:里|儿)?|怎么?样了?|是?多少|什么时候到)?[呢啊吗\s?？。]*$` +
		`|^(?:(?:and|so|but|then),? )*(?:where(?:'s| is) (?:the |its )?(?:parcel|package|shipment|delivery)(?: now)?|(?:has|was|when was|when will) (?:it|the (?:parcel|package|order)) (?:be )?(?:been )?(?:shipped|delivered|sent|arrive[d]?)(?: yet)?|track(?: it| the parcel)?)[?.! ]*$`)
	asksBuyer = words.MustCompile(`(?i)^(?:那么?|请问|，|\s)*(?:它?是)?(?:谁|哪位|哪个(?:客户|买家|顾客))(?:买|下|订购?)(?:的|单|了)*[呢啊\s?？。]*$|^(?:(?:and|so|then),? )*who (?:bought|ordered|placed) (?:it|this|that|the order)[?.! ]*$`)
	asksGoods = words.MustCompile(`(?i)^(?:那么?|请问|，|\s)*(?:它?是|买的?是?|里面?(?:是|有)?)(?:什么|啥|哪些|哪个)(?:商品|产品|东西|货)?[呢啊\s?？。]*$|^(?:(?:and|so|then),? )*(?:what (?:is|was) (?:in it|it|bought|ordered)|what did (?:it|they) contain|which products?(?: (?:is|was) (?:it|that|in it))?)[?.! ]*$`)
	// inTotal asks what a list comes to.
	inTotal = words.MustCompile(`(?i)^(?:那么?|请问|，|\s)*(?:一共|总共|合计|加起来|总)(?:是|有)?(?:多少|几)(?:钱|金额|元|个|单|笔|件)?[呢啊\s?？。]*$|^(?:那么?|，)*(?:总金额|总额|总数|合计)(?:是|有)?(?:多少)?[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then),? )*(?:how many (?:orders|pieces|refunds) (?:is|are|was|were) (?:that|it|those|they)|how (?:much|many)(?: (?:is|are|was|were) (?:that|it|they|there))? (?:in total|altogether|in all|all together)|in total|(?:what(?:'s| is) )?the (?:total|sum))[?.! ]*$`)
	// theOtherEnd asks for the other end of a ranking; its groups are the superlative.
	theOtherEnd = words.MustCompile(`(?i)^(?:那么?|然后|请问|，|\s)*(最[差少低坏慢贵]|最便宜|最[好多高快])(?:的)?(?:又?是)?(?:哪一?[个款种位天月]|谁|那个)?[呢啊\s?？。]*$|^(?:(?:and|so|then|but|what about|how about|which (?:one )?(?:is|was)),? )*(?:the )?(worst|best|least|most|lowest|highest|fewest|slowest|cheapest|dearest|most expensive|weakest|strongest)(?: one| selling)?[?.! ]*$`)
	superlative = words.MustCompile(`(?i)最(?:便宜|[好差多少高低坏快慢贵])|\b(?:most expensive|worst|best|least|most|lowest|highest|fewest|slowest|cheapest|weakest|strongest)\b`)
)

// oneOrder is the id of the only order that the turn before was about, or that it found; "" for none.
func (x *Index) oneOrder(g *goal, history []earlier) string {
	n := len(history)
	if n == 0 || history[n-1].closed() || history[n-1].Ask != nil {
		return ""
	}
	last := history[n-1]
	order := func(id string) bool {
		return words.LongNumber.MatchString(id) && slices.Contains([]string{"订单", "order"}, x.idNoun(id, g.lang))
	}
	var named []string
	for _, f := range x.facts(last.Request, g.now) {
		if order(f.Text) && !slices.Contains(named, f.Text) {
			named = append(named, f.Text)
		}
	}
	if len(named) > 0 {
		return words.Either(len(named) == 1, named[0], "")
	}
	if len(last.lists) == 0 {
		return ""
	}
	l := last.lists[len(last.lists)-1]
	col := slices.IndexFunc(l.cols, func(c column) bool { return c.ids && slices.Contains([]string{"订单", "order"}, c.noun) })
	if col < 0 || len(l.rows) == 0 || l.cut && len(l.rows) < 2 {
		return ""
	}
	lead, _, _ := strings.Cut(last.Answer, "\n|")
	for i, r := range l.rows { // the one that the words name, or the only one
		if order(r[col]) && (len(l.rows) == 1 || i == 0 && wishes.ReadReckoning(last.Request).Superlative() && strings.Contains(lead, r[col])) {
			return r[col]
		}
	}
	return ""
}

// elliptic is such a turn in full; "" for any other.
func (x *Index) elliptic(g *goal, text, base string, history []earlier) string {
	if base == "" || len([]rune(text)) > 60 || strings.Contains(base, "\n") {
		return ""
	}
	zh := words.Language(text) == "zh"
	parcel, buyer, goods := ofItsParcel.MatchString(text), asksBuyer.MatchString(text), asksGoods.MatchString(text)
	if id := x.oneOrder(g, history); id != "" && (parcel || buyer || goods) {
		what := words.Either(parcel, words.Either(zh, "的物流", "track order "), words.Either(zh, "的详情", "show order "))
		return words.Either(zh, "订单 "+id+" "+what, what+id)
	}
	if inTotal.MatchString(text) && len(history[len(history)-1].lists) > 0 && !x.wishesChange(base) && !x.asksTexts(g, base) {
		return base
	}
	if m := theOtherEnd.FindStringSubmatch(text); m != nil {
		for _, e := range slices.Backward(history[max(0, len(history)-lookBack):]) {
			was := superlative.FindAllString(e.Request, 2)
			if len(was) == 1 && !e.closed() && !x.wishesChange(e.Request) && !missed.MatchString(e.Answer) && words.HasHan(was[0]) == zh && strings.TrimSpace(m[1]+m[2]) != was[0] {
				return strings.Replace(e.Request, was[0], m[1]+m[2], 1)
			}
		}
	}
	return ""
}

// The longest text, in runes and in words, that is taken to leave something out.
const (
	fewRunes = 8
	fewWords = 6
)

// leftOut is what the question before was about and a turn of a few words that is read alone leaves out, where the tool for it could be limited by that; "" for any other.
func (x *Index) leftOut(g *goal, text, base string, history []earlier) string {
	han := words.HasHan(text)
	if base == "" || len(history) == 0 || han && len([]rune(text)) > fewRunes || len(strings.Fields(text)) > fewWords || SmallTalk(text) || strings.Contains(base, "\n") ||
		len(x.facts(text, g.now)) > 0 || allMeant.MatchString(text) || x.behind == nil {
		return ""
	}
	s, ok := x.subjectOf(g, base, history)
	if !ok || s == (subject{}) {
		return ""
	}
	alone := goal{text: text, lang: g.lang, now: g.now, given: map[string]string{}}
	x = x.behind.index
	x.read(&alone)
	if len(alone.clauses) != 1 || len(alone.clauses[0].Change) > 0 {
		return ""
	}
	t := x.top(&alone, alone.clauses[0])
	if t == nil || !t.e.Reads() || t.e.Knowledge() {
		return ""
	}
	var out []string
	for _, p := range []struct {
		said string
		sort fields.Sort
	}{{s.who, fields.Person}, {s.thing, fields.Text}, {s.place, fields.Text}, {s.days, fields.Date}} {
		if p.said != "" && !words.LongNumber.MatchString(p.said) && slices.ContainsFunc(t.e.Params, func(f fields.Field) bool {
			return f.Sort == p.sort && (p.sort != fields.Text || f.Knows(p.said))
		}) {
			out = append(out, words.Say(g.lang, "「%s」", "“%s”", p.said))
		}
	}
	return strings.Join(out, "")
}

// allMeant says that all is meant.
var allMeant = words.MustCompile(`(?i)全店|全部|所有|店里|整体|\b(?:shop|store|all|overall|every)\b`)

// wider says before an answer that it is not limited to what the question before was about.
func (r *round) wider(answer string) string {
	if r.g.wider == "" || answer == "" || len(r.in.Done) == 0 || Missed(answer) {
		return answer
	}
	return words.Say(r.g.lang, "注意：这次没有说是哪个，所以下面没有限于%s；要只看它的，请连着说出来。", "Note: nothing says of which, so this is not limited to %s; please name it as well for that.", r.g.wider) + "\n\n" + answer
}

// caseOfText reports whether a fact is a length of time, which a rule tells, and no day.
func caseOfText(f facts.Fact, text string) bool {
	return f.Kind == facts.Date && aLength.MatchString(text)
}

// aLength is a length of time.
var aLength = words.MustCompile(`(?i)[\d一二两三四五六七八九十]+\s*个?(?:天|小时|工作日|日内|周|星期|月)|\b(?:\d+|one|two|three|seven|ten|fifteen|thirty)\s*(?:days?|hours?|weeks?|months?)\b`)
