package plan

import (
	"slices"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// ofAccount: a parameter that names somebody, and none of the things that somebody has.
var ofAccount = words.MustCompile(`(?i)账号|帐号|用户|客户|会员|\b(?:accounts?|users?|customers?|members?|contacts?)\b`)

// toPerson lets what somebody shall be told go to who is named, and not to each order that somebody placed, where a card takes either: 给王萍萍发消息 is one message.
func toPerson(g *goal, t *target, needs []solver.Need) {
	if _, tells := t.clause.Change["send"]; !tells || t.e.Reads() || !slices.ContainsFunc(facts.Within(g.facts, t.clause.Start, t.clause.End), whose) {
		return
	}
	said := t.clause.Text
	if at, ok := wishes.SaidFrom(said); ok {
		said = said[:at]
	}
	for i, n := range needs {
		if !n.Field.OneOf || ofAccount.MatchString(n.Field.Label("zh")+" "+n.Field.Label("en")) || namedIn(n.Field, said, g.lang) != "" {
			continue
		}
		for _, o := range t.e.Instead(n.Field) {
			if ofAccount.MatchString(o.Label("zh") + " " + o.Label("en")) {
				needs[i].Field = o
			}
		}
	}
}
