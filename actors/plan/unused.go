package plan

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// unused are the facts of a target's clause that none of the calls made for it takes. What the user said must never be dropped
// in silence: an answer that ignores it looks like an answer to what was asked.
func (r *round) unused(t *target) []fact {
	if t.e.IsAgent() || t.e.knowledge() || slices.Contains(t.e.Tags, documents) { // they get the words themselves, or what was found by them
		return nil
	}
	g := &r.g
	calls := []map[string]binding{t.bound}
	todo, seen := []*entry{t.e}, map[*entry]bool{t.e: true}
	for len(todo) > 0 { // and all that provides for it
		for _, p := range r.best.providers(todo[0]) {
			if p.IsAgent() {
				return nil
			}
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
				calls = append(calls, r.x.bind(p, g, clause{text: g.text, end: len(g.text)}))
			}
		}
		todo = todo[1:]
	}
	var out []fact
	for i, f := range g.facts {
		if f.start < t.clause.start || f.end > t.clause.end || f.from != "" || t.against != nil && f.start == t.other.start && f.end == t.other.end {
			continue
		}
		taken := slices.ContainsFunc(calls, func(bs map[string]binding) bool { return takes(t.e, bs, i, f, g) })
		if !taken && !slices.ContainsFunc(out, func(o fact) bool { return o.text == f.text }) {
			out = append(out, f)
		}
	}
	if t.e.reads() {
		out = append(out, r.unnamed(t, calls)...)
	}
	return out
}

// takes reports whether the arguments of a call say what fact number i says.
func takes(e *entry, bs map[string]binding, i int, f fact, g *goal) bool {
	if f.kind == factCompare || f.kind == factRate { // figures that a tool yields or does not, whatever its arguments
		for _, w := range content(f.text) {
			if !e.tells(w) && !e.ofFiles() { // which is given the whole question, and says itself what of it it did not understand
				return false
			}
		}
		return len(content(f.text)) > 0
	}
	low := strings.ToLower(f.text)
	_, limits := limitIn(g.text, f)
	for name, b := range bs {
		if b.used == i {
			if p, ok := f.value.(period); ok && !e.whole(name, p, i, bs, g) {
				continue
			}
			return true
		}
		if limits && b.why != "question" || f.kind == factDate && b.why != "what to say" && b.why != "question" {
			continue
		}
		for _, v := range append(spoken(b.value), spoken(b.more)...) {
			if v = strings.ToLower(v); strings.Contains(v, low) || len([]rune(v)) > 1 && strings.Contains(low, v) {
				return true
			}
		}
	}
	return false
}

