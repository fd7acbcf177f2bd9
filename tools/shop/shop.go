package shop

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/tools"
	"modernc.org/sqlite" // also the driver "sqlite"
)

//go:embed schema.sql
var schema string

// Shop is one open database. Its tools are safe from many goroutines: reads run side by side, changes one after another.
type Shop struct {
	read  *sql.DB // opened mode=ro: no statement through it can change the file
	write *sql.DB // one connection, so one writer
	now   func() time.Time
	words words
	tools []tools.Tool
}

// place is the shop's local time. Not a name from the time zone database, which a small machine may lack.
var place = time.FixedZone("UTC+8", 8*60*60)

// The text forms of a day and a moment in the database.
const (
	dayForm    = "2006-01-02"
	momentForm = "2006-01-02 15:04:05"
)

// Open opens the shop kept in the SQLite file at path. A file that is missing or has no tables is filled first, in one
// transaction: a process killed meanwhile leaves a file without tables, which the next Open fills again. progress, if not nil,
// is told of the days filled out of all days; it is not called when there is nothing to fill. A file with tables must have all of
// schema.sql, or the error names what is missing. The context bounds opening only; Close the shop when its tools are no longer used.
func Open(ctx context.Context, path string, progress func(done, total int)) (*Shop, error) {
	return open(ctx, path, time.Now, made{seed: 20240618, days: 548, people: 900, lines: catalogue}, progress)
}

// made says which shop a new file is filled with: the same values make the same shop on the same day.
type made struct {
	seed   uint64
	days   int    // of history, the last one being today; 548 are 18 months
	people int    // customers
	lines  []line // what is sold
}

func open(ctx context.Context, path string, now func() time.Time, m made, progress func(done, total int)) (_ *Shop, err error) {
	if path == "" {
		return nil, errors.New("shop: no path of a database file")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("shop: %w", err)
	}
	s := &Shop{now: func() time.Time { return now().In(place) }}
	defer func() {
		if err != nil {
			s.Close()
			err = fmt.Errorf("shop %s: %w", path, err)
		}
	}()
	// The write connection comes first: it makes the file and turns on WAL, without which a read-only one cannot open it.
	if s.write, err = sql.Open("sqlite", address(path, "_txlock=immediate", "_pragma=journal_mode(WAL)", "_pragma=foreign_keys(1)")); err != nil {
		return nil, err
	}
	s.write.SetMaxOpenConns(1)
	if err = s.fillIfEmpty(ctx, m, progress); err != nil {
		return nil, err
	}
	if err = validate(ctx, s.write); err != nil {
		return nil, err
	}
	if s.read, err = sql.Open("sqlite", address(path, "mode=ro", "_pragma=query_only(1)")); err != nil {
		return nil, err
	}
	s.read.SetMaxOpenConns(8)
	if s.words, err = readWords(ctx, s.read); err != nil {
		return nil, err
	}
	s.tools = s.makeTools()
	return s, nil
}

// Close ends all use of the database. Calls still running fail.
func (s *Shop) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// address is the URI of the file, escaped so that "?" and "%" in a path stay part of it.
func address(path string, options ...string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	options = append(options, "_pragma=busy_timeout(5000)")
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + strings.Join(options, "&")
}

// fillIfEmpty looks and fills in one write transaction, so that of two processes that open a new file one fills it.
func (s *Shop) fillIfEmpty(ctx context.Context, m made, progress func(done, total int)) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return explain(err)
	}
	defer tx.Rollback()
	var tables int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return explain(err)
	}
	if tables > 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	if err := fill(ctx, tx, m, s.now(), progress); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	return tx.Commit()
}

// validate compares the file with schema.sql itself, built in memory: there is no second list to forget.
func validate(ctx context.Context, db *sql.DB) error {
	wanted, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer wanted.Close()
	wanted.SetMaxOpenConns(1)
	if _, err := wanted.ExecContext(ctx, schema); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	want, err := columns(ctx, wanted)
	if err != nil {
		return err
	}
	have, err := columns(ctx, db)
	if err != nil {
		return err
	}
	var lacks []string
	for table, names := range want {
		if have[table] == nil {
			lacks = append(lacks, table)
			continue
		}
		for _, name := range names {
			if !slices.Contains(have[table], name) {
				lacks = append(lacks, table+"."+name)
			}
		}
	}
	if len(lacks) > 0 {
		slices.Sort(lacks)
		return fmt.Errorf("not a database of the shop's schema (tools/shop/schema.sql): lacks %s", strings.Join(lacks, ", "))
	}
	return nil
}

// columns lists the columns of each table and view.
func columns(ctx context.Context, db *sql.DB) (map[string][]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type IN ('table', 'view')`)
	if err != nil {
		return nil, explain(err)
	}
	defer rows.Close()
	found := map[string][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		found[table] = append(found[table], column)
	}
	return found, rows.Err()
}

// explain says what SQLite's "file is not a database" means for whoever chose the path.
func explain(err error) error {
	const notADatabase = 26 // SQLITE_NOTADB
	if e := (*sqlite.Error)(nil); errors.As(err, &e) && e.Code()&0xff == notADatabase {
		return fmt.Errorf("the file is not a SQLite database; give another path, or move it away to get a new shop: %w", err)
	}
	return err
}
