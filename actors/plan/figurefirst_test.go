package plan

import (
	"strings"
	"testing"
)

// One figure that is asked for by its name is told first, and nothing is put before what already begins with it. Today is 2026-05-16.
func TestFigureFirst(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	h.says["sales_statistics"] = `{"summary":"销售额为 160,000 元，共 400 个订单。客单价 400 元，退款率 4.9%。","summary_en":"Sales were CNY 160,000: 400 orders. The refund rate was 4.9%.","orders":400,"quantity":500,"amount":160000,"average_order":400,"refund_rate_percent":4.9,"profit":60000,"margin_percent":37.5,"groups":[{"group":"手机","orders":3,"amount":900,"refund_rate_percent":9}]}`
	for request, want := range map[string]string{
		"退款率是多少": "退款率 4.9%。", "上个月毛利率多少": "毛利率 37.5%。", "客单价是多少": "客单价 400。", "what was the refund rate last month": "Refund rate: 4.9%.", "what is our profit this month?": "Margin: 60,000.",
		"上个月销售额是多少": "销售额为", "what were sales last month": "Sales were", "哪个商品退款率最高": "销售额为",
	} {
		if said := h.ask(t, request); !strings.HasPrefix(said, want) {
			t.Errorf("%s: %s: %s", request, h.told(), said)
		}
	}
}
