package shop

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// search are the arguments of search_order_code, worded as the article words them.
type search struct {
	OrderID  string `json:"order_id,omitempty" jsonschema:"title=订单编号,pattern=^[0-9]{12}$" jsonschema_description:"订单编号:12位纯数字,用于记录订单的唯一标识" jsonschema_extras:"x-needs=order_id"`
	Consumer string `json:"consumer_name,omitempty" jsonschema:"title=客户姓名" jsonschema_description:"客户姓名:用户姓名、买家姓名、收件人、收货人、顾客、客户等" jsonschema_extras:"x-needs=consumer_name"`
	UserPin  string `json:"user_pin,omitempty" jsonschema:"title=下单账号" jsonschema_description:"下单账号:下单账户、买家pin,买家、顾客、用户等,通常由客户姓名+数字或纯英文组成" jsonschema_extras:"x-needs=user_pin"`
	SKU      string `json:"sku_id,omitempty" jsonschema:"title=商品编号,pattern=^[0-9]{14}$" jsonschema_description:"商品编号:14位纯数字信息," jsonschema_extras:"x-needs=sku_id"`
	SKUName  string `json:"sku_name,omitempty" jsonschema:"title=商品名称" jsonschema_description:"商品名称:商品信息的描述,可能携带品牌信息或商品具体属性" jsonschema_extras:"x-needs=sku_name"`
	Phone    string `json:"consumer_mobile_phone,omitempty" jsonschema:"title=客户电话,pattern=^([+]?86[ -]?)?1[0-9]{10}$|^400[ -]?[0-9]{3}[ -]?[0-9]{4}$" jsonschema_description:"客户电话:用户手机号码,11位纯数字信息,可能会以区号+86,400等开头。" jsonschema_extras:"x-needs=consumer_mobile_phone"`
	Keys     string `json:"search_keys,omitempty" jsonschema:"title=查询目标,enum=商品,enum=订单" jsonschema_description:"用户希望查询的目标,枚举值只能从[商品、订单]中选择。若用户希望查询的是订单中的商品id、商品名称、商品详情等,枚举值为商品;若用户希望查询的目标是订单编号、订单数量等,枚举值为订单。"`
}

// understand takes an English word for a product.
func (q *search) understand() { q.SKUName = chineseWithin(q.SKUName) }

// found is what search_order_code answers: the orders, or the products in them.
type found struct {
	told
	Count  int       `json:"count" jsonschema:"title=数量" jsonschema_description:"符合条件的订单数（查商品时为商品数），是全部的数量，不只是列出的"`
	Orders []brief   `json:"orders,omitempty" jsonschema:"title=订单" jsonschema_description:"最新的订单在前，最多20个"`
	Goods  []ordered `json:"products,omitempty" jsonschema:"title=商品" jsonschema_description:"这些订单里的商品，买得最多的在前，最多20个"`

	who         []string // the names that the customer's name stood for
	near        []string // customers of a like name, when there are no orders
	first, last string   // days of the oldest and newest order
	paid        float64  // yuan, of the orders that are paid and not cancelled
	unpaid      int      // orders left out of it
	others      int      // orders of other buyers that go to who was asked for
	pieces      int      // of the products
	amount      float64  // yuan
}

