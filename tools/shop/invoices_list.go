package shop

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

type invoiceQuery struct {
	span
	State    string `json:"state,omitempty" jsonschema:"title=发票状态,enum=待开,enum=已开,enum=not yet issued,enum=issued" jsonschema_description:"不填为全部，开没开的都在内；待开是还没有开出去的"`
	Consumer string `json:"consumer_name,omitempty" jsonschema:"title=客户姓名" jsonschema_description:"买家姓名" jsonschema_extras:"x-needs=consumer_name"`
	Sort     string `json:"sort,omitempty" jsonschema:"title=排序,enum=最新,enum=最早,enum=金额最高,enum=金额最低,enum=newest,enum=oldest,enum=highest amount,enum=lowest amount" jsonschema_description:"列表的顺序，不填为最新的在前"`
	length
}

func (q *invoiceQuery) understand() {
	switch plain(q.State) {
	case "not yet issued":
		q.State = "待开"
	case "issued":
		q.State = "已开"
	}
	if sort, ok := listSorts[q.Sort]; ok {
		q.Sort = sort
	}
}

type invoiceList struct {
	told
	Count    int         `json:"count" jsonschema:"title=发票数"`
	Amount   float64     `json:"invoiced" jsonschema:"title=开票合计" jsonschema_description:"元；待开的也计入"`
	Waiting  int         `json:"waiting" jsonschema:"title=待开发票数" jsonschema_description:"其中还没有开的"`
	Hours    float64     `json:"issue_hours" jsonschema:"title=平均开票小时数" jsonschema_description:"从申请到开出，小时"`
	Invoices []oneListed `json:"invoices" jsonschema:"title=发票" jsonschema_description:"按排序，不填则最新的在前；不填 limit 则最多20张"`

	during Period
}

// oneListed is one invoice of a list.
type oneListed struct {
	OrderID  string  `json:"order_id" jsonschema:"title=订单编号" jsonschema_extras:"x-provides=order_id"`
	Consumer string  `json:"consumer_name" jsonschema:"title=买家" jsonschema_extras:"x-provides=consumer_name"`
	Title    string  `json:"title" jsonschema:"title=发票抬头"`
	Amount   float64 `json:"invoiced" jsonschema:"title=开票额" jsonschema_description:"元"`
	State    string  `json:"invoice_state" jsonschema:"title=发票状态"`
	Asked    string  `json:"requested_at" jsonschema:"title=申请时间"`
	IssuedAt string  `json:"issued_at,omitempty" jsonschema:"title=开票时间"`
	Number   string  `json:"invoice_no,omitempty" jsonschema:"title=发票号码" jsonschema_extras:"x-provides=invoice_no"`
}

func (s *Shop) listInvoices() tools.Tool {
	return look(s, bus.Card{
		Name: "list_invoices",
		Description: "列出并统计发票：待开的发票有多少张、哪些发票还没有开，一段时间开了多少张发票、开票金额多少，开票平均要多久；也可按客户。 " +
			"List and count invoices: how many invoices are waiting to be issued, how many were issued in a period and for what amount, how long it takes on average; also of one customer.",
		Tags: []string{"aftersales", "after-sales", "售后", "发票", "invoices", "待开发票", "多少张发票", "几张发票", "how many invoices", "invoices waiting", "开票金额"},
	}, s.invoices)
}

// invoices counts those issued by the day of issue where only these are wanted, and all others by the day on which they were requested.
func (s *Shop) invoices(ctx context.Context, tx *sql.Tx, q invoiceQuery) (invoiceList, error) {
	none := invoiceList{}
	p, err := q.span.read(s.now(), Past, always)
	if err != nil {
		return none, err
	}
	who, err := people(ctx, tx, q.Consumer)
	if err != nil {
		return none, err
	}
	const from = ` FROM invoices i JOIN orders o USING (order_id) JOIN customers c USING (customer_id)
		WHERE (:state = '' OR i.state = :state) AND (:people = '[]' OR c.name IN (SELECT value FROM json_each(:people)))
		AND iif(:state = '已开', i.issued_at, i.requested_at) >= :from AND iif(:state = '已开', i.issued_at, i.requested_at) < :until`
	args := []any{
		sql.Named("state", q.State), sql.Named("people", list(who)), sql.Named("from", p.From.Format(dayForm)), sql.Named("until", p.To.AddDate(0, 0, 1).Format(dayForm)),
		sql.Named("sort", q.Sort), sql.Named("limit", q.length.rows()),
	}
	l := invoiceList{during: p}
	var amount int64
	if err := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(i.amount_fen), 0), coalesce(sum(i.state = '待开'), 0), coalesce(avg(julianday(i.issued_at) - julianday(i.requested_at)) * 24, 0)`+from, args...).
		Scan(&l.Count, &amount, &l.Waiting, &l.Hours); err != nil {
		return none, err
	}
	l.Amount, l.Hours = yuan(amount), digits(l.Hours, 1)
	l.Invoices, err = rows(ctx, tx, func(r *sql.Rows) (o oneListed, err error) {
		err = r.Scan(&o.OrderID, &o.Consumer, &o.Title, &amount, &o.State, &o.Asked, &o.IssuedAt, &o.Number)
		o.Amount = yuan(amount)
		return o, err
	}, `SELECT o.order_id, c.name, i.title, i.amount_fen, i.state, i.requested_at, coalesce(i.issued_at, ''), coalesce(i.invoice_no, '')`+from+`
		ORDER BY CASE :sort WHEN '金额最高' THEN -i.amount_fen WHEN '金额最低' THEN i.amount_fen WHEN '最早' THEN iif(:state = '已开', i.issued_at, i.requested_at) END,
			iif(:state = '已开', i.issued_at, i.requested_at) DESC, o.order_id LIMIT :limit`, args...)
	return l, err
}

func (l *invoiceList) tell(q invoiceQuery) {
	zh, en := conditions(by("客户", "customer", q.Consumer), during(l.during))
	zh, en = bracket("（", zh, "）"), bracket(" (", en, ")")
	which, whichEn := "", ""
	switch q.State {
	case "待开":
		which, whichEn = "待开的", " waiting to be issued"
	case "已开":
		which, whichEn = "已开的", " issued"
	}
	if l.Count == 0 {
		l.say(fmt.Sprintf("%s发票%s有 0 张。", which, zh), fmt.Sprintf("There are 0 invoices%s%s.", whichEn, en))
		return
	}
	zh = fmt.Sprintf("%s发票%s有 %s 张，金额合计 %s。", which, zh, figure(float64(l.Count), 0), zhMoney(l.Amount))
	en = fmt.Sprintf("There %s %s%s%s, %s in all.", areOf(l.Count), many(l.Count, "invoice"), whichEn, en, enMoney(l.Amount))
	if q.State == "" {
		zh += fmt.Sprintf("其中待开 %s 张，已开 %s 张。", figure(float64(l.Waiting), 0), figure(float64(l.Count-l.Waiting), 0))
		en += fmt.Sprintf(" Of these %s waiting and %s issued.", figure(float64(l.Waiting), 0), figure(float64(l.Count-l.Waiting), 0))
	}
	if l.Hours > 0 {
		zh += fmt.Sprintf("从申请到开出平均 %s 小时。", figure(l.Hours, 1))
		en += fmt.Sprintf(" From the request to the invoice it took %s hours on average.", figure(l.Hours, 1))
	}
	more, moreEn := onlySome(len(l.Invoices), l.Count)
	l.say(zh+more, en+moreEn)
}
