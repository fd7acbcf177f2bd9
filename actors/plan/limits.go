package plan

import (
	"slices"

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

// tellsLimit is what it is worth for a wish with a limit that a tool lists things, and tells of each the figure that is limited.
func tellsLimit(e *cards.Entry, g *goal, c wishes.Clause) float64 {
	if !e.Reads() || e.IsAgent() || e.Knowledge() {
		return 0
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
			}
		}
		if best > 0 {
			return best
		}
	}
	return 0
}

// notLimited reports whether a parameter is something else than what a number limits: more than 3 orders are not 3 rows, nor days where the rows tell the
// orders, and a price over 2000 is no 2000 days.
func notLimited(e *cards.Entry, f *fields.Field, g *goal, fa facts.Fact, l wishes.Limit) bool {
	if f.SaysRows() || e.Reads() && f.Shares(words.Clip(g.text, fa.End)+" "+l.Unit) == 0 && hasLimited(e, fa, l, g.text) {
		return true
	}
	in := words.QuantityOf(f.Name + " " + f.Title)
	return l.Of != "" && in != "" && l.Of != in
}
