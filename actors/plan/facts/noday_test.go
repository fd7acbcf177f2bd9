package facts

import (
	"testing"
	"time"
)

func TestNoSuchDay(t *testing.T) {
	now := time.Date(2026, 5, 16, 8, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"2月30日的订单": "2月30日", "orders on February 30": "February 30", "31 April": "31 April", "2026-04-31": "2026-04-31", "十一月三十一号": "十一月三十一号", "2月29日": "2月29日", "13月1日": "13月1日",
		"2024年2月29日": "", "in May 40 orders": "", "may 5": "", "5月31日": "", "「2月30日」": "", "12月31日": "", "2026/12/31": "", "order 281063663568": "",
	} {
		if got := NoSuchDay(text, now); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
