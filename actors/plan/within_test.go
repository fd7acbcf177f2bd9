package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/fields"
)

// made are the changes of a run, by the id or name of their thing and the figure that they set.
func (h *team) made() string {
	var out []string
	for _, l := range h.log {
		if l.read || strings.HasPrefix(l.name, "ask:") {
			continue
		}
		s := l.name
		for _, p := range []string{"refund_id", "order_id", "sku_id", "sku_name", "user_pin", "price", "stock"} {
			if v, ok := l.args[p]; ok {
				s += fmt.Sprint(" ", v)
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// rowsOf are the answers of the shop's lists in which the things for a change are described.
func rowsOf(h *team) {
	h.says["list_refunds"] = `{"summary":"4 个。","summary_en":"There are 4.","count":4,"refunds":[` +
		`{"refund_id":"5100000000001","consumer_name":"王萍萍","amount":193,"state":"待处理","asked_at":"2026-11-20 10:00:00"},{"refund_id":"5100000000002","consumer_name":"罗宁","amount":20.5,"state":"待处理","asked_at":"2026-11-19 10:00:00"},` +
		`{"refund_id":"5100000000003","consumer_name":"李建国","amount":5,"state":"已同意","asked_at":"2026-11-18 10:00:00"},{"refund_id":"5100000000004","consumer_name":"孙俪","amount":900,"state":"待处理","asked_at":"2026-11-17 10:00:00"}]}`
	h.says["list_orders"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,"orders":[{"order_id":"281063663568","total":250,"state":"待发货"},{"order_id":"281061466024","total":1300,"state":"待发货"},{"order_id":"281061466025","total":99,"state":"待发货"}]}`
	rows := `[{"sku_id":"10000020559191","sku_name":"禾煮空气炸锅 5L","price":100,"stock":71,"days_left":40},{"sku_id":"10000020559192","sku_name":"灶小二空气炸锅 3L","price":200,"stock":7,"days_left":3}]`
	h.says["find_products"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"products":` + rows + `}`
	h.says["stock_level"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"stock":` + rows + `}`
	h.says["find_customers"] = `{"summary":"3 位。","summary_en":"There are 3.","count":3,"customers":[{"consumer_name":"王萍萍","orders":12,"spent":61000,"user_pin":"王萍萍1000"},{"consumer_name":"罗宁","orders":3,"spent":900,"user_pin":"罗宁2000"},{"consumer_name":"孙俪","orders":9,"spent":55000,"user_pin":"孙俪3000"}]}`
}

// A thing for a change may be described as the first of a kind by some figure, or by the sum that it is of.
func TestChangesOfWhatIsDescribed(t *testing.T) {
	h := newTeam(t)
	rowsOf(h)
	for request, want := range map[string]string{
		"approve the cheapest refund":                                      "decide_refund 5100000000002",
		"同意金额最大的退款":                                                        "decide_refund 5100000000004",
		"approve the refund of 193 yuan":                                   "decide_refund 5100000000001",
		"同意193元的退款":                                                        "decide_refund 5100000000001",
		"取消最贵的待发货订单":                                                       "cancel_order 281061466024",
		"cancel the cheapest unshipped order":                              "cancel_order 281061466025",
		"cancel the 2 most expensive unshipped orders":                     "cancel_order 281061466024; cancel_order 281063663568",
		"把最便宜的空气炸锅降价5%":                                                    "set_price 10000020559191 95",
		"raise the price of the most expensive air fryer by 10 yuan":       "set_price 10000020559192 210",
		"reduce the price of products with more than 50 in stock by 5%":    "set_price 10000020559191 95",
		"raise the price of products with less than 10 in stock by 10%":    "set_price 10000020559192 220",
		"把库存低于10件的商品的价格提高10%":                                              "set_price 10000020559192 220",
		"lower the price of all air fryers by 5%":                          "set_price 10000020559191 95; set_price 10000020559192 190",
		"raise the price of the dearest air fryer by 5%":                   "set_price 10000020559192 210",
		"restock all air fryers by 10":                                     "set_stock 10000020559191 81; set_stock 10000020559192 17",
		"拒绝金额最大的待处理退款，因为商品已使用":                                             "decide_refund 5100000000004",
		"把电饭煲和破壁机都涨价5元":                                                    "set_price 10000020559191 105; set_price 10000020559192 205",
		"给消费最多的客户发消息说谢谢惠顾":                                                 "send_message_to_buyer 王萍萍1000",
		"给消费超过5万的客户发消息说有活动":                                                "send_message_to_buyer 王萍萍1000; send_message_to_buyer 孙俪3000",
		"message all customers who spent more than 50000 saying thank you": "send_message_to_buyer 王萍萍1000; send_message_to_buyer 孙俪3000",
		"message the customer who spent the most saying thank you":         "send_message_to_buyer 王萍萍1000",
	} {
		if h.ask(t, request); h.made() != want || h.asked != nil {
			t.Errorf("%s: %s, want %s\n\t%s %v", request, h.made(), want, h.told(), h.asked)
		}
	}
}

// All that somebody has, or the first of it, is changed within that, and a reason stays with the change.
func TestChangesOfSomebodysThings(t *testing.T) {
	h := newTeam(t)
	rowsOf(h)
	h.says["list_refunds"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"refunds":[{"refund_id":"5100000000001","amount":193,"state":"待处理"},{"refund_id":"5100000000004","amount":900,"state":"待处理"}]}`
	h.says["late_shipments"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"orders":[{"order_id":"281063663568","consumer_name":"王萍萍"},{"order_id":"281061466024","consumer_name":"罗宁"}]}`
	both := "decide_refund 5100000000001; decide_refund 5100000000004"
	for request, want := range map[string][2]string{
		"approve all pending refunds of Zhang Yuhua": {both, `{"consumer_name":"Zhang Yuhua","state":"pending"}`}, "同意张玉华所有待处理的退款": {both, `{"consumer_name":"张玉华","state":"待处理"}`}, "把张玉华待处理的退款都同意了": {both, `{"consumer_name":"张玉华","state":"待处理"}`},
		"取消王萍萍最贵的订单": {"cancel_order 281061466024", `"consumer_name":"王萍萍"`}, "取消王萍萍所有超时的订单": {"cancel_order 281063663568", "late_shipments"},
		"refuse the largest pending refund because it was used": {"decide_refund 5100000000004", `"decision":"refuse","reason":"it was used"`}, "拒绝金额最大的待处理退款，因为商品已使用": {"decide_refund 5100000000004", `"decision":"拒绝","reason":"商品已使用"`},
		"驳回193元的退款，理由是商品已使用": {"decide_refund 5100000000001", `"decision":"拒绝","reason":"商品已使用"`}, "reject the refund of 193 yuan because the box is open": {"decide_refund 5100000000001", `"decision":"refuse","reason":"the box is open"`},
	} {
		if h.ask(t, request); h.made() != want[0] || !strings.Contains(h.told(), want[1]) || h.asked != nil {
			t.Errorf("%s: %s", request, h.told())
		}
	}
	for _, request := range []string{"refuse the largest pending refund", "拒绝金额最大的待处理退款"} {
		if h.ask(t, request); h.made() != "" || h.asked == nil || h.asked.Parameter != "reason" {
			t.Errorf("%s: %s", request, h.told())
		}
	}
	h.ask(t, "approve all pending refunds since Monday") // when, and not why
	if strings.Contains(h.told(), `"reason"`) {
		t.Error(h.told())
	}
}

// A change that was asked for and not made is never passed over in silence: the answer says so and what is missing for it, or that is asked.
func TestNoChangeInSilence(t *testing.T) {
	h := newTeam(t)
	rowsOf(h)
	for request, want := range map[string]string{
		"把最贵的空气炸锅涨价": "售价", "raise the price of the dearest air fryer": "price", "把最贵的空气炸锅下架": "没有改动任何东西",
		"ship all paid orders of Wang Pingping": "nothing was changed",
	} {
		answer := h.ask(t, request)
		if h.asked != nil {
			answer = h.asked.Question
		}
		if h.made() != "" || !strings.Contains(answer, want) {
			t.Errorf("%s: %s\n\t%s", request, answer, h.told())
		}
	}
	h.says["late_shipments"] = `{"summary":"1 个。","summary_en":"There is 1.","count":1,"orders":[{"order_id":"281063663568","consumer_name":"王萍萍"}]}`
	if answer := h.ask(t, "取消所有超时的订单"); h.made() == "" || strings.Contains(answer, "没有改动") {
		t.Error(answer)
	}
}

// What no call takes and no row tells is not passed over: nothing is changed, and it is asked which are meant. So it is where several things answer to
// what should be one.
func TestLimitsThatNothingTells(t *testing.T) {
	h := newTeam(t)
	rowsOf(h)
	for request, told := range map[string]string{
		"把评价不好的空气炸锅都降价5%": "评价不好", "把卖得不好的空气炸锅都降价5%": "卖得不好",
		"lower the price of all air fryers with bad reviews by 5%":           "bad reviews",
		"cancel all late orders of Wang Pingping":                            "late",
		"lower the price of all air fryers that were complained about by 5%": "complained",
	} {
		if h.ask(t, request); h.made() != "" || h.asked == nil || !strings.Contains(h.asked.Question, told) {
			t.Errorf("%s: %s\n\t%s", request, h.made(), h.told())
		}
	}
	h.says["list_refunds"] = strings.ReplaceAll(h.says["list_refunds"], "900", "193")
	for _, request := range []string{"approve the refund of 193 yuan", "同意金额最大的退款"} {
		if h.ask(t, request); h.asked == nil || len(h.asked.Options) != 2 {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// After a list: what the first one has is changed of the first one, a bare limit is one of that list, and days are held to hours.
func TestLimitsOfTheLastList(t *testing.T) {
	h := newTeam(t)
	rowsOf(h)
	h.says["late_shipments"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,"orders":[{"order_id":"281063663568","hours_late":89.5,"total":290},{"order_id":"281061466024","hours_late":50,"total":610},{"order_id":"281061466025","hours_late":3,"total":99}]}`
	stock := []Turn{{Request: "哪些商品库存低于30件", Answer: "2 个。\n\n| 商品名称 | 库存 | 商品编号 |\n| --- | --- | --- |\n| 禾煮空气炸锅 5L | 7 | 10000020559191 |\n| 轻磨破壁机 800ml 便携 | 2 | 10000020339785 |"}}
	late := []Turn{{Request: "发货超时的订单有哪些", Answer: "3 个。\n\n| 订单编号 | 超时小时数 | 实付金额 |\n| --- | --- | --- |\n| 281063663568 | 89.5 | 290 |\n| 281061466024 | 50 | 610 |\n| 281061466025 | 3 | 99 |"}}
	for _, c := range []struct {
		request string
		history []Turn
		want    string
	}{
		{"第一个的库存补到100件", stock, `set_stock{"sku_id":"10000020559191","stock":100}`}, {"第二个的库存", stock, `stock_level{"sku_id":"10000020339785"}`},
		{"超过2天的有几个", late, "2 个"}, {"500元以上的呢", late, "1 个"}, {"how many are more than 3 days late?", late, "3 listed, 1 with"},
	} {
		in := ask(c.request)
		in.History = c.history
		if answer := h.begin(t, in); !strings.Contains(h.told()+answer, c.want) {
			t.Errorf("%s: %s\n\t%s", c.request, answer, h.told())
		}
	}
	days := &fields.Field{Name: "total", Title: "实付金额", Type: "number"}
	if days.Per("天") != nil { // 超过5天 says nothing of what was paid
		t.Error("days limit a sum")
	}
}

// What is changed by how much is looked up where what found it does not show it, by what was found and nothing else.
func TestLookedUpByWhatWasFound(t *testing.T) {
	h := newTeam(t)
	rowsOf(h)
	h.says["stock_level"] = `{"summary":"1 个。","summary_en":"There is 1.","count":1,"stock":[{"sku_id":"10000020559192","sku_name":"灶小二空气炸锅 3L","stock":7,"days_left":3}]}`
	h.ask(t, "把可卖天数少于10天的空气炸锅都涨价5%")
	if got := h.made(); got != "set_price 10000020559192 210" || !strings.Contains(h.told(), `find_products{"sku_id":"10000020559192"}`) {
		t.Errorf("%s\n\t%s", got, h.told())
	}
}
