package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/filing"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// target is a clause with the terminal tool chosen for it.
type target struct {
	clause wishes.Clause
	e      *cards.Entry // its own copy when the same tool serves several clauses
	bound  map[string]fields.Binding
	waits  []*target // that must end before
	stuck  bool      // something it waits for cannot be done
	sake   *target   // of a tool that no clause asked for: the change whose things it finds
	// against are the arguments of a second call, whose figures are held against those of the first: of another period, of another thing, of the
	// whole; nil without. other is the fact that says it, where one does; heads are what the two are called, "" for two periods.
	against map[string]fields.Binding
	other   facts.Fact
	heads   [2]string
	whole   bool         // the second call is of all that the first one is a part of
	told    bool         // how the two stand is said, and takes the place of what each call gave
	tool    *cards.Entry // of an agent: which of its tools it was chosen for; nil: not known
}

// Thresholds of the choice, set on natural requests to the shop of testdata; see TestPhrasings for what they are worth.
const (
	fewGlossed  = 0.3  // the same of a card in English for a wish in Chinese, which takes nothing that was said
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
	bound map[string]fields.Binding
	lost  string // why it cannot be taken; "" when it can
}

// choose finds the terminal tool of a clause; nil when nothing fits. barred tools have failed and are passed over.
func (x *Index) choose(g *goal, c wishes.Clause, barred map[string]string, ex *ExplainClause) *target {
	if x.behind != nil {
		return x.behind.choose(x, g, c, barred, ex)
	}
	if a := g.act(c); a != nil {
		return x.fileTarget(g, c, a, barred, ex)
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
			j.lost = words.Say(g.lang, "不如那个失败的工具合适", "no match for the tool that failed")
		}
		if j.lost == "" && out == nil {
			e := *j.e
			out = &target{clause: c, e: &e, bound: j.bound}
			ex.Chosen = e.Name
			ex.Why = words.Say(g.lang, "得分 %.2f，认得 %.0f %% 的词，已知 %d 个参数", "score %.2f, knows %.0f %% of the words, %d "+words.Either(len(j.bound) == 1, "parameter", "parameters")+" known", j.total, 100*j.fit, len(j.bound))
		} else if j.lost == "" {
			j.lost = words.Say(g.lang, "有更合适的", "a better one was found")
		}
		if i < 6 {
			if out != nil && out.e.Name == j.e.Name {
				j.lost = ""
			}
			ex.Candidates = append(ex.Candidates, ExplainCandidate{Tool: j.e.Name, Score: round3(j.total), Fit: round3(j.fit), Signals: j.why.signals(), Lost: j.lost})
		}
	}
	return out
}

