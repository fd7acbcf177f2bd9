package wishes

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// A word of a verb of change may name a thing, or tell which things are spoken of: 退款率, 已发货的订单, refunds by city.

// stateMark: 已发货, 待退款 name a state, not a wish.
var stateMark = words.MustCompile(`(?:已经?|未|待|没有?|超时未|不|被|已被)$`)

// thingMark: 退款率, 发货时间 name a thing, not a wish.
var thingMark = words.MustCompile(`^(?:按照?\p{Han}{1,6}(?:分组|分类|统计|汇总|分布|排)|率|单号?(?:[^\d\s]|$)|金额|额|数|量|记录|政策|规则|规定|进度|状态|情况|列表|原因|流程|次数|时间|比例|占比|名单|明细|统计)`)

// limitedThing: 取消金额低于 100 的订单 wishes for it, 取消金额 names a thing.
var limitedThing = words.MustCompile(`^(?:总|实付)?(?:金额|总额|数量|时间)(?:在|为|是)?(?:低于|小于|少于|不到|不足|不超过|高于|大于|多于|超过|超出|早于|晚于|\s*\d)`)

// ofAKind stands behind a participle that tells which things are meant.
var ofAKind = words.MustCompile(`(?i)^ (?:refund |return )?(?:refunds|returns|requests|invoices|orders|parcels|packages|shipments|items|goods|products|ones)\b`)

// ThingWords do the same after an English verb: refund rate.
var ThingWords = words.Stems(`rate rates status policy policies rule rules progress history list amount amounts number count reason reasons time times statistics`)

// deeds are the verbs that such words make things of; 修改状态 and "change status" are wishes.
var deeds = words.Set(`回复 答复 退款 退钱 退货 换货 发货 付款 支付 打款 转账 取消 审批 开票 refund return exchange ship cancel`)

// decides are the verbs of who decides on what somebody else asked for, or sends it off.
var decides = words.Set(`同意 拒绝 驳回 批准 发出 寄出`)

// doneMark: 发货晚了的订单, 取消了的 and 发货超时 tell of what has happened, and wish for nothing.
var doneMark = words.MustCompile(`^(?:[^，。,；？?]{0,4}[了过]的|(?:得?(?:太|很|有点|比较)?(?:晚|迟|慢)|超时|逾期|延迟|失败)(?:了|的|$|[，。,？?]))`)

// names reports whether a verb names a thing where it stands: 退款 of 没有处理的退款申请.
func names(v, before, behind string) bool {
	if v == "申请" {
		before, v = strings.TrimSuffix(before, "退款"), "退款"
	}
	return deeds[v] && v != "取消" && ofState.MatchString(before) && afterName.MatchString(behind)
}

var (
	// notDone stands before what has not happened: not shipped, haven't been paid.
	notDone = words.MustCompile(`(?i)(?:\b(?:not|never)|n['’]t)(?:\s+(?:yet|been|being))*\s+$`)
	// ofState stands before a thing that is told by whether something has been done: 没有处理的退款申请.
	ofState   = words.MustCompile(`^(?:还)?(?:已经?|未|待|没有?|尚未)\p{Han}{2,3}的$`)
	afterName = words.MustCompile(`^(?:申请|单)?(?:$|[，。？?]|有)`)
)

var (
	// whichHan behind a verb makes what it says a kind of things, or asks something of them: 今年取消的订单, 取消订单的客户, 开票的订单占比. What is wished is told by 是.
	whichHan = words.MustCompile(`^(?:了|过)?的(?:[^话是时，。,：:\d\s]|$)|^(?:订单|单子|商品|包裹)的?(?:客户|买家|顾客|用户)|^(?:订单|单子|商品|包裹)的?(?:人|占比|比例|数量|数|总数|总额|金额|原因|情况|次数|名单|明细|列表)(?:$|[^\p{Han}]|[有是的])`)
	// howLongIt measures a deed: 发货超过48小时的订单.
	howLongIt = words.MustCompile(`^(?:了|用了|花了)?(?:超过|不到|不足|多于|少于)\s*\d+\s*个?(?:小时|天|工作日)`)
	// placesIt stands before the wish that an order be placed; behind a day, or somebody, it is told when, or by whom: 今天下单的.
	placesIt = words.MustCompile(`(?:^|[，。,；;！!？?\s]|[帮给替]我|请|[要想去来再先就能可]|以|马上|立刻|直接|重新|统一|自动)$`)
	isThis   = words.MustCompile(`^的[^是，。,；;]{0,8}是|^的(?:订单|退款单?|单子?)?(?:编?号)?[是：:]?\s*\d`)
	// itself: what was asked for, 上个月同意的退款, stands before nothing more.
	itself = words.MustCompile(`^(?:申请|单)?(?:$|[，。,；;？?])`)
)

// tellsWhich reports whether a verb of a deed between two texts tells which things are spoken of, and is no wish for the deed.
func tellsWhich(before, behind string) bool {
	return whichHan.MatchString(behind) && !isThis.MatchString(behind) || itself.MatchString(behind) && strings.HasSuffix(before, "的")
}
