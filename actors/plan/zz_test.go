package plan
import ("testing";"fmt")
func TestZZ(t *testing.T) {
	h := newTeam(t)
	h.says["late_shipments"] = `{"summary":"超时 3 个。","summary_en":"3 are late.","count":3,"orders":[{"order_id":"281063663568","consumer_name":"王萍萍","amount":100},{"order_id":"281061466024","consumer_name":"唐英强","amount":50},{"order_id":"281061466025","consumer_name":"何涛军","amount":500}]}`
	h.says["list_refunds"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"refunds":[{"refund_id":"5100000085674","order_id":"281063663568","consumer_name":"王萍萍"},{"refund_id":"5100000085936","order_id":"281061466024","consumer_name":"唐英强"}]}`
	h.says["list_orders"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,"orders":[{"order_id":"281063663568","consumer_name":"王萍萍"},{"order_id":"281061466024","consumer_name":"唐英强"},{"order_id":"281061466025","consumer_name":"何涛军"}]}`
	h.says["find_products"] = `{"summary":"4 种。","summary_en":"There are 4.","count":4,"products":[{"sku_id":"10000020260001","sku_name":"绒绒毛绒熊","brand":"绒绒","price":300,"stock":70},{"sku_id":"10000020269974","sku_name":"绒绒积木","brand":"绒绒","price":200,"stock":10},{"sku_id":"10000020269975","sku_name":"咚咚玩具 遥控越野车","brand":"咚咚","price":200,"stock":10}]}`
	for _, q := range []string{
		"取消所有超时的订单，但是唐英强的不要取消", "取消所有超时的订单，不要动唐英强的", "取消所有超时的订单，唐英强的除外","取消除了唐英强以外所有超时的订单", "所有玩具降价5元，绒绒的不要降", "同意所有待处理的退款，唐英强的不要同意",
		"raise all toy prices by 5 yuan but not 绒绒", "cancel all late orders but keep the one of Tang Yingqiang", "把超时的订单都取消，唐英强的留着","cancel all late orders except the one of Tang Yingqiang", "cancel all late orders, but not Tang Yingqiang's",
		"取消所有超时的订单，唐英强那单别取消","除唐英强的以外，超时的都取消", "取消待付款订单，但保留唐英强的", "all late orders should be cancelled, leave Tang Yingqiang's alone", "cancel every late order; don't cancel Tang Yingqiang's", "cancel all late orders apart from those of Tang Yingqiang",
		"把超时的订单都取消，金额超过300元的不要取消","取消所有超时的订单，上海的不要取消","把待付款的订单全部取消，昨天的不要动",
		"cancel the order awaiting payment and the newest awaiting shipment", "cancel the newest and the oldest order awaiting shipment","把待付款的订单和最新的待发货订单取消","cancel the unpaid order and the late ones","取消最新和最早的待发货订单",
	} {
		a := h.ask(t, q)
		fmt.Println("==", q, "\n  ", h.told()); if h.asked != nil { fmt.Println("   ASK:", h.asked.Question, h.asked.Options) }; fmt.Println("   ->", a)
	}
}
