package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// heeds reports whether words that a person says while a task is under way can change it here: a wish, a refusal, a fact, or a word that some tool knows. Others, such
// as "hurry up", would only make another request of it, whose calls are made once more and bring the same.
func (x *Index) heeds(said string, now time.Time) bool {
	if takesAway.MatchString(said) || wishes.RefusalHan.MatchString(said) || wishes.RefusalEng.MatchString(said) || x.addsWish(said) {
		return true
	}
	tools := x
	if x.behind != nil {
		tools = x.behind.index
	}
	return len(tools.facts(said, now)) > 0 || slices.ContainsFunc(words.Content(aLittle.Replace(said)), func(w string) bool { return tools.trade[w] || x.trade[w] || len(tools.lexicon[w]) > 0 })
}

// addsWish reports whether words wish for something, as against telling how.
func (x *Index) addsWish(said string) bool {
	return (wishes.Splitter{Verbs: x.verbs, Topics: x.trade}).Begins(said) && !wishes.QuestionEng.MatchString(said)
}

// takesAway are words that take something away from a request, or put another thing in its place: to leave them out would be worse than to do it again.
var takesAway = words.MustCompile(`(?i)只|仅|不要|除了|换成|改成|\b(?:only|just|without|except|instead|rather|not)\b`)

// aLittle are words that soften a wish, and name nothing.
var aLittle = strings.NewReplacer("一点", " ", "一下", " ")

// notHeeded says which of a person's words were not used; "" when all were.
func (r *round) notHeeded() string {
	if len(r.g.unheard) == 0 {
		return ""
	}
	var said []string
	for _, s := range r.g.unheard {
		said = append(said, words.Say(r.g.lang, "「%s」", "“%s”", words.Short(strings.Join(strings.Fields(s), " "), 60)))
	}
	how := words.Say(r.g.lang, "要按它来，请在这个会话里把完整的要求再说一遍", "to have it, please say the whole request again in this session")
	if facts.SourceText.MatchString(r.g.text) && (len(r.targets) < 2 || slices.ContainsFunc(r.g.unheard, reckonsOn.MatchString)) {
		how = words.Say(r.g.lang, "代码做什么都写在代码里：请把改好的代码再发来运行", "what code does is in the code: please send the changed code to be run")
	}
	return words.Say(r.g.lang, "\n\n（您中途说的%s没有用上，还是照原来的要求做的；%s。）", "\n\n(What you said meanwhile, %s, was not used: the request was carried out as it was; %s.)",
		strings.Join(said, words.Say(r.g.lang, "、", ", ")), how)
}
