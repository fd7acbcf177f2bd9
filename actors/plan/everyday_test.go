package plan

import "testing"

// What looks like a question for goods and is none stays as it was said.
func TestNoQuestionForGoods(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"我们卖得好吗", "怎么赚钱", "如何才能赚钱", "哪些商品亏钱", "你们有客服吗", "我们有什么规则", "do you have questions", "do you have a refund policy", "do we have late orders",
		"is it profitable", "are we making money", "is the shop profitable", "which campaigns are profitable", "how much is a refund of order 281063663568", "赚钱吗", "我们亏钱吗"} {
		if got := inFullQuestion(said); got != "" {
			t.Errorf("%s: %s", said, got)
		}
	}
}

// The price of one is asked of goods, and of no figure.
func TestPriceOfOne(t *testing.T) {
	t.Parallel()
	for said, put := range map[string]string{"how much is a rice cooker": "what is the price of a rice cooker", "how much is an order on average this month": "how much is an order on average this month"} {
		if got := inFullWords(said); got != put {
			t.Errorf("%s: %s", said, got)
		}
	}
}
