package shop

import (
	"context"
	"database/sql"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

type salesQuery struct {
	goods
	span
	daytime
	City string `json:"city,omitempty" jsonschema:"title=城市" jsonschema_description:"买家所在的省市"`
	By   string `json:"by,omitempty" jsonschema:"title=统计方式,enum=日,enum=周,enum=月,enum=商品,enum=类目,enum=品牌,enum=城市,enum=小时,enum=周几,enum=周末,enum=年内月份,enum=新老客,enum=day,enum=week,enum=month,enum=product,enum=category,enum=brand,enum=city,enum=hour,enum=weekday,enum=weekend,enum=month-of-year,enum=new or returning" jsonschema_description:"问哪个商品、什么商品卖得最好、畅销、best sellers、top products 选商品；问哪个类目、品类卖得最好选类目；问哪个品牌、牌子选品牌；问各城市、各省、各地选城市；问每天、逐日选日；问每周选周；问每月、逐月选月；问哪个时段选小时；问一周里的哪天选周几；问周末比平时、比工作日怎么样选周末；问一年里哪个月份好、不分年份选年内月份（不填日期则从第一单算起）；问新客与老客各买了多少选新老客；只问总数、生意怎么样、客单价时不填（按月，不超过31天按日）"`
	Sold string `json:"sold,omitempty" jsonschema:"title=是否卖出,enum=没卖出,enum=unsold" jsonschema_description:"只在问滞销时填：列出这段时间一件都没卖出的商品；不填时间则看最近30天"`
}

func (q *salesQuery) understand() {
	q.goods.understand()
	q.daytime.understand()
	q.City, q.By, q.Sold = chinese(q.City), chinese(q.By), chinese(q.Sold)
}

type salesReport struct {
	told
	Subject  string      `json:"subject" jsonschema:"title=统计对象"`
	From     string      `json:"from" jsonschema:"title=起始日期"`
	To       string      `json:"to" jsonschema:"title=结束日期"`
	Orders   int         `json:"orders" jsonschema:"title=订单数" jsonschema_description:"已付款且没有取消"`
	Quantity int         `json:"quantity" jsonschema:"title=销量" jsonschema_description:"件"`
	Amount   float64     `json:"amount" jsonschema:"title=销售额" jsonschema_description:"商品金额，元"`
	Refunded float64     `json:"refunded" jsonschema:"title=已退款" jsonschema_description:"这些订单已同意的退款，元；整单计，不按商品拆分"`
	Days     int         `json:"days" jsonschema:"title=天数" jsonschema_description:"时间段里店里有数据的天数，算到今天为止"`
	PerDay   float64     `json:"per_day" jsonschema:"title=日均销售额" jsonschema_description:"每天平均的销售额，元"`
	Daily    float64     `json:"orders_per_day" jsonschema:"title=日均订单数"`
	Pieces   float64     `json:"pieces_per_day" jsonschema:"title=日均销量" jsonschema_description:"件"`
	Average  float64     `json:"average_order" jsonschema:"title=客单价" jsonschema_description:"销售额除以订单数，元"`
	Median   float64     `json:"median_order" jsonschema:"title=订单金额中位数" jsonschema_description:"一半的订单不超过它，元"`
	Rate     float64     `json:"refund_rate_percent" jsonschema:"title=退款率（%）" jsonschema_description:"有已同意退款的订单占这些订单的比例，%"`
	Profit   float64     `json:"profit" jsonschema:"title=毛利润" jsonschema_description:"元；销售额减去卖出商品的成本（按现在的成本价），没有减去优惠、退款与推广花费"`
	Margin   float64     `json:"margin_percent" jsonschema:"title=毛利率（%）" jsonschema_description:"毛利润占销售额的比例，%"`
	Discount float64     `json:"discount" jsonschema:"title=优惠金额" jsonschema_description:"这些订单优惠了多少，元；整单计，不按商品拆分"`
	Freight  float64     `json:"freight" jsonschema:"title=运费合计" jsonschema_description:"买家为这些订单付的运费，元；整单计，不按商品拆分"`
	Each     float64     `json:"pieces_per_order" jsonschema:"title=每单件数" jsonschema_description:"销量除以订单数"`
	Cut      float64     `json:"discount_per_order" jsonschema:"title=每单优惠" jsonschema_description:"优惠金额除以订单数，元"`
	Postage  float64     `json:"freight_per_order" jsonschema:"title=每单运费" jsonschema_description:"运费合计除以订单数，元"`
	Ads      *float64    `json:"advertising,omitempty" jsonschema:"title=期间推广花费" jsonschema_description:"元；只在统计全店时有，后一项也是"`
	Net      *float64    `json:"net_profit,omitempty" jsonschema:"title=净利润" jsonschema_description:"元；毛利润减去优惠、退款与推广花费；工资、房租、税等店里没有数据，没有减"`
	Unsold   int         `json:"unsold,omitempty" jsonschema:"title=没卖出的商品数" jsonschema_description:"只在问没卖出的商品时有"`
	Groups   []salesLine `json:"groups" jsonschema:"title=明细" jsonschema_description:"按时间从早到晚，或按销售额从高到低；最多100行"`

	whole  bool        // of all goods and buyers, which advertising can be taken off
	by     string      // how Groups are grouped
	least  []salesLine // of products when none is unsold: those of which the fewest pieces were sold
	looked int         // products
	tied   int64       // fen, what the stock of those unsold cost
	begin  string      // the first day that the shop has orders of, where the period begins before it
}

type salesLine struct {
	Group    string  `json:"group" jsonschema:"title=分组"`
	Orders   int     `json:"orders" jsonschema:"title=订单数"`
	Quantity int     `json:"quantity" jsonschema:"title=销量"`
	Amount   float64 `json:"amount" jsonschema:"title=销售额" jsonschema_description:"元"`
	Average  float64 `json:"average_order" jsonschema:"title=客单价" jsonschema_description:"销售额除以订单数，元"`
	Profit   float64 `json:"profit" jsonschema:"title=毛利润" jsonschema_description:"元"`
	Margin   float64 `json:"margin_percent" jsonschema:"title=毛利率（%）"`
	Rate     float64 `json:"refund_rate_percent" jsonschema:"title=退款率（%）"`
	PerDay   float64 `json:"per_day" jsonschema:"title=日均销售额" jsonschema_description:"元；周几、周末、年内月份按这样的日子的天数算"`
	Discount float64 `json:"discount" jsonschema:"title=优惠" jsonschema_description:"元；一个订单有几种商品时，每种、每个类目、每个品牌都计全额，运费也是"`
	Freight  float64 `json:"freight" jsonschema:"title=运费" jsonschema_description:"买家付的，元"`
	Days     int     `json:"days,omitempty" jsonschema:"title=天数"`
	Buyers   int     `json:"customers,omitempty" jsonschema:"title=客户数" jsonschema_description:"位；只在按新老客时有"`
	Stock    int     `json:"stock,omitempty" jsonschema:"title=库存" jsonschema_description:"件；只在问没卖出的商品时有，后两项也是"`
	Cost     float64 `json:"tied_up,omitempty" jsonschema:"title=占用成本" jsonschema_description:"库存按成本价，元"`
	Last     string  `json:"last_sold,omitempty" jsonschema:"title=最近卖出" jsonschema_description:"最后一次卖出的日子"`
}

type forecastQuery struct {
	goods
	span
}

type forecastReport struct {
	told
	Subject  string  `json:"subject" jsonschema:"title=预测对象"`
	From     string  `json:"from" jsonschema:"title=起始日期"`
	To       string  `json:"to" jsonschema:"title=结束日期"`
	Expected float64 `json:"expected" jsonschema:"title=预计销量" jsonschema_description:"件"`
	Low80    float64 `json:"low_80" jsonschema:"title=80%区间下限" jsonschema_description:"件"`
	High80   float64 `json:"high_80" jsonschema:"title=80%区间上限" jsonschema_description:"件"`
	Low95    float64 `json:"low_95" jsonschema:"title=95%区间下限" jsonschema_description:"件"`
	High95   float64 `json:"high_95" jsonschema:"title=95%区间上限" jsonschema_description:"件"`
	Sold     float64 `json:"already_sold,omitempty" jsonschema:"title=其中已售出" jsonschema_description:"时间段里已经过去的日子卖出的件数，已计入预计销量与区间"`
	Change   float64 `json:"change_percent" jsonschema:"title=日均变化（%）" jsonschema_description:"预计日均销量相对最近28天日均的变化，%"`
	Method   string  `json:"method" jsonschema:"title=预测方法"`
	Error    float64 `json:"backtest_error_percent" jsonschema:"title=回测误差（%）" jsonschema_description:"用过去同样长的时间段回测，预测与实际之差占实际的比例，%"`
	Tried    []trial `json:"methods_tried" jsonschema:"title=比较过的方法"`
	Recent   float64 `json:"recent_per_day" jsonschema:"title=最近日均销量" jsonschema_description:"最近28天，件"`
	Weekly   []point `json:"by_week" jsonschema:"title=分周预测"`
	Data     string  `json:"data" jsonschema:"title=依据的历史" jsonschema_description:"用到的历史数据的起止"`
}

type trial struct {
	Method string  `json:"method" jsonschema:"title=方法"`
	Error  float64 `json:"error_percent" jsonschema:"title=回测误差（%）"`
}

type point struct {
	From     string  `json:"from" jsonschema:"title=起始日期"`
	To       string  `json:"to" jsonschema:"title=结束日期"`
	Expected float64 `json:"expected" jsonschema:"title=预计销量" jsonschema_description:"件"`
}

func (s *Shop) salesTools() []tools.Tool {
	return []tools.Tool{
		look(s, bus.Card{
			Name:        "sales_statistics",
			Description: "生意概况与统计：生意怎么样、卖了多少、销售额、销量、客单价、毛利、退款率、优惠金额、运费合计、每单优惠、每单运费、每单件数、净利润，哪个商品卖得最好、最火、最赚钱；日均，滞销；按日、周、月、小时、周末、商品、类目、品牌或城市，也可以只看一个城市。只算已付款的。 How is business: how much did we sell, overview of past sales, revenue, profit, average order value, daily average, median, refund rate, discounts given and freight paid in all and per order, net profit, best sellers, products that did not sell; by day, week, month, hour, weekday, weekend, product, category, brand or city; also of one city alone.",
			Tags:        []string{"forecast", "sales", "统计", "销售额", "销量", "卖了多少", "生意", "经营情况", "客单价", "退款率", "卖得最好", "revenue", "overview", "best sellers", "sales statistics", "业绩", "营业额", "流水", "赚了多少", "利润", "毛利", "profit", "margin", "turnover", "make money", "平均每单", "每单平均", "平均每笔订单", "每笔订单平均", "average order", "日均", "每天平均", "sales trend", "revenue trend", "销售趋势", "平均每天", "per day", "daily average", "median", "优惠了多少", "运费一共", "discounts given", "discount in all", "freight paid", "freight in all", "滞销", "没卖出去", "订单金额中位数", "unsold", "did not sell", "no sales", "净利润", "net profit", "每单件数", "pieces per order"},
		}, s.statistics),
		look(s, bus.Card{
			Name:        "forecast_sales",
			Description: "预测一个商品、类目或全店未来一段时间的销量：会卖多少、能卖多少，给出区间与回测误差。 Forecast future sales, how much or how many we will sell, with intervals and back-test error.",
			Tags:        []string{"forecast", "预测", "销量预测", "预计销量", "forecast sales", "sales forecast", "predict", "下个月能卖多少"},
		}, s.forecast),
	}
}

func (s *Shop) statistics(ctx context.Context, tx *sql.Tx, q salesQuery) (salesReport, error) {
	none := salesReport{}
	today := midnight(s.now())
	unsaid := Period{today.AddDate(0, -12, 0), today}
	if q.Sold != "" {
		unsaid = Period{today.AddDate(0, 0, -30), today.AddDate(0, 0, -1)}
	}
	if q.From == "" && (q.To != "" || q.By == "年内月份" && q.Period == "") { // up to a day, or of all years: from the shop's first order on
		first, _, err := counted(ctx, tx, always)
		if err != nil {
			return none, err
		}
		unsaid.From = first.From
	}
	p, err := q.span.read(today, Past, unsaid)
	if err != nil {
		return none, err
	}
	if p.From.After(today) {
		return none, refuse("%s 还没有到，没有销售可统计；未来只预测件数，不预测销售额，请问预计能卖多少件",
			"%s has not come yet, so there are no sales; for what is to come pieces are forecast, not revenue: ask how many will be sold", p)
	}
	if p.To.After(today) {
		p.To = today
	}
	all, err := q.goods.find(ctx, tx)
	if err != nil {
		return none, err
	}
	by := q.By
	if by == "" {
		if by = "月"; p.Days() <= 31 {
			by = "日"
		}
	}
	// Rows are grouped by the label that :by chooses; a week is named by its Monday.
	const from = ` FROM sales v JOIN products p USING (sku_id) JOIN orders o USING (order_id) JOIN customers c USING (customer_id)
		WHERE v.sku_id IN (SELECT value FROM json_each(:skus)) AND v.day BETWEEN :from AND :to AND instr(c.city, :city) > 0
		AND CAST(substr(o.ordered_at, 12, 2) AS INTEGER) >= :hour AND CAST(substr(o.ordered_at, 12, 2) AS INTEGER) < :hours`
	hour, hours := q.hours()
	args := []any{
		sql.Named("skus", skus(all)), sql.Named("from", p.From.Format(dayForm)), sql.Named("to", p.To.Format(dayForm)), sql.Named("by", by), sql.Named("city", strings.TrimSpace(q.City)),
		sql.Named("hour", hour), sql.Named("hours", hours),
	}
	report := salesReport{by: by, Subject: q.goods.label(), From: p.From.Format(dayForm), To: p.To.Format(dayForm)}
	var amount, cost, refunded, returned, discount, freight int64
	if err := tx.QueryRowContext(ctx, `SELECT count(DISTINCT v.order_id), coalesce(sum(v.quantity), 0), coalesce(sum(v.sales_fen), 0), coalesce(sum(v.quantity * p.cost_fen), 0)`+from, args...).
		Scan(&report.Orders, &report.Quantity, &amount, &cost); err != nil {
		return none, err
	}
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(amount_fen), 0), count(DISTINCT order_id) FROM refunds WHERE state = '已同意' AND order_id IN (SELECT v.order_id`+from+`)`, args...).
		Scan(&refunded, &returned); err != nil {
		return none, err
	}
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(discount_fen), 0), coalesce(sum(freight_fen), 0) FROM orders WHERE order_id IN (SELECT v.order_id`+from+`)`, args...).
		Scan(&discount, &freight); err != nil {
		return none, err
	}
	report.Discount, report.Freight = yuan(discount), yuan(freight)
	counted, begin, err := counted(ctx, tx, p)
	if err != nil {
		return none, err
	}
	report.begin, report.Days = begin, max(0, counted.Days())
	report.Amount, report.Refunded, report.Profit, report.Margin = yuan(amount), yuan(refunded), yuan(amount-cost), percentOf(amount-cost, amount)
	if n := float64(report.Orders); n > 0 {
		report.Each, report.Cut, report.Postage = digits(float64(report.Quantity)/n, 2), digits(report.Discount/n, 2), digits(report.Freight/n, 2)
		report.Average, report.Rate = digits(report.Amount/n, 2), digits(100*float64(returned)/n, 1)
		var middle float64
		if err := tx.QueryRowContext(ctx, `SELECT avg(paid) FROM (SELECT sum(v.sales_fen) AS paid`+from+` GROUP BY v.order_id ORDER BY paid LIMIT 2 - :orders % 2 OFFSET (:orders - 1) / 2)`,
			append(args, sql.Named("orders", report.Orders))...).Scan(&middle); err != nil {
			return none, err
		}
		report.Median = digits(middle/100, 2)
	}
	if report.whole = q.City == "" && q.goods == (goods{}) && q.daytime == (daytime{}); report.whole {
		var ads int64
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(cost_fen), 0) FROM campaign_days WHERE day BETWEEN :from AND :to`, args...).Scan(&ads); err != nil {
			return none, err
		}
		spent, net := yuan(ads), yuan(amount-cost-discount-refunded-ads)
		report.Ads, report.Net = &spent, &net
	}
	if n := float64(report.Days); n > 0 {
		report.PerDay, report.Daily, report.Pieces = digits(report.Amount/n, 2), digits(float64(report.Orders)/n, 1), digits(float64(report.Quantity)/n, 1)
	}
	if q.Sold != "" {
		report.by = "商品"
		return report, report.unsold(ctx, tx, all, q.City, listed)
	}
	days := daysOf(counted, by)
	report.Groups, err = rows(ctx, tx, func(r *sql.Rows) (l salesLine, err error) {
		err = r.Scan(&l.Group, &l.Orders, &l.Quantity, &amount, &cost, &returned, &l.Buyers, &discount, &freight)
		l.Discount, l.Freight = yuan(discount), yuan(freight)
		l.Amount, l.Profit, l.Margin = yuan(amount), yuan(amount-cost), percentOf(amount-cost, amount)
		n := float64(max(l.Orders, 1))
		l.Average, l.Rate = digits(l.Amount/n, 2), digits(100*float64(returned)/n, 1)
		if l.Days = days[l.Group]; l.Days > 0 {
			l.PerDay = digits(l.Amount/float64(l.Days), 2)
		} else if report.Days > 0 {
			l.PerDay = digits(l.Amount/float64(report.Days), 2)
		}
		return l, err
	}, `SELECT label, count(*), sum(quantity), sum(sales_fen) AS amount, sum(cost_fen), sum(order_id IN (SELECT order_id FROM refunds WHERE state = '已同意')),
			iif(:by = '新老客', count(DISTINCT customer_id), 0), sum(discount_fen), sum(freight_fen)
		FROM (SELECT v.order_id, o.customer_id, o.discount_fen, o.freight_fen, v.day, sum(v.quantity) AS quantity, sum(v.sales_fen) AS sales_fen, sum(v.quantity * p.cost_fen) AS cost_fen,
			CASE :by WHEN '日' THEN v.day WHEN '周' THEN date(v.day, '-6 days', 'weekday 1') WHEN '月' THEN substr(v.day, 1, 7) WHEN '年内月份' THEN CAST(substr(v.day, 6, 2) AS INTEGER) || '月'
			WHEN '小时' THEN substr(o.ordered_at, 12, 2) || ':00' WHEN '周几' THEN substr('周日周一周二周三周四周五周六', 2 * strftime('%w', v.day) + 1, 2)
			WHEN '周末' THEN iif(strftime('%w', v.day) IN ('0', '6'), '周末', '工作日') WHEN '新老客' THEN iif(`+firstOrder+`, '新客', '老客')
			WHEN '商品' THEN p.name WHEN '品牌' THEN p.brand WHEN '城市' THEN c.city ELSE p.category END AS label`+from+` GROUP BY label, v.order_id)
		GROUP BY label ORDER BY CASE WHEN :by = '周几' THEN min((strftime('%w', day) + 6) % 7) WHEN :by = '年内月份' THEN CAST(substr(day, 6, 2) AS INTEGER) WHEN :by NOT IN ('日', '周', '月', '小时') THEN -amount END, label`, args...)
	return report, err
}

// maxGroups is how many groups of sales are listed; figures are of all.
const maxGroups = 100

// percentOf is part as percent of whole, to a tenth; 0 of nothing.
func percentOf(part, whole int64) float64 {
	return digits(100*float64(part)/float64(max(whole, 1)), 1)
}

func (s *Shop) forecast(ctx context.Context, tx *sql.Tx, q forecastQuery) (forecastReport, error) {
	none := forecastReport{}
	today := midnight(s.now())
	p, err := q.span.read(today, Future, Period{today.AddDate(0, 0, 1), today.AddDate(0, 0, 30)})
	if err != nil {
		return none, err
	}
	if p.To.Before(today) {
		return none, refuse("%s 已经过去，不需要预测；要看过去，请问卖了多少",
			"%s is over and needs no forecast; for what has been ask how much was sold", p)
	}
	all, err := q.goods.find(ctx, tx)
	if err != nil {
		return none, err
	}
	past, err := s.history(ctx, tx)
	if err != nil {
		return none, err
	}
	y, err := dailySales(ctx, tx, all, past)
	if err != nil {
		return none, err
	}
	// The part of the period that is over has been sold, not forecast.
	first, sold := p.From, 0.0
	if !first.After(past.To) {
		sold = sum(y[max(0, daysBetween(past.From, first)):])
		first = past.To.AddDate(0, 0, 1)
	}
	skip, length := daysBetween(past.To, first)-1, daysBetween(first, p.To)+1
	if skip+length > MaxAhead {
		return none, refuse("%s 太远，只能预测历史数据（截至 %s）之后 %d 天以内",
			"%s is too far away; a forecast reaches to what lies behind the last day of the figures (%s) by %d days at most", p, past.To.Format(dayForm), MaxAhead)
	}
	out, err := Forecast(y, skip, length)
	if err != nil {
		return none, refuse("%s 的历史不够用来预测 %s：%v",
			"the figures of %s are too few to forecast %s: %v", q.goods.both(), p, err)
	}
	report := forecastReport{
		Subject: q.goods.label(), From: p.From.Format(dayForm), To: p.To.Format(dayForm), Method: out.Method, Data: past.String(), Sold: sold,
		Expected: digits(sold+out.Total.Value, 0), Low80: digits(sold+out.Total.Low80, 0), High80: digits(sold+out.Total.High80, 0),
		Low95: digits(sold+out.Total.Low95, 0), High95: digits(sold+out.Total.High95, 0),
	}
	recent := y[max(0, len(y)-28):]
	if before := sum(recent) / float64(len(recent)); before > 0 {
		report.Recent = digits(before, 2)
		report.Change = digits(100*(out.Total.Value/float64(length)/before-1), 1)
	}
	for _, t := range out.Trials {
		report.Tried = append(report.Tried, trial{t.Method, digits(100*t.Error, 1)})
		if t.Method == out.Method {
			report.Error = digits(100*t.Error, 1)
		}
	}
	for i := 0; i < length; i += week {
		end := min(i+week, length)
		report.Weekly = append(report.Weekly, point{first.AddDate(0, 0, i).Format(dayForm), first.AddDate(0, 0, end-1).Format(dayForm), digits(sum(out.Daily[i:end]), 1)})
	}
	return report, nil
}
