package plan

import "testing"

// What somebody said, in quotes, is the name of no goods.
func TestWhatWasSaidNamesNothing(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"王萍萍说“我要退掉它”，帮我查她的订单":                                                       "list_orders/search_order_code{consumer_name=王萍萍; sku_name=-; category=-}",
		"客户说“你们的电饭煲太贵了”，电饭煲现在卖多少钱":                                                  "find_products/sales_statistics{category=电饭煲; sku_name=-}",
		`a customer wrote "where is my parcel", what is the price of rice cookers?`: "find_products{category=rice cookers; sku_name=-}",
		`价格叫“禾煮空气炸锅”的商品多少钱`:                                                         "find_products{sku_name=禾煮空气炸锅}",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s: %s", request, miss, h.told())
		}
	}
}

// What somebody shall be told, in quotes, narrows nothing that is looked up for it.
func TestWhatIsToldNarrowsNothing(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		`给他回复"耳机有货"`:                                           "ask:send_message_to_buyer.order_id{}",
		`给王萍萍发消息"空气炸锅有货"`:                                      "list_orders/search_order_code/find_customers{consumer_name=王萍萍; sku_name=-; category=-}, send_message_to_buyer{}",
		`告诉王萍萍“您的退款已同意”`:                                       "list_orders/search_order_code/find_customers{consumer_name=王萍萍; state=-}, send_message_to_buyer{}",
		`tell Wang Pingping "headphones are in stock"`:         "list_orders/search_order_code/find_customers{consumer_name=Wang Pingping/王萍萍; category=-}, send_message_to_buyer{}",
		`send a message to 王萍萍: "your air fryer is shipped"`:   "list_orders/search_order_code/find_customers{consumer_name=王萍萍; category=-; state=-}, send_message_to_buyer{}",
		`reply to the buyer "the headphones are out of stock"`: "ask:send_message_to_buyer.order_id{}",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s: %s", request, miss, h.told())
		}
	}
}
