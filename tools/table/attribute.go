package table

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// piece is one group in both periods: the figure, and for a mean how many rows it is of.
type piece struct {
	name           string
	before, after  float64
	rowsB, rowsA   float64
	there, thereB4 bool
	part           float64 // of the change
}

// split is a change as the groups of one column explain it.
type split struct {
	column        *Column
	pieces        []piece
	before, after float64
	surprise      float64
	sql           []string
}

// attribution tells which groups explain a change between two periods; without times, which groups make up the whole.
func (s *study) attribution(ctx context.Context) error {
	m := s.measured()
	dims := s.dims()
	if len(dims) == 0 {
		return refusef("表里没有可以分组的列（取值 2 到 60 种的文本列），不能归因", "the table has no column to group by (texts of 2 to 60 values), so nothing can be attributed")
	}
	c := s.r.timeColumn()
	if c == nil {
		return s.parts(ctx, m, dims)
	}
	found := stretches(s.r.s, s.r.now, s.r.free)
	for _, st := range found {
		s.r.use(st.start, st.end)
	}
	filters := s.conditions(false)
	before, after, err := s.periods(ctx, c, found, filters)
	if err != nil {
		return err
	}
	var splits []split
	for _, d := range dims {
		sp, err := s.split(ctx, m, d, c, before, after, filters)
		if err != nil {
			return err
		}
		splits = append(splits, sp)
	}
	// The column that explains most is the one whose shares have moved most: the Jensen-Shannon divergence between them (surprise of
	// Bhagwat et al., Adtributor, NSDI 2014).
	slices.SortStableFunc(splits, func(a, b split) int { return cmp.Compare(b.surprise, a.surprise) })
	best := splits[0]
	s.sql = append(s.sql, best.sql...)
	change := best.after - best.before
	name := m.name(s.lang)
	if best.before == 0 && best.after == 0 {
		return refusef("两期（%s 与 %s）都没有数据", "neither period (%s, %s) has any data", before.name(), after.name())
	}
	s.say("**%s**：%s 为 %s，%s 为 %s，变化 **%s%s** %s。", "**%[1]s**: %[3]s in %[2]s, %[5]s in %[4]s, a change of **%[6]s%[7]s** %[8]s.",
		name, before.name(), spoken(best.before), after.name(), spoken(best.after), sign(change), spoken(absolute(change)), bracket(percent(best.before, best.after)))
	columns := []string{best.column.Name, before.name(), after.name(), say(s.lang, "对变化的影响", "part of the change"), say(s.lang, "占变化%", "% of the change")}
	var rows [][]any
	var names []string
	var parts []float64
	for _, p := range best.pieces[:min(len(best.pieces), 10)] {
		share := any(nil)
		if change != 0 {
			share = 100 * p.part / change
		}
		rows = append(rows, []any{p.name, p.before, p.after, p.part, share})
		names, parts = append(names, p.name), append(parts, p.part)
	}
	top := best.pieces[0]
	s.say("按「%s」看，影响最大的是 **%s**（%s%s）：", "By “%s”, **%s** matters most (%s%s):", best.column.Name, top.name, sign(top.part), spoken(absolute(top.part)))
	s.words = append(s.words, rowsTable(columns, rows, 10, s.lang))
	for _, sp := range splits[1:min(len(splits), 3)] {
		p := sp.pieces[0]
		s.say("按「%s」看，影响最大的是 %s（%s%s）。", "By “%s”, %s matters most (%s%s).", sp.column.Name, p.name, sign(p.part), spoken(absolute(p.part)))
	}
	how := say(s.lang, "各组两期之差", "the difference of each group")
	if m.fold == meanOf {
		how = say(s.lang, "各组均值之差与占比之差之和", "for each group, its change of mean and its change of weight together")
	}
	s.say("方法：%s；先看哪一列的构成变化最大（Jensen-Shannon 散度）。这说明变化发生在哪里，不等于原因。", "Method: %s; first the column whose shares have moved most (Jensen-Shannon divergence). It shows where the change is, which need not be its cause.", how)
	s.figures = map[string]any{"before": best.before, "after": best.after, "change": change, "column": best.column.Name, "top": top.name, "top_part": top.part}
	if len(names) > 1 {
		kind := "column"
		if len(names) > 6 {
			kind = "bar"
		}
		title := say(s.lang, "变化的构成", "parts of the change")
		s.charts = append(s.charts, outline.Chart{Kind: kind, Title: name + " " + title, Categories: names, Series: []outline.Series{{Name: columns[3], Values: values(parts)}}})
	}
	return nil
}