type brief struct {
	OrderID  string  `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	Time     string  `json:"time" jsonschema:"title=下单时间"`
	State    string  `json:"state" jsonschema:"title=订单状态"`
	Consumer string  `json:"consumer_name" jsonschema:"title=买家" jsonschema_extras:"x-provides=consumer_name"`
	Goods    string  `json:"goods" jsonschema:"title=商品" jsonschema_description:"商品名称与件数"`
	Total    float64 `json:"total" jsonschema:"title=实付金额" jsonschema_description:"元"`
	Discount float64 `json:"-"` // this and what follows is said in words, where it is asked for
	Freight  float64 `json:"-"`
	Pieces   int     `json:"-"`
	City     string  `json:"city" jsonschema:"title=城市" jsonschema_description:"买家所在的城市"`
	UserPin  string  `json:"user_pin" jsonschema:"title=下单账号" jsonschema_extras:"x-provides=user_pin"`
}

type ordered struct {
	Name     string  `json:"sku_name" jsonschema:"title=商品名称" jsonschema_extras:"x-provides=sku_name"`
	Orders   int     `json:"orders" jsonschema:"title=订单数"`
	Quantity int     `json:"quantity" jsonschema:"title=件数"`
	Amount   float64 `json:"amount" jsonschema:"title=金额" jsonschema_description:"商品金额合计，元"`
	SKU      string  `json:"sku_id" jsonschema:"title=商品编号" jsonschema_extras:"x-provides=sku_id"`
}

// matching picks the orders of a search: every field given must agree. It is a constant; the fields are bound by name. A product name
// agrees when it is part of the product's name or category, with or without the brand before it.
const matching = ` FROM orders o JOIN customers c USING (customer_id)
	WHERE (:order_id = '' OR o.order_id = :order_id)
	AND (:people = '[]' OR c.name IN (SELECT value FROM json_each(:people)) OR o.receiver IN (SELECT value FROM json_each(:people)))
	AND (:pin = '' OR c.user_pin = :pin)
	AND (:phone = '' OR c.phone = :phone OR o.phone = :phone)
	AND (:goods = '' OR EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = o.order_id AND i.sku_id IN (SELECT value FROM json_each(:goods))))`

func (s *Shop) orderTools() []tools.Tool {
	return []tools.Tool{
		look(s, bus.Card{
			Name:        "search_order_code",
			Description: "该工具用于根据用户提供的信息(如订单编号、下单时间、下单账号等)查询订单的详细信息,包括商品详情与订单详情。",
			Tags:        []string{"orders", "订单", "search orders", "how many orders", "buyer", "多少订单", "买了什么", "统计客户的订单", "count the orders made by a customer"},
		}, searchOrders),
		look(s, bus.Card{
			Name:        "order_detail",
			Description: "查看一个订单的全部信息：状态、商品、金额、收货人与地址、物流、发票、退款。 Show one order in full, everything about it: its status, items, money, address, shipment, invoice, refunds.",
			Tags:        []string{"orders", "订单", "order detail"},
		}, orderDetail),
		s.listOrders(),
	}
}

func searchOrders(ctx context.Context, tx *sql.Tx, q search) (found, error) {
	who, err := people(ctx, tx, q.Consumer)
	if err != nil {
		return found{}, err
	}
	meant := "" // any
	if q.SKU+strings.TrimSpace(q.SKUName) != "" {
		all, err := goods{Name: q.SKUName, SKU: q.SKU}.all(ctx, tx)
		if err != nil {
			return found{}, err
		}
		meant = skus(all)
	}
	args := []any{
		sql.Named("order_id", q.OrderID), sql.Named("people", list(who)), sql.Named("pin", strings.TrimSpace(q.UserPin)),
		sql.Named("phone", plainPhone(q.Phone)), sql.Named("goods", meant), sql.Named("limit", listed), sql.Named("sort", ""),
	}
	var f found
	if q.Keys == "商品" {
		f, err = orderedGoods(ctx, tx, args)
	} else {
		f, err = briefs(ctx, tx, matching, args)
	}
	if err != nil {
		return found{}, err
	}
	if q.Consumer != "" {
		if err := tx.QueryRowContext(ctx, `SELECT count(*)`+matching+` AND c.name NOT IN (SELECT value FROM json_each(:people))`, args...).Scan(&f.others); err != nil {
			return found{}, err
		}
	}
	if f.who = who; f.Count == 0 && q.Consumer != "" {
		f.near, err = nearNames(ctx, tx, q.Consumer)
	}
	return f, err
}

// briefs reads the orders o of buyers c that a constant FROM and WHERE picks: the first :limit of them by :sort, and figures of all.
func briefs(ctx context.Context, tx *sql.Tx, matching string, args []any) (f found, err error) {
	var paid int64
	if err := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(min(substr(o.ordered_at, 1, 10)), ''), coalesce(max(substr(o.ordered_at, 1, 10)), ''),
		coalesce(sum(iif(o.state IN ('待付款', '已取消'), 0, o.total_fen)), 0), coalesce(sum(o.state IN ('待付款', '已取消')), 0)`+matching, args...).
		Scan(&f.Count, &f.first, &f.last, &paid, &f.unpaid); err != nil {
		return f, err
	}
	f.paid = yuan(paid)
	f.Orders, err = rows(ctx, tx, func(r *sql.Rows) (b brief, err error) {
		var total, discount, freight int64
		err = r.Scan(&b.OrderID, &b.Time, &b.State, &b.Consumer, &b.UserPin, &b.City, &total, &discount, &freight, &b.Goods, &b.Pieces)
		b.Total, b.Discount, b.Freight = yuan(total), yuan(discount), yuan(freight)
		return b, err
	}, `WITH first AS (SELECT o.order_id, o.ordered_at, o.state, c.name, c.user_pin, c.city, o.total_fen, o.discount_fen, o.freight_fen`+matching+` ORDER BY `+bySort+` LIMIT :limit)
		SELECT o.*, (SELECT group_concat(p.name || ' ×' || i.quantity, '；') FROM order_items i JOIN products p USING (sku_id) WHERE i.order_id = o.order_id),
			(SELECT sum(i.quantity) FROM order_items i WHERE i.order_id = o.order_id)
		FROM first o ORDER BY `+bySort, args...)
	return f, err
}

