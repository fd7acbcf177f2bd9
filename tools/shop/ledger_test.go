package shop

import (
	"fmt"
	"sync"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

func TestAChangeIsMadeOnce(t *testing.T) {
	s := newShop(t)
	moving := fillIn(t, s, `{"order_id":"$moving"}`)
	first := do[urged](t, s, "call-1", "urge_shipment", moving)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if again := do[urged](t, s, "call-1", "urge_shipment", moving); again != first {
				t.Errorf("repeated: %+v, first %+v", again, first)
			}
		})
	}
	wg.Wait()
	if next := do[urged](t, s, "call-2", "urge_shipment", moving); next.Urged != first.Urged+1 {
		t.Errorf("another call: urged %d, want %d", next.Urged, first.Urged+1)
	}
	for i, c := range goodCalls {
		if s.tool(t, c.tool).Card.Effect == bus.Read {
			continue
		}
		arguments, call := fillIn(t, s, c.arguments), fmt.Sprintf("once-%d", i)
		first, err := s.try(t, call, c.tool, arguments)
		if err != nil {
			t.Errorf("%s: %v", c.tool, err)
			continue
		}
		sum := func() string {
			return fmt.Sprint(one[int](t, s, `SELECT total(urged) FROM shipments`), one[int](t, s, `SELECT count(*) FROM refunds`), one[int](t, s, `SELECT sum(stock) FROM products`),
				one[int](t, s, `SELECT count(*) FROM messages`), one[int](t, s, `SELECT count(*) FROM ledger`), one[int](t, s, `SELECT count(*) FROM price_history`))
		}
		before := sum()
		again, err := s.try(t, call, c.tool, arguments)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(first) {
			t.Errorf("%s repeated: %v, %v; first %v", c.tool, again, err, first)
		}
		if after := sum(); after != before {
			t.Errorf("%s repeated changed %s to %s", c.tool, before, after)
		}
	}
	mustRefuse(t, s, "call-1", "set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":1}`), "already used")
	mustRefuse(t, s, "", "set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":1}`), "call id")
	mustRefuse(t, s, "a.b > c", "set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":1}`), "call id")
}

func TestARefusedChangeLeavesNothing(t *testing.T) {
	s := newShop(t)
	done := fillIn(t, s, `{"order_id":"$done"}`)
	mustRefuse(t, s, "c1", "cancel_order", done, "已完成", "同意或拒绝")
	if n := one[int](t, s, `SELECT count(*) FROM ledger`); n != 0 {
		t.Errorf("%d lines in the ledger", n)
	}
	// A refused call may come again and succeed: nothing was promised yet.
	other := fillIn(t, s, `{"order_id":"$unshipped","carrier":"北辰快递","waybill":"BC1234567"}`)
	do[shipped](t, s, "c1", "ship_order", other)
	mustRefuse(t, s, "c2", "ship_order", fillIn(t, s, `{"order_id":"$unshipped","carrier":"北辰快递","waybill":"BC1234567"}`), "已经用于订单")
}
