package table

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// stretch is a time that a question names: from is of it, to is not. A month without a year is only its month.
type stretch struct {
	from, to   time.Time
	month      int  // 1 to 12, of any year; 0: from and to say it
	anyYear    bool // no year was said: from and to are of this one until [settled] says otherwise
	start, end int  // bytes in the question
	grain      grain
}

var english = map[string]int{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}

var (
	reDay     = regexp.MustCompile(`(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?`)
	reQuarter = regexp.MustCompile(`(\d{4})\s*年?\s*第?\s*([一二三四1-4])\s*季度?|\b(\d{4})[- ]?q([1-4])\b|\bq([1-4])[ ,]*(?:of )?(\d{4})\b|第?([一二三四1-4])季度|\bq([1-4])\b|\b(first|second|third|fourth) quarter(?: of (\d{4}))?\b`)
	reHalf    = regexp.MustCompile(`(?:(\d{4})\s*年?\s*|(今年|去年|前年)的?)?(上|下)半年|\bh([12])\b(?:[ ,]*(?:of )?(\d{4})\b)?|\b(\d{4})[- ]?h([12])\b|\b(first|second) half(?: of (\d{4}))?\b`)
	// reYearOf is a month or a quarter of a year that is counted from this one.
	reYearOf = regexp.MustCompile(`(今年|去年|前年)的?\s*(?:第?([一二三四1-4])季度?|([0-9]{1,2}|十[一二]?|[一二三四五六七八九])\s*月份?)|` +
		`\b(?:q([1-4])|(first|second|third|fourth) quarter|(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)) (?:of )?(this|last) year\b`)
	reMonth    = regexp.MustCompile(`(\d{4})\s*(?:年\s*(\d{1,2})\s*月份?|[-/](\d{1,2})\b)`)
	reMonthDay = regexp.MustCompile(`(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]`)
	reNamed    = regexp.MustCompile(`\b(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?(?:\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?|,?\s+(\d{4}))?`)
	// reMay tells the month from the verb.
	reMay      = regexp.MustCompile(`\b(?:in|of|for|since|from|to|by|during|before|after|and|was|did|does|is|than|vs\.?|versus|with|between|why|compare) may\b|\bmay (?:\d{4}|was|vs\.?|versus|and|compared|against|than)\b`)
	reAnyMonth = regexp.MustCompile(`([0-9]{1,2}|十[一二]?|[一二三四五六七八九])\s*月份?`)
	reYear     = regexp.MustCompile(`(19\d\d|20\d\d)\s*年?`)
	reRelative = regexp.MustCompile(`今天|昨天|本周|这周|上周|本月|这个月|上个?月|本季度?|这个季度|上个?季度?|今年|去年|前年|(?:最近|过去|近)\s*(\d+)\s*个?(天|日|周|月|年)|\b(?:today|yesterday)\b|\b(this|last|past) (week|month|quarter|year)\b|\b(?:last|past) (\d+) (day|week|month|year)s?\b`)
	reSince    = regexp.MustCompile(`(?:从|自|\bsince|\bafter|\bfrom|\bstarting(?: in| from)?)\s*$`)
	reAfter    = regexp.MustCompile(`^\s*(?:以后|之后|以来|起|开始|及以后|\bonwards?\b|\band later\b|\bor later\b)`)
	reUntil    = regexp.MustCompile(`(?:截至|直到|\bbefore|\buntil|\bprior to|\bup to)\s*$`)
	reBefore   = regexp.MustCompile(`^\s*(?:以前|之前|前|\bor earlier\b|\band earlier\b)`)
	reTo       = regexp.MustCompile(`^\s*(?:到|至|~|—+|-|\bto\b|\bthrough\b|\buntil\b|\band\b)\s*$`)
)

func atoi(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return numerals[s] + map[string]int{"十一": 11, "十二": 12}[s]
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4}

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

// oneDay is a day that the calendar has; false when it has none of that number.
func oneDay(y, m, d int) (stretch, bool) {
	t := day(y, m, d)
	return stretch{from: t, to: t.AddDate(0, 0, 1), grain: byDay}, int(t.Month()) == m && t.Day() == d
}

// monthsBefore is so many months before a day: that of the same number, or the last of a shorter month.
func monthsBefore(t time.Time, n int) time.Time {
	end := day(t.Year(), int(t.Month())-n+1, 0)
	return end.AddDate(0, 0, min(0, t.Day()-end.Day()))
}

