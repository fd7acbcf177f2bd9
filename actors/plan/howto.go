package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// howItIsDone tells the words that have a change made, of a request that asks for nothing but the way; "" for any other.
func (x *Index) howItIsDone(g *goal) string {
	if len(g.clauses) != 1 || !slices.ContainsFunc(g.facts, func(f facts.Fact) bool { return f.Kind != facts.Date && f.Kind != facts.Number && f.Kind != facts.Said }) {
		return "" // a matter of rules
	}
	wish := g.clauses[0].WishOf()
	if wish == "" || len(wishes.ChangeVerbs(wish)) == 0 {
		return ""
	}
	tools := x
	if x.behind != nil {
		tools = x.behind.index
	}
	alone := goal{text: wish, lang: g.lang, now: g.now, given: map[string]string{}}
	tools.read(&alone)
	if len(alone.clauses) != 1 {
		return ""
	}
	best := tools.top(&alone, alone.clauses[0])
	if best == nil || best.e.Reads() {
		return ""
	}
	out := words.Say(g.lang, "这里可以直接办：说「%s」即可。", "It can be done here: just say “%s”.", wish)
	if best.e.NeedsApproval() {
		out += words.Say(g.lang, "执行之前会先给您看清楚要改什么，等您同意。", " Before anything is changed you are shown what it is and asked to agree.")
	}
	var more []string
	for _, f := range best.e.Required() {
		if _, ok := best.bound[f.Name]; !ok {
			more = append(more, wanted(g.lang, f))
		}
	}
	if len(more) > 0 {
		out += words.Say(g.lang, "还需要：%s。", " It also needs: %s.", strings.Join(more, words.Say(g.lang, "；", "; ")))
	}
	return out + words.Say(g.lang, "（只是说明，什么都没有改动。）", " (Nothing was changed.)")
}
