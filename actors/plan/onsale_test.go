package plan

import "testing"

// Whether the shop sells something is looked up among its goods by all that is said of it: of phones of a brand that it has not it is not told that it has phones, and no
// sales are counted.
func TestWhetherItIsSold(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"我们有没有卖iPhone":                      "find_products{category/sku_name=iPhone}",
		"有没有卖冰箱":                            "find_products{category/sku_name=冰箱}",
		"我们卖华为手机吗":                          "find_products{category/sku_name=华为手机}",
		"你们卖不卖空气炸锅":                         "find_products{category=空气炸锅}",
		"店里有雨伞卖吗":                           "find_products{category/sku_name=雨伞}",
		"do we sell an iPad":                "find_products{category/sku_name=iPad}",
		"do you sell fridges?":              "find_products{category/sku_name=fridges}",
		"do you have tents for sale?":       "find_products{category/sku_name=tents}",
		"do you guys sell laptops":          "find_products{category/sku_name=laptops}",
		"do we sell wine":                   "find_products{category=wine}",
		"昨天卖了iPhone吗":                       "sales_statistics{category/sku_name=iPhone}",
		"do we sell more phones than fans?": "sales_statistics{category=phones}, sales_statistics{category=fans}",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s; %s", request, miss, h.told())
		}
	}
}
