package pptx

import (
	"math"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// chart puts a chart with its numbers into a box.
func (d *deck) chart(s *slide, c outline.Chart, at box) {
	l := d.look
	if c.Title != "" || c.Unit != "" {
		title := c.Title
		if c.Unit != "" {
			title += d.o.Words("（"+c.Unit+"）", " ("+c.Unit+")")
		}
		s.put("Text", clip(title, int(at.w*11)), obj{
			"x": at.x, "y": at.y, "w": at.w, "h": 0.36, "fontSize": 14, "bold": true, "color": l.Ink, "margin": 0, "valign": "middle", "fontFace": d.fonts.Body,
		})
		at.y, at.h = at.y+0.4, at.h-0.4
	}
	o := obj{
		"x": at.x, "y": at.y, "w": at.w, "h": at.h, "chartColors": l.Palette, "altText": c.Title,
		"catAxisLabelColor": l.Muted, "catAxisLabelFontSize": 11, "catAxisLabelFontFace": d.fonts.Body, "catAxisLineColor": l.Line,
		"valAxisLabelColor": l.Muted, "valAxisLabelFontSize": 11, "valAxisLabelFontFace": d.fonts.Body, "valAxisLabelFormatCode": format(c), "valAxisLineShow": false,
		"valGridLine": obj{"color": l.Line, "size": 0.75}, "catGridLine": obj{"style": "none"},
		"showLegend": len(c.Series) > 1, "legendPos": "t", "legendFontSize": 11, "legendColor": l.Muted, "legendFontFace": d.fonts.Body,
		"dataLabelColor": l.Ink, "dataLabelFontSize": 10, "dataLabelFormatCode": format(c), "dataLabelFontBold": false, "displayBlanksAs": "gap",
	}
	if c.Spread {
		o["displayBlanksAs"] = "span"
	}
	kind := map[string]string{"column": "bar", "bar": "bar", "line": "line", "area": "area", "pie": "doughnut"}[c.Kind]
	series := c.Series
	switch c.Kind {
	case "column", "bar":
		o["barDir"], o["barGapWidthPct"] = "col", 55
		if c.Kind == "bar" {
			o["barDir"], o["catAxisOrientation"], o["valAxisHidden"] = "bar", "maxMin", len(c.Series) == 1 && len(c.Categories) <= 12
		}
		if c.Stacked {
			o["barGrouping"] = "stacked"
		}
		o["showValue"] = len(c.Series) == 1 && len(c.Categories) <= 12
		if len(c.Series) == 1 {
			o["chartColors"] = l.Palette[:1]
		}
	case "line":
		o["lineSize"], o["lineDataSymbolSize"], o["lineSmooth"] = 2.25, 6, false
		if len(c.Categories) > 40 {
			o["lineDataSymbol"] = "none"
		}
	case "area":
		o["chartColorsOpacity"] = 45
		if c.Stacked {
			o["barGrouping"] = "stacked"
		}
	case "pie":
		series = series[:1]
		o["holeSize"], o["showLegend"], o["legendPos"], o["showPercent"], o["showValue"] = 55, true, "r", true, false
		o["dataLabelColor"], o["dataBorder"] = "FFFFFF", obj{"pt": 1.5, "color": l.Paper}
		o["dataLabelFormatCode"] = "0.0%"
	}
	var data []obj
	for _, v := range series {
		values := make([]any, len(v.Values))
		for i, x := range v.Values {
			values[i] = ""
			if x != nil {
				values[i] = *x
			}
		}
		data = append(data, obj{"name": v.Name, "labels": c.Categories, "values": values})
	}
	s.put("Chart", kind, data, o)
}

// format writes whole numbers without decimals, and others with as many as they have, up to two.
func format(c outline.Chart) string {
	for _, s := range c.Series {
		for _, v := range s.Values {
			if v != nil && *v != math.Trunc(*v) {
				if math.Abs(*v) < 1 {
					return "#,##0.00"
				}
				return "#,##0.##"
			}
		}
	}
	return "#,##0"
}

// Tables on slides: so many columns and slides at most, the rest is counted.
const (
	maxColumns     = 10
	maxTableSlides = 8
)

// tables lays a table out on as many slides as it needs. text, if any, stands above it on the first.
func (d *deck) tables(heading string, text []line, t outline.Table, again func() bool) {
	columns := min(len(t.Columns), maxColumns)
	if columns == 0 {
		return
	}
	size := 12.0 // points
	if len(t.Rows) <= 8 && columns <= 6 {
		size = 14
	}
	widths := columnWidths(t, columns, size)
	rowHeight := func(cells []string) float64 {
		rows := 1
		for i, c := range cells {
			per := max(2, (widths[i]-0.16)*72/(size*0.53))
			rows = max(rows, int(math.Ceil(float64(outline.Width(c))/per)))
		}
		return float64(min(rows, 6))*size*1.3/72 + 0.16
	}
	head := make([]string, columns)
	for i := range head {
		head[i] = clip(t.Columns[i], 60)
	}
	for at, count := 0, 0; count == 0 || at < len(t.Rows); count++ {
		if count == maxTableSlides {
			break
		}
		s := d.add("plain", d.title(d.continued(heading, again())))
		y := top - 0.05
		if count == 0 && len(text) > 0 {
			h := tall(text, inner, 16)
			d.writeAt(s, text, box{margin, y, inner, h}, 16)
			y += h + 0.08
		}
		if t.Title != "" {
			s.put("Text", clip(t.Title, 120), obj{"x": margin, "y": y, "w": inner, "h": 0.36, "fontSize": 14, "bold": true, "color": d.look.Ink, "margin": 0, "valign": "middle"})
			y += 0.42
		}
		body := [][]obj{d.row(head, t, true, 0)}
		heights := []float64{rowHeight(head)}
		used := heights[0]
		for at < len(t.Rows) {
			cells := make([]string, columns)
			for i := range cells {
				cells[i] = clip(oneLine(t.Shown(i, t.Rows[at][i])), 160)
			}
			h := rowHeight(cells)
			if y+used+h > bottom-0.3 && len(body) > 1 {
				break
			}
			body, heights, used = append(body, d.row(cells, t, false, len(body))), append(heights, h), used+h
			at++
		}
		n := len(body) - 1
		if rest := len(t.Rows) - at; rest > 0 && rest < n && count < maxTableSlides-1 { // the last two slides share what is left
			for range n - (n+rest+1)/2 {
				last := len(body) - 1
				used -= heights[last]
				body, heights, at = body[:last], heights[:last], at-1
			}
		}
		s.put("Table", body, obj{
			"x": margin, "y": y, "w": inner, "colW": widths, "rowH": heights, "fontSize": size, "fontFace": d.fonts.Body, "valign": "middle",
			"margin": []float64{0.03, 0.08, 0.03, 0.08}, "autoPage": false,
		})
		if at == len(t.Rows) || count == maxTableSlides-1 {
			if note := d.left(t, at, columns); note != "" {
				s.put("Text", note, obj{"x": margin, "y": min(y+used+0.06, bottom-0.22), "w": inner, "h": 0.3, "fontSize": 11, "color": d.look.Muted, "margin": 0, "align": "right"})
			}
		}
	}
}

// left says what of a table is not on the slides.
func (d *deck) left(t outline.Table, shown, columns int) string {
	rows, more := t.Left(shown), len(t.Columns)-columns
	switch {
	case rows > 0 && more > 0:
		return d.o.Words("另有 %d 行、%d 列", "%d more rows and %d more columns", rows, more)
	case rows > 0:
		return d.o.Words("另有 %d 行", "%d more rows", rows)
	case more > 0:
		return d.o.Words("另有 %d 列", "%d more columns", more)
	}
	return ""
}

func (d *deck) row(cells []string, t outline.Table, head bool, n int) []obj {
	rule := obj{"type": "solid", "pt": 0.75, "color": d.look.Line}
	none := obj{"type": "none"}
	out := make([]obj, len(cells))
	for i, c := range cells {
		o := obj{"color": d.look.Ink, "align": "left", "border": []obj{none, none, rule, none}}
		if t.Numeric(i) && !t.Identity(i) {
			o["align"] = "right"
		}
		if head {
			o["bold"], o["color"], o["fill"] = true, d.look.OnCover, obj{"color": d.look.Accent}
		} else if n%2 == 0 {
			o["fill"] = obj{"color": d.look.Panel}
		}
		out[i] = obj{"text": c, "options": o}
	}
	return out
}

// columnWidths share the width of the slide by what the columns hold, in letters of size (points).
func columnWidths(t outline.Table, columns int, size float64) []float64 {
	const letter = 0.58 / 72 // inches a point: some fonts are wider than those that rows are measured for
	out := t.Widths(columns, inner/(size*letter), 0.2/(size*letter))
	for i := range out {
		out[i] = math.Round(out[i]*size*letter*1000) / 1000
	}
	return out
}
