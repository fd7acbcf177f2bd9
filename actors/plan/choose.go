package plan

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// target is a clause with the terminal tool chosen for it.
type target struct {
	clause clause
	e      *entry // its own copy when the same tool serves several clauses
	bound  map[string]binding
	waits  []*target // that must end before
	stuck  bool      // something it waits for cannot be done
	// against are the arguments for the second of two periods that are compared, and other the fact that says it; nil without.
	against map[string]binding
	other   fact
	tool    *entry // of an agent: which of its tools it was chosen for; nil: not known
}

// Thresholds of the choice, set on natural requests to the shop of testdata; see TestPhrasings for what they are worth.
const (
	minFit      = 0.12 // share of the request's informative words that a card must know
	substitute  = 0.85 // of a failed tool's score that another one must reach to take its place
	handOver    = 0.3  // what it costs to hand on what an agent may well do itself
	disturbing  = 0.1  // what it costs that a person must agree to a mere look
	knowing     = 1.1  // what knowing all words is worth
	understood  = 0.03 // what each parameter is worth that is known, so that of two equal tools the one is taken that understands more
	considered  = 12   // cards looked at closely for each clause
	sharing     = 0.9  // what taking all that the clause says is worth, in shares of the best score
	sharingWho  = 0.5  // the same of people and things, when another tool can find by them what this one needs
	aboutFile   = 1.2  // what it costs to leave out a file that is named: the request is about what stands in it
	otherEnding = 0.2  // what it costs that the examples of a parameter show files of other kinds
	adjustable  = 0.9  // what it is worth that a tool changes by so much what shall change by that
	smallHouse  = 64   // up to so many cards all are looked at: an order number alone is enough to find its tool
)

// judged is a card with all that speaks for it as the tool of a clause.
type judged struct {
	ranked
	total float64
	bound map[string]binding
	lost  string // why it cannot be taken; "" when it can
}

// choose finds the terminal tool of a clause; nil when nothing fits. barred tools have failed and are passed over.
func (x *Index) choose(g *goal, c clause, barred map[string]string, ex *ExplainClause) *target {
	if x.behind != nil {
		return x.behind.choose(x, g, c, barred, ex)
	}
	all := x.judge(g, c, barred)
	lost := 0.0 // how good the tools were that failed; a poor substitute is no other path
	for _, j := range all {
		if why := barred[j.e.Name]; why != "" && !strings.HasPrefix(why, notAllowed) && !strings.HasPrefix(why, notAllowedHan) {
			lost = max(lost, j.total)
		}
	}
	var out *target
	for i, j := range all {
		if j.lost == "" && j.total < substitute*lost {
			j.lost = say(g.lang, "不如那个失败的工具合适", "no match for the tool that failed")
		}
		if j.lost == "" && out == nil {
			e := *j.e
			out = &target{clause: c, e: &e, bound: j.bound}
			ex.Chosen = e.Name
			ex.Why = say(g.lang, "得分 %.2f，认得 %.0f %% 的词，已知 %d 个参数", "score %.2f, knows %.0f %% of the words, %d "+ifText(len(j.bound) == 1, "parameter", "parameters")+" known", j.total, 100*j.fit, len(j.bound))
		} else if j.lost == "" {
			j.lost = say(g.lang, "有更合适的", "a better one was found")
		}
		if i < 6 {
			if out != nil && out.e.Name == j.e.Name {
				j.lost = ""
			}
			ex.Candidates = append(ex.Candidates, ExplainCandidate{Tool: j.e.Name, Score: round3(j.total), Fit: round3(j.fit), Lost: j.lost})
		}
	}
	return out
}

