package table

import (
	"regexp"
	"slices"
	"strings"
)

// Which end of an order is wanted, and how many of it; and which figures.

// firstN reads "top 3", 前三名, 倒数两个; 0: none.
func (r *reading) firstN() (n int, bottom bool) {
	find := func(re interface {
		FindAllStringSubmatchIndex(string, int) [][]int
	}) (last, part int) {
		for _, m := range re.FindAllStringSubmatchIndex(r.s, 5) { // what is said later goes before
			for g := 1; g < len(m)/2 && r.free(m[0], m[1]) && (last == 0 || len(r.cuts) > 0); g++ {
				if m[2*g] >= 0 {
					if n := atoi(r.s[m[2*g]:m[2*g+1]]); n > 0 && n <= 1000 {
						r.use(m[0], m[1])
						last, part = n, r.part(m[0])
					}
				}
			}
		}
		return last, part
	}
	n, part := find(reBottomN)
	if m, p := find(reTopN); m > 0 && (n == 0 || p > part) {
		n, part = m, p
	} else {
		bottom = n > 0
	}
	if n > 0 && part >= len(r.cuts) {
		return n, bottom
	}
	for _, re := range []*regexp.Regexp{reFewWith, reFewOf, reWhichN} {
		if m := re.FindStringSubmatchIndex(r.s); m != nil {
			start, end := slices.Max(append([]int{0}, evens(m[2:])...)), slices.Max(append([]int{0}, evens(m[3:])...))
			if r.free(start, end) {
				if !slices.ContainsFunc(grainWords, func(g grainWord) bool {
					return slices.ContainsFunc(g.re.FindAllStringIndex(r.s, 10), func(at []int) bool { return at[0] <= start && end <= at[1] })
				}) { // which 3 months
					r.use(start, end)
				}
				return atoi(r.s[start:end]), false
			}
		}
	}
	for _, re := range []interface{ FindAllStringIndex(string, int) [][]int }{reHigh, reLow} {
		for _, at := range re.FindAllStringIndex(r.s, 5) {
			if m := reOfN.FindStringSubmatchIndex(r.s[at[1]:]); m != nil && r.free(at[1]+m[0], at[1]+m[1]) {
				if few := atoi(r.s[at[1]+m[2] : at[1]+m[3]]); few > 0 && few <= 1000 {
					r.use(at[1]+m[0], at[1]+m[1])
					r.each(group2(r.s[at[1]:], m, 2))
					if p := r.part(at[0]); n == 0 || p >= part { // what is said later goes before
						n, part, bottom = few, p, false
					}
					if len(r.cuts) == 0 {
						return n, false
					}
				}
			}
		}
	}
	return n, bottom
}

// each puts times together by a unit of which the first so many are wanted: 销售额最高的3个月 are months, and no rows.
func (r *reading) each(unit string) {
	if unit == "" {
		return
	}
	for _, g := range grainWords {
		if g.re.MatchString("每" + unit) {
			if c := r.timeColumn(); c != nil {
				r.wish.groups = addGroup(r.wish.groups, group{c, r.finest(c, g.grain)})
			} else {
				r.doubt = remarkf("表里没有日期列，不能按%s汇总", "there is no column of dates to put together by %[2]s", grainNames[g.grain].zh, grainNames[g.grain].en)
			}
			return
		}
	}
}

// theEnds reports whether the highest or the lowest is wanted; what is said later is in place of what was said before. part is where the question says so.
func (r *reading) theEnds() (high, low bool, part int) {
	said := func(at, end int, up bool) {
		r.use(at, end)
		if p := r.part(at); p > part {
			high, low, part = up, !up, p
		} else if p == part {
			high, low = high || up, low || !up
		}
	}
	for _, m := range rePopular.FindAllStringSubmatchIndex(r.s, 5) { // what most people took, or fewest did
		if r.free(m[0], m[1]) {
			said(m[0], m[1], m[2] < 0 && m[4] < 0 && m[6] < 0)
		}
	}
	for _, re := range []*regexp.Regexp{reHigh, reLow} {
		for _, at := range re.FindAllStringIndex(r.s, 20) {
			if at[1] > at[0] && r.free(at[0], at[1]) {
				said(at[0], at[1], re == reHigh)
			}
		}
	}
	return high, low, part
}

// reEndOf is a unit of time of which the first or the last is wanted: the busiest month, 销售额最高的月份.
var reEndOf = regexp.MustCompile(`\b(?:highest|lowest|best|worst|busiest|quietest|slowest|top|peak|strongest|weakest) (day|week|month|quarter|year)s?\b|最[忙旺淡好差高低多少强弱](?:的一?个?)?(?:一?个?)(月份?|季度|[天日周年])`)

