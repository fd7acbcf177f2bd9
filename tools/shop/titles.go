package shop

import "github.com/invopop/jsonschema"

// titles are the English of the titles that results and the parameters of changes have, so that a title has one translation wherever it stands. They travel on
// the cards as x-title-en.
var titles = map[string]string{
	"结论": "Answer", "英文结论": "Answer in English", "说明": "Explanation", "依据": "Basis", "理由": "Reason",
	// orders
	"订单编号": "Order", "订单": "Orders", "数量": "Number", "下单时间": "Ordered at", "订单状态": "Order state", "买家": "Buyer", "下单账号": "Account", "商品": "Products",
	"实付金额": "Paid (CNY)", "付款时间": "Paid at", "最晚发货时间": "Ship by", "收货人": "Receiver", "收货电话": "Receiver's phone", "收货地址": "Address",
	"商品金额": "Goods (CNY)", "优惠": "Discount (CNY)", "运费": "Freight (CNY)", "优惠金额": "Discounts (CNY)", "运费合计": "Freight in all (CNY)", "商家备注": "Seller's note", "原状态": "State before", "恢复库存件数": "Pieces back in stock",
	"分状态": "By state", "订单金额合计": "Total of the orders (CNY)", "实付合计": "Paid in all (CNY)", "客单价": "Average order (CNY)", "退款率（%）": "Refund rate (%)",
	"日均销售额": "Sales a day (CNY)", "日均订单数": "Orders a day", "订单金额中位数": "Median order (CNY)",
	// products
	"商品编号": "Product id", "商品名称": "Product", "品牌": "Brand", "类目": "Category", "售价": "Price (CNY)", "单价": "Unit price (CNY)", "成本": "Cost (CNY)",
	"库存": "Stock", "总库存": "Pieces in stock", "库存成本": "Stock at cost (CNY)", "库存总值": "Stock value (CNY)", "件数": "Pieces", "金额": "Amount (CNY)", "商品数": "Products", "日均销量": "Sold per day", "可卖天数": "Days left", "没卖出的商品数": "Unsold products", "占用成本": "Cost tied up (CNY)", "最近卖出": "Last sold",
	"原库存": "Stock before", "现库存": "Stock now", "原售价": "Price before (CNY)", "现售价": "Price now (CNY)", "毛利": "Margin (CNY)", "毛利润": "Margin (CNY)",
	// logistics
	"运单号": "Waybill", "快递公司": "Carrier", "是否超时发货": "Shipped late", "发货时间": "Shipped at", "签收时间": "Delivered at", "最新进展": "Last event",
	"停滞小时数": "Hours without news", "已催次数": "Times urged", "物流轨迹": "Events", "时间": "Time", "地点": "Place", "进展": "Event",
	"包裹状态": "Parcel state", "包裹数": "Parcels", "包裹": "Parcels", "在途包裹数": "Under way", "平均发货小时数": "Hours to ship, mean", "平均送达小时数": "Hours to delivery, mean", "在途天数": "Days under way",
	"超时订单数": "Late orders", "超时订单": "Late orders", "实际发货时间": "Shipped at", "超时小时数": "Hours late", "催件时间": "Urged at",
	// after-sales
	"退款单号": "Refund id", "类型": "Kind", "原因": "Reason", "申请金额": "Asked for (CNY)", "申请退款": "Asked back (CNY)", "处理状态": "State", "申请时间": "Asked at", "处理时间": "Decided at",
	"处理说明": "Decision", "退款申请数": "Refund requests", "退款申请": "Refund requests", "金额合计": "Total (CNY)", "退款金额": "Refunded (CNY)",
	"发票状态": "Invoice", "发票抬头": "Invoice title", "税号": "Tax number", "开票金额": "Invoice amount (CNY)", "发票号码": "Invoice number", "开票时间": "Issued at",
	"发票": "Invoices", "发票数": "Invoices", "待开发票数": "Invoices waiting", "开票额": "Invoiced (CNY)", "开票合计": "Invoiced in all (CNY)",
	// customers
	"客户数": "Customers", "新客数": "New customers", "回头客数": "Returning customers", "复购率（%）": "Returning (%)", "客户": "Customers", "客户姓名": "Customer", "客户电话": "Phone", "城市": "City", "订单数": "Orders", "消费金额": "Spent (CNY)",
	"最近下单": "Last order", "消息编号": "Message id", "收信人": "Recipient", "发送时间": "Sent at",
	// sales, forecast, price
	"统计对象": "Of", "起始日期": "From", "结束日期": "To", "开始日期": "From", "销量": "Pieces", "销售额": "Sales (CNY)", "已退款": "Refunded (CNY)", "明细": "Details", "分组": "Group",
	"预测对象": "Of", "预计销量": "Expected pieces", "80%区间下限": "80% low", "80%区间上限": "80% high", "95%区间下限": "95% low", "95%区间上限": "95% high",
	"其中已售出": "Sold already", "最近日均销量": "Sold per day lately", "日均变化（%）": "Daily change (%)", "预测方法": "Method", "方法": "Method", "回测误差（%）": "Back-test error (%)",
	"比较过的方法": "Methods compared", "分周预测": "By week", "依据的历史": "History used",
	"定价对象": "Of", "定价建议": "Price advice", "建议": "Advice", "建议售价": "Suggested price (CNY)", "调价幅度（%）": "Price change (%)", "预计销量变化（%）": "Pieces (%)",
	"预计毛利变化（%）": "Profit (%)", "较差情况下的毛利变化（%）": "Profit at worst (%)", "价格弹性": "Elasticity", "弹性95%区间下限": "Elasticity 95% low",
	"弹性95%区间上限": "Elasticity 95% high", "出现过的价格数": "Prices seen",
	// marketing
	"活动数": "Campaigns", "花费合计": "Cost (CNY)", "带来的销售额": "Sales brought (CNY)", "投入产出比": "ROI", "分渠道": "By channel", "活动": "Campaigns", "渠道": "Channel",
	"花费": "Cost (CNY)", "盈亏": "Profit (CNY)", "活动编号": "Campaign id", "活动名称": "Campaign", "曝光": "Impressions", "点击": "Clicks",
	"推广对象": "Of", "总预算": "Budget (CNY)", "天数": "Days", "预计带来的销售额": "Expected sales (CNY)", "预算分配": "Split", "最后一元预算的毛利": "Margin of the last yuan (CNY)",
	"毛利率（%）": "Margin (%)", "过去日均花费": "Usual daily cost (CNY)", "预算": "Budget (CNY)", "历史投入产出比": "ROI so far", "预计销售额": "Expected sales (CNY)",
	"对象": "Of", "词数": "Keywords", "商机词": "Opportunity keywords", "关键词": "Keyword", "月搜索量": "Searches a month", "搜索量环比（%）": "Searches, change (%)",
	"竞争度（%）": "Competition (%)", "本店覆盖（%）": "Coverage (%)", "点击价": "Click price (CNY)", "每月可增订单": "Extra orders a month", "每月花费": "Cost a month (CNY)",
	// per order, and how long it takes
	"优惠合计": "Discounts in all (CNY)", "订单运费合计": "Freight of the orders (CNY)", "每单件数": "Pieces per order", "每单优惠": "Discount per order (CNY)", "每单运费": "Freight per order (CNY)",
	"期间推广花费": "Advertising (CNY)", "净利润": "Net profit (CNY)", "平均处理小时数": "Hours to a decision, mean", "平均开票小时数": "Hours to issue, mean",
	"点击率（%）": "Click rate (%)", "点击成本": "Cost per click (CNY)",
	// changes
	"取消原因": "Reason", "新状态": "New state", "处理决定": "Decision", "消息内容": "Message", "新售价": "New price (CNY)", "允许亏本": "Accept a loss",
	// qualifications
	"对应类目": "Category", "是否可以开店": "Allowed", "所需资质": "Papers needed", "资质名称": "Paper", "要求": "What is wanted", "相近的关键词": "Near keywords",
}

// askedFor does the same where a parameter is meant, whose value is asked for by it.
func askedFor(s *jsonschema.Schema) {
	inEnglish(s)
	if id, ok := s.Properties.Get("order_id"); ok {
		id.Extras["x-title-en"] = "Order id"
	}
}

// inEnglish puts the English titles beside the Chinese ones, at any depth.
func inEnglish(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if en, ok := titles[s.Title]; ok {
		if s.Extras == nil {
			s.Extras = map[string]any{}
		}
		s.Extras["x-title-en"] = en
	}
	inEnglish(s.Items)
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		inEnglish(p.Value)
	}
}
