package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A request may leave some of the things out that it is about, by what they are and not by their number: all late orders except Tang's, 超时的都取消，唐英强的不要
// 取消. What is left out is read by itself, is no argument of any call, and the rows of which it holds are taken out of what is found (facts.Fact.Not). Where no
// row tells, nothing is changed.

const (
	// exceptHan and exceptEng are the words that leave something out wherever they stand.
	exceptHan = `除(?:了|去|开)|除外|以外|之外`
	exceptEng = `except(?:ing)?(?: for)?|excluding|apart from|aside from|other than`
	// thingsHan and thingsEng are what things are called behind what is said of them, and say nothing of which.
	thingsHan = `(?:的|那|这|几?[个单些笔款位]|订单|单子|商品|产品|货品|退款(?:申请)?|包裹|客户|买家|顾客|人)*`
	thingsEng = `(?:(?:the|those|that|any|all|ones?|orders?|products?|refunds?|parcels?|customers?|buyers?|which|belongs?|belonging|is|are|of|from|for|by|to)\s+)*`
	butHan    = `^(?:但是?|不过|可是?|只是|就是|其中|请|务必|一定)*`
	holdHan   = `(?:不要|不用|不必|不能|不可以?|不|别|请勿|勿)(?:再|去|给)?`
	deedHan   = `(?:取消|发消息|通知|降价?|涨价?|调价?|同意|拒绝|退款?|发货?|改价?|催|打折|补货?|上架|下架|开票|处理|操作|执行|动|碰|管|变|算|做|包括|包含)`
)

var (
	// tailHan are parts at the end of a request that leave out what stands in their first group.
	tailHan = []*words.Pattern{
		words.MustCompile(butHan + `(?:` + holdHan + deedHan + `|只?保留|只?留下?|留着|放着|排除|撇开|跳过|不包括|不包含|不含|不算|除了?)([^，,;；。]{1,24}?)` + thingsHan + `(?:以外|之外|不动|外)?$`),
		words.MustCompile(butHan + `([^，,;；。]{1,24}?)` + thingsHan + `(?:[就先也都则可千万请得]|一定|暂时|暂)*(?:` + holdHan + deedHan + `了?|不要|不用|不必|别|免了?|算了|除外|例外|留着|保留|留下|不动|先?放着|跳过|排除在外|排除|照旧|就算了)$`),
	}
	tailEng = words.MustCompile(`(?i)^(?:(?:but|and|please|just|only)\s+)*(?:` + exceptEng + `|with the exception of|save for|minus|outside(?: of)?|not (?:in|from|of|for|by)|not|never|keep|leave|spare|skip|(?:do not|don['’]?t|never) [a-z]+)\s+` + thingsEng + `([^,.;]{2,40}?)(?:['’]s)?(?:\s+(?:alone|out|untouched|unchanged|as (?:it|they) (?:is|are)|ones?|orders?|products?|refunds?))*$`)
	// headHan leaves out at the beginning: 除唐英强的以外，超时的都取消.
	headHan = words.MustCompile(`^(?:请|帮我|麻烦)*除(?:了|去|开)?([^，,;；。]{1,24}?)` + thingsHan + `(?:以外|之外|外)?[，,]`)
	// partEnds are where a part that leaves something out may begin.
	partEnds = words.MustCompile(`(?i)[，,;；。!！]\s*|\s+(?:but(?: not)?|` + exceptEng + `|with the exception of|save for|minus|outside|not (?:in|from|of|by))\s|但是?|不过`)
	// inPlaceHan and inPlaceEng leave out in the middle of what is said of things.
	inPlaceHan = words.MustCompile(`(?:除(?:了|去|开)?([^，,;；。除]{1,24}?)` + thingsHan + `(?:以外|之外|外)的?|[（(](?:不含|不包括|除了?)([^）)]{1,24}?)` + thingsHan + `(?:以外|之外|外)?[）)])`)
	inPlaceEng = words.MustCompile(`(?i)\b(?:` + exceptEng + `)\s+` + thingsEng + `([^,.;?!]{2,40}?)(?:['’]s)?(?:\s+(?:ones?|orders?|products?|refunds?))?(?:\s+(?:this|last|in|since|today|yesterday)\b|[,.;?!]|$)`)
	// fillsOut is what stands beside what is left out and says nothing of it.
	fillsOut = words.MustCompile(`(?i)` + thingsHan[:len(thingsHan)-1] + `|[和与跟、及]|\b(?:the|those|that|any|all|ones?|orders?|products?|refunds?|parcels?|customers?|buyers?|which|of|from|for|by|to|and|or)\b|['’]s\b`)
	// placesOf are words for a thing by its place or rank, which no row tells by itself.
	placesOf = words.MustCompile(`(?i)最|第|其[他它余]|剩|前\S{0,2}[个单笔]|后\S{0,2}[个单笔]|随便|任[意何一]|\b(?:first|last|second|third|newest|latest|oldest|cheapest|other|others|rest|most|least|it|them|this|these)\b`)
)

