package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

var (
	// boughtBeside asks what else was bought by those who bought something.
	boughtBeside = words.MustCompile(`(?i)买[^，,。；;？?]{0,16}(?:的人|的客户|的顾客|的买家|时|一起|同时)[^，,。；;？?]{0,6}(?:还|也|一般|通常|都)+[^，,。；;？?]{0,4}买|(?:和|跟|与)[^，,。；;？?]{1,12}一起(?:买|卖)|(?:连带|搭配|组合)(?:购买|销售)|` +
		`\bwhat else (?:did|do|have|has)\b.{0,60}\b(?:buy|buys|bought|order|ordered|purchased?)\b|\b(?:who|that) (?:buys?|bought|ordered|purchased)\b.{1,30}\b(?:also|else)\b|\b(?:bought|sold|ordered) together\b`)
	// eachBought asks of several people at once what each of them bought.
	eachBought = words.MustCompile(`(?i)最[多高大]的?\P{Han}{0,3}\p{Han}{0,4}(?:客户|顾客|买家|人)[^。；;]{0,6}(?:都|各|分别|各自)?(?:买|订|下单)[了过]?(?:些)?(?:什么|啥|哪些)|\b(?:top|best|biggest|most loyal) (?:\w+ )?(?:customers|buyers|clients)\b.{0,20}\bwhat (?:did|do|have|has) (?:they|each|each of them|these|those) (?:all )?(?:buy|bought|order|ordered|purchased?)\b`)
)

// ofBaskets says, of a question what was bought along with a thing, or by each of several people, that no tool tells it, and what can be asked instead; "" for any other.
func (x *Index) ofBaskets(g *goal) string {
	text := facts.Quoted.ReplaceAllString(g.text, " ")
	if !x.speaks("订单") && !x.speaks("order") || slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { return c.Policy || len(c.Change) > 0 }) || len(g.acts) > 0 || speaksOfFiles(g) || elsewhereTold.MatchString(text) {
		return ""
	}
	thing := ""
	for _, f := range g.facts {
		if f.Kind == facts.Known && f.From == "" {
			thing = f.Text
			break
		}
	}
	switch {
	case boughtBeside.MatchString(text):
		return words.Say(g.lang, "没有算出来：这里的工具不统计哪些商品是一起买的，或者买了一种的人还买了什么。可以问「%[1]s的订单」，每个订单里的商品都会列出；或者问某一位客户买过什么。",
			"This is not worked out: no tool here tells which goods are bought together, or what else buyers of one bought. “%[1]s” lists the goods of each order; or ask what one customer bought.", words.Either(thing == "", words.Say(g.lang, "最近", "recent orders"), words.Say(g.lang, thing, "orders of "+thing)))
	case eachBought.MatchString(text):
		return words.Say(g.lang, "没有查：几位客户各买了什么，一次查不出来。请先问「消费最多的客户」，再问其中一位买过什么。",
			"Not looked up: what each of several customers bought is not told at once. Please ask for the “top customers” first, then what one of them bought.")
	}
	return ""
}

// noDay says that a day which a question names is in no calendar; "" where it names none such.
func (x *Index) noDay(g *goal) string {
	day := facts.NoSuchDay(g.text, g.now)
	if day == "" || len(g.acts) > 0 || speaksOfFiles(g) || g.wishesChange() || strings.Contains(g.text, "`") {
		return ""
	}
	return words.Say(g.lang, "没有「%s」这一天，所以没有查；请给一个存在的日期。", "There is no “%s” in the calendar, so nothing was looked up; please give a day that exists.", day)
}
