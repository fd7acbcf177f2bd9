package table

import (
	"regexp"
	"slices"
	"strings"
)

// grains puts times together as the question says: by month, daily, or, for a trend, as finely as its length allows.
func (r *reading) grains(trend bool) {
	w := r.wish
	c := r.timeColumn()
	if slices.ContainsFunc(w.groups, func(g group) bool { return g.grain == byWeekday }) {
		return
	}
	for _, g := range grainWords {
		at := g.re.FindStringIndex(r.s)
		if at == nil || !r.free(at[0], at[1]) && !r.onTime(at[0], at[1]) {
			continue
		}
		r.use(at[0], at[1])
		if c == nil {
			name := monthName
			if g.grain == byYear {
				name = yearName
			}
			for _, o := range r.table.Columns {
				if name.MatchString(strings.TrimSpace(o.Name)) {
					w.groups = addGroup(w.groups, group{column: o})
				}
			}
			if len(w.groups) == 0 {
				r.doubt = remarkf("表里没有日期列，不能按%s汇总", "there is no column of dates to put together by %[2]s", grainNames[g.grain].zh, grainNames[g.grain].en)
			}
			return
		}
		r.group(at[0], group{c, r.finest(c, g.grain)}, r.found(at))
	}
	if m := reAndGrain.FindStringSubmatchIndex(r.s); m != nil && c != nil { // by region and quarter
		unit := group2(r.s, m, 1) + group2(r.s, m, 2)
		start, end := max(m[2], m[4]), max(m[3], m[5])
		if g := grainOf[strings.TrimSuffix(strings.TrimSuffix(unit, "份"), "度")]; g != 0 && (r.free(start, end) || r.onTime(start, end)) {
			r.use(start, end)
			r.group(start, group{c, r.finest(c, g)}, "by")
		}
	}
	if trend && len(w.groups) == 0 && c != nil {
		w.groups = addGroup(w.groups, group{c, r.finest(c, byMonth)})
	}
}

// reAndGrain is a unit of time behind something else that rows are put together by.
var reAndGrain = regexp.MustCompile(`\b(?:by|per|each|every)\s[a-z_ ]{1,30}?\s+(?:and|,) (?:by |per |each )?(day|week|month|quarter|year)\b|(?:按|每|各)[^，,。]{1,12}?(?:和|与|及|、)(?:每个?|按)?(月份?|季度?|年份?|周|日)`)

// onTime: what is taken there is the mention of a column of times.
func (r *reading) onTime(start, end int) bool {
	return slices.ContainsFunc(r.mentions, func(m mention) bool {
		return (m.column.kind == timeKind || yearName.MatchString(m.column.Name) || monthName.MatchString(m.column.Name)) && m.start < end && start < m.end
	})
}

// finest is a grain, or the grain of the column when that is coarser.
func (r *reading) finest(c *Column, g grain) grain {
	if c.grain == byMonth && g < byMonth {
		return byMonth
	}
	if c.grain >= byDay && g == byHour {
		r.doubt = remarkf("「%s」没有几点几分，不能按小时汇总", "“%s” has no times of day, so nothing can be put together by hour", c.Name)
		return byDay
	}
	return g
}

func addGroup(all []group, g group) []group {
	for i, o := range all {
		if o.column == g.column {
			all[i].grain = max(o.grain, g.grain)
			return all
		}
	}
	return append(all, g)
}

// grouped finds the columns that rows are put together by: each region, by city, which product.
func (r *reading) grouped(ranked bool) {
	w := r.wish
	last := -1                                   // the end of the mention before, if that is a group
	for _, m := range slices.Clone(r.mentions) { // one that is said later drops those before it
		before, after := r.s[:m.start], r.s[m.end:]
		known := len(w.groups)
		each := reEach.FindStringIndex(before)
		back := reEachBack.FindStringIndex(after)
		rankedBy := ranked && (reOfN.MatchString("的1个") && endsRanked(before) || m.column.kind != timeKind && !m.column.number() && !r.hasNamed(m.column))
		if each == nil && back == nil && r.calls(m.column) && r.whichOther(m) { // the warehouse with the cheapest product
			r.held = append(r.held, m.column)
			last = -1
			continue
		}
		if (w.share || reCount.MatchString(r.s)) && r.calls(m.column) && r.limited(m) { // of all rows, and not of those products; those who are counted
			continue
		}
		switch {
		case m.column.kind == timeKind:
			if each != nil || rankedBy && len(w.groups) == 0 {
				r.group(m.start, group{m.column, r.finest(m.column, byDay)}, r.found(each))
			}
		case m.column.number() && !yearName.MatchString(m.column.Name) && !monthName.MatchString(m.column.Name) && !m.column.names():
			if each != nil && !strings.HasSuffix(strings.TrimSpace(before), "what") && !strings.HasSuffix(strings.TrimSpace(before), "什么") && r.amountBeside(m.column) {
				r.group(m.start, group{column: m.column}, r.found(each))
			}
		case each != nil || back != nil || rankedBy || last >= 0 && reAnd.MatchString(r.s[last:m.start]), r.limited(m):
			r.group(m.start, group{column: m.column}, r.found(each))
		}
		last = -1
		if len(w.groups) > known {
			last = m.end
		}
		if each != nil {
			r.use(each[0], each[1])
		}
	}
	r.whose(ranked)
	ranked = ranked || r.newest || reEarliest.MatchString(r.s) || reLatest.MatchString(r.s)
	if len(w.groups) == 0 && r.has(reWho) {
		for _, c := range r.table.Columns {
			if personName.MatchString(c.Name) && c.kind == textKind && !identity.MatchString(c.Name) {
				if ranked && r.calls(c) && len(r.wish.groups) == 0 { // a row is a person, and two may have one name
					break
				}
				w.groups = addGroup(w.groups, group{column: c})
				break
			}
		}
	}
}

