package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

const platformNames = `(?:抖音|快手|小红书|淘宝|天猫|拼多多|唯品会|朋友圈|公众号|视频号|微信|微博|百度|知乎|b站|哔哩哔哩|今日头条|巨量(?:引擎|千川)?|直通车|\b(?:tiktok|douyin|kuaishou|xiaohongshu|taobao|tmall|pinduoduo|wechat|weibo|baidu|bilibili|facebook|instagram|google|youtube|amazon|shopee|lazada|temu|twitter|pinterest)\b)`

var (
	// platforms are where others advertise and sell; a house that has figures of one says so on a card.
	platforms = words.MustCompile(`(?i)` + platformNames)
	// things are what somebody may have bought there, behind its name: 京东的待发货订单; without them 京东 may be a carrier, or a kind of shop that rules are about.
	thingsThere = words.MustCompile(`(?i)(` + platformNames + `|京东|\bjd(?:\.com)?)(?:商城|平台|旗舰店)?(?:上|里)?(?:来|下|买)?(?:的|\s)\s*\p{Han}{0,4}(?:订单|单子|退款|买家|客户|销售额|销量|orders?\b|refunds?\b|buyers?\b|customers?\b|sales\b)|\b(?:orders?|refunds?|buyers?|customers?|sales) (?:from|on|of|in) (` + platformNames + `|jd(?:\.com)?)\b`)
	// ofFigures asks what was spent there or came from there.
	ofFigures = words.MustCompile(`(?i)投放|推广|广告|营销|花费|花了|花多少|费用|投入|回报|渠道|引流|带来|订单|销售额|销量|卖[了得出]|成交|转化|曝光|点击|\broi\b|\b(?:ads?|adverts?|advertising|campaigns?|spend|spent|cost|costs|channel|sales|sold|sell|orders|revenue|turnover|traffic|clicks|impressions|brought|bring)\b`)
	// elsewhereTold are questions that documents answer, and the web.
	elsewhereTold = words.MustCompile(`(?i)规则|规定|条文|政策|资质|调研|研究|搜索?一下|网上|新闻|攻略|怎么(?:做|投|开|玩)|如何|\b(?:rules?|polic(?:y|ies)|research|web|news|look up|how (?:to|do|can|should))\b`)
)

// ofPlatform says, of a question for figures of a platform that no card speaks of, that there are none, and which channels there are; of a change to what was bought on
// one, that nothing keeps that. "" for any other.
func (x *Index) ofPlatform(g *goal) string {
	text := facts.Quoted.ReplaceAllString(g.text, " ")
	there := ""
	if m := thingsThere.FindStringSubmatchIndex(g.text); m != nil && !overlaps(toldOrQuoted(g.text), m[0], m[1]) {
		if there = g.text[max(m[2], m[4]):max(m[3], m[5])]; x.takesValue(there) {
			there = ""
		}
	}
	if slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { return len(c.Change) > 0 }) {
		if there == "" || !x.speaks("订单") {
			return ""
		}
		return words.Say(g.lang, "没有执行：这里没有记是从哪个平台来的，分不出哪些是「%s」的。请用店里有的条件来说，比如状态、日期、城市、商品或买家。",
			"Not done: nothing here keeps on which platform something was bought, so that it cannot be told which are of “%s”. Say which by what is kept: state, days, city, product or buyer.", there)
	}
	if slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { return c.Policy }) || len(g.acts) > 0 || speaksOfFiles(g) || elsewhereTold.MatchString(text) || !ofFigures.MatchString(text) {
		return ""
	}
	var named []string
	for _, m := range append(platforms.FindAllString(text, -1), there) {
		if said := words.Say(g.lang, "「%s」", "“%s”", m); (m == there || !x.speaks(m)) && m != "" && !slices.Contains(named, said) {
			named = append(named, said)
		}
	}
	known := x.channels(g.lang)
	if len(named) == 0 || len(known) == 0 {
		return ""
	}
	return words.Say(g.lang, "没有算出来：这里没有%s的数据。推广的渠道有%s；可以问其中一个，比如「%s花了多少钱」，或者问「各渠道的花费」。",
		"This is not worked out: there are no figures of %s here. The channels of campaigns are %s. Ask for one of them, as in “what did %s cost”, or for the cost by channel.",
		strings.Join(named, words.Say(g.lang, "、", " or ")), strings.Join(known, words.Say(g.lang, "、", ", ")), known[0])
}

