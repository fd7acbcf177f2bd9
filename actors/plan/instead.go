package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// instead is an earlier request with what a later turn says put in the place of what it replaces: 王萍萍 for 李建国, 个体户 for 企业, October
// for last month. "" when that says more than values, or a value that has no counterpart there.
func (x *Index) instead(g *goal, base, said string) string {
	if strings.ContainsAny(base, "\n") {
		return ""
	}
	base = comparedTail.ReplaceAllString(base, "")
	if text := regroup(base, said); text != "" {
		return text
	}
	fresh, old := x.facts(said, g.now), x.facts(base, g.now)
	if kind := x.kindIn(said); len(fresh) == 0 && kind != "" && strings.EqualFold(strings.TrimSpace(said), kind) { // phones, which are a word of the trade beside
		fresh = []facts.Fact{{Kind: facts.Known, Text: said, Value: said, End: len(said)}}
	}
	if i := x.kindAt(base); i >= 0 && !slices.ContainsFunc(old, func(f facts.Fact) bool { return f.Kind == facts.Known }) {
		kind := base[i : i+len(x.kindIn(base))]
		old = append(old, facts.Fact{Kind: facts.Known, Text: kind, Value: kind, Start: i, End: i + len(kind)})
	}
	if text := oneOfTwo(base, said, fresh, old); text != "" {
		return text
	}
	rest := said
	for _, f := range fresh {
		same := func(o facts.Fact) bool { return o.Kind == f.Kind || latinName(o) && latinName(f) }
		i := slices.IndexFunc(old, same)
		if put := x.ofGroup(base, f); i < 0 && put != "" {
			base, rest = put, strings.Replace(rest, f.Text, " ", 1)
			continue
		}
		if i < 0 || !swaps[f.Kind] || strings.Count(base, old[i].Text) != 1 ||
			slices.ContainsFunc(old[i+1:], same) {
			return x.insteadValue(base, said, fresh)
		}
		put := f.Text
		if p, when := old[i].Value.(facts.Period); when && facts.SamePeriod(f.Text) { // 那去年同期呢 is of the days asked for before
			put = p.Same(f.Text, g.now).InDays(g.lang)
		}
		base = strings.Replace(base, old[i].Text, put, 1)
		rest = strings.Replace(rest, f.Text, " ", 1)
		for _, lang := range []string{"zh", "en"} {
			if noun := x.idNoun(f.Text, lang); noun != "" && f.Kind == facts.Digits { // that it is an order says nothing more
				rest = strings.Replace(rest, noun, " ", 1)
			}
		}
	}
	if len(fresh) == 0 || len(words.Content(rest)) > 0 {
		return x.insteadValue(base, said, fresh)
	}
	return base
}

var (
	// setBeside stands between two stretches of time that are held against each other, and comparing are the other words of it.
	setBeside = words.MustCompile(`(?i)^\s*(?:的\p{Han}{1,6})?\s*(?:比|和|与|跟|同|对比|相比|较|vs\.?|versus|with|to|than|against|and|compared (?:to|with))(?:起|于)?\s*$`)
	comparing = words.MustCompile(`(?i)(?:相比|对比|比较|相较)(?:一下|如何|怎么样)?|哪个(?:月|周|天|年)?(?:更?多|更?高|更?好|少|低)|有?什么变化|\bcompare[ds]?\b|\bcompared (?:to|with)\b`)
)

// oneOfTwo is a request that holds two stretches of time against each other, asked for the only one that a later turn names: 上个月呢 after 本月比上月的销售额如何
// wants the figure of that month. "" for any other.
func oneOfTwo(base, said string, fresh, old []facts.Fact) string {
	when := func(f facts.Fact) bool { _, ok := f.Value.(facts.Period); return !ok }
	dates := slices.DeleteFunc(slices.Clone(old), when)
	if len(fresh) != 1 || when(fresh[0]) || facts.SamePeriod(fresh[0].Text) || len(dates) != 2 || len(words.Content(strings.Replace(said, fresh[0].Text, " ", 1))) > 0 ||
		!setBeside.MatchString(base[dates[0].End:dates[1].Start]) && (dates[1].Kind != facts.Compare || strings.TrimSpace(base[dates[0].End:dates[1].Start]) != "") {
		return ""
	}
	text := base[:dates[0].Start] + fresh[0].Text + base[dates[1].End:]
	return strings.TrimSpace(comparing.ReplaceAllString(text, " "))
}

