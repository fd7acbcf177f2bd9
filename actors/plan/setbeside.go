package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What was told is held against what was told before it, against the days before, or against another of its kind: 差多少, compared to the day before, 跟张玉华比呢.

// apartBy holds what the last two questions asked for against each other, where they are the same but for their days or for one thing; "" else. What was held against other
// days already is asked again.
func (x *Index) apartBy(g *goal, base string, history []earlier) string {
	if comparedTail.MatchString(base) || asksGap.MatchString(base[strings.LastIndex(base, "，")+1:]) || strings.HasPrefix(base, "compare ") {
		return base
	}
	before := comparedTail.ReplaceAllString(standing(history[:len(history)-1]), "")
	if before == "" || strings.Contains(before, "\n") {
		return ""
	}
	first, second := x.facts(before, g.now), x.facts(base, g.now)
	for _, kind := range []facts.Kind{facts.Date, facts.Known, facts.Place} {
		one, other, ok := differsIn(kind, first, second, before, base)
		if !ok {
			continue
		}
		if p, when := other.Value.(facts.Period); when {
			return x.heldAgainst(g, before, one.Value.(facts.Period), p)
		}
		return bothOf(before, one.Text, other.Text)
	}
	return ""
}

// bothOf asks of two things what a question asks of one, to hold them against each other.
func bothOf(base, one, other string) string {
	zh := words.Language(base) == "zh"
	if zh { // a sign behind a name would be taken for a part of it
		base = strings.NewReplacer(one+"一共", one, one+"总共", one).Replace(base)
	}
	both := strings.Replace(howMuchTail.ReplaceAllString(strings.TrimRight(base, "?？。. "), ""), one, one+words.Either(zh, "和", " and ")+other, 1)
	if zh {
		both = apartFromVerb.ReplaceAllString(strings.Replace(both, other, other+"\x00", 1), " $1")
		both = strings.Replace(both, "\x00", "", 1)
	}
	return words.Either(zh, both+"，比较一下", "compare "+strings.TrimPrefix(showMe.ReplaceAllString(both, ""), "what "))
}

// apartFromVerb is a mark behind a name and before a verb that would be taken for a part of the name.
var apartFromVerb = words.MustCompile("\x00([花买付消下退])")

// heldBesides holds what was told of one against another of its kind: 跟张玉华比呢, compared to rice cookers.
var heldBesides = words.MustCompile(`(?i)^(?:那么?|再|，|\s)*[跟和与同](.{1,20}?)(?:相?比|对比)(?:一下|起来)?(?:呢|怎么样|如何|差多少)?[\s?？。]*$|^(?:(?:and|so|now|then|ok|how does (?:it|that|he|she)),? )*(?:compared? (?:it |that )?(?:to|with)|versus|vs\.?|against) (.{2,40}?)[?.! ]*$`)

// besideIt is such a turn in full; "" where the question before it names none, or several, of that kind.
func (x *Index) besideIt(g *goal, text, base string) string {
	m := heldBesides.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	fresh := x.facts(m[1]+m[2], g.now)
	if len(fresh) != 1 || fresh[0].Text != m[1]+m[2] || !slices.Contains([]facts.Kind{facts.Person, facts.Known, facts.Place}, fresh[0].Kind) {
		return ""
	}
	old := slices.DeleteFunc(slices.Clone(x.facts(base, g.now)), func(f facts.Fact) bool { return f.Kind != fresh[0].Kind })
	if len(old) == 2 && (strings.HasSuffix(base, "，比较一下") || strings.HasPrefix(base, "compare ")) { // no, with her
		return strings.Replace(base, old[1].Text, fresh[0].Text, 1)
	}
	if len(old) != 1 || old[0].Text == fresh[0].Text {
		return ""
	}
	return bothOf(base, old[0].Text, fresh[0].Text)
}

// howMuchTail ends a question for a figure, and what is compared has no need of it.
var howMuchTail = words.MustCompile(`(?:一共|总共|还)*[有是剩]?多少[个件钱单]?$`)

// differsIn are the only facts of a kind in two texts that are the same without them.
func differsIn(kind facts.Kind, first, second []facts.Fact, before, base string) (one, other facts.Fact, ok bool) {
	only := func(fs []facts.Fact) (facts.Fact, bool) {
		fs = slices.DeleteFunc(slices.Clone(fs), func(f facts.Fact) bool { return f.Kind != kind })
		return append(fs, facts.Fact{})[0], len(fs) == 1
	}
	one, a := only(first)
	other, b := only(second)
	bare := func(s, fact string) string {
		return strings.Join(strings.Fields(strings.TrimRight(strings.Replace(s, fact, " ", 1), "?？。. ")), " ")
	}
	return one, other, a && b && one.Text != other.Text && bare(before, one.Text) == bare(base, other.Text)
}

