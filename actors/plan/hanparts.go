package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What the parts of a request are worth for the choice of its tool. The order of these matters and their exact size does not: with any of
// them, or of those of han.go, halved or doubled, ECom-Bench loses three points at most (89.9 to 87.2).
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
)

var (
	asideHan  = words.MustCompile(`[（(][^（）()]{0,600}[）)]`)
	partHan   = words.MustCompile(`[^，,。；;？?！!\n]+[？?]?`)
	noteHan   = words.MustCompile(`^但?(?:注意|禁止|不要|不得|请勿|切勿|备注)`)
	fillHan   = words.MustCompile(`^(?:然后|最后|接着|同时|之后|现在|此外|另外|但是?|并且?|你|我)*`)
	underHan  = words.MustCompile(`^(?:由于|因为|如果|假如|若|要是|既然|虽然|当|自从)|(?:后|之后|时|的时候|的话)$`)
	wishHan   = words.MustCompile(`希望|想|要求|需要|帮|让|请|要|咨询|询问|提出|决定|考虑|选择|确认|申请`)
	strongHan = words.MustCompile(`希望|想|要求|需要|帮|让|咨询|询问|提出|申请`)
	orNotHan  = words.MustCompile(`(?:没有?|不)$`) // 开了没有
	doneHan   = words.MustCompile(`[了过]|已经|曾经|^(?:之前|以前|刚才|往常)`)
	handHan   = words.MustCompile(`发|附上|给|提供|上传|展示|反馈|出示`)
	// labelHan: only names the value behind it, which is blank: 订单号为….
	labelHan = words.MustCompile(`^[\p{Han}\w]{1,12}\s*(?:为|是|[:：])$`)
	// whomHan: whom the request speaks to is no topic of it.
	whomHan = words.MustCompile(`(?:让|请|向|给|跟|和|由|要求|希望|麻烦|咨询|询问|联系|如果|若|除非|要)(客服人员|客服|商家|店家|卖家|店主|店员|老板|助手|助理|你们|您|他|她)`)
	// howHan: 购买了…的 tells which thing is meant, 根据… by what.
	howHan = words.MustCompile(`\p{Han}{1,2}[过了][^，。的]*的|(?:根据|按照?|基于|参考|使用|用)[^，。的]*`)
	// listHan: two values in a row.
	listHan = words.MustCompile(`(?:https?://[!-~]+|[0-9A-Za-z_-]*\d{5,})\s*[，、,；和及与]\s*(?:https?://[!-~]+|[0-9A-Za-z_-]*\d{5,})`)
)

// generalHan are words that go with every topic: abstract nouns, and verbs that leave the deed to their object.
var generalHan = func() map[string]bool {
	m := words.Set(`信息 政策 规则 规定 问题 情况 服务 说明 流程 方式 要求 内容 详情 记录 资料 条件 标准 原因 结果 进度 状态 提交 申请 进行 执行 办理 处理 操作 提供
		希望 咨询 询问 反馈 确认 包含 包括`)
	for w := range words.LightHan {
		if len([]rune(w)) > 1 {
			m[w] = true
		}
	}
	return m
}()

// knownHan are words whose borders are known.
var knownHan = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range []map[string]bool{generalHan, words.WordsHan} {
		for w := range s {
			m[w] = true
		}
	}
	for _, g := range wishes.ChangeGroups {
		for _, v := range g {
			if words.IsHan(words.FirstRune(v)) {
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
func hanParts(text string, values []facts.Fact) []hanPart {
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
func masked(text string, values []facts.Fact, sign string) string {
	b := []byte(text)
	for _, f := range values {
		copy(b[f.Start:f.End], strings.Repeat(sign, f.End-f.Start))
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
	for _, w := range words.Pieces(p.text) {
		if !w.Han {
			if s := strings.ToLower(w.Text); !words.StopEnglish[s] && !words.AllDigits(s) {
				add(words.Stem(s), w.Start, 1)
			}
			continue
		}
		borders := hanBorders(w.Text)
		for _, r := range words.ContentRuns(w.Text) {
			at, before := r.Start, ""
			for _, c := range r.Text {
				s := string(c)
				add(oneSign+s, w.Start+at, hanSign)
				if before != "" {
					v := words.Either[float64](borders[at], hanAcross, 1)
					if generalHan[before+s] {
						v *= hanGeneral
					}
					add(before+s, w.Start+at-len(before), v)
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
		step := len(string(words.FirstRune(run[at:])))
		for n := words.MaxHanWord; n > 1; n-- {
			if w := words.FirstRunes(run[at:], n); knownHan[w] {
				out[at], out[at+len(w)] = true, true
				step = len(w)
				break
			}
		}
		at += step
	}
	return out
}

// wishesHan reports whether a part of a text wishes or asks for something.
func wishesHan(part string) bool {
	return strongHan.MatchString(part) || wishes.WantHan.MatchString(part) || wishes.QuestionHan.MatchString(part) || orNotHan.MatchString(part)
}

// hanClauses cuts the request where a part that wishes follows upon another one.
func (x *Index) hanClauses(g *goal) []wishes.Clause {
	if x.options.Without.Model {
		return g.clauses
	}
	var out []wishes.Clause
	text := masked(g.text, x.literals(g), "_") // the ? of a link asks nothing
	for _, c := range (wishes.Splitter{Verbs: x.verbs, Topics: x.trade, Facts: g.facts}).Clauses(text) {
		at := c.Start
		for _, m := range nextHan.FindAllStringIndex(text[c.Start:c.End], 50) {
			cut := c.Start + m[0]
			if cut > at && len(out) < wishes.MaxClauses && wishesHan(text[at:cut]) && wishesHan(text[c.Start+m[1]:c.End]) {
				out = append(out, wishes.Span(g.text, at, cut))
				at = cut
			}
		}
		out = append(out, wishes.Span(g.text, at, c.End))
	}
	return out
}

// nextHan are words that bring up the next wish.
var nextHan = words.MustCompile(`[，,]\s*(?:然后|接着|随后|另外|此外|还有|还想|还要|同时|顺便|最后|再|并)`)
