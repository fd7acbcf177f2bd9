package shop

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

type invoice struct {
	told
	OrderID  string  `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	State    string  `json:"invoice_state" jsonschema:"title=发票状态" jsonschema_description:"待开、已开或未申请"`
	Title    string  `json:"title,omitempty" jsonschema:"title=发票抬头"`
	TaxNo    string  `json:"tax_no,omitempty" jsonschema:"title=税号" jsonschema_description:"个人发票没有"`
	Amount   float64 `json:"amount" jsonschema:"title=开票金额" jsonschema_description:"元"`
	Number   string  `json:"invoice_no,omitempty" jsonschema:"title=发票号码" jsonschema_extras:"x-provides=invoice_no"`
	Asked    string  `json:"requested_at,omitempty" jsonschema:"title=申请时间"`
	IssuedAt string  `json:"issued_at,omitempty" jsonschema:"title=开票时间"`
}

// issued is the invoice just issued.
type issued struct{ invoice }

type issue struct {
	oneOrder
	Title string `json:"title,omitempty" jsonschema:"title=发票抬头" jsonschema_description:"不填则用买家申请时的抬头，没有申请过则用收货人姓名"`
	TaxNo string `json:"tax_no,omitempty" jsonschema:"title=税号,pattern=^[0-9A-Z]{15\\,20}$" jsonschema_description:"企业抬头的纳税人识别号，15到20位；个人不填"`
}

func (s *Shop) invoiceTools() []tools.Tool {
	return []tools.Tool{
		look(s, bus.Card{
			Name:        "invoice_status",
			Description: "查询一个订单的发票：抬头、金额、是否已开。 Show the invoice of an order and whether it is issued.",
			Tags:        []string{"aftersales", "after-sales", "售后", "invoice", "发票", "开票"},
		}, invoiceStatus),
		s.listInvoices(),
		change(s, bus.Card{
			Name:        "issue_invoice",
			Description: "给一个已付款订单开发票，金额为实付减去已退。 Issue the invoice of a paid order.",
			Effect:      bus.Idempotent, Approval: "ask", Tags: []string{"aftersales", "after-sales", "售后", "issue invoice", "开发票"},
		}, s.issue),
	}
}

func invoiceStatus(ctx context.Context, tx *sql.Tx, q oneOrder) (invoice, error) {
	if _, _, err := stateOf(ctx, tx, q.OrderID); err != nil {
		return invoice{}, err
	}
	i := invoice{OrderID: q.OrderID}
	var amount int64
	err := tx.QueryRowContext(ctx, `SELECT state, title, tax_no, amount_fen, coalesce(invoice_no, ''), requested_at, coalesce(issued_at, '') FROM invoices WHERE order_id = ?`, q.OrderID).
		Scan(&i.State, &i.Title, &i.TaxNo, &amount, &i.Number, &i.Asked, &i.IssuedAt)
	if errors.Is(err, sql.ErrNoRows) {
		i.State = "未申请"
		return i, nil
	}
	i.Amount = yuan(amount)
	return i, err
}

func (s *Shop) issue(ctx context.Context, tx *sql.Tx, q issue) (issued, error) {
	none := issued{}
	state, total, err := stateOf(ctx, tx, q.OrderID)
	if err != nil {
		return none, err
	}
	if state == "待付款" || state == "已取消" {
		return none, refuse("订单 %s 的状态是 %s，只有已付款的订单可以开发票",
			"order %s is %s, and an invoice can only be issued for a paid one", q.OrderID, state)
	}
	before, err := invoiceStatus(ctx, tx, oneOrder{q.OrderID})
	if err != nil {
		return none, err
	}
	if before.State == "已开" {
		return none, refuse("订单 %s 已于 %s 开过发票，号码 %s",
			"an invoice for order %s was issued at %s, number %s", q.OrderID, before.IssuedAt, before.Number)
	}
	var returned int64
	var receiver string
	if err := tx.QueryRowContext(ctx, `SELECT receiver, (SELECT coalesce(sum(amount_fen), 0) FROM refunds r WHERE r.order_id = o.order_id AND r.state = '已同意')
		FROM orders o WHERE order_id = ?`, q.OrderID).Scan(&receiver, &returned); err != nil {
		return none, err
	}
	if total <= returned {
		return none, refuse("订单 %s 的钱已全部退回，没有可开票的金额",
			"all money of order %s went back; nothing is left to invoice", q.OrderID)
	}
	title, tax := strings.TrimSpace(q.Title), strings.TrimSpace(q.TaxNo)
	if title == "" { // the tax number belongs to the title it was given with
		if title = before.Title; title == "" {
			title = receiver
		}
		if tax == "" {
			tax = before.TaxNo
		}
	}
	now := s.moment()
	_, err = tx.ExecContext(ctx, `INSERT INTO invoices (order_id, title, tax_no, amount_fen, state, invoice_no, requested_at, issued_at)
		SELECT :order, :title, :tax, :amount, '已开', printf('%020d', coalesce(max(CAST(invoice_no AS INTEGER)), 26330000000000) + 1), :now, :now FROM invoices WHERE true
		ON CONFLICT (order_id) DO UPDATE SET title = excluded.title, tax_no = excluded.tax_no, amount_fen = excluded.amount_fen,
		state = '已开', invoice_no = excluded.invoice_no, issued_at = excluded.issued_at`,
		sql.Named("order", q.OrderID), sql.Named("title", title), sql.Named("tax", tax), sql.Named("amount", total-returned), sql.Named("now", now))
	if err != nil {
		return none, err
	}
	done, err := invoiceStatus(ctx, tx, oneOrder{q.OrderID})
	return issued{done}, err
}
