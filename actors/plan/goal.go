package plan

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// goal is what is wanted, with all that is known about it.
type goal struct {
	text    string // the wish in full; earlier turns come first
	filed   bool   // an earlier turn spoke of files, so that this one may mean them
	job     bool   // it was handed on by another agent, and is whole
	cut     bool   // the request was too long, and only its beginning was read
	fresh   int    // where the newest turn begins in text; facts from there replace earlier ones of their kind
	context string
	lang    string
	how     string // how an incomplete request was understood; "" when it stood alone
	clauses []clause
	facts   []fact // of text
	extra   []fact // of context, steering and, when the text points back, of earlier turns
	given   map[string]string
	lost    *bus.Ask // what must be asked before the request can be read: a place in a list that was not shown
	outside []clause // wishes that nothing on offer speaks of
	called  string   // the saved tool that the request calls; "" when it calls none
	spurned string   // the one that it names and does not want
	// spared are the things that a change shall not be made to; exception what stands for such in words that name none.
	spared    []fact
	exception clause
	plain     string // text with spaces for both
	looks     string // see goal.looking; "" until it is asked for
	replies   string // what the user said to questions of this task
	now       time.Time
}

// contextMark parts a job_desc from what its caller adds to it, in the language of the job. See [jobDesc].
var contextMark = regexp.MustCompile(`\n(?:背景：|Context: )`)

// maxOfLong is how many bytes are read of a request that is too long to be read whole: nobody writes so much by hand, and what was pasted says little of
// what is wanted.
const maxOfLong = 2 << 10

// beforeDigest parts what was said in this task from the conversation before it in the context of a job: one line a turn.
const beforeDigest = "\n\n- "

// maxTurns is how many earlier turns are looked at for what a request leaves out.
const maxTurns = 20

// understand settles the goal: the request itself, or an earlier one that it completes.
func (x *Index) understand(in Input) goal {
	g := goal{given: map[string]string{}, now: in.Now, job: in.Job}
	told, digest, _ := strings.Cut(clip(in.Context, MaxText), beforeDigest)
	g.context = told
	text := strings.TrimSpace(clip(in.Request, MaxText))
	if len(strings.TrimSpace(in.Request)) > MaxText && !contextMark.MatchString(text) {
		text, g.cut = clip(text, maxOfLong), true
	}
	g.lang = in.Language
	if m := contextMark.FindStringIndex(text); m != nil {
		g.lang = Language(text)
		g.context = strings.TrimSpace(text[m[1]:] + "\n" + g.context)
		text = strings.TrimSpace(text[:m[0]])
	}
	if g.lang != "zh" && g.lang != "en" {
		g.lang = Language(text)
	}
	history := x.before(&g, in.History[max(0, len(in.History)-maxTurns):])
	g.filed = slices.ContainsFunc(history, func(e earlier) bool { return fileWords.MatchString(e.Request) || reFile.MatchString(" "+e.Request) })
	for _, a := range in.Answers {
		if p := a.Ask.Parameter; p != "" && a.Ask.ToolName == "" {
			if said, ok := reply(a.Ask, bare(a.Text), in.Done); ok {
				g.given[p] = said
			}
		}
	}
	var slips []string
	if !x.options.Without.Model && (len(history) == 0 || history[len(history)-1].Ask == nil) { // an answer may be a name or a message
		text, slips = x.respelt(text, g.lang)
	}
	g.text, g.fresh, g.how = x.complete(&g, text, history)
	if len(slips) > 0 {
		g.how = strings.TrimRight(strings.Join(append(slips, g.how), say(g.lang, "；", "; ")), "；; ")
	}
	if put := x.eachOf(&g); put != "" && !x.options.Without.Model {
		g.how = strings.TrimLeft(g.how+say(g.lang, "；理解为：", "; understood as: ")+put, "；; ")
		g.text = put
	}
	for _, s := range in.Steering {
		g.text += "\n" + strings.TrimSpace(clip(s, 1000))
	}
	for _, a := range in.Answers {
		if a.Ask.Parameter != "" {
			if a.Ask.ToolName == "" {
				continue
			}
			if text, ok := reply(a.Ask, a.Text, in.Done); ok {
				g.given[a.Ask.Parameter] = text
			} else if e := x.byName[a.Ask.ToolName]; e != nil && e.param(a.Ask.Parameter) != nil && len(e.param(a.Ask.Parameter).Enum) > 0 {
				g.given[a.Ask.Parameter] = a.Text // other words for an allowed value
			}
		} else {
			g.text += "\n" + strings.TrimSpace(clip(a.Text, 1000))
		}
	}
	if x.options.Without.Model {
		g.clauses, g.plain = []clause{{text: g.text, end: len(g.text)}}, g.text
		return g
	}
	x.read(&g)
	if again := g.spare(); again != "" {
		g.text = again
		x.read(&g)
		g.spare()
	}
	for _, a := range in.Answers { // one answer may tell more than the one fact that it is taken for
		if a.Ask.Parameter != "" {
			g.replies += " " + clip(a.Text, 1000)
		}
	}
	if g.context != "" { // a job is handed on with the request that it is a part of
		whole := goal{text: g.context, lang: g.lang, now: g.now}
		x.read(&whole)
		whole.spare()
		g.spared = append(g.spared, whole.spared...)
	}
	add := func(s, from string) {
		for _, f := range x.facts(s, in.Now) {
			if g.spares(f.text) {
				continue
			}
			f.from = from
			g.extra = append(g.extra, f)
		}
	}
	add(g.context, "context")
	add(g.replies, "answer")
	if pointsToTurns(g.text) {
		for _, line := range slices.Backward(strings.Split(digest, "\n")) {
			for _, f := range single(x.facts(line, in.Now)) {
				f.from = "history"
				g.extra = append(g.extra, f)
			}
		}
		for i := len(history) - 1; i >= 0; i-- {
			add(history[i].Request, "history")
			for _, f := range single(x.facts(clip(history[i].Answer, MaxText), in.Now)) {
				f.from = "history"
				g.extra = append(g.extra, f)
			}
		}
	}
	return g
}

