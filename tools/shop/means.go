package shop

import "github.com/invopop/jsonschema"

// means are other words for allowed values, by tool and parameter. They travel on the cards as x-means, so that a planner knows the value
// by them; the tool itself takes the values alone.
var means = map[string]map[string][]string{
	"check_shop_qualifications.shop_body": {
		"企业": {"company", "enterprise", "corporation", "公司"}, "个人": {"individual", "private person"}, "个体工商": {"sole trader", "self-employed", "个体户"},
	},
	"check_shop_qualifications.shop_type": {
		"旗舰店": {"flagship store", "flagship shop", "flagship"}, "专卖店": {"brand store", "brand shop", "exclusive store"}, "专营店": {"multi-brand store", "multi-brand shop"},
		"卖场店": {"marketplace store", "marketplace shop"}, "普通企业店": {"ordinary company store", "company store"}, "小店": {"small shop", "small store"},
	},
	"change_order_state.state": {
		"待发货": {"确认收款", "已收款", "收到款", "payment received"}, "已完成": {"确认收货", "已收货", "delivery confirmed", "received by the buyer", "completed"},
	},
	"search_order_code.search_keys": {
		"订单": {"几单", "多少单", "多少个单", "how many orders"}, "商品": {"买过什么", "买过啥", "买了啥", "买的什么", "has bought", "did buy"},
	},
	"list_orders.state": {
		"未完成": {"没完成", "没做完", "没完结", "没结束", "进行中", "not complete", "not finished", "not done", "not fulfilled", "unfinished", "uncompleted", "incomplete", "unfulfilled", "open orders", "still open", "in progress"},
		"未签收": {"没签收", "没收到货", "没送到", "没送达", "undelivered", "not arrived", "not received"},
		"未退款": {"没退款", "没有退款", "没退过款", "没退过", "没退钱", "unrefunded", "no refund", "no refunds", "without refund", "without a refund", "without refunds", "not been refunded"},
		"未开票": {"没开票", "没开发票", "没有开票", "没有开发票", "未开发票", "没有发票", "没发票", "没开过发票", "uninvoiced", "no invoice", "no invoices", "without invoice", "without an invoice", "without invoices", "not been invoiced"},
		"待付款": {"没给钱", "还没付", "还没付款", "还没有付款", "还未付款", "尚未付款", "没付钱", "not paid"}, "待发货": {"没发出", "等着发货", "等待发货", "还没发", "还没发货", "还没有发货", "还未发货", "尚未发货", "waiting to be shipped", "not shipped", "not yet shipped", "pending orders", "pending order", "orders pending", "orders are pending", "order is pending"}, "已取消": {"被取消"},
		"已完成": {"完成了", "做完了", "交易成功", "完结", "finished", "finish", "were done", "are done", "fulfilled", "complete"},
	},
	"list_orders.freight_charged": {
		"免运费": {"包邮", "免邮", "没收运费", "没付运费", "不收运费", "零运费", "no shipping fee", "without shipping", "shipped free", "shipped for free", "free delivery", "free freight", "free postage"},
		"付运费": {"付了运费", "收了运费", "收运费", "有运费", "paid for shipping", "paid shipping", "with a shipping fee", "with freight"},
	},
	"list_orders.discounted": {
		"有优惠":  {"打折的", "打了折", "优惠过", "享受优惠", "用了优惠", "with a discount", "with discount", "with discounts", "had a discount", "got a discount", "reduced orders"},
		"没有优惠": {"没优惠", "无优惠", "没打折", "没有打折", "no discount", "without a discount", "without discounts", "full price", "at full price"},
	},
	"list_orders.sort": {
		"最贵":   {"金额最高", "金额最大", "实付最高", "实付最多", "实付金额最高", "付得最多", "最大额", "highest amount", "largest amount", "biggest amount", "highest value", "most valuable"},
		"最便宜":  {"金额最低", "金额最小", "实付最低", "实付最少", "实付金额最低", "付得最少", "最小额", "lowest amount", "smallest amount", "lowest value"},
		"优惠最多": {"优惠最大", "折扣最大", "折扣最多", "减得最多", "优惠金额最高", "largest discount", "most discounted", "highest discount", "most discount", "biggest discounts", "优惠力度最大", "折扣力度最大"},
		"运费最高": {"运费最贵", "运费最多", "邮费最高", "邮费最贵", "most freight", "highest shipping fee", "highest shipping cost", "highest shipping", "highest postage"},
		"件数最多": {"商品最多", "东西最多", "数量最多", "most items", "most products", "most goods", "most units", "largest number of items", "largest number of pieces"},
	},
	"list_orders.daytime": partsOfDay, "list_refunds.daytime": partsOfDay, "sales_statistics.daytime": partsOfDay,
	"sales_statistics.by": {
		"新老客": {"新客和老客", "新客户和老客户", "新老客户", "新客", "老客", "新客户", "老客户", "回头客", "new and returning", "new vs returning", "new and repeat", "returning customers", "repeat customers", "new customers"},
	},
	"sales_statistics.sold": {
		"没卖出": {"滞销", "没卖掉", "没卖过", "没卖动", "没有卖出", "没有卖掉", "没有人买", "没人买", "卖不出去", "卖不掉", "卖不动", "一件都没卖", "一件没卖", "一件也没卖", "零销量", "没有销量", "没销量", "没有销售", "积压",
			"not sell", "not sold", "didn't sell", "didnt sell", "doesn't sell", "don't sell", "never sold", "haven't sold", "hasn't sold", "sold nothing", "no sales", "zero sales", "without sales", "nobody bought", "no one bought", "not selling", "isn't selling", "aren't selling", "dead stock"},
	},
	"find_customers.kind": {
		"新客":   {"新客户", "新顾客", "新买家", "新用户", "第一次买", "第一次下单", "第一次购买", "首次下单", "首次购买", "头一回买", "new customers", "new customer", "new buyers", "first-time buyers", "first-time customers", "for the first time"},
		"回头客":  {"老客", "老客户", "老顾客", "复购", "回购", "再次购买", "又来买", "returning customers", "returning customer", "came back", "bought again", "loyal customers", "repurchase"},
		"多次购买": {"不止一次", "不止买过一次", "多次", "买过两次", "两次以上", "不止一单", "repeat customers", "repeat buyers", "more than once", "bought twice", "ordered twice", "buy twice", "order twice", "twice or more", "several times"},
		"没下单":  {"没有下单", "没有再下单", "没再下单", "没有下过单", "没有买过", "没买过", "没有再买", "没再买", "没下过单", "没买", "没有买", "没购买", "没有购买", "没复购", "没来", "没消费", "流失", "沉睡", "not ordered", "not bought", "not purchased", "not order", "not buy", "not purchase", "not shopped", "not placed", "haven't ordered", "haven't bought", "didn't order", "no orders", "inactive", "churned", "dormant", "never ordered", "never bought"},
		"只买一次": {"只买过一次", "只买了一次", "只下过一单", "只下了一单", "买过一次", "only once", "just once", "one-time buyers", "bought once"},
	},
	"stock_level.state": {
		"即将售罄": {"快没货", "快没货了", "快没了", "快卖完了", "快卖光了", "快断货了", "要断货了", "快缺货", "快卖完", "快卖光", "快断货", "快断了", "要断货", "快缺货", "快售罄", "快要没", "要补货", "该补货", "需要补货", "该进货", "要进货", "库存不足", "库存紧张", "库存告急", "running low", "run low", "low on stock", "low in stock", "low stock",
			"almost out of stock", "nearly out of stock", "about to run out", "running out", "run out soon", "almost gone", "almost sold out", "need restocking", "needs restocking", "need to be restocked", "reorder", "restock soon"},
		"已售罄": {"断货的", "断货商品", "断了货", "断货了", "已断货", "没货了", "没有货", "缺货", "卖完了", "卖光了", "售罄", "没库存", "out of stock", "sold out", "no stock"},
	},
	"campaign_results.outcome": {
		"亏钱": {"亏本", "亏损", "亏了的", "在亏", "赔钱", "赔本", "不赚钱", "没赚钱", "不划算", "losing money", "lose money", "lost money", "loses money", "unprofitable", "at a loss"},
		"赚钱": {"盈利", "划算", "赚了的", "在赚", "making money", "make money", "made money", "earned money"},
	},
	"campaign_results.state": {
		"进行中": {"正在进行", "还在进行", "在投", "正在投", "在跑", "在推", "ongoing", "still running", "currently running", "active campaigns", "running now"},
		"已结束": {"结束了", "结束的", "投完了"},
	},
	"late_shipments.kind": {
		"即将到期": {"到期", "快到期", "要到期", "该发货", "due soon", "due to be shipped", "due to ship", "must be shipped", "must ship", "have to ship", "about to be late"},
	},
	"list_shipments.state": {
		"在途":  {"还没到", "没到", "没送到", "没有送到", "在路上", "没签收", "没有签收", "未签收", "没收到", "没送达", "未送达", "运输中", "派送中", "on the way", "not delivered", "undelivered", "not arrived", "not been delivered", "haven't arrived", "in transit", "underway", "stuck for", "been stuck"},
		"已签收": {"到了", "送到了", "签收了", "收到了", "arrived", "received"},
	},
	"list_refunds.state": {
		"已同意": {"退款了", "退了", "退出去", "退还", "was refunded", "were refunded", "did we refund", "we refunded", "refunded", "paid back", "gave back", "give back"},
		"待处理": {"没处理", "未处理", "还没处理", "等我处理", "没审核", "未审核", "waiting", "open", "not decided", "undecided", "not processed", "unprocessed", "not handled", "unhandled", "unresolved", "not resolved"},
		"未同意": {"没同意", "没通过", "not agreed"},
		"已拒绝": {"被拒绝", "拒绝了", "被拒", "拒了", "驳回", "回绝", "rejected", "declined", "denied", "turned down", "we refused", "were refused"},
	},
	"list_invoices.state": {
		"待开": {"还没开", "没开的", "没开出", "等着开", "等待开", "要开的", "待处理", "not issued", "unissued", "not been issued", "to be issued", "waiting", "pending", "open", "outstanding"},
		"已开": {"开了", "开出", "开过", "开好了", "been issued", "were issued", "did we issue", "we issued"},
	},
}

