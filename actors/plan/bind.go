package plan

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// needSure is what a parameter asks of a binding: an optional one is better left out than guessed.
const (
	sureRequired = 0.3
	sureOptional = 0.55
)

// bindRules gives values to the parameters of e from what is known, the surest first, each fact once.
func (x *Index) bindRules(e *cards.Entry, g *goal, c wishes.Clause) map[string]fields.Binding {
	if e.Reads() && !e.IsAgent() {
		g, c = withoutTold(g, c, x.becoming(g))
	}
	out := map[string]fields.Binding{}
	for i := range e.Params {
		f := &e.Params[i]
		if v, ok := x.passageGiven(e, f, g); ok {
			out[f.Name] = fields.Binding{Value: v, Sure: 1, Why: "answer", Used: -1}
		} else if text, ok := g.given[f.Name]; ok {
			if v, ok := x.fromAnswer(f, text, g); ok && !idOfAnother(e, f, v) {
				out[f.Name] = fields.Binding{Value: v, Sure: 1, Why: "answer", Used: -1}
			}
		}
	}
	found := append(slices.Clone(g.facts), g.extra...)
	for i := range e.Params { // Main Street, in an address, is nobody's name
		f := &e.Params[i]
		v := f.CalledFor(c.Text)
		if v == "" || e.Reads() {
			continue
		}
		for j, fa := range found {
			if fa.From == "" && c.Has(fa) && strings.Contains(v, fa.Text) {
				found[j].Kind = facts.Said
			}
		}
		if _, ok := out[f.Name]; !ok && f.Present != "" { // before whose order it is: 把胡轩的订单的收货人改成李雷
			out[f.Name] = fields.Binding{Value: v, Sure: 0.8, Why: "named value", Used: -1}
		}
	}
	for j, fa := range found { // nor is what another wish makes of its thing
		if !e.Reads() && fa.From == "" && !c.Has(fa) && slices.ContainsFunc(x.becoming(g), func(m [2]int) bool { return m[0] <= fa.Start && fa.End <= m[1] }) {
			found[j].Kind = facts.Said
		}
	}
	for j, fa := range found { // what somebody said names nothing that is looked for
		if fa.Kind == facts.Quote && fa.From == "" && e.Reads() && !e.IsAgent() && spoke.MatchString(words.Before(g.text, fa.Start)) && !slices.ContainsFunc(e.Params, func(p fields.Field) bool {
			return p.Sort == fields.Text && p.Knows(fa.Text) && len([]rune(fa.Text)) < 8
		}) {
			found[j].Kind = facts.Said
		}
	}
	if slices.ContainsFunc(e.Params, func(p fields.Field) bool { return namesGoods(&p) }) { // 5L of 空气炸锅5L is no account
		for j, fa := range found {
			if fa.Kind == facts.Code && slices.ContainsFunc(found, func(o facts.Fact) bool {
				return o.Kind == facts.Known && o.From == fa.From && (o.End == fa.Start || fa.End == o.Start)
			}) {
				found[j].Kind = facts.Said
			}
		}
	}
	for _, m := range buyerSpoke.FindAllStringIndex(g.text, 4) {
		if e.Reads() && !e.IsAgent() {
			found = append(found, facts.Fact{Kind: facts.Said, Text: g.text[m[0]:m[1]], Start: m[0], End: m[1]})
		}
	}
	x.bindFacts(e, g, c, found, out)
	for _, read := range []func(*cards.Entry, *fields.Field, *goal, wishes.Clause, []facts.Fact) (fields.Binding, bool){x.bindTold, x.bindKnown, x.bindRest} {
		for i := range e.Params {
			f := &e.Params[i]
			if _, ok := out[f.Name]; ok {
				continue
			}
			if b, ok := read(e, f, g, c, found); ok && (!b.Weak || !spent(out, b.Value)) {
				out[f.Name] = b
			}
		}
	}
	e.OnlyOne(out)
	return out
}

