// Package xlsx makes workbooks and CSV files of an outline's tables. Whoever opens one of them runs nothing: a cell that looks like a formula is a text.
package xlsx

import (
	"context"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// maxSheets bounds the sheets of a workbook.
const maxSheets = 200

// Render makes a workbook of a cleaned outline: a sheet for each table, with charts beside, and before them one with the texts, if there are any.
func Render(ctx context.Context, o *outline.Outline) ([]byte, error) {
	b := book{o: o, file: excelize.NewFile(), taken: map[string]bool{}, row: 1}
	defer b.file.Close()
	b.taken[strings.ToLower(b.numbersSheet())] = true
	if err := b.styles(); err != nil {
		return nil, err
	}
	if err := b.texts(); err != nil {
		return nil, err
	}
	for _, s := range o.Sections {
		if err := b.section(ctx, s); err != nil {
			return nil, err
		}
	}
	if err := b.numbers(); err != nil {
		return nil, err
	}
	if b.sheets == 0 {
		if _, err := b.sheet(o.Words("空", "Empty")); err != nil {
			return nil, err
		}
	}
	b.file.SetActiveSheet(0)
	if err := b.file.SetDocProps(&excelize.DocProperties{Title: o.Title, Creator: o.Author}); err != nil {
		return nil, err
	}
	out, err := b.file.WriteToBuffer()
	if err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

type book struct {
	o      *outline.Outline
	file   *excelize.File
	sheets int
	taken  map[string]bool // names of sheets, in lower case
	drawn  []outline.Chart // charts, whose numbers are on the last sheet
	row    int             // of that sheet, where the numbers of the next chart begin

	title, head, text, wrap, whole, amount, decimal, percent, plain, note int // styles
}

func (b *book) styles() error {
	look := b.o.Look()
	if look.Dark { // a workbook is white
		look = (&outline.Outline{}).Look()
	}
	font := "Microsoft YaHei"
	if b.o.Language == "en" {
		font = "Calibri"
	}
	body := &excelize.Font{Family: font, Size: 10.5, Color: look.Ink}
	rule := []excelize.Border{{Type: "bottom", Color: look.Line, Style: 1}}
	middle := &excelize.Alignment{Vertical: "center"}
	number := func(code string) *excelize.Style {
		return &excelize.Style{Font: body, Border: rule, Alignment: middle, CustomNumFmt: &code}
	}
	for _, s := range []struct {
		id    *int
		style *excelize.Style
	}{
		{&b.title, &excelize.Style{Font: &excelize.Font{Family: font, Size: 15, Bold: true, Color: look.Accent}, Alignment: middle}},
		{&b.head, &excelize.Style{
			Font: &excelize.Font{Family: font, Size: 10.5, Bold: true, Color: look.OnCover}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{look.Accent}},
			Alignment: &excelize.Alignment{Vertical: "center", WrapText: true},
		}},
		{&b.text, &excelize.Style{Font: body, Border: rule, Alignment: middle, NumFmt: 49}},
		{&b.wrap, &excelize.Style{Font: body, Alignment: &excelize.Alignment{Vertical: "top", WrapText: true}, NumFmt: 49}},
		{&b.whole, number("0")},
		{&b.amount, number("#,##0")},
		{&b.decimal, number("#,##0.00")},
		{&b.percent, number("0.0%")},
		{&b.plain, number("General")},
		{&b.note, &excelize.Style{Font: &excelize.Font{Family: font, Size: 9.5, Color: look.Muted}}},
	} {
		var err error
		if *s.id, err = b.file.NewStyle(s.style); err != nil {
			return err
		}
	}
	return nil
}

// sheet begins a sheet; its name is made what a workbook allows, and unlike the others.
func (b *book) sheet(name string) (string, error) {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]'`, r) || r < ' ' {
			return ' '
		}
		return r
	}, name)
	name = short(strings.Join(strings.Fields(name), " "), 31)
	if name == "" {
		name = b.o.Words("表", "Table")
	}
	for base, n := name, 2; b.taken[strings.ToLower(name)] || strings.EqualFold(name, "history"); n++ {
		mark := fmt.Sprintf(" %d", n)
		name = short(base, 31-len(mark)) + mark
	}
	b.taken[strings.ToLower(name)] = true
	var err error
	if b.sheets++; b.sheets == 1 {
		err = b.file.SetSheetName("Sheet1", name)
	} else {
		_, err = b.file.NewSheet(name)
	}
	if err != nil {
		return "", err
	}
	if err := b.fit(name); err != nil {
		return "", err
	}
	return name, b.file.SetPageLayout(name, &excelize.PageLayoutOptions{Orientation: new("landscape"), Size: new(9), FitToWidth: new(1), FitToHeight: new(0)})
}

