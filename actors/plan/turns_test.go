package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/bus"
)

// Two ids in one request are two calls, whatever joins them and whichever tool they go to.
func TestSeveralIDsAreSeveralCalls(t *testing.T) {
	h := newTeam(t)
	const a, b, c = "281063663568", "281061466024", "281054834468"
	for request, want := range map[string]string{
		"订单 " + a + " 和 " + b + " 的物流":                 "track_shipment",
		"查一下" + a + "、" + b + "到哪了":                    "track_shipment",
		"track orders " + a + " and " + b:              "track_shipment",
		"where are the parcels of " + a + " and " + b:  "track_shipment",
		"cancel orders " + a + " and " + b:             "cancel_order",
		"取消订单 " + a + "、" + b:                          "cancel_order",
		"把 " + a + " 和订单 " + b + " 都取消":                "cancel_order",
		"催一下 " + a + " 和 " + b:                         "urge_shipment",
		"cancel order " + a + ", " + b + " and " + c:   "cancel_order",
		"给 " + a + "、" + b + "、" + c + " 开发票":          "issue_invoice",
		"show me orders " + a + ", " + b + " and " + c: "order_detail",
	} {
		h.ask(t, request)
		var got []string
		for _, l := range h.log {
			if l.name == want || want == "order_detail" && l.name == "search_order_code" {
				got = append(got, fmt.Sprint(l.args["order_id"]))
			}
		}
		wanted := []string{a, b}
		if strings.Contains(request, c) {
			wanted = append(wanted, c)
		}
		if !slices.Equal(got, wanted) {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// A customer and a time, and a state beside them, all limit what is looked for.
func TestCustomerAndTime(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{ // it is 16 May 2026
		"王萍萍上个月的订单":                                             "list_orders{consumer_name=王萍萍; from=2026-04-01; to=2026-04-30}",
		"上个月王萍萍下了几单":                                            "list_orders{consumer_name=王萍萍; from=2026-04-01; to=2026-04-30}",
		"王萍萍3月份的订单":                                             "list_orders{consumer_name=王萍萍; from=2026-03-01; to=2026-03-31}",
		"王萍萍待发货的订单":                                             "list_orders{consumer_name=王萍萍; state=待发货}",
		"王萍萍上个月已取消的订单有几个":                                       "list_orders{consumer_name=王萍萍; state=已取消; from=2026-04-01; to=2026-04-30}",
		"orders of Wang Pingping in April":                      "list_orders{consumer_name=Wang Pingping; from=2026-04-01; to=2026-04-30}",
		"how many orders did Wang Pingping place in April":      "list_orders{consumer_name=Wang Pingping; from=2026-04-01; to=2026-04-30}",
		"how many orders of Wang Pingping are finished":         "list_orders{consumer_name=Wang Pingping; state=completed/已完成}",
		"how many customers bought twice":                       "find_customers{kind=多次购买/repeat}",
		"unpaid orders of Wang Pingping":                        "list_orders{consumer_name=Wang Pingping; state=unpaid/待付款/未付款/没付款}",
		"王萍萍上个月的退款":                                             "list_refunds{consumer_name=王萍萍; from=2026-04-01; to=2026-04-30}",
		"十月份广州下了多少单":                                            "list_orders{city=广州; from=2025-10-01; to=2025-10-31}",
		"广州十月下了多少单":                                             "list_orders{city=广州; from=2025-10-01; to=2025-10-31}",
		"9月份上海一共卖了多少钱":                                          "sales_statistics{city=上海; from=2025-09-01; to=2025-09-30}",
		"what did we sell in Shanghai last month":               "sales_statistics{city=Shanghai; from=2026-04-01; to=2026-04-30}",
		"least profitable category in April":                    "sales_statistics{by=category; from=2026-04-01; to=2026-04-30}",
		"四月份广州有几笔退款":                                            "list_refunds{city=广州; from=2026-04-01; to=2026-04-30}",
		"are there any late orders from Beijing":                "late_shipments{city=Beijing}",
		"how much revenue did phones bring in in March?":        "sales_statistics{category=phones; from=2026-03-01; to=2026-03-31}",
		"王萍萍的手机":                                                "find_customers{consumer_name=王萍萍}",
		"王萍萍的订单":                                                "search_order_code{consumer_name=王萍萍}",
		"orders of 李建国":                                         "search_order_code{consumer_name=李建国}",
		"is the air fryer profitable":                           "sales_statistics{category=air fryer}",
		"are phones making money this year?":                    "sales_statistics{from=2026-01-01}",
		"空气炸锅盈利吗":                                               "sales_statistics{category=空气炸锅}",
		"客户说他想再买一个，电饭煲现在卖多少钱":                                   "find_products{category=电饭煲}",
		"a customer asks how much the rice cooker is now":       "find_products{category=rice cooker}",
		"how many orders did Shanghai customers place in April": "list_orders{city=Shanghai; from=2026-04-01; to=2026-04-30}",
		"单价最高的订单":                                               "list_orders{}",
		"周末和工作日哪个卖得多":                                           "sales_statistics{by=周末; sku_name=-}",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" || strings.Contains(h.told(), "sku_name") {
			t.Errorf("%s: %s: %s", request, miss, h.told())
		}
	}
}

// Two figures in one sentence are two calls, and the days that stand at its end or beginning are those of both.
func TestTwoFigures(t *testing.T) {
	for request, want := range map[string][]string{
		"每天的销售额是多少，各类目的销售额是多少":                               {`"by":"日"`, `"by":"类目"`},
		"每天的订单数和各类目的销售额":                                     {`"by":"日"`, `sales_statistics{"by":"类目"`},
		"how many orders and how many refunds in April?":     {`list_orders{"from":"2026-04-01","to":"2026-04-30"}`, `list_refunds{"from":"2026-04-01","to":"2026-04-30"}`},
		"四月份有多少订单，有多少退款":                                     {`list_orders{"from":"2026-04-01","to":"2026-04-30"}`, `list_refunds{"from":"2026-04-01","to":"2026-04-30"}`},
		"how many orders in March and how many refunds?":     {`list_orders{"from":"2026-03-01","to":"2026-03-31"}`, `list_refunds`},
		"how many refunds in March and how many late orders": {`list_refunds{"from":"2026-03-01","to":"2026-03-31"}`, `late_shipments`},
	} {
		h := newTeam(t)
		h.ask(t, request)
		for _, w := range want {
			if !strings.Contains(h.told(), w) {
				t.Errorf("%s: no %s in %s", request, w, h.told())
			}
		}
	}
}

// A later turn that wants another figure is of the days, places and things of the one before it, unless it names its own.
func TestAnotherFigure(t *testing.T) {
	for _, c := range [][3]string{
		{"四月份卖了多少", "那退了多少", "list_refunds{from=2026-04-01; to=2026-04-30}"},
		{"sales in April", "what about refunds?", "list_refunds{from=2026-04-01; to=2026-04-30}"},
		{"空气炸锅库存", "上个月的销量", "sales_statistics{category=空气炸锅; from=2026-04-01; to=2026-04-30}"},
		{"上海四月份卖了多少", "那退款呢", "list_refunds{city=上海; from=2026-04-01; to=2026-04-30}"},
		{"上海四月份卖了多少", "退款呢", "list_refunds{city=上海; from=2026-04-01; to=2026-04-30}"},
		{"四月份卖了多少", "上海呢", "sales_statistics{city=上海; from=2026-04-01; to=2026-04-30}"},
		{"四月份卖了多少", "上海市呢", "sales_statistics{city=上海/上海市; from=2026-04-01; to=2026-04-30}"},
		{"四月份卖了多少", "那上海呢", "sales_statistics{city=上海; from=2026-04-01; to=2026-04-30}"},
	} {
		h := newTeam(t)
		in := ask(c[1])
		in.History = []Turn{{Request: c[0], Answer: "S."}}
		h.begin(t, in)
		if miss := h.wrong(readWishes(c[2])); miss != "" || len(h.log) != 1 {
			t.Errorf("%s, %s: %s: %s", c[0], c[1], miss, h.told())
		}
	}
}

// What is refused limits nothing, nor does the verb of a change limit what is looked up for it.
func TestRefusedIsNoCondition(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{
		"查订单 281063663568，不要取消":                        "order_detail/search_order_code{order_id=281063663568}",
		"看看订单 281063663568，先别发货":                       "order_detail/search_order_code{order_id=281063663568}",
		"show order 281063663568, do not cancel it":    "order_detail/search_order_code{order_id=281063663568}",
		"look up order 281063663568 but don't ship it": "order_detail/search_order_code{order_id=281063663568}",
		"查一下王萍萍的订单，不要取消":                               "search_order_code{consumer_name=王萍萍}",
		"有多少已取消的订单":                                    "list_orders{state=已取消}",
		"没发货的订单有哪些":                                    "list_orders{state=没发货/待发货/未发货}",
		"which orders are not shipped":                 "list_orders{state=unshipped/待发货/to be shipped/awaiting shipment}",
		"which orders have been cancelled":             "list_orders{state=cancelled/canceled/已取消}",
		"取消王萍萍的所有订单":                                   "search_order_code/list_orders{consumer_name=王萍萍}, cancel_order{}",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s: %s", request, miss, h.told())
		}
		for _, l := range h.log {
			if state := l.args["state"]; state != nil && !strings.Contains(want, "state=") {
				t.Errorf("%s: limited to %v", request, state)
			}
		}
	}
}

// A wish that nothing here can fulfil is said to be left, and spoils nothing of the one beside it.
func TestWishThatNothingCanFulfil(t *testing.T) {
	h := newTeam(t)
	for _, c := range []struct{ request, want, said string }{
		{"查王萍萍的订单，然后画一张图", "search_order_code/list_orders{consumer_name=王萍萍}", "画一张图"},
		{"查一下空气炸锅的库存，帮我订一张机票", "stock_level{category/sku_name=空气炸锅}", "帮我订一张机票"},
		{"帮我唱首歌，再看看待付款的订单有哪些", "list_orders{state=待付款}", "唱首歌"},
		{"取消订单 281063663568，然后画一张图", "cancel_order{order_id=281063663568}", "画一张图"},
		{"how many air fryers are left, and draw a picture", "stock_level{}", "draw a picture"},
		{"how many air fryers are left and sing me a song", "stock_level{}", "sing me a song"},
		{"cancel order 281063663568 and paint a picture", "cancel_order{order_id=281063663568}", "paint a picture"},
	} {
		h.says["order_detail"] = order("281063663568", "待发货")
		answer := h.ask(t, c.request)
		if miss := h.wrong(readWishes(c.want)); miss != "" || strings.Contains(h.told(), "图") || strings.Contains(h.told(), "票") {
			t.Errorf("%s: %s: %s", c.request, miss, h.told())
		}
		holdsAll(t, answer, c.said)
		if !strings.Contains(answer, "没有合适的工具") && !strings.Contains(answer, "no tool") {
			t.Errorf("%s: %s", c.request, answer)
		}
	}
}

// A message to somebody named is written to them, whatever it says.
func TestMessageToSomebodyNamed(t *testing.T) {
	h := newTeam(t)
	for request, text := range map[string]string{
		"给王萍萍发消息说货已经发出":                                                "货已经发出",
		"给王萍萍发一条消息：包裹明天到":                                              "包裹明天到",
		"send Wang Pingping a message saying the goods are on the way": "the goods are on the way",
	} {
		h.ask(t, request)
		n := len(h.log)
		if n == 0 || h.log[n-1].name != "send_message_to_buyer" || h.log[n-1].args["text"] != text || h.log[n-1].args["user_pin"] == nil && h.log[n-1].args["order_id"] == nil {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// What was done to a thing that the request names is told to its buyer; the thing is not lost between the two.
func TestDoneAndTold(t *testing.T) {
	h := newTeam(t)
	const id = "281063663568"
	h.says["order_detail"], h.says["cancel_order"] = order(id, "待发货"), `{"summary":"订单 `+id+` 已取消。","order_id":"`+id+`","state":"已取消"}`
	for _, request := range []string{"取消订单 " + id + " 然后告诉买家", "cancel order " + id + " and tell the buyer", "取消订单" + id + "，并通知买家"} {
		h.ask(t, request)
		if h.asked == nil || h.asked.Parameter != "text" || !strings.Contains(h.told(), "cancel_order") {
			t.Fatalf("%s: %s", request, h.told())
		}
		in := ask(request)
		in.Answers = []Answer{{Ask: *h.asked, Text: "订单已取消，钱会退回"}}
		h.begin(t, in)
		last := h.log[len(h.log)-1]
		if last.name != "send_message_to_buyer" || last.args["text"] != "订单已取消，钱会退回" || last.args["order_id"] != id && last.args["user_pin"] == nil {
			t.Errorf("%s: %s", request, h.told())
		}
	}
	for _, request := range []string{"取消订单 " + id + " 并给买家发消息：订单已取消", "cancel order " + id + " and tell the buyer that it is cancelled"} {
		h.ask(t, request)
		if last := h.log[len(h.log)-1]; last.name != "send_message_to_buyer" || last.args["order_id"] != id && last.args["user_pin"] == nil {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// Two people side by side are both looked up, whichever of them the shop knows by name already.
func TestSeveralPeople(t *testing.T) {
	h := newTeam(t)
	for _, names := range [][2]string{{"王萍萍", "陈平萍"}, {"陈平萍", "王萍萍"}, {"李建国", "王萍萍"}} {
		for _, request := range []string{"查" + names[0] + "和" + names[1] + "的订单", names[0] + "、" + names[1] + "上个月的订单"} {
			h.ask(t, request)
			if told := h.told(); len(h.log) != 2 || !strings.Contains(told, names[0]) || !strings.Contains(told, names[1]) {
				t.Errorf("%s: %s", request, told)
			}
		}
	}
}

// A full plan makes a change to each of the things that stand side by side, and to none that is spared.
func TestFullPlanOfSeveralIDs(t *testing.T) {
	x := index(t, "shop.json")
	for request, want := range map[string]string{
		"cancel orders 281063663568 and 281061466024":                   "281063663568 281061466024",
		"取消订单 281063663568、281061466024 和 281054834468":                 "281063663568 281061466024 281054834468",
		"取消订单 281063663568":                                             "281063663568",
		"取消 281063663568 和 281061466024，别动 281054834468":                "281063663568 281061466024",
		"cancel orders 281063663568 and 281061466024, not 281054834468": "281063663568 281061466024",
	} {
		var got []string
		for _, c := range x.PlanAll(ask(request)) {
			if c.ToolName == "cancel_order" {
				got = append(got, fmt.Sprint(c.Parameter["order_id"]))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v", request, got)
		}
	}
}

// Whose, said alone, puts another one in the place of who was spoken of.
func TestAnotherOnes(t *testing.T) {
	for said, want := range map[string]string{"李建国的": "search_order_code{consumer_name=李建国}", "李建国的。": "search_order_code{consumer_name=李建国}", "那李建国的呢": "search_order_code{consumer_name=李建国}", "张玉华的": "search_order_code{consumer_name=张玉华}"} {
		h := newTeam(t)
		in := ask(said)
		in.History = []Turn{{Request: "王萍萍的订单", Answer: "王萍萍共有 11 个订单。"}}
		h.begin(t, in)
		if miss := h.wrong(readWishes(want)); miss != "" || strings.Contains(h.told(), "sku_name") {
			t.Errorf("%s: %s: %s", said, miss, h.told())
		}
	}
}

// After a request of which nothing came the next wish stands alone; a fact that was lacking, or another in its place, still goes with it.
func TestAfterAMiss(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	const failed, answered = "没能完成：店里没有它。", "共 3 个。"
	for _, c := range []struct{ earlier, answer, request, want string }{
		{"draw that as a bar chart", "Sorry, I have no tool for “draw that”. I can help with: …", "rows beyond the mean deviation", "rows beyond the mean deviation"},
		{"draw that as a bar chart", "This could not be done: there is no file.", "rows beyond the mean deviation", "rows beyond the mean deviation"},
		{"draw that as a bar chart", "4 rows.", "rows beyond the mean deviation", "draw that as a bar chart, rows beyond the mean deviation"},
		{"待发货的订单有哪些", failed, "王萍萍呢", "待发货的订单有哪些，王萍萍"},
		{"待发货的订单有哪些", failed, "上个月", "待发货的订单有哪些，上个月"},
		{"待发货的订单有哪些", answered, "上个月", "待发货的订单有哪些，上个月"},
	} {
		now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
		if got := index["master"].understand(Input{Request: c.request, Now: now, History: []Turn{{Request: c.earlier, Answer: c.answer}}}).text; got != c.want {
			t.Errorf("%s after %s (%s): %s, want %s", c.request, c.earlier, c.answer, got, c.want)
		}
	}
}

// What a digest of the conversation cuts in the middle is no fact, and who names a file means no other one of before.
func TestToldBefore(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ request, digest, want string }{
		{"what is in it?", "- orders of Ann → Made [list.md](obj:a)", "list.md"},
		{"what is in it?", "- revenue by region → 4 rows: | region …ion.svg](obj:a) total revenue", ""},
		{"它里面有什么", "- 各地区的销售额 → 4 行：| 地区 …ion.svg](obj:a) 销售额", ""},
		{"draw that (sales.csv)", "- revenue by region → 4 rows. [revenue.svg](obj:a)", ""},
	} {
		got := ""
		for _, f := range index["master"].understand(Input{Request: c.request, Job: true, Context: "told" + beforeDigest[:2] + c.digest}).extra {
			if f.Kind == facts.Path {
				got += f.Text
			}
		}
		if got != c.want {
			t.Errorf("%s after %s: %q, want %q", c.request, c.digest, got, c.want)
		}
	}
}

// What has happened to who speaks is no condition of the list before.
func TestWhatBefellIsNoCondition(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	turn := Turn{Request: "待发货的订单有哪些", Answer: "有 2 个。\n\n| 订单编号 | 买家 |\n| --- | --- |\n| 281066617516 | 郭萍桂 |\n| 281066617517 | 马轩 |"}
	for _, request := range []string{"I lost my laptop", "我的电脑丢了", "my phone was stolen", "我病了"} {
		in := ask(request)
		in.History = []Turn{turn}
		if out := h.index["master"].Think(in); slices.ContainsFunc(out.Actions, func(a bus.Action) bool { return strings.Contains(a.JobDesc, "待发货") }) {
			t.Errorf("%s: %s", request, told(out))
		}
	}
}

// One more place, person or thing is asked for beside the one that was spoken of.
func TestOneMore(t *testing.T) {
	x := NewIndex(houseCards(t), Options{})
	for _, c := range []struct{ base, said, want string }{
		{"北京上个月卖了多少", "再加上上海的", "北京和上海上个月卖了多少"},
		{"订单593001的物流", "再加上订单593002", "订单593001和593002的物流"},
		{"取消订单593001", "再加上订单593002", "取消订单593002"},
		{"北京上个月卖了多少", "那上海呢", ""},
		{"sales in Beijing last month", "and Shanghai too", "sales in Beijing and Shanghai last month"},
		{"sales in Beijing last month", "plus Shanghai", "sales in Beijing and Shanghai last month"},
		{"sales in Beijing last month", "add a note to order 281065626058 too", ""},
		{"sales of Beijing and Shenzhen", "and Shanghai too", ""},
		{"王萍萍的订单", "再加上备注", ""},
		{"王萍萍的订单", "也加上宋刚的", "王萍萍和宋刚的订单"},
		{"王萍萍的订单", "把李建国的也加上", "王萍萍和李建国的订单"},
		{"orders of 王萍萍", "add 宋刚's too", "orders of 王萍萍 and 宋刚"},
		{"sales in Beijing last month", "last week too", ""},
	} {
		if got := x.oneMore(&goal{now: now}, c.base, c.said); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.base, c.said, got, c.want)
		}
	}
}
