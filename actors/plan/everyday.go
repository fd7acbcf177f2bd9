package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// everyday are short ways to say what is said otherwise everywhere else: 最贵的一单 is an order, 买过几次洋酒 asks how many orders of it there are,
// monthly sales are sales by month, and the month so far is this month.
var everyday = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`(最\p{Han}{1,2}的?)(?:那|这)?一?[单笔](是|呢|在|有|花|买|付|下|什么|哪|多少|谁|[，,。？?！!]|$)`), "${1}订单${2}"},
	{words.MustCompile(`哪一?[单笔](?:是|金额|花的?钱?)?(最\p{Han}{1,2}?)([呢啊？?。]|$)`), "${1}的订单是哪个${2}"},
	{words.MustCompile(`(买|订购?|购买)(?:过|了)?(?:几|多少)[次回单笔](\p{Han}[^，,。？?！!呢吗了]{1,20})`), "${1}${2}的订单有几个"},
	{words.MustCompile(`(?i)\b(?:(hour)|(dai)|(week)|(month)|(quarter)|(year))ly (sales|revenues?|turnover|profits?|orders|refunds)( (?:figures|numbers|totals?|amounts?))?\b`), "${7} by ${1}${2}${3}${4}${5}${6}"},
	{words.MustCompile(`退[得的](最|更|比较)([多少高])`), "退货${1}${2}"},
	{words.MustCompile(`(?i)\b(?:so far this (week|month|quarter|year)|(?:the |this |the current )?(week|month|quarter|year)[- ](?:so far|to[- ]date|until (?:now|today)|up to (?:now|today)))\b`), "this ${1}${2}"},
}

// rated are shares that have a name of their own, which what tells the figure knows: what percent of orders get refunded is the refund rate, and how many orders a customer
// places on average is a mean of customers.
var rated = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`(?i)\b(?:(?:what|which|how much|how many|the)(?:'s| is| was)? )?(?:the )?(?:percent(?:age)?|per cent|share|proportion|fraction|part|ratio) of (?:the |our |my |all )*orders\b([a-z0-9 ]{0,30}?)(?: that| which)?(?: (?:get|gets|got|are|is|were|was|end up|ended up|have been|has been|had been|being))+ refunded\b`), "what is the refund rate${1}"},
	{words.MustCompile(`(?:有)?(?:百分之几|百分之多少|多大比例|多少比例|几成)的订单(?:被|申请|发生|要|会|都)*退[了过]?款(?:了)?|(?:已)?退款(?:的)?订单(?:数|量)?(?:的)?(?:占比|占(?:了|全部|所有|总)*(?:订单)?(?:的)?(?:比例|多少|百分之几|百分之多少|几成)|比例)|订单(?:的)?退款(?:的)?(?:占比|比例|百分比)`), "退款率"},
	{words.MustCompile(`(?i)\b(?:(?:the )?price of )?how much (the [a-z ]{2,30}?) (?:is|are|costs?)(?: right)? (?:now|today|at the moment)\b`), "what is the price of ${1}"},
	{words.MustCompile(`(\p{Han}{2,})(?:现在|目前|如今|眼下)(?:卖|要|是)?(?:多少钱|什么价钱?|啥价)`), "${1}多少钱"},
	{words.MustCompile(`(?i)^how much (?:is|are|does|do|for) (?:a|an|one) ([a-z][a-z-]{1,20}(?: [a-z-]{2,20})?)(?: cost)?\s*\?*$`), "what is the price of a ${1}"},
	{words.MustCompile(`(?i)\bhow many orders (?:did|do|have) (?:the |our )?([a-z]+) (?:customers|buyers|clients) (?:place|make|put in)d?\b`), "how many orders from ${1}"},
	{words.MustCompile(`(?:单价|客单价|单笔金额|单笔)最[高大]的(?:订单|单子|一单)`), "最贵的订单"},
	{words.MustCompile(`(?:单价|客单价|单笔金额|单笔)最[低小]的(?:订单|单子|一单)`), "最便宜的订单"},
	{words.MustCompile(`^(?:有一?[个位])?(?:客户|买家|顾客|客人)[^，,。？?]{0,24}[，,]\s*(\p{Han}{2,}多少钱)`), "${1}"},
	{words.MustCompile(`(?i)^(?:a|the|one|some|my) (?:customer|buyer|client) (?:asks|asked|is asking|wants to know|wanted to know|would like to know|says|said)\b[^?.]{0,40}?(what is the price of )`), "${1}"},
	{words.MustCompile(`周末(?:和|与|跟|还是|或)(?:者)?(?:工作日|平日|平时|周中)(?:相?比)?[，,]?(?:哪个|谁|哪边|哪种)?(卖得?|销量|销售额|订单)(?:更|比较|最)?([多好高])`), "按周末统计销售额"},
	{words.MustCompile(`(?i)\bwhat (do|does|did) (?:we|you|i|(?:the|our|my) (?:shop|store)) sell (?:the )?(?:most|best)(?: of)?\b|\bwhat sells (?:the )?(?:most|best)\b`), "what is the best selling product"},
	{words.MustCompile(`(?:如果|假如|要是)?([^，,]{0,6}目标(?:是|为|定为|定在)?[^，,。]{1,10})[，,](今[年天]|本[年月周季]度?|这一?个?(?:月|周|星期|季度)|到?目前|现在)(?:我们)?(还?[差缺].{1,6})`), "${2}${1}，${3}"},
	{words.MustCompile(`(?i)\bhow many orders (?:does|do|did|has|have) (?:a|an|each|every|the average|one)(?: average)? (?:customer|buyer|client)s? (?:place|make|have|placed|made|put in)d?(?: on average)?`), "how many orders per customer on average"},
	{words.MustCompile(`(?:平均|人均)每一?[个位名]?(?:客户|顾客|买家|用户|人)(?:平均)?(?:买|下|订|购买|有)[了过]?(?:几|多少)个?(?:单|笔|次|订单)|每一?[个位名]?(?:客户|顾客|买家|用户|人)平均(?:买|下|订|购买|有)[了过]?(?:几|多少)个?(?:单|笔|次|订单)`), "平均每个客户的订单数"},
}

