package plan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// clause is a part of the request that wants one thing.
type clause struct {
	text       string
	start, end int // bytes of the goal's text
	question   bool
	policy     bool           // asks what is allowed, who bears, what is required: a matter of rules
	advice     bool           // asks what would be wise
	count      bool           // asks for a number
	change     map[string]int // verbs of change it asks for, with their places
	after      bool           // continues what an earlier clause yields
	further    bool           // brings up another matter
	half       bool           // shares the verb of the clause before it
	figure     reckoning      // what is to be worked out from what is listed
}

var (
	questionHan = hinted{regexp.MustCompile(`[?？]|吗|呢\s*$|什么|哪|多少|几[个单件天家款条]|怎么|怎样|如何|为什么|为何|是否|是不是|有没有|能不能|能否|可不可以|可否|要不要|会不会|谁|多[久大远高重长宽深快厚]|啥`), []string{"?"}}
	questionEng = regexp.MustCompile(`(?i)\?|^\s*(what|which|who|whose|when|where|why|how|is|are|do|does|did|has|have|can i|may i|should|will)\b`)
	// doNot begins like a question and is none.
	doNot = regexp.MustCompile(`(?i)^\s*do not\b`)
	// policyHan and policyEng: questions of permission, duty and requirement.
	policyHan = hinted{regexp.MustCompile(`能不能|能否|可不可以|可否|可以.*吗|能.{0,12}吗|是否(?:可以|需要|允许|必须)|需不需要|(?:由|归|让)?谁(?:承担|负责|来|出|付|赔)|怎么(?:处理|办|判|算|规定|赔)|违规|处罚|扣分|罚|赔偿|赔付|违约|规则|规定|要求是|标准|允许|必须|可以不|不可以|要赔|多久(?:内|之内)|期限|时效`), nil}
	policyEng = hinted{regexp.MustCompile(`(?i)\b(can i|may i|am i allowed|are .{0,30} allowed|is it (allowed|ok|permitted|possible)|do i have to|must i|who (bears?|pays?|is responsible|covers?)|rules?|polic(y|ies)|allowed to|penalt(y|ies)|what happens (if|when)|required to)\b|^\s*(?:can|may|must) (?:an? |the |my |our |their )?(?:buyers?|sellers?|customers?|clients?|shops?|stores?|merchants?|people|we|they|someone|anybody)\b`), []string{"can ", "may ", "allowed", "is it", "do i", "must", "who ", "rule", "polic", "penalt", "what happens", "required"}}
	// adviceAsk: what would be wise, which is a matter of rules only when nothing gives advice on it.
	adviceAsk = hinted{regexp.MustCompile(`(?i)要不要|该不该|应不应该|是不是该|是否(?:应该|需要|值得)|值不值得|\b(?:should (?:i|we)|whether to|is it (?:worth|wise))\b`), []string{"should", "whether", "worth", "wise"}}
	// howTo: asks for the way to make a change, not for the change.
	howTo     = hinted{regexp.MustCompile(`(?i)怎么|如何|怎样|\bhow (?:do|can|should|to)\b`), []string{"how"}}
	countHan  = hinted{regexp.MustCompile(`多少|几[个单件家款条笔位]|数量|总数|总共|一共`), nil}
	countEng  = hinted{regexp.MustCompile(`(?i)\bhow many|number of|count\b`), []string{"how many", "number of", "count"}}
	politeAsk = hinted{regexp.MustCompile(`(?i)帮(?:我|忙|我们)|^请|麻烦|(?:could|can|would|will) you|please|给我|(?:能不能|能否|可不可以|可以|能)(?:查|看|列|告诉|预测|统计|找|搜|推荐|分析)`), []string{"you", "please"}}
	// hardBreak and softBreak part clauses; at a soft one both sides must want something of their own.
	hardBreak = regexp.MustCompile(`[。；;！!\n]+|[?？]+|\.\s+`)
	softBreak = regexp.MustCompile(`(?i)[，,]?\s*(?:并且|并|然后再|然后|接着|之后再|随后|同时|另外|此外|还有|顺便|以及|最后|and then|then|and also|also|and finally|finally|after that|afterwards|additionally|furthermore|moreover|in addition|next|subsequently|lastly)[，,]?\s*|[，,]\s*(?:and\s+|再|也|又)?|\s+and\s+`)
	// wantHan and wantEng: a clause that asks for something to be done begins like this.
	wantHan = hinted{regexp.MustCompile(`^(?:现在|立刻|马上|今天|今晚|明天|后天|[，,、]|请|麻烦|帮我|帮忙|给我|我想|我要|想|需要|能不能|可以|然后|接着|再|就|都|也|最后|有的话|如果有的?话?|如有|要是有的?话?|若有|[，,])*\s*(?:(?:给|为|替|向|跟|对|和|用|按照?|根据|从|通过|针对)[^，,。；！？]{1,16}?|在[^，,。；！？]{1,40}?(?:里面?|中|末尾|结尾|开头|最后|后面|前面|上)\s*)?(?:分别|逐个|逐一|统一|一一|各|都)?(?:一下)?(?:查|看|找|搜|统计|预测|预估|估|分析|建议|推荐|给出|告诉|列|算|计算|对比|比较|生成|写|发|取消|修改|更改|改|编辑|替换|追加|添加|加|退款|退|发货|催|开票|开发票|开具|提报|策划|制定|同意|批准|通过|审批|上架|下架|补货|通知|回复|答复|提醒|跟踪|追踪|显示|导出|总结|汇总|关闭|删除|创建|新建|申请|设置|运行|执行|跑|读取|保存|评估|判断|规划|把|将)`), nil}
	wantEng = regexp.MustCompile(`(?i)^(?:(?:and|then|also|next|now|so|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?|additionally|furthermore|moreover|conclusively|subsequently|afterwards?|thereafter|meanwhile|in addition|at the same time|(?:following|after|upon|once|before|if|based on|using|with|in|as|for|when|given|considering|to)\b[^,.]{0,90}),?\s+)?(?:please|kindly|i (?:want|need|wish|would like|'d like)(?: you)?(?: to)?|i'd like(?: you)? to|i(?:'m| am) (?:looking|interested|hoping|going|trying)\b\w*|could you|can you|would you|will you|help(?: me)?(?: to)?|let's|go ahead and|proceed to|assist (?:me )?(?:in|with)|also|then|to|,|\s)*([a-z]+)`)
	// leansOn: words that point back to what an earlier clause yields.
	leansOn = hinted{regexp.MustCompile(`(?i)^(?:然后|接着|之后|随后|then|and then|after that|afterwards|subsequently)|根据(?:结果|以上|上述|这个|此)|据此|这些|他们|它们|其中|把它|将其|\b(?:them|those|these|their|the results?|based on (?:that|this|the))\b`), []string{"then", "after", "subsequently", "them", "those", "these", "their", "result", "based on"}}
)