// judge weighs the cards for a clause, the best first.
func (x *Index) judge(g *goal, c clause, barred map[string]string) []judged {
	start, end := c.start, c.end
	if g.fresh > 0 {
		start, end = 0, g.fresh
	}
	plain := unrefused(g.plain)
	if a, b := aside(g.text); b > a && len(plain) == len(g.text) {
		plain = plain[:a] + strings.Repeat(" ", b-a) + plain[b:]
	}
	about := topic(plain, start, end, g.facts)
	if bestGoods(about) { // a matter of sales, whether it is said or not
		about += say(language(about), " 销量", " sales")
	}
	about = g.uncompared(c, x.mended(unfolded(about)))
	// A question of what is allowed goes to the rules, unless it names a thing that can be looked up.
	concrete, numbered := false, false
	for _, f := range within(g.facts, c.start, c.end) {
		numbered = numbered || f.kind == factDigits
		concrete = concrete || f.kind != factNumber && f.kind != factDate && f.kind != factQuote && f.kind != factKnown
	}
	if bare := howItStands.ReplaceAllString(about, " "); numbered && len(content(bare)) == 0 {
		about = bare
	}
	nothing := len(content(about)) == 0 // but what a fact names
	found := x.candidates(about)
	top := 0.0
	for _, r := range found {
		top = max(top, r.score)
	}
	asked, many := c.asking(g), several.MatchString(c.text)
	matter, ware := x.matterOf(c)
	filed, brought := speaksOfFiles(g), g.brought()
	figure := g.undated(c)
	kindOnly := len(content(x.unknownOf(g, c))) == 0
	var all []judged
	for _, r := range found {
		j := judged{ranked: r}
		if top > 0 {
			j.total = r.score / top
		}
		j.bound = x.bind(r.e, g, c)
		typed, whole, share := x.consumed(g, c, r.e, j.bound)
		said := about
		fits := figure.suits(r.e)
		if figure.columnIn(r.e) { // its rows tell of that, if not its description
			said = leastWord.ReplaceAllString(mostWords.ReplaceAllString(strings.ReplaceAll(about, c.figure.by, " "), " "), " ")
		}
		j.fit = x.fitWith(said, r.e, j.bound)
		j.total += share + knowing*j.fit + ifElse(r.e.goesBy(about), 0.1, 0) + understood*float64(min(sureOf(j.bound), 4))
		if c.count && r.e.counts() {
			j.total += 0.2
		}
		if r.e.IsAgent() && c.mayChange(r.e) {
			j.total += 0.3
		}
		switch {
		case barred[r.e.Name] != "":
			j.lost = barred[r.e.Name]
			j.total += ifElse(r.e.reads(), 0, 0.6)
		case !r.e.reads() && !c.mayChange(r.e):
			j.lost = say(g.lang, "会改动数据，而问题没有要求改动", "changes something, and the request does not ask for that")
		case !r.e.reads() && !typed && x.strange(withoutFacts(g.plain, start, end, g.facts), r.e, j.bound):
			j.lost = say(g.lang, "一个词也不认得", "knows none of the words")
		case !r.e.reads():
			j.total += 0.6 + ifElse(r.e.verbs[first(c.change)], 0.3, 0) + ifElse(x.adjusts(g, c, r.e), adjustable, 0)
		case matter != "" && r.e.reads() && !r.e.IsAgent() && (ware || x.ofAnyWorld(g, c, matter, j.bound)):
			j.lost = say(g.lang, "问的是别的事", "something else is asked for")
		case (r.e.knowledge() || r.e.governs()) && c.policy:
			j.total += ifElse(concrete || c.advice, 0.3, 2+knowing)
		case j.fit < minFit && !typed && !r.e.goesBy(about) && fits <= tabled, r.e.reads() && !r.e.IsAgent() && !r.e.knowledge() && x.overheard(g, c, r.e, j.bound):
			j.lost = say(g.lang, "认得的词太少", "knows too few of the words")
		}
		if r.e.reads() {
			j.total += acted(r.e.acts, asked) - ifElse(r.e.NeedsApproval(), disturbing, 0)
		}
		if whole && fits >= 0 {
			j.total += x.chosen(r.e, j.bound, c.text)
		}
		j.total -= x.lacking(r.e, j.bound, many) + x.options.Evidence.burden(r.e)
		j.total += fits + r.e.tellsLimit(g, c)
		if r.e.knowledge() && r.e.leads(c.text) {
			j.total += leading
		}
		if (many || c.question) && kindOnly && r.e.listsOf(j.bound) {
			j.total += listing
		}
		if numbered {
			j.total += r.e.answers(askedOf(c.text))
		}
		if nothing && typed {
			j.total += r.e.shows(j.bound)
		}
		switch {
		case g.calls(c, r.e):
			j.total += calling
			j.lost = barred[r.e.Name]
		case g.spurned == r.e.Name && r.e.IsSaved():
			j.lost = say(g.lang, "用户不要用它", "the user does not want it")
		}
		switch ofFiles := r.e.ofFiles(); {
		case ofFiles && !filed:
			j.total -= noFile
		case brought && !ofFiles && r.e.reads() && !r.e.IsAgent():
			j.total -= ifElse(!g.takesFile(j.bound), notBrought, ifElse(tableFile.MatchString(g.text), noFile/2, 0))
		}
		if x.foreign[r.e.Name] {
			j.total -= handOver
		}
		all = append(all, j)
	}
	slices.SortFunc(all, func(a, b judged) int {
		return cmp.Or(cmp.Compare(b.total, a.total), strings.Compare(a.e.Name, b.e.Name))
	})
	return all
}

