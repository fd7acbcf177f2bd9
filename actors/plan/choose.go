package plan

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
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
	concrete, numbered, person := false, false, false
	for _, f := range within(g.facts, c.start, c.end) {
		numbered, person = numbered || f.kind == factDigits, person || f.kind == factPerson
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
	filed, brought, into := speaksOfFiles(g), g.brought(), g.looksInto()
	figure := g.undated(c)
	kindOnly, document := len(content(x.unknownOf(g, c))) == 0, wantsDocument(c.text)
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
		if numbered || person && askedOf(c.text) != "" {
			j.total += r.e.answers(askedOf(c.text))
		} else if boughtWhat.MatchString(c.text) {
			j.total += r.e.answers("商品")
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
		case (brought || into) && !ofFiles && r.e.reads() && !r.e.IsAgent():
			j.total -= ifElse(!g.takesFile(j.bound), notBrought, ifElse(brought && tableFile.MatchString(g.text), noFile/2, 0))
		}
		if document && slices.Contains(r.e.Tags, documents) {
			j.total += delivering
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
