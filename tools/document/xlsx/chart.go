package xlsx

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// charts puts charts one below the other, from a column on; their numbers are on a sheet behind.
func (b *book) charts(sheet string, column int, charts []outline.Chart) error {
	row := 2
	for _, c := range charts {
		data, err := b.numbers(c)
		if err != nil {
			return err
		}
		at, err := excelize.CoordinatesToCellName(column, row)
		if err != nil {
			return err
		}
		if err := b.file.AddChart(sheet, at, b.chart(c, data)); err != nil {
			return err
		}
		row += 18
	}
	return nil
}

// numbers writes a chart's numbers to a sheet of their own.
func (b *book) numbers(c outline.Chart) (sheet string, err error) {
	title := c.Title
	if title == "" {
		title = b.o.Words("图表", "Chart")
	}
	if sheet, err = b.sheet(b.o.Words("数据 ", "Data ") + title); err != nil {
		return "", err
	}
	t := outline.Table{Columns: []string{""}}
	for _, s := range c.Series {
		t.Columns = append(t.Columns, s.Name)
	}
	for i, name := range c.Categories {
		row := []outline.Cell{outline.Text(name)}
		for _, s := range c.Series {
			cell := outline.Cell{}
			if v := s.Values[i]; v != nil {
				cell = outline.Number(*v)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	head := make([]any, len(t.Columns))
	for i, name := range t.Columns {
		head[i] = name
	}
	if err := b.file.SetSheetRow(sheet, "A1", &head); err != nil {
		return "", err
	}
	for i, row := range t.Rows {
		for j, cell := range row {
			at, err := excelize.CoordinatesToCellName(j+1, i+2)
			if err != nil {
				return "", err
			}
			switch {
			case cell.Numeric:
				err = b.file.SetCellFloat(sheet, at, cell.Value, -1, 64)
			case cell.Text != "":
				err = b.file.SetCellStr(sheet, at, cell.Text)
			}
			if err != nil {
				return "", err
			}
		}
	}
	return sheet, nil
}

func (b *book) chart(c outline.Chart, data string) *excelize.Chart {
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
		Legend: excelize.ChartLegend{Position: "top"}, YAxis: excelize.ChartAxis{MajorGridLines: true}, ShowBlanksAs: "gap", HoleSize: 55,
		PlotArea: excelize.ChartPlotArea{ShowPercent: c.Kind == "pie", ShowVal: c.Kind != "pie" && len(series) == 1 && len(c.Categories) <= 12},
	}
	if c.Kind == "bar" {
		out.XAxis.ReverseOrder = true
	}
	if len(series) == 1 && c.Kind != "pie" {
		out.Legend.Position = "none"
	}
	last := len(c.Categories) + 1
	for i := range series {
		column, _ := excelize.ColumnNumberToName(i + 2) // at most MaxSeries
		s := excelize.ChartSeries{
			Name:       fmt.Sprintf("'%s'!$%s$1", data, column),
			Categories: fmt.Sprintf("'%s'!$A$2:$A$%d", data, last),
			Values:     fmt.Sprintf("'%s'!$%s$2:$%s$%d", data, column, column, last),
		}
		if c.Kind != "pie" {
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
