package plan

import "testing"

// What a turn leaves out is told by the turns before it, and nothing else of them is taken along.
func TestCarried(t *testing.T) { // it is 16 May 2026
	const stock = "4 products.\n\n| 商品名称 | 库存 | 商品编号 |\n| --- | --- | --- |\n| 禾煮电饭煲 4L 智能预约 | 7 | 10000020309866 |\n| 灶小二电饭煲 2L 单人 | 9 | 10000020309867 |"
	const sales = "S.\n\n| Group | Orders | Sales (CNY) |\n| --- | --- | --- |\n| mobile phone | 7 | 900 |\n| air fryer | 9 | 800 |"
	const first = "There are 900 customers. Zhang Yuhua (张玉华) spent most: CNY 91,709.\n\n| Customer | City | Spent (CNY) |\n| --- | --- | --- |\n| 张玉华 | 上海市 | 91709 |\n| 胡子平 | 北京市 | 900 |"
	const best = "Highest: 禾煮空气炸锅 4L 家用.\n\n| Product | Orders | Sales (CNY) |\n| --- | --- | --- |\n| 禾煮空气炸锅 4L 家用 | 7 | 900 |\n| 禾煮电饭煲 4L 智能预约 | 9 | 800 |"
	const late = "2 orders.\n\n| Order | City |\n| --- | --- |\n| 281065989409 | Beijing |\n| 281065989410 | Chengdu |"
	const rule = "七天内可以退。\n\n—— 售后处理时限"
	for _, c := range []struct {
		turns []Turn
		say   string
		want  string
	}{
		{[]Turn{{Request: "王萍萍的订单", Answer: "S."}}, "and how much did she pay in all?", "find_customers{consumer_name=王萍萍}"},
		{[]Turn{{Request: "Who is the best customer?", Answer: first}}, "how much did she spend in total?", "find_customers{consumer_name=张玉华}"},
		{[]Turn{{Request: "谁买得最多", Answer: first}}, "她退过货吗", "list_refunds{consumer_name=张玉华}"},
		{[]Turn{{Request: "空气炸锅上个月卖了多少", Answer: "S."}}, "赚钱吗", "sales_statistics{category=空气炸锅; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "空气炸锅上个月卖了多少", Answer: "S."}}, "卖得好吗", "sales_statistics{category=空气炸锅; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "空气炸锅上个月卖了多少", Answer: "S."}}, "利润率多少", "sales_statistics{category=空气炸锅; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "sales of air fryers last month", Answer: "S."}}, "is it profitable?", "sales_statistics{category=air fryers; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "sales by category last month", Answer: sales}}, "is it profitable", "sales_statistics{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "stock of air fryers", Answer: "S."}}, "are they making money?", "sales_statistics{category=air fryers}"},
		{[]Turn{{Request: "四月的销售额", Answer: "S."}}, "哪个商品退得最多", "list_refunds{by=商品; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月的销售额", Answer: "S."}}, "哪个城市卖得最多", "sales_statistics{by=城市; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月的销售额", Answer: "S."}}, "退款率是多少", "sales_statistics{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "sales in April", Answer: "S."}}, "which product was returned most?", "list_refunds{by=product; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "sales in Shanghai in April", Answer: "S."}}, "which city sold the most?", "sales_statistics{by=city; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "sales by category last month", Answer: sales}}, "and how about the second one this month?", "sales_statistics{category=air fryer; from=2026-05-01}"},
		{[]Turn{{Request: "上个月各类目销售额", Answer: sales}}, "那第二个这个月呢", "sales_statistics{category=air fryer; from=2026-05-01}"},
		{[]Turn{{Request: "and rice cookers?", Answer: stock}}, "lower the price of the first by 5%", "set_price{sku_id=10000020309866}"},
		{[]Turn{{Request: "stock of air fryers", Answer: "S."}, {Request: "and rice cookers?", Answer: stock}}, "lower the price of the second one by 5%", "set_price{sku_id=10000020309867}"},
		{[]Turn{{Request: "uninvoiced orders", Answer: "S."}}, "orders over 1000 yuan", "list_orders{min_amount=1000.01; state=-}"},
		{[]Turn{{Request: "待发货的订单有哪些", Answer: "S."}}, "超过1000元的订单", "list_orders{min_amount=1000.01; state=-}"},
		{[]Turn{{Request: "待发货的订单有哪些", Answer: "S."}}, "超过1000元的", "list_orders{min_amount=1000.01; state=待发货}"},
		{[]Turn{{Request: "late orders", Answer: "S."}}, "orders over 1000 yuan", "list_orders{min_amount=1000.01}"},
		{[]Turn{{Request: "已取消的订单", Answer: "S."}}, "上海的订单", "list_orders{city=上海; state=-}"},
		{[]Turn{{Request: "已取消的订单", Answer: "S."}}, "上海的呢", "list_orders{city=上海; state=已取消}"},
		{[]Turn{{Request: "王萍萍的订单", Answer: "S."}}, "超过1000元的订单", "list_orders{consumer_name=王萍萍; min_amount=1000.01}"},
		{[]Turn{{Request: "七天无理由退货的规则是什么", Answer: rule}}, "那生鲜呢", "search_rules{query=七天无理由退货 生鲜的规则}"},
		{[]Turn{{Request: "lower the price of 禾煮空气炸锅 4L 家用 by 10%", Answer: "All right, not done.", Refused: true}}, "make it 5% instead", "set_price{sku_name=禾煮空气炸锅 4L 家用}"},
		{[]Turn{{Request: "禾煮空气炸锅 4L 家用降价10%", Answer: "好的，没有执行。", Refused: true}}, "改成5%", "set_price{sku_name=禾煮空气炸锅 4L 家用}"},
		{[]Turn{{Request: "禾煮空气炸锅 4L 家用降价10%", Answer: "好的，没有执行。", Refused: true}}, "5%吧", "set_price{sku_name=禾煮空气炸锅 4L 家用}"},
		{[]Turn{{Request: "四月的销售额", Answer: "S."}, {Request: "天气怎么样", Answer: "抱歉，我没有能处理「天气怎么样」的工具。"}}, "那三月呢", "sales_statistics{from=2026-03-01; to=2026-03-31}"},
		{[]Turn{{Request: "七天无理由退货的规则是什么", Answer: rule}, {Request: "那生鲜呢", Answer: rule}}, "那定制的呢", "search_rules{query=七天无理由退货 定制的规则}"},
		{[]Turn{{Request: "王萍萍的订单", Answer: "S."}, {Request: "what is the policy on her?", Answer: "Nothing was found for The question in the user's words: how much tax."}}, "last month", "list_orders{consumer_name=王萍萍; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "王萍萍的订单", Answer: "S."}}, "turn the above orders into a PPT", "report_tool{format=pptx}"},
		{[]Turn{{Request: "王萍萍的订单", Answer: "S."}}, "put these orders into an Excel file", "report_tool{format=xlsx}"},
		{[]Turn{{Request: "王萍萍的订单", Answer: "S."}}, "把上面的订单做成PPT", "report_tool{format=pptx}"},
		{[]Turn{{Request: "空气炸锅上个月卖得怎么样", Answer: "S."}}, "退货率呢", "sales_statistics{category=空气炸锅; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "best selling product last month", Answer: best}}, "how many left?", "stock_level{sku_name=禾煮空气炸锅 4L 家用}"},
		{[]Turn{{Request: "上个月卖得最好的商品", Answer: best}}, "还有多少库存", "stock_level{sku_name=禾煮空气炸锅 4L 家用}"},
		{[]Turn{{Request: "late shipments", Answer: late}}, "how many from Beijing", "late_shipments{city=Beijing}"},
		{[]Turn{{Request: "发货超时的订单", Answer: late}}, "北京的有几个", "late_shipments{city=北京}"},
		{[]Turn{{Request: "refunds last month", Answer: late}}, "how many were approved", "list_refunds{state=approved; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "sales of air fryers last month", Answer: "S."}}, "refund rate?", "sales_statistics{category=air fryers; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "sales per city last month", Answer: "S."}}, "and how about Chengdu this month", "sales_statistics{city=Chengdu; from=2026-05-01}"},
		{[]Turn{{Request: "上个月各城市的销售额", Answer: "S."}}, "那成都这个月呢", "sales_statistics{city=成都; from=2026-05-01}"},
		{[]Turn{{Request: "sales of phones last month", Answer: "S."}}, "refund rate?", "sales_statistics{category=phones; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月的销售额", Answer: "S."}}, "退款率", "sales_statistics{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月的销售额", Answer: "S."}}, "哪天最多", "sales_statistics{by=日; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月的销售额", Answer: "S."}, {Request: "哪天最多", Answer: "S."}}, "利润呢", "sales_statistics{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月的销售额", Answer: "S."}}, "哪周最高", "sales_statistics{by=周; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月每天的订单数", Answer: "S."}}, "最高的是哪天", "list_orders{by=日; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "sales of phones last month", Answer: "S."}}, "which day was the best?", "sales_statistics{by=day; category=phones; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "how many orders in April", Answer: "S."}}, "which week had the most", "list_orders/sales_statistics{by=week; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "refunds in April", Answer: "S."}}, "which reason is most common", "list_refunds{by=reason; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月的退款", Answer: "S."}}, "什么原因最多", "list_refunds{by=原因; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "上个月退款最多的商品", Answer: "S."}}, "退了多少钱", "list_refunds{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "how did the campaigns do in April", Answer: "S."}}, "which earned the most", "campaign_results{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月广告花了多少钱", Answer: "S."}}, "带来多少销售额", "campaign_results{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "四月广告花了多少钱", Answer: "S."}}, "哪个渠道最好", "campaign_results{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "orders of 李建国", Answer: "There are 3 orders of 李建国."}}, "how much did he spend this year", "find_customers{consumer_name=李建国; from=2026-01-01}"},
		{[]Turn{{Request: "王萍萍的订单", Answer: late}}, "which one cost most", "search_order_code/list_orders{consumer_name=王萍萍}"},
		{[]Turn{{Request: "王萍萍的订单", Answer: late}}, "哪一单最贵", "search_order_code/list_orders{consumer_name=王萍萍}"},
		{[]Turn{{Request: "待发货的订单有多少", Answer: late}}, "总金额多少", "list_orders{state=待发货}"},
		{[]Turn{{Request: "orders cancelled in April", Answer: late}}, "how much money is that", "list_orders{state=cancelled; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "which product sold best in April", Answer: best}}, "what is its price", "find_products{sku_name=禾煮空气炸锅 4L 家用}"},
		{[]Turn{{Request: "which product sold best in April", Answer: best}}, "how many were sold", "sales_statistics{sku_name=禾煮空气炸锅 4L 家用; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "lowest stock products", Answer: "34 products.\nLowest Stock: 禾煮电饭煲 4L 智能预约 (2).\n\n| 商品名称 | 库存 |\n| --- | --- |\n| 禾煮电饭煲 4L 智能预约 | 2 |"}}, "who buys it", "list_orders/find_customers{consumer_name=-}"},
	} {
		h := newTeam(t)
		in := ask(c.say)
		in.History = c.turns
		h.begin(t, in)
		if miss := h.wrong(readWishes(c.want)); miss != "" {
			t.Errorf("%s | %s: %s: %s", c.turns[len(c.turns)-1].Request, c.say, miss, h.told())
		}
	}
}
