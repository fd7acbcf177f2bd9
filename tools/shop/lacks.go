package shop

import (
	"slices"

	"github.com/invopop/jsonschema"
)

// lack is what people ask a shop for and what this one keeps nothing of, or, a deed, what they wish done and no tool of it does: asked is a regular expression of the
// words that ask for it.
type lack struct {
	Asked   string `json:"asked"`
	Han     string `json:"zh"`
	English string `json:"en"`
	Deed    bool   `json:"deed,omitempty"`
}

// lacking is what the shop keeps no figures of, by the tool that stands nearest to it, whose card says so (x-lacks).
var lacking = map[string][]lack{
	"campaign_results": {
		{`(?i)访客|浏览量|访问量|页面流量|跳失率|转化率|加购|购物车|收藏(?:数|量|率|最|了)|粉丝|\b(?:visitors?|page ?views?|conversion rates?|(?:added to|in) (?:the )?carts?|abandoned carts?|bounce rate|followers|wish ?lists?)\b`, "访客与转化", "visitors and conversion", false},
	},
	"find_customers": {
		{`(?i)男(?:性|生|的)?(?:客户|顾客|买家|用户|会员|女)|女(?:性|生|的)?(?:客户|顾客|买家|用户|会员)|(?:客户|顾客|买家|用户|会员)的?(?:平均)?(?:性别|年龄|生日|职业|学历|收入)|\b(?:male|female|men|women)(?: |$).*\b(?:customers?|buyers?|bought|buy|shoppers?)\b|\b(?:customers?|buyers?)\b.*\b(?:male|female|men|women|gender|sex|old|age|ages|birthdays?|professions?)\b|\b(?:age|gender|average age) of\b.*\b(?:customers?|buyers?)\b`, "客户的性别、年龄等", "age, sex and the like of customers", false},
	},
	"find_products": {
		{`(?i)[差好]评率?|(?:^|[^集])中评(?:率|数|价)|评价|评论|口碑|\b(?:reviews?|ratings? by (?:buyers|customers)|customer (?:ratings?|feedback)|(?:one|five|[1-5])[- ]star)\b`, "买家评价", "reviews", false},
		{`(?i)供应商|供货商|进货(?:渠道|来源|商|的?地方|价格?表)|哪(?:里|儿|家|个厂)(?:进的?货?|采购)|仓库|库位|货架|\b(?:suppliers?|vendors?|warehouses?|purchase orders?)\b`, "供应商与仓库", "suppliers and warehouses", false},
		{`(?i)(?:商品|手机|耳机|鞋|杯)\p{Han}{0,3}的?(?:颜色|尺码|款式)(?:有|是|最|卖)|哪[个种](?:颜色|尺码)|\b(?:which|what) (?:colou?rs?|sizes?)\b`, "颜色与尺码", "colours and sizes", false},
	},
	"list_orders": {
		{`(?i)(?:微信|支付宝|银联|信用卡|花呗|白条|银行卡|刷卡|现金)(?:支付|付款|付的?)|货到付款|(?:支付|付款)方式|分期付款|\b(?:payment (?:methods?|types?|channels?)|cash on delivery|paid (?:by|with|in) (?:card|cash|credit|alipay|wechat|paypal)|credit cards?|alipay|paypal)\b`, "付款方式", "ways of paying", false},
		{`(?i)取消(?:订单)?的?(?:原因|理由)|为什么(?:会|要|都)?取消(?:订单)?|订单(?:被)?取消的原因|\b(?:reasons? (?:for|of) (?:the )?(?:cancell?ations?|cancell?ing)|cancell?ation reasons?|why (?:do|did|are|were) (?:\w+ ){1,2}cancell?(?:ed)?)\b`, "取消订单的原因（有的是退款的原因）", "why orders are cancelled (there are the reasons for refunds)", false},
	},
	"list_refunds": {
		{`(?i)(?:客服|平均|首次)的?(?:响应|应答|回复)(?:时间|时长|速度|率)|接待量|咨询量|\b(?:response time|reply time|chats? (?:answered|handled))\b`, "客服响应", "response times", false},
	},
	"list_shipments": {
		{`(?i)(?:快递|物流|发货|运输)(?:费用?|成本)|付给(?:快递|物流|顺丰|中通|圆通|申通|韵达|极兔)|(?:给|付)\p{Han}{2,6}(?:快递|速运|物流)(?:公司)?(?:付|多少运费)|\b(?:(?:did|do|have|what) we (?:pay|paid|owe) (?:to )?(?:the |our )?(?:couriers?|carriers?)|(?:courier|carrier)(?:s|'s)? (?:costs?|fees?|charges?|bills?)|pay (?:to )?(?:the |our )?(?:couriers?|carriers?))\b`, "付给快递公司的费用（有的是买家付的运费）", "what carriers are paid (there is what buyers paid for freight)", false},
	},
	"sales_statistics": {
		{`(?i)优惠券|红包|代金券|满减券|\b(?:coupons?|vouchers?|promo codes?)\b`, "优惠券", "coupons", false},
		{`(?i)(?:店铺|本店|我们店|小店)的?(?:评分|得分|分数|体验分|综合分|星级)|体验分|\bdsr\b|\b(?:shop|store)(?:'s)? (?:score|rating|stars)\b`, "店铺评分", "the shop's score", false},
		{`(?i)工资|薪水|薪资|人工成本|人力成本|房租|租金|水电|税[金款费]?(?:多少|一共)|[缴交纳报]了?多少税|\b(?:wages?|salar(?:y|ies)|payroll|rent|(?:staff|employees?|personnel) costs?|employees cost|tax(?:es)?)\b`, "工资、房租、税", "wages, rent and taxes", false},
		{`(?i)(?:销售|业绩|营收|订单|本月|月度|年度|季度)?(?:目标|指标)(?:额)?(?:是|还|完成|达成|有|定)|(?:目标|业绩)完成率|\bkpis?\b|\b(?:sales|revenue|order)s? (?:targets?|goals?|quotas?)\b|\b(?:our|the|this (?:month|year)\'s|monthly|yearly|annual) (?:targets?|goals?|quotas?)\b`, "销售目标（说出目标是多少，就能算还差多少）", "targets (name the figure, and what is missing is worked out)", false},
	},
}

