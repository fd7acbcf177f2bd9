package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// maxAnswer is how long an answer to a question may be, in runes, that another value may take the place of.
const maxAnswer = 60

// answeredAnew is an earlier request that asked something back, with fact in the place of what was answered: toys for liquor. A value of another kind takes the place
// of its own counterpart. What was answered in the turn after the question is set in g.given instead. "" when nothing was asked back, or fact does not take its place.
func (x *Index) answeredAnew(g *goal, last earlier, text, fact string) string {
	replaces := (insteadOf.MatchString(text) || onlyNamed.MatchString(text)) && !x.allowed(fact)
	if base, answer, ok := strings.Cut(last.Request, "\n"); ok && !strings.Contains(answer, "\n") && len([]rune(answer)) <= maxAnswer {
		base, answer = strings.TrimSpace(base), bare(answer)
		if full := x.instead(g, join(base, answer, g.lang), fact); full != "" || !replaces {
			return full
		}
		return join(base, fact, g.lang)
	}
	if len(last.given) != 1 || !replaces || x.instead(g, last.Request, fact) != "" {
		return ""
	}
	for p := range last.given {
		g.given[p] = fact
	}
	return join(last.root(), fact, g.lang)
}

// allowed reports whether a text is one of the values that a parameter is held to, by any name of it.
func (x *Index) allowed(text string) bool {
	if x.behind != nil {
		x = x.behind.index
	}
	for _, e := range x.entries {
		for i := range e.Params {
			if f := &e.Params[i]; f.Sort == fields.Enum && f.Named(text) != "" {
				return true
			}
		}
	}
	return false
}

// inLanguage are the examples of a parameter that who reads lang can read: with a Chinese sign or without one. What is no word, such as a date or an id, is for both.
func inLanguage(examples []string, lang string) (out []string) {
	for _, e := range examples {
		han := strings.ContainsFunc(e, words.IsHan)
		if word := han || strings.Trim(e, wordSigns) == ""; !word || han == (lang == "zh") {
			out = append(out, e)
		}
	}
	return out
}

// wordSigns are those of an English word or name.
const wordSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ -'&"
