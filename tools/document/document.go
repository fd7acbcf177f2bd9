// Package document makes documents of what was found: from one outline to a page, slides, a text, a workbook, a PDF or Markdown; and from the log of a
// session to an outline, so that a conversation can be handed on without a model writing it up.
package document

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document/docx"
	"github.com/hmap-project/hmap/tools/document/html"
	"github.com/hmap-project/hmap/tools/document/outline"
	"github.com/hmap-project/hmap/tools/document/pdf"
	"github.com/hmap-project/hmap/tools/document/pptx"
	"github.com/hmap-project/hmap/tools/document/xlsx"
)

// Format is what a document is delivered as; its text is the end of the file's name.
type Format string

// The formats.
const (
	HTML     Format = "html"
	PPTX     Format = "pptx"
	DOCX     Format = "docx"
	PDF      Format = "pdf"
	XLSX     Format = "xlsx"
	CSV      Format = "csv"
	Markdown Format = "md"
)

// Formats are all formats, the default first.
func Formats() []Format { return []Format{HTML, PPTX, DOCX, PDF, XLSX, CSV, Markdown} }

// names are what else formats are called: by output styles, programs and the ends of file names.
var names = map[string]Format{
	"ppt": PPTX, "slides": PPTX, "powerpoint": PPTX, "docs": DOCX, "doc": DOCX, "word": DOCX, "table": XLSX, "excel": XLSX, "xls": XLSX, "markdown": Markdown, "htm": HTML, "page": HTML,
}

// Named is the format of a name: its own, or one by which it is known too ("ppt", "docs", "table", "markdown"). false when there is none.
func Named(name string) (Format, bool) {
	name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), ".")
	for _, f := range Formats() {
		if name == string(f) {
			return f, true
		}
	}
	f, ok := names[name]
	return f, ok
}

// formatWords are the words for formats in plain language.
var formatWords = regexp.MustCompile(`(?i)(ppt|幻灯片|演示文稿|slides?\b|\bdecks?\b|presentation)|(pdf)|(\bword\b|word文档|docx?\b|文档)|(excel|xlsx?|表格|报表|工作簿|spreadsheet|workbook)|(csv)|(markdown|\bmd\b)|(html|网页|web ?page)`)

// said is the format that a request names last: a PPT of the tables is a PPT. false when it names none.
func said(request string) (Format, bool) {
	all := formatWords.FindAllStringSubmatch(request, -1)
	if len(all) == 0 {
		return "", false
	}
	for i, f := range []Format{PPTX, PDF, DOCX, XLSX, CSV, Markdown, HTML} {
		if all[len(all)-1][i+1] != "" {
			return f, true
		}
	}
	return "", false
}

// Type is the media type of a format.
func (f Format) Type() string {
	switch f {
	case PPTX:
		return "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	case DOCX:
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case PDF:
		return "application/pdf"
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case CSV:
		return "text/csv; charset=utf-8"
	case Markdown:
		return "text/markdown; charset=utf-8"
	}
	return "text/html; charset=utf-8"
}

// Render makes a document. The outline is checked and cleaned first, in place; an outline above the bounds is an error that says what to change
// (invalid_parameter). What it holds of files must have been loaded ([Load]); what was not is left out.
func Render(ctx context.Context, o *outline.Outline, f Format) ([]byte, error) {
	if err := o.Check(); err != nil {
		return nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: "the document: " + err.Error()}
	}
	o.Clean()
	if o.Language == "" {
		o.Language = language(o)
	}
	var body []byte
	var err error
	switch f {
	case PPTX:
		body, err = pptx.Render(ctx, o)
	case DOCX:
		body, err = docx.Render(ctx, o)
	case PDF:
		body, err = pdf.Render(ctx, o)
	case XLSX:
		body, err = xlsx.Render(ctx, o)
	case CSV:
		body, err = xlsx.CSV(ctx, o)
	case Markdown:
		body = markdown(o)
	default:
		body, err = html.Render(ctx, o)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f, err)
	}
	return body, nil
}

// language is that of a document's headings: as of what somebody says.
func language(o *outline.Outline) string {
	text := o.Title + o.Subtitle
	for _, s := range o.Sections[:min(len(o.Sections), 20)] {
		text += s.Heading + outline.Clip(s.Text, 400)
		for _, t := range s.Tables {
			text += t.Title + strings.Join(t.Columns, "")
		}
	}
	return tools.Language(text)
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// FileName is what a document's file is called: its title, without what file systems refuse.
func FileName(o *outline.Outline, f Format) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, outline.Clip(outline.Line(o.Title), 80))
	name = strings.Trim(strings.Join(strings.Fields(name), " "), ". ")
	if name == "" {
		name = o.Words("报告", "report")
	}
	return name + "." + string(f)
}