// becoming are the places in a request of what it says that things become: the new address, whose city and house number narrow nothing that is looked for.
func (x *Index) becoming(g *goal) [][2]int {
	if g.becoming != nil {
		return g.becoming
	}
	g.becoming = [][2]int{}
	for _, c := range g.clauses {
		if len(c.Change) == 0 {
			continue
		}
		for _, e := range x.entries {
			if e.Reads() || e.IsAgent() || !e.HasVerb(c.Change) {
				continue
			}
			for i := range e.Params {
				v := e.Params[i].CalledFor(c.Text)
				if at := strings.Index(g.text, v); v != "" && at >= 0 {
					g.becoming = append(g.becoming, [2]int{at, at + len(v)})
				}
				for _, v := range e.Params[i].Sayings() { // 改成已完成: they are not completed yet
					if at := strings.LastIndex(g.text, v); at > 0 && turnsInto.MatchString(g.text[:at]) {
						g.becoming = append(g.becoming, [2]int{at, at + len(v)})
					}
				}
			}
		}
	}
	return g.becoming
}

// turnsInto is what stands before the state that something is changed to.
var turnsInto = words.MustCompile(`(?i)(?:[改变换设标][成为到]|(?:更新|变更|修改|标记|设置)[成为到])[“"「]?$|\b(?:to|as|into)\s+(?:the state )?["“]?$`)

// withoutTold is a request without the quotes that somebody shall be told, what stands in them, and what else stands in these places: they narrow nothing that
// is looked for.
func withoutTold(g *goal, c wishes.Clause, told [][2]int) (*goal, wishes.Clause) {
	told = slices.Clone(told)
	for _, m := range facts.Quoted.FindAllStringSubmatchIndex(g.text, 20) {
		for i := 2; i+1 < len(m); i += 2 {
			if m[i] >= 0 && tellsIt.MatchString(words.Before(g.text, m[i])) {
				told = append(told, [2]int{m[i], m[i+1]})
			}
		}
	}
	if len(told) == 0 {
		return g, c
	}
	out := *g
	out.looks, out.read = "", nil
	inside := func(f facts.Fact) bool {
		return f.From == "" && slices.ContainsFunc(told, func(t [2]int) bool { return t[0] <= f.Start && f.End <= t[1] })
	}
	for _, t := range told {
		blank := strings.Repeat(" ", t[1]-t[0])
		out.text = out.text[:t[0]] + blank + out.text[t[1]:]
		_, mark := utf8.DecodeLastRuneInString(g.text[:t[0]])
		quote := g.text[t[0]-mark : t[0]] // what is quoted may stand elsewhere, too, of itself
		for _, said := range []*string{&c.Text, &out.plain, &out.context} {
			*said = strings.ReplaceAll(*said, quote+g.text[t[0]:t[1]], quote+blank)
		}
	}
	out.facts, out.extra = slices.Clone(g.facts), slices.DeleteFunc(slices.Clone(g.extra), func(f facts.Fact) bool {
		return inside(f) || f.From == "context" && slices.ContainsFunc(told, func(t [2]int) bool { return strings.Contains(g.text[t[0]:t[1]], f.Text) })
	})
	for i, f := range out.facts { // which are counted by their places
		if inside(f) {
			out.facts[i].Kind = facts.Said
		}
	}
	return &out, c
}

// wholeCode is a number or code of which nothing is a name.
var wholeCode = words.MustCompile(`^[A-Za-z]{0,4}\d{6,}$`)

// idOfAnother reports whether what was answered for a thing that is called by a name is an id that the tool needs as well: SF123456789 is a waybill, and no carrier.
func idOfAnother(e *cards.Entry, f *fields.Field, v any) bool {
	text, _ := v.(string)
	return f.Sort == fields.Text && len(f.Examples) > 0 && wholeCode.MatchString(text) && slices.ContainsFunc(e.Required(), func(o *fields.Field) bool {
		return o.Name != f.Name && o.Sort == fields.ID && o.Pattern != nil && o.Pattern.MatchString(text)
	})
}

// spent reports whether another parameter has the value already.
func spent(out map[string]fields.Binding, v any) bool {
	for _, b := range out {
		if b.Value == v && b.Why != "question" {
			return true
		}
	}
	return false
}

