package wishes

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Clause is a part of the request that wants one thing.
type Clause struct {
	Text       string
	Start, End int // bytes of the goal's text
	Question   bool
	Policy     bool           // asks what is allowed, who bears, what is required: a matter of rules
	Advice     bool           // asks what would be wise
	Count      bool           // asks for a number
	Change     map[string]int // verbs of change it asks for, with their places
	After      bool           // continues what an earlier clause yields
	Further    bool           // brings up another matter
	Half       bool           // shares the verb of the clause before it
	Dated      bool           // its days are said in the clause beside it
	Figure     Reckoning      // what is to be worked out from what is listed
}

var (
	// QuestionHan and QuestionEng are the words that ask.
	QuestionHan = words.MustCompile(`[?？]|吗|呢\s*$|什么|哪|多少|几[个单件天家款条]|怎么|怎样|如何|为什么|为何|是否|是不是|有没有|能不能|能否|可不可以|可否|要不要|会不会|谁|多[久大远高重长宽深快厚]|啥`)
	// QuestionEng: see QuestionHan; a request may begin with these.
	QuestionEng = words.MustCompile(`(?i)\?|^\s*(what|which|who|whose|when|where|why|how|is|are|do|does|did|has|have|can i|may i|should|will)\b`)
	// doNot begins like a question and is none.
	doNot = words.MustCompile(`(?i)^\s*do not\b`)
	// policyHan and policyEng: questions of permission, duty and requirement.
	policyHan = words.MustCompile(`能不能|能否|可不可以|可否|可以.*吗|能.{0,12}吗|是否(?:可以|需要|允许|必须)|需不需要|(?:由|归|让)?谁(?:承担|负责|来|出|付|赔)|怎么(?:处理|办|判|算|规定|赔)|违规|处罚|扣分|罚|赔偿|赔付|违约|规则|规定|要求是|标准|允许|必须|可以不|不可以|要赔|多久(?:内|之内)|期限|时效`)
	policyEng = words.MustCompile(`(?i)\b(can i|may i|am i allowed|are .{0,30} allowed|is it (allowed|ok|permitted|possible)|do i have to|must i|who (bears?|pays?|is responsible|covers?)|rules?|polic(y|ies)|allowed to|penalt(y|ies)|what happens (if|when)|required to)\b|^\s*(?:can|may|must) (?:an? |the |my |our |their )?(?:buyers?|sellers?|customers?|clients?|shops?|stores?|merchants?|people|we|they|someone|anybody)\b`)
	// adviceAsk: what would be wise, which is a matter of rules only when nothing gives advice on it.
	adviceAsk = words.MustCompile(`(?i)要不要|该不该|应不应该|是不是该|是否(?:应该|需要|值得)|值不值得|\b(?:should (?:i|we)|whether to|is it (?:worth|wise))\b`)
	// howTo: asks for the way to make a change, not for the change.
	howTo = words.MustCompile(`(?i)怎么|如何|怎样|\bhow (?:do|can|should|to)\b`)
	// CountHan asks how many there are.
	CountHan = words.MustCompile(`多少|几[个单件家款条笔位]|数量|总数|总共|一共`)
	// CountEng does so in English.
	CountEng = words.MustCompile(`(?i)\bhow many|number of|count\b`)
	// PoliteAsk makes a wish of what has the form of a question.
	PoliteAsk = words.MustCompile(`(?i)帮(?:我|忙|我们)|^请|麻烦|(?:could|can|would|will) you|please|给我|(?:能不能|能否|可不可以|可以|能)(?:查|看|列|告诉|预测|统计|找|搜|推荐|分析)`)
)

