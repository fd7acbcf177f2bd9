package table

import (
	"regexp"
	"slices"
	"strings"
)

var (
	reOr     = regexp.MustCompile(`或者?是?|要么|\bor\b`)
	reEither = regexp.MustCompile(`\beither\b`)
)

// either joins by "or" the two conditions that the question joins so. Where it has more of them it could be meant in several ways, and is not answered.
func (r *reading) either() {
	r.has(reEither)
	for _, at := range reOr.FindAllStringIndex(r.s, 10) {
		if !r.free(at[0], at[1]) {
			continue
		}
		left, right := -1, -1
		for i, f := range r.wish.filters {
			switch {
			case f.at[1] == 0:
			case f.at[0] < at[0] && f.at[1] > at[1]: // between values of one column, which are alternatives anyway
				left, right = i, i
			case f.at[1] <= at[0] && (left < 0 || f.at[1] > r.wish.filters[left].at[1]):
				left = i
			case f.at[0] >= at[1] && (right < 0 || f.at[0] < r.wish.filters[right].at[0]):
				right = i
			}
		}
		if left < 0 || right < 0 || left == right {
			continue
		}
		a, b := r.wish.filters[left], r.wish.filters[right]
		if a.column != b.column && len(r.wish.filters) > 2 {
			r.doubt = remarkf("「%s」连接的条件可以有几种理解，请分开问", "the conditions around “%s” can be meant in several ways; ask for one at a time", r.s[at[0]:at[1]])
			return
		}
		r.use(at[0], at[1])
		r.wish.filters[left] = oneOf(a, b)
		r.wish.filters = slices.Delete(r.wish.filters, right, right+1)
		r.held = append(r.held, b.column)
	}
}

// oneOf is that one of two conditions holds, or both.
func oneOf(a, b filter) filter {
	return filter{column: a.column, sql: "(" + a.sql + " OR " + b.sql + ")", said: remark{a.said.zh + " 或 " + b.said.zh, a.said.en + " or " + b.said.en}, at: [2]int{a.at[0], b.at[1]}, or: []filter{a, b}}
}

// pairs takes values that are named by twos, as phones in the East and laptops in the South, for just these: each with each would be another question.
// false: they are not named so.
func (r *reading) pairs() bool {
	n := r.named
	if len(n) < 4 || len(n)%2 != 0 || n[0].column == n[1].column {
		return false
	}
	var sql []string
	var said remark
	for i := 0; i < len(n); i += 2 {
		if n[i].column != n[0].column || n[i+1].column != n[1].column || r.denied(n[i].start) != nil || r.denied(n[i+1].start) != nil {
			return false
		}
		a, b := among(n[i].column, []string{n[i].value}, false), among(n[i+1].column, []string{n[i+1].value}, false)
		sql = append(sql, "("+a.sql+" AND "+b.sql+")")
		said = remark{said.zh + "；" + a.said.zh + "且" + b.said.zh, said.en + "; " + a.said.en + " and " + b.said.en}
	}
	r.wish.filters = append(r.wish.filters, filter{column: n[0].column, sql: "(" + strings.Join(sql, " OR ") + ")", at: [2]int{n[0].start, n[len(n)-1].end},
		said: remark{strings.TrimPrefix(said.zh, "；"), strings.TrimPrefix(said.en, "; ")}})
	if !reTogether.MatchString(r.s) {
		for _, c := range []*Column{n[0].column, n[1].column} {
			r.wish.groups = addGroup(r.wish.groups, group{column: c})
		}
	}
	return true
}

var reRatio = regexp.MustCompile(`之比|的比值|比值|比率|\bratio\b`)

// ratio divides the figure of the first of two that the question names by that of the second.
func (r *reading) ratio() {
	if !r.has(reRatio) {
		return
	}
	w := r.wish
	for i, f := range w.filters {
		if len(f.values) != 2 || f.not || len(w.measures) != 1 || w.measures[0].fold == medianOf || w.share || w.rows {
			continue
		}
		w.versus = []filter{among(f.column, f.values[:1], false), among(f.column, f.values[1:], false)}
		w.filters = slices.Delete(w.filters, i, i+1)
		w.groups = slices.DeleteFunc(w.groups, func(g group) bool { return g.column == f.column })
		w.ordered, w.limit = false, 0
		return
	}
	r.doubt = remarkf("没有看出是哪两个数之比", "it is not clear of which two figures the ratio is")
}

