package plan

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A number that limits a figure, 库存低于5, more than 3 orders, between 100 and 200 yuan, is neither how many rows are wanted nor a value of anything.
// Where no parameter takes it, the rows are picked by it (reckon_rows.go), and what follows is done to those alone.

// orEqual ends a comparison: what may stand between it and the number.
const orEqual = `(?:\s*(?:或者?)?等于|\s*=|\s+or equal(?:s| to)?)?\s*(?:了|有)?\s*(?:CNY|RMB|¥|￥|\$)?\s*$`

var (
	moreThan = regexp.MustCompile(`(?i)(?:超过|[大高多]于|至少|最少|满|\bover|\babove|\b(?:more|dearer|pricier|higher|larger|bigger|longer|heavier|older|later|greater) than|\bat least|\bexceed(?:ing|s|ed)?|=?>|≥)` + orEqual)
	lessThan = regexp.MustCompile(`(?i)(?:[低小少]于|[不没未]到|不足|至多|\bunder|\bbelow|\b(?:less|cheaper|lower|smaller|shorter|lighter|newer|fewer) than|\bat most|=?<|≤)` + orEqual)
	orMore   = regexp.MustCompile(`(?i)^\s*(?:元|块钱?|个|件|次|单|笔|小时|天|hours?|days?|yuan|times|orders|pieces)?\s*(?:以上|及以上|或以上|或更多|or more|or above|and above|and up|\+)`)
	orLess   = regexp.MustCompile(`(?i)^\s*(?:元|块钱?|个|件|次|单|笔|小时|天|hours?|days?|yuan|times|orders|pieces)?\s*(?:以下|以内|及以下|或以下|或更少|or less|or below|or fewer|and below)`)
	// turned before one of those turns it round, 没有超过, not above; where it is asked, 有没有超过, it does not.
	turned    = regexp.MustCompile(`(?i)(?:没有?|未曾?|不[会能可得应是]?|n['’]t|\b(?:not|no|never|cannot))(?:\s+be)?\s*$`)
	whether   = regexp.MustCompile(`(?:有没有|是不是|会不会|能不能|是否)\s*$`)
	inclusive = regexp.MustCompile(`(?i)至[少多]|最少|满|等于|[=≥≤]|\bat (?:least|most)|\bequal`)
	// equals stands before a figure that must be just so; becomes makes it one that is wished for.
	equals  = regexp.MustCompile(`(?i)(?:\p{Han}(?:为|是|等于)|=|\b(?:is|are|equals?))\s*$`)
	becomes = regexp.MustCompile(`(?i)[改设调变定标换作]为\s*$|\bto\s*$`)
	// upTo joins the ends of a stretch of numbers; upToIt stands before the far one.
	upTo   = regexp.MustCompile(`(?i)^\s*(?:元|块钱?|个|件|次|单|笔|小时|天|yuan|CNY)?\s*(?:到|至|-|~|～|—|–|and|to)\s*(?:CNY|RMB|¥|￥|\$)?\s*(\d[\d,]*(?:\.\d+)?)`)
	upToIt = regexp.MustCompile(`(?i)(\d[\d,]*(?:\.\d+)?)\s*(?:元|块钱?|个|件|次|单|笔|小时|天|yuan|CNY)?\s*(?:到|至|-|~|～|—|–|and|to)\s*(?:CNY|RMB|¥|￥|\$)?\s*$`)
	// between says that two numbers are the ends of one stretch where they are joined by a word that may join others.
	betweenIn = regexp.MustCompile(`(?i)(?:\bbetween|\bfrom|介于|在)\s*(?:CNY|RMB|¥|￥|\$)?\s*$`)
	inBetween = regexp.MustCompile(`^\s*(?:元|块钱?|个|件|次|单|笔|小时|天)?\s*(?:之间|以内|区间|范围|的)`)
	// toShow: what stands before a number that says how many rows are wanted, whatever stands between.
	toShow = regexp.MustCompile(`(?i)(?:列出?|显示|展示|给出|返回|看|取|\b(?:show|list|give|return|display)(?: me| us)?)(?:的|了|我|出)*\s*$`)
	unitOf = regexp.MustCompile(`(?i)^\s*(?:元|块钱?|个|件|次|单|笔|小时|天|yuan|CNY|[a-z]{3,12}\b)?`)
	// inIt says right behind a number what it is a number of: 50 pieces in stock.
	inIt = regexp.MustCompile(`(?i)^\s*(?:[a-z]+\s+)?in\s+(?:stock|store|inventory|total|all|sales|revenue)\b`)
	// howOften counts what was ordered: 买过3次.
	howOften = regexp.MustCompile(`(?i)^(?:次|单|笔|times?|orders?)$`)
)

