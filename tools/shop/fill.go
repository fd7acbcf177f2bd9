package shop

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// filler writes the made-up shop, table by table, inside one transaction. Everything is drawn from one seeded source, so the
// same seed and day give the same shop.
type filler struct {
	made
	ctx     context.Context
	tx      *sql.Tx
	rand    *rand.Rand
	now     time.Time
	today   time.Time // midnight
	crowd   crowd
	stock   []item
	running []campaign
	orders  int // written so far; numbers follow from it
	refunds int
	inserts map[string]*sql.Stmt
	err     error // the first failure; later writes do nothing
}

// item is a product with the prices it has had.
type item struct {
	line
	good
	sku    string
	prices []int64 // fen, one a day
}

func fill(ctx context.Context, tx *sql.Tx, m made, now time.Time, progress func(done, total int)) error {
	f := &filler{made: m, ctx: ctx, tx: tx, rand: rand.New(rand.NewPCG(m.seed, 1)), now: now, inserts: map[string]*sql.Stmt{}}
	f.today = time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	f.fillCustomers()
	f.fillProducts()
	f.fillCampaigns()
	for d := range f.days {
		f.fillDay(d)
		if f.err != nil {
			return f.err
		}
		if progress != nil && (d%16 == 0 || d == f.days-1) {
			progress(d+1, f.days)
		}
	}
	f.fillCampaignDays()
	f.fillKeywords()
	return f.err
}

// insert adds a row to a table whose columns are given in order.
func (f *filler) insert(table, marks string, values ...any) {
	if f.err != nil {
		return
	}
	stmt := f.inserts[table]
	if stmt == nil {
		if stmt, f.err = f.tx.PrepareContext(f.ctx, "INSERT INTO "+table+" VALUES ("+marks+")"); f.err != nil {
			f.err = fmt.Errorf("%s: %w", table, f.err)
			return
		}
		f.inserts[table] = stmt // closed with the transaction
	}
	if _, err := stmt.ExecContext(f.ctx, values...); err != nil {
		f.err = fmt.Errorf("%s: %w", table, err)
	}
}

// day is midnight of the dth day of the history; the last one is today.
func (f *filler) day(d int) time.Time { return f.today.AddDate(0, 0, d-f.days+1) }

// chance is true with probability p.
func (f *filler) chance(p float64) bool { return f.rand.Float64() < p }

// hours draws a duration between two numbers of hours.
func (f *filler) hours(from, to float64) time.Duration {
	return time.Duration((from + f.rand.Float64()*(to-from)) * float64(time.Hour)).Truncate(time.Second)
}

// moment is t as text, or NULL when it has not come yet.
func (f *filler) moment(t time.Time) any {
	if t.IsZero() || t.After(f.now) {
		return nil
	}
	return t.Format(momentForm)
}

func (f *filler) fillCustomers() {
	f.crowd = newCrowd(f.rand, f.people)
	for _, p := range f.crowd.people {
		joined := f.day(0).Add(-f.hours(0, 24*700))
		f.insert("customers", "?,?,?,?,?,?,?", p.id, p.name, p.pin, p.phone, p.city, p.address, joined.Format(momentForm))
	}
}

// fillProducts also draws the prices: each holds two to five weeks, then another level is tried.
func (f *filler) fillProducts() {
	levels := []float64{.82, .88, .94, 1, 1, 1.06, 1.12, 1.18}
	for _, l := range f.lines {
		for _, g := range l.goods {
			it := item{line: l, good: g, sku: fmt.Sprintf("100%011d", 20260001+len(f.stock)*9973), prices: make([]int64, f.days)}
			price, left := g.price*100, 0
			for d := range it.prices {
				if left == 0 && !g.fixed {
					price, left = int64(math.Round(float64(g.price)*levels[f.rand.IntN(len(levels))]))*100, 14+f.rand.IntN(22)
				}
				left--
				it.prices[d] = price
			}
			stock := int(g.rate * (3 + f.rand.Float64()*60))
			f.insert("products", "?,?,?,?,?,?,?", it.sku, g.name(l.category), g.brand, l.category, price, int64(g.cost*float64(g.price)*100), stock)
			for d, p := range it.prices {
				if d == 0 || it.prices[d-1] != p {
					f.insert("price_history", "?,?,?", it.sku, f.day(d).Format(dayForm), p)
				}
			}
			f.stock = append(f.stock, it)
		}
	}
}
