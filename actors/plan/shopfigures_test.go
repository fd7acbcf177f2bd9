package plan

import (
	"strings"
	"testing"
)

// Questions of a shop's owner for figures, in both languages: what is called for them, and with what. Today is 2026-05-16.
func TestFiguresOfTheShop(t *testing.T) {
	h := newTeam(t)
	h.says["stock_level"] = `{"summary":"有 1 种商品。","summary_en":"There is 1 product.","count":1,"stock":[{"sku_name":"禾煮空气炸锅 5L 可视窗","stock":5,"sku_id":"10000020260001"}]}`
	for _, c := range []struct{ request, want string }{
		{"库存不足10件的商品有哪些", "stock_level{state=-}"},
		{"库存不足的商品有哪些", "stock_level{state=即将售罄}"},
		{"上半年的销售额", "sales_statistics{from=2026-01-01; to=2026-06-30; sku_name=-}"},
		{"去年下半年卖了多少", "sales_statistics{from=2025-07-01; to=2025-12-31; sku_name=-}"},
		{"revenue in the second half of 2025", "sales_statistics{from=2025-07-01; to=2025-12-31; sku_name=-}"},
		{"sales in H1 2025", "sales_statistics{from=2025-01-01; to=2025-06-30; sku_name=-}"},
		{"上半年和下半年的销售额对比", "sales_statistics{from=2026-01-01; to=2026-06-30; sku_name=-}, sales_statistics{from=2025-07-01; to=2025-12-31; sku_name=-}"},
		{"最近一周每天卖了多少", "sales_statistics{by=日/day/-; from=2026-05-10}"},
		{"我的店这个季度比上个季度怎么样", "sales_statistics{from=2026-04-01; sku_name=-}, sales_statistics{from=2026-01-01; to=2026-03-31}"},
		{"what do we sell most", "sales_statistics{by=product}"},
		{"what sells best", "sales_statistics{by=product}"},
		{"下单最多的是几点", "list_orders{by=小时}"},
		{"下单最多的时间段是几点", "list_orders{by=小时}"},
		{"which products lose money", "sales_statistics{by=product}"},
		{"亏本的商品有哪些", "sales_statistics{by=商品}"},
		{"哪些商品不赚钱", "sales_statistics{by=商品}"},
		{"which campaigns lose money", "campaign_results{outcome=亏钱/losing}"},
		{"上个月日均销售额是多少", "sales_statistics{from=2026-04-01; to=2026-04-30}"},
		{"What was the average revenue per day last month?", "sales_statistics{from=2026-04-01; to=2026-04-30}"},
		{"上周日均订单数", "sales_statistics/list_orders/find_customers{from=2026-05-04; to=2026-05-10}"},
		{"上个月哪些商品没卖出去", "sales_statistics{sold=没卖出/unsold; from=2026-04-01}"},
		{"哪些商品滞销", "sales_statistics{sold=没卖出/unsold}"},
		{"what did not sell last month", "sales_statistics{sold=没卖出/unsold; from=2026-04-01}"},
		{"which products had no sales this week", "sales_statistics{sold=没卖出/unsold}"},
		{"快没货的商品", "stock_level{state=即将售罄}"},
		{"哪些商品快断货了", "stock_level{state=即将售罄}"},
		{"what is almost out of stock", "stock_level{state=即将售罄}"},
		{"which products are out of stock", "stock_level{state=已售罄}"},
		{"回头客有多少", "find_customers{kind=回头客}"},
		{"who bought more than once", "find_customers{kind=多次购买}"},
		{"who bought only once", "find_customers{kind=只买一次}"},
		{"上个月有多少新客户", "find_customers{kind=新客; from=2026-04-01}"},
		{"平均每单金额哪个城市最高", "sales_statistics{by=城市}"},
		{"which city has the highest average order value", "sales_statistics{by=city}"},
		{"客单价", "sales_statistics{}"},
		{"订单金额的中位数", "sales_statistics{}"},
		{"周末卖得比平时好吗", "sales_statistics{by=周末; sku_name=-}"},
		{"do we sell more on weekends than on weekdays", "sales_statistics{by=weekend; sku_name=-}"},
		{"周几卖得最好", "sales_statistics{by=周几}"},
		{"哪个星期几下单最多", "list_orders/sales_statistics{by=周几; sku_name=-}"},
		{"list all air fryers", "find_products{category=air fryers}"},
		{"list headphones", "find_products{category=headphones}"},
		{"list all air fryer products", "find_products{category=air fryer}"},
		{"list orders of air fryers", "list_orders{category=air fryers}"},
		{"几点下单的人最多", "list_orders{by=小时}"},
		{"what time of day do people order most", "list_orders{by=hour}"},
		{"各时段的订单数", "list_orders{by=小时; sku_name=-}"},
		{"老客贡献了多少销售额", "sales_statistics{by=新老客; sku_name=-}"},
		{"What share of sales comes from returning customers?", "sales_statistics{by=new or returning}"},
		{"上海和北京的销售额", "sales_statistics{city=上海}, sales_statistics{city=北京}"},
		{"sales in Shanghai and Beijing last month", "sales_statistics{city=Shanghai; from=2026-04-01}, sales_statistics{city=Beijing; from=2026-04-01}"},
		{"今年第一季度的销售额", "sales_statistics{from=2026-01-01; to=2026-03-31; sku_name=-}"},
		{"sales in Q4 2025", "sales_statistics{from=2025-10-01; to=2025-12-31; sku_name=-}"},
		{"三季度卖了多少", "sales_statistics{from=2025-07-01; to=2025-09-30; sku_name=-}"},
		{"去年同期的销售额", "sales_statistics{from=2025-05-01; to=2025-05-16}"},
		{"本月销售额和去年同期比", "sales_statistics{from=2026-05-01; sku_name=-}, sales_statistics{from=2025-05-01; to=2025-05-16; sku_name=-}"},
		{"上个月的销售额比去年同期", "sales_statistics{from=2026-04-01; to=2026-04-30}, sales_statistics{from=2025-04-01; to=2025-04-30}"},
		{"昨天的销售额和上周同一天比", "sales_statistics{from=2026-05-15; to=2026-05-15}, sales_statistics{from=2026-05-08; to=2026-05-08}"},
		{"昨天比上周同期的销售额如何", "sales_statistics{from=2026-05-15; to=2026-05-15}, sales_statistics{from=2026-05-08; to=2026-05-08}"},
		{"今天和上个月同一天的销售额对比", "sales_statistics{from=2026-05-16; to=2026-05-16}, sales_statistics{from=2026-04-16; to=2026-04-16}"},
		{"本周和上周同期的销售额对比", "sales_statistics{from=2026-05-11; to=2026-05-17}, sales_statistics{from=2026-05-04; to=2026-05-09}"},
		{"What was revenue yesterday compared with the same day last week?", "sales_statistics{from=2026-05-15; to=2026-05-15}, sales_statistics{from=2026-05-08; to=2026-05-08}"},
		{"compare sales of yesterday with the same day of last week", "sales_statistics{from=2026-05-15; to=2026-05-15}, sales_statistics{from=2026-05-08; to=2026-05-08}"},
		{"未完成的订单", "list_orders{state=未完成}"},
		{"还没有完成的订单有几个", "list_orders{state=未完成}"},
		{"which orders are not finished yet", "list_orders{state=未完成/not completed}"},
		{"not completed orders", "list_orders{state=未完成/not completed}"},
		{"open orders", "list_orders{state=未完成/not completed}"},
		{"which orders are still open", "list_orders{state=未完成/not completed}"},
		{"how many orders have not been paid", "list_orders{state=待付款/unpaid}"},
		{"尚未付款的订单", "list_orders{state=待付款/未付款/没付款}"},
		{"not shipped orders", "list_orders{state=待发货/unshipped}"},
		{"没发货的", "list_orders{state=待发货/没发货}"},
		{"orders that haven't been shipped", "list_orders{state=待发货/unshipped}"},
		{"有哪些订单还没发货", "list_orders{state=待发货}"}, {"有哪些订单尚未付款", "list_orders{state=待付款}"}, {"发货最慢的订单", "late_shipments"}, {"平均一个客户下几单", "find_customers"},
		{"最便宜的两个订单", "list_orders{sort=最便宜; limit=2}"}, {"the cheapest two orders", "list_orders{sort=cheapest; limit=2}"},
		{"most recent order", "list_orders{sort=newest}"}, {"最早的订单是哪个", "list_orders{sort=最早}"}, {"金额最大的退款", "list_refunds{sort=金额最高}"},
		{"运费最高的订单", "list_orders{sort=运费最高}"}, {"the order with the highest freight", "list_orders{sort=highest freight}"},
		{"优惠最多的订单是哪个", "list_orders{sort=优惠最多}"}, {"orders with the biggest discount", "list_orders{sort=biggest discount}"},
		{"which order has the most items", "list_orders{sort=件数最多}"},
		{"the newest parcel", "list_shipments{sort=newest; by=-}"}, {"which parcel took longest", "list_shipments{sort=slowest; by=-}"}, {"哪家快递最慢", "list_shipments{by=快递公司; sort=-}"},
		{"orders not yet delivered", "list_orders/list_shipments{state=在途/未签收/not delivered}"},
		{"买家还没收到货的订单", "list_orders/list_shipments{state=在途/未签收/not delivered}"},
		{"没有处理的退款申请", "list_refunds{state=待处理}"},
		{"refunds not yet approved", "list_refunds{state=未同意/not approved}"},
		{"没有同意的退款", "list_refunds{state=未同意/not approved}"},
		{"没退款的订单", "list_orders{state=未退款}"},
		{"orders with no refund", "list_orders{state=未退款/not refunded}"},
		{"没退过款的订单有多少", "list_orders{state=未退款}"},
		{"uninvoiced orders", "list_orders{state=未开票/not invoiced}"},
		{"没开发票的订单", "list_orders{state=未开票}"},
		{"上个月还没开票的订单", "list_orders{state=未开票; from=2026-04-01}"},
		{"how many invoices are waiting", "list_invoices{state=待开/not yet issued}"},
		{"有多少发票待开", "list_invoices{state=待开}"},
		{"待开的发票有几张", "list_invoices{state=待开}"},
		{"哪些发票还没开", "list_invoices/list_orders{state=待开/未开票}"},
		{"which invoices are still to be issued", "list_invoices{state=待开/not yet issued}"},
		{"how many invoices did we issue last month", "list_invoices{state=已开/issued; from=2026-04-01}"},
		{"上个月开了多少张发票", "list_invoices{state=已开; from=2026-04-01}"},
		{"how many refunds were rejected", "list_refunds{state=已拒绝/refused}"},
		{"rejected refunds", "list_refunds{state=已拒绝/refused}"},
		{"approved refunds", "list_refunds{state=已同意/approved}"},
		{"issued invoices of last month", "list_invoices{state=已开/issued; from=2026-04-01}"},
		{"show me the refused refund requests", "list_refunds{state=已拒绝/refused}"},
		{"how long does a customer have to return an item", "search_rules{}"},
		{"within how many days can a buyer return goods", "search_rules{}"},
		{"what is the return period", "search_rules{}"},
		{"how many days do we have to ship", "search_rules{}"},
		{"退货期限是几天", "search_rules{}"},
		{"多久之内可以退货", "search_rules{}"},
		{"付款后几天内必须发货", "search_rules{}"},
		{"退款申请多久之内要处理", "search_rules{}"},
		{"超过发货时限的订单", "late_shipments{}"},
		{"昨天的订单有哪些", "list_orders{from=2026-05-15; to=2026-05-15}"},
		{"revenue between April 15 and 20", "sales_statistics{from=2026-04-15; to=2026-04-20}"},
		{"orders between 2026-04-15 and 2026-04-20", "list_orders{from=2026-04-15; to=2026-04-20}"},
		{"手机类目哪个卖得最好", "sales_statistics{by=商品; category=手机}"},
		{"手机类目上个月卖了多少件，哪个卖得最好", "sales_statistics{by=商品; category=手机; from=2026-04-01}"},
		{"广东的客户买得最多的是什么", "sales_statistics{by=商品; city=广东}"},
		{"what do customers in Guangdong buy most", "sales_statistics{by=product/商品; city=Guangdong}"},
		{"which products have never been sold", "sales_statistics{by=product/商品; sold=没卖出/unsold}"},
		{"今天还有几个订单没发", "list_orders{state=没发货/待发货}"},
		{"which orders should be shipped today", "late_shipments{kind=due/即将到期}"},
		{"订单平均多久发货", "list_shipments{}"},
		{"发货最慢的快递是哪家", "list_shipments{by=快递公司}"},
		{"客单价超过1000的订单有几个", "list_orders{min_amount=1000.01; sku_name=-}"},
		{"今天和昨天比订单怎么样", "list_orders{from=2026-05-16; to=2026-05-16}, list_orders{from=2026-05-15; to=2026-05-15}"},
		{"今天的订单和昨天比怎么样", "list_orders{from=2026-05-16; to=2026-05-16}, list_orders{from=2026-05-15; to=2026-05-15}"},
		{"空气炸锅的利润率比耳机高吗", "sales_statistics{category=空气炸锅}, sales_statistics{category=耳机}"},
		{"which customers haven't ordered in 3 months", "find_customers{kind=没下单; from=2026-02-17}"},
		{"最近三个月流失的客户", "find_customers{kind=没下单; from=2026-02-17}"},
		{"why do customers return headphones", "list_refunds{by=reason/原因; category=headphones}"},
		{"把最近10个订单导出成excel", "list_orders{limit=10}, report_tool{format=xlsx}"},
		{"export the last 5 orders to excel", "list_orders{limit=5}, report_tool{format=xlsx}"},
		{"导出最近10个订单", "list_orders{limit=10}, report_tool{format=xlsx}"},
		{"做一份空气炸锅的销售报告，带图表", "sales_statistics{category=空气炸锅}, report_tool{}"},
		{"generate a monthly sales report for April", "sales_statistics{by=-; from=2026-04-01}, report_tool{}"},
		{"weekly sales report", "sales_statistics{from=2026-05-11}"},
		{"which order cost most yesterday", "list_orders{from=2026-05-15; to=2026-05-15}"},
		{"the biggest order of yesterday", "list_orders{from=2026-05-15; to=2026-05-15}"},
		{"what was the largest order last month", "list_orders{from=2026-04-01; to=2026-04-30}"},
		{"昨天最大的一单", "list_orders{from=2026-05-15; to=2026-05-15}"},
		{"昨天上午的订单", "list_orders{daytime=上午/morning; from=2026-05-15; to=2026-05-15}"},
		{"orders yesterday morning", "list_orders{daytime=上午/morning; from=2026-05-15; to=2026-05-15}"},
		{"昨天晚上卖了多少", "sales_statistics{daytime=晚上/evening; from=2026-05-15; to=2026-05-15}"},
		{"how much did we sell yesterday afternoon", "sales_statistics{daytime=下午/afternoon; from=2026-05-15; to=2026-05-15}"},
		{"orders of 王萍萍", "search_order_code{consumer_name=王萍萍}"},
		{"直播带货花了多少赚了多少", "campaign_results{channel=直播; outcome=-}"},
		{"哪个活动亏钱了", "campaign_results{outcome=亏钱/losing}"},
		{"refund reasons for phones", "list_refunds{by=reason; category=phones}"},
		{"手机为什么退货", "list_refunds{category=手机}"},
		{"空气炸锅的退款有多少", "list_refunds{category=空气炸锅}"},
		{"最近的两个订单", "list_orders{sort=最新; limit=2}"},
		{"最近的三个月哪个商品卖得最好", "sales_statistics{by=商品; from=2026-02-17}"},
		{"最近的两个月的订单", "list_orders{from=2026-03-17; sort=-}"},
		{"3件以上的订单有多少", "list_orders{min_pieces=3; min_amount=-}"},
		{"orders with 2 or more items", "list_orders{min_pieces=2; min_amount=-}"},
		{"orders with more than 3 pieces last month", "list_orders{min_pieces=4; min_amount=-; from=2026-04-01}"},
		{"谁下单没付款", "list_orders{state=没付款/待付款}"},
		{"who ordered but did not pay", "list_orders{state=unpaid/待付款}"},
		{"退货率最高的类目", "sales_statistics{by=类目}"},
		{"取消率是多少", "list_orders{state=已取消}, list_orders{state=-}"},
		{"what is our cancellation rate", "list_orders{state=cancelled/canceled/已取消}, list_orders{state=-}"},
		{"最便宜的三款耳机", "find_products{category=耳机}"},
		{"the three cheapest headphones", "find_products{category=headphones}"},
		{"昨天同意了几笔退款", "list_refunds{state=已同意; from=2026-05-15}"},
		{"昨天同意的退款有几笔", "list_refunds{state=已同意; from=2026-05-15}"},
		{"上周拒绝的退款", "list_refunds{state=已拒绝; from=2026-05-04}"},
		{"谁买得最多，买了多少", "find_customers{}"},
		{"biggest refund last month", "list_refunds{from=2026-04-01; to=2026-04-30}"},
		{"worst 3 products last month", "sales_statistics{by=product; from=2026-04-01}"},
		{"哪些商品该降价", "suggest_price{}"},
		{"今天要发的货有多少", "late_shipments{kind=即将到期}"},
		{"what do i need to ship today", "late_shipments{kind=due/即将到期}"},
		{"send me the list of customers who never ordered", "find_customers{kind=没下单}"},
		{"断货的商品有几个", "stock_level{state=已售罄}"},
		{"去年11月和今年11月的销售额", "sales_statistics{from=2025-11-01; to=2025-11-30}, sales_statistics{}"},
		{"上个月和本月的订单数", "list_orders/sales_statistics{from=2026-04-01; to=2026-04-30}, list_orders/sales_statistics{from=2026-05-01}"},
		{"this morning's orders", "list_orders{daytime=上午/morning; from=2026-05-16; to=2026-05-16}"},
		{"how many orders last night", "list_orders{daytime=晚上/evening; from=2026-05-15; to=2026-05-15}"},
		{"昨晚卖了多少", "sales_statistics{daytime=晚上/evening; from=2026-05-15; to=2026-05-15}"},
		{"今早的订单", "list_orders{daytime=上午/morning; from=2026-05-16; to=2026-05-16}"},
		{"凌晨下单的有多少", "list_orders{daytime=凌晨; consumer_name=-}"},
		{"top three orders by amount this month", "list_orders{from=2026-05-01}"},
		{"被驳回的退款", "list_refunds{state=已拒绝}"},
		{"declined refund requests last month", "list_refunds{state=已拒绝/refused; from=2026-04-01}"},
		{"上个月拒绝了多少退款", "list_refunds{state=已拒绝; from=2026-04-01}"},
		{"上个月优惠了多少钱", "sales_statistics{from=2026-04-01; sku_name=-}"},
		{"本月一共优惠了多少", "sales_statistics{from=2026-05-01; sku_name=-}"},
		{"运费一共多少", "sales_statistics{sku_name=-}"},
		{"how much shipping did customers pay last month", "sales_statistics{from=2026-04-01}"},
		{"上个月收了多少运费", "sales_statistics{from=2026-04-01; sku_name=-}"},
		{"how much discount did we give in April", "sales_statistics{from=2026-04-01; to=2026-04-30; sku_name=-}"},
		{"freight paid in April", "sales_statistics{from=2026-04-01; to=2026-04-30; state=-}"},
		{"total freight last month", "sales_statistics{from=2026-04-01; to=2026-04-30}"},
		{"which orders have not been invoiced", "list_orders{state=未开票/not invoiced}"},
		{"pending orders", "list_orders{state=待发货}"},
		{"list pending orders", "list_orders{state=待发货}"},
		{"how many orders are pending", "list_orders{state=待发货}"},
		{"pending refunds", "list_refunds{state=pending}"},
		{"超过1000元的订单有多少", "list_orders{min_amount=1000.01; max_amount=-; limit=-}"},
		{"金额在500到1000之间的订单", "list_orders{min_amount=500; max_amount=1000}"},
		{"orders over 1000 yuan", "list_orders{min_amount=1000.01; max_amount=-}"},
		{"orders between 500 and 1000 yuan last month", "list_orders{min_amount=500; max_amount=1000; from=2026-04-01}"},
		{"how many orders of at least 300 yuan", "list_orders{min_amount=300}"},
		{"上个月不到100元的订单", "list_orders{min_amount=-; max_amount=99.99; from=2026-04-01}"},
		{"王萍萍200元以上的订单", "list_orders{min_amount=200; consumer_name=王萍萍}"},
		{"待发货的订单里超过500元的", "list_orders{min_amount=500.01; state=待发货}"},
		{"how long does shipping take on average", "list_shipments{sku_name=-}"},
		{"上个月平均发货时长", "list_shipments{from=2026-04-01}"},
		{"平均多久发货", "list_shipments{limit=-; sku_name=-}"},
		{"退款最多的原因", "list_refunds{by=原因}"},
		{"退款金额最高的原因是什么", "list_refunds{by=原因}"},
		{"哪些客户花钱最多", "find_customers{}"},
		{"取消的订单占多少", "list_orders{state=已取消}, list_orders{state=-}"},
		{"what percentage of orders were cancelled last month", "list_orders{state=cancelled; from=2026-04-01}, list_orders{state=-; from=2026-04-01}"},
		{"已完成订单的占比", "list_orders{state=已完成}, list_orders{state=-}"},
		{"how many parcels are late", "late_shipments{}"},
		{"late packages", "late_shipments{}"},
		{"revenue trend for the last 6 months", "sales_statistics{from=2025-11-17; sku_name=-}"},
		{"sales trend this year", "sales_statistics{from=2026-01-01; sku_name=-}"},
		{"早上下单的多还是晚上", "list_orders/sales_statistics{by=小时}"},
		{"晚上和白天哪个订单多", "list_orders/sales_statistics{by=小时}"},
		{"do people order more in the morning or in the evening", "list_orders/sales_statistics{by=hour}"},
		{"单价超过1000元的商品有几个", "find_products{}"},
		{"去年双十一那天卖了多少", "sales_statistics{from=2025-11-11; to=2025-11-11}"},
		{"2025年国庆的销售额", "sales_statistics{from=2025-10-01; to=2025-10-07}"},
		{"sales on Singles' Day last year", "sales_statistics{from=2025-11-11; to=2025-11-11}"},
		{"average time to ship", "list_shipments{limit=-}"},
		{"发货平均要多长时间", "list_shipments{limit=-}"},
		{"what is the mean time to delivery", "list_shipments{limit=-}"},
		{"上个月平均几天送到", "list_shipments{limit=-; from=2026-04-01}"},
		{"average days to deliver", "list_shipments{limit=-}"},
		{"平均几个小时能发出去", "list_shipments{limit=-}"},
		{"orders without a refund", "list_orders{state=未退款/not refunded}"},
		{"orders without refunds last month", "list_orders{state=未退款/not refunded; from=2026-04-01}"},
		{"paid orders without an invoice", "list_orders{state=未开票/not invoiced}"},
		{"products without sales this month", "sales_statistics{sold=没卖出/unsold; from=2026-05-01}"},
		{"3月和4月的订单数比较", "list_orders/sales_statistics{from=2026-04-01; to=2026-04-30}, list_orders/sales_statistics{from=2026-03-01; to=2026-03-31}"},
		{"3月和4月比较", "sales_statistics{from=2026-04-01; to=2026-04-30}, sales_statistics{from=2026-03-01; to=2026-03-31}"},
		{"3月和4月的销售额对比一下", "sales_statistics{from=2026-04-01; to=2026-04-30}, sales_statistics{from=2026-03-01; to=2026-03-31}"},
		{"compare March and April orders", "list_orders/sales_statistics{from=2026-04-01; to=2026-04-30}, list_orders/sales_statistics{from=2026-03-01; to=2026-03-31}"},
		{"今年比去年增长多少", "sales_statistics{from=2026-01-01; sku_name=-}, sales_statistics{from=2025-01-01; sku_name=-}"},
		{"how much did we grow this year against last", "sales_statistics{from=2026-01-01}, sales_statistics{from=2025-01-01}"},
		{"how much did we grow last month", "sales_statistics{from=2026-04-01}, sales_statistics{from=2026-03-01}"},
		{"上个月增长了多少", "sales_statistics{from=2026-04-01; sku_name=-}, sales_statistics{from=2026-03-01; sku_name=-}"},
		{"本月比上月增长了百分之几", "sales_statistics{from=2026-05-01; sku_name=-}, sales_statistics{from=2026-04-01; sku_name=-}"},
		{"did we grow this month compared to last month", "sales_statistics{from=2026-05-01}, sales_statistics{from=2026-04-01}"},
		{"top 5 cities by orders", "list_orders/sales_statistics{by=city}"},
		{"top 3 cities by number of orders last month", "list_orders/sales_statistics{by=city; from=2026-04-01}"},
		{"top three brands by revenue", "sales_statistics{by=brand}"},
		{"订单最多的5个城市", "list_orders/sales_statistics{by=城市}"},
		{"how long does delivery take on average", "list_shipments{sku_name=-}"},
		{"refund requests that have not been handled", "list_refunds{state=待处理}"},
		{"订单数排名前三的城市", "list_orders/sales_statistics{by=城市; sku_name=-}"},
		{"销售额前五的城市", "sales_statistics{by=城市; sku_name=-}"},
		{"上个月销量前三的品牌", "sales_statistics{by=品牌; from=2026-04-01; sku_name=-}"},
		{"top three categories by number of orders", "sales_statistics{by=category}"},
		{"按城市的销售额", "sales_statistics{by=城市}"},
		{"Show the monthly sales of this year", "sales_statistics{by=month; from=2026-01-01}"},
		{"weekly orders of air fryers", "sales_statistics/list_orders{by=week; category=air fryers}"},
		{"daily revenue of Shanghai last month", "sales_statistics{by=day; city=Shanghai; from=2026-04-01}"},
		{"the daily average revenue last month", "sales_statistics{by=-; from=2026-04-01}"},
		{"每个月的销售额", "sales_statistics{by=月}"},
		{"每周的订单数", "list_orders/sales_statistics{by=周}"},
		{"空气炸锅每周的订单数", "list_orders/sales_statistics{by=周; category=空气炸锅; sku_name=-}"},
		{"上海每月的退款金额", "list_refunds{by=月; city=上海}"},
		{"星澜手机 X2 每月的销量", "sales_statistics{by=月; sku_name=星澜手机 X2}"},
		{"monthly refunds this year", "list_refunds{by=month; from=2026-01-01}"},
		{"list all customers", "find_customers{}"},
		{"show me the customer list", "find_customers{}"},
		{"顾客名单", "find_customers{}"},
		{"所有客户", "find_customers{}"},
		{"新客和老客各有多少", "sales_statistics/find_customers{kind=-}"},
		{"how many new and returning customers do we have", "find_customers{}"},
		{"how much revenue do new customers bring", "sales_statistics{by=new or returning}"},
		{"新客带来了多少销售额", "sales_statistics{by=新老客; sku_name=-}"},
		{"average order value of returning customers", "sales_statistics{by=new or returning}"},
		{"老客的客单价", "sales_statistics{by=新老客}"},
		{"哪些商品超过三个月没有卖出去", "sales_statistics{sold=没卖出; from=2026-02-17}"},
		{"products that have not sold for more than two weeks", "sales_statistics{sold=没卖出/unsold; from=2026-05-03}"},
		{"半年没下单的客户", "find_customers{kind=没下单; from=2025-11-17}"},
		{"customers who have not ordered in 6 months", "find_customers{kind=没下单/lapsed; from=2025-11-17}"},
		{"哪些客户最近30天没有买过东西", "find_customers{kind=没下单; from=2026-04-17}"},
		{"库存总值多少", "stock_level{}"},
		{"total inventory value", "stock_level{}"},
		{"compare this month's sales with the same period last year", "sales_statistics{from=2026-05-01}, sales_statistics{from=2025-05-01; to=2025-05-16}"},
	} {
		said := h.ask(t, c.request)
		if note, _, _ := strings.Cut(said, "\n"); strings.Contains(note, "没有按") || strings.Contains(note, "not limited to") { // all of it is taken
			t.Errorf("%s: %s", c.request, note)
		}
		if strings.Contains(said, "没有改动任何东西") || strings.Contains(said, "「些") {
			t.Errorf("%s: %s", c.request, said)
		}
		if miss := h.wrong(readWishes(c.want)); miss != "" {
			t.Errorf("%s: %s: %s", c.request, miss, h.told())
		}
	}
	for request, note := range map[string]string{"上个月增长最快的商品是哪个": "「增长」没有算出来", "which product grew the most last month": "“grew” is not worked out here", "上个月增长了多少": ""} {
		if said := h.ask(t, request); !strings.Contains(said, note) || note == "" && strings.Contains(said, "没有算出来") {
			t.Errorf("%s: %s: %s", request, h.told(), said)
		}
	}
	for _, c := range []struct{ base, then, want string }{
		{"上个月的销售额", "那去年同期呢", "sales_statistics{from=2025-04-01; to=2025-04-30}"},
		{"sales by city last month", "and by category?", "sales_statistics{by=category; from=2026-04-01}"},
		{"上个月每个城市的销售额", "那按类目呢", "sales_statistics{by=类目; from=2026-04-01}"},
		{"上个月的销售额", "按商品分呢", "sales_statistics{by=商品; from=2026-04-01}"},
	} {
		in := ask(c.then)
		in.History = []Turn{{Request: c.base, Answer: "900 元。"}}
		h.begin(t, in)
		if miss := h.wrong(readWishes(c.want)); miss != "" {
			t.Errorf("%s, %s: %s: %s", c.base, c.then, miss, h.told())
		}
	}
}

