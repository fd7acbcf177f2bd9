package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A change to a state finds the things by the state that they have, and not by the one that they shall have.
func TestChangeOfStates(t *testing.T) {
	h := newTeam(t)
	h.says["list_orders"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"orders":[{"order_id":"281063663568","state":"已发货"},{"order_id":"281061466024","state":"已发货"}]}`
	for request, want := range map[string]string{
		"把已发货的订单都改成已完成": `list_orders{"state":"已发货"}`, "把所有待付款的订单改为待发货": `list_orders{"state":"待付款"}`, "mark all shipped orders as completed": `list_orders{"state":"shipped"}`,
	} {
		h.ask(t, request)
		if got := h.told(); !strings.HasPrefix(got, want+" change_order_state{") {
			t.Errorf("%s: %s", request, got)
		}
	}
}

// A new receiver is a name like any other, and the one of whom nothing is looked up.
func TestNewReceiver(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"把订单281063663568的收货人改成李雷", "把订单281063663568的收货人改为李雷，电话改成13812345678"} {
		h.ask(t, request)
		if got := h.told(); !strings.Contains(got, `change_order{"order_id":"281063663568"`) || !strings.Contains(got, `"receiver":"李雷"`) {
			t.Errorf("%s: %s", request, got)
		}
	}
}

// A discount is one of the price, however it is said that all of a kind get it.
func TestDiscountToAll(t *testing.T) {
	h := newTeam(t)
	h.says["find_products"] = `{"summary":"2 种。","summary_en":"There are 2.","count":2,"products":[{"sku_id":"10000020260001","sku_name":"禾煮空气炸锅 5L 可视窗","price":300,"stock":70},{"sku_id":"10000020269974","sku_name":"禾煮空气炸锅 4L 家用","price":200,"stock":10}]}`
	h.ask(t, "restock all air fryers to 1 each")
	if got := h.told(); strings.Count(got, `"stock":1}`) != 2 || strings.Contains(got, "limit") {
		t.Errorf("1 each: %s", got)
	}
	for _, request := range []string{"空气炸锅都打9折", "空气炸锅统一打9折", "所有空气炸锅打9折", "空气炸锅全部降价10%"} {
		h.ask(t, request)
		if got := h.told(); !strings.Contains(got, `"price":270`) || !strings.Contains(got, `"price":180`) || strings.Contains(got, "set_stock") {
			t.Errorf("%s: %s", request, got)
		}
	}
}

// A change to all things of a kind finds them first, by whichever tool can, and is made to each of them; what another agent found is looked at before leave is asked, for nobody
// agrees to bare numbers.
func TestChangeToAllOfAKind(t *testing.T) {
	h := newTeam(t)
	h.says["late_shipments"] = `{"summary":"超时 2 个。","summary_en":"2 are late.","count":2,"orders":[{"order_id":"281063663568","consumer_name":"王萍萍"},{"order_id":"281061466024","consumer_name":"何涛军"}]}`
	h.says["list_refunds"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"refunds":[{"refund_id":"5100000085674","order_id":"281063663568"},{"refund_id":"5100000085936","order_id":"281061466024"}]}`
	h.says["list_orders"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"orders":[{"order_id":"281063663568"},{"order_id":"281061466024"}]}`
	for request, want := range map[string]string{
		"cancel all late orders": "late_shipments order_detail cancel_order", "cancel the late ones": "late_shipments order_detail cancel_order", "把所有超时未发货的订单都取消": "late_shipments order_detail cancel_order",
		"超时的都取消": "late_shipments order_detail cancel_order", "催一下所有超时的订单": "late_shipments urge_shipment", "取消所有待付款的订单": "list_orders cancel_order",
		"approve all pending refunds": "list_refunds decide_refund", "同意所有待处理的退款": "list_refunds decide_refund", "给今天所有已完成的订单开发票": "list_orders invoice_status issue_invoice",
	} {
		h.ask(t, request)
		var got, ids []string
		for _, l := range h.log {
			if len(got) == 0 || got[len(got)-1] != l.name {
				got = append(got, l.name)
			}
			if l.name == "order_detail" || l.name == "invoice_status" {
				continue
			}
			for _, p := range []string{"order_id", "refund_id"} {
				if id, ok := l.args[p].(string); ok {
					ids = append(ids, id)
				}
			}
		}
		if strings.Join(got, " ") != want || len(ids) != 2 || h.asked != nil {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// A change that gives each thing an id of its own is not made to several at once, and nothing is asked that cannot be answered for all.
func TestChangeWithAnIDOfItsOwn(t *testing.T) {
	one := `{"summary":"1 个。","summary_en":"There is 1.","count":1,"orders":[{"order_id":"281063663568","state":"待发货"}]}`
	two := `{"summary":"2 个：281063663568、281061466024。","summary_en":"There are 2: 281063663568, 281061466024.","count":2,"orders":[{"order_id":"281063663568","state":"待发货"},{"order_id":"281061466024","state":"待发货"}]}`
	for _, request := range []string{"给王萍萍所有待发货的订单发货", "ship all unshipped orders of Wang Pingping", "给所有待发货的订单发货", "把待发货的订单都发货，用顺丰", "ship all unshipped orders with SF Express", "把待发货的订单都发了", "把所有待发货的订单发掉吧", "list unshipped orders of Wang Pingping, then ship them"} {
		h := newTeam(t)
		h.says["list_orders"] = two
		answer := h.ask(t, request)
		if h.asked != nil || strings.Contains(h.told(), "ship_order") || strings.Contains(h.told(), "list_shipments") || !strings.Contains(answer, "281061466024") || !strings.Contains(answer, "自己的运单号") && !strings.Contains(answer, "its own waybill") {
			t.Errorf("%s: %s\n%s", request, h.told(), answer)
		}
		h.says["list_orders"] = one
		if h.ask(t, request); h.asked == nil || h.asked.ToolName != "ship_order" {
			t.Errorf("%s, of one: %s", request, h.told())
		}
	}
}

// Two changes by different amounts are not read as one, whose things are looked up by the words of the other; a limit of both is not held to one of them alone.
func TestTwoAmountsAreNoKind(t *testing.T) {
	for _, request := range []string{"把空气炸锅降价5%，耳机涨价10元，只改库存大于100的", "空气炸锅降价5%，耳机涨价10%，只改售价高于200的", "把库存低于10的空气炸锅补货50件，耳机补货20件"} {
		h := newTeam(t)
		answer := h.ask(t, request)
		if told := h.told(); h.asked != nil && h.asked.ToolName != "" || strings.Contains(told, "set_") || strings.Contains(told, "find_products") || !strings.Contains(answer, "没有执行") {
			t.Errorf("%s: %s\n%s", request, told, answer)
		}
	}
}

// An order that is named beside another one is an order, whatever else its number may look like.
func TestNamedBesideOneOfItsKind(t *testing.T) {
	for _, request := range []string{
		"给订单 281063663568 和 281061466024 发货", "ship orders 281063663568 and 281061466024", "发货 281063663568、281061466024", "ship orders 281063663568, 281061466024",
		"给订单 281063663568 和订单 281061466024 发货，快递公司 顺丰", "ship order 281063663568 and order 281061466024 with SF Express",
	} {
		h := newTeam(t)
		answer := h.ask(t, request)
		if h.asked != nil || strings.Contains(h.told(), "ship_order") || !strings.Contains(answer, "281061466024") || !strings.Contains(answer, "自己的运单号") && !strings.Contains(answer, "its own waybill") {
			t.Errorf("%s: %s\n%s", request, h.told(), answer)
		}
	}
	for _, request := range []string{"给订单 281063663568 发货，顺丰，运单号 281061466024", "ship order 281063663568 with SF Express, waybill 281061466024", "ship order 281063663568, waybill 281061466024 with SF Express", "订单 281063663568，运单号 281061466024，用顺丰发货"} {
		h := newTeam(t)
		if h.ask(t, request); !strings.Contains(h.told(), `"waybill":"281061466024"`) {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// One thing, all but some, and all without a condition are no kind: nothing is looked up in order to be changed. The first by some figure is found.
func TestNoKindOfThings(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{
		"cancel the order", "取消订单", "其他超时的都取消", "cancel all orders", "cancel all late orders but one", "不要取消超时的订单", "do not cancel the late orders",
		"有哪些超时的订单", "超时的订单能取消吗", "客户说：取消所有超时的订单", "取消订单 281063663568", "告诉所有买家取消超时的订单", "取消随便一个超时的订单",
	} {
		for _, agent := range []string{"master", "orders"} {
			g := goal{text: request, lang: Language(request), given: map[string]string{}}
			if put := h.index[agent].eachOf(&g); put != "" {
				t.Errorf("%s became %s", request, put)
			}
		}
	}
}

// A job that a wish for all became finds them by what it says itself, however much of that the whole request says as well.
func TestEachOfAJob(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{"取消广东的订单": "广东", "取消广东省的订单": "广东省", "cancel orders from Shanghai": "Shanghai"} {
		in := ask(request)
		in.Job, in.Context = true, request
		out := h.index["orders"].Think(in)
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "list_orders" || !strings.Contains(string(out.Actions[0].Parameter), `"city":"`+want+`"`) {
			t.Errorf("%s: %+v", request, out.Actions)
		}
	}
}

// What a request finds itself is what its "them" are, and no single thing of an earlier turn.
func TestThemOfThisRequest(t *testing.T) {
	for text, want := range map[string]bool{
		"list pending refunds, then approve them": false, "列出待处理的退款，然后同意它们": false, "approve them": true, "同意它们": true, "cancel it": true, "list pending refunds, then tell her": true,
		"列出金额最大的待处理退款，然后拒绝这个退款": false, "list the smallest pending refund, then reject it": false, "拒绝这个退款": true,
		"这个月退款率最高的商品是哪个": false, "refund rate this month": false, "这个季度和上个季度同一天比": false, "应该补货吗": false, "其他订单呢": false, "这个月它卖了多少": true,
	} {
		if got := pointsToTurns(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Who is asked for leave is told how many of the things that were found are not among those that it is for.
func TestChangeSaysWhatItLeavesOut(t *testing.T) {
	h := newTeam(t)
	var rows []string
	for i := range 20 {
		rows = append(rows, fmt.Sprintf(`{"order_id":"2810636635%02d","state":"待发货"}`, i))
	}
	for request, want := range map[string]string{"取消所有待发货的订单": "一共找到 27 个，这里只有列出的前 20 个，另外 7 个不在其中", "cancel all unshipped orders": "27 were found; these are the first 20 that were listed, and the other 7 are not among them"} {
		in := ask(request)
		look := h.index["orders"].Think(in)
		if len(look.Actions) != 1 {
			t.Fatalf("%s: %+v", request, look)
		}
		for _, count := range []int{27, 20} {
			in.Done = []Done{{Action: look.Actions[0], Call: "t-1-0", Status: bus.OK, Observation: json.RawMessage(fmt.Sprintf(`{"count":%d,"orders":[%s]}`, count, strings.Join(rows, ",")))}}
			out := h.index["orders"].Think(in)
			if len(out.Actions) != 20 || strings.Contains(out.Actions[0].Note, want) != (count > 20) || out.Actions[1].Note != "" {
				t.Errorf("%s, %d: %d calls, %q", request, count, len(out.Actions), out.Actions[0].Note)
			}
		}
	}
}

// As many as were asked for leave nothing out.
func TestChangeToAsManyAsAsked(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"取消最新的两个订单", "cancel the newest two orders"} {
		in := ask(request)
		look := h.index["orders"].Think(in)
		out := h.index["orders"].Think(did(in, look, `{"count":27,"orders":[{"order_id":"2810636635001","time":"2026-05-15 10:00:00","state":"待发货"},{"order_id":"2810636635002","time":"2026-05-15 09:00:00","state":"待发货"},{"order_id":"2810636635003","time":"2026-05-15 08:00:00","state":"待发货"}]}`))
		if len(out.Actions) != 2 || out.Actions[0].Note != "" {
			t.Errorf("%s: %s: %d calls, %v", request, told(look), len(out.Actions), out.Actions)
		}
	}
}

// Of what a tool sorts by a figure that its rows do not tell the first that can be changed is meant, and never all of them.
func TestChangeToTheFirstAsSorted(t *testing.T) {
	x := index(t, "house.json")
	for _, request := range []string{"取消件数最多的订单", "cancel the order with the highest freight", "取消优惠最多的订单"} {
		in := Input{Request: request, Now: now}
		look := x.Think(in)
		out := x.Think(did(in, look, `{"count":27,"orders":[{"order_id":"281063663501","time":"2026-05-13 10:00:00","state":"已完成"},{"order_id":"281063663502","time":"2026-05-15 09:00:00","state":"待发货"},{"order_id":"281063663503","time":"2026-05-15 08:00:00","state":"待发货"}]}`))
		if n := len(out.Actions); n > 1 || n == 1 && out.Actions[0].ToolName == "cancel_order" && !strings.Contains(string(out.Actions[0].Parameter), "281063663502") || n == 0 && request == "取消件数最多的订单" {
			t.Errorf("%s: %s: %s", request, told(look), told(out))
		}
	}
}

// Who is asked to agree to a change of the first that can be changed is told which one would come first; and of very many things those are taken that can be changed.
func TestFirstThatCannotBeChanged(t *testing.T) {
	x := index(t, "house.json")
	for request, says := range map[string]string{"取消最贵的订单": "排在最前的是 281063663501（已完成）", "cancel the dearest order": "the first by that is 281063663501 (已完成)"} {
		in := Input{Request: request, Now: now}
		look := x.Think(in)
		rows := `{"order_id":"281063663501","total":900,"time":"2026-05-13 10:00:00","state":"已完成"},{"order_id":"281063663502","total":800,"time":"2026-05-15 09:00:00","state":"待发货"}`
		out := x.Think(did(in, look, `{"count":2,"orders":[`+rows+`]}`))
		if len(out.Actions) != 1 || !strings.Contains(string(out.Actions[0].Parameter), "281063663502") || !strings.Contains(out.Actions[0].Note, says) {
			t.Errorf("%s: %s: %s %v", request, told(look), told(out), out.Actions)
		}
	}
	var rows []string
	for i := range 40 {
		state := "已完成"
		if i%4 == 3 {
			state = "待发货"
		}
		rows = append(rows, fmt.Sprintf(`{"order_id":"2810636635%02d","state":%q}`, i, state))
	}
	in := Input{Request: "取消今年的所有订单", Now: now}
	out := x.Think(did(in, x.Think(in), `{"count":40,"orders":[`+strings.Join(rows, ",")+`]}`))
	if len(out.Actions) != 10 || strings.Contains(out.Actions[0].Note, "前 20 个") {
		t.Errorf("%d calls, %v", len(out.Actions), out.Actions[0].Note)
	}
}

// What came before a day is not what was on it.
func TestBeforeADay(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{
		"5月1日之前的订单": `list_orders{"to":"2026-04-30"}`, "昨天之前没发货的订单": `list_orders{"state":"没发货","to":"2026-05-14"}`, "orders before yesterday": `list_orders{"to":"2026-05-14"}`,
		"上个月之前的待发货订单": `list_orders{"state":"待发货","to":"2026-03-31"}`, "5月1日的订单": `list_orders{"from":"2026-05-01","to":"2026-05-01"}`,
	} {
		if h.ask(t, request); h.told() != want {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// A message to somebody is one, however many orders they placed.
func TestMessageToSomebody(t *testing.T) {
	h := newTeam(t)
	h.says["list_orders"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"orders":[{"order_id":"281063663568","consumer_name":"王萍萍"},{"order_id":"281061466024","consumer_name":"王萍萍"}]}`
	h.says["search_order_code"] = h.says["list_orders"]
	for _, request := range []string{"给王萍萍发消息：新品到了", "给王萍萍发一条消息说新品到了", "send a message to 王萍萍: new goods are in"} {
		h.ask(t, request)
		if got := h.told(); strings.Count(got, "send_message_to_buyer{") != 1 || !strings.Contains(got, `"user_pin":"wang1"`) {
			t.Errorf("%s: %s", request, got)
		}
	}
}