// fit makes a sheet as wide as the page on paper, with the charts beside its table.
func (b *book) fit(name string) error {
	return b.file.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: new(true)})
}

// short keeps the first n UTF-16 units, as workbooks count.
func short(s string, n int) string {
	units := 0
	for i, r := range s {
		if units++; r > 0xffff {
			units++
		}
		if units > n {
			return s[:i]
		}
	}
	return s
}

// texts is the first sheet: what a reader should know of the tables.
func (b *book) texts() error {
	var lines []string
	for _, s := range b.o.Sections {
		var of []string
		for _, block := range outline.Blocks(s.Text, 0) {
			switch block.Kind {
			case outline.Grid, outline.Rule:
			case outline.Code:
				of = append(of, strings.Split(block.Text, "\n")...)
			case outline.Item:
				mark := block.Mark
				if mark == "" {
					mark = "•"
				}
				of = append(of, strings.Repeat("   ", block.Depth)+mark+" "+outline.Plain(block.Runs))
			default:
				of = append(of, outline.Plain(block.Runs))
			}
		}
		if len(of) > 0 {
			if s.Heading != "" {
				lines = append(lines, "\x00"+s.Heading)
			}
			lines = append(lines, of...)
		}
	}
	if len(lines) == 0 && b.o.Subtitle == "" {
		return nil
	}
	name, err := b.sheet(b.o.Words("说明", "About"))
	if err != nil {
		return err
	}
	if err := b.file.SetColWidth(name, "A", "A", 100); err != nil {
		return err
	}
	if err := b.file.SetSheetView(name, 0, &excelize.ViewOptions{ShowGridLines: new(bool)}); err != nil {
		return err
	}
	row := 1
	put := func(text string, style int) error {
		at := fmt.Sprintf("A%d", row)
		row++
		if err := b.file.SetCellStr(name, at, short(text, 32_767)); err != nil {
			return err
		}
		if rows := (outline.Width(text) + 94) / 95; style == b.wrap && rows > 1 {
			if err := b.file.SetRowHeight(name, row-1, float64(min(rows*16, 400))); err != nil {
				return err
			}
		}
		return b.file.SetCellStyle(name, at, at, style)
	}
	if err := put(b.o.Title, b.title); err != nil {
		return err
	}
	for _, t := range []string{b.o.Subtitle, strings.TrimSpace(b.o.Author + "  " + b.o.Date)} {
		if t == "" {
			continue
		}
		if err := put(t, b.note); err != nil {
			return err
		}
	}
	for _, l := range lines {
		style := b.wrap
		if heading, ok := strings.CutPrefix(l, "\x00"); ok {
			row++
			l, style = heading, b.title
		}
		if err := put(l, style); err != nil {
			return err
		}
	}
	for i, s := range b.o.Sources {
		if i == 0 {
			row++
		}
		if err := put(strings.TrimSpace(fmt.Sprintf("[%d] %s %s", i+1, s.Title, s.URL)), b.note); err != nil {
			return err
		}
	}
	return nil
}

