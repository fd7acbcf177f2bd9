package table

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document/chart"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// shownRows is how many rows stand in the words of an answer.
const shownRows = 20

// tell words a result: what it comes to, its first rows, how it was understood and which SQL ran. All rows become a CSV when they do not fit, and a
// series becomes a chart.
func (b *book) tell(ctx context.Context, call *tools.Call, w *wish, r *result, a Answer, notes []remark) (Answer, error) {
	lang := call.Request.Language
	a.Columns, a.Count = r.columns, len(r.rows)
	a.Rows = r.rows[:min(len(r.rows), keptRows)]
	for _, row := range a.Rows { // JSON has no infinity
		for i, v := range row {
			if f, ok := v.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
				row[i] = fmt.Sprint(f)
			}
		}
	}
	if r.more {
		notes = slices.Insert(slices.Clone(notes), 0, remarkf("结果超过 %d 行，只取了前面的", "there are more than %d rows; these are the first", len(r.rows)))
	}
	if also, ok, err := b.level(ctx, w, r); err != nil {
		return Answer{}, err
	} else if ok {
		notes = slices.Insert(slices.Clone(notes), 0, also)
	}
	if short, ok, err := b.lacks(ctx, w); err != nil {
		return Answer{}, err
	} else if ok {
		notes = slices.Insert(slices.Clone(notes), 0, short)
	}
	blocks := []string{headline(w, r, lang)}
	if len(r.rows) > 1 || len(r.rows) == 1 && len(r.columns) > 1 {
		blocks = append(blocks, rowsTable(r.columns, r.rows, shownRows, lang))
	}
	if w != nil {
		blocks = append(blocks, say(lang, "理解为：", "Read as: ")+w.words(lang)+say(lang, "。", "."))
	}
	blocks = append(blocks, "SQL: "+code(clip(a.SQL, 2000)))
	a.Answer = strings.Join(blocks, "\n\n")
	if len(r.rows) > shownRows {
		if err := attach(ctx, call, fileName(w, lang)+".csv", "text/csv", say(lang, "查询结果的全部行", "all rows of the answer"), asCSV(r)); err != nil {
			return Answer{}, err
		}
	}
	if c, ok := seriesOf(w, r, lang); ok {
		if err := draw(ctx, call, c, fileName(w, lang)); err != nil {
			return Answer{}, err
		}
	} else if w != nil && w.drawn != "" {
		notes = append(notes, remarkf("没有画图：图要按一项分组、至少 %d 行", "no chart was drawn: it takes one thing to group by, and %d rows", minPoints))
	}
	a.Note = joinRemarks(notes, lang)
	return a, nil
}

// code is SQL on one line between ticks that nothing in it can close.
func code(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	tick := "`"
	for strings.Contains(s, tick) {
		tick += "`"
	}
	if len(tick) > 1 {
		return tick + " " + s + " " + tick
	}
	return tick + s + tick
}

// markdown is a text inside a line or a cell of Markdown.
func markdown(s string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "|", "\\|", "`", "'", "<", "&lt;", "[", "\\[", "*", "\\*").Replace(s)
}

