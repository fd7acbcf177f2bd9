package plan

import (
	"math/big"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Who asks for one figure by its name, 退款率是多少, what was our margin last month, is told it first, where what the tool says of itself begins with others.

var (
	asksOne    = words.MustCompile(`(?i)^[^，,；;]{2,40}?(?:是|有|为|到底|大概)*(?:多少|几)(?:元|钱|块钱?)?[呢啊]?[\s?？。]*$|^\s*(?:what(?:['’]s| is| was| were| are) (?:the |our |my )?|how (?:much|high|low) (?:is|was|were|are) (?:the |our |my )?)`)
	inBrackets = words.MustCompile(`\s*[（(][^）)]*[）)]\s*`)
	firstSaid  = words.MustCompile(`^(?:[^。.]|\.\S)+`)
)

// figureFirst is the figure that a clause asks for by its name, as a sentence; "" where it asks for none, for one of each of several, or the tool begins with it.
func (r *round) figureFirst(t *target, d Done) string {
	c := t.clause
	m, ok := objectIn(d.Observation)
	if !ok || t.against != nil || !t.e.Reads() || t.e.IsAgent() || t.e.Knowledge() || c.Figure.By != "" || c.Figure.Superlative() || c.Figure.Part || !asksOne.MatchString(c.Text) {
		return ""
	}
	text, said := c.Text, words.Content(c.Text)
	most, out := 0, ""
	for i := range t.e.Result.Fields {
		f := &t.e.Result.Fields[i]
		v := figures.Amount(m[f.Name])
		if v == nil || f.Type != "number" || render.IsTotal(f.Name, f) {
			continue
		}
		for _, name := range []string{f.Label("zh"), f.Label("en"), strings.ReplaceAll(f.Name, "_", " ")} {
			own := words.Content(inBrackets.ReplaceAllString(name, ""))
			if len(own) <= most || slices.ContainsFunc(own, func(w string) bool {
				return !slices.Contains(said, w) && !(words.IsHan(words.FirstRune(w)) && strings.Contains(text, w))
			}) {
				continue
			}
			most, out = len(own), r.figureSaid(f.Label(r.g.lang), v)
		}
	}
	if lead := firstSaid.FindString(r.inShort(d)); out == "" || strings.Contains(strings.ToLower(lead), strings.ToLower(strings.TrimRight(out[:strings.LastIndex(out, " ")], ":"))) {
		return ""
	}
	return out + words.Say(r.g.lang, "。", ".")
}

// figureSaid is a figure with its name, and the unit that the name tells.
func (r *round) figureSaid(label string, v *big.Rat) string {
	unit := strings.Trim(inBrackets.FindString(label), " （）()")
	name := strings.TrimSpace(inBrackets.ReplaceAllString(label, ""))
	return name + words.Say(r.g.lang, " ", ": ") + figures.Decimal(v) + words.Either(unit == "%" || unit == "％", "%", "")
}
