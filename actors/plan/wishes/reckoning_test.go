package wishes

import (
	"strings"
	"testing"
)

func TestReadReckoning(t *testing.T) {
	for text, want := range map[string]Reckoning{
		"销量最高的三个商品": {Fold: FoldMost, N: 3, By: "商品"},
		"库存最少的5个商品": {Fold: FoldLeast, N: 5}, "top 3 products": {Fold: FoldMost, N: 3, By: "products"}, "前十名客户": {Fold: FoldMost, N: 10, By: "客户"}, "the two cheapest": {Fold: FoldLeast, N: 2},
		"平均客单价": {Fold: FoldMean}, "how many of each city": {Fold: FoldCount, By: "city"}, "按城市统计订单": {By: "城市"}, "空气炸锅的库存各是多少": {Fold: FoldCount}, "耳机还各剩多少": {Fold: FoldCount}, "每个客户花了多少钱": {By: "客户"},
		"which buyer has the most refunds": {Fold: FoldMost, By: "buyer"}, "which is the biggest": {Fold: FoldMost}, "谁花钱最多": {Fold: FoldMost, By: "客户"}, "按邮件通知": {}, "哪个品牌最赚钱": {Fold: FoldMost, By: "品牌"}, "十月哪个品类卖得最差": {Fold: FoldLeast, By: "品类"}, "who spends the most money": {Fold: FoldMost, By: "customer"}, "refunds by state": {By: "state"},
	} {
		got := ReadReckoning(text)
		if got.Fold != want.Fold || got.N != want.N || got.By != want.By {
			t.Errorf("%s: %+v, wanted %+v", text, got, want)
		}
	}
}

// What is asked of those that come first is not what they come first in.
func TestFirstInOneAskedOfAnother(t *testing.T) {
	for text, want := range map[string]string{
		"订单最多的3个客户是谁，他们各花了多少": "订单", "下单次数最多的3个客户，各花了多少钱": "次数", "who are the top 3 customers by orders, and how much did each of them spend": "orders",
	} {
		r := ReadReckoning(text)
		if !r.Superlative() || r.N != 3 || !strings.Contains(r.Text, want) || strings.Contains(r.Text, "花") || strings.Contains(r.Text, "spend") {
			t.Errorf("%s: %+v", text, r)
		}
	}
	if r := ReadReckoning("上个月，花得最多的客户是谁"); !strings.Contains(r.Text, "花") {
		t.Errorf("%+v", r)
	}
}
