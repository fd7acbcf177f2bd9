package table

import (
	"fmt"
	"strconv"
	"strings"
)

// fold functions of a measure.
const (
	sumOf      = "sum"
	meanOf     = "mean"
	highOf     = "max"
	lowOf      = "min"
	medianOf   = "median"
	countOf    = "count"
	distinctOf = "distinct"
	wholeOf    = "whole" // of [Column.whole]
)

// measure is a figure that rows are put together to. column is nil for a count of rows.
type measure struct {
	fold   string
	column *Column
}

var foldNames = map[string]remark{
	sumOf: {"合计", "total"}, meanOf: {"平均", "average"}, highOf: {"最大", "highest"}, lowOf: {"最小", "lowest"}, medianOf: {"中位数", "median"},
	countOf: {"行数", "rows"}, distinctOf: {"种数", "distinct"},
}

// name heads the column of the answer.
func (m measure) name(language string) string {
	word := foldNames[m.fold].in(language)
	switch {
	case m.column == nil:
		return word
	case m.fold == wholeOf:
		return m.column.Name
	}
	if language == "en" {
		return word + " " + m.column.Name
	}
	return m.column.Name + word
}

func (m measure) sql() string {
	if m.column == nil {
		return "COUNT(*)"
	}
	c := quoted(m.column.Name)
	switch m.fold {
	case wholeOf:
		return m.column.whole
	case sumOf:
		return "SUM(" + c + ")"
	case meanOf:
		return "AVG(" + c + ")"
	case highOf:
		return "MAX(" + c + ")"
	case lowOf:
		return "MIN(" + c + ")"
	case distinctOf:
		return "COUNT(DISTINCT " + c + ")"
	case medianOf: // of rows that [wish.middle] has counted
		n, k := quoted(placeOf+m.column.Name), quoted(valuesOf+m.column.Name)
		return "AVG(CASE WHEN " + n + " IN ((" + k + " + 1) / 2, (" + k + " + 2) / 2) THEN " + c + " END)"
	}
	return "COUNT(" + c + ")"
}

// group is what rows are put together by.
type group struct {
	column *Column
	grain  grain // of a time; else byMoment
}

var grainNames = map[grain]remark{byHour: {"小时", "hour"}, byDay: {"日", "day"}, byWeek: {"周", "week"}, byMonth: {"月", "month"}, byQuarter: {"季度", "quarter"}, byHalf: {"半年", "half"}, byYear: {"年", "year"}, byWeekday: {"星期", "weekday"}}

func (g group) name(language string) string {
	if g.column.kind != timeKind {
		return g.column.Name
	}
	return grainNames[g.grain].in(language)
}

func (g group) sql(language string) string {
	c := quoted(g.column.Name)
	if g.column.kind != timeKind {
		return c
	}
	switch g.grain {
	case byYear:
		return "substr(" + c + ", 1, 4)"
	case byHalf:
		return "substr(" + c + ", 1, 4) || CASE WHEN substr(" + c + ", 6, 2) < '07' THEN '-H1' ELSE '-H2' END"
	case byQuarter:
		return "substr(" + c + ", 1, 4) || '-Q' || ((CAST(substr(" + c + ", 6, 2) AS INTEGER) + 2) / 3)"
	case byMonth:
		return "substr(" + c + ", 1, 7)"
	case byWeek:
		return "date(" + c + ", 'weekday 0', '-6 days')" // its Monday
	case byDay:
		return "substr(" + c + ", 1, 10)"
	case byHour:
		return "substr(" + c + ", 1, 13) || ':00'"
	case byWeekday:
		text := "CASE " + weekdayOf(g.column)
		for i, d := range weekdays {
			text += fmt.Sprintf(" WHEN %d THEN %s", i, literal(d.in(language)))
		}
		return text + " END"
	}
	return c
}

// filter keeps rows. sql is the condition; said is it in words.
type filter struct {
	column *Column
	sql    string
	said   remark
	values []string // of a filter by names
	not    bool
	limits string   // of a comparison: what stands behind the column in sql
	ofRow  bool     // it says how each row is, and never what the rows of a group come to
	at     [2]int   // where the question says it, in bytes; both 0: nowhere
	or     []filter // the two of which one must hold; nil: it is one itself
}

// wish is a question as it was understood, in terms of one table.
type wish struct {
	table    *Table
	groups   []group
	measures []measure
	filters  []filter
	share    bool
	drawn    string  // kind of chart that is asked for; "" leaves it to the result
	rows     bool    // the rows themselves are wanted
	by       *Column // that rows are ordered by
	ordered  bool    // by the first measure, or by the column
	up       bool    // the smallest first
	limit    int     // 0: none
	best     bool    // which one is the first is wanted
	focus    []string
	within   int      // so many of the groups come first, and the first are taken within each of them; 0: of all
	whole    []filter // that the figure of a group must hold, not a row
	part     *filter  // of which rows the share is; nil: of each group
	versus   []filter // the two whose figures are divided
	nth      int      // which place of the order is wanted; 0: the first ones
	running  bool     // of each period also what all came to up to it
	against  against  // what the figure of each period is held against; "": nothing
	during   []filter // the periods that are shown, where those before them have a part as well
}

// literal is a text in SQL.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (w *wish) where() string {
	var out []string
	for _, f := range w.filters {
		out = append(out, f.sql)
	}
	if len(out) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(out, " AND ")
}

