package document

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document/outline"
	"github.com/hmap-project/hmap/tools/workbook"
)

// maxMaterial is the longest text that is taken from a call or a file, in bytes.
const maxMaterial = 400_000

// maxFiles is how many files one document may draw on.
const maxFiles = 50

// load reads the files that an outline names, pictures and tables, into it.
func load(ctx context.Context, files *bus.Files, o *outline.Outline) error {
	var read budget
	for i := range o.Sections {
		s := &o.Sections[i]
		for j := range s.Pictures {
			p := &s.Pictures[j]
			f, body, err := fetch(ctx, files, p.File, &read)
			if err != nil {
				return err
			}
			if p.Image, err = outline.ReadImage(body); err != nil {
				return refuse("sections[%d].pictures[%d]: %s: %v", i, j, f.Name, err)
			}
		}
		for j := range s.Tables {
			t := &s.Tables[j]
			if t.File == "" {
				continue
			}
			f, body, err := fetch(ctx, files, t.File, &read)
			if err != nil {
				return err
			}
			full, err := readTable(ctx, f.Name, body)
			if err != nil {
				return refuse("sections[%d].tables[%d]: %s: %v", i, j, f.Name, err)
			}
			full.Title = t.Title
			*t = full
		}
	}
	return nil
}

// attach makes a section of a file: a table with its chart, a picture, or a text.
func attach(ctx context.Context, files *bus.Files, ref string, read *budget) ([]outline.Section, error) {
	f, body, err := fetch(ctx, files, ref, read)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(f.Name, path.Ext(f.Name))
	if image, err := outline.ReadImage(body); err == nil {
		return []outline.Section{{Heading: name, Pictures: []outline.Picture{{File: ref, Caption: f.Description, Image: image}}}}, nil
	}
	switch kindOf(f.Name, f.Type) {
	case "table":
		t, err := readTable(ctx, f.Name, body)
		if err != nil {
			return nil, refuse("%s: %v", f.Name, err)
		}
		s := outline.Section{Heading: name, Tables: []outline.Table{t}}
		if c, ok := derive(t); ok {
			s.Charts = []outline.Chart{c}
		}
		return []outline.Section{s}, nil
	case "text":
		if len(body) > maxMaterial {
			return nil, refuse("%s: a text of %d bytes: %d at most", f.Name, len(body), maxMaterial)
		}
		o := outline.Outline{}
		Compose(&o, []Passage{{Heading: name, Text: string(body)}})
		return o.Sections, nil
	}
	return nil, refuse("%s (%s): want CSV, XLSX, JSON, Markdown, text, PNG, JPEG or GIF", f.Name, f.Type)
}

func kindOf(name, mediaType string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv", ".xlsx", ".json":
		return "table"
	case ".md", ".txt", ".markdown":
		return "text"
	}
	switch base, _, _ := strings.Cut(mediaType, ";"); base {
	case "text/csv", "application/json":
		return "table"
	case "text/markdown", "text/plain":
		return "text"
	}
	return ""
}

// budget is what was read for a document: maxFiles, and as many bytes as the document itself may have, are the most.
type budget struct {
	files int
	bytes int64
}

// fetch gets a file whole, within the budget.
func fetch(ctx context.Context, files *bus.Files, ref string, read *budget) (bus.File, []byte, error) {
	if read.files++; read.files > maxFiles {
		return bus.File{}, nil, refuse("more than %d files; make several documents", maxFiles)
	}
	r, f, err := files.Get(ctx, ref)
	if errors.Is(err, bus.ErrNotFound) || errors.Is(err, bus.ErrBadName) {
		return f, nil, refuse("there is no file %.80q; want a reference like obj:…, as the list of files gives it", ref)
	}
	if err != nil {
		return f, nil, err
	}
	defer r.Close()
	left := bus.MaxFile - read.bytes
	body, err := io.ReadAll(io.LimitReader(r, left+1))
	if read.bytes += int64(len(body)); int64(len(body)) > left {
		return f, nil, refuse("the files have more than %d MiB together; make several documents", bus.MaxFile>>20)
	}
	return f, body, err
}

