package table

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// No SQL changes the tables, reaches another file, or reads anything but them.
func TestHostileSQL(t *testing.T) {
	b := mustBook(t, "sales.csv", sales)
	other := filepath.Join(t.TempDir(), "other.db")
	for _, text := range []string{
		"", ";", "-- nothing", "DROP TABLE sales", "INSERT INTO sales DEFAULT VALUES", "UPDATE sales SET 数量 = 0", "DELETE FROM sales",
		"PRAGMA query_only = 0", "pragma writable_schema = 1", "ATTACH '" + other + "' AS o", "DETACH main", "VACUUM INTO '" + other + "'", "BEGIN", "CREATE TEMP TABLE x (a)", "REINDEX", "ANALYZE", "EXPLAIN SELECT 1",
		"SELECT 1; DROP TABLE sales", "SELECT 1;;DELETE FROM sales", "SELECT load_extension('x')", "SELECT writefile('" + other + "', 'x')", "SELECT readfile('/etc/passwd')", "SELECT * FROM pragma_query_only", `SELECT * FROM "pragma_table_info"('sales')`,
		"WITH x AS (SELECT 1) DELETE FROM sales", "WITH x AS (SELECT 1) INSERT INTO sales SELECT * FROM sales", "WITH x AS (SELECT 1) UPDATE sales SET 数量 = 0", "/* SELECT */ DROP TABLE sales", "SELECT/**/zeroblob(1e9)", "SELECT hex(randomblob(1e9))",
		"SELECT * FROM nothing", "SELECT nothing FROM sales", "SELECT (", "SELECT '", strings.Repeat("SELECT 1 UNION ", 30) + "SELECT 1", "SELECT " + strings.Repeat("1+(", 500) + "1" + strings.Repeat(")", 500), "SELECT 1 \x00", strings.Repeat("x", maxSQL+1),
		"SELECT printf('%.*c', 100000000, 'x')", "SELECT group_concat(a.销售额 || b.销售额 || c.销售额 || d.销售额 || e.销售额) FROM sales a, sales b, sales c, sales d, sales e",
	} {
		if r, err := b.query(t.Context(), text); err == nil {
			t.Errorf("%.80s brought %d rows", text, len(r.rows))
		} else if no := (refused{}); !errors.As(err, &no) {
			t.Errorf("%.80s: %v is a fault of ours", text, err)
		}
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a file was made")
	}
	if got, _ := answered(t, b, "总销售额"); got != "50680" {
		t.Error(got)
	}
	for _, text := range []string{"SELECT 1;", "select * from sales -- the end", "WITH x AS (SELECT 数量 FROM sales) SELECT SUM(数量) FROM x", "VALUES (1)", `SELECT replace(地区, '华', ''), 'DROP TABLE; sales' FROM sales`, `SELECT "数量" AS "update" FROM sales`, "SELECT a.数量 FROM sales a JOIN sales b ON a.日期 = b.日期"} {
		if _, err := b.query(t.Context(), text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The lock is the file's mode: with all checks of ours gone it still holds.
func TestReadOnlyForReal(t *testing.T) {
	b := mustBook(t, "sales.csv", sales)
	for _, text := range []string{"PRAGMA query_only = 0", "PRAGMA writable_schema = 1"} {
		if _, err := b.conn.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err) // SQLite lets it
		}
	}
	other := filepath.Join(t.TempDir(), "other.db")
	for _, text := range []string{"DROP TABLE sales", "INSERT INTO sales DEFAULT VALUES", "DELETE FROM sqlite_schema", "ATTACH '" + other + "' AS o", "VACUUM INTO '" + other + "'", "SELECT load_extension('x')"} {
		if _, err := b.conn.ExecContext(t.Context(), text); err == nil {
			t.Errorf("%s went through", text)
		}
	}
	if got, _ := answered(t, b, "总销售额"); got != "50680" {
		t.Error(got)
	}
}

// A query without an end stops when nobody waits any more, and one with too many rows at the bound, which it says.
func TestEndlessSQL(t *testing.T) {
	b := mustBook(t, "sales.csv", sales)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	begun := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		close(begun)
		_, err := b.query(ctx, "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r")
		done <- err
	}()
	<-begun
	cancel(gone)
	if err := <-done; !errors.Is(err, gone) {
		t.Error(err)
	}
	r, err := b.query(t.Context(), "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r")
	if err != nil || !r.more || len(r.rows) != maxResult {
		t.Error(err)
	}
	if got, _ := answered(t, b, "总销售额"); got != "50680" {
		t.Error(got)
	}
}

func FuzzReads(f *testing.F) {
	f.Add("SELECT 1")
	f.Add("WITH x AS (SELECT ';' -- \n) SELECT * FROM x /* ; */")
	f.Add(`SELECT "a""b", [c], 'it''s' FROM t`)
	b := mustBook(f, "sales.csv", sales)
	f.Fuzz(func(t *testing.T, text string) {
		if reads(text) != nil || strings.Contains(strings.ToLower(text), "recursive") {
			return
		}
		_, _ = b.query(t.Context(), text) // it fails or not; the tables stay
		if got, _ := answered(t, b, "总销售额"); got != "50680" {
			t.Fatal(text, got)
		}
	})
}

// A query is cancelled at its very first step, again and again: none of them runs on.
func TestCancelledAtOnce(t *testing.T) {
	b := mustBook(t, "sales.csv", sales)
	for i := range 600 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(time.Duration(i%300)*time.Microsecond, cancel)
		_, err := b.run(ctx, "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r", nil)
		timer.Stop()
		cancel()
		if err == nil {
			t.Fatal("an endless query ended")
		}
	}
	if got, _ := answered(t, b, "总销售额"); got != "50680" {
		t.Error(got)
	}
}
