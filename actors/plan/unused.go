package plan

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// unused are the facts of a target's clause that none of the calls made for it takes. What the user said must never be dropped
// in silence: an answer that ignores it looks like an answer to what was asked.
func (r *round) unused(t *target) []facts.Fact {
	if t.e.IsAgent() || t.e.Knowledge() || slices.Contains(t.e.Tags, documents) { // they get the words themselves, or what was found by them
		return nil
	}
	g := &r.g
	calls := []map[string]fields.Binding{t.bound, t.against}
	todo, seen := []*cards.Entry{t.e}, map[*cards.Entry]bool{t.e: true}
	if t.sake != nil {
		calls, todo, seen[t.sake.e] = append(calls, t.sake.bound), append(todo, t.sake.e), true
	}
	for len(todo) > 0 { // and all that provides for it
		for _, p := range r.best.Providers(todo[0]) {
			if p.IsAgent() {
				return nil
			}
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
				calls = append(calls, r.x.bind(p, g, wishes.Clause{Text: g.text, End: len(g.text)}))
			}
		}
		todo = todo[1:]
	}
	var out []facts.Fact
	for i, f := range g.facts {
		if f.Start < t.clause.Start || f.End > t.clause.End || f.From != "" || t.against != nil && f.Start == t.other.Start && f.End == t.other.End {
			continue
		}
		if (f.Kind == facts.Code || f.Kind == facts.Proper) && (t.clause.Figure.Superlative() || f.Text == strings.ToUpper(f.Text) && !strings.ContainsAny(f.Text, "0123456789")) && (t.e.Tells(f.Text) || t.e.Tells(strings.ToLower(f.Text))) {
			continue // the ROI of the campaign with the highest ROI
		}
		if f.Kind == facts.Proper && t.e.Shortened(f.Text) {
			continue // PR, for merge_pull_request
		}
		if f.Kind == facts.Known && f.Text == askedOf(t.clause.Text) && t.e.Answers(f.Text) > 0 {
			continue // 手机 of 王萍萍的手机 is what is asked
		}
		taken := r.retold(t, f) || slices.ContainsFunc(calls, func(bs map[string]fields.Binding) bool { return takes(t.e, bs, i, f, g) })
		if !taken && !slices.ContainsFunc(out, func(o facts.Fact) bool { return o.Text == f.Text }) {
			out = append(out, f)
		}
	}
	out = append(out, g.leftFrom(t.clause)...)
	if whole := g.text[t.clause.Start:t.clause.End]; t.e.Reads() && !t.e.OfFiles() {
		for _, re := range []*words.Pattern{figures.OtherColumn, partOfDay} {
			m := re.FindStringSubmatchIndex(whole)
			if m == nil {
				continue
			}
			if re == partOfDay { // the part, without the day
				m = []int{max(m[2], m[4]), max(m[3], m[5])}
				if slices.ContainsFunc(slices.Collect(maps.Keys(t.bound)), func(name string) bool { p := t.e.Param(name); return p != nil && p.Named(whole[m[0]:m[1]]) != "" }) {
					continue
				}
			}
			out = append(out, facts.Fact{Kind: facts.Quote, Text: whole[m[0]:m[1]], Value: whole[m[0]:m[1]], Start: t.clause.Start + m[0], End: t.clause.Start + m[1]})
		}
	}
	if t.e.Reads() {
		for _, w := range r.unnamed(t, calls) {
			if !slices.ContainsFunc(out, func(f facts.Fact) bool { return f.Start < w.End && w.Start < f.End }) {
				out = append(out, w)
			}
		}
	}
	return out
}

// partOfDay is some hours of one day, which most tools take whole: 昨天下午, yesterday morning.
var partOfDay = words.MustCompile(`(?i)(?:[今昨前]天|[日号])的?(上午|下午|晚上|中午|凌晨|早上|早晨|傍晚|夜里)|\b(?:yesterday|today|this) (morning|afternoon|evening)\b`)

