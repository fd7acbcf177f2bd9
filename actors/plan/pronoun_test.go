package plan

import (
	"fmt"
	"strings"
	"testing"
)

// A pronoun of a later turn is the one thing or person that the last turns spoke of, and is asked for when they spoke of several.
func TestPronounOfALaterTurn(t *testing.T) {
	h := newTeam(t)
	one := []Turn{{Request: "待发货的订单有哪些", Answer: shownHan}, {Request: "第二个订单是什么状态", Answer: "订单 281053850603 待发货。"}}
	list := one[:1]
	wang := []Turn{{Request: "王萍萍的订单", Answer: shownHan}}
	for _, c := range []struct {
		request string
		history []Turn
		tool    string
		value   string // "" asks
	}{
		{"取消它", one, "cancel_order", "281053850603"},
		{"这个订单的快递到哪了", one, "track_shipment", "281053850603"},
		{"给这单开发票", one, "issue_invoice", "281053850603"},
		{"cancel it", one, "cancel_order", "281053850603"},
		{"where is it", one, "order_detail/search_order_code/track_shipment", "281053850603"},
		{"track that order", one, "track_shipment", "281053850603"},
		{"has it an invoice?", one, "invoice_status", "281053850603"},
		{"取消它", list, "cancel_order", ""},
		{"her phone number", list, "", ""},
		{"给它开发票", list, "", ""},
		{"invoice it", list, "", ""},
		{"cancel it", list, "cancel_order", ""},
		{"她申请过退款吗", wang, "list_refunds", "王萍萍"},
		{"has she asked for refunds?", wang, "list_refunds", "王萍萍"},
		{"这个客户一共买过多少单", wang, "search_order_code", "王萍萍"},
	} {
		in := ask(c.request)
		in.History = c.history
		h.begin(t, in)
		last := logged{}
		if len(h.log) > 0 {
			last = h.log[len(h.log)-1]
		}
		if c.value == "" {
			if h.asked == nil || len(h.asked.Options) < 2 || len(h.log) != 1 {
				t.Errorf("%s: %s", c.request, h.told())
				continue
			}
			second := h.asked.Options[1]
			again := in
			again.Answers = []Answer{{Ask: *h.asked, Text: second}}
			if h.begin(t, again); !strings.Contains(h.told(), second) {
				t.Errorf("%s, then the second: %s", c.request, h.told())
			}
		} else if !strings.Contains("/"+c.tool+"/", "/"+last.name+"/") || last.args["order_id"] != c.value && last.args["consumer_name"] != c.value {
			t.Errorf("%s: %s", c.request, h.told())
		}
	}
}

// A mobile number names a person and is no order, parcel or refund, whatever patterns it holds to: it is not what "that order" or a row is.
func TestPhoneIsNoThing(t *testing.T) {
	h := newTeam(t)
	const customers = "| 客户姓名 | 订单数 | 客户电话 |\n| --- | --- | --- |\n| 王萍萍 | 18 | 12112568259 |\n| 吕艳平 | 7 | 13912568260 |"
	one, _, _ := strings.Cut(customers, "\n| 吕艳平")
	for _, request := range []string{"那单的物流到哪了", "where is that parcel", "track that order", "取消它", "取消这个订单", "第一个的物流到哪了", "track the first one"} {
		for _, answer := range []string{customers, one} {
			in := ask(request)
			in.History = []Turn{{Request: "王萍萍的电话", Answer: answer}}
			if h.begin(t, in); strings.Contains(h.told(), "12112568259") || strings.Contains(h.told(), "13912568260") {
				t.Errorf("%s: %s", request, h.told())
			}
		}
	}
}

