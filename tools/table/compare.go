package table

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const amountPattern = `[¥$€£]?\s*(-?\d[\d,]*(?:\.\d+)?)\s*(%|万|亿|千|百|k\b|m\b|thousand\b|million\b)?`

var (
	reOver    = regexp.MustCompile(`(?:大于等于|不小于|不低于|不少于|至少|大于|高于|超过|多于|超出|>=|≥|>|小于等于|不超过|不高于|不大于|不多于|至多|小于|低于|少于|不足|不到|<=|≤|<|等于|over|above|under|below|than|exceed(?:s|ing)?|least|equal to|=)$`)
	reBetween = regexp.MustCompile(`(?:在|介于|\bbetween)?\s*` + amountPattern + `\s*(?:元|岁|块)?\s*(?:到|至|和|~|\band\b|\bto\b|-)\s*` + amountPattern + `\s*(?:元|岁|块)?\s*(之间|以内|区间)?`)
	reBefores = regexp.MustCompile(`(大于等于|不小于|不低于|不少于|至少为?|大于|高于|超过了?|多于|超出|>=|≥|>|小于等于|不超过|不高于|不大于|不多于|至多|小于|低于|少于|不足|不到|<=|≤|<>|!=|<|不等于|等于|==|=|\bat least|\bno(?:t)? less than|\bgreater than or equal to|\bmore than|\bgreater than|\bhigher than|\blarger than|\bolder than|(?:\b(?:took|takes|taking|take) )?\b(?:longer|slower) than|\b(?:shorter|faster|quicker) than|\bover|\babove|\bexceed(?:s|ing)?|\bat most|\bno(?:t)? more than|\bless than or equal to|\bless than|\blower than|\bfewer than|\bsmaller than|\byounger than|\bbelow|\bunder|\bequal(?:s| to)?)\s*` + amountPattern + `\s*(?:元|块钱?|岁|个|件|台|人|次|单|分|yuan|dollars?)?`)
	reAfters  = regexp.MustCompile(amountPattern + `\s*(?:元|块钱?|岁|个|件|台|人|次|单|分|yuan|dollars?)?\s*(及?以上|及?以下|以内|or more\b|or less\b|or above\b|or below\b|or over\b|and above\b|and over\b)`)
	reMillis  = regexp.MustCompile(`^\s*(?:(?:ms|milliseconds?)\b|毫秒)`)
	inMillis  = regexp.MustCompile(`\b(?:ms|millis|milliseconds?)\b|毫秒`)
	reMinutes = regexp.MustCompile(`^\s*(?:min(?:ute)?s?\b|分钟)`)
	inMinutes = regexp.MustCompile(`(?:\b|_)min(?:ute)?s?(?:\b|_)|分钟|[（(]分[)）]`)
	reOfTime  = regexp.MustCompile(`\b(?:longer|slower|shorter|faster|quicker)\b`)
	reIs      = regexp.MustCompile(`^\s*(?:为|是|of|is|=)?\s*` + amountPattern)
)

var comparisons = map[string]string{
	"大于等于": ">=", "不小于": ">=", "不低于": ">=", "不少于": ">=", "至少": ">=", "至少为": ">=", "大于": ">", "高于": ">", "超过": ">", "超过了": ">", "多于": ">", "超出": ">", ">=": ">=", "≥": ">=", ">": ">",
	"小于等于": "<=", "不超过": "<=", "不高于": "<=", "不大于": "<=", "不多于": "<=", "至多": "<=", "小于": "<", "低于": "<", "少于": "<", "不足": "<", "不到": "<", "<=": "<=", "≤": "<=", "<": "<", "<>": "<>", "!=": "<>", "不等于": "<>",
	"等于": "=", "==": "=", "=": "=", "at least": ">=", "no less than": ">=", "not less than": ">=", "greater than or equal to": ">=", "more than": ">", "greater than": ">", "higher than": ">", "larger than": ">", "older than": ">", "over": ">", "above": ">",
	"exceed": ">", "exceeds": ">", "exceeding": ">", "at most": "<=", "no more than": "<=", "not more than": "<=", "less than or equal to": "<=", "less than": "<", "lower than": "<", "fewer than": "<", "smaller than": "<", "younger than": "<", "below": "<",
	"under": "<", "equal": "=", "equals": "=", "equal to": "=", "以上": ">=", "及以上": ">=", "以下": "<=", "及以下": "<=", "以内": "<=", "or more": ">=", "or less": "<=", "or above": ">=", "or below": "<=", "or over": ">=", "and above": ">=", "and over": ">=",
}