// excepted are the facts by which a stretch of a text says what is left out; false when it names things by their number (spared.go) or place, or says nothing that
// a row could tell.
func (x *Index) excepted(text string, from, to int, g *goal) (out []facts.Fact, ok bool) {
	part := text[from:to]
	if words.LongNumber.MatchString(part) || placesOf.MatchString(part) || wishes.MostWords.MatchString(part) || wishes.LeastWord.MatchString(part) {
		return nil, false
	}
	rest := []byte(part)
	found := x.facts(text, g.now)
	for _, f := range found {
		if f.Start < from || f.End > to {
			continue
		}
		if f.Kind == facts.Number {
			l, limits := wishes.LimitIn(text, f)
			if !limits || l.Start < from || l.End > to {
				return nil, false
			}
			copy(rest[l.Start-from:l.End-from], strings.Repeat(" ", l.End-l.Start))
		}
		copy(rest[f.Start-from:f.End-from], strings.Repeat(" ", len(f.Text)))
		f.Not = true
		out = append(out, f)
	}
	left := strings.TrimSpace(fillsOut.ReplaceAllString(string(rest), " "))
	if len(words.Content(left)) == 0 && left == "" {
		return out, len(out) > 0
	}
	if len(out) == 1 && out[0].Kind == facts.Number { // 金额 of 金额超过300元的 is the column
		return out, true
	}
	if len(out) > 0 || strings.Contains(left, " ") && words.IsHan(words.FirstRune(left)) {
		return nil, false
	}
	at := from + strings.Index(part, left)
	if at < from { // it was in pieces
		return nil, false
	}
	return []facts.Fact{{Kind: facts.Quote, Text: left, Value: left, Start: at, End: at + len(left), Not: true}}, true
}

// leaving is a stretch of a text that leaves something out: where it begins and ends, and where what it leaves out does, in bytes.
type leaving struct{ from, to, a, b int }

// leavings are the stretches of a text that leave something out of what it is about: at the beginning, at the end of what is said of things, in the middle of that;
// one stretch may be read in several ways, the likeliest first. What is said to somebody is none.
func (x *Index) leavings(text string) (out []leaving) {
	told := toldOrQuoted(text)
	add := func(l leaving) {
		if x.leavesSome(text, l) && !overlaps(told, l.from, l.to) {
			out = append(out, l)
		}
	}
	if m := headHan.FindStringSubmatchIndex(text); m != nil && !inclusive(text, m[3]) {
		add(leaving{0, m[1], m[2], m[3]})
	}
	for _, t := range x.tails(text) {
		add(t)
	}
	for _, re := range []*words.Pattern{inPlaceHan, inPlaceEng} {
		for _, m := range re.FindAllStringSubmatchIndex(text, 4) {
			a, b := m[2], m[3]
			if a < 0 {
				a, b = m[4], m[5]
			}
			end := m[1]
			if re == inPlaceEng {
				end = b + len(ofOnes.FindString(text[b:]))
			}
			if !inclusive(text, m[1]) {
				add(leaving{m[0], end, a, b})
			}
		}
	}
	return out
}

// leavesSome reports whether what a stretch leaves out is said of things, and by more than words for any of them; what has a number is spared (spared.go).
func (x *Index) leavesSome(text string, l leaving) bool {
	part := text[l.a:l.b]
	return !words.LongNumber.MatchString(part) && strings.TrimSpace(fillsOut.ReplaceAllString(part, "")) != "" && !x.ofProperty(part) && !noExcept(text, l.from, l.b)
}

// leftOutOf finds what a request for a change leaves out: the request without it, and what it is; ok is false when there is no such part. told: rows may tell it.
func (x *Index) leftOutOf(text string, g *goal) (main, but string, told, ok bool) {
	all := x.leavings(text)
	if len(all) == 0 {
		return "", "", false, false
	}
	l := all[0]
	_, told = x.excepted(text, l.a, l.b, g)
	return strings.TrimRight(strings.TrimSpace(text[:l.from]+text[l.to:]), "，,;； "), strings.TrimSpace(text[l.a:l.b]), told, true
}

// tails are the parts at the end of what is said of things that leave something out. What other agents found is no part of it.
func (x *Index) tails(text string) (out []leaving) {
	stop := len(text)
	if m := handedOn.FindStringIndex(text); m != nil {
		stop = m[0]
	}
	for from := 0; from < stop; {
		to := stop
		if i := strings.IndexByte(text[from:stop], '\n'); i >= 0 {
			to = from + i
		}
		if line := text[from:to]; len(line) <= maxPointing && !words.LongNumber.MatchString(line) {
			for _, t := range x.tailsOf(line) {
				out = append(out, leaving{from + t.from, from + t.to, from + t.a, from + t.b})
			}
		}
		from = to + 1
	}
	return out
}

