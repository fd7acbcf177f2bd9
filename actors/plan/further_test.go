package plan

import "testing"

// What is asked next of figures and lists, in words that name nothing of them, is of their days, place, thing and person; today is 2026-05-16.
func TestFurther(t *testing.T) {
	const figures = "S.\n\n| 分组 | 订单数 | 销售额 |\n| --- | --- | --- |\n| 2026-04-01 | 26 | 10431 |"
	const best = "Highest: 禾煮空气炸锅 4L 家用.\n\n| Product | Orders | Sales (CNY) |\n| --- | --- | --- |\n| 禾煮空气炸锅 4L 家用 | 7 | 900 |\n| 禾煮电饭煲 4L 智能预约 | 9 | 800 |"
	const least = "库存最低的是 禾煮空气炸锅 4L 家用 10000020309866 （2 件）。\n\n| 商品名称 | 库存 | 商品编号 |\n| --- | --- | --- |\n| 禾煮空气炸锅 4L 家用 | 2 | 10000020309866 |\n| 灶小二电饭煲 2L 单人 | 9 | 10000020309867 |"
	const refunds = "退款申请有 2 个。\n\n| 订单编号 | 买家 | 原因 | 申请金额 |\n| --- | --- | --- | --- |\n| 281065989409 | 何怡芳 | 不想要了 | 297.3 |\n| 281065989410 | 刘桐怡 | 质量问题 | 129 |"
	const none = "符合条件（客户 王萍萍、金额超过 50,000 元）的订单有 0 个。"
	const noneEng = "There are 0 orders (customer Wang Pingping, over CNY 50,000)."
	const rule = "七天内可以退。\n\n—— 售后处理时限"
	fryers := Turn{Request: "4月空气炸锅的销售额是多少", Answer: figures}
	fryersEng := Turn{Request: "sales of air fryers in April", Answer: figures}
	cookers := Turn{Request: "电饭煲呢", Answer: figures}
	back := Turn{Request: "最近7天的退款有哪些", Answer: refunds}
	backEng := Turn{Request: "which refunds came in the last 7 days", Answer: refunds}
	day := Turn{Request: "昨天的销售额是多少", Answer: figures}
	hers := Turn{Request: "王萍萍的订单", Answer: refunds}
	dear := Turn{Request: "王萍萍超过50000元的订单", Answer: none}
	dearEng := Turn{Request: "orders of 王萍萍 over 50000 yuan", Answer: noneEng}
	free := Turn{Request: "七天无理由退货的运费谁出", Answer: rule}
	for _, c := range []struct {
		turns []Turn
		say   string
		want  string
	}{
		{[]Turn{fryers}, "谁在买", "find_customers{category=空气炸锅; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{fryersEng}, "who buys it", "find_customers{category=air fryers; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{fryersEng}, "and who buys the most of it?", "find_customers{category=air fryers; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{fryers}, "谁买得最多", "find_customers{category=空气炸锅; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "库存最少的商品", Answer: least}}, "谁在买", "find_customers{sku_name=禾煮空气炸锅 4L 家用; user_pin=-}"},
		{[]Turn{{Request: "sales of phones last month", Answer: figures}}, "who bought them", "find_customers{category=phones; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{fryers}, "平均每天多少", "sales_statistics{category=空气炸锅; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{fryersEng}, "how much is that a day", "sales_statistics{category=air fryers; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{backEng}, "how many a day on average?", "list_refunds{by=day; from=2026-05-10; to=2026-05-16}"},
		{[]Turn{fryers}, "库存还够卖几天", "stock_level{category=空气炸锅}"},
		{[]Turn{fryers, {Request: "谁在买", Answer: "S."}}, "什么时候卖完", "stock_level{category=空气炸锅}"},
		{[]Turn{{Request: "which product sold best last month", Answer: best}}, "how long will the stock last", "stock_level{sku_name=禾煮空气炸锅 4L 家用}"},
		{[]Turn{back}, "为什么退", "list_refunds{by=原因; from=2026-05-10; to=2026-05-16}"},
		{[]Turn{backEng}, "why did they return it?", "list_refunds{by=reason; from=2026-05-10; to=2026-05-16}"},
		{[]Turn{{Request: "王萍萍的退款", Answer: refunds}}, "为什么", "list_refunds{by=原因; consumer_name=王萍萍}"},
		{[]Turn{back}, "都是谁的", "list_refunds{from=2026-05-10; to=2026-05-16; consumer_name=-}"},
		{[]Turn{back, {Request: "为什么退", Answer: figures}}, "都是谁的", "list_refunds{from=2026-05-10; to=2026-05-16; by=-}"},
		{[]Turn{backEng}, "whose are they", "list_refunds{from=2026-05-10; to=2026-05-16; consumer_name=-}"},
		{[]Turn{back}, "最近一次是什么时候", "list_refunds{sort=最新; from=-}"},
		{[]Turn{backEng}, "when was the last one", "list_refunds{sort=newest; from=-}"},
		{[]Turn{fryers}, "最近一次是什么时候卖的", "list_orders{category=空气炸锅; sort=最新; from=-}"},
		{[]Turn{hers}, "她上次是什么时候买的", "find_customers{consumer_name=王萍萍}"},
		{[]Turn{{Request: "最近30天空气炸锅卖了多少件", Answer: figures}}, "上一个30天呢", "sales_statistics{category=空气炸锅; from=2026-03-18; to=2026-04-16}"},
		{[]Turn{{Request: "how many air fryers were sold in the last 30 days", Answer: figures}}, "and the 30 days before?", "sales_statistics{category=air fryers; from=2026-03-18; to=2026-04-16}"},
		{[]Turn{{Request: "how many air fryers were sold in the last 30 days", Answer: figures}}, "how does that compare to the previous 30 days", "sales_statistics{from=2026-04-17}, sales_statistics{category=air fryers; from=2026-03-18; to=2026-04-16}"},
		{[]Turn{day}, "跟前一天比", "sales_statistics{from=2026-05-15; to=2026-05-15}, sales_statistics{from=2026-05-14; to=2026-05-14}"},
		{[]Turn{{Request: "what were yesterday's sales", Answer: figures}}, "compared to the day before", "sales_statistics{from=2026-05-15; to=2026-05-15}, sales_statistics{from=2026-05-14; to=2026-05-14}"},
		{[]Turn{{Request: "上周的销售额", Answer: figures}}, "跟上一周比", "sales_statistics{from=2026-05-04; to=2026-05-10}, sales_statistics{from=2026-04-27; to=2026-05-03}"},
		{[]Turn{fryersEng}, "how many in March", "sales_statistics{category=air fryers; from=2026-03-01; to=2026-03-31}"},
		{[]Turn{fryers}, "3月卖了多少", "sales_statistics{category=空气炸锅; from=2026-03-01; to=2026-03-31}"},
		{[]Turn{fryersEng}, "and February?", "sales_statistics{category=air fryers; from=2026-02-01; to=2026-02-28}"},
		{[]Turn{fryers, cookers}, "差多少", "sales_statistics{category=空气炸锅; from=2026-04-01}, sales_statistics{category=电饭煲; from=2026-04-01}"},
		{[]Turn{fryersEng, {Request: "and rice cookers?", Answer: figures}}, "what's the difference", "sales_statistics{category=air fryers; from=2026-04-01}, sales_statistics{category=rice cookers; from=2026-04-01}"},
		{[]Turn{fryersEng, {Request: "how many in February", Answer: figures}}, "what's the difference", "sales_statistics{category=air fryers; from=2026-04-01}, sales_statistics{category=air fryers; from=2026-02-01; to=2026-02-28}"},
		{[]Turn{{Request: "上海4月的订单有多少", Answer: figures}, {Request: "北京呢", Answer: figures}}, "哪个多", "list_orders{city=上海}, list_orders{city=北京}"},
		{[]Turn{day, {Request: "跟前一天比", Answer: figures}}, "差多少", "sales_statistics{from=2026-05-15}, sales_statistics{from=2026-05-14; to=2026-05-14}"},
		{[]Turn{back}, "哪个金额最大", "list_refunds{from=2026-05-10; to=2026-05-16}"},
		{[]Turn{dear}, "哪个最贵", "list_orders/search_order_code{consumer_name=王萍萍; min_amount=50000.01}"},
		{[]Turn{dear}, "哪个金额最大", "list_orders/search_order_code{consumer_name=王萍萍; min_amount=50000.01}"},
		{[]Turn{dear}, "其中有几个已取消", "list_orders{consumer_name=王萍萍; min_amount=50000.01; state=已取消}"},
		{[]Turn{hers, dearEng}, "which one cost most", "list_orders/search_order_code{consumer_name=王萍萍; min_amount=50000.01}"},
		{[]Turn{hers, dear}, "取消第一个", "ask:.第一个{}"},
		{[]Turn{hers, dearEng}, "show me the first one", "ask:.the first one{}"},
		{[]Turn{hers}, "平均每单多少钱", "find_customers{consumer_name=王萍萍}"},
		{[]Turn{{Request: "王萍萍的消费金额", Answer: "S."}}, "跟李建国比呢", "find_customers{consumer_name=王萍萍}, find_customers{consumer_name=李建国}"},
		{[]Turn{fryersEng}, "compared to rice cookers", "sales_statistics{category=air fryers; from=2026-04-01}, sales_statistics{category=rice cookers; from=2026-04-01}"},
		{[]Turn{{Request: "stock of air fryers", Answer: figures}}, "which one runs out first", "stock_level{category=air fryers}"},
		{[]Turn{{Request: "how did we do last month", Answer: figures}}, "by category", "sales_statistics{by=category; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "上周推广花了多少", Answer: figures}, {Request: "那上上周呢", Answer: figures}}, "差多少", "campaign_results{from=2026-05-04; to=2026-05-10}, campaign_results{from=2026-04-27; to=2026-05-03}"},
		{[]Turn{{Request: "库存最少的商品", Answer: least}, {Request: "how many are left", Answer: "S."}}, "who bought it", "find_customers{sku_name=禾煮空气炸锅 4L 家用; user_pin=-}"},
		{[]Turn{{Request: "订单 281065989409 的详情", Answer: "S."}}, "谁买的", "search_order_code{order_id=281065989409}"},
		{[]Turn{{Request: "show order 281065989409", Answer: "S."}}, "who bought it", "search_order_code/order_detail{order_id=281065989409}"},
		{[]Turn{{Request: "王萍萍和张玉华的消费金额，比较一下", Answer: "S."}}, "不是，跟李建国比", "find_customers{consumer_name=王萍萍}, find_customers{consumer_name=李建国}"},
		{[]Turn{{Request: "4月禾煮空气炸锅 4L 家用的退款申请有哪些", Answer: refunds}}, "它现在多少钱", "find_products{sku_name=禾煮空气炸锅 4L 家用}"},
		{[]Turn{{Request: "air fryer sales this month", Answer: figures}}, "哪天最好", "sales_statistics{by=日; category=air fryer; from=2026-05-01}"},
		{[]Turn{free}, "谁出钱", "search_rules{query=七天无理由退货的运费谁出 谁出钱}"},
		{[]Turn{free, {Request: "谁出钱", Answer: rule}}, "要多久", "search_rules{query=七天无理由退货的运费谁出 要多久}"},
		{[]Turn{free}, "那生鲜呢", "search_rules{query=七天无理由退货的运费谁出 生鲜}"},
		{[]Turn{free}, "超过了呢", "search_rules{query=七天无理由退货的运费谁出 超过了}"},
		{[]Turn{free}, "如果是买家拆了包装呢", "search_rules{query=七天无理由退货的运费谁出 买家拆了包装}"},
		{[]Turn{free}, "有例外吗", "search_rules{query=七天无理由退货的运费谁出 有例外吗}"},
		{[]Turn{{Request: "who pays the shipping of a return", Answer: rule}}, "and if the box is opened?", "search_rules{query=who pays the shipping of a return the box is opened}"},
		{[]Turn{{Request: "when must I ship an order", Answer: rule}}, "what if it is a pre-sale?", "search_rules{query=rules on when must I ship an order, it is a pre-sale}"},
		{[]Turn{fryers, {Request: "唱首歌吧", Answer: "抱歉，我没有能处理「唱首歌吧」的工具。"}, {Request: "那火星呢", Answer: "没能完成：店里没有 火星。"}}, "那3月呢", "sales_statistics{category=空气炸锅; from=2026-03-01; to=2026-03-31}"},
		{[]Turn{{Request: "上海4月的销售额是多少", Answer: figures}, {Request: "那火星呢", Answer: "没能完成：店里没有 火星。"}}, "那深圳呢", "sales_statistics{city=深圳; from=2026-04-01; sku_name=-}"},
		{[]Turn{{Request: "who pays the shipping of a return", Answer: rule}}, "how long does it take", "search_rules{query=who pays the shipping of a return how long does it take}"},
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
