package plan

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// hanCards are the cards as a Chinese request finds them: by pairs of signs, by pairs with a sign between them (下单 in 下订单), and by
// single signs. The weights that English sets taught say nothing here: Chinese has no borders between words, its cards have names in
// another language, and what a request tells beside its wish has as many words as the wish.
type hanCards struct {
	terms   *postings[string]
	about   [][]int   // by card: the terms of its description, each once
	whole   []float64 // by card: how telling they are together
	several []bool    // by card: it is for several things at once
}

// newHanCards gives nil for a catalogue that mostly speaks another language.
func newHanCards(entries []*entry) *hanCards {
	spoken := 0
	for _, e := range entries {
		if language(e.Description) == "zh" {
			spoken++
		}
	}
	if 2*spoken <= len(entries) {
		return nil
	}
	n := len(entries)
	h := &hanCards{about: make([][]int, n), whole: make([]float64, n), several: make([]bool, n)}
	docs, about := make([][]weighted[string], n), make([][]string, n)
	beside(n, func(i int) {
		e := entries[i]
		var fields strings.Builder
		for _, f := range e.params {
			fields.WriteString(f.Name + " " + f.head() + " " + strings.Join(f.Enum, " ") + " ")
		}
		for _, f := range e.returns {
			fields.WriteString(f.Name + " " + f.head() + " ")
		}
		near, far, signs := hanTerms(e.Description + " " + strings.Join(e.Tags, " ") + " " + strings.Join(e.Skills, " "))
		_, about[i] = bag(near)
		_, single := bag(signs)
		nearName, _, _ := hanTerms(e.Name)
		nearField, farField, _ := hanTerms(fields.String())
		docs[i] = []weighted[string]{{near, 2}, {far, 1}, {single, 0.25}, {nearName, 2}, {nearField, 0.5}, {farField, 0.25}}
		h.several[i] = severalThings.MatchString(e.Description)
	})
	h.terms = newPostings(docs)
	for i, terms := range about {
		for _, t := range terms {
			id := h.terms.id(t)
			h.about[i] = append(h.about[i], id)
			h.whole[i] += h.terms.idf(id)
		}
	}
	return h
}

// severalThings: a tool that sets things beside each other, or takes many, is of no use for one.
var severalThings = regexp.MustCompile(`多个|多款|多件|若干|批量|对比|比较`)

// hanTerms are the terms of a text: Latin words and pairs of neighbouring signs; pairs with a sign between them; and single signs, marked as
// such.
func hanTerms(s string) (near, far, signs []string) {
	for _, t := range content(s) {
		if rs := []rune(t); len(rs) > 1 {
			near = append(near, t)
		}
	}
	for _, p := range pieces(s) {
		if !p.han {
			continue
		}
		for _, r := range contentRuns(p.text) {
			rs := []rune(r.text)
			for i := range rs {
				signs = append(signs, oneSign+string(rs[i]))
				if i+2 < len(rs) {
					far = append(far, string([]rune{rs[i], rs[i+2]}))
				}
			}
		}
	}
	return near, far, signs
}

// oneSign marks a single sign, so that it is not the word of one sign.
const oneSign = "·"

// What the parts of a request are worth for the choice of its tool. The order of these matters and their exact size does not: with each of
// them halved or doubled, ECom-Bench stays within two points.
const (
	hanWish  = 1.0  // it wishes or asks
	hanPlain = 0.7  // it says neither
	hanUnder = 0.2  // a reason or condition of another part
	hanTold  = 0.05 // what happened, or what the user hands over
	hanAside = 0.5  // between brackets
	hanLast  = 1.2  // times: the last part of a request is what it comes to

	hanHow     = 0.4  // times: words that tell which thing is meant, or by what means
	hanAcross  = 0.3  // times: a pair that lies across the border of two words
	hanGeneral = 0.25 // times: a word that goes with every topic
	hanSign    = 0.25 // times: a single sign

	hanCovers  = 10.0 // what a request that says all words of a card is worth, beside BM25
	hanSeveral = 4.0  // what it is worth that a tool for several things has several
	hanOnlyOne = 0.3  // times: it has only one
	hanBar     = 0.8  // a tool must be spoken of by so much of one word that it alone has
)

