package plan

import (
	"strings"
	"testing"
)

// A change under a condition that nothing looks at is not made, and the condition is named; told to somebody, it is their words.
func TestProviso(t *testing.T) {
	x := index(t, "shop.json")
	const order = "281065626058"
	for request, said := range map[string]string{
		"只有缺货才取消订单" + order:                                  "只有缺货才",
		"取消订单" + order + "，除非已经付款":                           "除非已经付款",
		"除非买家同意，不然取消订单" + order:                              "除非买家同意",
		"cancel order " + order + " unless it is paid":       "unless it is paid",
		"cancel order " + order + " only if it is damaged":   "only if it is damaged",
		"unless it is paid, cancel order " + order:           "unless it is paid",
		"cancel order " + order + " as long as nobody minds": "as long as nobody minds",
	} {
		out := x.Think(ask(request))
		if len(out.Actions) > 0 || !strings.Contains(out.Answer, said) {
			t.Errorf("%s: %+v %s", request, out.Actions, out.Answer)
		}
	}
}
