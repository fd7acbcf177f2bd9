package plan

import (
	"strings"
	"testing"
)

// Whether a figure is above or below one that the question gives is said first, with the figure, and no list of rows is an answer to it. Today is 2026-05-16.
func TestWhetherOverAFigure(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	h.says["sales_statistics"] = `{"summary":"卖了。","summary_en":"Sold.","orders":400,"quantity":500,"amount":160000,"refunded":8000,"per_day":5000,"average_order":400,"median_order":281,"refund_rate_percent":4.9,"profit":60000,"margin_percent":37.5,"groups":[{"group":"手机","orders":3,"amount":900,"refund_rate_percent":9}]}`
	h.says["list_orders"] = `{"summary":"420 个。","summary_en":"There are 420.","count":420,"total":168000,"orders":[{"order_id":"281063663568","total":100},{"order_id":"281063663569","total":5100}]}`
	h.says["list_refunds"] = `{"summary":"45 个。","summary_en":"There are 45.","count":45,"amount":13260.39,"refunds":[{"order_id":"281063663568","amount":100,"refund_id":"5100000083578"}]}`
	h.says["find_customers"] = `{"summary":"900 位。","summary_en":"There are 900.","count":900,"new":21,"returning":872,"returning_percent":97.8,"customers":[{"consumer_name":"王萍萍","orders":12,"spent":61000,"user_pin":"wang1"}]}`
	h.says["stock_level"] = `{"summary":"有。","summary_en":"There is.","count":3,"pieces":500,"stock":[{"sku_name":"甲","stock":200,"sku_id":"10000020260001"},{"sku_name":"乙","stock":300,"sku_id":"10000020260002"}]}`
	h.says["campaign_results"] = `{"summary":"7 个。","summary_en":"There are 7.","count":7,"cost":1619.43,"sales":12828,"roi":7.92,"campaigns":[{"name":"甲","cost":1,"sales":2,"campaign_id":1}]}`
	for _, c := range []struct{ request, call, says string }{
		{"上个月销售额超过20万了吗", "sales_statistics{from=2026-04-01}", "没有，销售额 160,000，不到 200,000，差 40,000"},
		{"Did we sell more than 100 air fryers last month?", "sales_statistics{category=air fryers; from=2026-04-01}", "Yes: Pieces 500"},
		{"last month, did we sell more than 100 air fryers?", "sales_statistics{category=air fryers; from=2026-04-01}", "Yes: Pieces 500"},
		{"退款率有没有超过5%", "sales_statistics{}", "没有，退款率 4.9%，不到 5%，差 0.1 个百分点"},
		{"is the margin above 30%?", "sales_statistics{}", "Yes: Margin 37.5%"},
		{"did sales exceed 100k in March", "sales_statistics{from=2026-03-01}", "Yes: Sales"},
		{"昨天有没有超过50单", "list_orders/sales_statistics{from=2026-05-15}", "是的，订单数 4"},
		{"今天订单超过500个了吗", "list_orders/sales_statistics{from=2026-05-16}", "没有，订单数 4"},
		{"were there more than 50 refunds in April?", "list_refunds{from=2026-04-01}", "No: "},
		{"4月退款超过40笔了吗", "list_refunds{from=2026-04-01}", "是的，退款申请数 45"},
		{"本月客单价低于300元吗", "sales_statistics{from=2026-05-01}", "没有，客单价 400"},
		{"空气炸锅的库存还够100件吗", "stock_level{category=空气炸锅}", "是的，总库存 500"},
		{"do we have more than 1000 air fryers in stock", "stock_level{category=air fryers}", "No: "},
		{"王萍萍消费超过5万了吗", "find_customers{consumer_name=王萍萍}", "是的，消费金额 61,000"},
		{"Is our average order above 300 yuan", "sales_statistics{}", "Yes: Average order (CNY) 400"},
		{"手机这个月卖出600台了吗", "sales_statistics{category=手机; from=2026-05-01}", "没有，销量 500"},
		{"did Wang Pingping spend more than 1000", "find_customers{consumer_name=Wang Pingping}", "Yes: Spent"},
		{"复购率有没有到90%", "find_customers{}", "是的，复购率 97.8%"},
		{"Have we made over 2 million this year?", "sales_statistics{from=2026-01-01}", "No: Sales"},
		{"没超过20万吧，昨天的销售额", "sales_statistics{from=2026-05-15}", "没有，销售额 160,000"},
		{"did we spend more than 2000 on ads last month", "campaign_results{from=2026-04-01}", "No: Cost"},
	} {
		said := h.ask(t, c.request)
		if miss := h.wrong(readWishes(c.call)); miss != "" || !strings.HasPrefix(said, c.says) || strings.Contains(said, "没有按") || strings.Contains(said, "|") {
			t.Errorf("%s: %s: %s: %s", c.request, miss, h.told(), said)
		}
	}
}
