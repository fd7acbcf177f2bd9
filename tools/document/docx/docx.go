// Package docx makes a text document of an outline, for a word processor: headings by style, lists, tables whose heads are repeated on each page, and charts
// that can be edited.
package docx

import (
	"context"
	_ "embed"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/tools/document/outline"
	"github.com/hmap-project/hmap/tools/document/script"
)

//go:embed driver.js
var driver string

var library = script.New("docx", driver)

// The bounds of a text; what is beyond is counted, and stands whole in a workbook.
const (
	maxRows    = 200
	maxCells   = 4_000 // of the whole document: a script machine makes some three hundred a second
	maxColumns = 12
)

// pageWidth is the width of the text, in twentieths of a point.
const pageWidth = 11906 - 2*1247

// obj is what the driver reads.
type obj = map[string]any

// Render makes the document of a cleaned outline.
func Render(ctx context.Context, o *outline.Outline) ([]byte, error) {
	t := &text{o: o, look: o.Look(), cells: maxCells}
	if t.look.Dark { // paper is white
		t.look = (&outline.Outline{}).Look()
	}
	t.head()
	for i := range o.Sections {
		t.section(&o.Sections[i])
	}
	t.sources()
	raw, err := library.Run(ctx, t.input())
	if err != nil {
		return nil, err
	}
	parts, err := script.Parts(raw)
	if err != nil {
		return nil, err
	}
	t.pictures.Into(parts)
	if parts, err = withCharts(parts, t.charts, t.look, t.font()); err != nil {
		return nil, err
	}
	return script.Pack(parts)
}

// text is a document in the making.
type text struct {
	o      *outline.Outline
	look   outline.Theme
	blocks []obj
	charts []outline.Chart
	lists  int // numbered lists so far
	cells  int // that may still be made

	pictures script.Pictures
}

func (t *text) put(b obj) { t.blocks = append(t.blocks, b) }

func (t *text) say(style, s string) {
	t.put(obj{"kind": "text", "style": style, "runs": []obj{{"text": s}}, "keep": style == "Caption"})
}

func (t *text) font() string {
	if t.o.Language == "en" {
		return "Calibri"
	}
	return "Microsoft YaHei"
}

func (t *text) input() obj {
	l := t.look
	head := t.font()
	if l.Serif && t.o.Language == "en" {
		head = "Georgia"
	}
	if len(t.blocks) == 0 {
		t.say("", "")
	}
	return obj{
		"title": t.o.Title, "author": t.o.Author, "blocks": t.blocks, "latin": "Calibri", "han": "Microsoft YaHei", "mono": "Consolas", "head": head,
		"look": obj{"ink": l.Ink, "muted": l.Muted, "line": l.Line, "panel": l.Panel, "accent": l.Accent, "cover": l.Cover, "oncover": l.OnCover, "second": l.Palette[1]},
	}
}

func (t *text) head() {
	if t.o.Title != "" {
		t.put(obj{"kind": "heading", "level": 0, "runs": []obj{{"text": t.o.Title}}})
	}
	if t.o.Subtitle != "" {
		t.say("Subtitle", t.o.Subtitle)
	}
	if by := strings.Trim(t.o.Author+"  ·  "+t.o.Date, " ·"); by != "" {
		t.say("Byline", by)
	}
}

func (t *text) section(s *outline.Section) {
	if s.Heading != "" {
		t.put(obj{"kind": "heading", "level": 1, "runs": []obj{{"text": s.Heading}}})
	}
	numbered := map[int]int{} // depth → the list that is being counted there
	for _, b := range outline.Blocks(s.Text, len(t.o.Sources)) {
		if b.Kind != outline.Item {
			clear(numbered)
		}
		t.block(b, numbered)
	}
	for _, c := range s.Charts {
		if title := c.Title; title != "" || c.Unit != "" {
			if c.Unit != "" {
				title += t.o.Words("（"+c.Unit+"）", " ("+c.Unit+")")
			}
			t.say("Caption", title)
		}
		t.say("", mark(len(t.charts)))
		t.charts = append(t.charts, c)
	}
	for _, table := range s.Tables {
		t.table(table)
	}
	for _, p := range s.Pictures {
		if p.Image == nil {
			continue
		}
		w, h := p.Image.Fit(pageWidth/15, 620, 96) // pixels
		t.put(obj{
			"kind": "picture", "type": strings.Replace(strings.TrimPrefix(p.Image.Type, "image/"), "jpeg", "jpg", 1),
			"data": t.pictures.Aside(p.Image.Content), "width": int(w), "height": int(h), "alt": p.Caption,
		})
		if p.Caption != "" {
			t.say("Below", p.Caption)
		}
	}
}

