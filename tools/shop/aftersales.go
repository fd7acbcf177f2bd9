package shop

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/invopop/jsonschema"
)

type refund struct {
	OrderID  string  `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	Consumer string  `json:"consumer_name" jsonschema:"title=买家" jsonschema_extras:"x-provides=consumer_name"`
	Kind     string  `json:"kind" jsonschema:"title=类型"`
	Goods    string  `json:"goods" jsonschema:"title=商品" jsonschema_description:"订单里的商品名称与件数"`
	Reason   string  `json:"reason" jsonschema:"title=原因"`
	Amount   float64 `json:"amount" jsonschema:"title=申请金额" jsonschema_description:"元"`
	State    string  `json:"state" jsonschema:"title=处理状态"`
	Asked    string  `json:"asked_at" jsonschema:"title=申请时间"`
	City     string  `json:"city" jsonschema:"title=城市" jsonschema_description:"买家所在的城市"`
	RefundID string  `json:"refund_id" jsonschema:"title=退款单号" jsonschema_extras:"x-provides=refund_id"`
	Decided  string  `json:"decided_at,omitempty" jsonschema:"title=处理时间"`
	Decision string  `json:"decision,omitempty" jsonschema:"title=处理说明"`
}

const refundColumns = `SELECT r.refund_id, r.order_id, c.name, r.kind, r.reason, r.amount_fen, r.state, r.asked_at, coalesce(r.decided_at, ''), r.decision, c.city,
	(SELECT group_concat(p.name || ' ×' || i.quantity, '；') FROM order_items i JOIN products p USING (sku_id) WHERE i.order_id = r.order_id)
	FROM refunds r JOIN orders o USING (order_id) JOIN customers c USING (customer_id)`

func scanRefund(r *sql.Rows) (f refund, err error) {
	var amount int64
	err = r.Scan(&f.RefundID, &f.OrderID, &f.Consumer, &f.Kind, &f.Reason, &amount, &f.State, &f.Asked, &f.Decided, &f.Decision, &f.City, &f.Goods)
	f.Amount = yuan(amount)
	return f, err
}

type refundQuery struct {
	span
	daytime
	State    string `json:"state,omitempty" jsonschema:"title=处理状态,enum=待处理,enum=已同意,enum=已拒绝,enum=未同意,enum=pending,enum=approved,enum=refused,enum=not approved" jsonschema_description:"不填为全部状态；未同意是待处理与已拒绝"`
	OrderID  string `json:"order_id,omitempty" jsonschema:"title=订单编号,pattern=^[0-9]{12}$" jsonschema_description:"12位数字" jsonschema_extras:"x-needs=order_id"`
	Consumer string `json:"consumer_name,omitempty" jsonschema:"title=客户姓名" jsonschema_description:"买家姓名" jsonschema_extras:"x-needs=consumer_name"`
	Category string `json:"category,omitempty" jsonschema:"title=类目" jsonschema_description:"只要有这个类目商品的订单的退款" jsonschema_extras:"x-needs=category"`
	Name     string `json:"sku_name,omitempty" jsonschema:"title=商品名称" jsonschema_description:"只要有这个商品的订单的退款" jsonschema_extras:"x-needs=sku_name"`
	City     string `json:"city,omitempty" jsonschema:"title=城市" jsonschema_description:"买家所在的省市"`
	Sort     string `json:"sort,omitempty" jsonschema:"title=排序,enum=最新,enum=最早,enum=金额最高,enum=金额最低,enum=newest,enum=oldest,enum=highest amount,enum=lowest amount" jsonschema_description:"列表的顺序，不填为最新的在前"`
	By       string `json:"by,omitempty" jsonschema:"title=统计方式,enum=原因,enum=商品,enum=类目,enum=品牌,enum=类型,enum=状态,enum=城市,enum=日,enum=周,enum=月,enum=小时,enum=周几,enum=reason,enum=product,enum=category,enum=brand,enum=kind,enum=state,enum=city,enum=day,enum=week,enum=month,enum=hour,enum=weekday" jsonschema_description:"问哪个原因、哪个商品、哪个类目、哪个品牌、哪个月的退款多，或要退款的分布、构成时填；填了就给出各组的数，不列出申请"`
	length
}

func (q *refundQuery) understand() {
	q.daytime.understand()
	q.State, q.By, q.City = chinese(q.State), chinese(q.By), chinese(q.City)
	q.Category, q.Name = chinese(q.Category), chineseWithin(q.Name)
	if sort, ok := listSorts[q.Sort]; ok {
		q.Sort = sort
	}
}

type refundList struct {
	told
	Count   int           `json:"count" jsonschema:"title=退款申请数"`
	Amount  float64       `json:"amount" jsonschema:"title=金额合计" jsonschema_description:"申请的金额，元；没有同意的也计入"`
	Agreed  float64       `json:"refunded" jsonschema:"title=已退款" jsonschema_description:"已同意的，元"`
	Hours   float64       `json:"decision_hours" jsonschema:"title=平均处理小时数" jsonschema_description:"从申请到同意或拒绝，小时"`
	Groups  []refundGroup `json:"groups,omitempty" jsonschema:"title=明细" jsonschema_description:"填了统计方式才有：日、周（以周一为名）、月、小时、周几从早到晚，其余申请多的在前"`
	Refunds []refund      `json:"refunds,omitempty" jsonschema:"title=退款申请" jsonschema_description:"按排序，不填则最新的在前；不填 limit 则最多20个"`

	during Period
	agreed int // requests
}

type refundGroup struct {
	Group  string  `json:"group" jsonschema:"title=分组"`
	Count  int     `json:"count" jsonschema:"title=退款申请数"`
	Amount float64 `json:"amount" jsonschema:"title=申请金额" jsonschema_description:"元；一个订单有几种商品时，每种、每个类目、每个品牌都计全额"`
	Agreed float64 `json:"refunded" jsonschema:"title=已退款" jsonschema_description:"已同意的，元"`
}

type oneRefund struct {
	RefundID string `json:"refund_id" jsonschema:"title=退款单号,pattern=^[0-9]{13}$" jsonschema_description:"13位数字" jsonschema_extras:"x-needs=refund_id"`
}

type refundSeen struct {
	told
	refund
	Amount float64 `json:"amount" jsonschema:"title=申请退款" jsonschema_description:"元"` // in words of its own: what many say of the amount of orders is no word for this tool
}

type decide struct {
	RefundID string `json:"refund_id" jsonschema:"title=退款单号,pattern=^[0-9]{13}$" jsonschema_description:"13位数字" jsonschema_extras:"x-needs=refund_id"`
	Decision string `json:"decision" jsonschema:"title=处理决定,enum=同意,enum=拒绝,enum=approve,enum=refuse" jsonschema_description:"同意则按申请金额退款"`
	Reason   string `json:"reason,omitempty" jsonschema:"title=处理说明" jsonschema_description:"拒绝时必须说明原因，会给买家看"`
}

// JSONSchemaExtend makes the reason required when the decision is to refuse.
func (decide) JSONSchemaExtend(s *jsonschema.Schema) {
	refusing := jsonschema.NewProperties()
	refusing.Set("decision", &jsonschema.Schema{Enum: []any{"拒绝", "refuse"}})
	s.If = &jsonschema.Schema{Properties: refusing, Required: []string{"decision"}}
	s.Then = &jsonschema.Schema{Required: []string{"reason"}}
}

func (q *decide) understand() { q.Decision = chinese(q.Decision) }

type decided struct {
	told
	RefundID string  `json:"refund_id" jsonschema:"title=退款单号" jsonschema_extras:"x-provides=refund_id"`
	OrderID  string  `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	State    string  `json:"state" jsonschema:"title=处理状态"`
	Refunded float64 `json:"refunded" jsonschema:"title=退款金额" jsonschema_description:"元；拒绝为0"`
}

