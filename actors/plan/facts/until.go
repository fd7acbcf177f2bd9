package facts

import (
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Stretches of which one end is said: orders before May, 昨天之前的订单, older than three days, after the 20th. To read such an end for the day itself
// would do something to other things than were named.

var (
	// excludedEnd and includedEnd stand before a date that ends a stretch, without and with that day itself, those in Han behind it.
	excludedEnd    = words.MustCompile(`(?i)(?:\b(?:before|prior to|earlier than|older than)(?: the)?|早于)\s*$`)
	excludedEndHan = words.MustCompile(`^(?:之前|以前|前)`)
	includedEnd    = words.MustCompile(`(?i)(?:\b(?:until|till|up to|up until|as of|no later than|not later than|not after|on or before|before or on)(?: the)?|截[至止]到?|不晚于|不迟于)\s*$`)
	includedEndHan = words.MustCompile(`^(?:为止|及(?:以前|之前))`)
	// includedBegin stands before a date that begins a stretch, with that day: what is denied of its end.
	includedBegin = words.MustCompile(`(?i)(?:\b(?:no earlier than|not earlier than|no sooner than|not before|not until|on or after)(?: the)?|不早于)\s*$`)
	// denied stands before what is older than something, which then is not: no more than 3 days old, 不超过30天前.
	denied = words.MustCompile(`(?i)(?:\b(?:no|not|never)|n['’]t|[不没未别])\s*$`)
	// otherFront are words that begin as 前: 11月20日前往上海.
	otherFront = words.MustCompile(`^前[后台往面端途夕景方]`)
	// eitherEnd stands between two stretches of which each has one end: together they are none.
	eitherEnd = words.MustCompile(`(?i)^(?:以来|之后|以后|起)?\s*(?:和|或者?|以及|还有|、|\bor\b|\band\b)`)
	// excludedBegin stands before a date that begins a stretch without that day.
	excludedBegin = words.MustCompile(`(?i)(?:\b(?:after|later than)(?: the)?|晚于)\s*$`)
	nothing       = words.MustCompile(`[^\s\S]`)
	// betweenEnds stands between the beginning and the end of one stretch: since May 1 and before June 1, 5月1日之后6月1日之前.
	betweenEnds = words.MustCompile(`(?i)^(?:以来|之后|以后|起)?[\s,，、]*(?:(?:and|but|并且|而且|且)\s*)?在?$`)
	// spanBefore and spanBeforeHan are so much time before a date: the week before November 11, 双十一之前一周.
	spanBefore    = words.MustCompile(`(?i)\b(?:the |in the |during the )?(?:last |past )?(?:(\d{1,3}|one|two|three|four|five|six|seven|ten|fourteen|thirty) )?(day|week|month)s? (?:before|prior to|ahead of|leading up to)(?: the)?\s*$`)
	spanBeforeHan = words.MustCompile(`^(?:之前|以前|前)的?(` + words.HanNumber + `)(天|个?周|个?星期|个月)`)
	// elapsed is a time ago, or what is older than that. Of 月 and 年 only what is counted: 5月前 is before May.
	elapsed = words.MustCompile(`(?i)(早于|超过)?(` + words.HanNumber + `)(天|个?周|个?星期|个?礼拜|个月|个?季度|年)(以前|之前|前)|\b((?:more|longer) than |over |older than |earlier than |before )?(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty) (day|week|month|quarter|year)s?( ago| old)?\b`)
)

// ago reads how long ago something was, and what is older than that; m is of [elapsed]. A day is that day, a week or month the whole of it.
func ago(m []string, now time.Time) (p Period, ok bool) {
	number, unit, beyond := m[2], strings.TrimPrefix(m[3], "个"), m[1] != "" || m[4] == "以前" || m[4] == "之前"
	if number == "" {
		number, unit, beyond = strings.ToLower(m[6]), strings.ToLower(m[7]), m[5] != ""
		if m[8] == "" && !strings.EqualFold(m[5], "older than ") || strings.EqualFold(m[8], " old") && !beyond { // 3 days, a day: no time ago
			return p, false
		}
	}
	n, ok := words.Number(number)
	if slices.Contains([]string{"a", "an", "one"}, number) {
		n, ok = 1, true
	}
	if !ok || n < 1 || n > 366 || unit == "年" && n > 50 { // 2025年前 is before that year
		return p, false
	}
	day := Day(now)
	switch unit {
	case "天", "day":
		day = day.AddDate(0, 0, -n)
		p = Period{From: day, To: day}
	case "周", "星期", "礼拜", "week":
		day, p = day.AddDate(0, 0, -7*n), weekOf(now, -n)
	case "月", "month":
		day, p = day.AddDate(0, -n, 0), monthOf(now, -n)
	case "季度", "quarter":
		day, p = day.AddDate(0, -3*n, 0), quarterOf(now, -n)
	default:
		day, p = day.AddDate(-n, 0, 0), yearOf(now, -n)
	}
	if beyond {
		p = Period{To: day.AddDate(0, 0, -1), Until: true}
	}
	return p, true
}

// spanAgo is so much time before a date, as spanBefore and spanBeforeHan read it.
func spanAgo(text string, p Period) Period {
	number, unit := "1", ""
	if m := spanBefore.FindStringSubmatch(spanLead.FindString(text)); m != nil {
		number, unit = m[1], strings.ToLower(m[2])
	} else if i := spanBehind.FindStringSubmatch(text); i != nil {
		number, unit = i[1], strings.TrimPrefix(i[2], "个")
	}
	n, ok := words.Number(number)
	if !ok || n < 1 || number == "one" {
		n = 1
	}
	to := p.From.AddDate(0, 0, -1)
	switch unit {
	case "day", "天":
		return Period{From: p.From.AddDate(0, 0, -n), To: to}
	case "week", "周", "星期":
		return Period{From: p.From.AddDate(0, 0, -7*n), To: to}
	}
	return Period{From: p.From.AddDate(0, -n, 0), To: to}
}

var (
	spanLead   = words.MustCompile(`(?i)^.*?\b(?:before|prior to|ahead of|leading up to)(?: the)?\s*`)
	spanBehind = words.MustCompile(`(?:之前|以前|前)的?(` + words.HanNumber + `)(天|个?周|个?星期|个月)$`)
)

// bounded turns the dates that only end a stretch, or begin it on the day after, into what they mean, with the words that say so, and makes one of two that
// are its ends. spans and ended tell by their places those that have two ends already.
func bounded(s string, dates []Fact, spans, ended map[int]bool, now time.Time) []Fact {
	var out []Fact
	for _, f := range dates {
		if n := len(out); n > 0 && f.Start < out[n-1].End { // 前3天 of 11日前3天
			continue
		}
		if p := f.Value.(Period); !spans[f.Start] && !ended[f.Start] && !p.Until && !looksAhead(s, f.Start, f.End) { // what shall be done before Friday may be done on any day until then
			lead, rest := words.Before(s, f.Start), s[f.End:]
			start, end := f.Start, f.End
			said := func(before, behind *words.Pattern) bool {
				if m := before.FindString(lead); m != "" {
					start -= len(m)
					return true
				}
				m := behind.FindString(rest)
				if m == "前" && otherFront.MatchString(rest) {
					return false
				}
				end += len(m)
				return m != ""
			}
			switch {
			case said(includedBegin, nothing):
				p = Period{From: p.From, To: Day(now), Open: true}
			case said(spanBefore, spanBeforeHan):
				p = spanAgo(s[start:end], p)
			case said(includedEnd, includedEndHan):
				p = Period{To: p.To, Until: true}
			case said(excludedEnd, excludedEndHan):
				if next := p.From.AddDate(1, 0, 0); namesMonth.MatchString(f.Text) && !writtenYear.MatchString(f.Text) && next.Sub(now) < now.Sub(p.From) { // of a day without a year the nearest one ends it
					p.From = next
				}
				p = Period{To: p.From.AddDate(0, 0, -1), Until: true}
			case p.To.Before(Day(now)) && said(excludedBegin, nothing):
				p = Period{From: p.To.AddDate(0, 0, 1), To: Day(now), Open: true}
			}
			f = Fact{Kind: f.Kind, Text: s[start:end], Value: p, Start: start, End: end, From: f.From}
		}
		p := f.Value.(Period)
		if m := denied.FindString(words.Before(s, f.Start)); p.Until && m != "" && f.Text == s[f.Start:f.End] && elapsed.MatchString(f.Text) {
			p = Period{From: p.To.AddDate(0, 0, 1), To: Day(now), Open: true}
			f = Fact{Kind: f.Kind, Text: s[f.Start-len(m) : f.End], Value: p, Start: f.Start - len(m), End: f.End, From: f.From}
		}
		if n := len(out); n > 0 && p.Open {
			if last := &out[n-1]; last.Kind == Date && last.Value.(Period).Until && eitherEnd.MatchString(s[last.End:f.Start]) { // before the 10th and after the 12th
				last.Kind, last.Value = Unread, last.Text
				f.Kind, f.Value = Unread, f.Text
				out = append(out, f)
				continue
			}
		}
		if n := len(out); n > 0 && p.Until && out[n-1].Kind == Date {
			if last := &out[n-1]; last.Value.(Period).Open && betweenEnds.MatchString(s[last.End:f.Start]) {
				last.Value = Period{From: last.Value.(Period).From, To: p.To}
				last.Text, last.End = s[last.Start:f.End], f.End
				continue
			}
		}
		out = append(out, f)
	}
	return out
}
