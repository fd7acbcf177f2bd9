package facts

import (
	"testing"
	"time"
)

func TestPeriodsBefore(t *testing.T) {
	on := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 0, 0, 0, 0, time.UTC) }
	for in, want := range map[Period]Period{
		{From: on(3, 1), To: on(3, 31)}:  {From: on(2, 1), To: on(2, 28)},
		{From: on(5, 10), To: on(5, 16)}: {From: on(5, 3), To: on(5, 9)},
		{From: on(5, 16), To: on(5, 16)}: {From: on(5, 15), To: on(5, 15)},
	} {
		if got := in.Previous(); got != want {
			t.Errorf("%v: %v", in, got)
		}
	}
	if got := (Period{From: on(3, 1), To: on(3, 31)}).Ago(1); got.To != on(2, 28) {
		t.Errorf("a month before March ends on %v", got.To)
	}
}
