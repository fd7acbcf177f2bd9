package shop

import (
	"fmt"
	"strings"
)

func (f *found) tell(q search) {
	who := by("客户", "customer", q.Consumer)
	zh, en := conditions(who, by("下单账号", "account", q.UserPin), by("电话", "phone", q.Phone), by("商品", "product", q.SKUName),
		by("商品编号", "product id", q.SKU), by("订单", "order", q.OrderID))
	ofZh, ofEn := "符合条件（"+zh+"）的", " for "+en
	switch {
	case zh == "":
		ofZh, ofEn = "全店的", " in the whole shop"
	case zh == who.zh:
		ofZh, ofEn = f.person(q.Consumer)+"的", " of "+personEn(f.person(q.Consumer))
	}
	switch {
	case f.Count == 0:
		f.tellNone(ofZh, ofEn)
	case q.Keys == "商品":
		all := names(f.Goods, func(g ordered) string { return fmt.Sprintf("%s ×%d", g.Name, g.Quantity) })
		f.say(fmt.Sprintf("%s订单里有 %d 种商品，共 %s 件，商品金额合计 %s，最多的是 %s。%s", ofZh, f.Count, figure(float64(f.pieces), 0), zhMoney(f.amount), zhList(all, 3), f.moreZh()),
			fmt.Sprintf("There %s %s in the orders%s: %s for %s in all, most of all %s.%s", areOf(f.Count), many(f.Count, "product"), ofEn,
				many(f.pieces, "piece"), enMoney(f.amount), strings.Join(all[:min(3, len(all))], ", "), f.moreEn()))
	case q.OrderID != "" && f.Count == 1 && len(f.Orders) == 1:
		o := f.Orders[0]
		f.say(fmt.Sprintf("订单 %s：%s 于 %s 下单，%s，%s，%s %s。", o.OrderID, o.Consumer, o.Time, o.State, o.Goods, zhPaid(o.State), zhMoney(o.Total)),
			fmt.Sprintf("Order %s was placed by %s at %s, %s; %s; %s %s.", o.OrderID, personEn(o.Consumer), o.Time, english(o.State), strings.ReplaceAll(o.Goods, "；", "; "), enPaid(o.State), enMoney(o.Total)))
	case f.Count == 1 && len(f.Orders) == 1:
		o := f.Orders[0]
		f.say(fmt.Sprintf("%s订单共有 1 个：%s，%s 于 %s 下单，%s，%s，%s %s。", ofZh, o.OrderID, o.Consumer, o.Time, o.State, o.Goods, zhPaid(o.State), zhMoney(o.Total)),
			fmt.Sprintf("There is 1 order%s: %s, placed by %s at %s, %s; %s; %s %s.", ofEn, o.OrderID, personEn(o.Consumer), o.Time, english(o.State), strings.ReplaceAll(o.Goods, "；", "; "), enPaid(o.State), enMoney(o.Total)))
	default:
		zhRange, enRange := f.first+" 至 "+f.last, f.first+" to "+f.last
		if f.first == f.last {
			zhRange, enRange = f.first, f.first
		}
		but, butEn := "", ""
		if f.unpaid > 0 {
			but = fmt.Sprintf("（未付款或已取消的 %s 个不计）", figure(float64(f.unpaid), 0))
			butEn = fmt.Sprintf(" (without %s unpaid or cancelled)", figure(float64(f.unpaid), 0))
		}
		subject := ofZh + "订单共有 %s 个（%s），"
		if zh != "" && zh == who.zh {
			subject = strings.TrimSuffix(ofZh, "的") + "共有 %s 个订单（%s），"
		}
		f.say(fmt.Sprintf(subject, figure(float64(f.Count), 0), zhRange)+"实付合计 "+zhMoney(f.paid)+but+"。"+f.othersZh(q.Consumer)+f.moreZh(),
			fmt.Sprintf("There are %s%s (%s), %s paid in all%s.%s", many(f.Count, "order"), ofEn, enRange, enMoney(f.paid), butEn, f.othersEn(q.Consumer)+f.moreEn()))
	}
}

// othersZh says how many of the orders somebody else placed for who was asked for.
func (f *found) othersZh(said string) string {
	if f.others == 0 {
		return ""
	}
	return fmt.Sprintf("其中 %d 个由别人下单，收货人是%s。", f.others, f.person(said))
}

func (f *found) othersEn(said string) string {
	if f.others == 0 {
		return ""
	}
	return fmt.Sprintf(" %d of them others placed, with %s as the receiver.", f.others, personEn(f.person(said)))
}

// person is the customer's name as the shop has it, when one was meant in Latin letters.
func (f *found) person(said string) string {
	if len(f.who) == 2 {
		return f.who[1]
	}
	return shorten(strings.TrimSpace(said))
}

func (f *found) moreZh() string {
	if f.Count <= listed {
		return ""
	}
	return fmt.Sprintf("只列出 %d 个，加上更多条件可以缩小范围。", listed)
}

