package shop

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

type parcelQuery struct {
	span
	State    string `json:"state,omitempty" jsonschema:"title=包裹状态,enum=在途,enum=已签收,enum=under way,enum=delivered" jsonschema_description:"不填为全部；在途是已发货而没有签收"`
	Carrier  string `json:"carrier,omitempty" jsonschema:"title=快递公司"`
	City     string `json:"city,omitempty" jsonschema:"title=城市" jsonschema_description:"买家所在的省市"`
	Consumer string `json:"consumer_name,omitempty" jsonschema:"title=客户姓名" jsonschema_description:"买家姓名" jsonschema_extras:"x-needs=consumer_name"`
	Sort     string `json:"sort,omitempty" jsonschema:"title=排序,enum=最新,enum=最早,enum=最慢,enum=最快,enum=newest,enum=oldest,enum=slowest,enum=fastest" jsonschema_description:"列表的顺序，不填则在途的先发的在前，其余最新的在前"`
	By       string `json:"by,omitempty" jsonschema:"title=统计方式,enum=快递公司,enum=城市,enum=carrier,enum=city" jsonschema_description:"问哪家快递、哪个城市的包裹多、送得快慢时填；填了就给出各组的数，不列出包裹"`
	length
}

func (q *parcelQuery) understand() {
	q.State, q.Carrier, q.City, q.By = chinese(q.State), chinese(q.Carrier), chinese(q.City), chinese(q.By)
	if sort, ok := listSorts[q.Sort]; ok {
		q.Sort = sort
	}
	if q.Sort == "最快" && q.State == "" {
		q.State = "已签收" // what has just been sent is not fast
	}
	if q.Sort == "" && q.State == "在途" {
		q.Sort = "最早" // who waits longest
	}
}

type parcelList struct {
	told
	Count   int           `json:"count" jsonschema:"title=包裹数"`
	Transit int           `json:"in_transit" jsonschema:"title=在途包裹数"`
	Hours   float64       `json:"average_hours" jsonschema:"title=平均送达小时数" jsonschema_description:"从发货到签收，只算已签收的；没有时为0"`
	Until   float64       `json:"average_hours_to_ship" jsonschema:"title=平均发货小时数" jsonschema_description:"从付款到发货；没有时为0"`
	Groups  []parcelGroup `json:"groups,omitempty" jsonschema:"title=明细" jsonschema_description:"填了统计方式才有，包裹多的在前"`
	Parcels []parcel      `json:"parcels,omitempty" jsonschema:"title=包裹" jsonschema_description:"按排序，不填 limit 则最多20个"`

	during Period
}

type parcelGroup struct {
	Group   string  `json:"group" jsonschema:"title=分组"`
	Count   int     `json:"count" jsonschema:"title=包裹数"`
	Transit int     `json:"in_transit" jsonschema:"title=在途包裹数"`
	Hours   float64 `json:"average_hours" jsonschema:"title=平均送达小时数"`
}

