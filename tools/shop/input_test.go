package shop

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

func TestBadInput(t *testing.T) {
	s := newShop(t)
	huge := strings.Repeat("长", 5000)
	for _, c := range []struct{ tool, arguments, says string }{
		{"order_detail", `{"order_id":"123456789012"}`, "没有订单"},
		{"order_detail", `{"order_id":"' OR 1=1 --"}`, "没有订单"},
		{"search_order_code", `{"sku_name":"` + huge + `"}`, "太长"},
		{"send_message_to_buyer", `{"user_pin":"nobody","text":"你好"}`, "查找客户"},
		{"send_message_to_buyer", `{"text":"你好"}`, "发给谁"},
		{"send_message_to_buyer", `{"user_pin":"nobody","text":" "}`, "500"},
		{"track_shipment", `{}`, "订单编号或运单号"},
		{"track_shipment", `{"waybill":"NOPE1234"}`, "没有运单"},
		{"track_shipment", fillIn(t, s, `{"order_id":"$unshipped"}`), "还没有物流信息"},
		{"urge_shipment", fillIn(t, s, `{"order_id":"$done"}`), "签收"},
		{"change_order", fillIn(t, s, `{"order_id":"$done","address":"北京"}`), "发货前"},
		{"change_order", fillIn(t, s, `{"order_id":"$unshipped"}`), "没有说要改什么"},
		{"change_order_state", fillIn(t, s, `{"order_id":"$unshipped","state":"已完成"}`), "快递公司和运单号"},
		{"decide_refund", `{"refund_id":"1","decision":"同意"}`, "查看退款申请"},
		{"refund_detail", `{"refund_id":"1234567890123"}`, "查看退款申请"},
		{"set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":-1}`), "0 到 1000000"},
		{"set_stock", `{"sku_id":"00000000000000","stock":1}`, "店里没有"},
		{"set_price", fillIn(t, s, `{"sku_id":"$sku","price":1e300}`), "0.01 到 1000000"},
		{"set_price", fillIn(t, s, `{"sku_id":"$sku","price":-5}`), "0.01 到 1000000"},
		{"find_products", `{"sku_name":"空气炸过"}`, "空气炸锅"},
		{"stock_level", `{"category":"坦克"}`, "有的类目是"},
		{"sales_statistics", `{"from":"2026-12-01","to":"2026-11-01"}`, "晚于"},
		{"sales_statistics", `{"from":"昨天","to":"2026-11-01"}`, "YYYY-MM-DD"},
		{"sales_statistics", `{"period":"下个月"}`, "预计能卖多少"},
		{"forecast_sales", `{"period":"上个月"}`, "卖了多少"},
		{"forecast_sales", `{"period":"2030年"}`, "太远"},
		{"forecast_sales", `{"to":"9999-12-31"}`, "太远"},
		{"propose_campaign", `{"budget":1e18}`, "预算"},
		{"propose_campaign", `{"budget":1000,"days":-3}`, "天数"},
		{"opportunity_keywords", `{"category":"坦克"}`, "坦克"},
		{"set_price", `{"price":5}`, "哪个商品"},
		{"list_orders", `{"category":"坦克"}`, "有的类目是"},
		{"order_detail", `{"order_id":7}`, "order_detail"},
		{"order_detail", `[]`, "order_detail"},
	} {
		mustRefuse(t, s, "bad", c.tool, c.arguments, c.says)
	}
	if n := one[int](t, s, `SELECT count(*) FROM ledger`); n != 0 {
		t.Errorf("refused calls left %d lines in the ledger", n)
	}
}

// FuzzArguments: whatever text stands in the arguments, a reading tool answers or refuses with a *bus.Error.
func FuzzArguments(f *testing.F) {
	s := newShop(f)
	for _, text := range []string{"王萍萍", "' OR 1=1 --", "%_", "空气炸锅", "\x00", "下个月", "2026-12-01", "🎈", strings.Repeat("a", 300)} {
		f.Add(text)
	}
	all := s.Tools()
	f.Fuzz(func(t *testing.T, text string) {
		body, err := json.Marshal(map[string]any{"consumer_name": text, "user_pin": text, "sku_name": text, "category": text, "keyword": text, "period": text, "city": text})
		if err != nil {
			t.Skip() // no JSON, so no call can bring it
		}
		for _, tool := range all {
			if tool.Card.Effect != bus.Read || tool.Card.Name == "suggest_price" {
				continue
			}
			_, err := tool.Run(t.Context(), &tools.Call{Request: bus.Request{Parameter: body}, Progress: func(string) {}})
			var refused *bus.Error
			if err != nil && !errors.As(err, &refused) {
				t.Errorf("%s(%q): %v", tool.Card.Name, text, err)
			}
		}
	})
}