// figureOf is an amount of a question: 1.2万 is 12000.
func figureOf(digits, scale string) (string, bool) {
	places := map[string]int{"百": 2, "千": 3, "k": 3, "thousand": 3, "万": 4, "m": 6, "million": 6, "亿": 8}[scale]
	v, err := scaled(strings.ReplaceAll(digits, ",", ""), places)
	if err != nil {
		return "", false
	}
	return strconv.FormatFloat(v, 'f', -1, 64), true
}

// hundredth is a figure of percents as a fraction; "" stays "".
func hundredth(figure string) string {
	v, err := scaled(figure, -2)
	if err != nil {
		return figure
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// operator is the one that a comparison says.
func operator(said string) string {
	switch said = strings.TrimSpace(said); {
	case strings.HasSuffix(said, "longer than"), strings.HasSuffix(said, "slower than"):
		return ">"
	case strings.HasSuffix(said, "shorter than"), strings.HasSuffix(said, "faster than"), strings.HasSuffix(said, "quicker than"):
		return "<"
	}
	return comparisons[said]
}

// comparisons of figures: over 1000, between 10 and 20, 18岁以上, 年龄是30.
func (r *reading) comparisons() {
	add := func(at, end int, op string, a, b string) {
		c := r.compares(at, end)
		if c == nil {
			return // it stays to be read, and is told as not understood
		}
		if strings.HasSuffix(fold(c.Name), "年") && c.largest >= 1000 && strings.HasPrefix(strings.TrimSpace(r.s[end:]), "年") && len(a) < 4 {
			r.doubt = remarkf("「%s」是年份，%s 年是一段时间，请写明哪一年", "“%s” is a year, and %s years are a length of time; name the year", c.Name, a)
		}
		if strings.ContainsAny(r.s[at:end], "%％") && c.unit != "%" {
			switch {
			case c.formula == "" && c.largest <= 1: // a column of fractions
				a, b = hundredth(a), hundredth(b)
			case !c.rate():
				r.doubt = remarkf("「%s」不是百分比", "“%s” is no percentage", c.Name)
			}
		}
		r.use(at, end)
		if m := reMillis.FindString(r.s[end:]); m != "" && inMillis.MatchString(spelled(c.Name)) { // of another unit it would be another figure
			r.use(end, end+len(m))
		}
		r.mentions = slices.DeleteFunc(r.mentions, func(m mention) bool { // 30 minutes, of a column of minutes
			return m.column == c && m.weight == 1 && m.start >= end && strings.TrimSpace(r.s[end:m.start]) == ""
		})
		if m := reMinutes.FindString(r.s[end:]); m != "" && inMinutes.MatchString(fold(c.Name)) {
			r.use(end, end+len(m))
		}
		q := quoted(c.Name)
		if b != "" {
			r.wish.filters = append(r.wish.filters, filter{column: c, sql: fmt.Sprintf("%s BETWEEN %s AND %s", q, a, b), limits: fmt.Sprintf(" BETWEEN %s AND %s", a, b), at: [2]int{at, end}, said: remarkf("%s 在 %s 到 %s 之间", "%s between %s and %s", c.Name, a, b)})
			return
		}
		r.wish.filters = append(r.wish.filters, filter{column: c, sql: fmt.Sprintf("%s %s %s", q, op, a), limits: " " + op + " " + a, at: [2]int{at, end}, said: remarkf("%s %s %s", "%s %s %s", c.Name, op, a)})
	}
	for _, m := range reBetween.FindAllStringSubmatchIndex(r.s, 10) {
		if !r.free(m[0], m[1]) || m[10] < 0 && !strings.Contains(r.s[m[0]:m[1]], "between") && !strings.HasPrefix(r.s[m[0]:], "在") && !strings.HasPrefix(r.s[m[0]:], "介于") {
			continue
		}
		a, ok := figureOf(r.s[m[2]:m[3]], group2(r.s, m, 2))
		b, ok2 := figureOf(r.s[m[6]:m[7]], group2(r.s, m, 4))
		if ok && ok2 {
			add(m[0], m[1], "", a, b)
		}
	}
	for _, m := range reBefores.FindAllStringSubmatchIndex(r.s, 20) {
		if r.free(m[0], m[1]) {
			if a, ok := figureOf(r.s[m[4]:m[5]], group2(r.s, m, 3)); ok {
				add(m[0], m[1], operator(r.s[m[2]:m[3]]), a, "")
			}
		}
	}
	for _, m := range reAfters.FindAllStringSubmatchIndex(r.s, 20) {
		if r.free(m[0], m[1]) {
			if a, ok := figureOf(r.s[m[2]:m[3]], group2(r.s, m, 2)); ok {
				add(m[0], m[1], comparisons[r.s[m[6]:m[7]]], a, "")
			}
		}
	}
	for _, mention := range r.mentions {
		if !mention.column.number() {
			continue
		}
		if m := reIs.FindStringSubmatchIndex(r.s[mention.end:]); m != nil && r.free(mention.end+m[0], mention.end+m[1]) {
			if a, ok := figureOf(r.s[mention.end+m[2]:mention.end+m[3]], group2(r.s[mention.end:], m, 2)); ok {
				add(mention.end+m[0], mention.end+m[1], "=", a, "")
			}
		}
	}
}

func group2(s string, m []int, g int) string {
	if m[2*g] < 0 {
		return ""
	}
	return s[m[2*g]:m[2*g+1]]
}

// People who a figure stands right beside are that old: patients over 65, 65以上的患者. In departments with patients over 2 they are counted.
var (
	peopleOver  = regexp.MustCompile(`(?:^|(\w+)\s+)(?:patients?|people|persons?|employees?|staff|workers?|students?|customers?|clients?|members?|passengers?|drivers?|teachers?|doctors?|users?|players?|m[ae]n|wom[ae]n|males?|females?|adults?)\s+(?:(?:who|that) (?:is|are|were)\s+|aged\s+)?$`)
	overIt      = regexp.MustCompile(`^(?:over|above|under|below|between)\b`)
	overPeople  = regexp.MustCompile(`^的(?:患者|病人|人|员工|学生|客户|顾客|会员|乘客|旅客|司机|老师|教师|医生|男|女)`)
	withPeople  = []string{"with", "has", "have", "had", "having"}
	oldestHuman = 120.0 // years
)

// aged is the column of ages where a comparison limits the people beside it; nil: it does not, or the table has none or several.
func (r *reading) aged(at, end int) (age *Column) {
	m := peopleOver.FindStringSubmatch(r.s[:at])
	if (m == nil || slices.Contains(withPeople, m[1]) || !overIt.MatchString(r.s[at:end])) && !overPeople.MatchString(r.s[end:]) {
		return nil
	}
	for _, n := range reFigure.FindAllString(r.s[at:end], -1) {
		if v, err := strconv.ParseFloat(n, 64); err != nil || v > oldestHuman {
			return nil
		}
	}
	for _, c := range r.table.Columns {
		if c.number() && slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == "年龄" && a.weight > 1 }) {
			if age != nil {
				return nil
			}
			age = c
		}
	}
	return age
}

