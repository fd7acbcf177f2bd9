package plan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// pronoun is a way to speak of a thing or a person without its name.
type pronoun struct {
	*regexp.Regexp        // its first group is what the name takes the place of, or stands behind
	behind         bool   // 这个订单 stays, and the id follows it
	person         bool   // else something with an id
	tail           string // what is put behind the name
}

var pronouns = []pronoun{
	{Regexp: regexp.MustCompile(`((?:这|那|该|此)(?:一?[个笔张])?(?:订单|单子|单|退款|包裹|快递))`), behind: true},
	{Regexp: regexp.MustCompile(`(?i)\b((?:this|that|the same)\s+(?:order|refund|parcel|shipment))\b`), behind: true},
	{Regexp: regexp.MustCompile(`(?:^|[^其])(它)(?:[^们]|$)`)},
	{Regexp: regexp.MustCompile(`(?i)\b(?:cancel|ship|track|urge|expedite|approve|refuse|reject|invoice|refund|return|show|open|bought|ordered|placed|who paid for|of|for|about|with|where is|where's|when was|has|was|did)\s+(it|that one|this one)\b`)},
	// the buyer of what was just shown, and none of all the shop's
	{Regexp: regexp.MustCompile(`^(?:那|那么)?(买家|顾客|收货人|下单的人?)(?:是|叫)(?:谁|什么|哪)`), behind: true},
	{Regexp: regexp.MustCompile(`((?:这|那|该|此)一?[个位]?(?:客户|买家|顾客|用户))`), behind: true, person: true},
	{Regexp: regexp.MustCompile(`(?i)\b((?:this|that|the same)\s+(?:customer|buyer|client|user))\b`), behind: true, person: true},
	{Regexp: regexp.MustCompile(`(?:^|[^其吉])([他她])(?:[^们人]|$)`), person: true},
	{Regexp: regexp.MustCompile(`(?i)\b(his|her)\s+[a-z]`), person: true, tail: "'s"},
	{Regexp: regexp.MustCompile(`(?i)\b(him|her|he|she)\b`), person: true},
}

// saysToOrOf reports whether a text tells somebody something, or tells what somebody said or wants.
func saysToOrOf(text string) bool {
	return slices.ContainsFunc([]*regexp.Regexp{tellOthers.Regexp, ofTheirs, toldHan, toldEng}, func(re *regexp.Regexp) bool {
		m := re.FindStringSubmatchIndex(text)
		return m != nil && (len(m) < 4 || m[2] < 0) // the group of the last two is somebody who is spoken to, by name as well
	})
}

// ofTheirs: what somebody else wants, asks or is answered is no wish of the user's.
var ofTheirs = regexp.MustCompile(`(?i)\b(?:he|she|they|(?:the|this|that) (?:buyer|customer|client)) (?:wants?|wanted|wishes|would like|['’]d like|asks?|asked|is asking|demands?|demanded|hopes?|hoped) (?:me |us )?(?:to|if|whether)\b|\bask(?:ed)? (?:him|her|them|the (?:buyer|customer|client)) (?:if|whether|why|how|when|what)\b|\b(?:reply|respond|explain|answer|promise|assure|remind|warn)\w*\s+(?:to\s+)?(?:him|her|them|the (?:buyer|customer|client))\b|(?:[他她]们?|客户|买家|顾客|用户|对方)(?:想要?|希望|打算|要求)`)

// lookBack is how many turns back a pronoun reaches.
const lookBack = 4

// point puts behind or in the place of a pronoun what it stands for: the one thing, the one person that the turn before spoke of. Whoever
// gets the job knows that conversation in part only. Where a turn spoke of several it is asked; nothing is put in what somebody is to be told. Who
// is told, or wants something himself, stays a pronoun, since by it that is seen to be no wish of the user's; the name is a fact of the
// earlier turn. how says what was put in; "" for nothing.
func (x *Index) point(g *goal, text string, history []earlier) (put, how string) {
	for _, p := range pronouns {
		m := p.FindStringSubmatchIndex(text)
		if m == nil || len(history) == 0 || overlaps(toldOrQuoted(text), m[2], m[3]) || p.person && saysToOrOf(text) || foundBefore(text[:m[0]]) || len(p.named(x.facts(text, g.now))) > 0 {
			continue
		}
		said := text[m[2]:m[3]]
		names := x.spokenOf(g, p, history, x.suiting(text))
		if answer, ok := g.given[said]; ok {
			names = []string{answer}
		}
		if len(names) == 0 {
			continue
		}
		if len(names) > 1 {
			if g.lost == nil {
				g.lost = &bus.Ask{Kind: bus.Question, Parameter: said, Options: names[:min(len(names), 10)],
					Question: say(g.lang, "前面说到 %[2]d 个，「%[1]s」指的是哪一个？", "%[2]d were spoken of before; which one is “%[1]s”?", said, len(names))}
			}
			return text, ""
		}
		one := names[0]
		how = say(g.lang, "「%s」指%s", "“%s” is %s", said, one)
		switch name := x.idNoun(one, g.lang); {
		case p.behind && p.person && g.lang == "zh":
			one = said + one
		case p.behind:
			one = said + " " + one
		case name != "":
			one = name + " " + one
		}
		text = text[:m[2]] + one + p.tail + ifText(g.lang == "zh" && !p.person, " ", "") + text[m[3]:]
	}
	return text, how
}

// named are the things of the pronoun's kind among facts, each once.
func (p pronoun) named(fs []fact) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range fs {
		if p.person != (f.kind == factPerson) || !p.person && !idLike.MatchString(f.text) || seen[f.text] {
			continue
		}
		seen[f.text] = true
		out = append(out, f.text)
	}
	return out
}

// spokenOf are the things that the newest turn speaks of which speaks of any. What was asked counts before what was answered, and nothing that
// the wish cannot be done to. suits: see suiting.
func (x *Index) spokenOf(g *goal, p pronoun, history []earlier, suits func(string) bool) []string {
	for i := len(history) - 1; i >= max(0, len(history)-lookBack); i-- {
		for _, text := range []string{history[i].Request, clip(history[i].Answer, MaxText)} {
			names := p.named(x.facts(text, g.now))
			if suits != nil && !p.person {
				names = slices.DeleteFunc(names, func(n string) bool { return !suits(n) })
			}
			if len(names) > 0 {
				return names
			}
		}
	}
	return nil
}

// idNoun is what a thing with an id is called in a language, by the parameters whose pattern the id holds to: 订单, order; "" when none does.
func (x *Index) idNoun(id, lang string) string {
	if x.behind != nil {
		x = x.behind.index
	}
	for _, e := range x.entries {
		for i := range e.params {
			if f := &e.params[i]; f.Pattern != nil && f.Sort == sortID && f.Pattern.MatchString(id) && language(f.label(lang)) == lang {
				return nounOf(f.label(lang))
			}
		}
	}
	return ""
}

// nounOf is what the values of a field or under a heading are: 订单 of 订单编号, order of "Order id".
func nounOf(head string) string {
	head = strings.ToLower(head)
	for _, end := range []string{"编号", "单号", "号", "名称", "姓名", " id", " number", " no.", " code", " name"} {
		if s, ok := strings.CutSuffix(head, end); ok && s != "" {
			return s
		}
	}
	return head
}
