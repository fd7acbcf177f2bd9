package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// Table is one of a [book].
type Table struct {
	Name    string
	File    string // that it is of
	Rows    int
	Columns []*Column
	notes   []remark
}

// column is the one of a name; nil when there is none.
func (t *Table) column(name string) *Column {
	for _, c := range t.Columns {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// book is the tables of some files as an SQLite file of our own, open for questions and nothing else. For one goroutine.
type book struct {
	tables []*Table
	dir    string
	db     *sql.DB
	conn   *sql.Conn
}

// close removes the copy.
func (b *book) close() error {
	var err error
	if b.conn != nil {
		err = b.conn.Close()
	}
	if b.db != nil {
		err = errors.Join(err, b.db.Close())
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}

// notes are the remarks on all tables, each once.
func (b *book) notes() []remark {
	var out []remark
	for _, t := range b.tables {
		for _, n := range t.notes {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// tabular are the endings of files that hold tables.
var tabular = map[string]string{
	".csv": "csv", ".tsv": "csv", ".txt": "csv", ".xlsx": "xlsx", ".xlsm": "xlsx", ".json": "json", ".jsonl": "json", ".ndjson": "json",
	".db": "sqlite", ".sqlite": "sqlite", ".sqlite3": "sqlite",
}

// pick chooses the files of a question: those that are named; else the newest of the session that holds a table.
func pick(ctx context.Context, call *tools.Call, names []string) ([]bus.File, error) {
	lang := call.Request.Language
	shelf, err := call.Shelf(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range call.Request.Files { // of this very request: the log may not have them yet
		if _, ok := tools.Find(shelf, f.Ref); !ok {
			shelf = append(shelf, f)
		}
	}
	var there []bus.File
	for _, f := range shelf {
		if tabular[strings.ToLower(path.Ext(f.Name))] != "" && !strings.HasSuffix(strings.ToLower(f.Name), ".txt") {
			there = append(there, f)
		}
	}
	if len(names) == 0 {
		if len(there) == 0 {
			return nil, refuse(lang, "本会话里没有表格文件（CSV、XLSX、JSON、SQLite）。请先上传一个，例如 hmap ask --file 销售.csv '…'", "this session has no file with a table (CSV, XLSX, JSON, SQLite). Bring one first: hmap ask --file sales.csv '…'")
		}
		return there[len(there)-1:], nil
	}
	if len(names) > maxFiles {
		return nil, refuse(lang, "一次最多 %d 个文件", "%d files at most at a time", maxFiles)
	}
	var out []bus.File
	var missing []string
	for _, name := range names {
		if f, ok := find(shelf, strings.TrimSpace(name)); ok {
			out = append(out, f)
		} else {
			missing = append(missing, clip(name, 80))
		}
	}
	if len(missing) > 0 {
		return nil, refuse(lang, "本会话里没有文件 %s；有这些表格：%s", "this session has no file %s; the tables here: %s", strings.Join(missing, say(lang, "、", ", ")), namesOf(there, lang))
	}
	return out, nil
}

// find is the file of a name, of a reference, of a name without its ending, or of the only name that ends in it behind a space.
func find(shelf []bus.File, name string) (bus.File, bool) {
	if f, ok := tools.Find(shelf, name); ok {
		return f, true
	}
	for _, f := range slices.Backward(shelf) {
		if strings.EqualFold(f.Name, name) || strings.EqualFold(strings.TrimSuffix(f.Name, path.Ext(f.Name)), name) {
			return f, true
		}
	}
	var last []bus.File // of which a name with spaces may have been said
	for _, f := range shelf {
		if strings.HasSuffix(strings.ToLower(f.Name), " "+strings.ToLower(name)) && !slices.ContainsFunc(last, func(o bus.File) bool { return o.Name == f.Name }) {
			last = append(last, f)
		}
	}
	if len(last) == 1 {
		return last[0], true
	}
	return bus.File{}, false
}

func namesOf(files []bus.File, language string) string {
	if len(files) == 0 {
		return say(language, "（没有）", "none")
	}
	var names []string
	for _, f := range files[max(0, len(files)-20):] {
		names = append(names, f.Name)
	}
	return strings.Join(names, say(language, "、", ", "))
}

// open fetches files and makes the book of them. The caller closes it.
func open(ctx context.Context, files *bus.Files, list []bus.File) (*book, error) {
	dir, err := tools.Scratch("table")
	if err != nil {
		return nil, err
	}
	b := &book{dir: dir}
	if err := b.fill(ctx, files, list); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *book) fill(ctx context.Context, files *bus.Files, list []bus.File) error {
	ctx, cancel := context.WithTimeoutCause(ctx, loadWithin, refusef("读取表格超过 %v，已停止", "reading the tables took longer than %v and was stopped", loadWithin))
	defer cancel()
	l, err := newLoader(ctx, filepath.Join(b.dir, "tables.db"))
	if err != nil {
		return err
	}
	for i, f := range list {
		local := filepath.Join(b.dir, fmt.Sprint("file", i))
		if err := fetch(ctx, files, f, local); err != nil {
			return errors.Join(err, l.close())
		}
		if err := l.load(ctx, f.Name, local); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return errors.Join(err, l.close())
		}
		if err := os.Remove(local); err != nil {
			return errors.Join(err, l.close())
		}
	}
	b.tables = l.tables
	if err := l.close(); err != nil {
		return err
	}
	if len(b.tables) == 0 {
		return refusef("文件里没有任何数据行", "there are no rows in it")
	}
	return b.ask(ctx)
}

// fetch copies an artifact to a file.
func fetch(ctx context.Context, files *bus.Files, f bus.File, to string) error {
	r, _, err := files.Get(ctx, f.Ref)
	if errors.Is(err, bus.ErrNotFound) {
		return refusef("文件 %s 已被删除", "%s was removed", f.Name)
	}
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, io.LimitReader(r, bus.MaxFile+1))
	return errors.Join(err, w.Close())
}

// sheetsOf reads a file by what it is, whatever it is called.
func sheetsOf(ctx context.Context, local, name string) (sheets []*sheet, done func() error, err error) {
	head := make([]byte, 16)
	f, err := os.Open(local)
	if err != nil {
		return nil, nil, err
	}
	n, err := io.ReadFull(f, head)
	if err = errors.Join(f.Close(), ifNot(err, io.ErrUnexpectedEOF, io.EOF)); err != nil {
		return nil, nil, err
	}
	head = head[:n]
	nothing := func() error { return nil }
	switch first := strings.TrimLeft(string(head), "\ufeff \t\r\n"); {
	case n == 0:
		return nil, nil, refusef("%s 是空文件", "%s is empty", name)
	case string(head) == "SQLite format 3\x00":
		return openSQLite(ctx, local, name)
	case strings.HasPrefix(string(head), "PK\x03\x04"):
		return openXLSX(local, name)
	case strings.HasPrefix(string(head), "\xD0\xCF\x11\xE0"):
		return nil, nil, refusef("%s 是旧格式或有密码的工作簿，请另存为 .xlsx", "%s is a workbook of the old format or with a password; save it as .xlsx", name)
	case tabular[strings.ToLower(path.Ext(name))] == "json" || strings.HasPrefix(first, "{") || strings.HasPrefix(first, "[{"):
		sheets, err = openJSON(local, stem(name))
		return sheets, nothing, err
	}
	s, err := openCSV(local, stem(name))
	var no refused
	if errors.As(err, &no) {
		return nil, nil, refusef("%[1]s：%[2]s", "%[1]s: %[3]s", name, no.zh, no.en)
	}
	if err != nil {
		return nil, nil, err
	}
	return []*sheet{s}, nothing, nil
}

// ifNot is err, unless it is one of those.
func ifNot(err error, those ...error) error {
	for _, t := range those {
		if errors.Is(err, t) {
			return nil
		}
	}
	return err
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

var reserved = regexp.MustCompile(`(?i)^(?:sqlite_)+`)

// tableName is the name of a table in SQL, from that of a file or a sheet.
func tableName(name string, taken map[string]bool) string {
	name = reserved.ReplaceAllString(plainName(name), "")
	if name == "" {
		name = "table"
	}
	return unique(name, taken)
}
