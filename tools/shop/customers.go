package shop

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/invopop/jsonschema"
)

type customerQuery struct {
	span
	Consumer string `json:"consumer_name,omitempty" jsonschema:"title=客户姓名" jsonschema_description:"客户姓名" jsonschema_extras:"x-needs=consumer_name"`
	UserPin  string `json:"user_pin,omitempty" jsonschema:"title=下单账号" jsonschema_description:"下单账号，通常由客户姓名+数字或纯英文组成" jsonschema_extras:"x-needs=user_pin"`
	Phone    string `json:"consumer_mobile_phone,omitempty" jsonschema:"title=客户电话" jsonschema_description:"11位手机号码，可带+86" jsonschema_extras:"x-needs=consumer_mobile_phone"`
	City     string `json:"city,omitempty" jsonschema:"title=城市" jsonschema_description:"客户所在的省市，例如 杭州"`
	Category string `json:"category,omitempty" jsonschema:"title=买过的类目" jsonschema_description:"只要买过这个类目的客户" jsonschema_extras:"x-needs=category"`
	Product  string `json:"sku_name,omitempty" jsonschema:"title=买过的商品" jsonschema_description:"只要买过这个商品的客户：谁买了、哪些人买过" jsonschema_extras:"x-needs=sku_name"`
	Kind     string `json:"kind,omitempty" jsonschema:"title=新老客户,enum=新客,enum=回头客,enum=多次购买,enum=只买一次,enum=没下单,enum=new,enum=returning,enum=repeat,enum=one-time,enum=lapsed" jsonschema_description:"不填为全部，新客与回头客的人数总会给出；没下单是这段时间一单也没有买的，没有时间段则是从没买过的；带类目或商品时，没有时间段是从没买过它的，有时间段是买过它而这段时间没有下单的"`
	Sort     string `json:"sort,omitempty" jsonschema:"title=排序,enum=消费金额,enum=订单数,enum=最近下单,enum=客单价,enum=spending,enum=orders,enum=recent,enum=average order" jsonschema_description:"问消费最多、花钱最多、大客户选消费金额（默认）；问下单次数最多选订单数；问最近下过单的选最近下单；问客单价最高选客单价"`
	length
}

func (q *customerQuery) understand() {
	q.City, q.Category, q.Product = chinese(q.City), chinese(q.Category), chineseWithin(q.Product)
	if zh, ok := map[string]string{"spending": "消费金额", "orders": "订单数", "recent": "最近下单", "average order": "客单价"}[q.Sort]; ok {
		q.Sort = zh
	}
	if zh, ok := map[string]string{"new": "新客", "returning": "回头客", "repeat": "多次购买", "one-time": "只买一次", "lapsed": "没下单"}[q.Kind]; ok {
		q.Kind = zh
	}
}

type customerList struct {
	told
	Count     int        `json:"count" jsonschema:"title=客户数"`
	New       int        `json:"new" jsonschema:"title=新客数" jsonschema_description:"第一次下单在这段时间的；没有时间段则是只下过一单的"`
	Again     int        `json:"returning" jsonschema:"title=回头客数" jsonschema_description:"这段时间下过单、以前也下过的；没有时间段则是下过两单以上的"`
	Rate      float64    `json:"returning_percent" jsonschema:"title=复购率（%）" jsonschema_description:"回头客占下过单的客户的比例，%"`
	Customers []customer `json:"customers" jsonschema:"title=客户" jsonschema_description:"按排序，不填则消费最多的在前；不填 limit 则最多20位"`

	during Period
	near   []string // customers of a like name, when there are none
	named  bool     // somebody was named: his kind is told, and no condition
}

type customer struct {
	Name   string  `json:"consumer_name" jsonschema:"title=客户姓名" jsonschema_extras:"x-provides=consumer_name"`
	City   string  `json:"city" jsonschema:"title=城市"`
	Orders int     `json:"orders" jsonschema:"title=订单数" jsonschema_description:"已付款且没有取消的订单；说了商品、类目时只算有它的"`
	Spent  float64 `json:"spent" jsonschema:"title=消费金额" jsonschema_description:"元"`
	Mean   float64 `json:"average_order" jsonschema:"title=客单价" jsonschema_description:"消费金额除以订单数，元"`
	Last   string  `json:"last_order_at,omitempty" jsonschema:"title=最近下单"`
	Phone  string  `json:"consumer_mobile_phone" jsonschema:"title=客户电话" jsonschema_extras:"x-provides=consumer_mobile_phone"`
	Pin    string  `json:"user_pin" jsonschema:"title=下单账号" jsonschema_extras:"x-provides=user_pin"`
}

