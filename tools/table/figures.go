package table

import (
	"slices"
	"strings"
)

// figures settles what is to be counted, added up or listed, and by what it is put together.
func (r *reading) figures() {
	w := r.wish
	topN, bottom := r.firstN()
	high, low := r.has(reHigh), false
	if !bottom {
		low = r.has(reLow)
	}
	if bottom {
		low = true
	}
	list := reList.MatchString(r.s)
	folds := r.folds()
	distinct := r.has(reDistinct)
	counting := slices.Contains(folds, countOf)
	w.share = r.has(reShare)
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
	r.grouped(high || low || topN > 0)
	r.filtersOf(compare)
	amounts := r.measured()

	switch {
	case len(amounts) == 0 && r.quantity() != nil:
		w.measures = append(w.measures, measure{sumOf, r.quantity()})
	case counting && (len(amounts) == 0 || distinct || r.entity() != nil) && !r.pieces(amounts):
		w.measures = append(w.measures, r.counted(distinct)...)
		if len(amounts) > 0 && !distinct && r.entity() == nil {
			folds = slices.DeleteFunc(folds, func(f string) bool { return f == countOf })
		} else {
			amounts = nil
		}
	case distinct && len(amounts) == 0:
		w.measures = append(w.measures, r.counted(true)...)
	}
	folds = slices.DeleteFunc(folds, func(f string) bool { return f == countOf })
	switch {
	case len(amounts) > 0 && len(w.groups) == 0 && (high || low) && len(folds) == 0 && !w.share:
		// The highest figure itself: the row that has it.
		w.rows, w.by, w.ordered, w.up, w.best = true, amounts[0], true, low, true
	case len(amounts) > 0 && list && len(folds) == 0 && len(w.groups) == 0 && !w.share && r.conditions() && !high && !low:
		w.rows, w.by = true, nil
	default:
		for _, c := range amounts {
			for _, f := range r.foldsOf(c, folds, high, low) {
				w.measures = append(w.measures, measure{f, c})
			}
		}
	}
	if w.share && len(w.measures) == 0 {
		w.measures = []measure{{countOf, nil}}
	}
	if len(w.measures) > 1 && slices.ContainsFunc(w.measures, func(m measure) bool { return m.fold == medianOf }) {
		w.measures = slices.DeleteFunc(w.measures, func(m measure) bool { return m.fold != medianOf })[:1]
	}
	if len(w.groups) > 0 && len(w.measures) == 0 && !w.rows {
		switch all := r.amounts(); {
		case len(folds) > 0 && len(all) == 1:
			for _, f := range folds {
				w.measures = append(w.measures, measure{f, all[0]})
			}
		case len(folds) > 0:
			r.doubt = remarkf("没有说要计算哪一列", "it does not say which column is meant")
		default:
			w.measures = []measure{{countOf, nil}}
		}
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
	if (high || low || topN > 0) && len(w.groups) > 0 {
		w.ordered, w.up = true, low
		w.limit, w.best = topN, true
		if topN == 0 {
			w.limit = 5
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
	r.sharing()
}

// firstN reads "top 3", 前三名, 倒数两个; 0: none.
func (r *reading) firstN() (n int, bottom bool) {
	find := func(re interface {
		FindStringSubmatchIndex(string) []int
	}) int {
		m := re.FindStringSubmatchIndex(r.s)
		if m == nil || !r.free(m[0], m[1]) {
			return 0
		}
		for g := 1; g < len(m)/2; g++ {
			if m[2*g] >= 0 {
				if n := atoi(r.s[m[2*g]:m[2*g+1]]); n > 0 && n <= 1000 {
					r.use(m[0], m[1])
					return n
				}
			}
		}
		return 0
	}
	if n = find(reBottomN); n > 0 {
		return n, true
	}
	if n = find(reTopN); n > 0 {
		return n, false
	}
	for _, re := range []interface{ FindAllStringIndex(string, int) [][]int }{reHigh, reLow} {
		for _, at := range re.FindAllStringIndex(r.s, 5) {
			if m := reOfN.FindStringSubmatchIndex(r.s[at[1]:]); m != nil && r.free(at[1]+m[0], at[1]+m[1]) {
				if n := atoi(r.s[at[1]+m[2] : at[1]+m[3]]); n > 0 && n <= 1000 {
					r.use(at[1]+m[0], at[1]+m[1])
					return n, false
				}
			}
		}
	}
	return 0, false
}

// folds are the functions that the question names, in order.
func (r *reading) folds() []string {
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
			if r.free(at[0], at[1]) {
				r.use(at[0], at[1])
				found = append(found, place{at[0], f.fold})
			}
		}
	}
	slices.SortFunc(found, func(a, b place) int { return a.at - b.at })
	var out []string
	for _, p := range found {
		if !slices.Contains(out, p.fold) {
			out = append(out, p.fold)
		}
	}
	if slices.Contains(out, countOf) && slices.Contains(out, sumOf) { // 一共有多少个
		out = slices.DeleteFunc(out, func(f string) bool { return f == sumOf })
	}
	return out
}

// grains puts times together as the question says: by month, daily, or, for a trend, as finely as its length allows.
func (r *reading) grains(trend bool) {
	w := r.wish
	c := r.timeColumn()
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
		w.groups = addGroup(w.groups, group{c, r.finest(c, g.grain)})
	}
	if trend && len(w.groups) == 0 && c != nil {
		w.groups = addGroup(w.groups, group{c, r.finest(c, byMonth)})
	}
}

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
	last := -1 // the end of the mention before, if that is a group
	for _, m := range r.mentions {
		before, after := r.s[:m.start], r.s[m.end:]
		known := len(w.groups)
		each := reEach.FindStringIndex(before)
		back := reEachBack.FindStringIndex(after)
		rankedBy := ranked && (reOfN.MatchString("的1个") && endsRanked(before) || m.column.kind != timeKind && !m.column.number() && !r.hasNamed(m.column))
		switch {
		case m.column.kind == timeKind:
			if each != nil || rankedBy && len(w.groups) == 0 {
				w.groups = addGroup(w.groups, group{m.column, r.finest(m.column, byDay)})
			}
		case m.column.number() && !yearName.MatchString(m.column.Name) && !monthName.MatchString(m.column.Name) && !identity.MatchString(m.column.Name):
			if each != nil && !strings.HasSuffix(strings.TrimSpace(before), "what") && !strings.HasSuffix(strings.TrimSpace(before), "什么") && r.amountBeside(m.column) {
				w.groups = addGroup(w.groups, group{column: m.column})
			}
		case each != nil || back != nil || rankedBy || last >= 0 && reAnd.MatchString(r.s[last:m.start]):
			w.groups = addGroup(w.groups, group{column: m.column})
		}
		last = -1
		if len(w.groups) > known {
			last = m.end
		}
		if each != nil {
			r.use(each[0], each[1])
		}
	}
	if len(w.groups) == 0 && r.has(reWho) {
		for _, c := range r.table.Columns {
			if personName.MatchString(c.Name) && c.kind == textKind && !identity.MatchString(c.Name) {
				w.groups = addGroup(w.groups, group{column: c})
				break
			}
		}
	}
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
	for _, n := range r.named {
		if !slices.Contains(columns, n.column) {
			columns = append(columns, n.column)
		}
	}
	for _, c := range columns {
		var with, without []string
		for _, n := range r.named {
			if n.column != c {
				continue
			}
			if at := reNot.FindStringIndex(strings.TrimRight(r.s[:n.start], " “「\"")); at != nil {
				r.use(at[0], at[1])
				without = append(without, n.value)
			} else if !slices.Contains(with, n.value) {
				if len(without) > 0 { // except A and B
					without = append(without, n.value)
					continue
				}
				with = append(with, n.value)
			}
		}
		if len(with) > 0 {
			w.filters = append(w.filters, among(c, with, false))
			if len(with) > 1 && !reTogether.MatchString(r.s) && len(w.groups) == 0 || compare && len(with) > 1 {
				w.groups = addGroup(w.groups, group{column: c})
			}
		}
		if len(without) > 0 {
			w.filters = append(w.filters, among(c, without, true))
		}
	}
	for _, m := range r.mentions { // 电话为空
		if at := reEmpty.FindStringIndex(r.s[m.end:]); at != nil {
			r.use(m.end+at[0], m.end+at[1])
			w.filters = append(w.filters, filter{column: m.column, sql: quoted(m.column.Name) + " IS NULL", said: remarkf("%s 为空", "%s is empty", m.column.Name)})
		}
	}
}

