package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What is asked next of what figures or a list were told of, in words that name nothing of it: who buys it, why was it returned, when was the last one, how much is that
// a day, how long will it last. Such a question is put in full, with the days, the place, the thing and the person of the question before it.

var (
	// asksBuyers asks who buys what was spoken of, or who buys most of it.
	asksBuyers = words.MustCompile(`(?i)^(?:那么?|请问|，|\s)*(?:都|主要)?是?(?:谁|哪些(?:人|客户|买家|顾客)|什么人)(?:经常|一般|都|在)*(?:来)?(?:买|购买|下单)(?:了|的|过)?(?:它们?|这个|这款)?(?:得?最多)?的?[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*(?:who|which (?:customers|buyers|people))(?: (?:is|are|has|have|else|all|usually|mostly))*(?: (?:buys?|bought|buying|orders?|ordered|ordering|purchased))(?: (?:it|them|this|that|these|those))?(?: the most| most)?(?: of (?:it|them))?[?.! ]*$`)
	// asksSpender asks which of the customers spoken of spent most.
	asksSpender = words.MustCompile(`(?i)^(?:那么?|其中|请问|，|\s)*(?:是)?(?:谁|哪一?[个位](?:客户|买家|顾客)?)(?:消费|花费?|花钱|付)(?:得|的|了|金额|钱)*最[多高][呢啊\s?？。]*$|^(?:(?:and|so|then|ok),? )*(?:who|which (?:one|customer|of them|buyer))(?: of them)? (?:spent|spends|paid|pays) (?:the )?most(?: money)?[?.! ]*$`)
	// asksWhose asks for the customers of a list.
	asksWhose = words.MustCompile(`(?i)^(?:那么?|请问|，|\s)*(?:它们|这些|这几[个单笔]|都|分别|各)*是?(?:谁|哪些(?:人|客户|买家|顾客)|哪[位几]+)(?:下|退|申请|取消|买)?的(?:单|订单|退款)?[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*(?:whose (?:(?:orders|refunds|ones) )?(?:are|is|were|was) (?:they|these|those|it|that)|who (?:are|were|is|was) (?:they|these|those|it|that) (?:from|of|for|by)|who (?:placed|made|asked for|returned|cancelled|sent back) (?:them|these|those|it)|who do (?:they|these|those) belong to)[?.! ]*$`)
	// asksWhy asks for the reasons; one of its groups is not empty where it says of what.
	asksWhy = words.MustCompile(`(?i)^(?:那么?|请问|，|\s)*(?:他们?|她们?|它们?|客户|买家|顾客|大家|都|这些|是)*(?:为什么|为何|为啥|因为什么|什么原因|原因是什么)(?:要|会|都|被)*(退(?:货|款|了|的|掉)*|申请退[款货])?的?[呢啊\s?？。]*$|^(?:那么?|请问|，|\s)*(?:都|各自|分别)?(?:是|有)?(?:什么|哪些)?(退[款货]的?)?(?:的)?(?:原因|理由)(?:呢|都?是什么|有哪些|分别是什么)?[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|but|then),? )*(?:why(?: (?:did|do|were|was|are|is|have|has))(?: (?:they|it|people|customers|these|those|them|he|she|that|this))?(?: been| all| be)?( (?:return(?:ed|ing)?|refund(?:ed|ing)?|sen[dt]))?(?: (?:it|them|those|these|that))?(?: back)?|why|for what reasons?|(?:what (?:is|are|was|were) |what about |and )?(?:the )?reasons?)[?.! ]*$`)
	// asksLast asks when something happened last.
	asksLast = words.MustCompile(`(?i)^(?:那么?|请问|，|\s)*(?:[他她它]的?)?(?:上一?次|最后一?[次笔单个]|最近的?一[次笔单个]|最新的?一?[次笔单个])(?:卖出?|买|下单|购买|退款|退货|退|订单)?(?:的|又|是|在|时间)*(?:什么时候|哪一?天|何时|几号|多久以?前)(?:卖|买|下|退)?(?:出|单|款|货|掉)?[的呢啊\s?？。]*$` +
		`|^(?:(?:and|so|but|then),? )*(?:when (?:was|is) (?:the |his |her |their |its )?(?:last|latest|most recent|newest)(?: (?:one|time|order|sale|refund|return|purchase))?(?: of (?:them|these|those|it))?|when (?:was|were) (?:it|this|that|they) last (?:sold|bought|ordered|returned|refunded)|when did (?:he|she|they|we|it) last (?:buy|order|sell|return)(?: (?:it|one|something|any))?)[?.! ]*$`)
	// asksADay asks how much that is a day.
	asksADay = words.MustCompile(`(?i)^(?:那么?|请问|，|\s)*(?:(?:平均|均摊)?(?:下来)?(?:每天|每日|一天|日均)|(?:每天|每日)平均)(?:平均|大概|大约|是|有|能|卖|退|下|花|赚|带来)*(?:了)?(?:多少|几)(?:件|个|单|钱|笔|元|台)?[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*(?:(?:how (?:much|many)(?: (?:orders|pieces|units|refunds))?(?: (?:is|are|was|were) (?:that|it|they|those)| (?:do|did|does) (?:that|it|they|those) (?:cost|bring(?: in)?|sell|make|earn|spend))? (?:a|per|each|every) day(?: on average)?)|(?:what(?:'s| is| was) )?(?:the |its |our )?(?:(?:daily|average) (?:average|number|figure|per day|a day)|daily average|average (?:a|per) day)|on average (?:a|per) day|(?:and )?per day on average)[?.! ]*$`)
	// asksAnOrder asks how much that is an order.
	asksAnOrder = words.MustCompile(`(?i)^(?:那么?|请问|，|\s)*(?:平均)?(?:下来)?(?:每[单笔个](?:订单)?|一单)(?:平均|大概|大约|是|有|卖)*多少(?:钱|元)?[呢啊\s?？。]*$|^客单价(?:是|有)?多少[呢啊\s?？。]*$|^(?:(?:and|so|then|ok),? )*(?:how much (?:is (?:that|it) )?(?:an?|per|each) order(?: on average)?|(?:what(?:'s| is| was) )?(?:the |their |his |her )?average (?:per order|order(?: value)?))[?.! ]*$`)
	// asksLasting asks how long what is in stock lasts.
	asksLasting = words.MustCompile(`(?i)^(?:那么?|请问|现在|它们?的?|，|\s)*(?:的?(?:库存|存货|货))?(?:还|能|够|可以?|再)+(?:卖|撑|用|销|维持)(?:几|多少|多)(?:天|周|个?月|久)[呢啊\s?？。]*$|^(?:那么?|请问|，|\s)*(?:大概|预计|还有?|会|要)*(?:什么时候|多久|几天|哪一?[个款种]最?[先快])(?:会|能|就|后)*(?:卖[完光]|售罄|断货|缺货)[了呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*(?:how (?:long|many (?:more )?(?:days|weeks)) (?:will|does|can|would|do) (?:(?:the|its|our|this|that) )?(?:stock|inventory|it|they|this|that)(?: (?:of it|we have|on hand))?(?: still)? last|when (?:will|do|does) (?:we|it|they) (?:run|sell) out(?: of (?:it|them|stock))?|which (?:one |of (?:them|these|those) )?(?:will )?(?:runs?|sells?|be sold|is) out (?:first|soonest|next))[?.! ]*$`)
	// asksGap asks how far the two figures before it are apart.
	asksGap = words.MustCompile(`(?i)^(?:那么?|请问|这|它们?|，|\s)*(?:两[个者次段款种天周]\p{Han}{0,3}?|两个?月)?(?:之?间)?(?:的?差[距额别异]|相?差)(?:了|是|有|出)*(?:多少|多大|几)(?:钱|件|单|个|元|笔)?[呢啊\s?？。]*$|^(?:那么?|请问|把?它们|把?这?两[个者次段款种天周月]|，|\s)*(?:(?:比较|对比|比)一?下|(?:是)?哪一?[个边款]更?[多高])(?:一些|一点|些|点)?[呢吧啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*(?:which (?:one |of (?:them|the two|these|those) )?(?:is|was|had|has) (?:more|higher)|what(?:'s| is| was)? the (?:difference|gap)(?: between (?:them|the two|those|these|both))?|how (?:much|big|large) (?:is|was) the (?:difference|gap)|how do (?:they|the two|these|those) (?:two )?compare|compare (?:them|the two|those|these|both)(?: two)?)[?.! ]*$`)
	// howManyIn asks for the same figure of other days; its groups are what was done with the things, and the days.
	howManyIn = words.MustCompile(`(?i)^(?:那么?|请问|，)*(.{2,12}?)(?:又?[是有])?(卖了?)?(?:多少|几)(?:件|个|单|钱|笔|台)?[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*how (?:many|much)(?: (?:(?:were|was|is) (?:there|it|that)|did we have|(did we sell|were sold|was sold)))? (?:(?:in|on|during|for) )?(.{3,30}?)[?.! ]*$`)
	// ofRule is what is asked of a rule that was told, and says not of which.
	ofRule = words.MustCompile(`(?i)^(?:那么?|请问|这个?|它|，|\s)*(?:是|该|由|都?要|应该?)*(?:谁来?(?:出|付|承担|负责|买单|掏)(?:钱|费用?|运费|邮费|这个钱)?|(?:一般)?需?要?(?:多久|多长时间|几天|多少天)|要?(?:交|付|收|花)多少(?:钱|费用?)?|多少钱|需?要(?:什么|哪些)(?:材料|条件|证明|资料|凭证)?|(?:怎么|如何)(?:申请|办理?|操作|提交)|有(?:什么|哪些|没有)?(?:例外|限制|条件|要求)吗?)[的呢啊\s?？。]*$` +
		`|^(?:(?:and|so|but|then),? )*(?:who (?:pays|bears|covers|has to pay)(?: (?:for )?(?:it|that|this|then|the (?:costs?|shipping|freight|postage|fee)))?|how long(?: (?:does|will|would|is|can) (?:it|that|this)(?: take)?)?|how much(?: (?:is|does) (?:it|that|this|the fee)(?: cost)?)?|how long (?:do|does|have) (?:i|we|they|you|buyers|the buyer|he|she) (?:have|got)(?: left)?|what (?:proof|evidence|documents?|papers?) (?:is|are|do (?:i|we|they)) need(?:ed)?|what do (?:i|we|they) need(?: for (?:it|that))?|how do (?:i|we|they) (?:apply|do (?:it|that|this))(?: for (?:it|that))?|(?:are there |what are the )(?:any )?(?:exceptions|limits|conditions))[?.! ]*$`)
	// ofRefunds is about what was given back.
	ofRefunds = words.MustCompile(`(?i)退|\b(?:refund|return)`)
	ofSales   = words.MustCompile(`(?i)卖|买|下单|订单|销|\b(?:s[oe]ld|sells?|sales?|buys?|bought|orders?|ordered|purchase)\b`)
)

