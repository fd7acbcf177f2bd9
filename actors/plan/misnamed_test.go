package plan

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A number by which a thing is called, and which none of its kind can have, is said to be none: it is no number of rows, and nothing that is found without it
// is changed instead.
func TestNumberThatIsNoID(t *testing.T) {
	h := newTeam(t)
	for request, n := range map[string]string{
		"Cancel order 12345": "12345", "取消订单 12345": "12345", "Cancel order 15": "15", "取消订单3": "3", "please cancel order no. 7 because it is late": "7", "把订单号是 99 的取消": "99",
		"track order 4711": "4711", "查一下订单 4711 的物流": "4711",
	} {
		answer := h.ask(t, request)
		if h.told() != "" || !strings.Contains(answer, n) || !strings.Contains(answer, "“") && !strings.Contains(answer, "「") {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
	for request, want := range map[string]string{
		"取消订单 281063663568": "order_id=281063663568", "最近的订单 3 个": "limit=3", "list the latest 15 orders": "limit=15",
	} {
		if h.ask(t, request); len(h.log) == 0 || !strings.Contains(strings.NewReplacer(`"`, "", ":", "=").Replace(h.told()), want) {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// One number fills one id, however often it is said: the order is not its own waybill.
func TestOneNumberIsOneID(t *testing.T) {
	x := newTeam(t).index["logistics"]
	in := ask("ship order 281063663568")
	in.Job, in.Context = true, "ship order 281063663568"
	in.Answers = []Answer{{Ask: bus.Ask{Kind: bus.Question, ToolName: "ship_order", Parameter: "carrier"}, Text: "SF Express"}}
	in.Done = []Done{{Action: bus.Action{ToolName: "order_detail", Parameter: []byte(`{"order_id":"281063663568"}`)}, Status: bus.OK, Observation: []byte(order("281063663568", "待发货"))}}
	if out := x.Think(in); out.Ask == nil || out.Ask.Parameter != "waybill" || len(out.Actions) > 0 {
		t.Errorf("%s", told(out))
	}
	in.Answers[0].Text = "SF123456789"
	if out := x.Think(in); out.Ask == nil || out.Ask.Parameter != "carrier" || len(out.Actions) > 0 {
		t.Errorf("a waybill for a carrier: %s", told(out))
	}
}

// Verbs that no tool of the shop knows do no other deed in its stead, and are no name of a thing; who only says what not to do has nothing done.
func TestNoOtherDeed(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"删除所有商品", "delete all products", "下架所有商品", "下架所有空气炸锅", "delist all air fryers", "冻结王萍萍的账号", "freeze the account of Wang Pingping", "暂停所有订单"} {
		answer := h.ask(t, request)
		if told := h.told(); strings.Contains(told, "cancel_order") || strings.Contains(told, "sku_name") || !strings.Contains(answer, "没有") && !strings.Contains(strings.ToLower(answer), "nothing was changed") && !strings.Contains(answer, "no tool") {
			t.Errorf("%s: %s: %s", request, told, answer)
		}
	}
	for _, request := range []string{"不要取消订单 281064148122", "don't cancel order 281064148122", "订单 281064148122 先别发货", "别给王萍萍退款"} {
		if answer := h.ask(t, request); h.told() != "" || h.asked != nil || !strings.Contains(answer, "什么也没有改") && !strings.Contains(answer, "nothing was changed") {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
}

// A sign is a part of its number, and the last time is no thing.
func TestSignsAndTimes(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"把星澜耳机 真无线降噪的价格改成 -5 元", "set the price of 星澜耳机 真无线降噪 to -5"} {
		if h.ask(t, request); strings.Contains(h.told(), `"price":5`) {
			t.Errorf("%s: %s", request, h.told())
		}
		in := ask(request)
		if h.asked == nil || !strings.Contains(h.asked.Question, "0") {
			t.Errorf("%s: %s", request, h.told())
			continue
		}
		in.Answers = []Answer{{Ask: *h.asked, Text: "300"}} // what is asked for takes the place of what could not be
		if answer := h.begin(t, in); !strings.Contains(h.told(), `"price":300`) {
			t.Errorf("%s, 300: %s: %s", request, h.told(), answer)
		}
	}
	for _, request := range []string{"王萍萍最近一次买了什么", "王萍萍上次买了什么"} {
		if h.ask(t, request); len(h.log) == 0 || strings.Contains(h.told(), "一次") || strings.Contains(h.told(), "sku_name") || !strings.Contains(h.told(), "王萍萍") {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// A change that is known by more than its verb is made, or said not to be; a half that nothing here does is said, too.
func TestSaidOtherwise(t *testing.T) {
	h := newTeam(t)
	const id = "281065989409"
	for _, c := range []struct{ request, told, answer string }{
		{"给订单 " + id + " 备注送礼", `change_order{"note":"送礼","order_id":"` + id + `"}`, "done"},
		{"给订单 " + id + " 加个备注：周末再送", `change_order{"note":"周末再送","order_id":"` + id + `"}`, "done"},
		{"订单 " + id + " 的备注是什么", "order_detail", id},
		{"change the address of order " + id + " to 上海市浦东新区世纪大道1号", `change_order{"address":"上海市浦东新区世纪大道1号","order_id":"` + id + `"}`, "done"},
		{"change the receiver of order " + id + " to Li Si and leave the phone as it is", `change_order{"order_id":"` + id + `","receiver":"Li Si"}`, "done"},
		{"change both the phone to 13900139000 and the receiver to 王五 of order " + id, `change_order{"order_id":"` + id + `","phone":"13900139000","receiver":"王五"}`, "done"},
		{"change the address of order " + id + " to 12 Main Street, Springfield and the phone to 13900001111", `change_order{"address":"12 Main Street, Springfield","order_id":"` + id + `","phone":"13900001111"}`, "done"},
		{"change the address of order " + id + " to 12 Main Street, Springfield", `change_order{"address":"12 Main Street, Springfield","order_id":"` + id + `"}`, "done"},
		{"给订单 " + id + " 退 20 元", "order_detail", "没有改动任何东西"},
		{"refund 20 yuan of order " + id, "order_detail", "nothing was changed"},
		{"hide all products", "find_products", "nothing was changed"},
		{"隐藏所有商品", "find_products", "没有改动任何东西"},
		{"取消金额低于 100 的待发货订单", `list_orders{"max_amount":99.99,"state":"待发货"}`, "没有执行"},
		{"取消金额是多少", "list_orders", ""},
		{"approve Wang Pingping's pending refunds", `list_refunds{"consumer_name":"Wang Pingping","state":"pending"}`, "Not done"},
		{"播放音乐并且预测下个月空气炸锅的销量", "forecast_sales", "播放音乐"},
		{"play some music and forecast sales of air fryers next month", "forecast_sales", "play some music"},
	} {
		if answer := h.ask(t, c.request); !strings.Contains(h.told(), c.told) || !strings.Contains(answer, c.answer) || strings.Contains(h.told(), "cancel_order") {
			t.Errorf("%s: %s: %s", c.request, h.told(), answer)
		}
	}
}
