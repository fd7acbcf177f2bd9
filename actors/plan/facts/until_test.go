package facts

import (
	"testing"
	"time"
)

// TestUntil: which end of a stretch is said, and whether its day is of it.
func TestUntil(t *testing.T) {
	now := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"昨天之前的待发货订单":                           "..2026-11-24",
		"11月20日以前下的订单":                         "..2026-11-19",
		"11月20日前的订单":                           "..2026-11-19",
		"上周之前的待付款订单":                           "..2026-11-15",
		"十月之前的订单":                              "..2026-09-30",
		"2026年前的订单":                            "..2025-12-31",
		"早于11月1日的订单":                           "..2026-10-31",
		"截至昨天的订单":                              "..2026-11-25",
		"到昨天为止的订单":                             "..2026-11-25",
		"三天以前的待发货订单":                           "..2026-11-22",
		"超过30天前的退款":                            "..2026-10-26",
		"三天前的订单":                               "2026-11-23..2026-11-23",
		"两周前的订单":                               "2026-11-09..2026-11-15",
		"两个月前的退款":                              "2026-09-01..2026-09-30",
		"晚于11月20日的订单":                          "2026-11-21..",
		"11月20日之后的订单":                          "2026-11-20..",
		"11月1日之后、11月10日之前":                     "2026-11-01..2026-11-09",
		"双十一之前一周的销售额":                          "2026-11-04..2026-11-10",
		"11月11日前3天的订单":                         "2026-11-08..2026-11-10",
		"11月上半月卖了多少":                           "2026-11-01..2026-11-15",
		"上个月下旬的订单":                             "2026-10-21..2026-10-31",
		"本月中旬":                                 "2026-11-11..2026-11-20",
		"sales in the week before November 11": "2026-11-04..2026-11-10",
		"the 3 days before November 11":        "2026-11-08..2026-11-10",
		"sold in the first half of November":   "2026-11-01..2026-11-15",
		"the second half of October 2025":      "2025-10-16..2025-10-31",
		"不早于11月10日的订单":                         "2026-11-10..",
		"不晚于11月10日的订单":                         "..2026-11-10",
		"不超过30天前的订单":                           "2026-10-27..",
		"11月20日前往上海的包裹":                        "2026-11-20..2026-11-20",
		"11月10日之前和11月12日之后的订单":                 "",
		"orders no earlier than November 10":   "2026-11-10..",
		"orders not older than 3 days":         "2026-11-23..",
		"orders no more than 3 days old":       "2026-11-23..",
		"orders not before yesterday":          "2026-11-25..",
		"orders not after yesterday":           "..2026-11-25",
		"orders on or before November 10":      "..2026-11-10",
		"orders before December 1":             "..2026-11-30",
		"前三天的订单":                               "2026-11-24..2026-11-26",
		"前天的订单":                                "2026-11-24..2026-11-24",
		"11月1日到11月20日的订单":                      "2026-11-01..2026-11-20",

		"orders before yesterday":                            "..2026-11-24",
		"Before November 20, how many?":                      "..2026-11-19",
		"orders up to November 20":                           "..2026-11-20",
		"orders until yesterday":                             "..2026-11-25",
		"pending orders from before last week":               "..2026-11-15",
		"orders older than 3 days":                           "..2026-11-22",
		"orders more than two weeks ago":                     "..2026-11-11",
		"orders from 3 days ago":                             "2026-11-23..2026-11-23",
		"orders since 3 days ago":                            "2026-11-23..",
		"orders placed after November 20":                    "2026-11-21..",
		"orders after November 1 and before November 10":     "2026-11-02..2026-11-09",
		"orders since November 1":                            "2026-11-01..",
		"from November 1 until November 20":                  "2026-11-01..2026-11-20",
		"the day before yesterday":                           "2026-11-24..2026-11-24",
		"remind me to ship it before tomorrow":               "2026-11-27..2026-11-27",
		"a phone that is 3 days old, and a table for 3 days": "",
	} {
		var got string
		for _, f := range dates(text, now) {
			p, ok := f.Value.(Period)
			if !ok {
				continue
			}
			if !p.Until {
				got += p.From.Format(time.DateOnly)
			}
			if got += ".."; !p.Open {
				got += p.To.Format(time.DateOnly)
			}
			if text[f.Start:f.End] != f.Text {
				t.Errorf("%s: %q stands elsewhere", text, f.Text)
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
