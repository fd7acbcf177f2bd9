package shop

import "testing"

func TestPriceChangesAreHistory(t *testing.T) {
	s := newShop(t)
	sku := one[string](t, s, `SELECT min(sku_id) FROM products`)
	mustRefuse(t, s, "c1", "set_price", `{"sku_id":"`+sku+`","price":1}`, "允许亏本")
	p := do[priceSet](t, s, "c2", "set_price", `{"sku_id":"`+sku+`","price":301.99}`)
	if p.Price != 301.99 || one[int64](t, s, `SELECT price_fen FROM price_history WHERE sku_id = ? ORDER BY from_day DESC LIMIT 1`, sku) != 30199 {
		t.Errorf("%+v", p)
	}
	do[priceSet](t, s, "c3", "set_price", `{"sku_id":"`+sku+`","price":1,"accept_loss":true}`)
}

// A product to be changed may be called by its name; a name that several have is refused with their ids.
func TestChangeByName(t *testing.T) {
	s := newShop(t)
	sku := one[string](t, s, `SELECT sku_id FROM products WHERE name = '禾煮空气炸锅 4L 家用'`)
	for i, name := range []string{"禾煮空气炸锅 4L 家用", "禾煮空气炸锅 4L", "禾煮 家用"} {
		if set := do[stockSet](t, s, "n"+string(rune('0'+i)), "set_stock", `{"sku_name":"`+name+`","stock":7}`); set.SKU != sku || set.Stock != 7 {
			t.Errorf("%s: %+v", name, set)
		}
	}
	if set := do[priceSet](t, s, "p1", "set_price", `{"sku_name":"禾煮空气炸锅 4L","price":199}`); set.SKU != sku || set.Price != 199 {
		t.Errorf("%+v", set)
	}
	mustRefuse(t, s, "p2", "set_price", `{"sku_name":"禾煮空气炸锅","price":199}`, "2 种", sku, "4L 家用", "5L 可视窗")
	mustRefuse(t, s, "p3", "set_price", `{"sku_name":"禾煮空气炸过","price":199}`, "相近的有")
}

// A product is found by each word of its name, in any order.
func TestFoundByItsWords(t *testing.T) {
	s := newShop(t)
	for _, arguments := range []string{`{"sku_name":"4L 空气炸锅"}`, `{"category":"air fryer","sku_name":"4L air fryer"}`, `{"sku_name":"4L air fryer"}`, `{"sku_name":"空气炸锅4L"}`, `{"sku_name":"4L禾煮空气炸锅"}`} { // and 4L is no end of another size
		if l := do[productList](t, s, "", "find_products", arguments); l.Count != 1 || l.Products[0].Name != "禾煮空气炸锅 4L 家用" {
			t.Errorf("%s: %+v", arguments, l.Products)
		}
	}
	if f := do[found](t, s, "", "search_order_code", `{"sku_name":"空气炸锅4L","search_keys":"商品"}`); f.Count != 1 || f.Goods[0].Name != "禾煮空气炸锅 4L 家用" { // its orders, too
		t.Errorf("%+v", f.Goods)
	}
	if f := do[found](t, s, "", "search_order_code", `{"sku_name":"空气炸锅40L"}`); f.Count != 0 {
		t.Errorf("%d orders of what there is not", f.Count)
	}
}
