package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// insert makes the table and copies the rows, each value as its column holds it.
func (l *loader) insert(ctx context.Context, s *sheet, t *Table, skip int, total string) error {
	if total != "" {
		t.notes = append(t.notes, remarkf("最后一行“%s”是合计，没有算作数据", "the last line, “%s”, holds totals and is not data", total))
	}
	var define []string
	for _, c := range t.Columns {
		define = append(define, quoted(c.Name)+" "+c.declared())
	}
	if _, err := l.conn.ExecContext(ctx, "CREATE TABLE "+quoted(t.Name)+" ("+strings.Join(define, ", ")+") STRICT"); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	tx, err := l.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	put := inserter{tx: tx, into: "INSERT INTO " + quoted(t.Name) + " VALUES ", width: len(t.Columns)}
	defer put.close()
	each := s.each
	if s.exact != nil {
		each = s.exact
	}
	cut := 0
	p := pass{sheet: s, skip: skip, width: len(t.Columns)}
	err = p.run(ctx, each, func(cells []string) error {
		for i, c := range t.Columns {
			v, short := c.value(cells[i], s)
			put.values = append(put.values, v)
			switch v := v.(type) {
			case string:
				if c.kind == timeKind {
					c.latest = max(c.latest, v)
				}
			case int64:
				c.largest = max(c.largest, absolute(float64(v)))
			case float64:
				c.largest = max(c.largest, absolute(v))
			}
			if short {
				cut++
			}
		}
		return put.full()
	})
	if err == nil {
		err = put.rest()
	}
	if err != nil {
		if strings.Contains(err.Error(), "full") {
			return refusef("「%s」太大（超过 %d MiB），不能读取", "“%s” is too large (over %d MiB) and is not read", t.Name, maxDisk>>20)
		}
		return err
	}
	if cut > 0 {
		t.notes = append(t.notes, remarkf("%d 个单元格的文本超过 %d 字节，只保留开头", "%d cells hold more than %d bytes and keep their beginning", cut, maxCell))
	}
	return tx.Commit()
}

// inserter puts many rows into a table with one statement, which takes half the time of one for each. It does not watch a context: that costs a
// goroutine a statement, and who reads the rows watches it.
type inserter struct {
	tx     *sql.Tx
	into   string
	width  int
	values []any // of rows that are not in yet
	many   *sql.Stmt
}

// batch is how many rows go into one statement.
func (p *inserter) batch() int { return max(1, min(50, 500/p.width)) }

func (p *inserter) prepare(rows int) (*sql.Stmt, error) {
	row := "(" + strings.TrimSuffix(strings.Repeat("?, ", p.width), ", ") + ")"
	return p.tx.Prepare(p.into + strings.TrimSuffix(strings.Repeat(row+", ", rows), ", "))
}

// full puts the rows in when there are enough of them.
func (p *inserter) full() (err error) {
	if len(p.values) < p.batch()*p.width {
		return nil
	}
	if p.many == nil {
		if p.many, err = p.prepare(p.batch()); err != nil {
			return err
		}
	}
	_, err = p.many.Exec(p.values...)
	p.values = p.values[:0]
	return err
}

// rest puts in what is left.
func (p *inserter) rest() error {
	if len(p.values) == 0 {
		return nil
	}
	last, err := p.prepare(len(p.values) / p.width)
	if err != nil {
		return err
	}
	_, err = last.Exec(p.values...)
	return errors.Join(err, last.Close())
}

func (p *inserter) close() {
	if p.many != nil {
		_ = p.many.Close() // its transaction ends with it
	}
}

// value is a cell as its column holds it; nil when it is missing or of another kind.
func (c *Column) value(cell string, s *sheet) (v any, cut bool) {
	switch c.kind {
	case wholeKind, realKind:
		if missing(cell) {
			return nil, false
		}
		n, ok := readNumber(cell)
		if !ok {
			return nil, false
		}
		if s.exact != nil && c.unit == "%" && !n.percent { // stored as 0.05, shown as 5%
			if v, err := scaled(strings.TrimSpace(cell), 2); err == nil {
				n.v = v
			}
		}
		if c.kind == wholeKind {
			return int64(n.v), false
		}
		return n.v, false
	case timeKind:
		if s.exact != nil {
			if days, err := strconv.ParseFloat(cell, 64); err == nil {
				if text := serial(days, s.later, c.grain); text != "" {
					return text, false
				}
			}
		}
		i, ok := eight(cell)
		if !ok {
			i, ok = readTime(cell, c.order)
		}
		if !ok {
			return nil, false
		}
		return i.text(c.grain), false
	}
	text := strings.ToValidUTF8(strings.TrimSpace(cell), "�")
	if text == "" {
		return nil, false
	}
	if len(text) > maxCell {
		end := maxCell
		for !utf8.RuneStart(text[end]) {
			end--
		}
		return text[:end], true
	}
	return text, false
}
