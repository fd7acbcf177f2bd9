package plan

import (
	"strings"
	"testing"
)

// What a part of the sentence takes out of a change by its name is not changed, and where nobody knows whether it is among the rest, nothing is.
func TestWithheld(t *testing.T) {
	h := newTeam(t)
	h.says["find_products"] = `{"summary":"2 种。","summary_en":"There are 2.","count":2,"products":[{"sku_id":"10000020519299","sku_name":"听序耳机 头戴式","price":527,"stock":13},{"sku_id":"10000020529272","sku_name":"听序耳机 运动颈挂","price":129,"stock":28}]}`
	for request, named := range map[string]string{
		"所有禾煮的产品涨价5元，除了电饭煲": "电饭煲", "白朗姆不要涨价，赤霞珠涨5块": "白朗姆不要涨价", "赤霞珠涨5块，白朗姆不涨": "白朗姆不涨",
		"don't raise 白朗姆, raise 赤霞珠 by 5": "don't raise 白朗姆", "空气炸锅都打九折，禾煮的别动": "禾煮", "耳机补货到30件，头戴式的不补": "头戴式的不补",
	} {
		answer := h.ask(t, request)
		if h.asked != nil { // which ones are meant
			answer += h.asked.Question
		}
		if !strings.Contains(answer, named) || strings.Contains(h.told(), "set_price{") || strings.Contains(h.told(), "set_stock{") {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
	for request, want := range map[string]string{
		"把订单281063663568的收货人改成李雷，电话不变": "change_order{", "取消订单281063663568，不用通知买家": "cancel_order{", "取消订单281063663568，客户不想要了": "cancel_order{",
		"cancel order 281063663568, the buyer does not want it": "cancel_order{",
	} {
		if h.ask(t, request); !strings.Contains(h.told(), want) {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}
