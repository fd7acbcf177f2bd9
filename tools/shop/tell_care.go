package shop

import (
	"fmt"
	"slices"
)

func (t *tracked) tell(track) {
	if t.Delivered != "" {
		t.say(fmt.Sprintf("订单 %s 的包裹已于 %s 签收，由%s承运，运单号 %s。", t.OrderID, t.Delivered, t.Carrier, t.Waybill),
			fmt.Sprintf("The parcel of order %s was delivered at %s by %s, waybill %s.", t.OrderID, t.Delivered, t.Carrier, t.Waybill))
		return
	}
	zh, en := t.Last, fmt.Sprintf("shipped at %s", t.Shipped)
	if n := len(t.Events); n > 0 {
		e := t.Events[n-1]
		en = fmt.Sprintf("%s, %s, at %s", english(e.Event), english(e.Place), e.At)
	}
	t.say(fmt.Sprintf("订单 %s 的包裹还没有签收，最新进展：%s，距今 %s 小时。由%s承运，运单号 %s。", t.OrderID, zh, figure(t.IdleHours, 1), t.Carrier, t.Waybill),
		fmt.Sprintf("The parcel of order %s is not delivered yet. Last event: %s, %s hours ago. Carrier %s, waybill %s.", t.OrderID, en, figure(t.IdleHours, 1), t.Carrier, t.Waybill))
}

func (l *lateOrders) tell(q lateQuery) {
	zh, en := "已过最晚发货时间还没有发货", "overdue and not shipped"
	switch l.kind {
	case "已发货":
		zh, en = "发货晚了", "shipped late"
	case "全部":
		zh, en = "超时未发货或发货晚了", "overdue or shipped late"
	case "即将到期":
		zh, en = "还没有发货、也还没有超时", "due to be shipped and not overdue yet"
	}
	whenZh, whenEn := conditions(during(l.during))
	if q.City != "" {
		zh, en = zh+"、买家在"+q.City, en+", with buyers in "+english(q.City)
	}
	whenZh, whenEn = bracket("最晚发货时间在 ", whenZh, " 的订单里，"), bracket(", of those to be shipped from ", whenEn, "")
	if l.Count == 0 {
		l.say(fmt.Sprintf("%s%s的订单有 0 个。", whenZh, zh), fmt.Sprintf("0 orders are %s%s.", en, whenEn))
		return
	}
	o := l.Orders[0]
	more, moreEn := onlySome(len(l.Orders), l.Count)
	if l.kind == "即将到期" {
		l.say(fmt.Sprintf("%s%s的订单有 %s 个，最先到期的是 %s（买家 %s），要在 %s 之前发货。", whenZh, zh, figure(float64(l.Count), 0), o.OrderID, o.Consumer, o.ShipBy)+more,
			fmt.Sprintf("%s %s %s%s. The first is %s of %s, to be shipped by %s.", many(l.Count, "order"), areOf(l.Count), en, whenEn, o.OrderID, personEn(o.Consumer), o.ShipBy)+moreEn)
		return
	}
	l.say(fmt.Sprintf("%s%s的订单有 %s 个，超时最久的是 %s（买家 %s），超时 %s 小时。", whenZh, zh, figure(float64(l.Count), 0), o.OrderID, o.Consumer, figure(o.Hours, 1))+more,
		fmt.Sprintf("%s %s %s%s. The longest is %s of %s, %s hours late.", many(l.Count, "order"), areOf(l.Count), en, whenEn, o.OrderID, personEn(o.Consumer), figure(o.Hours, 1))+moreEn)
}

func (s *shipped) tell(shipOrder) {
	late, lateEn := "", ""
	if s.Late {
		late, lateEn = "这个订单超过了最晚发货时间。", " It was shipped after its ship-by time."
	}
	s.say(fmt.Sprintf("订单 %s 已发货，由%s承运，运单号 %s。%s", s.OrderID, s.Carrier, s.Waybill, late),
		fmt.Sprintf("Order %s is shipped with %s, waybill %s.%s", s.OrderID, s.Carrier, s.Waybill, lateEn))
}

func (u *urged) tell(oneOrder) {
	u.say(fmt.Sprintf("已于 %s 向%s催促订单 %s（运单号 %s），共催过 %d 次。", u.At, u.Carrier, u.OrderID, u.Waybill, u.Urged),
		fmt.Sprintf("%s was urged at %s to deliver order %s (waybill %s), %s so far.", u.Carrier, u.At, u.OrderID, u.Waybill, many(u.Urged, "time")))
}

