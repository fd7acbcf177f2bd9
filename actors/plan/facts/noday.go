package facts

import (
	"strconv"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// days of a month that a text names: 2月30日, 2026-02-30, February 30.
var (
	dayHan    = words.MustCompile(`(?:(\d{4})年)?(\d{1,2}|[一二三四五六七八九十]{1,2})月(\d{1,2}|[一二三四五六七八九十]{1,3})[日号]`)
	dayDigits = words.MustCompile(`\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b`)
	monthDay  = words.MustCompile(`(?i)\b` + monthWords + `\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:\s*,?\s*(\d{4})\b)?`)
	dayMonth  = words.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?` + monthWords + `\b\.?(?:\s*,?\s*(\d{4})\b)?`)
)

// NoSuchDay is a day that a text names and no calendar has, as 2月30日; "" when it names none. A 29 February without a year is one where the year of now, or the one before, has it.
func NoSuchDay(s string, now time.Time) string {
	s = Quoted.ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
	for _, r := range []struct {
		re               *words.Pattern
		year, month, day int
		english          bool
	}{{dayHan, 1, 2, 3, false}, {dayDigits, 1, 2, 3, false}, {monthDay, 3, 1, 2, true}, {dayMonth, 3, 2, 1, true}} {
		for _, m := range r.re.FindAllStringSubmatch(s, 8) {
			number := func(text string) int {
				if n, err := strconv.Atoi(text); err == nil {
					return n
				}
				n, _ := words.Number(text)
				return n
			}
			month := number(m[r.month])
			if month == 0 {
				month = MonthNumber(m[r.month])
			}
			if r.english && number(m[r.day]) > 31 { // in May 40 orders
				continue
			}
			years := []int{number(m[r.year])}
			if years[0] == 0 {
				years = []int{now.Year(), now.Year() - 1}
			}
			is := false
			for _, y := range years {
				d := time.Date(y, time.Month(month), number(m[r.day]), 0, 0, 0, 0, time.UTC)
				is = is || month >= 1 && int(d.Month()) == month && d.Day() == number(m[r.day])
			}
			if !is {
				return strings.TrimSpace(m[0])
			}
		}
	}
	return ""
}
