package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// shape tells how a book was read: tables with rows, and columns with kinds.
func shape(b *book) string {
	kinds := map[kind]string{textKind: "text", wholeKind: "whole", realKind: "real", timeKind: "time"}
	var out []string
	for _, t := range b.tables {
		var columns []string
		for _, c := range t.Columns {
			columns = append(columns, c.Name+" "+kinds[c.kind]+c.unit)
		}
		out = append(out, fmt.Sprintf("%s %d: %s", t.Name, t.Rows, strings.Join(columns, ", ")))
	}
	return strings.Join(out, "; ")
}

func encoded(t testing.TB, e interface{ String(string) (string, error) }, s string) string {
	t.Helper()
	out, err := e.String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Files as people make them, and as nobody should.
func TestLoad(t *testing.T) {
	plain := "地区,金额\n华东,10\n华南,20\n"
	for _, c := range []struct{ what, name, content, want, says, sum string }{
		{"plain", "a.csv", plain, "a 2: 地区 text, 金额 whole", "", "30"},
		{"BOM", "a.csv", "\ufeff" + plain, "a 2: 地区 text, 金额 whole", "", "30"},
		{"GBK", "a.csv", encoded(t, simplifiedchinese.GBK.NewEncoder(), plain), "a 2: 地区 text, 金额 whole", "", "30"},
		{"UTF-16", "a.csv", encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder(), plain), "a 2: 地区 text, 金额 whole", "", "30"},
		{"tabs", "a.tsv", "x\ty\n1\t2\n", "a 1: x whole, y whole", "", "2"},
		{"semicolons", "a.csv", "x;y\n1;2\n3;4\n", "a 2: x whole, y whole", "", "6"},
		{"ragged", "a.csv", "x,y\n1\n2,5,9\n3,4\n", "a 3: x whole, y whole", "more cells than the heading", "9"},
		{"NUL", "a.csv", "x,y\nhello wonderful world,\x002\n", "a 1: x text, y whole", "NUL", "2"},
		{"same headings", "a.csv", "x,X,x\n1,2,3\n", "a 1: x whole, X_2 whole, x_3 whole", "", "3"},
		{"no headings", "a.csv", "1,2\n3,4\n", "a 2: column_1 whole, column_2 whole", "no heading", "6"},
		{"empty headings", "a.csv", "x,,z\n1,2,3\n", "a 1: x whole, column_2 whole, z whole", "", "3"},
		{"years as headings", "a.csv", "地区,2022,2023\n华东,1,2\n", "a 1: 地区 text, 2022 whole, 2023 whole", "", "2"},
		{"title above", "a.csv", "销售报表\n\n地区,金额\n华东,10\n华南,20\n", "a 2: 地区 text, 金额 whole", "above the heading", "30"},
		{"totals", "a.csv", "地区,金额\n华东,10\n华南,20\n合计,30\n", "a 2: 地区 text, 金额 whole", "holds totals", "30"},
		{"total in the middle", "a.csv", "地区,金额\n合计,10\n华南,20\n", "a 2: 地区 text, 金额 whole", "1 lines above the last begin as totals do (“合计”) and count as data", "30"},
		{"totals of parts", "a.csv", "地区,金额\n华东,10\n小计,10\n华南,20\n小计,20\n合计,30\n", "a 4: 地区 text, 金额 whole", "2 lines above the last begin as totals do (“小计”) and count as data", "60"},
		{"money", "a.csv", "n,v\na,\"¥1,234.50\"\nb,¥2\n", "a 2: n text, v real¥", "", "1236.5"},
		{"percent", "a.csv", "n,v\na,5%\nb,7.5%\n", "a 2: n text, v real%", "", "12.5"},
		{"book-keeping", "a.csv", "n,v\na,(12)\nb,20\nc,-\n", "a 3: n text, v whole", "", "8"},
		{"codes", "a.csv", "n,v\na,007\nb,123\n", "a 2: n text, v text", "", "?"},
		{"long ids", "a.csv", "n,v\na,12345678901234567890\nb,1\n", "a 2: n text, v text", "", "?"},
		{"one stray word", "a.csv", "n,v\n" + strings.Repeat("a,1\n", 150) + "b,oops\n", "a 151: n text, v whole", "are no numbers (such as “oops”)", "150"},
		{"days", "a.csv", "d,v\n2024-1-5,1\n2024/02/03,2\n2024年3月4日,3\n", "a 3: d time, v whole", "", "6"},
		{"days first", "a.csv", "d,v\n25/12/2024,1\n03/04/2024,2\n", "a 2: d time, v whole", "", "3"},
		{"days with points", "a.csv", "d,v\n01.02.2024,1\n03.04.2024,2\n", "a 2: d time, v whole", "", "3"},
		{"time zones", "a.csv", "d,v\n2024-01-01T23:00:00-05:00,1\n2024-01-02T01:00:00Z,2\n", "a 2: d time, v whole", "several time zones", "3"},
		{"one time zone", "a.csv", "d,v\n2024-01-01T23:00:00.5Z,1\n2024-01-02 01:00:00+00:00,2\n", "a 2: d time, v whole", "", "3"},
		{"either way round", "a.csv", "d,v\n01/02/2024,1\n03/04/2024,2\n", "a 2: d time, v whole", "month/day/year", "3"},
		{"eight digits", "a.csv", "日期,v\n20240105,1\n20240203,2\n", "a 2: 日期 time, v whole", "", "3"},
		{"formulas", "a.csv", "n,v\n=cmd|' /C calc'!A0,1\n@SUM(1),2\n", "a 2: n text, v whole", "", "3"},
		{"stray quotes", "a.csv", "n,v\n\"The\" film,1\n5\" pipe,2\n\"a\"\"b\nc, d\",4\n", "a 3: n text, v whole", "", "7"},
		{"lines that end in a return", "a.csv", "n,v\ra,1\rb,2\r", "a 2: n text, v whole", "", "3"},
		{"Western letters", "a.csv", "Stadt,v\nZ\xfcrich,1\nM\xfcnchen,2\nOrl\xe9ans,3\n", "a 3: Stadt text, v whole", "", "6"},
		{"JSON", "a.json", `{"count":2,"orders":[{"id":"x","paid":1.5,"tags":["a","b"]},{"id":"y","paid":2}]}`, "orders 2: id text, paid real, tags text", "", "?"},
		{"JSON lines", "a.jsonl", "{\"n\":\"a\",\"v\":1}\n{\"n\":\"b\",\"v\":2}\n", "a 2: n text, v whole", "", "3"},
		{"JSON with others between", "a.json", `[{"v":1},5,null,{"v":2},{}]`, "a 2: v whole", "3 entries", "3"},
		{"SQL in names", `x"; DROP TABLE y; --.csv`, "a\"b,c';--\n1,2\n", `x"; DROP TABLE y; -- 1: a"b whole, c';-- whole`, "", "2"},
		{"reserved name", "sqlite_master.csv", "a,b\n1,2\n", "master 1: a whole, b whole", "", "2"},
		{"reserved name within one", "sqlite_SQLITE_x.csv", "a,b\n1,2\n", "x 1: a whole, b whole", "", "2"},
	} {
		b, err := bookOf(t, c.name, c.content)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := shape(b); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.what, got, c.want)
		}
		if notes := joinRemarks(b.notes(), "en"); c.says != "" && !strings.Contains(notes, c.says) || c.says == "" && notes != "" {
			t.Errorf("%s: says %q, want %q", c.what, notes, c.says)
		}
		if c.sum == "?" {
			continue
		}
		table := b.tables[0]
		r, err := b.query(t.Context(), "SELECT SUM("+quoted(table.Columns[len(table.Columns)-1].Name)+") FROM "+quoted(table.Name))
		if err != nil || cellText(r.rows[0][0]) != c.sum {
			t.Errorf("%s: sum %v, want %s %v", c.what, r, c.sum, err)
		}
	}
}