// wishVerbs are the English verbs that requests begin with; the first words of a catalogue's names and descriptions join them.
var wishVerbs = stems(`add adjust advise alert allocate analyse analyze append apply approve arrange ask assess assign assist authenticate book build buy calculate call cancel change charge check choose close collect compare compute conduct configure confirm convert coordinate count create delete decrease deploy describe design detect determine develop diagnose display download draw edit email encrypt enroll ensure establish estimate evaluate examine execute explain extract fetch filter find forecast gather generate get give hire identify implement increase inform initiate inspect insert install investigate invite list locate look lower make manage measure modify monitor notify obtain offer open optimise optimize order organise organize overwrite pay perform plan play post predict prepare proceed process propose provide publish purchase raise rank rate recommend record reduce refund register reject remove rent replace replenish reply report request reserve restock retrieve review run save say schedule search secure select send set share ship show sort start stop submit suggest summarise summarize tell test track transfer translate treat update upload urge verify visualise visualize write`)

// stems is a set of stemmed words.
func stems(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[stem(w)] = true
	}
	return m
}

// splitter cuts texts into clauses, knowing the verbs of a catalogue beside the common ones.
type splitter struct {
	verbs map[string]bool
	// topics are the words of a catalogue's trade; nil: not known.
	topics map[string]bool
	// loose takes any sentence with such a verb for a wish: a plan of all calls at once must not miss one that is told as a
	// fact ("The warranty should be checked").
	loose bool
	// facts are values read from the text, inside which it is not cut.
	facts []fact
}