// What comes first is told of the column that is meant, and no more rows than are asked for.
func TestTheFirstOfTheShop(t *testing.T) {
	h := newTeam(t)
	h.says["list_shipments"] = `{"count":9,"groups":[{"group":"北辰快递","count":4,"in_transit":1,"average_hours":66.1},{"group":"顺路速运","count":5,"in_transit":2,"average_hours":64}]}`
	h.says["sales_statistics"] = `{"groups":[{"group":"甲","quantity":1,"amount":300},{"group":"乙","quantity":1,"amount":200},{"group":"丙","quantity":1,"amount":100}]}`
	for request, want := range map[string][2]string{
		"哪家快递最慢": {"北辰快递 （66.1）", ""}, "which carrier is the fastest": {"Shunlu Express (64)", "Beichen"},
		"the two best selling products": {"乙", "丙"}, "卖得最好的两个商品": {"乙", "丙"}, "the worst two products by sales": {"乙", "甲"},
	} {
		if answer := h.ask(t, request); !strings.Contains(answer, want[0]) || want[1] != "" && strings.Contains(answer, want[1]) {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
	h.says["sales_statistics"] = `{"groups":[{"group":"甲","quantity":1,"amount":300},{"group":"乙","quantity":5,"amount":200},{"group":"丙","quantity":9,"amount":100},{"group":"丁","quantity":2,"amount":50}]}`
	for _, request := range []string{"销量最高的两个商品", "上周销量最好的两个商品是什么", "按销量排上个月前2的商品", "销量前2名的商品", "销量最好的商品", "top 2 products by units sold last month", "which product sold the most units"} {
		if answer := h.ask(t, request); !strings.Contains(answer, "是 丙 （9）") && !strings.Contains(answer, "丙 (9)") || strings.Contains(request, "2") && strings.Contains(answer, "丁") {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
	for said, c := range map[string][2]string{
		"上个月呢": {"本月比上月的销售额如何", "sales_statistics{from=2026-04-01; to=2026-04-30}"}, "十月呢": {"本月和上月的退款对比", "list_refunds{from=2025-10-01; to=2025-10-31}"},
		"and October?": {"compare sales of this month with last month", "sales_statistics{from=2025-10-01; to=2025-10-31}"},
	} {
		in := ask(said)
		in.History = []Turn{{Request: c[0], Answer: "…"}}
		if answer := h.begin(t, in); h.wrong(readWishes(c[1])) != "" || strings.Contains(answer, "「比上月」") {
			t.Errorf("%s: %s: %s", said, h.told(), answer)
		}
	}
}

// A kind of chart is no product: its figures are looked up, and where no tool draws it that is said, with who does.
func TestChartIsNoProduct(t *testing.T) {
	h := newTeam(t)
	h.says["sales_statistics"] = `{"summary":"共 900 元。","groups":[{"group":"甲","quantity":1,"amount":300},{"group":"乙","quantity":1,"amount":600}]}`
	for _, c := range []struct{ request, want, chart string }{
		{"今年每个月的销售额画个折线图", "sales_statistics{by=月; from=2026-01-01; sku_name=-}", "折线图"},
		{"画一张每月销售额的折线图", "sales_statistics{by=月; sku_name=-}", "折线图"},
		{"用柱状图展示各类目的销售额", "sales_statistics{by=类目; sku_name=-}", "柱状图"},
		{"上个月各城市销售额的饼图", "sales_statistics{by=城市; from=2026-04-01; sku_name=-}", "饼图"},
		{"空气炸锅每个月的销售额做成折线图", "sales_statistics{by=月; sku_name/category=空气炸锅}", "折线图"},
		{"show sales by month this year as a line chart", "sales_statistics{by=month; from=2026-01-01; sku_name=-}", "line chart"},
		{"sales by category as a graph", "sales_statistics{by=category; sku_name=-}", "graph"},
		{"今年每个月的销售额，画成图", "sales_statistics{by=月; sku_name=-}", "图"},
		{"各城市销售额的图表", "sales_statistics{by=城市; sku_name=-}", "图表"},
		{"bar chart of sales by category", "sales_statistics{by=category; sku_name=-}", "bar chart"},
		{"draw a pie chart of sales by city last month", "sales_statistics{by=city; from=2026-04-01; sku_name=-}", "pie chart"},
		{"今年每个月的销售额", "sales_statistics{by=月; sku_name=-}", ""},
	} {
		said := h.ask(t, c.request)
		if miss := h.wrong(readWishes(c.want)); miss != "" {
			t.Errorf("%s: %s: %s", c.request, miss, h.told())
		}
		note, _, _ := strings.Cut(said, "\n")
		if drawn := strings.Contains(note, "做成报告") || strings.Contains(note, "put it into a report"); drawn != (c.chart != "") || !strings.Contains(note, c.chart) || strings.Contains(note, "没有按") || strings.Contains(note, "not limited") {
			t.Errorf("%s: %s", c.request, said)
		}
	}
}
