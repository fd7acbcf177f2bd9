package plan

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// bindTold chooses allowed values and reads yes, no and the question itself.
func (x *Index) bindTold(e *cards.Entry, f *fields.Field, g *goal, c wishes.Clause, facts []facts.Fact) (fields.Binding, bool) {
	where, all := c.Text, g.text
	if g.fresh > 0 {
		where = g.text
	}
	switch f.Sort {
	case fields.Enum:
		if by := c.Figure.By; by != "" && e.Reads() {
			if v := figures.Groups(f, by); v != "" {
				return fields.Binding{Value: x.typed(f, v), Sure: 1, Why: "enum", Used: -1}, true
			}
			if figures.GoesFor(f, by) > 1 { // of each state: of all
				return fields.Binding{}, false
			}
		}
		if e.Reads() && f.Sorts() {
			if v := figures.OrderOf(e, f, g.undated(c), g.lang); v != "" {
				return fields.Binding{Value: x.typed(f, v), Sure: 1, Why: figures.InOrderOf, Used: -1}, true
			}
			if said := figures.OrderNamed(e, f, c.Figure, c.Text); said != "" {
				if v, sure := x.chooseEnum(f, said, false); v != "" && sure >= sureOptional {
					return fields.Binding{Value: x.typed(f, v), Sure: 1, Why: figures.InOrderOf, Used: -1}, true
				}
			}
			if c.Figure.Superlative() && slices.ContainsFunc(f.Enum, func(v string) bool { return wishes.ReadReckoning(v).Superlative() }) {
				return fields.Binding{}, false // the dearest of another kind of thing
			}
			if _, _, _, two := g.twoPeriods(c); two {
				return fields.Binding{}, false // 订单数 of two months is a figure, and no order of rows
			}
		}
		if e.Reads() {
			all = g.looking()
			if g.fresh > 0 {
				where = all
			} else if strings.HasPrefix(g.text[min(c.Start, c.End):c.End], c.Text) {
				where = all[c.Start : c.Start+len(c.Text)]
			}
			all = lessReason(e, all)
		}
		if v, sure := x.chooseEnum(f, undated(where, g, facts), !e.Reads()); v != "" && (f.Required || sure >= sureOptional) {
			return fields.Binding{Value: x.typed(f, v), Sure: sure, Why: "enum", Used: -1}, true
		}
		if v, sure := x.chooseEnum(f, undated(all, g, facts)+" "+lessReason(e, x.handed(g))+" "+g.replies, !e.Reads()); v != "" && strings.TrimSpace(where) != strings.TrimSpace(all) && sure >= 0.8 {
			return fields.Binding{Value: x.typed(f, v), Sure: sure - 0.1, Why: "enum", Used: -1}, true
		}
	case fields.Query:
		if f.Required || len(e.Required()) == 0 {
			text := strings.TrimSpace(g.text)
			if len(g.clauses) > 1 {
				text = c.Text
			}
			if text != "" {
				return fields.Binding{Value: text, Sure: 0.7, Why: "question", Used: -1}, true
			}
		}
	case fields.Bool:
		if v, ok := chooseBool(f, where); ok {
			return fields.Binding{Value: v, Sure: 0.6, Why: "boolean", Used: -1}, true
		}
	}
	return fields.Binding{}, false
}

// handed is what was handed on with the request, with spaces for what limits a figure there, too.
func (x *Index) handed(g *goal) string {
	if g.handed == "" && g.context != "" {
		g.handed = wishes.Unlimited(g.context, x.facts(g.context, g.now))
	}
	return g.handed
}

// lessReason is a text for a tool that only looks, up to why something shall be changed: that is nothing to look for.
func lessReason(e *cards.Entry, text string) string {
	if cue, _, ok := wishes.Reason(text); ok && cue > 0 && e.Reads() {
		return text[:cue]
	}
	return text
}

// looking is the text of the goal for a tool that only looks, with spaces for what is refused and for the verbs of the changes wished: who
// wants an order cancelled, or not cancelled, does not look for cancelled ones.
func (g *goal) looking() string {
	if g.looks == "" {
		out := []byte(wishes.Unrefused(g.text))
		for _, c := range g.clauses {
			at := c.Start + max(0, strings.Index(g.text[c.Start:c.End], c.Text))
			for verb, i := range c.Change {
				n := wishes.VerbLength(verb, g.text[min(at+i, len(g.text)):])
				copy(out[min(at+i, len(out)):], strings.Repeat(" ", n))
			}
		}
		g.looks = string(out)
	}
	return g.looks
}

