package plan

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A change to all things of a kind, cancel all late orders, is two wishes: to find them, and to do it to each. It is put so that the same rules
// serve it as whoever says both; leave for it is asked with what was found.

var (
	// ofAll are the words that say that all of a kind are meant, or carry the wish, and say nothing of which.
	ofAll = regexp.MustCompile(`(?i)把|将|所有的?|全部的?|全都|全体|每一?[个单笔条人位]|都|统统|一律|一并|给我|帮我|帮忙|麻烦|请|现在|马上|立刻|一下|掉|了吧?$|吧$|\b(?:please|kindly|all|every|each|both|of|the|our|my|any|now|just|right|away|for me|can you|could you|will you|would you|go ahead and|i want (?:you )?to|i(?:'d| would) like to)\b`)
	// severalHan and severalEng: more than one is meant.
	severalHan = regexp.MustCompile(`所有|全部|全都|全体|每一?[个单笔条人位]|都|统统|一律|逐[个一]|挨个|群发`)
	severalEng = regexp.MustCompile(`(?i)\b(?:all|every|each|both)\b`)
	// justOne: one is meant, or such as were spoken of, so that nothing is to be found by its condition.
	justOne = regexp.MustCompile(`(?i)最|第|这|那|[它他她]|该|某|其[他它余]|剩|除|以外|之外|任[意何一]|随便|刚才|上面|一[个单笔条张]|\b(?:this|that|these|those|them|it|one|an?|any|other|others|rest|except|but|first|last|latest|newest|oldest|next|same|or)\b`)
	// givenTo: what is changed stands before the verb: 给这些订单开发票.
	givenTo = regexp.MustCompile(`^(?:请|麻烦|帮我|帮忙)*[给为替对]`)
	// howFar is what a change ends with that says by how much, or to what.
	howFar = regexp.MustCompile(`(?i)(?:^\p{Han}{0,3}?|\s*\b(?:by|to)\s+(?:CNY|RMB|¥|\$)?\s*)\d+(?:\.\d+)?\s*(?:%|％|折|元|块钱?|件|个|台|percent|yuan|pieces?|units?)?$`)
	// relative begins what is said of things, and points to none.
	relative = regexp.MustCompile(`(?i)\b(?:that|which|who)\s+(?:are|is|were|was|have|has|had|costs?|needs?|spent|bought|ordered|came|come)\b`)
	// messageTo is how a message is sent, with nothing of whom it is for.
	messageTo = regexp.MustCompile(`(?i)^\s*(?:an?\s+)?(?:messages?|notes?|e-?mails?|texts?|sms)?\s*(?:to\b)?`)
	someOnes  = regexp.MustCompile(`(?i)\bones\b`)
)

