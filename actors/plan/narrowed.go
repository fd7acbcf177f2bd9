package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// What is said while a task is under way and is no wish of its own counts for the parts of the request whose calls it changes, and is put into these: a part that
// has run is run again, and its first result is told no more.

// steer takes what a person says while the task is under way into the request, or notes that it was not understood.
func (x *Index) steer(g *goal, said string) {
	said = strings.TrimSpace(words.Clip(said, 1000))
	if put, ok := recoded(g.text, said); ok {
		x.reword(g, put)
		return
	}
	if put := reformed(g.text, said); put != "" {
		x.reword(g, put)
		return
	}
	if m := thoughts.FindStringIndex(said); m != nil && !x.addsWish(said[:m[0]]) && x.addsWish(said[m[1]:]) { // 只看十一月的，再做成PPT
		x.steer(g, said[:m[0]])
		x.steer(g, said[m[1]:])
		return
	}
	refuses := wishes.RefusalHan.MatchString(said) || wishes.RefusalEng.MatchString(said)
	now := goal{text: g.text, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&now)
	others := slices.DeleteFunc(slices.Clone(now.clauses), func(c wishes.Clause) bool { return ofCode(now.text, c) })
	changes := slices.ContainsFunc(others, func(c wishes.Clause) bool { return len(c.Change) > 0 })
	heeded := x.heeds(said, g.now)
	wish := x.addsWish(said) || addsTo.MatchString(said) && heeded
	switch {
	case len(others) < len(now.clauses) && (reckonsOn.MatchString(said) || len(others) == 0 && !wish):
		g.unheard = append(g.unheard, said) // what code does is in the code
		return
	case refuses && !changes && len(now.clauses) > 1:
		if put := x.without(&now, said); put != "" {
			x.reword(g, put)
			return
		}
	case leavesOut.MatchString(said) && !changes && !wish: // no call here leaves something out: it would be made for just that
		g.unheard = append(g.unheard, said)
		return
	case heeded && !refuses && (!wish || exchanging.MatchString(said)) && (len(now.clauses) > 1 && !leavesOut.MatchString(said) || !changes):
		if put := x.narrowed(&now, said); put != "" {
			x.reword(g, put)
			return
		}
		if len(now.clauses) > 1 && !wish && !changes {
			g.unheard = append(g.unheard, said)
			return
		}
	}
	if !heeded {
		g.unheard = append(g.unheard, said)
		return
	}
	if !wish && !refuses && !changes {
		x.reword(g, g.text+"\n"+said)
		return
	}
	if g.added == 0 {
		g.added = len(g.text)
	}
	g.text += "\n" + x.added(said)
}

var (
	// thoughts parts what is said at once.
	thoughts = words.MustCompile(`[,，;；。]\s*|\s+(?:and|then)\s+`)
	// reckonsOn wishes something worked out from what code prints, which only other code can.
	reckonsOn = words.MustCompile(`(?i)(?:乘以?|除以|加上?|减去?|翻|平方|开方|取整|四舍五入|保留).{0,6}(?:\d|[一二两三四五六七八九十百千]|倍|番|$)|平方|开方|翻倍|取整|四舍五入|\b(?:multipl(?:y|ied)|divided?|subtract(?:ed)?|times|plus|minus|squared?|doubled?|halved?|tripled?|round(?:ed)?|add \d)\b`)
	// aroundLimit are the words around a limit, and exchanging those of one in the place of another.
	aroundLimit = words.MustCompile(`(?i)^(?:(?:no|sorry|oh|actually|please|just|only|i meant?|make it|change it to|show|look at|for|of|不对?|不是|请|我?只?(?:看|要|查|列|统计|算|想看|需要)|只|仅|换成|改成|改为|改看|换|就)[\s,，:：]*)+|(?:\s+(?:instead|rather|please|only|ones?)|的|吧|就行|就好|就可以)+[\s.。!！]*$`)
	exchanging  = words.MustCompile(`(?i)换|改成|改为|改看|\b(?:instead|rather|change it to|make it|i meant?)\b`)
)

// reword puts a text in the place of the request: what was asked in the old words is superseded.
func (x *Index) reword(g *goal, put string) {
	was := goal{text: g.text, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&was)
	g.formers = append(g.formers, g.text)
	for _, c := range was.clauses {
		g.formers = append(g.formers, strings.TrimRight(c.Text, words.EndMarks))
	}
	g.text, g.fresh = put, min(g.fresh, len(put))
}

// ofCode reports whether a clause is about the code that the request brings.
func ofCode(text string, c wishes.Clause) bool {
	m := facts.SourceText.FindStringIndex(text)
	return m != nil && c.Start < m[1] && m[0] < max(c.End, c.Start+1)+1
}

// narrowed is a request with a limit in each clause whose call it changes; "" when it changes none. Where some take it as a value, those that take any text are left.
func (x *Index) narrowed(g *goal, said string) string {
	core := aroundLimit.ReplaceAllString(said, "")
	surely, loosely, sure := g.text, g.text, false
	for _, c := range slices.Backward(g.clauses) {
		if ofCode(g.text, c) || len(c.Change) > 0 { // what shall be changed is said anew, never guessed
			continue
		}
		span := strings.TrimRight(g.text[c.Start:c.End], words.EndMarks+"\n")
		put := x.instead(g, span, core)
		if put == "" && !exchanging.MatchString(said) {
			put = span + words.Say(g.lang, "（", " (") + said + words.Say(g.lang, "）", ")")
		}
		if put == "" {
			continue
		}
		was, wasText := x.callOf(g, span)
		is, isText := x.callOf(g, put)
		switch {
		case slices.ContainsFunc(is, func(v string) bool { return !slices.Contains(was, v) }):
			surely, sure = surely[:c.Start]+put+surely[c.Start+len(span):], true
		case x.takesInstead(g, span, core): // of what it lists already the rows are picked
			surely = surely[:c.Start] + put + surely[c.Start+len(span):]
			loosely = loosely[:c.Start] + put + loosely[c.Start+len(span):]
		case isText != wasText:
			loosely = loosely[:c.Start] + put + loosely[c.Start+len(span):]
		}
	}
	switch {
	case sure:
		return surely
	case len(g.clauses) > 1 && loosely != g.text:
		return loosely
	}
	return ""
}