var (
	// WantHan and WantEng: a clause that asks for something to be done begins like this.
	WantHan = words.MustCompile(`^(?:现在|立刻|马上|今天|今晚|明天|后天|[，,、]|请|麻烦|帮我|帮忙|给我|我想|我要|想|需要|能不能|可以|然后|接着|再|就|都|也|最后|有的话|如果有的?话?|如有|要是有的?话?|若有|[，,])*\s*(?:(?:给|为|替|向|跟|对|和|用|按照?|根据|从|通过|针对)[^，,。；！？]{1,16}?|在[^，,。；！？]{1,40}?(?:里面?|中|末尾|结尾|开头|最后|后面|前面|上)\s*)?(?:分别|逐个|逐一|统一|一一|各|都)?(?:一下)?(?:查|看|找|搜|统计|预测|预估|估|分析|调研|研究|调查|建议|推荐|给出|告诉|列|算|计算|对比|比较|生成|写|发|取消|修改|更改|改|编辑|替换|追加|添加|加|退款|退|发货|催|开票|开发票|开具|提报|策划|制定|同意|批准|通过|审批|上架|下架|补货|通知|回复|答复|提醒|跟踪|追踪|显示|导出|总结|汇总|关闭|删除|创建|新建|申请|设置|运行|执行|跑|读取|保存|评估|判断|规划|拒绝|驳回|作废|撤销|移除|冻结|停用|启用|播放|朗读|把|将)`)
	// WantEng begins a clause that asks for something to be done.
	WantEng = words.MustCompile(`(?i)^(?:(?:and|then|also|next|now|so|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?|additionally|furthermore|moreover|conclusively|subsequently|afterwards?|thereafter|meanwhile|in addition|at the same time|(?:following|after|upon|once|before|if|based on|using|with|in|as|for|when|given|considering|to)\b[^,.]{0,90}),?\s+)?(?:please|kindly|i (?:want|need|wish|would like|'d like)(?: you)?(?: to)?|i'd like(?: you)? to|i(?:'m| am) (?:looking|interested|hoping|going|trying)\b\w*|could you|can you|would you|will you|help(?: me)?(?: to)?|let's|go ahead and|proceed to|assist (?:me )?(?:in|with)|also|then|to|,|\s)*([a-z]+)`)
	// leansOn: words that point back to what an earlier clause yields.
	leansOn = words.MustCompile(`(?i)^(?:然后|接着|之后|随后|then|and then|after that|afterwards|subsequently)|根据(?:结果|以上|上述|这个|此)|据此|这些|他们|它们|其中|把它|将其|\b(?:them|those|these|their|the results?|based on (?:that|this|the))\b`)
)

// WishVerbs are the English verbs that requests begin with; the first words of a catalogue's names and descriptions join them.
var WishVerbs = words.Stems(`accept add adjust advise alert allocate analyse analyze append apply approve arrange ask assess assign assist authenticate book build buy calculate call cancel change charge chase check choose close collect compare compute conduct configure confirm convert coordinate count create delete decline decrease deny deploy describe design detect determine develop diagnose display download draw edit email encrypt enroll ensure establish estimate evaluate examine execute explain extract fetch filter find forecast gather generate get give hire identify implement increase inform initiate inspect insert install investigate invite list locate look lower make manage measure modify monitor notify obtain offer open optimise optimize order organise organize overwrite pay perform plan play post predict prepare proceed process propose provide publish purchase raise rank rate recommend record reduce refund refuse revoke register reject remove rent replace replenish reply report request reserve restock retrieve review run save say schedule search secure select send set share ship show sort start stop submit suggest summarise summarize tell test track transfer translate treat update upload urge verify visualise visualize write`)

// Splitter cuts texts into clauses, knowing the verbs of a catalogue beside the common ones.
type Splitter struct {
	Verbs map[string]bool
	// topics are the words of a catalogue's trade; nil: not known.
	Topics map[string]bool
	// loose takes any sentence with such a verb for a wish: a plan of all calls at once must not miss one that is told as a
	// fact ("The warranty should be checked").
	Loose bool
	// facts are values read from the text, inside which it is not cut.
	Facts []facts.Fact
}

