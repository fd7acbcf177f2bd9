package plan

import (
	"regexp"
	"strings"
)

// What "of them" and "these" mean in a later turn: all of the last list that was shown, which is looked up again, since a list shows only so
// many and what it showed may have changed. "Of them" asks for some of it and is one more condition; "these" want something done with each.
var (
	partOfThem = regexp.MustCompile(`(?i)[，,]?\s*(?:(?:其中|这里面|这里边|里面)的?|(?:这|那)(?:些|几个)(?:订单|单子|单|商品|产品|退款|客户|买家|顾客)?(?:里面|里|当中|中)的?)|\b(?:out )?of (?:them|these|those)(?: (?:orders|ones|products|refunds|customers))?\b|\bamong (?:them|these|those)(?: (?:orders|ones|products|refunds|customers))?\b`)
	allOfThem  = regexp.MustCompile(`(?i)(?:这|那)(?:些|几个)|[它他她]们|以上(?:订单|商品|退款|客户)|\b(?:them|these|those)\b`)
)

// showMe: how a request for a list begins.
var showMe = regexp.MustCompile(`(?i)^(?:please )?(?:list|show|find|get|give|tell|display|see)(?: me)?\s+`)

// among completes a request that speaks of the things of the last list; "" when it does not, or none was shown. A job that is handed on with
// what was found before it speaks of that.
func (x *Index) among(g *goal, text string, history []earlier) (full, how string) {
	part := partOfThem.FindStringIndex(text)
	m := part
	if m == nil {
		m = allOfThem.FindStringIndex(text)
	}
	if m == nil || longNumber.MatchString(g.context) || foundBefore(text[:m[0]]) || namesOne(x.facts(text, g.now)) {
		return "", ""
	}
	base := ""
	for i := len(history) - 1; i >= max(0, len(history)-lookBack) && base == ""; i-- {
		if history[i].closed() {
			continue
		}
		for _, l := range history[i].lists {
			if part != nil && len(l.rows) < 2 { // nothing is one of one
				continue
			}
			if !l.part && !strings.Contains(history[i].Request, "\n") {
				base = strings.TrimRight(history[i].Request, "?？。.！! ")
			}
		}
	}
	if base == "" || SmallTalk(base) {
		return "", ""
	}
	how = say(g.lang, "「%s」指上一轮列出的", "“%s” are those listed before", strings.Trim(text[m[0]:m[1]], " ，,"))
	rest := strings.TrimSpace(text[:m[0]] + text[m[1]:])
	c := clause{end: len(rest)}
	c.classify(rest)
	if part == nil || len(c.change) > 0 {
		if p := (splitter{verbs: x.verbs, topics: x.trade}); len(c.change) > 0 && !p.wants(base) { // what is looked for is a wish of its own then
			base = ifText(language(base) == "zh", "列出", "list ") + base
		}
		return join(base, text, g.lang), how
	}
	if language(base) == "zh" && language(rest) == "zh" {
		return base + " 中 " + rest, how
	}
	return strings.TrimRight(rest, "?？。.！! ") + " of " + showMe.ReplaceAllString(base, ""), how
}

// namesOne reports whether facts name single things, so that no list need be meant.
func namesOne(fs []fact) bool {
	for _, f := range fs {
		if f.kind == factDigits || f.kind == factPerson || f.kind == factPhone {
			return true
		}
	}
	return false
}
