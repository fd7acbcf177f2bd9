package tools

import "testing"

func TestLanguage(t *testing.T) {
	for want, texts := range map[string][]string{
		"en": {"", "list the orders of 王萍萍", "show 王萍萍's orders", "orders of 李看", "revenue by 类目", "top 2 城市 by 销售额", "the orders", "find the refunds of 上海的小店 in May, please"},
		"zh": {"王萍萍", "王萍萍的订单", "查一下王萍萍的 unpaid 订单", "导出 iPhone 15 Pro Max USB 的价格", "把 sales by region 做成PPT", "空气炸锅 ROI", "运行这段代码：`for x in list: print(x)`"},
	} {
		for _, text := range texts {
			if got := Language(text); got != want {
				t.Errorf("%q is %s, want %s", text, got, want)
			}
		}
	}
}
