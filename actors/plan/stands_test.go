package plan

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A question or a wish beside an open ask is a new turn; a value, an option, a yes with a doubt is for the ask.
func TestStandsBesideAnAsk(t *testing.T) {
	leave := bus.Ask{Kind: bus.Approval}
	value := bus.Ask{Kind: bus.Question, Parameter: "order_id", Options: []string{"281065253769", "281065412730"}}
	message := bus.Ask{Kind: bus.Question, Parameter: "content"}
	product := bus.Ask{Kind: bus.Question, Parameter: "sku_name", Question: "找到这些商品名称，要对哪一个执行「把一个商品的售价改成多少元」？", Options: []string{"禾煮空气炸锅 5L 可视窗", "灶小二空气炸锅 3L 迷你"}}
	edited := bus.Ask{Kind: bus.Question, Parameter: "new", ToolName: "edit_file", Question: "为了「把 a.md 里的 甲 改一下」，还需要您告诉我：新文本。"}
	price := bus.Ask{Kind: bus.Question, Parameter: "new_price", ToolName: "change_price"}
	fryer := bus.Ask{Kind: bus.Question, Parameter: "price", ToolName: "set_price", Question: "为了「把禾煮空气炸锅的价格改一下」，还需要您告诉我：新售价。"}
	kettle := bus.Ask{Kind: bus.Question, Parameter: "price", ToolName: "set_price", Question: "To go on with “change the price of the kettle” I need from you: new price."}
	waybill := bus.Ask{Kind: bus.Question, Parameter: "waybill", ToolName: "ship_order", Question: "为了「给订单 281065412730 发货」，还需要您告诉我：运单号。"}
	carrier := bus.Ask{Kind: bus.Question, Parameter: "carrier", ToolName: "ship_order", Question: "To go on with “ship order 281065412730” I need from you: carrier (for example: 顺丰); waybill."}
	which := bus.Ask{Kind: bus.Question, Parameter: "order_id", ToolName: "cancel_order", Question: "为了「取消订单」，还需要您告诉我：订单编号（12位）。"}
	for _, c := range []struct {
		text string
		ask  bus.Ask
		want bool
	}{
		{"读取文件 notes.md", edited, true}, {"帮我看看王萍萍的订单", edited, true}, {"read notes.md", edited, true}, {"删除文件 b.md", edited, true}, {"取消订单 281065412730", edited, true},
		{"乙", edited, false}, {"“读取文件 notes.md”", edited, false}, {"查收", edited, false}, {"see below", edited, false}, {"把甲改成乙", edited, false}, {"a.md", edited, false},
		{"查一下空气炸锅的库存", price, true}, {"cancel order 281065412730", price, true}, {"改成 299", price, false}, {"299元", price, false}, {"降到 199", price, false},
		{"读取文件 notes.md", message, true}, {"list the orders that are late", message, true}, {"您的订单 281065412730 今天发货", message, false}, {"请查收您的订单", message, false},
		{"Please check your order 281065412730", message, false}, {"今天发货，请留意物流", message, false}, {"取消订单 281065412730", message, true},
		{"它的物流呢", leave, true}, {"where is it now?", leave, true}, {"查一下王萍萍的订单", leave, true}, {"1", leave, false}, {"嗯...", leave, false},
		{"它的物流呢", value, true}, {"how many orders are not shipped?", value, true}, {"281065412730", value, false}, {"第二个", value, false}, {"the latest", value, false},
		{"是281065412730吗", value, false}, {"show rows 2 to 4", value, true}, {"查一下王萍萍的退款", value, true}, {"订单 281065412730", value, false}, {"show 281065412730", value, false}, {"您什么时候方便收货？", message, false},
		{"看看王萍萍的订单", product, true}, {"show me Wang Pingping's orders", product, true}, {"预测下个月电饭煲的销量", product, true}, {"取消订单 281065412730", product, true},
		{"改便宜的那个", product, false}, {"把它们都降价", product, false}, {"取消", product, false}, {"算了，不要了", product, false}, {"改成199元", product, false},
		{"把星澜耳机的价格改成 -5 元", product, true}, {"取消前三个", product, true}, {"cancel the first two", product, true}, {"改第二个", product, false}, {"change the first", product, false},
		{"改灶小二的", product, false}, {"change the second one", product, false}, {"cancel it", product, false}, {"把禾煮空气炸锅改成199元", product, false},
		{"把暖屿破壁机的价格改成 199", fryer, true}, {"把它改成 199 元", fryer, false}, {"把价格改成 199", fryer, false}, {"把禾煮空气炸锅改成 199", fryer, false}, {"给订单 281065412730 备注送礼", fryer, true},
		{"set the price of the fryer to 20", kettle, true}, {"set the price of the kettle to 20", kettle, false}, {"set it to 20", kettle, false}, {"make the price 20", kettle, false}, {"把电饭煲的价格改成 199", kettle, true},
		{"给订单 281065989409 备注尽快发货", waybill, true}, {"取消订单 281065412730", waybill, true}, {"用顺丰 SF1234567890", waybill, false}, {"发货单号是 SF1234567890", waybill, false}, {"订单 281065412730 用 SF1234567890 发货", waybill, false},
		{"cancel order 281065412730", carrier, true}, {"add a note to order 281065412730: a gift", carrier, true}, {"顺丰 SF1234567890", carrier, false}, {"ship it with SF, waybill SF1234567890", carrier, false}, {"order 281065412730 by 顺丰", carrier, false},
		{"给订单 281066629271 备注送礼", which, true}, {"给订单 281066629271 发货", which, true}, {"取消订单 281066629271", which, false}, {"把订单 281066629271 取消", which, false}, {"帮我取消 281066629271，买家不要了", which, false}, {"cancel order 281066629271", which, false},
	} {
		if got := Stands(c.text, c.ask); got != c.want {
			t.Errorf("%s: %v", c.text, got)
		}
	}
}