type message struct {
	Text    string `json:"text" jsonschema:"title=消息内容,minLength=1,maxLength=500" jsonschema_description:"发给买家的话，最多500字"`
	UserPin string `json:"user_pin,omitempty" jsonschema:"title=下单账号" jsonschema_description:"收消息的账号；与订单编号给一个即可" jsonschema_extras:"x-needs=user_pin"`
	OrderID string `json:"order_id,omitempty" jsonschema:"title=订单编号,pattern=^[0-9]{12}$" jsonschema_description:"发给这个订单的买家；与下单账号给一个即可" jsonschema_extras:"x-needs=order_id"`
}

// JSONSchemaExtend wants somebody to send to.
func (message) JSONSchemaExtend(s *jsonschema.Schema) { oneOf(s, "user_pin", "order_id") }

type sent struct {
	told
	Consumer  string `json:"consumer_name" jsonschema:"title=收信人" jsonschema_extras:"x-provides=consumer_name"`
	UserPin   string `json:"user_pin" jsonschema:"title=下单账号" jsonschema_extras:"x-provides=user_pin"`
	At        string `json:"sent_at" jsonschema:"title=发送时间"`
	MessageID int64  `json:"message_id" jsonschema:"title=消息编号"`
}

func (s *Shop) customerTools() []tools.Tool {
	return []tools.Tool{
		look(s, bus.Card{
			Name:        "find_customers",
			Description: "查找客户：按姓名、账号、电话、城市、下单时间，或按谁买了某个商品、类目，给出账号、电话、订单数与消费金额；消费最多、花钱最多的客户；新客与回头客。 Find customers or buyers by name, city or what they bought: who bought a product, top customers, the biggest spenders, those with the most orders; new and returning customers.",
			Tags:        []string{"orders", "customers", "客户", "find customers", "买家", "老客户", "会员", "客户名单", "顾客名单", "客户列表", "顾客", "customer list", "list of customers", "list customers", "谁买了", "who bought", "top customers", "消费最多", "下单最多的客户", "spends the most", "biggest spenders", "pays the most", "paid in all", "buyers", "新客", "新客户", "回头客", "复购", "复购率", "回购", "new customers", "returning customers", "repeat customers", "repurchase rate"},
		}, s.findCustomers),
		change(s, bus.Card{
			Name:        "send_message_to_buyer",
			Description: "给一个买家发一条店铺消息。要有下单账号或订单编号，和消息内容。 Send a message to a buyer: needs the account or the order, and the text.",
			Effect:      bus.Unsafe, Approval: "ask", Tags: []string{"orders", "customers", "客户", "message", "发消息", "通知买家", "联系买家"},
		}, s.send),
	}
}