// lacks puts on the schema of a result what its tool keeps nothing of.
func lacks(tool string, result *jsonschema.Schema) {
	if l := slices.Concat(lacking[tool], undoable[tool]); len(l) > 0 {
		if result.Extras == nil {
			result.Extras = map[string]any{}
		}
		result.Extras["x-lacks"] = l
	}
}

// stated is how people say of what state a thing is, by the tool that shows one and its property: x-said. What is paid is any of what comes after.
var stated = map[string][]said{
	"order_detail.state": {
		{`(?i)(?:没有?|未|尚未|待)(?:付款|付钱|支付|给钱|付)|\b(?:not|n['’]t)(?: yet)?(?: been)? paid\b|\bunpaid\b|\bawaiting payment\b`, []string{"待付款"}},
		{`(?i)(?:没有?|未|尚未|待)(?:发货?|寄|发出)(?:出|走)?|\b(?:not|n['’]t|un)[ -]?(?:yet )?(?:been )?(?:shipped|sent|dispatched)\b|\bunshipped\b|\bawaiting shipment\b`, []string{"待付款", "待发货"}},
		{`(?i)已经?(?:付款|付钱|支付)|(?:付款|付钱|支付)了|\b(?:is|was|been|already|got) paid\b`, []string{"待发货", "已发货", "已完成"}},
		{`(?i)已经?(?:发货|发出|寄出)|(?:发货|发出|寄出)了|\b(?:is|was|been|already|got) (?:shipped|sent|dispatched)\b`, []string{"已发货", "已完成"}},
		{`(?i)已经?(?:完成|签收|收货)|(?:签收|收货)了|\b(?:is|was|been|already) (?:completed?|received|delivered)\b`, []string{"已完成"}},
		{`(?i)已经?(?:被)?取消|取消了|\b(?:is|was|been|already) cancell?ed\b`, []string{"已取消"}},
	},
	"refund_detail.state": {
		{`(?i)(?:没有?|未|待)(?:处理|审核|决定)|\b(?:not|n['’]t|un)[ -]?(?:yet )?(?:been )?(?:decided|handled|processed)\b|\bpending\b`, []string{"待处理"}},
	},
}

// said is one such way, a regular expression, and the states of which one is meant.
type said struct {
	Said string   `json:"said"`
	Are  []string `json:"are"`
}

// saidOf puts these on the properties of a result.
func saidOf(tool string, result *jsonschema.Schema) {
	for p := result.Properties.Oldest(); p != nil; p = p.Next() {
		if s := stated[tool+"."+p.Key]; s != nil {
			if p.Value.Extras == nil {
				p.Value.Extras = map[string]any{}
			}
			p.Value.Extras["x-said"] = s
		}
	}
}
