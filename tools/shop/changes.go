package shop

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/invopop/jsonschema"
)

type cancelOrder struct {
	oneOrder
	Reason string `json:"reason,omitempty" jsonschema:"title=取消原因" jsonschema_description:"会记入退款说明，不填为 商家取消订单"`
}

type cancelled struct {
	told
	OrderID  string  `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	State    string  `json:"state" jsonschema:"title=订单状态"`
	Refunded float64 `json:"refunded" jsonschema:"title=退款金额" jsonschema_description:"已付款的订单全额退还，元；未付款为0"`
	Restored int     `json:"restored" jsonschema:"title=恢复库存件数"`
}

type changeState struct {
	oneOrder
	State string `json:"state" jsonschema:"title=新状态,enum=待发货,enum=已完成" jsonschema_description:"待发货: 确认线下已收款的待付款订单；已完成: 确认已发货的订单买家已收货"`
}

type stateChanged struct {
	told
	OrderID string `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	Before  string `json:"before" jsonschema:"title=原状态"`
	State   string `json:"state" jsonschema:"title=订单状态"`
}

type changeDelivery struct {
	oneOrder
	Receiver string `json:"receiver,omitempty" jsonschema:"title=收货人,minLength=1" jsonschema_description:"新的收货人姓名；不改就不填"`
	Phone    string `json:"phone,omitempty" jsonschema:"title=收货电话,pattern=^([+]?86[ -]?)?1[0-9]{10}$" jsonschema_description:"新的收货电话，11位；不改就不填"`
	Address  string `json:"address,omitempty" jsonschema:"title=收货地址,minLength=1" jsonschema_description:"新的完整收货地址；不改就不填"`
	Note     string `json:"note,omitempty" jsonschema:"title=商家备注,minLength=1" jsonschema_description:"新的商家备注，替换原备注；不改就不填"`
}

// JSONSchemaExtend wants something to change beside the order, so that an empty change is refused before a person is asked.
func (changeDelivery) JSONSchemaExtend(s *jsonschema.Schema) {
	s.MinProperties = new(uint64(2))
	s.Description = "订单编号，以及要改的：收货人、收货电话、收货地址、商家备注，至少一项。 The order and what to change: receiver, phone, address or note."
}

type deliveryChanged struct {
	told
	OrderID  string `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	Receiver string `json:"receiver" jsonschema:"title=收货人"`
	Phone    string `json:"phone" jsonschema:"title=收货电话"`
	Address  string `json:"address" jsonschema:"title=收货地址"`
	Note     string `json:"note" jsonschema:"title=商家备注"`

	was changeDelivery // before
}

func (s *Shop) changeTools() []tools.Tool {
	return []tools.Tool{
		change(s, bus.Card{
			Name:        "cancel_order",
			Description: "取消一个待付款或待发货的订单，已付的钱全额退回，库存恢复。要有订单编号。 Cancel an order that is not shipped, by its id; money goes back in full.",
			Effect:      bus.Idempotent, Approval: "ask", Tags: []string{"orders", "订单", "cancel order", "取消订单", "关闭订单"},
		}, s.cancel),
		change(s, bus.Card{
			Name:        "change_order_state",
			Description: "修改一个订单的状态：确认收款（待付款→待发货）或确认收货（已发货→已完成）。要有订单编号和新状态。 Change the state of an order: payment received, or delivery confirmed.",
			Effect:      bus.Idempotent, Approval: "ask", Tags: []string{"orders", "订单", "order state", "修改订单状态", "确认收货", "确认收款"},
		}, s.changeState),
		change(s, bus.Card{
			Name:        "change_order",
			Description: "修改未发货订单的收货人、电话、地址，或任何订单的商家备注。要有订单编号，并说明改成什么，至少一项。 Change receiver, phone or address of an order not yet shipped, or the seller's note; say which order and what to change.",
			Effect:      bus.Idempotent, Approval: "ask", Tags: []string{"orders", "订单", "change address", "修改地址", "改地址", "备注"},
		}, changeOrder),
	}
}

// stateOf is an order's state and what was paid in total; an order that is not there is a failure worded for the agent.
func stateOf(ctx context.Context, tx *sql.Tx, id string) (state string, total int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT state, total_fen FROM orders WHERE order_id = ?`, id).Scan(&state, &total)
	return state, total, noOrder(err, id)
}

