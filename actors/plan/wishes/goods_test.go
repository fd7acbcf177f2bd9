package wishes

import (
	"testing"
)

func TestAsksGoods(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"咱们店都卖哪些洋酒": true, "我们卖什么": true, "店里在卖哪些洋酒？": true, "which wines do we sell": true, "what kinds of toys does our shop stock?": true,
		"上个月卖了哪些洋酒": false, "卖什么最赚钱": false, "哪些洋酒卖得好": false, "今天卖什么好": false, "能卖什么": false, "what do we sell most": false, "which products did we sell": false,
	} {
		if got := AsksGoods(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
