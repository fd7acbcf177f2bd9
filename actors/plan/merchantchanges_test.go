package plan

import (
	"strings"
	"testing"
)

// Changes as merchants say them, and what they come to.
func TestMerchantsChanges(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		// what nobody here knows the name of
		"把毛绒小熊降价到 260": "find_products{}, set_price{price=260; sku_name=毛绒小熊}", "毛绒小熊涨价到600": "find_products{}, set_price{price=600; sku_name=毛绒小熊}", "把小米手环降10%": "find_products{}, set_price{sku_name=小米手环}",
		"毛绒小熊降5%，拼图地垫涨3元":       "find_products{}, find_products{}, set_price{price=312.55; sku_name=毛绒小熊}, set_price{price=332; sku_name=拼图地垫}",
		"毛绒小熊降到260元，拼图地垫涨到470元": "find_products{}, find_products{}, set_price{price=260; sku_name=毛绒小熊}, set_price{price=470; sku_name=拼图地垫}",
		// goods of another kind, which stay as they are
		"耳机涨10%，手机别动": "find_products{}, set_price{price=361.9; sku_name=耳机}", "把手机降价20元，耳机不变": "find_products{}, set_price{price=309; sku_name=手机}",
		"raise the earphones by 10%, not the phones": "find_products{}, set_price{price=361.9}", "lower the price of air fryers by 5 yuan, leave the fans alone": "find_products{}, set_price{price=324}",
		"raise phones by 20 yuan": "find_products{}, set_price{price=349}",
		// the whole shop is no product
		"全场打8折": "ask:set_price.sku_id", "全店商品降价10%": "ask:set_price.sku_id", "20% off everything": "ask:set_price.sku_id", "all prices down 10%": "ask:set_price.sku_id",
		// parcels and messages
		"订单281063663568 发顺丰 SF1234567890": "order_detail{}, ship_order{carrier=顺丰; waybill=SF1234567890}",
		"给待付款的买家发消息提醒付款":                  "list_orders{state=待付款}, send_message_to_buyer{text=提醒您付款}", "提醒没付款的客户付款": "list_orders{state=没付款}, send_message_to_buyer{text=提醒您付款}",
		"remind buyers of unpaid orders to pay": "list_orders{state=unpaid}, send_message_to_buyer{text=please pay}",
		"给超时订单的买家写一条道歉消息":                       "late_shipments{}, ask:send_message_to_buyer.text", "给发货超时的订单的买家发消息：非常抱歉": "late_shipments{}, order_detail{}, send_message_to_buyer{text=非常抱歉}",
		"给买家发消息说今天发货": "ask:send_message_to_buyer.order_id",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s; %s", request, miss, h.told())
		}
	}
	h.says["list_shipments"] = `{"count":2,"shipments":[{"order_id":"281063663568","consumer_name":"王萍萍","state":"在途","waybill":"SL700005150426"}]}`
	for _, request := range []string{"chase the parcels that have not arrived", "please chase the undelivered orders", "催一下还没送到的快递"} {
		if answer := h.ask(t, request); !strings.HasPrefix(h.told(), `list_shipments{"state":"在途"}`) || !strings.Contains(answer, "chase them") && !strings.Contains(answer, "催这些订单") {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
}

// A number that is no id is said to be none, whatever it is called, and before anything is looked up by something else.
func TestNumbersThatAreNoIDs(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"发货 281063663568，顺丰，运单号SF22": "「SF22」不是一个运单号", "ship order 281063663568 with SF Express, waybill SF22": "“SF22” is no waybill", "取消订单281063663568和订单12345": "「12345」不是一个订单编号",
		"取消28106366356": "订单编号 12 位", "查一下28106366356": "没有查", "cancel 28106366356": "order id 12 digits", "order 28106366356 status": "is no order id",
	} {
		if answer := h.ask(t, request); len(h.log) > 0 || !strings.Contains(answer, want) {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
	if h.ask(t, "查一下13800138000"); h.wrong(readWishes("search_order_code{consumer_mobile_phone=13800138000}")) != "" {
		t.Errorf("a phone: %s", h.told())
	}
}
