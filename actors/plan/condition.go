package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A change may be wished under a condition: 如果卖得不好就降价, "once the buyer agrees". Nothing here waits for what will be, and what nobody looks at must not be
// dropped: the change is not made, and the condition is named. What a card's x-when holds a thing to, that it was not sent yet, is looked at and no obstacle.

var (
	// supposing and waiting open conditions: 如果…, if …; 等…再, once …. firstAsk wants to be asked before.
	supposing = words.MustCompile(`(?i)(?:如果|假如|假使|倘若|要是|若是|万一|一旦|只要)[^，,。；;！!？?\n]{1,40}?(?:的话|时|[就便则再]|[，,。；;！!\n]|$)|[^，,。；;！!？?\n把将]{2,30}[^电]的话|(?:^|[，,。；;\s])若[^，,。；;！!？?\n干]{1,30}?(?:[就便则再]|[，,])|` +
		`\b(?:if|in case(?: of)?|in the event(?: of| that)?|should (?:the|he|she|they|it|sales|stock|nobody|anybody|anyone|someone))\b[^,.;!?\n]{1,80}`)
	waiting = words.MustCompile(`(?i)(?:^|[，,。；;！!\s]|请)等(?:到|着)?[^等于级下待一，,。；;！!？?\n][^，,。；;！!？?\n]{0,20}?(?:再|[之以]?后|了|确认|通知|同意|回复|付款|[，,。；;]|$)|(?:^|[，,。；;！!\s])(?:我们?|买家|客户|顾客|对方|仓库|老板|[他她])[^，,。；;！!？?\n的把]{1,8}?(?:[之以]?后|[再才])|` +
		`\b(?:wait(?:ing)? (?:for|until|till)|until|once|as soon as|when(?:ever)?|after) (?:the |my |our |a )?(?:buyers?|customers?|clients?|boss|warehouse|sales|stock|prices?|parcel|money|payment|confirmation|approval|reply|ok|everyone|he|she|they|it|we|i|you)\b[^,.;!?\n]{0,60}`)
	firstAsk = words.MustCompile(`(?i)[^，,。；;！!？?\n]{0,40}(?:之前|以?前)[，,]?(?:都|要|必须|一定|请|记得|务必)*先?(?:问|征求|通知|告诉|经过|让|请示|跟|和)(?:一下|过)?我|先问(?:一下|过|问)?我|(?:经|得到|征得)我(?:的)?(?:同意|确认|批准)|\b(?:ask|check with|consult|confirm with|tell) me (?:first|before\b[^,.;!?\n]{0,40})|\bbefore [^,.;!?\n]{1,40},? (?:please )?(?:ask|check with|consult|confirm with) me\b|\bwithout asking me\b`)
	// proviso forbids a change wherever it does not hold.
	proviso = words.MustCompile(`(?i)只有[^，,。；;！!？?\n]{1,30}?(?:才|的?时候)|除非[^，,。；;！!？?\n]{1,30}|\b(?:unless|only (?:if|when|in case)|provided that|as long as|on (?:the )?condition that)\b[^,.;!?\n]{1,60}`)
	// noCondition: politeness, what was found just before, and what somebody shall find out.
	noCondition = words.MustCompile(`(?i)(?:如果|要是|若是?|假如)?(?:您|你)?(?:可以|方便|能|行|有空|不麻烦|愿意|不介意|没问题|允许)的话|(?:如果|要是|若是?)(?:可以|方便|可能|有的话|有(?:[，,就]|$))|^有的话|电话|\bif (?:so|any|possible|there (?:are|is)|you (?:can|could|like|want|please|find|wish|do not mind|don['’]t mind)|(?:it is |it['’]s )?(?:possible|convenient|ok|okay))\b|\b(?:as|even|see|check|know|wonder\w*|ask|asks|find out|sure) if\b`)
	// lookFirst begins a sentence that looks before it changes.
	lookFirst = words.MustCompile(`(?i)^\s*(?:请|麻烦|帮我|先|please |first )*(?:查|看|列出|找|统计|搜|check|look|list|show|find|see|count)`)
	// putOff is a change that is refused for now, or named as what comes after.
	putOff    = words.MustCompile(`(?i)(?:暂时|暂且|暂|先|目前)(?:都)?(?:不要?|别)[发取退改开降涨关催调补]|\bbefore (?:cancell?|shipp?|refund|chang|rais|lower|issu|restock)ing\b`)
	joinsWish = words.MustCompile(`(?i)^[\s，,。；;]*(?:就|便|则|再|那么?|那就|才|then\b|and\b)?[\s，,]*|[\s，,。；;.]*(?:就|便|再|and|then)?[\s，,]*$`)
)