// takesValue reports whether a tool that looks takes a value, by that very name.
func (x *Index) takesValue(v string) bool {
	if x.behind != nil {
		x = x.behind.index
	}
	return slices.ContainsFunc(x.entries, func(e *cards.Entry) bool {
		return e.Reads() && slices.ContainsFunc(e.Params, func(f fields.Field) bool { return slices.Contains(f.Enum, v) || slices.Contains(f.Examples, v) })
	})
}

// untracked are what shops have figures of elsewhere, by what stands for them here; a house that has them says so on a card.
var untracked = []struct {
	*words.Pattern
	han, english string
}{
	{words.MustCompile(`(?i)[差好]评率?|(?:^|[^集])中评(?:率|数|价)|评价|评论|口碑|\b(?:reviews?|ratings? by (?:buyers|customers)|customer (?:ratings?|feedback)|(?:one|five|[1-5])[- ]star)\b`), "买家评价", "reviews"},
	{words.MustCompile(`(?i)优惠券|红包|代金券|满减券|\b(?:coupons?|vouchers?|promo codes?)\b`), "优惠券", "coupons"},
	{words.MustCompile(`(?i)(?:店铺|本店|我们店|小店)的?(?:评分|得分|分数|体验分|综合分|星级)|体验分|\bdsr\b|\b(?:shop|store)(?:'s)? (?:score|rating|stars)\b`), "店铺评分", "the shop's score"},
	{words.MustCompile(`(?i)访客|浏览量|访问量|页面流量|跳失率|转化率|加购|购物车|收藏(?:数|量|率|最|了)|粉丝|\b(?:visitors?|page ?views?|conversion rates?|(?:added to|in) (?:the )?carts?|abandoned carts?|bounce rate|followers|wish ?lists?)\b`), "访客与转化", "visitors and conversion"},
	{words.MustCompile(`(?i)男(?:性|生|的)?(?:客户|顾客|买家|用户|会员|女)|女(?:性|生|的)?(?:客户|顾客|买家|用户|会员)|(?:客户|顾客|买家|用户|会员)的?(?:平均)?(?:性别|年龄|生日|职业|学历|收入)|\b(?:male|female|men|women)(?: |$).*\b(?:customers?|buyers?|bought|buy|shoppers?)\b|\b(?:customers?|buyers?)\b.*\b(?:male|female|men|women|gender|sex|old|age|ages|birthdays?|professions?)\b|\b(?:age|gender|average age) of\b.*\b(?:customers?|buyers?)\b`), "客户的性别、年龄等", "age, sex and the like of customers"},
	{words.MustCompile(`(?i)(?:微信|支付宝|银联|信用卡|花呗|白条|银行卡|刷卡|现金)(?:支付|付款|付的?)|货到付款|(?:支付|付款)方式|分期付款|\b(?:payment (?:methods?|types?|channels?)|cash on delivery|paid (?:by|with|in) (?:card|cash|credit|alipay|wechat|paypal)|credit cards?|alipay|paypal)\b`), "付款方式", "ways of paying"},
	{words.MustCompile(`(?i)(?:快递|物流|发货|运输)(?:费用?|成本)|付给(?:快递|物流|顺丰|中通|圆通|申通|韵达|极兔)|(?:给|付)\p{Han}{2,6}(?:快递|速运|物流)(?:公司)?(?:付|多少运费)|\b(?:(?:did|do|have|what) we (?:pay|paid|owe) (?:to )?(?:the |our )?(?:couriers?|carriers?)|(?:courier|carrier)(?:s|'s)? (?:costs?|fees?|charges?|bills?)|pay (?:to )?(?:the |our )?(?:couriers?|carriers?))\b`), "付给快递公司的费用（有的是买家付的运费）", "what carriers are paid (there is what buyers paid for freight)"},
	{words.MustCompile(`(?i)供应商|供货商|进货(?:渠道|来源|商|的?地方|价格?表)|哪(?:里|儿|家|个厂)(?:进的?货?|采购)|仓库|库位|货架|\b(?:suppliers?|vendors?|warehouses?|purchase orders?)\b`), "供应商与仓库", "suppliers and warehouses"},
	{words.MustCompile(`(?i)工资|薪水|薪资|人工成本|人力成本|房租|租金|水电|税[金款费]?(?:多少|一共)|[缴交纳报]了?多少税|\b(?:wages?|salar(?:y|ies)|payroll|rent|(?:staff|employees?|personnel) costs?|employees cost|tax(?:es)?)\b`), "工资、房租、税", "wages, rent and taxes"},
	{words.MustCompile(`(?i)取消(?:订单)?的?(?:原因|理由)|为什么(?:会|要|都)?取消(?:订单)?|订单(?:被)?取消的原因|\b(?:reasons? (?:for|of) (?:the )?(?:cancell?ations?|cancell?ing)|cancell?ation reasons?|why (?:do|did|are|were) (?:\w+ ){1,2}cancell?(?:ed)?)\b`), "取消订单的原因（有的是退款的原因）", "why orders are cancelled (there are the reasons for refunds)"},
	{words.MustCompile(`(?i)(?:客服|平均|首次)的?(?:响应|应答|回复)(?:时间|时长|速度|率)|接待量|咨询量|\b(?:response time|reply time|chats? (?:answered|handled))\b`), "客服响应", "response times"},
	{words.MustCompile(`(?i)(?:商品|手机|耳机|鞋|杯)\p{Han}{0,3}的?(?:颜色|尺码|款式)(?:有|是|最|卖)|哪[个种](?:颜色|尺码)|\b(?:which|what) (?:colou?rs?|sizes?)\b`), "颜色与尺码", "colours and sizes"},
}