// limit is how a number limits a figure.
type limit struct {
	over, under bool // it must be more, or less; both: it is the near end of a stretch up to until
	equal       bool // or equal to it
	until       *big.Rat
	second      bool   // the number is the far end of a stretch, which its near end tells
	start, end  int    // of its words in the request
	unit        string // what is counted, as it is said
	of          string // what the words before it measure ([quantityOf])
}

// limitIn reads how a number of a request limits a figure; ok is false when it does not.
func limitIn(text string, f fact) (l limit, ok bool) {
	if f.kind != factNumber || f.from != "" || f.start > f.end || f.end > len(text) {
		return l, false
	}
	lead, rest := before(text, f.start), text[f.end:]
	if a, isAmount := f.value.(amount); isAmount && a.percent {
		return l, false
	}
	if m := upTo.FindStringSubmatchIndex(rest); m != nil && (betweenIn.MatchString(lead) || inBetween.MatchString(rest[m[3]:])) {
		until, isNumber := new(big.Rat).SetString(strings.ReplaceAll(rest[m[2]:m[3]], ",", ""))
		if !isNumber {
			return l, false
		}
		far := rest[m[3]:]
		return limit{over: true, under: true, equal: true, until: until, start: f.start, end: f.end + m[3] + len(unitOf.FindString(far)) + len(inBetween.FindString(far)), unit: strings.TrimSpace(unitOf.FindString(far))}, true
	}
	if m := upToIt.FindStringIndex(lead); m != nil && (betweenIn.MatchString(lead[:m[0]]) || inBetween.MatchString(rest)) {
		return limit{second: true}, true
	}
	said := l.compared(lead)
	l.over, l.under = l.over || orMore.MatchString(rest), l.under || orLess.MatchString(rest)
	counts := true
	if a, isAmount := f.value.(amount); isAmount {
		l.unit = a.unit
		counts = quantityOf(a.unit) != "money" && quantityOf(a.unit) != "time"
	}
	if !l.over && !l.under && equals.MatchString(lead) && !becomes.MatchString(lead) {
		l.equal, l.start, l.end = true, f.start-len(equals.FindString(lead)), max(f.end, min(len(text), f.start+len(f.text)))
		return l, true
	}
	if l.over == l.under || counts && toShow.MatchString(strings.TrimSuffix(lead, said)) {
		return limit{}, false
	}
	l.equal = l.equal || orMore.MatchString(rest) || orLess.MatchString(rest)
	tail := orMore.FindString(rest) + orLess.FindString(rest)
	l.of = quantityOf(text[max(0, f.start-len(said)-15) : f.start-len(said)])
	l.start, l.end = f.start-len(said), max(f.end+len(tail)+len(inIt.FindString(rest[len(tail):])), min(len(text), f.start+len(f.text)))
	return l, true
}

// compared reads the comparison that the words before a number end with, and gives its words; "": there is none.
func (l *limit) compared(lead string) string {
	over, under := moreThan.FindStringIndex(lead), lessThan.FindStringIndex(lead)
	at := over
	if over == nil || under != nil && under[0] < over[0] { // the longer one: 不到 and not 到
		at = under
	}
	if at == nil {
		return ""
	}
	l.over, l.equal = over != nil && at[0] == over[0], inclusive.MatchString(lead[at[0]:])
	start := at[0]
	if not := turned.FindStringIndex(lead[:start]); not != nil && !whether.MatchString(lead[:start]) {
		start, l.over, l.equal = not[0], !l.over, !l.equal
	}
	l.under = !l.over
	return lead[start:]
}

// limited keeps the rows whose figure is within the limit that a number sets.
func (g *folding) limited(f fact, a amount, text string, rows []any) (kept []any, c condition, ok bool) {
	c.fact = f
	l, ok := limitIn(text, f)
	if !ok || l.second {
		return rows, c, ok
	}
	c.words = strings.TrimSpace(text[l.start:l.end])
	if c.col = g.limitedBy(f, l, text); c.col == nil {
		return nil, c, false
	}
	bound := new(big.Rat)
	if _, ok := bound.SetString(strconv.FormatFloat(a.n, 'f', -1, 64)); !ok {
		return nil, c, false
	}
	for _, r := range rows {
		v := amountOf(cellOf(r, c.col))
		if v == nil {
			continue
		}
		n := v.Cmp(bound)
		if n == 0 && l.equal || n > 0 && l.over && (l.until == nil || v.Cmp(l.until) <= 0) || n < 0 && l.under && l.until == nil {
			kept = append(kept, r)
		}
	}
	return kept, c, true
}

