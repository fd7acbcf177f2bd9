package shop

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

type orderQuery struct {
	span
	daytime
	State    string  `json:"state,omitempty" jsonschema:"title=订单状态,enum=待付款,enum=待发货,enum=已发货,enum=已完成,enum=已取消,enum=已付款,enum=未付款,enum=没付款,enum=未发货,enum=没发货,enum=未完成,enum=未签收,enum=未退款,enum=未开票,enum=unpaid,enum=awaiting payment,enum=paid,enum=unshipped,enum=awaiting shipment,enum=to be shipped,enum=waiting to ship,enum=waiting for shipment,enum=waiting for payment,enum=shipped,enum=completed,enum=not completed,enum=not delivered,enum=not refunded,enum=not invoiced,enum=cancelled,enum=canceled" jsonschema_description:"不填为全部状态；已付款包括待发货、已发货与已完成；未完成是待付款、待发货与已发货；未签收是付了款而买家还没有收到的；未退款是付了款而没有退过钱的；未开票是付了款而还没有开发票的"`
	Category string  `json:"category,omitempty" jsonschema:"title=类目" jsonschema_description:"只要有这个类目商品的订单" jsonschema_extras:"x-needs=category"`
	Name     string  `json:"sku_name,omitempty" jsonschema:"title=商品名称" jsonschema_description:"只要有这个商品的订单" jsonschema_extras:"x-needs=sku_name"`
	City     string  `json:"city,omitempty" jsonschema:"title=城市" jsonschema_description:"买家所在的省市"`
	Consumer string  `json:"consumer_name,omitempty" jsonschema:"title=客户姓名" jsonschema_description:"只要这个客户在这段时间、这种状态的订单" jsonschema_extras:"x-needs=consumer_name"`
	Sort     string  `json:"sort,omitempty" jsonschema:"title=排序,enum=最新,enum=最早,enum=最贵,enum=最便宜,enum=优惠最多,enum=运费最高,enum=件数最多,enum=newest,enum=oldest,enum=most expensive,enum=cheapest,enum=biggest discount,enum=highest freight,enum=most pieces" jsonschema_description:"列表的顺序，不填为最新的在前"`
	By       string  `json:"by,omitempty" jsonschema:"title=统计方式,enum=日,enum=周,enum=月,enum=城市,enum=状态,enum=小时,enum=周几,enum=day,enum=week,enum=month,enum=city,enum=state,enum=hour,enum=weekday" jsonschema_description:"问哪天、哪周、哪个月、几点、周几、哪个城市、哪个省的订单多，或要各天、各时段、各地、各状态的订单数时填；填了就给出各组的数，不列出订单"`
	Least    float64 `json:"min_amount,omitempty" jsonschema:"title=金额下限,minimum=0,multipleOf=0.01" jsonschema_description:"元；订单金额从这个数起" jsonschema_extras:"x-limits=least"`
	Most     float64 `json:"max_amount,omitempty" jsonschema:"title=金额上限,minimum=0,multipleOf=0.01" jsonschema_description:"元；订单金额到这个数为止" jsonschema_extras:"x-limits=most"`
	Freight  string  `json:"freight_charged,omitempty" jsonschema:"title=是否收运费,enum=免运费,enum=付运费,enum=free shipping,enum=charged for shipping" jsonschema_description:"只在问包邮、免运费的订单，或付了运费的订单时填"`
	Reduced  string  `json:"discounted,omitempty" jsonschema:"title=是否有优惠,enum=有优惠,enum=没有优惠,enum=discounted,enum=without discount" jsonschema_description:"只在问打了折、有优惠的订单，或没有优惠的订单时填"`
	Few      int     `json:"min_pieces,omitempty" jsonschema:"title=件数下限,minimum=0,multipleOf=1" jsonschema_description:"一个订单里的商品件数从这个数起；说了类目、商品时只数它的" jsonschema_extras:"x-limits=least"`
	Many     int     `json:"max_pieces,omitempty" jsonschema:"title=件数上限,minimum=0,multipleOf=1" jsonschema_description:"一个订单里的商品件数到这个数为止；说了类目、商品时只数它的" jsonschema_extras:"x-limits=most"`
	length
}