// lastTime: the last time is neither once nor a thing.
var (
	lastTime = words.MustCompile(`(?:最近|最后|上|前)[一1]?[次回]`)
	// someHours are a length of time, and no hours of the day.
	someHours = words.MustCompile(`(?i)\d+\s*个?(?:小时|钟头)|\b\d+\s*hours?\b`)
	someTime  = words.MustCompile(`^(?:最近|最后|上)?[一两二三几\d]{0,2}[次回]$`)
)

// undated takes the dates and what limits a figure out of a text: neither the 月 of 上个月 nor the 不足 of 库存不足10件 chooses anything.
func undated(s string, g *goal, found []facts.Fact) string {
	s = someHours.ReplaceAllString(lastTime.ReplaceAllString(s, "最近"), " ")
	for _, f := range found {
		if _, when := f.Value.(facts.Period); f.From == "" && when {
			s = strings.ReplaceAll(s, f.Text, " ")
		} else if l, ok := wishes.LimitIn(g.text, f); ok && !l.Second && l.Start < f.Start && l.Start < l.End && l.End <= len(g.text) { // 不足 of 库存不足10件
			s = strings.ReplaceAll(s, g.text[l.Start:l.End], " ")
		}
	}
	return s
}

// bindKnown looks for values that the card itself knows, and for the text of a message.
func (x *Index) bindKnown(e *cards.Entry, f *fields.Field, g *goal, c wishes.Clause, _ []facts.Fact) (fields.Binding, bool) {
	if f.Sort != fields.Text && f.Sort != fields.ID && f.Sort != fields.Person {
		return fields.Binding{}, false
	}
	for i, text := range []string{g.text[min(g.fresh, len(g.text)):], c.Text, g.text, g.context} {
		if i == 0 && g.fresh == 0 || i > 1 && !f.Required && (g.owns(c) || allOfAKind(e, c.Text)) {
			continue // what another wish is about
		}
		if v := words.Longest(f.Examples, text); v != "" && !(strings.EqualFold(v, askedOf(c.Text)) && slices.ContainsFunc(facts.Within(g.facts, c.Start, c.End), func(f facts.Fact) bool { return f.Kind == facts.Person })) { // the phone of somebody is no kind of goods
			if namesGoods(f) {
				v = x.modelOf(v, text, g)
			}
			return fields.Binding{Value: v, Sure: 0.85, Why: "known value", Used: -1, More: namedBeside(f, v, g, c)}, true
		}
	}
	if namesGoods(f) { // the kind is another parameter's, but this one is named: 空气炸锅5L
		for _, fa := range facts.Within(g.facts, c.Start, c.End) {
			if v := x.modelOf(fa.Text, c.Text, g); fa.Kind == facts.Known && v != fa.Text {
				return fields.Binding{Value: v, Sure: 0.85, Why: "known value", Used: -1}, true
			}
		}
	}
	if v := f.CalledFor(c.Text); v != "" {
		return fields.Binding{Value: v, Sure: 0.8, Why: "named value", Used: -1}, true
	}
	if f.Sort == fields.Text && wishes.IsReason.MatchString(f.Name+" "+f.Head()) {
		if _, start, ok := wishes.Reason(c.Text); ok {
			return fields.Binding{Value: strings.Trim(c.Text[start:], ` "“”「」'。.`), Sure: 0.7, Why: "what to say", Used: -1, Weak: true}, true
		}
	}
	if f.Sort == fields.Text && wishes.IsMessage.MatchString(f.Name+" "+f.Head()) {
		if start, ok := wishes.SaidFrom(c.Text); ok && !wishes.AMessage.MatchString(c.Text[start:]) {
			return fields.Binding{Value: strings.Trim(c.Text[start:], ` "“”「」'`), Sure: 0.7, Why: "what to say", Used: -1, Weak: true}, true
		}
	}
	return fields.Binding{}, false
}