var (
	asideHan  = regexp.MustCompile(`[（(][^（）()]{0,600}[）)]`)
	partHan   = regexp.MustCompile(`[^，,。；;？?！!\n]+[？?]?`)
	noteHan   = regexp.MustCompile(`^但?(?:注意|禁止|不要|不得|请勿|切勿|备注)`)
	fillHan   = regexp.MustCompile(`^(?:然后|最后|接着|同时|之后|现在|此外|另外|但是?|并且?|你|我)*`)
	underHan  = regexp.MustCompile(`^(?:由于|因为|如果|假如|若|要是|既然|虽然|当|自从)|(?:后|之后|时|的时候|的话)$`)
	wishHan   = regexp.MustCompile(`希望|想|要求|需要|帮|让|请|要|咨询|询问|提出|决定|考虑|选择|确认|申请`)
	strongHan = regexp.MustCompile(`希望|想|要求|需要|帮|让|咨询|询问|提出|申请`)
	orNotHan  = regexp.MustCompile(`(?:没有?|不)$`) // 开了没有
	doneHan   = regexp.MustCompile(`[了过]|已经|曾经|^(?:之前|以前|刚才|往常)`)
	handHan   = regexp.MustCompile(`发|附上|给|提供|上传|展示|反馈|出示`)
	// labelHan: only names the value behind it, which is blank: 订单号为….
	labelHan = regexp.MustCompile(`^[\p{Han}\w]{1,12}\s*(?:为|是|[:：])$`)
	// whomHan: whom the request speaks to is no topic of it.
	whomHan = regexp.MustCompile(`(?:让|请|向|给|跟|和|由|要求|希望|麻烦|咨询|询问|联系|如果|若|除非|要)(客服人员|客服|商家|店家|卖家|店主|店员|老板|助手|助理|你们|您|他|她)`)
	// howHan: 购买了…的 tells which thing is meant, 根据… by what.
	howHan = regexp.MustCompile(`\p{Han}{1,2}[过了][^，。的]*的|(?:根据|按照?|基于|参考|使用|用)[^，。的]*`)
	// listHan: two values in a row.
	listHan = regexp.MustCompile(`(?:https?://[!-~]+|[0-9A-Za-z_-]*\d{5,})\s*[，、,；和及与]\s*(?:https?://[!-~]+|[0-9A-Za-z_-]*\d{5,})`)
)

// generalHan are words that go with every topic: abstract nouns, and verbs that leave the deed to their object.
var generalHan = func() map[string]bool {
	m := set(`信息 政策 规则 规定 问题 情况 服务 说明 流程 方式 要求 内容 详情 记录 资料 条件 标准 原因 结果 进度 状态 提交 申请 进行 执行 办理 处理 操作 提供
		希望 咨询 询问 反馈 确认 包含 包括`)
	for w := range lightHan {
		if len([]rune(w)) > 1 {
			m[w] = true
		}
	}
	return m
}()

// knownHan are words whose borders are known.
var knownHan = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range []map[string]bool{generalHan, wordsHan} {
		for w := range s {
			m[w] = true
		}
	}
	for _, g := range changeGroups {
		for _, v := range g {
			if isHan(firstRune(v)) {
				m[v] = true
			}
		}
	}
	return m
}()

// hanPart is a part of a clause between marks, with its worth. The text has blanks where it speaks of no topic.
type hanPart struct {
	text   string
	weight float64
}

