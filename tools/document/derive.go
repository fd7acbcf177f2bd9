package document

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// The bounds of a chart that nobody asked for: fewer rows need none, and of more it shows so many, the last ones of times, and says which in its title.
const (
	minChart = 3
	maxBars  = 40
	maxDots  = 400
)

var (
	moment   = regexp.MustCompile(`^\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?`)
	monthly  = regexp.MustCompile(`^(?:19|20)\d{2}\.(?:0?[1-9]|1[0-2])$`) // a number that is a month; 5061.45 is an amount
	clock    = regexp.MustCompile(`\d{1,2}:\d{2}`)
	money    = regexp.MustCompile(`(?i)额|金额|收入|revenue|amount|sales|total|paid|spend`)
	quantity = regexp.MustCompile(`(?i)销量|数量|件数|订单数|count|quantity|units|orders|stock|库存`)
	sums     = regexp.MustCompile(`(?i)^(?:合计|总计|小计|total|sum)$`)
	change   = regexp.MustCompile(`(?i)对(?:变化|差异)的影响|^part of the (?:change|difference)$`)
	ratio    = regexp.MustCompile(`(?i)率|占比|比例|rate|ratio|share|percent|roi`)
)

// derive makes the chart that a table asks for: its amounts over time, or by name. false when it has neither.
func derive(t outline.Table) (outline.Chart, bool) {
	names, value := nameColumn(t), valueColumn(t)
	if names < 0 || value < 0 || t.Mixed() {
		return outline.Chart{}, false
	}
	type point struct {
		name string
		v    float64
	}
	var points []point
	timed, hours := true, false
	for _, row := range t.Rows {
		name := row[names].Text
		if name == "" || !row[value].Numeric || sums.MatchString(name) {
			continue
		}
		timed = timed && isTime(row[names])
		hours = hours || clock.MatchString(name)
		points = append(points, point{name, row[value].Value})
	}
	if kinds := kindColumn(t, names); timed && !hours && kinds >= 0 {
		return parted(t, names, kinds, value)
	}
	c := outline.Chart{Kind: "column", Title: t.Columns[value]}
	from, all := 0, len(points)+max(0, t.Total-len(t.Rows)) // with those that the table leaves out
	switch {
	case len(points) < minChart || !slices.ContainsFunc(points, func(p point) bool { return p.v != points[0].v }):
		return c, false
	case timed:
		slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.name, b.name) })
		if !hours {
			c.Kind = "line"
		}
		from = max(0, len(points)-maxDots)
		points = points[from:]
	default:
		points = points[:min(len(points), maxBars)]
		wide := 0
		for _, p := range points {
			wide = max(wide, outline.Width(p.name))
		}
		if wide > 12 || len(points) > 8 {
			c.Kind = "bar"
		}
	}
	if timed && hours {
		for i := range points {
			points[i].name = strings.Fields(points[i].name)[0]
			if i > 0 && points[i].name == points[i-1].name { // moments of many things, and not what came of a day
				return c, false
			}
		}
	}
	if len(points) < all {
		c.Title += fmt.Sprintf(" (%d–%d / %d)", from+1, from+len(points), all)
	}
	for _, p := range points {
		c.Categories = append(c.Categories, p.name)
	}
	values := make([]*float64, len(points))
	for i, p := range points {
		values[i] = &p.v
	}
	c.Series = []outline.Series{{Name: t.Columns[value], Values: values}}
	return c, true
}

// kindColumn is the column that tells apart the rows of one time, where times come again: each month's by category. -1: none.
func kindColumn(t outline.Table, times int) int {
	seen := map[string]bool{}
	again := false
	for _, row := range t.Rows {
		again = again || seen[row[times].Text]
		seen[row[times].Text] = true
	}
	if !again {
		return -1
	}
	for i := range t.Columns {
		if i == times || t.Numeric(i) || t.Identity(i) {
			continue
		}
		pairs, kinds := map[string]bool{}, map[string]bool{}
		for _, row := range t.Rows {
			pairs[row[times].Text+"\x00"+row[i].Text], kinds[row[i].Text] = true, true
		}
		if len(pairs) == len(t.Rows) && len(kinds) <= maxKinds {
			return i
		}
	}
	return -1
}

