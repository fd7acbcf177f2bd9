package table

import (
	"context"
	"fmt"
	"time"
)

// series is a figure by periods that follow each other without a gap.
type series struct {
	measure measure
	grain   grain
	names   []string
	values  []float64
	sql     string
	notes   []remark
	open    string // a last period that is not over yet, and is left out; "": there is none
}

// maxPeriods bounds a series.
const maxPeriods = 5_000

// seriesBy adds a measure up by periods. byMoment lets the length of the data choose: days up to two months of them, then months.
func (b *book) seriesBy(ctx context.Context, t *Table, c *Column, g grain, m measure, filters []filter) (*series, error) {
	w := &wish{table: t, filters: filters, measures: []measure{m}}
	q := quoted(c.Name)
	none := filter{sql: q + " IS NOT NULL"}
	if m.column != nil { // it begins and ends where there are values: before and after, a mean is not known and a sum not 0
		none.sql += " AND " + quoted(m.column.Name) + " IS NOT NULL"
	}
	w.filters = append(append([]filter{}, filters...), none)
	span, err := b.query(ctx, fmt.Sprintf("SELECT MIN(%[1]s), MAX(%[1]s), COUNT(DISTINCT substr(%[1]s, 1, 10)) FROM %[2]s%[3]s", q, t.source(), w.where()))
	if err != nil {
		return nil, err
	}
	first, ok1 := readTime(cellText(span.rows[0][0]), anyOrder)
	last, ok2 := readTime(cellText(span.rows[0][1]), anyOrder)
	if !ok1 || !ok2 {
		return nil, refusef("符合条件的数据里没有同时有日期和数值的行", "no row that matches has both a date and a value")
	}
	if g == byMoment {
		g = byDay
		if last.t.Sub(first.t) > 62*24*time.Hour {
			g = byMonth
		}
	}
	if c.grain == byMonth && g < byMonth {
		g = byMonth
	}
	w.groups = []group{{c, g}}
	s := &series{measure: m, grain: g, sql: w.sql("en")}
	r, err := b.query(ctx, s.sql)
	if err != nil {
		return nil, err
	}
	if r.more || len(r.rows) > maxPeriods {
		return nil, refusef("期数超过 %d，请按更长的周期分析", "there are more than %d periods; analyse by longer ones", maxPeriods)
	}
	found := map[string]float64{}
	for _, row := range r.rows {
		if v, ok := asFloat(row[1]); ok {
			found[cellText(row[0])] = v
		}
	}
	end, lacking := begin(last.t, g), 0
	for at := begin(first.t, g); !at.After(end); at = next(at, g) {
		if len(s.names) > maxPeriods {
			return nil, refusef("期数超过 %d，请按更长的周期分析", "there are more than %d periods; analyse by longer ones", maxPeriods)
		}
		name := periodName(at, g)
		v, ok := found[name]
		if !ok {
			lacking++
			if m.fold != sumOf && m.fold != countOf {
				v = s.values[len(s.values)-1] // the first has one: the span begins there
			}
		}
		s.names, s.values = append(s.names, name), append(s.values, v)
	}
	if lacking > 0 {
		if m.fold == sumOf || m.fold == countOf {
			s.notes = append(s.notes, remarkf("%d 期没有数据，按 0 计", "%d periods have no rows and count as 0", lacking))
		} else {
			s.notes = append(s.notes, remarkf("%d 期没有数据，沿用前一期的值", "%d periods have no rows and keep the value before them", lacking))
		}
	}
	s.leaveOpen(last.t, first.t, span.rows[0][2])
	return s, nil
}

// leaveOpen leaves out a last period that ends in its middle: where nearly every day has rows, days that have none yet are still to come.
func (s *series) leaveOpen(last, first time.Time, days any) {
	n, _ := asFloat(days)
	all := last.Sub(first).Hours()/24 + 1
	over := next(begin(last, s.grain), s.grain).AddDate(0, 0, -1)
	if s.grain == byDay || len(s.names) < 3 || n < .8*all || !last.Before(over.AddDate(0, 0, -1)) {
		return
	}
	end := len(s.names) - 1
	s.open = s.names[end]
	s.names, s.values = s.names[:end], s.values[:end]
	s.notes = append(s.notes, remarkf("最后一期 %s 只到 %s，没有计入", "the last period, %s, goes only to %s and is left out", s.open, last.Format(time.DateOnly)))
}

func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// begin is the first day of the period that a time is in.
func begin(t time.Time, g grain) time.Time {
	t = day(t.Year(), int(t.Month()), t.Day())
	switch g {
	case byWeek:
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	case byMonth:
		return day(t.Year(), int(t.Month()), 1)
	case byQuarter:
		return day(t.Year(), (int(t.Month())-1)/3*3+1, 1)
	case byHalf:
		return day(t.Year(), (int(t.Month())-1)/6*6+1, 1)
	case byYear:
		return day(t.Year(), 1, 1)
	}
	return t
}

func next(t time.Time, g grain) time.Time {
	switch g {
	case byWeek:
		return t.AddDate(0, 0, 7)
	case byMonth:
		return t.AddDate(0, 1, 0)
	case byQuarter:
		return t.AddDate(0, 3, 0)
	case byHalf:
		return t.AddDate(0, 6, 0)
	case byYear:
		return t.AddDate(1, 0, 0)
	}
	return t.AddDate(0, 0, 1)
}

// periodName is that of [group.sql].
func periodName(t time.Time, g grain) string {
	switch g {
	case byMonth:
		return t.Format("2006-01")
	case byQuarter:
		return fmt.Sprintf("%d-Q%d", t.Year(), (int(t.Month())+2)/3)
	case byHalf:
		return fmt.Sprintf("%d-H%d", t.Year(), (int(t.Month())+5)/6)
	case byYear:
		return t.Format("2006")
	}
	return t.Format(time.DateOnly)
}

// start is the first day of the period after the last of the series.
func (s *series) start() time.Time {
	last := s.names[len(s.names)-1]
	t, _ := time.Parse(time.DateOnly, last)
	switch s.grain {
	case byMonth:
		t, _ = time.Parse("2006-01", last)
	case byYear:
		t, _ = time.Parse("2006", last)
	case byQuarter:
		var y, q int
		_, _ = fmt.Sscanf(last, "%d-Q%d", &y, &q) // it is of periodName
		t = day(y, 3*q-2, 1)
	case byHalf:
		var y, h int
		_, _ = fmt.Sscanf(last, "%d-H%d", &y, &h)
		t = day(y, 6*h-5, 1)
	}
	return next(t, s.grain)
}

// season is how many periods a season has; 0: none.
func season(g grain) int {
	return map[grain]int{byDay: 7, byMonth: 12, byQuarter: 4, byHalf: 2}[g]
}