// ofGroup is a request for each of a kind asked of the one that a fact names: sales of air fryers, after sales by category. "" when it is not put together by such.
func (x *Index) ofGroup(base string, f facts.Fact) string {
	by := wishes.ReadReckoning(base).By
	place := f.Kind == facts.Place && slices.Contains(kindsOfPlaces, strings.ToLower(by))
	if by == "" || strings.Count(base, by) != 1 || !place && (f.Kind != facts.Known || !x.isOne(f.Text, strings.ToLower(by))) {
		return ""
	}
	at := strings.Index(base, by)
	head := groupHead.ReplaceAllString(base[:at], "")
	if words.IsHan(words.FirstRune(by)) {
		return head + f.Text + strings.TrimPrefix(base[at+len(by):], "的")
	}
	return strings.TrimRight(head, " ") + words.Either(place, " in ", " of ") + f.Text + base[at+len(by):]
}

// groupHead is what stands before the kind by which something is put together.
var groupHead = words.MustCompile(`(?i)(?:按照?|各个?|每个?|分)$|\b(?:by|per|for each|of each|for every|each)\s+$`)

// groupsAnew is a turn that says no more than by what rows shall be put together: 那按类目呢, and by category?
var groupsAnew = words.MustCompile(`(?i)^(?:那么?|然后|再|and|now|then|what about|how about|also|\s|,)*(?:按照?(\p{Han}{1,4}?)(?:来|去)?(?:分|看|统计|汇总|算)?(?:一下)?|by (?:the )?([a-z]+))[呢吧\s?？。.!]*$`)

// howWeDid asks how business was, of which the sales are put together.
var howWeDid = words.MustCompile(`(?i)^how (?:did|do|have|has|is|was) (?:we|i|business|the shop|our shop|sales)(?: (?:do|done|doing|been doing|been|going))?\b`)

// regroup is an earlier request put together by what a later turn says, in the place of what it was put together by, if anything; "" when that says more.
func regroup(base, said string) string {
	m := groupsAnew.FindStringSubmatch(strings.TrimSpace(said))
	if m == nil || len(words.AlsoCalled(m[1]+m[2])) < 2 {
		return ""
	}
	base = howWeDid.ReplaceAllString(base, "sales")
	noun, was := m[1]+m[2], wishes.ReadReckoning(base).By
	switch {
	case was != "" && strings.Count(base, was) == 1 && words.IsHan(words.FirstRune(was)) == words.IsHan(words.FirstRune(noun)):
		return strings.Replace(base, was, noun, 1)
	case was == "" && m[1] != "":
		return strings.TrimRight(base, "?？。. ") + words.Either(howMuchAll.MatchString(base), "", "，") + "按" + noun + "统计"
	case was == "":
		return strings.TrimRight(base, "?？。. ") + " by " + noun
	}
	return ""
}

// another is a later turn that wants another figure of what the one before it was about, with the days, places and things that it leaves out: 那退了多少 after
// 十月份卖了多少. "" when it only names values, wants the same, or there is nothing to bring along; alone: it wants another figure, and nothing of the turn before it
// can be brought along.
func (x *Index) another(g *goal, base, said string) (wish string, alone bool) {
	if strings.ContainsAny(base, "\n") {
		return "", false
	}
	if x.behind != nil {
		x = x.behind.index
	}
	now, was := goal{text: said, lang: g.lang, now: g.now, given: map[string]string{}}, goal{text: base, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&now)
	x.read(&was)
	if len(was.clauses) != 1 || len(now.clauses) != 1 || len(now.clauses[0].Change) > 0 || len(words.Content(x.unknownOf(&now, wishes.Span(said, 0, len(said))))) == 0 {
		return "", false
	}
	a, b := x.top(&was, was.clauses[0]), x.top(&now, now.clauses[0])
	if a == nil || b == nil || a.e == b.e || b.fit < knownHalf || !a.e.Reads() || !b.e.Reads() || a.e.Knowledge() || b.e.Knowledge() {
		return "", false
	}
	var along []string
	link, kind := "", facts.Kind(-1)
	for _, f := range was.facts {
		if swaps[f.Kind] && f.Kind != facts.Digits && f.Kind != facts.Code && !slices.ContainsFunc(now.facts, func(o facts.Fact) bool { return o.Kind == f.Kind }) {
			if f.Kind == kind { // two people are not one name
				along = append(along, words.Either(words.Language(said) == "zh", "和", "and"))
			}
			along, kind = append(along, f.Text), f.Kind
			link = words.Either(f.Kind == facts.Person, "的", "") // 李建国退款 may be his own deed
		}
	}
	switch {
	case len(along) == 0:
		return "", true
	case words.Language(said) == "zh":
		return strings.Join(along, "") + link + said, false
	}
	return said + ", " + strings.Join(along, " "), false
}