// orderStates are other words for the states of orders, as they are said of orders only.
var orderStates = map[string]string{
	"未付款": "待付款", "没付款": "待付款", "unpaid": "待付款", "未发货": "待发货", "没发货": "待发货", "unshipped": "待发货", "to be shipped": "待发货", "waiting to ship": "待发货", "waiting for shipment": "待发货",
	"waiting for payment": "待付款",
	"paid":                "已付款", "canceled": "已取消",
}

func (q *orderQuery) understand() {
	q.daytime.understand()
	q.Category, q.Name, q.City = chinese(q.Category), chineseWithin(q.Name), chinese(q.City)
	if state, ok := orderStates[plain(q.State)]; ok {
		q.State = state
	}
	q.State, q.By = chinese(q.State), chinese(q.By)
	q.Freight, q.Reduced = chinese(q.Freight), chinese(q.Reduced)
	if sort, ok := listSorts[q.Sort]; ok {
		q.Sort = sort
	}
}

// listSorts are the English words for the order of a list.
var listSorts = map[string]string{"newest": "最新", "oldest": "最早", "most expensive": "最贵", "cheapest": "最便宜", "biggest discount": "优惠最多", "highest freight": "运费最高", "most pieces": "件数最多", "highest amount": "金额最高", "lowest amount": "金额最低", "slowest": "最慢", "fastest": "最快"}

type orderList struct {
	told
	Count   int          `json:"count" jsonschema:"title=订单数" jsonschema_description:"符合条件的全部订单，不只是列出的"`
	Total   float64      `json:"total" jsonschema:"title=订单金额合计" jsonschema_description:"元；未付款与已取消的也计入"`
	Paid    float64      `json:"paid" jsonschema:"title=实付合计" jsonschema_description:"元；已付款且没有取消的订单"`
	Saved   float64      `json:"discounts" jsonschema:"title=优惠合计" jsonschema_description:"元；已付款且没有取消的订单"`
	Postage float64      `json:"freights" jsonschema:"title=订单运费合计" jsonschema_description:"买家付的，元；已付款且没有取消的订单"`
	States  []stateCount `json:"states" jsonschema:"title=分状态"`
	Groups  []orderGroup `json:"groups,omitempty" jsonschema:"title=明细" jsonschema_description:"填了统计方式才有：日、周（以周一为名）、月、小时、周几从早到晚，其余订单多的在前"`
	Orders  []brief      `json:"orders,omitempty" jsonschema:"title=订单" jsonschema_description:"按排序，不填则最新的在前；不填 limit 则最多20个"`

	during Period
}

type stateCount struct {
	State string  `json:"state" jsonschema:"title=订单状态"`
	Count int     `json:"count" jsonschema:"title=订单数"`
	Total float64 `json:"total" jsonschema:"title=订单金额合计" jsonschema_description:"元"`
}

type orderGroup struct {
	Group string  `json:"group" jsonschema:"title=分组"`
	Count int     `json:"count" jsonschema:"title=订单数"`
	Total float64 `json:"total" jsonschema:"title=订单金额合计" jsonschema_description:"元"`
}

func (s *Shop) listOrders() tools.Tool {
	return look(s, bus.Card{
		Name: "list_orders",
		Description: "列出并统计一段时间、一种状态的订单：今天、昨天、最近七天的订单量，待发货的订单有哪些，有多少订单没付款；也可按商品、类目、城市；哪天、几点、哪个省市的订单最多，最贵的订单。 " +
			"List and count orders by date and state: how many orders today, yesterday or in the last days, unpaid orders, orders to be shipped; also by product, category or city; which day, hour or city has the most orders, the most expensive orders.",
		Tags: []string{"orders", "订单", "订单量", "订单数", "多少订单", "多少单", "几单", "几点的订单", "下单", "每个订单", "what time of day", "今天的订单", "待发货", "待付款", "没付款", "how many orders", "unpaid orders", "orders today", "买了什么", "买过什么", "what did they buy", "优惠最多的订单", "免运费的订单", "包邮的订单", "orders with free shipping", "付了多少运费", "shipping customers paid"},
	}, s.orders)
}

