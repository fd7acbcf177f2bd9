package plan

import (
	"strings"
	"testing"
)

// The kind of document that is asked for is no limit of what goes into it, in whatever state the orders are.
func TestDocumentOfAState(t *testing.T) {
	h := newTeam(t)
	for _, state := range []string{"待发货", "待付款", "已取消", "已发货", "已完成"} {
		for _, as := range []struct{ say, format string }{{"PPT", "pptx"}, {"Word", "docx"}, {"Excel", "xlsx"}, {"PDF", "pdf"}, {"word文档", "docx"}} {
			h.ask(t, "把"+state+"的订单做成"+as.say)
			if miss := h.wrong(readWishes("list_orders{state=" + state + "; category=-; sku_name=-}, report_tool{format=" + as.format + "}")); miss != "" {
				t.Errorf("%s as %s: %s; %s", state, as.say, miss, h.told())
			}
		}
	}
	h.ask(t, "把退款的订单做成Word")
	if strings.Contains(h.told(), "category") {
		t.Error(h.told())
	}
}
