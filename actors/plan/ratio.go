package plan

import (
	"math/big"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// A figure that is held against another one of the same call, 退款金额占销售额多少, or against a number that the request gives, 本月目标10万, is worked out from what the
// tool tells of all that it looked at.

// ratioOf are the two figures that a tool tells and a text wants the one as a part of the other; nil where it does not tell both.
func ratioOf(e *cards.Entry, text string) (part, whole *fields.Field) {
	a, b, ok := wishes.Ratio(text)
	if !ok || !e.Reads() || e.IsAgent() || e.Knowledge() {
		return nil, nil
	}
	part, whole = figureNamed(e, a), figureNamed(e, b)
	if part == nil || whole == nil || part.Name == whole.Name {
		return nil, nil
	}
	return part, whole
}

var (
	// anySum stands behind any sum of money, and middling in the name of a figure that nothing is a part of.
	anySum   = words.MustCompile(`(?i)的|金额|总额|费用|款项|\b(?:amounts?|total|money|value)\b`)
	middling = words.MustCompile(`(?i)中位|日均|每天|平均|\b(?:median|average|a day|per day)\b`)
)

// alsoFigures are other words for what is sold and for what advertising costs.
var alsoFigures = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`(?i)营业额|流水|营收|收入|\b(?:revenue|turnover|income)\b`), "销售额 sales"},
	{words.MustCompile(`(?i)(?:广告|推广|营销)费|\b(?:ad|ads|advertising|marketing|campaign) (?:spend|spending|costs?|budget)\b`), "花费 cost"},
}

// figureNamed is the figure of all that a tool looked at which a text names; nil when it names none.
func figureNamed(e *cards.Entry, text string) *fields.Field {
	var best *fields.Field
	most := 0
	if bare := strings.TrimSpace(anySum.ReplaceAllString(text, " ")); bare != "" {
		text = bare
	}
	for _, also := range alsoFigures {
		if also.MatchString(text) {
			text += " " + also.put
		}
	}
	for i := range e.Result.Fields {
		f := &e.Result.Fields[i]
		if f.Type != "number" && f.Type != "integer" || f.Sort == fields.ID || figures.Quotient(f) || middling.MatchString(f.Label("zh")+" "+f.Label("en")) || f.Type != "number" && wishes.MoneyWords.MatchString(text) {
			continue
		}
		n := f.Shares(text)
		for _, w := range words.Content(text) { // 毛利 of 毛利润, refunds of Refunded
			if len([]rune(w)) > 1 && strings.Contains(strings.ToLower(f.Label("zh")+" "+f.Label("en")), w) {
				n++
			}
		}
		if n > most {
			best, most = f, n
		}
	}
	return best
}

// heldAgainst is the sentence on what part one figure of a call is of another, or how far one is from a target; "" where neither is asked for, or the call does not tell it.
func (r *round) heldAgainst(t *target, d Done) string {
	m, ok := objectIn(d.Observation)
	if !ok || d.Status != bus.OK || t.against != nil {
		return ""
	}
	lang := r.g.lang
	if part, whole := ratioOf(t.e, t.clause.Text); part != nil {
		a, b := figures.Amount(m[part.Name]), figures.Amount(m[whole.Name])
		if a == nil || b == nil || b.Sign() <= 0 {
			return ""
		}
		return words.Say(lang, "%[1]s占%[2]s的 %[3]s（%[4]s，%[2]s %[5]s）。", "%[1]s: %[3]s of %[2]s (%[4]s of %[5]s).", part.Label(lang), whole.Label(lang), figures.Percent(a, b), figures.Decimal(a), figures.Decimal(b))
	}
	goal, ok := r.targetOf(t.clause)
	if !ok {
		return ""
	}
	f := targetFigure(t.e, facts.Without(r.g.text, t.clause.Start, t.clause.End, r.g.facts))
	if f == nil {
		return ""
	}
	a, b := figures.Amount(m[f.Name]), new(big.Rat)
	if _, ok := b.SetString(goal.String()); a == nil || !ok || b.Sign() <= 0 {
		return ""
	}
	label, reached := f.Label(lang), figures.Percent(a, b)
	if gap := new(big.Rat).Sub(b, a); gap.Sign() > 0 {
		return words.Say(lang, "%[1]s %[2]s，目标 %[3]s，完成 %[4]s，还差 %[5]s。", "%[1]s: %[2]s of the target of %[3]s, %[4]s; %[5]s to go.", label, figures.Decimal(a), figures.Decimal(b), reached, figures.Decimal(gap))
	}
	return words.Say(lang, "%[1]s %[2]s，目标 %[3]s，完成 %[4]s，已经超出 %[5]s。", "%[1]s: %[2]s, the target of %[3]s is reached (%[4]s), %[5]s above it.", label, figures.Decimal(a), figures.Decimal(b), reached, figures.Decimal(new(big.Rat).Sub(a, b)))
}

// targetFigure is the figure that a target is set for, which what stands beside it names; what was sold, where nothing does. nil when a tool does not tell it.
func targetFigure(e *cards.Entry, text string) *fields.Field {
	if f := figureNamed(e, text); f != nil {
		return f
	}
	for i := range e.Result.Fields {
		if f := &e.Result.Fields[i]; f.Type == "number" && figures.SoldFor.MatchString(f.Label("zh")+" "+f.Label("en")) {
			return f
		}
	}
	return nil
}

// targetOf is the target that a clause holds a figure against.
func (r *round) targetOf(c wishes.Clause) (facts.Target, bool) {
	for _, f := range facts.Within(r.g.facts, c.Start, c.End) {
		if t, ok := f.Value.(facts.Target); ok {
			return t, true
		}
	}
	return 0, false
}

// tellsShare reports whether the share that a clause asks for is told: as one figure of another, as a rate, or of each row that its tool puts together.
func (r *round) tellsShare(t *target) bool {
	if part, _ := ratioOf(t.e, t.clause.Text); part != nil || t.clause.Figure.By != "" || t.e.IsAgent() || !t.e.Reads() {
		return true
	}
	for i := range t.e.Result.Fields {
		if f := &t.e.Result.Fields[i]; figures.Quotient(f) && f.Shares(t.clause.Text) > 0 {
			return true
		}
	}
	return false
}