// hanParts weighs the parts of a text. Values in it are no topic.
func hanParts(text string, values []fact) []hanPart {
	b := []byte(masked(text, values, " "))
	asides := asideHan.FindAllIndex(b, 20)
	inner := make([]string, len(asides))
	for i, a := range asides {
		inner[i] = string(b[a[0]:a[1]])
		copy(b[a[0]:a[1]], strings.Repeat(" ", a[1]-a[0]))
	}
	var out []hanPart
	for _, p := range partHan.FindAllString(string(b), 200) {
		if strings.TrimSpace(p) != "" {
			out = append(out, hanPart{text: strings.TrimSpace(p)})
		}
	}
	for i := range out {
		p := &out[i]
		bare := p.text[len(fillHan.FindString(p.text)):]
		whom := whomHan.FindStringSubmatchIndex(p.text)
		switch last := i == len(out)-1; {
		case underHan.MatchString(bare) && !last:
			p.weight = hanUnder
		case labelHan.MatchString(bare):
			p.weight = hanTold
		case whom != nil && handHan.MatchString(p.text) && !strongHan.MatchString(p.text):
			p.weight = hanTold
		case wishesHan(bare):
			p.weight = hanWish
		case doneHan.MatchString(howHan.ReplaceAllString(bare, "")):
			p.weight = hanTold
		case wishHan.MatchString(bare):
			p.weight = hanWish
		default:
			p.weight = hanPlain
		}
		if i == len(out)-1 {
			p.weight *= hanLast
		}
		if whom != nil {
			p.text = p.text[:whom[2]] + " " + p.text[whom[3]:]
		}
	}
	for _, a := range inner {
		for _, p := range partHan.FindAllString(strings.Trim(a, "（）()"), 50) {
			if p = strings.TrimSpace(p); noteHan.MatchString(p) {
				break // the rest says how to talk, not what is wanted
			}
			if !labelHan.MatchString(p) {
				out = append(out, hanPart{p, hanAside})
			}
		}
	}
	return out
}

// masked is a text with a sign for each byte of the values.
func masked(text string, values []fact, sign string) string {
	b := []byte(text)
	for _, f := range values {
		copy(b[f.start:f.end], strings.Repeat(sign, f.end-f.start))
	}
	return string(b)
}

// terms adds the terms of the part to those of the request; each is worth what it is where it is worth most.
func (p hanPart) terms(into map[string]float64, order *[]string) {
	how := howHan.FindAllStringIndex(p.text, 20)
	add := func(t string, at int, w float64) {
		for _, h := range how {
			if h[0] <= at && at < h[1] {
				w *= hanHow
				break
			}
		}
		if into[t] == 0 {
			*order = append(*order, t)
		}
		into[t] = max(into[t], w*p.weight)
	}
	for _, w := range pieces(p.text) {
		if !w.han {
			if s := strings.ToLower(w.text); !stopEnglish[s] && !digits(s) {
				add(stem(s), w.start, 1)
			}
			continue
		}
		borders := hanBorders(w.text)
		for _, r := range contentRuns(w.text) {
			at, before := r.start, ""
			for _, c := range r.text {
				s := string(c)
				add(oneSign+s, w.start+at, hanSign)
				if before != "" {
					v := ifElse(borders[at], hanAcross, 1)
					if generalHan[before+s] {
						v *= hanGeneral
					}
					add(before+s, w.start+at-len(before), v)
				}
				before = s
				at += len(s)
			}
		}
	}
}

// hanBorders are the places where a known word begins or ends.
func hanBorders(run string) map[int]bool {
	out := map[int]bool{}
	for at := 0; at < len(run); {
		step := len(string(firstRune(run[at:])))
		for n := maxHanWord; n > 1; n-- {
			if w := firstRunes(run[at:], n); knownHan[w] {
				out[at], out[at+len(w)] = true, true
				step = len(w)
				break
			}
		}
		at += step
	}
	return out
}

// firstRunes are the first n runes, or fewer.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// score tells by card how much a stretch of the request speaks for it; 0 for what stays below the bar.
func (h *hanCards) score(text string, values []fact) []float64 {
	said, order := map[string]float64{}, []string{}
	for _, p := range hanParts(text, values) {
		p.terms(said, &order)
	}
	out := make([]float64, len(h.about))
	byID := map[int]float64{}
	for _, t := range order {
		if id := h.terms.id(t); id >= 0 {
			byID[id] = said[t]
			h.terms.add(id, said[t]*h.terms.idf(id), out)
		}
	}
	many := listHan.MatchString(text)
	bar := hanBar * math.Log(1+(float64(len(out))+0.5)/1.5)
	for i := range out {
		if out[i] == 0 {
			continue
		}
		covered := 0.0
		for _, id := range h.about[i] {
			covered += min(1, byID[id]) * h.terms.idf(id)
		}
		if h.whole[i] > 0 {
			out[i] += hanCovers * covered / h.whole[i]
		}
		switch {
		case h.several[i] && many:
			out[i] += hanSeveral
		case h.several[i]:
			out[i] *= hanOnlyOne
		}
		if out[i] < bar {
			out[i] = 0
		}
	}
	return out
}