func (s *Shop) cancel(ctx context.Context, tx *sql.Tx, q cancelOrder) (cancelled, error) {
	none := cancelled{}
	state, total, err := stateOf(ctx, tx, q.OrderID)
	if err != nil {
		return none, err
	}
	switch state {
	case "待付款", "待发货":
	case "已取消":
		return none, refuse("订单 %s 早已取消，无需再取消",
			"order %s was cancelled before; there is nothing to cancel", q.OrderID)
	default:
		return none, refuse("订单 %s 的状态是 %s，不能取消；已经发出的订单请等买家申请退款，再同意或拒绝",
			"order %s is %s and cannot be cancelled; once it was sent, wait for the buyer to ask for a refund and approve or refuse that", q.OrderID, state)
	}
	done := cancelled{OrderID: q.OrderID, State: "已取消"}
	if _, err := tx.ExecContext(ctx, `UPDATE orders SET state = '已取消' WHERE order_id = ?`, q.OrderID); err != nil {
		return none, err
	}
	if state == "待付款" {
		return done, nil
	}
	if err := tx.QueryRowContext(ctx, `SELECT sum(quantity) FROM order_items WHERE order_id = ?`, q.OrderID).Scan(&done.Restored); err != nil {
		return none, err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE products SET stock = stock + i.quantity FROM (SELECT sku_id, quantity FROM order_items WHERE order_id = ?) i
		WHERE products.sku_id = i.sku_id`, q.OrderID); err != nil {
		return none, err
	}
	// What was agreed to before is already on its way back; requests still open are answered by this one.
	var returned int64
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE order_id = ? AND state = '已同意'`, q.OrderID).Scan(&returned); err != nil {
		return none, err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE refunds SET state = '已拒绝', decided_at = ?, decision = '订单已取消并全额退款' WHERE order_id = ? AND state = '待处理'`,
		s.moment(), q.OrderID); err != nil {
		return none, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM invoices WHERE order_id = ? AND state = '待开'`, q.OrderID); err != nil {
		return none, err
	}
	if total > returned {
		reason := strings.TrimSpace(q.Reason)
		if reason == "" {
			reason = "商家取消订单"
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO refunds (refund_id, order_id, kind, reason, amount_fen, state, asked_at, decided_at, decision)
			SELECT printf('%013d', coalesce(max(CAST(refund_id AS INTEGER)), 5100000000000) + 1), ?, '仅退款', ?, ?, '已同意', ?, ?, '取消订单' FROM refunds`,
			q.OrderID, reason, total-returned, s.moment(), s.moment()); err != nil {
			return none, err
		}
	}
	done.Refunded = yuan(total - returned)
	return done, nil
}

func (s *Shop) changeState(ctx context.Context, tx *sql.Tx, q changeState) (stateChanged, error) {
	none := stateChanged{}
	state, _, err := stateOf(ctx, tx, q.OrderID)
	if err != nil {
		return none, err
	}
	now := s.now()
	switch state + "→" + q.State {
	case "待付款→待发货":
		if err := take(ctx, tx, q.OrderID); err != nil {
			return none, err
		}
		_, err = tx.ExecContext(ctx, `UPDATE orders SET state = '待发货', paid_at = ?, ship_by = ? WHERE order_id = ?`,
			now.Format(momentForm), now.Add(shipWithin).Format(momentForm), q.OrderID)
	case "已发货→已完成":
		if _, err = tx.ExecContext(ctx, `UPDATE orders SET state = '已完成' WHERE order_id = ?`, q.OrderID); err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE shipments SET delivered_at = coalesce(delivered_at, ?) WHERE order_id = ?`, now.Format(momentForm), q.OrderID)
		}
	default:
		return none, refuse("订单 %s 的状态是 %s，不能直接改为 %.20q；确认收款只对待付款、确认收货只对已发货的订单；要发货请给出快递公司和运单号，要取消请直接说取消这个订单",
			"order %s is %s and cannot be made %.20q; only an unpaid order can be marked paid, and a shipped one received. To ship it give carrier and waybill, to cancel it say so", q.OrderID, state, q.State)
	}
	return stateChanged{OrderID: q.OrderID, Before: state, State: q.State}, err
}