func (s *Shop) orders(ctx context.Context, tx *sql.Tx, q orderQuery) (orderList, error) {
	none := orderList{}
	p, err := q.span.read(s.now(), Past, always)
	if err != nil {
		return none, err
	}
	only, err := goods{Category: q.Category, Name: q.Name}.only(ctx, tx)
	if err != nil {
		return none, err
	}
	who, err := people(ctx, tx, q.Consumer)
	if err != nil {
		return none, err
	}
	const from = ` FROM orders o JOIN customers c USING (customer_id)
		WHERE CAST(substr(o.ordered_at, 12, 2) AS INTEGER) >= :hour AND CAST(substr(o.ordered_at, 12, 2) AS INTEGER) < :hours AND (:people = '[]' OR c.name IN (SELECT value FROM json_each(:people)) OR o.receiver IN (SELECT value FROM json_each(:people)))
		AND o.ordered_at >= :from AND o.ordered_at < :until AND instr(c.city, :city) > 0
		AND (:state = '' OR o.state = :state OR :state = '已付款' AND o.state IN ('待发货', '已发货', '已完成') OR :state = '未完成' AND o.state IN ('待付款', '待发货', '已发货')
			OR :state = '未签收' AND o.state IN ('待发货', '已发货') AND NOT EXISTS (SELECT 1 FROM shipments s WHERE s.order_id = o.order_id AND s.delivered_at IS NOT NULL)
			OR :state = '未退款' AND o.state IN ('待发货', '已发货', '已完成') AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.order_id AND r.state = '已同意')
			OR :state = '未开票' AND o.state IN ('待发货', '已发货', '已完成') AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.order_id = o.order_id AND i.state = '已开'))
		AND o.total_fen >= :least AND (:most = 0 OR o.total_fen <= :most)
		AND (:few + :many = 0 OR (SELECT sum(quantity) FROM order_items n WHERE n.order_id = o.order_id AND (:skus = '[]' OR n.sku_id IN (SELECT value FROM json_each(:skus)))) BETWEEN :few AND iif(:many = 0, 1000000, :many))
		AND (:freight = '' OR (:freight = '免运费') = (o.freight_fen = 0)) AND (:reduced = '' OR (:reduced = '有优惠') = (o.discount_fen > 0))
		AND (:skus = '[]' OR o.order_id IN (SELECT i.order_id FROM order_items i WHERE i.sku_id IN (SELECT value FROM json_each(:skus))))`
	hour, hours := q.hours()
	args := []any{
		sql.Named("hour", hour), sql.Named("hours", hours), sql.Named("from", p.From.Format(dayForm)), sql.Named("until", p.To.AddDate(0, 0, 1).Format(dayForm)), sql.Named("city", strings.TrimSpace(q.City)),
		sql.Named("state", q.State), sql.Named("skus", only), sql.Named("limit", q.length.rows()), sql.Named("people", list(who)), sql.Named("sort", q.Sort), sql.Named("by", q.By),
		sql.Named("least", fen(q.Least)), sql.Named("most", fen(q.Most)), sql.Named("few", q.Few), sql.Named("many", q.Many),
		sql.Named("freight", q.Freight), sql.Named("reduced", q.Reduced),
	}
	f, err := briefs(ctx, tx, from, args)
	if err != nil {
		return none, err
	}
	l := orderList{Count: f.Count, Paid: f.paid, Orders: f.Orders, during: p}
	var total, saved, postage int64
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(o.discount_fen), 0), coalesce(sum(o.freight_fen), 0) FROM orders o WHERE o.state IN `+paidStates+` AND o.order_id IN (SELECT o.order_id`+from+`)`, args...).
		Scan(&saved, &postage); err != nil {
		return none, err
	}
	l.Saved, l.Postage = yuan(saved), yuan(postage)
	l.States, err = rows(ctx, tx, func(r *sql.Rows) (c stateCount, err error) {
		var fen int64
		err = r.Scan(&c.State, &c.Count, &fen)
		c.Total, total = yuan(fen), total+fen
		return c, err
	}, `SELECT o.state, count(*), sum(o.total_fen)`+from+` GROUP BY o.state ORDER BY count(*) DESC, o.state`, args...)
	l.Total = yuan(total)
	if err != nil || q.By == "" {
		return l, err
	}
	l.Orders = nil
	l.Groups, err = rows(ctx, tx, func(r *sql.Rows) (g orderGroup, err error) {
		var fen int64
		err = r.Scan(&g.Group, &g.Count, &fen)
		g.Total = yuan(fen)
		return g, err
	}, `SELECT CASE :by WHEN '日' THEN substr(o.ordered_at, 1, 10) WHEN '周' THEN date(o.ordered_at, '-6 days', 'weekday 1') WHEN '月' THEN substr(o.ordered_at, 1, 7)
		WHEN '小时' THEN substr(o.ordered_at, 12, 2) || ':00' WHEN '周几' THEN substr('周日周一周二周三周四周五周六', 2 * strftime('%w', o.ordered_at) + 1, 2)
		WHEN '城市' THEN c.city ELSE o.state END AS label, count(*), sum(o.total_fen)`+from+`
		GROUP BY label ORDER BY CASE WHEN :by = '周几' THEN min((strftime('%w', o.ordered_at) + 6) % 7) WHEN :by IN ('城市', '状态') THEN -count(*) END, label`, args...)
	return l, err
}

func (l *orderList) tell(q orderQuery) {
	zh, en := conditions(by("客户", "customer", q.Consumer), during(l.during), q.daytime.condition(), by("状态", "state", q.State), by("类目", "category", q.Category), by("商品", "product", q.Name), by("城市", "city", q.City), condition{q.Freight, english(q.Freight)}, condition{q.Reduced, english(q.Reduced)}, amounts(q.Least, q.Most), pieces(q.Few, q.Many))
	zh, en = bracket("（", zh, "）"), bracket(" (", en, ")")
	if l.Count == 0 {
		l.say(fmt.Sprintf("符合条件%s的订单有 0 个。", zh), fmt.Sprintf("There are 0 orders%s.", en))
		return
	}
	if zh == "" {
		zh, en = "全店", " in the whole shop"
	} else {
		zh = "符合条件" + zh
	}
	zh = fmt.Sprintf("%s的订单共有 %s 个，金额合计 %s。", zh, figure(float64(l.Count), 0), zhMoney(l.Total))
	en = fmt.Sprintf("There %s %s%s, %s in all.", areOf(l.Count), many(l.Count, "order"), en, enMoney(l.Total))
	if len(l.States) > 1 {
		zh += "其中" + strings.Join(names(l.States, func(c stateCount) string { return c.State + " " + figure(float64(c.Count), 0) + " 个" }), "、") + "。"
		en += " Of these " + strings.Join(names(l.States, func(c stateCount) string { return figure(float64(c.Count), 0) + " " + english(c.State) }), ", ") + "."
	}
	if l.Saved > 0 || l.Postage > 0 {
		zh += fmt.Sprintf("已付款的共优惠 %s，买家付运费 %s。", zhMoney(l.Saved), zhMoney(l.Postage))
		en += fmt.Sprintf(" On those paid the discounts were %s, the freight %s.", enMoney(l.Saved), enMoney(l.Postage))
	}
	if top := l.Orders; len(top) > 0 {
		of, ofEn := top[0].OrderID+"（"+top[0].Consumer+"）", top[0].OrderID+" of "+personEn(top[0].Consumer)
		switch q.Sort {
		case "优惠最多":
			zh += fmt.Sprintf("优惠最多的是 %s，优惠 %s。", of, zhMoney(top[0].Discount))
			en += fmt.Sprintf(" The biggest discount was on %s: %s.", ofEn, enMoney(top[0].Discount))
		case "运费最高":
			zh += fmt.Sprintf("运费最高的是 %s，买家付了 %s。", of, zhMoney(top[0].Freight))
			en += fmt.Sprintf(" The highest freight was on %s: %s.", ofEn, enMoney(top[0].Freight))
		case "件数最多":
			zh += fmt.Sprintf("件数最多的是 %s，有 %s 件。", of, figure(float64(top[0].Pieces), 0))
			en += fmt.Sprintf(" The most pieces are in %s: %s.", ofEn, figure(float64(top[0].Pieces), 0))
		}
	}
	if len(l.Groups) > 1 {
		most := slices.MaxFunc(l.Groups, func(a, b orderGroup) int { return a.Count - b.Count })
		week, weekEn := "", ""
		if q.By == "周" {
			week, weekEn = "开始的一周", "the one from "
		}
		zh += fmt.Sprintf("按%s看，%s%s最多，有 %s 个。", q.By, most.Group, week, figure(float64(most.Count), 0))
		en += fmt.Sprintf(" The %s with the most is %s%s with %s.", english(q.By), weekEn, english(most.Group), figure(float64(most.Count), 0))
	}
	if n := len(l.Orders); n > 0 && l.Count > n {
		first, firstEn := sortWords(q.Sort)
		zh += fmt.Sprintf("只列出%s的 %d 个。", first, n)
		en += fmt.Sprintf(" Only the %s %d are listed.", firstEn, n)
	}
	l.say(zh, en)
}

// amounts is the condition of a least and a most amount; a least one that ends in a fen over a whole yuan is how "more than" is said in fen, and a most one
// that ends in a fen less is "less than".
func amounts(least, most float64) condition {
	zh, en := []string{}, []string{}
	if n := fen(least); n%100 == 1 {
		zh, en = append(zh, "超过 "+zhMoney(yuan(n-1))), append(en, "over "+enMoney(yuan(n-1)))
	} else if n > 0 {
		zh, en = append(zh, "不低于 "+zhMoney(least)), append(en, "of at least "+enMoney(least))
	}
	if n := fen(most); n%100 == 99 {
		zh, en = append(zh, "低于 "+zhMoney(yuan(n+1))), append(en, "under "+enMoney(yuan(n+1)))
	} else if n > 0 {
		zh, en = append(zh, "不高于 "+zhMoney(most)), append(en, "of at most "+enMoney(most))
	}
	if len(zh) == 0 {
		return condition{}
	}
	return condition{"金额" + strings.Join(zh, "、"), strings.Join(en, ", ")}
}

// pieces is the condition of a least and a most number of pieces in an order.
func pieces(least, most int) condition {
	var zh, en []string
	if least > 0 {
		zh, en = append(zh, "不少于 "+figure(float64(least), 0)+" 件"), append(en, "of at least "+many(least, "piece"))
	}
	if most > 0 {
		zh, en = append(zh, "不多于 "+figure(float64(most), 0)+" 件"), append(en, "of at most "+many(most, "piece"))
	}
	return condition{strings.Join(zh, "、"), strings.Join(en, ", ")}
}

// sortWords is how the order of a list is said.
func sortWords(sort string) (zh, en string) {
	switch sort {
	case "最早":
		return sort, "oldest"
	case "最贵":
		return sort, "most expensive"
	case "最便宜":
		return sort, "cheapest"
	case "优惠最多":
		return sort, "most discounted"
	case "运费最高":
		return sort, "dearest to ship"
	case "件数最多":
		return sort, "fullest"
	case "金额最高":
		return sort, "highest"
	case "金额最低":
		return sort, "lowest"
	}
	return "最新", "newest"
}
