package table

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

const (
	minOutliers = 8   // values below which none can be told
	farOut      = 3.5 // of the modified z-score (Iglewicz & Hoaglin 1993)
	listedOut   = 10
)

// farness says how far values lie from the middle: the modified z-score, by the median and the median absolute deviation, which the
// outliers themselves hardly move. Where more than half of the values are equal it is instead the distance beyond the quartiles, in such units that
// farOut is three times their span (Tukey's far-out fence).
func farness(all []float64) (score func(float64) float64, middle float64, byFence bool) {
	middle = median(all)
	away := make([]float64, len(all))
	for i, v := range all {
		away[i] = absolute(v - middle)
	}
	if mad := median(away); mad > 0 {
		return func(v float64) float64 { return .6745 * (v - middle) / mad }, middle, false
	}
	sorted := slices.Sorted(slices.Values(all))
	low, high := quantile(sorted, .25), quantile(sorted, .75)
	span := high - low
	return func(v float64) float64 {
		switch {
		case span == 0:
			return 0
		case v > high:
			return farOut * (v - high) / (3 * span)
		case v < low:
			return farOut * (v - low) / (3 * span)
		}
		return 0
	}, middle, true
}

// floats reads the values of columns, of the rows that have all of them, with the places of their rows.
func (b *book) floats(ctx context.Context, t *Table, columns []*Column, filters []filter) (ids []int64, out [][]float64, text string, err error) {
	w := wish{table: t, filters: slices.Clone(filters)}
	var names []string
	for _, c := range columns {
		w.filters = append(w.filters, filter{sql: quoted(c.Name) + " IS NOT NULL"})
		names = append(names, c.sqlValue()+" AS "+quoted(c.Name))
	}
	text = "SELECT " + t.place() + ", " + strings.Join(names, ", ") + " FROM " + quoted(t.Name) + w.where()
	ctx, cancel := context.WithTimeoutCause(ctx, askWithin, refusef("读取超过 %v，已停止", "reading took longer than %v and was stopped", askWithin))
	defer cancel()
	rows, err := b.conn.QueryContext(ctx, text)
	if err != nil {
		return nil, nil, text, err
	}
	defer rows.Close()
	var one int64
	line := make([]float64, len(columns))
	into := []any{&one}
	for i := range line {
		into = append(into, &line[i])
	}
	out = make([][]float64, len(columns))
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, nil, text, err
		}
		ids = append(ids, one)
		for i, v := range line {
			out[i] = append(out[i], v)
		}
	}
	if ctx.Err() != nil {
		return nil, nil, text, context.Cause(ctx)
	}
	return ids, out, text, rows.Err()
}

// outliers finds values far from the rest: of periods when the task speaks of them, else of rows.
func (s *study) outliers(ctx context.Context) error {
	m := s.measured()
	if m.column == nil {
		return refusef("表里没有可以分析的数值列", "the table has no column of numbers to look at")
	}
	filters := s.conditions(true)
	var names []string
	var all []float64
	var ids []int64
	if c := s.r.timeColumn(); c != nil && s.grain() != byMoment {
		x, err := s.b.seriesBy(ctx, s.r.table, c, s.grain(), m, filters)
		if err != nil {
			return err
		}
		s.sql, s.notes = append(s.sql, x.sql), append(s.notes, x.notes...)
		names, all = x.names, x.values
	} else {
		var found [][]float64
		var text string
		var err error
		if ids, found, text, err = s.b.floats(ctx, s.r.table, []*Column{m.column}, filters); err != nil {
			return err
		}
		s.sql = append(s.sql, text)
		all = found[0]
	}
	if len(all) < minOutliers {
		return refusef("只有 %d 个值，判断异常至少要 %d 个", "there are only %d values; to tell outliers there must be %d", len(all), minOutliers)
	}
	score, middle, byFence := farness(all)
	type far struct {
		at    int
		score float64
	}
	var out []far
	for i, v := range all {
		if z := score(v); absolute(z) > farOut {
			out = append(out, far{i, z})
		}
	}
	slices.SortStableFunc(out, func(a, b far) int { return cmp.Compare(absolute(b.score), absolute(a.score)) })
	method := say(s.lang, "修正 z 分数（中位数与绝对中位差）大于 3.5", "modified z-score, by median and median absolute deviation, above 3.5")
	if byFence {
		method = say(s.lang, "超出四分位距 3 倍（超过一半的值相同，绝对中位差为 0）", "beyond three times the span of the quartiles (more than half of the values are equal)")
	}
	label := m.column.Name
	if names != nil {
		label = m.name(s.lang)
	}
	s.figures = map[string]any{"values": len(all), "median": middle, "outliers": len(out)}
	if len(out) == 0 {
		s.say("%s的 %d 个值里没有异常值（中位数 %s；方法：%s）。", "There are no outliers among the %[2]d values of %[1]s (median %[3]s; method: %[4]s).", label, len(all), spoken(middle), method)
		return nil
	}
	s.say("%s的 %d 个值里有 **%d** 个异常值（中位数 %s；方法：%s）。", "%[3]d outliers among the %[2]d values of %[1]s (median %[4]s; method: %[5]s).", label, len(all), len(out), spoken(middle), method)
	if len(out) > 2 && len(out)*20 > len(all) {
		s.notes = append(s.notes, remark{"超过 5% 的值被判为异常，数据可能只是偏斜，不一定有错", "more than 5% of the values are outliers; the data may simply be skewed"})
	}
	shown := out[:min(len(out), listedOut)]
	var rows [][]any
	columns := []string{label, say(s.lang, "分数", "score")}
	if names != nil {
		columns = append([]string{grainNames[s.grain()].in(s.lang)}, columns...)
		for _, f := range shown {
			rows = append(rows, []any{names[f.at], all[f.at], round2(f.score)})
		}
	} else {
		var wanted []int64
		for _, f := range shown {
			wanted = append(wanted, ids[f.at])
		}
		r, err := s.rowsOf(ctx, wanted)
		if err != nil {
			return err
		}
		columns = append(append([]string{}, r.columns...), say(s.lang, "分数", "score"))
		for i, row := range r.rows {
			rows = append(rows, append(row, round2(shown[i].score)))
		}
	}
	s.words = append(s.words, rowsTable(columns, rows, listedOut, s.lang))
	if left := len(out) - len(shown); left > 0 {
		s.say("另有 %d 个没有列出。", "%d more are not listed.", left)
	}
	return nil
}

func round2(v float64) float64 {
	if absolute(v) > 1e12 { // it has no fraction worth showing, and a hundredfold it might be no number
		return v
	}
	return math.Round(v*100) / 100
}

// rowsOf are some rows whole, in the order in which they are wanted.
func (s *study) rowsOf(ctx context.Context, ids []int64) (*result, error) {
	out := &result{}
	for _, id := range ids {
		r, err := s.b.query(ctx, fmt.Sprintf("SELECT * FROM %s WHERE %s = %d", quoted(s.r.table.Name), s.r.table.place(), id))
		if err != nil {
			return nil, err
		}
		out.columns, out.rows = r.columns, append(out.rows, r.rows...)
	}
	return out, nil
}

// place is the name of a row's place, which a column may be called by, too.
func (t *Table) place() string {
	id := "rowid"
	for _, other := range []string{"_rowid_", "oid"} {
		if t.column(id) != nil {
			id = other
		}
	}
	return id
}
