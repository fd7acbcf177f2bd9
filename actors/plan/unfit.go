package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What is not done since it cannot be done as it was wished, and how that is said.

// unmade says that the change which a clause commands was not made, and what is missing for it where a tool would make it.
func (r *round) unmade(t *target) string {
	for _, e := range r.x.entries {
		if e.Reads() || e.IsAgent() || len(e.Required()) == 0 || !e.Verbs[wishes.FirstVerb(t.clause.Change)] {
			continue
		}
		var names []string
		for _, f := range e.Missing(r.x.bind(e, &r.g, t.clause)) {
			names = append(names, f.Within(r.g.lang))
		}
		if len(names) > 0 {
			return words.Say(r.g.lang, "没有改动任何东西：%[1]s，每一次都要知道%[2]s；下面只是查到的内容", "nothing was changed: “%[1]s” needs %[2]s, each time; what follows was only looked up",
				e.Called(r.g.lang), strings.Join(names, words.Say(r.g.lang, "、", ", ")))
		}
	}
	said := words.Say(r.g.lang, "没有改动任何东西，这里没有工具能照这样做", "nothing was changed, for no tool here does it as it was said")
	if what, can := r.x.changesOf(&r.g); len(can) > 0 {
		said += words.Say(r.g.lang, "（对%s能做的改动：%s）", " (what can be changed of %s: %s)", what, strings.Join(can, words.Say(r.g.lang, "、", ", ")))
	}
	return said + words.Say(r.g.lang, "；下面只是查到的内容", "; what follows was only looked up")
}

// changesOf are the changes that can be made to a thing which the request names by its id, and what that is called; nil for none.
func (x *Index) changesOf(g *goal) (what string, can []string) {
	for _, f := range g.facts {
		for _, e := range x.entries {
			thing := e.TakesOne()
			if thing == nil || e.Reads() || f.From != "" || !thing.Pattern.MatchString(f.Text) {
				continue
			}
			what = thing.Label(g.lang) + " " + f.Text
			if name := strings.TrimSpace(beyondDeed.Split(e.Called(g.lang), 2)[0]); !slices.Contains(can, name) {
				can = append(can, name)
			}
		}
		if len(can) > 0 {
			break
		}
	}
	return what, can
}

// unfit takes the targets out that would change something without holding to all that was said, and says so of each: a change
// is made as it was wished, or not at all. One whose parameter was asked for since, or whose object a provider looks up and
// [round.which] then asks for, stays.
func (r *round) unfit() (said []string) {
	kept := r.targets[:0:0]
	for _, t := range r.targets {
		terms := r.unspared(t)
		for i, w := range terms {
			terms[i] = words.Say(r.g.lang, "「%s」", "“%s”", w)
		}
		if !t.e.Reads() && !r.chosen(t.e) && len(r.best.Providers(t.e)) == 0 && !r.lacks(t.e) {
			for _, f := range r.unused(t) {
				if f.Kind == facts.Person && r.tellsWhose(t) { // it is looked at first
					continue
				}
				if len(r.g.given) == 0 || f.Kind != facts.Digits && f.Kind != facts.Code { // an id that did not fit was told again when asked for
					terms = append(terms, words.Say(r.g.lang, "「%s」", "“%s”", f.Text))
				}
			}
		}
		_, made := r.tried(t.e.Name)
		if along := r.inseparable(t); len(along) > 0 && !made {
			said = append(said, words.Say(r.g.lang, "没有执行：%[1]s。「%[3]s」这一步会连带%[2]s，不能分开做；如果可以接受，请去掉这个条件再说一次。",
				"Not done: %[1]s. “%[3]s” brings the %[2]s with it and cannot be done without; if that is all right, ask again without that condition.",
				strip(r.g.wording(t.clause)), strings.Join(along, words.Say(r.g.lang, "、", ", ")), t.e.Called(r.g.lang)))
			continue
		}
		if no := r.otherAspect(t); no != "" && !made {
			said = append(said, no)
			continue
		}
		if no := r.notTheirs(t); no != "" && !made {
			said = append(said, no)
			continue
		}
		if no := r.oneByOne(t); no != "" && !made {
			said = append(said, no)
			continue
		}
		if len(terms) == 0 || made {
			kept = append(kept, t)
			continue
		}
		if of := strings.Join(terms, words.Say(r.g.lang, "、", ", ")); t.e.Reads() && leftOut.MatchString(of) {
			said = append(said, r.cannotLeaveOut(t, of))
			continue
		}
		said = append(said, words.Say(r.g.lang, "没有执行：%[1]s。这一步不能按%[2]s来做；请去掉这个条件再说一次，或者换一种说法。",
			"Not done: %[1]s. This step cannot take %[2]s into account; leave that out or put it another way.",
			strip(r.g.wording(t.clause)), strings.Join(terms, words.Say(r.g.lang, "、", ", "))))
	}
	r.targets = kept
	return said
}

// leftOut are words that leave something out of what is looked up.
var leftOut = words.MustCompile(`(?i)除|不[含包算要]|没|未|\b(?:except|exclud\w+|without|not|other than|apart from)\b`)

// retold reports whether a number that no call can take was told again when it was asked for: a price below nothing. A limit is no such number.
func (r *round) retold(t *target, f facts.Fact) bool {
	n, ok := f.Value.(facts.Amount)
	if _, limits := wishes.LimitIn(r.g.text, f); !ok || limits {
		return false
	}
	n.N = math.Abs(n.N)
	for name, b := range t.bound {
		p := t.e.Param(name)
		if _, fits := fields.Suits(p, facts.Fact{Kind: f.Kind, Text: f.Text, Value: n}); b.Why == "answer" && p.Sort == fields.Number && fits > 0 {
			return true
		}
	}
	return false
}

// chosen reports whether the user picked what the tool is used on, knowing what the choice was not limited to.
func (r *round) chosen(e *cards.Entry) bool {
	return slices.ContainsFunc(r.in.Answers, func(a Answer) bool {
		f := e.Param(a.Ask.Parameter)
		return a.Ask.ToolName == e.Name && len(a.Ask.Options) > 0 && f != nil && len(f.Enum) == 0
	})
}

// lacks reports whether something must be asked first.
func (r *round) lacks(e *cards.Entry) bool {
	for _, c := range r.best.Choices {
		if c.Taker == e && c.Known == nil && c.Provider == nil {
			return true
		}
	}
	return false
}

// tried finds a call that was already made of a tool.
func (r *round) tried(name string) (Done, bool) {
	for _, d := range r.in.Done {
		if d.Action.ToolName == name {
			return d, true
		}
	}
	return Done{}, false
}
