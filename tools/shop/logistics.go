package shop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// shipWithin is the promise after payment.
const shipWithin = 48 * time.Hour

type shipOrder struct {
	oneOrder
	Carrier string `json:"carrier" jsonschema:"title=快递公司,minLength=2" jsonschema_description:"承运的快递公司的名称"`
	Waybill string `json:"waybill" jsonschema:"title=运单号,pattern=^[A-Za-z0-9]{6\\,32}$" jsonschema_description:"快递运单号，6到32位字母数字"`
}

func (q *shipOrder) understand() { q.Carrier = chinese(q.Carrier) }

// parcelCarriers are what merchants call the carriers that most parcels go with; those of the shop's own shipments come first.
var parcelCarriers = []any{"顺丰", "中通", "圆通", "申通", "韵达", "极兔", "京东快递", "邮政", "EMS"}

type shipped struct {
	told
	OrderID string `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	State   string `json:"state" jsonschema:"title=订单状态"`
	Waybill string `json:"waybill" jsonschema:"title=运单号" jsonschema_extras:"x-provides=waybill"`
	Carrier string `json:"carrier" jsonschema:"title=快递公司"`
	Late    bool   `json:"late" jsonschema:"title=是否超时发货"`
}

type track struct {
	OrderID string `json:"order_id,omitempty" jsonschema:"title=订单编号,pattern=^[0-9]{12}$" jsonschema_description:"12位数字；与运单号给一个即可" jsonschema_extras:"x-needs=order_id"`
	Waybill string `json:"waybill,omitempty" jsonschema:"title=运单号" jsonschema_description:"快递运单号；与订单编号给一个即可" jsonschema_extras:"x-needs=waybill"`
}

type tracked struct {
	told
	OrderID   string  `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	Waybill   string  `json:"waybill" jsonschema:"title=运单号" jsonschema_extras:"x-provides=waybill"`
	Carrier   string  `json:"carrier" jsonschema:"title=快递公司"`
	Shipped   string  `json:"shipped_at" jsonschema:"title=发货时间"`
	Delivered string  `json:"delivered_at,omitempty" jsonschema:"title=签收时间" jsonschema_description:"没有这一项就是还没有签收"`
	Last      string  `json:"last_event" jsonschema:"title=最新进展"`
	IdleHours float64 `json:"idle_hours" jsonschema:"title=停滞小时数" jsonschema_description:"未签收时，距最新进展的小时数"`
	Urged     int     `json:"urged" jsonschema:"title=已催次数"`
	Events    []event `json:"events" jsonschema:"title=物流轨迹" jsonschema_description:"从早到晚"`
}

type event struct {
	At    string `json:"at" jsonschema:"title=时间"`
	Place string `json:"place" jsonschema:"title=地点"`
	Event string `json:"event" jsonschema:"title=进展"`
}

type lateQuery struct {
	span
	Kind string `json:"kind,omitempty" jsonschema:"title=范围,enum=未发货,enum=已发货,enum=全部,enum=即将到期,enum=unshipped,enum=shipped,enum=all,enum=due" jsonschema_description:"未发货: 已超时还没有发（默认）；已发货: 发了但发晚了；全部: 两者；即将到期: 快到最晚时间的；不填而时间段已经过去: 全部"`
	City string `json:"city,omitempty" jsonschema:"title=城市" jsonschema_description:"买家所在的省市"`
	length
}

func (q *lateQuery) understand() { q.Kind, q.City = chinese(q.Kind), chinese(q.City) }

type lateOrders struct {
	told
	Count  int         `json:"count" jsonschema:"title=超时订单数" jsonschema_description:"问即将到期时为即将到期的订单数"`
	Orders []lateOrder `json:"orders" jsonschema:"title=超时订单" jsonschema_description:"超时最久、最先到期的在前，不填 limit 则最多20个"`

	during Period
	kind   string
}

type lateOrder struct {
	OrderID  string  `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	Consumer string  `json:"consumer_name" jsonschema:"title=买家" jsonschema_extras:"x-provides=consumer_name"`
	State    string  `json:"state" jsonschema:"title=订单状态"`
	Hours    float64 `json:"hours_late" jsonschema:"title=超时小时数" jsonschema_description:"负数是距到期的小时数"`
	ShipBy   string  `json:"ship_by" jsonschema:"title=最晚发货时间"`
	Shipped  string  `json:"shipped_at,omitempty" jsonschema:"title=实际发货时间"`
	Total    float64 `json:"total" jsonschema:"title=实付金额" jsonschema_description:"元"`
	City     string  `json:"city" jsonschema:"title=城市" jsonschema_description:"买家所在的城市"`
}

type urged struct {
	told
	OrderID string `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	Waybill string `json:"waybill" jsonschema:"title=运单号" jsonschema_extras:"x-provides=waybill"`
	Carrier string `json:"carrier" jsonschema:"title=快递公司"`
	Urged   int    `json:"urged" jsonschema:"title=已催次数"`
	At      string `json:"urged_at" jsonschema:"title=催件时间"`
}

