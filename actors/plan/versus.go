package plan

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// setsAgainst: of two things that are named it is asked how one stands to the other, 上海和北京哪个卖得多, and not for both of them.
var setsAgainst = words.MustCompile(`(?i)哪(?:一?[个家座种款件边位]|里)|谁|更|相差|差[多几了异距]|比|对照|并排|并列|放一起|摆一起|[高低多少]于|\b(?:which|who|whose|more|less|better|worse|higher|lower|fewer|than|versus|vs|compar\w+|differences?|(?:beside|next to|against|with) each other|side by side)\b`)

// twoThings finds the two values of one parameter that a clause holds against each other, in the order in which it names them.
func (r *round) twoThings(t *target) (f *fields.Field, two [2]facts.Fact, ok bool) {
	if !setsAgainst.MatchString(t.clause.Text) && !r.figureOf(t) {
		return nil, two, false
	}
	for i := range t.e.Params {
		f := &t.e.Params[i]
		took, bound := t.bound[f.Name]
		value, text := took.Value.(string)
		if by := t.clause.Figure.By; !bound || !text || len(f.Enum) > 0 || by != "" && figures.GoesFor(f, by) == 0 { // 上海和北京哪个商品卖得好 asks of products
			continue
		}
		var named []facts.Fact
		for _, fa := range facts.Within(r.g.facts, t.clause.Start, t.clause.End) {
			if fa.From == "" && valueOf(f, fa) && !slices.ContainsFunc(named, func(o facts.Fact) bool { return strings.EqualFold(o.Text, fa.Text) }) {
				named = append(named, fa)
			}
		}
		if len(named) == 2 && slices.ContainsFunc(named, func(fa facts.Fact) bool { return strings.EqualFold(fa.Text, value) }) {
			return f, [2]facts.Fact(named), true
		}
	}
	return nil, two, false
}

// figureOf reports whether a clause names a sum of money, a mean or a rate that its tool tells of all it lists: 上海和北京的销售额 is two figures and no list.
func (r *round) figureOf(t *target) bool {
	return slices.ContainsFunc(t.e.Result.Fields, func(f fields.Field) bool {
		if f.Type != "number" || f.Sort == fields.ID {
			return false
		}
		en, _, _ := strings.Cut(f.Label("en"), " (")
		return (figures.Quotient(&f) || figures.Money.MatchString(f.Label("zh")+" "+f.Label("en"))) &&
			(words.Holds(t.clause.Text, f.Label("zh")) || words.Holds(strings.ToLower(t.clause.Text), strings.ToLower(en)))
	})
}

// valueOf reports whether a fact of a text can be the value of a parameter: by its kind, or because the card knows it.
func valueOf(f *fields.Field, fa facts.Fact) bool {
	if _, sure := fields.Suits(f, fa); sure >= sureOptional && fa.Kind != facts.Date && fa.Kind != facts.Number && fa.Kind != facts.Quote {
		return true
	}
	return (fa.Kind == facts.Known || fa.Kind == facts.Person) && slices.ContainsFunc(f.Examples, func(e string) bool { return strings.EqualFold(e, fa.Text) })
}

// holdThings makes two calls of a target that compares two things.
func (r *round) holdThings(t *target) {
	f, two, ok := r.twoThings(t)
	if !ok {
		return
	}
	now, then := maps.Clone(t.bound), maps.Clone(t.bound)
	for i, bs := range []map[string]fields.Binding{now, then} {
		b := bs[f.Name]
		b.Value, b.More = two[i].Text, nil
		bs[f.Name] = b
		t.heads[i] = two[i].Text
	}
	for name, b := range t.bound { // better, 空气炸锅比电饭煲: what remains of the comparison names no third thing
		rest := setsAgainst.ReplaceAllString(strings.NewReplacer(two[0].Text, " ", two[1].Text, " ").Replace(fields.Scalar(b.Value, "")), " ")
		if b.Weak && name != f.Name && len(words.Content(rest)) == 0 {
			delete(now, name)
			delete(then, name)
		}
	}
	t.bound, t.against, t.other = now, then, two[1]
}

// holdWhole makes a second call of all for a target that asks what share of the whole a part is: the same days, without what limits it.
func (r *round) holdWhole(t *target) {
	if part, _ := ratioOf(t.e, t.clause.Text); part != nil || !t.clause.Figure.Part || t.clause.Figure.By != "" || t.against != nil || slices.ContainsFunc(t.e.Result.Fields, func(f fields.Field) bool {
		return figures.Quotient(&f) && f.Shares(t.clause.Text) > 0 // 毛利率是百分之几
	}) {
		return
	}
	all := maps.Clone(t.bound)
	var part []string
	for name, b := range t.bound {
		f := t.e.Param(name)
		if b.Why == facts.KindNames[facts.Date] || f == nil || f.SaysRows() || f.Sorts() || slices.ContainsFunc(f.Enum, func(v string) bool { return len(words.AlsoCalled(v)) > 1 }) { // by city, by state
			continue
		}
		if f.Required {
			return // there is no call without it
		}
		delete(all, name)
		said := fields.Scalar(b.Value, r.g.lang)
		if b.Used >= 0 && b.Used < len(r.g.facts) && f.Limits != "" { // above 500 yuan, which the call says in fen
			said = r.g.facts[b.Used].Text
			if l, ok := wishes.LimitIn(r.g.text, r.g.facts[b.Used]); ok && l.End <= len(r.g.text) && l.Start < l.End {
				said = strings.TrimSpace(r.g.text[l.Start:l.End])
			}
		}
		part = append(part, said)
	}
	if len(part) == 0 || !slices.ContainsFunc(t.e.Result.Fields, func(f fields.Field) bool { return r.addsUp(&f) }) {
		return
	}
	slices.Sort(part)
	t.against, t.whole, t.other = all, true, facts.Fact{Start: -1}
	t.heads = [2]string{strings.Join(part, words.Say(r.g.lang, "，", ", ")), words.Say(r.g.lang, "全部", "All")}
}

