package shop

import (
	"fmt"
	"strings"
	"testing"
)

// The first one by freight, by pieces and by the time under way is the first of all, and the summary names it with its figure.
func TestFirstByWhatRowsDoNotTell(t *testing.T) {
	s := newShop(t)
	for sort, sum := range map[string]string{"highest freight": "o.freight_fen", "most pieces": "(SELECT sum(quantity) FROM order_items i WHERE i.order_id = o.order_id)"} {
		l := do[orderList](t, s, "", "list_orders", fmt.Sprintf(`{"sort":%q}`, sort))
		first := l.Orders[0].OrderID
		most, of := one[int](t, s, `SELECT max(`+sum+`) FROM orders o`), one[int](t, s, `SELECT `+sum+` FROM orders o WHERE o.order_id = '`+first+`'`)
		if sort == "highest freight" {
			most, of = most/100, of/100
		}
		if of != most || most == 0 || !strings.Contains(l.SummaryEn, first) || !strings.Contains(l.SummaryEn, fmt.Sprint(most)) {
			t.Errorf("%s: %s with %d, want %d: %s", sort, first, of, most, l.SummaryEn)
		}
	}
	for sort, by := range map[string]string{"newest": "max(shipped_at)", "oldest": "min(shipped_at)", "": "max(shipped_at)"} {
		l := do[parcelList](t, s, "", "list_shipments", fmt.Sprintf(`{"sort":%q}`, sort))
		if want := one[string](t, s, `SELECT `+by+` FROM shipments`); l.Parcels[0].Shipped != want || !strings.Contains(l.SummaryEn, want) {
			t.Errorf("%q: %s, want %s: %s", sort, l.Parcels[0].Shipped, want, l.SummaryEn)
		}
	}
	const days = `julianday(delivered_at) - julianday(shipped_at)`
	fast := do[parcelList](t, s, "", "list_shipments", `{"sort":"fastest"}`).Parcels[0]
	if want := digits(one[float64](t, s, `SELECT min(`+days+`) FROM shipments WHERE delivered_at IS NOT NULL`), 1); fast.Days != want || fast.Delivered == "" {
		t.Errorf("the fastest took %v days, want %v", fast.Days, want)
	}
	slow := do[parcelList](t, s, "", "list_shipments", `{"sort":"slowest","state":"delivered"}`).Parcels[0]
	if want := digits(one[float64](t, s, `SELECT max(`+days+`) FROM shipments WHERE delivered_at IS NOT NULL`), 1); slow.Days != want {
		t.Errorf("the slowest took %v days, want %v", slow.Days, want)
	}
}