// maxKinds is how many lines a chart has at most that nobody asked for.
const maxKinds = 8

// parted is a chart over times with a line, or where there are few times a column, for each kind.
func parted(t outline.Table, times, kinds, value int) (outline.Chart, bool) {
	c := outline.Chart{Kind: "line", Title: t.Columns[value]}
	at := map[string]int{}
	for _, row := range t.Rows {
		if time := row[times].Text; !slices.Contains(c.Categories, time) {
			c.Categories = append(c.Categories, time)
		}
	}
	slices.Sort(c.Categories)
	c.Categories = c.Categories[max(0, len(c.Categories)-maxDots):]
	if len(c.Categories) <= 4 {
		c.Kind = "column"
	}
	for _, row := range t.Rows {
		name, i := row[kinds].Text, slices.Index(c.Categories, row[times].Text)
		if i < 0 || !row[value].Numeric {
			continue
		}
		n, there := at[name]
		if !there {
			n = len(c.Series)
			at[name] = n
			c.Series = append(c.Series, outline.Series{Name: name, Values: make([]*float64, len(c.Categories))})
		}
		v := row[value].Value
		c.Series[n].Values[i] = &v
	}
	return c, len(c.Categories) > 1 && len(c.Series) > 1
}

// nameColumn is the column that rows go by: of times if there is one, else the first of texts that differ. -1: none.
func nameColumn(t outline.Table) int {
	found := -1
	for i := range t.Columns {
		seen := map[string]bool{}
		times, texts := 0, 0
		for _, row := range t.Rows[:min(len(t.Rows), 200)] {
			text := row[i].Text
			seen[text] = true
			if isTime(row[i]) {
				times++
			}
			if text != "" && !row[i].Numeric {
				texts++
			}
		}
		rows := min(len(t.Rows), 200)
		switch {
		case rows > 0 && times == rows:
			return i
		case found < 0 && texts*10 >= rows*9 && len(seen)*10 >= rows*9 && !t.Identity(i):
			found = i
		}
	}
	return found
}

func isTime(c outline.Cell) bool {
	return moment.MatchString(c.Text) && (!c.Numeric || monthly.MatchString(c.Text))
}

// valueColumn is the column of amounts worth drawing: what an attribution comes to, then money before pieces, pieces before other numbers. -1: none.
func valueColumn(t outline.Table) int {
	best, found := 0, -1
	for i, name := range t.Columns {
		if !t.Numeric(i) || t.Identity(i) {
			continue
		}
		worth := 2
		switch {
		case change.MatchString(name):
			worth = 5
		case ratio.MatchString(name):
			worth = 1
		case money.MatchString(name):
			worth = 4
		case quantity.MatchString(name):
			worth = 3
		}
		if worth > best {
			best, found = worth, i
		}
	}
	return found
}

// whole finds the list among results that a table shows the first rows of, and gives the table all its rows. A table that it does not find stays.
func whole(t outline.Table, results []json.RawMessage) outline.Table {
	if t.Total <= len(t.Rows) || len(t.Rows) == 0 {
		return t
	}
	for _, raw := range results {
		var v any
		if json.Unmarshal(raw, &v) != nil {
			continue
		}
		var found []map[string]any
		if rows := columned(v); len(rows) == t.Total {
			found = rows
		}
		lists(v, 0, func(rows []map[string]any) {
			if found == nil && len(rows) == t.Total {
				found = rows
			}
		})
		if found == nil {
			continue
		}
		if all, ok := match(t, found); ok {
			return all
		}
	}
	return t
}