// swaps are the kinds of facts of which one stands for another.
var swaps = map[facts.Kind]bool{facts.Proper: true, facts.Clock: true, facts.Date: true, facts.Phone: true, facts.Digits: true, facts.Code: true, facts.Person: true, facts.Place: true, facts.Known: true}

// alsoOf wants the same of one more: 再加上上海的, 把李建国的也算上, "and Shanghai too", "plus Bob".
var alsoOf = words.MustCompile(`(?i)^(?:那|请|也|再|还要?|把|\s)*(?:加上?|算上|带上|添上)(?:一个)?|(?:的)?(?:也|一起|一并|都)*(?:加上|算上|带上|添上|加进[来去])[吧呢。\s]*$|^(?:and |also |please )*(?:plus|add|include)\b|\b(?:too|as well)[\s.!?]*$`)

// oneMore is an earlier request with one more place, person or thing beside the only one of its kind there; "" for any other turn.
func (x *Index) oneMore(g *goal, base, said string) string {
	if base == "" || strings.ContainsAny(base, "\n") || !alsoOf.MatchString(said) {
		return ""
	}
	rest := strings.TrimLeft(alsoOf.ReplaceAllString(said, " "), " 把")
	for _, own := range []string{"呢", "的", "'s"} { // whose they are
		rest = strings.TrimSuffix(strings.TrimRight(rest, "?？。.!！ "), own)
	}
	fresh := x.facts(rest, g.now)
	if len(fresh) != 1 || !swaps[fresh[0].Kind] || fresh[0].Kind == facts.Date {
		return ""
	}
	f := fresh[0]
	rest = strings.Replace(rest, f.Text, " ", 1)
	others := slices.DeleteFunc(x.facts(base, g.now), func(o facts.Fact) bool { return o.Kind != f.Kind && !(latinName(o) && latinName(f)) })
	last := len(others) - 1
	known := words.Content(base) // also order N
	more := slices.ContainsFunc(words.Content(rest), func(w string) bool { return !slices.Contains(known, w) })
	if last < 0 || last > 0 && f.Kind != facts.Person || strings.Count(base, others[last].Text) != 1 || more || // two are held against each other, and not three
		slices.ContainsFunc(others, func(o facts.Fact) bool { return o.Text == f.Text }) {
		return ""
	}
	if x.wishesChange(base) { // what was done is not done again
		return strings.Replace(base, others[last].Text, f.Text, 1)
	}
	and := words.Either(Language(base) == "zh", "和", " and ")
	return strings.Replace(base, others[last].Text, others[last].Text+and+f.Text, 1)
}

// latinName reports whether a fact is a name in Latin letters, of whatever: New York may be somebody.
func latinName(f facts.Fact) bool {
	return f.Kind == facts.Proper || f.Kind == facts.Person && !words.IsHan(words.FirstRune(f.Text))
}

// insteadValue puts an allowed value of a parameter in the place of another one of the same parameter; "" when the text names none, or
// says more.
func (x *Index) insteadValue(base, said string, fresh []facts.Fact) string {
	if len(fresh) > 0 && fresh[0].Kind != facts.Known {
		return ""
	}
	if x.behind != nil {
		x = x.behind.index
	}
	for _, e := range x.entries {
		for i := range e.Params {
			f := &e.Params[i]
			if f.Sort != fields.Enum || len([]rune(said)) > 24 {
				continue
			}
			now, sure := x.chooseEnum(f, said, false)
			was := f.Named(base)
			if now == "" || sure < sureOptional || was == "" || strings.Count(base, was) != 1 || strings.EqualFold(f.Named(said), was) {
				continue
			}
			return strings.Replace(base, was, said, 1)
		}
	}
	return ""
}
