package plan

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What a later turn says that begins with no wish, and is none of the turn before it all the same: of a file, of another matter, of other things.

// ofOneFile reports whether a text says something of a file that it names, and so stands alone: what is in list.md? is nothing to be added to the list before it.
func ofOneFile(text string) bool {
	rest := facts.FileName.ReplaceAllString(" "+text, " ")
	return rest != " "+text && !insteadOf.MatchString(text) && !onlyNamed.MatchString(text) && strings.ContainsFunc(rest, unicode.IsLetter)
}

// turnsAway reports whether a text that begins with no wish speaks of another matter than the request before it all the same, as 调研空气炸锅市场 does in a session about
// orders: what it is called goes by a tool of another agent, and it names the thing itself. Or nothing in it is known here at all.
func (x *Index) turnsAway(g *goal, text string, last earlier) bool {
	if insteadOf.MatchString(text) || onlyNamed.MatchString(text) || bareFact.MatchString(text) || x.behind == nil { // 我这个是京东小店的 tells what was left open
		return false
	}
	b := x.behind
	alone := goal{text: text, lang: g.lang, now: g.now, given: map[string]string{}}
	b.index.read(&alone)
	for _, f := range alone.facts {
		if f.Kind != facts.Proper && f.Kind != facts.Known {
			return false
		}
	}
	rest := words.Content(b.index.unknownOf(&alone, wishes.Span(text, 0, len(text))))
	known := func(w string) bool { return b.index.spoken[w] || b.index.trade[w] || len(b.index.lexicon[w]) > 0 }
	if len(alone.facts) == 0 && len(rest) > 3 && !slices.ContainsFunc(rest, known) || b.index.strangeTo(&alone, wishes.Span(text, 0, len(text))) {
		return true
	}
	now := b.index.top(&alone, wishes.Span(text, 0, len(text)))
	if now == nil || !now.e.GoesBy(text) || len(alone.facts) == 0 && len(wishes.Residues(text, 0, len(text), nil, b.index.trade)) == 0 {
		return false
	}
	was := goal{text: last.Request, lang: g.lang, now: g.now, given: map[string]string{}}
	b.index.read(&was)
	then := b.index.top(&was, wishes.Span(last.Request, 0, len(last.Request)))
	return then == nil || !slices.ContainsFunc(b.owner[now.e.Name], func(o string) bool { return slices.Contains(b.owner[then.e.Name], o) })
}

// thingsLast is the kind of things that a text is a list of, at its end: 毛利最低的五个商品, the cheapest products.
var thingsLast = words.MustCompile(`(?i)(订单|商品|产品|客户|买家|顾客|退款|退货|包裹|快递|发票|orders|products|goods|customers|buyers|refunds|returns|parcels|shipments|invoices)\s*[?？。.!！]*$`)

// thingsFirst is the same at its beginning, before what limits them: orders over 1000 yuan.
var thingsFirst = words.MustCompile(`(?i)^(?:all )?(orders|products|goods|customers|buyers|refunds|returns|parcels|shipments|invoices) (?:over|under|above|below|from|in|of|between|with|worth|more|less|since|before|after)\b`)

// ofItsOwn reports whether a text that begins with no wish is a whole request for a list: it ends in the kind of things listed, and limits them by a figure or says
// which come first, where the turn before was about another kind of things or limited the same by another value. 上个月的订单 may still be hers, of whom was spoken.
func (x *Index) ofItsOwn(g *goal, text string, last earlier) bool {
	m := thingsLast.FindStringSubmatch(text)
	if m == nil {
		m = thingsFirst.FindStringSubmatch(text)
	}
	if m != nil && !insteadOf.MatchString(text) && !onlyNamed.MatchString(text) && (len(x.facts(text, g.now)) > 0 || wishes.Unlimited(text, nil) != text) && len(x.facts(last.Request, g.now)) == 0 {
		return true // of a state nothing is left when the things are named anew: orders over 1000 yuan, after uninvoiced orders
	}
	if m == nil || insteadOf.MatchString(text) || onlyNamed.MatchString(text) || !wishes.ReadReckoning(text).Superlative() && wishes.Unlimited(text, x.facts(text, g.now)) == text {
		return false
	}
	if about := append(words.AlsoCalled(m[1]), strings.ToLower(m[1]), strings.TrimSuffix(strings.ToLower(m[1]), "s")); !slices.ContainsFunc(about, func(w string) bool { return words.Holds(last.Request, w) }) {
		return true
	}
	if x.behind != nil {
		x = x.behind.index
	}
	for _, e := range x.entries {
		for i := range e.Params {
			f := &e.Params[i]
			if f.Sort != fields.Enum || f.Sorts() || !e.Reads() {
				continue
			}
			if now, was := f.Named(text), f.Named(last.Request); now != "" && was != "" && !strings.EqualFold(now, was) {
				return true
			}
		}
	}
	return false
}