func (s *Shop) logisticsTools() []tools.Tool {
	return []tools.Tool{
		look(s, bus.Card{
			Name:        "track_shipment",
			Description: "查询一个订单的物流：运单号、轨迹、是否签收、停滞多久。 Track the shipment of an order: waybill, events, delivery.",
			Tags:        []string{"logistics", "物流", "track", "快递", "到哪了", "where is my parcel"},
		}, s.track),
		s.listParcels(),
		look(s, bus.Card{
			Name:        "late_shipments",
			Description: "列出超时、逾期的订单：付款后超过48小时还没有发出，或发晚了；也列出发货即将到期、快要超时的订单。 List overdue orders: not shipped within 48 hours of payment, or shipped late.",
			Tags:        []string{"logistics", "物流", "late", "overdue", "超时", "逾期", "晚发货", "发货晚了", "发货迟了", "发货太慢", "延迟发货", "delayed", "late orders", "late parcels", "late packages", "即将到期", "快超时", "due soon"},
		}, s.late),
		change(s, bus.Card{
			Name:        "ship_order",
			Description: "给一个待发货的订单发货，登记快递公司和运单号，三者都要给出。 Ship an order: order id, carrier and waybill are all needed.",
			Effect:      bus.Idempotent, Approval: "ask", Tags: []string{"logistics", "物流", "ship", "发货"},
		}, s.ship),
		change(s, bus.Card{
			Name:        "urge_shipment",
			Description: "催促快递公司尽快派送一个已发货而未签收的订单。 Urge the carrier to deliver an order.",
			Effect:      bus.Idempotent, Approval: "ask", Tags: []string{"logistics", "物流", "urge", "催件", "催快递", "催物流"},
		}, s.urge),
	}
}

func (s *Shop) track(ctx context.Context, tx *sql.Tx, q track) (tracked, error) {
	t := tracked{}
	if q.OrderID == "" && q.Waybill == "" {
		return t, refuse("请给出订单编号或运单号",
			"give an order number or a waybill number")
	}
	err := tx.QueryRowContext(ctx, `SELECT order_id, waybill, carrier, shipped_at, coalesce(delivered_at, ''), urged FROM shipments
		WHERE (?1 = '' OR order_id = ?1) AND (?2 = '' OR waybill = ?2)`, q.OrderID, q.Waybill).
		Scan(&t.OrderID, &t.Waybill, &t.Carrier, &t.Shipped, &t.Delivered, &t.Urged)
	if errors.Is(err, sql.ErrNoRows) {
		return t, notShipped(ctx, tx, q)
	} else if err != nil {
		return t, err
	}
	t.Events, err = rows(ctx, tx, func(r *sql.Rows) (e event, err error) { err = r.Scan(&e.At, &e.Place, &e.Event); return e, err },
		`SELECT at, place, event FROM tracking WHERE waybill = ? ORDER BY at, rowid`, t.Waybill)
	if err != nil {
		return t, err
	}
	lastAt := t.Shipped
	t.Last = "已发货"
	if n := len(t.Events); n > 0 {
		e := t.Events[n-1]
		lastAt, t.Last = e.At, fmt.Sprintf("%s %s %s", e.At, e.Place, e.Event)
	}
	if at, err := time.ParseInLocation(momentForm, lastAt, place); err == nil && t.Delivered == "" {
		t.IdleHours = digits(s.now().Sub(at).Hours(), 1)
	}
	return t, nil
}

// notShipped says why there is no shipment: no such order, or not yet shipped.
func notShipped(ctx context.Context, tx *sql.Tx, q track) error {
	if q.OrderID == "" {
		return refuse("没有运单 %.40q；可以改用订单编号查询",
			"there is no waybill %.40q; try the order number", q.Waybill)
	}
	state, _, err := stateOf(ctx, tx, q.OrderID)
	switch {
	case err != nil:
		return err
	case state == "已发货" || state == "已完成":
		return refuse("订单 %s 没有运单 %.40q；只给订单编号即可查到它的运单",
			"order %s has no waybill %.40q; the order number alone finds its own", q.OrderID, q.Waybill)
	}
	return refuse("订单 %s 的状态是 %s，还没有物流信息",
		"order %s is %s; nothing has been sent yet", q.OrderID, state)
}