// partsOfDay are other words for these.
var partsOfDay = map[string][]string{
	"凌晨": {"半夜", "后半夜", "early in the morning", "before dawn", "after midnight"}, "上午": {"早上", "早晨", "清晨", "清早", "in the morning", "mornings"},
	"中午": {"午间", "午饭", "midday", "lunchtime", "at lunch"}, "下午": {"午后", "in the afternoon", "afternoons"}, "晚上": {"晚间", "夜里", "夜间", "夜上", "傍晚", "at night", "evenings", "nights"},
}

// when says of what state an order or a refund must be for a change to it, by tool and parameter: the one that names it, or one that
// is only changed in such a state. It travels on the cards as x-when, so that a planner asks
// nobody to agree to what the tool will refuse.
var when = map[string]map[string][]string{
	"cancel_order.order_id":       {"state": {"待付款", "待发货"}},
	"ship_order.order_id":         {"state": {"待发货"}},
	"change_order_state.order_id": {"state": {"待付款", "已发货"}},
	"change_order.receiver":       {"state": {"待付款", "待发货"}},
	"change_order.phone":          {"state": {"待付款", "待发货"}},
	"change_order.address":        {"state": {"待付款", "待发货"}},
	"urge_shipment.order_id":      {"state": {"已发货", "在途"}}, // of an order, or of its parcel
	"decide_refund.refund_id":     {"state": {"待处理"}},
	"issue_invoice.order_id":      {"state": {"待发货", "已发货", "已完成"}, "invoice_state": {"未申请", "待开"}},
}