// readTable reads rows from CSV (commas, semicolons or tabs; UTF-8 or GB18030), from the first sheet of an XLSX file, or from a JSON list of objects. Of
// a long one it keeps the first rows, and knows how many there are.
func readTable(ctx context.Context, name string, body []byte) (outline.Table, error) {
	switch {
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		return readXLSX(ctx, body)
	case strings.EqualFold(path.Ext(name), ".json"):
		return readJSON(body)
	}
	return readCSV(ctx, body)
}

func readCSV(ctx context.Context, body []byte) (outline.Table, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !utf8.Valid(body) {
		if decoded, err := simplifiedchinese.GB18030.NewDecoder().Bytes(body); err == nil {
			body = decoded
		}
	}
	first, _, _ := bytes.Cut(body, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(body))
	r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = true, -1, true
	for _, comma := range []rune{'\t', ';'} {
		if bytes.Count(first, []byte(string(comma))) > bytes.Count(first, []byte(string(r.Comma))) {
			r.Comma = comma
		}
	}
	rows := collector{ctx: ctx}
	for {
		line, err := r.Read()
		if err == io.EOF {
			return rows.table()
		}
		if err != nil {
			return outline.Table{}, err
		}
		if err := rows.add(line); err != nil {
			return outline.Table{}, err
		}
	}
}

func readXLSX(ctx context.Context, body []byte) (outline.Table, error) {
	unreadable := errors.New("no workbook that can be read")
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return outline.Table{}, unreadable
	}
	hold, err := workbook.Check(z)
	if err != nil {
		return outline.Table{}, err
	}
	dir, err := tools.Scratch("document")
	if err != nil {
		return outline.Table{}, err
	}
	defer os.RemoveAll(dir)
	f, err := excelize.OpenReader(bytes.NewReader(body), excelize.Options{TmpDir: dir, UnzipSizeLimit: workbook.MaxUnzipped, UnzipXMLSizeLimit: hold})
	if err != nil {
		return outline.Table{}, unreadable
	}
	defer f.Close()
	all := f.GetSheetList()
	if len(all) == 0 {
		return outline.Table{}, errors.New("a workbook without sheets")
	}
	lines, err := f.Rows(all[0])
	if err != nil {
		return outline.Table{}, err
	}
	defer lines.Close()
	rows := collector{ctx: ctx}
	for lines.Next() {
		line, err := lines.Columns()
		if err != nil {
			return outline.Table{}, err
		}
		if err := rows.add(line); err != nil {
			return outline.Table{}, err
		}
	}
	if err := lines.Error(); err != nil {
		return outline.Table{}, err
	}
	return rows.table()
}

func readJSON(body []byte) (outline.Table, error) {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return outline.Table{}, err
	}
	var longest []map[string]any
	lists(v, 0, func(rows []map[string]any) {
		if len(rows) > len(longest) {
			longest = rows
		}
	})
	if longest == nil {
		return outline.Table{}, errors.New("no list of objects in it")
	}
	return tableOf(longest), nil
}

// collector keeps rows up to the bounds, and counts those beyond.
type collector struct {
	ctx  context.Context
	t    outline.Table
	seen int
	wide int // columns of the widest row so far: in the end all are filled up to that
}

func (c *collector) add(line []string) error {
	if c.seen++; c.seen%4096 == 0 && c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	if len(line) > outline.MaxColumns {
		return fmt.Errorf("%d columns: %d at most", len(line), outline.MaxColumns)
	}
	c.wide = max(c.wide, len(line))
	if c.t.Columns == nil {
		c.t.Columns = append([]string{}, line...)
		return nil
	}
	if len(c.t.Rows) >= mostRows(c.wide) {
		return nil
	}
	cells := make([]outline.Cell, len(line))
	for i, text := range line {
		cells[i] = outline.Read(text)
	}
	c.t.Rows = append(c.t.Rows, cells)
	return nil
}

// mostRows is how many rows of a width are kept of one file.
func mostRows(wide int) int { return min(outline.MaxRows, outline.MaxCells/2/max(1, wide)) }

func (c *collector) table() (outline.Table, error) {
	if c.seen == 0 {
		return c.t, errors.New("it is empty")
	}
	c.t.Total = c.seen - 1
	c.t.Rows = c.t.Rows[:min(len(c.t.Rows), mostRows(c.wide))]
	return even(c.t), nil
}

func refuse(format string, args ...any) error {
	return &bus.Error{Code: bus.CodeInvalidParameter, Message: fmt.Sprintf(format, args...)}
}