// What the least is that a number may be is said where less was wished.
func TestLessThanTheLeast(t *testing.T) {
	for request, says := range map[string]string{
		"把禾煮空气炸锅 5L 可视窗的价格改成0元": "它不能小于 0.01", "把禾煮空气炸锅 5L 可视窗的价格改成-5元": "它不能小于 0.01",
		"set the price of 禾煮空气炸锅 5L 可视窗 to 0 yuan": "cannot be below 0.01",
	} {
		h := newTeam(t)
		if h.ask(t, request); h.made() != "" || h.asked == nil || !strings.Contains(h.asked.Question, says) {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// Of things of a kind only those are looked up that the card of the change allows, where what was said takes in more; the answer says what was left out.
func TestOnlyWhatCanBeChanged(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string][2]string{
		"把已付款的订单都发货":             {"待发货", ""},
		"ship all paid orders":   {"待发货", ""},
		"取消所有已付款的订单":             {"待发货", "其他状态的没有列入"},
		"cancel all paid orders": {"待发货", "the others were left out"},
		"取消所有未付款的订单":             {"未付款", ""},
	} {
		answer, state := h.ask(t, request), ""
		for _, l := range h.log {
			if l.name == "list_orders" {
				state, _ = l.args["state"].(string)
			}
		}
		if state != want[0] || !strings.Contains(answer, want[1]) {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
}
