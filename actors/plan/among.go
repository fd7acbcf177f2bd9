package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What "of them" and "these" mean in a later turn: all of the last list that was shown, which is looked up again, since a list shows only so
// many and what it showed may have changed. "Of them" asks for some of it and is one more condition; "these" want something done with each.
var (
	partOfThem = words.MustCompile(`(?i)[，,]?\s*(?:(?:其中|这里面|这里边|里面)的?|(?:这|那)(?:些|几个)(?:订单|单子|单|商品|产品|退款|客户|买家|顾客)?(?:里面|里|当中|中)的?)|\b(?:out )?of (?:them|these|those)(?: (?:orders|ones|products|refunds|customers))?\b|\bamong (?:them|these|those)(?: (?:orders|ones|products|refunds|customers))?\b`)
	allOfThem  = words.MustCompile(`(?i)(?:这|那)(?:些|几个)|[它他她]们|以上(?:订单|商品|退款|客户)|\b(?:them|these|those)\b`)
)

// oneOfThem picks from a list by what its things are like: the cheapest one, which is the longest, the one from Shanghai, 最贵的那个, 上海的那个.
var oneOfThem = words.MustCompile(`(?i)^(?:and |so |then )?(?:show me |give me |what about )?(?:the |which (?:one |of them )?(?:is |are |was |has )?(?:the )?)(?:\w+est|most \w+|least \w+)(?:\s+ones?)?\s*[?.!]*$` +
	`|\bthe ones?\s+(?:from|in|with|by|for|that|who|which|under|over|above|below|of)\b|^(?:那|其中)?(?:哪一?[个单款件位笔条种])?最\p{Han}{1,3}的?(?:是?[那哪]?一?[个单款件位笔条]|呢|是哪个)?[?？]?$|^(?:那么?|它们|他们)?(?:一共|总共|平均|合计|总计)是?多少[钱元]?[?？]?$|^(?:and )?(?:what(?:'s| is) the (?:total|average|sum)|how much (?:in total|altogether|on average|(?:money )?(?:is|was) (?:that|it)(?: in total| altogether)?)|(?:the )?total (?:amount|value))\s*\??$|^(?:那么?|它们)?(?:总金额|金额合计|合计金额|总额)(?:一共|合计)?(?:是|有)?(?:多少)?[钱元]?[呢?？]*$|^(?:and |so |then )?which (?:one |of them |order )?(?:cost|costs) (?:the )?(?:most|least)[?.! ]*$|^最[贵便宜]{1,2}的订单是哪个[呢?？]*$|^[^，。,]{1,12}的那(?:一?[个单款件位笔条]|些|几个)(?:呢|有哪些)?[?？]?$` +
	`|^(?:那|其中)?[^，。,哪谁\s]{1,12}的(?:一共|总共)?[有是]?(?:几|多少)[个单款件位笔条][?？]?$|^(?:and |so |then )?how many (?:(?:are|were|is|was|came|come|have been) )?(?:from|with|over|under|above|below|approved|refused|rejected|pending|cancelled|completed|shipped|delivered|paid|unpaid|finished)\b[^,.;]{0,24}$`)

// theyAll: of things as of people only what they come to is asked this way.
var theyAll = words.MustCompile(`(?i)\b(?:did|do|are|were|have) they\b`)

// howMuchAll asks what things come to.
var howMuchAll = words.MustCompile(`(?i)[值花付](?:了)?多少(?:钱)?|多少钱|\b(?:worth|how much)\b|\bwhat (?:did|do) they (?:pay|cost|spend|come to)\b`)

// showMe: how a request for a list begins.
var showMe = words.MustCompile(`(?i)^(?:please )?(?:list|show|find|get|give|tell|display|see)(?: me)?\s+`)

// among completes a request that speaks of the things of the last list; "" when it does not, or none was shown. A job that is handed on with
// what was found before it speaks of that.
func (x *Index) among(g *goal, text string, history []earlier) (full, how string) {
	part := partOfThem.FindStringIndex(text)
	m := part
	if m == nil {
		m = allOfThem.FindStringIndex(text)
	}
	if m == nil && howMuchAll.MatchString(text) {
		m = theyAll.FindStringIndex(text)
	}
	one := m == nil && (oneOfThem.MatchString(text) || byColumn(text, history) || !g.job && x.onlyLimits(text, history, g.now))
	if one {
		m = []int{0, len(text)}
		part = []int{0, 0} // it goes on with the list, and nothing of it stands for that
	}
	if m == nil || madeATool.MatchString(text) || words.LongNumber.MatchString(g.context) || foundBefore(text[:m[0]]) || namesOne(x.facts(text, g.now)) {
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
		if history[i].empty() { // what is looked up again is still none, and no list before it is meant
			base = strings.TrimRight(history[i].Request, "?？。.！! ")
		}
	}
	if base == "" || SmallTalk(base) {
		return "", ""
	}
	how = words.Say(g.lang, "「%s」指上一轮列出的", "“%s” are those listed before", strings.Trim(text[m[0]:m[1]], " ，,"))
	figure := wishes.ReadReckoning(text)
	if figure.Fold == wishes.FoldNone && part == nil && howMuchAll.MatchString(text) {
		text = strings.TrimRight(text, "?？ ") + words.Either(words.Wide(text), " 一共", " in total")
		figure = wishes.ReadReckoning(text)
	}
	if part == nil && (figure.Fold == wishes.FoldSum || figure.Fold == wishes.FoldMean || figure.Fold == wishes.FoldCount && !figure.Part) {
		part = m // the total of these
	}
	rest := strings.TrimSpace(text[:m[0]] + text[m[1]:])
	if one {
		rest = strings.TrimSpace(text)
	}
	c := wishes.Clause{End: len(rest)}
	c.Classify(rest)
	if part == nil || len(c.Change) > 0 {
		if p := (wishes.Splitter{Verbs: x.verbs, Topics: x.trade}); len(c.Change) > 0 && !p.Wants(base) { // what is looked for is a wish of its own then
			base = words.Either(words.Language(base) == "zh", "列出", "list ") + base
		}
		return join(base, text, g.lang), how
	}
	if words.Language(base) == "zh" && words.Language(rest) == "zh" {
		return base + " 中 " + rest, how
	}
	base = showMe.ReplaceAllString(base, "")
	if m := howManyOf.FindStringSubmatch(base); m != nil { // the biggest one of how many orders did we have yesterday
		base = strings.TrimSpace(m[1] + " " + m[2])
		if m[1] == "orders" {
			rest = theBiggest.ReplaceAllString(rest, "$1 cost most")
		}
	}
	return strings.TrimRight(rest, "?？。.！! ") + " of " + base, how
}