// whichOther: it is another column of which the question asks which one.
func (r *reading) whichOther(m mention) bool {
	return slices.ContainsFunc(r.mentions, func(o mention) bool {
		return o.column != m.column && o.column.kind == textKind && reOne.MatchString(reEach.FindString(r.s[:o.start]))
	})
}

// group puts rows together by what the question says at a place, in the words before it.
func (r *reading) group(at int, g group, words string) {
	switch part := r.part(at); {
	case part < r.of:
		return
	case part > r.of && reAlso.MatchString(r.s[r.cuts[part-1]:at]): // split that by product: of each region
		r.of = part
	case part > r.of: // and per product? is in place of each region
		r.drop(func(c *Column) bool {
			return slices.ContainsFunc(r.wish.groups, func(o group) bool { return o.column == c })
		}, part)
		r.wish.groups, r.of, r.every = nil, part, nil
	}
	r.wish.groups = addGroup(r.wish.groups, g)
	if r.every == nil {
		r.every = map[*Column]int{}
	}
	switch {
	case reOne.MatchString(words):
	case reEvery.MatchString(words):
		r.every[g.column] = 2
	case words != "":
		r.every[g.column] = 1
	}
}

var (
	reAlso  = regexp.MustCompile(`^[,，]?\s*(?:再|split\b)`)
	reOne   = regexp.MustCompile(`哪|什么|\b(?:which|what)\b`)
	reEvery = regexp.MustCompile(`每|各|\b(?:each|every|per)\b`)
)

// found is the text at a place; "" at none.
func (r *reading) found(at []int) string {
	if at == nil {
		return ""
	}
	return r.s[at[0]:at[1]]
}

// limited: right before a column of texts stands a limit of a figure, 销售额超过5万的商品.
func (r *reading) limited(m mention) bool {
	return m.column.kind == textKind && strings.HasSuffix(r.s[:m.start], "的") && slices.ContainsFunc(r.wish.filters, func(f filter) bool {
		return f.limits != "" && f.at[1] == m.start-len("的")
	})
}

// endsRanked: right before it stand words like "highest 3".
func endsRanked(before string) bool {
	for _, re := range []interface{ FindAllStringIndex(string, int) [][]int }{reTopN, reBottomN, reHigh, reLow} {
		for _, at := range re.FindAllStringIndex(before, 5) {
			if rest := strings.Trim(before[at[1]:], " 的"); rest == "" || reOfN.FindString(before[at[1]:]) == before[at[1]:] {
				return true
			}
		}
	}
	return false
}

func (r *reading) hasNamed(c *Column) bool {
	return slices.ContainsFunc(r.named, func(n named) bool { return n.column == c })
}

// amountBeside: another amount is named than that column.
func (r *reading) amountBeside(c *Column) bool {
	return slices.ContainsFunc(r.mentions, func(m mention) bool { return m.column != c && m.column.number() })
}

