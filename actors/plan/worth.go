package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// sureOf counts the parameters that something said gives, not what merely remained.
func sureOf(bound map[string]fields.Binding) int {
	n := 0
	for _, b := range bound {
		if !b.Weak && b.Why != figures.InOrderOf {
			n++
		}
	}
	return n
}

// ofThing: what is asked of a thing that is named: 电话 of 订单 281063663568 的电话, phone of "phone of order 281063663568".
var (
	ofThingHan = words.MustCompile(`的(?:收货|客户|买家|联系)?(\p{Han}{2,4}?)(?:号码?)?(?:是|呢|有|都|各|多少|什么|[?？。！!]|$)`)
	ofThingEng = words.MustCompile(`(?i)\b(phone|address|receiver|note|discount|freight|invoice|waybill|carrier|city|account|price|amount|total|reason)s?(?: numbers?)?\s+(?:of|for)\b|\w['’]s? (phone|mobile|address|account|city)\b`)
)

// askedOf is the noun of what is asked of a thing; "" when it is none.
func askedOf(text string) string {
	for _, re := range []*words.Pattern{ofThingHan, ofThingEng} {
		if m := re.FindStringSubmatch(text); m != nil {
			return strings.Join(m[1:], "")
		}
	}
	return ""
}

// boughtWhat asks which goods somebody bought.
var boughtWhat = words.MustCompile(`(?i)买(?:了|过|的)(?:些|都)?(?:是)?(?:什么|啥|哪些)|\b(?:what|which (?:products?|items?|goods))\s+(?:did|has|have|does)\b.{1,40}\b(?:buy|bought|purchased?)\b`)

// listing is what it is worth, for a wish to see which things there are of a kind, that a tool lists such things, each with its id, and tells the kind of each.
const listing = 1.2

// candidates are the cards nearest to a text, and behind them all others of a small house (see [Index.ofSmall]).
func (x *Index) candidates(text string) []ranked {
	found := x.rank(text)
	if len(x.entries) > smallHouse {
		found = found[:min(len(found), considered)]
	}
	seen := map[*cards.Entry]bool{}
	for _, r := range found {
		seen[r.e] = true
	}
	for _, e := range x.ofSmall() {
		if !seen[e] {
			found = append(found, ranked{e: e})
		}
	}
	return found
}

// sayingThat: words that bring in what is said.
var sayingThat = words.MustCompile(`(?i)[说讲给]|\b(?:saying|says?|telling|that)\b`)

// strange reports whether a tool knows nothing of what a change shall be made to: "write a poem" is nothing for one that writes to buyers.
func (x *Index) strange(about string, e *cards.Entry, bound map[string]fields.Binding) bool {
	if held := heldWhole(about); held != "" && slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Present != "" && (f.Type == "number" || f.Type == "integer") }) {
		return false // nobody need know what it is called
	}
	rest := sayingThat.ReplaceAllString(wishes.WithoutVerbs(about), " ")
	if len(wishes.ChangeVerbs(about)) > 1 { // approve the refunds: one of the verbs is the thing
		rest = about
	}
	return len(words.Content(rest)) > 0 && x.fitWith(rest, e, bound) == 0
}

// chosen is what it is worth that the text names an allowed value of the tool outright, by a word that few cards speak of.
func (x *Index) chosen(e *cards.Entry, bound map[string]fields.Binding, text string) float64 {
	text = strings.ToLower(text)
	for name, b := range bound {
		v, ok := b.Value.(string)
		if !ok || b.Why != "enum" || b.Sure < 0.9 || slices.ContainsFunc(e.Lists(), func(l *fields.Field) bool {
			return slices.ContainsFunc(l.Fields, func(c fields.Field) bool { return c.Label("zh") == v && (c.Type == "number" || c.Type == "integer") })
		}) { // 客单价 is a figure that many tell, and to order a list by it is no wish for the list
			continue
		}
		word := strings.ReplaceAll(v, "_", " ")
		if called := words.Longest(e.Param(name).Called[v], text); called != "" {
			word = called
		}
		ws := words.Content(word)
		if denied.MatchString(word) || strings.HasPrefix(word, "no ") || strings.HasPrefix(word, "not ") { // 没发货的: nothing else is said, or only what it lists: 没退款的订单 are orders, and no refunds
			rest := strings.Replace(text, strings.ToLower(word), " ", 1)
			if len(words.Content(rest)) == 0 || slices.ContainsFunc(e.Lists(), func(l *fields.Field) bool { return l.HasIDs() && l.Shares(rest) > 0 }) {
				return sharing / 2
			}
		}
		if len(ws) == 0 && strings.Contains(word, " ") || slices.ContainsFunc(ws, func(w string) bool { return x.heard[w] <= rare }) { // "not sell" is all common words, and says it together
			return sharing / 2
		}
	}
	return 0
}