// heldAgainst is a question of one stretch of time held against another one.
func (x *Index) heldAgainst(g *goal, base string, of, other facts.Period) string {
	if of.Until || other.Until { // nothing is as long as what has no beginning
		return ""
	}
	base = strings.TrimRight(comparedTail.ReplaceAllString(base, ""), "?？。. ")
	zh := words.Language(base) == "zh"
	if other == of.Previous() {
		return base + words.Either(zh, "，环比", " compared with the previous period")
	}
	days := other.From.Format(time.DateOnly)
	if !other.From.Equal(other.To) {
		days += words.Either(zh, "至", " to ") + other.To.Format(time.DateOnly)
	}
	return base + words.Either(zh, "，和"+days+"相比", " compared with "+days)
}

var (
	// stepBefore is a stretch of time told by the one that was spoken of: the 30 days before, 上一个30天, 前一天; its groups are how many of what unit.
	stepBefore = words.MustCompile(`(?i)(?:^|[^\p{Han}])(?:再?往前(?:数|推)?的?|再?之前的?|再?前|上一?个)(?:那)?(一|[二两三四五六七八九十]{1,3}|\d{1,3})个?(天|日|周|星期|礼拜|月|季度|年)$` +
		`|^the (?:(\d{1,3}|two|three|four|five|six|seven|ten) )?(day|week|month|quarter|year)s? (?:before|prior|preceding|earlier)(?: (?:that|this|it|those|them))?(?: one)?$|^the (?:previous|preceding|prior|earlier) (?:(\d{1,3}|two|three|four|five|six|seven|ten) )?(day|week|month|quarter|year)s?$`)
	// aroundStep is what may stand around it: 那…呢, what about, and what holds it against the figures before it.
	aroundStep = words.MustCompile(`(?i)^(?:那么?|然后|再|，|\s)*([跟和与同比较]|对比|相比)?(?:起|于|较)?(.{2,12}?)的?(?:数据|情况)?(相?比较?|对比)?(?:起来|一下)?(?:又?[是有]多少|多少|怎么样|如何|差多少|[涨多]了?多少|[有是]?什么变化)?[呢吗吧\s?？。]*$`)
	beforeStep = words.MustCompile(`(?i)^(?:(?:and|so|now|then|ok|what about|how about|how (?:does|is|was|did) (?:that|it|this)),? )*((?:compared?|versus|vs\.?|against|relative|in comparison)(?: (?:it|that|this))?(?: (?:to|with|against))? )?(?:(?:for|in) )?(the .{3,40}?)[?.! ]*$`)
)

// stepsBack is a question of the stretch of time before the one that it asks of, or held against it: 上一个30天呢, compared to the day before; "" for any other.
func (x *Index) stepsBack(g *goal, text, base string) string {
	m := aroundStep.FindStringSubmatch(text)
	if m == nil || words.Language(text) != "zh" {
		if m = beforeStep.FindStringSubmatch(text); m == nil {
			return ""
		}
		m = append(m, "")
	}
	step := stepBefore.FindStringSubmatch(m[2])
	base = comparedTail.ReplaceAllString(base, "")
	old := datesOf(x.facts(base, g.now))
	if step == nil || len(old) != 1 {
		return ""
	}
	count, unit := step[1]+step[3]+step[5], strings.ToLower(step[2]+step[4]+step[6])
	n := 1
	if count != "" {
		n, _ = words.Number(count)
	}
	of := old[0].Value.(facts.Period)
	least := n * unitDays[unit]
	before := of.Previous()
	if d := of.Days(); n == 0 || d < least || d > least+least/9 { // not the month before a year
		if unitDays[unit] > 7 || n < 2 && m[1] == "" {
			return ""
		}
		before = facts.Period{From: of.From.AddDate(0, 0, -least), To: of.From.AddDate(0, 0, -1)}
		if m[1] != "" { // a month is not held against a day
			before = of.Previous()
		}
	}
	if m[1] != "" || m[3] != "" {
		return x.heldAgainst(g, base, of, before)
	}
	return x.instead(g, base, before.InDays(words.Language(base)))
}