// offer is a fact that could fill a field.
type offer struct {
	field int
	fact  int
	sure  float64
	value any
}

// reaches reports whether a figure is what something becomes, and not by how much it changes: 改成多少件.
func reaches(f *fields.Field) bool { return whatBecomes.MatchString(f.Title + " " + f.Desc) }

var (
	whatBecomes = words.MustCompile(`(?i)改成|改为|改到|调到|到多少|(?:^|\s)新\p{Han}|\bset to\b|\bnew (?:price|stock|value|amount|number|quantity)\b`)
	howMuch     = words.MustCompile(`(?i)(?:补货?|进货?|入库|增加|追加|添加?|加价?|涨价?|提价?|降价?|减少?|下调|上调|调高|调低|便宜|贵|扣除?|多|少)(?:了|上|掉)?\s*$|\b(?:by|add|restock|replenish|another|extra|plus|minus)\s+(?:CNY|RMB|¥|\$)?\s*$`)
	muchMore    = words.MustCompile(`(?i)^\s*(?:件|个|台|pieces?|units?|yuan|元|块)?\s*(?:\bmore\b|\bless\b|\bfewer\b|\bextra\b)`)
)

// byHowMuch reports whether a number tells by how much something shall change: 补货100件, restock 100, "by 10". What it then becomes is asked
// for, and never guessed.
func byHowMuch(s string, fa facts.Fact) bool {
	return howMuch.MatchString(words.Before(s, fa.Start)) || muchMore.MatchString(s[fa.End:])
}