// Clauses cuts a text into the parts that each want one thing. A part that only tells circumstances goes with the part it
// belongs to: the next one, or the last.
func (p Splitter) Clauses(s string) []Clause {
	s = veil(s, p.Facts)
	var cuts []Clause
	at := 0
	for _, m := range append(words.HardBreak.FindAllStringIndex(s, 200), []int{len(s), len(s)}) {
		if p.Inside(m[0], m[1]) {
			continue
		}
		end := m[0]
		if m[1] > m[0] && strings.ContainsAny(s[m[0]:m[1]], "?？") {
			end = m[1] // the question mark belongs to the clause
		}
		if end > at {
			cuts = append(cuts, p.Soften(s, at, end)...)
		}
		at = max(at, m[1])
	}
	var out []Clause
	var waiting *Clause // circumstances told before the wish
	for _, c := range cuts {
		trimmed := strings.TrimSpace(c.Text)
		if trimmed == "" {
			continue
		}
		if !c.Further && !p.Wants(c.Text) && !tells(c.Text) {
			if len(out) > 0 && waiting == nil {
				out[len(out)-1] = Span(s, out[len(out)-1].Start, c.End)
				continue
			}
			if waiting == nil {
				w := c
				waiting = &w
			} else {
				waiting.End = c.End
			}
			continue
		}
		if waiting != nil {
			c.Start = waiting.Start
			waiting = nil
		}
		n := Span(s, c.Start, c.End)
		n.After = c.After
		out = append(out, n)
	}
	if waiting != nil {
		out = append(out, Span(s, waiting.Start, waiting.End))
	}
	if len(out) > MaxClauses {
		out[MaxClauses-1] = Span(s, out[MaxClauses-1].Start, out[len(out)-1].End)
		out = out[:MaxClauses]
	}
	for i := range out {
		out[i].Classify(s)
	}
	return out
}

// veil is a text with spaces in the place of code, whose words want nothing.
func veil(s string, found []facts.Fact) string {
	var text []byte
	for _, f := range found {
		if f.Kind == facts.Source && f.From == "" {
			if text == nil {
				text = []byte(s)
			}
			for i := f.Start; i < f.End; i++ {
				text[i] = ' '
			}
		}
	}
	if text == nil {
		return s
	}
	return string(text)
}

// MaxClauses bounds the work of one request; what comes after belongs to the last clause.
const MaxClauses = 12

// Soften cuts a sentence at conjunctions and commas where both sides want something.
func (p Splitter) Soften(s string, start, end int) []Clause {
	var out []Clause
	at := start
	lean, more := false, false
	told, until := SaidIn(s[:end], at)
	for _, m := range words.SoftBreak.FindAllStringIndex(s[start:end], 200) {
		a, b := start+m[0], start+m[1]
		if a <= at || b >= end || p.Inside(a, b) || told < a && a < until && saidOn(s[b:end]) {
			continue
		}
		if a == until {
			c := Span(s, at, a)
			c.After, c.Further = lean, more
			out = append(out, c)
			at, lean, more = b, leansOn.MatchString(strings.TrimLeft(s[a:b], " ,，")), false
			told, until = SaidIn(s[:end], at)
			continue
		}
		further := further.MatchString(s[a:b]) && p.topical(s[at:a]) && p.topical(FirstPart(s[b:end]))
		if !further && (!p.Wants(s[at:a]) && !tells(s[at:a]) || !p.Wants(FirstPart(s[b:end])) && !tells(FirstPart(s[b:end]))) {
			continue
		}
		// "A and B" inside a phrase is one wish, unless what follows begins like a wish of its own.
		joint := strings.Trim(strings.ToLower(s[a:b]), " ,，")
		if (joint == "and" || joint == "" || joint == "以及") && !p.Begins(s[b:end]) && !tells(FirstPart(s[b:end])) && !OtherGroups(s[at:a], s[b:end]) && !(CountHan.MatchString(s[at:a]) && countsThings.MatchString(s[b:end])) {
			continue
		}
		c := Span(s, at, a)
		c.After, c.Further = lean, more
		out = append(out, c)
		more = further
		at, lean = b, leansOn.MatchString(strings.TrimLeft(s[a:b], " ,，"))
	}
	c := Span(s, at, end)
	c.After, c.Further = lean, more
	return append(out, c)
}

// SaidIn is the next stretch of a text from a byte on that somebody shall be told; at its end twice when there is none.
func SaidIn(s string, at int) (from, until int) {
	i, ok := SaidFrom(s[at:])
	if _, sends := ChangeVerbs(s[at : at+i])["send"]; !ok || !sends && !TellOthers.MatchString(s[at:at+i]) {
		return len(s), len(s)
	}
	return at + i, SaidUntil(s, at+i)
}

