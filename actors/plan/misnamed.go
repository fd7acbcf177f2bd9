package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// In "cancel order 12345" the number is the order's, though no order has such a one. It is neither how many rows a list shall have, nor may the wish go on
// with an order that is found without it.

var (
	// calledBy is a noun that a number stands right behind; calledSo is what may follow a number that is a name: 取消订单 3 个 counts instead.
	calledBy = words.MustCompile(`(?i)([A-Za-z]+|\p{Han}{1,24}?)[\s:：]*(?:的?编号|号码?|\bid|\bno\.?|\bnumber|#)?[\s:：是为#]*$`)
	calledSo = words.MustCompile(`(?i)^\s*(?:$|[，,。.;；!！?？、)）]|[的吗吧了和与到给并]|(?:status|state|details?)\b|and\b|or\b|to\b|for\b|with\b|by\b|as\b|please\b|now\b|because\b|from\b|at\b)`)
)

// misnamed is a number by which a text calls a thing that shall be changed or shown, and that none of its kind can have by the pattern of its ids, with the
// parameter whose values these are. nil: there is none.
func (x *Index) misnamed(text string, found []facts.Fact) (called string, f *fields.Field) {
	if x.behind != nil {
		x = x.behind.index
	}
each:
	for _, fa := range found {
		if fa.Kind != facts.Number && fa.Kind != facts.Digits && fa.Kind != facts.Code || fa.From != "" || !calledSo.MatchString(text[fa.End:]) {
			continue
		}
		m := calledBy.FindStringSubmatch(text[:fa.Start])
		if m == nil {
			continue
		}
		var kind *fields.Field
		for _, e := range x.entries {
			for i := range e.Params {
				p := &e.Params[i]
				if p.Pattern == nil || p.Sort != fields.ID || !isOf(p, m[1]) {
					continue
				}
				if p.Pattern.MatchString(fa.Text) {
					continue each
				}
				kind = p
			}
		}
		if kind != nil {
			return strings.TrimSpace(fa.Text), kind
		}
	}
	return "", nil
}

// isOf reports whether a noun before a number is what the values of a parameter are of: order, of "Order id"; 取消订单, of 订单编号.
func isOf(f *fields.Field, noun string) bool {
	noun = strings.ToLower(noun)
	if words.IsHan(words.FirstRune(noun)) {
		n := nounOf(f.Label("zh"))
		return n != "" && strings.HasSuffix(noun, n) || strings.HasSuffix(f.Label("zh"), "单号") && strings.HasSuffix(noun, strings.TrimSuffix(f.Label("zh"), "号")) // 运单 of 运单号
	}
	return noun == nounOf(f.Label("en")) || strings.HasPrefix(f.Name, noun+"_")
}

// noSuchID says that a number is no id of its kind, and what one looks like; "" when the request calls nothing by such a number.
func (x *Index) noSuchID(g *goal) string {
	n, f := x.misnamed(g.text, g.facts)
	if f == nil {
		return x.noID(g)
	}
	form := words.Either(f.Desc != "" && words.Language(f.Desc) == g.lang, words.Say(g.lang, "（%s）", " (%s)", words.Short(f.Desc, 60)), "")
	done := words.Say(g.lang, "没有查", "Nothing was looked up")
	if len(wishes.ChangeVerbs(g.text)) > 0 {
		done = words.Say(g.lang, "没有执行", "Not done")
	}
	said := words.Say(g.lang, "%[1]s：「%[2]s」不是一个%[3]s%[4]s。请给出完整的编号", "%[1]s: “%[2]s” is no %[3]s%[4]s. Please give the whole id", done, n, strings.ToLower(f.Label(g.lang)), form)
	if len(n) <= 2 {
		said += words.Say(g.lang, "；列表里的第几个请说「第 %[1]s 个」，要的是几个请说「%[1]s 个」", "; for a place in a list say “number %[1]s”", n)
	}
	return said + words.Say(g.lang, "。", ".")
}

// shortly is all that may stand beside a number that a request names, so that nothing but the thing of that number can be meant.
var shortly = words.MustCompile(`(?i)查一?下|查询|看看?|到哪里?了|在哪里?|怎么样了?|请|帮我|麻烦|把|这个|那个|掉|了|吧|\b(?:please|show|find|look up|check|where is|what is|me|the|status of|track)\b|[\s，,。.?？!！#:：]`)

// noID says of a request for nothing but a number that no thing here has such a one, with the ids that there are; "" for any other. A phone has eleven digits, and is none.
func (x *Index) noID(g *goal) string {
	if len(g.facts) != 1 || g.facts[0].Kind != facts.Digits || len(g.facts[0].Text) < 6 || g.fresh > 0 {
		return ""
	}
	n := g.facts[0].Text
	rest, verbs := shortly.ReplaceAllString(strings.Replace(g.text, n, " ", 1), ""), wishes.ChangeVerbs(g.text)
	for v := range verbs {
		rest = strings.TrimPrefix(strings.ToLower(rest), strings.ToLower(wishes.VerbWord(rest, v)))
	}
	if rest != "" {
		return ""
	}
	tools := x
	if x.behind != nil {
		tools = x.behind.index
	}
	var ids []string
	lengths := map[int]bool{}
	for _, e := range tools.entries {
		for i := range e.Params {
			f := &e.Params[i]
			if f.Pattern == nil && f.Sort == fields.ID && f.Required { // it may be any
				return ""
			}
			if f.Pattern == nil || f.Sort != fields.ID || len(f.Lengths) != 1 { // a waybill may look like anything
				continue
			}
			if f.Pattern.MatchString(n) {
				return ""
			}
			id := words.Say(g.lang, fmt.Sprintf("%s %v 位", f.Label("zh"), f.Lengths), fmt.Sprintf("%s %v digits", f.Within("en"), f.Lengths))
			if !lengths[f.Lengths[0]] { // of two names for one thing the first tells enough
				lengths[f.Lengths[0]], ids = true, append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return ""
	}
	slices.Sort(ids)
	return words.Either(len(verbs) > 0, words.Say(g.lang, "没有执行", "Not done"), words.Say(g.lang, "没有查", "Nothing was looked up")) +
		words.Say(g.lang, "：「%[1]s」有 %[2]d 位，这里没有这样的编号（%[3]s）。请给出完整的编号。", ": “%[1]s” has %[2]d digits, and no id here has (%[3]s). Please give the whole id.", n, len(n), strings.NewReplacer("[", "", "]", "").Replace(strings.Join(ids, words.Say(g.lang, "、", ", "))))
}