// eachOf is a request for a change to all things of a kind as two: to find them, and to do it to them. "" when it is none, or when nothing here
// finds such things by what is said of them.
func (x *Index) eachOf(g *goal) string {
	said := strings.TrimRight(strings.TrimSpace(g.text), "。.!！~ ")
	if g.fresh > 0 || g.lost != nil || len(said) > maxPointing || strings.ContainsAny(said, "\n\"“「") {
		return ""
	}
	if x.behind != nil {
		x = x.behind.index
	}
	c := clause{end: len(said)}
	c.classify(said)
	verb := first(c.change)
	if verb == "" || c.question && !politeAsk.MatchString(said) {
		return ""
	}
	takers := map[*entry]*field{}
	for _, e := range x.entries {
		if !e.reads() && !e.IsAgent() && c.mayChange(e) {
			if f := e.takesOne(); f != nil {
				takers[e] = f
			}
		}
	}
	if len(takers) == 0 {
		return ""
	}
	facts := x.facts(said, g.now)
	if namesOne(facts) || toldOrQuoted(said) != nil || len((splitter{verbs: x.verbs, topics: x.trade, facts: facts}).clauses(said)) != 1 {
		return ""
	}
	at := c.change[verb]
	word := verbWord(c.text[at:], verb)
	lang := language(said)
	rest := c.text[at+len(word):]
	told := verb == "send" && receiver.MatchString(c.text) // the verb stands before or behind those whom a message is for
	if told && lang == "zh" {
		rest, word = "", c.text[at:]
	} else if told {
		rest = messageTo.ReplaceAllString(rest, "")
	}
	if m := howFar.FindString(rest); m != "" { // restock … by 50, 补货50件
		rest, word = strings.TrimSuffix(rest, m), word+m
	}
	kind := strings.Join(strings.Fields(ofAll.ReplaceAllString(c.text[:at]+" "+rest, " ")), ifText(lang == "zh", "", " "))
	kind = strings.Trim(kind, "给对为替，, 的")
	named := slices.ContainsFunc(slices.Collect(maps.Values(takers)), func(f *field) bool { return strings.Contains(kind, nounOf(f.label(lang))) })
	for _, e := range x.entries {
		f := takers[e]
		if f == nil {
			continue
		}
		noun := nounOf(f.label(lang))
		of := kind
		if named && !strings.Contains(of, noun) { // the products, so not an order
			continue
		}
		switch {
		case lang == "en" && someOnes.MatchString(of):
			of = someOnes.ReplaceAllString(of, noun+"s")
		case told && f.Sort == sortID && slices.ContainsFunc(e.params, func(p field) bool { return isMessage.MatchString(p.Name + " " + p.head()) }):
		case told:
			continue
		case lang == "zh" && !strings.Contains(of, noun) && severalHan.MatchString(said): // 超时的都取消
			of += ifText(strings.HasSuffix(of, noun), "", "的"+noun)
		}
		if !f.Required && !severalEng.MatchString(said) && !severalHan.MatchString(said) && !slices.ContainsFunc(facts, func(n fact) bool { _, ok := limitIn(said, n); return ok }) {
			continue // it may be told by its name
		}
		many := severalEng.MatchString(said) || severalHan.MatchString(said) || lang == "zh" || strings.Contains(of, noun+"s")
		if !many || justOne.MatchString(relative.ReplaceAllString(of, " ")) || len(content(strings.NewReplacer(noun+"s", " ", noun, " ").Replace(of))) == 0 || !x.finds(of, e, f, g) && !(told && slices.ContainsFunc(e.params, func(p field) bool { return p.OneOf && len(p.Needs) > 0 && x.finds(of, e, &p, g) })) {
			continue
		}
		if missing := e.missing(x.bind(e, &goal{text: said, plain: said, facts: facts, lang: g.lang, now: g.now, given: g.given}, c)); slices.ContainsFunc(missing, func(m *field) bool { return m.Name != f.Name && !(told && isMessage.MatchString(m.Name+" "+m.head())) }) {
			continue
		}
		if told {
			return ifText(lang == "zh", "列出"+of+"，然后给这些"+receiver.FindString(of)+word, "list "+of+", then send a message to them")
		}
		if lang == "zh" {
			if givenTo.MatchString(said) {
				return "列出" + of + "，然后给这些" + noun + word
			}
			if strings.ContainsFunc(word, unicode.IsDigit) {
				return "列出" + of + "，然后把这些" + noun + word
			}
			return "列出" + of + "，然后" + word + "这些" + noun
		}
		verb, far, _ := strings.Cut(word, " ")
		return strings.TrimSpace("list " + of + ", then " + strings.ToLower(verb) + " them " + far)
	}
	return ""
}

// takesOne is the parameter by which a tool is told the one thing that it changes; nil when it needs none by its id.
func (e *entry) takesOne() *field {
	for i := range e.params {
		if f := &e.params[i]; (f.Required || f.OneOf) && f.Sort == sortID && f.Pattern != nil && len(f.Needs) > 0 {
			return f
		}
	}
	return nil
}

// finds reports whether a tool here lists things by what a text says of them, with the id that a parameter of another one takes.
func (x *Index) finds(text string, taker *entry, f *field, g *goal) bool {
	whole := goal{text: text, facts: x.facts(text, g.now)}
	look := goal{text: unlimited(text, whole.facts), lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&look)
	j := x.top(&look, span(look.text, 0, len(text)))
	if j == nil || !j.e.reads() || j.e.IsAgent() || j.e.knowledge() || len(j.e.missing(j.bound)) > 0 {
		return false
	}
	if j.fit < ifElse(j.e.tellsLimit(&whole, span(text, 0, len(text))) > 0, minFit, knownHalf) { // what is limited, 金额, is a column of its rows
		return false
	}
	_, ok := x.shape.best(j.e, taker, f, minInsert)
	return ok
}

// verbWord is how a text that begins with a verb of a group writes it.
func verbWord(text, group string) string {
	word := string(firstRune(text))
	if !isHan(firstRune(text)) {
		word, _, _ = strings.Cut(text, " ")
		return word
	}
	for _, g := range changeGroups {
		for _, v := range g {
			if g[0] == group && len(v) > len(word) && strings.HasPrefix(text, v) {
				word = v
			}
		}
	}
	return word
}