// filtersOf turns values into conditions: several of one column are alternatives, and are told apart unless they are wanted together.
func (r *reading) filtersOf(compare bool) {
	w := r.wish
	var columns []*Column
	paired := r.pairs()
	for _, n := range r.named {
		if paired {
			break
		}
		if !slices.Contains(columns, n.column) {
			columns = append(columns, n.column)
		}
	}
	for _, c := range columns {
		var with, without []string
		at := [2]int{len(r.s), 0}
		for i, n := range r.named {
			if n.column != c {
				continue
			}
			at = [2]int{min(at[0], n.start), max(at[1], n.end)}
			if not, at := r.deniedBehind(i), r.deniedNamed(n); not || at != nil {
				if at != nil {
					r.use(at[0], at[1])
				}
				without = append(without, n.value)
			} else if !slices.Contains(with, n.value) {
				if len(without) > 0 { // except A and B
					without = append(without, n.value)
					continue
				}
				with = append(with, n.value)
			}
		}
		if len(without) > 0 && slices.Contains(with, without[0]) { // those which are and those which are not
			w.groups = addGroup(w.groups, group{column: c})
			continue
		}
		if len(with) > 0 {
			w.filters = append(w.filters, among(c, with, false).in(at))
			if len(with) > 1 && (compare || !reTogether.MatchString(r.s)) {
				w.groups = addGroup(w.groups, group{column: c})
			}
		}
		if len(without) > 0 {
			w.filters = append(w.filters, among(c, without, true).in(at))
		}
	}
	for _, m := range r.mentions { // 电话为空
		start, end := m.start, m.end
		if at := reEmpty.FindStringIndex(r.s[m.end:]); at != nil {
			r.use(m.end+at[0], m.end+at[1])
			end += at[1]
		} else if at := r.deniedBy(reLacks, m.start); at != nil && r.free(at[0], at[1]) { // 没填电话
			r.use(at[0], at[1])
			start = at[0]
		} else {
			continue
		}
		r.has(reAnyRows)
		f := filter{column: m.column, sql: quoted(m.column.Name) + isNull, limits: isNull, at: [2]int{start, end}, said: remarkf("%s 为空", "%s is empty", m.column.Name)}
		if m.column.number() && !m.column.names() && start < m.start && reHasNone.MatchString(r.s[start:m.start]) { // who has a bonus of 0 has none
			f.sql, f.said = "("+f.sql+" OR "+quoted(m.column.Name)+" = 0)", remarkf("%s 为空或为 0", "%s is empty or 0", m.column.Name)
		}
		w.filters = append(w.filters, f)
	}
}

// reHasNone: there is none, as against its not being filled in.
var reHasNone = regexp.MustCompile(`^(?:没有?|无|\bno|\bwithout(?: an?| any)?)\s*$`)

const isNull = " IS NULL"

// in is the filter with the place where the question says it.
func (f filter) in(at [2]int) filter {
	f.at = at
	return f
}

func among(c *Column, values []string, not bool) filter {
	var all, said []string
	for _, v := range c.spellings(values) {
		all, said = append(all, literal(v)), append(said, v)
	}
	q, op, zh, en := quoted(c.Name), " IN (", "是", "is"
	if not {
		op, zh, en = " NOT IN (", "不是", "is not"
	}
	f := filter{column: c, values: values, not: not, said: remark{c.Name + zh + "「" + strings.Join(said, "、") + "」", c.Name + " " + en + " " + strings.Join(said, " or ")}}
	switch {
	case len(all) > 1:
		f.sql = q + op + strings.Join(all, ", ") + ")"
	case not:
		f.sql = q + " <> " + all[0]
	default:
		f.sql = q + " = " + all[0]
	}
	if not { // what has no value is not that one
		f.sql = "(" + f.sql + " OR " + q + " IS NULL)"
	}
	return f
}

// spellings are values with all others of the column that differ only in case or width: who says East means EAST, too.
func (c *Column) spellings(values []string) []string {
	out := slices.Clone(values)
	for _, v := range values {
		for _, o := range c.distinct {
			if o != v && fold(o) == fold(v) && !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// reJudged are words for the first or the last of a kind that do not say of which figure: the best month has more of something than of rows.
var reJudged = regexp.MustCompile(`最[好差强高低]|\b(?:highest|lowest)\b|\b(?:best|worst|top|bottom)\b|(?:前|倒数)\s*(?:[0-9]+|[一二两三四五六七八九十]+)\s*(?:名|个|大|位|种|家|款|项)`)

// judged reports whether the first or last group is wanted by such a word, and not by what was sold most.
func (r *reading) judged(ranked bool) bool {
	return ranked && reJudged.MatchString(r.s) && !rePieces.MatchString(r.s) && len(r.amounts()) > 0
}

// titled are the names of some columns, at most eight.
func titled(all []*Column) (names []string) {
	for _, c := range all[:min(len(all), 8)] {
		names = append(names, c.Name)
	}
	return names
}

// best takes the only amount of the table for what such a word means, or the only one of what was taken in; else which one is meant has to be said.
func (r *reading) best(all []*Column) {
	taken := slices.DeleteFunc(slices.Clone(all), func(c *Column) bool {
		return !slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == "销售额" })
	})
	if len(all) > 1 && len(taken) == 1 {
		all = taken
	}
	if len(all) > 1 {
		r.doubt = remarkf("没有说按哪一列来比：%s", "it does not say by which column: %s", strings.Join(titled(all), ", "))
		return
	}
	for _, f := range r.foldsOf(all[0], nil, false, false) {
		r.wish.measures = append(r.wish.measures, measure{f, all[0]})
	}
}
