package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A short question or change that begins with its verb leaves out of what: 卖得怎么样 and 降价5元 after a product, 花了多少钱 after a customer, "which one sold best" after a
// category. It is what the turn before was about, if that was about one thing; a noun, as in 本月销售额, stands for itself.

var (
	// soldVerb begins what is asked of or done to a product, and boughtVerb what is asked of a customer.
	soldVerb   = words.MustCompile(`^(?:那么?|一共|总共|都|还|现在|再|给我|的|，|\s)*(?:卖|销|赚|亏|好卖|畅销|热销|降|涨|补货|补|进货|调价|改价|便宜|值)\P{Han}{0,8}\p{Han}{0,8}(?:\d+(?:\.\d+)?\s*[%％]?\p{Han}{0,2})?[?？。!！]*$`)
	boughtVerb = words.MustCompile(`^(?:那么?|一共|总共|都|还|最近|的|，|\s)*(?:花|买|下单|下过|下了|退过|退了|消费|付)\p{Han}{1,10}[?？。!！]*$`)
	// whichSold asks which of a kind sells; its group is what stands for the kind.
	whichSold = words.MustCompile(`(?i)^(?:那么?|其中|and |so |then )*(哪一?[个款种]|which(?: one| of (?:them|these|those))?) ?(?:卖|销|赚|好卖|sold|sells?|is selling|earns?|earned|makes?|made)`)
	// soldEng asks how many were sold of what was spoken of.
	soldEng = words.MustCompile(`(?i)^(?:and |so |now |then )*how (?:many|much)(?: pieces| units)? (?:were sold|was sold|have been sold|did we sell|did it sell|sold)[?.! ]*$`)
	// thePrice is whose price shall change, in a change that names no product.
	thePrice = words.MustCompile(`(?i)^(?:please |now |ok,? |then )*(?:lower|raise|cut|reduce|increase|drop|decrease) (the price|its price|the stock|its stock)\b(?: (?:by|to)\b|\s*[.!]?$)`)
)

// ofToday asks of a price or of what is in stock, which are those of today.
var ofToday = words.MustCompile(`值|便宜|补|进货|多少钱`)

// filledIn is such a text with what it leaves out; "" when it is none, or when the turn before was about nothing or about several things.
func (x *Index) filledIn(g *goal, text string, history []earlier) string {
	n := len(history)
	if n == 0 || len([]rune(text)) > 40 || slices.ContainsFunc(x.facts(text, g.now), func(f facts.Fact) bool {
		return f.Kind == facts.Known || f.Kind == facts.Person || f.Kind == facts.Digits || f.Kind == facts.Place || f.Kind == facts.Proper
	}) {
		return ""
	}
	last := history[n-1]
	rest := text
	for _, f := range datesOf(x.facts(text, g.now)) {
		rest = strings.Replace(rest, f.Text, "", 1)
	}
	if boughtVerb.MatchString(rest) {
		var who []string
		for _, f := range x.facts(last.Request, g.now) {
			if f.Kind == facts.Person && !slices.Contains(who, f.Text) {
				who = append(who, f.Text)
			}
		}
		if len(who) == 1 {
			return who[0] + text
		}
		return ""
	}
	sold := soldEng.MatchString(text)
	which, price := whichSold.FindStringSubmatchIndex(text), thePrice.FindStringSubmatchIndex(text)
	if which == nil && price == nil && !sold && !soldVerb.MatchString(rest) {
		return ""
	}
	things := x.productsOf(g, history[n-1:])
	if len(things) != 1 {
		return ""
	}
	it, when := things[0], ""
	if dates := datesOf(x.facts(comparedTail.ReplaceAllString(last.Request, ""), g.now)); len(dates) == 1 && rest == text && !ofToday.MatchString(text) && len(datesOf(x.facts(it, g.now))) == 0 {
		when = dates[0].Text
	}
	switch {
	case sold:
		return strings.TrimRight(text, "?. ") + " of " + it + words.Either(when == "", "", ", "+when)
	case price != nil:
		return text[:price[3]] + " of " + it + text[price[3]:]
	case which == nil && len(wishes.ChangeVerbs(text)) == 0 && !wishes.Adjusting.MatchString(text):
		return it + when + text
	case which == nil:
		return "把" + it + strings.TrimLeft(text, "那么再，")
	}
	if words.Language(text) == "zh" {
		return it + when + text
	}
	text = strings.TrimRight(text[:which[2]]+"which "+it+" product"+text[which[3]:], "?. ")
	return strings.TrimSpace(text + " " + when)
}