// read reads the text: its facts, its clauses, and what of it is for others.
func (x *Index) read(g *goal) {
	g.facts, g.plain = x.facts(g.text, g.now), g.text
	if g.fresh > 0 {
		g.facts = replaced(g.facts, g.fresh)
	}
	g.clauses = splitter{verbs: x.verbs, topics: x.trade, facts: g.facts}.clauses(g.text)
	if wanted := slices.DeleteFunc(slices.Clone(g.clauses), func(c clause) bool { return c.refuses(g.text) || sourced.MatchString(c.text) }); len(wanted) > 0 {
		g.clauses = wanted
	}
	x.call(g)
	g.outside = x.outside(g)
	g.unsay()
}

// single keeps the facts of which a text has no other of their kind: "it" means none of a whole list.
func single(fs []fact) []fact {
	return slices.DeleteFunc(slices.Clone(fs), func(f fact) bool {
		return slices.ContainsFunc(fs, func(o fact) bool { return o.kind == f.kind && o.text != f.text })
	})
}

// unsay takes the facts out of what is to be said to somebody: the day in "tell her that it ships today" limits nothing.
func (g *goal) unsay() {
	for _, c := range g.clauses {
		if _, tells := c.change["send"]; !tells {
			continue
		}
		if at, ok := saidFrom(c.text); ok {
			start := c.start + strings.Index(g.text[c.start:], c.text) + at
			g.facts = slices.DeleteFunc(g.facts, func(f fact) bool { return f.start >= start && f.end <= c.end && f.kind != factQuote })
			if len(within(g.facts, start, c.end)) == 0 {
				g.facts = append(g.facts, fact{kind: factSaid, text: g.text[start:c.end], value: g.text[start:c.end], start: start, end: c.end})
				byPlace(g.facts)
			}
		}
	}
}