// namesGoods reports whether a field takes the names of goods, of which its card cannot list all.
func namesGoods(f *fields.Field) bool {
	return f.OpenName() && cards.NameLike.MatchString(f.Name+" "+f.Head())
}

// modelOf is a known name in a text with what stands right beside it and tells one of its kind from the others: Lite of 手机Lite, X2 of the X2 phone.
func (x *Index) modelOf(v, text string, g *goal) string {
	start := strings.Index(strings.ToLower(text), strings.ToLower(v))
	if start < 0 {
		return v
	}
	end := start + len(v)
	for _, f := range g.facts {
		if f.Kind != facts.Proper && f.Kind != facts.Code && !(f.Kind == facts.Number && sizeOfModel.MatchString(f.Text)) || x.knows(strings.ToLower(f.Text)) {
			continue
		}
		for _, between := range []string{"", " "} {
			if strings.HasSuffix(text[:start], f.Text+between) {
				start -= len(f.Text + between)
			} else if strings.HasPrefix(text[end:], between+f.Text) {
				end += len(between + f.Text)
			}
		}
	}
	return text[start:end]
}

// sizeOfModel is a size by which one of a kind is told from the others: 5L, 128G.
var sizeOfModel = words.MustCompile(`(?i)^\d+(?:\.\d+)?(?:ml|l|g|gb|tb|kg|cm|mm|mah|w)$`)

// ofThings names what there may be several of.
var ofThings = words.MustCompile(`(?i)订单|退款|退货|包裹|发票|快递单|退单|\b(?:orders|refunds|returns|parcels|shipments|invoices)\b`)

// allOfAKind reports whether a text names things and which of them it means by a word of the card: pending refunds are of all goods, whatever another wish is about.
func allOfAKind(e *cards.Entry, text string) bool {
	return ofThings.MatchString(text) && slices.ContainsFunc(e.Params, func(f fields.Field) bool { return len(f.Enum) > 0 && !f.Sorts() && f.Named(text) != "" })
}

// bindRest takes the noun that remains, from the clause, then from the other clauses, then from the context; or the default.
func (x *Index) bindRest(e *cards.Entry, f *fields.Field, g *goal, c wishes.Clause, found []facts.Fact) (fields.Binding, bool) {
	if f.Side != fields.SideUnknown && e.Replaces() {
		return fields.Binding{}, false // of two passages none is guessed
	}
	if f.Sort == fields.Text && !f.Source && !x.options.Without.Model && f.Pattern == nil && !wishes.IsMessage.MatchString(f.Name+" "+f.Head()) &&
		(f.Required || cards.NameLike.MatchString(f.Name+" "+f.Head())) {
		trade, by := x.trade, c.Figure.ByKind()
		if len(x.ofSmall()) == 0 {
			trade = e.TradeWords()
		}
		found = lessCharts(e, g.plain, asPlaces(f, g.plain, found))
		rs := wishes.Rests(g.plain, max(c.Start, min(g.fresh, c.End)), c.End, found, trade)
		part, whole, _ := wishes.Ratio(c.Text)
		if figure, _ := ratioOf(e, c.Text); figure == nil {
			part, whole = "", ""
		}
		rs = slices.DeleteFunc(rs, func(r wishes.Rest) bool {
			if i := strings.Index(g.plain, by); by != "" && i >= 0 && r.Start < i+len(by) && i < r.End && !f.Knows(r.Text) { // 按品 of 按品类
				return true
			}
			return e.Reads() && !f.Required && !f.Knows(r.Text) && !x.knows(r.Text) && e.ShowsValue(r.Text) || (strings.Contains(part, r.Text) || strings.Contains(whole, r.Text)) && !f.Knows(r.Text) || wishes.IsVerb(r.Text) || singleOrder.MatchString(r.Text) || strings.TrimSpace(theShop.ReplaceAllString(r.Text, "")) == "" || someTime.MatchString(r.Text) || x.slipOf(r.Text) || e.Allows(r.Text) || wishes.AsksPart(g.plain, r.Start, r.End) || e.Figures(g.plain, r) || e.Groups(r.Text) || by != "" && puttingTogether.ReplaceAllString(lessGroup(r.Text, by), "") == "" || r.Text == facts.CompareWord.FindString(r.Text) || onlyGrew(r.Text) || len([]rune(wishes.FirstN.ReplaceAllString(r.Text, ""))) < 2 ||
				c.Figure.Superlative() && !f.Knows(r.Text) && (countedMost.MatchString(g.plain[r.End:]) || wishes.MostWords.MatchString(r.Text) || wishes.LeastWord.MatchString(r.Text))
		})
		if goods := wishes.TradeIn(c.Text); f.Required && goods != "" && e.Qualifies() {
			return fields.Binding{Value: goods, Sure: 0.8, Why: "what remains", Used: -1, Weak: true}, true
		}
		if r := f.Remaining(g.plain, rs); r != "" {
			if whole := heldWhole(c.Text); !e.Reads() && overlap(c.Text, whole, r) {
				r = whole
			}
			return fields.Binding{Value: r, Sure: 0.6, Why: "what remains", Used: -1, Weak: true}, true
		}
		if len(rs) == 0 {
			// The thing was named in another clause: 预测空气炸锅的销量，并建议要不要降价.
			all := wishes.Rests(g.plain, 0, len(g.plain), found, x.trade)
			all = slices.DeleteFunc(all, func(r wishes.Rest) bool {
				return kindOfMessage.MatchString(g.plain[r.End:]) || messageItself.MatchString(r.Text)
			})
			if r := f.Remaining(g.plain, all); r != "" && len(g.clauses) > 1 {
				return fields.Binding{Value: r, Sure: 0.5, Why: "what remains", Used: -1, Weak: true}, true
			}
			if r := wishes.Residue(g.context, 0, len(g.context), nil, trade); f.Required && r != "" && len([]rune(r)) <= 20 {
				return fields.Binding{Value: r, Sure: 0.4, Why: "context", Used: -1, Weak: true}, true
			}
		}
	}
	if f.Required && len(f.Default) > 0 {
		var v any
		if json.Unmarshal(f.Default, &v) == nil {
			return fields.Binding{Value: v, Sure: 0.4, Why: "default", Used: -1}, true
		}
	}
	return fields.Binding{}, false
}