// What somebody is told, or wants himself, is no wish of the user's, whoever he is.
func TestToldIsNoWish(t *testing.T) {
	h := newTeam(t)
	wang := []Turn{{Request: "王萍萍的订单", Answer: strings.NewReplacer("程芳伟", "王萍萍", "吕艳平", "王萍萍", "孙涛", "王萍萍").Replace(shownHan)}}
	list := []Turn{{Request: "待发货的订单有哪些", Answer: shownHan}}
	for request, history := range map[string][]Turn{
		"告诉他退款同意了": wang, "告诉她我们会取消订单": wang, "跟她说订单取消不了": wang, "通知那个客户我们要取消订单": wang, "他想取消订单，规则是什么": wang,
		"tell him that we are going to cancel his order": wang, "let her know that we will cancel her order": wang, "inform this customer we cancel the order": wang,
		"she wants to cancel the order, what is the rule": wang, "ask him whether to cancel the order": wang,
		"他说要取消订单": wang, "reply to her that we cancel the order": wang, "explain to him why we cancel his order": wang,
		"告诉王萍萍订单取消了": nil, "告诉王萍萍我们会取消订单": wang, "通知第一个订单的买家我们要取消订单": list, "tell the buyer of the first order that we must cancel it": list,
	} {
		in := ask(request)
		in.History = history
		if h.begin(t, in); strings.Contains(h.told(), "cancel_order") || strings.Contains(h.told(), "decide_refund") {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// What is quoted or to be told stays as it was written; only who is told is read.
func TestMessageStaysAsWritten(t *testing.T) {
	x := newTeam(t).index["master"]
	one := Turn{Request: "订单 281053850603 是什么状态", Answer: "待发货"}
	list := Turn{Request: "待发货的订单有哪些", Answer: shownHan}
	quotes := strings.Repeat("“好” ", 60)
	for _, c := range []struct {
		last      Turn
		said, put string // "": as it was said
	}{
		{list, "send a message to the buyer of order 281053850603 saying “the first one is a gift”", ""},
		{list, "告诉订单 281053850603 的买家：第二个半价", ""},
		{one, "给王萍萍发消息：“取消它请联系我们”", ""},
		{one, "给王萍萍发消息说它很快就到", ""},
		{one, "给王萍萍发消息" + quotes + "“取消它请联系我们”", ""},
		{Turn{Request: "王萍萍的订单"}, "tell this customer we will cancel the order", ""},
		{list, "告诉第二个的买家第三个半价", "告诉订单 281053850603 的买家第三个半价"},
		{list, "通知第一个和第二个订单的买家今天发货", "通知订单 281064156041 和订单 281053850603 的买家今天发货"},
		{list, "tell the buyer of the first order the second is free", "tell the buyer of order 281064156041 the second is free"},
	} {
		if c.put == "" {
			c.put = c.said
		}
		g := goal{given: map[string]string{}, lang: Language(c.said)}
		if put, _, _ := x.complete(&g, c.said, x.before(&g, []Turn{c.last})); strings.ReplaceAll(put, " 的买", "的买") != strings.ReplaceAll(c.put, " 的买", "的买") || g.lost != nil {
			t.Errorf("%s became %s", c.said, put)
		}
	}
}

// What earlier turns spoke of limits no request that does not point back to it, in the words of the turns or in the digest of a job.
func TestEarlierTurnsLimitNothing(t *testing.T) {
	h := newTeam(t)
	x := h.index["orders"]
	in := ask("show me order 281053850603")
	in.Context = "where is the second\n\n- 待发货的订单有哪些 → | 281064156041 | 彭静丽 | 禾煮空气炸锅 5L 可视窗 | 10000020260001 | 已取消\n- 上海的订单 → 3"
	_, args := one(t, x.Think(in))
	if delete(args, "search_keys"); len(args) != 1 {
		t.Errorf("%v", args)
	}
	in = ask("查一下待发货的订单")
	in.Context = "查一下待发货的订单\n\n- 上海的空气炸锅订单 → 共有 3 个，上个月"
	if _, args := one(t, x.Think(in)); len(args) != 1 {
		t.Errorf("%v", args)
	}
}

// A later turn that only names a value asks the earlier question once more, with the value in its place.
func TestOneConditionChanges(t *testing.T) {
	x := newTeam(t).index["master"]
	for _, c := range []struct{ base, then, want string }{
		{"开一家卖洋酒的旗舰店，企业要什么资质", "那个体户呢", "开一家卖洋酒的旗舰店，个体户要什么资质"},
		{"开一家卖洋酒的旗舰店，企业要什么资质", "换成专卖店呢", "开一家卖洋酒的专卖店，企业要什么资质"},
		{"我有多少订单是王萍萍买的?", "那李建国的呢？", "我有多少订单是李建国买的?"},
		{"待发货的订单有哪些", "那待付款的呢", "待付款的订单有哪些"},
		{"上海上个月有多少订单", "那这个月呢", "上海这个月有多少订单"},
		{"上海上个月有多少订单", "北京呢", "北京上个月有多少订单"},
		{"上海上个月有多少订单", "那北京这个月呢", "北京这个月有多少订单"},
		{"查一下订单 281064156041", "281053850603 呢", "查一下订单 281053850603"},
		{"空气炸锅还有多少库存", "电饭煲呢", "电饭煲还有多少库存"},
		{"How many orders did Wang Pingping place?", "and Li Jianguo?", "How many orders did Li Jianguo place?"},
		{"orders from Shanghai last month", "what about this month?", "orders from Shanghai this month"},
		{"which orders are awaiting shipment", "what about unpaid?", "which orders are unpaid"},
		{"show order 281064156041", "what about 281053850603?", "show order 281053850603"},
	} {
		in := ask(c.then)
		in.History = []Turn{{Request: c.base, Answer: "…"}}
		if g := x.understand(in); g.text != c.want {
			t.Errorf("%s, %s: %s", c.base, c.then, g.text)
		}
	}
}

// "Of them" narrows the list that was shown; "these" and "them" mean all of it.
func TestTheListOfTheTurnBefore(t *testing.T) {
	h := newTeam(t)
	for _, c := range []struct{ base, then, want string }{
		{"王萍萍的订单", "其中有几个已发货", "list_orders{consumer_name=王萍萍; state=已发货}"},
		{"查一下王萍萍的订单", "这些订单里有多少待付款", "list_orders{consumer_name=王萍萍; state=待付款}"},
		{"王萍萍有多少订单？", "其中上个月的有几个", "list_orders{consumer_name=王萍萍; from=2026-04-01; to=2026-04-30}"},
		{"orders of Wang Pingping", "of them how many are shipped", "list_orders{consumer_name=Wang Pingping; state=shipped/已发货}"},
		{"list the orders of Wang Pingping", "how many of them are unpaid?", "list_orders{consumer_name=Wang Pingping; state=unpaid}"},
		{"王萍萍的订单", "how many of these are completed", "list_orders{consumer_name=王萍萍; state=completed/已完成}"},
		{"待付款的订单有哪些", "取消它们", "list_orders{state=待付款}, cancel_order{order_id=281063663568}"},
		{"which orders are unpaid?", "cancel them", "list_orders{state=unpaid/待付款/未付款}, cancel_order{order_id=281063663568}"},
		{"王萍萍的订单", "这些订单的物流呢", "list_shipments{consumer_name=王萍萍}"},
	} {
		in := ask(c.then)
		in.History = []Turn{{Request: c.base, Answer: shownHan}, {Request: "谢谢", Answer: "不客气！"}}
		h.begin(t, in)
		if miss := h.wrong(readWishes(c.want)); miss != "" {
			t.Errorf("%s, %s: %s: %s", c.base, c.then, miss, h.told())
		}
	}
}

// A message to the buyers of several rows goes to each of them, and one that replies is a message.
func TestMessageToRows(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{
		"message the buyers of the second and third that it ships today": "it ships today",
		"告诉第二和第三个的买家：今天发货":                                               "今天发货",
		"tell the buyers of rows 2 to 3 that it ships today":             "it ships today",
		"回复第二个和第三个的买家：今天发货":                                              "今天发货",
	} {
		in := ask(request)
		in.History = []Turn{{Request: "待发货的订单有哪些", Answer: shownHan}}
		h.begin(t, in)
		var to []string
		for _, l := range h.log {
			if l.name == "send_message_to_buyer" && l.args["text"] == want {
				to = append(to, fmt.Sprint(l.args["order_id"]))
			}
		}
		if strings.Join(to, " ") != "281053850603 281053703856" {
			t.Errorf("%s: %s", request, h.told())
		}
	}
	for _, request := range []string{"回复他：明天发货", "答复她：明天发货"} {
		in := ask(request)
		in.History = []Turn{{Request: "订单 281053850603 的买家是谁", Answer: "买家是王萍萍。"}}
		h.begin(t, in)
		if told := h.told(); len(h.log) != 1 || !strings.Contains(told, "send_message_to_buyer") {
			t.Errorf("%s: %s", request, told)
		}
	}
}
