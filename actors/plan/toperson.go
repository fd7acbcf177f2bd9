package plan

import (
	"slices"
	"strings"

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

// tellsNow begins a request to tell somebody something, before their name.
var tellsNow = words.MustCompile(`(?i)^(?:(?:please|pls|then|and)\s+)*(?:tell|inform|notify|message|write to|reply to)\s+$|^(?:请|麻烦|帮我|帮忙|替我|再)*(?:告诉|通知|告知|转告)(?:一下)?$`)

// toldTo is a request to tell named people something, tell A and B that …, in the words that say it is a message: what they are told may speak of any matter, and it is
// no wish about that. "" for any other.
func (x *Index) toldTo(g *goal) string {
	if g.fresh > 0 || g.lost != nil || strings.Contains(g.text, "\n") {
		return ""
	}
	from, to := -1, 0
	for _, f := range x.facts(g.text, g.now) {
		if whose(f) && (from < 0 && tellsNow.MatchString(g.text[:f.Start]) || from >= 0 && linked.MatchString(g.text[to:f.Start])) {
			to = f.End
			if from < 0 {
				from = f.Start
			}
		}
	}
	if from < 0 || wishes.SaidUntil(g.text, to) < len(g.text) || toldOrQuoted(g.text[to:]) != nil {
		return ""
	}
	rest := strings.TrimSpace(afterName.ReplaceAllString(g.text[to:], ""))
	if len(words.Content(rest)) == 0 || notTold.MatchString(rest) {
		return ""
	}
	if Language(g.text) == "zh" {
		return "给" + g.text[from:to] + "发消息说：" + rest
	}
	return "send a message to " + g.text[from:to] + " saying: " + rest
}

var (
	// afterName stands between who is told and what; notTold is what is no message: a matter, another thing of theirs, a question.
	afterName = words.MustCompile(`(?i)^\s*(?:,?\s*that\b|[,，:：]|说(?:一?声|一下)?[,，:：]?)?\s*`)
	notTold   = words.MustCompile(`(?i)^(?:['’]s\b|about|of|on|how|when|where|why|what|which|who|whether|if|to|with|by|via|and|or|for|的|一下|一声|关于|什么|怎么|有没有|是不是|何时)|[?？]$`)
)