var (
	// howManyOf asks how many things there are; its groups are the things, and which.
	howManyOf = words.MustCompile(`(?i)^how many (orders|refunds|returns|products|customers|parcels|shipments|invoices) (?:(?:did|do|have) (?:we|i|you) (?:have|had|get|got|sell|receive)|(?:are|were|was) there|are|were|came in|came)\b ?(.*)$`)
	// theBiggest of orders is the dearest one.
	theBiggest = words.MustCompile(`(?i)^(which (?:one|of them)) (?:was|is) (?:the )?(?:biggest|largest)$`)
)

// onlyOnes: only the cancelled ones, of the things that thingsNamed finds.
var thingsNamed = words.MustCompile(`(?i)\b(?:orders|products|goods|items|customers|buyers|refunds|returns|parcels|shipments|invoices)\b`)

var onlyOnes = words.MustCompile(`(?i)^(?:only|just) (?:show (?:me )?)?(?:the )?(\S.{0,40}?) ones?$`)

// byColumn reports whether a text asks which of the last list has most or least of what one of its columns tells: 哪个金额最大.
func byColumn(text string, history []earlier) bool {
	m := mostOfColumn.FindStringSubmatch(text)
	if n := len(history); m != nil && n > 0 && history[n-1].empty() {
		return true
	}
	_, l := lastList(history)
	return m != nil && l != nil && slices.ContainsFunc(l.heads, func(h string) bool { return strings.Contains(h, m[1]) })
}

var mostOfColumn = words.MustCompile(`^(?:那么?|其中|请问|，)*哪一?[个单笔条位款件]的?(\p{Han}{2,4}?)最[高低多少大小贵长短早晚新久][呢啊\s?？。]*$`)

// empty reports whether a turn looked for things and found none.
func (e earlier) empty() bool {
	lead, _, _ := strings.Cut(e.Answer, "\n")
	return len(e.lists) == 0 && noneListed.MatchString(lead)
}

// noneListed is how an answer begins that tells of no things.
var noneListed = words.MustCompile(`(?i)^[^。.]{0,120}(?:共?有 ?0 ?[个种位条笔单]|没有找到符合条件的结果)|^(?:there (?:are|is) (?:0|no) |nothing was found\b)`)

// onlyLimits reports whether a text says nothing but within which limit things must be, and what the last list tells: 超过5天的有几个.
func (x *Index) onlyLimits(text string, history []earlier, now time.Time) bool {
	turn, l := lastList(history)
	facts := x.facts(text, now)
	rest := wishes.Unlimited(text, facts)
	if l == nil || rest == text || len(wishes.ChangeVerbs(text)) > 0 {
		return false
	}
	told := words.Content(history[turn].Request + " " + strings.Join(l.heads, " "))
	return !slices.ContainsFunc(words.Content(rest), func(w string) bool { return !slices.Contains(told, w) })
}

// namesOne reports whether facts name single things, so that no list need be meant.
func namesOne(fs []facts.Fact) bool {
	for _, f := range fs {
		if f.Kind == facts.Digits || f.Kind == facts.Person || f.Kind == facts.Phone {
			return true
		}
	}
	return false
}

// asides are the words by which one of a list is picked, in a request that [Index.among] completed: the list is looked up by the rest alone.
var asides = words.MustCompile(`(?i)^.+ 中 ([^，。,]{1,16}的那(?:一?[个单款件位笔条]|些|几个)(?:呢|有哪些)?[?？]?)$|^(the ones?\s+(?:from|in|with|by|for|that|who|which|under|over|above|below)\s.{1,40}?) of \S`)

// aside is where they stand in a text; empty when there are none.
func aside(text string) (start, end int) {
	if !strings.Contains(text, " 中 ") && !strings.HasPrefix(strings.ToLower(words.Clip(text, len("the one"))), "the one") {
		return 0, 0
	}
	if m := asides.FindStringSubmatchIndex(words.Clip(text, maxPointing)); m != nil {
		return max(m[2], m[4]), max(m[3], m[5])
	}
	return 0, 0
}
