package pdf

import (
	"strings"

	"github.com/hmap-project/hmap/tools/document/outline"
)

const (
	cellSize = 9.0 // points
	cellStep = 4.7 // millimetres from line to line
	cellPad  = 1.8
)

// table draws a table; its head is repeated on each page.
func (d *plain) table(t outline.Table) {
	columns := min(len(t.Columns), maxColumns)
	if columns == 0 {
		return
	}
	d.y += 2
	if t.Title != "" {
		d.room(20)
		d.paragraph([]piece{{t.Title, style{size: 10, bold: true, colour: d.look.Ink}}}, margin, inner)
		d.y++
	}
	widths := d.columnWidths(t, columns)
	head := make([]string, columns)
	copy(head, t.Columns)
	d.room(20)
	d.row(t, head, widths, true, false)
	shown := 0
	for i, row := range t.Rows[:min(len(t.Rows), maxRows)] {
		if d.full() {
			break
		}
		cells := make([]string, columns)
		for j := range cells {
			cells[j] = outline.Clip(strings.Join(strings.Fields(t.Shown(j, row[j])), " "), 400)
		}
		page := d.PageNo()
		if d.room(d.rowHeight(cells, widths)); page != d.PageNo() {
			d.row(t, head, widths, true, false)
		}
		d.row(t, cells, widths, false, i%2 == 1)
		shown++
	}
	var notes []string
	if n := t.Left(shown); n > 0 {
		notes = append(notes, d.o.Words("另有 %d 行", "%d more rows", n))
	}
	if n := len(t.Columns) - columns; n > 0 {
		notes = append(notes, d.o.Words("另有 %d 列", "%d more columns", n))
	}
	if len(notes) > 0 {
		d.y++
		d.paragraph([]piece{{strings.Join(notes, d.o.Words("，", ", ")), style{size: 8.5, colour: d.look.Muted}}}, margin, inner)
	}
	d.y += 4
}

// columnWidths give each column what it needs, as far as the page reaches.
func (d *plain) columnWidths(t outline.Table, columns int) []float64 {
	const letter = 1.75 // millimetres
	widths := t.Widths(columns, inner/letter, 2*cellPad/letter)
	for i := range widths {
		widths[i] *= letter
	}
	return widths
}

func (d *plain) cell(text string, width float64, s style) [][]span {
	lines := d.wrap([]piece{{text, s}}, width-2*cellPad)
	return lines[:min(len(lines), 12)]
}

func (d *plain) rowHeight(cells []string, widths []float64) float64 {
	lines := 1
	for i, c := range cells {
		lines = max(lines, len(d.cell(c, widths[i], style{size: cellSize})))
	}
	return float64(lines)*cellStep + 2*cellPad - 0.6
}

func (d *plain) row(t outline.Table, cells []string, widths []float64, head, shaded bool) {
	s := style{size: cellSize, colour: d.look.Ink}
	fill := ""
	if shaded {
		fill = d.look.Panel
	}
	if head {
		s.bold, s.colour, fill = true, d.look.OnCover, d.look.Accent
	}
	h := d.rowHeight(cells, widths)
	if fill != "" {
		r, g, b := rgb(fill)
		d.SetFillColor(r, g, b)
		d.Rect(margin, d.y, inner, h, "F")
	}
	x := margin
	for i, c := range cells {
		for k, line := range d.cell(c, widths[i], s) {
			at := x + cellPad
			if t.Numeric(i) && !t.Identity(i) {
				at = x + widths[i] - cellPad - total(line)
			}
			d.line(line, at, d.y+cellPad+float64(k)*cellStep+2.9)
		}
		x += widths[i]
	}
	d.y += h
	d.rule(d.y)
}