// bindFacts assigns typed facts to fields, the surest pair first.
func (x *Index) bindFacts(e *cards.Entry, g *goal, c wishes.Clause, found []facts.Fact, out map[string]fields.Binding) {
	var offers []offer
	limits := map[int]wishes.Limit{} // by fact
	for j, fa := range found {
		if l, ok := wishes.LimitIn(g.text, fa); ok {
			limits[j] = l
		}
	}
	var sides map[int]fields.Side // by fact
	if e.Replaces() {
		sides = passages(g.text, found)
	}
	for i := range e.Params {
		f := &e.Params[i]
		if _, ok := out[f.Name]; ok {
			continue
		}
		for j, fa := range found {
			if f.Limits != "" { // a bound, and nothing else
				if v, ok := bounds(f, fa, limits[j]); ok && fa.Start >= c.Start && fa.End <= c.End {
					offers = append(offers, offer{i, j, 0.95, v})
				}
				continue
			}
			v, sure := fields.Suits(f, fa)
			if sides != nil && sure > 0 && f.Side != fields.SideUnknown && f.Side != sides[j] {
				continue // the wrong one of two, or nobody knows which: it is asked for
			}
			if look, _ := x.shownBy(f); look != nil && !e.Reads() && (f.Type == "integer" || f.Type == "number") {
				if b, ok := howMuchBy(g.text, fa); ok {
					offers = append(offers, offer{i, j, words.Either(c.Has(fa), 0.9, 0.85), b}) // of this change before that of another one
					continue
				}
			}
			if f.Sort == fields.Text && fa.Kind == facts.Proper && namesFormat(e, fa.Text) {
				continue // it says which of the values another parameter has, and is no text of its own: as a PDF
			}
			if sure <= 0 || f.Sort == fields.Text && fa.Kind == facts.Code && words.LongNumber.MatchString(fa.Text) { // SL700000000613 names nothing in words
				continue
			}
			if f.Sort == fields.List && fa.Kind == facts.Path && !slices.ContainsFunc(found, func(o facts.Fact) bool { return o.Kind == facts.Path && o.Text != fa.Text }) {
				continue // one path is no list
			}
			if !e.Reads() && fa.Kind == facts.Number && fa.From == "" && reaches(f) && byHowMuch(g.text, fa) {
				continue
			}
			if l, ok := limits[j]; ok && notLimited(e, f, g, fa, l) {
				continue
			}
			if f.SaysRows() && fa.From == "" && (namesYear(g.text, fa) || fa.Start < c.Start || fa.End > c.End || byHowMuch(g.text, fa) || g.wishesChange() && becomes.MatchString(words.Before(g.text, fa.Start)) || endOfID.MatchString(words.Before(g.text, fa.Start))) {
				continue // how many are wanted of something else, what it becomes, or how a number ends
			}
			if e.Reads() && fa.Kind == facts.Number && fa.From == "" && !c.Has(fa) && becomes.MatchString(words.Before(g.text, fa.Start)) {
				continue // what another wish makes of it
			}
			if fa.Kind == facts.Digits && f.Pattern == nil && len(f.Lengths) == 0 && (fa.From == "history" || e.Patterned(fa.Text)) {
				continue // a number whose shape says what it is, or of which nobody says here what it is: no account
			}
			if fa.From == "context" && slices.ContainsFunc(g.facts, func(o facts.Fact) bool { return o.Kind == fa.Kind && o.Text == fa.Text }) {
				continue // the request says it itself
			}
			if fa.Kind == facts.Path && fa.From != "" && slices.Contains(e.Tags, documents) {
				continue // it is of what was found, and not of a file that was made on the way
			}
			if fa.Kind == facts.Digits && fa.From == "" && !c.Has(fa) && f.Pattern != nil && slices.ContainsFunc(found, func(o facts.Fact) bool {
				return o.Kind == fa.Kind && o.From == "" && c.Has(o) && f.Pattern.MatchString(o.Text)
			}) {
				continue // the thing of another wish, where this one names its own
			}
			if fa.Kind == facts.Quote && fa.From == "" && !c.Has(fa) && !c.After && !pointsAt.MatchString(c.Text) {
				continue // the words of another wish
			}
			if f.Present != "" && fa.Kind == facts.Person && fa.From == "" && (!c.Has(fa) || hasThem.MatchString(g.text[fa.End:])) {
				continue // whose things are found, by this wish or another, is no new receiver
			}
			near := 0.0
			text := g.text
			if elsewhere := fa.From == "context" || fa.From == "" && (fa.Start < c.Start || fa.End > c.End); elsewhere && fa.Kind == facts.Date && !c.Half && !c.Dated && !pointsAt.MatchString(c.Text) {
				continue // the days of another wish
			}
			if fa.From == "context" && sure >= 0.9 && !g.owns(c) {
				sure, text = 1, "" // what was handed on with the job is what the job is about
			} else if fa.From != "" {
				sure -= 0.15
				text = ""
			} else if fa.Start < c.Start || fa.End > c.End {
				sure -= 0.1
			}
			if text != "" {
				near = affinity(f, text, fa) - wrongWay(f, text, fa)
			}
			sure += near
			need := sureOptional
			if f.Required || f.OneOf && f.Sort == fields.ID {
				need = sureRequired
				sure += 0.05
			}
			if sure >= need {
				offers = append(offers, offer{i, j, min(sure, 1), v})
			}
		}
	}
	offers = seated(e, alike(e, g.text, found, offers))
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(b.sure, a.sure) })
	used := map[int]bool{}
	listed := map[string][]offer{} // what a list took, in the order of the text
	for _, o := range offers {
		f := &e.Params[o.field]
		if !f.Required && found[o.fact].Kind == facts.Quote && slices.ContainsFunc(offers, func(r offer) bool { return r.fact == o.fact && onlyFor(e, r, offers) }) {
			continue // what must be given comes before what may be left out
		}
		if used[o.fact] && found[o.fact].Kind != facts.Date {
			continue
		}
		if b, ok := out[f.Name]; ok {
			if f.Sort == fields.List && b.Used >= 0 { // a list takes all that suits it, each once, who says it again
				b.Value, listed[f.Name] = inOrder(append(listed[f.Name], o), found)
				out[f.Name] = b
				used[o.fact] = true
			}
			continue
		}
		if f.Sort == fields.Date && used[o.fact] && !f.IsStart() && !f.IsEnd() {
			continue
		}
		if f.Sort == fields.ID && slices.ContainsFunc(e.Params, func(other fields.Field) bool {
			b, ok := out[other.Name]
			return ok && other.Sort == fields.ID && b.Value == o.value
		}) {
			continue // said again in the context: one number is not both the order's and the waybill's
		}
		used[o.fact] = true
		v := o.value
		if f.Sort == fields.List {
			v, listed[f.Name] = inOrder([]offer{o}, found)
		}
		out[f.Name] = fields.Binding{Value: v, Sure: o.sure, Why: facts.KindNames[found[o.fact].Kind], Used: o.fact}
	}
	e.OnlyOne(out) // before the rest is looked at: a value whose place was taken is free again
	clear(used)
	for _, b := range out {
		used[b.Used] = true
	}
	for i := range e.Params {
		f := &e.Params[i]
		if b, ok := out[f.Name]; ok {
			b.More = x.others(f, b, g, c, found, used)
			out[f.Name] = b
		}
	}
}