// addsUp reports whether a field is a figure of which the parts come to the whole.
func (r *round) addsUp(f *fields.Field) bool {
	return (f.Type == "number" || f.Type == "integer") && f.Sort != fields.ID && !figures.Quotient(f)
}

// figuresIn are the figures of an observation and their fields: those of the only row where a tool lists just one, of a customer, else those beside its lists.
func figuresIn(e *cards.Entry, m map[string]any) (map[string]any, *fields.Field) {
	for _, l := range e.Lists() {
		if rows, ok := m[l.Name].([]any); ok && len(rows) == 1 && l.HasIDs() {
			if row, ok := rows[0].(map[string]any); ok {
				return row, l
			}
		}
	}
	return m, &e.Result
}

// beside makes a table of the figures that the observations of two things share, or of a part and the whole, those that the request names in a sentence
// before it.
func (r *round) beside(t *target, one, two map[string]any) string {
	lang := r.g.lang
	a, f := figuresIn(t.e, one)
	b, g := figuresIn(t.e, two)
	if f != g || t.whole {
		a, b, f = one, two, &t.e.Result
	}
	heads := []string{t.heads[0], t.heads[1], words.Say(lang, "差", "Difference")}
	if t.whole {
		heads[2] = words.Say(lang, "占比", "Share")
	}
	w := render.Writer{Lang: lang, Asked: strings.ToLower(r.g.text)}
	table := &fields.Field{Fields: []fields.Field{{Name: "what", Title: words.Say(lang, "项目", "Item"), Place: 0}}}
	table.Fields[0].TitleEn = table.Fields[0].Title
	for i, h := range heads {
		table.Fields = append(table.Fields, fields.Field{Name: string(rune('a' + i)), Title: h, TitleEn: h, Place: i + 1})
		w.Asked += " " + strings.ToLower(h)
	}
	var rows []any
	var said, first []string
	most := 0
	differ := slices.ContainsFunc(fields.Keys(a, f), func(k string) bool {
		m, n := figures.Amount(a[k]), figures.Amount(b[k])
		return m != nil && n != nil && m.Cmp(n) != 0
	})
	for _, k := range fields.Keys(a, f) {
		c := fields.Child(f, k)
		m, n := figures.Amount(a[k]), figures.Amount(b[k])
		if t.whole && differ && m != nil && n != nil && m.Cmp(n) == 0 { // what limits the part does not limit this: how many new customers there are in all
			continue
		}
		if _, number := a[k].(json.Number); c == nil || !number || m == nil || n == nil || c.Sort == fields.ID || t.whole && (!r.addsUp(c) || n.Sign() <= 0) {
			continue
		}
		d := new(big.Rat).Sub(m, n)
		last := withSign(d, figures.Decimal(d))
		if t.whole {
			last = figures.Percent(m, n)
		}
		label := c.Label(lang)
		rows = append(rows, map[string]any{"what": label, "a": figures.Decimal(m), "b": figures.Decimal(n), "c": last})
		if first == nil {
			first = []string{r.stand(t, label, m, n)}
		}
		shares := c.Shares(t.clause.Text)
		switch {
		case shares > most:
			said, most = []string{r.stand(t, label, m, n)}, shares
		case shares > 0 && shares == most:
			said = append(said, r.stand(t, label, m, n))
		case most == 0 && figures.SoldMost.MatchString(t.clause.Text) && figures.SoldFor.MatchString(c.Label("zh")+" "+c.Label("en")):
			said = append(said, r.stand(t, label, m, n))
		}
	}
	if len(rows) == 0 {
		return words.Say(lang, "两次的结果里没有可以相比的数。", "The two results hold no figures to compare.")
	}
	text := ""
	if len(said) == 0 && t.whole {
		said = first
	}
	if len(said) > 0 && len(said) <= 3 {
		text = strings.Join(said, words.Say(lang, "；", "; ")) + words.Say(lang, "。", ".") + "\n\n"
	}
	return text + strings.TrimSpace(w.Table(rows, table))
}

// stand says how one figure stands to the other, or what part it is of it.
func (r *round) stand(t *target, label string, m, n *big.Rat) string {
	lang := r.g.lang
	x, y := figures.Decimal(m), figures.Decimal(n)
	if t.whole {
		return words.Say(lang, "%[1]s占%[2]s的 %[3]s（%[4]s，全部 %[5]s）", "%[1]s: %[3]s of the %[2]s (%[4]s of %[5]s)", t.heads[0], label, figures.Percent(m, n), x, y)
	}
	d := new(big.Rat).Sub(m, n)
	both := words.Say(lang, "%[1]s：%[2]s %[3]s，%[4]s %[5]s，", "%[1]s: %[2]s %[3]s, %[4]s %[5]s, ", label, t.heads[0], x, t.heads[1], y)
	switch d.Sign() {
	case 0:
		return both + words.Say(lang, "一样", "equal")
	case 1:
		return both + words.Say(lang, "%[1]s多 %[2]s", "%[1]s more by %[2]s", t.heads[0], figures.Decimal(d))
	}
	return both + words.Say(lang, "%[1]s多 %[2]s", "%[1]s more by %[2]s", t.heads[1], figures.Decimal(d.Neg(d)))
}
