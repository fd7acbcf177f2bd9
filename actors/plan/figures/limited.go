package figures

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// limited keeps the rows whose figure is within the limit that a number sets.
func (g *Folding) limited(f facts.Fact, a facts.Amount, text string, rows []any) (kept []any, c Condition, ok bool) {
	c.fact = f
	l, ok := wishes.LimitIn(text, f)
	if !ok {
		l, ok = wishes.Exactly(text, f)
	}
	if !ok || l.Second {
		return rows, c, ok
	}
	c.words = strings.TrimSpace(text[l.Start:l.End])
	if c.Col = g.LimitedBy(f, l, text); c.Col == nil {
		return nil, c, false
	}
	per := c.Col.Per(l.Unit)
	if per == nil || a.Percent && !inPercent(c.Col) {
		return nil, c, false
	}
	bound := new(big.Rat)
	if _, ok := bound.SetString(strconv.FormatFloat(a.N, 'f', -1, 64)); !ok {
		return nil, c, false
	}
	bound.Mul(bound, per)
	if l.Until != nil {
		l.Until = new(big.Rat).Mul(l.Until, per)
	}
	for _, r := range rows {
		v := Amount(cellOf(r, c.Col))
		if v == nil {
			continue
		}
		n := v.Cmp(bound)
		if n == 0 && l.Equal || n > 0 && l.Over && (l.Until == nil || v.Cmp(l.Until) <= 0) || n < 0 && l.Under && l.Until == nil {
			kept = append(kept, r)
		}
	}
	return kept, c, true
}

// LimitedBy is the column that a number limits: the one that it is said to be in, else the one that the words before it name, else what stands right behind it, else what its unit is of.
func (g *Folding) LimitedBy(f facts.Fact, l wishes.Limit, text string) *fields.Field {
	plain := &Folding{List: g.List}
	unit := l.Unit
	if a, ok := f.Value.(facts.Amount); ok && a.Percent { // the margin in percent, and not that in money
		list := *g.List
		list.Fields = slices.DeleteFunc(slices.Clone(list.Fields), func(c fields.Field) bool { return !inPercent(&c) })
		c := (&Folding{List: &list}).measure(words.Clip(text, f.Start) + " 率 %")
		if c == nil {
			return nil
		}
		return &g.List.Fields[slices.IndexFunc(g.List.Fields, func(o fields.Field) bool { return o.Name == c.Name })]
	}
	if words.QuantityOf(unit) == "money" || strings.ContainsAny(unit, "$¥￥") {
		unit += " 金额 amount"
	} else if wishes.HowOften.MatchString(unit) {
		unit += " 订单数 次数 orders"
	}
	if in := wishes.InIt.FindString(text[f.End:]); in != "" {
		if c := plain.measure(in); c != nil && c.Shares(in) > 0 {
			return c
		}
	}
	said := wishes.CostsPrice(words.Clip(text, f.Start))
	col := plain.measure(said + " " + unit)
	if col != nil && col.Shares(said+" "+unit) > 0 {
		return col
	}
	behind := strings.Join(words.Content(words.Clip(text[f.End:], 24)), " ")
	if c := plain.measure(behind); c != nil && c.Shares(behind) > 0 {
		return c
	}
	return col
}

// inPercent reports whether the figures of a column are percentages, by what it is called.
func inPercent(c *fields.Field) bool {
	return strings.ContainsAny(c.Label("zh")+c.Label("en")+c.Desc, "%％")
}

// LimitedList is the list that a number limits, where nothing else tells which of several is meant: the one of that name, else the one whose
// rows have an id. nil: as it is.
func (g *Folding) LimitedList(e *cards.Entry, name string, facts []facts.Fact, text string) *fields.Field {
	if g.Asked() {
		return nil
	}
	for _, f := range facts {
		l, ok := wishes.LimitIn(text, f)
		if !ok || l.Second {
			continue
		}
		var best *fields.Field
		most := -1
		for _, list := range e.Lists() {
			ids := slices.ContainsFunc(list.Fields, func(c fields.Field) bool { return c.Sort == fields.ID || len(c.Provides) > 0 })
			if (list.Name == name || name == "" && ids) && (&Folding{List: list}).LimitedBy(f, l, text) != nil {
				n := 0
				if list.Shares(text) > 0 { // the channels, where these are spoken of
					n = 2
				}
				if list.HasIDs() { // the things themselves before what they come to together
					n++
				}
				if n > most {
					best, most = list, n
				}
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// OtherColumn holds one figure of a row against another of the same row: 售价低于成本, priced below cost. Its groups are the one, how, and the other.
var OtherColumn = words.MustCompile(`(?i)(售价|价格|标价|成本|库存)(低于|小于|不到|少于|没到|高于|大于|超过|多于)(?:了)?(售价|价格|成本|进价|日均销量)|\b(price|priced|prices|cost|costs|sell(?:ing)?|sold)\b(?: (?:is|are|at|for|that is|goes|lies))? ((?:lower|less|cheaper|smaller) than|below|under|beneath|(?:higher|more|greater|dearer) than|above|over)(?: (?:its|their|the|our|what they))? (costs?|prices?|cost price)\b`)

// against keeps the rows in which one figure lies below or above another one that the words name; ok is false where the rows lack one of them.
func (g *Folding) against(said string, rows []any) (kept []any, col *fields.Field, ok bool) {
	m := OtherColumn.FindStringSubmatch(said)
	if m == nil {
		return nil, nil, false
	}
	plain := &Folding{List: g.List}
	named := func(w string) *fields.Field {
		for i := range g.List.Fields {
			c := &g.List.Fields[i]
			if c.Type != "number" && c.Type != "integer" {
				continue
			}
			if label := c.Label("zh"); label == w || strings.EqualFold(words.Stem(c.Name), words.Stem(strings.ToLower(w))) {
				return c
			}
		}
		return plain.measure(w)
	}
	first, second := m[1]+m[4], m[3]+m[6]
	switch strings.ToLower(first) {
	case "priced", "sell", "selling", "sold":
		first = "price"
	}
	one, other := named(strings.NewReplacer("价格", "售价", "标价", "售价").Replace(first)), named(strings.NewReplacer("价格", "售价", "进价", "成本").Replace(second))
	if one == nil || other == nil || one == other {
		return nil, nil, false
	}
	how := strings.ToLower(m[2] + m[5])
	over := strings.ContainsAny(how, "高大超") || strings.HasPrefix(how, "多") || slices.ContainsFunc([]string{"higher", "more", "greater", "dearer", "above", "over"}, func(w string) bool { return strings.HasPrefix(how, w) })
	for _, r := range rows {
		a, b := Amount(cellOf(r, one)), Amount(cellOf(r, other))
		if a != nil && b != nil && (over && a.Cmp(b) > 0 || !over && a.Cmp(b) < 0) {
			kept = append(kept, r)
		}
	}
	return kept, one, true
}