func (t *text) block(b outline.Block, numbered map[int]int) {
	switch b.Kind {
	case outline.Heading:
		t.put(obj{"kind": "heading", "level": min(3, max(2, b.Level-1)), "runs": t.runs(b)})
	case outline.Item:
		item := obj{"kind": "item", "depth": b.Depth, "runs": t.runs(b)}
		for depth := range numbered {
			if depth > b.Depth {
				delete(numbered, depth)
			}
		}
		switch {
		case strings.HasSuffix(b.Mark, "."):
			if _, going := numbered[b.Depth]; !going {
				t.lists++
				numbered[b.Depth] = t.lists
			}
			item["list"] = numbered[b.Depth]
		default:
			delete(numbered, b.Depth)
			if b.Mark != "" {
				item = obj{"kind": "text", "style": "Task", "runs": append([]obj{{"text": b.Mark + "  "}}, t.runs(b)...)}
			}
		}
		t.put(item)
	case outline.Code:
		for line := range strings.SplitSeq(b.Text, "\n") {
			t.say("Code", strings.ReplaceAll(line, "\t", "    "))
		}
		t.say("", "")
	case outline.Grid:
		t.table(*b.Table)
	case outline.Rule:
		t.say("Byline", "")
	default:
		style := ""
		if b.Kind == outline.Quote {
			style = "Quote"
		}
		t.put(obj{"kind": "text", "style": style, "runs": t.runs(b)})
	}
}

func (t *text) runs(b outline.Block) []obj {
	var out []obj
	for _, r := range b.Runs {
		o := obj{"text": r.Text, "bold": r.Bold, "italic": r.Italic, "strike": r.Strike, "code": r.Code, "link": r.Link, "cite": r.Cite > 0}
		if r.Cite > 0 {
			o["color"] = t.look.Accent
		}
		out = append(out, o)
	}
	return out
}

func (t *text) table(table outline.Table) {
	columns := min(len(table.Columns), maxColumns)
	if columns == 0 {
		return
	}
	if table.Title != "" {
		t.say("Caption", table.Title)
	} else {
		t.say("Air", "")
	}
	rows := [][]string{table.Columns[:columns]}
	right := make([]bool, columns)
	for i := range columns {
		right[i] = table.Numeric(i) && !table.Identity(i)
	}
	widths := columnWidths(table, columns)
	for _, row := range table.Rows[:min(len(table.Rows), maxRows, max(0, t.cells/columns))] {
		cells := make([]string, columns)
		for i := range cells {
			cells[i] = strings.ReplaceAll(table.Shown(i, row[i]), "\n", " ")
		}
		rows = append(rows, cells)
	}
	t.cells -= columns * len(rows)
	t.put(obj{"kind": "table", "rows": rows, "widths": widths, "right": right})
	t.say("Below", t.left(table, len(rows)-1, columns))
}

// columnWidths share the width of the page, in twentieths of a point.
func columnWidths(table outline.Table, columns int) []int {
	const letter, edges = 118, 200 // at the size of a table
	widths := make([]int, columns)
	for i, w := range table.Widths(columns, float64(pageWidth)/letter, float64(edges)/letter) {
		widths[i] = int(w * letter)
	}
	return widths
}

func (t *text) left(table outline.Table, shown, columns int) string {
	var parts []string
	if n := table.Left(shown); n > 0 {
		more := t.o.Words("另有 %d 行", "%d more rows", n)
		if shown < len(table.Rows) {
			more = t.o.Words("这里是前 %d 行，另有 %d 行；导出为工作簿或 CSV 可得到全部", "the first %d rows, and %d more: a workbook or CSV file has them all", shown, n)
		}
		parts = append(parts, more)
	}
	if n := len(table.Columns) - columns; n > 0 {
		parts = append(parts, t.o.Words("另有 %d 列", "%d more columns", n))
	}
	return strings.Join(parts, t.o.Words("，", ", "))
}

func (t *text) sources() {
	if len(t.o.Sources) == 0 {
		return
	}
	t.put(obj{"kind": "heading", "level": 1, "runs": []obj{{"text": t.o.Words("来源", "Sources")}}})
	for i, s := range t.o.Sources {
		title := s.Title
		if title == "" {
			title = s.URL
		}
		t.put(obj{"kind": "text", "style": "", "runs": []obj{{"text": "[" + strconv.Itoa(i+1) + "] ", "color": t.look.Muted}, {"text": title, "link": s.URL}}})
	}
}
