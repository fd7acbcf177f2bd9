package shop

import (
	"testing"
	"time"
)

func TestParsePeriod(t *testing.T) {
	today := time.Date(2026, 11, 21, 23, 59, 0, 0, place) // a Saturday
	for _, c := range []struct {
		text     string
		tense    Tense
		from, to string // "" from: not understood
	}{
		{"今天", Past, "2026-11-21", "2026-11-21"},
		{"昨天", Past, "2026-11-20", "2026-11-20"},
		{"本周", Past, "2026-11-16", "2026-11-22"},
		{"上周", Past, "2026-11-09", "2026-11-15"},
		{"下周", Future, "2026-11-23", "2026-11-29"},
		{"下个月", Future, "2026-12-01", "2026-12-31"},
		{"下个月的", Future, "2026-12-01", "2026-12-31"},
		{" Next Month ", Future, "2026-12-01", "2026-12-31"},
		{"上个月", Past, "2026-10-01", "2026-10-31"},
		{"上季度", Past, "2026-07-01", "2026-09-30"},
		{"去年", Past, "2025-01-01", "2025-12-31"},
		{"最近30天", Past, "2026-10-22", "2026-11-20"},
		{"last 7 days", Past, "2026-11-14", "2026-11-20"},
		{"近三个月", Past, "2026-08-21", "2026-11-20"},
		{"最近十五天", Past, "2026-11-06", "2026-11-20"},
		{"最近二十天", Past, "2026-11-01", "2026-11-20"},
		{"未来二十一天", Future, "2026-11-22", "2026-12-12"},
		{"过去一百零五天", Past, "2026-08-08", "2026-11-20"},
		{"近两年", Past, "2024-11-21", "2026-11-20"},
		{"last 2 years", Past, "2024-11-21", "2026-11-20"},
		{"二〇二五年", Past, "2025-01-01", "2025-12-31"},
		{"十百天", Past, "", ""},
		{"最近一百二十天", Past, "2026-07-24", "2026-11-20"},
		{"最近半年", Past, "2026-05-21", "2026-11-20"},
		{"未来两周", Future, "2026-11-22", "2026-12-05"},
		{"next 3 months", Future, "2026-11-22", "2027-02-21"},
		{"12月", Future, "2026-12-01", "2026-12-31"},
		{"12月", Past, "2025-12-01", "2025-12-31"},
		{"十二月份", Future, "2026-12-01", "2026-12-31"},
		{"11月", Past, "2026-11-01", "2026-11-30"},
		{"3月", Future, "2027-03-01", "2027-03-31"},
		{"2027年2月", Future, "2027-02-01", "2027-02-28"},
		{"2026-12", Future, "2026-12-01", "2026-12-31"},
		{"2025年", Past, "2025-01-01", "2025-12-31"},
		{"2026-12-05", Future, "2026-12-05", "2026-12-05"},
		{"2026-12-01 至 2026-12-10", Future, "2026-12-01", "2026-12-10"},
		{"2026-12-01/2026-12-10", Future, "2026-12-01", "2026-12-10"},
		{"2026-12-10 至 2026-12-01", Future, "", ""},
		{"2026-13", Future, "", ""},
		{"2026-02-30", Future, "", ""},
		{"未来0天", Future, "", ""},
		{"随便", Future, "", ""},
		{"", Future, "", ""},
		{"'; DROP TABLE orders; --", Past, "", ""},
	} {
		p, err := ParsePeriod(c.text, today, c.tense)
		switch {
		case c.from == "" && err == nil:
			t.Errorf("%q is %s; want an error", c.text, p)
		case c.from != "" && err != nil:
			t.Errorf("%q: %v", c.text, err)
		case c.from != "" && (p.From.Format(dayForm) != c.from || p.To.Format(dayForm) != c.to):
			t.Errorf("%q is %s; want %s to %s", c.text, p, c.from, c.to)
		}
	}
}

// A month from the last day of a long one is as long as a month can be there.
func TestMonthsFromTheLastDay(t *testing.T) {
	for _, c := range []struct{ today, text, want string }{
		{"2026-03-31", "最近1个月", "2026-02-28 至 2026-03-30"}, {"2026-01-30", "未来1个月", "2026-01-31 至 2026-02-27"}, {"2024-02-29", "last 12 months", "2023-02-28 至 2024-02-28"},
	} {
		today, err := time.ParseInLocation(dayForm, c.today, place)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := ParsePeriod(c.text, today, Past); err != nil || p.String() != c.want {
			t.Errorf("%s on %s: %s %v, want %s", c.text, c.today, p, err, c.want)
		}
	}
}

func FuzzParsePeriod(f *testing.F) {
	for _, text := range []string{"下个月", "最近30天", "2026-12-01 至 2026-12-31", "未来十二个月", "last 999 months", "0000-00", "9999年12月"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, tense := range []Tense{Past, Future} {
			p, err := ParsePeriod(text, testNow, tense)
			if err == nil && (p.To.Before(p.From) || p.Days() < 1 || p.From.Hour() != 0) {
				t.Errorf("%q is %v", text, p)
			}
		}
	})
}