func (x *Index) tailsOf(line string) (out []leaving) {
	marks := partEnds.FindAllStringIndex(line, 20)
	for i, m := range marks {
		end := len(line)
		for _, next := range marks[i+1:] {
			if strings.ContainsAny(line[next[0]:next[1]], "，,;；。!！") {
				end = next[0]
				break
			}
		}
		for _, from := range []int{m[1], m[0]} { // with the word that parts, or behind it
			tail := strings.TrimLeft(line[from:end], " ，,;；。!！")
			at := end - len(tail)
			tail = strings.TrimRight(tail, " 。.!！~吧哈啊哦呢啦嘛呀噢")
			t := tailEng.FindStringSubmatchIndex(tail)
			for _, re := range tailHan {
				if t == nil {
					t = re.FindStringSubmatchIndex(tail)
				}
			}
			if t == nil {
				continue
			}
			l := leaving{m[0], end, at + t[2], at + t[3]}
			if part := line[l.a:l.b]; !halfOfAsk.MatchString(line[:l.b]) && len([]rune(part)) > 1 && !neverMind.MatchString(part) && x.leavesSome(line, l) {
				out = append(out, l)
				break
			}
		}
	}
	return out
}

// halfOfAsk: 要 of 要不要降价 is no thing.
var halfOfAsk = words.MustCompile(`(?:要|能|会|可以?|应?该|用|是|想|需要)$`)

// neverMind takes the whole request back.
var neverMind = words.MustCompile(`(?i)^(?:先|还是|暂时)*(?:不了|mind|do (?:it|that)|it|that|anything)?$`)

// ofOnes stands behind whose things are left out.
var ofOnes = words.MustCompile(`(?i)^(?:['’]s)?(?:\s+(?:ones?|orders?|products?|refunds?))?`)

// leaveOut takes what a text says to be left out of it and of its facts, and notes it.
func (x *Index) leaveOut(g *goal) {
	g.without, g.whole = nil, ""
	all := g.text
	var taken [][]int
	for _, l := range x.leavings(all) {
		if found, ok := x.excepted(all, l.a, l.b, g); ok && !overlaps(taken, l.from, l.to) {
			blank := strings.Repeat(" ", l.to-l.from)
			taken = append(taken, []int{l.from, l.to})
			g.whole, g.text, g.plain = all, g.text[:l.from]+blank+g.text[l.to:], g.plain[:l.from]+blank+g.plain[l.to:]
			g.without = append(g.without, found...)
			g.facts = slices.DeleteFunc(g.facts, func(f facts.Fact) bool { return f.Start < l.to && l.from < f.End })
		}
	}
}

// said is the text with what is left out, for people and other agents; as long as the text.
func (g *goal) said() string {
	if g.whole != "" {
		return g.whole
	}
	return g.text
}

// wording is a clause as it was said, with what is left out.
func (g *goal) wording(c wishes.Clause) string {
	if g.whole == "" || c.End > len(g.whole) {
		return c.Text
	}
	from, to := c.Start, c.End
	for _, f := range g.leftFrom(c) { // with what stands beside it
		from, to = min(from, len(g.text[:f.Start])-len(blanksBefore.FindString(g.text[:f.Start]))), max(to, f.End+len(blanksBehind.FindString(g.text[f.End:])))
	}
	return strings.TrimSpace(g.whole[from:to])
}

var (
	blanksBefore = words.MustCompile(`\s*$`)
	blanksBehind = words.MustCompile(`^\s*`)
)

// unexcepted is another text than the goal's with spaces for what it leaves out.
func (x *Index) unexcepted(text string, g *goal) string {
	of := goal{text: text, plain: text, lang: g.lang, now: g.now}
	x.leaveOut(&of)
	return of.text
}

// leftFrom is what is left out of the things of a clause: what is said in it, or beside it with nothing between.
func (g *goal) leftFrom(c wishes.Clause) (out []facts.Fact) {
	blank := func(from, to int) bool { return from <= to && strings.TrimSpace(g.text[from:to]) == "" }
	for _, f := range g.without {
		if c.Start <= f.Start && f.End <= c.End || blank(f.End, c.Start) || blank(c.End, f.Start) {
			out = append(out, f)
		}
	}
	return out
}

// noExcept reports whether the words that seem to leave something out are parts of others: 删除 and 国外.
func noExcept(text string, at, end int) bool {
	return strings.HasPrefix(text[at:], "除") && partOfVerb.MatchString(text[:at]) || strings.HasPrefix(text[end:], "外") && abroad.MatchString(text[:end])
}

var (
	partOfVerb = words.MustCompile(`[删移清扣解免去]$`)
	abroad     = words.MustCompile(`[国海境室]$`)
)

// ofProperty reports whether a part of a request names what a thing has, and no things: 库存 of 降价5元，库存不变.
func (x *Index) ofProperty(part string) bool {
	part = strings.TrimSpace(part)
	if len([]rune(part)) < 2 || len(x.values.facts(part, nil)) > 0 {
		return false
	}
	entries := x.entries
	if x.behind != nil {
		entries = x.behind.index.entries
	}
	return slices.ContainsFunc(entries, func(e *cards.Entry) bool {
		return slices.ContainsFunc(append(slices.Clone(e.Params), e.Gives...), func(f fields.Field) bool {
			return strings.HasSuffix(f.Label("zh"), part) || strings.EqualFold(f.Name, part)
		})
	})
}
