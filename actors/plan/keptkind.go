package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

var (
	// keptOnly is what a part says of goods that stay as they are, beside their kind.
	keptOnly  = words.MustCompile(`(?i)[别勿不](?:要|用|能|可以?)?(?:再|去)?(?:动|变|碰|改|涨|降|调)(?:价格?|它们?)?|保持|维持|不变|照旧|照常|原价|留着|[就先也都则还的了吧]|价格?|但是?|不过|而|\b(?:do not|don['’]t|leave|keep|not|touch|change|raise|lower|the|as (?:they|it) (?:are|is)|alone|unchanged|prices?|of|all|any|but|and|at)\b`)
	joinsPart = words.MustCompile(`(?i)(?:[，,;；。]|\s)*(?:\b(?:and|but)\b\s*)?$`)
	// andKept parts such a part from the wish before it, where no comma does.
	andKept = words.MustCompile(`(?i)(?:\s+|,\s*)(?:and|but)\s+((?:leave|keep|do not|don['’]t|not)\b[^,.;]*)$`)
)

// lessOtherKind is a request for a change without a part that says of goods of another kind that they stay as they are: 耳机涨10%，手机别动. So they do; of goods that
// might be among what is changed (头戴式不涨) nobody knows that here. "" when there is no such part.
func (x *Index) lessOtherKind(g *goal) string {
	text := strings.TrimRight(strings.TrimSpace(g.text), "。.!！~ ")
	if g.fresh > 0 || g.lost != nil || len(text) > maxPointing || strings.Contains(text, "\n") || len(toldOrQuoted(text)) > 0 {
		return ""
	}
	parts := heldParts(text, func(map[string]int) bool { return true })
	if m := andKept.FindStringSubmatchIndex(text); m != nil {
		parts = [][]int{{m[2], m[3]}}
	}
	if len(parts) != 1 || parts[0][0] == 0 {
		return ""
	}
	from, to := parts[0][0], parts[0][1]
	rest := strings.TrimSpace(joinsPart.ReplaceAllString(text[:from], "") + text[to:])
	kept, changed := x.kindsIn(text[from:to], g, true), x.kindsIn(rest, g, false)
	if len(kept) == 0 || len(changed) == 0 || slices.ContainsFunc(kept, func(k string) bool { return slices.Contains(changed, k) }) {
		return ""
	}
	return rest
}

// kindsIn are the kinds of goods that a text names, in small letters; nil when it names another thing or no kind, or, alone, when it says more than [keptOnly] does.
func (x *Index) kindsIn(text string, g *goal, alone bool) (out []string) {
	bare := text
	for _, f := range x.facts(text, g.now) {
		if f.Kind == facts.Number {
			continue
		}
		kind := strings.ToLower(f.Text)
		if f.Kind != facts.Known || !x.isOne(kind, "category") && !x.isOne(strings.TrimSuffix(kind, "s"), "category") {
			return nil
		}
		out, bare = append(out, kind), strings.Replace(bare, f.Text, " ", 1)
	}
	if one := strings.ToLower(strings.Join(strings.Fields(strings.Trim(keptOnly.ReplaceAllString(bare, " "), " ,.")), " ")); alone && len(out) == 0 && x.isOne(strings.TrimSuffix(one, "s"), "category") {
		return []string{one} // a word of the trade, too
	}
	if alone && len(words.Content(keptOnly.ReplaceAllString(bare, " "))) > 0 {
		return nil
	}
	return out
}