// subject is what a question is about, each as it was said; "" for what it does not name.
type subject struct{ days, place, thing, who string }

// subjectOf reads it; false where the question names two of a kind, so that it is not clear which.
func (x *Index) subjectOf(g *goal, base string, history []earlier) (s subject, ok bool) {
	base = comparedTail.ReplaceAllString(base, "")
	put := func(to *string, said string) bool {
		if *to == "" || strings.Contains(said, *to) {
			*to = said
		}
		return strings.Contains(*to, said)
	}
	for _, f := range x.facts(base, g.now) {
		ok := true
		switch {
		case f.Kind == facts.Date:
			ok = put(&s.days, f.Text)
		case f.Kind == facts.Place:
			ok = put(&s.place, f.Text)
		case f.Kind == facts.Person:
			ok = put(&s.who, f.Text)
		case f.Kind == facts.Digits && idLike.MatchString(f.Text) && x.nameIn(history, f.Text) != "":
			ok = put(&s.thing, x.nameIn(history, f.Text))
		case f.Kind == facts.Digits && idLike.MatchString(f.Text):
			ok = put(&s.who, strings.TrimSpace(x.idNoun(f.Text, g.lang)+" "+f.Text))
		case f.Kind == facts.Known && x.otherThing(f.Text):
			ok = put(&s.thing, f.Text)
		}
		if !ok {
			return subject{}, false
		}
	}
	if s.thing == "" {
		s.thing = x.kindIn(base)
	}
	if n := len(history); s.thing == "" && n > 0 && len(history[n-1].lists) > 0 {
		ls := history[n-1].lists
		s.thing = x.called(ls[len(ls)-1], ls[len(ls)-1].winner(history[n-1].Turn))
		if l := ls[len(ls)-1]; s.thing == "" && s.who == "" && whoFirst.MatchString(base) || whoFirstEng.MatchString(base) { // of whom it was asked who is first
			s.who = l.first(history[n-1].Turn)
		}
	}
	return s, true
}

