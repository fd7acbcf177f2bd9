package wishes

import "github.com/hmap-project/hmap/actors/plan/words"

// Wishes for a change that are known by more than a verb of [ChangeGroups].

var (
	// Adjusting wishes for a change by how much, without a verb that [ChangeGroups] has.
	Adjusting = words.MustCompile(`(?i)(^|[^下上回])(?:(?:降|涨|提|加|减)价?|便宜|贵|下调|上调|调高|调低|提高|抬高|降低|压低|增加|减少|打|补|进)\s*[¥￥]?(?:百分之)?(?:\d+(?:\.\d+)?|[一二两三四五六七八九十百]{1,4})\s*(?:%|％|个点|折|元|块|件|个|台)|百分之[一二三四五六七八九十]{1,3}的?(?:降价|涨价)|\badd(?:ing)?\s+[$¥]?\d+(?:\.\d+)?%?\s+(?:more\s+)?(?:pieces?\s+|units?\s+|yuan\s+)?to\b|\b(?:cut|drop|discount|slash|bump|raise|lower|reduce|increase|decrease)\b[^.;?]{0,60}\bby\s+[$¥]?\d|\b(?:put|bring|mark|move|set|turn)\b[^.;?]{0,60}\b(?:up|down)\s+by\s+[$¥]?\d|\b(?:take|knock)\s+[$¥]?\d[^.;?]{0,20}\boff\b`)
)

// urgesTo urges somebody to do what its group names.
var urgesTo = words.MustCompile(`催(?:一下|一催|促|他们?|她们?|买家|客户|顾客|卖家|仓库)*(付款|支付|打款|发货)`)

// notedAs sets a note; what it shall say, its group, is no wish.
var notedAs = words.MustCompile(`(?i)(?:备注|留言)(?:都|全部?|统一)*(?:[改换写设加添标]|更新|修改|变更)[成为到上作]?\s*[:：]?([^，,。；;！!？?\n]+)|\bnotes?\b[^,.;:\n]{0,60}?(?:\b(?:to|saying|as)\b|:)([^,.;\n]+)`)

// saidOtherwise are wishes for a change that are known by more than their verb: 给王萍萍退 20 元, 给订单 281065412730 备注送礼.
var saidOtherwise = map[string]*words.Pattern{
	"ship":   words.MustCompile(`\d{6,}[，,\s]*(?:用|走)?(发)\p{Han}{2,4}(?:快递|速运|物流)?[，,\s]*(?:运?单号)?[:：\s]*[A-Za-z]{0,4}\d{8,}|(?:都|全部?|统一)(?:用|走)\p{Han}{2,6}?(发)(?:货|了|掉|走|出去)+(?:吧|啊|呀)?\s*(?:$|[，。,；;！!])|(?:把|将)[^，。,；;？?]{0,30}?(?:订单|单子|包裹|货)(?:全|都|部|先|快|赶紧|马上|也)*(发)(?:了|掉|走)(?:吧|啊|呀)?\s*(?:$|[，。,；;！!])`),
	"refund": words.MustCompile(`(?:订单|单号?)\s*\d{6,}\s*(?:先|只|也)*(退(?:还|回)?)\s*[¥￥]?\d+(?:\.\d+)?\s*(?:元|块)|(?:给|把|将|请|帮我|为|替|^)[^，。,；;？?]{0,30}?(退(?:还|回|给)?)\s*[¥￥]?\d+(?:\.\d+)?\s*(?:元|块)`),
	"change": words.MustCompile(`(?:收货人|收件人|地址|电话|手机号?|备注|抬头|售?价格?|库存)(?:都|全|也|直接)*([改换])(?:成|为|到|上)?\s*[^\s，。的是？?了过动一不]|(?:都|全部?|统一)(备注)(?:上|成|为)?\s*[^\s，。的是？?了过]|(?:把|将)[^，。；;？?]{1,40}(?:收货人|收件人|地址|电话|手机号?|备注|抬头)([改换])(?:一下|掉|了)|^(?:请|麻烦|帮我|先|再)*(?:给|为|在)[^，。,；;？?的]{2,40}?((?:加上?|写上?|添上?)?[一]?[个条]?备注)(?:一下|上|了)?[:：，,]?\s*[^\s，。的是？?]`),
}

// adjustIt wishes that something becomes dearer or cheaper, and does not say by how much.
var adjustIt = words.MustCompile(`(?:把|将)[^，。,；;！!？?]{1,40}?((?:涨|降|提|减|加|调)价|打折)(?:吧|一下|一?点|一?些)?\s*(?:[，。,；;！!]|$)`)
