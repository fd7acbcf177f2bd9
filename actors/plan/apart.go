package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// One sentence may change several things by different amounts: 把A涨价5%，B降价3元, "raise A by 5% and B by 10%". It is read as one sentence for each, where every
// thing has an amount of its own behind it, or both stand in the same order (respectively, 分别); any other is not parted.

var (
	// partLead are the marks and words between one change and the next, and unitOf what may follow its number.
	partLead     = words.MustCompile(`(?i)^(?:[\s，,、；;。]|和|与|并且?|以及|同时|然后|再|另外|还有|\b(?:and|then|also|while)\b)+`)
	unitOf       = words.MustCompile(`(?i)^\s*(?:%|％|元|块钱?|件|个|台|瓶|双|折|percent|yuan|pieces?|units?)`)
	respectively = words.MustCompile(`(?i)分别|各自?|\brespectively\b`)
	// aspectHan is what of a thing changes, as it stands between the thing and the verb.
	aspectHan = words.MustCompile(`^\s*的?(?:价格?|售价|卖价|价钱|库存|数量)`)
)

// apart is a request that changes several things by different amounts as one sentence for each; "" when it is none, or when it is not sure which is whose.
func (x *Index) apart(g *goal) string {
	text := strings.TrimRight(strings.TrimSpace(g.text), "。.!！~ ")
	if g.fresh > 0 || g.lost != nil || len(text) > maxPointing || strings.ContainsAny(text, "\n?？") || len(toldOrQuoted(text)) > 0 || len(wishes.ChangeVerbs(text)) == 0 && !wishes.Adjusting.MatchString(text) {
		return ""
	}
	type span struct{ from, to int }
	var things, amounts []span
	var names []string
	for _, f := range x.facts(text, g.now) {
		_, much := howMuchBy(text, f)
		number := f.Kind == facts.Number || f.Kind == facts.Digits && len(f.Text) < 10
		switch {
		case f.Kind == facts.Known || f.Kind == facts.Digits && !number || f.Kind == facts.Code:
			if slices.Contains(names, f.Text) {
				return ""
			}
			names, things = append(names, f.Text), append(things, span{f.Start, f.End})
		case number && (much || becomes.MatchString(text[:f.Start]) || respectively.MatchString(text)):
			amounts = append(amounts, span{f.Start, f.End + len(unitOf.FindString(text[f.End:]))})
		default:
			return ""
		}
	}
	n := len(things)
	if n == 0 {
		return apartNamed(text)
	}
	if n < 2 || n != len(amounts) || strings.TrimSpace(text[max(things[n-1].to, amounts[n-1].to):]) != "" {
		return ""
	}
	lang := Language(text)
	var out []string
	lead, between, aspect := strings.TrimLeft(text[:things[0].from], " "), "", ""
	if things[n-1].to <= amounts[0].from { // A和B分别涨价5%和10%
		between = respectively.ReplaceAllString(text[things[n-1].to:amounts[0].from], "")
		for i := range n {
			if i > 0 && (!linked.MatchString(text[things[i-1].to:things[i].from]) || !linked.MatchString(text[amounts[i-1].to:amounts[i].from])) {
				return ""
			}
			out = append(out, lead+text[things[i].from:things[i].to]+between+text[amounts[i].from:amounts[i].to])
		}
		return strings.Join(out, words.Either(lang == "zh", "。", ". "))
	}
	for i := range n {
		at := 0
		if i > 0 {
			at = amounts[i-1].to
		}
		if things[i].from < at || amounts[i].from < things[i].to {
			return ""
		}
		if own := partLead.ReplaceAllString(text[at:things[i].from], ""); i > 0 && own != "" {
			lead = own
		}
		own := text[things[i].to:amounts[i].from]
		if what := aspectHan.FindString(own); what != "" {
			aspect = what
		} else if lang == "zh" && aspect != "" && becomes.MatchString(own) {
			own = aspect + own
		}
		if strings.TrimSpace(own) == "" {
			own = between
		}
		if between = own; lang == "zh" && strings.TrimSpace(lead) == "" {
			lead = "把"
		}
		out = append(out, strings.TrimSpace(lead)+words.Either(lang == "zh", "", " ")+text[things[i].from:things[i].to]+between+text[amounts[i].from:amounts[i].to])
	}
	return strings.Join(out, words.Either(lang == "zh", "。", ". "))
}

// partEnd parts the changes of a Chinese sentence.
var partEnd = words.MustCompile(`[，,；;。]+(?:\s|并且?|然后|再|同时|另外)*`)

// apartNamed is such a request where nobody here knows what the things are called, if each part names one and what becomes of it; "" for any other.
func apartNamed(text string) string {
	parts := partEnd.Split(text, maxApart+1)
	if len(parts) < 2 || len(parts) > maxApart {
		return ""
	}
	for i, p := range parts {
		p = strings.TrimSpace(p)
		if heldWhole(p) == "" || !wishes.Adjusting.MatchString(p) && !becomesSo.MatchString(p) {
			return ""
		}
		parts[i] = words.Either(strings.HasPrefix(p, "把") || strings.HasPrefix(p, "将"), "", "把") + p
	}
	return strings.Join(parts, "。")
}

// maxApart is how many such changes one sentence may wish for.
const maxApart = 10

// becomesSo ends a part by what something becomes: 降到 20 元.
var becomesSo = words.MustCompile(`[到至成为]\s*[¥￥]?\d+(?:\.\d+)?\s*(?:元|块钱?|件|个|台)?$`)
