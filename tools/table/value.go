package table

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// maxFigure is the largest figure: sums of the squares of a table full of it are still numbers.
const maxFigure = 1e150

// number is a figure as a cell writes it.
type number struct {
	v       float64
	whole   bool // no fraction, at most 15 digits: exact as an integer
	name    bool // it names something: digits behind a zero, or more than 15 of them
	percent bool
	money   string // "¥", "$", "€", "£" or ""
}

var moneySigns = []struct{ sign, money string }{{"¥", "¥"}, {"￥", "¥"}, {"$", "$"}, {"€", "€"}, {"£", "£"}}

// scaled reads digits with the point moved to the right: 0.57 by four places is 5700, where 0.57 × 10000 is a little less.
func scaled(digits string, places int) (float64, error) {
	if places == 0 {
		return strconv.ParseFloat(digits, 64)
	}
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		e, err := strconv.Atoi(digits[i+1:])
		if err != nil {
			return 0, err
		}
		digits, places = digits[:i], places+e
	}
	return strconv.ParseFloat(digits+"e"+strconv.Itoa(places), 64)
}

// readNumber reads 1234, 1,234.50, (12), -3e5, ¥12, ¥-12, 12元, 5.4% (as 5.4), 1.2万, 3万亿. false when a cell is something else.
func readNumber(cell string) (n number, ok bool) {
	s := strings.TrimSpace(cell)
	if s == "" || len(s) > 40 {
		return n, false
	}
	negative := false
	if len(s) > 2 && s[0] == '(' && s[len(s)-1] == ')' { // as book-keepers write it
		negative, s = true, strings.TrimSpace(s[1:len(s)-1])
	}
	if rest, ok := strings.CutPrefix(s, "−"); ok {
		s = "-" + rest
	}
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	for _, m := range moneySigns {
		rest, ok := strings.CutPrefix(s, m.sign)
		if !ok {
			continue
		}
		n.money, s = m.money, strings.TrimSpace(rest)
		if sign == "" && s != "" && s[0] == '-' { // ¥-12, as workbooks show it
			sign, s = s[:1], s[1:]
		}
		break
	}
	places := 0
	for _, end := range []string{"元", "%", "％", "亿", "万"} {
		rest, ok := strings.CutSuffix(s, end)
		if !ok {
			continue
		}
		switch s = strings.TrimSpace(rest); end {
		case "元":
			n.money = "¥"
		case "万":
			places += 4
		case "亿":
			places += 8
		default:
			n.percent = true
		}
	}
	digits, ok := plainDigits(s)
	if !ok || sign != "" && negative {
		return n, false
	}
	v, err := scaled(sign+digits, places)
	if err != nil || math.Abs(v) > maxFigure {
		return n, false
	}
	if negative {
		v = -v
	}
	n.v = v
	only := strings.Trim(digits, "0123456789") == ""
	n.whole = n.v == math.Trunc(n.v) && math.Abs(n.v) < 1e15 && !strings.ContainsAny(digits, "eE")
	n.name = only && sign == "" && (len(digits) > 1 && digits[0] == '0' || len(digits) > 15)
	return n, true
}

// plainDigits holds digits to the form of a number and takes out commas between thousands.
func plainDigits(s string) (string, bool) {
	if s == "" || s[0] != '.' && (s[0] < '0' || s[0] > '9') {
		return "", false
	}
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == ',') {
		i++
	}
	whole, rest := s[:i], s[i:]
	if strings.Contains(whole, ",") {
		parts := strings.Split(whole, ",")
		for j, p := range parts {
			if len(p) != 3 && (j > 0 || len(p) == 0 || len(p) > 3) {
				return "", false
			}
		}
		whole = strings.Join(parts, "")
	}
	if rest == "" {
		return whole, true
	}
	j, seen := 0, len(whole) > 0
	if rest[0] == '.' {
		for j = 1; j < len(rest) && rest[j] >= '0' && rest[j] <= '9'; j++ {
			seen = true
		}
	}
	if !seen {
		return "", false
	}
	if j < len(rest) {
		e := rest[j:]
		if e[0] != 'e' && e[0] != 'E' || len(e) < 2 || len(e) > 5 {
			return "", false
		}
		if d := strings.TrimLeft(e[1:2], "+-") + e[2:]; d == "" || strings.Trim(d, "0123456789") != "" {
			return "", false
		}
	}
	return whole + rest, true
}

// missing reports whether a cell says that there is no value.
func missing(cell string) bool {
	switch s := strings.TrimSpace(cell); s {
	case "", "-", "--", "—", "——", "/", "\\N", "#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "无":
		return true
	default:
		if len(s) > 4 {
			return false
		}
		switch strings.ToLower(s) {
		case "na", "n/a", "nan", "null", "none", "nil":
			return true
		}
		return false
	}
}

// order says which way round days and months stand in 3/4/2024.
type order int

const (
	anyOrder   order = iota
	monthFirst       // also where nothing tells
	dayFirst
)

// grain is how fine a time is.
type grain int

const (
	byMoment grain = iota
	byHour
	byDay
	byWeek
	byMonth
	byQuarter
	byHalf // of a year
	byYear
	byWeekday // of any week
)

