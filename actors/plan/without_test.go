package plan

import (
	"strings"
	"testing"
)

// TestChangeToAllBut: what a change shall not be made to is left out by what its rows tell, however it is said; where they do not tell, nothing is changed.
func TestChangeToAllBut(t *testing.T) {
	h := newTeam(t)
	orders := `"orders":[{"order_id":"281063663568","consumer_name":"王萍萍","city":"北京市"},{"order_id":"281061466024","consumer_name":"唐英强","city":"上海市"},{"order_id":"281061466025","consumer_name":"何涛军","city":"北京市"}]`
	h.says["late_shipments"] = `{"summary":"超时 3 个。","summary_en":"3 are late.","count":3,` + orders + `}`
	h.says["list_orders"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,` + orders + `}`
	h.says["list_refunds"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"refunds":[{"refund_id":"5100000085674","order_id":"281063663568","consumer_name":"王萍萍"},{"refund_id":"5100000085936","order_id":"281061466024","consumer_name":"唐英强"}]}`
	h.says["find_products"] = `{"summary":"3 种。","summary_en":"There are 3.","count":3,"products":[{"sku_id":"10000020260001","sku_name":"绒绒 毛绒熊","brand":"绒绒","price":300},{"sku_id":"10000020269974","sku_name":"绒绒 积木","brand":"绒绒","price":200},{"sku_id":"10000020269975","sku_name":"咚咚 遥控越野车","brand":"咚咚","price":200}]}`
	const notHis = "cancel_order:281063663568 cancel_order:281061466025"
	for request, want := range map[string]string{
		"取消所有超时的订单，但是唐英强的不要取消": notHis, "取消所有超时的订单，不要动唐英强的": notHis, "取消所有超时的订单，唐英强的除外": notHis, "取消除了唐英强以外所有超时的订单": notHis, "除唐英强的以外，超时的都取消": notHis,
		"把超时的订单都取消，唐英强的留着": notHis, "取消所有超时的订单，唐英强那单别取消": notHis, "取消待付款订单，但保留唐英强的": notHis, "取消所有超时的订单，上海的不要取消": notHis,
		"cancel all late orders except those of 唐英强": notHis, "cancel all late orders, but keep the one of 唐英强": notHis, "cancel every late order; don't cancel 唐英强's": notHis, "cancel all late orders but not 唐英强's": notHis,
		"取消所有超时的订单，但唐英强的不要": notHis, "取消所有超时的订单，唐英强的不用": notHis, "取消所有超时的订单，唐英强的算了": notHis,
		"同意所有待处理的退款，唐英强的不要同意": "decide_refund:5100000085674", "同意所有待处理的退款，但唐英强的不要": "decide_refund:5100000085674", "所有玩具降价5元，绒绒的不要降": "set_price:10000020269975", "raise all toy prices by 5 yuan but not 绒绒": "set_price:10000020269975",
		"取消所有超时的订单，上海的别取消哈": notHis, "取消所有超时的订单，上海的放着": notHis, "取消所有超时的订单，上海的跳过": notHis, "取消所有超时的订单，只留上海的": notHis,
		"cancel all late orders with the exception of those from Shanghai": notHis, "cancel all late orders not from Shanghai": notHis, "cancel all late orders outside Shanghai": notHis,
		// what was not read so is asked about
		"取消所有不是上海的超时订单": "", "cancel all late orders, Shanghai stays": "", "取消所有超时的订单，除了上海的，然后给买家发消息说抱歉": "", "取消所有超时的订单，除了上海的，再补货耳机50件": "",
		// what a thing has is no thing, and 国外 and 删除 except nothing
		"所有玩具降价5元，库存不变": "set_price:10000020260001 set_price:10000020269974 set_price:10000020269975",
		// of what no row tells, nothing is changed
		"cancel all late orders but keep the one of Tang Yingqiang": "", "把超时的订单都取消，金额超过300元的不要取消": "", "取消所有超时的订单，投诉过的不要取消": "",
		// two picks in one are no look-up
		"cancel the order awaiting payment and the newest awaiting shipment": "", "cancel the newest and the oldest order awaiting shipment": "", "把待付款的订单和最新的待发货订单取消": "", "取消最新和最早的待发货订单": "",
	} {
		answer := h.ask(t, request)
		var got []string
		for _, l := range h.log {
			for _, p := range []string{"order_id", "refund_id", "sku_id"} {
				if id, ok := l.args[p].(string); ok && l.name != "order_detail" {
					got = append(got, l.name+":"+id)
				}
			}
		}
		if strings.Join(got, " ") != want || want == "" && h.asked == nil && !strings.Contains(answer, "没有") && !strings.Contains(answer, "Not ") {
			t.Errorf("%s: %s\n\twant %s\n\t%s\n\t%s", request, strings.Join(got, " "), want, h.told(), answer)
		}
	}
}
