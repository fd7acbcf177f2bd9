package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What is said of a change may not be what a tool would make of it: a sum in another currency or by weight, a price that becomes a share, the cancelling of
// something that an order only has. Such a change is not made, and what does not fit is named.

var (
	// foreignMoney is a sum that is not of the yuan, in which all is kept here.
	foreignMoney = words.MustCompile(`(?i)(?:US\$|HK\$|[$€£₩₽])\s*\d[\d,.]*|\d[\d,.]*\s*(?:万|百|千)?(?:美元|美金|欧元|英镑|日元|日圆|港币|港元|韩元|台币|新台币|卢布|澳元|加元|泰铢)|\b\d[\d,.]*\s*(?:(?:us |american )?dollars?|bucks|euros?|pounds(?: sterling)?|USD|EUR|GBP|JPY|HKD|yen|won|rubles?)\b|\b(?:USD|EUR|GBP|JPY|HKD)\s*\d[\d,.]*`)
	// noMoney is an amount of what no price is counted in.
	noMoney = words.MustCompile(`(?i)\d[\d.]*\s*(?:公斤|千克|公里|厘米|毫升|[斤克米升岁]|小时|分钟|[天个]月?|kg|km|cm|grams?|pounds? of|lit(?:er|re)s?|hours?|days?)(?:\b|[\s，,。.！!]*$)`)
	// ofPrice: what shall cost more or less, or so much.
	ofPrice  = words.MustCompile(`(?i)价|[涨降]|便宜|\b(?:prices?|cheaper|dearer|raise|lower|reduce|discount)\b`)
	pricedTo = words.MustCompile(`(?i)(?:价格?|售价|卖价|定价|\bprice\b)[^，,。;；\n]*?(?:改成|改为|改到|设成|设为|调到|调成|调为|变成|变为|\bto\b)\s*`)
	asShare  = words.MustCompile(`^[-−+]?\s*\d+(?:\.\d+)?\s*(?:%|％|percent)`)
	// ofOthers are the things of another shop.
	ofOthers = words.MustCompile(`(?i)(?:别人家?|别家|人家|竞争对手|对手|竞品|同行|其他(?:店|商家)|别的(?:店|商家))家?(?:店铺?)?的?(?:[^，,。；;比价]{0,6})?(?:订单|商品|价格|售价|库存|退款|发票)|\b(?:competitors?|rivals?|neighbou?rs?|(?:an)?other (?:shop|store|seller)s?|someone else)(?:['’]s?)?(?:['’])? (?:\w+ )?(?:orders?|products?|prices?|stock|refunds?|invoices?)\b`)
	// partOfHan and partOfEng are what an order has: the refund of order N is not the order.
	partOfHan = words.MustCompile(`(?:取消|撤销|撤回|作废)(?:掉|了)?[^，,。；;\n]{0,12}?\d{6,}[^，,。；;\n]{0,4}?的\s*(操作|[^，,。；;\n]{0,6}?申请|退款|退货|售后|取消|发票|开票|运单|物流|发货|备注|优惠券?|活动|提醒|通知|消息|任务|计划)[\s。！!]*$|(?:把|将)[^，,。；;\n]{0,12}?\d{6,}[^，,。；;\n]{0,4}?的(操作|[^，,。；;\n]{0,6}?申请|退款|退货|售后|取消|发票|开票|运单|备注|通知|消息)(?:给)?(?:取消|撤销|撤回|作废)|(取消)(?:掉|了)?(?:取消|撤销)|(?:撤销|撤回|收回|恢复|还原)(?:掉|了)?(?:刚才|之前|对|订单|的|\s|\d{6,})*(取消)`)
	partOfEng = words.MustCompile(`(?i)\bcancel (?:the |an? |my |that )?(refund|return|invoice|message|note|cancellation|coupon|discount|campaign|request|reminder|notification|address change)s?\b(?: request)? ?(?:of|for|on|to|in)\b`)
)

// compares: another shop is what our own things are held against.
var compares = words.MustCompile(`(?i)比|跟|和|按|参考|参照|对齐|\b(?:like|as|than|to|match|compared|below|above|under)\b`)

