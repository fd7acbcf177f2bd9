package table

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// openSQLite gives the tables and views of a database that somebody else made. It is read as a file that nobody writes, with a schema that is
// not trusted: views may not call what has effects.
func openSQLite(ctx context.Context, path, name string) (sheets []*sheet, done func() error, err error) {
	db, err := sql.Open("sqlite", address(path, "mode=ro", "immutable=1", "_pragma=trusted_schema(0)", "_pragma=query_only(1)", "_pragma=cell_size_check(1)"))
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			db.Close()
		}
	}()
	conn, err := guarded(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	broken := refusef("%s 不是可以读取的 SQLite 数据库", "%s is no SQLite database that can be read", name)
	var fine string // rows that a damaged file has lost would be missing from every sum
	if err := conn.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&fine); ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	} else if err != nil || fine != "ok" {
		return nil, nil, broken
	}
	rows, err := conn.QueryContext(ctx, `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name LIMIT ?`, maxTables+1)
	if err != nil {
		return nil, nil, broken
	}
	defer rows.Close()
	for rows.Next() {
		var title string
		if err := rows.Scan(&title); err != nil {
			return nil, nil, broken
		}
		sheets = append(sheets, &sheet{name: title, headed: true})
	}
	if rows.Err() != nil {
		return nil, nil, broken
	}
	for _, s := range sheets {
		s.each = func(ctx context.Context, visit func([]string) error) error { return records(ctx, conn, s.name, visit) }
	}
	return sheets, func() error { return db.Close() }, nil
}

// records visits the rows of a table of a database as cells, the names of its columns first.
func records(ctx context.Context, conn *sql.Conn, table string, visit func([]string) error) error {
	unreadable := func(err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return refusef("数据库的表「%s」读取失败：%v", "the table “%s” cannot be read: %v", table, err)
	}
	release, err := heeding(conn) // a view may have no end
	if err != nil {
		return err
	}
	defer release()
	rows, err := conn.QueryContext(ctx, "SELECT * FROM "+quoted(table))
	if err != nil {
		return unreadable(err)
	}
	defer rows.Close()
	cells, err := rows.Columns()
	if err != nil {
		return unreadable(err)
	}
	values, into := make([]any, len(cells)), make([]any, len(cells))
	for i := range values {
		into[i] = &values[i]
	}
	if err := visit(cells); err != nil {
		return err
	}
	cells = make([]string, len(values))
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return unreadable(err)
		}
		for i, v := range values {
			cells[i] = written(v)
		}
		if err := visit(cells); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return unreadable(err)
	}
	return nil
}

// written is a value of a database as a cell of a text; bytes are none.
func written(v any) string {
	switch v := v.(type) {
	case nil, []byte:
		return ""
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case time.Time: // a column that is declared to hold times, or days
		if hour, minute, second := v.Clock(); hour+minute+second == 0 {
			return v.Format(time.DateOnly)
		}
		return v.Format(time.DateTime)
	}
	return fmt.Sprint(v)
}

// quoted is a name in SQL.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// address is a file's in the form that the driver wants, whatever signs its path has.
func address(path string, options ...string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	if u.Path != "" && u.Path[0] != '/' { // a Windows drive
		u.Path = "/" + u.Path
	}
	return u.String() + "?" + strings.Join(options, "&")
}
