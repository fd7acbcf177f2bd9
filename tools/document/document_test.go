package document

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// report is the example that was looked at in LibreOffice and Chromium: five charts, tables, code, lists, notes and sources in two languages.
func report(t testing.TB) *outline.Outline {
	t.Helper()
	raw, err := os.ReadFile("testdata/report.json")
	if err != nil {
		t.Fatal(err)
	}
	o := new(outline.Outline)
	if err := json.Unmarshal(raw, o); err != nil {
		t.Fatal(err)
	}
	return o
}

func render(t testing.TB, o *outline.Outline, f Format) []byte {
	t.Helper()
	body, err := Render(t.Context(), o, f)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// made are the documents of the report with a hostile section behind, each made once: the race detector makes script machines slow.
var made = map[Format]*struct {
	once sync.Once
	body []byte
}{HTML: {}, PPTX: {}, DOCX: {}, XLSX: {}, CSV: {}, Markdown: {}}

func document(t testing.TB, f Format) []byte {
	t.Helper()
	made[f].once.Do(func() {
		o, evil := report(t), hostile()
		o.Sections, o.Sources = append(o.Sections, evil.Sections...), append(o.Sources, evil.Sources...)
		made[f].body = render(t, o, f)
	})
	return made[f].body
}

// parts are the files in an Office file; each XML part must be well-formed.
func parts(t testing.TB, body []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(f.Name, err)
		}
		if strings.HasSuffix(f.Name, ".xml") || strings.HasSuffix(f.Name, ".rels") {
			for d := xml.NewDecoder(bytes.NewReader(text)); err == nil; {
				_, err = d.Token()
			}
			if !errors.Is(err, io.EOF) {
				t.Errorf("%s is no XML: %v", f.Name, err)
			}
		}
		out[f.Name] = string(text)
	}
	return out
}

func amount(files map[string]string, pattern string) int {
	n := 0
	for name := range files {
		if ok, _ := regexp.MatchString(pattern, name); ok {
			n++
		}
	}
	return n
}

func wantAll(t testing.TB, where, text string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			t.Errorf("%s lacks %q", where, w)
		}
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	page := string(document(t, HTML))
	wantAll(t, "the page", page, `<html lang="zh-CN">`, "<h1>十月销售复盘：空气炸锅拉动增长</h1>", "<strong>267,340 元</strong>", `<a href="#source-1">[1]</a>`,
		`<li id="source-2"><a href="https://example.com/ads/2026-10"`, `<td class="n">82,340</td>`, `<td class="whole">281064156041</td>`, "另有 38 行", `<ol start="1">`,
		"<blockquote>", "sku    stock  days", `href="https://example.com/reviews?id=1&amp;sort=new"`, "@media print", "251,930", "空气炸锅  30.8%")
	if n := strings.Count(page, "<svg"); n != 6 {
		t.Errorf("%d drawings", n)
	}
	if strings.Contains(page, "开场先讲结论") {
		t.Error("speaker notes are shown")
	}
}

