package shop

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// The tests' shop is always of this moment, so its figures never change.
var testNow = time.Date(2026, 11, 21, 15, 30, 0, 0, place)

// Most tests need few months; those of the statistics need the 18 months that Open makes, of half of the products. Under -race
// SQLite in Go is slow. The seed is of a shop that has something of each kind: late orders, open refunds, a price to lower.
var (
	fewWeeks  = made{7, 35, 150, catalogue[:3]}
	fewMonths = made{5, 115, 300, catalogue[:6]}
	allMonths = made{40, 548, 450, catalogue[:6]}
)

func TestMain(m *testing.M) {
	if path := os.Getenv("SHOP_TEST_FILL"); path != "" {
		fillUntilKilled(path)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if filledIn != "" {
			os.RemoveAll(filledIn)
		}
		os.Exit(code)
	}))
}

// filledIn is the folder of the files that were filled once; each test works on its own copy.
var filledIn string

// fillOnce gives the file of one size.
var fillOnce = struct{ few, all func() (string, error) }{
	sync.OnceValues(func() (string, error) { return fillFile(fewMonths) }),
	sync.OnceValues(func() (string, error) { return fillFile(allMonths) }),
}

func fillFile(m made) (_ string, err error) {
	if filledIn == "" {
		if filledIn, err = os.MkdirTemp("", "shop"); err != nil {
			return "", err
		}
	}
	path := filepath.Join(filledIn, fmt.Sprintf("%d.db", m.days))
	s, err := open(context.Background(), path, clock, m, nil)
	if err != nil {
		return "", err
	}
	return path, s.Close() // the last connection folds the WAL into the file
}

func clock() time.Time { return testNow }

// newShop is a shop of a few months, the test's own.
func newShop(t testing.TB) *Shop { return copyOf(t, fillOnce.few) }

// bigShop is a shop as Open makes it, the test's own.
func bigShop(t testing.TB) *Shop { return copyOf(t, fillOnce.all) }