// endOf puts times together by such a unit.
func (r *reading) endOf() {
	m := reEndOf.FindStringSubmatchIndex(r.s)
	if m == nil {
		return
	}
	start, end := max(m[2], m[4]), max(m[3], m[5])
	if g := grainOf[strings.TrimSuffix(r.s[start:end], "份")]; g != 0 && r.timeColumn() != nil && (r.free(start, end) || r.onTime(start, end)) {
		r.use(start, end)
		r.group(start, group{r.timeColumn(), r.finest(r.timeColumn(), g)}, "which")
	}
}

// reFoldsToo: the highest or the lowest is wanted beside another figure, as in the highest and the average.
var reFoldsToo = regexp.MustCompile(`(?:最[高大多低小少]|\b(?:highest|lowest|largest|smallest|max(?:imum)?|min(?:imum)?))(?:的|值)?\s*(?:和|与|及|、|以及|&|\band\b|,)(?: the)?\s*(?:平均|均值|中位|总|合计|average|mean|median|total|sum)|` +
	`(?:平均|均值|中位数?|总[额和计]|合计|average|mean|median|total|sum)(?:的|值)?\s*(?:和|与|及|、|以及|&|\band\b|,)(?: the)?\s*(?:最[高大多低小少]|highest|lowest|largest|smallest|max|min)`)

// folds are the functions that the question names, in order, and the part that names them: what is said later is in place of what was said before.
func (r *reading) folds() (out []string, part int) {
	type place struct {
		at   int
		fold string
	}
	var found []place
	for _, f := range []struct {
		fold string
		re   interface{ FindAllStringIndex(string, int) [][]int }
	}{{countOf, reCount}, {meanOf, reMean}, {medianOf, reMedian}, {sumOf, reSum}} {
		for _, at := range f.re.FindAllStringIndex(r.s, 10) {
			if f.fold == countOf && !r.free(at[0], at[1]) { // how many orders, of a table with a column of these
				at[1] = at[0] + len(reHowMuch.FindString(r.s[at[0]:at[1]]))
			}
			if at[1] > at[0] && r.free(at[0], at[1]) {
				r.use(at[0], at[1])
				found = append(found, place{at[0], f.fold})
			}
		}
	}
	if r.sales[1] > 0 {
		found = append(found, place{r.sales[0], countOf})
	}
	slices.SortFunc(found, func(a, b place) int { return a.at - b.at })
	for _, p := range found {
		part = max(part, r.part(p.at))
	}
	for _, p := range found {
		if r.part(p.at) < part {
			continue
		}
		if !slices.Contains(out, p.fold) {
			out = append(out, p.fold)
		}
	}
	if slices.Contains(out, countOf) && slices.Contains(out, sumOf) { // 一共有多少个
		out = slices.DeleteFunc(out, func(f string) bool { return f == sumOf })
	}
	return out, part
}

// reWhose are people in place of whom no column is named: 月薪最高的三个人, the best paid person.
var reWhose = regexp.MustCompile(`最\p{Han}{1,3}的(?:那个|[0-9一二两三四五六七八九十]+[个名位]|前[0-9一二两三四五六七八九十]+[个名位])?(?:人|员工|同事|职员|学生)|谁|\bwho\b|\b(?:top|best|highest|lowest|oldest|youngest)(?:[- ](?:[0-9]+|two|three|four|five))?[- ](?:paid |earning )?(?:person|people|employees?)\b|\b(?:person|people|employees?) (?:with|who|that) (?:the|ha[sv]e?|earns?)\b`)

// whose settles of whom the first are wanted: of each group its person, and of all the rows that tell where they belong.
func (r *reading) whose(ranked bool) {
	w := r.wish
	i := slices.IndexFunc(r.table.Columns, func(c *Column) bool {
		return personName.MatchString(c.Name) && c.kind == textKind && !identity.MatchString(c.Name)
	})
	if i < 0 || !ranked || len(w.groups) == 0 || !reWhose.MatchString(r.s) || slices.ContainsFunc(w.groups, func(g group) bool { return g.column.kind != textKind || personName.MatchString(g.column.Name) }) {
		return
	}
	each := slices.ContainsFunc(w.groups, func(g group) bool { return r.every[g.column] > 0 })
	if each {
		w.groups = append(w.groups, group{column: r.table.Columns[i]})
		return
	}
	for _, g := range w.groups {
		r.held = append(r.held, g.column)
	}
	w.groups = nil
}
