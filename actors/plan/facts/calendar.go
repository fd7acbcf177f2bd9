package facts

import (
	"strconv"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Periods by their names and numbers: quarters, halves, months and days of a year.

// quarterNamed reads a quarter by its number: 今年第三季度, Q3 2025, the third quarter. Without a year it is the latest that has begun.
func quarterNamed(m []string, now time.Time) (Period, bool) {
	n, _ := words.Number(m[3] + m[4] + m[5])
	if m[7] != "" {
		n = words.Nth(m[7])
	}
	return partOfYear(n, 3, m[2], m[1]+m[6]+m[8], now)
}

// halfNamed reads a half of a year: 上半年, 去年下半年, the first half of 2025, H1. Without a year it is the latest that has begun.
func halfNamed(m []string, now time.Time) (Period, bool) {
	n := 2
	if m[3] == "上" || m[6] == "1" || m[4] != "" && words.Nth(m[4]) == 1 {
		n = 1
	}
	return partOfYear(n, 6, m[2], m[1]+m[5]+m[7], now)
}

// partOfYear is part number n of a year that is cut into parts of so many months. The year is said in Chinese words, or by its number or in English; of none it is the
// latest part that has begun.
func partOfYear(n, months int, han, y string, now time.Time) (Period, bool) {
	year, said := now.Year(), true
	switch {
	case len(y) == 4:
		year, _ = strconv.Atoi(y)
	case han == "前年":
		year -= 2
	case han == "去年", strings.EqualFold(y, "last year"):
		year--
	case han == "明年":
		year++
	default:
		said = han != "" || y != ""
	}
	from := time.Date(year, time.Month(months*(n-1)+1), 1, 0, 0, 0, 0, now.Location())
	if !said && from.After(now) {
		from = from.AddDate(-1, 0, 0)
	}
	return Period{From: from, To: from.AddDate(0, months, -1)}, n >= 1 && n <= 12/months
}

func ymd(y, m, d string, now time.Time) (Period, bool) {
	yi, _ := strconv.Atoi(y)
	mi, ok1 := words.Number(m)
	di, ok2 := words.Number(d)
	if !ok1 || !ok2 || mi < 1 || mi > 12 || di < 1 || di > 31 {
		return Period{}, false
	}
	t := time.Date(yi, time.Month(mi), di, 0, 0, 0, 0, now.Location())
	return Period{From: t, To: t}, t.Day() == di
}

func ym(y, m string, now time.Time) (Period, bool) {
	yi, _ := strconv.Atoi(y)
	mi, ok := words.Number(m)
	if !ok || mi < 1 || mi > 12 {
		return Period{}, false
	}
	return monthOf(time.Date(yi, time.Month(mi), 1, 0, 0, 0, 0, now.Location()), 0), true
}

func named(month, d, y string, now time.Time) (Period, bool) {
	if y == "" {
		y = strconv.Itoa(now.Year())
	}
	return ymd(y, strconv.Itoa(MonthNumber(month)), d, now)
}

// MonthNumber is the number of a month by its English name or its first letters, 1 to 12; 0: it is none.
func MonthNumber(name string) int {
	name = strings.ToLower(name)
	for i, m := range months {
		if len(name) >= 3 && strings.HasPrefix(m, name[:3]) {
			return i + 1
		}
	}
	return 0
}

// partOfMonth reads a half or a third of a month: 11月上半月, 上个月下旬, the first half of November. Without a year it is the latest that has begun.
func partOfMonth(m []string, now time.Time) (Period, bool) {
	var p Period
	year := m[1] + m[7]
	switch {
	case m[3] == "":
		n := MonthNumber(m[6])
		p = Period{From: time.Date(now.Year(), time.Month(n), 1, 0, 0, 0, 0, now.Location())}
	case strings.HasPrefix(m[3], "上"):
		p = monthOf(now, -1)
	case words.IsHan(words.FirstRune(m[3])) && strings.ContainsAny(m[3], "本这当"):
		p = monthOf(now, 0)
	default:
		read, ok := ym(strconv.Itoa(now.Year()), m[3], now)
		if !ok {
			return p, false
		}
		p = read
	}
	switch y, _ := strconv.Atoi(year); {
	case y > 0:
		p.From = time.Date(y, p.From.Month(), 1, 0, 0, 0, 0, now.Location())
	case m[2] == "去年" || p.From.After(now):
		p.From = p.From.AddDate(-1, 0, 0)
	}
	first, last := 1, p.From.AddDate(0, 1, -1).Day()
	switch part := m[4]; {
	case part == "上旬":
		last = 10
	case part == "中旬":
		first, last = 11, 20
	case part == "下旬":
		first = 21
	case strings.HasPrefix(part, "上") || m[5] != "" && words.Nth(strings.ToLower(m[5])) == 1:
		last = 15
	default:
		first = 16
	}
	month := p.From
	return Period{From: month.AddDate(0, 0, first-1), To: month.AddDate(0, 0, last-1)}, true
}
