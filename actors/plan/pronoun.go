package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// pronoun is a way to speak of a thing or a person without its name.
type pronoun struct {
	*words.Pattern        // its first group is what the name takes the place of, or stands behind
	behind         bool   // 这个订单 stays, and the id follows it
	person         bool   // else something with an id
	goods          bool   // else a product, whose price, stock or sales are asked for
	tail           string // what is put behind the name
}

var pronouns = []pronoun{
	{Pattern: words.MustCompile(`((?:这|那|该|此)(?:一?[个笔张])?(?:订单|单子|单|退款|包裹|快递))`), behind: true},
	{Pattern: words.MustCompile(`(?i)\b((?:this|that|the same)\s+(?:order|refund|parcel|shipment))\b`), behind: true},
	{Pattern: words.MustCompile(`(?:^|[^其])(它)(?:[^们]|$)`)},
	{Pattern: words.MustCompile(`(?i)\b(?:cancel|ship|track|urge|expedite|approve|refuse|reject|invoice|refund|return|show|open|bought|ordered|placed|who paid for|of|for|about|with|where is|where's|when was|has|was|did)\s+(it|that one|this one)\b`)},
	{Pattern: words.MustCompile(`((?:这|那|该|此)(?:一?[个款件种])?(?:商品|产品|货)|这款|那款|它)(?:[^们]|$)`), goods: true},
	{Pattern: words.MustCompile(`(?i)\b(?:does|did|is|was|has|much|of|for|about|many)\s+(it|(?:this|that|the same) (?:product|item))\b`), goods: true},
	{Pattern: words.MustCompile(`(?i)\b(its)\s+(?:price|cost|stock|sales|margin|profit|revenue)\b`), goods: true, tail: "'s"},
	// the buyer of what was just shown, and none of all the shop's
	{Pattern: words.MustCompile(`^(?:那|那么)?(买家|顾客|收货人|下单的人?)(?:是|叫)(?:谁|什么|哪)`), behind: true},
	{Pattern: words.MustCompile(`((?:这|那|该|此)一?[个位]?(?:客户|买家|顾客|用户))`), behind: true, person: true},
	{Pattern: words.MustCompile(`(?i)\b((?:this|that|the same)\s+(?:customer|buyer|client|user))\b`), behind: true, person: true},
	{Pattern: words.MustCompile(`(?:^|[^其吉])([他她])(?:[^们人]|$)`), person: true},
	{Pattern: words.MustCompile(`(?i)\b(his|her)\s+[a-z]`), person: true, tail: "'s"},
	{Pattern: words.MustCompile(`(?i)\b(him|her|he|she)\b`), person: true},
}

// saysToOrOf reports whether a text tells somebody something, or tells what somebody said or wants.
func saysToOrOf(text string) bool {
	return slices.ContainsFunc([]*words.Pattern{wishes.TellOthers, wishes.OfTheirs, wishes.ToldHan, wishes.ToldEng}, func(re *words.Pattern) bool {
		m := re.FindStringSubmatchIndex(text)
		return m != nil && (len(m) < 4 || m[2] < 0) // the group of the last two is somebody who is spoken to, by name as well
	})
}

// lookBack is how many turns back a pronoun reaches.
const lookBack = 4

// point puts behind or in the place of a pronoun what it stands for: the one thing, the one person that the turn before spoke of. Whoever
// gets the job knows that conversation in part only. Where a turn spoke of several it is asked; nothing is put in what somebody is to be told. Who
// is told, or wants something himself, stays a pronoun, since by it that is seen to be no wish of the user's; the name is a fact of the
// earlier turn. how says what was put in; "" for nothing.
func (x *Index) point(g *goal, text string, history []earlier) (put, how string) {
	for _, p := range pronouns {
		m := p.FindStringSubmatchIndex(text)
		if m == nil || len(history) == 0 || overlaps(toldOrQuoted(text), m[2], m[3]) || p.goods && (!ofGoods.MatchString(text) || len(wishes.ChangeVerbs(text)) > 0) || p.person && saysToOrOf(text) || foundBefore(text[:m[0]]) || len(p.named(x.facts(text, g.now))) > 0 {
			continue
		}
		said := text[m[2]:m[3]]
		names := x.spokenOf(g, p, history, x.suiting(text))
		if p.goods {
			names = x.productsOf(g, history)
		}
		if answer, ok := g.given[said]; ok {
			names = []string{answer}
		}
		if len(names) == 0 {
			continue
		}
		if len(names) > 1 && !p.person && !p.goods && !p.behind && ofGoods.MatchString(text) && len(x.productsOf(g, history)) == 1 {
			continue // 它现在多少钱: the product, and none of its orders
		}
		if len(names) > 1 {
			if g.lost == nil {
				g.lost = &bus.Ask{Kind: bus.Question, Parameter: said, Options: names[:min(len(names), 10)],
					Question: words.Say(g.lang, "前面说到 %[2]d 个，「%[1]s」指的是哪一个？", "%[2]d were spoken of before; which one is “%[1]s”?", said, len(names))}
			}
			return text, ""
		}
		one := names[0]
		how = words.Say(g.lang, "「%s」指%s", "“%s” is %s", said, one)
		switch name := x.idNoun(one, g.lang); {
		case p.behind && p.person && g.lang == "zh":
			one = said + one
		case p.behind:
			one = said + " " + one
		case name != "":
			one = name + " " + one
		}
		text = text[:m[2]] + one + p.tail + words.Either(g.lang == "zh" && !p.person, " ", "") + text[m[3]:]
	}
	return text, how
}

