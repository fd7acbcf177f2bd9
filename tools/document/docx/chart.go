package docx

import (
	"bytes"
	_ "embed"
	"encoding/xml"
	"fmt"
	"strings"
	"text/template"

	"github.com/xuri/excelize/v2"

	"github.com/hmap-project/hmap/tools/document/outline"
	"github.com/hmap-project/hmap/tools/document/script"
)

// mark stands in the text where a chart comes; a cleaned text has no such characters.
func mark(i int) string { return fmt.Sprintf("\ue000%d\ue001", i) }

//go:embed chart.xml
var layout string

var chartXML = template.Must(template.New("chart").Funcs(template.FuncMap{
	"xml": func(s string) (string, error) {
		var b bytes.Buffer
		err := xml.EscapeText(&b, []byte(s))
		return b.String(), err
	},
	"column": func(i int) string { return string(rune('B' + i)) },
	"add":    func(a, b int) int { return a + b },
	"colour": func(palette []string, i int) string { return palette[i%len(palette)] },
}).Parse(layout))

// withCharts puts charts, each with a workbook of its numbers, where their marks stand: the library knows none.
func withCharts(parts []script.Part, charts []outline.Chart, look outline.Theme, font string) ([]script.Part, error) {
	for i := range parts {
		switch p := &parts[i]; p.Name {
		case "word/document.xml":
			p.Body = place(p.Body, charts)
		case "word/_rels/document.xml.rels":
			p.Body = before(p.Body, "</Relationships>", relations(len(charts)))
		case "[Content_Types].xml":
			p.Body = before(p.Body, "</Types>", types(len(charts)))
		}
	}
	for i, c := range charts {
		var b bytes.Buffer
		if err := chartXML.Execute(&b, view{c, look, font}); err != nil {
			return nil, err
		}
		book, err := workbook(c)
		if err != nil {
			return nil, err
		}
		parts = append(parts, script.Part{Name: fmt.Sprintf("word/charts/chart%d.xml", i+1), Body: b.Bytes()}, script.Part{
			Name: fmt.Sprintf("word/charts/_rels/chart%d.xml.rels", i+1), Body: fmt.Appendf(nil, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`+
				`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/package" Target="../embeddings/chart%d.xlsx"/></Relationships>`, i+1),
		}, script.Part{Name: fmt.Sprintf("word/embeddings/chart%d.xlsx", i+1), Body: book})
	}
	return parts, nil
}

func before(body []byte, end, more string) []byte {
	return []byte(strings.Replace(string(body), end, more+end, 1))
}

// The size of a chart on the page, in English metric units (914,400 to the inch).
const (
	chartWidth  = 5_970_000
	chartHeight = 2_900_000
)

// place puts drawings in place of the marks.
func place(body []byte, charts []outline.Chart) []byte {
	s := string(body)
	for i, c := range charts {
		at := strings.Index(s, mark(i))
		if at < 0 {
			continue
		}
		from, to := strings.LastIndex(s[:at], "<w:t"), at+strings.Index(s[at:], "</w:t>")+len("</w:t>")
		var name bytes.Buffer
		_ = xml.EscapeText(&name, []byte(c.Title)) // a buffer takes all
		s = s[:from] + fmt.Sprintf(`<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" distT="0" distB="0" distL="0" distR="0"><wp:extent cx="%d" cy="%d"/><wp:docPr id="%d" name="Chart %d" descr="%s"/><wp:cNvGraphicFramePr/>`+
			`<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">`+
			`<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rIdChart%d"/></a:graphicData></a:graphic></wp:inline></w:drawing>`,
			chartWidth, height(c), 9000+i, i+1, name.String(), i+1) + s[to:]
	}
	return []byte(s)
}

func height(c outline.Chart) int {
	if c.Kind == "bar" {
		return min(6_500_000, max(1_800_000, 700_000+len(c.Categories)*260_000))
	}
	return chartHeight
}

func relations(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<Relationship Id="rIdChart%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="charts/chart%d.xml"/>`, i+1, i+1)
	}
	return b.String()
}

func types(n int) string {
	if n == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<Default Extension="xlsx" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"/>`)
	for i := range n {
		fmt.Fprintf(&b, `<Override PartName="/word/charts/chart%d.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/>`, i+1)
	}
	return b.String()
}

// view is a chart as its template sees it.
type view struct {
	outline.Chart
	Look outline.Theme
	Font string
}

// Shown are the series that the kind of chart shows.
func (v view) Shown() []outline.Series {
	if v.Kind == "pie" {
		return v.Series[:1]
	}
	return v.Series
}

// Last is the row of the last category in the workbook.
func (v view) Last() int { return len(v.Categories) + 1 }

// Labels: few bars of one colour carry their values.
func (v view) Labels() bool { return len(v.Series) == 1 && len(v.Categories) <= 12 }

// workbook holds the numbers behind a chart.
func workbook(c outline.Chart) ([]byte, error) {
	f := excelize.NewFile()
	defer f.Close()
	set := func(column, row int, v any) error {
		at, err := excelize.CoordinatesToCellName(column, row)
		if err != nil {
			return err
		}
		return f.SetCellValue("Sheet1", at, v)
	}
	for j, s := range c.Series {
		if err := set(j+2, 1, s.Name); err != nil {
			return nil, err
		}
		for i, v := range s.Values {
			if v != nil {
				if err := set(j+2, i+2, *v); err != nil {
					return nil, err
				}
			}
		}
	}
	for i, name := range c.Categories {
		if err := set(1, i+2, name); err != nil {
			return nil, err
		}
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
