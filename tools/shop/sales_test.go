package shop

import "testing"

func TestStatisticsAddUp(t *testing.T) {
	s := newShop(t)
	want := one[int64](t, s, `SELECT sum(sales_fen) FROM sales WHERE day BETWEEN '2026-08-01' AND '2026-10-31'`)
	for _, by := range []string{"日", "周", "月", "商品", "类目"} {
		r := do[salesReport](t, s, "", "sales_statistics", `{"by":"`+by+`","from":"2026-08-01","to":"2026-10-31"}`)
		total := int64(0)
		for _, g := range r.Groups {
			total += fen(g.Amount)
		}
		if fen(r.Amount) != want || total != want {
			t.Errorf("by %s: %.2f, groups %.2f, want %.2f", by, r.Amount, yuan(total), yuan(want))
		}
	}
	if r := do[salesReport](t, s, "", "sales_statistics", `{"by":"周","period":"上周"}`); len(r.Groups) != 1 || r.Groups[0].Group != "2026-11-09" {
		t.Errorf("a week is not named by its Monday: %+v", r.Groups)
	}
}