func (s *Shop) afterSalesTools() []tools.Tool {
	return []tools.Tool{
		look(s, bus.Card{
			Name:        "list_refunds",
			Description: "查询、统计退款与退货申请：按处理状态、订单、客户、商品、类目、城市、申请时间，给出笔数与金额、平均处理要多久；退款退货的原因分布，哪个商品退货最多。 List and count refund and return requests; their reasons, how long a decision takes on average, the products returned most.",
			Tags:        []string{"aftersales", "after-sales", "售后", "refund", "return", "退款", "退货", "退款单", "退单", "退款原因", "退货原因", "退货最多", "reasons for returns"},
		}, s.refunds),
		look(s, bus.Card{
			Name:        "refund_detail",
			Description: "查看退款单号所指的一个退款申请。 Show the one refund request that has an id.",
			Tags:        []string{"aftersales", "after-sales", "售后", "退款单号", "refund id"},
		}, s.oneRefund),
		change(s, bus.Card{
			Name:        "decide_refund",
			Description: "同意（按申请金额退款）或拒绝一个待处理的退款申请。要有退款单号和明确的决定，拒绝还要有原因；查询、统计退款不用它。 Approve or refuse one refund request: needs its id and a clear decision.",
			Effect:      bus.Unsafe, Approval: "ask", Tags: []string{"aftersales", "after-sales", "售后", "approve refund", "同意退款", "拒绝退款"},
		}, s.decide),
	}
}

