package shop

import "testing"

func TestPriceChangesAreHistory(t *testing.T) {
	s := newShop(t)
	sku := one[string](t, s, `SELECT min(sku_id) FROM products`)
	mustRefuse(t, s, "c1", "set_price", `{"sku_id":"`+sku+`","price":1}`, "accept_loss")
	p := do[priceSet](t, s, "c2", "set_price", `{"sku_id":"`+sku+`","price":301.99}`)
	if p.Price != 301.99 || one[int64](t, s, `SELECT price_fen FROM price_history WHERE sku_id = ? ORDER BY from_day DESC LIMIT 1`, sku) != 30199 {
		t.Errorf("%+v", p)
	}
	do[priceSet](t, s, "c3", "set_price", `{"sku_id":"`+sku+`","price":1,"accept_loss":true}`)
}
