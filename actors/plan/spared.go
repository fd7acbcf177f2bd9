package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// A request for a change may name things that it shall not be made to: as an exception (除了 A, "all but A"), in a refusal (别动 A, "not A"),
// or by a slip that is put right (A，不对，是 B). Those are spared. "A or B" leaves open which one is meant, and is asked.

var (
	// exceptBefore and exceptAfter: next to what they except. exceptions are those of them that except something wherever they stand.
	exceptBefore = words.MustCompile(`(?i)(?:(?:^|[^删移清扣解免去])除(?:了|去|开)?|不(?:包括|包含|含|算)|排除|撇开|保留|留下|留着|[^是]不是|^不是|\b(?:` + exceptEng + `|all but|everything but|keep|leave|skip|spare))(?:the\b|orders?\b|订单|商品|退款单?|编号|号|这单|[\s#：:])*$`)
	exceptAfter  = words.MustCompile(`(?i)^(?:号|这单|那单|这个|那个|的|订单|[就先都也则还]|暂时?|可以|\s)*(?:以外|之外|除外|例外|不算|不(?:动|变|取消|退|发|改|涨|降|调|补|催)|留着|留下|保留|放着|放一放|(?:is |are )?excepted\b|excluded\b|alone\b|as (?:it is|they are)\b|(?:(?:should|must|can|is to|are to|has to) )?(?:stays?|remains?|be kept)\b)`)
	exceptions   = words.MustCompile(`(?i)` + exceptHan + `|\b(?:` + exceptEng + `|(?:all|everything|every one) but)\b`)
	// besides: 除了 A，B 也取消 and "apart from A, also cancel B" except nothing.
	besides = words.MustCompile(`(?i)[也还]|一并|一起|\b(?:also|too|as well)\b`)
	theRest = words.MustCompile(`(?i)其[他它余]|别的|剩下|剩余|都|全部|所有|\b(?:all|every|others?|rest|remaining)\b`)
	// tookBack stands between what was said by mistake and what was meant.
	tookBack = words.MustCompile(`(?i)^(?:号|这单|那单|这个|[\s,，;；.。…!！—-])*(?:(?:哦|噢|啊|呃|额|等等|等一下|抱歉|不好意思|[\s,，])*(?:不对|不是[\s,，。]|(?:我)?(?:说|写|打|搞|弄)?错了|更正|应该是|应为|不[,，])|(?:no|sorry|oops|wait|actually|rather|well|[\s,，])*(?:\bno,|\b(?:i mean|i meant|make that|correction|scratch that|my mistake|no wait|wait no|wrong one|sorry,|oops|actually,?\s+#?\d|rather,?\s+#?\d)))(?:[\s,，.。:：—-]|是|应|我|that|it|the|$|\w)`)
	// either stands between things of which one is meant.
	either = words.MustCompile(`(?i)^(?:号|这单|那单|[\s,，])*(?:或者?是?|或是|还是|要么|\bor\b)(?:是|要么|else\b|either\b|the\b|orders?\b|订单|商品|编号|号|[\s#：:])*$`)
	// mereRefusal: a refusal that says nothing of what is refused but the thing: 别动 A.
	mereRefusal = words.MustCompile(`(?i)^(?:动|碰|管|处理|操作|要|是|touch|the\b|orders?\b|on\b|for\b|to\b|订单|商品|编号|号|这单|那单|和|与|、|and\b|or\b|[\s#：:,，])*$`)
	// underRefusal: what may stand between a thing and the refusal that is about it: A 就先别取消.
	underRefusal = words.MustCompile(`(?i)^(?:号|这单|那单|这个|那个|[就先也都则可千万请\s]|must|should|shall|may|can|do(?:es)?|is|are)*(?:不要|不用|不必|不能|不可以?|不许|别|勿|not|n['’]t|never)$`)
	bareComma    = words.MustCompile(`^\s*[,，;；]\s*(?:订单|orders?\b|the\b|[\s#])*$`)
	// pickedBehind picks among things that are named side by side, by what no word of theirs tells: A 和 B 里贵的那个, the cheaper of A and B, 后面那个.
	pickedBehind = words.MustCompile(`(?i)^(?:号|这两[单个])?(?:里面?|中间?|当中|之中|其中)的?[^，,。；;！!？?\n]{0,10}(?:的|[那一][个单笔])|[，,;；]\s*(?:后|前)(?:面|边)?(?:那|一|这)?[个单笔者]|其中(?:一|较|更|比较|金额|贵|便宜|大|小|新|早|旧|晚)|[前后]者|` +
		`\b(?:the )?(?:former|latter)\b|^\s*,?\s*whichever\b`)
	pickedBefore = words.MustCompile(`(?i)\b(?:one|either|neither|any|(?:cheap|dear|bigg|small|larg|old|new|earli|lat|high|low|few|form|latt)er|(?:more|less|most|least) [a-z]+|[a-z]+est) (?:one |order )?(?:of|among|between)(?: the)?(?: orders?)?\s*$`)
	everyOfThem  = words.MustCompile(`(?i)都|两[个单]|全部|所有|\b(?:both|all)\b`)
)

