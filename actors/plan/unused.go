package plan

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
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
	whose := r.whose(t)
	for i, f := range g.facts {
		if f.Start < t.clause.Start || f.End > t.clause.End || f.From != "" || t.against != nil && f.Start == t.other.Start && f.End == t.other.End {
			continue
		}
		if (f.Kind == facts.Code || f.Kind == facts.Proper) && (t.clause.Figure.Superlative() || f.Text == strings.ToUpper(f.Text) && !strings.ContainsAny(f.Text, "0123456789")) && (t.e.Tells(f.Text) || t.e.Tells(strings.ToLower(f.Text))) {
			continue // the ROI of the campaign with the highest ROI
		}
		if f.Kind == facts.Person && slices.Contains(whose, f.Text) {
			continue // as was seen
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
		if o, ok := wishes.ReadOther(whole); ok {
			out = append(out, facts.Fact{Kind: facts.Quote, Text: whole[o.Start:o.End], Value: whole[o.Start:o.End], Start: t.clause.Start + o.Start, End: t.clause.Start + o.End})
		}
		if m := partOfDay.FindStringSubmatchIndex(whole); m != nil { // the part, without the day
			m = []int{max(m[2], m[4]), max(m[3], m[5])}
			if !slices.ContainsFunc(slices.Collect(maps.Keys(t.bound)), func(name string) bool { p := t.e.Param(name); return p != nil && p.Named(whole[m[0]:m[1]]) != "" }) {
				out = append(out, facts.Fact{Kind: facts.Quote, Text: whole[m[0]:m[1]], Value: whole[m[0]:m[1]], Start: t.clause.Start + m[0], End: t.clause.Start + m[1]})
			}
		}
	}
	if t.e.Reads() && !t.e.OfFiles() && !g.wishesChange() { // a note may say when
		out = append(out, r.recurring(t, calls)...)
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

// recurs are days that come again, weekends and Mondays, which no stretch of time is: 周末卖得最好的商品, what sells on weekends.
var recurs = words.MustCompile(`(?i)(?:^|[^上下本这一])(周末|工作日|平日|(?:每个?)?(?:周|星期|礼拜)[一二三四五六日天])|\b(?:on|at|during|over|every) (?:the |a )?(weekends?|weekdays?|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b`)

// recurring are such days that limit a clause and that none of its calls takes: what is put together by them is told of each.
func (r *round) recurring(t *target, calls []map[string]fields.Binding) []facts.Fact {
	whole := r.g.text[t.clause.Start:t.clause.End]
	m := recurs.FindStringSubmatchIndex(whole)
	if m == nil || slices.Contains(words.AlsoCalled(t.clause.Figure.By), "weekend") || slices.Contains(words.AlsoCalled(t.clause.Figure.By), "weekday") || t.clause.Figure.By == "day" || t.clause.Figure.By == "天" {
		return nil
	}
	at, end := t.clause.Start+max(m[2], m[4]), t.clause.Start+max(m[3], m[5])
	if slices.ContainsFunc(r.g.facts, func(f facts.Fact) bool { return f.Kind == facts.Date && f.Start < end && at < f.End }) {
		return nil
	}
	said := r.g.text[at:end]
	for _, bs := range calls {
		for name, b := range bs {
			if p := t.e.Param(name); p != nil && (slices.ContainsFunc(spoken(b.Value), func(v string) bool {
				return saidIn(strings.ToLower(said), strings.ToLower(v)) || slices.Contains(words.AlsoCalled(v), "weekday") || slices.Contains(words.AlsoCalled(v), "weekend")
			})) {
				return nil
			}
		}
	}
	return []facts.Fact{{Kind: facts.Quote, Text: said, Value: said, Start: at, End: end}}
}

// takes reports whether the arguments of a call say what fact number i says.
func takes(e *cards.Entry, bs map[string]fields.Binding, i int, f facts.Fact, g *goal) bool {
	if b, ok := f.Value.(facts.Bar); ok { // [round.overBar] does
		text := g.barText(wishes.Span(g.text, 0, len(g.text)), f)
		list, _ := barRows(e, b, text)
		return list != nil || barFigure(e, b, text) != nil
	}
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
		if how := wishes.ToldIn(t.clause.Text); how != "" && strings.Contains(how, f.Text) { // picks nothing
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
	if how := r.notPut(t); how != "" {
		out = append(out, words.Say(lang, "没有照「%s」来说，下面是原样的结果", "this is not put “%s”; what follows is as it was found", how))
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