// judge weighs the cards for a clause, the best first.
func (x *Index) judge(g *goal, c wishes.Clause, barred map[string]string) []judged {
	start, end := c.Start, c.End
	if g.fresh > 0 {
		start, end = 0, g.fresh
	}
	plain := wishes.WithoutToldIn(wishes.Unrefused(g.plain))
	if a, b := aside(g.text); b > a && len(plain) == len(g.text) {
		plain = plain[:a] + strings.Repeat(" ", b-a) + plain[b:]
	}
	about := wishes.Earned(facts.Topic(plain, start, end, g.facts))
	if rest := buyerSpoke.ReplaceAllString(about, " "); len(words.Content(rest)) > 0 { // who said something is not looked for
		about = rest
	}
	if bestGoods(about) || figures.SoldMost.MatchString(about) && (c.Count || setsAgainst.MatchString(c.Text)) { // a matter of sales, whether it is said or not
		about += words.Say(words.Language(about), " 销量", " sales")
	}
	bar, ofBar, hasBar := g.barOf(c)
	barSaid := g.barText(c, ofBar)
	aimed := slices.ContainsFunc(facts.Within(g.facts, c.Start, c.End), facts.Fact.IsTarget)
	if aimed && len(words.Content(madeIt.ReplaceAllString(facts.Without(plain, start, end, g.facts), " "))) == 0 { // of what was sold, where nothing else is said
		about = words.Say(words.Language(g.text), words.Either(hasBar && inOrders.MatchString(bar.Unit), "有多少订单，订单数", "卖了多少，销售额"), words.Either(hasBar && inOrders.MatchString(bar.Unit), "how many orders", "how much did we sell, revenue"))
	}
	if rest := howManyEnd.ReplaceAllString(about, ""); c.Count && len(words.Content(rest)) > 0 && !ordersPut.MatchString(rest) { // 退款几单: the measure tells nothing of what is counted
		about = rest
	}
	about = g.uncompared(c, x.mended(wishes.Unfolded(about)))
	if c.Figure.N > 0 { // of "top 5 cities" the number is read already
		about = loneTop.ReplaceAllString(about, " ")
	}
	if onlyList.MatchString(about) && len(words.Content(showAll.ReplaceAllString(x.unknownOf(g, c), ""))) == 0 {
		about = facts.Topic(onlyList.ReplaceAllStringFunc(plain, func(m string) string { return listVerb.ReplaceAllString(m, "show") }), start, end, g.facts)
	}
	// A question of what is allowed goes to the rules, unless it names a thing that can be looked up.
	concrete, numbered, person := false, false, false
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		numbered, person = numbered || f.Kind == facts.Digits, person || f.Kind == facts.Person
		concrete = concrete || f.Kind != facts.Number && f.Kind != facts.Date && f.Kind != facts.Quote && f.Kind != facts.Known
	}
	if bare := howItStands.ReplaceAllString(about, " "); numbered && len(words.Content(bare)) == 0 {
		about = bare
	}
	nothing := len(words.Content(about)) == 0 // but what a fact names
	found := x.candidates(about)
	held := x.holder(c, g, about)
	if slices.ContainsFunc(found, func(r ranked) bool { return r.e != held && r.e.Knowledge() && r.e.Leads(c.Text) }) {
		held = nil // 调研 wants more than these texts
	}
	if held != nil && !slices.ContainsFunc(found, func(r ranked) bool { return r.e == held }) {
		found = append(found, ranked{e: held})
	}
	papers, goods := wishes.WantsPapers(c.Text), wishes.AsksGoods(c.Text)
	for _, e := range x.entries {
		if papers && e.Qualifies() && !slices.ContainsFunc(found, func(r ranked) bool { return r.e == e }) {
			found = append(found, ranked{e: e})
		}
	}
	top := 0.0
	for _, r := range found {
		top = max(top, r.score)
	}
	asked, many := asking(c, g), several.MatchString(c.Text)
	matter, ware := x.matterOf(c)
	filed, brought, into := speaksOfFiles(g), g.brought(), g.looksInto()
	figure := g.undated(c)
	kindOnly, document := len(words.Content(showAll.ReplaceAllString(x.unknownOf(g, c), ""))) == 0, wantsDocument(c.Text)
	var all []judged
	for _, r := range found {
		j := judged{ranked: r}
		reads := r.e.Reads() || r.e.Looks()
		if top > 0 {
			j.total = r.score / top
		}
		j.bound = x.bind(r.e, g, c)
		typed, whole, share := x.consumed(g, c, r.e, j.bound)
		said := about
		fits := figures.Suits(figure, r.e)
		if figures.ColumnIn(figure, r.e) { // its rows tell of that, if not its description
			said = wishes.LeastWord.ReplaceAllString(wishes.MostWords.ReplaceAllString(strings.ReplaceAll(about, c.Figure.By, " "), " "), " ")
		}
		told := figures.Told(figure, r.e)
		if told != "" {
			said = numberOf.ReplaceAllString(strings.ReplaceAll(strings.ReplaceAll(said, told, " "), strings.ToLower(told), " "), " ")
		}
		j.fit = x.fitWith(said, r.e, j.bound)
		if told != "" && len(words.Content(said)) == 0 {
			j.fit = 1
		}
		j.total += share + knowing*j.fit + words.Either(r.e.GoesBy(about), 0.1, 0) + understood*float64(min(sureOf(j.bound), 4))
		if c.Count && r.e.Counts() {
			j.total += 0.2
		}
		if r.e.IsAgent() && mayChange(c, r.e) {
			j.total += 0.3
		}
		switch {
		case barred[r.e.Name] != "":
			j.lost = barred[r.e.Name]
			j.total += words.Either(reads, 0, 0.6)
		case ofPathAlone(g, c) && !takesPath(r.e) && !r.e.IsAgent() && !r.e.OfFiles() && !handlesFiles(r.e):
			j.lost = words.Say(g.lang, "说的是文件，它不管文件", "a file is named, and it has nothing to do with files")
		case reads && r.e.Undone(c.Text):
			j.lost = words.Say(g.lang, "只是查看，而这里要的是删除", "only looks, and something shall be deleted")
		case ofSession(r.e, j.bound, g.files):
			j.lost = words.Say(g.lang, "说的是本会话的文件，服务器上没有", "it is about a file of this session, which the server has not")
		case slices.Contains(r.e.Tags, fileTools[filing.Count]):
			j.lost = words.Say(g.lang, "只有整句话是要数它时才用", "is used for a whole wish to count only")
		case !reads && !mayChange(c, r.e) && !begun(c, r.e):
			j.lost = words.Say(g.lang, "会改动数据，而问题没有要求改动", "changes something, and the request does not ask for that")
		case !reads && !typed && x.strange(facts.Without(g.plain, start, end, g.facts), r.e, j.bound):
			j.lost = words.Say(g.lang, "一个词也不认得", "knows none of the words")
		case !reads:
			j.total += 0.6 + words.Either(r.e.Verbs[wishes.FirstVerb(c.Change)], 0.3, 0) + words.Either[float64](x.adjusts(g, c, r.e), adjustable, 0)
		case slices.Contains(r.e.Tags, documents) && asksAbout(c, r.e):
			j.lost = words.Say(g.lang, "问的是这种文件，不是要做一份", "asks about such files, and not for one")
		case r.e == held:
			j.total += inTexts
		case matter != "" && reads && !r.e.IsAgent() && !((brought || into) && r.e.OfFiles()) && !x.mayTell(r.e, c) && !holdsTold(j.bound, matter) && (ware || x.ofAnyWorld(g, c, matter, j.bound)):
			j.lost = words.Say(g.lang, "问的是别的事", "something else is asked for")
		case papers && r.e.Qualifies():
			j.total += 2 + 2*knowing
		case goods && r.e.Assorts():
			j.total += 2
		case (r.e.Knowledge() || r.e.Governs()) && c.Policy:
			j.total += words.Either(concrete || c.Advice, 0.3, 2+knowing)
		case reads && !r.e.IsAgent() && !r.e.Knowledge() && j.fit < words.Either[float64](typed, minFit, fewGlossed) && words.HasHan(c.Text) && !words.HasHan(r.e.Description):
			j.lost = words.Say(g.lang, "认得的词太少", "knows too few of the words") // what the tags of a card in English do not know may be all that was meant
		case j.fit < minFit && !typed && !r.e.GoesBy(about) && fits <= figures.Tabled, reads && !r.e.IsAgent() && !r.e.Knowledge() && x.overheard(g, c, r.e, j.bound):
			j.lost = words.Say(g.lang, "认得的词太少", "knows too few of the words")
		}
		if reads {
			j.total += acted(r.e.Acts, asked) - words.Either[float64](r.e.NeedsApproval(), disturbing, 0)
		}
		if whole && fits >= 0 {
			j.total += x.chosen(r.e, j.bound, c.Text)
		}
		j.total -= x.lacking(r.e, j.bound, many) + x.options.Evidence.burden(r.e)
		j.total += fits + tellsLimit(r.e, g, c) + sortsThese(c, r.e)
		if r.e.Knowledge() && r.e.Leads(c.Text) {
			j.total += leading
		}
		if (many || c.Question) && kindOnly && r.e.ListsOf(j.bound) {
			j.total += listing
		}
		if part, _ := ratioOf(r.e, c.Text); part != nil {
			j.total += 2
		}
		if reads && leftUndone.MatchString(c.Text) && toldByValue(r.e, j.bound, saysNot.MatchString) {
			j.total++
		}
		if hasBar && barFigure(r.e, bar, barSaid) != nil {
			j.total += 1.5
		} else if list, _ := barRows(r.e, bar, barSaid); hasBar && list != nil {
			j.total++
		} else if hasBar && reads && !r.e.IsAgent() && !r.e.Knowledge() {
			j.total -= 1.5
		} else if f := targetFigure(r.e, about); f != nil && aimed && words.Holds(about, f.Label("zh")) {
			j.total += 2
		}
		if numbered || person && askedOf(c.Text) != "" {
			j.total += r.e.Answers(askedOf(c.Text))
		} else if boughtWhat.MatchString(c.Text) {
			j.total += r.e.Answers("商品")
		}
		if nothing && typed {
			j.total += r.e.Shows(j.bound)
		}
		switch {
		case g.calls(c, r.e):
			j.total += calling
			j.lost = barred[r.e.Name]
		case g.spurned == r.e.Name:
			j.lost = words.Say(g.lang, "用户不要用它", "the user does not want it")
		case r.e.IsSaved() && (g.christens(r.e.Name) || x.exceeds(g, c, r.e, j.bound)):
			j.lost = words.Say(g.lang, "它是为另一个请求存的", "it was saved of another request")
		}
		switch ofFiles := r.e.OfFiles(); {
		case r.e.ReadsOneFile() && OfFiles(c.Text):
			j.total -= noFile
		case ofFiles && !filed:
			j.total -= noFile
		case (brought || into) && !ofFiles && reads && !r.e.IsAgent():
			j.total -= words.Either(!g.takesFile(j.bound), notBrought, words.Either[float64](brought && tableFile.MatchString(g.text), words.Either(readsOut.MatchString(c.Text), noFile/2, notBrought), 0))
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

// madeIt is said of a figure without its name: have we made over 2 million.
var madeIt = words.MustCompile(`(?i)\b(?:make|made|take|took|taken|get|got|gotten|do|done|hit|reach|reached)\b`)

// loneTop is what is left of the first so many.
var loneTop = words.MustCompile(`(?i)\btop\b`)

// numberOf stands before what is counted, and tells nothing of it.
var numberOf = words.MustCompile(`(?i)\b(?:the )?(?:number|count|amount) of\b`)

// onlyList says that things shall be shown, and nothing of which: a list_orders is no nearer for it.
var onlyList = words.MustCompile(`(?i)^\s*(?:please |can you |could you )*list(?: me)?(?: all| every)?(?: of)?(?: the| our| my)?\s+`)

// showAll: show me all.
var showAll = words.MustCompile(`(?i)^\s*(?:(?:please|can you|could you|list|show|give|me|all|every|of|the|our|my)\b\s*)+|\b(?:products?|goods|items|models)\b`)

var listVerb = words.MustCompile(`(?i)\blist\b`)

// ordersPut: the measure is what is counted, 下了几单.
var ordersPut = words.MustCompile(`下[了过]?\s*$`)

// howManyEnd: a Chinese measure behind what is counted.
var howManyEnd = words.MustCompile(`有?(?:几|多少)[单笔个件]\s*[?？]?\s*$`)

// unknownOf is a clause without its facts, also without the known values, of which a text may well be about.
func (x *Index) unknownOf(g *goal, c wishes.Clause) string {
	rest := facts.Without(g.plain, c.Start, c.End, g.facts)
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		if f.Kind == facts.Known {
			rest = strings.Replace(rest, f.Text, " ", 1)
		}
	}
	return rest
}

// howItStands asks of a thing that is named how it is, and of nothing beside it: A的状态, status of A, 看看A这单.
var howItStands = words.MustCompile(`(?i)状态|状况|(?:这|那|该)?(?:订?单|一单)|\b(?:status|state|orders?)\b`)

func round3(v float64) float64 { return float64(int(v*1000+0.5)) / 1000 }