func (l *refundList) tell(q refundQuery) {
	asked := during(l.during) // sales tell what was refunded of the orders placed in it, which is another sum
	if asked.zh != "" {
		asked = condition{"申请于 " + asked.zh, "asked for " + asked.en}
	}
	zh, en := conditions(by("客户", "customer", q.Consumer), by("订单", "order", q.OrderID), asked, q.daytime.condition(), by("类目", "category", q.Category), by("商品", "product", q.Name), by("城市", "city", q.City))
	zh, en = bracket("（", zh, "）"), bracket(" (", en, ")")
	state, stateEn := q.State, english(q.State)+" "
	if state == "" {
		state, stateEn = "", ""
	} else {
		state += "的"
	}
	if l.Count == 0 {
		l.say(fmt.Sprintf("%s退款申请%s有 0 个。", state, zh), fmt.Sprintf("There are 0 %srefund requests%s.", stateEn, en))
		return
	}
	zh = fmt.Sprintf("%s退款申请%s有 %s 个，金额合计 %s。", state, zh, figure(float64(l.Count), 0), zhMoney(l.Amount))
	en = fmt.Sprintf("There %s %s%s, %s in all.", areOf(l.Count), many(l.Count, stateEn+"refund request"), en, enMoney(l.Amount))
	if q.State == "" {
		zh += fmt.Sprintf("其中已同意 %s 个，已退款 %s。", figure(float64(l.agreed), 0), zhMoney(l.Agreed))
		en += fmt.Sprintf(" Of these %s approved and %s refunded.", figure(float64(l.agreed), 0), enMoney(l.Agreed))
	}
	if l.Hours > 0 {
		zh += fmt.Sprintf("从申请到处理平均 %s 小时。", figure(l.Hours, 1))
		en += fmt.Sprintf(" From the request to the decision it took %s hours on average.", figure(l.Hours, 1))
	}
	if len(l.Groups) > 1 {
		most := slices.MaxFunc(l.Groups, func(a, b refundGroup) int { return a.Count - b.Count })
		zh += fmt.Sprintf("按%s看，最多的是 %s，有 %s 个。", q.By, most.Group, figure(float64(most.Count), 0))
		en += fmt.Sprintf(" The %s with the most is %s with %s.", english(q.By), english(most.Group), figure(float64(most.Count), 0))
	}
	if len(l.Refunds) > 0 {
		r := l.Refunds[0]
		first, firstEn := sortWords(q.Sort)
		zh += fmt.Sprintf("%s的是 %s 为订单 %s 申请的 %s（%s，%s）。", first, r.Consumer, r.OrderID, zhMoney(r.Amount), r.Reason, r.State)
		en += fmt.Sprintf(" The %s is of %s for order %s: %s, %s.", firstEn, personEn(r.Consumer), r.OrderID, enMoney(r.Amount), english(r.State))
		more, moreEn := onlySome(len(l.Refunds), l.Count)
		zh, en = zh+more, en+moreEn
	}
	l.say(zh, en)
}

func (r *refundSeen) tell(oneRefund) {
	r.say(fmt.Sprintf("退款单 %s（%s）：%s 为订单 %s 申请%s %s，%s，原因：%s。", r.RefundID, r.State, r.Consumer, r.OrderID, r.Kind, zhMoney(r.Amount), r.Goods, r.Reason),
		fmt.Sprintf("Refund %s (%s): %s asks for %s for order %s; %s; the reason: %s.", r.RefundID, english(r.State), personEn(r.Consumer), enMoney(r.Amount), r.OrderID, r.Goods, r.Reason))
}

func (d *decided) tell(q decide) {
	if d.State == "已同意" {
		d.say(fmt.Sprintf("已同意退款单 %s，为订单 %s 退款 %s。", d.RefundID, d.OrderID, zhMoney(d.Refunded)),
			fmt.Sprintf("Refund %s is approved: %s go back for order %s.", d.RefundID, enMoney(d.Refunded), d.OrderID))
		return
	}
	d.say(fmt.Sprintf("已拒绝退款单 %s（订单 %s），没有退款，原因：%s。", d.RefundID, d.OrderID, shorten(q.Reason)),
		fmt.Sprintf("Refund %s of order %s is refused and nothing paid back; the reason given: %s.", d.RefundID, d.OrderID, shorten(q.Reason)))
}

func (i *invoice) tell(oneOrder) {
	switch i.State {
	case "未申请":
		i.say(fmt.Sprintf("订单 %s 没有申请过发票。", i.OrderID), fmt.Sprintf("No invoice was requested for order %s.", i.OrderID))
	case "待开":
		i.say(fmt.Sprintf("订单 %s 的发票待开：抬头 %s，金额 %s，%s 申请。", i.OrderID, i.Title, zhMoney(i.Amount), i.Asked),
			fmt.Sprintf("The invoice of order %s is not issued yet: title %s, %s, requested at %s.", i.OrderID, i.Title, enMoney(i.Amount), i.Asked))
	default:
		i.say(fmt.Sprintf("订单 %s 的发票已于 %s 开出：抬头 %s，金额 %s，号码 %s。", i.OrderID, i.IssuedAt, i.Title, zhMoney(i.Amount), i.Number),
			fmt.Sprintf("The invoice of order %s was issued at %s: title %s, %s, number %s.", i.OrderID, i.IssuedAt, i.Title, enMoney(i.Amount), i.Number))
	}
}

func (i *issued) tell(q issue) { i.invoice.tell(q.oneOrder) }