// take takes the pieces of an order that is paid from the stock: cancelling it puts them back.
func take(ctx context.Context, tx *sql.Tx, id string) error {
	lacking, err := rows(ctx, tx, func(r *sql.Rows) (n string, err error) { err = r.Scan(&n); return n, err },
		`SELECT p.name FROM order_items i JOIN products p USING (sku_id) WHERE i.order_id = ? AND p.stock < i.quantity ORDER BY p.name`, id)
	if err != nil {
		return err
	}
	if len(lacking) > 0 {
		return refuse("订单 %s 的商品库存不够：%s；请先补货再确认收款，或取消订单",
			"there is not enough stock for order %s: %s; restock before it is marked paid, or cancel it", id, several(lacking))
	}
	_, err = tx.ExecContext(ctx, `UPDATE products SET stock = stock - i.quantity FROM (SELECT sku_id, quantity FROM order_items WHERE order_id = ?) i
		WHERE products.sku_id = i.sku_id`, id)
	return err
}

func changeOrder(ctx context.Context, tx *sql.Tx, q changeDelivery) (deliveryChanged, error) {
	none := deliveryChanged{}
	state, _, err := stateOf(ctx, tx, q.OrderID)
	if err != nil {
		return none, err
	}
	receiver, phone, address, note := strings.TrimSpace(q.Receiver), plainPhone(q.Phone), strings.TrimSpace(q.Address), strings.TrimSpace(q.Note)
	switch delivery := receiver + phone + address; {
	case delivery+note == "":
		return none, refuse("没有说要改什么；可以改收货人、收货电话、收货地址或商家备注",
			"nothing to change was named; the receiver, the phone, the address and the seller's note can be changed")
	case delivery != "" && state != "待付款" && state != "待发货":
		return none, refuse("订单 %s 的状态是 %s，收货信息只能在发货前修改；已发出的请按运单号联系快递",
			"order %s is %s, and the delivery can only be changed before it is sent; with a parcel under way ask the carrier by its waybill", q.OrderID, state)
	case phone != "" && (len(phone) != 11 || strings.Trim(phone, "0123456789") != ""):
		return none, refuse("收货电话 %.40q 不是11位数字",
			"the phone %.40q does not have 11 digits", q.Phone)
	}
	changed := deliveryChanged{OrderID: q.OrderID}
	if err = tx.QueryRowContext(ctx, `SELECT receiver, phone, address, note FROM orders WHERE order_id = ?`, q.OrderID).
		Scan(&changed.was.Receiver, &changed.was.Phone, &changed.was.Address, &changed.was.Note); err != nil {
		return none, fmt.Errorf("change order %s: %w", q.OrderID, err)
	}
	err = tx.QueryRowContext(ctx, `UPDATE orders SET receiver = iif(?1 = '', receiver, ?1), phone = iif(?2 = '', phone, ?2), address = iif(?3 = '', address, ?3),
		note = iif(?4 = '', note, ?4) WHERE order_id = ?5 RETURNING receiver, phone, address, note`, receiver, phone, address, note, q.OrderID).
		Scan(&changed.Receiver, &changed.Phone, &changed.Address, &changed.Note)
	if err != nil {
		return none, fmt.Errorf("change order %s: %w", q.OrderID, err)
	}
	return changed, nil
}
