package plan

import (
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// consequences are what a change may bring about beside what it is called: money goes back, somebody is told. Each pattern finds it in a card
// as well as in the words of a request. They are knowledge of the languages.
var consequences = []*words.Pattern{
	words.MustCompile(`(?i)退款|退钱|退回|退还|返还|\brefund|\bmoney\b.{0,12}\bback\b`),
	words.MustCompile(`(?i)通知|发(?:消息|短信)|\bnotif|\binform`),
}

// inseparable are the words that refuse what the tool of a wish does along with it: 取消订单，但不要退款. It cannot be had without, so that a person
// asked to agree would agree to what was refused.
func (r *round) inseparable(t *target) []string {
	if !t.e.DeclaresChange() || t.e.IsAgent() {
		return nil
	}
	var out []string
	wish := wishes.Unrefused(r.g.text)
	for _, re := range []*words.Pattern{wishes.RefusalHan, wishes.RefusalEng} {
		wishes.Scopes(r.g.text, re, func(from, to int) {
			if len(facts.Within(r.g.facts, from, to)) > 0 || words.LongNumber.MatchString(r.g.text[from:to]) { // of another thing
				return
			}
			for _, c := range consequences {
				if m := c.FindString(r.g.text[from:to]); m != "" && c.MatchString(t.e.Description) && !c.MatchString(wish) {
					out = append(out, m)
				}
			}
		}, func(int) *words.Pattern { return wishes.ThoughtEnds })
	}
	return out
}
