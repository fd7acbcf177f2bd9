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

// A card may say what it is asked for and has nothing of (x-lacks of its returns, [fields.Lacks]): a shop that keeps no ways of paying says so on the card of its
// orders. A question for that is answered with it, and no other tool is made to tell of something else.

// asksAFigure asks how many or how much there is, or which is first by it.
var asksAFigure = words.MustCompile(`(?i)多少|是谁|哪[里儿家个些种]|什么|有哪些|平均|多还是|几[个张条次位人笔分]|多高|率|最[多少高低好差]|怎么?样|咋样|评分|得分|体验分|\b(?:how (?:many|much|is|are|was|were|high|good|bad)|what(?:'s|s)? (?:is|was|are|our|the|do|did|have)|which|who|where (?:do|did) we|why|reasons?|most|least|best|worst|list|show|average|number of)\b`)

// mayIt asks what is allowed, which rules tell.
var mayIt = words.MustCompile(`(?i)可以|可不可以|能不能|允许|能否|是否|要不要|违规|处罚|返现|怎么(?:办|处理|设置|弄|发|用|写|回|说|提高)|\b(?:can|may|allowed|should|must|legal|ok to|fake|pay for|given back|void)\b`)

// monthOfMay allows nothing.
var monthOfMay = words.MustCompile(`(?i)\b(?:in|of|since|for|last|this|until|till|during|from|to|and) may\b`)

// ofLacking says, of a question for a figure that a card says nothing here keeps, that there is none, and what that card tells; "" for any other.
func (x *Index) ofLacking(g *goal) string {
	text := facts.Quoted.ReplaceAllString(g.text, " ")
	if len(g.clauses) != 1 || len(g.clauses[0].Change) > 0 || len(g.acts) > 0 || slices.ContainsFunc(g.facts, facts.Fact.IsTarget) || speaksOfFiles(g) || elsewhereTold.MatchString(text) || mayIt.MatchString(monthOfMay.ReplaceAllString(text, " ")) {
		return ""
	}
	for _, e := range x.withBehind() {
		for _, l := range e.Result.Lacks {
			m := l.Asked.FindStringIndex(text)
			if m != nil && !l.Deed && (asksAFigure.MatchString(text) || !g.clauses[0].Question && strings.TrimSpace(text[:m[0]]) == "") && !x.speaks(text[m[0]:m[1]]) { // another card may have it
				return words.Say(g.lang, "没有算出来：这里没有%[1]s的数据。", "This is not worked out: there are no figures of %[1]s here.", words.Say(g.lang, l.Han, l.English)) + figuresOf(e, g.lang)
			}
		}
	}
	return ""
}

// withBehind are the cards on offer, and those that stand behind the agents among them.
func (x *Index) withBehind() []*cards.Entry {
	if x.behind == nil {
		return x.entries
	}
	return slices.Concat(x.entries, x.behind.index.entries)
}

// halts are refusals that are deeds of their own when nothing else is left of a wish.
var halts = map[string]bool{"暂停": true, "停止": true}

// lackedDeed is what a clause wishes done, of which a card says that no tool of the house does it; nil for any other.
func (x *Index) lackedDeed(g *goal, c wishes.Clause) *fields.Lack {
	if c.Policy || c.Advice || c.Question && !wishes.PoliteAsk.MatchString(c.Text) || c.OnlyRefuses(g.text) || speaksOfFiles(g) {
		return nil
	}
	text := []byte(wishes.OwnWish(g.text))
	for _, m := range toldOrQuoted(g.text) {
		copy(text[m[0]:m[1]], strings.Repeat(" ", m[1]-m[0]))
	}
	said := strings.TrimSpace(string(text[c.Start:c.End]))
	if halts[said] { // what is refused is what shall be halted
		said = c.Text
	}
	for _, e := range x.withBehind() {
		for i := range e.Result.Lacks {
			if l := &e.Result.Lacks[i]; l.Deed && l.Asked.MatchString(said) && !x.doneElsewhere(g, c) {
				return l
			}
		}
	}
	return nil
}

// doneElsewhere reports whether the tool that a change would be made with is none of those beside which a card lacks it, but a team's own: it may give the coupons that
// the shop has none of.
func (x *Index) doneElsewhere(g *goal, c wishes.Clause) bool {
	if x.behind != nil {
		x = x.behind.index
	}
	best := x.top(g, c)
	return best != nil && !best.e.Reads() && !best.e.IsAgent() && !best.e.OfFiles() && !handlesFiles(best.e) && !slices.ContainsFunc(x.entries, func(e *cards.Entry) bool {
		return slices.ContainsFunc(e.Result.Lacks, func(l fields.Lack) bool { return l.Deed }) && slices.ContainsFunc(e.Tags, func(t string) bool { return slices.Contains(best.e.Tags, t) })
	})
}

// beyondDeeds parts the wishes of a request for such deeds from the others, where those only look: they are looked up, and the rest is said to be nothing that can be
// done here. A change beside them may hang on them, so that the request stays whole.
func (x *Index) beyondDeeds(g *goal) (kept, beyond []wishes.Clause) {
	for _, c := range g.clauses {
		switch {
		case x.lackedDeed(g, c) != nil:
			beyond = append(beyond, c)
		case c.After || len(c.Change) > 0:
			return g.clauses, nil
		default:
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return g.clauses, nil
	}
	return kept, beyond
}

// ofDeed says of a request that wishes for such a deed that nothing was done; "" for any other.
func (x *Index) ofDeed(g *goal) string {
	for _, c := range g.clauses {
		if l := x.lackedDeed(g, c); l != nil {
			return words.Say(g.lang, "没有执行「%[1]s」：这里没有工具可以%[2]s。什么也没有改。", "Not done: %[1]s. No tool here can %[2]s. Nothing was changed.", strip(g.wording(c)), words.Say(g.lang, l.Han, l.English))
		}
	}
	return ""
}

// maxFigures is how many figures of a card are named where it lacks the one asked for.
const maxFigures = 8

// figuresOf names what a card tells: the columns of its first list, else its figures. "" where it does not say.
func figuresOf(e *cards.Entry, lang string) string {
	given := e.Gives
	if lists := e.Lists(); len(lists) > 0 {
		given = lists[len(lists)-1].Fields
	}
	given = slices.SortedStableFunc(slices.Values(given), func(a, b fields.Field) int { return a.Place - b.Place })
	var out []string
	for i := range given {
		if f := &given[i]; len(f.Fields) == 0 && f.Title != "" && !slices.Contains(out, f.Label(lang)) && len(out) < maxFigures {
			out = append(out, f.Label(lang))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return words.Say(lang, "%[1]s能给出的有：%[2]s。", " What “%[1]s” tells: %[2]s.", e.Gist(lang), strings.Join(out, words.Say(lang, "、", ", ")))
}
