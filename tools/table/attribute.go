package table

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// piece is one group on both sides: the figure, and for a mean how many rows it is of.
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

// attribution tells which groups explain a change between two periods, or the difference of two names; without either, which groups make up the whole.
func (s *study) attribution(ctx context.Context) error {
	m := s.measured()
	dims := s.dims()
	versus := s.versus()
	if versus && s.guessed {
		return refusef("没有说按哪一列来比：%s", "it does not say by which column: %s", strings.Join(titled(s.r.amounts()), ", "))
	}
	if len(dims) == 0 && !versus {
		return refusef("表里没有可以分组的列（取值 2 到 60 种的文本列），不能归因", "the table has no column to group by (texts of 2 to 60 values), so nothing can be attributed")
	}
	if s.r.timeColumn() == nil && s.r.yearColumn() == nil && s.rivals() == nil {
		return s.parts(ctx, m, dims)
	}
	two, filters, err := s.between(ctx)
	if err != nil {
		return err
	}
	dims = slices.DeleteFunc(slices.Clone(dims), func(c *Column) bool {
		return c == two.named || c == m.column || m.column == nil && s.r.calls(c)
	})
	if len(dims) == 0 || m.fold == distinctOf {
		return s.difference(ctx, m, two, filters)
	}
	var splits []split
	for _, d := range dims {
		sp, err := s.split(ctx, m, d, two, filters)
		if err != nil {
			return err
		}
		splits = append(splits, sp)
	}
	if two.named != nil && slices.ContainsFunc(splits, func(sp split) bool { return sp.shared() }) {
		splits = slices.DeleteFunc(splits, func(sp split) bool { return !sp.shared() })
	}
	// The column that explains most is the one whose shares have moved most: the Jensen-Shannon divergence between them (surprise of
	// Bhagwat et al., Adtributor, NSDI 2014).
	slices.SortStableFunc(splits, func(a, b split) int { return cmp.Compare(b.surprise, a.surprise) })
	best := splits[0]
	s.sql = append(s.sql, best.sql...)
	change := best.after - best.before
	name := m.name(s.lang)
	for i, there := range best.rows() {
		if one := []side{two.before, two.after}[i]; !there {
			return noRows(one)
		}
	}
	s.tell(name, two, best.before, best.after)
	columns := []string{best.column.Name, two.before.name, two.after.name, say(s.lang, "对"+two.apart("zh")+"的影响", "part of the "+two.apart("en")), say(s.lang, "占"+two.apart("zh")+"%", "% of the "+two.apart("en"))}
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
	s.columns, s.rows = columns, rows
	s.words = append(s.words, rowsTable(columns, rows, 10, s.lang))
	for _, sp := range splits[1:min(len(splits), 3)] {
		p := sp.pieces[0]
		s.say("按「%s」看，影响最大的是 %s（%s%s）。", "By “%s”, %s matters most (%s%s).", sp.column.Name, p.name, sign(p.part), spoken(absolute(p.part)))
	}
	how := say(s.lang, "各组两边之差", "the difference of each group")
	if m.fold == meanOf {
		how = say(s.lang, "各组均值之差与占比之差之和", "for each group, its change of mean and its change of weight together")
	}
	s.say("方法：%s；先看哪一列的构成变化最大（Jensen-Shannon 散度）。这说明%s在哪里，不等于原因。", "Method: %s; first the column whose shares have moved most (Jensen-Shannon divergence). It shows where the %s is, which need not be its cause.", how, two.apart(s.lang))
	s.figures = map[string]any{"before": best.before, "after": best.after, "change": change, "column": best.column.Name, "top": top.name, "top_part": top.part}
	if len(names) > 1 {
		kind := "column"
		if len(names) > 6 {
			kind = "bar"
		}
		title := say(s.lang, two.apart("zh")+"的构成", "parts of the "+two.apart("en"))
		s.charts = append(s.charts, outline.Chart{Kind: kind, Title: name + " " + title, Categories: names, Series: []outline.Series{{Name: columns[3], Values: values(parts)}}})
	}
	return nil
}

func noRows(one side) error {
	return refusef("没有符合「%s」的数据，不能比较", "no row is of “%s”, so nothing can be compared", one.name)
}

// tell says what a figure is on both sides, and what it is not.
func (s *study) tell(name string, two sides, before, after float64) {
	if no := two.contradicted(s.r.s, s.lang, before, after); no != "" {
		s.words = append(s.words, no)
	}
	change := after - before
	s.say("**%s**：%s 为 %s，%s 为 %s，%s **%s%s** %s。", "**%[1]s**: %[3]s for %[2]s, %[5]s for %[4]s, a %[6]s of **%[7]s%[8]s** %[9]s.", name, two.before.name, spoken(before),
		two.after.name, spoken(after), two.apart(s.lang), sign(change), spoken(absolute(change)), bracket(percent(before, after)))
}

// difference tells both figures where no column takes what is between them apart, or the figure has no parts, as a count of different values has none.
func (s *study) difference(ctx context.Context, m measure, two sides, filters []filter) error {
	var figures []float64
	s.columns = []string{"", m.name(s.lang)}
	for _, one := range []side{two.before, two.after} {
		w := &wish{table: s.r.table, measures: []measure{m, {countOf, nil}}, filters: append(slices.Clone(filters), filter{sql: one.sql})}
		text := w.sql("en")
		r, err := s.b.query(ctx, text)
		if err != nil {
			return err
		}
		if n, _ := asFloat(r.rows[0][1]); n == 0 || r.rows[0][0] == nil {
			return noRows(one)
		}
		v, _ := asFloat(r.rows[0][0])
		figures, s.sql, s.rows = append(figures, v), append(s.sql, text), append(s.rows, []any{one.name, v})
	}
	s.tell(m.name(s.lang), two, figures[0], figures[1])
	s.figures = map[string]any{"before": figures[0], "after": figures[1], "change": figures[1] - figures[0]}
	return nil
}

// rows reports whether either side has any.
func (sp *split) rows() (there [2]bool) {
	for _, p := range sp.pieces {
		there[0], there[1] = there[0] || p.thereB4, there[1] || p.there
	}
	return there
}

// shared reports whether any group is on both sides. Where none is, the column only says in other words which side a row is of, as the region does
// of two cities in different ones.
func (sp *split) shared() bool {
	there := sp.rows()
	return !there[0] || !there[1] || slices.ContainsFunc(sp.pieces, func(p piece) bool { return p.thereB4 && p.there })
}

// split takes a figure apart by one column on both sides.
func (s *study) split(ctx context.Context, m measure, d *Column, two sides, filters []filter) (split, error) {
	sp := split{column: d}
	at := map[string]int{}
	for i, one := range []side{two.before, two.after} {
		w := &wish{table: s.r.table, groups: []group{{column: d}}, measures: []measure{m, {countOf, nil}}, filters: append(slices.Clone(filters), filter{sql: one.sql})}
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