// bunch are the things that stand side by side in a request: A、B 和 C.
type bunch struct {
	start, end int // bytes
	facts      []facts.Fact
	open       bool // joined by or
}

// bunches finds the things that a request names.
func (g *goal) bunches() []bunch {
	var out []bunch
	for _, f := range g.facts {
		if f.From != "" || f.Kind != facts.Digits && f.Kind != facts.Code && f.Kind != facts.Person && f.Kind != facts.Known {
			continue
		}
		if n := len(out); n > 0 && out[n-1].end <= f.Start && out[n-1].facts[0].Kind == f.Kind {
			b, between := &out[n-1], g.text[out[n-1].end:f.Start]
			if bareComma.MatchString(between) && g.turns(f.End) && len(wishes.ChangeVerbs(g.text[:b.start])) > 0 { // 取消 A，B 别动
				out = append(out, bunch{start: f.Start, end: f.End, facts: []facts.Fact{f}})
				continue
			}
			if or := either.MatchString(between); or || linked.MatchString(between) {
				b.end, b.facts, b.open = f.End, append(b.facts, f), b.open || or
				continue
			}
		}
		out = append(out, bunch{start: f.Start, end: f.End, facts: []facts.Fact{f}})
	}
	return out
}

// spare takes what a change shall not be made to out of the facts, and notes it. Which of several things is meant becomes a question, and once
// that is answered the request in those words, to be read anew; else again is "".
func (g *goal) spare() (again string) {
	wished := map[string]int{}
	for _, c := range g.clauses {
		if !c.Policy {
			for v := range c.Change {
				wished[v] = c.Start
			}
		}
	}
	if len(wished) == 0 {
		return ""
	}
	var refused, kept []bunch
	var left []bunch // refused for another change
	for _, b := range g.bunches() {
		switch mine, other := g.refuses(b, wished); {
		case mine, g.excepts(b), tookBack.MatchString(g.text[b.end:]):
			refused = append(refused, b)
		case other:
			left = append(left, b)
		default:
			kept = append(kept, b)
		}
	}
	for _, m := range exceptions.FindAllStringIndex(g.text, -1) {
		in := func(b bunch) bool { // goods are no one thing: what else was said may take them in
			return b.facts[0].Kind != facts.Known && b.start <= m[1]+maxExcept && m[0] <= b.end+maxExcept
		}
		if g.lost == nil && len(g.given) == 0 && !inclusive(g.text, m[1]) && !slices.ContainsFunc(refused, in) && !slices.ContainsFunc(g.facts, func(f facts.Fact) bool { return f.Start <= m[0] && m[1] <= f.End }) {
			g.exception = wishes.Span(g.text, m[0], m[0]+len(wishes.FirstPart(g.text[m[0]:])))
		}
	}
	for _, b := range refused {
		g.spared = append(g.spared, b.facts...)
	}
	if len(kept) > 0 {
		refused = append(refused, left...)
	}
	for _, b := range refused {
		from, to := b.start, b.end
		if m := exceptBefore.FindStringIndex(g.text[:b.start]); m != nil {
			from = m[0]
		}
		if m := exceptAfter.FindStringIndex(g.text[b.end:]); m != nil {
			to += m[1]
		}
		g.plain = g.plain[:from] + strings.Repeat(" ", to-from) + g.plain[to:]
	}
	g.facts = slices.DeleteFunc(g.facts, func(f facts.Fact) bool {
		return slices.ContainsFunc(refused, func(b bunch) bool { return f.Start >= b.start && f.End <= b.end })
	})
	for _, b := range kept {
		if len(b.facts) > 1 && (pickedBehind.MatchString(sentence(g.text, b.end)) || pickedBefore.MatchString(g.text[:b.start])) {
			b.open = true
		}
		if b.open && g.lost == nil && slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { return len(c.Change) > 0 && c.Start <= b.start && b.end <= c.End }) {
			return g.whichOf(b)
		}
	}
	return ""
}

