package outline

import "testing"

// A number and a name stay on one line while there is room, whatever stands beside them; the sum is the line.
func TestWidths(t *testing.T) {
	wide := Table{Columns: []string{"订单编号", "下单时间", "买家", "商品", "实付金额", "城市", "下单账号"}}
	for range 3 {
		wide.Rows = append(wide.Rows, []Cell{Text("281066617516"), Text("2026-11-23 01:46:26"), Text("郭萍桂"), Text("海角葡萄酒 赤霞珠干红 750ml ×1；咚咚玩具 积木城堡 680 粒 ×1"), Number(236), Text("四川省成都市"), Text("郭萍桂8548")})
	}
	for _, room := range []float64{80, 135, 300} {
		sum := 0.0
		got := wide.Widths(7, room, 2)
		for i, w := range got {
			sum += w
			if least := []float64{14, 12, 6, 8, 8, 8, 8}[i]; w < least+2-0.01 {
				t.Errorf("in %g: %s has %.1f letters", room, wide.Columns[i], w)
			}
		}
		if sum < room-0.01 || sum > room+0.01 {
			t.Errorf("in %g: %g", room, sum)
		}
	}
	if got := wide.Widths(7, 30, 2); got[0] < got[2] {
		t.Errorf("without room: %v", got)
	}
}