// tells reports whether somebody shall be told something, in so many words.
func tells(s string) bool {
	from, until := SaidIn(s, 0)
	return from < until
}

// countsThings asks how many there are of something, and is whole without what stands before it: 有多少退款.
var countsThings = words.MustCompile(`^\s*(?:又|还|都|各)*有?(?:多少|几)[个单件笔位]?\p{Han}{2,}`)

// OtherGroups reports whether two stretches of text each want a figure, put together by different things: 每天的销售额是多少，各类目的销售额是多少.
func OtherGroups(a, b string) bool {
	x, y := ReadReckoning(a), ReadReckoning(b)
	return x.By != "" && y.By != "" && !slices.Contains(words.AlsoCalled(x.By), strings.ToLower(y.By)) &&
		len(words.Content(strings.Replace(x.Text, x.By, "", 1))) > 0 && len(words.Content(strings.Replace(y.Text, y.By, "", 1))) > 0
}

// Inside reports whether a stretch of text lies in a value: next month, 「先这样，然后那样」.
func (p Splitter) Inside(start, end int) bool {
	return slices.ContainsFunc(p.Facts, func(f facts.Fact) bool {
		return f.From == "" && f.Start < end && start < f.End && f.Kind != facts.Proper && f.Kind != facts.Compare
	})
}

// further: words that bring up another matter, so that what follows is a wish of its own though it has no verb: 还有洋酒的资质.
var further = words.MustCompile(`(?i)^[，,]\s*(?:还有|另外|此外|顺便|并且|同时)|^(?:另外|此外|顺便)|^[，,]?\s*(?:and also|also|additionally|furthermore|moreover|in addition)\b`)

// topical reports whether a stretch of text speaks of the catalogue's trade.
func (p Splitter) topical(s string) bool {
	for _, w := range words.Content(s) {
		if p.Topics[w] {
			return true
		}
	}
	return false
}

// FirstPart is the text up to the next comma.
func FirstPart(s string) string {
	if i := strings.IndexAny(s, ",，"); i > 0 {
		return s[:i]
	}
	return s
}

// Span is the clause between two bytes of a text.
func Span(s string, start, end int) Clause {
	for start < end && strings.ContainsRune(" \t\n，,。.;；、", words.FirstRune(s[start:])) {
		start += len(string(words.FirstRune(s[start:])))
	}
	return Clause{Text: strings.TrimSpace(s[start:end]), Start: start, End: end}
}

// Wants reports whether a stretch of text asks for something.
func (p Splitter) Wants(s string) bool {
	s = strings.TrimSpace(s)
	if p.Begins(s) || QuestionHan.MatchString(s) || QuestionEng.MatchString(s) {
		return true
	}
	if p.Loose {
		for _, w := range words.Pieces(s) {
			if v := words.Stem(strings.ToLower(w.Text)); !w.Han && (WishVerbs[v] || p.Verbs[v]) {
				return true
			}
		}
	}
	return false
}

// Begins reports whether a stretch of text begins like a wish.
func (p Splitter) Begins(s string) bool {
	s = strings.TrimLeft(s, " ,，、")
	if m := WantEng.FindStringSubmatch(s); m != nil {
		if v := words.Stem(strings.ToLower(m[1])); (WishVerbs[v] || p.Verbs[v]) && !(v == words.Stem("order") && orderNamed.MatchString(s[len(m[0]):])) {
			return true
		}
	}
	return WantHan.MatchString(s) || QuestionEng.MatchString(strings.TrimSuffix(s, "?")) && !strings.HasPrefix(s, "?")
}

// orderNamed: behind "order" it makes a thing of the verb.
var orderNamed = words.MustCompile(`^s?\s+(?:(?:no|id|number)\b[.:]?\s*|#\s*)?\d`)