func TestSlides(t *testing.T) {
	t.Parallel()
	files := parts(t, document(t, PPTX))
	if slides, charts, books := amount(files, `^ppt/slides/slide\d+\.xml$`), amount(files, `^ppt/charts/chart\d+\.xml$`), amount(files, `\.xlsx$`); slides != 16 || charts != 6 || books != 6 {
		t.Errorf("%d slides, %d charts, %d workbooks", slides, charts, books)
	}
	wantAll(t, "the cover", files["ppt/slides/slide1.xml"], "十月销售复盘：空气炸锅拉动增长", `type="title"`, `lang="zh-CN"`)
	wantAll(t, "the first slide", files["ppt/slides/slide3.xml"], "要点", "267,340 元", "<a:buChar", "buAutoNum")
	wantAll(t, "a table", files["ppt/slides/slide6.xml"], "<a:tbl>", "82,340")
	wantAll(t, "a chart", files["ppt/charts/chart1.xml"], "<c:barChart>", "251930", "五月")
	wantAll(t, "notes", files["ppt/notesSlides/notesSlide3.xml"], "开场先讲结论")
	wantAll(t, "links", files["ppt/slides/_rels/slide7.xml.rels"], "https://example.com/reviews?id=1&amp;sort=new")
	for name, text := range files {
		if strings.HasPrefix(name, "ppt/slides/slide") && strings.Contains(text, "</a:r><a:pPr") {
			t.Errorf("%s has paragraph properties behind a run", name)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	files := parts(t, document(t, DOCX))
	body := files["word/document.xml"]
	wantAll(t, "the text", body, "十月销售复盘", `w:val="Heading1"`, "要点", "82,340", "w:tblHeader", "w:numPr", "另有 38 行")
	if n := strings.Count(body, "<c:chart "); n != 6 || amount(files, `^word/charts/chart\d\.xml$`) != 6 || amount(files, `^word/embeddings/chart\d\.xlsx$`) != 6 {
		t.Errorf("%d charts", n)
	}
	if strings.ContainsAny(body, "\ue000\ue001") {
		t.Error("marks of charts are left")
	}
	wantAll(t, "a line chart", files["word/charts/chart3.xml"], "<c:lineChart>", "<c:v>152</c:v>", "空气炸锅", `val="gap"`)
	wantAll(t, "the types", files["[Content_Types].xml"], "/word/charts/chart4.xml")
	wantAll(t, "the relations", files["word/_rels/document.xml.rels"], `Target="charts/chart4.xml"`, "https://example.com/ads/2026-10")
}

func TestWorkbook(t *testing.T) {
	t.Parallel()
	body := document(t, XLSX)
	parts(t, body)
	f, err := excelize.OpenReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := strings.Join(f.GetSheetList(), "|"); !strings.HasPrefix(got, "说明|要点|各品类十月表现|What our buyers say|王萍萍的订单|") || !strings.HasSuffix(got, "|图表数据") {
		t.Error(got)
	}
	for _, sheet := range f.GetSheetList() { // or a chart beside a table is cut in two on paper
		if props, err := f.GetSheetProps(sheet); err != nil || props.FitToPage == nil || !*props.FitToPage {
			t.Errorf("%s is wider than a page: %+v %v", sheet, props, err)
		}
	}
	for at, want := range map[string]string{"A1": "品类", "D2": "82,340", "E2": "3.2%"} {
		if got, err := f.GetCellValue("各品类十月表现", at); err != nil || got != want {
			t.Errorf("%s: %q %v, want %q", at, got, err, want)
		}
	}
	if got, err := f.GetCellValue("王萍萍的订单", "A2"); err != nil || got != "281064156041" {
		t.Error(got, err)
	}
	if got, err := f.GetCellValue("各品类十月表现", "D2", excelize.Options{RawCellValue: true}); err != nil || got != "82340" {
		t.Error("no number:", got, err)
	}
	files := parts(t, body)
	if n := amount(files, `^xl/charts/chart\d\.xml$`); n != 6 || amount(files, `^xl/drawings/drawing\d\.xml$`) != 4 {
		t.Errorf("%d charts", n)
	}
}

func TestMarkdownAgain(t *testing.T) {
	t.Parallel()
	text := string(document(t, Markdown))
	wantAll(t, "the Markdown", text, "# 十月销售复盘", "**267,340 元**", "| 品类 | 订单数 |", "另有 38 行", "- [x] agree", "[the review board](<https://example.com/reviews?id=1&sort=new>)", "```\nsku")
	// Numbers are told once, as they came, and items one below the other.
	o := new(outline.Outline)
	Compose(o, []Passage{{Heading: "q", Text: "- a\n- b\n\n| 日期 | 销量 | 变化 |\n|---|---|---|\n| 2026-01-01 | 3 | -16.2% |\n| 2026-01-02 | 4 | +1% |\n| 2026-01-03 | 5.5 | 0% |"}})
	o.Clean()
	if got, want := string(markdown(o)), "## q\n\n- a\n- b\n\n| 日期 | 销量 | 变化 |\n| --- | ---: | ---: |\n| 2026-01-01 | 3.0 | -16.2% |\n| 2026-01-02 | 4.0 | +1.0% |\n| 2026-01-03 | 5.5 | 0.0% |\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	mixed := outline.Table{Columns: []string{"项目", "本月"}, Rows: [][]outline.Cell{{outline.Text("订单数"), outline.Read("439")}, {outline.Text("毛利率（%）"), outline.Read("33.5")}}}
	if got := string(markdown(&outline.Outline{Sections: []outline.Section{{Tables: []outline.Table{mixed}}}})); !strings.Contains(got, "| 439 |") {
		t.Error(got)
	}
	// What was written reads like what it was made of, also where it begins like something else.
	sections := report(t).Sections
	for _, text := range []string{
		`1\. a`, `1986\. A year`, "2\\) a", "a  \n\\# b", "a  \n\\- b", "a  \n1\\. b", "a  \n\\> b", "a  \n\\=\\=\\=", "a  \n\\-\\-\\-", "a | b  \n\\:--- | ---", `\# a`, "> 1\\. a", "- 1\\. a", "# C \\#", "# 1. a",
		"- a\\\n  1\\. b",
	} {
		sections = append(sections, outline.Section{Text: text})
	}
	for _, s := range sections {
		for _, b := range outline.Blocks(s.Text, 2) {
			if again := outline.Blocks(passage(&outline.Outline{}, b), 2); len(again) != 1 || again[0].Kind != b.Kind || outline.Plain(again[0].Runs) != outline.Plain(b.Runs) || again[0].Text != b.Text {
				t.Errorf("%+v became %+v", b, again)
			}
		}
	}
}

// hostile says things that mean something in HTML, XML, Markdown, formulas and paths.
func hostile() *outline.Outline {
	evil := `<script>alert(1)</script>"'&]]><!--` + "\x00\x1b\u202e\ufffe\xff" + `${7*7}{{.}}</w:t></a:t><img src=x onerror=alert(1)>`
	one := 1.0
	return &outline.Outline{
		Title: `../../etc/passwd ` + evil, Subtitle: evil, Author: evil, Date: evil,
		Sections: []outline.Section{{
			Heading: evil, Text: evil + "\n\n[x](javascript:alert(1)) ![y](file:///etc/passwd)\n\n" + "<iframe src=//evil></iframe>\n\n| =1+1 | @x |\n|---|---|\n| =cmd\\|' /C calc'!A0 | +1 |", Notes: evil,
			Tables: []outline.Table{{Title: evil, Columns: []string{"=HYPERLINK(\"http://evil\")", evil, ""}, Rows: [][]outline.Cell{
				{outline.Text("=1+1"), outline.Text("\t=2+2"), outline.Text(" @SUM(1)")}, {outline.Text("-1+1"), outline.Number(-5), outline.Text("＝1+1")}, nil,
			}}},
			Charts: []outline.Chart{
				{Kind: "column", Title: evil, Unit: evil, Categories: []string{evil, "", "b"}, Series: []outline.Series{{Name: evil, Values: []*float64{&one, nil, &one}}}},
				{Kind: "line", Categories: []string{"a"}, Series: []outline.Series{{Name: evil}, {Name: "{b}"}}},
			},
			Pictures: []outline.Picture{{File: "obj:none", Caption: evil}},
		}, {}},
		Sources: []outline.Source{{Title: evil, URL: "javascript:alert(1)"}, {Title: evil, URL: "https://x.y/\"><script>"}},
	}
}

func TestHostileOutline(t *testing.T) {
	t.Parallel()
	for f := range made {
		body := document(t, f)
		switch f {
		case HTML:
			page := string(body)
			for _, bad := range []string{"<script", "<img", "<iframe", "javascript:", "http://evil\"", "\x00", "\u202e"} {
				if strings.Contains(page, bad) {
					t.Errorf("the page has %q", bad)
				}
			}
			if strings.Count(page, "<body>") != 1 || strings.Count(page, "</svg>") != strings.Count(page, "<svg") {
				t.Error("the page is broken")
			}
		case PPTX, DOCX, XLSX:
			for name, text := range parts(t, body) {
				if strings.Contains(text, "javascript:") || strings.Contains(text, "<f>") && strings.Contains(name, "sheet") {
					t.Errorf("%s of %s has a script or a formula", name, f)
				}
			}
		case CSV:
			for line := range strings.SplitSeq(strings.TrimPrefix(string(body), "\ufeff"), "\n") {
				for cell := range strings.SplitSeq(line, ",") {
					if cell = strings.TrimLeft(strings.Trim(cell, `"`), " \t"); cell != "" && strings.ContainsRune("=@", rune(cell[0])) {
						t.Errorf("a formula: %q", line)
					}
				}
			}
			wantAll(t, "the CSV", string(body), "'=1+1", "'-1+1", ",-5,", "'＝1+1")
		}
	}
	if name := FileName(hostile(), PDF); strings.ContainsAny(name, `/\<>":|?*`) || !strings.HasSuffix(name, ".pdf") || strings.HasPrefix(name, ".") {
		t.Errorf("%q", name)
	}
}

// Where a spreadsheet parts by semicolons or tabs, quotes of a file that is parted by commas keep nothing together: what would begin a cell there is guarded, too.
func TestNoFormulaBehindASeparator(t *testing.T) {
	t.Parallel()
	var rows [][]outline.Cell
	for _, text := range []string{"x;=1+1", "x\t@SUM(1)", "x\n=1+1", "x; +1+cmd|'/C calc'!A0", "a; b", "a\n- b", "a;-b", "1=2"} {
		rows = append(rows, []outline.Cell{outline.Text(text), outline.Text("y")})
	}
	body := string(render(t, &outline.Outline{Sections: []outline.Section{{Tables: []outline.Table{{Columns: []string{"a;=1", "b"}, Rows: rows}}}}}, CSV))
	if want := "\ufeffa;'=1,b\nx;'=1+1,y\nx\t'@SUM(1),y\n\"x\n'=1+1\",y\nx; '+1+cmd|'/C calc'!A0,y\na; b,y\n\"a\n- b\",y\na;'-b,y\n1=2,y\n"; body != want {
		t.Errorf("%q\nwant %q", body, want)
	}
}

func TestTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	told := new(bus.Error)
	if _, err := Render(t.Context(), &outline.Outline{Sections: make([]outline.Section, 10_000)}, PPTX); !errors.As(err, &told) || told.Code != bus.CodeInvalidParameter {
		t.Errorf("%v", err)
	}
}

func TestEmptyOutline(t *testing.T) {
	t.Parallel()
	for f := range made {
		if body := render(t, new(outline.Outline), f); len(body) == 0 {
			t.Errorf("%s is empty", f)
		}
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Format{"ppt": PPTX, "docs": DOCX, "table": XLSX, "markdown": Markdown, ".PDF": PDF, "html": HTML, "csv": CSV, "exe": "", "": ""} {
		if got, ok := Named(name); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v", name, got, ok)
		}
	}
	for _, f := range Formats() {
		if f.Type() == "" || f != HTML && f.Type() == HTML.Type() {
			t.Errorf("%s: %s", f, f.Type())
		}
	}
}

func TestSaid(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]Format{
		"再做成PPT": PPTX, "把表格做成幻灯片": PPTX, "导出成PDF": PDF, "a Word document of it": DOCX, "做一份表格": XLSX, "export to csv": CSV, "as Markdown": Markdown, "做成网页": HTML, "做成报告": "",
	} {
		if got, _ := said(request); got != want {
			t.Errorf("%q: %q, want %q", request, got, want)
		}
	}
}