// facts are the typed values and the known names in a text.
func (x *Index) facts(s string, now time.Time) []fact {
	read := slices.DeleteFunc(readFacts(s, now, x.knows), func(f fact) bool { return f.kind == factCode && x.saved(f.text) != nil })
	return x.joined(s, merged(read, x.values.facts(s, read)))
}

var (
	// saysEnglish and saysHan are words that carry the grammar of a sentence.
	saysEnglish = regexp.MustCompile(`(?i)\b(?:the|a|an|of|to|is|are|was|were|do|does|did|what|which|who|how|when|where|for|from|in|on|and|my|me|our|please|show|list|find|all|by|with|should|can|has|have)\b`)
	saysHan     = regexp.MustCompile(`[的了吗呢我你您把给帮请查看谁吧么]|多少|哪|是不是|有没有|怎|一下|如何`)
)

// Language is that of a request, zh or en. Chinese names in an English sentence do not make it Chinese, nor English ones the other way
// round; what is handed on with a job counts for nothing.
func Language(request string) string {
	text := clip(request, MaxText)
	if m := contextMark.FindStringIndex(text); m != nil {
		return ifText(strings.HasPrefix(text[m[0]:], "\nContext"), "en", "zh")
	}
	if language(text) == "zh" && !saysHan.MatchString(text) && len(saysEnglish.FindAllString(text, 2)) == 2 {
		return "en"
	}
	return language(text)
}

// pointsBack: words that stand for something said in an earlier turn.
var pointsBack = regexp.MustCompile(`(?i)它|他|她|这个|那个|这单|那单|该|此|刚才|上面|前面|同一|这位|那位|这款|那款|\b(?:it|its|this|that|these|those|him|her|his|their|them|the same|the order|the customer)\b`)

// pointsToTurns reports whether a text speaks of something said in an earlier turn, and not only of all that it finds itself: list them, then
// cancel them.
func pointsToTurns(text string) bool {
	return slices.ContainsFunc(pointsBack.FindAllStringIndex(text, -1), func(m []int) bool {
		all := allOfThem.FindStringIndex(text[m[0]:])
		return all == nil || all[0] > 0 || !foundBefore(text[:m[0]])
	})
}

// earlier is an earlier turn as it was understood.
type earlier struct {
	Turn                    // its request completed by those before it
	given map[string]string // what was said in it and before to questions that it goes on with
	lists []list            // that its answer showed
	nouns []string          // of their headings, each once
	base  string            // the request before it, when it only put a fact to that; "" when it stood alone
}

// root is the request to which a fact may be put. A second one takes the place of the first, so that a conversation of fragments stays as
// short as one request.
func (e earlier) root() string {
	if e.base != "" {
		return e.base
	}
	return e.Request
}

// closed reports whether the turn was refused, or waits for leave: nothing later brings back what it would have done.
func (e earlier) closed() bool { return e.Refused || e.Ask != nil && e.Ask.Kind == bus.Approval }

// maxPointing is how long an earlier request may be, in bytes, that is read by what was said before it: a longer one stands alone.
const maxPointing = 1000

// before reads the earlier turns, each by those before it.
func (x *Index) before(g *goal, turns []Turn) []earlier {
	var out []earlier
	for _, t := range turns {
		then := goal{given: map[string]string{}, lang: g.lang, now: g.now}
		fresh := 0
		if t.Request = strings.TrimSpace(clip(t.Request, MaxText)); len(t.Request) <= maxPointing {
			t.Request, fresh, _ = x.complete(&then, t.Request, out)
		}
		e := earlier{Turn: t, given: then.given}
		if n := len(out); n > 0 && fresh > 0 {
			e.base = out[n-1].root()
		} else if n > 0 && strings.HasPrefix(t.Request, out[n-1].base) {
			e.base = out[n-1].base
		}
		out = append(out, remember(e))
	}
	return out
}

