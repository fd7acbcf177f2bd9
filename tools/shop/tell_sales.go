package shop

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

func (r *salesReport) tell(q salesQuery) {
	since, sinceEn := "", ""
	if r.begin != "" {
		since, sinceEn = fmt.Sprintf("店里的数据从 %s 开始，更早的没有。", r.begin), fmt.Sprintf(" The shop's figures begin on %s; there are none before.", r.begin)
	}
	if q.Sold != "" {
		zh, en := r.tellUnsold(q)
		r.say(zh+since, en+sinceEn)
		return
	}
	inZh, inEn := "", ""
	if q.City != "" {
		inZh, inEn = "（买家在"+q.City+"）", " to buyers in "+english(q.City)
	}
	if zh, en := conditions(q.daytime.condition()); zh != "" {
		inZh, inEn = inZh+"（"+zh+"）", inEn+" ("+en+")"
	}
	zh := fmt.Sprintf("%s%s %s 至 %s 的销售额为 %s，共 %s 个订单、%s 件。", shorten(r.Subject), inZh, r.From, r.To, zhMoney(r.Amount), figure(float64(r.Orders), 0), figure(float64(r.Quantity), 0))
	en := fmt.Sprintf("Sales of %s%s from %s to %s were %s: %s, %s.", shorten(q.labelEn()), inEn, r.From, r.To, enMoney(r.Amount), many(r.Orders, "order"), many(r.Quantity, "piece"))
	if r.Orders > 0 && r.Days > 1 {
		zh += fmt.Sprintf("按 %s 天算，日均 %s、%s 个订单、%s 件。", figure(float64(r.Days), 0), zhMoney(r.PerDay), figure(r.Daily, 1), figure(r.Pieces, 1))
		en += fmt.Sprintf(" Over %s that is %s, %s orders and %s pieces a day.", many(r.Days, "day"), enMoney(r.PerDay), figure(r.Daily, 1), figure(r.Pieces, 1))
	}
	zh, en = zh+since, en+sinceEn
	if r.Orders > 0 {
		zh += fmt.Sprintf("客单价 %s（中位数 %s），退款率 %s%%。", zhMoney(r.Average), zhMoney(r.Median), figure(r.Rate, 1))
		en += fmt.Sprintf(" The average order was %s (median %s), the refund rate %s%%.", enMoney(r.Average), enMoney(r.Median), figure(r.Rate, 1))
	}
	if r.Amount > 0 {
		zh += fmt.Sprintf("毛利 %s，毛利率 %s%%（销售额减商品成本，没有减去优惠、退款与推广花费）。", zhMoney(r.Profit), figure(r.Margin, 1))
		en += fmt.Sprintf(" The margin was %s, %s%% of sales: these less the cost of the goods; discounts, refunds and advertising are not taken off.", enMoney(r.Profit), figure(r.Margin, 1))
	}
	if r.Discount > 0 || r.Freight > 0 {
		zh += fmt.Sprintf("这些订单优惠 %s，买家付运费 %s。", zhMoney(r.Discount), zhMoney(r.Freight))
		en += fmt.Sprintf(" Discounts on these orders were %s, the freight %s.", enMoney(r.Discount), enMoney(r.Freight))
	}
	if r.Orders > 0 {
		zh += fmt.Sprintf("平均每单 %s 件，优惠 %s，运费 %s。", figure(r.Each, 2), zhMoney(r.Cut), zhMoney(r.Postage))
		en += fmt.Sprintf(" An order had %s pieces on average, %s of discount and %s of freight.", figure(r.Each, 2), enMoney(r.Cut), enMoney(r.Postage))
	}
	if r.whole && r.Orders > 0 {
		zh += fmt.Sprintf("毛利再减去优惠、退款和推广花费（%s），净剩 %s；工资、房租、税等没有数据，没有减。", zhMoney(*r.Ads), zhMoney(*r.Net))
		en += fmt.Sprintf(" Less discounts, refunds and advertising (%s) there remain %s; of wages, rent and taxes there are no figures.", enMoney(*r.Ads), enMoney(*r.Net))
	}
	if len(r.Groups) > 1 {
		groupZh, groupEn := r.bestGroup()
		zh, en = zh+groupZh, en+groupEn
	}
	if n := len(r.Groups); n > maxGroups { // of times the newest, of others the first
		first, firstEn, shown := "前", "first", r.Groups[:maxGroups]
		if r.by == "日" || r.by == "周" || r.by == "月" {
			first, firstEn, shown = "最近的", "last", r.Groups[n-maxGroups:]
		}
		r.Groups = shown
		zh += fmt.Sprintf("只列出%s %d 个，共 %d 个。", first, maxGroups, n)
		en += fmt.Sprintf(" Only the %s %d are listed, of %d.", firstEn, maxGroups, n)
	}
	if r.Refunded > 0 {
		zh += fmt.Sprintf("这些订单已退款 %s。", zhMoney(r.Refunded))
		en += fmt.Sprintf(" On these orders %s was refunded.", enMoney(r.Refunded))
	}
	r.say(zh, en)
}