// mistaken says of a change in the newest words why it cannot be what is meant; "" when nothing speaks against it. Nothing was done then.
func (r *round) mistaken() string {
	text := r.g.text[r.g.fresh:]
	price := ofPrice.MatchString(text)
	c := wishes.Clause{End: len(text)}
	c.Classify(text)
	if len(c.Change) == 0 && len(wishes.ChangeVerbs(text)) == 0 && !price || c.Policy || c.Advice || c.Question && !wishes.PoliteAsk.MatchString(text) {
		return ""
	}
	told := toldOrQuoted(text)
	first := func(re *words.Pattern) string {
		for _, m := range re.FindAllStringIndex(text, 5) {
			if !overlaps(told, m[0], m[1]) && !namedWithin(r.g.facts, m[0]+r.g.fresh, m[1]+r.g.fresh) {
				return strings.TrimRight(strings.TrimSpace(text[m[0]:m[1]]), "，,。.！!")
			}
		}
		return ""
	}
	lang := r.g.lang
	if whose := first(ofOthers); whose != "" && !compares.MatchString(text) {
		return words.Say(lang, "没有执行：这里只有本店的订单、商品和价格，「%s」不在这里，改不了。", "Not done: only the orders, products and prices of this shop are kept here; “%s” are not, and cannot be changed.", whose)
	}
	if sum := first(foreignMoney); sum != "" && !r.x.speaks("currency") && !r.x.speaks("币种") && (price || c.Change["refund"] > 0 || strings.Contains(text, "退")) {
		return words.Say(lang, "没有执行：这里的价格和金额都以人民币（元）计，没有汇率，「%[1]s」不能直接用。请用元再说一次。",
			"Not done: prices and sums are kept in yuan (CNY) here, and no rate of exchange is known, so “%[1]s” cannot be used. Please say it again in yuan.", sum)
	}
	if m := pricedTo.FindStringIndex(text); m != nil && !overlaps(told, m[0], m[1]) {
		if share := asShare.FindString(text[m[1]:]); share != "" {
			n := strings.TrimLeft(share, "-−+ ")
			return words.Say(lang, "没有执行：价格不能改成「%[1]s」，售价要是一个金额（元）。要降，请说「降价%[2]s」；要涨，请说「涨价%[2]s」。",
				"Not done: a price cannot become “%[1]s”; it is a sum in yuan. To change it by a share say “lower the price by %[2]s” or “raise it by %[2]s”.", share, n)
		}
		if amount := first(noMoney); amount != "" && strings.HasPrefix(text[m[1]:], amount) {
			return words.Say(lang, "没有执行：「%s」不是金额，售价要用元来说。", "Not done: “%s” is no sum of money; a price is said in yuan.", amount)
		}
	}
	for _, re := range []*words.Pattern{partOfHan, partOfEng} {
		if m := re.FindStringSubmatch(text); m != nil && first(re) != "" {
			part := strings.Join(m[1:], "")
			return words.Say(lang, "没有执行：能取消的是整个订单，而您说的是它的「%s」，这不是一回事，这里没有单独取消它的工具。如果要取消整个订单，请直接说「取消订单」和编号。",
				"Not done: what can be cancelled is a whole order, and you speak of its “%s”, which is not the same and cannot be cancelled by itself here. If the whole order is meant, say “cancel order” with its id.", part)
		}
	}
	return ""
}

var (
	saysPrice = words.MustCompile(`(?i)价|[涨降元块]|便宜|\b(?:prices?|cheaper|dearer|discount|lower|raise|yuan|CNY)\b`)
	saysStock = words.MustCompile(`(?i)库存|补货|进货|入库|件数|\b(?:stock|inventory|restock\w*|pieces?|units?|quantity)\b`)
)

// otherAspect says that a change is of the price and the tool chosen for it changes the stock, or the other way round; "" when it is not so.
func (r *round) otherAspect(t *target) string {
	if t.e.Reads() || t.e.IsAgent() {
		return ""
	}
	price, stock := saysPrice.MatchString(r.g.text), saysStock.MatchString(r.g.text)
	for _, f := range t.e.Params {
		about := f.Label("zh") + " " + f.Name
		if f.Present == "" || f.Type != "number" && f.Type != "integer" || !(price && !stock && saysStock.MatchString(about) || stock && !price && saysPrice.MatchString(about)) {
			continue
		}
		return words.Say(r.g.lang, "没有执行：%[1]s。说的是%[2]s，要改哪些商品没有听懂；请说出商品的名称，再说%[2]s改成多少。",
			"Not done: %[1]s. This is about the %[2]s, and of which products is not clear; please name them, and what the %[2]s shall be.", strip(t.clause.Text),
			words.Either(price, words.Say(r.g.lang, "价格", "price"), words.Say(r.g.lang, "库存", "stock")))
	}
	return ""
}

// namedWithin reports whether a stretch of a text belongs to the name of something known: 700ml of a bottle.
func namedWithin(all []facts.Fact, start, end int) bool {
	for _, f := range all {
		if (f.Kind == facts.Known || f.Kind == facts.Said || f.Kind == facts.Quote) && f.Start <= start && end <= f.End {
			return true
		}
	}
	return false
}
