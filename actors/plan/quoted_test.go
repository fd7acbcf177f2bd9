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