// section makes the sheets of a section: its tables, and its charts on the sheet of its first table or one of their own.
func (b *book) section(ctx context.Context, s outline.Section) error {
	var tables []outline.Table
	for _, block := range outline.Blocks(s.Text, 0) {
		if block.Kind == outline.Grid {
			tables = append(tables, *block.Table)
		}
	}
	tables = append(tables, s.Tables...)
	charts := s.Charts
	for _, t := range tables {
		if b.sheets >= maxSheets {
			return nil
		}
		title := t.Title
		if title == "" {
			title = s.Heading
		}
		name, err := b.sheet(title)
		if err != nil {
			return err
		}
		column, row := len(t.Columns)+2, 2
		if wide(t) && len(t.Rows) <= shortTable { // on paper a chart beside it would make both small
			column, row = 1, len(t.Rows)+4
		}
		if err := b.charts(name, column, row, charts); err != nil { // before the rows: what is streamed cannot be added to
			return err
		}
		charts = nil
		if err := b.table(ctx, name, t); err != nil {
			return err
		}
	}
	if len(charts) == 0 || b.sheets >= maxSheets {
		return nil
	}
	name, err := b.sheet(s.Heading)
	if err != nil {
		return err
	}
	return b.charts(name, 1, 2, charts)
}

// shortTable is how many rows a table has at most that its charts stand below.
const shortTable = 40

// wide reports whether a table takes most of a page's width.
func wide(t outline.Table) bool {
	sum := 0
	for i, c := range t.Columns {
		need := outline.Width(c)
		for _, row := range t.Rows[:min(len(t.Rows), 200)] {
			need = max(need, outline.Width(t.Shown(i, row[i])))
		}
		sum += min(max(need, 8), 60) + 2
	}
	return sum > 70
}

// table streams rows, so that a long table takes little memory.
func (b *book) table(ctx context.Context, name string, t outline.Table) error {
	if len(t.Rows) > 0 && len(t.Columns) > 0 {
		corner, err := excelize.CoordinatesToCellName(len(t.Columns), len(t.Rows)+1)
		if err != nil {
			return err
		}
		if err := b.file.AutoFilter(name, "A1:"+corner, nil); err != nil {
			return err
		}
		if err := b.fit(name); err != nil { // the filter makes the sheet's properties anew
			return err
		}
	}
	w, err := b.file.NewStreamWriter(name)
	if err != nil {
		return err
	}
	styles := make([]int, len(t.Columns))
	for i := range t.Columns {
		wide := outline.Width(t.Columns[i]) + 2
		for _, row := range t.Rows[:min(len(t.Rows), 200)] {
			wide = max(wide, outline.Width(t.Shown(i, row[i])))
		}
		if err := w.SetColWidth(i+1, i+1, float64(min(max(wide, 8), 60))+2); err != nil {
			return err
		}
		styles[i] = b.style(t, i)
	}
	if len(t.Rows) > 0 && len(t.Columns) > 0 {
		if err := w.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
			return err
		}
	}
	head := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = excelize.Cell{StyleID: b.head, Value: c}
	}
	if err := w.SetRow("A1", head, excelize.RowOpts{Height: 24}); err != nil {
		return err
	}
	at := 2
	for i, row := range t.Rows {
		if i%1000 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		cells := make([]any, len(row))
		for j, c := range row {
			cell := excelize.Cell{StyleID: b.text, Value: short(c.Text, 32_767)}
			switch {
			case c.Percent():
				cell = excelize.Cell{StyleID: b.percent, Value: c.Value / 100}
			case c.Numeric:
				cell = excelize.Cell{StyleID: styles[j], Value: c.Value}
			}
			cells[j] = cell
		}
		if err := w.SetRow(fmt.Sprintf("A%d", at), cells); err != nil {
			return err
		}
		at++
	}
	if n := t.Left(len(t.Rows)); n > 0 {
		if err := w.SetRow(fmt.Sprintf("A%d", at), []any{excelize.Cell{StyleID: b.note, Value: b.o.Words("另有 %d 行", "%d more rows", n)}}); err != nil {
			return err
		}
	}
	return w.Flush()
}

// style is how the numbers of a column are written: all of a column alike.
func (b *book) style(t outline.Table, column int) int {
	if t.Identity(column) {
		return b.whole
	}
	if t.Mixed() { // each number is of another measure
		return b.plain
	}
	for _, row := range t.Rows[:min(len(t.Rows), 1000)] {
		if c := row[column]; c.Numeric && strings.Contains(c.Text, ".") {
			return b.decimal
		}
	}
	return b.amount
}
