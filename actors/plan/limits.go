package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// hasLimited reports whether the rows that a tool lists tell the figure that a number limits, by the name that the request gives it.
func hasLimited(e *cards.Entry, f facts.Fact, l wishes.Limit, text string) bool {
	return slices.ContainsFunc(e.Lists(), func(list *fields.Field) bool {
		col := (&figures.Folding{List: list}).LimitedBy(f, l, text)
		return col != nil && col.Shares(words.Clip(text, f.Start)+" "+words.Clip(text[f.End:], 24)) > 0
	})
}

// holdsOther reports whether a text holds one figure of a thing against another one of it.
func holdsOther(text string) bool {
	_, ok := wishes.ReadOther(text)
	return ok
}

// tellsLimit is what it is worth for a wish with a limit that a tool lists things, and tells of each the figure that is limited.
func tellsLimit(e *cards.Entry, g *goal, c wishes.Clause) float64 {
	if !e.Reads() || e.IsAgent() || e.Knowledge() {
		return 0
	}
	if o, ok := wishes.ReadOther(c.Text); ok {
		if slices.ContainsFunc(e.Lists(), func(list *fields.Field) bool { one, _ := figures.OtherColumns(o, list); return one != nil }) {
			return 4 * figures.Tabled
		}
	}
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		l, ok := wishes.LimitIn(g.text, f)
		if !ok || l.Second {
			continue
		}
		best := 0.0
		for _, list := range e.Lists() {
			if slices.ContainsFunc(list.Fields, func(c fields.Field) bool { return len(c.Provides) > 0 }) && (&figures.Folding{List: list}).LimitedBy(f, l, g.text) != nil {
				best = max(best, words.Either[float64](list.Shares(c.Text) > 0, 4*figures.Tabled, figures.Tabled))
				if list.Shares(c.Text) > 0 && slices.ContainsFunc(e.Params, func(p fields.Field) bool { _, ok := bounds(&p, f, l); return ok && p.Limits != "" }) {
					best = 8 * figures.Tabled // it counts all of them, and not only those that it lists
				}
			}
		}
		if best > 0 {
			return best
		}
	}
	return 0
}

// manyPieces is a number that no order is of in pieces, so that one without a unit is of money.
const manyPieces = 100

// bounds is the value of a parameter that is a least or a most, where a number limits what it is a bound of: 超过1000元 are 1000.01 and more. Where the steps
// of the parameter are not told, a bound that the limit leaves out has no value.
func bounds(f *fields.Field, fa facts.Fact, l wishes.Limit) (any, bool) {
	a, ok := fa.Value.(facts.Amount)
	if !ok || l == (wishes.Limit{}) || a.N < 0 {
		return nil, false
	}
	of := words.QuantityOf(l.Unit)
	if strings.ContainsAny(fa.Text+l.Unit, "$¥￥") {
		of = "money"
	}
	if of == "" {
		of = l.Of
	}
	if of == "" && l.Unit == "" && a.N >= manyPieces && f.Type == "number" && l.Thing {
		of = "money" // 超过5000的订单
	}
	if of == "" || of != words.QuantityOf(f.Name+" "+f.Title) {
		return nil, false
	}
	n, step := a.N, f.Step
	switch {
	case l.Second:
		return n, f.Limits == "most"
	case l.Over && f.Limits == "least":
	case l.Under && !l.Over && f.Limits == "most":
		step = -step
	default:
		return nil, false
	}
	if !l.Equal && (step == 0 || n+step < 0) {
		return nil, false
	} else if !l.Equal {
		n = math.Round((n+step)/f.Step) / math.Round(1/f.Step)
	}
	return n, true
}

// bounded reports whether a call of a target takes the limit that fact number i sets.
func (r *round) bounded(t *target, i int) bool {
	for name, b := range t.bound {
		if f := t.e.Param(name); f != nil && f.Limits != "" && b.Used == i {
			return true
		}
	}
	return false
}

// notLimited reports whether a parameter is something else than what a number limits: more than 3 orders are not 3 rows, nor days where the rows tell the
// orders, a price over 2000 is no 2000 days, and no limit is what something becomes.
func notLimited(e *cards.Entry, f *fields.Field, g *goal, fa facts.Fact, l wishes.Limit) bool {
	if !e.Reads() && (f.Type == "integer" || f.Type == "number") {
		return true // 库存低于10的补到50: it says which are changed, and nothing of what they become
	}
	if f.SaysRows() || e.Reads() && f.Shares(words.Clip(g.text, fa.End)+" "+l.Unit) == 0 && hasLimited(e, fa, l, g.text) {
		return true
	}
	in := words.QuantityOf(f.Name + " " + f.Title)
	return l.Of != "" && in != "" && l.Of != in
}
