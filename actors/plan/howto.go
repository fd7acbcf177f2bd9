package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// howItIsDone tells the words that have a change made, of a request that asks for nothing but the way; "" for any other.
func (x *Index) howItIsDone(g *goal) string {
	if told := x.whatHappens(g); told != "" {
		return told
	}
	if len(g.clauses) != 1 || !slices.ContainsFunc(g.facts, func(f facts.Fact) bool { return f.Kind != facts.Date && f.Kind != facts.Number && f.Kind != facts.Said }) {
		return "" // a matter of rules
	}
	wish := g.clauses[0].WishOf()
	if wish == "" || len(wishes.ChangeVerbs(wish)) == 0 {
		return ""
	}
	tools := x
	if x.behind != nil {
		tools = x.behind.index
	}
	alone := goal{text: wish, lang: g.lang, now: g.now, given: map[string]string{}}
	tools.read(&alone)
	if len(alone.clauses) != 1 {
		return ""
	}
	best := tools.top(&alone, alone.clauses[0])
	if best == nil || best.e.Reads() {
		return ""
	}
	out := words.Say(g.lang, "这里可以直接办：说「%s」即可。", "It can be done here: just say “%s”.", wish)
	if best.e.NeedsApproval() {
		out += words.Say(g.lang, "执行之前会先给您看清楚要改什么，等您同意。", " Before anything is changed you are shown what it is and asked to agree.")
	}
	var more []string
	for _, f := range best.e.Required() {
		if _, ok := best.bound[f.Name]; !ok {
			more = append(more, wanted(g.lang, f))
		}
	}
	if len(more) > 0 {
		out += words.Say(g.lang, "还需要：%s。", " It also needs: %s.", strings.Join(more, words.Say(g.lang, "；", "; ")))
	}
	return out + words.Say(g.lang, "（只是说明，什么都没有改动。）", " (Nothing was changed.)")
}

// wouldBe asks what a change brings about.
var wouldBe = words.MustCompile(`(?i)^\s*(?:如果|假如|要是)?(?:我们?)?(?:现在)?(.+?)(?:的话)?[，,]?(?:会|将会?|有|会有)(?:怎么?样|发生什么|什么(?:后果|影响|结果))[呢啊]?\s*[?？。]*$|^\s*what (?:happens|would happen|will happen|are the consequences|follows) (?:if|when) (?:i|we|you) (.+?)[?.\s]*$`)

// whatHappens tells what a change to a thing that is named by its id would bring about, as the card of the tool says; "" for any other request.
func (x *Index) whatHappens(g *goal) string {
	m := wouldBe.FindStringSubmatch(g.text[g.fresh:])
	if m == nil || !slices.ContainsFunc(g.facts, func(f facts.Fact) bool { return f.Kind == facts.Digits }) {
		return ""
	}
	wish := strings.TrimSpace(m[1] + m[2])
	tools := x
	if x.behind != nil {
		tools = x.behind.index
	}
	alone := goal{text: wish, lang: g.lang, now: g.now, given: map[string]string{}}
	tools.read(&alone)
	if len(alone.clauses) != 1 || len(alone.clauses[0].Change) == 0 {
		return ""
	}
	best := tools.top(&alone, alone.clauses[0])
	if best == nil || best.e.Reads() || best.e.IsAgent() {
		return ""
	}
	told := best.e.Description
	for _, part := range strings.FieldsFunc(best.e.Description, func(r rune) bool { return r == '。' || r == '\n' }) {
		if part = strings.TrimRight(strings.TrimSpace(part), "."); words.Language(part) == g.lang {
			told = part
			break
		}
	}
	return words.Say(g.lang, "「%[1]s」会这样：%[2]s。状态不允许的，工具会拒绝，什么也不改；执行之前会先给您看清楚，等您同意。要做就直接说「%[1]s」。（只是说明，什么都没有改动。）",
		"“%[1]s” would do this: %[2]s. Where the state does not allow it the tool refuses, and nothing is changed; before it is made you are shown what it is and asked to agree. To have it done, say “%[1]s”. (Nothing was changed.)", wish, told)
}
