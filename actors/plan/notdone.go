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

// Who did not order, or what was not returned, are others than those that did. Where no argument of a call says it, a list of those that did would be the very contrary of
// what is asked, so that none is shown.

var (
	// leftUndone is a deed of buyers of which it is asked who did not do it; its group is that.
	leftUndone = words.MustCompile(`(?i)(?:^|[^有])((?:没有?|从没有?|从未|未曾|未)(?:再|来)?(?:下过?单|买|购买|消费|光顾|复购|回购|退过?款|退过?货|申请过?退|评价|投诉|卖(?:出|掉|动)?)[过去]*)|` +
		`\b((?:(?:did|do|does|has|have|had|were|was|are)(?: not|n['’]t)|never|not)(?: yet| ever)?(?: been)? (?:order|buy|purchase|shop|return|get|got|ask|come|bought|complain|sell|sold)\w*)`)
	// ofWhom and someOrders say of what it is asked.
	ofWhom     = words.MustCompile(`(?i)客户|顾客|买家|谁|商品|产品|\b(?:customers?|buyers?|who|products?|goods)\b`)
	givenBack  = words.MustCompile(`(?i)退|return|refund|get|got`)
	someOrders = words.MustCompile(`(?i)订单|单子|\borders\b`)
	// saysNot is in a value that says that something was not done.
	saysNot = words.MustCompile(`(?i)没|未|不|无|待|仅|只|\b(?:not|no|never|without|un\w+|lapsed|inactive|awaiting|pending|waiting)\b`)
	// whoOrWhich asks for those that did not.
	whoOrWhich = words.MustCompile(`(?i)谁|哪|客户|顾客|买家|人|订单|商品|产品|多少|几|\b(?:who|which|what|customers?|buyers?|people|orders?|products?|those|how many|list|show)\b`)
)

// notDone is what a clause asks for those that did not do it, and that none of the arguments of a call says; the zero clause when there is nothing such.
func (g *goal) notDone(c wishes.Clause, e *cards.Entry, told func(func(v string) bool) bool) (of string) {
	if !e.Reads() || e.IsAgent() || e.Knowledge() || e.OfFiles() || c.Policy || g.wishesChange() || !whoOrWhich.MatchString(c.Text) {
		return ""
	}
	m := leftUndone.FindStringSubmatch(c.Text)
	if m == nil || told(func(v string) bool { return saysNot.MatchString(v) }) {
		return ""
	}
	return strings.TrimSpace(m[1] + m[2])
}

// toldByValue reports whether one of the allowed values that a call is given says something.
func toldByValue(e *cards.Entry, bound map[string]fields.Binding, says func(string) bool) bool {
	for name, b := range bound {
		if p := e.Param(name); p != nil && len(p.Enum) > 0 && slices.ContainsFunc(spoken(b.Value), says) {
			return true
		}
	}
	return false
}

// undoneUnknown says that those that did not do something are not found here, for a call that would show those that did; "" for any other.
func (r *round) undoneUnknown(t *target) string {
	of := r.g.notDone(t.clause, t.e, func(says func(string) bool) bool {
		return toldByValue(t.e, t.bound, says) || slices.ContainsFunc(facts.Within(r.g.facts, t.clause.Start, t.clause.End), func(f facts.Fact) bool { return f.Kind == facts.Quote })
	})
	if m, deed := ofWhom.FindString(t.clause.Text), leftUndone.FindStringSubmatch(t.clause.Text); of == "" && m != "" && deed != nil && givenBack.MatchString(deed[0]) && !someOrders.MatchString(t.clause.Text) && t.e.Reads() && len(t.e.Lists()) > 0 {
		mentions := func(l *fields.Field) bool {
			return words.Mentions(l.Label("zh")+" "+l.Label("en")+" "+l.Name, strings.NewReplacer("谁", "客户", "who", "customer").Replace(strings.ToLower(m)))
		}
		if !slices.ContainsFunc(t.e.Lists(), mentions) && t.clause.Figure.By == "" { // orders that were not refunded are no customers without a refund
			of = strings.TrimSpace(deed[1] + deed[2])
		}
	}
	if of == "" {
		return ""
	}
	return words.Say(r.g.lang, "没有算出来：这里查不出哪些是「%[1]s」的；列出别的就答错了，所以什么也没有列。", "This is not worked out: of which ones “%[1]s” holds cannot be looked up here, and a list of others would be a wrong answer, so there is none.", of)
}