// ofOtherThings are what 一笔 counts, too.
var ofOtherThings = words.MustCompile(`退款|退货|发票|包裹|快递|(?i:\bforecast|\btarget|\bplan\b)`)

// inFullWords is a request with such words spelled out. What is quoted, or told to somebody, and what speaks of a file stays as it is.
func inFullWords(text string) string {
	for _, w := range rated {
		if m := w.FindStringSubmatchIndex(text); m != nil && !verbatim(text)(m[0], m[1]) && !facts.FileName.MatchString(" "+text) {
			text = text[:m[0]] + string(w.ExpandString(nil, w.put, text, m)) + text[m[1]:]
		}
	}
	if put := inFullQuestion(text); put != "" {
		return put
	}
	if ofOtherThings.MatchString(text) || facts.FileName.MatchString(" "+text) || facts.SourceText.MatchString(text) {
		return text
	}
	for _, w := range everyday {
		m := w.FindStringSubmatchIndex(text)
		if m == nil || verbatim(text)(m[0], m[1]) {
			continue
		}
		put := string(w.ExpandString(nil, w.put, text, m))
		text = text[:m[0]] + strings.Replace(put, " by dai", " by day", 1) + text[m[1]:]
	}
	return text
}

var (
	// earnsMoney asks whether goods earn; its groups are what, and when.
	earnsMoney = words.MustCompile(`(?i)^(?:is|are|was|were|does|do|did) (?:the |our |my )?([^?.,;]{2,50}?) (?:at all |really |actually |still )?(?:profitable|making (?:us )?(?:any )?(?:money|a profit)|earning (?:us )?(?:any )?money|(?:make|earn) (?:us )?(?:any )?(?:money|a profit)|losing (?:us )?money|sold at a loss)((?: [a-z0-9]+){0,4})[?.! ]*$` +
		`|^([^，。,？?]{2,24}?)(?:到底|究竟|是不是|是否)?(?:(?:盈利|赚钱|挣钱|有利润|亏本|亏钱)(?:了)?(?:吗|么|没有|不)|盈不盈利|赚不赚钱|亏不亏)[?？]*$`)
	// noGoods is not said of goods.
	noGoods = words.MustCompile(`(?i)^(?:it|that|this|they|those|these|we|you|i|which|what|any|anything|one|shop|store|business|company)\b|^(?:它|他|她|这|那|我|你|哪|什么|谁|有没有|不|没)|哪|什么|最|[和与跟]|怎|如何|为何|[想能要会]|\b(?:which|who|and|or|than|most|not)\b`)
	// haveGoods asks whether there are goods of a kind; its group is what.
	haveGoods = words.MustCompile(`(?i)^(?:do|does) (?:you|we|they|your shop|the shop|the store)(?: guys)? (?:have|sell|carry|stock) (?:any |some )?([a-z]+(?:[ -][a-z]+)?s)\s*\?*$|^(?:请问)?(?:你们|咱们|我们|店里|你家|本店)(?:店里?|家)?(?:现在)?(?:有没有|有|卖不卖|卖)(?:卖)?(\p{Han}{2,6}?)(?:卖)?(?:吗|么|没有)?[?？]*$`)
	// noneToSell are asked for in the same words, and are no goods.
	noneToSell = words.MustCompile(`(?i)^(?:questions|ideas|tips|suggestions|rules|policies|tools|files|problems|news|plans|answers|skills|limits|agents|results|reports|lists|figures|discounts|coupons|branches|employees|holidays|days|hours|(?:opening|business|office) hours)$|什么|哪|多少|几|规[则定]|建议|办法|问题|政策|活动|优惠|工具|文件|时间|假|员工|制度|流程|人|功能|能力|记录|报告|客服|电话|微信|网站|地址|门店|实体店|保修|质保|赠品|亏|赚|钱|[涨降]|增长|变化|贵|便宜|^[得了过完不的没出掉给到]`)
)

// inFullQuestion is such a question as it is asked of what keeps the figures; "" for any other.
func inFullQuestion(text string) string {
	text = strings.TrimSpace(text)
	zh := words.Language(text) == "zh"
	if m := earnsMoney.FindStringSubmatch(text); m != nil && !ofCampaigns.MatchString(text) && !noGoods.MatchString(m[1]+m[3]) && !ofOtherThings.MatchString(text) {
		if m[3] != "" {
			return m[3] + "的毛利是多少"
		}
		return words.Either(zh, m[1]+"的毛利是多少", "what is the margin of "+m[1]+m[2])
	}
	if m := haveGoods.FindStringSubmatch(text); m != nil && !ofTrade.MatchString(m[1]+m[2]) && !noneToSell.MatchString(m[1]+m[2]) {
		return words.Either(m[2] != "", m[2]+"有库存吗", "do we have "+m[1]+" in stock")
	}
	return ""
}
