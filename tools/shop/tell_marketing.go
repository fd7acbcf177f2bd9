package shop

import (
	"fmt"
	"strings"
)

func (r *campaignReport) tell(q campaignQuery) {
	zh, en := conditions(by("类目", "category", q.Category), by("渠道", "channel", q.Channel), during(r.during))
	zh, en = bracket("（", zh, "）"), bracket(" (", en, ")")
	kind, kindEn := "", ""
	switch q.Outcome {
	case "亏":
		kind, kindEn = "亏钱的", "losing "
	case "赚":
		kind, kindEn = "赚钱的", "profitable "
	}
	switch q.State {
	case "进行中":
		kind, kindEn = "正在进行的"+kind, "running "+kindEn
	case "已结束":
		kind, kindEn = "已结束的"+kind, "ended "+kindEn
	}
	if r.Count == 0 && kind != "" {
		r.say(kind+"推广活动"+zh+"有 0 个。", "There were 0 "+kindEn+"campaigns"+en+".")
		return
	}
	if r.Count == 0 {
		r.say("推广活动"+zh+"有 0 个。请核对类目、渠道或时间段。", "There were 0 campaigns"+en+". Please check category, channel or period.")
		return
	}
	zh = fmt.Sprintf("%d 个%s推广活动%s共花费 %s，带来销售额 %s，投入产出比 %s，%s。", r.Count, kind, zh, zhMoney(r.Cost), zhMoney(r.Sales), cents(r.ROI), zhProfit(r.Profit))
	en = fmt.Sprintf("%s%s cost %s and brought sales of %s, an ROI of %s; by the margin of the goods %s.", many(r.Count, kindEn+"campaign"), en, enMoney(r.Cost), enMoney(r.Sales), cents(r.ROI), enProfit(r.Profit))
	if r.Rate > 0 {
		zh += fmt.Sprintf("点击率 %s%%，每次点击 %s。", cents(r.Rate), zhMoney(r.Click))
		en += fmt.Sprintf(" The click rate was %s%%, a click cost %s.", cents(r.Rate), enMoney(r.Click))
	}
	if n := len(r.Channels); n > 1 {
		best, worst := r.Channels[0], r.Channels[n-1]
		zh += fmt.Sprintf("%s最好（%s），%s最差（%s）。", best.Channel, cents(best.ROI), worst.Channel, cents(worst.ROI))
		en += fmt.Sprintf(" Best: %s (%s); worst: %s (%s).", english(best.Channel), cents(best.ROI), english(worst.Channel), cents(worst.ROI))
	}
	more, moreEn := onlySome(len(r.Campaigns), r.Count)
	r.say(zh+more, en+moreEn)
}

// zhProfit and enProfit word what is left of the margin when the advertising is paid.
func zhProfit(yuan float64) string {
	if yuan < 0 {
		return "按商品毛利算亏 " + zhMoney(-yuan)
	}
	return "按商品毛利算赚 " + zhMoney(yuan)
}

func enProfit(yuan float64) string {
	if yuan < 0 {
		return "they lost " + enMoney(-yuan)
	}
	return "they earned " + enMoney(yuan)
}

func (p *proposal) tell(q proposalQuery) {
	var zhs, ens []string
	for _, l := range p.Split {
		if l.Budget > 0 {
			zhs = append(zhs, l.Channel+" "+zhMoney(l.Budget))
			ens = append(ens, english(l.Channel)+" "+enMoney(l.Budget))
		}
	}
	subject := goods{Category: q.Category}
	zh := fmt.Sprintf("%s %s、%d 天的预算建议这样分：%s，预计带来销售额 %s。", subject.label(), zhMoney(p.Budget), p.Days, strings.Join(zhs, "、"), zhMoney(p.Sales))
	en := fmt.Sprintf("A budget of %s for %s over %s is best split so: %s; expected sales %s.", enMoney(p.Budget), subject.labelEn(), many(p.Days, "day"), strings.Join(ens, ", "), enMoney(p.Sales))
	if p.LastYuan < 1 {
		zh += fmt.Sprintf("最后一元预算只带来毛利 %s，少投更赚。", zhMoney(p.LastYuan))
		en += fmt.Sprintf(" The last yuan brings a margin of only %s: a smaller budget earns more.", enMoney(p.LastYuan))
	} else {
		zh += fmt.Sprintf("最后一元预算仍带来毛利 %s。", zhMoney(p.LastYuan))
		en += fmt.Sprintf(" The last yuan still brings a margin of %s.", enMoney(p.LastYuan))
	}
	if p.Budget/float64(p.Days) > 3*p.Usual {
		zh += fmt.Sprintf("过去各渠道合计日均只花 %s，这个预算超出很多，预计只能参考。", zhMoney(p.Usual))
		en += fmt.Sprintf(" In the past the channels together cost only %s a day, so this is far beyond what was measured.", enMoney(p.Usual))
	}
	p.say(zh, en)
}

func (r *keywordReport) tell(q keywordQuery) {
	subject := goods{Category: q.Category}
	if len(r.Keywords) == 0 {
		r.say(fmt.Sprintf("%s比较了 %d 个词，没有可推荐的商机词。", subject.label(), r.Count), fmt.Sprintf("%s of %s compared; none can be recommended.", many(r.Count, "keyword"), subject.labelEn()))
		return
	}
	extra, cost := 0.0, 0.0
	for _, k := range r.Keywords {
		extra, cost = extra+k.Orders, cost+k.Cost
	}
	top := names(r.Keywords, func(k keywordLine) string { return "「" + k.Word + "」" })
	topEn := names(r.Keywords, func(k keywordLine) string { return "“" + k.Word + "”" })
	first := r.Keywords[0]
	r.say(fmt.Sprintf("%s比较了 %d 个词，推荐 %d 个：%s。机会最大的是「%s」，估计每月可增 %s 个订单。所列词合计每月可增 %s 个订单，点击全部付费时花费 %s。",
		subject.label(), r.Count, len(top), zhList(top, 5), first.Word, figure(first.Orders, 1), figure(extra, 1), zhMoney(cost)),
		fmt.Sprintf("Of %s of %s, %d %s recommended: %s. The best, “%s”, may bring %s extra orders a month; all listed together %s, for %s if every click is paid.",
			many(r.Count, "keyword"), subject.labelEn(), len(top), areOf(len(top)), enList(topEn, 5), first.Word, figure(first.Orders, 1), figure(extra, 1), enMoney(cost)))
}
