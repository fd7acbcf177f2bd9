package shop

import (
	"fmt"
	"slices"
	"time"
)

// basket is an order in the making: what one buyer puts together.
type basket struct {
	goods []item
	at    time.Time
}

// fillDay draws what is sold on the dth day and writes the orders in the order of their time.
func (f *filler) fillDay(d int) {
	day := f.day(d)
	var lines []item
	for _, it := range f.stock {
		price := float64(it.prices[d]) / float64(it.good.price*100)
		for range poisson(f.rand, demand(it.line, it.good, day, f.today, price, f.lift(it.category, day))) {
			lines = append(lines, it)
		}
	}
	f.rand.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	var baskets []basket
	for _, it := range lines {
		// 18 % of the pieces go into the basket before; the same product twice is a quantity.
		if n := len(baskets); n > 0 && f.chance(.18) {
			baskets[n-1].goods = append(baskets[n-1].goods, it)
		} else {
			baskets = append(baskets, basket{goods: []item{it}, at: day.Add(f.hours(0, 24))})
		}
	}
	slices.SortFunc(baskets, func(a, b basket) int { return a.at.Compare(b.at) })
	for _, b := range baskets {
		if b.at.After(f.now) {
			return
		}
		f.fillOrder(d, b)
	}
}

// overlookedOf: of so many orders of the days that are over their time to ship, one still waits, so that every shop has late orders, whatever
// day it is made on.
const overlookedOf = 10

// fillOrder writes an order with all that has become of it until now.
func (f *filler) fillOrder(d int, b basket) {
	f.orders++
	id := fmt.Sprintf("%012d", 281_000_000_000+int64(f.orders)*7_919+int64(f.rand.IntN(7_000)))
	buyer := f.crowd.buyer(f.rand)
	receiver := buyer
	if f.chance(.04) { // a present
		receiver = f.crowd.buyer(f.rand)
	}

	goods, counts := int64(0), map[string]int{}
	for _, it := range b.goods {
		counts[it.sku]++
		goods += it.prices[d]
	}
	discount, freight := int64(0), int64(0)
	if goods >= 20000 && f.chance(.2) {
		discount = int64(1+f.rand.IntN(4)) * 500
	}
	if goods < 9900 {
		freight = 800
	}
	total := goods - discount + freight

	paid := b.at.Add(f.hours(.01, .4))
	ship, wait := paid.Add(48*time.Hour), f.hours(4, 40)
	if f.chance(.07) { // late
		wait = f.hours(50, 96)
	}
	if f.orders%overlookedOf == 0 && d >= f.days-6 && d <= f.days-4 { // overlooked
		wait = max(wait, f.now.Sub(paid)+time.Hour)
	}
	shipped := paid.Add(wait)
	delivered := shipped.Add(f.hours(20, 110))
	state := "已完成"
	switch fate := f.rand.Float64(); {
	case fate < .03: // never paid; closes after a day
		state, paid, ship = "已取消", time.Time{}, time.Time{}
		if f.now.Sub(b.at) < 24*time.Hour {
			state = "待付款"
		}
	case paid.After(f.now):
		state, ship = "待付款", time.Time{}
	case fate < .05 && f.now.Sub(paid) > 3*time.Hour:
		state = "已取消"
	case shipped.After(f.now):
		state = "待发货"
	case delivered.Add(72 * time.Hour).After(f.now):
		state = "已发货"
	}
	var shipBy any
	if !ship.IsZero() {
		shipBy = ship.Format(momentForm)
	}
	var campaign any
	if c := f.brought(b.goods[0].category, b.at); c != nil {
		campaign = c.id
		c.count(b.at, goods)
	}
	f.insert("orders", "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?", id, buyer.id, state, b.at.Format(momentForm), f.moment(paid), shipBy,
		receiver.name, receiver.phone, receiver.address, goods, discount, freight, total, "", campaign)
	for _, it := range b.goods {
		if n := counts[it.sku]; n > 0 {
			f.insert("order_items", "?,?,?,?", id, it.sku, n, it.prices[d])
			counts[it.sku] = 0
		}
	}
	switch {
	case state == "已取消" && !paid.IsZero():
		f.fillRefund(id, "仅退款", "不想要了", total, paid.Add(f.hours(.5, 2)), true)
	case state == "已发货" || state == "已完成":
		f.fillShipment(id, receiver, shipped, delivered)
		if asked := delivered.Add(f.hours(10, 140)); f.chance(.06) && asked.Before(f.now) {
			f.fillComplaint(id, goods, total, asked)
		}
	}
	if state != "已取消" && !paid.IsZero() && f.chance(.3) {
		f.fillInvoice(id, receiver, total, paid.Add(f.hours(.1, 10)))
	}
}

