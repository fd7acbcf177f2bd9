package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What a short question takes along from the one before it: "which product was returned most?" and 毛利率多少 after the sales of October are of October.

var (
	// asksMeasure asks for one figure and says not of what: 利润率是多少, and the refund rate?
	asksMeasure = words.MustCompile(`(?i)^(?:那么?|请问|然后|它们?的?|这个?的?|，|\s)*(?:(?:毛利|利润|净利|退款|退货)率?|客单价|销量|销售额|营业额|营收|订单[数量]|下单量|件数)(?:(?:是|有|又是|大概)?(?:多少|怎么样|如何|高吗|高不高)[呢啊]?|呢)[\s?？。]*$` +
		`|^(?:那么?|，|\s)*(?:(?:毛利|利润|净利|退款|退货)率|毛利润?|利润|客单价|销量|销售额|营业额|营收|订单[数量])[\s?？。]*$|^(?:那么?|一共|总共|，|\s)*退了?多少(?:钱|款)[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok|what(?:'s| is| was| were| about)|how (?:about|high is|much is|much)),? )*(?:the |its )?(?:profit margin|gross margin|margin|gross profit|profit|refund rate|return rate|average order(?: value)?|revenue|turnover|number of orders)(?: (?:is|was) (?:it|that))?[?.! ]*$`)
	// asksProfit asks whether what was spoken of earns, of the whole or of a thing left out.
	asksProfit = words.MustCompile(`(?i)^(?:那么?|请问|它们?|这个?|到底|，|\s)*(?:赚钱|盈利|挣钱|有(?:利润|钱赚|赚头)|赚(?:没赚|不赚)?(?:到|着)?钱?|赚不赚钱?|亏(?:本|钱|损)|亏不亏)(?:了)?(?:吗|么|没有|没|不)?[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|but|then|ok),? )*(?:(?:is|are|was|were) (?:it|that|this|they|those) (?:at all |really |even )?(?:profitable|making (?:any )?(?:money|a profit)|losing money|worth it)|(?:do|does|did) (?:it|that|this|they|we) (?:earn|make) (?:any )?(?:money|a profit)(?: with it| on it| from it)?)[?.! ]*$`)
	// asksMost asks which of a kind is first or last; its groups are the kind.
	asksMost = words.MustCompile(`(?i)^(?:那么?|请问|其中|然后|，|\s)*(?:(?:是)?哪一?[个款种类位家座]|什么)(商品|产品|类目|品类|品牌|城市|地区|省份?|客户|买家|渠道|快递|原因|理由)\p{Han}{0,6}最\p{Han}{1,4}[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*(?:which|what) (product|item|category|brand|city|customer|buyer|channel|carrier|reason)s?(?: [a-z]+){1,4} (?:the )?(?:most|best|least|worst)(?: often| common| frequent)?[?.! ]*$`)
	// asksWhen asks which day, week or month of those spoken of comes first or last; its groups are the stretch, and which end.
	asksWhen = words.MustCompile(`(?i)^(?:那么?|请问|其中|然后|，|\s)*(?:是)?哪一?个?(天|日|周|星期|月|季度)(?:的|是)?最([多高好大少低差])[呢啊\s?？。]*$|^(?:那么?|请问|其中|然后|，|\s)*最([多高好大少低差])的(?:又?是)?哪一?个?(天|日|周|星期|月|季度)[呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*(?:which|what) (day|week|month|quarter) (?:was|is|had|has|did|sold|were) (?:the |our )?(most|best|highest|busiest|strongest|least|worst|lowest|fewest|slowest|weakest)(?: one)?[?.! ]*$`)
	// ofRanking asks which campaign or channel did best, or what campaigns brought, after a question about campaigns.
	ofRanking = words.MustCompile(`(?i)^(?:那么?|请问|其中|，|\s)*(?:(?:是)?哪一?[个次场](?:渠道)?(?:的)?(?:效果|赚得?|带来)?最[能不]?(?:好|差|多|少|划算|[赚亏]钱?)|(?:一共|总共)?带来(?:了)?多少(?:销售额?|订单|钱))[的了呢啊\s?？。]*$` +
		`|^(?:(?:and|so|then|ok),? )*(?:which(?: one| of (?:them|these|those)| channel)? (?:earned|made|lost|brought(?: in)?|did|was|performed|cost|sold) (?:us )?(?:the )?(?:most|best|least|worst)(?: money)?|how (?:much|many) (?:sales|revenue|money|orders)? ?did (?:they|it|that|those) (?:bring|make|earn)(?: in)?)[?.! ]*$`)
	// ofCampaigns is no question of goods.
	ofCampaigns = words.MustCompile(`(?i)推广|投放|广告|活动|\b(?:campaigns?|ads?|advertis\w+|promotions?)\b`)
)

