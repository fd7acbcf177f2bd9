package plan

import (
	"strings"
	"testing"
	"time"
)

// A change to all things until some day finds those of that day's time, and not those of the day.
func TestChangeUntil(t *testing.T) {
	h := newTeam(t)
	h.says["list_orders"] = `{"summary":"2 个。","summary_en":"There are 2.","count":2,"orders":[{"order_id":"281063663568"},{"order_id":"281061466024"}]}`
	now := time.Date(2026, 5, 16, 9, 0, 0, 0, time.UTC)
	for request, want := range map[string]string{
		"取消所有昨天之前的待付款订单":                             `list_orders{"state":"待付款","to":"` + now.AddDate(0, 0, -2).Format("2006-01-02") + `"}`,
		"cancel all unpaid orders before yesterday":  `list_orders{"state":"unpaid","to":"` + now.AddDate(0, 0, -2).Format("2006-01-02") + `"}`,
		"cancel all unpaid orders older than 3 days": `list_orders{"state":"unpaid","to":"` + now.AddDate(0, 0, -4).Format("2006-01-02") + `"}`,
	} {
		h.ask(t, request)
		if got := h.told(); !strings.HasPrefix(got, want+" cancel_order{") {
			t.Errorf("%s: %s\nwant %s", request, got, want)
		}
	}
}
