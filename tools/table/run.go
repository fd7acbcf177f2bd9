package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// Bounds of one question.
const (
	askWithin = 15 * time.Second
	maxSQL    = 16 << 10
	maxResult = 20_000   // rows
	maxShown  = 4 << 20  // bytes of a result
	maxValue  = 64 << 10 // bytes of one value, and of one row
)

// Codes of sqlite3_limit, and what a connection for questions is held to.
var limits = [][2]int{
	{0, 1 << 20}, // LENGTH: of a text, blob or row
	{1, maxSQL},  // SQL_LENGTH
	{2, 400},     // COLUMN
	{3, 60},      // EXPR_DEPTH
	{4, 20},      // COMPOUND_SELECT
	{5, 100_000}, // VDBE_OP
	{6, 20},      // FUNCTION_ARG
	{7, 0},       // ATTACHED
	{8, 200},     // LIKE_PATTERN_LENGTH
	{9, 10},      // VARIABLE_NUMBER
	{10, 10},     // TRIGGER_DEPTH
	{11, 0},      // WORKER_THREADS
}

// guarded is the one connection of a database, held to the limits, which are a connection's own.
func guarded(ctx context.Context, db *sql.DB) (*sql.Conn, error) {
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range limits {
		if _, err := sqlite.Limit(conn, l[0], l[1]); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return conn, nil
}

// ask opens the copy for questions, and learns the values of its columns.
func (b *book) ask(ctx context.Context) error {
	var err error
	// The lock is mode=ro, which no SQL can undo; query_only only words the refusal.
	if b.db, err = sql.Open("sqlite", address(filepath.Join(b.dir, "tables.db"), "mode=ro", "immutable=1", "_pragma=query_only(1)", "_pragma=trusted_schema(0)", "_pragma=cache_size(-16000)")); err != nil {
		return err
	}
	if b.conn, err = guarded(ctx, b.db); err != nil {
		return err
	}
	for _, t := range b.tables {
		for _, c := range t.Columns {
			if c.kind == textKind {
				if c.distinct, err = b.values(ctx, t, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// maxDistinct is how many values of a column are known by name.
const maxDistinct = 2_000

func (b *book) values(ctx context.Context, t *Table, c *Column) ([]string, error) {
	q := fmt.Sprintf(`SELECT DISTINCT %[1]s FROM %[2]s WHERE %[1]s IS NOT NULL AND length(%[1]s) <= 60 LIMIT %[3]d`, quoted(c.Name), quoted(t.Name), maxDistinct+1)
	rows, err := b.conn.QueryContext(ctx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []string{}
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if len(out) > maxDistinct {
		out = nil
	}
	return out, rows.Err()
}

// result is what a question brought. Values are nil, int64, float64 or string.
type result struct {
	columns []string
	rows    [][]any
	more    bool // there are more rows than maxResult
}

// query runs SQL that anybody may have written. It is one statement that reads; an error that is about the SQL is a refused one.
func (b *book) query(ctx context.Context, text string, args ...any) (*result, error) {
	if err := reads(text); err != nil {
		return nil, err
	}
	timed, cancel := context.WithTimeoutCause(ctx, askWithin, refusef("查询超过 %v，已停止；请加上筛选条件或减少表的连接", "the query took longer than %v and was stopped; filter more, or join less", askWithin))
	defer cancel()
	timed, stop := spillGuard(timed)
	defer stop()
	r, err := b.run(timed, text, args)
	if timed.Err() != nil {
		return nil, context.Cause(timed)
	}
	if err != nil {
		var e *sqlite.Error
		if errors.As(err, &e) {
			return nil, refusef("SQL 不能执行：%s", "the SQL cannot be run: %s", strings.TrimPrefix(e.Error(), "SQL logic error: "))
		}
		return nil, err
	}
	return r, nil
}

// heeding keeps a statement open on a connection until release. SQLite forgets an interrupt that comes before the first step of the only statement of a
// connection, and a query that is cancelled at that moment would run on for ever; with another one open it does not.
func heeding(conn *sql.Conn) (release func(), err error) {
	open, err := conn.QueryContext(context.Background(), "VALUES (1), (2)")
	if err != nil {
		return nil, err
	}
	open.Next()
	return func() { _ = open.Close() }, open.Err()
}

func (b *book) run(ctx context.Context, text string, args []any) (*result, error) {
	release, err := heeding(b.conn)
	if err != nil {
		return nil, err
	}
	defer release()
	rows, err := b.conn.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := &result{}
	if r.columns, err = rows.Columns(); err != nil {
		return nil, err
	}
	into := make([]any, len(r.columns))
	size := 0
	for rows.Next() {
		if len(r.rows) == maxResult || size > maxShown {
			r.more = true
			return r, nil
		}
		row := make([]any, len(r.columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i, v := range row {
			switch v := v.(type) {
			case []byte:
				row[i] = fmt.Sprintf("(%d bytes)", len(v))
			case string:
				if len(v) > maxValue {
					row[i] = strings.ToValidUTF8(v[:maxValue], "") + "…"
				}
				size += min(len(v), maxValue)
			case int64, float64, nil:
			default:
				row[i] = written(v)
			}
			size += 8
		}
		r.rows = append(r.rows, row)
	}
	return r, rows.Err()
}