// present says where the value is to be seen that a change will replace, by tool and parameter: which tool shows it, and as what; behind | others that show it, too. It travels on
// the cards as x-present, so that who agrees to a change sees what it replaces, and may say it by how much. On a parameter that names the thing, and that the
// tool can do without, it says where the thing is seen; where it must be given a planner finds that by itself.
var present = map[string]string{
	"set_stock.stock": "find_products.stock|stock_level.stock", "set_price.price": "find_products.price", "change_order_state.state": "order_detail.state",
	"change_order.receiver": "order_detail.receiver", "change_order.phone": "order_detail.phone", "change_order.address": "order_detail.address",
	"change_order.note": "order_detail.note", "send_message_to_buyer.order_id": "order_detail.order_id",
}

// meaning puts these words on the parameters of a card.
func meaning(tool string, parameters *jsonschema.Schema) {
	for p := parameters.Properties.Oldest(); p != nil; p = p.Next() {
		if m := means[tool+"."+p.Key]; m != nil {
			if p.Value.Extras == nil {
				p.Value.Extras = map[string]any{}
			}
			p.Value.Extras["x-means"] = m
		}
		if w := when[tool+"."+p.Key]; w != nil {
			if p.Value.Extras == nil {
				p.Value.Extras = map[string]any{}
			}
			p.Value.Extras["x-when"] = w
		}
		if at := present[tool+"."+p.Key]; at != "" {
			if p.Value.Extras == nil {
				p.Value.Extras = map[string]any{}
			}
			p.Value.Extras["x-present"] = at
		}
	}
}