// What is no table is refused in words, and takes nothing along.
func TestLoadRefuses(t *testing.T) {
	random := make([]byte, 3000)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(random) // it never fails
	noise := string(random)
	wide := strings.Repeat("a,", maxColumns+1) + "b\n" + strings.Repeat("1,", maxColumns+1) + "2\n"
	var many strings.Builder
	for i := range maxTables {
		fmt.Fprintf(&many, `,"a%d":[{"x":1}]`, i+1)
	}
	for _, c := range []struct{ what, name, content, says string }{
		{"nothing", "a.csv", "", "is empty"},
		{"bytes at random", "a.xlsx", noise, "a.xlsx: this is no text"}, {"bytes at random", "a.csv", noise, "no table in it"}, {"bytes at random", "a.db", noise, "no table in it"},
		{"bytes at random", "a.json", noise, "is no JSON"},
		{"bytes", "a.csv", "\x7fELF" + strings.Repeat("\x00\x01\x02", 100), "no text"},
		{"too wide", "a.csv", wide, "columns"},
		{"no workbook", "a.xlsx", "PK\x03\x04 rubbish", "no workbook"},
		{"a quote that is never closed", "a.csv", "n,v\na,1\nb,\"2\nc,3\n", "line 3 is never closed"},
		{"a quote that the next one closes", "a.csv", "n,v\n\"a,1\n\"b,2\nc,3\n", "line 2 is never closed"},
		{"old workbook", "a.xls", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "save it as .xlsx"},
		{"no database", "a.db", "SQLite format 3\x00 and then rubbish", "no SQLite database"},
		{"no JSON", "a.json", `{"a":`, "no JSON"},
		{"JSON of many values", "a.json", "[" + strings.Repeat("{},", maxValues+1) + `{"a":1}]`, "more than 4000000 values"},
		{"JSON of many tables", "a.json", `{"a0":[{"x":1}]` + many.String() + `}`, "too many tables"},
		{"JSON without rows", "a.json", `{"a":[1,2]}`, "no list of objects"},
	} {
		if _, err := bookOf(t, c.name, c.content); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.what, err, c.says)
		}
	}
}

