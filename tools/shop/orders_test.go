package shop

import (
	"strings"
	"testing"
)

func TestSearchOrders(t *testing.T) {
	s := newShop(t)
	hers := one[int](t, s, `SELECT count(*) FROM orders o JOIN customers c USING (customer_id) WHERE c.name = '王萍萍' OR o.receiver = '王萍萍'`)
	her := func(column string) string {
		return one[string](t, s, `SELECT `+column+` FROM customers WHERE name = '王萍萍'`)
	}
	fryers := one[int](t, s, `SELECT count(DISTINCT order_id) FROM order_items JOIN products USING (sku_id) WHERE brand = '禾煮' AND category = '空气炸锅'`)
	order := one[string](t, s, `SELECT min(order_id) FROM orders`)
	given := one[string](t, s, `SELECT receiver FROM orders JOIN customers USING (customer_id) WHERE receiver <> name ORDER BY order_id LIMIT 1`)
	for _, c := range []struct {
		arguments string
		count     int
	}{
		{`{}`, one[int](t, s, `SELECT count(*) FROM orders`)},
		{`{"consumer_name":"王萍萍"}`, hers},
		{`{"consumer_name":" 王萍萍 ","search_keys":"订单"}`, hers},
		{`{"consumer_name":"` + given + `"}`, one[int](t, s, `SELECT count(*) FROM orders JOIN customers USING (customer_id) WHERE ? IN (name, receiver)`, given)},
		{`{"user_pin":"` + her("user_pin") + `"}`, one[int](t, s, `SELECT count(*) FROM orders JOIN customers USING (customer_id) WHERE name = '王萍萍'`)},
		{`{"consumer_mobile_phone":"+86 ` + her("phone") + `"}`, hers},
		{`{"consumer_name":"王萍萍","user_pin":"nobody"}`, 0},
		{`{"consumer_name":"Wang Pingping"}`, hers},
		{`{"consumer_name":"wangpingping"}`, hers},
		{`{"consumer_name":"Pingping Wang"}`, hers},
		{`{"consumer_name":"WANG Ping-ping"}`, hers},
		{`{"consumer_name":"Wang Pingpin"}`, 0},
		{`{"order_id":"` + order + `"}`, 1},
		{`{"order_id":"000000000000"}`, 0},
		{`{"sku_name":"禾煮空气炸锅"}`, fryers},
		{`{"sku_name":"空气炸锅"}`, one[int](t, s, `SELECT count(DISTINCT order_id) FROM order_items JOIN products USING (sku_id) WHERE category = '空气炸锅'`)},
		{`{"sku_name":"air fryers"}`, one[int](t, s, `SELECT count(DISTINCT order_id) FROM order_items JOIN products USING (sku_id) WHERE category = '空气炸锅'`)},
		{`{"sku_name":"Air Fryer 4L"}`, one[int](t, s, `SELECT count(DISTINCT order_id) FROM order_items JOIN products USING (sku_id) WHERE instr(name, '空气炸锅 4L') > 0`)},
		{`{"consumer_name":"' OR '1'='1"}`, 0},
		{`{"sku_name":"%"}`, 0},
		{`{"consumer_name":"王萍萍'; DROP TABLE orders; --"}`, 0},
	} {
		f := do[found](t, s, "", "search_order_code", c.arguments)
		if f.Count != c.count || len(f.Orders) != min(c.count, listed) {
			t.Errorf("%s: count %d, %d listed; want %d", c.arguments, f.Count, len(f.Orders), c.count)
		}
		if none := strings.Contains(f.Summary, "请核对") && strings.Contains(f.SummaryEn, "Please check"); none != (c.count == 0) {
			t.Errorf("%s: %d found, %q, %q", c.arguments, c.count, f.Summary, f.SummaryEn)
		}
	}
	bought := do[found](t, s, "", "search_order_code", `{"consumer_name":"王萍萍","search_keys":"商品"}`)
	if bought.Count != len(bought.Goods) || bought.Count == 0 || bought.Orders != nil {
		t.Errorf("products: %+v", bought)
	}
	only := do[found](t, s, "", "search_order_code", `{"sku_name":"空气炸锅","search_keys":"商品"}`)
	for _, g := range only.Goods {
		if !strings.Contains(g.Name, "空气炸锅") {
			t.Errorf("asked for 空气炸锅, got %s", g.Name)
		}
	}
	if f := do[found](t, s, "", "search_order_code", `{"consumer_name":"王萍"}`); f.Count == 0 && (!strings.Contains(f.Summary, "王萍萍") || !strings.Contains(f.SummaryEn, "Wang Pingping")) {
		t.Errorf("a near name is not told: %q, %q", f.Summary, f.SummaryEn)
	}
}

