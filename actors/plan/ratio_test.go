package plan

import (
	"strings"
	"testing"
)

// What one figure is of another one of the same call, and how far one is from a target that the request gives, is worked out and said. Today is 2026-05-16.
func TestFiguresHeldAgainst(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	h.says["sales_statistics"] = `{"summary":"卖了。","summary_en":"Sold.","orders":400,"quantity":500,"amount":160000,"refunded":8000,"average_order":400,"median_order":281,"refund_rate_percent":4.9,"profit":60000,"groups":[{"group":"手机","orders":3,"amount":900}]}`
	h.says["list_orders"] = `{"summary":"420 个。","summary_en":"There are 420.","count":420,"amount":168000,"orders":[{"order_id":"281063663568","total":100}]}`
	for _, c := range []struct{ request, call, says string }{
		{"退款金额占销售额多少", "sales_statistics{}", "已退款占销售额的 5%"},
		{"refunds as a share of sales", "sales_statistics{}", "5% of Sales"},
		{"what percentage of revenue was refunded last month", "sales_statistics{from=2026-04-01}", "5% of Sales"},
		{"毛利占营业额的比例", "sales_statistics{}", "毛利润占销售额的 37.5%"},
		{"本月目标10万，还差多少", "sales_statistics{from=2026-05-01}", "已经超出 60,000"},
		{"本月目标20万，还差多少", "sales_statistics{from=2026-05-01}", "还差 40,000"},
		{"这个月的销售额比目标8万高吗", "sales_statistics{from=2026-05-01; sku_name=-}", "完成 200%"},
		{"如果目标是50万，今年还差多少", "sales_statistics{from=2026-01-01}", "还差 340,000"},
		{"上个月的目标是20万，完成了吗", "sales_statistics{from=2026-04-01}", "完成 80%"},
		{"how far are we from our target of 200,000 this month", "sales_statistics{from=2026-05-01}", "40,000 to go"},
		{"this month's goal is 200k, how much is missing", "sales_statistics{from=2026-05-01}", "40,000 to go"},
		{"本月订单目标500单，还差多少", "list_orders/sales_statistics{from=2026-05-01}", "目标 500"},
		{"what percent of orders get refunded", "sales_statistics{}", ""},
		{"what share of orders in April were refunded", "sales_statistics{from=2026-04-01}", ""},
		{"退款订单占比", "sales_statistics{}", ""},
		{"有百分之几的订单退款了", "sales_statistics{}", ""},
		{"上个月卖得最差的三个类目", "sales_statistics{by=类目; from=2026-04-01}", ""},
		{"卖得最好的两个品牌", "sales_statistics{by=品牌}", ""},
		{"平均每个客户买了几单", "find_customers{}", ""},
		{"how many orders does a customer place on average", "find_customers{}", ""},
		{"咖啡机占销售额的百分之多少", "sales_statistics{category=咖啡机; sku_name=-}, sales_statistics{category=-}", ""},
	} {
		said := h.ask(t, c.request)
		if miss := h.wrong(readWishes(c.call)); miss != "" || !strings.Contains(said, c.says) || strings.Contains(said, "没有算出来") || strings.Contains(said, "没有按") {
			t.Errorf("%s: %s: %s: %s", c.request, miss, h.told(), said)
		}
	}
}

// Figures are told of provinces and cities; that a part of the country is neither is said, with the provinces that it means. So is that there are none of a platform.
func TestRegionsAreNotKnown(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"华东和华南的销售额": "广东", "江浙沪的订单有多少": "江苏", "sales in east china": "Jiangsu", "南方卖得怎么样": "「南方」", "长三角上个月卖了多少": "浙江",
		"抖音投放花了多少钱": "直播", "how much did we spend on tiktok ads": "search ads", "小红书带来了多少订单": "「小红书」", "orders from Douyin last month": "“Douyin”", "快手和抖音的广告哪个更划算": "「快手」、「抖音」",
		"优惠券用了多少张": "没有优惠券", "which coupons were used": "no figures of coupons", "我们的店铺评分是多少": "没有店铺评分", "what is our shop score": "the shop's score", "有多少差评": "没有买家评价",
		"how many visitors did we have yesterday": "visitors", "上个月的转化率是多少": "转化",
	} {
		if said := h.ask(t, request); !strings.Contains(said, want) || len(h.log) > 0 {
			t.Errorf("%s: %s: %s", request, h.told(), said)
		}
	}
	for _, request := range []string{"江苏的销售额", "按城市的销售额", "直播花了多少钱", "what did search ads cost", "抖音小店的规则", "各渠道的花费", "is it ok to give gifts for 5 star reviews", "可以给好评返现吗", "优惠券发了以后能作废吗"} {
		if h.ask(t, request); len(h.log) == 0 {
			t.Errorf("%s: nothing is asked", request)
		}
	}
}

// A time and nothing that it is the time of is asked about, and no list of all that can be done is given for it.
func TestOnlyATime(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{"how many in September": "“orders in September”", "this yr only": "this year", "九月有多少": "「九月有多少订单」", "今年的呢": "「今年的销售额」"} {
		if said := h.ask(t, request); !strings.Contains(said, want) || len(h.log) > 0 {
			t.Errorf("%s: %s: %s", request, h.told(), said)
		}
	}
}
