package plan

import (
	"strings"
	"testing"
)

// What is said of a later change is not said of the one before it, which is asked about where nothing names its thing; a look before it, and what the same words name, is.
func TestLaterChange(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for _, request := range []string{"取消订单，然后把禾煮电饭煲 4L的价格改成199", "改一下收货地址，再给王萍萍发消息说明天发货", "cancel the order, then set the price of 禾煮电饭煲 4L to 199"} {
		h.log, h.asked = nil, nil
		h.begin(t, ask(request))
		if told := h.told(); strings.Contains(told, "cancel_order{") || strings.Contains(told, "cancel_order {") || strings.Contains(told, "change_order{") || strings.HasPrefix(told, "list_orders{\"sku") || h.asked == nil && !strings.Contains(told, "ask:") {
			t.Errorf("%s: %s", request, told)
		}
	}
}