// What was refused, or waits for leave, comes back in no later turn; what is asked about it is asked for itself.
func TestRefusedComesBackInNoLaterTurn(t *testing.T) {
	h := newTeam(t)
	const id = "281063663568"
	for _, turn := range []Turn{
		{Request: "取消订单 " + id, Answer: "好的，没有执行：取消订单 " + id + "。", Refused: true},
		{Request: "取消订单 " + id, Ask: &bus.Ask{Kind: bus.Approval, ToolName: "cancel_order"}},
		{Request: "cancel order " + id, Ask: &bus.Ask{Kind: bus.Approval, ToolName: "cancel_order"}},
	} {
		for request, want := range map[string]string{
			"它的物流呢": "track_shipment{order_id=" + id + "}", "where is it": "track_shipment/order_detail/search_order_code{order_id=" + id + "}",
			"王萍萍呢": "", "last month": "", "不要取消它，给他发个消息说明天发货": "",
		} {
			in := ask(request)
			in.History = []Turn{turn}
			h.begin(t, in)
			if strings.Contains(h.told(), "cancel_order") {
				t.Errorf("%s: %s", request, h.told())
			}
			if miss := h.wrong(readWishes(want)); want != "" && miss != "" {
				t.Errorf("%s: %s: %s", request, miss, h.told())
			}
		}
	}
}

// However many fragments a conversation is made of, what one comes to is at most one request and one fact.
func TestFragmentsDoNotPileUp(t *testing.T) {
	x := index(t, "shop.json")
	for _, said := range [][]string{
		{"王萍萍的订单", "张玉华呢", "她的电话", "待发货的", "上个月的", "已完成的", "东北的", "退款的"},
		{"orders of Wang Pingping", "and Zhang Yuhua?", "her phone number", "last month", "unpaid ones", "in Beijing", "with an invoice"},
	} {
		var turns []Turn
		for _, s := range said {
			turns = append(turns, Turn{Request: s, Answer: "…"})
		}
		g := goal{given: map[string]string{}, lang: Language(said[0]), now: ask("").Now}
		for _, e := range x.before(&g, turns) {
			if strings.Count(strings.NewReplacer("，", ",").Replace(e.Request), ",") > 1 {
				t.Errorf("%s", e.Request)
			}
		}
	}
}