// Classify settles what kind of wish the clause is.
func (c *Clause) Classify(s string) {
	c.Text = strings.TrimSpace(s[c.Start:c.End])
	c.Question = QuestionHan.MatchString(c.Text) || QuestionEng.MatchString(doNot.ReplaceAllString(c.Text, ""))
	c.Policy = (policyHan.MatchString(c.Text) || policyEng.MatchString(c.Text)) && !PoliteAsk.MatchString(c.Text)
	c.Advice = adviceAsk.MatchString(c.Text)
	c.Policy = c.Policy || c.Advice || howTo.MatchString(c.Text) && len(ChangeVerbs(c.Text)) > 0 && !PoliteAsk.MatchString(c.Text)
	c.Count = CountHan.MatchString(c.Text) || CountEng.MatchString(c.Text)
	c.Figure = ReadReckoning(c.Text)
	c.After = c.After || leansOn.MatchString(c.Text)
	own := c.Text
	if len(ChangeVerbs(own)) > 0 || TellOthers.MatchString(own) { // what is refused or reported is settled in the whole text: a scope may begin before the clause
		own = OwnWish(s)[c.Start+strings.Index(s[c.Start:c.End], own) : c.End]
	}
	c.Change = wished(c.Text, own, c.Question)
}

// Has reports whether a fact stands in the clause.
func (c Clause) Has(f facts.Fact) bool { return c.Start <= f.Start && f.End <= c.End }

// Refuses reports whether a clause does nothing but refuse a change: 先别发货.
func (c Clause) Refuses(s string) bool {
	return c.OnlyRefuses(s) && !words.LongNumber.MatchString(Unrefused(s)[c.Start:c.End])
}

// OnlyRefuses is [Clause.Refuses], where what is named beside the refusal may be no more than what it is about: 订单 281065253769 先别发货.
func (c Clause) OnlyRefuses(s string) bool {
	own := Unrefused(s)[c.Start:c.End]
	return len(ChangeVerbs(c.Text)) > 0 && len(ChangeVerbs(own)) == 0 && !ReadVerb.MatchString(own) && !c.Question
}

// Commands reports whether a clause begins with the verb of a change, or with what shall be changed: 把最贵的下架.
func (c Clause) Commands() bool {
	if len(c.Change) > 0 && takesHold.MatchString(c.Text) {
		return true
	}
	for verb, at := range c.Change {
		if at < len(c.Text) && asNoun.MatchString(c.Text[at+VerbLength(verb, c.Text[at:]):]) {
			continue
		}
		if lead := c.Text[:min(at, len(c.Text))]; strings.TrimSpace(beforeVerb.ReplaceAllString(lead, "")) == "" || !c.Question && toAllOrOne.MatchString(lead) && !hasHappened.MatchString(c.Text) {
			return true
		}
	}
	return false
}

var (
	// toAllOrOne stands before the verb of a command that begins with what is changed: 王萍萍的订单都 | 备注老客户, 订单281065412730 | 退200块.
	toAllOrOne = words.MustCompile(`(?:都|全部|统统|统一|一律)(?:给我|先|再|直接)*$|\d{6,}\s*$`)
	// hasHappened ends what is told, and not wished.
	hasHappened = words.MustCompile(`[了吗呢][。？?！!]*$`)
)

// Deed is the verb of the change that a clause asks for: the last where what it is done to comes first, 把退款都同意了, else the first; "" when there is none.
func (c Clause) Deed() string {
	out := FirstVerb(c.Change)
	if m := takesHold.FindStringSubmatch(c.Text); m != nil && m[1] != "" {
		for v, i := range c.Change {
			if i > c.Change[out] {
				out = v
			}
		}
	}
	return out
}

// asNoun: what stands before it is a matter that is measured, and no command: 退款最多的原因.
var asNoun = words.MustCompile(`^(?:的|金额|数量?|次数|率)*最`)

// takesHold begins a command with what it is done to.
var takesHold = words.MustCompile(`^(?:请你?|麻烦你?|帮我|帮忙|给我|现在|马上|立刻|然后)*(?:(把|将)|给|替)`)

// beforeVerb: what may stand before it.
var beforeVerb = words.MustCompile(`(?i)请|麻烦|帮我|给我|把|将|全部|都|\b(?:please|kindly|can|could|you|now|just)\b`)
