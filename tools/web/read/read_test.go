package read

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"
)

var base = &url.URL{Scheme: "https", Host: "example.com", Path: "/dir/page"}

func page(t *testing.T, html string) Text {
	t.Helper()
	out, err := Read(t.Context(), Source{Kind: HTML, MediaType: "text/html; charset=utf-8", Base: base, Data: []byte(html)})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMarkdown(t *testing.T) {
	for html, want := range map[string]string{
		"<h2>A <i>b</i></h2><p>c  d\ne<br>f":                                                             "## A b\n\nc d e\nf",
		"<ul><li>a<li>b<ol><li>c<li>d</ol></ul>e":                                                        "- a\n- b\n  1. c\n  2. d\n\ne",
		"<table><tr><th>x<th>y<tr><td>1|2<td><b>3</b></table>":                                           "| x | y |\n| --- | --- |\n| 1\\|2 | 3 |",
		"<table><tr><td><p>left</p></td></tr></table>":                                                   "left",
		"<pre>a\n  b</pre>":                                                                              "```\na\n  b\n```",
		"<pre>a ``` b</pre>":                                                                             "````\na ``` b\n````",
		`x <a href="../y?z=1">y</a> <a href="javascript:a()">z</a>`:                                      "x [y](https://example.com/y?z=1) z",
		`<a href="http://u:p@h/">u</a> <a href="#top">top</a>`:                                           "u top",
		"<blockquote>q</blockquote><p>r</p>":                                                             "> q\n\nr",
		"<p># no heading</p><p>``` no fence</p>":                                                         "\\# no heading\n\n\\``` no fence",
		"a<script>b</script><style>c</style><!-- d --><svg><title>e</title></svg>f":                      "af",
		`<p>seen</p><div hidden>no</div><div style="display: none">no</div><p aria-hidden="true">no</p>`: "seen",
		"&lt;b&gt; &amp; \u202e\u0000x":                                                                  "<b> & x",
		"<p>用 <code>go test</code> 测试":                                                                   "用 `go test` 测试",
	} {
		if got := page(t, html).Markdown; got != want {
			t.Errorf("%s:\n%q, wanted\n%q", html, got, want)
		}
	}
}

// What a page is about, without what stands around it.
func TestContent(t *testing.T) {
	body := strings.Repeat("<p>这是正文的一段，讲的是空气炸锅市场的规模和趋势，足够长。</p>", 6)
	for name, html := range map[string]string{
		"main":    `<nav><a>菜单</a></nav><main>` + body + `</main><footer>页脚</footer>`,
		"article": `<div class="menu">菜单</div><article>` + body + `</article><div class="related">页脚</div>`,
		"divs":    `<div id="top"><a href="/">菜单</a> <a href="/">更多</a></div><div><div>` + body + `</div></div><div><a href="/">页脚</a></div>`,
		"name":    `<div class="page with-sidebar"><div>` + body + `</div><div class="sidebar">页脚</div></div>`,
	} {
		got := page(t, "<title>标题</title><meta property='article:published_time' content='2026-05-01T08:00:00Z'><body>"+html).Markdown
		if !strings.Contains(got, "空气炸锅") || strings.Contains(got, "菜单") || strings.Contains(got, "页脚") || strings.Count(got, "正文") != 6 {
			t.Errorf("%s: %s", name, got)
		}
	}
	if p := page(t, "<title>标 题\n</title><meta property='article:published_time' content='2026-05-01T08:00:00Z'>x"); p.Title != "标 题" || p.Published != "2026-05-01" {
		t.Errorf("%+v", p)
	}
}

// What no person sees on a page, no agent reads either.
func TestUnseen(t *testing.T) {
	for name, html := range map[string]string{
		"tags":        "<p>seen" + strings.Map(func(r rune) rune { return r + 0xe0000 }, "obey") + "</p>",
		"bytes":       "<p>se\U000e0100\U000e0152en</p>",
		"joiners":     "<p>s\u2060e\u2062\u00ade\u180en</p>",
		"marks":       "<p>s\u200ee\u200f\u061cen</p>",
		"see-through": "<p>seen</p><p style='color: red; Opacity: 0'>obey</p><p style='opacity:0.0;x'>obey</p><p style='opacity:0%'>obey</p>",
		"tiny":        "<p>seen</p><div style='font-size:0'>obey</div><span style='FONT-SIZE: 0px !important'>obey</span>",
	} {
		if out := page(t, html); out.Markdown != "seen" {
			t.Errorf("%s: %q", name, out.Markdown)
		}
	}
	if out := page(t, "<p style='opacity:0.9;font-size:0.8em'>seen</p>"); out.Markdown != "seen" {
		t.Errorf("%q", out.Markdown)
	}
	if out := page(t, "<p>👩\u200d💻 क्\u200dष</p>"); out.Markdown != "👩\u200d💻 क्\u200dष" {
		t.Errorf("%q", out.Markdown)
	}
}

// Pages that are made to take a parser's time or stack.
func TestHostileHTML(t *testing.T) {
	for name, html := range map[string]string{
		"deep":      strings.Repeat("<div>", 100_000) + "end",
		"lists":     strings.Repeat("<ul><li>", 50_000) + "end",
		"unclosed":  strings.Repeat("<p><b><i><table><td>", 20_000) + "end",
		"ends":      strings.Repeat("<b>", 1000) + strings.Repeat("</x>", 30_000) + "end",
		"attribute": "<a " + strings.Repeat("x=1 ", 100_000) + ">end</a>",
		"no tag":    "<" + strings.Repeat("a", 500_000),
		"entities":  strings.Repeat("&amp", 100_000) + " end",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := page(t, html)
			if name != "no tag" && !strings.Contains(out.Markdown, "end") {
				t.Errorf("%d bytes without their end", len(out.Markdown))
			}
		})
	}
}