// complete adds to a request that cannot stand alone what the earlier turns said: a short answer to a question left open, or
// a bare fact such as 我这个是京东小店的, bring the earlier goal back; a place in a list and a pronoun, what they stand for.
func (x *Index) complete(g *goal, text string, history []earlier) (full string, fresh int, how string) {
	var last earlier
	if n := len(history); n > 0 {
		last = history[n-1]
	}
	if text == "" || SmallTalk(text) && last.Ask == nil {
		return text, 0, ""
	}
	if last.Ask != nil && !last.closed() && !Stands(text, *last.Ask) && answers(text, last.Ask.Options) {
		g.take(last)
		if p := last.Ask.Parameter; p != "" {
			if text, ok := reply(*last.Ask, bare(text), nil); ok {
				g.given[p] = text
			}
			full, how = x.refer(g, last.Request, history[:len(history)-1]) // a place in a list that had to be asked for
			if how == "" && g.lost == nil {
				full, _ = x.point(g, full, history[:len(history)-1])
			}
			return full, 0, say(g.lang, "用户回答了上一轮的追问：%s", "The user answers the earlier question: %s", short(bare(text), 40))
		}
		return join(last.Request, bare(text), g.lang), len(last.Request), say(g.lang, "接着上一轮的问题", "Going on with the earlier question")
	}
	text, how = x.refer(g, text, history)
	if how == "" && g.lost == nil {
		if full, how := x.among(g, text, history); full != "" {
			return full, 0, how
		}
		text, how = x.point(g, text, history)
	}
	if last.Request == "" || g.job || g.lost != nil || SmallTalk(last.Request) || last.closed() || (how != "" || longNumber.MatchString(text)) && x.saysMore(text, g) {
		return text, 0, how
	}
	fact, part := bare(text), x.fragment(text) && !x.turnsAway(g, text, last)
	if m := onlyNamed.FindStringSubmatch(text); m != nil && !part {
		fact = m[1]
	} else if !part {
		return text, 0, how
	}
	full = x.instead(g, last.Request, fact)
	if full == "" && !part {
		return text, 0, how
	}
	g.take(last)
	if full != "" {
		return full, 0, say(g.lang, "接着上一轮的问题，换成「%s」", "The earlier question once more, for “%s”", short(fact, 40))
	}
	return join(last.root(), fact, g.lang), len(last.root()), say(g.lang, "接着上一轮的问题，补充「%s」", "Going on with the earlier question, now for “%s”", short(fact, 40))
}

// take makes what was said in an earlier turn part of this one, which goes on with it.
func (g *goal) take(p earlier) {
	for k, v := range p.given {
		g.given[k] = v
	}
}

func join(base, fact, lang string) string {
	base = strings.TrimRight(base, "?？。. ")
	if lang == "zh" {
		return base + "，" + fact
	}
	return base + ", " + fact
}

var (
	insteadOf = regexp.MustCompile(`(?i)^(?:那么?|换成|换|改成|如果是|要是|假如是|and|what about|how about|what if it(?: is|'s))\s*(.{1,40}?)\s*(?:的话)?(?:呢|怎么样|如何|行吗)?\s*[?？]*$`)
	bareFact  = regexp.MustCompile(`(?i)^(?:(?:我|我们|咱们?|俺)(?:这个|这边|这里|这家|这|家|的)?(?:店铺|店)?(?:是|属于|就是|卖的?是?|做的?是?|要|想要|开的是)?|(?:这个|那个|这家店?|店铺|它|主体|类型|类目)?(?:是|属于)|(?:it is|it's|this is|mine is|i am|i'm|i have|i sell|we are|we sell|for|in)\s+(?:an?\s+)?)(.{1,60}?)(?:类目|类型)?的?\s*(?:哦|呢|吧|啊|呀)?[。.!！]*$`)
)

// onlyNamed: 电饭煲呢.
var onlyNamed = regexp.MustCompile(`^([^，。,？?！!；;]{1,24}?)(?:的)?呢\s*[?？]?$`)

