package read

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// maxPart bounds an unpacked part of a DOCX file, in bytes, whatever its directory says.
const maxPart = 16 << 20

// readDOCX reads paragraphs, headings, lists and tables of a Word file.
func readDOCX(ctx context.Context, data []byte) (Text, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return Text{}, unreadable("no DOCX file (%v)", err)
	}
	main, err := z.Open("word/document.xml")
	if err != nil {
		return Text{}, unreadable("no DOCX file: it has no word/document.xml")
	}
	defer main.Close()
	var t Text
	if t.Markdown, t.Cut, err = paragraphs(ctx, io.LimitReader(watched{ctx, main}, maxPart)); err != nil {
		return Text{}, err
	}
	if core, err := z.Open("docProps/core.xml"); err == nil {
		defer core.Close()
		var props struct {
			Title   string `xml:"title"`
			Created string `xml:"created"`
		}
		if xml.NewDecoder(io.LimitReader(core, 1<<20)).Decode(&props) == nil {
			t.Title, t.Published = oneLine(props.Title, 200), dayForm.FindString(props.Created)
		}
	}
	if t.Title == "" {
		if first, ok := strings.CutPrefix(t.Markdown, "# "); ok {
			first, _, _ = strings.Cut(first, "\n")
			t.Title = oneLine(first, 200)
		}
	}
	return t, nil
}

// paragraphs writes the text of a document part as Markdown.
func paragraphs(ctx context.Context, r io.Reader) (string, bool, error) {
	d := xml.NewDecoder(r)
	var out, line strings.Builder
	var style string
	var row []string
	cells, deep, rows := 0, 0, 0    // cells: tables that are open
	listed, running := false, false // running: in a run's text
	for out.Len() <= maxText {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if ctx.Err() != nil {
			return "", false, context.Cause(ctx)
		}
		if err != nil {
			if out.Len() == 0 {
				return "", false, unreadable("a damaged DOCX file (%v)", err)
			}
			text, _ := clean(out.String())
			return text, true, nil
		}
		switch e := token.(type) {
		case xml.StartElement:
			if deep++; deep > 2000 {
				return "", false, unreadable("a DOCX file that is nested too deeply")
			}
			switch e.Name.Local {
			case "p":
				if cells == 0 {
					line.Reset()
				}
				style, listed = "", false
			case "pStyle":
				style = strings.ToLower(value(e))
			case "outlineLvl":
				if l := value(e); len(l) == 1 && l >= "0" && l <= "5" {
					style = "heading" + string(l[0]+1)
				}
			case "numPr":
				listed = true
			case "t":
				running = true
			case "tab":
				line.WriteByte(' ')
			case "br", "cr":
				line.WriteByte('\n')
			case "tbl":
				if cells++; cells == 1 {
					out.WriteByte('\n')
					rows = 0
				}
			case "tr":
				row = row[:0]
			case "tc":
				line.Reset()
			case "instrText", "delText", "fldData", "Fallback":
				if err := d.Skip(); err != nil {
					continue
				}
				deep--
			}
		case xml.EndElement:
			deep--
			switch e.Name.Local {
			case "p":
				if cells > 0 {
					line.WriteByte(' ')
					continue
				}
				said := strings.TrimSpace(line.String())
				if said == "" {
					continue
				}
				switch level := strings.TrimPrefix(strings.TrimPrefix(style, "heading"), "标题"); {
				case len(style) > 0 && len(level) == 1 && level >= "1" && level <= "6":
					said = strings.Repeat("#", int(level[0]-'0')) + " " + strings.ReplaceAll(said, "\n", " ")
				case style == "title":
					said = "# " + strings.ReplaceAll(said, "\n", " ")
				case listed:
					said = "- " + said
				}
				out.WriteString(said + "\n\n")
			case "t":
				running = false
			case "tc":
				row = append(row, strings.ReplaceAll(strings.Join(strings.Fields(line.String()), " "), "|", `\|`))
				line.Reset() // or every cell around this one would have its text, too
			case "tr":
				if len(row) == 0 {
					continue
				}
				out.WriteString("| " + strings.Join(row, " | ") + " |\n")
				if rows++; rows == 1 {
					out.WriteString("|" + strings.Repeat(" --- |", len(row)) + "\n")
				}
				row = row[:0]
			case "tbl":
				if cells--; cells == 0 {
					out.WriteByte('\n')
				}
			}
		case xml.CharData:
			if running {
				line.Write(e[:min(len(e), max(maxText-line.Len(), 0))])
			}
		}
	}
	text, cut := clean(out.String())
	return text, cut, nil
}

// watched ends reading with its context, also in the middle of a text that fills the file.
type watched struct {
	ctx context.Context
	r   io.Reader
}

func (w watched) Read(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.r.Read(b)
}

// value is the val attribute of an element.
func value(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "val" {
			return a.Value
		}
	}
	return ""
}