type parcel struct {
	OrderID   string  `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	Consumer  string  `json:"consumer_name" jsonschema:"title=买家" jsonschema_extras:"x-provides=consumer_name"`
	State     string  `json:"state" jsonschema:"title=包裹状态"`
	Carrier   string  `json:"carrier" jsonschema:"title=快递公司"`
	Shipped   string  `json:"shipped_at" jsonschema:"title=发货时间"`
	Delivered string  `json:"delivered_at,omitempty" jsonschema:"title=签收时间"`
	Days      float64 `json:"days" jsonschema:"title=在途天数" jsonschema_description:"从发货到签收，没有签收则到现在"`
	City      string  `json:"city" jsonschema:"title=城市" jsonschema_description:"买家所在的城市"`
	Waybill   string  `json:"waybill" jsonschema:"title=运单号" jsonschema_extras:"x-provides=waybill"`
}

func (s *Shop) listParcels() tools.Tool {
	return look(s, bus.Card{
		Name: "list_shipments",
		Description: "列出并统计一段时间发出的包裹、快递：哪些还没到、还在路上、没有签收，哪些已签收；也可按快递公司、城市，比较哪家快递快；平均多久发货、多久送到。 " +
			"List and count parcels sent in a period: which are in transit or not delivered yet, which arrived; by carrier and city, the fastest carrier; how long shipping and delivery take on average.",
		Tags: []string{"logistics", "物流", "快递", "包裹", "在途", "还没到", "没有送到", "没签收", "parcels", "in transit", "not delivered", "undelivered", "on the way", "fastest carrier", "发货时长", "送达时长", "how long does shipping take", "how long does delivery take", "shipping time", "delivery time", "time to ship", "days to deliver"},
	}, s.parcels)
}

func (s *Shop) parcels(ctx context.Context, tx *sql.Tx, q parcelQuery) (parcelList, error) {
	none := parcelList{}
	p, err := q.span.read(s.now(), Past, always)
	if err != nil {
		return none, err
	}
	who, err := people(ctx, tx, q.Consumer)
	if err != nil {
		return none, err
	}
	const from = ` FROM shipments s JOIN orders o USING (order_id) JOIN customers c USING (customer_id)
		WHERE s.shipped_at >= :from AND s.shipped_at < :until AND instr(s.carrier, :carrier) > 0 AND instr(c.city, :city) > 0
		AND (:people = '[]' OR c.name IN (SELECT value FROM json_each(:people)))
		AND (:state = '' OR (:state = '在途') = (s.delivered_at IS NULL))`
	const figures = `count(*), coalesce(sum(s.delivered_at IS NULL), 0), coalesce(avg(julianday(s.delivered_at) - julianday(s.shipped_at)), 0) * 24`
	args := []any{
		sql.Named("now", s.moment()), sql.Named("from", p.From.Format(dayForm)), sql.Named("until", p.To.AddDate(0, 0, 1).Format(dayForm)),
		sql.Named("carrier", strings.TrimSpace(q.Carrier)), sql.Named("city", strings.TrimSpace(q.City)), sql.Named("people", list(who)),
		sql.Named("state", q.State), sql.Named("sort", q.Sort), sql.Named("by", q.By), sql.Named("limit", q.length.rows()),
	}
	l := parcelList{during: p}
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(avg(julianday(s.shipped_at) - julianday(o.paid_at)), 0) * 24, `+figures+from, args...).Scan(&l.Until, &l.Count, &l.Transit, &l.Hours); err != nil {
		return none, err
	}
	l.Until, l.Hours = digits(l.Until, 1), digits(l.Hours, 1)
	if q.By != "" {
		l.Groups, err = rows(ctx, tx, func(r *sql.Rows) (g parcelGroup, err error) {
			err = r.Scan(&g.Group, &g.Count, &g.Transit, &g.Hours)
			g.Hours = digits(g.Hours, 1)
			return g, err
		}, `SELECT iif(:by = '城市', c.city, s.carrier) AS label, `+figures+from+` GROUP BY label ORDER BY count(*) DESC, label`, args...)
		return l, err
	}
	l.Parcels, err = rows(ctx, tx, func(r *sql.Rows) (p parcel, err error) {
		err = r.Scan(&p.OrderID, &p.Consumer, &p.State, &p.Carrier, &p.Shipped, &p.Delivered, &p.Days, &p.City, &p.Waybill)
		p.Days = digits(p.Days, 1)
		return p, err
	}, `SELECT o.order_id, c.name, iif(s.delivered_at IS NULL, '在途', '已签收'), s.carrier, s.shipped_at, coalesce(s.delivered_at, ''),
		julianday(coalesce(s.delivered_at, :now)) - julianday(s.shipped_at) AS days, c.city, s.waybill`+from+`
		ORDER BY CASE :sort WHEN '最早' THEN s.shipped_at WHEN '最慢' THEN -days WHEN '最快' THEN days END, s.shipped_at DESC, s.waybill LIMIT :limit`, args...)
	return l, err
}

func (l *parcelList) tell(q parcelQuery) {
	zh, en := conditions(during(l.during), by("状态", "state", q.State), by("快递", "carrier", q.Carrier), by("城市", "city", q.City), by("客户", "customer", q.Consumer))
	zh, en = bracket("（", zh, "）"), bracket(" (", en, ")")
	if l.Count == 0 {
		l.say(fmt.Sprintf("发出的包裹%s有 0 个。", zh), fmt.Sprintf("There are 0 parcels%s.", en))
		return
	}
	zh = fmt.Sprintf("发出的包裹%s有 %s 个", zh, figure(float64(l.Count), 0))
	en = fmt.Sprintf("There %s %s%s", areOf(l.Count), many(l.Count, "parcel"), en)
	if q.State == "" {
		zh += fmt.Sprintf("，其中在途 %s 个", figure(float64(l.Transit), 0))
		en += fmt.Sprintf(", %s of them under way", figure(float64(l.Transit), 0))
	}
	zh, en = zh+"。", en+"."
	if l.Until > 0 {
		zh += fmt.Sprintf("从付款到发货平均 %s 小时。", figure(l.Until, 1))
		en += fmt.Sprintf(" From payment to shipping it took %s hours on average.", figure(l.Until, 1))
	}
	if l.Hours > 0 {
		zh += fmt.Sprintf("从发货到签收平均 %s 小时。", figure(l.Hours, 1))
		en += fmt.Sprintf(" From shipping to delivery it took %s hours on average.", figure(l.Hours, 1))
	}
	if n := len(l.Parcels); n > 0 {
		o := l.Parcels[0]
		first, firstEn := "最近发出的", "The last sent"
		switch q.Sort {
		case "最早":
			first, firstEn = "最早发出的", "The first sent"
		case "最慢":
			first, firstEn = "路上最久的", "The longest under way"
		case "最快":
			first, firstEn = "路上最短的", "The shortest under way"
		}
		zh += fmt.Sprintf("%s是 %s（买家 %s，%s）。", first, o.OrderID, o.Consumer, o.Shipped)
		en += fmt.Sprintf(" %s is %s of %s (%s).", firstEn, o.OrderID, personEn(o.Consumer), o.Shipped)
		more, moreEn := onlySome(n, l.Count)
		zh, en = zh+more, en+moreEn
	}
	l.say(zh, en)
}