// takesInstead reports whether the call of a clause would take a value in the place of the only product or group that the clause names, whose own value has no room for it
// beside: 禾煮 for 空气炸锅, in 空气炸锅的库存.
func (x *Index) takesInstead(g *goal, span, core string) bool {
	var known []string
	for _, f := range x.facts(span, g.now) {
		if f.Kind == facts.Known {
			known = append(known, f.Text)
		}
	}
	if len(known) != 1 || slices.ContainsFunc(x.facts(core, g.now), func(f facts.Fact) bool { return f.Kind != facts.Known && f.Kind != facts.Proper }) {
		return false
	}
	_, was := x.callOf(g, strings.Replace(span, known[0], "", 1))
	_, is := x.callOf(g, strings.Replace(span, known[0], core, 1))
	return is != was && strings.Contains(is, core)
}

// callOf are the values that the calls take to which a text leads, and the whole calls.
func (x *Index) callOf(g *goal, text string) (values []string, all string) {
	if x.behind != nil {
		x = x.behind.index
	}
	alone := goal{text: text, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&alone)
	for _, c := range alone.clauses {
		t := x.choose(&alone, c, nil, &ExplainClause{})
		if t == nil {
			continue
		}
		all += t.e.Name + string(argumentsOf(t.bound))
		for name, b := range t.bound {
			if !b.Weak && (b.Used >= 0 || len(t.e.Param(name).Enum) > 0) {
				values = append(values, fields.Scalar(b.Value, ""))
			}
		}
	}
	return values, all
}

// without is a request without the only clause that a person refuses meanwhile; "" when it is not clear which one that is.
func (x *Index) without(g *goal, said string) string {
	refused := words.Content(wishes.RefusalEng.ReplaceAllString(wishes.RefusalHan.ReplaceAllString(said, " "), " "))
	at := -1
	for i, c := range g.clauses {
		if !slices.ContainsFunc(refused, func(w string) bool { return slices.Contains(words.Content(c.Text), w) }) {
			continue
		}
		if at >= 0 {
			return ""
		}
		at = i
	}
	if at < 0 || ofCode(g.text, g.clauses[at]) {
		return ""
	}
	c := g.clauses[at]
	left := strings.Trim(g.text[:c.Start], " ,，;；、\n") + words.Say(g.lang, "，", ", ") + strings.TrimLeft(g.text[c.End:], " ,，;；。.、\n")
	return strings.TrimRight(danglingEnd.ReplaceAllString(left, ""), " ,，;；、\n")
}

// danglingEnd are words that would join what is no more there.
var danglingEnd = words.MustCompile(`(?i)(?:[\s,，;；、]|再|然后|接着|并且?|还要?|顺便|\b(?:and|then|also)\b)+$`)

// superseded reports whether an agent had a part of the request in words that a person has changed since, and that asked for no change: its result is of no use any more.
func (r *round) superseded(d Done) bool {
	if len(r.g.formers) == 0 || d.Action.JobDesc == "" {
		return false
	}
	whole, part := askedIn(d.Action)
	if !r.changesNothing(part) {
		return false
	}
	for _, o := range slices.Backward(r.in.Done) {
		if o.Action.ToolName != d.Action.ToolName {
			continue
		}
		if key(o.Action) == key(d.Action) {
			break
		}
		if _, other := askedIn(o.Action); other == part { // the same of another one: 列出退款（王萍萍）, 列出退款（李建国）
			return true
		}
	}
	for _, t := range r.targets {
		now := strings.TrimRight(t.clause.Text, words.EndMarks)
		if len(r.targets) == 1 && len(r.unmet) == 0 {
			now = r.g.text
		}
		if t.e.Name == d.Action.ToolName && (now == whole || now == part) {
			return false
		}
	}
	return slices.Contains(r.g.formers, whole) || slices.Contains(r.g.formers, part)
}

// changesNothing reports whether a part of a request only looks something up or makes something.
func (r *round) changesNothing(part string) bool {
	was := goal{text: part, lang: r.g.lang, now: r.g.now, given: map[string]string{}}
	r.x.read(&was)
	return !slices.ContainsFunc(was.clauses, func(c wishes.Clause) bool { return len(c.Change) > 0 })
}

// askedIn is what a job asks for, and the same without what [round.job] adds of the other parts.
func askedIn(a bus.Action) (whole, part string) {
	whole, part = a.JobDesc, a.JobDesc
	if at := contextMark.FindStringIndex(whole); at != nil {
		whole = strings.TrimSpace(whole[:at[0]])
		part = aboutOthers.ReplaceAllString(whole, "")
	}
	return whole, part
}

// aboutOthers is what [round.job] adds of what other clauses name.
var aboutOthers = words.MustCompile(`（[^（）]*）$| \([^()]*\)$`)
