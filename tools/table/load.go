package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// loader copies sheets into a new SQLite file.
type loader struct {
	db     *sql.DB
	conn   *sql.Conn
	taken  map[string]bool
	tables []*Table
	cells  int
}

// newLoader makes the file. It is nobody else's and is thrown away, so nothing is journalled or synced.
func newLoader(ctx context.Context, file string) (*loader, error) {
	db, err := sql.Open("sqlite", address(file, "_pragma=journal_mode(OFF)", "_pragma=synchronous(OFF)", fmt.Sprintf("_pragma=max_page_count(%d)", maxDisk/4096), "_pragma=cache_size(-16000)"))
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &loader{db: db, conn: conn, taken: map[string]bool{}}, nil
}

func (l *loader) close() error { return errors.Join(l.conn.Close(), l.db.Close()) }

// load copies the sheets of a file that have rows.
func (l *loader) load(ctx context.Context, name, local string) error {
	ctx, stop := spillGuard(ctx) // a view of a database may sort all that it can think of before it gives a row
	defer stop()
	sheets, done, err := sheetsOf(ctx, local, name)
	if err != nil {
		return err
	}
	if len(sheets)+len(l.tables) > maxTables {
		return errors.Join(refusef("%s 的表太多（最多 %d 张）", "%s has too many tables (%d at most)", name, maxTables), done())
	}
	for _, s := range sheets {
		if err := l.copy(ctx, s, name); err != nil {
			return errors.Join(err, done())
		}
	}
	return done()
}

// copy reads a sheet twice: to learn what its columns hold, and to copy it.
func (l *loader) copy(ctx context.Context, s *sheet, file string) error {
	var first [][]string
	err := s.each(ctx, func(cells []string) error {
		if filled(cells) == 0 {
			return nil
		}
		first = append(first, append([]string(nil), cells...))
		if len(first) == peeked {
			return enough
		}
		return nil
	})
	if err != nil && err != enough {
		return err
	}
	if len(first) == 0 {
		return nil
	}
	at, named := heading(first, s.headed)
	head := first[at]
	for len(head) > 0 && strings.TrimSpace(head[len(head)-1]) == "" && named && !s.headed {
		head = head[:len(head)-1] // the delimiter at the end of each line
	}
	if len(head) > maxColumns {
		return refusef("「%s」有 %d 列，最多 %d 列", "“%s” has %d columns; %d at most", s.name, len(head), maxColumns)
	}
	names := columnNames(head, named)
	skip := at
	if named {
		skip++
	}
	t := &Table{Name: tableName(s.name, l.taken), File: file, notes: s.notes}
	if at > 0 {
		t.notes = append(t.notes, remarkf("表头之前有 %d 行标题，没有算作数据", "%d lines above the heading are not data", at))
	}
	if !named {
		t.notes = append(t.notes, remarkf("第一行不像表头，列名为 column_1 …", "the first line looks like no heading; columns are called column_1 …"))
	}
	p := pass{sheet: s, skip: skip, width: len(names)}
	guesses := make([]guess, len(names))
	if err := p.run(ctx, s.each, func(cells []string) error {
		for i, cell := range cells {
			guesses[i].add(cell)
		}
		if l.cells += len(cells); l.cells > maxCells {
			return refusef("单元格超过 %d 个，不能读取；请先筛选或拆分文件", "there are more than %d cells; part or filter the file first", maxCells)
		}
		return nil
	}); err != nil {
		return err
	}
	if p.rows == 0 {
		return nil
	}
	for i, g := range guesses {
		c, notes := g.column(names[i], s.exact == nil)
		t.Columns = append(t.Columns, &c)
		t.notes = append(t.notes, notes...)
	}
	t.Rows = p.rows
	if p.more > 0 {
		t.notes = append(t.notes, remarkf("%d 行的单元格多于表头，多出的没有读取", "%d rows have more cells than the heading, and what is beyond it is not read", p.more))
	}
	if p.less > 0 {
		t.notes = append(t.notes, remarkf("%d 行的单元格少于表头，缺的按空值处理", "%d rows have fewer cells than the heading; what lacks is empty", p.less))
	}
	if p.parts > 0 {
		t.notes = append(t.notes, remarkf("中间有 %d 行以合计的字样（“%s”）开头，算作数据", "%d lines above the last begin as totals do (“%s”) and count as data", p.parts, p.part))
	}
	l.tables = append(l.tables, t)
	return l.insert(ctx, s, t, skip, p.total)
}

// pass goes over the rows of a sheet that are data, as wide as its heading.
type pass struct {
	sheet            *sheet
	skip, width      int
	rows, more, less int
	total            string // what the first cell of a last line of totals says; "": there is none
	parts            int    // lines before the last that begin so
	part             string // what the first of them says
	seen             int
	row              []string
}

var totals = map[string]bool{"合计": true, "总计": true, "小计": true, "总和": true, "汇总": true, "total": true, "grand total": true, "sum": true, "subtotal": true, "totals": true}

func (p *pass) run(ctx context.Context, each func(context.Context, func([]string) error) error, visit func([]string) error) error {
	p.row = make([]string, p.width)
	var held []string // a line that may be of totals, if it is the last
	err := each(ctx, func(cells []string) error {
		if filled(cells) == 0 {
			return nil
		}
		if p.seen++; p.seen <= p.skip {
			return nil
		}
		if held != nil {
			row := held
			held = nil
			if p.parts++; p.part == "" {
				p.part = firstWord(row)
			}
			if err := p.take(row, visit); err != nil {
				return err
			}
		}
		if totals[firstWord(cells)] {
			held = append([]string(nil), cells...)
			return nil
		}
		return p.take(cells, visit)
	})
	if held != nil {
		p.total = firstWord(held)
	}
	return err
}

func firstWord(cells []string) string {
	for _, c := range cells {
		if c = strings.TrimSpace(c); c != "" {
			return strings.ToLower(strings.TrimRight(c, ":："))
		}
	}
	return ""
}

func (p *pass) take(cells []string, visit func([]string) error) error {
	if p.rows++; p.rows > maxRows {
		return tooLong(p.sheet.name)
	}
	n := copy(p.row, cells)
	clear(p.row[n:])
	switch {
	case n < p.width:
		p.less++
	case len(cells) > p.width && filled(cells[p.width:]) > 0:
		p.more++
	}
	return visit(p.row)
}
