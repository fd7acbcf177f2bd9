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
// round; what is handed on with a job counts for nothing, nor does code.
func Language(request string) string {
	text := clip(request, MaxText)
	if m := contextMark.FindStringIndex(text); m != nil {
		return ifText(strings.HasPrefix(text[m[0]:], "\nContext"), "en", "zh")
	}
	if said := reSource.ReplaceAllString(text, " "); strings.TrimSpace(said) != "" {
		text = said
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
