package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What is asked further of a rule that was told, a case of it: 超过了呢, and if the box is opened? It is searched for with the rule, and where that finds the same passage
// again, it is said that nothing more is written.

// ofCase asks of a case; its groups are the case.
var ofCase = words.MustCompile(`(?i)^(?:那么?|但是?|可是?|不过|，|\s)*(\p{Han}[^，。,？?！!；;]{1,23}?)(?:的话)?(?:又?该?(?:怎么(?:办|算|处理)|咋办|如何处理)|(?:还|也)?(?:可以|行|算|能退|能换|适用)吗|呢)[\s?？。]*$` +
	`|^(?:(?:and|but|so|then|ok),? )*(?:what (?:about |happens )?|how about )?((?:(?:if|when|after|unless|without|does (?:it|that|this) (?:also )?(?:apply|count|hold)) )?.{2,60}?)\?[\s]*$`)

// ofPassage is such a turn with the rule that it is a case of, and where the case begins; "" for any other.
func (x *Index) ofPassage(g *goal, text, base string, last earlier) (full string, fresh int) {
	m := ofCase.FindStringSubmatch(text)
	if base == "" || base != last.Request || SmallTalk(text) || len([]rune(text)) > 60 {
		return "", 0
	}
	for _, f := range x.facts(text, g.now) {
		if f.Kind == facts.Person || f.Kind == facts.Date && !caseOfText(f, text) || words.LongNumber.MatchString(f.Text) {
			return "", 0
		}
	}
	if m == nil || words.Language(text) != "zh" && !startsCase.MatchString(text) {
		if x.standsAlone(g, text) { // what nothing else here can tell may be of the rule
			return "", 0
		}
		m = []string{"", strings.TrimRight(text, "?？。. "), ""}
	}
	topic := base
	if last.base != "" && strings.HasPrefix(base, strings.TrimRight(last.base, words.EndMarks+"?？")) || last.base != "" && x.asksTexts(g, last.base) {
		topic = last.base // of the rule, not of the case before
	}
	fact := strings.TrimSuffix(ifItIs.ReplaceAllString(m[1]+m[2], ""), "的")
	if !x.asksTexts(g, topic) || !ifItIs.MatchString(m[1]+m[2]) && (x.asksElse(g, text) || len(wishes.ChangeVerbs(text)) > 0) { // what is only supposed is no wish
		return "", 0
	}
	return x.ofTopic(g, topic, fact)
}

// ifItIs begins what is only supposed.
var ifItIs = words.MustCompile(`(?i)^(?:如果|要是|假如|万一|若是?)是?|^(?:if|when|after|unless|without|does (?:it|that|this) (?:also )?(?:apply|count|hold)(?: to| for| when| if)?) `)

// standsAlone reports whether there is a tool for a text by itself.
func (x *Index) standsAlone(g *goal, text string) bool {
	if x.behind != nil {
		x = x.behind.index
	}
	alone := goal{text: text, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&alone)
	return len(alone.clauses) != 1 || len(alone.clauses[0].Change) > 0 || x.strangeTo(&alone, alone.clauses[0]) || x.choose(&alone, alone.clauses[0], nil, &ExplainClause{}) != nil
}

// startsCase begins a case in English.
var startsCase = words.MustCompile(`(?i)^(?:(?:and|but|so|then|ok),? )*(?:what (?:about|happens|if)|how about|if|when|after|unless|without|for|with|does (?:it|that|this))\b`)

// asksElse reports whether a turn is a question of its own, to a tool that searches no texts.
func (x *Index) asksElse(g *goal, text string) bool {
	if x.behind != nil {
		x = x.behind.index
	}
	alone := goal{text: text, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&alone)
	if len(alone.clauses) != 1 {
		return false
	}
	t := x.top(&alone, alone.clauses[0])
	return t != nil && !t.e.Knowledge() && t.fit >= knownHalf
}

// minPassage is how long a passage is at least, in runes.
const minPassage = 12

// ofACase reports whether the request goes on with a question to texts, for a case that was told last.
func (r *round) ofACase() bool {
	return !r.g.job && len(r.in.History) > 0 && r.g.fresh > 0 && r.g.fresh < len(r.g.text) && r.x.asksTexts(&r.g, r.g.text)
}

// nothingMore is an answer to such a request; where it tells the passage that was told before, it says so.
func (r *round) nothingMore(answer string) string {
	passage, _, _ := strings.Cut(answer, "\n")
	told := func(t Turn) bool { return strings.Contains(t.Answer, passage) }
	if len(r.in.Done) == 0 || len([]rune(passage)) < minPassage || strings.HasPrefix(passage, "|") || !r.ofACase() || !slices.ContainsFunc(r.in.History[max(0, len(r.in.History)-lookBack):], told) {
		return answer
	}
	said := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(r.g.text[r.g.fresh:]), "的规则"), " rules")
	return words.Say(r.g.lang, "关于「%s」没有找到更多的内容，最接近的还是这一段：", "Nothing more was found on “%s”; the nearest is the same passage:", words.Short(said, 60)) + "\n\n" + answer
}
