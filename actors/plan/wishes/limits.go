package wishes

import (
	"math/big"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A number that limits a figure, 库存低于5, more than 3 orders, between 100 and 200 yuan, is neither how many rows are wanted nor a value of anything.
// Where no parameter takes it, the rows are picked by it (package figures), and what follows is done to those alone.

// orEqual ends a comparison: what may stand between it and the number.
const orEqual = `(?:\s*(?:或者?)?等于|\s*=|\s+or equal(?:s| to)?)?\s*(?:了|有)?\s*(?:CNY|RMB|¥|￥|\$)?\s*$`

var (
	moreThan = words.MustCompile(`(?i)(?:超过|[大高多]于|至少|最少|满|\bover|\babove|\b(?:more|dearer|pricier|higher|larger|bigger|longer|heavier|older|later|greater) than|\bat least|\bexceed(?:ing|s|ed)?|=?>|≥)` + orEqual)
	lessThan = words.MustCompile(`(?i)(?:[低小少]于|[不没未]到|不足|至多|\bunder|\bbelow|\b(?:less|cheaper|lower|smaller|shorter|lighter|newer|fewer) than|\bat most|=?<|≤)` + orEqual)
	orMore   = words.MustCompile(`(?i)^\s*(?:元|块钱?|个|件|次|单|笔|小时|天|hours?|days?|yuan|times|orders|pieces)?\s*(?:以上|及以上|或以上|或更多|or more|or above|and above|and up|\+)`)
	orLess   = words.MustCompile(`(?i)^\s*(?:元|块钱?|个|件|次|单|笔|小时|天|hours?|days?|yuan|times|orders|pieces)?\s*(?:以下|以内|及以下|或以下|或更少|or less|or below|or fewer|and below)`)
	// turned before one of those turns it round, 没有超过, not above; where it is asked, 有没有超过, it does not.
	turned    = words.MustCompile(`(?i)(?:没有?|未曾?|不[会能可得应是]?|n['’]t|\b(?:not|no|never|cannot))(?:\s+be)?\s*$`)
	whether   = words.MustCompile(`(?:有没有|是不是|会不会|能不能|是否)\s*$`)
	inclusive = words.MustCompile(`(?i)至[少多]|最少|满|等于|[=≥≤]|\bat (?:least|most)|\bequal`)
	// equals stands before a figure that must be just so; becomes makes it one that is wished for.
	equals  = words.MustCompile(`(?i)(?:\p{Han}(?:为|是|等于)|=|\b(?:is|are|equals?))\s*$`)
	becomes = words.MustCompile(`(?i)[改设调变定标换作]为\s*$|\bto\s*$`)
	// upTo joins the ends of a stretch of numbers; upToIt stands before the far one.
	upTo   = words.MustCompile(`(?i)^\s*(?:元|块钱?|个|件|次|单|笔|小时|天|yuan|CNY)?\s*(?:到|至|-|~|～|—|–|and|to)\s*(?:CNY|RMB|¥|￥|\$)?\s*(\d[\d,]*(?:\.\d+)?)`)
	upToIt = words.MustCompile(`(?i)(\d[\d,]*(?:\.\d+)?)\s*(?:元|块钱?|个|件|次|单|笔|小时|天|yuan|CNY)?\s*(?:到|至|-|~|～|—|–|and|to)\s*(?:CNY|RMB|¥|￥|\$)?\s*$`)
	// between says that two numbers are the ends of one stretch where they are joined by a word that may join others.
	betweenIn = words.MustCompile(`(?i)(?:\bbetween|\bfrom|介于|在)\s*(?:CNY|RMB|¥|￥|\$)?\s*$`)
	inBetween = words.MustCompile(`^\s*(?:元|块钱?|个|件|次|单|笔|小时|天)?\s*(?:之间|以内|区间|范围|的)`)
	// toShow: what stands before a number that says how many rows are wanted, whatever stands between.
	toShow = words.MustCompile(`(?i)(?:列出?|显示|展示|给出|返回|看|取|\b(?:show|list|give|return|display)(?: me| us)?)(?:的|了|我|出)*\s*$`)
	unitOf = words.MustCompile(`(?i)^\s*(?:元|块钱?|个|件|次|单|笔|小时|天|yuan|CNY|[a-z]{3,12}\b)?`)
	// InIt says right behind a number what it is a number of: 50 pieces in stock.
	InIt = words.MustCompile(`(?i)^\s*(?:[a-z]+\s+)?in\s+(?:stock|store|inventory|total|all|sales|revenue)\b`)
	// thingBehind and thingBefore are orders of which a number says nothing but that it limits them.
	thingBehind = words.MustCompile(`(?i)^\s*(?:及?以上|及?以下|or (?:more|less))?的(?:大?订单|单子)`)
	thingBefore = words.MustCompile(`(?i)\b(?:orders?|order that (?:is|was))\s*(?:worth|that are|that were)?\s*$`)
	// HowOften counts what was ordered: 买过3次.
	HowOften = words.MustCompile(`(?i)^(?:次|单|笔|times?|orders?)$`)
)

// Limit is how a number limits a figure.
type Limit struct {
	Over, Under bool // it must be more, or less; both: it is the near end of a stretch up to until
	Equal       bool // or equal to it
	Until       *big.Rat
	Second      bool   // the number is the far end of a stretch, which its near end tells
	Start, End  int    // of its words in the request
	Unit        string // what is counted, as it is said
	Of          string // what the words before it measure ([words.QuantityOf])
	Thing       bool   // nothing but a thing stands beside it: 超过5000的订单, orders over 5000
}

// LimitIn reads how a number of a request limits a figure; ok is false when it does not.
func LimitIn(text string, f facts.Fact) (l Limit, ok bool) {
	if f.Kind != facts.Number || f.From != "" || f.Start > f.End || f.End > len(text) {
		return l, false
	}
	lead, rest := words.Before(text, f.Start), text[f.End:]
	if a, isAmount := f.Value.(facts.Amount); isAmount && a.Percent && !ofRate.MatchString(lead) {
		return l, false
	}
	if m := upTo.FindStringSubmatchIndex(rest); m != nil && (betweenIn.MatchString(lead) || inBetween.MatchString(rest[m[3]:])) {
		until, isNumber := new(big.Rat).SetString(strings.ReplaceAll(rest[m[2]:m[3]], ",", ""))
		if !isNumber {
			return l, false
		}
		far := rest[m[3]:]
		tail := max(len(unitOf.FindString(far)), len(strings.TrimSuffix(inBetween.FindString(far), "的")))
		return Limit{Over: true, Under: true, Equal: true, Until: until, Start: f.Start - len(betweenIn.FindString(lead)), End: f.End + m[3] + tail, Unit: strings.TrimSpace(unitOf.FindString(far)), Of: ofBefore(betweenIn.ReplaceAllString(lead, ""))}, true
	}
	if m := upToIt.FindStringIndex(lead); m != nil && (betweenIn.MatchString(lead[:m[0]]) || inBetween.MatchString(rest)) {
		unit := ""
		if a, isAmount := f.Value.(facts.Amount); isAmount {
			unit = a.Unit
		}
		return Limit{Second: true, Unit: unit, Of: ofBefore(betweenIn.ReplaceAllString(lead[:m[0]], ""))}, true
	}
	said := l.compared(lead)
	l.Over, l.Under = l.Over || orMore.MatchString(rest), l.Under || orLess.MatchString(rest)
	counts := true
	if a, isAmount := f.Value.(facts.Amount); isAmount {
		l.Unit = a.Unit
		counts = words.QuantityOf(a.Unit) != "money" && words.QuantityOf(a.Unit) != "time"
	}
	if !l.Over && !l.Under && equals.MatchString(lead) && !becomes.MatchString(lead) {
		l.Equal, l.Start, l.End = true, f.Start-len(equals.FindString(lead)), max(f.End, min(len(text), f.Start+len(f.Text)))
		return l, true
	}
	if l.Over == l.Under || counts && said != "" && toShow.MatchString(strings.TrimSuffix(lead, said)) {
		return Limit{}, false
	}
	l.Equal = l.Equal || orMore.MatchString(rest) || orLess.MatchString(rest)
	tail := orMore.FindString(rest) + orLess.FindString(rest)
	l.Of = ofBefore(text[:f.Start-len(said)])
	l.Thing = thingBehind.MatchString(rest) || thingBefore.MatchString(text[:f.Start-len(said)])
	l.Start, l.End = f.Start-len(said), max(f.End+len(tail)+len(InIt.FindString(rest[len(tail):])), min(len(text), f.Start+len(f.Text)))
	return l, true
}

// ofRate is what a share can limit: 毛利率低于20%, a margin below 20%. Any other share is one that something changes by.
var ofRate = words.MustCompile(`(?i)(?:率|占比|比例)\P{Han}{0,4}\p{Han}{0,6}$|\b(?:rates?|shares?|margins?|ratios?|percentages?)\b[^0-9,.;]{0,30}$`)

// ofBefore is what the words right before a limit measure.
func ofBefore(lead string) string { return words.QuantityOf(lead[max(0, len(lead)-15):]) }

// compared reads the comparison that the words before a number end with, and gives its words; "": there is none.
func (l *Limit) compared(lead string) string {
	over, under := moreThan.FindStringIndex(lead), lessThan.FindStringIndex(lead)
	at := over
	if over == nil || under != nil && under[0] < over[0] { // the longer one: 不到 and not 到
		at = under
	}
	if at == nil {
		return ""
	}
	l.Over, l.Equal = over != nil && at[0] == over[0], inclusive.MatchString(lead[at[0]:])
	start := at[0]
	if not := turned.FindStringIndex(lead[:start]); not != nil && !whether.MatchString(lead[:start]) {
		start, l.Over, l.Equal = not[0], !l.Over, !l.Equal
	}
	l.Under = !l.Over
	return lead[start:]
}

var (
	ofSum    = words.MustCompile(`(?i)\b(?:of|for|worth|at)\s+(?:CNY|RMB|¥|￥|\$)?\s*$`)
	unitSum  = words.MustCompile(`(?i)^\s*(?:元|块钱?|yuan\b|CNY\b|RMB\b)`)
	inTheSum = words.MustCompile(`(?i)[¥￥$]|元|块|yuan|CNY|RMB`)
)

// Exactly reads a sum of money that tells by itself which things are meant, the refund of 193 yuan, 193元的退款, as the limit to be just that.
func Exactly(text string, f facts.Fact) (l Limit, ok bool) {
	a, ok := f.Value.(facts.Amount)
	if _, limits := LimitIn(text, f); limits || !ok || f.Kind != facts.Number || f.From != "" || a.Percent || f.Start > f.End || f.End > len(text) {
		return l, false
	}
	lead, unit := ofSum.FindString(words.Before(text, f.Start)), unitSum.FindString(text[f.End:])
	if !inTheSum.MatchString(a.Unit+f.Text+lead+unit) || lead == "" && !strings.HasPrefix(strings.TrimSpace(text[f.End+len(unit):]), "的") {
		return l, false
	}
	return Limit{Equal: true, Start: f.Start - len(lead), End: f.End + len(unit), Unit: "元"}, true
}

// Unlimited is a text of the same length with spaces for the numbers that limit a figure, and what says so: they tell of no tool.
func Unlimited(text string, facts []facts.Fact) string {
	out := []byte(text)
	for _, f := range facts {
		l, ok := LimitIn(text, f)
		if !ok {
			l, ok = Exactly(text, f)
		}
		if ok && !l.Second {
			copy(out[l.Start:l.End], strings.Repeat(" ", l.End-l.Start))
		}
	}
	return string(out)
}

// comparedHan are things that are told by what they are held against: 比同行贵的.
var comparedHan = words.MustCompile(`比[^，。,；;\d]{1,30}?(?:贵|便宜|高|低|多|少|好|差|快|慢)的`)

// Compared is what a change is limited to by a comparison with something else, and not with a figure; "" when nothing is.
func Compared(text string) string {
	m := comparedHan.FindStringIndex(text)
	if m == nil {
		return ""
	}
	rest := text[:m[0]] + text[m[1]:]
	c := Clause{End: len(rest)}
	if c.Classify(rest); len(c.Change) == 0 || c.Question {
		return ""
	}
	if at, ok := SaidFrom(text); ok && at <= m[0] {
		return ""
	}
	return text[m[0]:m[1]]
}

var (
	// costsVerb: what a thing costs is its price, where cost is no noun: products that cost more than 1000, which one costs most.
	costsVerb = words.MustCompile(`(?i)\bcosts?(\s+(?:me |us |you )?(?:the )?(?:more|less|over|under|above|below|between|from|at (?:the )?(?:most|least)|up to|most|least|CNY|RMB|¥|￥|\$|\d|exactly|around|about))`)
	ofCost    = words.MustCompile(`(?i)\b(?:campaigns?|ads?|advertis\w+|promotions?|channels?|shipping|delivery|keywords?|refunds?)\b`) // of which the cost is what was spent
	costNoun  = words.MustCompile(`(?i)\b(?:an?|the|unit|their|its|our|my|whose|with|by|of|average|highest|lowest|total|and|in) $`)
	goodsCost = words.MustCompile(`(?i)\b(?:product|purchase) cost$`) // a noun, where "product costs" is none
)

// CostsPrice is a text that calls what a thing costs its price, which is what a buyer means by the verb; a noun, as in "with a cost over 100", stays.
func CostsPrice(text string) string {
	m := costsVerb.FindStringSubmatchIndex(text)
	if m == nil || ofCost.MatchString(text) || costNoun.MatchString(text[:m[0]]) || goodsCost.MatchString(text[:m[2]]) {
		return text
	}
	return text[:m[0]] + "price" + text[m[2]:]
}