// takes reports whether the arguments of a call say what fact number i says.
func takes(e *cards.Entry, bs map[string]fields.Binding, i int, f facts.Fact, g *goal) bool {
	if f.IsTarget() { // [round.heldAgainst] does
		return targetFigure(e, "") != nil || targetFigure(e, facts.Without(g.text, 0, len(g.text), g.facts)) != nil
	}
	if f.Kind == facts.Compare || f.Kind == facts.Rate { // figures that a tool yields or does not, whatever its arguments
		for _, w := range words.Content(f.Text) {
			if !e.Tells(w) && !e.OfFiles() { // which is given the whole question, and says itself what of it it did not understand
				return false
			}
		}
		return len(words.Content(f.Text)) > 0
	}
	low := strings.ToLower(f.Text)
	_, limits := wishes.LimitIn(g.text, f)
	for name, b := range bs {
		if b.Used == i {
			if p, ok := f.Value.(facts.Period); ok && !takesWhole(e, name, p, i, bs, g) {
				continue
			}
			return true
		}
		if limits && b.Why != "question" || f.Kind == facts.Date && b.Why != "what to say" && b.Why != "question" {
			continue
		}
		for _, v := range append(spoken(b.Value), spoken(b.More)...) {
			if at, clock := f.Value.(string); f.Kind == facts.Clock && clock && strings.Contains(v, "T"+at) {
				return true // 18:00 of a moment, for 6pm
			}
			if v = strings.ToLower(v); saidIn(v, low) || len([]rune(v)) > 1 && strings.Contains(low, v) {
				return true
			}
		}
	}
	return false
}

// saidIn reports whether a text holds another one, and not within a longer number: the 100 of 只退100 is nothing of 5100000083578.
func saidIn(text, part string) bool {
	digit := func(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return false
		}
		i += from
		if end := i + len(part); !(digit(part, 0) && digit(text, i-1)) && !(digit(part, len(part)-1) && digit(text, end)) {
			return true
		}
		from = i + max(1, len(part))
	}
}

// takesWhole reports whether a period that is over is taken with both its ends: a tool that only takes the first day lists what
// came after it, too.
func takesWhole(e *cards.Entry, name string, p facts.Period, i int, bs map[string]fields.Binding, g *goal) bool {
	f := e.Param(name)
	if f == nil || f.Sort != fields.Date || !f.IsStart() || !p.To.Before(facts.Day(g.now)) {
		return true
	}
	for other, b := range bs {
		if o := e.Param(other); other != name && o != nil && b.Used == i && !o.IsStart() {
			return true
		}
	}
	return false
}

// spoken are the texts of an argument.
func spoken(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, spoken(e)...)
		}
		return out
	case json.Number:
		return []string{v.String()}
	}
	return nil
}

// limits: what stands before 的, or after a word of place, limits what is looked for.
var (
	limitAfter  = words.MustCompile(`^的`)
	limitBefore = words.MustCompile(`(?:在|来自|从|\b(?:in|from|at))\s*$`)
)

// unnamed are words that limit the clause, that no rule knows and no argument takes: 红色的.
func (r *round) unnamed(t *target, calls []map[string]fields.Binding) []facts.Fact {
	var out []facts.Fact
	s := r.g.text[t.clause.Start:t.clause.End]
	for _, w := range wishes.Residues(r.g.text, t.clause.Start, t.clause.End, lessCharts(t.e, r.g.text, slices.Clone(r.g.facts)), r.x.trade, t.e.Vocab) {
		i := strings.Index(s, w)
		at := t.clause.Start + i
		if i < 0 || len([]rune(wishes.FirstN.ReplaceAllString(w, ""))) < 2 || slices.ContainsFunc(r.g.facts, func(f facts.Fact) bool {
			l, ok := wishes.LimitIn(r.g.text, f)
			return ok && l.Start <= at && at < l.End
		}) || !strings.Contains(wishes.Earned(s), w) || !limitAfter.MatchString(s[i+len(w):]) && !limitBefore.MatchString(words.Before(s, i)) {
			continue
		}
		taken := t.clause.Figure.Superlative() && t.e.Tells(strings.ToLower(w)) // which comes first in it
		for _, bs := range calls {
			for name, b := range bs {
				p := t.e.Param(name)
				for _, v := range spoken(b.Value) {
					taken = taken || b.Why == "enum" && p != nil && slices.ContainsFunc(p.Called[v], func(also string) bool { return strings.Contains(also, w) && strings.Contains(s, also) }) || strings.Contains(strings.ToLower(v), strings.ToLower(w)) || strings.Contains(w, v) || slices.Contains(words.AlsoCalled(w), strings.ToLower(v)) || b.Why == "enum" && t.e.Groups(w)
				}
			}
		}
		if !taken {
			out = append(out, facts.Fact{Kind: facts.Quote, Text: w, Value: w, Start: at, End: at + len(w)})
		}
	}
	return out
}