// carried is a short question that says nothing of when, where and of what, with the days, place and thing of the question before it; "" for any other, and after one
// that has none of them.
func (x *Index) carried(g *goal, text, base string) string {
	if base == "" || strings.Contains(base, "\n") || SmallTalk(base) || ofCampaigns.MatchString(text) {
		return ""
	}
	profit := asksProfit.MatchString(text)
	most, when := asksMost.FindStringSubmatch(text), asksWhen.FindStringSubmatch(text)
	campaigns := ofCampaigns.MatchString(base)
	if campaigns && ofRanking.MatchString(text) {
		return x.ofCampaign(g, text, base)
	}
	if !profit && most == nil && when == nil && !asksMeasure.MatchString(text) || (profit || when != nil) && campaigns || profit && x.wishesChange(base) {
		return ""
	}
	if slices.ContainsFunc(x.facts(text, g.now), func(f facts.Fact) bool { return swaps[f.Kind] }) {
		return ""
	}
	zh := words.Language(text) == "zh"
	kind := ""
	if most != nil {
		kind = strings.ToLower(most[1] + most[2])
	}
	base = comparedTail.ReplaceAllString(base, "")
	seen := map[facts.Kind]bool{}
	var along []string
	for _, f := range x.facts(base, g.now) {
		if f.Kind == facts.Person || f.Kind == facts.Digits || f.Kind == facts.Phone { // it would be of all the others, too
			return ""
		}
		ok := f.Kind == facts.Date || f.Kind == facts.Place || f.Kind == facts.Known && x.otherThing(f.Text)
		if !ok || f.Kind == facts.Known && x.isOne(f.Text, kind) || f.Kind == facts.Place && slices.Contains(kindsOfPlaces, kind) {
			continue
		}
		if seen[f.Kind] { // of two, it is not clear which
			return ""
		}
		seen[f.Kind] = true
		link := map[facts.Kind]string{facts.Known: " of ", facts.Place: " in "}[f.Kind]
		along = append(along, words.Either(zh, "", words.Either(link == "" || most != nil, ", ", link))+f.Text)
	}
	if w := x.kindIn(base); w != "" && !seen[facts.Known] && kind != "category" { // phone is a kind of goods, and a word of the trade, too
		along = append(along, words.Either(zh, "", words.Either(most != nil, ", ", " of "))+w)
	}
	if len(along) == 0 && !profit {
		return ""
	}
	said := strings.NewReplacer("退货率", "退款率", "return rate", "refund rate").Replace(strings.TrimRight(text, "?？。.! ")) // the one that is counted
	if most != nil && slices.Contains([]string{"原因", "理由", "reason"}, kind) {
		said = words.Either(zh, "退款最多的是什么原因", "which reason had the most refunds")
	}
	if when != nil {
		said = inWhich(when, base, zh)
	}
	if strings.Contains(said, "退了多少") || strings.Contains(said, "退多少") {
		said = "退款多少"
	}
	if profit {
		said = words.Either(zh, "毛利是多少", "what is the margin")
	}
	if zh {
		return tight(along...) + strings.TrimLeft(strings.TrimLeft(said, "，"), "那么然后请问其中")
	}
	return said + strings.Join(along, "")
}

// inWhich is in which day, week or month there was most or least of what a question asks for, in full words.
func inWhich(when []string, base string, zh bool) string {
	least := strings.ContainsAny(when[2]+when[3], "少低差") || slices.Contains([]string{"least", "worst", "lowest", "fewest", "slowest", "weakest"}, strings.ToLower(when[6]))
	figure := [2]string{"销售额", "sales"}
	for _, m := range measures {
		if m.MatchString(base) {
			figure = m.called
			break
		}
	}
	if zh {
		return "哪" + words.Either(when[1]+when[4] == "天" || when[1]+when[4] == "日" || when[1]+when[4] == "周", "", "个") + when[1] + when[4] + figure[0] + "最" + words.Either(least, "低", "高")
	}
	counted := figure[1] == "orders" || figure[1] == "refunds"
	return "which " + strings.ToLower(when[5]) + " had the " + words.Either(counted, words.Either(least, "fewest ", "most "), words.Either(least, "lowest ", "highest ")) + figure[1]
}