func copyOf(t testing.TB, filled func() (string, error)) *Shop {
	t.Helper()
	from, err := filled()
	if err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shop.db")
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := open(t.Context(), path, clock, fewMonths, func(int, int) { t.Error("a filled shop was filled again") })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// tool is one of the shop's tools by name.
func (s *Shop) tool(t testing.TB, name string) tools.Tool {
	t.Helper()
	for _, tool := range s.Tools() {
		if tool.Card.Name == name {
			return tool
		}
	}
	t.Fatalf("no tool %s", name)
	return tools.Tool{}
}

// try calls a tool with a JSON object of arguments and gives its result or failure.
func (s *Shop) try(t testing.TB, call, name, arguments string) (any, error) {
	t.Helper()
	return s.tryIn(t, "zh", call, name, arguments)
}

// tryIn is try for somebody who speaks a language.
func (s *Shop) tryIn(t testing.TB, language, call, name, arguments string) (any, error) {
	t.Helper()
	r := bus.Request{Call: call, ToolName: name, Parameter: json.RawMessage(arguments), Language: language}
	return s.tool(t, name).Run(t.Context(), &tools.Call{Request: r, Progress: func(string) {}})
}

// do calls a tool that must succeed.
func do[R any](t testing.TB, s *Shop, call, name, arguments string) R {
	t.Helper()
	result, err := s.try(t, call, name, arguments)
	if err != nil {
		t.Fatalf("%s(%s): %v", name, arguments, err)
	}
	return result.(R)
}

// mustRefuse calls a tool that must fail with a *bus.Error whose text has all the words. In English it fails alike, in English words but for
// names of products and what was asked for.
func mustRefuse(t testing.TB, s *Shop, call, name, arguments string, words ...string) {
	t.Helper()
	result, err := s.try(t, call, name, arguments)
	var refused *bus.Error
	if !errors.As(err, &refused) {
		t.Fatalf("%s(%s) = %v, %v; want a *bus.Error", name, arguments, result, err)
	}
	for _, w := range words {
		if !strings.Contains(refused.Message, w) {
			t.Errorf("%s(%s): %q does not say %q", name, arguments, refused.Message, w)
		}
	}
	zh := refused.Message
	if _, err := s.tryIn(t, "en", call, name, arguments); !errors.As(err, &refused) || sentenceHan.MatchString(refused.Message) || strings.Contains(refused.Message, "%!") {
		t.Errorf("%s(%s) in English: %v, where the Chinese is %s", name, arguments, err, zh)
	}
}

// sentenceHan is what only a Chinese sentence has.
var sentenceHan = regexp.MustCompile(`[，。；、]|^\p{Han}|不能|可以|没有|已经|请`)

// one reads one value from the shop's database.
func one[T any](t testing.TB, s *Shop, query string, args ...any) T {
	t.Helper()
	var v T
	if err := s.read.QueryRowContext(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

func TestConsistency(t *testing.T) {
	s := bigShop(t)
	for _, c := range []struct{ what, query string }{
		{"order numbers of 12 digits", `SELECT order_id FROM orders WHERE order_id NOT GLOB '[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'`},
		{"product numbers of 14 digits", `SELECT sku_id FROM products WHERE length(sku_id) <> 14 OR sku_id GLOB '*[^0-9]*'`},
		{"phones of 11 digits", `SELECT phone FROM customers WHERE length(phone) <> 11 OR phone GLOB '*[^0-9]*'`},
		{"goods = items", `SELECT order_id FROM orders WHERE goods_fen <> (SELECT sum(quantity * price_fen) FROM order_items i WHERE i.order_id = orders.order_id)`},
		{"an item costs the price of its day", `SELECT o.order_id FROM orders o JOIN order_items i USING (order_id) WHERE i.price_fen <>
			(SELECT price_fen FROM price_history h WHERE h.sku_id = i.sku_id AND h.from_day <= substr(o.ordered_at, 1, 10) ORDER BY from_day DESC LIMIT 1)`},
		{"the present price is the last of the history", `SELECT sku_id FROM products p WHERE price_fen <> (SELECT price_fen FROM price_history h WHERE h.sku_id = p.sku_id ORDER BY from_day DESC LIMIT 1)`},
		{"shipped orders have shipments, others none", `SELECT o.order_id FROM orders o LEFT JOIN shipments s USING (order_id) WHERE (o.state IN ('已发货', '已完成')) <> (s.waybill IS NOT NULL)`},
		{"paid, shipped, delivered in this order", `SELECT o.order_id FROM orders o JOIN shipments s USING (order_id) WHERE NOT (o.ordered_at < o.paid_at AND o.paid_at < s.shipped_at AND s.shipped_at < coalesce(s.delivered_at, '9'))`},
		{"completed orders are delivered", `SELECT order_id FROM orders JOIN shipments USING (order_id) WHERE state = '已完成' AND delivered_at IS NULL`},
		{"unpaid orders have no payment", `SELECT order_id FROM orders WHERE state = '待付款' AND (paid_at IS NOT NULL OR ship_by IS NOT NULL)`},
		{"delivered means tracked so", `SELECT waybill FROM shipments s WHERE (delivered_at IS NOT NULL) <> EXISTS (SELECT 1 FROM tracking t WHERE t.waybill = s.waybill AND event = '已签收')`},
		{"refunds within what was paid", `SELECT order_id FROM orders o WHERE (SELECT sum(amount_fen) FROM refunds r WHERE r.order_id = o.order_id AND state <> '已拒绝') > total_fen`},
		{"decided refunds have a time", `SELECT refund_id FROM refunds WHERE (state = '待处理') <> (decided_at IS NULL)`},
		{"cancelled paid orders are refunded in full", `SELECT order_id FROM orders o WHERE state = '已取消' AND paid_at IS NOT NULL AND
			coalesce((SELECT sum(amount_fen) FROM refunds r WHERE r.order_id = o.order_id AND state = '已同意'), 0) <> total_fen`},
		{"invoices are of the amount paid", `SELECT order_id FROM invoices JOIN orders USING (order_id) WHERE amount_fen <> total_fen OR invoices.state = '已开' AND invoice_no IS NULL`},
		{"campaign days count their orders", `SELECT * FROM (SELECT campaign_id, day, orders, sales_fen FROM campaign_days WHERE orders > 0) d
			FULL JOIN (SELECT campaign_id, substr(ordered_at, 1, 10) AS day, count(*) AS n, sum(goods_fen) AS fen FROM orders WHERE campaign_id IS NOT NULL GROUP BY 1, 2) o
			USING (campaign_id, day) WHERE d.orders IS NOT o.n OR d.sales_fen IS NOT o.fen`},
		{"orders of a campaign fall into it", `SELECT order_id FROM orders JOIN campaigns USING (campaign_id) WHERE substr(ordered_at, 1, 10) NOT BETWEEN starts_on AND ends_on`},
		{"keywords show no more than is searched", `SELECT keyword FROM keywords WHERE own_impressions > searches OR own_clicks > own_impressions OR own_orders > own_clicks`},
		{"nothing is later than now", `SELECT ordered_at FROM orders WHERE ordered_at > '2026-11-21 15:30:00' UNION SELECT at FROM tracking WHERE at > '2026-11-21 15:30:00'
			UNION SELECT asked_at FROM refunds WHERE asked_at > '2026-11-21 15:30:00' UNION SELECT issued_at FROM invoices WHERE issued_at > '2026-11-21 15:30:00'`},
		{"foreign keys", `SELECT "table" FROM pragma_foreign_key_check`},
	} {
		if bad := one[int](t, s, `SELECT count(*) FROM (`+c.query+`)`); bad > 0 {
			t.Errorf("%s: %d rows are not", c.what, bad)
		}
	}
	for _, c := range []struct {
		what, query string
		least, most int
	}{
		{"orders", `SELECT count(*) FROM orders`, 2500, 5500},
		{"of 王萍萍", `SELECT count(*) FROM orders JOIN customers USING (customer_id) WHERE name = '王萍萍'`, 4, 20},
		{"customers named 王萍萍", `SELECT count(*) FROM customers WHERE name = '王萍萍'`, 1, 1},
		{"to be shipped", `SELECT count(*) FROM orders WHERE state = '待发货'`, 5, 100},
		{"late and not shipped", `SELECT count(*) FROM orders WHERE state = '待发货' AND ship_by < '2026-11-21 15:30:00'`, 1, 30},
		{"refunds to decide", `SELECT count(*) FROM refunds WHERE state = '待处理'`, 1, 60},
		{"channels tried", `SELECT count(DISTINCT channel) FROM campaigns`, 4, 4},
	} {
		if n := one[int](t, s, c.query); n < c.least || n > c.most {
			t.Errorf("%s: %d, want %d to %d", c.what, n, c.least, c.most)
		}
	}
}

func TestFillIsDeterministic(t *testing.T) {
	digest := func(seed uint64) string {
		const days = 20
		var steps, total int
		s, err := open(t.Context(), filepath.Join(t.TempDir(), "new folder", "shop?50%.db"), clock, made{seed, days, 150, catalogue[:4]}, func(done, all int) {
			if done <= steps {
				t.Errorf("progress %d after %d", done, steps)
			}
			steps, total = done, all
		})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if steps != total || total != days {
			t.Errorf("progress ended at %d of %d", steps, total)
		}
		return fmt.Sprint(one[int](t, s, `SELECT count(*) FROM orders`), one[int64](t, s, `SELECT sum(total_fen) FROM orders`),
			one[string](t, s, `SELECT group_concat(waybill || at || event, ',') FROM (SELECT * FROM tracking ORDER BY at DESC, waybill LIMIT 50)`))
	}
	first := digest(7)
	if again := digest(7); again != first {
		t.Errorf("same seed, other shop: %.80s, %.80s", first, again)
	}
	if other := digest(8); other == first {
		t.Error("another seed made the same shop")
	}
}

func TestOpenRefusesWhatIsNotAShop(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("not a database at all ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	lacking := func(name string, statements ...string) string {
		path := filepath.Join(dir, name)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, st := range statements {
			if _, err := db.Exec(st); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	for _, c := range []struct{ path, says string }{
		{"", "no path"},
		{text, "not a SQLite database"},
		{lacking("column.db", schema, `ALTER TABLE orders DROP COLUMN note`), "lacks orders.note"},
		{lacking("table.db", schema, `DROP TABLE messages`), "lacks messages"},
		{lacking("other.db", `CREATE TABLE birds (name)`), "lacks campaign_days, campaigns"},
	} {
		s, err := Open(t.Context(), c.path, nil)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Open(%s): %v; want %q", filepath.Base(c.path), err, c.says)
		}
	}
	s, err := Open(t.Context(), lacking("empty.db", schema), func(int, int) { t.Error("filled a file that has tables") })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if f := do[found](t, s, "", "search_order_code", `{}`); f.Count != 0 {
		t.Errorf("an empty shop has %d orders", f.Count)
	}
	mustRefuse(t, s, "", "forecast_sales", `{}`, "还没有商品")
}

func TestReadingCannotWrite(t *testing.T) {
	s := newShop(t)
	for _, statement := range []string{`DELETE FROM orders`, `PRAGMA query_only = 0; DELETE FROM orders`, `CREATE TABLE x (y)`} {
		if _, err := s.read.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s was done", statement)
		}
	}
}

func TestContextEndsACall(t *testing.T) {
	s := newShop(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tool := range s.Tools() {
		if _, err := tool.Run(ctx, &tools.Call{Request: bus.Request{Call: "c1", Parameter: json.RawMessage(`{"keyword":"玩具"}`)}}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", tool.Card.Name, err)
		}
	}
}

// A newcomer asks for the late orders first: whatever day and hour a shop is made on, it has some.
func TestEveryShopHasLateOrders(t *testing.T) {
	for i, now := range []time.Time{testNow, time.Date(2026, 6, 18, 0, 0, 5, 0, place), time.Date(2027, 1, 1, 23, 59, 0, 0, place), time.Date(2028, 2, 29, 12, 0, 0, 0, place)} {
		m := fewWeeks
		m.seed += uint64(i)
		s, err := open(t.Context(), filepath.Join(t.TempDir(), "shop.db"), func() time.Time { return now }, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		late := 0
		if err := s.read.QueryRow(`SELECT count(*) FROM orders WHERE state = '待发货' AND ship_by < ?`, now.Format(momentForm)).Scan(&late); err != nil {
			t.Fatal(err)
		}
		if late < 1 || late > 30 {
			t.Errorf("%s: %d late orders", now.Format(momentForm), late)
		}
	}
}