// ignored is the line that an answer begins with when it does not hold to all that was said; "" when it does. all: something
// was found, so that more is shown than was asked for. held are facts that the answer holds to though no call takes them.
func (r *round) ignored(t *target, all bool, held []facts.Fact) string {
	lang := r.g.lang
	var limits, untold, days []string
	for _, f := range r.unused(t) {
		if slices.ContainsFunc(held, func(h facts.Fact) bool { return h.Start == f.Start && h.Text == f.Text }) || r.seenNamed(t.e, f.Text) {
			continue
		}
		quoted := words.Say(lang, "「%s」", "“%s”", f.Text)
		switch f.Kind {
		case facts.Compare, facts.Rate:
			untold = append(untold, quoted)
		case facts.Unread:
			days = append(days, quoted)
		default:
			limits = append(limits, quoted)
		}
	}
	var out []string
	and := words.Say(lang, "、", ", ")
	if len(limits) > 0 {
		out = append(out, words.Say(lang, "没有按%s筛选", "this is not limited to %s; the tool cannot filter by it", strings.Join(limits, and))+
			words.Say(lang, words.Either(all, "，下面是全部结果", ""), ""))
	}
	if len(days) > 0 {
		out = append(out, words.Say(lang, "我不知道%s是哪几天，没有按它筛选", "I cannot tell which days %s means, so this is not limited to it", strings.Join(days, and)))
	}
	if _, _, _, two := r.g.twoPeriods(t.clause); (ranksGrowth(t.clause) || grewBy.MatchString(t.clause.Text) && !two && t.against == nil) && !t.e.OfFiles() {
		untold = append(untold, words.Say(lang, "「%s」", "“%s”", grewBy.FindString(t.clause.Text)))
	}
	if _, _, ok := wishes.Ratio(t.clause.Text); ok && t.against == nil && !t.e.OfFiles() && !r.tellsShare(t) {
		untold = append(untold, words.Say(lang, "「占比」", "“the share”"))
	}
	if len(untold) > 0 {
		out = append(out, words.Say(lang, "%s没有算出来", "%s is not worked out here", strings.Join(untold, and)))
	}
	for _, f := range facts.Within(r.g.facts, t.clause.Start, t.clause.End) {
		if facts.LastInstead(f, r.g.now) {
			out = append(out, words.Say(lang, "「%[1]s」还没有到，说的是上一个：%[2]s", "“%[1]s” has not come yet, this is the one before: %[2]s", f.Text, f.Value.(facts.Period).InDays(lang)))
		}
	}
	if chart := r.undrawn(t); all && chart != "" {
		out = append(out, words.Say(lang, "%s没有画，下面是它的数；要看图，请接着说「做成报告」", "no %s is drawn here, what follows are its figures; for a picture, go on with “put it into a report”", chart))
	}
	if t.e.Reads() && !t.e.IsAgent() && t.clause.Commands() {
		out = append([]string{r.unmade(t)}, out...)
	}
	if len(out) == 0 {
		return ""
	}
	return words.Say(lang, "注意：", "Note: ") + strings.Join(out, words.Say(lang, "；", "; ")) + words.Say(lang, "。", ".")
}

// unmade says that the change which a clause commands was not made, and what is missing for it where a tool would make it.
func (r *round) unmade(t *target) string {
	for _, e := range r.x.entries {
		if e.Reads() || e.IsAgent() || len(e.Required()) == 0 || !e.Verbs[wishes.FirstVerb(t.clause.Change)] {
			continue
		}
		var names []string
		for _, f := range e.Missing(r.x.bind(e, &r.g, t.clause)) {
			names = append(names, f.Within(r.g.lang))
		}
		if len(names) > 0 {
			return words.Say(r.g.lang, "没有改动任何东西：%[1]s，每一次都要知道%[2]s；下面只是查到的内容", "nothing was changed: “%[1]s” needs %[2]s, each time; what follows was only looked up",
				e.Called(r.g.lang), strings.Join(names, words.Say(r.g.lang, "、", ", ")))
		}
	}
	said := words.Say(r.g.lang, "没有改动任何东西，这里没有工具能照这样做", "nothing was changed, for no tool here does it as it was said")
	if what, can := r.x.changesOf(&r.g); len(can) > 0 {
		said += words.Say(r.g.lang, "（对%s能做的改动：%s）", " (what can be changed of %s: %s)", what, strings.Join(can, words.Say(r.g.lang, "、", ", ")))
	}
	return said + words.Say(r.g.lang, "；下面只是查到的内容", "; what follows was only looked up")
}