// whoFirstEng is whoFirst in English.
var whoFirstEng = words.MustCompile(`(?i)^(?:and |so )?(?:who|which customer)\b`)

// called is the product of a list that is one of its cells, by its name where another cell has that; "" for none.
func (x *Index) called(l list, one []string) string {
	if len(one) != 1 || !x.otherThing(one[0]) || !isID(one[0]) {
		return words.Either(len(one) == 1 && x.otherThing(strings.Join(one, "")), strings.Join(one, ""), "")
	}
	for _, r := range l.rows {
		for _, c := range r {
			if slices.Contains(r, one[0]) && !isID(c) && nameOnly(c) && x.otherThing(c) {
				return c
			}
		}
	}
	return ""
}

// nameIn is the name of the product with an id, as the lists shown have it; "" when none has.
func (x *Index) nameIn(history []earlier, id string) string {
	for _, e := range slices.Backward(history) {
		for _, l := range e.lists {
			if name := x.called(l, []string{id}); name != "" {
				return name
			}
		}
	}
	return ""
}

// kindIn is a kind of goods that a question in English names by a word of the trade, as phone is one; "" for none.
func (x *Index) kindIn(base string) string {
	for _, w := range latinWords.FindAllString(strings.ToLower(base), 40) {
		if x.isOne(strings.TrimSuffix(w, "s"), "category") {
			return w
		}
	}
	return ""
}