func among(c *Column, values []string, not bool) filter {
	var all []string
	for _, v := range values {
		all = append(all, literal(v))
	}
	q, op, zh, en := quoted(c.Name), " IN (", "是", "is"
	if not {
		op, zh, en = " NOT IN (", "不是", "is not"
	}
	f := filter{column: c, values: values, not: not, said: remark{c.Name + zh + "「" + strings.Join(values, "、") + "」", c.Name + " " + en + " " + strings.Join(values, " or ")}}
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
		amount := m.column.number() && !identity.MatchString(m.column.Name)
		if amount == amounts && !slices.Contains(out, m.column) {
			out = append(out, m.column)
		}
	}
	return out
}

// entity is what is counted by its names: the column of texts beside "how many". nil: the rows.
func (r *reading) entity() *Column {
	for _, at := range reCount.FindAllStringIndex(r.s, 5) {
		for _, m := range r.mentions {
			gap := ""
			switch {
			case m.start >= at[1]:
				gap = r.s[at[1]:m.start]
			case m.end <= at[0]:
				gap = r.s[m.end:at[0]]
			}
			if m.column.kind == timeKind || m.column.number() && !identity.MatchString(m.column.Name) || slices.ContainsFunc(r.wish.groups, func(g group) bool { return g.column == m.column }) {
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

// pieces: "how many units" asks for the sum of a quantity, not for rows.
func (r *reading) pieces(amounts []*Column) bool {
	return len(amounts) == 1 && slices.ContainsFunc(aliases(amounts[0], nil), func(a alias) bool { return a.text == "数量" }) || len(amounts) > 0 && !strings.Contains(r.s, "行") && !strings.Contains(r.s, "条")
}

// quantity is the column that says how many pieces, when the question asks for pieces, or for the money that they brought: 卖了多少件, which sold most,
// 卖了多少钱.
func (r *reading) quantity() *Column {
	of := "数量"
	switch {
	case reMoney.MatchString(r.s):
		of = "销售额"
	case !rePieces.MatchString(r.s):
		return nil
	}
	for _, c := range r.amounts() {
		if slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == of && a.weight > 1 }) {
			return c
		}
	}
	return nil
}

// conditions reports whether rows are chosen.
func (r *reading) conditions() bool { return len(r.wish.filters) > 0 }

// foldsOf is what is done to a column: what the question says nearest before it, else what suits it. A price or an age is not added up.
func (r *reading) foldsOf(c *Column, folds []string, high, low bool) []string {
	if len(folds) > 0 {
		return folds
	}
	rate := c.unit == "%" || intensive.MatchString(c.Name)
	switch {
	case rate && high && len(r.wish.groups) > 0:
		return []string{highOf}
	case rate && low && len(r.wish.groups) > 0:
		return []string{lowOf}
	case rate:
		return []string{meanOf}
	}
	return []string{sumOf}
}

// bare is a question that names neither amount nor group: a count, rows, or a fold of the only amount.
func (r *reading) bare(folds []string, list, ranked, low bool) {
	w := r.wish
	all := r.amounts()
	switch {
	case ranked && len(all) == 1:
		w.rows, w.by, w.ordered, w.up, w.best = true, all[0], true, low, true
	case len(folds) > 0 && len(all) == 1:
		for _, f := range folds {
			w.measures = append(w.measures, measure{f, all[0]})
		}
	case len(folds) > 0 || ranked:
		r.doubt = remarkf("没有说要计算哪一列", "it does not say which column is meant")
	case len(w.filters) > 0 || list:
		if texts := r.mentioned(false); list && len(texts) > 0 && len(w.filters) == 0 && texts[0].kind == textKind { // 有哪些地区
			w.groups = []group{{column: texts[0]}}
			w.measures = []measure{{countOf, nil}}
			return
		}
		w.rows = true
	case len(r.mentioned(false)) > 0:
		for _, c := range r.mentioned(false) {
			g := group{column: c}
			if c.kind == timeKind {
				g.grain = r.finest(c, byDay)
			}
			w.groups = append(w.groups, g)
		}
		w.measures = []measure{{countOf, nil}}
	default:
		r.doubt = remarkf("没有看出要查什么", "it is not clear what is wanted")
	}
}

// sharing: the share of one of several is shown among all of them.
func (r *reading) sharing() {
	w := r.wish
	if !w.share || len(w.groups) > 0 {
		if w.share {
			w.ordered = true
		}
		return
	}
	for i, f := range w.filters {
		if len(f.values) > 0 && !f.not {
			w.groups = []group{{column: f.column}}
			w.focus = f.values
			w.filters = slices.Delete(w.filters, i, i+1)
			w.ordered = true
			return
		}
	}
	if texts := r.mentioned(false); len(texts) > 0 {
		w.groups = []group{{column: texts[0]}}
		w.ordered = true
		return
	}
	r.doubt = remarkf("没有说按什么算占比", "it does not say what the share is of")
}
