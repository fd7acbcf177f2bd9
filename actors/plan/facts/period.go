package facts

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Previous is the stretch before one, as long as it, or the calendar's where it is a whole week, month, quarter or year.
func (p Period) Previous() Period {
	for _, of := range []unit{weekOf, monthOf, quarterOf, yearOf} {
		if whole := of(p.From, 0); whole.From.Equal(p.From) && whole.To.Equal(p.To) {
			return of(p.From, -1)
		}
	}
	days := int(p.To.Sub(p.From).Hours()/24+0.5) + 1
	return Period{From: p.From.AddDate(0, 0, -days), To: p.From.AddDate(0, 0, -1)}
}

// Ago is the same stretch some months before; of a whole month the whole one.
func (p Period) Ago(months int) Period {
	if whole := monthOf(p.From, 0); whole.From.Equal(p.From) && whole.To.Equal(p.To) {
		return monthOf(p.From, -months)
	}
	return Period{From: p.From.AddDate(0, -months, 0), To: p.To.AddDate(0, -months, 0)}
}

// samePeriod: the same days of the week, month or year before, of whatever days stand beside it.
var samePeriod = words.MustCompile(`(?i)(?:去年|上年|上一年)的?(?:同一?时?期|同一?时段|同月|同一?[天日])|上个?月的?同(?:一?时?期|一?时段|一?[天日])|上上?一?个?(?:周|星期|礼拜)的?(?:同一?时?期|同一?时段|同一?[天日])|\b(?:the )?same (?:period|time|month|days?|stretch) (?:of |in |the |from )?last (?:year|month|week)\b|\bthis (?:time|day) last (?:month|week)\b|\bthis time last year\b|\ba year (?:ago|earlier|before)\b`)

// SamePeriod reports whether the words of a date name the same days of an earlier week, month or year.
func SamePeriod(text string) bool { return samePeriod.MatchString(text) }

// Same is the period that such words name of p, up to now where p is not over.
func (p Period) Same(text string, now time.Time) Period {
	if today := Day(now); p.To.After(today) && !p.From.After(today) {
		p.To = today
	}
	if lastWeek.MatchString(text) {
		days := words.Either(strings.HasPrefix(text, "上上"), -14, -7)
		return Period{From: p.From.AddDate(0, 0, days), To: p.To.AddDate(0, 0, days)}
	}
	if lastMonth.MatchString(text) {
		return p.Ago(1)
	}
	return p.Ago(12)
}

var (
	lastMonth = words.MustCompile(`(?i)上个?月|last month`)
	lastWeek  = words.MustCompile(`(?i)周|星期|礼拜|last week`)
	// sameDay: of one day, which with no other beside it is today.
	sameDay = words.MustCompile(`(?i)同一?[天日]|\bday\b`)
)

// InDays writes a stretch of time for a parameter that takes words.
func (p Period) InDays(lang string) string {
	switch {
	case p.Until:
		return words.Say(lang, "截至 ", "until ") + p.To.Format(time.DateOnly)
	case p.From.Equal(p.To):
		return p.From.Format(time.DateOnly)
	}
	return p.From.Format(time.DateOnly) + words.Say(lang, " 至 ", " to ") + p.To.Format(time.DateOnly)
}

// Days counts both ends.
func (p Period) Days() int { return int(p.To.Sub(p.From).Hours()/24+0.5) + 1 }

// String shows the period for thoughts.
func (p Period) String() string {
	switch {
	case p.Until:
		return "– " + p.To.Format(time.DateOnly)
	case p.From.Equal(p.To):
		return p.From.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s – %s", p.From.Format(time.DateOnly), p.To.Format(time.DateOnly))
}

// spanRules read days of a month that is named once, before all other dates are read: its first day alone would be another stretch.
var spanRules = []dateRule{
	{words.MustCompile(`(?:(\d{4})年)?(\d{1,2}|[一二三四五六七八九十]{1,2})月(\d{1,2}|[一二三四五六七八九十]{1,3})[日号]?\s*(?:到|至|—|–|-|~)\s*(\d{1,2}|[一二三四五六七八九十]{1,3})[日号]`), func(m []string, now time.Time) (Period, bool) {
		return daysOf(m[1], m[2], m[3], m[4], now)
	}, true},
	{words.MustCompile(`(?i)\b` + monthWords + `\.?\s+(\d{1,2})(?:st|nd|rd|th)?\s*(?:to|until|till|through|—|–|-)\s*(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?:\s*,?\s*(\d{4}))?\b`), func(m []string, now time.Time) (Period, bool) {
		return daysOf(m[4], strconv.Itoa(MonthNumber(m[1])), m[2], m[3], now)
	}, true},
	{words.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?\s*(?:to|until|till|through|—|–|-)\s*(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?` + monthWords + `\.?(?:\s*,?\s*(\d{4}))?\b`), func(m []string, now time.Time) (Period, bool) {
		return daysOf(m[4], strconv.Itoa(MonthNumber(m[3])), m[1], m[2], now)
	}, true},
}

// daysOf reads days of one month, of which it is named once: 11月10日到15日, November 10 to 15. Without a year it is that of now.
func daysOf(year, month, from, to string, now time.Time) (Period, bool) {
	if year == "" {
		year = strconv.Itoa(now.Year())
	}
	a, ok1 := ymd(year, month, from, now)
	b, ok2 := ymd(year, month, to, now)
	return Period{From: a.From, To: b.To}, ok1 && ok2 && !b.To.Before(a.From)
}