// reFigure is a bare figure; one with a currency, a percentage or a scale is no age, and too much for one.
var reFigure = regexp.MustCompile(`[$¥€£%％万千百亿元块]|\d[\d,.]*[a-z]*|thousand|million`)

// compares is the column that a comparison is of: the ages of people beside it, the one named nearest before it, or right behind it, or the only one of amounts.
func (r *reading) compares(at, end int) *Column {
	if c := r.aged(at, end); c != nil {
		return c
	}
	var best *Column
	for _, m := range r.mentions {
		if m.column.number() && m.end <= at {
			best = m.column
		}
	}
	if best != nil {
		r.compared = true
		return best
	}
	for _, m := range r.mentions {
		if m.column.number() && m.start >= end && m.start-end < 12 {
			return m.column
		}
	}
	if strings.Contains(r.s[at:end], "岁") || strings.Contains(r.s[at:end], "older") || strings.Contains(r.s[at:end], "younger") {
		for _, c := range r.table.Columns {
			if c.number() && slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == "年龄" }) {
				return c
			}
		}
	}
	if reOfTime.MatchString(r.s[at:end]) {
		for _, c := range r.table.Columns {
			if c.number() && slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == "耗时" && a.weight > 1 }) {
				return c
			}
		}
		return nil
	}
	if all := r.amounts(); len(all) == 1 {
		return all[0]
	}
	return nil
}

// formula is what a question reckons with a column and does not come to be read: in cost > 0.75 * revenue the limit is no figure. "" when it is none.
func (r *reading) formula() string {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	for _, m := range r.mentions {
		if !m.column.number() {
			continue
		}
		before, after := strings.TrimRight(r.s[:m.start], " ("), strings.TrimLeft(r.s[m.end:], " )")
		if op := strings.TrimRight(before, "*/+-^×÷"); len(before)-len(op) > 0 {
			if op = strings.TrimRight(op, " "); op != "" && (digit(op[len(op)-1]) || strings.HasSuffix(before, "*") || strings.HasSuffix(before, "×")) {
				return strings.TrimSpace(before[len(op):]) + " " + m.column.Name
			}
		}
		if op := strings.TrimLeft(after, "*/+-^×÷"); len(after)-len(op) > 0 {
			if figure := strings.TrimLeft(op, " "); figure != "" && digit(figure[0]) {
				return m.column.Name + " " + after[:len(after)-len(op)]
			}
		}
	}
	return ""
}
