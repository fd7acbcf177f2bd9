package plan

import (
	"strings"
	"testing"
)

// What stands right beside the kind and tells one of it from the others is part of the name: what is looked up and changed is that one alone.
func TestModelBesideTheKind(t *testing.T) {
	h := newTeam(t)
	h.says["find_products"] = `{"summary":"1 种。","summary_en":"There is 1.","count":1,"products":[{"sku_id":"10000020489380","sku_name":"星澜手机 Lite 128G","price":1299,"stock":20}]}`
	for request, want := range map[string]string{
		"把手机Lite改成1399元":                           `find_products{"sku_name":"手机Lite"} set_price{"price":1399,`,
		"把X2手机涨价100":                               `find_products{"sku_name":"X2手机"} set_price{"price":1399,`,
		"手机Lite的库存改成30":                            `find_products{"sku_name":"手机Lite"} set_stock{`,
		"raise the price of the Lite phone by 100": `find_products{"sku_name":"Lite phone"} set_price{"price":1399,`,
	} {
		h.ask(t, request)
		if got := h.told(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", request, got)
		}
	}
	for request, want := range map[string]string{
		"空气炸锅5L卖了多少": `sales_statistics{"category":"空气炸锅","sku_name":"空气炸锅5L"}`, "买了空气炸锅5L的客户": `find_customers{"category":"空气炸锅","sku_name":"空气炸锅5L","sort":"消费金额"}`,
		"手机ROI是多少": `campaign_results{"category":"手机"}`,
	} {
		h.ask(t, request)
		if got := h.told(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", request, got)
		}
	}
}