// named are the things of the pronoun's kind among facts, each once.
func (p pronoun) named(fs []facts.Fact) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range fs {
		if p.person != (f.Kind == facts.Person) || !p.person && !isID(f.Text) || seen[f.Text] {
			continue
		}
		seen[f.Text] = true
		out = append(out, f.Text)
	}
	return out
}

// spokenOf are the things that the newest turn speaks of which speaks of any. What was asked counts before what was answered, and nothing that
// the wish cannot be done to. suits: see suiting.
func (x *Index) spokenOf(g *goal, p pronoun, history []earlier, suits func(string) bool) []string {
	for i := len(history) - 1; i >= max(0, len(history)-lookBack); i-- {
		if l := history[i].lists; p.person && len(l) > 0 && len(p.named(x.facts(history[i].Request, g.now))) == 0 { // who came first, of whom it was asked
			if one := l[len(l)-1].first(history[i].Turn); one != "" {
				return []string{one}
			}
		}
		for _, text := range []string{history[i].Request, words.Clip(history[i].Answer, words.MaxText)} {
			names := p.named(x.facts(text, g.now))
			names = slices.DeleteFunc(names, func(n string) bool { // of a short number it is known what it is, or it may be an amount
				return len(n) < 9 && words.AllDigits(n) && x.idNoun(n, "zh") == "" && x.idNoun(n, "en") == ""
			})
			if suits != nil && !p.person {
				names = slices.DeleteFunc(names, func(n string) bool { return !suits(n) })
			}
			if len(names) > 0 {
				return names
			}
		}
	}
	return nil
}

// ofGoods asks what a product costs, how much of it there is or how it sells.
var ofGoods = words.MustCompile(`(?i)多少钱|价|库存|卖|销|成本|毛?利|[还能]剩|\b(?:costs?|prices?|priced|stock|left|sells?|selling|sold|sales|margin|profits?|revenue)\b`)

// productsOf are the products, or groups of them, that the newest turn names which names any; of names within each other the longest.
func (x *Index) productsOf(g *goal, history []earlier) (names []string) {
	for _, e := range slices.Backward(history[max(0, len(history)-lookBack):]) {
		for _, f := range x.facts(e.Request, g.now) {
			within := func(n string) bool { return strings.Contains(n, f.Text) }
			if f.Kind != facts.Known || !x.otherThing(f.Text) || slices.ContainsFunc(names, within) {
				continue
			}
			names = append(slices.DeleteFunc(names, func(n string) bool { return strings.Contains(f.Text, n) }), f.Text)
		}
		if n := len(e.lists); len(names) == 0 && n > 0 {
			return e.lists[n-1].winner(e.Turn)
		}
		if len(names) > 0 {
			return names
		}
	}
	return nil
}

// oneBest asks for what sells best, and severalBest for more than one.
var (
	oneBest     = words.MustCompile(`(?i)最[好旺火畅]|\bbest\b`)
	severalBest = words.MustCompile(`(?i)哪些|[前几]\s*[\d一二两三四五六七八九十]|[几些]|\b(?:products|goods|items|sellers|ones|top)\b`)
)

// winner is the row of a ranking that the turn asked for: the first where it asked for the one with the most, the last where it asked for the second. nil where the
// words of the answer do not name it.
func (l list) winner(t Turn) []string {
	asked := wishes.ReadReckoning(t.Request)
	at := max(asked.N, 1) - 1
	col, _ := l.column("商品", nil)
	if col < 0 || at >= len(l.rows) || at > 0 && (l.cut || !placeBehind.MatchString(t.Request)) || !asked.Superlative() && (!oneBest.MatchString(t.Request) || severalBest.MatchString(t.Request)) {
		return nil
	}
	lead, _, _ := strings.Cut(t.Answer, "\n|")
	if name := l.rows[at][col]; nameOnly(name) && !dayCell.MatchString(name) && strings.Contains(lead, l.rows[0][col]) {
		return []string{name}
	}
	return nil
}

// dayCell is a day, or the beginning of one, which stands in the words of an answer for other reasons.
var dayCell = words.MustCompile(`^\d{4}-\d\d(?:-\d\d)?$`)

// first is the customer of a ranking whom the words of the answer name, and no other row; "" for none or several.
func (l list) first(t Turn) string {
	col, _ := l.column("客户", nil)
	lead, _, _ := strings.Cut(t.Answer, "\n|")
	if col < 0 || !slices.Contains([]string{"客户", "买家", "customer", "buyer"}, l.cols[col].noun) {
		return ""
	}
	one := ""
	for _, r := range l.rows {
		if nameOnly(r[col]) && strings.Contains(lead, r[col]) && r[col] != one {
			if one != "" {
				return ""
			}
			one = r[col]
		}
	}
	return one
}

// idNoun is what a thing with an id is called in a language, by the parameters whose pattern the id holds to: 订单, order; "" when none does.
func (x *Index) idNoun(id, lang string) string {
	if x.behind != nil {
		x = x.behind.index
	}
	for _, e := range x.entries {
		for i := range e.Params {
			if f := &e.Params[i]; f.Pattern != nil && f.Sort == fields.ID && f.Pattern.MatchString(id) && words.Language(f.Label(lang)) == lang {
				return nounOf(f.Label(lang))
			}
		}
	}
	return ""
}

// nounOf is what the values of a field or under a heading are: 订单 of 订单编号, order of "Order id".
func nounOf(head string) string {
	head = strings.ToLower(head)
	for _, end := range []string{"编号", "单号", "号", "名称", "姓名", " id", " number", " no.", " code", " name"} {
		if s, ok := strings.CutSuffix(head, end); ok && s != "" {
			return s
		}
	}
	return head
}