func TestCancelGivesTheMoneyBack(t *testing.T) {
	s := newShop(t)
	order := one[string](t, s, `SELECT max(order_id) FROM orders WHERE state = '待发货'`)
	total := one[int64](t, s, `SELECT total_fen FROM orders WHERE order_id = ?`, order)
	pieces := one[int](t, s, `SELECT sum(quantity) FROM order_items WHERE order_id = ?`, order)
	stock := one[int](t, s, `SELECT sum(stock) FROM products`)
	c := do[cancelled](t, s, "c1", "cancel_order", `{"order_id":"`+order+`","reason":"买家拍错"}`)
	if c.State != "已取消" || fen(c.Refunded) != total || c.Restored != pieces {
		t.Errorf("%+v", c)
	}
	if now := one[int](t, s, `SELECT sum(stock) FROM products`); now != stock+pieces {
		t.Errorf("stock %d, want %d", now, stock+pieces)
	}
	if paid := one[int64](t, s, `SELECT sum(amount_fen) FROM refunds WHERE order_id = ? AND state = '已同意'`, order); paid != total {
		t.Errorf("refunds of %d, want %d", paid, total)
	}
	mustRefuse(t, s, "c2", "cancel_order", `{"order_id":"`+order+`"}`, "早已取消")
	mustRefuse(t, s, "c3", "issue_invoice", `{"order_id":"`+order+`"}`, "已取消")
}

// An order that is marked paid takes its pieces from the stock, so that cancelling it puts back what was there and no more.
func TestPaidOrderTakesItsPieces(t *testing.T) {
	s := newShop(t)
	order := one[string](t, s, `SELECT max(order_id) FROM orders WHERE state = '待发货'`)
	if _, err := s.write.Exec(`UPDATE orders SET state = '待付款', paid_at = NULL, ship_by = NULL WHERE order_id = ?`, order); err != nil {
		t.Fatal(err)
	}
	pieces := one[int](t, s, `SELECT sum(quantity) FROM order_items WHERE order_id = ?`, order)
	if _, err := s.write.Exec(`UPDATE products SET stock = 0 WHERE sku_id IN (SELECT sku_id FROM order_items WHERE order_id = ?)`, order); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, s, "c0", "change_order_state", `{"order_id":"`+order+`","state":"待发货"}`, "库存不够")
	if _, err := s.write.Exec(`UPDATE products SET stock = stock + 5`); err != nil {
		t.Fatal(err)
	}
	stock := one[int](t, s, `SELECT sum(stock) FROM products`)
	do[stateChanged](t, s, "c1", "change_order_state", `{"order_id":"`+order+`","state":"待发货"}`)
	if now := one[int](t, s, `SELECT sum(stock) FROM products`); now != stock-pieces {
		t.Errorf("stock %d, want %d", now, stock-pieces)
	}
	do[cancelled](t, s, "c2", "cancel_order", `{"order_id":"`+order+`"}`)
	if now := one[int](t, s, `SELECT sum(stock) FROM products`); now != stock {
		t.Errorf("stock %d, want %d", now, stock)
	}
}