// stretches finds the times in a question, in order. free tells which bytes are still to be read.
func stretches(s string, now time.Time, free func(start, end int) bool) []stretch {
	var out []stretch
	claim := func(st stretch, ok bool) {
		if !ok || !free(st.start, st.end) {
			return
		}
		for _, o := range out {
			if st.start < o.end && o.start < st.end {
				return
			}
		}
		out = append(out, st)
	}
	each := func(re *regexp.Regexp, visit func(m []string) (stretch, bool)) {
		for _, at := range re.FindAllStringSubmatchIndex(s, 20) {
			m := make([]string, len(at)/2)
			for i := range m {
				if at[2*i] >= 0 {
					m[i] = s[at[2*i]:at[2*i+1]]
				}
			}
			st, ok := visit(m)
			st.start, st.end = at[0], at[1]
			claim(st, ok)
		}
	}
	each(reDay, func(m []string) (stretch, bool) {
		return oneDay(atoi(m[1]), atoi(m[2]), atoi(m[3]))
	})
	each(reHalf, func(m []string) (stretch, bool) {
		y, half := atoi(m[1]+m[5]+m[6]+m[9]), max(1, atoi(m[4]+m[7]))
		if m[3] == "下" || m[8] == "second" {
			half = 2
		}
		if m[2] != "" {
			y = now.Year() - map[string]int{"去年": 1, "前年": 2}[m[2]]
		}
		from := day(cmp.Or(y, now.Year()), 6*half-5, 1)
		return stretch{from: from, to: from.AddDate(0, 6, 0), grain: byHalf, anyYear: y == 0}, true
	})
	each(reYearOf, func(m []string) (stretch, bool) {
		y := now.Year() - map[string]int{"去年": 1, "前年": 2, "last": 1}[m[1]+m[7]]
		k := atoi(m[3])
		if m[6] != "" {
			k = english[m[6][:3]]
		}
		if q := atoi(m[2]+m[4]) + ordinals[m[5]]; q > 0 {
			from := day(y, 3*q-2, 1)
			return stretch{from: from, to: from.AddDate(0, 3, 0), grain: byQuarter}, true
		}
		from := day(y, k, 1)
		return stretch{from: from, to: from.AddDate(0, 1, 0), grain: byMonth}, k >= 1 && k <= 12
	})
	each(reQuarter, func(m []string) (stretch, bool) {
		q, y := atoi(m[2]+m[4]+m[5]+m[7]+m[8])+ordinals[m[9]], atoi(m[1]+m[3]+m[6]+m[10])
		from := day(cmp.Or(y, now.Year()), 3*q-2, 1)
		return stretch{from: from, to: from.AddDate(0, 3, 0), grain: byQuarter, anyYear: y == 0}, q >= 1 && q <= 4
	})
	each(reMonth, func(m []string) (stretch, bool) {
		k := atoi(m[2] + m[3])
		from := day(atoi(m[1]), k, 1)
		return stretch{from: from, to: from.AddDate(0, 1, 0), grain: byMonth}, k >= 1 && k <= 12 && atoi(m[1]) > 1900
	})
	each(reNamed, func(m []string) (stretch, bool) {
		k := english[m[1][:3]]
		if y := m[4] + m[3]; y != "" {
			if m[2] != "" {
				return oneDay(atoi(y), k, atoi(m[2]))
			}
			from := day(atoi(y), k, 1)
			return stretch{from: from, to: from.AddDate(0, 1, 0), grain: byMonth}, true
		}
		if m[2] != "" {
			return oneDay(now.Year(), k, atoi(m[2]))
		}
		return stretch{month: k, grain: byMonth}, m[1] != "may" || reMay.MatchString(s)
	})
	each(reMonthDay, func(m []string) (stretch, bool) {
		return oneDay(now.Year(), atoi(m[1]), atoi(m[2]))
	})
	each(reRelative, func(m []string) (stretch, bool) { return relative(m, now) })
	each(reAnyMonth, func(m []string) (stretch, bool) {
		k := atoi(m[1])
		return stretch{month: k, grain: byMonth}, k >= 1 && k <= 12
	})
	each(reYear, func(m []string) (stretch, bool) {
		from := day(atoi(m[1]), 1, 1)
		return stretch{from: from, to: from.AddDate(1, 0, 0), grain: byYear}, true
	})
	for i := range out { // in their order
		for j := i; j > 0 && out[j].start < out[j-1].start; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func relative(m []string, now time.Time) (stretch, bool) {
	today := day(now.Year(), int(now.Month()), now.Day())
	week := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	month, year := day(now.Year(), int(now.Month()), 1), day(now.Year(), 1, 1)
	span := func(from time.Time, y, mo, d int, g grain) (stretch, bool) {
		return stretch{from: from, to: from.AddDate(y, mo, d), grain: g}, true
	}
	which, unit := m[3], m[4]
	switch m[0] {
	case "今天", "today":
		return span(today, 0, 0, 1, byDay)
	case "昨天", "yesterday":
		return span(today.AddDate(0, 0, -1), 0, 0, 1, byDay)
	case "本周", "这周":
		which, unit = "this", "week"
	case "上周":
		which, unit = "last", "week"
	case "本月", "这个月":
		which, unit = "this", "month"
	case "上个月", "上月":
		which, unit = "last", "month"
	case "本季", "本季度", "这个季度":
		which, unit = "this", "quarter"
	case "上季", "上季度", "上个季度", "上个季":
		which, unit = "last", "quarter"
	case "今年":
		which, unit = "this", "year"
	case "去年":
		which, unit = "last", "year"
	case "前年":
		return span(year.AddDate(-2, 0, 0), 1, 0, 0, byYear)
	}
	if which != "" {
		back := 0
		if which != "this" {
			back = -1
		}
		switch unit {
		case "week":
			return span(week.AddDate(0, 0, 7*back), 0, 0, 7, byWeek)
		case "month":
			return span(month.AddDate(0, back, 0), 0, 1, 0, byMonth)
		case "quarter":
			return span(begin(month, byQuarter).AddDate(0, 3*back, 0), 0, 3, 0, byQuarter)
		}
		return span(year.AddDate(back, 0, 0), 1, 0, 0, byYear)
	}
	n := atoi(m[1] + m[5])
	if n < 1 || n > 10_000 {
		return stretch{}, false
	}
	to := today.AddDate(0, 0, 1)
	switch m[2] + m[6] {
	case "天", "日", "day":
		return stretch{from: to.AddDate(0, 0, -n), to: to, grain: byDay}, true
	case "周", "week":
		return stretch{from: to.AddDate(0, 0, -7*n), to: to, grain: byDay}, true
	case "月", "month":
		return stretch{from: monthsBefore(to, n), to: to, grain: byDay}, true
	}
	return stretch{from: monthsBefore(to, 12*n), to: to, grain: byDay}, true
}

// timeFilters are the conditions that the times of a question put on a column of times, or of years.
func timeFilters(s string, found []stretch, c *Column, use func(start, end int)) []filter {
	if len(found) == 0 {
		return nil
	}
	form := func(t time.Time) string { return instant{t: t}.text(min(max(c.grain, byDay), byMonth)) }
	q := quoted(c.Name)
	inYears := c.kind != timeKind
	var parts []string
	var zh, en []string
	for i := 0; i < len(found); i++ {
		st := found[i]
		use(st.start, st.end)
		before, after := s[:st.start], s[st.end:]
		if i+1 < len(found) && (st.month == 0) == (found[i+1].month == 0) {
			between := s[st.end:found[i+1].start]
			if m := reTo.FindString(between); m != "" && (strings.TrimSpace(m) != "and" || strings.Contains(before, "between")) {
				use(st.end, found[i+1].start)
				if at := reSince.FindStringIndex(before); at != nil {
					use(at[0], at[1])
				}
				if at := strings.LastIndex(before, "between"); at >= 0 {
					use(at, at+len("between"))
				}
				next := found[i+1]
				use(next.start, next.end)
				i++
				if st.month > 0 {
					among := fmt.Sprintf("BETWEEN '%02d' AND '%02d'", st.month, next.month)
					if st.month > next.month { // over the end of a year
						among = fmt.Sprintf("NOT BETWEEN '%02d' AND '%02d'", next.month+1, st.month-1)
					}
					parts = append(parts, "substr("+q+", 6, 2) "+among)
					zh, en = append(zh, fmt.Sprintf("%d 月到 %d 月", st.month, next.month)), append(en, time.Month(st.month).String()+" to "+time.Month(next.month).String())
					continue
				}
				st = stretch{from: st.from, to: next.to, grain: st.grain}
				if inYears {
					parts = append(parts, fmt.Sprintf("%s BETWEEN %d AND %d", q, st.from.Year(), st.to.AddDate(0, 0, -1).Year()))
				} else {
					parts = append(parts, fmt.Sprintf("(%s >= %s AND %s < %s)", q, literal(form(st.from)), q, literal(form(st.to))))
				}
				last := st.to.AddDate(0, 0, -1).Format(time.DateOnly)
				zh, en = append(zh, st.from.Format(time.DateOnly)+" 至 "+last), append(en, st.from.Format(time.DateOnly)+" to "+last)
				continue
			}
		}
		switch {
		case inYears:
			op := "="
			if at := reSince.FindStringIndex(before); at != nil {
				op = ">="
				use(at[0], at[1])
			} else if at := reUntil.FindStringIndex(before); at != nil {
				op = "<"
				use(at[0], at[1])
			}
			parts = append(parts, fmt.Sprintf("%s %s %d", q, op, st.from.Year()))
			zh, en = append(zh, fmt.Sprintf("%s %d", op, st.from.Year())), append(en, fmt.Sprintf("%s %d", op, st.from.Year()))
		default:
			var op string
			switch {
			case reAfter.MatchString(after):
				op = ">="
				at := reAfter.FindStringIndex(after)
				use(st.end+at[0], st.end+at[1])
			case reBefore.MatchString(after):
				op = "<"
				at := reBefore.FindStringIndex(after)
				use(st.end+at[0], st.end+at[1])
			case reSince.MatchString(before):
				op = ">="
				at := reSince.FindStringIndex(before)
				if strings.Contains(before[at[0]:], "after") {
					op = ">"
				}
				use(at[0], at[1])
			case reUntil.MatchString(before):
				op = "<"
				at := reUntil.FindStringIndex(before)
				if strings.Contains(before[at[0]:], "截至") || strings.Contains(before[at[0]:], "直到") || strings.Contains(before[at[0]:], "up to") || strings.Contains(before[at[0]:], "until") {
					op = "<="
				}
				use(at[0], at[1])
			}
			name := st.name()
			if st.month > 0 { // of any year
				op = cmp.Or(op, "=")
				parts = append(parts, fmt.Sprintf("substr(%s, 6, 2) %s '%02d'", q, op, st.month))
				zh, en = append(zh, monthWords[op].zh+fmt.Sprintf("%d 月", st.month)), append(en, monthWords[op].en+time.Month(st.month).String())
				continue
			}
			switch op {
			case ">=":
				parts = append(parts, q+" >= "+literal(form(st.from)))
				zh, en = append(zh, name+" 起"), append(en, "since "+name)
			case ">":
				parts = append(parts, q+" >= "+literal(form(st.to)))
				zh, en = append(zh, name+" 之后"), append(en, "after "+name)
			case "<":
				parts = append(parts, q+" < "+literal(form(st.from)))
				zh, en = append(zh, name+" 之前"), append(en, "before "+name)
			case "<=":
				parts = append(parts, q+" < "+literal(form(st.to)))
				zh, en = append(zh, "截至 "+name), append(en, "up to "+name)
			default:
				parts = append(parts, fmt.Sprintf("(%s >= %s AND %s < %s)", q, literal(form(st.from)), q, literal(form(st.to))))
				zh, en = append(zh, name), append(en, name)
			}
		}
	}
	text := strings.Join(parts, " OR ")
	if len(parts) > 1 {
		text = "(" + text + ")"
	}
	return []filter{{column: c, sql: text, at: [2]int{found[0].start, found[len(found)-1].end}, said: remark{c.Name + " " + strings.Join(zh, "或 "), c.Name + " in " + strings.Join(en, " or ")}}}
}

// monthWords say how a month without a year limits.
var monthWords = map[string]remark{"=": {"", ""}, ">=": {"不早于 ", "not before "}, ">": {"晚于 ", "after "}, "<": {"早于 ", "before "}, "<=": {"不晚于 ", "not after "}}

func (st stretch) name() string {
	switch {
	case st.grain == byYear && st.from.AddDate(1, 0, 0).Equal(st.to):
		return st.from.Format("2006")
	case (st.grain == byQuarter || st.grain == byHalf) && st.from.Equal(begin(st.from, st.grain)) && st.to.Equal(next(st.from, st.grain)):
		return periodName(st.from, st.grain)
	case st.from.AddDate(0, 1, 0).Equal(st.to) && st.from.Day() == 1:
		return st.from.Format("2006-01")
	case st.from.AddDate(0, 0, 1).Equal(st.to):
		return st.from.Format(time.DateOnly)
	}
	return st.from.Format(time.DateOnly) + "…" + st.to.AddDate(0, 0, -1).Format(time.DateOnly)
}