// sql is the statement; columns of the answer are named in the language of who asks.
func (w *wish) sql(language string) string {
	end := ""
	if w.limit > 0 {
		end = " LIMIT " + strconv.Itoa(w.limit)
	}
	if w.against != "" {
		return w.changed(language, end)
	}
	from := " FROM " + w.table.source()
	if w.rows {
		order := ""
		where := w.where()
		if w.by != nil {
			missing := quoted(w.by.Name) + " IS NOT NULL"
			if where == "" {
				where = " WHERE " + missing
			} else {
				where += " AND " + missing
			}
			order = " ORDER BY " + quoted(w.by.Name) + way(w.up)
		}
		return "SELECT *" + from + where + order + end
	}
	from += w.where()
	if middle := w.middle(language); middle != "" {
		from = " FROM (SELECT *" + middle + from + ")"
	}
	var cells, names, by []string
	add := func(sql, name string) { cells, names = append(cells, sql), append(names, quoted(name)) }
	for i, g := range w.groups {
		add(g.sql(language), g.name(language))
		by = append(by, strconv.Itoa(i+1))
	}
	switch {
	case len(w.versus) == 2:
		var of []string
		for _, f := range w.versus {
			of = append(of, w.measures[0].sql()+" FILTER (WHERE "+f.sql+")")
			add(of[len(of)-1], strings.Join(f.values, " ")+" "+w.measures[0].name(language))
		}
		add("1.0 * "+of[0]+" / NULLIF("+of[1]+", 0)", say(language, "比值", "ratio"))
	default:
		for _, m := range w.measures {
			add(m.sql(), m.name(language))
		}
	}
	if w.running {
		for more, called := w.upTo(language); len(more) > 0; more, called = more[1:], called[1:] {
			add(more[0], called[0])
		}
	}
	switch {
	case w.share && w.part != nil:
		some := w.measures[0].sql() + " FILTER (WHERE " + w.part.sql + ")"
		add(some, w.measures[0].name(language)+say(language, "（", " (")+w.part.said.in(language)+say(language, "）", ")"))
		add("100.0 * "+some+" / "+w.measures[0].sql(), say(language, "占比%", "share %"))
	case w.share:
		one := w.measures[0].sql()
		add("100.0 * "+one+" / SUM("+one+") OVER ()", say(language, "占比%", "share %"))
	}
	if w.within > 0 {
		return w.each(language, cells, names, by, from)
	}
	for i, c := range cells {
		cells[i] = c + " AS " + names[i]
	}
	text := "SELECT " + strings.Join(cells, ", ") + from
	if len(by) > 0 {
		text += " GROUP BY " + strings.Join(by, ", ") + w.having() + w.order()
	}
	return text + end
}

// each takes the first within each of the leading groups; those that share the last place are all there.
func (w *wish) each(language string, cells, names, by []string, from string) string {
	var inner, outer, parts []string
	for i, c := range cells {
		inner = append(inner, c+fmt.Sprintf(" AS c%d", i))
		outer = append(outer, fmt.Sprintf("c%d AS %s", i, names[i]))
	}
	for _, g := range w.groups[:w.within] {
		parts = append(parts, g.sql(language))
	}
	figure := len(w.groups)
	inner = append(inner, "RANK() OVER (PARTITION BY "+strings.Join(parts, ", ")+" ORDER BY "+cells[figure]+way(w.up)+") AS place")
	return "SELECT " + strings.Join(outer, ", ") + " FROM (SELECT " + strings.Join(inner, ", ") + from + " GROUP BY " + strings.Join(by, ", ") + w.having() +
		") WHERE place <= " + strconv.Itoa(w.limit) + " ORDER BY " + strings.Join(by[:w.within], ", ") + ", place, " + strings.Join(by[w.within:], ", ")
}

// having are the conditions that the figure of a group must hold.
func (w *wish) having() string {
	var out []string
	for _, f := range w.whole {
		out = append(out, f.sql)
	}
	if len(out) == 0 {
		return ""
	}
	return " HAVING " + strings.Join(out, " AND ")
}

// middle counts the values of each group in their order, by which its median is found: SQLite has no function for it.
func (w *wish) middle(language string) string {
	out, part := "", ""
	for i, g := range w.groups {
		if part += ", "; i == 0 {
			part = "PARTITION BY "
		}
		part += g.sql(language)
	}
	for _, m := range w.measures {
		if m.fold == medianOf {
			c := quoted(m.column.Name)
			out += ", ROW_NUMBER() OVER (" + strings.TrimSpace(part+" ORDER BY "+c+" IS NULL, "+c) + ") AS " + quoted(placeOf+m.column.Name) +
				", COUNT(" + c + ") OVER (" + part + ") AS " + quoted(valuesOf+m.column.Name)
		}
	}
	return out
}

// Names beside those of the columns: none of them begins with a space.
const (
	placeOf  = " place of "
	valuesOf = " values of "
)

// order: by the figure where the first or the largest are wanted, by time where there is one, else the largest first.
func (w *wish) order() string {
	if len(w.groups) == 0 {
		return ""
	}
	if !w.ordered {
		for i, g := range w.groups {
			if g.grain == byWeekday {
				return " ORDER BY MIN(" + weekdayOf(g.column) + ")"
			}
			if g.column.kind == timeKind || g.column.number() {
				return " ORDER BY " + strconv.Itoa(i+1)
			}
		}
	}
	at := len(w.groups) + 1
	if w.share && w.part != nil && w.ordered {
		at += len(w.measures) + 1
	}
	if len(w.measures) == 0 {
		at = 1
	}
	return " ORDER BY " + strconv.Itoa(at) + way(w.up) + ", 1"
}

// way is an order; what has no figure comes last, whichever end is wanted.
func way(up bool) string {
	if up {
		return " ASC NULLS LAST"
	}
	return " DESC"
}
