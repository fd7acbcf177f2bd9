package facts

import "testing"

// What has not been sold or bought for a time is of the days up to today; what waits for a time tells of none.
func TestLapses(t *testing.T) {
	for text, want := range map[string]string{
		"哪些商品超过三个月没有卖出去": "超过三个月 2026-02-17", "半年没下单的客户": "半年 2025-11-17", "customers who have not ordered in 6 months": "in 6 months 2025-11-17",
		"no sales for more than two weeks": "for more than two weeks 2026-05-03", "三天没发货的订单": "", "30天内没有发货": "", "orders not shipped for 3 days": "",
	} {
		got := ""
		for _, f := range lapses(text, now) {
			got = f.Text + " " + f.Value.(Period).From.Format("2006-01-02")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