// unknownOf is a clause without its facts, also without the known values, of which a text may well be about.
func (x *Index) unknownOf(g *goal, c clause) string {
	rest := withoutFacts(g.plain, c.start, c.end, g.facts)
	for _, f := range within(g.facts, c.start, c.end) {
		if f.kind == factKnown {
			rest = strings.Replace(rest, f.text, " ", 1)
		}
	}
	return rest
}

// howItStands asks of a thing that is named how it is, and of nothing beside it: A的状态, status of A, 看看A这单.
var howItStands = regexp.MustCompile(`(?i)状态|状况|(?:这|那|该)?(?:订?单|一单)|\b(?:status|state|orders?)\b`)

// sureOf counts the parameters that something said gives, not what merely remained.
func sureOf(bound map[string]binding) int {
	n := 0
	for _, b := range bound {
		if !b.weak {
			n++
		}
	}
	return n
}

// shows is what it is worth, 0–1, that a tool tells much of a thing of which nothing is asked: a bare order number wants the whole order.
func (e *entry) shows(bound map[string]binding) float64 {
	if !e.reads() || len(e.missing(bound)) > 0 {
		return 0
	}
	n := 0.0
	var count func(fs []field)
	count = func(fs []field) {
		for i := range fs {
			n++
			count(fs[i].Fields)
		}
	}
	count(e.returns)
	return n / (n + 10)
}

// ofThing: what is asked of a thing that is named: 电话 of 订单 281063663568 的电话, phone of "phone of order 281063663568".
var (
	ofThingHan = regexp.MustCompile(`的(?:收货|客户|买家|联系)?(\p{Han}{2,4}?)(?:号码?)?(?:是|呢|有|都|各|多少|什么|[?？。！!]|$)`)
	ofThingEng = regexp.MustCompile(`(?i)\b(phone|address|receiver|note|discount|freight|invoice|waybill|carrier|city|account|price|amount|total|reason)s?(?: numbers?)?\s+(?:of|for)\b`)
)

