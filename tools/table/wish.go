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
	if m.column == nil {
		return word
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
	}
	return "COUNT(" + c + ")"
}

// group is what rows are put together by.
type group struct {
	column *Column
	grain  grain // of a time; else byMoment
}

var grainNames = map[grain]remark{byDay: {"日", "day"}, byWeek: {"周", "week"}, byMonth: {"月", "month"}, byQuarter: {"季度", "quarter"}, byHalf: {"半年", "half"}, byYear: {"年", "year"}}

func (g group) name(language string) string {
	if g.column.kind != timeKind {
		return g.column.Name
	}
	return grainNames[g.grain].in(language)
}

func (g group) sql() string {
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
	from := " FROM " + quoted(w.table.Name)
	end := ""
	if w.limit > 0 {
		end = " LIMIT " + strconv.Itoa(w.limit)
	}
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
	if len(w.measures) == 1 && w.measures[0].fold == medianOf {
		return w.median(language) + w.order() + end
	}
	var cells, by []string
	for i, g := range w.groups {
		cells = append(cells, g.sql()+" AS "+quoted(g.name(language)))
		by = append(by, strconv.Itoa(i+1))
	}
	for _, m := range w.measures {
		cells = append(cells, m.sql()+" AS "+quoted(m.name(language)))
	}
	if w.share {
		one := w.measures[0].sql()
		cells = append(cells, "100.0 * "+one+" / SUM("+one+") OVER () AS "+quoted(say(language, "占比%", "share %")))
	}
	text := "SELECT " + strings.Join(cells, ", ") + from + w.where()
	if len(by) > 0 {
		text += " GROUP BY " + strings.Join(by, ", ") + w.order()
	}
	return text + end
}

// median takes the middle of each group: SQLite has no function for it.
func (w *wish) median(language string) string {
	m := w.measures[0]
	c := quoted(m.column.Name)
	var cells, parts, names []string
	for i, g := range w.groups {
		cells = append(cells, g.sql()+fmt.Sprintf(" AS g%d", i))
		parts = append(parts, g.sql())
		names = append(names, fmt.Sprintf("g%d AS %s", i, quoted(g.name(language))))
	}
	part := ""
	if len(parts) > 0 {
		part = "PARTITION BY " + strings.Join(parts, ", ")
	}
	cells = append(cells, c+" AS v", "ROW_NUMBER() OVER ("+strings.TrimSpace(part+" ORDER BY "+c)+") AS n", "COUNT(*) OVER ("+part+") AS k")
	where := w.where()
	if where == "" {
		where = " WHERE "
	} else {
		where += " AND "
	}
	names = append(names, "AVG(v) AS "+quoted(m.name(language)))
	text := "WITH r AS (SELECT " + strings.Join(cells, ", ") + " FROM " + quoted(w.table.Name) + where + c + " IS NOT NULL) SELECT " + strings.Join(names, ", ") +
		" FROM r WHERE n IN ((k + 1) / 2, (k + 2) / 2)"
	if len(parts) > 0 {
		var by []string
		for i := range parts {
			by = append(by, strconv.Itoa(i+1))
		}
		text += " GROUP BY " + strings.Join(by, ", ")
	}
	return text
}

// order: by the figure where the first or the largest are wanted, by time where there is one, else the largest first.
func (w *wish) order() string {
	if len(w.groups) == 0 {
		return ""
	}
	if !w.ordered {
		for i, g := range w.groups {
			if g.column.kind == timeKind || g.column.number() {
				return " ORDER BY " + strconv.Itoa(i+1)
			}
		}
	}
	at := len(w.groups) + 1
	if len(w.measures) == 0 {
		at = 1
	}
	return " ORDER BY " + strconv.Itoa(at) + way(w.up) + ", 1"
}

func way(up bool) string {
	if up {
		return " ASC"
	}
	return " DESC"
}

// said tells how the question was understood.
func (w *wish) said() remark {
	return remark{w.words("zh"), w.words("en")}
}

func (w *wish) words(language string) string {
	var parts []string
	add := func(zh, en string, args ...any) { parts = append(parts, fmt.Sprintf(say(language, zh, en), args...)) }
	and := say(language, "、", ", ")
	if len(w.filters) > 0 {
		var all []string
		for _, f := range w.filters {
			all = append(all, f.said.in(language))
		}
		add("筛选 %s", "rows where %s", strings.Join(all, say(language, "，且 ", " and ")))
	}
	if len(w.groups) > 0 {
		var all []string
		for _, g := range w.groups {
			all = append(all, g.name(language))
		}
		add("按%s分组", "grouped by %s", strings.Join(all, and))
	}
	var all []string
	for _, m := range w.measures {
		all = append(all, m.name(language))
	}
	if len(all) > 0 {
		add("计算%s", "%s", strings.Join(all, and))
	}
	if w.share {
		add("并算占比", "with its share")
	}
	switch {
	case w.rows && w.by != nil:
		add("按%s%s列出", "rows by %s, %s", w.by.Name, w.direction(language))
	case w.rows:
		add("列出这些行", "the rows themselves")
	case w.ordered && len(w.groups) > 0:
		add("%s", "%s", w.direction(language))
	}
	if w.limit > 0 {
		add("取前 %d", "the first %d", w.limit)
	}
	return strings.Join(parts, say(language, "；", "; "))
}

func (w *wish) direction(language string) string {
	if w.up {
		return say(language, "从低到高", "smallest first")
	}
	return say(language, "从高到低", "largest first")
}
