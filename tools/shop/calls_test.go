package shop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// call of each tool that succeeds, in an order that works on one shop. $-words are filled in from the database.
var goodCalls = []struct{ tool, arguments string }{
	{"search_order_code", `{"consumer_name":"王萍萍","search_keys":"订单"}`},
	{"search_order_code", `{"consumer_name":"王萍萍","search_keys":"商品"}`},
	{"search_order_code", `{"order_id":"$unshipped"}`},
	{"order_detail", `{"order_id":"$refunded"}`},
	{"track_shipment", `{"order_id":"$moving"}`},
	{"late_shipments", `{"kind":"全部","period":"最近30天"}`},
	{"late_shipments", `{"kind":"due","period":"未来7天"}`},
	{"list_shipments", `{"state":"在途"}`},
	{"list_shipments", `{"by":"carrier","period":"今年"}`},
	{"list_refunds", `{"state":"待处理"}`},
	{"refund_detail", `{"refund_id":"$refund"}`},
	{"list_refunds", `{"by":"reason","period":"今年"}`},
	{"list_refunds", `{"sort":"金额最高"}`},
	{"list_orders", `{"by":"城市"}`},
	{"list_orders", `{"sort":"most expensive","period":"今年"}`},
	{"campaign_results", `{"outcome":"losing"}`},
	{"invoice_status", `{"order_id":"$invoice"}`}, {"list_invoices", `{"state":"待开"}`}, {"list_invoices", `{"state":"issued","period":"上个月"}`},
	{"list_orders", `{"state":"待发货","period":"最近七天"}`},
	{"find_customers", `{"city":"杭州","category":"洋酒"}`},
	{"find_products", `{"sku_name":"禾煮空气炸锅"}`},
	{"stock_level", `{"category":"空气炸锅"}`},
	{"sales_statistics", `{"by":"周","category":"空气炸锅","period":"最近3个月"}`},
	{"sales_statistics", `{"by":"weekend","period":"上个月"}`},
	{"sales_statistics", `{"by":"新老客","period":"上个月"}`},
	{"sales_statistics", `{"by":"weekday","period":"上个月"}`},
	{"find_customers", `{"kind":"returning","period":"今年"}`},
	{"stock_level", `{"state":"scarce"}`},
	{"forecast_sales", `{"category":"空气炸锅","period":"下个月"}`},
	{"suggest_price", `{"category":"空气炸锅"}`},
	{"campaign_results", `{"period":"今年"}`},
	{"propose_campaign", `{"budget":2000,"category":"空气炸锅"}`},
	{"opportunity_keywords", `{"category":"洋酒","limit":3}`},
	{"check_shop_qualifications", `{"keyword":"洋酒","shop_body":"企业","shop_type":"旗舰店"}`},
	{"urge_shipment", `{"order_id":"$moving"}`},
	{"change_order", `{"order_id":"$unshipped","address":"浙江省杭州市西湖区文三路1号","note":"改地址"}`},
	{"ship_order", `{"order_id":"$unshipped","carrier":"北辰快递","waybill":"BC20261121001"}`},
	{"change_order_state", `{"order_id":"$moving","state":"已完成"}`},
	{"cancel_order", `{"order_id":"$other"}`},
	{"decide_refund", `{"refund_id":"$refund","decision":"拒绝","reason":"已过期限"}`},
	{"issue_invoice", `{"order_id":"$invoice","title":"杭州某某有限公司","tax_no":"91330000MA12345678"}`},
	{"send_message_to_buyer", `{"order_id":"$moving","text":"您的包裹正在路上"}`},
	{"set_stock", `{"sku_id":"$sku","stock":50}`},
	{"set_price", `{"sku_id":"$sku","price":299.99}`},
}

// fillIn puts the rows of this shop for the $-words.
func fillIn(t testing.TB, s *Shop, arguments string) string {
	for word, query := range map[string]string{
		"$unshipped": `SELECT min(order_id) FROM orders WHERE state = '待发货'`,
		"$other":     `SELECT max(order_id) FROM orders WHERE state = '待发货'`,
		"$unpaid":    `SELECT coalesce(min(order_id), '') FROM orders WHERE state = '待付款'`,
		"$moving":    `SELECT max(order_id) FROM orders JOIN shipments USING (order_id) WHERE state = '已发货' AND delivered_at IS NULL`,
		"$done":      `SELECT min(order_id) FROM orders WHERE state = '已完成'`,
		"$refunded":  `SELECT min(order_id) FROM refunds JOIN orders USING (order_id) WHERE orders.state = '已完成'`,
		"$refund":    `SELECT min(refund_id) FROM refunds WHERE state = '待处理'`,
		"$invoice":   `SELECT min(order_id) FROM invoices WHERE state = '待开'`,
		"$sku":       `SELECT min(sku_id) FROM products`,
	} {
		if strings.Contains(arguments, word+`"`) {
			arguments = strings.ReplaceAll(arguments, word, one[string](t, s, query))
		}
	}
	return arguments
}

// compile reads a schema of a card.
func compile(t testing.TB, schema json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("card.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("card.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// holds reports whether a value, as JSON, holds a schema.
func holds(t testing.TB, schema json.RawMessage, value any) error {
	t.Helper()
	body, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, schema).Validate(doc)
}

// jsonText is a JSON text as a value to be encoded as it is.
func jsonText(s string) json.RawMessage { return json.RawMessage(s) }

// count is all of a result but its sentences, to be compared.
func count(result any) string {
	body, _ := json.Marshal(result)
	var fields map[string]any
	if json.Unmarshal(body, &fields) != nil {
		return ""
	}
	delete(fields, "summary")
	delete(fields, "summary_en")
	return fmt.Sprint(fields)
}