func (s *Shop) findCustomers(ctx context.Context, tx *sql.Tx, q customerQuery) (customerList, error) {
	// One row a customer; paid orders in the period, and what came before it. first is his first order of all, which makes him new in its period.
	const who = `WITH bought AS (SELECT c.customer_id, c.name, c.user_pin, c.phone, c.city, count(o.order_id) AS orders, coalesce(sum(o.total_fen), 0) AS spent, coalesce(max(o.ordered_at), iif(:kind = '没下单', (SELECT max(e.ordered_at) FROM orders e WHERE e.customer_id = c.customer_id AND e.state IN ` + paidStates + `), ''), '') AS last,
			avg(o.total_fen) AS mean, (SELECT min(f.ordered_at) FROM orders f WHERE f.customer_id = c.customer_id AND f.state IN ` + paidStates + `) AS first,
			(SELECT count(*) FROM orders t WHERE t.customer_id = c.customer_id AND t.state IN ` + paidStates + `) AS ever
		FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id AND o.state IN ` + paidStates + ` AND o.ordered_at >= :from AND o.ordered_at < :until
			AND (:skus = '[]' OR :kind = '没下单' AND NOT :ever OR o.order_id IN (SELECT order_id FROM order_items WHERE sku_id IN (SELECT value FROM json_each(:skus)))) -- who bought that, how often, and then
		WHERE (:people = '[]' OR c.name IN (SELECT value FROM json_each(:people))) AND (:pin = '' OR c.user_pin = :pin) AND (:phone = '' OR c.phone = :phone) AND instr(c.city, :city) > 0
		AND (:skus = '[]' OR :kind = '没下单' AND :ever OR c.customer_id IN (SELECT x.customer_id FROM order_items i CROSS JOIN orders x USING (order_id)
			WHERE i.sku_id IN (SELECT value FROM json_each(:skus)) AND x.state IN ` + paidStates + `))
		AND (:ever OR :kind = '没下单' OR o.order_id IS NOT NULL)
		GROUP BY c.customer_id),
		kinds AS (SELECT *, iif(:ever, ever = 1, orders > 0 AND first >= :from) AS new, iif(:ever, ever > 1, orders > 0 AND first < :from) AS again FROM bought)`
	const where = ` FROM kinds WHERE CASE :kind WHEN '新客' THEN new WHEN '回头客' THEN again WHEN '多次购买' THEN orders > 1 WHEN '只买一次' THEN orders = 1 WHEN '没下单' THEN orders = 0 ELSE 1 END`
	found := customerList{}
	p, err := q.span.read(s.now(), Past, always)
	if err != nil {
		return found, err
	}
	if today := midnight(s.now()); q.Kind == "没下单" && !p.To.Before(today.AddDate(0, 0, -1)) { // who bought today has bought lately
		p.To = later(p.To, today)
	}
	found.during = p
	bought, err := goods{Category: q.Category, Name: q.Product}.only(ctx, tx)
	if err != nil {
		return found, err
	}
	named, err := people(ctx, tx, q.Consumer)
	if err != nil {
		return found, err
	}
	kind := q.Kind
	if found.named = len(named) > 0 || q.UserPin != "" || q.Phone != ""; found.named {
		kind = ""
	}
	args := []any{
		sql.Named("people", list(named)), sql.Named("pin", strings.TrimSpace(q.UserPin)), sql.Named("phone", plainPhone(q.Phone)),
		sql.Named("city", strings.TrimSpace(q.City)), sql.Named("skus", bought), sql.Named("sort", q.Sort), sql.Named("ever", p == always), sql.Named("kind", kind),
		sql.Named("from", p.From.Format(dayForm)), sql.Named("until", p.To.AddDate(0, 0, 1).Format(dayForm)), sql.Named("limit", q.length.rows()),
	}
	var buyers int64
	if err := tx.QueryRowContext(ctx, who+`SELECT (SELECT count(*)`+where+`), coalesce(sum(new), 0), coalesce(sum(again), 0), coalesce(sum(orders > 0), 0) FROM kinds`, args...).
		Scan(&found.Count, &found.New, &found.Again, &buyers); err != nil {
		return found, err
	}
	found.Rate = percentOf(int64(found.Again), buyers)
	found.Customers, err = rows(ctx, tx, func(r *sql.Rows) (c customer, err error) {
		var spent int64
		err = r.Scan(&c.Name, &c.Pin, &c.Phone, &c.City, &c.Orders, &spent, &c.Last)
		if c.Spent = yuan(spent); c.Orders > 0 {
			c.Mean = digits(c.Spent/float64(c.Orders), 2)
		}
		return c, err
	}, who+`SELECT name, user_pin, phone, city, orders, spent, last`+where+
		` ORDER BY CASE :sort WHEN '订单数' THEN orders WHEN '最近下单' THEN last WHEN '客单价' THEN coalesce(mean, 0) ELSE iif(:kind = '没下单', last, spent) END DESC, spent DESC, customer_id LIMIT :limit`, args...)
	if err == nil && found.Count == 0 && q.Consumer != "" {
		found.near, err = nearNames(ctx, tx, q.Consumer)
	}
	return found, err
}

// later is the later of two moments.
func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func (s *Shop) send(ctx context.Context, tx *sql.Tx, q message) (sent, error) {
	none := sent{}
	text := strings.TrimSpace(q.Text)
	switch n := len([]rune(text)); {
	case n == 0 || n > 500:
		return none, refuse("消息要有 1 到 500 个字，现在是 %d 个",
			"a message has 1 to 500 characters, not %d", n)
	case q.UserPin == "" && q.OrderID == "":
		return none, refuse("请说明发给谁：下单账号或订单编号",
			"say to whom: the buyer's account or an order number")
	}
	var order any
	if q.OrderID != "" {
		if _, _, err := stateOf(ctx, tx, q.OrderID); err != nil {
			return none, err
		}
		order = q.OrderID
	}
	var to int64
	m := sent{At: s.moment()}
	err := tx.QueryRowContext(ctx, `SELECT c.customer_id, c.name, c.user_pin FROM customers c WHERE (?1 = '' OR c.user_pin = ?1)
		AND (?2 = '' OR c.customer_id = (SELECT customer_id FROM orders WHERE order_id = ?2))`, q.UserPin, q.OrderID).Scan(&to, &m.Consumer, &m.UserPin)
	if errors.Is(err, sql.ErrNoRows) {
		if q.OrderID != "" {
			return none, refuse("账号 %.40q 不是订单 %s 的买家；只给订单编号就会发给它的买家",
				"the account %.40q is not that of the buyer of order %s; with the order number alone it goes to its buyer", q.UserPin, q.OrderID)
		}
		return none, refuse("没有账号 %.40q；可以先按姓名或电话查找客户的账号",
			"there is no account %.40q; look customers up by name or phone to find it", q.UserPin)
	} else if err != nil {
		return none, err
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO messages (customer_id, order_id, text, sent_at) VALUES (?, ?, ?, ?) RETURNING message_id`, to, order, text, m.At).Scan(&m.MessageID)
	return m, err
}