// periods are the two that are compared: those that the task names, else the last two whole ones.
func (s *study) periods(ctx context.Context, c *Column, found []stretch, filters []filter) (before, after stretch, err error) {
	var named []stretch
	for _, st := range found {
		if st.month > 0 { // of the newest year that has it
			r, err := s.b.query(ctx, fmt.Sprintf("SELECT MAX(substr(%[1]s, 1, 7)) FROM %[2]s WHERE substr(%[1]s, 6, 2) = '%02[3]d'", quoted(c.Name), quoted(s.r.table.Name), st.month))
			if err != nil {
				return before, after, err
			}
			i, ok := readTime(cellText(r.rows[0][0]), anyOrder)
			if !ok {
				return before, after, refusef("表里没有 %d 月的数据", "the table has nothing of month %d", st.month)
			}
			st.from, st.to, st.grain = i.t, i.t.AddDate(0, 1, 0), byMonth
		}
		named = append(named, st)
	}
	switch {
	case len(named) >= 2:
		before, after = named[0], named[1]
		if before.from.After(after.from) {
			before, after = after, before
		}
		return before, after, nil
	case len(named) == 1:
		after = named[0]
		before = stretch{to: after.from, grain: after.grain}
		if after.grain >= byWeek && after.from.Equal(begin(after.from, after.grain)) && next(after.from, after.grain).Equal(after.to) {
			before.from = begin(after.from.AddDate(0, 0, -1), after.grain)
		} else {
			before.from = after.from.Add(-after.to.Sub(after.from))
		}
		return before, after, nil
	}
	x, err := s.b.seriesBy(ctx, s.r.table, c, s.grain(), measure{countOf, nil}, filters)
	if err != nil {
		return before, after, err
	}
	if len(x.names) < 2 {
		return before, after, refusef("只有一期数据，不能比较", "there is only one period, so nothing can be compared")
	}
	s.notes = append(s.notes, x.notes...)
	after.to = x.start()
	after.from = begin(after.to.AddDate(0, 0, -1), x.grain)
	before.to = after.from
	before.from = begin(before.to.AddDate(0, 0, -1), x.grain)
	before.grain, after.grain = x.grain, x.grain
	return before, after, nil
}

// split takes a figure apart by one column in both periods.
func (s *study) split(ctx context.Context, m measure, d, c *Column, before, after stretch, filters []filter) (split, error) {
	sp := split{column: d}
	at := map[string]int{}
	form := min(max(c.grain, byDay), byMonth)
	for i, st := range []stretch{before, after} {
		w := &wish{table: s.r.table, groups: []group{{column: d}}, measures: []measure{m, {countOf, nil}}, filters: append(slices.Clone(filters), filter{
			sql: fmt.Sprintf("%[1]s >= %[2]s AND %[1]s < %[3]s", quoted(c.Name), literal(instant{t: st.from}.text(form)), literal(instant{t: st.to}.text(form)))})}
		if m.column != nil {
			w.filters = append(w.filters, filter{sql: quoted(m.column.Name) + " IS NOT NULL"})
		}
		text := w.sql("en")
		r, err := s.b.query(ctx, text)
		if err != nil {
			return sp, err
		}
		sp.sql = append(sp.sql, text)
		for _, row := range r.rows {
			name := cellText(row[0])
			if row[0] == nil {
				name = say(s.lang, "（空）", "(empty)")
			}
			k, ok := at[name]
			if !ok {
				k = len(sp.pieces)
				at[name] = k
				sp.pieces = append(sp.pieces, piece{name: name})
			}
			p := &sp.pieces[k]
			v, _ := asFloat(row[1])
			n, _ := asFloat(row[2])
			if i == 0 {
				p.before, p.rowsB, p.thereB4 = v, n, true
			} else {
				p.after, p.rowsA, p.there = v, n, true
			}
		}
	}
	sp.weigh(m.fold == meanOf)
	return sp, nil
}

