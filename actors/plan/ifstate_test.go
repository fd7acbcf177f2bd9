package plan

import (
	"strings"
	"testing"
)

// A change to one thing under the condition of its own state is made where the look at the thing shows that state, and nowhere else.
func TestChangeIfOfAState(t *testing.T) {
	h := newTeam(t)
	for state, made := range map[string]map[string]bool{
		"待付款": {"如果还没付款就取消订单281063663568": true, "如果订单281063663568还没付款就取消": true, "cancel order 281063663568 if it is not paid yet": true, "cancel order 281063663568 only if it is unpaid": true, "如果已付款就把订单281063663568的备注改成加急": false},
		"待发货": {"如果还没付款就取消订单281063663568": false, "cancel order 281063663568 if it is not paid yet": false, "如果已付款就把订单281063663568的备注改成加急": true},
	} {
		h.says["order_detail"] = `{"order_id":"281063663568","state":"` + state + `","consumer_name":"王萍萍"}`
		for request, want := range made {
			answer := h.ask(t, request)
			if got := strings.Contains(h.told(), "cancel_order{") || strings.Contains(h.told(), "change_order{"); got != want || !want && !strings.Contains(answer, "不成立") && !strings.Contains(answer, "does not hold") {
				t.Errorf("%s, %s: %s: %s", state, request, h.told(), answer)
			}
		}
	}
	h.says["order_detail"] = `{"order_id":"281063663568","consumer_name":"王萍萍"}` // nothing tells the state
	for _, request := range []string{"如果还没付款就取消订单281063663568", "除非已经付款，取消订单281063663568", "cancel order 281063663568 unless it is paid", "如果订单281063663568还没付款而且超过300元就取消", "如果订单281063663568已经付款就取消，否则催一下"} {
		if answer := h.ask(t, request); strings.Contains(h.told(), "cancel_order{") || !strings.Contains(answer, "没有执行") && !strings.Contains(answer, "Not done") {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
}

// What a change is made to may not be told here, and what it becomes not said: both are asked or said before anything is looked up.
func TestChangeThatSaysTooLittle(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{
		"取消京东的订单": "没有记是从哪个平台来的", "取消淘宝的待发货订单": "没有记是从哪个平台来的", "cancel the orders from Taobao": "on which platform",
		"把订单281063663568的地址改成别人的地址": "ask:change_order.address", "change the address of order 281063663568 to another address": "ask:change_order.address", "把订单281063663568的收货人改成别人": "ask:change_order.receiver",
		"cancel the newest two orders and refund the third": "ask:.the third", "取消最新的两个订单，第三个退款": "ask:.第三个",
	} {
		answer := h.ask(t, request)
		if told := h.told(); !strings.Contains(answer+told, want) || strings.Contains(told, "list_orders{") || strings.Contains(told, "change_order{") {
			t.Errorf("%s: %s: %s", request, told, answer)
		}
	}
	if h.ask(t, "把订单281063663568的地址改成新华路1号"); !strings.Contains(h.told(), `"address":"新华路1号"`) {
		t.Errorf("an address: %s", h.told())
	}
	h.says["find_products"] = `{"count":3,"products":[{"sku_id":"10000020519299","sku_name":"听序耳机","price":527,"stock":2},{"sku_id":"10000020529272","sku_name":"星澜耳机","price":129,"stock":2},{"sku_id":"10000020529273","sku_name":"破壁机","price":99,"stock":2},{"sku_id":"10000020529274","sku_name":"手机","price":99,"stock":9}]}`
	if h.ask(t, "把库存最少的两个商品补到30件"); h.asked == nil || !strings.Contains(h.asked.Question, "前 3 个里最后几个是一样的") || len(h.asked.Options) != 3 {
		t.Errorf("three are equal: %s %+v", h.told(), h.asked)
	}
}
