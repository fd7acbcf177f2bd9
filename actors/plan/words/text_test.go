package words

import (
	"strings"
	"testing"
)

func TestShort(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"check their refunds", 19, "check their refunds"},
		{"check their refunds", 16, "check their…"},
		{"check their refunds", 12, "check their…"},
		{"Donaudampfschifffahrt", 10, "Donaudamp…"},
		{"找出发货超时的订单", 5, "找出发货…"},
		{"订单 SF123456789 的物流", 8, "订单 SF12…"},
	} {
		if got := Short(c.s, c.n); got != c.want {
			t.Errorf("%s to %d: %q, want %q", c.s, c.n, got, c.want)
		}
	}
}

// A description without a mark is no name of any length.
func TestHeadIsShort(t *testing.T) {
	if got := Head(strings.Repeat("the colour of the glaze ", 10_000)); len(got) == 0 || len(got) > maxHead {
		t.Errorf("%d bytes", len(got))
	}
	if got := Head("the colour, as it is called"); got != "the colour" {
		t.Error(got)
	}
}
