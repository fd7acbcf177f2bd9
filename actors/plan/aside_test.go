package plan

import (
	"strings"
	"testing"
)

// How two rows of a list stand to each other is told by the list, and what nothing tells of the thing spoken of is not told of the whole shop.
func TestAside(t *testing.T) {
	const campaigns = "S.\n\n| 渠道 | 花费 |\n| --- | --- |\n| 直播 | 20 |\n| 搜索 | 10 |\n\n| 活动名称 | 花费 | 销售额 | 活动编号 |\n| --- | --- | --- | --- |\n| 春季直播 | 20 | 90 | 22 |\n| 冬季搜索 | 12.5 | 10 | 17 |"
	const late = "2 orders are late.\n\n| Order | Buyer | Paid (CNY) | City |\n| --- | --- | --- | --- |\n| 281065729459 | 王萍萍 | 193 | Nanjing |\n| 281065810691 | 陈秀刚 | 369 | Chengdu |"
	const one = "Order 281065810691: shipped.\n\n| Product | Pieces |\n| --- | --- |\n| 驰野运动鞋 缓震跑鞋 | 1 |"
	const cities = "S.\n\n| 分组 | 订单数 | 毛利率（%） |\n| --- | --- | --- |\n| 北京市 | 9 | 30 |\n| 上海市 | 7 | 32 |"
	const months = "S.\n\n| 分组 | 订单数 |\n| --- | --- |\n| 2026-03 | 4 |\n| 2026-04 | 3 |"
	ads, adsEng := Turn{Request: "最近的推广活动", Answer: campaigns}, Turn{Request: "recent campaigns", Answer: campaigns}
	lates, second := Turn{Request: "list late orders", Answer: late}, Turn{Request: "show order 281065810691", Answer: one}
	fryerSales := Turn{Request: "4月空气炸锅的销售额是多少", Answer: months}
	all, shanghai := Turn{Request: "各城市的销售额", Answer: cities}, Turn{Request: "上海呢", Answer: months}
	for _, c := range []struct {
		turns []Turn
		say   string
		want  string // of the answer
		not   string
	}{
		{[]Turn{ads}, "谁在买", "没有能处理「谁在买」", ""},
		{[]Turn{ads}, "平均每天花多少", "活动名称、花费", ""},
		{[]Turn{ads}, "退款率是多少", "推广活动", ""},
		{[]Turn{adsEng}, "who is buying", "Sorry, I have no tool for “who is buying”", ""},
		{[]Turn{adsEng}, "how much did they cost a day?", "Sorry", ""},
		{[]Turn{{Request: "王萍萍的订单", Answer: late}}, "平均每天多少", "抱歉", ""},
		{[]Turn{ads}, "第一个和第二个比呢", "| 花费 | 20 | 12.5 | +7.5 |", "+5"},
		{[]Turn{adsEng}, "compare the first with the second", "| 销售额 | 90 | 10 | +80 |", ""},
		{[]Turn{lates}, "compare with the first", "could not be done: it is not clear what shall be held against “the first”", ""},
		{[]Turn{lates, second}, "compare with the first", "| Paid (CNY) | 369 | 193 | +176 |", ""},
		{[]Turn{lates, second}, "compare the first and the second", "| Paid (CNY) | 193 | 369 | -176 |", ""},
		{[]Turn{all}, "前两个差多少", "| 订单数 | 9 | 7 | +2 |", ""},
		{[]Turn{all}, "第一个和第二个的毛利率差多少", "| 毛利率（%） | 30 | 32 | -2 |", "订单数"},
		{[]Turn{{Request: "sales in Shanghai in April", Answer: cities}}, "what about mars?", "nothing here is called “mars”", ""},
		{[]Turn{fryerSales}, "唱首歌吧", "没有能处理「唱首歌吧」", ""},
		{[]Turn{all, shanghai}, "和第一个比呢", "| 订单数 | 7 | 9 | -2 |", ""},
	} {
		h := newTeam(t)
		in := ask(c.say)
		in.History = c.turns
		out := h.begin(t, in)
		if !strings.Contains(out, c.want) || c.not != "" && strings.Contains(out, c.not) || len(h.log) > 0 {
			t.Errorf("%s | %s: %s %s", c.turns[len(c.turns)-1].Request, c.say, out, h.told())
		}
	}
}

// What such a turn asks is left out of what the next one goes on with.
func TestAfterAside(t *testing.T) {
	const cities = "S.\n\n| 分组 | 订单数 |\n| --- | --- |\n| 北京市 | 9 |\n| 上海市 | 7 |"
	const beside = "按上面的列表，北京市 和 上海市：\n\n| 分组 | 北京市 | 上海市 | 差 |\n| --- | --- | --- | --- |\n| 订单数 | 9 | 7 | +2 |"
	for _, c := range []struct{ before, between, say, want string }{
		{"4月各城市的销售额", "第一个和第二个比呢", "那3月呢", "sales_statistics{by=城市; from=2026-03-01; to=2026-03-31}"},
		{"4月的推广效果", "谁在买", "那3月呢", "campaign_results{from=2026-03-01; to=2026-03-31}"},
	} {
		h := newTeam(t)
		in := ask(c.say)
		in.History = []Turn{{Request: c.before, Answer: cities}, {Request: c.between, Answer: beside}}
		h.begin(t, in)
		if miss := h.wrong(readWishes(c.want)); miss != "" {
			t.Errorf("%s | %s | %s: %s: %s", c.before, c.between, c.say, miss, h.told())
		}
	}
}

// A case of a rule that finds the same passage again is told to find nothing more.
func TestNothingMore(t *testing.T) {
	const passage = "买家签收次日起七天内可以申请无理由退货，商品须完好。"
	for _, c := range []struct{ request, last, say, want string }{
		{"七天无理由退货怎么算", passage, "那生鲜呢", "关于「生鲜」没有找到更多的内容，最接近的还是这一段：\n\n" + passage},
		{"七天无理由退货怎么算", "运费由买家承担。", "那生鲜呢", passage},
		{"what is the seven-day no-reason return rule", passage, "and if the box is opened?", "Nothing more was found on “the box is opened”; the nearest is the same passage:\n\n" + passage},
	} {
		h := newTeam(t)
		h.says["search_rules"] = `{"answer":"` + passage + `"}`
		in := ask(c.say)
		in.History = []Turn{{Request: c.request, Answer: c.last}}
		if out := h.begin(t, in); out != c.want {
			t.Errorf("%s | %s: %s", c.request, c.say, out)
		}
	}
}