// kindAt is where such a word stands in a text; -1 where none does.
func (x *Index) kindAt(base string) int {
	kind := x.kindIn(base)
	if kind == "" {
		return -1
	}
	return strings.Index(strings.ToLower(base), kind)
}

// tight joins parts as Chinese does, but for two that are both Latin where they meet.
func tight(parts ...string) string {
	out := ""
	for _, p := range parts {
		if n := len(out); n > 0 && p != "" && words.WordByte(out, n-1) && words.WordByte(p, 0) {
			out += " "
		}
		out += p
	}
	return out
}

// inFull is a question that says how it is asked in Chinese, and what goes before and behind it in English: "which customers bought " + thing.
func (s subject) inFull(zh bool, han, head, tail string) string {
	if zh {
		return tight(s.days, s.place, s.who, s.thing, han)
	}
	of := strings.TrimSpace(s.who + " " + s.thing)
	if of != "" && !strings.HasSuffix(head, " bought") {
		of = "of " + of
	}
	out := strings.TrimSpace(head + " " + of)
	if s.place != "" {
		out += " in " + s.place
	}
	return out + tail + words.Either(s.days == "", "", words.Either(strings.HasPrefix(s.days, "in ") || strings.HasPrefix(s.days, "on "), " ", ", ")+s.days)
}