// database makes an SQLite file.
func database(t testing.TB, statements ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", address(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Of a stranger's database the rows of tables and views are taken, and nothing of it is run that has an effect.
func TestDatabase(t *testing.T) {
	b := mustBook(t, "shop.db", database(t,
		`CREATE TABLE goods (name TEXT, price REAL, day TEXT, picture BLOB)`,
		`INSERT INTO goods VALUES ('a', 1.5, '2024-01-02', x'00ff'), ('b', NULL, '2024-01-03', NULL)`,
		`CREATE VIEW dear AS SELECT name FROM goods WHERE price > 1`,
		`CREATE TABLE empty (x)`,
		`CREATE TRIGGER t AFTER INSERT ON goods BEGIN DELETE FROM goods; END`))
	if got, want := shape(b), "dear 1: name text; goods 2: name text, price real, day time, picture text"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	b = mustBook(t, "days.db", database(t, `CREATE TABLE days (day DATE, at TIMESTAMP)`, `INSERT INTO days VALUES ('2024-01-02', '2024-01-02 00:00:00'), ('2024-01-03', '2024-01-03 04:05:06')`))
	if r, err := b.query(t.Context(), "SELECT * FROM days"); err != nil || fmt.Sprint(r.rows) != "[[2024-01-02 2024-01-02 00:00:00] [2024-01-03 2024-01-03 04:05:06]]" { // the driver makes a moment of a day
		t.Error(r, err)
	}
	endless := filepath.Join(t.TempDir(), "endless.db")
	if err := os.WriteFile(endless, []byte(database(t, `CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r`)), 0o600); err != nil {
		t.Fatal(err)
	}
	sheets, done, err := openSQLite(t.Context(), endless, "endless.db")
	if err != nil || len(sheets) != 1 {
		t.Fatal(sheets, err)
	}
	rows := 0
	if err := sheets[0].each(t.Context(), func([]string) error {
		if rows++; rows == 1000 {
			return enough
		}
		return nil
	}); err != enough {
		t.Error(err)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
	whole := database(t, `CREATE TABLE a (x)`, `INSERT INTO a VALUES (1), (2)`)
	if _, err := bookOf(t, "cut.db", whole[:4096+100]); err == nil {
		t.Error("half a database was read")
	}
}

// A view that puts all its rows aside before it gives the first is ended before it fills the disk.
func TestViewThatSpills(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only the time bounds it")
	}
	_, err := bookOf(t, "v.db", database(t, `CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT n, hex(zeroblob(400000)) AS x FROM r ORDER BY n DESC`))
	if err != nil && strings.Contains(err.Error(), "(13)") { // SQLITE_FULL
		t.Skip("there is no room here for what it must not have")
	}
	if err == nil || !strings.Contains(err.Error(), fmt.Sprint(maxSpill>>20)) {
		t.Error(err)
	}
}

// A table of many rows is counted to the last of them; beyond the bound it is refused, and none is left out in silence.
func TestManyRows(t *testing.T) {
	const rows = 100_001 // of many statements, the last of them not full
	var s strings.Builder
	s.WriteString("地区,额\n")
	for i := range rows {
		fmt.Fprintf(&s, "r%d,%d\n", i%7, i)
	}
	b := mustBook(t, "many.csv", s.String())
	if got, text := answered(t, b, "额的合计"); got != fmt.Sprint(rows*(rows-1)/2) {
		t.Error(got, text)
	}
	if got, _ := answered(t, b, "有多少行"); got != fmt.Sprint(rows) {
		t.Error(got)
	}
}

func TestTooManyRows(t *testing.T) {
	s := sheet{name: "x", each: func(ctx context.Context, visit func([]string) error) error {
		for range maxRows + 2 {
			if err := visit([]string{"a"}); err != nil {
				return err
			}
		}
		return nil
	}}
	p := pass{sheet: &s, skip: 1, width: 1}
	var no refused
	if err := p.run(t.Context(), s.each, func([]string) error { return nil }); !errors.As(err, &no) {
		t.Error(err)
	}
}

// Reading ends when nobody waits any more.
func TestLoadCancelled(t *testing.T) {
	dir := t.TempDir()
	l, err := newLoader(t.Context(), filepath.Join(dir, "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	file := filepath.Join(dir, "a.csv")
	if err := os.WriteFile(file, []byte("a,b\n"+strings.Repeat("1,2\n", 100_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	if err := l.load(ctx, "a.csv", file); !errors.Is(err, gone) && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzCSV(f *testing.F) {
	f.Add("a,b\n1,2\n")
	f.Add("\ufeffa;b\n1;2024-01-02\n合计;3\n")
	f.Add("x\ty\n\"1\n2\"\t(3)\n")
	f.Fuzz(func(t *testing.T, content string) {
		b, err := bookOf(t, "f.csv", content)
		if err != nil {
			return
		}
		for _, table := range b.tables {
			r, err := b.query(t.Context(), "SELECT COUNT(*) FROM "+quoted(table.Name))
			if err != nil || r.rows[0][0] != int64(table.Rows) {
				t.Fatal(table.Name, r, err)
			}
			for _, c := range table.Columns {
				if c.Name == "" || c.Name != plainName(c.Name) && !strings.Contains(c.Name, "_") {
					t.Fatalf("column %q", c.Name)
				}
			}
		}
	})
}

func FuzzValues(f *testing.F) {
	for _, s := range []string{"1,234.5", "(12)", "¥3万", "5%", "2024年1月2日 8:05", "Jan 2, 2024", "25/12/2024", "-1e300", "1e999", "3/4/2024 5:06 PM"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, ok := readNumber(s); ok && (n.v != n.v || n.v > 1e308 || n.v < -1e308) {
			t.Errorf("%q is %v", s, n.v)
		}
		if i, ok := readTime(s, anyOrder); ok {
			for _, g := range []grain{byMoment, byDay, byMonth} {
				text := i.text(g)
				if back, ok := readTime(text, anyOrder); !ok || back.text(g) != text {
					t.Errorf("%q is %s, which is read as %s", s, text, back.text(g))
				}
			}
		}
	})
}

// Of more remarks than are told it is told how many.
func TestManyRemarks(t *testing.T) {
	var head, first, second []string
	for i := range 15 {
		head, first, second = append(head, fmt.Sprint("d", i)), append(first, "01/02/2024"), append(second, "03/04/2024")
	}
	b := mustBook(t, "a.csv", strings.Join(head, ",")+"\n"+strings.Join(first, ",")+"\n"+strings.Join(second, ",")+"\n")
	if notes := joinRemarks(b.notes(), "en"); !strings.HasSuffix(notes, "; 3 more remarks") {
		t.Error(notes)
	}
}