// instant is a time as a cell writes it.
type instant struct {
	t     time.Time // as the clock there shows it, in UTC
	grain grain
	// turned: the cell has two numbers before the year, of which the first is above 12 (dayFirst), the second is (monthFirst), or neither is
	// (anyOrder). Only with short.
	turned order
	short  bool
	zone   string // of the clock, as it is written; "": none
}

// text is how it is kept: what sorts as time goes.
func (i instant) text(g grain) string {
	switch g {
	case byMonth:
		return i.t.Format("2006-01")
	case byDay:
		return i.t.Format(time.DateOnly)
	}
	return i.t.Format(time.DateTime)
}

var namedMonths = []string{"Jan 2, 2006", "2 Jan 2006", "2-Jan-2006", "2-Jan-06", "January 2, 2006", "2 January 2006", "Jan 2006", "January 2006", "Mon, 02 Jan 2006 15:04:05 MST", "02/Jan/2006:15:04:05 -0700"}

// readTime reads days, months and moments in the usual ways of writing them: 2024-01-02, 2024年1月2日 8:05, 20240102T080500Z is none.
func readTime(cell string, o order) (i instant, ok bool) {
	s := strings.TrimSpace(cell)
	if len(s) < 6 || len(s) > 40 {
		return i, false
	}
	if s[0] > '9' || s[0] < '0' || strings.ContainsAny(s, "JFMASOND") && !strings.ContainsAny(s, ":/.") {
		if s[0] < 'A' && s[0] > '9' || s[0] > 'z' {
			return i, false
		}
		for _, layout := range namedMonths {
			if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1000 { // as below
				i.t, i.grain = t.UTC(), byDay
				switch layout {
				case "Jan 2006", "January 2006":
					i.grain = byMonth
				case namedMonths[8], namedMonths[9]:
					i.t, i.grain = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC), byMoment
				}
				return i, true
			}
		}
		return i, false
	}
	var n [3]int
	var lens [3]int
	count, rest := 0, s
	sep := ""
	for count < 3 {
		j := 0
		for j < len(rest) && j < 4 && rest[j] >= '0' && rest[j] <= '9' {
			n[count] = n[count]*10 + int(rest[j]-'0')
			j++
		}
		if j == 0 {
			return i, false
		}
		lens[count] = j
		count++
		rest = rest[j:]
		found := false
		for _, mark := range []string{"-", "/", ".", "年", "月", "日", "号"} {
			if after, ok := strings.CutPrefix(rest, mark); ok && (count < 3 || mark == "日" || mark == "号") {
				ascii := len(mark) == 1
				if ascii && sep != "" && sep != mark {
					return i, false
				}
				if ascii {
					sep = mark
				}
				rest, found = after, true
				break
			}
		}
		if !found || rest == "" {
			break
		}
		if rest[0] == ' ' || rest[0] == 'T' {
			break
		}
	}
	y, m, d := n[0], n[1], n[2]
	i.grain = byDay
	switch {
	case lens[0] == 4 && count == 3:
	case lens[0] == 4 && count == 2 && sep != "." && rest == "": // 2024.05 is a number
		d, i.grain = 1, byMonth
	case lens[2] == 4 && lens[0] <= 2 && lens[1] <= 2 && sep != "":
		i.short = true
		y = n[2]
		switch {
		case n[0] > 12:
			i.turned = dayFirst
		case n[1] > 12:
			i.turned = monthFirst
		case sep == ".": // nobody writes the month first so
			i.turned = dayFirst
		}
		if o == dayFirst || o == anyOrder && i.turned == dayFirst {
			d, m = n[0], n[1]
		} else {
			m, d = n[0], n[1]
		}
	default:
		return i, false
	}
	var hour, minute, second int
	if rest = strings.TrimLeft(rest, " T"); rest != "" {
		if count < 3 {
			return i, false
		}
		if hour, minute, second, ok = readClock(rest); !ok {
			return i, false
		}
		if at := strings.IndexAny(rest, "Z+-"); at >= 0 {
			i.zone = strings.Replace(rest[at:], "Z", "+00:00", 1)
		}
		i.grain = byMoment
	}
	if y < 1000 || m < 1 || m > 12 || d < 1 || d > 31 {
		return i, false
	}
	i.t = time.Date(y, time.Month(m), d, hour, minute, second, 0, time.UTC)
	return i, i.t.Day() == d
}

// readClock reads 8:05, 08:05:30, 08:05:30.123+08:00; what stands behind the seconds is left out.
func readClock(s string) (hour, minute, second int, ok bool) {
	parts := [3]int{}
	for k := range parts {
		j := 0
		for j < len(s) && j < 2 && s[j] >= '0' && s[j] <= '9' {
			parts[k] = parts[k]*10 + int(s[j]-'0')
			j++
		}
		if j == 0 {
			return 0, 0, 0, false
		}
		s = s[j:]
		if k == 2 || !strings.HasPrefix(s, ":") {
			if k == 0 {
				return 0, 0, 0, false
			}
			break
		}
		s = s[1:]
	}
	if s != "" && strings.Trim(s, "0123456789.+-:Z ") != "" {
		upper := strings.ToUpper(strings.TrimSpace(s))
		if upper != "AM" && upper != "PM" || parts[0] < 1 || parts[0] > 12 {
			return 0, 0, 0, false
		}
		parts[0] %= 12
		if upper == "PM" {
			parts[0] += 12
		}
	}
	return parts[0], parts[1], parts[2], parts[0] < 24 && parts[1] < 60 && parts[2] < 61
}
