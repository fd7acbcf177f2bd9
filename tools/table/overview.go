package table

import (
	"context"
	"errors"
	"slices"
)

// overview tells what a table holds: the spread of each column of numbers, and what the other methods find where there is enough for them.
func (s *study) overview(ctx context.Context) error {
	t := s.r.table
	filters := s.conditions(true)
	s.say("表「%s」有 %d 行、%d 列。", "The table “%s” has %d rows and %d columns.", t.Name, t.Rows, len(t.Columns))
	s.figures["rows"], s.figures["columns"] = t.Rows, len(t.Columns)
	columns := []string{say(s.lang, "列", "column"), say(s.lang, "有值", "values"), say(s.lang, "合计", "total"), say(s.lang, "平均", "mean"), say(s.lang, "中位数", "median"), say(s.lang, "最小", "lowest"), say(s.lang, "最大", "highest")}
	var rows [][]any
	for _, c := range s.r.amounts()[:min(len(s.r.amounts()), maxMeasure)] {
		_, v, text, err := s.b.floats(ctx, t, []*Column{c}, filters)
		if err != nil {
			return err
		}
		s.sql = append(s.sql, text)
		if len(v[0]) == 0 {
			continue
		}
		sum := any(total(v[0]))
		if c.rate() || c.unit == "%" {
			sum = nil
		}
		rows = append(rows, []any{c.Name, int64(len(v[0])), sum, mean(v[0]), median(v[0]), slices.Min(v[0]), slices.Max(v[0])})
	}
	if len(rows) > 0 {
		s.words = append(s.words, rowsTable(columns, rows, maxMeasure, s.lang))
	}
	// What there is too little for says nothing here.
	try := func(run func(*study, context.Context) error, keep int) error {
		one := &study{b: s.b, r: s.r, lang: s.lang, figures: map[string]any{}}
		err := run(one, ctx)
		var no refused
		if errors.As(err, &no) {
			return nil
		}
		if err != nil {
			return err
		}
		s.words = append(s.words, one.words[:min(len(one.words), keep)]...)
		s.sql, s.charts = append(s.sql, one.sql...), append(s.charts, one.charts...)
		return nil
	}
	if s.r.timeColumn() != nil {
		if err := try((*study).trend, 4); err != nil {
			return err
		}
	}
	if dims := s.dims(); len(dims) > 0 {
		m := s.measured()
		if err := try(func(one *study, ctx context.Context) error { return one.parts(ctx, m, dims) }, 2); err != nil {
			return err
		}
	}
	if len(s.r.amounts()) > 0 {
		if err := try((*study).outliers, 1); err != nil {
			return err
		}
	}
	if len(s.r.amounts()) > 1 {
		return try((*study).correlation, 1)
	}
	return nil
}
