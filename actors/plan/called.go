package plan

import (
	"regexp"
	"slices"
	"strings"
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
	marked      = regexp.MustCompile(`「[^」]*」`)
	behindSaved = regexp.MustCompile(`(?s)(?:Saved steps:|保存的步骤：).*$`)
)

// saved gives a saved tool on offer, or behind an agent on offer, by its name; nil: there is none.
func (x *Index) saved(name string) *entry {
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
		if bearsName(g.text, e.Name) { // 不要用 forecast_and_price
			if g.called, g.spurned = e.Name, ""; !bearsName(ownWish(g.text), e.Name) {
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
		if likes(said, x.wordsOf(text, x.facts(text, g.now))) {
			g.called = e.Name
			g.clauses = []clause{{text: g.text, end: len(g.text)}}
			g.clauses[0].classify(g.text)
		}
	}
}

// wordsOf are the informative words of a text beside its facts.
func (x *Index) wordsOf(text string, facts []fact) map[string]bool {
	out := map[string]bool{}
	for _, w := range content(withoutFacts(text, 0, len(text), facts)) {
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
	part := func(b byte) bool { return b == '_' || b == '-' || b < 0x80 && isWord(b) }
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

func isWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// calls reports whether a clause of the goal calls a card.
func (g *goal) calls(c clause, e *entry) bool {
	return g.called == e.Name && e.IsSaved() && (bearsName(c.text, e.Name) || len(g.clauses) == 1 && !strings.Contains(g.text, e.Name))
}
