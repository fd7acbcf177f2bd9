package xlsx

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// charts puts charts one below the other, from a column and a row on; their numbers come to a sheet behind all others.
func (b *book) charts(sheet string, column, row int, charts []outline.Chart) error {
	for _, c := range charts {
		at, err := excelize.CoordinatesToCellName(column, row)
		if err != nil {
			return err
		}
		if err := b.file.AddChart(sheet, at, b.chart(c, b.row)); err != nil {
			return err
		}
		b.drawn = append(b.drawn, c)
		b.row += len(c.Categories) + 3
		row += 18
	}
	return nil
}

// numbersSheet is the sheet of the charts' numbers. No other has its name, for it is taken from the start.
func (b *book) numbersSheet() string { return b.o.Words("图表数据", "Chart data") }

// numbers writes that sheet: a block for each chart, in the places that chart has noted.
func (b *book) numbers() error {
	if len(b.drawn) == 0 {
		return nil
	}
	delete(b.taken, strings.ToLower(b.numbersSheet()))
	name, err := b.sheet(b.numbersSheet())
	if err != nil {
		return err
	}
	if err := b.file.SetColWidth(name, "A", "A", 36); err != nil {
		return err
	}
	if err := b.file.SetColWidth(name, "B", "Z", 18); err != nil {
		return err
	}
	set := func(column, row int, v any, style int) error {
		at, err := excelize.CoordinatesToCellName(column, row)
		if err != nil {
			return err
		}
		if text, ok := v.(string); ok {
			err = b.file.SetCellStr(name, at, text)
		} else {
			err = b.file.SetCellValue(name, at, v)
		}
		if err != nil {
			return err
		}
		return b.file.SetCellStyle(name, at, at, style)
	}
	row := 1
	for _, c := range b.drawn {
		over := titled(c)
		if len(c.Series) == 1 && over == c.Series[0].Name { // it stands beside it
			over = b.o.Words("类别", "Category")
		}
		if err := set(1, row, over, b.head); err != nil {
			return err
		}
		for j, s := range c.Series {
			if err := set(j+2, row, s.Name, b.head); err != nil {
				return err
			}
			for i, v := range s.Values {
				if v == nil {
					continue
				}
				if err := set(j+2, row+1+i, *v, b.text); err != nil {
					return err
				}
			}
		}
		for i, category := range c.Categories {
			if err := set(1, row+1+i, category, b.text); err != nil {
				return err
			}
		}
		row += len(c.Categories) + 3
	}
	return nil
}

// chart is a chart whose numbers begin in a row of that sheet.
func (b *book) chart(c outline.Chart, row int) *excelize.Chart {
	kinds := map[string]excelize.ChartType{
		"column": excelize.Col, "bar": excelize.Bar, "line": excelize.Line, "area": excelize.Area, "pie": excelize.Doughnut,
	}
	if c.Stacked {
		kinds["column"], kinds["bar"], kinds["area"] = excelize.ColStacked, excelize.BarStacked, excelize.AreaStacked
	}
	look := b.o.Look()
	series := c.Series
	if c.Kind == "pie" {
		series = series[:1]
	}
	out := &excelize.Chart{
		Type: kinds[c.Kind], Dimension: excelize.ChartDimension{Width: 680, Height: 330}, Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: titled(c)}}},
		Legend: excelize.ChartLegend{Position: "top"}, YAxis: excelize.ChartAxis{MajorGridLines: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: "#,##0.##"}}, ShowBlanksAs: "gap", HoleSize: 55,
		PlotArea: excelize.ChartPlotArea{ShowPercent: c.Kind == "pie", ShowVal: c.Kind != "pie" && len(series) == 1 && len(c.Categories) <= 12},
	}
	out.XAxis.Font = excelize.Font{Color: look.Ink, Size: 9}
	out.YAxis.Font = out.XAxis.Font
	if c.Spread {
		out.ShowBlanksAs = "span"
	}
	if c.Kind == "bar" {
		out.XAxis.ReverseOrder = true
	}
	if len(series) == 1 && c.Kind != "pie" {
		out.Legend.Position = "none"
	}
	data, first, last := b.numbersSheet(), row+1, row+len(c.Categories)
	for i := range series {
		column, _ := excelize.ColumnNumberToName(i + 2) // at most MaxSeries
		s := excelize.ChartSeries{
			Name:       fmt.Sprintf("'%s'!$%s$%d", data, column, row),
			Categories: fmt.Sprintf("'%s'!$A$%d:$A$%d", data, first, last),
			Values:     fmt.Sprintf("'%s'!$%s$%d:$%s$%d", data, column, first, column, last),
		}
		if c.Kind == "pie" {
			for j := range c.Categories {
				s.DataPoint = append(s.DataPoint, excelize.ChartDataPoint{Index: j, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{look.Palette[j%len(look.Palette)]}}})
			}
		} else {
			s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{look.Palette[i%len(look.Palette)]}}
			s.Line = excelize.LineOptions{Type: excelize.LineSolid, Width: 2, Fill: s.Fill}
			s.Marker = excelize.ChartMarker{Symbol: "circle", Size: 6, Fill: s.Fill}
		}
		out.Series = append(out.Series, s)
	}
	return out
}

func titled(c outline.Chart) string {
	if c.Unit != "" && c.Title != "" {
		return c.Title + " (" + c.Unit + ")"
	}
	return c.Title + c.Unit
}
