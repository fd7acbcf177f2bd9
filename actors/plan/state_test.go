package plan

import (
	"fmt"
	"strings"
	"testing"
)

// order is an observation of one order in a state.
func order(id, state string) string {
	return fmt.Sprintf(`{"summary":"订单 %[1]s。","order_id":"%[1]s","state":"%[2]s","consumer_name":"王萍萍","items":[{"sku_name":"a","sku_id":"10000020260001"}]}`, id, state)
}

// Nobody is asked to agree to a change that what was looked up forbids, and it is said why.
func TestForbiddenByState(t *testing.T) {
	h := newTeam(t)
	const id = "281063663568"
	for _, c := range []struct{ request, state, said string }{
		{"取消订单 " + id, "已完成", "订单状态是已完成的 " + id},
		{"取消订单 " + id, "已取消", "待付款或待发货"},
		{"cancel order " + id, "已发货", id},
		{"Please cancel " + id, "已取消", "can only be done"},
		{"取消订单 " + id + "，然后告诉买家订单已取消", "已完成", id},
	} {
		h.says["order_detail"] = order(id, c.state)
		answer := h.ask(t, c.request)
		for _, l := range h.log {
			if !l.read {
				t.Errorf("%s, %s: %s", c.request, c.state, h.told())
			}
		}
		holdsAll(t, answer, c.said, id)
	}
	h.says["order_detail"] = order(id, "待发货")
	if h.ask(t, "取消订单 "+id); len(h.log) != 2 || h.log[1].name != "cancel_order" {
		t.Errorf("%s", h.told())
	}
}

// Of many things found the change is made to all that it can be made to; what is left out is said.
func TestAllOfThemThatCanBe(t *testing.T) {
	h := newTeam(t)
	found := func(count, listed int) string {
		var rows []string
		for i := range listed {
			state := "待发货"
			if i%3 == 0 {
				state = "已完成"
			}
			rows = append(rows, fmt.Sprintf(`{"order_id":"2810636630%02d","state":"%s","consumer_name":"王萍萍"}`, i, state))
		}
		return fmt.Sprintf(`{"count":%d,"orders":[%s]}`, count, strings.Join(rows, ","))
	}
	for _, request := range []string{"取消王萍萍的所有订单", "cancel all orders of Wang Pingping", "把王萍萍的订单全部取消"} {
		h.says["search_order_code"], h.says["list_orders"] = found(11, 11), found(11, 11)
		answer := h.ask(t, request)
		if n := strings.Count(h.told(), "cancel_order{"); n != 7 {
			t.Errorf("%s: %d cancelled: %s", request, n, h.told())
		}
		holdsAll(t, answer, "281063663000", "281063663009", "已完成")
		if strings.Contains(answer, "11") && strings.Contains(answer, "还有") {
			t.Errorf("%s: %s", request, answer)
		}
		h.says["search_order_code"], h.says["list_orders"] = found(44, 20), found(44, 20)
		holdsAll(t, h.ask(t, request), "44", "20", "24")
	}
}
