package shop

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/hmap-project/hmap/bus"
)

// replacing is what arguments of a change are that replace values: replaced are these as they are now, by argument, as the tools show them that x-present
// names. None where the thing is not there: the change says that better.
type replacing interface {
	replaced(ctx context.Context, tx *sql.Tx) (map[string]any, error)
}

func (q setPrice) replaced(ctx context.Context, tx *sql.Tx) (map[string]any, error) {
	p, err := q.find(ctx, tx)
	return map[string]any{"price": p.Price}, err
}

func (q setStock) replaced(ctx context.Context, tx *sql.Tx) (map[string]any, error) {
	p, err := q.find(ctx, tx)
	return map[string]any{"stock": p.Stock}, err
}

func (q changeState) replaced(ctx context.Context, tx *sql.Tx) (map[string]any, error) {
	state, _, err := stateOf(ctx, tx, q.OrderID)
	return map[string]any{"state": state}, err
}

func (q changeDelivery) replaced(ctx context.Context, tx *sql.Tx) (map[string]any, error) {
	var receiver, phone, address, note string
	err := tx.QueryRowContext(ctx, `SELECT receiver, phone, address, note FROM orders WHERE order_id = ?`, q.OrderID).Scan(&receiver, &phone, &address, &note)
	return map[string]any{"receiver": receiver, "phone": phone, "address": address, "note": note}, noOrder(err, q.OrderID)
}

// unmoved refuses a change of which somebody was shown, when they agreed, another value than the one that is there now, unless that is the new one already.
func unmoved(ctx context.Context, tx *sql.Tx, args any, shown map[string]string) error {
	q, ok := args.(replacing)
	if !ok || len(shown) == 0 {
		return nil
	}
	now, err := q.replaced(ctx, tx)
	if word := (refusal{}); errors.As(err, &word) {
		return nil
	} else if err != nil {
		return err
	}
	body, err := json.Marshal(args)
	if err != nil {
		return err
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(body, &given); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		value, known := now[name]
		if !known {
			continue
		}
		is, err := json.Marshal(value)
		if err != nil {
			return err
		}
		alike := func(text string) bool { return bare(is) == text }
		if _, isText := value.(string); !isText {
			alike = func(text string) bool { return sameNumber(bare(is), text) }
		}
		if alike(shown[name]) || given[name] != nil && alike(bare(given[name])) {
			continue
		}
		e := refuse("没有改动：同意时看到的是 %s，现在已经是 %s", "nothing was changed: it was %s when that was agreed to, and is %s now",
			cmp.Or(shown[name], "—"), cmp.Or(bare(is), "—")).(refusal)
		e.code = bus.CodeChanged
		return e
	}
	return nil
}

// bare is a JSON value as text, a string without its quotes.
func bare(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// sameNumber reports whether two texts are the same number: 193 and 193.00 are.
func sameNumber(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, bad := strconv.ParseFloat(b, 64)
	return err == nil && bad == nil && x == y
}