// rare is in how many cards a word may stand and still tell them apart.
const rare = 3

// several: words that ask for all things of a kind, of which none is named.
var several = words.MustCompile(`(?i)哪些|有哪|哪几|有没有|列出|列一下|所有|全部|多少|几[个单笔件]|\b(?:which|list|any|all|how many)\b`)

// lacking is what it costs that a tool cannot be called as things stand. One that needs the id of a single thing does not serve a
// question for many of them.
func (x *Index) lacking(e *cards.Entry, bound map[string]fields.Binding, many bool) float64 {
	sum := 0.0
	for _, f := range e.Missing(bound) {
		if e.Knowledge() {
			continue
		}
		sum += words.Either(many && e.Reads() && f.Sort == fields.ID, 0.6, 0.1)
	}
	return sum
}

// sortsAll is what it is worth, where the first or the last of things are wanted, that a tool lists these things and puts all of them in that order: others
// know the order only of those that they list.
const sortsAll = 1.5

// firstOnes are the first or the last ones of a kind and nothing besides: the most recent order, 金额最大的退款, 最早的订单是哪个; its groups are the kind.
var firstOnes = words.MustCompile(`(?i)^(?:(?:please|show|list|get|find|see|tell|give|me|us|what|which|who|is|are|was|were|the|our|my|of|all|top|\d{1,3}|what's) )*[a-z]*(?:most |least )?[a-z]+ (?:\d{1,3} |two |three |four |five |ten )?(order|product|customer|buyer|refund|return|parcel|shipment|invoice)s?[?.! ]*$|` +
	`^(?:请|帮我|给我|查|看|找|列|出|一下|显示|全店|店里|的)*(?:金额|价格|价钱|时间|下单)?最[^的，,]{1,3}的?(?:一?[前这那]?[一二两三四五六七八九十\d]{1,3})?[个笔单条份位张]?(订单|商品|产品|客户|买家|顾客|退款|退货|包裹|快递|发票)(?:(?:是|有|在)?(?:哪|什么|谁|多少|几).{0,6})?[呢啊]?[?？。]*$`)

// ofEach is what it is worth for a mean of things, 每个订单的平均金额, that a tool lists these things with what is measured: a list of refunds tells amounts, too.
func ofEach(c wishes.Clause, e *cards.Entry) float64 {
	if c.Figure.Fold != wishes.FoldMean || c.Figure.By == "" {
		return 0
	}
	f, lacks, ok := figures.Lay(c.Figure, e)
	if !ok || lacks != "" || f.Of == nil || !f.List.HasIDs() || !slices.ContainsFunc(words.AlsoCalled(c.Figure.By), func(kind string) bool { return words.Mentions(f.List.Label("zh")+" "+f.List.Label("en"), kind) }) {
		return 0
	}
	return figures.Tabled
}

// sortsThese is what it is worth that a tool puts all things of the kind in order whose first or last is wanted: 最便宜的两个订单 are no products.
func sortsThese(c wishes.Clause, e *cards.Entry) float64 {
	if !e.Reads() || e.IsAgent() {
		return 0
	}
	if !c.Figure.Superlative() {
		return ofEach(c, e)
	}
	ofThese := slices.ContainsFunc(e.Lists(), func(l *fields.Field) bool {
		return l.HasIDs() && slices.ContainsFunc(words.AlsoCalled(l.Label("zh")), func(kind string) bool { return words.Mentions(strings.ToLower(c.Text), kind) })
	})
	if ofThese && slices.ContainsFunc(e.Params, func(p fields.Field) bool {
		return figures.OrderNamed(e, &p, c.Figure, c.Text) != "" && figures.OrderOf(e, &p, c.Figure, "") == ""
	}) {
		return sortsAll
	}
	m := firstOnes.FindStringSubmatch(c.Text)
	if m == nil || c.Figure.By != "" {
		return 0
	}
	f, lacks, ok := figures.Lay(c.Figure, e)
	if !ok || lacks != "" || !slices.ContainsFunc(words.AlsoCalled(strings.ToLower(m[1]+m[2])), func(kind string) bool {
		return words.Mentions(f.List.Label("zh")+" "+f.List.Label("en"), kind)
	}) {
		return 0
	}
	for i := range e.Params {
		if p := &e.Params[i]; p.Sorts() && figures.OrderOf(e, p, c.Figure, "") != "" {
			return sortsAll
		}
	}
	return 0
}
