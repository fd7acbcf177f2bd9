package table

import (
	"slices"
	"strings"
)

// figures settles what is to be counted, added up or listed, and by what it is put together.
func (r *reading) figures() {
	w := r.wish
	r.newest = r.has(reNewest)
	nth, up := r.nth()
	topN, bottom := r.firstN()
	if at := reBrings.FindStringIndex(r.s); at != nil { // who sent the most bytes has the most of them
		if end := at[0] + strings.IndexByte(r.s[at[0]:], ' '); r.free(at[0], end) {
			r.use(at[0], end)
		}
	}
	high, low := r.implied()
	most, least, end := r.theEnds()
	high, low = high || most, low || least || bottom
	if len(r.cuts) > 0 && bottom && end == 0 { // the last two, after the highest
		high = false
	}
	ends := high && low && nth == 0
	if w.nth = nth; nth > 0 {
		high, low = high || !up, low || up
	}
	list := reList.MatchString(r.s)
	whole := reOfTotal.MatchString(r.s)
	for _, m := range r.mentions { // 占总收入多少
		before, after := reShares.FindStringIndex(r.s[:m.start]), reHowShare.FindStringIndex(r.s[m.end:])
		if before != nil && after != nil {
			r.use(before[0], before[1])
			r.use(m.end, m.end+after[1])
			w.share = true
		}
	}
	w.share = r.has(reShare) || r.rate != nil || w.share
	folds, said := r.folds()
	if len(folds) > 0 && high != low && nth == 0 && reFoldsToo.MatchString(r.s) { // the highest and the mean
		folds, high, low = append(folds, map[bool]string{true: highOf, false: lowOf}[high]), false, false
	}
	asked := r.perOne(r.quantities())
	distinct := r.has(reDistinct)
	counting := slices.Contains(folds, countOf)
	for _, d := range drawnWords {
		if r.has(d.re) {
			w.drawn = d.kind
			break
		}
	}
	r.has(reDraw)
	r.has(reHow)
	compare := r.has(reCompare)
	sortUp, sortDown := r.has(reOrderUp), r.has(reOrder)
	sorted := r.has(reSort)
	trend := r.has(reTrend)
	r.grains(trend)
	r.endOf()
	r.grouped(high || low || topN > 0)
	if end > 0 && len(w.groups) == 0 && said < end { // the lowest, and no more the mean of all
		folds = nil
	}
	r.periods()
	r.filtersOf(compare)
	amounts := r.measured()
	r.either()
	if len(amounts) == 0 || reUnits.MatchString(r.s) || reMoney.MatchString(r.s) { // 上海有多少件，销售额多少
		for _, c := range asked {
			if !slices.Contains(amounts, c) {
				amounts = append(amounts, c)
			}
		}
	}

	switch {
	case len(asked) > 0 && r.entity() != nil: // 有多少客户，花了多少钱
		w.measures = append(w.measures, r.counted(distinct)...)
	case len(asked) > 0:
	case counting && (len(amounts) == 0 || distinct || r.entity() != nil) && (r.entity() != nil || !r.units(amounts)):
		w.measures = append(w.measures, r.counted(distinct)...)
	case distinct && len(amounts) == 0:
		w.measures = append(w.measures, r.counted(true)...)
	}
	folds = slices.DeleteFunc(folds, func(f string) bool { return f == countOf })
	switch {
	case len(amounts) > 0 && len(w.groups) == 0 && (high || low || topN > 0 && !reFirstRows.MatchString(r.s)) && !ends && len(folds) == 0 && !w.share:
		// The highest figure itself: the row that has it.
		w.rows, w.by, w.ordered, w.up, w.best = true, amounts[0], true, low, true
	case len(amounts) > 0 && list && !counting && len(folds) == 0 && len(w.groups) == 0 && !w.share && r.conditions() && !high && !low:
		w.rows, w.by = true, nil
	default:
		for _, c := range amounts {
			if ends && !slices.Contains(folds, lowOf) {
				folds = append(folds, highOf, lowOf)
			}
			for _, f := range r.foldsOf(c, folds, high, low) {
				w.measures = append(w.measures, measure{f, c})
			}
		}
		at := reRows.FindStringIndex(r.s)
		if r.sales[1] > 0 {
			at = r.sales[:]
		}
		if at != nil && counting && len(amounts) > 0 && !slices.ContainsFunc(w.measures, func(m measure) bool { return m.fold == countOf || m.fold == distinctOf }) { // 上海有多少单，销售额多少
			first := len(w.measures) // the first ones are found by the first measure: 单数最多的城市，销售额多少
			if reRanked.MatchString(r.s[at[1]:]) {
				first = 0
			}
			w.measures = slices.Insert(w.measures, first, measure{countOf, nil})
		}
	}
	if w.share && len(w.measures) == 0 {
		w.measures = []measure{{countOf, nil}}
	}
	if len(w.groups) > 0 && len(w.measures) == 0 && !w.rows {
		switch all := r.amounts(); {
		case len(folds) > 0 && len(all) == 1:
			for _, f := range folds {
				w.measures = append(w.measures, measure{f, all[0]})
			}
		case len(folds) > 0:
			r.doubt = remarkf("没有说要计算哪一列", "it does not say which column is meant")
		case r.judged(high || low || topN > 0):
			r.best(all)
		default:
			w.measures = []measure{{countOf, nil}}
		}
	}
	if len(amounts) == 0 && !counting && len(folds) == 0 && !high && !low && r.inTime(topN) {
		topN = w.limit
	} else if r.newest {
		r.doubt = remarkf("没有看出「最近」说的是什么", "it is not clear what “most recent” is said of")
	}
	if len(w.groups) == 0 && len(w.measures) == 0 && !w.rows {
		r.bare(folds, list, high || low, low)
	}
	if sorted || sortUp || sortDown {
		w.ordered, w.up = true, sortUp
		if w.rows && w.by == nil {
			if all := r.mentioned(true); len(all) > 0 {
				w.by = all[0]
			}
		}
	}
	if ends { // the highest and the lowest figure of all, or of each group; not both ends of an order
		if topN > 0 || w.rows || len(amounts) == 0 || slices.ContainsFunc(w.groups, func(g group) bool { return r.every[g.column] == 0 }) {
			r.doubt = remarkf("一次只能看一头，请把最高的和最低的分开问", "only one end of an order is told at a time; ask for the highest and for the lowest by themselves")
		}
		high, low = false, false
	}
	if (high || low || topN > 0) && len(w.groups) > 0 {
		w.ordered, w.up = true, low
		w.limit, w.best = topN, true
		if topN == 0 {
			w.limit = 5
		}
		if end == 0 || len(r.wish.groups) > 1 {
			r.first(topN, high, low)
		}
	}
	if w.rows && w.limit == 0 {
		switch {
		case topN > 0:
			w.limit = topN
			if w.by == nil && (high || low) && len(amounts) > 0 {
				w.by, w.up = amounts[0], low
			}
		case w.best:
			w.limit = 5
		default:
			w.limit = 1000
		}
	}
	if w.nth > 0 {
		if w.limit = w.nth; !w.best || w.within > 0 || topN > 0 || len(w.groups) > 1 {
			r.doubt = remarkf("没有看出是什么的第 %d", "it is not clear of what number %d is wanted", w.nth)
		}
	}
	if (high || low) && len(w.groups) == 0 && len(w.measures) > 0 && !w.share { // the lowest of one figure
		r.doubt = remarkf("没有看出最高或最低说的是什么的", "it is not clear of what the highest or the lowest is wanted")
	}
	r.sharing(whole)
	r.perGroup(counting)
	r.ratio()
	r.settleTime()
	if topN > 0 && len(w.groups) == 0 && !w.rows && r.doubt.zh == "" { // the mean of the first ten would be that of all
		r.doubt = remarkf("没有看出是什么的前 %d", "it is not clear of what the first %d are wanted", topN)
	}
}