// measures are what a figure is one of, by the words of a question, and what it is called in both languages.
var measures = []struct {
	*words.Pattern
	called [2]string
}{
	{words.MustCompile(`(?i)退款|退货|\brefund|\breturn`), [2]string{"退款数", "refunds"}},
	{words.MustCompile(`(?i)订单|几单|单量|多少单|下单|\borders?\b`), [2]string{"订单数", "orders"}},
	{words.MustCompile(`(?i)毛利|利润|\b(?:margin|profit)`), [2]string{"毛利", "margin"}},
	{words.MustCompile(`(?i)销量|几[件台个]|多少[件台个]|\b(?:pieces|units|how many)\b`), [2]string{"销量", "number of pieces"}},
}

// mostOfThem: 哪个最赚钱.
var mostOfThem = words.MustCompile(`哪一?[个次场](?:效果)?(最[能不]?(?:划算|[赚亏]钱?|[好差]))[的了呢啊]*$`)

// ofCampaign is such a question in full words, of the days of the one before it.
func (x *Index) ofCampaign(g *goal, text, base string) string {
	said := strings.TrimRight(text, "?？。.! ")
	days := ""
	for _, f := range datesOf(x.facts(base, g.now)) {
		days = f.Text
	}
	if words.Language(text) == "zh" {
		if m := mostOfThem.FindStringSubmatch(said); m != nil {
			return days + m[1] + "的推广活动是哪个"
		}
		said = strings.NewReplacer("哪个渠道", "推广活动哪个渠道", "哪个", "哪个推广活动", "哪次", "哪个推广活动", "哪场", "哪个推广活动", "带来", "推广活动带来").Replace(strings.TrimLeft(said, "那么请问其中，"))
		return days + said
	}
	for _, w := range []string{"which one", "which of them", "which of these", "which of those", "which"} {
		if i := strings.Index(strings.ToLower(said), w+" "); i >= 0 {
			rest := said[i+len(w):]
			said = "which campaign" + rest
			break
		}
	}
	said = strings.NewReplacer("did they", "did the campaigns", "did those", "did the campaigns", "did it", "did the campaign", "did that", "did the campaign").Replace(said)
	return said + words.Either(days == "", "", ", "+days)
}

// kindsOfPlaces are what places are called.
var kindsOfPlaces = []string{"城市", "地区", "省", "省份", "city", "province", "region"}

// isOne reports whether a known name is one of a kind, by the labels of the parameters that know it: 空气炸锅 is a 类目.
func (x *Index) isOne(name, kind string) bool {
	if kind == "" {
		return false
	}
	if x.behind != nil {
		x = x.behind.index
	}
	for _, e := range x.entries {
		for i := range e.Params {
			f := &e.Params[i]
			if f.Sort == fields.Person || !slices.ContainsFunc(f.Examples, func(v string) bool { return strings.EqualFold(v, name) }) {
				continue
			}
			for _, lang := range []string{"zh", "en"} {
				if noun := nounOf(f.Label(lang)); noun == kind || slices.Contains(words.AlsoCalled(kind), noun) {
					return true
				}
			}
		}
	}
	return false
}

// ofThoseShown reports whether a text wants a document of the things that were shown, by no more than what they are: turn the above orders into a PPT.
func ofThoseShown(text string) bool {
	_, text = formOf(strings.TrimSpace(text))
	m := turnEng.FindStringSubmatch(text)
	return m != nil && shownThings.MatchString(m[1])
}

var shownThings = words.MustCompile(`(?i)^(?:all )?(?:of )?(?:(?:the|these|those) )?(?:above |foregoing |listed )?(?:orders|products|goods|items|customers|buyers|refunds|returns|parcels|shipments|invoices|campaigns|rows|records|figures|list|table)(?: above| shown| listed| there)*$`)

// putAs is how a question is put, without what it is about: 七天无理由退货 is left of 七天无理由退货的规则是什么.
var putAs = words.MustCompile(`(?i)^(?:请问|我?想?(?:问|知道|了解|查)(?:一下)?|关于|(?:please |can you |could you )*(?:tell me |explain )?(?:what (?:is|are|does|do)|what's|how (?:do|does|is|are|can|should)|when (?:do|does|is|are)|are there|is there)(?: (?:the|any|our))?(?: (?:rules?|policy|policies|terms|handbook|documents?|say|says))*(?: (?:on|of|for|about))?(?: the)?)\s*` +
	`|(?:(?:的?(?:相关)?(?:规则|规定|政策|要求|流程|标准))?(?:都?是什么|是怎样的?|有哪些|怎么(?:样|规定|办|算|处理|走|说)(?:的)?|如何(?:处理|计算|规定)?|是多少|要多少)|吗|呢|\s+works?|\s+say)[\s?？。.!]*$`)