// whole reports whether a period that is over is taken with both its ends: a tool that only takes the first day lists what
// came after it, too.
func (e *entry) whole(name string, p period, i int, bs map[string]binding, g *goal) bool {
	f := e.param(name)
	if f == nil || f.Sort != sortDate || !f.isStart() || !p.To.Before(day(g.now)) {
		return true
	}
	for other, b := range bs {
		if o := e.param(other); other != name && o != nil && b.used == i && !o.isStart() {
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

// tells reports whether the tool's own text speaks of a word, in what it does or in what it returns.
func (e *entry) tells(w string) bool {
	if e.vocab[w] {
		return true
	}
	found := false
	walk(e.returns, "", func(_ string, f *field) { found = found || f.vocab[w] })
	return found
}

// limits: what stands before 的, or after a word of place, limits what is looked for.
var (
	limitAfter  = regexp.MustCompile(`^的`)
	limitBefore = regexp.MustCompile(`(?:在|来自|从|\b(?:in|from|at))\s*$`)
)

// unnamed are words that limit the clause, that no rule knows and no argument takes: 红色的.
func (r *round) unnamed(t *target, calls []map[string]binding) []fact {
	var out []fact
	s := r.g.text[t.clause.start:t.clause.end]
	for _, w := range residues(r.g.text, t.clause.start, t.clause.end, r.g.facts, r.x.trade, t.e.vocab) {
		i := strings.Index(s, w)
		at := t.clause.start + i
		if i < 0 || slices.ContainsFunc(r.g.facts, func(f fact) bool { l, ok := limitIn(r.g.text, f); return ok && l.start <= at && at < l.end }) || !limitAfter.MatchString(s[i+len(w):]) && !limitBefore.MatchString(before(s, i)) {
			continue
		}
		taken := false
		for _, bs := range calls {
			for _, b := range bs {
				for _, v := range spoken(b.value) {
					taken = taken || strings.Contains(strings.ToLower(v), strings.ToLower(w)) || strings.Contains(w, v)
				}
			}
		}
		if !taken {
			out = append(out, fact{kind: factQuote, text: w, value: w, start: at, end: at + len(w)})
		}
	}
	return out
}

// ignored is the line that an answer begins with when it does not hold to all that was said; "" when it does. all: something
// was found, so that more is shown than was asked for. held are facts that the answer holds to though no call takes them.
func (r *round) ignored(t *target, all bool, held []fact) string {
	lang := r.g.lang
	var limits, figures, days []string
	for _, f := range r.unused(t) {
		if slices.ContainsFunc(held, func(h fact) bool { return h.start == f.start && h.text == f.text }) {
			continue
		}
		quoted := say(lang, "「%s」", "“%s”", f.text)
		switch f.kind {
		case factCompare, factRate:
			figures = append(figures, quoted)
		case factUnread:
			days = append(days, quoted)
		default:
			limits = append(limits, quoted)
		}
	}
	var out []string
	and := say(lang, "、", ", ")
	if len(limits) > 0 {
		out = append(out, say(lang, "没有按%s筛选", "this is not limited to %s; the tool cannot filter by it", strings.Join(limits, and))+
			say(lang, ifText(all, "，下面是全部结果", ""), ""))
	}
	if len(days) > 0 {
		out = append(out, say(lang, "我不知道%s是哪几天，没有按它筛选", "I cannot tell which days %s means, so this is not limited to it", strings.Join(days, and)))
	}
	if len(figures) > 0 {
		out = append(out, say(lang, "%s没有算出来", "%s is not worked out here", strings.Join(figures, and)))
	}
	if t.e.reads() && t.clause.commands() {
		out = append([]string{say(lang, "没有改动任何东西，这里没有能这样改的工具；下面只是查到的内容", "nothing was changed, for there is no tool that would; what follows was only looked up")}, out...)
	}
	if len(out) == 0 {
		return ""
	}
	return say(lang, "注意：", "Note: ") + strings.Join(out, say(lang, "；", "; ")) + say(lang, "。", ".")
}

// commands reports whether a clause begins with the verb of a change.
func (c clause) commands() bool {
	for _, at := range c.change {
		if strings.TrimSpace(beforeVerb.ReplaceAllString(c.text[:min(at, len(c.text))], "")) == "" {
			return true
		}
	}
	return false
}

// beforeVerb: what may stand before it.
var beforeVerb = regexp.MustCompile(`(?i)请|麻烦|帮我|给我|把|将|全部|都|\b(?:please|kindly|can|could|you|now|just)\b`)

func ifText(ok bool, a, b string) string {
	if ok {
		return a
	}
	return b
}

// unfit takes the targets out that would change something without holding to all that was said, and says so of each: a change
// is made as it was wished, or not at all. One whose parameter was asked for since, or whose object a provider looks up and
// [round.which] then asks for, stays.
func (r *round) unfit() (said []string) {
	kept := r.targets[:0:0]
	for _, t := range r.targets {
		words := r.unspared(t)
		for i, w := range words {
			words[i] = say(r.g.lang, "「%s」", "“%s”", w)
		}
		if !t.e.reads() && !r.chosen(t.e) && len(r.best.providers(t.e)) == 0 && !r.lacks(t.e) {
			for _, f := range r.unused(t) {
				if len(r.g.given) == 0 || f.kind != factDigits && f.kind != factCode { // an id that did not fit was told again when asked for
					words = append(words, say(r.g.lang, "「%s」", "“%s”", f.text))
				}
			}
		}
		_, made := r.tried(t.e.Name)
		if along := r.inseparable(t); len(along) > 0 && !made {
			said = append(said, say(r.g.lang, "没有执行：%[1]s。「%[3]s」这一步会连带%[2]s，不能分开做；如果可以接受，请去掉这个条件再说一次。",
				"Not done: %[1]s. “%[3]s” brings the %[2]s with it and cannot be done without; if that is all right, ask again without that condition.",
				strip(t.clause.text), strings.Join(along, say(r.g.lang, "、", ", ")), t.e.called(r.g.lang)))
			continue
		}
		if len(words) == 0 || made {
			kept = append(kept, t)
			continue
		}
		said = append(said, say(r.g.lang, "没有执行：%[1]s。这一步不能按%[2]s来做；请去掉这个条件再说一次，或者换一种说法。",
			"Not done: %[1]s. This step cannot take %[2]s into account; leave that out or put it another way.",
			strip(t.clause.text), strings.Join(words, say(r.g.lang, "、", ", "))))
	}
	r.targets = kept
	return said
}

// chosen reports whether the user picked what the tool is used on, knowing what the choice was not limited to.
func (r *round) chosen(e *entry) bool {
	return slices.ContainsFunc(r.in.Answers, func(a Answer) bool {
		f := e.param(a.Ask.Parameter)
		return a.Ask.ToolName == e.Name && len(a.Ask.Options) > 0 && f != nil && len(f.Enum) == 0
	})
}

// lacks reports whether something must be asked first.
func (r *round) lacks(e *entry) bool {
	for _, c := range r.best.choices {
		if c.taker == e && c.known == nil && c.provider == nil {
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
