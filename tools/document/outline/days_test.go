package outline

import (
	"slices"
	"strings"
	"testing"
)

// Days that have no value keep their room, in the way they are written; what is no time, or has no order, stays as it is.
func TestDaysKeepTheirRoom(t *testing.T) {
	for _, c := range []struct{ kind, days, want string }{
		{"line", "2026-11-01 2026-11-02 2026-11-05", "2026-11-01 2026-11-02 2026-11-03 2026-11-04 2026-11-05"},
		{"area", "2026/2/27 2026/2/28 2026/3/2", "2026/2/27 2026/2/28 2026/3/1 2026/3/2"},
		{"column", "2026年11月 2026年12月 2027年2月", "2026年11月 2026年12月 2027年1月 2027年2月"},
		{"line", "2026-11-02 2026-11-09 2026-11-23", "2026-11-02 2026-11-09 2026-11-16 2026-11-23"}, // weeks
		{"line", "2026-11-01 2026-11-02 2026-11-03", "2026-11-01 2026-11-02 2026-11-03"},
		{"bar", "2026-11-01 2026-11-02 2026-11-05", "2026-11-01 2026-11-02 2026-11-05"},
		{"line", "2026-11-05 2026-11-02 2026-11-01", "2026-11-05 2026-11-02 2026-11-01"},
		{"line", "2026-11-01 2026-11-01 2026-11-05", "2026-11-01 2026-11-01 2026-11-05"},
		{"line", "2026-11-01 2026-11-02 later", "2026-11-01 2026-11-02 later"},
		{"line", "2020-11-01 2020-11-02 2026-11-05", "2020-11-01 2020-11-02 2026-11-05"},
		{"column", "2026-01-01 2026-01-02 2026-11-05", "2026-01-01 2026-01-02 2026-11-05"},
		{"line", "1850-11-01 1850-11-02 1850-11-05", "1850-11-01 1850-11-02 1850-11-05"},
	} {
		days := strings.Fields(c.days)
		chart := Chart{Kind: c.kind, Categories: days, Series: []Series{{Values: make([]*float64, len(days))}, {}}}
		for i := range days {
			v := float64(i)
			chart.Series[0].Values[i] = &v
		}
		chart.clean()
		if got := strings.Join(chart.Categories, " "); got != c.want {
			t.Errorf("%s %s: %s", c.kind, c.days, got)
		}
		for i, day := range days {
			if v := chart.Series[0].Values[slices.Index(chart.Categories, day)]; v == nil || *v != float64(i) && !strings.Contains(c.days, day+" "+day) {
				t.Errorf("%s: the value of %s is lost", c.days, day)
			}
		}
		if len(chart.Series[1].Values) != len(chart.Categories) {
			t.Errorf("%s: %d values", c.days, len(chart.Series[1].Values))
		}
	}
}

func FuzzDays(f *testing.F) {
	f.Add("2026-11-01,2026-11-02,2026-11-05")
	f.Add("0001-01,9999-12,9999-12")
	f.Fuzz(func(t *testing.T, days string) {
		c := Chart{Kind: "line", Categories: strings.Split(days, ","), Series: []Series{{}}}
		c.clean()
		if len(c.Categories) != len(c.Series[0].Values) || len(c.Categories) > max(maxDays, strings.Count(days, ",")+1) {
			t.Errorf("%d categories, %d values", len(c.Categories), len(c.Series[0].Values))
		}
	})
}