// weigh gives each group its part of the change; the parts add up to it. Of a mean, a group moves the whole by its own mean and by its weight.
func (sp *split) weigh(means bool) {
	var rowsB, rowsA float64
	for _, p := range sp.pieces {
		rowsB, rowsA = rowsB+p.rowsB, rowsA+p.rowsA
	}
	var shareB, shareA []float64
	for i := range sp.pieces {
		p := &sp.pieces[i]
		if !means {
			p.part = p.after - p.before
			sp.before, sp.after = sp.before+p.before, sp.after+p.after
			shareB, shareA = append(shareB, math.Abs(p.before)), append(shareA, math.Abs(p.after))
			continue
		}
		wB, wA := ratio(p.rowsB, rowsB), ratio(p.rowsA, rowsA)
		b, a := p.before, p.after
		if !p.thereB4 { // what was not there had no mean to change
			b = a
		}
		if !p.there {
			a = b
		}
		p.part = (wA-wB)*(a+b)/2 + (wA+wB)/2*(a-b)
		sp.before, sp.after = sp.before+wB*p.before, sp.after+wA*p.after
		shareB, shareA = append(shareB, math.Abs(wB*p.before)), append(shareA, math.Abs(wA*p.after))
	}
	sp.surprise = divergence(shareB, shareA)
	slices.SortStableFunc(sp.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(math.Abs(b.part), math.Abs(a.part)), cmp.Compare(a.name, b.name))
	})
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// divergence is that of Jensen and Shannon between two lists of amounts as shares, 0 to 1.
func divergence(p, q []float64) (d float64) {
	tp, tq := total(p), total(q)
	if tp == 0 || tq == 0 {
		return 0
	}
	for i := range p {
		a, b := p[i]/tp, q[i]/tq
		m := (a + b) / 2
		if a > 0 {
			d += a / 2 * math.Log2(a/m)
		}
		if b > 0 {
			d += b / 2 * math.Log2(b/m)
		}
	}
	return d
}

// parts tells what the whole is made of, where there are no times to compare.
func (s *study) parts(ctx context.Context, m measure, dims []*Column) error {
	if m.fold == meanOf { // means make up no whole
		m = measure{countOf, nil}
	}
	d := dims[0]
	w := &wish{table: s.r.table, groups: []group{{column: d}}, measures: []measure{m}, share: true, ordered: true, filters: s.conditions(false)}
	text := w.sql(s.lang)
	r, err := s.b.query(ctx, text)
	if err != nil {
		return err
	}
	s.sql = append(s.sql, text)
	if len(r.rows) == 0 {
		return refusef("没有符合条件的数据", "no rows match")
	}
	s.notes = append(s.notes, remark{"表里没有日期列，只能看构成，不能看变化", "the table has no dates, so this is what the whole is made of and not what changed"})
	share, _ := asFloat(r.rows[0][len(r.rows[0])-1])
	s.say("按「%s」看，%s里占比最大的是 **%s**（%.1f%%）：", "By “%s”, most of the %s is **%s** (%.1f%%):", d.Name, m.name(s.lang), spoken(r.rows[0][0]), share)
	s.words = append(s.words, rowsTable(r.columns, r.rows, shownRows, s.lang))
	s.figures = map[string]any{"column": d.Name, "top": cellText(r.rows[0][0]), "top_share": share}
	if c, ok := seriesOf(w, r, s.lang); ok {
		s.charts = append(s.charts, c)
	}
	return nil
}