// bySort puts orders o in the order that :sort names; without one the newest come first.
const bySort = `CASE :sort WHEN '最贵' THEN -o.total_fen WHEN '最便宜' THEN o.total_fen WHEN '优惠最多' THEN -o.discount_fen WHEN '运费最高' THEN -o.freight_fen
	WHEN '件数最多' THEN -(SELECT sum(i.quantity) FROM order_items i WHERE i.order_id = o.order_id) WHEN '最早' THEN o.ordered_at END, o.ordered_at DESC, o.order_id DESC`

func orderedGoods(ctx context.Context, tx *sql.Tx, args []any) (f found, err error) {
	// The products asked for, not all that was bought together with them.
	in := ` FROM order_items i JOIN products p USING (sku_id) WHERE (:goods = '' OR i.sku_id IN (SELECT value FROM json_each(:goods))) AND i.order_id IN (SELECT o.order_id` + matching + `)`
	var amount int64
	if err := tx.QueryRowContext(ctx, `SELECT count(DISTINCT i.sku_id), coalesce(sum(i.quantity), 0), coalesce(sum(i.quantity * i.price_fen), 0)`+in, args...).
		Scan(&f.Count, &f.pieces, &amount); err != nil {
		return f, err
	}
	f.amount = yuan(amount)
	f.Goods, err = rows(ctx, tx, func(r *sql.Rows) (g ordered, err error) {
		var amount int64
		err = r.Scan(&g.SKU, &g.Name, &g.Orders, &g.Quantity, &amount)
		g.Amount = yuan(amount)
		return g, err
	}, `SELECT p.sku_id, p.name, count(*), sum(i.quantity), sum(i.quantity * i.price_fen)`+in+
		` GROUP BY p.sku_id ORDER BY sum(i.quantity) DESC, p.sku_id LIMIT :limit`, args...)
	return f, err
}

// nearNames are up to five customers' names that share the most characters with a name, at least half of its characters.
func nearNames(ctx context.Context, tx *sql.Tx, name string) ([]string, error) {
	all, err := rows(ctx, tx, func(r *sql.Rows) (n string, err error) { err = r.Scan(&n); return n, err },
		`SELECT DISTINCT name FROM customers WHERE instr(:name, substr(name, 1, 1)) > 0 OR instr(:name, substr(name, -1)) > 0 ORDER BY name`, sql.Named("name", name))
	if err != nil {
		return nil, err
	}
	return nearest(name, all, 5), nil
}

// plainPhone drops the country code, spaces and dashes of a phone number.
func plainPhone(phone string) string {
	plain := strings.NewReplacer(" ", "", "-", "").Replace(phone)
	if rest := strings.TrimPrefix(strings.TrimPrefix(plain, "+"), "86"); len(rest) == 11 {
		return rest
	}
	return plain
}

// oneOrder names an order.
type oneOrder struct {
	OrderID string `json:"order_id" jsonschema:"title=订单编号,pattern=^[0-9]{12}$" jsonschema_description:"12位数字" jsonschema_extras:"x-needs=order_id"`
}