// columned are the rows of a value that names its columns once and has a list of cells for each row, as table_query gives them and data_analysis among its
// figures; nil when it does not.
func columned(v any) []map[string]any {
	o, _ := v.(map[string]any)
	if within, ok := o["figures"].(map[string]any); ok {
		o = within
	}
	columns, _ := o["columns"].([]any)
	rows, _ := o["rows"].([]any)
	var out []map[string]any
	for _, row := range rows {
		cells, _ := row.([]any)
		if len(cells) != len(columns) {
			return nil
		}
		one := map[string]any{}
		for i, name := range columns {
			one[fmt.Sprint(name)] = cells[i]
		}
		out = append(out, one)
	}
	return out
}

// lists visits each list of objects in a value.
func lists(v any, depth int, visit func([]map[string]any)) {
	if depth > 8 {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, sub := range v {
			lists(sub, depth+1, visit)
		}
	case []any:
		var rows []map[string]any
		for _, e := range v {
			if o, ok := e.(map[string]any); ok {
				rows = append(rows, o)
			}
		}
		if len(rows) == len(v) && len(rows) > 0 {
			visit(rows)
		}
		for _, e := range v[:min(len(v), 50)] {
			lists(e, depth+1, visit)
		}
	}
}

// match gives t the rows of a list when, for each column, a field reads in the first rows like the cells that t has.
func match(t outline.Table, rows []map[string]any) (outline.Table, bool) {
	fields := make([]string, len(t.Columns))
	for i := range t.Columns {
		for name := range rows[0] {
			same := true
			for j, row := range t.Rows {
				same = same && alike(row[i], rows[j][name])
			}
			if same && (fields[i] == "" || name < fields[i]) {
				fields[i] = name
			}
		}
		if fields[i] == "" {
			return t, false
		}
	}
	all := outline.Table{Title: t.Title, Columns: t.Columns}
	for _, row := range rows {
		cells := make([]outline.Cell, len(fields))
		for i, name := range fields {
			cells[i] = cellOf(row[name])
		}
		all.Rows = append(all.Rows, cells)
	}
	return all, true
}

// alike reports whether a cell shows a value: a shortened text shows what begins like it.
func alike(c outline.Cell, v any) bool {
	other := cellOf(v)
	if c.Numeric && other.Numeric {
		near := 1e-9 * math.Abs(c.Value)
		if _, decimals, ok := strings.Cut(c.Text, "."); ok { // which may be fewer than there are
			near = max(near, 0.5000001*math.Pow10(-len(decimals)))
		}
		return math.Abs(c.Value-other.Value) <= near
	}
	if head, ok := strings.CutSuffix(c.Text, "…"); ok {
		return strings.HasPrefix(oneLine(other.Text), head)
	}
	return c.Text == oneLine(other.Text)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// cellOf makes a cell of a JSON value.
func cellOf(v any) outline.Cell {
	switch v := v.(type) {
	case nil:
		return outline.Cell{}
	case float64:
		return outline.Number(v)
	case string:
		return outline.Read(v)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return outline.Cell{}
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return outline.Text(strings.Join(list, "、"))
	}
	return outline.Text(string(raw))
}

// tableOf makes a table of objects; its columns are the fields of the first, and then those that others have besides.
func tableOf(rows []map[string]any) outline.Table {
	t := outline.Table{Total: len(rows)}
	seen := map[string]bool{}
	for _, row := range rows[:min(len(rows), 100)] {
		from := len(t.Columns)
		for name := range row {
			if !seen[name] && len(t.Columns) < outline.MaxColumns {
				seen[name] = true
				t.Columns = append(t.Columns, name)
			}
		}
		slices.Sort(t.Columns[from:])
	}
	for _, row := range rows[:min(len(rows), mostRows(len(t.Columns)))] {
		cells := make([]outline.Cell, len(t.Columns))
		for i, name := range t.Columns {
			cells[i] = cellOf(row[name])
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