// fragment reports whether the text only changes or adds a fact: "那李四呢", "我这个是京东小店的", "last month".
func (x *Index) fragment(text string) bool {
	if len([]rune(text)) > 60 {
		return false
	}
	if insteadOf.MatchString(text) && len([]rune(longNumber.ReplaceAllString(text, "#"))) <= 24 { // an id may be long
		return true
	}
	p := splitter{verbs: x.verbs, topics: x.trade}
	for _, part := range softBreak.Split(text, -1) {
		if p.begins(part) {
			return false
		}
	}
	return !p.wants(text) && len([]rune(text)) <= 40
}

// turnsAway reports whether a text that begins with no wish speaks of another matter than the request before it all the same, as 调研空气炸锅市场 does in a session about
// orders: what it is called goes by a tool of another agent, and it names the thing itself. Or nothing in it is known here at all.
func (x *Index) turnsAway(g *goal, text string, last earlier) bool {
	if insteadOf.MatchString(text) || onlyNamed.MatchString(text) || x.behind == nil {
		return false
	}
	b := x.behind
	alone := goal{text: text, lang: g.lang, now: g.now, given: map[string]string{}}
	b.index.read(&alone)
	for _, f := range alone.facts {
		if f.kind != factProper && f.kind != factKnown {
			return false
		}
	}
	rest := content(b.index.unknownOf(&alone, span(text, 0, len(text))))
	known := func(w string) bool { return b.index.spoken[w] || b.index.trade[w] || len(b.index.lexicon[w]) > 0 }
	if len(alone.facts) == 0 && len(rest) > 3 && !slices.ContainsFunc(rest, known) {
		return true
	}
	now := b.index.top(&alone, span(text, 0, len(text)))
	if now == nil || !now.e.goesBy(text) || len(alone.facts) == 0 && len(residues(text, 0, len(text), nil, b.index.trade)) == 0 {
		return false
	}
	was := goal{text: last.Request, lang: g.lang, now: g.now, given: map[string]string{}}
	b.index.read(&was)
	then := b.index.top(&was, span(last.Request, 0, len(last.Request)))
	return then == nil || !slices.ContainsFunc(b.owner[now.e.Name], func(o string) bool { return slices.Contains(b.owner[then.e.Name], o) })
}

// saysMore reports whether a text in which it is settled what is spoken of says something about that: 订单 281065253769 的物流, not 订单 281065253769 呢.
func (x *Index) saysMore(text string, g *goal) bool {
	rest := bare(text)
	for _, f := range x.facts(rest, g.now) {
		rest = strings.Replace(rest, f.text, " ", 1)
		if noun := x.idNoun(f.text, g.lang); noun != "" {
			rest = strings.Replace(rest, noun, " ", 1)
		}
	}
	return len(content(strings.NewReplacer("呢", " ", "'s", " ").Replace(rest))) > 0
}

// answers reports whether the text answers an open question rather than asking something new.
func answers(text string, options []string) bool {
	for _, o := range options {
		if strings.Contains(text, o) {
			return true
		}
	}
	return len([]rune(text)) <= 60 && (!splitter{}.wants(text) || insteadOf.MatchString(text))
}

// bare takes the words around a fact off: 我这个是京东小店的 → 京东小店.
func bare(text string) string {
	text = strings.TrimSpace(text)
	for _, re := range []*regexp.Regexp{insteadOf, bareFact} {
		if m := re.FindStringSubmatch(text); m != nil {
			return strings.TrimSuffix(strings.TrimSpace(m[1]), "的")
		}
	}
	return strings.TrimRight(text, "。.!！?？ ")
}

// replaced drops the facts before fresh whose kind occurs again after it.
func replaced(fs []fact, fresh int) []fact {
	newer := map[factKind]bool{}
	for _, f := range fs {
		if f.start >= fresh {
			newer[f.kind] = true
		}
	}
	var out []fact
	for _, f := range fs {
		if f.start >= fresh || !newer[f.kind] {
			out = append(out, f)
		}
	}
	return out
}
