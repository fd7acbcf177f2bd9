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

// aDay is in the name of what is told for a day.
var aDay = words.MustCompile(`(?i)日均|每[天日]|\b(?:a|per) day\b`)

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
	} else if words.QuantityOf(unit) == "pieces" && SoldMost.MatchString(text) {
		unit += " 销量 quantity"
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
	if col != nil && strings.Contains(unit, "销量") && aDay.MatchString(col.Label("zh")) && !aDay.MatchString(text) { // what was sold in a month is no matter of a day
		return nil
	}
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