// bestGroup words what the groups show: days of a kind by what they bring each, the others by all that they brought.
func (r *salesReport) bestGroup() (zh, en string) {
	daily := r.by == "周几" || r.by == "周末" || r.by == "年内月份"
	g := slices.MaxFunc(r.Groups, func(a, b salesLine) int {
		if daily {
			return cmp.Compare(a.PerDay, b.PerDay)
		}
		return cmp.Compare(a.Amount, b.Amount)
	})
	each := func(line func(salesLine) condition) (zh, en string) {
		return conditions(line(r.Groups[0]), line(r.Groups[1]))
	}
	switch {
	case r.by == "周末" && len(r.Groups) == 2:
		zh, en = each(func(g salesLine) condition {
			return condition{fmt.Sprintf("%s（%d 天）日均 %s", g.Group, g.Days, zhMoney(g.PerDay)), fmt.Sprintf("%s: %s a day (%s)", english(g.Group), enMoney(g.PerDay), many(g.Days, "day"))}
		})
		other := r.Groups[0].PerDay + r.Groups[1].PerDay - g.PerDay
		more := digits(100*(g.PerDay/other-1), 1)
		return fmt.Sprintf("%s，%s每天多 %s%%。", zh, g.Group, figure(more, 1)), fmt.Sprintf(" %s. A day of the %s brought %s%% more.", upper(en), english(g.Group), figure(more, 1))
	case r.by == "新老客" && len(r.Groups) == 2:
		zh, en = each(func(g salesLine) condition {
			return condition{fmt.Sprintf("%s %s 位、%s 个订单（%s）", g.Group, figure(float64(g.Buyers), 0), figure(float64(g.Orders), 0), zhMoney(g.Amount)), fmt.Sprintf("%s: %s, %s (%s)", english(g.Group), many(g.Buyers, "customer"), many(g.Orders, "order"), enMoney(g.Amount))}
		})
		return zh + "；新客是买家的第一个订单，老客是以后的。", " " + upper(en) + "; new is a buyer's first order, returning are those after it."
	case r.by == "年内月份":
		return fmt.Sprintf("不分年份，平均每天卖得最多的是%s（共 %s 天），日均 %s，合计 %s。", g.Group, figure(float64(g.Days), 0), zhMoney(g.PerDay), zhMoney(g.Amount)),
			fmt.Sprintf(" Whichever the year, the month with the most a day was %s (%s): %s a day, %s in all.", english(g.Group), many(g.Days, "day"), enMoney(g.PerDay), enMoney(g.Amount))
	case daily:
		return fmt.Sprintf("平均每天卖得最多的是%s，日均 %s。", g.Group, zhMoney(g.PerDay)), fmt.Sprintf(" The best day of the week was %s with %s a day.", english(g.Group), enMoney(g.PerDay))
	}
	week, weekEn := "", ""
	if r.by == "周" {
		week, weekEn = "开始的一周", "the one from "
	}
	return fmt.Sprintf("按%s看，%s%s最高，为 %s。", r.by, g.Group, week, zhMoney(g.Amount)), fmt.Sprintf(" The best %s was %s%s with %s.", english(r.by), weekEn, english(g.Group), enMoney(g.Amount))
}