// clauses cuts a text into the parts that each want one thing. A part that only tells circumstances goes with the part it
// belongs to: the next one, or the last.
func (p splitter) clauses(s string) []clause {
	s = veil(s, p.facts)
	var cuts []clause
	at := 0
	for _, m := range append(hardBreak.FindAllStringIndex(s, 200), []int{len(s), len(s)}) {
		if p.inside(m[0], m[1]) {
			continue
		}
		end := m[0]
		if m[1] > m[0] && strings.ContainsAny(s[m[0]:m[1]], "?？") {
			end = m[1] // the question mark belongs to the clause
		}
		if end > at {
			cuts = append(cuts, p.soften(s, at, end)...)
		}
		at = max(at, m[1])
	}
	var out []clause
	var waiting *clause // circumstances told before the wish
	for _, c := range cuts {
		trimmed := strings.TrimSpace(c.text)
		if trimmed == "" {
			continue
		}
		if !c.further && !p.wants(c.text) {
			if len(out) > 0 && waiting == nil {
				out[len(out)-1] = span(s, out[len(out)-1].start, c.end)
				continue
			}
			if waiting == nil {
				w := c
				waiting = &w
			} else {
				waiting.end = c.end
			}
			continue
		}
		if waiting != nil {
			c.start = waiting.start
			waiting = nil
		}
		n := span(s, c.start, c.end)
		n.after = c.after
		out = append(out, n)
	}
	if waiting != nil {
		out = append(out, span(s, waiting.start, waiting.end))
	}
	if len(out) > maxClauses {
		out[maxClauses-1] = span(s, out[maxClauses-1].start, out[len(out)-1].end)
		out = out[:maxClauses]
	}
	for i := range out {
		out[i].classify(s)
	}
	return out
}

// veil is a text with spaces in the place of code, whose words want nothing.
func veil(s string, facts []fact) string {
	var text []byte
	for _, f := range facts {
		if f.kind == factSource && f.from == "" {
			if text == nil {
				text = []byte(s)
			}
			for i := f.start; i < f.end; i++ {
				text[i] = ' '
			}
		}
	}
	if text == nil {
		return s
	}
	return string(text)
}

// maxClauses bounds the work of one request; what comes after belongs to the last clause.
const maxClauses = 12

// soften cuts a sentence at conjunctions and commas where both sides want something.
func (p splitter) soften(s string, start, end int) []clause {
	var out []clause
	at := start
	lean, more := false, false
	for _, m := range softBreak.FindAllStringIndex(s[start:end], 200) {
		a, b := start+m[0], start+m[1]
		if a <= at || b >= end || p.inside(a, b) {
			continue
		}
		further := further.MatchString(s[a:b]) && p.topical(s[at:a]) && p.topical(firstPart(s[b:end]))
		if !further && (!p.wants(s[at:a]) || !p.wants(firstPart(s[b:end]))) {
			continue
		}
		// "A and B" inside a phrase is one wish, unless what follows begins like a wish of its own.
		joint := strings.Trim(strings.ToLower(s[a:b]), " ,，")
		if (joint == "and" || joint == "" || joint == "以及") && !p.begins(s[b:end]) {
			continue
		}
		c := span(s, at, a)
		c.after, c.further = lean, more
		out = append(out, c)
		more = further
		at, lean = b, leansOn.MatchString(strings.TrimLeft(s[a:b], " ,，"))
	}
	c := span(s, at, end)
	c.after, c.further = lean, more
	return append(out, c)
}

// inside reports whether a stretch of text lies in a value: next month, 「先这样，然后那样」.
func (p splitter) inside(start, end int) bool {
	return slices.ContainsFunc(p.facts, func(f fact) bool {
		return f.from == "" && f.start < end && start < f.end && f.kind != factProper && f.kind != factCompare
	})
}

// further: words that bring up another matter, so that what follows is a wish of its own though it has no verb: 还有洋酒的资质.
var further = regexp.MustCompile(`(?i)^[，,]\s*(?:还有|另外|此外|顺便|并且|同时)|^(?:另外|此外|顺便)|^[，,]?\s*(?:and also|also|additionally|furthermore|moreover|in addition)\b`)

// topical reports whether a stretch of text speaks of the catalogue's trade.
func (p splitter) topical(s string) bool {
	for _, w := range content(s) {
		if p.topics[w] {
			return true
		}
	}
	return false
}

// firstPart is the text up to the next comma.
func firstPart(s string) string {
	if i := strings.IndexAny(s, ",，"); i > 0 {
		return s[:i]
	}
	return s
}