type detail struct {
	told
	OrderID  string      `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	State    string      `json:"state" jsonschema:"title=订单状态"`
	Time     string      `json:"time" jsonschema:"title=下单时间"`
	Consumer string      `json:"consumer_name" jsonschema:"title=买家" jsonschema_extras:"x-provides=consumer_name"`
	Total    float64     `json:"total" jsonschema:"title=实付金额" jsonschema_description:"元"`
	Items    []orderItem `json:"items" jsonschema:"title=商品"`
	Receiver string      `json:"receiver" jsonschema:"title=收货人"`
	Phone    string      `json:"phone" jsonschema:"title=收货电话"`
	Address  string      `json:"address" jsonschema:"title=收货地址"`
	Note     string      `json:"note,omitempty" jsonschema:"title=商家备注"`
	Paid     string      `json:"paid_at,omitempty" jsonschema:"title=付款时间"`
	ShipBy   string      `json:"ship_by,omitempty" jsonschema:"title=最晚发货时间"`
	Carrier  string      `json:"carrier,omitempty" jsonschema:"title=快递公司"`
	Waybill  string      `json:"waybill,omitempty" jsonschema:"title=运单号" jsonschema_extras:"x-provides=waybill"`
	Invoice  string      `json:"invoice,omitempty" jsonschema:"title=发票状态"`
	Goods    float64     `json:"goods" jsonschema:"title=商品金额" jsonschema_description:"元"`
	Discount float64     `json:"discount" jsonschema:"title=优惠" jsonschema_description:"元"`
	Freight  float64     `json:"freight" jsonschema:"title=运费" jsonschema_description:"元"`
	Refunds  []refund    `json:"refunds,omitempty" jsonschema:"title=退款申请"`
	UserPin  string      `json:"user_pin" jsonschema:"title=下单账号" jsonschema_extras:"x-provides=user_pin"`
}

type orderItem struct {
	Name     string  `json:"sku_name" jsonschema:"title=商品名称" jsonschema_extras:"x-provides=sku_name"`
	Quantity int     `json:"quantity" jsonschema:"title=件数"`
	Price    float64 `json:"price" jsonschema:"title=单价" jsonschema_description:"元"`
	SKU      string  `json:"sku_id" jsonschema:"title=商品编号" jsonschema_extras:"x-provides=sku_id"`
}

func orderDetail(ctx context.Context, tx *sql.Tx, q oneOrder) (detail, error) {
	d := detail{OrderID: q.OrderID}
	var goods, discount, freight, total int64
	err := tx.QueryRowContext(ctx, `SELECT o.state, o.ordered_at, coalesce(o.paid_at, ''), coalesce(o.ship_by, ''), c.name, c.user_pin, o.receiver, o.phone,
		o.address, o.goods_fen, o.discount_fen, o.freight_fen, o.total_fen, o.note, coalesce(s.waybill, ''), coalesce(s.carrier, ''), coalesce(v.state, '')
		FROM orders o JOIN customers c USING (customer_id) LEFT JOIN shipments s USING (order_id) LEFT JOIN invoices v USING (order_id)
		WHERE o.order_id = ?`, q.OrderID).Scan(&d.State, &d.Time, &d.Paid, &d.ShipBy, &d.Consumer, &d.UserPin, &d.Receiver, &d.Phone,
		&d.Address, &goods, &discount, &freight, &total, &d.Note, &d.Waybill, &d.Carrier, &d.Invoice)
	if err != nil {
		return d, noOrder(err, q.OrderID)
	}
	d.Goods, d.Discount, d.Freight, d.Total = yuan(goods), yuan(discount), yuan(freight), yuan(total)
	d.Items, err = rows(ctx, tx, func(r *sql.Rows) (i orderItem, err error) {
		var price int64
		err = r.Scan(&i.SKU, &i.Name, &i.Quantity, &price)
		i.Price = yuan(price)
		return i, err
	}, `SELECT p.sku_id, p.name, i.quantity, i.price_fen FROM order_items i JOIN products p USING (sku_id) WHERE i.order_id = ? ORDER BY p.sku_id`, q.OrderID)
	if err != nil {
		return d, err
	}
	d.Refunds, err = rows(ctx, tx, scanRefund, refundColumns+` WHERE r.order_id = ? ORDER BY r.asked_at`, q.OrderID)
	return d, err
}

// noOrder words "no rows" of a look-up by order number.
func noOrder(err error, id string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return refuse("没有订单 %.40q；订单编号是12位数字，可以先按客户、电话或商品查找订单",
			"there is no order %.40q; an order number has 12 digits, look orders up by customer, phone or product to find it", id)
	}
	return err
}