// limitedBy is the column that a number limits: the one that it is said to be in, else the one that the words before it name, else what stands right behind it, else what its unit is of.
func (g *folding) limitedBy(f fact, l limit, text string) *field {
	plain := &folding{list: g.list}
	unit := l.unit
	if quantityOf(unit) == "money" || strings.ContainsAny(unit, "$¥￥") {
		unit += " 金额 amount"
	} else if howOften.MatchString(unit) {
		unit += " 订单数 次数 orders"
	}
	if in := inIt.FindString(text[f.end:]); in != "" {
		if c := plain.measure(in); c != nil && c.shares(in) > 0 {
			return c
		}
	}
	said := clip(text, f.start)
	col := plain.measure(said + " " + unit)
	if col != nil && col.shares(said+" "+unit) > 0 {
		return col
	}
	behind := strings.Join(content(clip(text[f.end:], 24)), " ")
	if c := plain.measure(behind); c != nil && c.shares(behind) > 0 {
		return c
	}
	return col
}

// hasLimited reports whether the rows that a tool lists tell the figure that a number limits, by the name that the request gives it.
func (e *entry) hasLimited(f fact, l limit, text string) bool {
	return slices.ContainsFunc(e.lists(), func(list *field) bool {
		col := (&folding{list: list}).limitedBy(f, l, text)
		return col != nil && col.shares(clip(text, f.start)+" "+clip(text[f.end:], 24)) > 0
	})
}

// unlimited is a text of the same length with spaces for the numbers that limit a figure, and what says so: they tell of no tool.
func unlimited(text string, facts []fact) string {
	out := []byte(text)
	for _, f := range facts {
		if l, ok := limitIn(text, f); ok && !l.second {
			copy(out[l.start:l.end], strings.Repeat(" ", l.end-l.start))
		}
	}
	return string(out)
}

// limitedList is the list that a number limits, where nothing else tells which of several is meant: the one of that name, else the one whose
// rows have an id. nil: as it is.
func (g *folding) limitedList(e *entry, name string, facts []fact, text string) *field {
	if g.asked() {
		return nil
	}
	for _, f := range facts {
		l, ok := limitIn(text, f)
		if !ok || l.second {
			continue
		}
		for _, list := range e.lists() {
			ids := slices.ContainsFunc(list.Fields, func(c field) bool { return c.Sort == sortID || len(c.Provides) > 0 })
			if (list.Name == name || name == "" && ids) && (&folding{list: list}).limitedBy(f, l, text) != nil {
				return list
			}
		}
	}
	return nil
}

// tellsLimit is what it is worth for a wish with a limit that a tool lists things, and tells of each the figure that is limited.
func (e *entry) tellsLimit(g *goal, c clause) float64 {
	if !e.reads() || e.IsAgent() || e.knowledge() {
		return 0
	}
	for _, f := range within(g.facts, c.start, c.end) {
		l, ok := limitIn(g.text, f)
		if !ok || l.second {
			continue
		}
		best := 0.0
		for _, list := range e.lists() {
			if slices.ContainsFunc(list.Fields, func(c field) bool { return len(c.Provides) > 0 }) && (&folding{list: list}).limitedBy(f, l, g.text) != nil {
				best = max(best, ifElse(list.shares(c.text) > 0, 4*tabled, tabled))
			}
		}
		if best > 0 {
			return best
		}
	}
	return 0
}

// notLimited reports whether a parameter is something else than what a number limits: more than 3 orders are not 3 rows, nor days where the rows tell the
// orders, and a price over 2000 is no 2000 days.
func (e *entry) notLimited(f *field, g *goal, fa fact, l limit) bool {
	if f.saysRows() || e.reads() && f.shares(clip(g.text, fa.end)+" "+l.unit) == 0 && e.hasLimited(fa, l, g.text) {
		return true
	}
	in := quantityOf(f.Name + " " + f.Title)
	return l.of != "" && in != "" && l.of != in
}
