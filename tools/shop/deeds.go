package shop

import "github.com/invopop/jsonschema"

// deeds say of each change what a call of it does, as who agrees to it reads it (x-deed): what is done, and behind the colon to what and with what.
var deeds = map[string]map[string]string{
	"cancel_order":          {"zh": "取消订单，已付的钱全额退回，库存恢复：{order_id}", "en": "Cancel an order, with all money paid back and the stock put back: {order_id}"},
	"change_order":          {"zh": "修改订单：{order_id}", "en": "Change an order: {order_id}"},
	"change_order_state":    {"zh": "修改订单状态：{order_id}，{state}", "en": "Change the state of an order: {order_id}, {state}"},
	"decide_refund":         {"zh": "处理退款申请：{decision} {refund_id}", "en": "Decide on a refund request: {decision} {refund_id}"},
	"issue_invoice":         {"zh": "开发票，金额为实付减去已退：订单 {order_id}", "en": "Issue an invoice over what was paid less what was refunded: order {order_id}"},
	"send_message_to_buyer": {"zh": "给买家发消息：{user_pin|order_id}，「{text}」", "en": "Send a message to a buyer: {user_pin|order_id}, “{text}”"},
	"set_price":             {"zh": "改价，立即生效：{sku_name|sku_id}，{price} 元", "en": "Change a price, effective at once: {sku_name|sku_id}, CNY {price}"},
	"set_stock":             {"zh": "改库存：{sku_name|sku_id}，{stock} 件", "en": "Set the stock: {sku_name|sku_id}, {stock} pieces"},
	"ship_order":            {"zh": "发货：订单 {order_id}，{carrier}，运单号 {waybill}", "en": "Ship an order: {order_id}, by {carrier}, waybill {waybill}"},
	"urge_shipment":         {"zh": "催促快递尽快派送：订单 {order_id}", "en": "Urge the carrier to deliver: order {order_id}"},
}

// does puts on the schema of the arguments what a call with them does.
func does(tool string, parameters *jsonschema.Schema) {
	if d := deeds[tool]; d != nil {
		if parameters.Extras == nil {
			parameters.Extras = map[string]any{}
		}
		parameters.Extras["x-deed"] = d
	}
}