// upper begins a sentence.
func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func (r *forecastReport) tell(q forecastQuery) {
	whole := func(v float64) string { return figure(v, 0) }
	zh := fmt.Sprintf("预计%s %s 至 %s 卖出 %s 件（80%% 的可能在 %s 到 %s 件之间）", shorten(r.Subject), r.From, r.To, whole(r.Expected), whole(r.Low80), whole(r.High80))
	en := fmt.Sprintf("Sales of %s from %s to %s are expected to be %s (with 80%% probability %s to %s)", shorten(q.labelEn()), r.From, r.To, many(int(r.Expected), "piece"), whole(r.Low80), whole(r.High80))
	if r.Sold > 0 {
		zh += fmt.Sprintf("，其中 %s 件已经卖出", whole(r.Sold))
		en += fmt.Sprintf(", of which %s sold already", whole(r.Sold))
	}
	zh += fmt.Sprintf("，日均比最近28天%s。", zhMove(r.Change))
	en += fmt.Sprintf("; a day, that is %s on the last 28 days.", enMove(r.Change))
	if r.Recent == 0 {
		zh, en = strings.Replace(zh, "，日均比最近28天不变", "，最近28天没有卖出", 1), strings.Replace(en, "; a day, that is unchanged on the last 28 days", "; nothing was sold in the last 28 days", 1)
	}
	r.say(zh+fmt.Sprintf("方法是%s，用它回测过去同样长的时间段，误差为 %s%%。预测的是件数，不预测销售额。", r.Method, figure(r.Error, 1)),
		en+fmt.Sprintf(" The method is %s; in back-tests of past stretches as long its error was %s%%. Pieces are forecast, not revenue.", english(r.Method), figure(r.Error, 1)))
}

func (r *priceReport) tell(q goods) {
	var zh, en []string
	for _, advice := range []struct{ zh, doZh, doEn string }{{"降价", "建议降价", "Lower"}, {"提价", "建议提价", "Raise"}} {
		var zhs, ens []string
		for _, s := range r.Suggestions {
			if s.Advice == advice.zh {
				zhs = append(zhs, fmt.Sprintf("%s 从 %s 到 %s（%s%%，预计销量%s、毛利%s）", s.Name, zhMoney(s.Price), zhMoney(s.Suggested), signed(s.Change), zhMove(s.Units), zhMove(s.Profit)))
				ens = append(ens, fmt.Sprintf("%s from %s to %s (%s%%; expected pieces %s, profit %s)", s.Name, enMoney(s.Price), enMoney(s.Suggested), signed(s.Change), enMove(s.Units), enMove(s.Profit)))
			}
		}
		if len(zhs) > 0 {
			zh, en = append(zh, advice.doZh+" "+zhList(zhs, 3)), append(en, advice.doEn+" "+enList(ens, 3))
		}
	}
	for _, advice := range []struct{ zh, doZh, doEn string }{{"保持", "保持现价", "Keep the price of"}, {"数据不足", "数据不足、不作建议", "Not enough data to advise on"}} {
		var which []string
		for _, s := range r.Suggestions {
			if s.Advice == advice.zh {
				which = append(which, s.Name)
			}
		}
		if len(which) > 0 {
			zh, en = append(zh, fmt.Sprintf("%s的有 %d 种：%s", advice.doZh, len(which), zhList(which, 4))), append(en, advice.doEn+" "+enList(which, 4))
		}
	}
	r.say(fmt.Sprintf("%s看了 %d 种商品。%s。", shorten(q.label()), len(r.Suggestions), strings.Join(zh, "；")),
		fmt.Sprintf("Prices of %s for %s were looked at. %s.", many(len(r.Suggestions), "product"), shorten(q.labelEn()), strings.Join(en, ". ")))
}

// signed writes a change with its sign.
func signed(v float64) string {
	if v > 0 {
		return "+" + figure(v, 1)
	}
	return "-" + figure(math.Abs(v), 1)
}