// underCondition is the change of a request that shall only be made under a condition, in words of its own, and the condition; own: it is the user who wants to be
// asked. "" when there is no condition, or it is looked at here: goal.onlyIf is then one of the state of the thing.
func (x *Index) underCondition(g *goal) (wish, condition string, own bool) {
	text := g.text[g.fresh:]
	taken := toldOrQuoted(text)
	inside := func(m []int) bool {
		return overlaps(taken, m[0], m[1]) || slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { // what is looked up first is held to what it finds
			at := c.Start - g.fresh
			return c.Policy && at <= m[0] && m[1] <= c.End-g.fresh
		})
	}
	for i, re := range []*words.Pattern{firstAsk, waiting, proviso, supposing} {
		for _, m := range re.FindAllStringIndex(text, 10) {
			said := strings.Trim(text[m[0]:m[1]], " ，,。；;！!.")
			if inside(m) || noCondition.MatchString(text[max(0, m[0]-12):m[1]]) || i > 0 && lookFirst.MatchString(text[:m[0]]) && ifAny.MatchString(said) {
				continue
			}
			rest := text
			if i > 0 {
				if putOff.MatchString(text) && i == 1 {
					return "", said, false
				}
				rest = joinsWish.ReplaceAllString(text[m[1]:], "")
				if len(wishes.ChangeVerbs(rest)) == 0 {
					if at := beginsDeed(said); at > 0 && strings.TrimSpace(text[:m[0]]) == "" { // in case of complaints cancel it
						said, rest = strings.TrimSpace(said[:at]), said[at:]
					}
				}
				if len(wishes.ChangeVerbs(rest)) == 0 {
					rest = joinsWish.ReplaceAllString(text[:m[0]]+" "+text[m[1]:], "")
				}
			}
			c := wishes.Clause{End: len(rest)}
			c.Classify(rest)
			if len(c.Change) == 0 || c.Policy || c.Advice || c.Question && !wishes.PoliteAsk.MatchString(rest) {
				continue
			}
			if c.Deed() == "send" && i == 0 { // somebody is told to ask me
				continue
			}
			if i == 3 && x.looksAt(said, c) {
				continue
			}
			tools := x
			if x.behind != nil {
				tools = x.behind.index
			}
			if i >= 2 && tools.looksAtState(text, said, c.Deed()) {
				g.onlyIf = strings.TrimRight(said, "就便则再 ")
				continue
			}
			wish = words.Either(i == 0, "", strings.Join(strings.Fields(rest), " "))
			return wish, strings.TrimRight(said, "就便则再 "), i == 0
		}
	}
	return "", "", false
}

// beginsDeed is where in the English words of a condition the wish begins that no comma parts from it; 0: nowhere.
func beginsDeed(said string) int {
	for i, r := range said {
		if verbs := wishes.ChangeVerbs(said[min(i+1, len(said)):]); r == ' ' && i > len("if it is") && len(verbs) > 0 && verbs[wishes.FirstVerb(verbs)] == 0 {
			return i + 1
		}
	}
	return 0
}

// looksAt reports whether a condition is the state that a tool which makes the change holds its thing to.
func (x *Index) looksAt(condition string, c wishes.Clause) bool {
	tools := x
	if x.behind != nil {
		tools = x.behind.index
	}
	for _, e := range tools.entries {
		if e.Reads() || e.IsAgent() || !e.Verbs[c.Deed()] {
			continue
		}
		one := e.TakesOne()
		if one == nil || len(one.When[stateField]) == 0 {
			continue
		}
		said := tools.stateSaid(condition, func(look *cards.Entry) bool { return showsOne(look, one) })
		if said != nil && !slices.ContainsFunc(one.When[stateField], func(s string) bool { return !slices.Contains(said, s) }) { // in no other state is it made
			return true
		}
	}
	return false
}

// conditional says that a change is not made under a condition that nothing here looks at; "" when there is none.
func (r *round) conditional() string {
	wish, condition, own := r.x.underCondition(&r.g)
	switch {
	case condition == "":
		return ""
	case own:
		return words.Say(r.g.lang, "现在什么也没有做。「%s」：这里本来就是这样，任何修改之前都会先给您看清楚，您同意了才执行。要做的时候，请直接说要做什么。",
			"Nothing was done now. “%s”: that is so in any case; every change is shown to you first, and made only when you agree. When it is time, just say what shall be done.", condition)
	case wish == "" || len(wishes.ChangeVerbs(wishes.OwnWish(wish))) == 0:
		return words.Say(r.g.lang, "什么也没有做。这里不会自己等「%s」发生；到时候请直接说要做什么。", "Nothing was done. Nothing here waits for “%s”; when it is so, just say what shall be done.", condition)
	}
	return words.Say(r.g.lang, "没有执行：「%[1]s」是否成立，这里判断不了，也不会自己等它发生；不能不管它就改。如果已经成立，请直接说「%[2]s」。",
		"Not done: whether “%[1]s” holds cannot be told here, and nothing here waits for it; the change is not made regardless of it. If it does hold, just say “%[2]s”.", condition, wish)
}
