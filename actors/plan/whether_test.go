package plan

import (
	"strings"
	"testing"
)

// Whether somebody did something is no question for those who did not, and of what kind a message is names no goods.
func TestWhetherAndOfWhatKind(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"有没有客户下单超过三次的": "find_customers{", "有没有客户没下单": `find_customers{"kind":"没下单"`, "给所有待付款的客户发一条催付消息": `list_orders{"state":"待付款"`,
	} {
		h.ask(t, request)
		if told := h.told(); !strings.Contains(told, want) || want == "find_customers{" && strings.Contains(told, "没下单") || strings.Contains(told, "催付") {
			t.Errorf("%s: %s", request, told)
		}
	}
}