// rowsTable is a Markdown table of the first rows. A missing value says so in the first column, where it is a group.
func rowsTable(columns []string, rows [][]any, most int, lang string) string {
	const widest = 12
	n := min(len(columns), widest)
	var b strings.Builder
	for _, c := range columns[:n] {
		b.WriteString("| " + markdown(clip(c, 120)) + " ")
	}
	b.WriteString("|\n" + strings.Repeat("| --- ", n) + "|\n")
	for _, row := range rows[:min(len(rows), most)] {
		for i, v := range row[:n] {
			text := cellText(v)
			if v == nil && i == 0 {
				text = say(lang, "（空）", "(empty)")
			}
			b.WriteString("| " + markdown(clip(text, 160)) + " ")
		}
		b.WriteString("|\n")
	}
	if left := len(rows) - most; left > 0 {
		b.WriteString(fmt.Sprintf(say(lang, "\n另有 %d 行，见文件。", "\n%d more rows are in the file."), left))
	}
	if len(columns) > n {
		b.WriteString(fmt.Sprintf(say(lang, "\n另有 %d 列没有显示。", "\n%d more columns are not shown."), len(columns)-n))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// fileName is what files of an answer are called: by its figures.
func fileName(w *wish, lang string) string {
	name := say(lang, "查询结果", "result")
	if w != nil && len(w.measures) > 0 {
		name = w.measures[0].name(lang)
		if len(w.groups) > 0 {
			name += say(lang, "-按", " by ") + w.groups[0].name(lang)
		}
	}
	name = strings.ReplaceAll(unsafeName.ReplaceAllString(plainName(name), "_"), " ", "-")
	if name = strings.Trim(name, ". "); !tools.PlainName(name) {
		return say(lang, "查询结果", "result")
	}
	return name
}

var unsafeName = regexp.MustCompile(`[/\\:*?"<>|]`)

// asCSV are all rows, with the mark by which Excel knows UTF-8. A text that a spreadsheet would run as a formula is shown as a text.
func asCSV(r *result) []byte {
	var b bytes.Buffer
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	line := make([]string, len(r.columns))
	put := func(i int, s string, text bool) {
		if text {
			s = outline.NoFormula(s)
		}
		line[i] = s
	}
	for i, c := range r.columns {
		put(i, c, true)
	}
	_ = w.Write(line) // a buffer does not fail
	for _, row := range r.rows {
		for i, v := range row {
			switch v := v.(type) {
			case float64:
				put(i, strconv.FormatFloat(v, 'g', -1, 64), false)
			case string:
				put(i, v, true)
			default:
				put(i, cellText(v), false)
			}
		}
		_ = w.Write(line)
	}
	w.Flush()
	return b.Bytes()
}

// attach makes a file of the session.
func attach(ctx context.Context, call *tools.Call, name, kind, description string, body []byte) error {
	f, err := call.Files.Put(ctx, name, kind, description, bytes.NewReader(body))
	if err != nil {
		return err
	}
	call.Attach(f)
	return nil
}

// draw makes a chart a file of the session. A chart that cannot be drawn costs nothing but itself.
func draw(ctx context.Context, call *tools.Call, c outline.Chart, name string) error {
	o := outline.Outline{Sections: []outline.Section{{Charts: []outline.Chart{c}}}}
	o.Clean()
	if o.Check() != nil {
		return nil
	}
	svg, err := chart.SVG(ctx, o.Sections[0].Charts, o.Look())
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		call.Progress(say(call.Request.Language, "图没有画成", "the chart could not be drawn"))
		return nil
	}
	if len(svg) == 0 {
		return nil
	}
	body := []byte(strings.Replace(svg[0], "<svg ", `<svg font-family="sans-serif" `, 1)) // there is no page that it could take its type from
	return attach(ctx, call, name+".svg", "image/svg+xml", c.Title, body)
}

// The bounds of a chart: fewer points need none, and of more it shows so many, the last ones of times, and says which in its title.
const (
	minPoints = 3
	maxBars   = 40
	maxDots   = 400
	maxSlices = 8
)

// seriesOf is the chart of a result: figures by time, or by name. false when it has neither.
func seriesOf(w *wish, r *result, lang string) (c outline.Chart, ok bool) {
	if len(r.rows) < minPoints || len(r.columns) < 2 || w != nil && (w.rows || len(w.groups) != 1) {
		return c, false
	}
	timed := w != nil && w.groups[0].column.kind == timeKind && w.groups[0].grain != byWeekday
	numeric := func(i int) bool {
		some := false
		for _, row := range r.rows {
			switch row[i].(type) {
			case int64, float64:
				some = true
			case nil:
			default:
				return false
			}
		}
		return some
	}
	if w == nil {
		if numeric(0) && !yearName.MatchString(r.columns[0]) {
			return c, false
		}
		timed = true
		for _, row := range r.rows {
			_, is := readTime(cellText(row[0]), anyOrder)
			timed = timed && is
		}
	}
	rows, from := r.rows, 0
	switch {
	case timed && len(rows) > maxDots:
		from = len(rows) - maxDots
		rows = rows[from:]
	case !timed && len(rows) > maxBars:
		rows = rows[:maxBars]
	}
	c.Kind = "column"
	switch {
	case timed:
		c.Kind = "line"
	case w != nil && w.share && len(r.rows) <= maxSlices:
		c.Kind = "pie"
	}
	wide := 0
	for _, row := range rows {
		name := cellText(row[0])
		if row[0] == nil {
			name = say(lang, "（空）", "(empty)")
		}
		c.Categories = append(c.Categories, name)
		wide = max(wide, outline.Width(name))
	}
	if w != nil && w.drawn != "" && (w.drawn != "pie" || len(rows) <= maxSlices) {
		c.Kind = w.drawn
	} else if c.Kind == "column" && (wide > 12 || len(rows) > 8) {
		c.Kind = "bar"
	}
	for i := 1; i < len(r.columns) && len(c.Series) < 3; i++ {
		if w != nil && w.against != "" && i > 1 { // what it is held against is the line itself, a period later
			break
		}
		if !numeric(i) || w != nil && w.share && i == len(r.columns)-1 {
			continue
		}
		s := outline.Series{Name: r.columns[i]}
		for _, row := range rows {
			switch v := row[i].(type) {
			case int64:
				f := float64(v)
				s.Values = append(s.Values, &f)
			case float64:
				s.Values = append(s.Values, &v)
			default:
				s.Values = append(s.Values, nil)
			}
		}
		c.Series = append(c.Series, s)
	}
	if len(c.Series) == 0 {
		return c, false
	}
	if c.Title = c.Series[0].Name; len(rows) < len(r.rows) {
		c.Title += fmt.Sprintf(" (%d–%d / %d)", from+1, from+len(rows), len(r.rows))
	}
	return c, true
}
