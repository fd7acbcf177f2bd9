package plan

import "testing"

const (
	rankedHan  = "按商品看，最多的是 禾煮空气炸锅 4L 家用。\n\n| 分组 | 退款申请数 | 已退款 |\n| --- | --- | --- |\n| 禾煮空气炸锅 4L 家用 | 63 | 13434 |\n| 禾煮空气炸锅 5L 可视窗 | 62 | 17716 |\n| 星澜手机 X2 256G | 8 | 14000 |"
	salesOfDay = "全店的销售额为 10,431 元。\n\n| 分组 | 订单数 | 销售额 |\n| --- | --- | --- |\n| 2026-05-15 | 26 | 10431 |"
)

// A turn of a few words goes on with the question before it, or is a whole request; today is 2026-05-16.
func TestFollowUpsOfAMerchant(t *testing.T) {
	h := newTeam(t)
	wang := []Turn{{Request: "王萍萍有多少订单", Answer: shownHan}}
	refunds := []Turn{{Request: "哪个商品退款最多", Answer: rankedHan}}
	day := []Turn{{Request: "昨天卖了多少钱", Answer: salesOfDay}}
	month := []Turn{{Request: "How much was sold last month?", Answer: salesOfDay}}
	made := []Turn{{Request: "把王萍萍的订单做成PPT", Answer: "已生成文件。"}}
	monthly := []Turn{{Request: "每个月的销售额", Answer: salesOfDay}}
	price := []Turn{{Request: "把禾煮空气炸锅 4L 家用降价10%", Answer: "好的，没有执行。", Refused: true}}
	stock := []Turn{{Request: "禾煮空气炸锅 4L 家用还有多少货", Answer: "库存 7 件。"}}
	three := []Turn{{Request: "上个月卖得最好的3个商品", Answer: rankedHan}}
	for _, c := range []struct {
		history []Turn
		request string
		want    string
	}{
		{wang, "她最贵的一单是哪个", "list_orders/search_order_code{consumer_name=王萍萍}"},
		{wang, "她金额最高的那单是什么时候", "list_orders/search_order_code{consumer_name=王萍萍}"},
		{wang, "她买过几次洋酒", "list_orders/search_order_code{consumer_name=王萍萍; category=洋酒; sku_name=-}"},
		{wang, "她一共买了多少次空气炸锅", "list_orders/search_order_code{consumer_name=王萍萍; category=空气炸锅; sku_name=-}"},
		{nil, "哪一单最贵", "list_orders{sku_name=-}"},
		{refunds, "第二名是谁", "list_refunds{by=商品}"},
		{refunds, "排第三位的呢", "list_refunds{by=商品}"},
		{[]Turn{{Request: "Which products sold best last month?", Answer: rankedHan}}, "Which is second?", "sales_statistics{by=product; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "谁买得最多", Answer: rankedHan}}, "第二名呢", "find_customers{}"},
		{refunds, "本月销售额", "sales_statistics{from=2026-05-01; by=-}"},
		{[]Turn{{Request: "Show the monthly sales of this year", Answer: salesOfDay}}, "revenue by category last month", "sales_statistics{by=category; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "今年每个月的销售额", Answer: salesOfDay}}, "上个月各类目的销售额", "sales_statistics{by=类目; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "How much was sold this year?", Answer: salesOfDay}}, "number of refunds last month", "list_refunds{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "revenue by category last month", Answer: salesOfDay}}, "and the month before?", "sales_statistics{by=category; from=2026-03-01; to=2026-03-31}"},
		{[]Turn{{Request: "revenue by category last month", Answer: salesOfDay}, {Request: "and the month before that?", Answer: salesOfDay}}, "the month before that", "sales_statistics{by=category; from=2026-02-01; to=2026-02-28}"},
		{[]Turn{{Request: "上个月各类目的销售额", Answer: salesOfDay}}, "再往前一个月呢", "sales_statistics{by=类目; from=2026-03-01; to=2026-03-31}"},
		{day, "前一天呢", "sales_statistics{from=2026-05-14; to=2026-05-14}"},
		{[]Turn{{Request: "上周的退款有多少", Answer: salesOfDay}}, "再上周呢", "list_refunds{from=2026-04-27; to=2026-05-03}"},
		{refunds, "revenue of this month", "sales_statistics{from=2026-05-01; by=-}"},
		{day, "跟上周同一天比呢", "sales_statistics{from=2026-05-15; to=2026-05-15}, sales_statistics{from=2026-05-08; to=2026-05-08}"},
		{day, "和前天相比怎么样", "sales_statistics{from=2026-05-15; to=2026-05-15}, sales_statistics{from=2026-05-14; to=2026-05-14}"},
		{month, "compared with March?", "sales_statistics{from=2026-04-01; to=2026-04-30}, sales_statistics{from=2026-03-01; to=2026-03-31}"},
		{month, "How does that compare to the same period last year?", "sales_statistics{from=2026-04-01; to=2026-04-30}, sales_statistics{from=2025-04-01; to=2025-04-30}"},
		{month, "And the month so far?", "sales_statistics{from=2026-05-01; to=2026-05-31}"},
		{month, "what about the year to date?", "sales_statistics{from=2026-01-01; to=2026-12-31}"},
		{nil, "What did we sell last month compared with the month before?", "sales_statistics{from=2026-04-01; to=2026-04-30}, sales_statistics{from=2026-03-01; to=2026-03-31}"},
		{made, "给空气炸锅全部降价5%", "find_products{category=空气炸锅}, set_price{}"},
		{nil, "给所有耳机涨价10元", "find_products{category=耳机}, set_price{}"},
		{nil, "所有空气炸锅便宜5%", "find_products{category=空气炸锅}, set_price{}"},
		{nil, "Show the monthly sales of this year", "sales_statistics{by=month; from=2026-01-01}"},
		{nil, "weekly revenue last quarter", "sales_statistics{by=week; from=2026-01-01; to=2026-03-31}"},
		{nil, "daily orders this month", "list_orders/sales_statistics{by=day; from=2026-05-01}"},
		{price, "What does it cost now?", "find_products{sku_name=禾煮空气炸锅 4L 家用}"},
		{price, "它现在多少钱", "find_products{sku_name=禾煮空气炸锅 4L 家用}"},
		{price, "这款的库存还有多少", "stock_level/find_products{sku_name=禾煮空气炸锅 4L 家用}"},
		{price, "is it still in stock", "stock_level/find_products{sku_name=禾煮空气炸锅 4L 家用}"},
		{three, "它们的库存各是多少", "stock_level{sku_name=禾煮空气炸锅 4L 家用}, stock_level{sku_name=禾煮空气炸锅 5L 可视窗}, stock_level{sku_name=星澜手机 X2 256G; category=-}"},
		{three, "How much stock is left of each?", "stock_level{sku_name=禾煮空气炸锅 4L 家用}, stock_level{sku_name=禾煮空气炸锅 5L 可视窗}, stock_level{sku_name=星澜手机 X2 256G; category=-}"},
		{three, "How many are left?", "stock_level{sku_name=禾煮空气炸锅 4L 家用}, stock_level{sku_name=禾煮空气炸锅 5L 可视窗}, stock_level{sku_name=星澜手机 X2 256G; category=-}"},
		{three, "还剩多少件", "stock_level{sku_name=禾煮空气炸锅 4L 家用}, stock_level{sku_name=禾煮空气炸锅 5L 可视窗}, stock_level{sku_name=星澜手机 X2 256G; category=-}"},
		{append(refunds[:1:1], Turn{Request: "第二名是谁", Answer: rankedHan}), "它的库存还有多少", "stock_level{sku_name=禾煮空气炸锅 5L 可视窗}"},
		{refunds, "它现在多少钱", "find_products{sku_name=禾煮空气炸锅 4L 家用}"},
		{append(day[:1:1], Turn{Request: "跟上周同一天比呢", Answer: salesOfDay}), "那前天呢", "sales_statistics{from=2026-05-14; to=2026-05-14}"},
		{append(day[:1:1], Turn{Request: "讲个笑话给我听吧", Answer: "抱歉，我没有能处理「讲个笑话给我听吧」的工具。"}), "按类目分一下", "sales_statistics{by=类目; from=2026-05-15; to=2026-05-15}"},
		{month, "compared to last year?", "sales_statistics{from=2026-04-01; to=2026-04-30}, sales_statistics{from=2025-04-01; to=2025-04-30}"},
		{[]Turn{{Request: "Show sales by month", Answer: salesOfDay}, {Request: "draw it as a line chart", Answer: salesOfDay}}, "by city?", "sales_statistics{by=city}"},
		{stock, "卖得怎么样", "sales_statistics{sku_name=禾煮空气炸锅 4L 家用}"},
		{stock, "上个月卖了多少", "sales_statistics{sku_name=禾煮空气炸锅 4L 家用; from=2026-04-01; to=2026-04-30}"},
		{stock, "赚钱吗", "sales_statistics{sku_name=禾煮空气炸锅 4L 家用}"},
		{stock, "降价5元", "find_products{sku_name=禾煮空气炸锅 4L 家用}, set_price{}"},
		{wang, "花了多少钱", "search_order_code/find_customers/list_orders{consumer_name=王萍萍}"},
		{wang, "买过什么", "search_order_code/list_orders/find_customers{consumer_name=王萍萍}"},
		{wang, "上个月卖了多少", "sales_statistics{from=2026-04-01; sku_name=-}"},
		{[]Turn{{Request: "air fryer sales this month", Answer: salesOfDay}}, "which one sold best", "sales_statistics{by=product; category=air fryer; from=2026-05-01}"},
		{[]Turn{{Request: "洋酒库存多少", Answer: "库存 3 件。"}}, "哪个卖得最好", "sales_statistics{category=洋酒}"},
		{month, "卖得怎么样", "sales_statistics{sku_name=-}"},
		{monthly, "画成折线图", "sales_statistics{by=月}"},
		{append(monthly, Turn{Request: "画成折线图", Answer: salesOfDay}), "按城市分一下", "sales_statistics{by=城市}"},
		{[]Turn{{Request: "Show sales by month", Answer: salesOfDay}}, "draw it as a line chart", "sales_statistics{by=month}"},
	} {
		in := ask(c.request)
		in.History = c.history
		h.begin(t, in)
		if miss := h.wrong(readWishes(c.want)); miss != "" {
			t.Errorf("%s: %s: %s", c.request, miss, h.told())
		}
	}
}