func (s *Shop) refunds(ctx context.Context, tx *sql.Tx, q refundQuery) (refundList, error) {
	none := refundList{}
	p, err := q.span.read(s.now(), Past, always)
	if err != nil {
		return none, err
	}
	const where = ` WHERE (:state = '' OR r.state = :state OR :state = '未同意' AND r.state <> '已同意') AND (:order = '' OR r.order_id = :order) AND (:people = '[]' OR c.name IN (SELECT value FROM json_each(:people)))
		AND r.asked_at >= :from AND r.asked_at < :until AND instr(c.city, :city) > 0 AND CAST(substr(r.asked_at, 12, 2) AS INTEGER) >= :hour AND CAST(substr(r.asked_at, 12, 2) AS INTEGER) < :hours
		AND (:skus = '[]' OR r.order_id IN (SELECT n.order_id FROM order_items n WHERE n.sku_id IN (SELECT value FROM json_each(:skus))))`
	hour, hours := q.hours()
	who, err := people(ctx, tx, q.Consumer)
	if err != nil {
		return none, err
	}
	only, err := goods{Category: q.Category, Name: q.Name}.only(ctx, tx)
	if err != nil {
		return none, err
	}
	args := []any{
		sql.Named("skus", only), sql.Named("hour", hour), sql.Named("hours", hours), sql.Named("state", q.State), sql.Named("order", q.OrderID), sql.Named("people", list(who)),
		sql.Named("from", p.From.Format(dayForm)), sql.Named("until", p.To.AddDate(0, 0, 1).Format(dayForm)), sql.Named("limit", q.length.rows()), sql.Named("sort", q.Sort), sql.Named("by", q.By), sql.Named("city", strings.TrimSpace(q.City)),
	}
	const from = ` FROM refunds r JOIN orders o USING (order_id) JOIN customers c USING (customer_id)`
	found := refundList{during: p}
	var amount, agreed int64
	if err := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(r.amount_fen), 0), coalesce(sum(r.state = '已同意'), 0), coalesce(sum(iif(r.state = '已同意', r.amount_fen, 0)), 0),
		coalesce(avg(julianday(r.decided_at) - julianday(r.asked_at)) * 24, 0)`+from+where,
		args...).Scan(&found.Count, &amount, &found.agreed, &agreed, &found.Hours); err != nil {
		return none, err
	}
	found.Amount, found.Agreed, found.Hours = yuan(amount), yuan(agreed), digits(found.Hours, 1)
	if q.By == "" {
		found.Refunds, err = rows(ctx, tx, scanRefund, refundColumns+where+`
			ORDER BY CASE :sort WHEN '金额最高' THEN -r.amount_fen WHEN '金额最低' THEN r.amount_fen WHEN '最早' THEN r.asked_at END, r.asked_at DESC, r.refund_id LIMIT :limit`, args...)
		return found, err
	}
	found.Groups, err = rows(ctx, tx, func(r *sql.Rows) (g refundGroup, err error) {
		err = r.Scan(&g.Group, &g.Count, &amount, &agreed)
		g.Amount, g.Agreed = yuan(amount), yuan(agreed)
		return g, err
	}, `SELECT label, count(*), sum(amount_fen), sum(iif(state = '已同意', amount_fen, 0)) FROM (SELECT DISTINCT r.refund_id, r.amount_fen, r.state, CASE :by WHEN '原因' THEN r.reason WHEN '类型' THEN r.kind WHEN '状态' THEN r.state WHEN '城市' THEN c.city WHEN '商品' THEN p.name WHEN '类目' THEN p.category WHEN '品牌' THEN p.brand
			WHEN '日' THEN substr(r.asked_at, 1, 10) WHEN '周' THEN date(r.asked_at, '-6 days', 'weekday 1')
			WHEN '小时' THEN substr(r.asked_at, 12, 2) || ':00' WHEN '周几' THEN substr('周日周一周二周三周四周五周六', 2 * strftime('%w', r.asked_at) + 1, 2) ELSE substr(r.asked_at, 1, 7) END AS label,
			(strftime('%w', r.asked_at) + 6) % 7 AS weekday`+from+`
		LEFT JOIN order_items i ON :by IN ('商品', '类目', '品牌') AND i.order_id = r.order_id AND (:skus = '[]' OR i.sku_id IN (SELECT value FROM json_each(:skus))) LEFT JOIN products p USING (sku_id)`+where+`)
		GROUP BY label ORDER BY CASE WHEN :by = '周几' THEN min(weekday) WHEN :by NOT IN ('日', '周', '月', '小时') THEN -count(*) END, label`, args...)
	return found, err
}

func (s *Shop) oneRefund(ctx context.Context, tx *sql.Tx, q oneRefund) (refundSeen, error) {
	found, err := rows(ctx, tx, scanRefund, refundColumns+` WHERE r.refund_id = ?`, q.RefundID)
	if err == nil && len(found) == 0 {
		err = noRefund(q.RefundID)
	}
	if err != nil {
		return refundSeen{}, err
	}
	return refundSeen{refund: found[0], Amount: found[0].Amount}, nil
}

func noRefund(id string) error {
	return refuse("没有退款单 %.40q；退款单号是13位数字，可以先查看退款申请，找到单号",
		"there is no refund %.40q; a refund number has 13 digits, look at the refund requests to find it", id)
}

func (s *Shop) decide(ctx context.Context, tx *sql.Tx, q decide) (decided, error) {
	none := decided{}
	d := decided{RefundID: q.RefundID}
	var amount, total, returned int64
	err := tx.QueryRowContext(ctx, `SELECT r.order_id, r.state, r.amount_fen, o.total_fen,
		(SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE order_id = r.order_id AND state = '已同意')
		FROM refunds r JOIN orders o USING (order_id) WHERE r.refund_id = ?`, q.RefundID).Scan(&d.OrderID, &d.State, &amount, &total, &returned)
	reason := strings.TrimSpace(q.Reason)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return none, noRefund(q.RefundID)
	case err != nil:
		return none, err
	case d.State != "待处理":
		return none, refuse("退款单 %s 已经处理过，结果是 %s",
			"refund %s has been decided already: %s", q.RefundID, d.State)
	case q.Decision == "同意" && returned+amount > total:
		return none, refuse("订单 %s 实付 %.2f 元，已退 %.2f 元，再退 %.2f 元会超过实付；请拒绝或与买家协商",
			"order %s was paid with CNY %.2f, of which %.2f went back; another %.2f would be more than was paid. Refuse it, or settle it with the buyer", d.OrderID, yuan(total), yuan(returned), yuan(amount))
	case q.Decision == "同意":
		d.State, d.Refunded = "已同意", yuan(amount)
	case q.Decision == "拒绝" && reason == "":
		return none, refuse("拒绝退款要说明原因，会给买家看",
			"a refusal needs a reason, which the buyer will read")
	case q.Decision == "拒绝":
		d.State = "已拒绝"
	default:
		return none, refuse("处理决定只能是 同意 或 拒绝，不是 %.20q",
			"a decision is approve or refuse, not %.20q", q.Decision)
	}
	_, err = tx.ExecContext(ctx, `UPDATE refunds SET state = ?, decided_at = ?, decision = ? WHERE refund_id = ?`, d.State, s.moment(), reason, q.RefundID)
	return d, err
}
