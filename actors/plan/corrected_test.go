package plan

import (
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A correction takes the place of what it corrects, 再来一遍 asks the same again, and one goes back to a subject by its name; today is 2026-05-16.
func TestCorrected(t *testing.T) {
	const figures = "S.\n\n| 分组 | 订单数 | 销售额 |\n| --- | --- | --- |\n| 2026-04-01 | 26 | 10431 |"
	const late = "2 orders.\n\n| 订单编号 | 城市 |\n| --- | --- |\n| 281065989409 | 北京市 |\n| 281065989410 | 成都市 |"
	const best = "S.\n\n| 商品名称 | 销售额 |\n| --- | --- |\n| 禾煮空气炸锅 4L 家用 | 900 |\n| 禾煮空气炸锅 5L 可视窗 | 800 |"
	month := Turn{Request: "上个月的销售额是多少", Answer: figures}
	april := Turn{Request: "sales of air fryers in April", Answer: figures}
	hers := Turn{Request: "王萍萍的订单", Answer: late}
	two := Turn{Request: "上个月卖得最好的2个商品", Answer: best}
	for _, c := range []struct {
		turns []Turn
		say   string
		want  string
	}{
		{[]Turn{month}, "不对，是上上个月的", "sales_statistics{from=2026-03-01; to=2026-03-31}"},
		{[]Turn{month}, "no, October of last year", "sales_statistics{from=2025-10-01; to=2025-10-31}"},
		{[]Turn{april}, "sorry, I meant March", "sales_statistics{category=air fryers; from=2026-03-01; to=2026-03-31}"},
		{[]Turn{april}, "no, rice cookers", "sales_statistics{category=rice cookers; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "how many orders did we have yesterday", Answer: late}}, "I meant the day before yesterday", "list_orders{from=2026-05-14; to=2026-05-14}"},
		{[]Turn{{Request: "yesterday's orders", Answer: late}}, "no wait, today's", "list_orders{from=2026-05-16; to=2026-05-16}"},
		{[]Turn{april, {Request: "compared with March", Answer: figures}}, "no, with February", "sales_statistics{category=air fryers; from=2026-04-01}, sales_statistics{category=air fryers; from=2026-02-01; to=2026-02-28}"},
		{[]Turn{april}, "make a report of all that", "report_tool{}"},
		{[]Turn{hers}, "不对，是李建国的", "search_order_code/list_orders{consumer_name=李建国; sku_name=-}"},
		{[]Turn{hers}, "我说的是李建国的", "search_order_code/list_orders{consumer_name=李建国; sku_name=-}"},
		{[]Turn{two, {Request: "第一个的库存", Answer: "S."}}, "I meant the second one", "stock_level{sku_name=禾煮空气炸锅 5L 可视窗}"},
		{[]Turn{two, {Request: "第一个的库存", Answer: "S."}}, "我说的是另一个", "stock_level{sku_name=禾煮空气炸锅 5L 可视窗}"},
		{[]Turn{month}, "不对，查一下王萍萍的订单", "search_order_code/list_orders{consumer_name=王萍萍}"},
		{[]Turn{month}, "再来一遍", "sales_statistics{from=2026-04-01; to=2026-04-30}"},
		{[]Turn{april}, "once more please", "sales_statistics{category=air fryers; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{hers, month}, "back to the orders", "search_order_code/list_orders{consumer_name=王萍萍}"},
		{[]Turn{april, hers}, "回到air fryers", "sales_statistics{category=air fryers; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{{Request: "how many orders did we have yesterday", Answer: late}}, "which one was the biggest", "list_orders{from=2026-05-15; to=2026-05-15}"},
		{[]Turn{{Request: "orders of 王萍萍", Answer: late}}, "only the cancelled ones", "list_orders{consumer_name=王萍萍; state=cancelled; sku_name=-}"},
		{[]Turn{{Request: "show refunds of last month", Answer: late}}, "only the pending ones", "list_refunds{state=pending; from=2026-04-01; to=2026-04-30}"},
		{[]Turn{two, {Request: "第一个的库存", Answer: late}}, "不对，我说的是第二个", "stock_level{sku_name=禾煮空气炸锅 5L 可视窗}"},
		{[]Turn{{Request: "李建国的订单", Answer: "S."}}, "退款呢", "list_refunds{consumer_name=李建国}"},
		{[]Turn{{Request: "customers from Shanghai", Answer: "S."}}, "who spent most", "find_customers{city=Shanghai}"},
		{[]Turn{{Request: "最近7天的退款有哪些", Answer: late}}, "原因呢", "list_refunds{by=原因; from=2026-05-10; to=2026-05-16}"},
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

// A correction with a wish of its own is no answer to what is asked.
func TestCorrectionStands(t *testing.T) {
	asked := bus.Ask{Kind: bus.Question, Parameter: "第九个", Question: "上面的列表只有 2 行，没有「第九个」。您指的是哪一个？", Options: []string{"281065989409", "281065989410"}}
	for text, stands := range map[string]bool{"不对，催第二个": true, "281065989410": false, "第二个": false, "no, the second one": false} {
		if got := Stands(text, asked); got != stands {
			t.Errorf("%s: %v", text, got)
		}
	}
}
