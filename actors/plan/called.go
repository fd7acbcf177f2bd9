package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A saved tool was made of a request, and given a name, to be used again: 用 forecast_and_price 看电饭煲 wants that one and no other, and so does
// the request it was made of with other values in it, whose words are its description.

const (
	calling  = 10  // what it is worth to be called: more than all else together
	recalled = 0.8 // share of the informative words that a request and a description must have of each other
	telltale = 2   // and how many at least
)

// marked are the places of values in the description of a saved tool; what stands behind it is no request.
var (
	marked      = words.MustCompile(`「[^」]*」|<[^<>]*>`)
	behindSaved = words.MustCompile(`(?s)(?:Saved steps:|保存的步骤：).*$`)
)

// saved gives a saved tool on offer, or behind an agent on offer, by its name; nil: there is none.
func (x *Index) saved(name string) *cards.Entry {
	e := x.byName[name]
	if e == nil && x.behind != nil {
		e = x.behind.index.byName[name]
	}
	if e == nil || !e.IsSaved() {
		return nil
	}
	return e
}

// call settles which saved tool a request calls, by its name or by the words that it was made of. In the second case the request is one wish, however many it was
// made of.
func (x *Index) call(g *goal) {
	entries := x.entries
	if x.behind != nil {
		entries = slices.Concat(entries, x.behind.index.entries)
	}
	var said map[string]bool
	for _, e := range entries {
		if !e.IsSaved() {
			continue
		}
		if g.christens(e.Name) {
			continue
		}
		if bearsName(g.text, e.Name) { // 不要用 forecast_and_price
			if g.called, g.spurned = e.Name, ""; !bearsName(wishes.OwnWish(g.text), e.Name) {
				g.called, g.spurned = "", e.Name
			}
			return
		}
		if g.fresh > 0 || g.called != "" {
			continue
		}
		if said == nil {
			said = x.wordsOf(g.text, g.facts)
		}
		text := marked.ReplaceAllString(behindSaved.ReplaceAllString(e.Description, ""), " ")
		whole := wishes.Clause{Text: g.text, End: len(g.text)}
		if likes(said, x.wordsOf(text, x.facts(text, g.now))) && !x.exceeds(g, whole, e, x.bind(e, g, whole)) {
			g.called = e.Name
			g.clauses = []wishes.Clause{whole}
			g.clauses[0].Classify(g.text)
		}
	}
}

// exceeds reports whether a clause says what a saved tool has no place for: code of its own, a name, a number. What is no parameter of a saved tool is fixed in it, so
// that is another request, however alike its words. A tool without any parameter does one thing, and must know nearly all the words.
func (x *Index) exceeds(g *goal, c wishes.Clause, e *cards.Entry, bound map[string]fields.Binding) bool {
	if len(e.Params) == 0 && x.fitWith(facts.Without(g.text, c.Start, c.End, g.facts), e, bound) < recalled {
		return true
	}
	fixed := strings.ToLower(behindSaved.ReplaceAllString(e.Description, ""))
	for i, f := range g.facts {
		if f.From == "" && f.Start >= c.Start && f.End <= c.End && !takes(e, bound, i, f, g) && !strings.Contains(fixed, strings.ToLower(f.Text)) {
			return true
		}
	}
	return false
}

// madeATool: what stands behind it is the name of the tool that shall be made.
var madeATool = words.MustCompile(`(?i)(?:[存做变转成装](?:成|为|作)|新建|创建|保存)[^。；;\n]{0,12}?工具|\b(?:save|keep|store|turn|convert|make|create|build)\b[^.;\n]{0,80}?\btool\b`)

// christens reports whether a name stands in the request only as that of the tool which it wants made: once it is made, it is there, and was not called.
func (g *goal) christens(name string) bool {
	m := madeATool.FindStringIndex(g.text)
	return m != nil && strings.Count(g.text, name) == 1 && bearsName(g.text[m[1]:], name)
}

// wordsOf are the informative words of a text beside its facts.
func (x *Index) wordsOf(text string, found []facts.Fact) map[string]bool {
	out := map[string]bool{}
	for _, w := range words.Content(facts.Without(text, 0, len(text), found)) {
		out[w] = true
	}
	return out
}

// likes reports whether two sets of words are nearly the same.
func likes(a, b map[string]bool) bool {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return both >= telltale && float64(both) >= recalled*float64(max(len(a), len(b)))
}

// bearsName reports whether a text names a tool by a whole word.
func bearsName(text, name string) bool {
	part := func(b byte) bool { return b == '_' || b == '-' || b < 0x80 && words.IsWord(b) }
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(name)
		if (begin == 0 || !part(text[begin-1])) && (end == len(text) || !part(text[end])) {
			return true
		}
		at = end
	}
}

// calls reports whether a clause of the goal calls a card.
func (g *goal) calls(c wishes.Clause, e *cards.Entry) bool {
	return g.called == e.Name && e.IsSaved() && (bearsName(c.Text, e.Name) || len(g.clauses) == 1 && !strings.Contains(g.text, e.Name))
}
