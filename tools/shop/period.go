package shop

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Tense says how a month or weekday without a year is meant.
type Tense int

// Past takes 「12月」 as the last December that has begun, Future as the next one that has not ended.
const (
	Past Tense = iota
	Future
)

// Period is a stretch of days, both inclusive, each at midnight.
type Period struct{ From, To time.Time }

// Days is its length; at least 1 for a period that came from ParsePeriod.
func (p Period) Days() int { return daysBetween(p.From, p.To) + 1 }

// String is 「2026-12-01 至 2026-12-31」, which ParsePeriod reads.
func (p Period) String() string { return p.From.Format(dayForm) + " 至 " + p.To.Format(dayForm) }

// daysBetween counts midnights. The times are of one fixed zone, so a day has 24 hours.
func daysBetween(a, b time.Time) int { return int(b.Sub(a).Hours()/24 + .5) }

var (
	rangeOf   = regexp.MustCompile(`^(\d{4}-\d{1,2}-\d{1,2})\s*(?:至|到|~|—|/|to)\s*(\d{4}-\d{1,2}-\d{1,2})$`)
	yearMonth = regexp.MustCompile(`^(\d{4})(?:年|-|/)(\d{1,2})月?$`)
	monthOnly = regexp.MustCompile(`^(\d{1,2})月(?:份)?$`)
	yearOnly  = regexp.MustCompile(`^(\d{4})年?$`)
	ahead     = regexp.MustCompile(`^(?:未来|接下来|今后|next)\s*(\d{1,3})\s*个?(天|日|周|星期|月|年|days?|weeks?|months?|years?)$`)
	back      = regexp.MustCompile(`^(?:最近|过去|近|前|last|past)\s*(\d{1,3})\s*个?(天|日|周|星期|月|年|days?|weeks?|months?|years?)$`)
	numerals  = regexp.MustCompile(`[零〇一二两三四五六七八九十百]+|半年`)
)

// numeral is a number below 1,000 in figures: 二十五 is 25, 一百零五 105, and signs in a row are figures, 二〇二六. What is no number stays as it is.
func numeral(said string) string {
	if said == "半年" {
		return "6个月"
	}
	figures, sum, one, unit := "", 0, -1, 1000
	for _, c := range said {
		n, ok := numbers[c]
		if ok {
			one, figures = n, figures+strconv.Itoa(n)
			continue
		}
		next := map[rune]int{'十': 10, '百': 100}[c]
		if next >= unit || one == 0 || one < 0 && (next == 100 || sum > 0) {
			return said
		}
		sum, one, unit = sum+max(one, 1)*next, -1, next
	}
	switch {
	case unit == 1000:
		return figures
	case unit == 100 && one > 0 && !strings.ContainsAny(said, "零〇"): // 一百二 is 120
		one *= 10
	}
	return strconv.Itoa(sum + max(one, 0))
}

var numbers = map[rune]int{'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}

// ParsePeriod reads a stretch of days from what people say: 「下个月」「上周」「最近30天」「未来三个月」「2026年12月」「12月」「去年」
// "next month", "last 7 days", "2026-12-01 至 2026-12-31". Weeks start on Monday; the last n days end yesterday and the next n
// start tomorrow, since today is not over. today is any moment of today. The error names what is understood.
func ParsePeriod(text string, today time.Time, tense Tense) (Period, error) {
	today = time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, today.Location())
	said := strings.ToLower(strings.TrimSpace(text))
	if len(said) > 64 {
		return Period{}, unreadable(text)
	}
	if p, ok := named(said, today); ok {
		return p, nil
	}
	said = numerals.ReplaceAllStringFunc(said, numeral)
	if m := rangeOf.FindStringSubmatch(said); m != nil {
		return ParseRange(m[1], m[2], today.Location())
	}
	if m := ahead.FindStringSubmatch(said); m != nil {
		if n := number(m[1]); n > 0 {
			from := today.AddDate(0, 0, 1)
			return Period{from, after(from, n, m[2]).AddDate(0, 0, -1)}, nil
		}
	}
	if m := back.FindStringSubmatch(said); m != nil {
		if n := number(m[1]); n > 0 {
			return Period{after(today, -n, m[2]), today.AddDate(0, 0, -1)}, nil
		}
	}
	if m := yearMonth.FindStringSubmatch(said); m != nil {
		if month := number(m[2]); month >= 1 && month <= 12 {
			return monthOf(time.Date(number(m[1]), time.Month(month), 1, 0, 0, 0, 0, today.Location())), nil
		}
	}
	if m := monthOnly.FindStringSubmatch(said); m != nil {
		if month := number(m[1]); month >= 1 && month <= 12 {
			first := time.Date(today.Year(), time.Month(month), 1, 0, 0, 0, 0, today.Location())
			switch {
			case tense == Past && first.After(today):
				first = first.AddDate(-1, 0, 0)
			case tense == Future && monthOf(first).To.Before(today):
				first = first.AddDate(1, 0, 0)
			}
			return monthOf(first), nil
		}
	}
	if m := yearOnly.FindStringSubmatch(said); m != nil {
		return yearOf(number(m[1]), today.Location()), nil
	}
	if day, err := time.ParseInLocation("2006-1-2", said, today.Location()); err == nil {
		return Period{day, day}, nil
	}
	return Period{}, unreadable(text)
}