// hasThem stands behind whose things are meant.
var hasThem = words.MustCompile(`(?i)^(?:名下)?(?:的|所有|全部)|^['’]s\b`)

// endOfID stands before the last figures of a number: 尾号9018, ending in 9018.
var endOfID = words.MustCompile(`(?i)(?:尾号|末尾|结尾|后[一二三四五六七八\d]位)(?:数字?)?(?:是|为)?\s*$|\b(?:ending|ends?) (?:in|with)\s*$|\blast (?:\w+ )?(?:digits|figures|numbers)\s*$`)

// wishesChange reports whether any part of the request wishes for a change.
func (g *goal) wishesChange() bool {
	return slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { return len(c.Change) > 0 && !c.Policy })
}

// affinity is how well the words around a fact name the field, 0–0.4.
func affinity(f *fields.Field, s string, fa facts.Fact) float64 {
	before := s[max(0, fa.Start-48):fa.Start]
	after := s[fa.End:min(len(s), fa.End+18)]
	sum := 0.0
	ws := words.Content(strings.ToValidUTF8(before, ""))
	for i := len(ws) - 1; i >= 0 && i >= len(ws)-6; i-- {
		if f.Vocab[ws[i]] {
			sum += 0.25 / float64(len(ws)-i)
		}
	}
	for i, w := range words.Content(strings.ToValidUTF8(after, "")) {
		if i < 2 && f.Vocab[w] {
			sum += 0.1
		}
	}
	return min(sum, 0.4)
}

// spoke stands before what somebody said, in quotes.
var spoke = words.MustCompile(`(?i)(?:说|问|写道?|留言|回复|抱怨|反映|喊|评论|评价)[道了我]?\s*[:：，]?\s*["'“‘「『]$|\b(?:said|says|saying|wrote|writes|writing|asked|asks|asking|complain(?:s|ed|ing)|replied|replies|commented|told (?:me|us))\s*[,:]?\s*["'“‘「『]$`)

// tellsIt stands before what somebody shall be told, in quotes.
var tellsIt = words.MustCompile(`(?i)(?:发(?:送|个|条|一条|一个|去|出)*(?:消息|短信|信息|私信|通知|话)|回(?:复|答|话)|答复|告诉|告知|转告|通知|留言|回)(?:买家|[^"“‘「『，。；买订购的]){0,8}[:：，]?\s*["“‘「『]$|\b(?:reply|replying|message|tell|text|notify|inform|write|send)\b(?: (?:a |the )?(?:message|note|text))?(?: to| back| back to)?(?: [\p{Han}A-Za-z]+){0,3}\s*[,:]?\s*["“‘]$`)

// buyerSpoke is what some buyer said, whoever it is.
var buyerSpoke = words.MustCompile(`(?i)(?:有个?|有一个|一个|这个)?(?:客户|买家|顾客|用户)(?:说|问|写道?|留言|回复|抱怨|反映)[道了我]?\s*[:：，]?\s*["“「『][^"”」』]*["”」』]|\b(?:an?|the|one|my|our|this) (?:customer|buyer|client)s? (?:said|says|wrote|writes|asked|asks|complained|replied|commented)\s*[,:]?\s*["“][^"”]*["”]`)
