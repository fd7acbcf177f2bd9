package facts

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Two stretches of time compared: the same tool is called for each, and the answer says by how much its figures differ. The second one is said (本月比上月), left
// out ("this week vs last"), or follows from a word (环比, year on year).

var (
	// CompareWord: of two periods the figures are to be held against each other.
	CompareWord = words.MustCompile(`(?i)对比|相比|比较|比一比|差[多几了异距]|变化|[和跟与同][^，。；,;]{0,8}比(?:起来|一下)?|\b(?:compar(?:e|ed|ing|ison)|versus|vs|differences?|against)\b`)
	// BeforeIt: the one before, without its name.
	BeforeIt = words.MustCompile(`(?i)(?:\b(?:compared? (?:to|with)|than|versus|vs\.?|against)\s+(?:the )?(?:(?:one|day|week|month|quarter|year|period|time) before(?: (?:that|it))?|(?:last|previous|prior)(?: one| period)?)\b|(?:比|较|对比|相比)(?:上|前)一?期)`)
)

// Period is a span of days, both ends included. A single day has From == To.
type Period struct {
	From, To time.Time
	// Open: only the beginning was said ("since May").
	Open bool
	// Until: only the end was said ("before May"); From is the zero time.
	Until bool
}

// Day is midnight of t in its own location.
func Day(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

func monthOf(t time.Time, add int) Period {
	from := time.Date(t.Year(), t.Month()+time.Month(add), 1, 0, 0, 0, 0, t.Location())
	return Period{From: from, To: from.AddDate(0, 1, -1)}
}

func weekOf(t time.Time, add int) Period {
	back := (int(t.Weekday()) + 6) % 7 // the week begins on Monday (ISO 8601)
	from := Day(t).AddDate(0, 0, 7*add-back)
	return Period{From: from, To: from.AddDate(0, 0, 6)}
}

func quarterOf(t time.Time, add int) Period {
	from := time.Date(t.Year(), (t.Month()-1)/3*3+1+time.Month(3*add), 1, 0, 0, 0, 0, t.Location())
	return Period{From: from, To: from.AddDate(0, 3, -1)}
}

func yearOf(t time.Time, add int) Period {
	from := time.Date(t.Year()+add, 1, 1, 0, 0, 0, 0, t.Location())
	return Period{From: from, To: from.AddDate(1, 0, -1)}
}

// unit is a stretch of calendar time that words such as 上/last move by one.
type unit func(t time.Time, add int) Period

var units = map[string]unit{
	"week": weekOf, "month": monthOf, "quarter": quarterOf, "year": yearOf,
	"周": weekOf, "星期": weekOf, "礼拜": weekOf, "月": monthOf, "月份": monthOf, "季度": quarterOf, "季": quarterOf, "年": yearOf,
}

// dateRule reads one way of saying a date.
type dateRule struct {
	re   *words.Pattern
	read func(m []string, now time.Time) (Period, bool)
	// yearless: the text names no year, so the nearest such time is meant, see [near].
	yearless bool
}

const weekdays = `(monday|tuesday|wednesday|thursday|friday|saturday|sunday)`

// onWeekday names no week.
var onWeekday = words.MustCompile(`(?i)^on ` + weekdays + `$`)

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

const monthWords = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

// dateRules in order of precedence: a text that an earlier rule has read is not read again.
var dateRules = []dateRule{
	{words.MustCompile(`(?:(\d{4})年|(去年|今年))?(\d{1,2}|[一二三四五六七八九十]{1,2}|上个?|本|这个?|当)月份?的?(上半月|下半月|上半个月|下半个月|上旬|中旬|下旬)|(?i:\b(?:the )?(first|second|1st|2nd) half of ` + monthWords + `\b(?:,? (\d{4})\b)?)`), partOfMonth, false},
	{words.MustCompile(`(?i)(?:(\d{4})年|(前年|去年|今年|本年|明年))?的?(?:第\s?([一二三四1-4])个?季度?|([一二三四])季度|\bq([1-4])\b)(?:[, ]+(?:of )?(\d{4})\b)?|\b(first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: of)?(?: (\d{4}|last year|this year))?\b`), quarterNamed, false},
	{words.MustCompile(`(?i)(?:(\d{4})年|(前年|去年|今年|本年|明年))?的?(上|下)半年|\b(first|second|1st|2nd) half(?: of)?(?: the year)?(?:,? (\d{4}|last year|this year)\b)?|\bh([12])\b(?:[, ]+(\d{4})\b)?`), halfNamed, false},
	{samePeriod, func(m []string, now time.Time) (Period, bool) { // with no other days beside it: of today, or of this week or month so far
		switch {
		case sameDay.MatchString(m[0]):
			return Period{From: Day(now), To: Day(now)}.Same(m[0], now), true
		case lastWeek.MatchString(m[0]):
			return weekOf(now, 0).Same(m[0], now), true
		}
		return monthOf(now, 0).Same(m[0], now), true
	}, false},
	{words.MustCompile(`(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*(?:[日号](?:当[天日])?)?`), func(m []string, now time.Time) (Period, bool) {
		return ymd(m[1], m[2], m[3], now)
	}, false},
	{words.MustCompile(`(\d{4})\s*年\s*(\d{1,2})\s*月份?`), func(m []string, now time.Time) (Period, bool) {
		return ym(m[1], m[2], now)
	}, false},
	{words.MustCompile(`\b(\d{4})-(0[1-9]|1[0-2])\b`), func(m []string, now time.Time) (Period, bool) {
		return ym(m[1], m[2], now)
	}, false},
	{words.MustCompile(`(\d{1,2}|[一二三四五六七八九十]{1,2})月(\d{1,2}|[一二三四五六七八九十]{1,3})[日号](?:当[天日])?`), func(m []string, now time.Time) (Period, bool) {
		return ymd(strconv.Itoa(now.Year()), m[1], m[2], now)
	}, true},
	{words.MustCompile(`(?i)\b` + monthWords + `\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:\s*,?\s*(\d{4}))?\b`), func(m []string, now time.Time) (Period, bool) {
		return named(m[1], m[2], m[3], now)
	}, true},
	{words.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?` + monthWords + `\.?(?:\s*,?\s*(\d{4}))?\b`), func(m []string, now time.Time) (Period, bool) {
		return named(m[2], m[1], m[3], now)
	}, true},
	{words.MustCompile(`(?i)\b` + monthWords + `,?\s+(?:of\s+)?(\d{4}|last year|this year)\b`), func(m []string, now time.Time) (Period, bool) {
		return partOfYear(MonthNumber(m[1]), 1, "", m[2], now)
	}, false},
	{words.MustCompile(`(最近|近|过去|前|未来|接下来|今后|后)的?(` + words.HanNumber + `)个?(天|日|周|星期|礼拜|月|季度|年)`), func(m []string, now time.Time) (Period, bool) {
		n, ok := words.Number(m[2])
		return stretch(n, m[3], strings.Contains("未来接下来今后", m[1]) || m[1] == "后", now), ok
	}, false},
	{words.MustCompile(`(?i)\b(last|past|previous|next|coming|following)\s+(\d{1,3}|two|three|four|five|six|seven|ten|twelve|thirty)\s+(day|week|month|quarter|year)s?\b`), func(m []string, now time.Time) (Period, bool) {
		n, ok := words.Number(m[2])
		return stretch(n, strings.ToLower(m[3]), strings.Contains("next coming following", strings.ToLower(m[1])), now), ok
	}, false},
	{feastOf, feastOfYear, false},
	{words.MustCompile(`(?:` + feastHan + `)([当那这][天日])?|(?i:` + feastEng + `)`), feast, true},
	{words.MustCompile(`(大前天|前天|昨天|昨日|昨儿个?|今天|今日|今儿个?|当天|当日|明天|明日|明儿个?|后天|大后天)`), func(m []string, now time.Time) (Period, bool) {
		add := map[string]int{"大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨儿": -1, "昨儿个": -1, "明天": 1, "明日": 1, "明儿": 1, "明儿个": 1, "后天": 2, "大后天": 3}[m[1]]
		d := Day(now).AddDate(0, 0, add)
		return Period{From: d, To: d}, true
	}, false},
	{words.MustCompile(`(?i)\b(the day before yesterday|yesterday|today|tonight|tomorrow)\b`), func(m []string, now time.Time) (Period, bool) {
		add := map[string]int{"the day before yesterday": -2, "yesterday": -1, "tomorrow": 1}[strings.ToLower(m[1])]
		d := Day(now).AddDate(0, 0, add)
		return Period{From: d, To: d}, true
	}, false},
	{words.MustCompile(`(上上|下下|上|下|本|这)个?(?:周|星期|礼拜)([一二三四五六日天])`), func(m []string, now time.Time) (Period, bool) {
		add := map[string]int{"上上": -2, "上": -1, "下": 1, "下下": 2}[m[1]]
		d := weekOf(now, add).From.AddDate(0, 0, strings.Index("一二三四五六日", strings.Replace(m[2], "天", "日", 1))/len("一"))
		return Period{From: d, To: d}, true
	}, false},
	{words.MustCompile(`(?i)(上上|下下|上|下|本|这)个?(?:周|星期|礼拜)末|\b(last|past|previous|this|coming|next) weekend\b`), func(m []string, now time.Time) (Period, bool) {
		add := map[string]int{"上上": -2, "上": -1, "下": 1, "下下": 2, "last": -1, "past": -1, "previous": -1, "next": 1}[strings.ToLower(m[1]+m[2])]
		sunday := weekOf(now, add).To
		return Period{From: sunday.AddDate(0, 0, -1), To: sunday}, true
	}, false},
	{words.MustCompile(`(?i)\b(last|next|this|coming|on) ` + weekdays + `\b`), func(m []string, now time.Time) (Period, bool) {
		from, step := Day(now), 1 // the first from today on
		switch strings.ToLower(m[1]) {
		case "last", "on": // the latest before today; "on" of a request that looks ahead is turned by [onWeekday]
			from, step = from.AddDate(0, 0, -1), -1
		case "next":
			from = weekOf(now, 1).From
		}
		for !strings.EqualFold(from.Weekday().String(), m[2]) {
			from = from.AddDate(0, 0, step)
		}
		return Period{From: from, To: from}, true
	}, false},
	{words.MustCompile(`(上上|下下|上一|下一|这一|上|下|本|这|当)个?(周|星期|礼拜|月份|月|季度|季)`), func(m []string, now time.Time) (Period, bool) {
		add := map[string]int{"上上": -2, "上一": -1, "上": -1, "下": 1, "下一": 1, "下下": 2}[m[1]]
		return units[m[2]](now, add), true
	}, false},
	{words.MustCompile(`(前年|去年|今年|本年|明年)(?:的?(\d{1,2}|[一二三四五六七八九十]{1,2})月份?)?`), func(m []string, now time.Time) (Period, bool) {
		add := map[string]int{"前年": -2, "去年": -1, "明年": 1}[m[1]]
		if m[2] != "" {
			return ym(strconv.Itoa(now.Year()+add), m[2], now)
		}
		return yearOf(now, add), true
	}, false},
	{words.MustCompile(`(?i)\b(last|previous|past|this|current|next|coming)\s+(week|month|quarter|year)\b`), func(m []string, now time.Time) (Period, bool) {
		add := map[string]int{"last": -1, "previous": -1, "past": -1, "next": 1, "coming": 1}[strings.ToLower(m[1])]
		return units[strings.ToLower(m[2])](now, add), true
	}, false},
	{words.MustCompile(`(\d{1,2}|十[一二]?|[一二三四五六七八九])月份?`), func(m []string, now time.Time) (Period, bool) {
		return ym(strconv.Itoa(now.Year()), m[1], now)
	}, true},
	{words.MustCompile(`(?i)\b(?:in|of|since|for|during)\s+` + monthWords + `\b`), func(m []string, now time.Time) (Period, bool) {
		return ym(strconv.Itoa(now.Year()), strconv.Itoa(MonthNumber(m[1])), now)
	}, true},
	{words.MustCompile(`\b(?i:(january|february|july|september|october|november|december))\b`), func(m []string, now time.Time) (Period, bool) { // no name of anybody
		return ym(strconv.Itoa(now.Year()), strconv.Itoa(MonthNumber(m[1])), now)
	}, true},
	{words.MustCompile(`(?:^|[^\d])((?:19|20)\d{2})年`), func(m []string, now time.Time) (Period, bool) {
		y, _ := strconv.Atoi(m[1])
		return yearOf(now, y-now.Year()), true
	}, false},
	{elapsed, ago, false},
}

// writtenYear: the text did name a year after all.
var writtenYear = words.MustCompile(`\d{4}`)

// near moves a time told without a year to the latest one that is not in the future, or, looking ahead, to the next one.
func near(p Period, now time.Time, ahead bool) Period {
	years := 0
	switch {
	case !ahead && p.From.After(now):
		years = -1
	case ahead && p.To.Before(Day(now)):
		years = 1
	}
	if p.From.Day() == 1 && p.From.AddDate(0, 1, -1).Equal(p.To) { // a whole month; February has not the same length every year
		return monthOf(p.From.AddDate(years, 0, 0), 0)
	}
	p.From, p.To = p.From.AddDate(years, 0, 0), p.To.AddDate(years, 0, 0)
	return p
}

// namesMonth: a day or month by name or number, with no year and no "last" beside it.
var namesMonth = words.MustCompile(`(?i)^(?:on |in |the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: (?:to|until|-|–) \d{1,2}(?:st|nd|rd|th)?)?(?: of)? )?` + monthWords + `|^\d{1,2}月`)

// Ahead is a fact as one means it who plans: a day that is told without a year or week is the next one, and not the latest.
func Ahead(f Fact, now time.Time) Fact {
	p, ok := f.Value.(Period)
	switch {
	case !ok || f.Kind != Date || !p.To.Before(Day(now)) || writtenYear.MatchString(f.Text):
	case onWeekday.MatchString(f.Text):
		f.Value = Period{From: p.From.AddDate(0, 0, 7), To: p.To.AddDate(0, 0, 7)}
	case namesMonth.MatchString(f.Text):
		f.Value = near(p, now, true)
	}
	return f
}

// joinDates: what stands between two dates that are the ends of one period.
var joinDates = words.MustCompile(`^\s*(?:到|至|—|–|-|~|to|until|till|through|and)\s*$`)

// bothDates: what stands between two dates of which each is meant for itself where they are compared.
var bothDates = words.MustCompile(`^\s*(?:and|to)\s*$`)

// twoMonths: beside another month a word is one, which alone may be a name or a verb: May and June.
var twoMonths = words.MustCompile(`(?i)\b` + monthWords + `\s*(?:and|or|vs\.?|versus|with|to|than|against|compare[sd]? (?:to|with|against))\s+` + monthWords + `\b`)

// sinceDate: what stands after or before a date that only begins a period.
var sinceDate = words.MustCompile(`(?i)^(?:以来|至今|起|之后|以后|到现在|到今天)`)
var sinceBefore = words.MustCompile(`(?i)(?:since|from|自从|自|从)\s*$`)

// sinceWithin: a date whose own words begin a period.
var sinceWithin = words.MustCompile(`(?i)^since\b`)

// fromWhen: what is from such a time is of it: orders from last month.
var (
	fromWord = words.MustCompile(`(?i)\bfrom\s*$`)
	ofWhen   = words.MustCompile(`(?i)^(?:last|previous|past|this|current|yesterday|today|the day before)\b|ago$`)
)

// thisWeek is a day or the weekend of this week; of one that is still to come nothing can be told as done, so that the one of the week before is taken where
// a text speaks in the past ([LastInstead]): 本周末卖了多少, asked on a Monday.
var (
	thisWeek   = words.MustCompile(`(?i)^(?:本|这)个?(?:周|星期|礼拜)[末一二三四五六日天]|^this weekend`)
	spokenPast = words.MustCompile(`(?i)[卖下发退赚花付买收出成]了|过(?:多少|几)|(?:怎么样|如何)了|\b(?:did|was|were|sold|earned|made|went|came|had)\b|\bhave (?:we|i|they) \w+(?:ed|ld|de|nt)\b`)
)

// LastInstead reports whether a date is of the week before, though its words say this week.
func LastInstead(f Fact, now time.Time) bool {
	p, ok := f.Value.(Period)
	return ok && f.Kind == Date && thisWeek.MatchString(f.Text) && p.To.Before(weekOf(now, 0).From)
}

// dates reads all dates of a text relative to now, in order, ends of periods joined.
func dates(s string, now time.Time) []Fact {
	var out []Fact
	taken := make([]bool, len(s)+1)
	spans := map[int]bool{} // where stretches begin whose end stands in their own words
	for i, rule := range slices.Concat(spanRules, dateRules) {
		for _, loc := range rule.re.FindAllStringSubmatchIndex(s, 50) {
			if taken[loc[0]] || taken[loc[1]-1] || strings.HasSuffix(s[loc[0]:loc[1]], "周日") && strings.HasPrefix(s[loc[1]:], "均") { // 上周日均 is the mean a day of last week
				continue
			}
			if after := strings.HasSuffix(words.Before(s, loc[0]), "一"); after && strings.HasPrefix(s[loc[0]:], "下下") { // 看一下下周的: of 一下, and not 下下周
				loc[0] += len("下")
				loc[2] = max(loc[2], loc[0])
			}
			m := make([]string, len(loc)/2)
			for i := range m {
				if loc[2*i] >= 0 {
					m[i] = s[loc[2*i]:loc[2*i+1]]
				}
			}
			p, ok := rule.read(m, now)
			if !ok {
				continue
			}
			if rule.yearless && !writtenYear.MatchString(m[0]) {
				p = near(p, now, looksAhead(s, loc[0], loc[1]))
			}
			if onWeekday.MatchString(m[0]) && looksAhead(s, loc[0], loc[1]) { // the next such day, not the latest
				p.From, p.To = p.From.AddDate(0, 0, 7), p.To.AddDate(0, 0, 7)
			}
			if q := p.From.AddDate(0, 0, -7); thisWeek.MatchString(m[0]) && p.From.After(now) && spokenPast.MatchString(s) {
				p = Period{From: q, To: p.To.AddDate(0, 0, -7)}
			}
			spans[loc[0]] = i < len(spanRules)
			for i := loc[0]; i < loc[1]; i++ {
				taken[i] = true
			}
			out = append(out, Fact{Kind: Date, Text: s[loc[0]:loc[1]], Value: p, Start: loc[0], End: loc[1]})
		}
	}
	for _, loc := range twoMonths.FindAllStringSubmatchIndex(s, 10) {
		for i := 2; i < len(loc); i += 2 {
			p, ok := ym(strconv.Itoa(now.Year()), strconv.Itoa(MonthNumber(s[loc[i]:loc[i+1]])), now)
			if ok && !taken[loc[i]] {
				out = append(out, Fact{Kind: Date, Text: s[loc[i]:loc[i+1]], Value: near(p, now, looksAhead(s, loc[i], loc[i+1])), Start: loc[i], End: loc[i+1]})
			}
		}
	}
	ByPlace(out)
	apart := CompareWord.MatchString(s)
	var joined []Fact
	ended := map[int]bool{} // where the periods begin whose end was said
	for _, f := range out {
		if n := len(joined); n > 0 && !(apart && !heldAgainst(s, joined) && bothDates.MatchString(s[joined[n-1].End:f.Start])) && joinDates.MatchString(s[joined[n-1].End:f.Start]) && !f.Value.(Period).From.Before(joined[n-1].Value.(Period).From) {
			last := &joined[n-1]
			last.Value = Period{From: last.Value.(Period).From, To: f.Value.(Period).To}
			last.Text, last.End = s[last.Start:f.End], f.End
			ended[last.Start] = true
			continue
		}
		joined = append(joined, f)
	}
	for i := range joined {
		p := joined[i].Value.(Period)
		lead, text := words.Before(s, joined[i].Start), joined[i].Text
		begins := sinceWithin.MatchString(text) || sinceBefore.MatchString(lead) && !strings.HasPrefix(text, "最近") && !(fromWord.MatchString(lead) && ofWhen.MatchString(text))
		if !ended[joined[i].Start] && !spans[joined[i].Start] && (begins || sinceDate.MatchString(s[joined[i].End:])) {
			if p.From.Before(now) && p.To.Before(now) {
				p.To, p.Open = Day(now), true
			}
		}
		joined[i].Value = p
	}
	return bounded(s, joined, spans, ended, now)
}

// heldAgainst reports whether the last of several dates follows a word of comparison: in October compared with 1 May to 9 June it begins a stretch.
func heldAgainst(s string, dates []Fact) bool {
	return len(dates) > 1 && beforeCompare.MatchString(words.Before(s, dates[len(dates)-1].Start))
}

// stretch is n units up to today, or from tomorrow on.
func stretch(n int, u string, ahead bool, now time.Time) Period {
	n = min(max(n, 1), 3660)
	y, m, d := 0, 0, 0
	switch u {
	case "天", "日", "day":
		d = n
	case "周", "星期", "礼拜", "week":
		d = 7 * n
	case "月", "month":
		m = n
	case "季度", "quarter":
		m = 3 * n
	default:
		y = n
	}
	today := Day(now)
	if ahead {
		return Period{From: today.AddDate(0, 0, 1), To: today.AddDate(y, m, d)}
	}
	return Period{From: today.AddDate(-y, -m, -d).AddDate(0, 0, 1), To: today}
}
