package plan

import (
	"strings"
	"testing"
)

// TestHowItIsDone: who asks how a change is made to something is told the words for it; nothing is looked up, and nothing is changed. Why something
// happened, and what the rules say, are other questions.
func TestHowItIsDone(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, wish := range map[string]string{
		"How do I cancel order 281063663568?": "cancel order 281063663568", "怎么取消订单 281063663568": "取消订单 281063663568", "订单 281063663568 怎么取消？": "订单 281063663568 取消",
		"how can I urge order 281063663568": "urge order 281063663568", "如何给订单 281063663568 发货？": "给订单 281063663568 发货", "how to change the price of 禾煮空气炸锅 5L 可视窗": "change the price of 禾煮空气炸锅 5L 可视窗",
		"我该怎么催一下订单 281063663568 的发货": "催一下订单 281063663568 的发货",
	} {
		out := h.index["master"].Think(ask(request))
		if len(out.Actions) > 0 || out.Ask != nil || !strings.Contains(out.Answer, wish) {
			t.Errorf("%s: %s", request, told(out))
		}
	}
	for _, request := range []string{"怎么取消订单", "订单 281063663568 怎么取消了", "订单 281063663568 怎么还没发货", "取消订单 281063663568", "please cancel order 281063663568", "How do I return goods?"} {
		if out := h.index["master"].Think(ask(request)); out.Answer != "" {
			t.Errorf("%s: %s", request, told(out))
		}
	}
}