// perGroup makes of conditions on a figure those of the figures that are asked for: products with revenue over 5000 are those whose rows come to more, as
// long as nothing else is asked of the rows. How many such products there are, their list tells.
func (r *reading) perGroup(counting bool) {
	w := r.wish
	records := slices.ContainsFunc(reRecord.FindAllStringIndex(r.s, 20), func(at []int) bool { return r.free(at[0], at[1]) })
	if counting { // of the groups, unless it is of rows or for each of the groups
		counting = slices.ContainsFunc(reCount.FindAllString(r.s, 20), reRecord.MatchString) || w.ordered || slices.ContainsFunc(w.groups, func(g group) bool { return r.every[g.column] > 0 })
	}
	if len(w.groups) == 0 || len(w.measures) != 1 || w.measures[0].column != nil || w.share || counting || records {
		return
	}
	for i := 0; i < len(w.filters); i++ {
		f, of := summed(w.filters[i])
		if len(of) == 0 {
			if len(f.or) > 0 && slices.ContainsFunc(f.or, func(o filter) bool { _, of := summed(o); return len(of) > 0 }) {
				r.doubt = remarkf("「%s」一半说的是合计，一半说的是每一行，请分开问", "“%s” is half of a total and half of each row; ask for one at a time", r.s[f.at[0]:f.at[1]])
			}
			continue
		}
		w.whole = append(w.whole, f)
		w.filters = slices.Delete(w.filters, i, i+1)
		i--
		if w.measures[0].column == nil {
			w.measures = nil
		}
		for _, m := range of {
			if !slices.Contains(w.measures, m) {
				w.measures = append(w.measures, m)
			}
		}
	}
}

// summed is the condition on a figure of each row as one on what the rows of a group come to, and the figures that are summed; none: it cannot be such.
func summed(f filter) (filter, []measure) {
	if len(f.or) == 2 {
		a, of := summed(f.or[0])
		b, more := summed(f.or[1])
		if len(of) == 0 || len(more) == 0 {
			return f, nil
		}
		return oneOf(a, b), append(of, more...)
	}
	if f.limits == "" || f.limits == isNull || f.column.names() || f.column.whole == "" && (f.column.unit == "%" || f.column.rate()) {
		return f, nil
	}
	m := measure{sumOf, f.column}
	if f.column.whole != "" {
		m.fold = wholeOf
	}
	f.sql = m.sql() + f.limits
	f.said = remark{strings.Replace(f.said.zh, f.column.Name, m.name("zh"), 1), strings.Replace(f.said.en, f.column.Name, m.name("en"), 1)}
	return f, []measure{m}
}

var reRecord = regexp.MustCompile(`单|笔|行|条|记录|\b(?:rows?|records?|orders?|sales of|transactions?)\b`)

// first settles within what the first are taken: the best product of each region is one of each. The highest figure of each region is no order of regions.
func (r *reading) first(n int, high, low bool) {
	w := r.wish
	var each, of []group
	all := 2
	for _, g := range w.groups {
		if how := r.every[g.column]; how > 0 {
			each, all = append(each, g), min(all, how)
		} else {
			of = append(of, g)
		}
	}
	switch {
	case len(each) > 0 && len(of) > 0:
		w.groups, w.within, w.limit = append(each, of...), len(each), max(n, 1)
	case len(of) == 0 && n == 0 && all == 2 && !reWhichOne.MatchString(r.s) && !slices.ContainsFunc(w.measures, func(m measure) bool { return m.column == nil || m.fold != sumOf }):
		for i := range w.measures {
			w.measures[i].fold = highOf
			if low {
				w.measures[i].fold = lowOf
			}
		}
		w.ordered, w.best, w.limit = false, false, 0
	}
}

var reWhichOne = regexp.MustCompile(`哪|谁|\b(?:which|who)\b`)

// quantities are the columns of how many pieces, and of the money that they brought, where the question asks for these without their names, in its order: 卖了多少钱，几件.
func (r *reading) quantities() []*Column {
	rest := reRows.ReplaceAllStringFunc(r.s, func(m string) string { return strings.Repeat(" ", len(m)) }) // 卖了多少单 are rows
	money := reMoney.FindStringIndex(rest)
	pieces := rePieces.FindStringIndex(rest)
	if pieces == nil {
		pieces = reUnits.FindStringIndex(rest)
	}
	if pieces == nil && reSold.MatchString(rest) {
		for _, n := range r.named {
			if at := reHowMany.FindStringIndex(rest[:n.start]); at != nil {
				pieces = at
			}
		}
	}
	var out []*Column
	called := func(of string) *Column {
		for _, c := range r.amounts() {
			if slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == of && a.weight > 1 }) {
				return c
			}
		}
		return nil
	}
	add := func(at []int, of string) {
		if c := called(of); at != nil && c != nil {
			out = append(out, c)
		}
	}
	of := "销售额"
	if money != nil && reSpent.MatchString(rest[money[0]:money[1]]) { // what customers spent was taken; what the house spent was not
		mentioned := func(c *Column) bool {
			return c != nil && slices.ContainsFunc(r.mentions, func(m mention) bool { return m.column == c })
		}
		switch cost := called("成本"); {
		case called("费用") != nil && !mentioned(cost):
			of = "费用"
		case mentioned(cost):
			of = "成本"
		case cost != nil:
			money = nil
		}
	}
	add(money, of)
	if n := len(out); pieces != nil {
		for _, how := range []string{"数量", "乘客", "访问量", "点击"} { // of what has no pieces
			if add(pieces, how); len(out) > n || !rePopular.MatchString(rest) {
				break
			}
		}
	}
	if pieces != nil {
		r.pieces = [2]int(pieces)
	}
	if len(out) == 2 && pieces[1] < money[1] {
		slices.Reverse(out)
	}
	if money != nil && len(out) > 0 {
		r.has(reMoney)
		r.has(reTaken)
	}
	return out
}