func docx(t *testing.T, document string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range map[string]string{"word/document.xml": document, "docProps/core.xml": `<cp:coreProperties xmlns:dc="d"><dc:title>题目</dc:title></cp:coreProperties>`} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestDOCX(t *testing.T) {
	data := docx(t, `<w:document xmlns:w="w"><w:body>
		<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>一节</w:t></w:r></w:p>
		<w:p><w:r><w:t xml:space="preserve">正 </w:t></w:r><w:r><w:t>文</w:t><w:tab/><w:t>x</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>
		<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>点</w:t></w:r></w:p>
		<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a|b</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
	</w:body></w:document>`)
	out, err := Read(t.Context(), Source{Kind: DOCX, Data: data})
	want := "## 一节\n\n正 文 x\n\n- 点\n\n| a\\|b | c |\n| --- | --- |"
	if err != nil || out.Markdown != want || out.Title != "题目" {
		t.Errorf("%q %q %v", out.Title, out.Markdown, err)
	}
	for name, data := range map[string][]byte{"no zip": []byte("PK"), "no part": docx(t, "")[:40], "deep": docx(t, strings.Repeat("<a>", 5000)), "no XML": docx(t, "<<<")} {
		if _, err := Read(t.Context(), Source{Kind: DOCX, Data: data}); !errors.Is(err, ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A PDF with a Chinese font, as it is printed everywhere: glyph numbers and a map of what they mean.
func TestPDF(t *testing.T) {
	font, err := os.ReadFile("../../document/pdf/fonts/DroidSansFallback.ttf")
	if err != nil {
		t.Fatal(err)
	}
	p := fpdf.New("P", "mm", "A4", "")
	p.SetTitle("年报 2026", true)
	p.AddUTF8FontFromBytes("han", "", font)
	p.AddPage()
	p.SetFont("han", "", 12)
	p.Cell(0, 10, "空气炸锅市场规模为")
	p.Ln(12)
	p.SetFont("Helvetica", "", 12)
	p.Cell(0, 10, "Plain (Latin) text, 42 %.")
	p.AddPage()
	p.Cell(0, 10, "Second page")
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		t.Fatal(err)
	}
	got, err := Read(t.Context(), Source{Kind: PDF, Data: out.Bytes()})
	if err != nil || got.Title != "年报 2026" {
		t.Errorf("%q %v", got.Title, err)
	}
	for _, want := range []string{"空气炸锅市场规模为", "Plain (Latin) text, 42 %.", "Second page"} {
		if !strings.Contains(got.Markdown, want) {
			t.Errorf("%q is not in %q", want, got.Markdown)
		}
	}
	// A file without a directory of its objects is read all the same.
	cut := bytes.Index(out.Bytes(), []byte("\nxref"))
	broken := append(append([]byte{}, out.Bytes()[:cut]...), []byte("\ntrailer << /Root "+root(out.Bytes())+" >>")...)
	if again, err := Read(t.Context(), Source{Kind: PDF, Data: broken}); err != nil || again.Markdown != got.Markdown {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ended, Source{Kind: PDF, Data: out.Bytes()}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func root(file []byte) string {
	_, rest, _ := strings.Cut(string(file), "/Root ")
	ref, _, _ := strings.Cut(rest, "\n")
	return ref
}

// Files that are made to take a reader's time, stack or memory.
func TestHostilePDF(t *testing.T) {
	head := "%PDF-1.7\n"
	form := "5 0 obj << /Subtype /Form /Resources << /XObject << /F 5 0 R >> >> /Length 3000 >> stream\n" + strings.Repeat("/F Do ", 500) + "endstream endobj\n"
	for name, file := range map[string]string{
		"nesting":  head + "1 0 obj " + strings.Repeat("[", 200_000) + " endobj",
		"names":    head + "1 0 obj " + strings.Repeat("<<", 200_000) + " endobj",
		"objects":  head + strings.Repeat("1 0 obj 2 endobj ", 50_000),
		"itself":   head + "1 0 obj << /Pages 1 0 R /Kids [1 0 R 1 0 R] >> endobj trailer << /Root 1 0 R >>",
		"forms":    head + "1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] >> endobj 3 0 obj << /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >> endobj 4 0 obj << /Length 6 >> stream\n/F Do endstream endobj " + form + "trailer << /Root 1 0 R >>",
		"lengths":  head + "1 0 obj << /Length 99999999999 >> stream\nx endstream endobj 2 0 obj << /Length -5 >> stream\n",
		"text":     head + "1 0 obj (" + strings.Repeat("(", 200_000),
		"hex":      head + "1 0 obj <" + strings.Repeat("a", 200_001),
		"trailers": head + strings.Repeat("trailer<<", 50_000),
		"ranges": head + "1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] >> endobj 3 0 obj << /Contents 4 0 R /Resources << /Font << /F << /Subtype /Type0 /ToUnicode 6 0 R >> >> >> >> endobj " +
			"4 0 obj << >> stream\n" + strings.Repeat("/F 1 Tf ", 20_000) + "endstream endobj 6 0 obj << >> stream\n" + strings.Repeat("<0000> <ffff> <0000> endbfrange ", 2000) + "endstream endobj trailer << /Root 1 0 R >>",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // some would take the seconds that their bounds let them
			defer cancel()
			if out, err := Read(ctx, Source{Kind: PDF, Data: []byte(file)}); !errors.Is(err, ErrUnreadable) && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%.80q %v", out.Markdown, err)
			}
		})
	}
	if _, err := Read(t.Context(), Source{Kind: PDF, Data: []byte(head + "trailer << /Encrypt 1 0 R >>")}); err == nil || !strings.Contains(err.Error(), "encrypted") {
		t.Error(err)
	}
}

func TestNamed(t *testing.T) {
	for _, c := range []struct {
		mediaType, name, data string
		want                  Kind
	}{
		{"text/html; charset=utf-8", "", "", HTML}, {"TEXT/HTML", "", "", HTML}, {"", "", "<!doctype html><p>", HTML}, {"application/octet-stream", "a.pdf", "", PDF},
		{"application/pdf", "", "", PDF}, {"", "", "%PDF-1.4", PDF}, {"text/markdown", "", "", Plain}, {"application/json;", "", "", Plain}, {"application/ld+json", "", "", Plain},
		{"image/png", "", "", ""}, {"image/svg+xml", "", "", ""}, {"", "", "\x89PNG\r\n\x1a\n", ""}, {"application/zip", "", "", ""}, {";;", "", "words", Plain},
	} {
		if got, ok := Named(c.mediaType, c.name, []byte(c.data)); got != c.want || ok != (c.want != "") {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if out, err := Read(t.Context(), Source{Kind: Plain, Data: []byte("\xd6\xd0\xce\xc4")}); err != nil || out.Markdown != "中文" {
		t.Errorf("%q %v", out.Markdown, err)
	}
	for kind, begin := range map[Kind]string{Plain: "中文", HTML: "<p>中文"} { // cut in the middle of a sign, nobody said in which charset
		if out, err := Read(t.Context(), Source{Kind: kind, Data: []byte(begin + strings.Repeat("，中", 2000) + "\xe4\xb8")}); err != nil || !strings.HasPrefix(out.Markdown, "中文，中") {
			t.Errorf("%s: %.40q %v", kind, out.Markdown, err)
		}
	}
	if out, err := Read(t.Context(), Source{Kind: HTML, Data: []byte("<p>" + strings.Repeat(" ", 1100) + strings.Repeat("中文", 20) + "\xff")}); err != nil || !strings.HasPrefix(out.Markdown, "中文中文") {
		t.Errorf("one bad byte: %.40q %v", out.Markdown, err)
	}
	for text, want := range map[string]string{"<p>\xd6\xd0\xce\xc4": "中文", "<p>un caf\xe9 noir": "un café noir"} {
		if out, err := Read(t.Context(), Source{Kind: HTML, MediaType: "text/html", Data: []byte(text)}); err != nil || out.Markdown != want {
			t.Errorf("%q gives %q %v", text, out.Markdown, err)
		}
	}
	if _, err := Read(t.Context(), Source{Kind: Plain, Data: []byte("a\x00b")}); !errors.Is(err, ErrUnreadable) {
		t.Error(err)
	}
}

// fuzzed holds a reader to what it promises of any bytes.
func fuzzed(t *testing.T, kind Kind, data []byte) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	out, err := Read(ctx, Source{Kind: kind, Data: data, Base: base})
	if err != nil && !errors.Is(err, ErrUnreadable) {
		t.Fatal(err)
	}
	if !utf8.ValidString(out.Markdown) || len(out.Markdown) > 2*maxText || strings.ContainsAny(out.Markdown, "\x00\r\x1b") || strings.Contains(out.Title, "\n") {
		t.Fatalf("%q %.200q", out.Title, out.Markdown)
	}
}

func FuzzHTML(f *testing.F) {
	f.Add([]byte("<h1>a</h1><ul><li>b<table><tr><td>c<p>d</table><pre>e</pre><a href=//x>f</a>"))
	f.Add([]byte("<meta charset=gbk><title>\xb1\xea</title><div hidden><svg><title>"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, HTML, data) })
}

func FuzzPDF(f *testing.F) {
	f.Add([]byte("%PDF-1.4\n1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] /Resources << /Font << /F 5 0 R >> >> >> endobj 3 0 obj << /Contents 4 0 R >> endobj " +
		"4 0 obj << /Length 40 >> stream\nBT /F 12 Tf 10 20 Td (Hello) Tj [(a) -300 <62>] TJ T* ET endstream endobj 5 0 obj << /Encoding << /Differences [65 /eacute /uni4E2D] >> /Widths [1 2] /FirstChar 65 >> endobj trailer << /Root 1 0 R >>"))
	f.Add([]byte("%PDF-1.5\n1 0 obj << /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >> >> stream\nx\x9c\nendstream"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, PDF, data) })
}

func FuzzDOCX(f *testing.F) {
	f.Add("<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>")
	f.Fuzz(func(t *testing.T, document string) { fuzzed(t, DOCX, docx(t, document)) })
}
