package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/filing"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// goal is what is wanted, with all that is known about it.
type goal struct {
	putAs   string       // how the answer shall be put, where that was taken out of the text; see [Index.putAside]
	text    string       // the wish in full; earlier turns come first
	acts    []filing.Act // of a request about files of the session, one a clause; nil for any other
	filed   bool         // an earlier turn spoke of files, so that this one may mean them
	files   []string     // names of the files of the session, as far as they are known
	job     bool         // it was handed on by another agent, and is whole
	cut     bool         // the request was too long, and only its beginning was read
	fresh   int          // where the newest turn begins in text; facts from there replace earlier ones of their kind
	context string
	lang    string
	how     string // how an incomplete request was understood; "" when it stood alone
	clauses []wishes.Clause
	facts   []facts.Fact // of text
	extra   []facts.Fact // of context, steering and, when the text points back, of earlier turns
	given   map[string]string
	lost    *bus.Ask        // what must be asked before the request can be read: a place in a list that was not shown
	wider   string          // what the question before was about, and this one is not limited to: see elliptic.go
	told    string          // the answer, where no tool need be called for it: see aside.go
	outside []wishes.Clause // wishes that nothing on offer speaks of
	called  string          // the saved tool that the request calls; "" when it calls none
	spurned string          // the one that it names and does not want
	unheard []string        // what was said while it was under way, and says nothing that can be used here
	formers []string        // the request and its clauses in the words that they had before somebody changed them meanwhile
	left    string          // what of the things of a kind a change leaves out, as it cannot be made to them
	onlyIf  string          // the condition of the state of its one thing under which a change is wished; see ifstate.go
	added   int             // where what was added meanwhile begins in text; 0: nothing was
	// spared are the things that a change shall not be made to; exception what stands for such in words that name none.
	spared    []facts.Fact
	exception wishes.Clause
	plain     string // text with spaces for both, and for what is left out
	// without is what is left out by what it is; whole is the text with the words that say so, for which text has spaces. See without.go.
	without  []facts.Fact
	whole    string
	looks    string   // see goal.looking; "" until it is asked for
	handed   string   // see [Index.handed]; "" until it is asked for
	becoming [][2]int // see [Index.becoming]; nil until it is asked for
	replies  string   // what the user said to questions of this task
	now      time.Time
	read     *wording // of text; nil until it is asked for
}

// contextMark parts a job_desc from what its caller adds to it, in the language of the job. See [jobDesc].
var contextMark = words.MustCompile(`\n(?:背景：|Context: )`)

// maxOfLong is how many bytes are read of a request that is too long to be read whole: nobody writes so much by hand, and what was pasted says little of
// what is wanted.
const maxOfLong = 2 << 10

// beforeDigest parts what was said in this task from the conversation before it in the context of a job: one line a turn.
const beforeDigest = "\n\n- "

// maxTurns is how many earlier turns are looked at for what a request leaves out.
const maxTurns = 20