func (f *found) moreEn() string {
	if f.Count <= listed {
		return ""
	}
	return fmt.Sprintf(" Only %d are listed; more conditions narrow it down.", listed)
}

func (f *found) tellNone(ofZh, ofEn string) {
	zh, en := fmt.Sprintf("%s订单共有 0 个。", ofZh), fmt.Sprintf("There are 0 orders%s.", ofEn)
	if len(f.near) > 0 {
		f.say(zh+"姓名相近的客户有 "+zhList(f.near, 5)+"，请核对姓名或其他条件。",
			en+" Customers of a like name: "+enList(names(f.near, personEn), 5)+". Please check the name and the other conditions.")
		return
	}
	f.say(zh+"请核对条件，或少给几个条件再查。", en+" Please check the conditions, or give fewer of them.")
}

// personEn is a name in Latin letters with the Chinese one behind.
func personEn(name string) string {
	if latin := romanised(name); latin != "" {
		return latin + " (" + name + ")"
	}
	return name
}

// zhPaid and enPaid say what the total of an order in a state is.
func zhPaid(state string) string {
	switch state {
	case "待付款":
		return "应付"
	case "已取消":
		return "订单金额"
	}
	return "实付"
}

func enPaid(state string) string {
	switch state {
	case "待付款":
		return "to be paid:"
	case "已取消":
		return "amount of the order:"
	}
	return "paid:"
}

func (d *detail) tell(oneOrder) {
	goods := strings.Join(names(d.Items, func(i orderItem) string { return fmt.Sprintf("%s ×%d", i.Name, i.Quantity) }), "；")
	zh := fmt.Sprintf("订单 %s（%s）：%s 于 %s 下单，%s，%s %s。", d.OrderID, d.State, d.Consumer, d.Time, goods, zhPaid(d.State), zhMoney(d.Total))
	en := fmt.Sprintf("Order %s (%s): placed by %s at %s; %s; %s %s.", d.OrderID, english(d.State), personEn(d.Consumer), d.Time, strings.ReplaceAll(goods, "；", "; "), enPaid(d.State), enMoney(d.Total))
	if d.Waybill != "" {
		zh += fmt.Sprintf("由%s承运，运单号 %s。", d.Carrier, d.Waybill)
		en += fmt.Sprintf(" Carried by %s, waybill %s.", d.Carrier, d.Waybill)
	}
	if n := len(d.Refunds); n > 0 {
		last := d.Refunds[n-1]
		zh += fmt.Sprintf("有 %d 个退款申请，最近一个 %s，%s。", n, zhMoney(last.Amount), last.State)
		en += fmt.Sprintf(" It has %s, the latest of %s, %s.", many(n, "refund request"), enMoney(last.Amount), english(last.State))
	}
	d.say(zh, en)
}

func (c *cancelled) tell(cancelOrder) {
	if c.Refunded == 0 && c.Restored == 0 {
		c.say(fmt.Sprintf("订单 %s 已取消；没有要退的钱。", c.OrderID), fmt.Sprintf("Order %s is cancelled; there was no money to give back.", c.OrderID))
		return
	}
	c.say(fmt.Sprintf("订单 %s 已取消，退款 %s，恢复库存 %d 件。", c.OrderID, zhMoney(c.Refunded), c.Restored),
		fmt.Sprintf("Order %s is cancelled, %s refunded and %s put back in stock.", c.OrderID, enMoney(c.Refunded), many(c.Restored, "piece")))
}

func (s *stateChanged) tell(changeState) {
	s.say(fmt.Sprintf("订单 %s 的状态已从%s改为%s。", s.OrderID, s.Before, s.State),
		fmt.Sprintf("Order %s was %s and is now %s.", s.OrderID, english(s.Before), english(s.State)))
}

func (d *deliveryChanged) tell(q changeDelivery) {
	var zh, en []string
	for _, c := range []struct{ asked, zh, en, was, now string }{
		{q.Receiver, "收货人", "receiver", d.was.Receiver, d.Receiver}, {q.Phone, "电话", "phone", d.was.Phone, d.Phone}, {q.Address, "地址", "address", d.was.Address, d.Address}, {q.Note, "商家备注", "seller's note", d.was.Note, d.Note},
	} {
		if strings.TrimSpace(c.asked) == "" {
			continue
		}
		if c.was == "" {
			zh, en = append(zh, c.zh+"改为「"+shorten(c.now)+"」"), append(en, c.en+" is now “"+shorten(c.now)+"”")
		} else {
			zh, en = append(zh, c.zh+"从「"+shorten(c.was)+"」改为「"+shorten(c.now)+"」"), append(en, c.en+" is changed from “"+shorten(c.was)+"” to “"+shorten(c.now)+"”")
		}
	}
	d.say(fmt.Sprintf("订单 %s 已修改：%s。", d.OrderID, strings.Join(zh, "，")), fmt.Sprintf("Order %s is changed: %s.", d.OrderID, strings.Join(en, ", ")))
	d.was = changeDelivery{} // the words have it now, and the ledger keeps no more
}