// changesOf are the changes that can be made to a thing which the request names by its id, and what that is called; nil for none.
func (x *Index) changesOf(g *goal) (what string, can []string) {
	for _, f := range g.facts {
		for _, e := range x.entries {
			thing := e.TakesOne()
			if thing == nil || e.Reads() || f.From != "" || !thing.Pattern.MatchString(f.Text) {
				continue
			}
			what = thing.Label(g.lang) + " " + f.Text
			if name := strings.TrimSpace(beyondDeed.Split(e.Called(g.lang), 2)[0]); !slices.Contains(can, name) {
				can = append(can, name)
			}
		}
		if len(can) > 0 {
			break
		}
	}
	return what, can
}

// unfit takes the targets out that would change something without holding to all that was said, and says so of each: a change
// is made as it was wished, or not at all. One whose parameter was asked for since, or whose object a provider looks up and
// [round.which] then asks for, stays.
func (r *round) unfit() (said []string) {
	kept := r.targets[:0:0]
	for _, t := range r.targets {
		terms := r.unspared(t)
		for i, w := range terms {
			terms[i] = words.Say(r.g.lang, "「%s」", "“%s”", w)
		}
		if !t.e.Reads() && !r.chosen(t.e) && len(r.best.Providers(t.e)) == 0 && !r.lacks(t.e) {
			for _, f := range r.unused(t) {
				if len(r.g.given) == 0 || f.Kind != facts.Digits && f.Kind != facts.Code { // an id that did not fit was told again when asked for
					terms = append(terms, words.Say(r.g.lang, "「%s」", "“%s”", f.Text))
				}
			}
		}
		_, made := r.tried(t.e.Name)
		if along := r.inseparable(t); len(along) > 0 && !made {
			said = append(said, words.Say(r.g.lang, "没有执行：%[1]s。「%[3]s」这一步会连带%[2]s，不能分开做；如果可以接受，请去掉这个条件再说一次。",
				"Not done: %[1]s. “%[3]s” brings the %[2]s with it and cannot be done without; if that is all right, ask again without that condition.",
				strip(r.g.wording(t.clause)), strings.Join(along, words.Say(r.g.lang, "、", ", ")), t.e.Called(r.g.lang)))
			continue
		}
		if no := r.otherAspect(t); no != "" && !made {
			said = append(said, no)
			continue
		}
		if no := r.oneByOne(t); no != "" && !made {
			said = append(said, no)
			continue
		}
		if len(terms) == 0 || made {
			kept = append(kept, t)
			continue
		}
		if of := strings.Join(terms, words.Say(r.g.lang, "、", ", ")); t.e.Reads() && leftOut.MatchString(of) {
			said = append(said, r.cannotLeaveOut(t, of))
			continue
		}
		said = append(said, words.Say(r.g.lang, "没有执行：%[1]s。这一步不能按%[2]s来做；请去掉这个条件再说一次，或者换一种说法。",
			"Not done: %[1]s. This step cannot take %[2]s into account; leave that out or put it another way.",
			strip(r.g.wording(t.clause)), strings.Join(terms, words.Say(r.g.lang, "、", ", "))))
	}
	r.targets = kept
	return said
}

// leftOut are words that leave something out of what is looked up.
var leftOut = words.MustCompile(`(?i)除|不[含包算要]|没|未|\b(?:except|exclud\w+|without|not|other than|apart from)\b`)

// retold reports whether a number that no call can take was told again when it was asked for: a price below nothing. A limit is no such number.
func (r *round) retold(t *target, f facts.Fact) bool {
	n, ok := f.Value.(facts.Amount)
	if _, limits := wishes.LimitIn(r.g.text, f); !ok || limits {
		return false
	}
	n.N = math.Abs(n.N)
	for name, b := range t.bound {
		p := t.e.Param(name)
		if _, fits := fields.Suits(p, facts.Fact{Kind: f.Kind, Text: f.Text, Value: n}); b.Why == "answer" && p.Sort == fields.Number && fits > 0 {
			return true
		}
	}
	return false
}

// chosen reports whether the user picked what the tool is used on, knowing what the choice was not limited to.
func (r *round) chosen(e *cards.Entry) bool {
	return slices.ContainsFunc(r.in.Answers, func(a Answer) bool {
		f := e.Param(a.Ask.Parameter)
		return a.Ask.ToolName == e.Name && len(a.Ask.Options) > 0 && f != nil && len(f.Enum) == 0
	})
}

// lacks reports whether something must be asked first.
func (r *round) lacks(e *cards.Entry) bool {
	for _, c := range r.best.Choices {
		if c.Taker == e && c.Known == nil && c.Provider == nil {
			return true
		}
	}
	return false
}

// tried finds a call that was already made of a tool.
func (r *round) tried(name string) (Done, bool) {
	for _, d := range r.in.Done {
		if d.Action.ToolName == name {
			return d, true
		}
	}
	return Done{}, false
}