// understand settles the goal: the request itself, or an earlier one that it completes.
func (x *Index) understand(in Input) goal {
	g := goal{given: map[string]string{}, now: in.Now, job: in.Job, files: in.Files}
	told, digest, _ := strings.Cut(words.Clip(in.Context, words.MaxText), beforeDigest)
	g.context = told
	text := strings.TrimSpace(words.Clip(in.Request, words.MaxText))
	if len(strings.TrimSpace(in.Request)) > words.MaxText && !contextMark.MatchString(text) {
		text, g.cut = words.Clip(text, maxOfLong), true
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
	g.filed = slices.ContainsFunc(history, func(e earlier) bool {
		return fileWords.MatchString(e.Request) || facts.FileName.MatchString(" "+e.Request)
	})
	for _, a := range in.Answers {
		if p := a.Ask.Parameter; p != "" && a.Ask.ToolName == "" {
			if said, ok := reply(a.Ask, bare(a.Text), in.Done); ok {
				g.given[p] = said
			}
		}
	}
	if acts, said := x.filings(in, text); acts != nil {
		for _, a := range in.Answers {
			if answer, ok := reply(a.Ask, a.Text, in.Done); ok && a.Ask.ToolName != "" {
				g.given[a.Ask.Parameter] = answer
			}
		}
		g.unheard = in.Steering
		x.file(&g, acts, said)
		return g
	}
	undone, kept := "", ""
	if n := len(history); !g.job && !x.options.Without.Model && (n == 0 || history[n-1].Ask == nil) {
		var wish string
		if wish, kept = undoing(text, g.lang, history); wish != "" {
			undone = words.Say(g.lang, "把上一次的改动改回去：%s", "the last change is put back: %s", wish)
			text, history = wish, nil
		}
	}
	text = askedOfTable(unglued(text, in.Files), in.Files)
	var slips []string
	if !x.options.Without.Model && (len(history) == 0 || history[len(history)-1].Ask == nil) { // an answer may be a name or a message
		text, slips = x.respelt(text, g.lang)
	}
	g.text, g.fresh, g.how = x.complete(&g, text, history)
	g.how = strings.Trim(undone+words.Say(g.lang, "；", "; ")+g.how, "；; ")
	if len(slips) > 0 {
		g.how = strings.TrimRight(strings.Join(append(slips, g.how), words.Say(g.lang, "；", "; ")), "；; ")
	}
	if less := x.lessOtherKind(&g); less != "" && !x.options.Without.Model {
		g.text = less
	}
	put := x.onlyLook(&g)
	if put == "" {
		put = x.onSale(&g)
	}
	if put == "" {
		put = x.apart(&g)
	}
	if put == "" {
		put = x.toldTo(&g)
	}
	if put == "" {
		put = x.eachBut(&g)
	}
	if put != "" && !x.options.Without.Model {
		g.how = strings.TrimLeft(g.how+words.Say(g.lang, "；理解为：", "; understood as: ")+put, "；; ")
		g.text = put
	}
	if kept != "" {
		g.told, g.lost = kept, nil
	}
	for _, said := range in.Steering {
		x.steer(&g, said)
	}
	for _, a := range in.Answers {
		if a.Ask.Parameter != "" {
			if a.Ask.ToolName == "" {
				continue
			}
			if text, ok := reply(a.Ask, a.Text, in.Done); ok {
				g.given[a.Ask.Parameter] = text
			} else if e := x.byName[a.Ask.ToolName]; e != nil && e.Param(a.Ask.Parameter) != nil && len(e.Param(a.Ask.Parameter).Enum) > 0 {
				g.given[a.Ask.Parameter] = a.Text // other words for an allowed value
			}
		} else {
			g.text += "\n" + strings.TrimSpace(words.Clip(a.Text, 1000))
		}
	}
	if x.options.Without.Model {
		g.clauses, g.plain = []wishes.Clause{{Text: g.text, End: len(g.text)}}, g.text
		return g
	}
	x.putAside(&g)
	x.read(&g)
	if again := g.spare(); again != "" {
		g.text = again
		x.read(&g)
		g.spare()
	}
	for _, a := range in.Answers { // one answer may tell more than the one fact that it is taken for
		if a.Ask.Parameter != "" {
			g.replies += " " + words.Clip(a.Text, 1000)
		}
	}
	if g.context != "" { // a job is handed on with the request that it is a part of
		whole := goal{text: g.context, lang: g.lang, now: g.now}
		x.read(&whole)
		whole.spare()
		g.context, g.spared = whole.beforeChanges(g.text), append(append(g.spared, whole.spared...), whole.without...)
	}
	add := func(s, from string) {
		for _, f := range x.facts(s, in.Now) {
			if g.spares(f.Text) {
				continue
			}
			f.From = from
			g.extra = append(g.extra, f)
		}
	}
	add(g.context, "context")
	add(g.replies, "answer")
	if pointsToTurns(g.text) {
		for _, line := range slices.Backward(strings.Split(digest, "\n")) {
			g.extra = append(g.extra, x.told(&g, line)...)
		}
		for i := len(history) - 1; i >= 0; i-- {
			add(history[i].Request, "history")
			g.extra = append(g.extra, x.told(&g, words.Clip(history[i].Answer, words.MaxText))...)
		}
	}
	return g
}

// beforeChanges is the text of a whole request without the changes that it wishes for behind a part that is a change as well: 取消订单，然后把电饭煲改成 199 cancels no order
// of rice cookers, for what is said of a later change is not said of this one.
func (whole *goal) beforeChanges(part string) string {
	at := strings.Index(whole.text, strings.TrimSpace(part))
	if at < 0 || len(wishes.ChangeVerbs(part)) == 0 {
		return whole.text
	}
	out := []byte(whole.text)
	for _, c := range whole.clauses {
		if c.Start >= at+len(strings.TrimSpace(part)) && len(c.Change) > 0 {
			said, _, _ := strings.Cut(whole.text[c.Start:c.End], "\n") // what was found so far stands behind
			copy(out[c.Start:], strings.Repeat(" ", len(said)))
		}
	}
	return string(out)
}

// read reads the text: its facts, its clauses, and what of it is for others.
func (x *Index) read(g *goal) {
	g.facts, g.plain = x.facts(g.text, g.now), g.text
	if g.fresh > 0 {
		g.facts = replaced(g.facts, g.fresh)
	}
	x.leaveOut(g)
	g.clauses = wishes.Splitter{Verbs: x.verbs, Topics: x.trade, Facts: g.facts}.Clauses(g.text)
	if wanted := slices.DeleteFunc(slices.Clone(g.clauses), func(c wishes.Clause) bool { return c.Refuses(g.text) || sourced.MatchString(c.Text) }); len(wanted) > 0 {
		g.clauses = wanted
	}
	x.call(g)
	g.outside = x.outside(g)
	kept, beyond := x.beyondDeeds(g)
	g.clauses, g.outside = kept, append(g.outside, beyond...)
	g.unsay()
}

// told are the facts of what an earlier turn told that a request which points back may mean: what a digest has cut in the middle is none, and who names a
// file means no other one, least of all a chart that the house drew.
func (x *Index) told(g *goal, text string) []facts.Fact {
	ofFile := func(f facts.Fact) bool { return f.Kind == facts.Path }
	own := slices.ContainsFunc(g.facts, ofFile)
	if lead, rows, ok := strings.Cut(text, "|"); ok && strings.Contains(rows, cutMark) { // the only name in what is left of a list is none of one thing
		text = lead
	}
	found := slices.DeleteFunc(single(x.facts(text, g.now)), func(f facts.Fact) bool {
		return own && ofFile(f) || strings.HasSuffix(text[:f.Start], "…") || strings.HasPrefix(text[f.End:], "…")
	})
	for i := range found {
		found[i].From = "history"
	}
	return found
}

// single keeps the facts of which a text has no other of their kind: "it" means none of a whole list.
func single(fs []facts.Fact) []facts.Fact {
	return slices.DeleteFunc(slices.Clone(fs), func(f facts.Fact) bool {
		return slices.ContainsFunc(fs, func(o facts.Fact) bool { return o.Kind == f.Kind && o.Text != f.Text })
	})
}

// unsay takes the facts out of what is to be said to somebody: the day in "tell her that it ships today" limits nothing.
func (g *goal) unsay() {
	for _, c := range g.clauses {
		if _, tells := c.Change["send"]; !tells {
			continue
		}
		if at, ok := wishes.SaidFrom(c.Text); ok {
			start := c.Start + strings.Index(g.text[c.Start:], c.Text) + at
			g.facts = slices.DeleteFunc(g.facts, func(f facts.Fact) bool { return f.Start >= start && f.End <= c.End && f.Kind != facts.Quote })
			if len(facts.Within(g.facts, start, c.End)) == 0 {
				g.facts = append(g.facts, facts.Fact{Kind: facts.Said, Text: g.text[start:c.End], Value: g.text[start:c.End], Start: start, End: c.End})
				facts.ByPlace(g.facts)
			}
		}
	}
}

// facts are the typed values and the known names in a text.
func (x *Index) facts(s string, now time.Time) []facts.Fact {
	read := slices.DeleteFunc(facts.Read(s, now, x.knows), func(f facts.Fact) bool { return f.Kind == facts.Code && x.saved(f.Text) != nil })
	return x.joined(s, facts.Merged(read, x.values.facts(s, read)))
}

var (
	// saysEnglish and saysHan are words that carry the grammar of a sentence.
	saysEnglish = words.MustCompile(`(?i)\b(?:the|a|an|of|to|is|are|was|were|do|does|did|what|which|who|how|when|where|for|from|in|on|and|my|me|our|please|show|list|find|all|by|with|should|can|has|have)\b`)
	saysHan     = words.MustCompile(`[的了吗呢我你您把给帮请查看谁吧么]|多少|哪|是不是|有没有|怎|一下|如何`)
	// beginsEnglish: with two words before any Chinese one, or with a verb of asking.
	beginsEnglish = words.MustCompile(`(?i)^\s*(?:[a-z]+ [a-z]+|(?:please )?(?:show|list|find))\b`)
	hanRun        = words.MustCompile(`\p{Han}+(?:\s*[a-z0-9]*\s*\p{Han}+)*`)
)

// Language is that of a request, zh or en. Chinese names in an English sentence do not make it Chinese, nor English ones the other way
// round; what is handed on with a job counts for nothing, nor does code.
func Language(request string) string {
	text := words.Clip(request, words.MaxText)
	if m := contextMark.FindStringIndex(text); m != nil {
		return words.Either(strings.HasPrefix(text[m[0]:], "\nContext"), "en", "zh")
	}
	if said := facts.SourceText.ReplaceAllString(text, " "); strings.TrimSpace(said) != "" {
		text = said
	}
	if words.Language(text) == "zh" && !saysHan.MatchString(text) {
		if n := len(saysEnglish.FindAllString(text, 2)); n == 2 || n == 1 && beginsEnglish.MatchString(text) && len(hanRun.FindAllString(text, 2)) == 1 { // orders of 王萍萍
			return "en"
		}
	}
	return words.Language(text)
}

// inNone are words that stand in both languages.
var inNone = words.MustCompile(`(?i)^(?:ok(?:ay)?|excel|word|powerpoint|markdown|html|csv|docx?|xlsx?|pptx?|pdf|vip|app|email|wifi)$`)

// TellsLanguage reports whether a text is in one of the languages: a number, an id, a name in capitals, or a kind of file that both call so is in neither, and code is in its own.
func TellsLanguage(text string) bool {
	text = facts.SourceText.ReplaceAllString(words.Clip(text, words.MaxText), " ")
	return strings.ContainsFunc(text, words.IsHan) || slices.ContainsFunc(words.Pieces(text), func(p words.Piece) bool {
		return len(p.Text) > 1 && p.Text != strings.ToUpper(p.Text) && !strings.ContainsAny(p.Text, "0123456789_") && !inNone.MatchString(p.Text)
	})
}

// pointsBack: words that stand for something said in an earlier turn.
var pointsBack = words.MustCompile(`(?i)它|他|她|这个|那个|这单|那单|该|此|刚才|上面|前面|同一|这位|那位|这款|那款|\b(?:it|its|this|that|these|those|him|her|his|their|them|the same|the order|the customer)\b`)

// pointsNowhere are words that hold one of these and stand for nothing that was said: 这个月 is a time.
var pointsNowhere = words.MustCompile(`(?i)[这那]一?个?(?:周|月|星期|礼拜|季)|应该|其[他它]|同一?[天日]|最\p{Han}{1,3}的[这那]一?个|^(?:and |so )?how (?:many|much)\b[^,.?]{0,20} (?:was|is|were|are) (?:that|it|this|those)[?.! ]*$|\b(?:this|that|the same) (?:week(?:end)?|day|month|quarter|year|morning|afternoon|evening|time|period)\b`)

// ofThisText are words for a thing, or for all, of what was found. Somebody may be who was spoken of all the same.
var ofThisText = words.MustCompile(`(?i)^(?:它|(?:这个|那个|该|此)(?:订单|单子|退款|商品|包裹|快递)|这单|那单|这款|那款|it\b|its\b|(?:this|that) (?:order|refund|product|parcel)\b|the order\b)`)

// pointsToTurns reports whether a text speaks of something said in an earlier turn, and not only of what it finds itself: list them, then
// cancel them; find the largest, then reject it.
func pointsToTurns(text string) bool {
	text = blanked(blanked(text, relative), pointsNowhere)
	return slices.ContainsFunc(pointsBack.FindAllStringIndex(text, -1), func(m []int) bool {
		own := allOfThem.FindStringIndex(text[m[0]:])
		if own == nil || own[0] > 0 {
			own = ofThisText.FindStringIndex(text[m[0]:])
		}
		return own == nil || own[0] > 0 || !foundBefore(text[:m[0]])
	})
}

// joined adds to the facts of a text whoever stands behind somebody.
func (x *Index) joined(s string, all []facts.Fact) []facts.Fact {
	for i := 0; i < len(all); i++ {
		if all[i].Kind != facts.Person {
			continue
		}
		start, end, ok := facts.NameBehind(s, all[i].End, x.knows)
		if ok && !slices.ContainsFunc(all, func(f facts.Fact) bool { return start < f.End && f.Start < end }) {
			all = slices.Insert(all, i+1, facts.Fact{Kind: facts.Person, Text: s[start:end], Value: s[start:end], Start: start, End: end})
		}
	}
	return all
}