// askedOf is the noun of what is asked of a thing; "" when it is none.
func askedOf(text string) string {
	for _, re := range []*regexp.Regexp{ofThingHan, ofThingEng} {
		if m := re.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return ""
}

// telling is what it is worth that a tool returns what is asked of a thing, and silent what it costs that it does not.
const (
	telling = 0.6
	silent  = 0.3
)

// answers is what it is worth that what a looking tool returns is called by a noun: to take a phone number is not to tell one.
func (e *entry) answers(noun string) float64 {
	if noun == "" || !e.reads() || e.IsAgent() {
		return 0
	}
	var tells func(fs []field) bool
	tells = func(fs []field) bool {
		return slices.ContainsFunc(fs, func(f field) bool {
			_, ok := lessNoun(f.label("zh"), noun)
			_, en := lessNoun(f.label("en"), noun)
			return ok || en || tells(f.Fields)
		})
	}
	return ifElse(tells(e.returns), telling, -silent)
}

// listing is what it is worth, for a wish to see which things there are of a kind, that a tool lists such things, each with its id, and tells the kind of each.
const listing = 1.2

// listsOf reports whether a tool lists things by a known value that it was given, and by nothing else.
func (e *entry) listsOf(bound map[string]binding) bool {
	return e.reads() && !e.IsAgent() && slices.ContainsFunc(e.lists(), func(l *field) bool {
		return l.hasIDs() && slices.ContainsFunc(l.Fields, func(c field) bool {
			b, ok := bound[c.Name]
			return ok && !b.weak && c.Sort != sortID && b.why != "enum"
		})
	})
}

// candidates are the cards nearest to a text, and in a small house all others behind them.
func (x *Index) candidates(text string) []ranked {
	found := x.rank(text)
	found = found[:min(len(found), considered)]
	if len(x.entries) > smallHouse {
		return found
	}
	seen := map[*entry]bool{}
	for _, r := range found {
		seen[r.e] = true
	}
	for _, e := range x.entries {
		if !seen[e] {
			found = append(found, ranked{e: e})
		}
	}
	return found
}

// goesBy reports whether the text holds a word that is a tag of the card by itself: sales is what one of them does, after-sales is not. Or a
// whole tag of several words or three signs, such as 快没了, which may hold no word that would tell.
func (e *entry) goesBy(text string) bool {
	said, low := content(text), strings.ToLower(text)
	return slices.ContainsFunc(e.Tags, func(tag string) bool {
		if utf8.RuneCountInString(tag) >= minHeard && (isHan(firstRune(tag)) || strings.Contains(tag, " ")) && holds(low, strings.ToLower(tag)) {
			return true
		}
		ws := content(tag)
		return len(ws) == 1 && len(pieces(tag)) == 1 && slices.Contains(said, ws[0])
	})
}

// sayingThat: words that bring in what is said.
var sayingThat = regexp.MustCompile(`(?i)[说讲给]|\b(?:saying|says?|telling|that)\b`)

// strange reports whether a tool knows nothing of what a change shall be made to: "write a poem" is nothing for one that writes to buyers.
func (x *Index) strange(about string, e *entry, bound map[string]binding) bool {
	rest := sayingThat.ReplaceAllString(withoutVerbs(about), " ")
	return len(content(rest)) > 0 && x.fitWith(rest, e, bound) == 0
}

// chosen is what it is worth that the text names an allowed value of the tool outright, by a word that few cards speak of.
func (x *Index) chosen(e *entry, bound map[string]binding, text string) float64 {
	text = strings.ToLower(text)
	for name, b := range bound {
		v, ok := b.value.(string)
		if !ok || b.why != "enum" || b.sure < 0.9 {
			continue
		}
		word := strings.ReplaceAll(v, "_", " ")
		if called := longest(e.param(name).Called[v], text); called != "" {
			word = called
		}
		if slices.ContainsFunc(content(word), func(w string) bool { return x.heard[w] <= rare }) {
			return sharing / 2
		}
	}
	return 0
}

// rare is in how many cards a word may stand and still tell them apart.
const rare = 3

// several: words that ask for all things of a kind, of which none is named.
var several = regexp.MustCompile(`(?i)哪些|有哪|哪几|有没有|列出|列一下|所有|全部|多少|几[个单笔件]|\b(?:which|list|any|all|how many)\b`)

// lacking is what it costs that a tool cannot be called as things stand. One that needs the id of a single thing does not serve a
// question for many of them.
func (x *Index) lacking(e *entry, bound map[string]binding, many bool) float64 {
	sum := 0.0
	for _, f := range e.missing(bound) {
		if e.knowledge() {
			continue
		}
		sum += ifElse(many && e.reads() && f.Sort == sortID, 0.6, 0.1)
	}
	return sum
}

func round3(v float64) float64 { return float64(int(v*1000+0.5)) / 1000 }

// knowledge reports whether the tool searches texts by a question.
func (e *entry) knowledge() bool {
	if e.IsAgent() || !e.reads() || e.ofFiles() {
		return false
	}
	for _, f := range e.params {
		if f.Sort == sortQuery && f.Required {
			return true
		}
	}
	return false
}

// noFile is what it costs to take a request to the files of a session when it speaks of none: what the house knows by itself goes before.
const noFile = 0.8

// notBrought is what it costs a tool that takes no file when one came with the request.
const notBrought = 2.4

var fileWords = regexp.MustCompile(`(?i)文件|表格|数据表|附件|上传|这[张个份]表|\b(?:files?|tables?|spreadsheets?|sheets?|csv|xlsx?|excel|json|sqlite|uploads?|uploaded|attach\w*|datasets?)\b`)

// speaksOfFiles reports whether a request, what was told beside it or an earlier turn speaks of a file.
func speaksOfFiles(g *goal) bool {
	return g.filed || fileWords.MatchString(g.text) || fileWords.MatchString(g.context) || slices.ContainsFunc(g.facts, func(f fact) bool { return f.kind == factPath })
}

// ofHouse: what is asked for is the house's own, whatever file came with it.
var ofHouse = regexp.MustCompile(`(?i)我们?的?(?:店|订单|客户|商品|库存)|本店|店里|店铺|店内|系统里|后台|\b(?:(?:my|our|the) (?:shop|store|orders?|customers?|stock|inventory)|in the (?:shop|store|system))\b`)

// broughtWith: the names of the files that came with a request stand at its end, before what was put to it later.
var broughtWith = regexp.MustCompile(`\s*(?:（[^（）]+）|\([^()]+\))\s*(?:$|[,，])`)

// brought reports whether a file came with the request, which then is about it, unless it names something of the house.
func (g *goal) brought() bool {
	m := broughtWith.FindStringIndex(g.text)
	return m != nil && reFile.MatchString(" "+g.text[m[0]:]) && !ofHouse.MatchString(g.text) && !slices.ContainsFunc(g.facts, func(f fact) bool {
		return f.end <= m[0] && (f.kind == factDigits || f.kind == factPhone || f.kind == factPerson)
	})
}

// tableFile: a file of rows, which is asked and not read.
var tableFile = regexp.MustCompile(`(?i)\.(?:csv|tsv|xlsx?|xlsm|jsonl|ndjson|sqlite3?|db|parquet)\b`)

// takesFile reports whether a parameter holds a file that the request names.
func (g *goal) takesFile(bound map[string]binding) bool {
	for _, b := range bound {
		if b.used >= 0 && b.used < len(g.facts) && g.facts[b.used].kind == factPath {
			return true
		}
	}
	return false
}

// ofFiles reports whether a tool that looks works on files of the session beside a question.
func (e *entry) ofFiles() bool {
	return e.reads() && !e.IsAgent() && slices.ContainsFunc(e.params, func(f field) bool { return f.Name == "file" || f.Name == "files" })
}

// counts reports whether the tool says that it works figures out.
func (e *entry) counts() bool {
	return !e.IsAgent() && (e.vocab["统计"] || e.vocab["count"] || e.vocab[stem("statistics")])
}

// governs reports whether an agent is at home in rules and policies.
func (e *entry) governs() bool {
	if !e.IsAgent() {
		return false
	}
	for _, w := range []string{"规则", "规定", "政策", "rule", "policy"} {
		if e.tags[w] {
			return true
		}
	}
	return false
}

// fitWith is the share of the text's informative words that the card knows, or that were understood as values for it. A word is known
// by what it is called in the other language, too.
func (x *Index) fitWith(text string, e *entry, bound map[string]binding) float64 {
	terms, order := bag(content(text))
	values := map[string]bool{}
	for name, b := range bound {
		s, ok := b.value.(string)
		if !ok || b.why == "question" || b.why == "what remains" || b.why == "context" || b.why == factNames[factProper] {
			continue
		}
		if f := e.param(name); f != nil {
			s += " " + strings.Join(f.Called[s], " ")
		}
		for _, w := range content(s) {
			values[w] = true
		}
	}
	sum, hit := 0.0, 0.0
	for _, t := range order {
		w := x.terms.idf(x.terms.id(t)) * terms[t]
		sum += w
		switch {
		case e.vocab[t] || values[t]:
			hit += w
		default:
			best := 0.0
			for _, m := range x.lexicon[t] {
				if e.vocab[m.term] {
					best = max(best, m.weight)
				}
			}
			hit += w * best
		}
	}
	if sum == 0 {
		return 0
	}
	return hit / sum
}

// consumed tells what it is worth that the tool can take the clause's facts, and whether one of them fits it by a rule rather
// than by chance.
func (x *Index) consumed(g *goal, c clause, e *entry, bound map[string]binding) (typed, all bool, worth float64) {
	used := map[int]bool{}
	from, to := aside(g.text)
	for _, b := range bound {
		if b.used >= 0 && b.used < len(g.facts) && (to == 0 || g.facts[b.used].start < from || g.facts[b.used].end > to) {
			used[b.used] = true
			if k := g.facts[b.used].kind; b.sure >= 0.9 && k != factDate && k != factPlace {
				typed = true
			}
		}
	}
	total, taken, sum, open := 0, 0, 0.0, e.open(bound)
	for i, f := range g.facts {
		if f.start < c.start || f.end > c.end || f.start >= from && f.end <= to {
			continue
		}
		var found float64 // what it is worth when another tool can find by it what this one needs
		switch f.kind {
		case factNumber, factProper, factUnread, factCompare, factRate, factSaid:
			continue
		case factPerson, factPhone, factQuote, factKnown:
			found = ifElse(open, sharingWho, 0)
		case factDigits:
			found = -sharingWho // who names a thing by its id asks for nothing else
		case factPath:
			found = -aboutFile
		}
		total++
		if used[i] || (f.kind == factKnown || f.kind == factPerson) && says(bound, f.text) {
			sum += sharing
			taken++
			if f.kind == factPath && !ofKind(e, bound, i, f.text) {
				sum -= otherEnding
			}
		} else {
			sum += found
		}
	}
	if total == 0 {
		return typed, true, 0
	}
	return typed, taken == total, sum / float64(total)
}

// shown reports whether the parameter that takes a file shows such a one: with its ending, or with none at all.
func ofKind(e *entry, bound map[string]binding, fact int, file string) bool {
	end := strings.ToLower(path.Ext(file))
	for i := range e.params {
		f := &e.params[i]
		if b, ok := bound[f.Name]; ok && b.used == fact && len(f.Examples) > 0 {
			return slices.ContainsFunc(f.Examples, func(s string) bool { return strings.ToLower(path.Ext(s)) == end })
		}
	}
	return true
}

// open reports whether the tool needs the id of a thing that is not known.
func (e *entry) open(bound map[string]binding) bool {
	return slices.ContainsFunc(e.missing(bound), func(f *field) bool { return f.Sort == sortID })
}

// missing are the parameters without which the tool cannot be called and that nothing said gives.
func (e *entry) missing(bound map[string]binding) []*field {
	var out []*field
	for _, f := range e.required() {
		if _, ok := bound[f.Name]; !ok {
			out = append(out, f)
		}
	}
	if f := e.oneOf(bound); f != nil {
		out = append(out, f)
	}
	return out
}

// says reports whether an argument names what a known value names, as the card or as the text writes it.
func says(bound map[string]binding, text string) bool {
	low := strings.ToLower(text)
	for _, b := range bound {
		if v, ok := b.value.(string); ok && b.why != "question" && strings.Contains(strings.ToLower(v), low) {
			return true
		}
	}
	return false
}

// targets chooses a terminal tool for each clause. Neighbouring clauses that go to the same agent are one job.
func (x *Index) targets(g *goal, barred map[string]string, ex *Explain) (out []*target, unmet []clause) {
	x.halves(g)
	by := make([]*target, len(g.clauses)) // the target of each clause
	order := g.order()
	failing := map[string]bool{}
	for _, why := range barred {
		failing[why] = true
	}
	for i, c := range g.clauses {
		ec := ExplainClause{Text: short(c.text, 200)}
		t := x.choose(g, c, barred, &ec)
		ex.Clauses = append(ex.Clauses, ec)
		if t == nil {
			if !slices.ContainsFunc(ec.Candidates, func(k ExplainCandidate) bool { return failing[k.Lost] && k.Score > 0.5 }) { // else its failure is what there is to tell
				unmet = append(unmet, c)
			}
			continue
		}
		if n := len(out); n > 0 && out[n-1].e.Name == t.e.Name && (t.e.IsAgent() || string(argumentsOf(out[n-1].bound)) == string(argumentsOf(t.bound))) {
			out[n-1].clause.end = max(out[n-1].clause.end, c.end)
			out[n-1].clause.classify(g.text)
			t = out[n-1]
		} else {
			out = append(out, t)
		}
		by[i] = t
		for _, j := range order[i] {
			if by[j] == nil {
				t.stuck = true
			}
			if w := by[j]; w != nil && w != t && !slices.Contains(t.waits, w) && !w.reaches(t) {
				t.waits = append(t.waits, w)
			}
		}
		if len(out) == MaxActions {
			break
		}
	}
	return out, append(unmet, g.outside...)
}

// reaches reports whether a target waits for another one, directly or not.
func (t *target) reaches(o *target) bool {
	return t == o || slices.ContainsFunc(t.waits, func(w *target) bool { return w.reaches(o) })
}

func argumentsOf(bs map[string]binding) []byte {
	m := map[string]any{}
	for k, b := range bs {
		m[k] = b.value
	}
	return arguments(m)
}