func (l *customerList) tell(q customerQuery) {
	kind := condition{q.Kind, kindsEn[q.Kind]}
	if l.named {
		kind = condition{}
	}
	bought, boughtEn := "买过", "bought"
	if q.Kind == "没下单" && l.during == always && q.Category+q.Product != "" { // who may well have bought others
		kind, bought, boughtEn = condition{}, "没买过", "never bought"
	}
	zh, en := conditions(during(l.during), kind, by("姓名", "name", q.Consumer), by("账号", "account", q.UserPin), by("电话", "phone", q.Phone), by("城市", "city", q.City), by(bought, boughtEn, q.Category), by(bought, boughtEn, q.Product))
	ofZh, ofEn := "符合条件（"+zh+"）的客户", " for "+en
	if zh == "" {
		ofZh, ofEn = "全店的客户", " in the whole shop"
	}
	if l.Count == 0 {
		near, nearEn := "请核对条件，或少给几个条件再查。", " Please check the conditions, or give fewer of them."
		if len(l.near) > 0 {
			near, nearEn = "姓名相近的有 "+zhList(l.near, 5)+"，请核对。", " Of a like name: "+enList(names(l.near, personEn), 5)+". Please check."
		}
		l.say(ofZh+"有 0 位。"+near, "There are 0 customers"+ofEn+"."+nearEn)
		return
	}
	c := l.Customers[0]
	kinds, kindsEn := "", ""
	switch {
	case l.Count == 1:
	case l.during == always:
		kinds = fmt.Sprintf("只下过一单的有 %s 位，回头客（两单以上）有 %s 位，占下过单的 %s%%。", figure(float64(l.New), 0), figure(float64(l.Again), 0), figure(l.Rate, 1))
		kindsEn = fmt.Sprintf(" %s ordered once and %s more than once, %s%% of those who ordered.", figure(float64(l.New), 0), figure(float64(l.Again), 0), figure(l.Rate, 1))
	default:
		kinds = fmt.Sprintf("这段时间的新客（第一次下单）有 %s 位，回头客（以前买过）有 %s 位，占 %s%%。", figure(float64(l.New), 0), figure(float64(l.Again), 0), figure(l.Rate, 1))
		kindsEn = fmt.Sprintf(" In this time %s were new (their first order) and %s had ordered before, %s%%.", figure(float64(l.New), 0), figure(float64(l.Again), 0), figure(l.Rate, 1))
	}
	most, mostEn := "消费最多的是 "+c.Name, personEn(c.Name)+" spent most"
	switch q.Sort {
	case "订单数":
		most, mostEn = "订单最多的是 "+c.Name, personEn(c.Name)+" ordered most often"
	case "客单价":
		most, mostEn = "客单价最高的是 "+c.Name, personEn(c.Name)+" has the highest average order"
	case "最近下单":
		most, mostEn = "最近下单的是 "+c.Name, personEn(c.Name)+" ordered last"
	}
	if q.Kind == "没下单" { // what they spent was not in this time
		more, moreEn := onlySome(len(l.Customers), l.Count)
		lastZh, lastEn := "", ""
		if c.Last != "" {
			lastZh, lastEn = fmt.Sprintf("最近的是 %s（账号 %s），上次下单 %s。", c.Name, c.Pin, c.Last), fmt.Sprintf(" The latest of them was %s (account %s), on %s.", personEn(c.Name), c.Pin, c.Last)
		}
		l.say(fmt.Sprintf("%s有 %s 位。%s%s", ofZh, figure(float64(l.Count), 0), lastZh, more), fmt.Sprintf("There %s %s%s.%s%s", areOf(l.Count), many(l.Count, "customer"), ofEn, lastEn, moreEn))
		return
	}
	if l.Count == 1 {
		most, mostEn = c.Name, personEn(c.Name)
	}
	more, moreEn := onlySome(len(l.Customers), l.Count)
	l.say(fmt.Sprintf("%s有 %s 位。%s%s（账号 %s）：%d 个已付款订单，消费 %s。%s", ofZh, figure(float64(l.Count), 0), kinds, most, c.Pin, c.Orders, zhMoney(c.Spent), more),
		fmt.Sprintf("There %s %s%s.%s %s (account %s): %s paid, %s.%s", areOf(l.Count), many(l.Count, "customer"), ofEn, kindsEn, mostEn, c.Pin, many(c.Orders, "order"), enMoney(c.Spent), moreEn))
}

// kindsEn are the kinds of customers in English.
var kindsEn = map[string]string{"新客": "new customers", "回头客": "returning customers", "多次购买": "more than one order", "只买一次": "one order only", "没下单": "no paid order"}

func (m *sent) tell(q message) {
	m.say(fmt.Sprintf("已于 %s 给 %s（账号 %s）发送消息：%s", m.At, m.Consumer, m.UserPin, shorten(q.Text)),
		fmt.Sprintf("The message was sent to %s (account %s) at %s: %s", personEn(m.Consumer), m.UserPin, m.At, shorten(q.Text)))
}
