package shop

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"modernc.org/sqlite"
)

// Tools are the tools of the shop, in the order of README.md. Their cards' examples are from the database as it was at Open.
func (s *Shop) Tools() []tools.Tool { return slices.Clone(s.tools) }

func (s *Shop) makeTools() []tools.Tool {
	var all []tools.Tool
	for _, group := range [][]tools.Tool{
		s.orderTools(), s.changeTools(), s.logisticsTools(), s.afterSalesTools(), s.invoiceTools(), s.customerTools(), s.productTools(),
		s.salesTools(), s.pricingTools(), s.marketingTools(), s.qualificationTools(),
	} {
		all = append(all, group...)
	}
	return all
}

// look makes a tool that only reads. Its function gets a transaction, so that all it reads is of one moment.
func look[A, R any, P telling[A, R]](s *Shop, card bus.Card, run func(ctx context.Context, tx *sql.Tx, args A) (R, error)) tools.Tool {
	card.Effect = bus.Read
	describe[A, R](s, &card)
	return tools.New(card, func(ctx context.Context, call *tools.Call, args A) (none R, err error) {
		defer func() { err = failed(err, call.Request.Language) }()
		if err := tooLong(args); err != nil {
			return none, err
		}
		understand(&args)
		tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return none, err
		}
		defer tx.Rollback()
		result, err := run(ctx, tx, args)
		if err != nil {
			return none, err
		}
		P(&result).tell(args)
		return result, nil
	})
}

// change makes a tool that writes. What it does and its line in the ledger are one transaction, keyed by the call id: the same
// call again gets the first answer and changes nothing, whatever the card says of its effect.
func change[A, R any, P telling[A, R]](s *Shop, card bus.Card, run func(ctx context.Context, tx *sql.Tx, args A) (R, error)) tools.Tool {
	describe[A, R](s, &card)
	return tools.New(card, func(ctx context.Context, call *tools.Call, args A) (none R, err error) {
		defer func() { err = failed(err, call.Request.Language) }()
		if err := tooLong(args); err != nil {
			return none, err
		}
		id := call.Request.Call
		if !bus.ValidToken(id) {
			return none, &bus.Error{Code: bus.CodeInvalidRequest, Message: fmt.Sprintf("a change needs a call id (1 to %d of A-Z a-z 0-9 _ -), so that it is made only once", bus.MaxToken)}
		}
		understand(&args)
		arguments, err := json.Marshal(args)
		if err != nil {
			return none, err
		}
		tx, err := s.write.BeginTx(ctx, nil)
		if err != nil {
			return none, err
		}
		defer tx.Rollback()
		var tool, asked, answered string
		switch err := tx.QueryRowContext(ctx, `SELECT tool, arguments, result FROM ledger WHERE call = ?`, id).Scan(&tool, &asked, &answered); {
		case err == nil && (tool != card.Name || asked != string(arguments)):
			return none, &bus.Error{Code: bus.CodeInvalidRequest, Message: fmt.Sprintf("call %s was already used for %s with other arguments; a new change needs a new call id", id, tool)}
		case err == nil:
			var result R
			return result, json.Unmarshal([]byte(answered), &result)
		case !errors.Is(err, sql.ErrNoRows):
			return none, err
		}
		if err := unmoved(ctx, tx, args, call.Request.Present); err != nil {
			return none, err
		}
		result, err := run(ctx, tx, args)
		if err != nil {
			return none, err
		}
		P(&result).tell(args)
		answer, err := json.Marshal(result)
		if err != nil {
			return none, err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO ledger (call, tool, arguments, result, at) VALUES (?, ?, ?, ?, ?)`,
			id, card.Name, string(arguments), string(answer), s.moment()); err != nil {
			return none, err
		}
		return result, tx.Commit()
	})
}

// understand turns what arguments say in English into the shop's words.
func understand(args any) {
	if a, ok := args.(interface{ understand() }); ok {
		a.understand()
	}
}

// moment is now, as the database writes it.
func (s *Shop) moment() string { return s.now().Format(momentForm) }

// refusal is a failure that the agent can do something about, said in both languages as results are.
type refusal struct{ zh, en, code string } // no code: the arguments are wrong

func (r refusal) Error() string { return r.zh }

// refuse says what is wrong and what to do instead, by two formats for the same arguments. Words of the shop among them are translated for the
// second, and a [condition] and a [Period] have words of their own in each.
func refuse(zh, en string, args ...any) error {
	zhs, ens := slices.Clone(args), slices.Clone(args)
	for i, a := range args {
		switch a := a.(type) {
		case string:
			ens[i] = english(a)
		case condition:
			zhs[i], ens[i] = a.zh, a.en
		case Period:
			ens[i] = a.From.Format(dayForm) + " to " + a.To.Format(dayForm)
		}
	}
	return refusal{zh: fmt.Sprintf(zh, zhs...), en: fmt.Sprintf(en, ens...)}
}

// failed is an error as the caller hears it, in the language of the request where that is known. A lock timeout of SQLite may be tried
// again; what is no refusal stays what it is.
func failed(err error, language string) error {
	const locked = 5 // SQLITE_BUSY
	word := refusal{}
	if e := (*sqlite.Error)(nil); errors.As(err, &e) && e.Code()&0xff == locked {
		word = refusal{"店铺数据库正被占用，请稍后再试", "the shop's database is in use; try again later", bus.CodeBusy}
	} else if !errors.As(err, &word) {
		return err
	}
	message := word.zh
	if language == "en" {
		message = word.en
	}
	return &bus.Error{Code: cmp.Or(word.code, bus.CodeInvalidParameter), Message: message, Retryable: word.code == bus.CodeBusy}
}

// maxText is the longest argument in bytes; the cards say less, but a tool may be called without its card.
const maxText = 2000

func tooLong(args any) error {
	body, err := json.Marshal(args)
	if err != nil {
		return err
	}
	if len(body) > 4*maxText || !utf8.Valid(body) {
		return refuse("参数太长（%d 字节），请只给出需要的内容",
			"the arguments are too long (%d bytes); give only what is needed", len(body))
	}
	return nil
}

// rows reads all rows of a query. The query is always a constant of this package; input comes in as args.
func rows[T any](ctx context.Context, tx *sql.Tx, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	found, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	all := []T{}
	for found.Next() {
		one, err := scan(found)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, found.Err()
}

// yuan and fen convert the money of the database and of the tools, exact to the fen.
func yuan(fen int64) float64 { return float64(fen) / 100 }
func fen(yuan float64) int64 { return int64(math.Round(yuan * 100)) }

// digits rounds a figure that people read.
func digits(v float64, n int) float64 {
	p := math.Pow10(n)
	return math.Round(v*p) / p
}
