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