// sentence is what is left of a sentence of a text behind a place.
func sentence(text string, at int) string {
	rest := text[at:]
	if m := wishes.SentenceEnds.FindStringIndex(rest); m != nil {
		rest = rest[:m[0]]
	}
	return rest
}

// maxExcept is how many bytes an exception may stand from the thing that it is about: the words for what it is.
const maxExcept = 16

// excepts reports whether things are said to be an exception.
func (g *goal) excepts(b bunch) bool {
	if m := exceptBefore.FindStringIndex(g.text[:b.start]); m != nil {
		return !inclusive(g.text, m[1])
	}
	return exceptAfter.MatchString(g.text[b.end:])
}

// turns reports whether what stands behind a thing makes an exception of it, or refuses it.
func (g *goal) turns(at int) bool {
	if exceptAfter.MatchString(g.text[at:]) {
		return true
	}
	turned := false
	for _, re := range []*words.Pattern{wishes.RefusalHan, wishes.RefusalEng} {
		wishes.Scopes(g.text, re, func(from, _ int) {
			turned = turned || from >= at && underRefusal.MatchString(g.text[at:from])
		}, func(int) *words.Pattern { return wishes.ThoughtEnds })
	}
	return turned
}

// inclusive reports whether what follows in the sentence makes 除了 mean besides.
func inclusive(text string, at int) bool {
	rest := sentence(text, at)
	return besides.MatchString(rest) && !theRest.MatchString(rest)
}

// refuses reports whether things stand in a refusal: mine of a change that is wished for others, other of something else.
func (g *goal) refuses(b bunch, wished map[string]int) (mine, other bool) {
	for _, re := range []*words.Pattern{wishes.RefusalHan, wishes.RefusalEng} {
		wishes.Scopes(g.text, re, func(from, to int) {
			inside := from <= b.start && b.end <= to
			if !inside && (from < b.end || !underRefusal.MatchString(g.text[b.end:from])) {
				return
			}
			said := g.text[from:to]
			verbs := wishes.ChangeVerbs(said)
			for v := range verbs {
				_, wishes := wished[v]
				mine = mine || wishes
			}
			if inside {
				said = g.text[from:b.start]
			}
			mine = mine || len(verbs) == 0 && mereRefusal.MatchString(said)
			other = true
		}, func(int) *words.Pattern { return wishes.ThoughtEnds })
	}
	return mine, other
}

// whichOf is the request with what the user chose of "A or B" in the place of it; "" when that must be asked.
func (g *goal) whichOf(b bunch) string {
	text := g.text[b.start:b.end]
	said := g.given[text]
	var all, chosen []string
	for _, f := range b.facts {
		all = append(all, f.Text)
		if said != "" && (strings.Contains(said, f.Text) || everyOfThem.MatchString(said)) {
			chosen = append(chosen, f.Text)
		}
	}
	if len(chosen) == 0 {
		g.lost = &bus.Ask{Kind: bus.Question, Parameter: text, Options: all,
			Question: words.Say(g.lang, "您说的是「%s」，要对其中哪一个执行？", "You said “%s”; which of them is it to be?", text)}
		return ""
	}
	put := strings.Join(chosen, words.Say(g.lang, "、", " and "))
	if b.start < g.fresh {
		g.fresh += len(put) - len(text)
	}
	return g.said()[:b.start] + put + g.said()[b.end:]
}

// spares reports whether a value is that of a thing which a change shall not be made to.
func (g *goal) spares(v any) bool {
	said := append(Scalars(v), fmt.Sprint(v))
	return slices.ContainsFunc(g.spared, func(f facts.Fact) bool { return slices.Contains(said, f.Text) })
}
