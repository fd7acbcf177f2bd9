package plan

import (
	"strings"
	"testing"
)

// What newcomers said and was taken for another question: the calls that answer it.
func TestNewcomersQuestions(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"revenue in the last 7 days compared to the 7 days before?":              "sales_statistics{from=2026-05-10; to=2026-05-16}, sales_statistics{from=2026-05-03; to=2026-05-09}",
		"how did sales in the last 30 days do against the 30 days before that":   "sales_statistics{from=2026-04-17; to=2026-05-16}, sales_statistics{from=2026-03-18; to=2026-04-16}",
		"最近7天的销售额和之前7天相比怎么样":                                                     "sales_statistics{from=2026-05-10; to=2026-05-16}, sales_statistics{from=2026-05-03; to=2026-05-09}",
		"有没有人买了两个以上的空气炸锅":                                                        "list_orders{category=空气炸锅; min_pieces=2}",
		"未发货的订单有哪些":                                                              "list_orders{state=待发货}",
		"超时未发货的订单有哪些":                                                            "late_shipments{}",
		"谁买过至少3台咖啡机":                                                             "list_orders{category=咖啡机; min_pieces=3}",
		"who ordered 2 or more rice cookers":                                     "list_orders{category=rice cookers; min_pieces=2}",
		"has anyone bought more than 2 air fryers?":                              "list_orders{category=air fryers; min_pieces=3}",
		"buyer wants to return a phone after 8 days?":                            "search_rules{}",
		"a customer would like to exchange shoes after two weeks":                "search_rules{}",
		"买家收货10天后想退货？":                                                           "search_rules{}",
		"what percent of orders contain more than one product":                   "list_orders{min_pieces=2}, list_orders{min_pieces=-}",
		"有多少比例的订单买了不止一件商品":                                                       "list_orders{min_pieces=2}, list_orders{min_pieces=-}",
		"How much did we spend on advertising last month":                        "campaign_results{from=2026-04-01; to=2026-04-30}",
		"what did we pay for ads in March":                                       "campaign_results{from=2026-03-01; to=2026-03-31}",
		"上个月广告花了多少钱":                                                             "campaign_results{from=2026-04-01; to=2026-04-30}",
		"禾煮空气炸锅的价格":                                                              "find_products{sku_name=禾煮空气炸锅}",
		"保温杯的价格是多少":                                                              "find_products{category=保温杯}",
		"空气炸锅的价格建议":                                                              "suggest_price{category=空气炸锅}",
		"what is the difference between the most expensive and cheapest product": "find_products{sku_name=-}",
		"how many characters does \"hello world\" have?":                         "none",
		"“你好世界”有多少个字？":                                                           "none",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s; %s", request, miss, h.told())
		}
	}
}

// What newcomers wished changed and was looked up instead.
func TestNewcomersChanges(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	h.says["list_orders"] = `{"count":2,"orders":[{"order_id":"281063663568","time":"2026-05-16 08:00:00","consumer_name":"王萍萍","state":"待发货"},{"order_id":"281063663569","time":"2026-05-15 08:00:00","consumer_name":"李四","state":"待发货"}]}`
	for request, want := range map[string]string{
		"get rid of the unpaid orders":                                 "list_orders{state=unpaid}, cancel_order{order_id=281063663568}, cancel_order{order_id=281063663569}",
		"please drop order 281063663568":                               "cancel_order{order_id=281063663568}",
		"把没付款的订单清理掉":                                                   "list_orders{state=没付款}, cancel_order{order_id=281063663568}, cancel_order{order_id=281063663569}",
		"不要的订单都取消掉":                                                    "ask:cancel_order.order_id",
		"drop the price of the cheapest fan to 10 yuan":                "find_products{category=fan}, set_price{price=10}",
		"slash the price of air fryers by 10%":                         "set_price{sku_name=air fryers}",
		"order 281063663568 should go to 上海市南京路1号":                     "change_order{address=上海市南京路1号}",
		"订单281063663568应该寄到上海市南京路1号":                                   "change_order{address=上海市南京路1号}",
		"stock 20 more of 轻磨破壁机":                                       "set_stock{sku_name=轻磨破壁机; stock=91}",
		"给轻磨破壁机补20台":                                                   "set_stock{sku_name=轻磨破壁机; stock=91}",
		"把轻磨破壁机的库存增加20":                                                "set_stock{sku_name=轻磨破壁机; stock=91}",
		"change the address of the newest order to Beijing Road 1":     "list_orders{city=-; sort=newest}, change_order{address=Beijing Road 1; order_id=281063663568}",
		"change the address of all unshipped orders to Beijing Road 1": "list_orders{city=-; state=unshipped}, change_order{address=Beijing Road 1; order_id=281063663568}, change_order{address=Beijing Road 1; order_id=281063663569}",
		"change the receiver of the newest order to Bob Li":            "list_orders{consumer_name=-; sort=newest}, change_order{receiver=Bob Li}",
		"change the note of the newest order to: gift":                 "list_orders{sort=newest}, change_order{note=gift}",
		"把最新的待发货订单的备注改为：轻拿轻放":                                          "list_orders{state=待发货; sku_name=-}, change_order{note=轻拿轻放}",
		"取消最新订单":                                                       "list_orders{sku_name=-; sort=最新}, cancel_order{order_id=281063663568}",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s; %s", request, miss, h.told())
		}
	}
}

// What comes first and what comes last are both told, with what lies between them.
func TestBothEnds(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	h.says["find_products"] = `{"summary":"有 3 种商品。","summary_en":"There are 3 products.","count":3,"products":[{"sku_name":"甲","price":329,"sku_id":"10000020260001"},{"sku_name":"乙","price":59,"sku_id":"10000020260002"},{"sku_name":"丙","price":99,"sku_id":"10000020260003"}]}`
	for request, want := range map[string][]string{
		"最贵的商品和最便宜的商品差多少":                     {"甲", "乙", "270"},
		"最贵的商品比最便宜的贵多少":                       {"甲", "乙", "270"},
		"most expensive and cheapest product": {"甲", "乙", "270"},
	} {
		answer := h.ask(t, request)
		for _, w := range want {
			if !strings.Contains(answer, w) {
				t.Errorf("%s: no %s in %s", request, w, answer)
			}
		}
	}
}
