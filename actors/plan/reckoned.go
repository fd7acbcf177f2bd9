package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// worked is what was worked out from the rows of one call.
type worked struct {
	text string       // for the answer; "" when the observation is the answer
	held []facts.Fact // what the request limits itself to and the rows were picked by
	how  string       // what was done, in a few words
}

// work works out from a call's observation what the clause behind it asks for and the tool does not tell by itself.
func (r *round) work(t *target, d Done) worked {
	s, held, lacks, ok := r.sheet(t, d, "")
	out := worked{held: held}
	if !ok || len(s.Where) == 0 && !s.Wanted(lacks) {
		return out
	}
	out.text, out.how = s.Words(lacks)
	return out
}

// sheet is the list in a call's observation, with the rows that the clause behind it limits itself to and the tool does not pick. held are what it
// says and the rows hold to, lacks what no column tells; ok is false when nothing is listed. of is the list that is meant where it is known.
func (r *round) sheet(t *target, d Done, of string) (s figures.Sheet, held []facts.Fact, lacks string, ok bool) {
	e := t.e
	if d.Status != bus.OK || e.IsAgent() || !e.Reads() || e.Knowledge() || r.x.options.Without.Model {
		return s, nil, "", false
	}
	v, err := fields.Decode(d.Observation)
	if err != nil {
		return s, nil, "", false
	}
	m, _ := v.(map[string]any)
	one := fields.Child(&e.Result, of)
	g, lacks, ok := figures.LayOn(r.g.undated(t.clause), e, func(l *fields.Field) bool {
		return m == nil || m[l.Name] != nil && (one == nil || !one.IsList() || one.Name == l.Name)
	})
	if !ok {
		return s, nil, "", false
	}
	if lacks == "" && g.Grouped && g.Of == nil && t.clause.Figure.Hint == "many" { // 差评 of 差评最多的商品: no card knows such
		if w := g.Unknown(strings.ReplaceAll(g.Text, t.clause.Figure.By, " ")); !slices.ContainsFunc(words.Content(w), func(w string) bool { return r.x.spoken[w] }) {
			lacks = w
		}
	}
	if lacks != "" && r.taken(t, lacks) { // the wine of which it is asked who buys most: the call is held to it
		lacks = ""
	}
	sorted, named := false, false
	for i := range e.Params {
		if b, ok := t.bound[e.Params[i].Name]; ok && b.Why == figures.InOrderOf {
			sorted, named = true, figures.OrderOf(e, &e.Params[i], r.g.undated(t.clause), r.g.lang) == ""
		}
	}
	if named { // the tool knows by what, and no column tells it
		lacks, g.Fold, g.Of = "", wishes.FoldNone, nil
		if i := slices.IndexFunc(e.Lists(), (*fields.Field).HasIDs); i >= 0 {
			g.List = e.Lists()[i]
			g.Key = words.Either(g.List == &e.Result, "", g.List.Name)
		}
	}
	left := r.unused(t)
	if l := g.LimitedList(e, of, left, r.g.plain); l != nil {
		g.List, g.Key = l, words.Either(l == &e.Result, "", l.Name)
	}
	rows, _ := v.([]any)
	if g.Key != "" {
		rows, _ = m[g.Key].([]any)
	}
	if n := len(rows) - 1; n > 0 {
		if _, cut := rows[n].(string); cut { // what was too long to be told whole ends in a word on how much is gone
			rows = rows[:n:n]
		}
	}
	if !fields.Objects(rows) {
		return s, nil, "", false
	}
	s = figures.Sheet{Folding: g, W: render.Writer{Lang: r.g.lang, Asked: strings.ToLower(r.g.text)}, Rows: rows, All: rows, Object: m, Result: &e.Result, Sorted: sorted}
	for i, f := range r.g.facts {
		if _, limit := wishes.LimitIn(r.g.text, f); limit && r.bounded(t, i) { // the tool has picked by it, and is held to it
			if kept, c, ok := g.Pick(f, r.g.plain, s.Rows, r.g.now); ok && c.Col != nil && len(kept) < len(s.Rows) {
				s.Rows, s.Where = kept, append(s.Where, c)
			}
		}
	}
	for _, f := range left {
		if a, ok := f.Value.(facts.Amount); g.N > 0 && (ok && f.Kind == facts.Number && int(a.N) == g.N || wishes.FirstN.MatchString(f.Text)) || g.By != nil && figures.TellsTime(t.clause.Figure.By) && strings.Contains(f.Text, t.clause.Figure.By) {
			held = append(held, f)
			continue
		}
		if _, period := f.Value.(facts.Period); period && f.Kind == facts.Date && r.heldToDays(t) { // rows of October tell nothing of who came in November
			continue
		}
		kept, c, ok := g.Pick(f, words.Either(f.Not, r.g.said(), r.g.plain), s.Rows, r.g.now)
		if !ok && !r.g.wishesChange() {
			if c, ok = g.None(f); ok {
				kept = nil
			}
		}
		if ok {
			s.Rows = kept
			held = append(held, f)
			if c.Col != nil {
				s.Where = append(s.Where, c)
			}
		}
	}
	return s, held, lacks, true
}

// heldToDays reports whether a call is held to some other days already.
func (r *round) heldToDays(t *target) bool {
	for _, b := range t.bound {
		if b.Used >= 0 && b.Used < len(r.g.facts) && r.g.facts[b.Used].Kind == facts.Date {
			return true
		}
	}
	return false
}

// taken reports whether some words are a value that a call is held to, or stand in one: coffee of the coffee machines.
func (r *round) taken(t *target, said string) bool {
	for _, b := range t.bound {
		if b.Why == "question" || b.Why == "default" {
			continue
		}
		for _, v := range append(spoken(b.Value), spoken(b.More)...) {
			low, word := strings.ToLower(strings.TrimSpace(v)), strings.ToLower(strings.TrimSpace(said))
			if len([]rune(v)) > 1 && (low == word || !words.Wide(word) && words.Holds(low, word)) {
				return true
			}
		}
	}
	return false
}

// undated is what a clause wants worked out, without the days in its words: they name no column.
func (g *goal) undated(c wishes.Clause) wishes.Reckoning {
	out := c.Figure
	if !out.Asked() {
		return out
	}
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		if a, ok := f.Value.(facts.Amount); ok && f.Kind == facts.Number && c.Figure.N > 0 && int(a.N) == c.Figure.N { // 3 of "the cheapest 3 orders", which are orders all the same
			continue
		}
		if f.Kind == facts.Date || f.Kind == facts.Number {
			out.Text = strings.Replace(out.Text, f.Text, " ", 1)
		}
	}
	return out
}
