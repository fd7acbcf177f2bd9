package wishes

import "testing"

func TestWhatAWishIs(t *testing.T) {
	for text, want := range map[string]string{
		"这个月退款率": "", "退款单有多少": "", "Refund rate of this month": "", "发货时间": "", "怎么给客户开发票": "", "有没有取消的订单": "", "库存为0但是在促销的商品": "", "把结果存为报表": "save",
		"修改状态为已发货": "change", "同意退款": "approve", "取消订单": "cancel", "change status to shipped": "change",
	} {
		c := Clause{End: len(text)}
		c.Classify(text)
		if got := FirstVerb(c.Change); got != want {
			t.Errorf("%s: wishes %q, wanted %q", text, got, want)
		}
	}
}
