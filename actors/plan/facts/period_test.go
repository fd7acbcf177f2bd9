package facts

import (
	"strings"
	"testing"
	"time"
)

func TestPeriodsBefore(t *testing.T) {
	on := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 0, 0, 0, 0, time.UTC) }
	for in, want := range map[Period]Period{
		{From: on(3, 1), To: on(3, 31)}:  {From: on(2, 1), To: on(2, 28)},
		{From: on(5, 10), To: on(5, 16)}: {From: on(5, 3), To: on(5, 9)},
		{From: on(5, 16), To: on(5, 16)}: {From: on(5, 15), To: on(5, 15)},
	} {
		if got := in.Previous(); got != want {
			t.Errorf("%v: %v", in, got)
		}
	}
	if got := (Period{From: on(3, 1), To: on(3, 31)}).Ago(1); got.To != on(2, 28) {
		t.Errorf("a month before March ends on %v", got.To)
	}
}

// What a part of the text looks ahead to is the next one; a word that looks ahead elsewhere, or names something else, says nothing of a date.
func TestLooksAhead(t *testing.T) {
	for text, want := range map[string]string{
		"预测8月的销量":                                                "2026-08-01",
		"8月的销量预测":                                                "2026-08-01",
		"预测一下空气炸锅的销量，8月":                                         "2026-08-01",
		"forecast the sales of August":                           "2026-08-01",
		"in August we will launch it":                            "2026-08-01",
		"计划部8月的订单":                                               "2025-08-01",
		"8月的订单按计划发了吗":                                            "2025-08-01",
		"8月卖了多少，预测一下下周的销量":                                       "2025-08-01 2026-05-18",
		"show the orders of August, as planned":                  "2025-08-01",
		"orders of August for the planning department":           "2025-08-01",
		"did we sell more in August than expected":               "2025-08-01",
		"remind the customers who ordered in August":             "2025-08-01",
		"提醒8月下单的买家":                                              "2025-08-01",
		"what did we sell in August and what will it be in June": "2025-08-01 2026-06-01",
		"remind me on Monday":                                    "2026-05-18",
		"orders on Monday went as planned":                       "2026-05-11",
	} {
		got := ""
		for _, f := range Read(text, now, nil) {
			if p, ok := f.Value.(Period); ok {
				got += " " + p.From.Format(time.DateOnly)
			}
		}
		if got = strings.TrimSpace(got); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// 下 of 一下 is of no week.
func TestABitIsNoWeek(t *testing.T) {
	for text, want := range map[string]string{"看一下下周的订单": "2026-05-18", "预测一下下个月的销量": "2026-06-01", "下下周的销量": "2026-05-25", "预测一下下下个月的销量": "2026-07-01", "查一下上周的订单": "2026-05-04", "看一下下周一的": "2026-05-18"} {
		got := ""
		for _, f := range Read(text, now, nil) {
			if p, ok := f.Value.(Period); ok {
				got += p.From.Format(time.DateOnly)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
