package plan

import "testing"

// What a change is refused for is what shall be shown behind it, where that names no thing of its own.
func TestOnlyLook(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"don't cancel any order, just list those of 唐娟":                "list_orders/search_order_code{consumer_name=唐娟}",
		"别取消任何订单，只列出唐娟的":                                               "list_orders/search_order_code{consumer_name=唐娟}",
		"do not refund anything yet, show me the pending refunds":      "list_refunds{state=pending}",
		"please do not approve any refunds, only show the ones of 唐英强": "list_refunds{consumer_name=唐英强}",
		"先不要同意退款，看看唐英强的":                                               "list_refunds{consumer_name=唐英强}",
		"不要给任何订单发货，先看看上海的":                                             "list_orders{city=上海}",
		"别给客户发消息，列出上海的":                                                "find_customers{city=上海}",
		"不要修改价格，看看空气炸锅的":                                               "find_products{category=空气炸锅}",
		"Don't ship the orders, I only want to see the unpaid ones":    "list_orders{state=unpaid}",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s; %s", request, miss, h.told())
		}
	}
}