// further is such a question in full; "" for any other, and where the question before it was about nothing of the kind.
func (x *Index) further(g *goal, text, base string, history []earlier) string {
	if base == "" || len([]rune(text)) > 60 || strings.Contains(base, "\n") || SmallTalk(base) {
		return ""
	}
	again := !x.wishesChange(base) // it may be asked once more
	if again && asksGap.MatchString(text) {
		return x.apartBy(g, base, history)
	}
	if full := x.besideIt(g, text, base); again && full != "" {
		return full
	}
	if ofCampaigns.MatchString(base) {
		return ""
	}
	s, ok := x.subjectOf(g, base, history)
	if !ok {
		return ""
	}
	zh := words.Language(text) == "zh"
	refunds := ofRefunds.MatchString(base)
	if asksBuyers.MatchString(text) {
		if words.LongNumber.MatchString(s.who) && s.thing == "" { // of one order
			return words.Either(zh, s.who+" 是谁买的", "who is the buyer of "+s.who)
		}
		return s.buyers(zh)
	}
	if asksSpender.MatchString(text) && s.who == "" && (s != subject{}) {
		return words.Either(zh, s.days+s.place+words.Either(s.thing == "", "", "买"+s.thing)+"消费最多的客户是谁", subject{s.days, s.place, "", ""}.inFull(false, "", "which customer"+words.Either(s.thing == "", "", " who bought "+s.thing)+" spent the most", ""))
	}
	switch last := history[len(history)-1]; {
	case again && asksWhose.MatchString(text):
		for _, l := range last.lists {
			if slices.ContainsFunc(l.cols, func(c column) bool {
				return slices.Contains([]string{"客户", "买家", "customer", "buyer", "订单", "order"}, c.noun)
			}) {
				return base
			}
		}
		if last.empty() {
			return base
		}
		if refunds { // they were put together
			return s.inFull(zh, "的退款申请有哪些", "list the refunds", "")
		}
		return s.buyers(zh)
	case asksWhy.MatchString(text):
		if !refunds && (strings.Join(asksWhy.FindStringSubmatch(text)[1:], "") == "" || s == subject{}) {
			return ""
		}
		return s.inFull(zh, "的退款原因", "refunds", " by reason")
	case asksLast.MatchString(text):
		return s.newest(zh, ofRefunds.MatchString(text) || refunds && !ofSales.MatchString(text), ofSales.MatchString(base))
	case asksADay.MatchString(text):
		return s.aDay(zh, base)
	case asksAnOrder.MatchString(text) && s != subject{}:
		return s.inFull(zh, "的客单价是多少", "average order value", "")
	case asksLasting.MatchString(text) && s.thing != "":
		return words.Either(zh, s.thing+"的库存还够卖几天", "how long does the stock of "+s.thing+" last")
	}
	if m := howManyIn.FindStringSubmatch(text); m != nil && again {
		said := "in " + m[1] + m[4]
		fresh := x.facts(said, g.now)
		if len(fresh) != 1 || len(datesOf(fresh)) != 1 || len(words.Content(strings.Replace(said, fresh[0].Text, " ", 1))) > 0 || m[2]+m[3] != "" && (s.days == "" || s.thing == "" || s.who != "" || refunds || !ofSales.MatchString(base)) {
			return ""
		}
		if s.days == "" {
			return join(base, fresh[0].Text, words.Language(base))
		}
		return x.instead(g, base, fresh[0].Text)
	}
	return ""
}

// buyers asks who buys a thing; those who spent most stand first.
func (s subject) buyers(zh bool) string {
	switch {
	case s.thing == "" || s.who != "":
		return ""
	case zh:
		return tight(s.days, "买", s.thing, "的", s.place, "客户有哪些")
	}
	return s.inFull(false, "", "which customers bought", "")
}

// newest asks for the last order or refund, whenever that was.
func (s subject) newest(zh, refunds, sold bool) string {
	s.days = ""
	switch {
	case refunds:
		return s.inFull(zh, "最新的一笔退款", "the newest refund", "")
	case s.thing == "" && s.place == "" && s.who != "":
		return words.Either(zh, s.who+"最近一次下单是什么时候", "when did "+s.who+" last order")
	case s == subject{} && !sold:
		return ""
	}
	return s.inFull(zh, "最新的一个订单", "the newest order", "")
}

// aDay asks for what a question counts, for each day.
func (s subject) aDay(zh bool, base string) string {
	if (s == subject{}) || s.who != "" {
		return ""
	}
	for _, m := range measures {
		switch {
		case !m.MatchString(base):
			continue
		case m.called[1] == "refunds":
			return s.inFull(zh, "退款平均每天多少", "refunds per day", "")
		case m.called[1] == "orders":
			return s.inFull(zh, "的订单平均每天多少", "orders per day", "")
		}
		break
	}
	return s.inFull(zh, "平均每天卖多少", "average sales per day", "")
}