// ofTopic is what is asked of texts about the subject of the question before it: that subject once, and what is asked now, with where that begins. "" where the
// question was not one to texts, or its subject and the new words would be none.
func (x *Index) ofTopic(g *goal, base, fact string) (full string, fresh int) {
	topic := strings.TrimRight(strings.TrimSpace(base), words.EndMarks+"?？")
	for was := ""; was != topic; {
		was, topic = topic, strings.TrimSpace(putAs.ReplaceAllString(topic, ""))
	}
	if topic == "" || strings.Contains(base, "\n") || !x.asksTexts(g, base) {
		return "", 0
	}
	for _, rules := range []string{"", words.Either(words.Wide(topic), "的规则", " rules")} { // without a word for them, some subjects are what a shop keeps books of
		if full = topic + " " + fact + rules; x.asksTexts(g, full) {
			return full, len(topic) + 1
		}
	}
	for _, called := range []string{" rules", " rule", " policy"} {
		topic = strings.TrimSuffix(topic, called)
	}
	if full = "rules on " + topic + ", " + fact; !words.Wide(topic) && x.asksTexts(g, full) {
		return full, len(full) - len(fact)
	}
	return "", 0
}

// asksTexts reports whether a request goes to a tool that searches texts.
func (x *Index) asksTexts(g *goal, text string) bool {
	if x.behind != nil {
		x = x.behind.index
	}
	alone := goal{text: text, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&alone)
	if len(alone.clauses) != 1 {
		return false
	}
	t := x.choose(&alone, alone.clauses[0], nil, &ExplainClause{})
	return t != nil && t.e.Knowledge()
}

// amount is by how much, or to what, something shall be changed.
var amount = words.MustCompile(`(?i)(\d+(?:\.\d+)?)\s*(%|％|percent|个点|个百分点|元|块钱?|yuan|rmb|cny|折)?`)

// otherAmount wishes another amount for the change that was refused; its groups are that amount.
var otherAmount = words.MustCompile(`(?i)^(?:那|就|还是|请|吧|，|\s)*(?:改成|改为|换成|变成|调成|只?[降涨改调减加](?:价|到|成|低|高)?|按|打)?\s*(\d+(?:\.\d+)?\s*(?:%|％|个点|个百分点|元|块钱?|折)?)\s*(?:就行|就好|好了|算了|行吗|可以吗|怎么样|如何|呢|吧)*[。.!！?？\s]*$` +
	`|^(?:(?:ok(?:ay)?|no|well|then|so|and|please|but),? )*(?:(?:make|do|change|set|put|try|let's (?:make|do|try)|what about|how about|only|just|rather)(?: (?:it|that|this))?(?: (?:to|by|with|at|only|just|rather))*\s+)?((?:\d+(?:\.\d+)?)\s*(?:%|percent|yuan|rmb|cny)?)(?: (?:off|then|instead|please|rather|only|will do|is enough|is fine))*[.!? ]*$`)

// amended is a change that was refused last, with another amount; "" when the text wishes none, or it is not clear which amount it is in the place of.
func amended(text string, history []earlier) string {
	n := len(history)
	m := otherAmount.FindStringSubmatch(strings.TrimSpace(text))
	if n == 0 || m == nil || !history[n-1].Refused || strings.Contains(history[n-1].Request, "\n") {
		return ""
	}
	base, said := history[n-1].Request, strings.TrimSpace(m[1]+m[2])
	if !wishes.Adjusting.MatchString(base) && len(wishes.ChangeVerbs(base)) == 0 {
		return ""
	}
	unit := func(s string) string {
		u := strings.ToLower(amount.FindStringSubmatch(s)[2])
		switch u {
		case "％", "percent", "个点", "个百分点":
			return "%"
		case "块", "块钱", "yuan", "rmb", "cny":
			return "元"
		}
		return u
	}
	want, at := unit(said), -1
	spots := amount.FindAllStringIndex(base, -1)
	for i, s := range spots {
		if words.LongNumber.MatchString(base[s[0]:s[1]]) || !(unit(base[s[0]:s[1]]) == want && want != "" || want == "" && unit(base[s[0]:s[1]]) != "") {
			continue
		}
		if at >= 0 {
			return ""
		}
		at = i
	}
	if at < 0 && want == "" && len(spots) == 1 {
		at = 0
	}
	if at < 0 {
		return ""
	}
	was := strings.TrimSpace(base[spots[at][0]:spots[at][1]])
	if want == "" {
		said += strings.TrimSpace(amount.FindStringSubmatch(was)[2])
	}
	return base[:spots[at][0]] + strings.Replace(base[spots[at][0]:spots[at][1]], was, said, 1) + base[spots[at][1]:]
}