// measured are the amounts that the question names for their own sake: not those that it only compares.
func (r *reading) measured() []*Column {
	var out []*Column
	for _, c := range r.mentioned(true) {
		only := slices.ContainsFunc(r.wish.filters, func(f filter) bool { return f.column == c && len(f.values) == 0 })
		times := 0
		for _, m := range r.mentions {
			if m.column == c {
				times++
			}
		}
		grouped := slices.ContainsFunc(r.wish.groups, func(g group) bool { return g.column == c })
		if !(only && times == 1) && !grouped {
			out = append(out, c)
		}
	}
	return out
}

// mentioned are the columns that are named, in order, each once; amounts, or the others.
func (r *reading) mentioned(amounts bool) []*Column {
	var out []*Column
	for _, m := range r.mentions {
		amount := m.column.number() && !m.column.names()
		if amount == amounts && !slices.Contains(out, m.column) {
			out = append(out, m.column)
		}
	}
	return out
}

// entity is what is counted by its names: the column of texts beside "how many". nil: the rows.
func (r *reading) entity() *Column {
	for _, at := range reCount.FindAllStringIndex(r.s, 5) {
		if at[0] < r.pieces[1] && r.pieces[0] < at[1] && len(r.quantities()) > 0 { // 几台设备 of a table without pieces are its machines
			continue
		}
		for _, m := range r.mentions {
			gap := ""
			switch {
			case m.start >= at[1]:
				gap = r.s[at[1]:m.start]
			case m.end <= at[0]:
				gap = r.s[m.end:at[0]]
			}
			if gap == "的" && m.column.kind == textKind { // those which are so: to count its values would be another figure
				continue
			}
			if m.column.kind == timeKind || m.column.number() && !m.column.names() || slices.ContainsFunc(r.wish.groups, func(g group) bool { return g.column == m.column }) ||
				slices.ContainsFunc(r.wish.filters, func(f filter) bool { return f.column == m.column && f.limits == isNull }) {
				continue
			}
			if gap := strings.Trim(gap, " 的不同有"); m.start >= at[1] && (gap == "" || gap == "different" || gap == "distinct" || gap == "unique") || m.end <= at[0] && gap == "" && strings.HasPrefix(r.s[at[0]:], "有") {
				return m.column
			}
		}
	}
	return nil
}

// counted is the count that is wanted: of rows, or of different values.
func (r *reading) counted(distinct bool) []measure {
	if c := r.entity(); c != nil {
		return []measure{{distinctOf, c}}
	}
	if distinct || strings.Contains(r.s, "几种") || strings.Contains(r.s, "多少种") {
		for _, c := range r.mentioned(false) {
			if !slices.ContainsFunc(r.wish.groups, func(g group) bool { return g.column == c }) {
				return []measure{{distinctOf, c}}
			}
		}
	}
	return []measure{{countOf, nil}}
}

// conditions reports whether rows are chosen.
func (r *reading) conditions() bool { return len(r.wish.filters) > 0 }
