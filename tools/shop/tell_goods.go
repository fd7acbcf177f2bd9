package shop

import (
	"cmp"
	"fmt"
	"strings"
)

// labelEn is label in English.
func (g goods) labelEn() string {
	var parts []string
	for _, p := range []string{g.Category, g.Name, g.SKU} {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, english(p))
		}
	}
	switch {
	case len(parts) == 0:
		return english("全店")
	case len(parts) == 1 && englishWords(strings.TrimSpace(g.Category+g.Name)) != nil:
		return plural(parts[0])
	}
	return strings.Join(parts, " ")
}

// both is label in both languages.
func (g goods) both() condition { return condition{g.label(), g.labelEn()} }

func (l *productList) tell(q productQuery) {
	if l.Count == 1 {
		p := l.Products[0]
		l.say(fmt.Sprintf("%s有 1 种商品：%s，售价 %s，成本 %s，库存 %s 件。", shorten(q.label()), p.Name, zhMoney(p.Price), zhMoney(p.Cost), figure(float64(p.Stock), 0)),
			fmt.Sprintf("There is 1 product for %s: %s at %s, cost %s, %s in stock.", shorten(q.labelEn()), p.Name, enMoney(p.Price), enMoney(p.Cost), many(p.Stock, "piece")))
		return
	}
	low, high := l.Products[0], l.Products[0]
	for _, p := range l.Products {
		if p.Price < low.Price {
			low = p
		}
		if p.Price > high.Price {
			high = p
		}
	}
	shown, shownEn := "", ""
	if l.Count > len(l.Products) {
		shown, shownEn = fmt.Sprintf("列出的 %d 种里，", len(l.Products)), fmt.Sprintf("Of the %d listed, prices", len(l.Products))
	} else {
		shownEn = "Prices"
	}
	l.say(fmt.Sprintf("%s有 %d 种商品，%s售价从 %s（%s）到 %s（%s）。", shorten(q.label()), l.Count, shown, zhMoney(low.Price), low.Name, zhMoney(high.Price), high.Name),
		fmt.Sprintf("There are %d products for %s. %s go from %s (%s) to %s (%s).", l.Count, shorten(q.labelEn()), shownEn, enMoney(low.Price), low.Name, enMoney(high.Price), high.Name))
}

func (l *stockList) tell(q stockQuery) {
	zh, en := "", ""
	switch {
	case q.State == "已售罄":
		zh, en = "没有库存", "out of stock"
	case q.State != "":
		days := cmp.Or(q.Within, soonDays)
		zh, en = fmt.Sprintf("没有库存或会在 %d 天内卖完", days), fmt.Sprintf("out of stock or sold out within %s", many(days, "day"))
	case q.Within > 0:
		zh, en = fmt.Sprintf("会在 %d 天内卖完", q.Within), fmt.Sprintf("sold out within %s", many(q.Within, "day"))
	}
	if l.Count == 0 {
		l.say(fmt.Sprintf("%s%s的商品有 0 种（按最近28天的销量）。", shorten(q.label()), zh),
			fmt.Sprintf("0 products of %s are %s (at the sales of the last 28 days).", shorten(q.labelEn()), en))
		return
	}
	var soon, soonEn []string
	for _, s := range l.Stock {
		if s.Days != nil && len(soon) < 3 {
			soon = append(soon, fmt.Sprintf("%s（库存 %s 件，还能卖 %s 天）", s.Name, figure(float64(s.Stock), 0), figure(*s.Days, 1)))
			soonEn = append(soonEn, fmt.Sprintf("%s (%s in stock, %s days left)", s.Name, figure(float64(s.Stock), 0), figure(*s.Days, 1)))
		}
	}
	zh, en = fmt.Sprintf("%s有 %d 种商品%s", shorten(q.label()), l.Count, zh), fmt.Sprintf("%s of %s%s", many(l.Count, "product"), shorten(q.labelEn()), bracket(" "+areOf(l.Count)+" ", en, ""))
	more, moreEn := onlySome(len(l.Stock), l.Count)
	if l.Pieces > 0 {
		zh += fmt.Sprintf("，库存共 %s 件，按成本 %s，按售价 %s", figure(float64(l.Pieces), 0), zhMoney(l.Cost), zhMoney(l.Worth))
		en += fmt.Sprintf(": %s in stock, %s at cost, %s at the prices of today", many(l.Pieces, "piece"), enMoney(l.Cost), enMoney(l.Worth))
	}
	if len(soon) == 0 {
		l.say(zh+"，最近28天都没有卖出。"+more, en+"; none was sold in the last 28 days."+moreEn)
		return
	}
	l.say(zh+"。按最近28天的销量，最先卖完的是 "+strings.Join(soon, "、")+"。"+more, en+". At the sales of the last 28 days the first to run out: "+strings.Join(soonEn, ", ")+"."+moreEn)
}

func (s *stockSet) tell(setStock) {
	s.say(fmt.Sprintf("%s 的库存已从 %s 件改为 %s 件。", s.Name, figure(float64(s.Before), 0), figure(float64(s.Stock), 0)),
		fmt.Sprintf("The stock of %s is changed from %s to %s.", s.Name, figure(float64(s.Before), 0), many(s.Stock, "piece")))
}

func (p *priceSet) tell(setPrice) {
	zh, en := "每件毛利 "+zhMoney(p.Margin), "a margin of "+enMoney(p.Margin)+" a piece"
	if p.Margin < 0 {
		zh, en = "每件亏 "+zhMoney(-p.Margin), "a loss of "+enMoney(-p.Margin)+" a piece"
	}
	p.say(fmt.Sprintf("%s 的售价已从 %s 改为 %s，%s。", p.Name, zhMoney(p.Before), zhMoney(p.Price), zh),
		fmt.Sprintf("The price of %s is changed from %s to %s, with %s.", p.Name, enMoney(p.Before), enMoney(p.Price), en))
}