func span(s string, start, end int) clause {
	for start < end && strings.ContainsRune(" \t\n，,。.;；、", firstRune(s[start:])) {
		start += len(string(firstRune(s[start:])))
	}
	return clause{text: strings.TrimSpace(s[start:end]), start: start, end: end}
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// wants reports whether a stretch of text asks for something.
func (p splitter) wants(s string) bool {
	s = strings.TrimSpace(s)
	if p.begins(s) || questionHan.MatchString(s) || questionEng.MatchString(s) {
		return true
	}
	if p.loose {
		for _, w := range pieces(s) {
			if v := stem(strings.ToLower(w.text)); !w.han && (wishVerbs[v] || p.verbs[v]) {
				return true
			}
		}
	}
	return false
}

// begins reports whether a stretch of text begins like a wish.
func (p splitter) begins(s string) bool {
	s = strings.TrimLeft(s, " ,，、")
	if m := wantEng.FindStringSubmatch(s); m != nil {
		if v := stem(strings.ToLower(m[1])); (wishVerbs[v] || p.verbs[v]) && !(v == stem("order") && orderNamed.MatchString(s[len(m[0]):])) {
			return true
		}
	}
	return wantHan.MatchString(s) || questionEng.MatchString(strings.TrimSuffix(s, "?")) && !strings.HasPrefix(s, "?")
}

// orderNamed: behind "order" it makes a thing of the verb.
var orderNamed = regexp.MustCompile(`^s?\s+(?:(?:no|id|number)\b[.:]?\s*|#\s*)?\d`)

// classify settles what kind of wish the clause is.
func (c *clause) classify(s string) {
	c.text = strings.TrimSpace(s[c.start:c.end])
	c.question = questionHan.MatchString(c.text) || questionEng.MatchString(doNot.ReplaceAllString(c.text, ""))
	c.policy = (policyHan.MatchString(c.text) || policyEng.MatchString(c.text)) && !politeAsk.MatchString(c.text)
	c.advice = adviceAsk.MatchString(c.text)
	c.policy = c.policy || c.advice || howTo.MatchString(c.text) && len(changeVerbs(c.text)) > 0 && !politeAsk.MatchString(c.text)
	c.count = countHan.MatchString(c.text) || countEng.MatchString(c.text)
	c.figure = readReckoning(c.text)
	c.after = c.after || leansOn.MatchString(c.text)
	own := c.text
	if len(changeVerbs(own)) > 0 || tellOthers.MatchString(own) { // what is refused or reported is settled in the whole text: a scope may begin before the clause
		own = ownWish(s)[c.start+strings.Index(s[c.start:c.end], own) : c.end]
	}
	c.change = wished(c.text, own, c.question)
}

// Classify chooses between the modes: plan for a request that wants several things, or one long enough to hide some; react
// for all others.
func Classify(request string) bus.Mode {
	request = clip(request, MaxText)
	if len(splitter{}.clauses(request)) > 1 || len([]rune(request)) > 400 {
		return bus.Plan
	}
	return bus.React
}

var smallTalk = regexp.MustCompile(`(?i)^(?:亲(?:亲|爱的)?|请问|那|那么)?(?:你好|您好|哈喽|嗨|喂|在吗|在不在|在么|早|早上好|上午好|中午好|下午好|晚上好|晚安|谢谢|多谢|感谢|谢了|谢谢你|辛苦了|再见|拜拜|好的|好|嗯|哦|收到|知道了|明白了?|没事了?|不用了|算了(?:不做了)?|不用管了?|不做了|作罢|你是谁|你叫什么(?:名字)?|(?:你|您)?(?:都|还|又|到底|究竟)?(?:能|会|可以|能够)(?:帮我|为我|替我)?(?:做|干|帮)?(?:点|些|到)?(?:什么|啥|哪些|嘛|吗)(?:事情?|活儿?|忙|功能)?|有(?:什么|哪些|啥)功能|帮助|可以|亲|ok|okay|hi|hello|hey|yo|hiya|good (?:morning|afternoon|evening|night)|thanks?(?: you| a lot| so much)?|thx|(?:ok |oh |please )?(?:just )?(?:forget (?:it|about it|that)|never ?mind|nvm|drop it)|bye|goodbye|see you|great|cool|nice|got it|yes|no|help|who are you|what (?:all )?(?:can|could|do) (?:you|u) (?:do|help)(?: (?:for|with|me|us)){0,3}|how can you help(?: (?:me|us))?|what are you able to do|how are you(?: doing)?|(?:hi|hello|hey),? there|test(?:ing)?|测试|试试)(?:[啊呀哦吗呢吧哈了亲你您]{0,2})$`)

// SmallTalk reports whether the request is a greeting, thanks or as short a word that no tool is needed for.
func SmallTalk(request string) bool {
	request = clip(request, 200)
	for part := range strings.FieldsFuncSeq(request, func(r rune) bool { return strings.ContainsRune(",.!?~，。！？～、;；\n", r) }) {
		if part = strings.TrimSpace(part); part != "" && !smallTalk.MatchString(part) {
			return false
		}
	}
	return true // also of nothing but marks
}
