package plan

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// A few words are of the one order, the list or the ranking spoken of.
func TestElliptic(t *testing.T) {
	const dearest = "实付金额最高的是 宋刚 281003567924 （644 元）。\n\n| 订单编号 | 买家 | 实付金额 |\n| --- | --- | --- |\n| 281003567924 | 宋刚 | 644 |\n| 281003567925 | 宋刚 | 44 |"
	const oldest = "Earliest Ordered at: 王萍萍 281065729459 (2026-11-19).\n\n| Order | Buyer | City |\n| --- | --- | --- |\n| 281065729459 | 王萍萍 | Nanjing |\n| 281065729460 | 宋刚 | Chengdu |"
	const best = "销售额最高的是 空气炸锅 （900 元）。\n\n| 分组 | 订单数 | 销售额 |\n| --- | --- | --- |\n| 空气炸锅 | 7 | 900 |\n| 葡萄酒 | 9 | 80 |"
	const months = "全店 2026-01-01 至 2026-05-16 的销售额。按月看，2026-03最高。\n\n| 分组 | 销售额 |\n| --- | --- |\n| 2026-01 | 7 |\n| 2026-03 | 9 |"
	const spender = "Zhang Yuhua (张玉华) spent most.\n\n| Customer | City | Spent (CNY) |\n| --- | --- | --- |\n| 张玉华 | Shenzhen | 70 |\n| 胡子平 | Qingdao | 60 |"
	dear, old := Turn{Request: "宋刚最贵的订单是哪个", Answer: dearest}, Turn{Request: "which order awaiting shipment is the oldest", Answer: oldest}
	kinds := Turn{Request: "这个月哪个类目卖得最好", Answer: best}
	for _, c := range []struct {
		turns []Turn
		say   string
		want  string
	}{
		{[]Turn{dear}, "物流到哪了", "track_shipment{order_id=281003567924}"},
		{[]Turn{dear}, "什么时候签收的", "track_shipment{order_id=281003567924}"},
		{[]Turn{dear}, "是谁买的", "order_detail/search_order_code{order_id=281003567924}"},
		{[]Turn{old}, "who bought it", "order_detail/search_order_code{order_id=281065729459}"},
		{[]Turn{old}, "where is the parcel", "track_shipment{order_id=281065729459}"},
		{[]Turn{{Request: "待处理的退款有哪些", Answer: dearest}}, "一共多少钱", "list_refunds{state=待处理}"},
		{[]Turn{{Request: "refunds last week", Answer: oldest}}, "how many orders was that", "list_refunds{from=2026-05-04; to=2026-05-10; consumer_name=-}"},
		{[]Turn{kinds}, "那最差的呢", "sales_statistics{by=类目; from=2026-05-01}"},
		{[]Turn{kinds, {Request: "它的毛利率多少", Answer: "S."}}, "最差的呢", "sales_statistics{by=类目; category=-}"},
		{[]Turn{{Request: "best selling category this year", Answer: best}}, "and the worst?", "sales_statistics{by=category; from=2026-01-01}"},
		{[]Turn{{Request: "今年哪个月卖得最好", Answer: months}}, "卖了多少", "sales_statistics{from=-}"},
		{[]Turn{{Request: "who spent the most", Answer: spender}}, "when did he last order", "list_orders/find_customers/search_order_code{consumer_name=张玉华}"},
		{[]Turn{{Request: "王萍萍一共花了多少", Answer: "S."}}, "跟宋刚比呢", "find_customers{consumer_name=王萍萍}, find_customers{consumer_name=宋刚}"},
		{[]Turn{{Request: "没开发票的订单有几个", Answer: dearest}}, "最贵的那个", "list_orders{state=未开票; consumer_name=-}"},
		{[]Turn{{Request: "退货运费谁出", Answer: "谁过错，谁承担。"}}, "多久到账", "search_rules{query=退货运费谁出 多久到账}"},
		{[]Turn{{Request: "退货运费谁出", Answer: "谁过错，谁承担。"}}, "超过7天了呢", "search_rules{query=退货运费谁出 超过7天了}"},
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

// A question after a change is no change: the other end of what was cancelled is not cancelled.
func TestOtherEndOfAChange(t *testing.T) {
	for _, say := range []string{"最便宜的是哪个？", "最便宜的呢", "and the cheapest?"} {
		h := newTeam(t)
		in := ask(say)
		in.History = []Turn{{Request: words.Either(words.HasHan(say), "取消最贵的待发货订单", "cancel the most expensive unshipped order"), Answer: "已取消。"}}
		if h.begin(t, in); h.made() != "" {
			t.Errorf("%s: %s", say, h.made())
		}
	}
}

// What is told of the whole shop, after a question of one thing, says so.
func TestWider(t *testing.T) {
	for _, c := range []struct{ before, say, want string }{
		{"上周销售额多少", "周末呢", "没有限于「上周」"},
		{"refunds this month", "which product most", "not limited to “this month”"},
		{"王萍萍的订单", "退款有哪些", "没有限于「王萍萍」"},
		{"王萍萍的订单", "全店的退款有哪些", ""},
		{"王萍萍的订单", "空气炸锅的库存", ""},
	} {
		h := newTeam(t)
		in := ask(c.say)
		in.History = []Turn{{Request: c.before, Answer: "S."}}
		out := h.begin(t, in)
		if noted := strings.Contains(out, "没有限于") || strings.Contains(out, "not limited to"); !strings.Contains(out, c.want) || noted != (c.want != "") {
			t.Errorf("%s | %s: %s %s", c.before, c.say, out, h.told())
		}
	}
}