// ParseRange reads two days "YYYY-MM-DD". The first must not be after the second.
func ParseRange(from, to string, place *time.Location) (Period, error) {
	a, err := time.ParseInLocation("2006-1-2", strings.TrimSpace(from), place)
	if err != nil {
		return Period{}, refuse("看不懂起始日期 %.40q，请写成 YYYY-MM-DD",
			"the first day %.40q cannot be read; write it as YYYY-MM-DD", from)
	}
	b, err := time.ParseInLocation("2006-1-2", strings.TrimSpace(to), place)
	if err != nil {
		return Period{}, refuse("看不懂结束日期 %.40q，请写成 YYYY-MM-DD",
			"the last day %.40q cannot be read; write it as YYYY-MM-DD", to)
	}
	if b.Before(a) {
		return Period{}, refuse("起始日期 %s 晚于结束日期 %s，请对调",
			"the first day %s is after the last, %s; swap them", a.Format(dayForm), b.Format(dayForm))
	}
	return Period{a, b}, nil
}

// named reads the periods that have a name of their own.
func named(said string, today time.Time) (Period, bool) {
	day := func(n int) (Period, bool) { d := today.AddDate(0, 0, n); return Period{d, d}, true }
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	weekAt := func(n int) (Period, bool) {
		return Period{monday.AddDate(0, 0, 7*n), monday.AddDate(0, 0, 7*n+6)}, true
	}
	first := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, today.Location())
	month := func(n int) (Period, bool) { return monthOf(first.AddDate(0, n, 0)), true }
	quarter := first.AddDate(0, -(int(today.Month())-1)%3, 0)
	quarterAt := func(n int) (Period, bool) {
		q := quarter.AddDate(0, 3*n, 0)
		return Period{q, q.AddDate(0, 3, -1)}, true
	}
	switch strings.ReplaceAll(said, "的", "") {
	case "今天", "今日", "today":
		return day(0)
	case "昨天", "昨日", "yesterday":
		return day(-1)
	case "前天":
		return day(-2)
	case "明天", "明日", "tomorrow":
		return day(1)
	case "后天":
		return day(2)
	case "本周", "这周", "这个星期", "this week":
		return weekAt(0)
	case "上周", "上个星期", "上星期", "last week":
		return weekAt(-1)
	case "下周", "下个星期", "下星期", "next week":
		return weekAt(1)
	case "本月", "这个月", "当月", "this month":
		return month(0)
	case "上个月", "上月", "last month":
		return month(-1)
	case "下个月", "下月", "next month":
		return month(1)
	case "本季度", "这个季度", "this quarter":
		return quarterAt(0)
	case "上季度", "上个季度", "last quarter":
		return quarterAt(-1)
	case "下季度", "下个季度", "next quarter":
		return quarterAt(1)
	case "今年", "本年", "this year":
		return yearOf(today.Year(), today.Location()), true
	case "去年", "last year":
		return yearOf(today.Year()-1, today.Location()), true
	case "明年", "next year":
		return yearOf(today.Year()+1, today.Location()), true
	}
	return Period{}, false
}

// after moves a day by n units of a word that the patterns above allow.
func after(day time.Time, n int, unit string) time.Time {
	switch {
	case strings.HasPrefix(unit, "year"), unit == "年":
		return after(day, 12*n, "月")
	case strings.HasPrefix(unit, "month"), unit == "月":
		end := time.Date(day.Year(), day.Month()+time.Month(n)+1, 0, 0, 0, 0, 0, day.Location()) // a shorter month ends before the day of that number
		return end.AddDate(0, 0, min(0, day.Day()-end.Day()))
	case strings.HasPrefix(unit, "week"), unit == "周", unit == "星期":
		return day.AddDate(0, 0, 7*n)
	}
	return day.AddDate(0, 0, n)
}

func monthOf(first time.Time) Period { return Period{first, first.AddDate(0, 1, -1)} }

func yearOf(year int, place *time.Location) Period {
	return Period{time.Date(year, 1, 1, 0, 0, 0, 0, place), time.Date(year, 12, 31, 0, 0, 0, 0, place)}
}

// number reads digits that a pattern has already checked and bounded.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

func unreadable(text string) error {
	return refuse("看不懂时间段 %.40q；可以说 今天、上周、本月、下个月、最近30天、未来2周、2026年12月、12月，或 2026-12-01 至 2026-12-31",
		"the period %.40q cannot be read; say for example today, last week, this month, next month, last 30 days, next 2 weeks, December 2026, or 2026-12-01 to 2026-12-31", text)
}