func (s *Shop) late(ctx context.Context, tx *sql.Tx, q lateQuery) (lateOrders, error) {
	none := lateOrders{}
	kind, tense := q.Kind, Past
	switch kind {
	case "":
		kind = "未发货"
	case "即将到期":
		tense = Future
	}
	p, err := q.span.read(s.now(), tense, always)
	if err != nil {
		return none, err
	}
	today := midnight(s.now())
	switch {
	case kind == "即将到期" && p.Days() > 1 && daysBetween(today, p.From) == 1: // the next days begin tomorrow, and mean from now on
		p.From = today
	case q.Kind == "" && p.To.Before(today): // what was late then has mostly been shipped since
		kind = "全部"
	}
	const late = ` FROM orders o JOIN customers c USING (customer_id) LEFT JOIN shipments s USING (order_id)
		WHERE iif(:kind = '即将到期', o.ship_by >= :now AND o.state = '待发货', o.ship_by < coalesce(s.shipped_at, :now) AND o.state IN ('待发货', '已发货', '已完成'))
		AND (:kind = '全部' OR (:kind IN ('未发货', '即将到期')) = (s.waybill IS NULL)) AND o.ship_by >= :from AND o.ship_by < :until AND instr(c.city, :city) > 0`
	args := []any{
		sql.Named("now", s.moment()), sql.Named("kind", kind), sql.Named("from", p.From.Format(dayForm)),
		sql.Named("until", p.To.AddDate(0, 0, 1).Format(dayForm)), sql.Named("limit", q.length.rows()), sql.Named("city", strings.TrimSpace(q.City)),
	}
	found := lateOrders{during: p, kind: kind}
	if err := tx.QueryRowContext(ctx, `SELECT count(*)`+late, args...).Scan(&found.Count); err != nil {
		return none, err
	}
	found.Orders, err = rows(ctx, tx, func(r *sql.Rows) (o lateOrder, err error) {
		var total int64
		err = r.Scan(&o.OrderID, &o.Consumer, &o.State, &o.ShipBy, &o.Shipped, &o.Hours, &total, &o.City)
		o.Hours, o.Total = digits(o.Hours, 1), yuan(total)
		return o, err
	}, `SELECT o.order_id, c.name, o.state, o.ship_by, coalesce(s.shipped_at, ''), (julianday(coalesce(s.shipped_at, :now)) - julianday(o.ship_by)) * 24 AS hours,
		o.total_fen, c.city`+late+` ORDER BY hours DESC, o.order_id LIMIT :limit`, args...)
	return found, err
}

func (s *Shop) ship(ctx context.Context, tx *sql.Tx, q shipOrder) (shipped, error) {
	none := shipped{}
	state, _, err := stateOf(ctx, tx, q.OrderID)
	if err != nil {
		return none, err
	}
	if state != "待发货" {
		return none, refuse("订单 %s 的状态是 %s，只有待发货的订单可以发货",
			"order %s is %s; only one that awaits shipment can be shipped", q.OrderID, state)
	}
	carrier, waybill := strings.TrimSpace(q.Carrier), strings.TrimSpace(q.Waybill)
	if carrier == "" || waybill == "" {
		return none, refuse("发货要说明快递公司和运单号",
			"to ship, name the carrier and the waybill number")
	}
	var other string
	switch err := tx.QueryRowContext(ctx, `SELECT order_id FROM shipments WHERE waybill = ?`, waybill).Scan(&other); {
	case err == nil:
		return none, refuse("运单号 %s 已经用于订单 %s，请核对",
			"waybill %s is that of order %s already; please check it", waybill, other)
	case !errors.Is(err, sql.ErrNoRows):
		return none, err
	}
	now := s.moment()
	done := shipped{OrderID: q.OrderID, State: "已发货", Waybill: waybill, Carrier: carrier}
	if err := tx.QueryRowContext(ctx, `UPDATE orders SET state = '已发货' WHERE order_id = ? RETURNING coalesce(ship_by < ?, 0)`, q.OrderID, now).Scan(&done.Late); err != nil {
		return none, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO shipments (waybill, order_id, carrier, shipped_at) VALUES (?, ?, ?, ?)`, waybill, q.OrderID, carrier, now)
	return done, err
}

func (s *Shop) urge(ctx context.Context, tx *sql.Tx, q oneOrder) (urged, error) {
	none := urged{}
	t, err := s.track(ctx, tx, track{OrderID: q.OrderID})
	if err != nil {
		return none, err
	}
	if t.Delivered != "" {
		return none, refuse("订单 %s 已于 %s 签收，不需要催",
			"order %s was received at %s; there is nothing to hurry", q.OrderID, t.Delivered)
	}
	u := urged{OrderID: q.OrderID, Waybill: t.Waybill, Carrier: t.Carrier, At: s.moment()}
	err = tx.QueryRowContext(ctx, `UPDATE shipments SET urged = urged + 1, urged_at = ? WHERE waybill = ? RETURNING urged`, u.At, u.Waybill).Scan(&u.Urged)
	return u, err
}