// singleOrder is one order, of whatever: 最近一单.
var singleOrder = words.MustCompile(`^(?:最近|最新)?[一两几上这那]?(?:单|笔|订单)$`)

// kindOfMessage: what stands before it says of what kind it is, and names nothing: 发一条催付消息, send a payment reminder.
var kindOfMessage = words.MustCompile(`(?i)^的?(?:消息|通知|短信|私信|提醒)|^\s*(?:messages?|reminders?|notes?|notices?|texts?)\b`)

// messageItself is a message that shall be sent, of whatever kind.
var messageItself = words.MustCompile(`(?i)(?:消息|通知|短信|私信)$|\b(?:message|reminder|notice)s?$`)

// countedMost: what stands before it is counted, and names nothing: 差评 of 差评最多的商品.
var countedMost = words.MustCompile(`^的?(?:次数|数量|率)?最[多少高低]`)

// asPlaces are the facts of a text, with the known values that are none of this parameter's made such as nothing remains of: 广州 of 广州下了多少单 is a
// place, and the beginning of no product's name. In English such a name may end in one: wireless headphones.
func asPlaces(f *fields.Field, text string, found []facts.Fact) []facts.Fact {
	out := slices.Clone(found)
	for i := range out {
		if out[i].Kind != facts.Known || out[i].From != "" || f.Knows(out[i].Text) {
			continue
		}
		lead := latinWords.FindAllString(strings.ToLower(words.Before(text, out[i].Start)), -1)
		if n := len(lead) - 1; words.IsHan(words.FirstRune(out[i].Text)) || n < 0 || words.StopEnglish[lead[n]] || words.LatinVerbs[lead[n]] || words.LightEnglish[lead[n]] {
			out[i].Kind = facts.Place
		}
	}
	return out
}

// lessGroup is a text without the noun that rows are put together by, in whatever word for it.
func lessGroup(text, by string) string {
	for _, w := range append(words.AlsoCalled(by), by) {
		text = strings.Replace(text, w, "", 1)
	}
	return text
}

// puttingTogether are the words beside the noun that rows are put together by.
var puttingTogether = words.MustCompile(`^(?:按照?|各个?|每一?个?|分布|构成|统计|分组|分类|汇总|的|比|和|平时|平日|工作日|周中|双休日|星期|礼拜)*$`)