// asksAFigure asks how many or how much there is, or which is first by it.
var asksAFigure = words.MustCompile(`(?i)多少|是谁|哪[里儿家个些种]|什么|有哪些|平均|多还是|几[个张条次位人笔分]|多高|率|最[多少高低好差]|怎么?样|咋样|评分|得分|体验分|\b(?:how (?:many|much|is|are|was|were|high|good|bad)|what(?:'s|s)? (?:is|was|are|our|the|do|did|have)|which|who|where (?:do|did) we|why|reasons?|most|least|best|worst|list|show|average|number of)\b|\b(?:reviews?|coupons?) (?:of|for|used)\b`)

// mayIt asks what is allowed, which rules tell.
var mayIt = words.MustCompile(`(?i)可以|可不可以|能不能|允许|能否|是否|要不要|违规|处罚|返现|怎么(?:办|处理|设置|弄|发|用|写|回|说|提高)|\b(?:can|may|allowed|should|must|legal|ok to|fake|pay for|given back|void)\b`)

// monthOfMay allows nothing.
var monthOfMay = words.MustCompile(`(?i)\b(?:in|of|since|for|last|this|until|till|during|from|to|and) may\b`)

// ofUntracked says, of a question for a figure that nothing here keeps, that there is none; "" for any other.
func (x *Index) ofUntracked(g *goal) string {
	text := facts.Quoted.ReplaceAllString(g.text, " ")
	if len(g.clauses) != 1 || len(g.clauses[0].Change) > 0 || len(g.acts) > 0 || speaksOfFiles(g) || elsewhereTold.MatchString(text) || mayIt.MatchString(monthOfMay.ReplaceAllString(text, " ")) || !asksAFigure.MatchString(text) || !x.speaks("订单") {
		return ""
	}
	for _, u := range untracked {
		if m := u.FindString(text); m != "" && !x.speaks(m) {
			return words.Say(g.lang, "没有算出来：店里没有%[1]s的数据。这里有的是订单、退款、物流、商品、库存、客户、销售、推广和发票的数据。",
				"This is not worked out: the shop has no figures of %[2]s. There are figures of orders, refunds, parcels, products, stock, customers, sales, campaigns and invoices.", u.han, u.english)
		}
	}
	return ""
}

// channels are the values of the parameter that takes a channel, in one language; nil where no card has one that tells its values.
func (x *Index) channels(lang string) []string {
	if x.behind != nil {
		x = x.behind.index
	}
	for _, e := range x.entries {
		f := e.Param("channel")
		if f == nil || !e.Reads() {
			continue
		}
		var out []string
		for _, v := range f.Examples {
			if words.IsHan(words.FirstRune(v)) == (lang == "zh") {
				out = append(out, v)
			}
		}
		if len(out) > 0 {
			slices.Sort(out)
			return out
		}
	}
	return nil
}
