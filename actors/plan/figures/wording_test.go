package figures

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

func TestFigure(t *testing.T) {
	for in, want := range map[string]string{"1234567.891": "1,234,567.89", "-1000": "-1,000", "0.005": "0.01", "100": "100", "-999.5": "-999.5"} {
		n, _ := new(big.Rat).SetString(in)
		if got := Decimal(n); got != want {
			t.Errorf("%s: %s, wanted %s", in, got, want)
		}
	}
	for _, hostile := range []any{json.Number("1e999999999"), json.Number(strings.Repeat("9", 100)), "0x10", "1/3", nil, true, ""} {
		if n := Amount(hostile); n != nil {
			t.Errorf("%v is taken for %v", hostile, n)
		}
	}
}