// fillComplaint is a refund that the buyer asks for after delivery: the whole order, or a part of it.
func (f *filler) fillComplaint(order string, goods, total int64, asked time.Time) {
	whole := []string{"质量问题", "与描述不符", "七天无理由退货", "尺寸不合适"}
	part := []string{"外包装破损", "少配件", "降价补差"}
	if f.chance(.6) {
		f.fillRefund(order, "退货退款", whole[f.rand.IntN(len(whole))], total, asked, false)
		return
	}
	f.fillRefund(order, "仅退款", part[f.rand.IntN(len(part))], max(100, min(total, goods*int64(5+f.rand.IntN(25))/100)), asked, false)
}

func (f *filler) fillRefund(order, kind, reason string, amount int64, asked time.Time, agreed bool) {
	f.refunds++
	if asked.After(f.now) {
		asked = f.now
	}
	state, why, decided := "待处理", "", asked.Add(f.hours(1, 60))
	switch {
	case agreed:
		state, why, decided = "已同意", "未发货，自动退款", asked
	case decided.After(f.now):
	case f.chance(.82):
		state, why = "已同意", "核实无误"
	default:
		state, why = "已拒绝", "凭证不足"
	}
	if state == "待处理" {
		decided = time.Time{}
	}
	f.insert("refunds", "?,?,?,?,?,?,?,?,?", fmt.Sprintf("%013d", 5_100_000_000_000+int64(f.refunds)*131), order, kind, reason, amount, state,
		asked.Format(momentForm), f.moment(decided), why)
}

// step is one tracking event in the making.
type step struct {
	at           time.Time
	place, event string
}

var carriers = []string{"顺路速运", "北辰快递", "鸿雁物流"}

func (f *filler) fillShipment(order string, to person, shipped, delivered time.Time) {
	waybill := fmt.Sprintf("SL%012d", 700_000_000_000+int64(f.orders)*613)
	f.insert("shipments", "?,?,?,?,?,?,?", waybill, order, carriers[f.rand.IntN(len(carriers))], shipped.Format(momentForm), f.moment(delivered), 0, nil)
	way := delivered.Sub(shipped)
	for _, s := range []step{
		{shipped, "浙江省杭州市", "已揽收"},
		{shipped.Add(way * 3 / 10), "华东转运中心", "运输中"},
		{shipped.Add(way * 7 / 10), to.city, "到达目的地城市"},
		{shipped.Add(way * 9 / 10), to.city, "派送中"},
		{delivered, to.city, "已签收"},
	} {
		if !s.at.After(f.now) {
			f.insert("tracking", "?,?,?,?", waybill, s.at.Format(momentForm), s.place, s.event)
		}
	}
}

func (f *filler) fillInvoice(order string, to person, total int64, asked time.Time) {
	if asked.After(f.now) {
		return
	}
	title, tax := to.name, ""
	if f.chance(.25) {
		n := f.rand.IntN(1_000_000)
		title, tax = fmt.Sprintf("%s第%d商贸有限公司", to.city, n%97+1), fmt.Sprintf("91330000MA%08d", n)
	}
	issued, state, number := asked.Add(f.hours(2, 70)), "已开", any(fmt.Sprintf("%020d", 26_330_000_000_000+int64(f.orders)))
	if issued.After(f.now) {
		state, number = "待开", nil
	}
	f.insert("invoices", "?,?,?,?,?,?,?,?", order, title, tax, total, state, number, asked.Format(momentForm), f.moment(issued))
}