// wishesHan reports whether a part of a text wishes or asks for something.
func wishesHan(part string) bool {
	return strongHan.MatchString(part) || wantHan.MatchString(part) || questionHan.MatchString(part) || orNotHan.MatchString(part)
}

// hanClauses cuts the request where a part that wishes follows upon another one.
func (x *Index) hanClauses(g *goal) []clause {
	if x.options.Without.Model {
		return g.clauses
	}
	var out []clause
	text := masked(g.text, x.literals(g), "_") // the ? of a link asks nothing
	for _, c := range (splitter{verbs: x.verbs, topics: x.trade, facts: g.facts}).clauses(text) {
		at := c.start
		for _, m := range nextHan.FindAllStringIndex(text[c.start:c.end], 50) {
			cut := c.start + m[0]
			if cut > at && len(out) < maxClauses && wishesHan(text[at:cut]) && wishesHan(text[c.start+m[1]:c.end]) {
				out = append(out, span(g.text, at, cut))
				at = cut
			}
		}
		out = append(out, span(g.text, at, c.end))
	}
	return out
}

// nextHan are words that bring up the next wish.
var nextHan = regexp.MustCompile(`[，,]\s*(?:然后|接着|随后|另外|此外|还有|还想|还要|同时|顺便|最后|再|并)`)

// hanTerminals are the tools of a Chinese request, one for each clause, those that wish nothing left out; ok is false where the cards
// speak another language. An agent is found by the tools behind it.
func (x *Index) hanTerminals(g *goal) (out []terminal, ok bool) {
	at := x
	if x.behind != nil {
		at = x.behind.index
	}
	if at.han == nil || language(g.text) != "zh" {
		return nil, false
	}
	all := x.literals(g)
	for _, c := range at.hanClauses(g) {
		var values []fact
		for _, f := range all {
			if c.start <= f.start && f.end <= c.end {
				f.start, f.end = f.start-c.start, f.end-c.start
				values = append(values, f)
			}
		}
		score := at.han.score(g.text[c.start:c.end], values)
		at.mix(g, c, score)
		best := greatest(score, 1)
		if len(best) == 0 {
			continue
		}
		e := at.entries[best[0]]
		if at != x {
			e = x.behind.agent(x, e)
		}
		if !slices.ContainsFunc(out, func(t terminal) bool { return t.e == e }) {
			out = append(out, terminal{e, c, hanSure})
		}
	}
	return out, true
}

// agent is whose tool it is, or the card itself where nobody on offer has it.
func (b *behind) agent(x *Index, tool *entry) *entry {
	name := tool.Name
	if owners := b.owner[name]; len(owners) > 0 {
		name = owners[0]
	}
	return x.byName[name]
}

// mix adds what the choice for the next round says (see [Index.judge]) to scores of a clause, where any card has one: it knows what the
// facts of the clause fit, and by what other names the cards know a thing.
func (x *Index) mix(g *goal, c clause, score []float64) {
	top := slices.Max(score)
	if top <= 0 || len(x.entries) > smallHouse || x.options.Without.Model {
		return
	}
	c.classify(g.text)
	for _, j := range x.judge(g, c, nil) {
		i := j.e.n
		score[i] = score[i]/top + hanJudged*j.total
		if j.lost != "" && j.e.Effect != "" {
			score[i] -= hanLost
		}
	}
}

// What the judgement for the next round weighs against the pairs of signs, and what it takes off when that would not take the tool. At
// 0 the requests of testdata/phrasings.txt have a tool F1 of 69, from 0.7 to 2 of 95; on ECom-Bench it hardly matters up to 1.
const (
	hanJudged = 0.7
	hanLost   = 1.0
)

// hanSure stands for how likely the request wants a tool that a Chinese clause speaks of most: about so many are right.
const hanSure = 0.85
