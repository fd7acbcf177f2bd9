package plan

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// bindTold chooses allowed values and reads yes, no and the question itself.
func (x *Index) bindTold(e *entry, f *field, g *goal, c clause, facts []fact) (binding, bool) {
	where, all := c.text, g.text
	if g.fresh > 0 {
		where = g.text
	}
	switch f.Sort {
	case sortEnum:
		if by := c.figure.by; by != "" && e.reads() {
			if v := f.groups(by); v != "" {
				return binding{value: x.typed(f, v), sure: 1, why: "enum", used: -1}, true
			}
			if f.goesFor(by) > 1 { // of each state: of all
				return binding{}, false
			}
		}
		if e.reads() && f.sorts() {
			if v := e.sorted(f, g.undated(c), g.lang); v != "" {
				return binding{value: x.typed(f, v), sure: 1, why: inOrderOf, used: -1}, true
			}
			if c.figure.superlative() && slices.ContainsFunc(f.Enum, func(v string) bool { return readReckoning(v).superlative() }) {
				return binding{}, false // the dearest of another kind of thing
			}
		}
		if e.reads() {
			all = g.looking()
			if g.fresh > 0 {
				where = all
			} else if strings.HasPrefix(g.text[min(c.start, c.end):c.end], c.text) {
				where = all[c.start : c.start+len(c.text)]
			}
		}
		if v, sure := x.chooseEnum(f, undated(where, g, facts), !e.reads()); v != "" && (f.Required || sure >= sureOptional) {
			return binding{value: x.typed(f, v), sure: sure, why: "enum", used: -1}, true
		}
		if v, sure := x.chooseEnum(f, undated(all, g, facts)+" "+g.context+" "+g.replies, !e.reads()); v != "" && where != all && sure >= 0.8 {
			return binding{value: x.typed(f, v), sure: sure - 0.1, why: "enum", used: -1}, true
		}
	case sortQuery:
		if f.Required || len(e.required()) == 0 {
			text := strings.TrimSpace(g.text)
			if len(g.clauses) > 1 {
				text = c.text
			}
			if text != "" {
				return binding{value: text, sure: 0.7, why: "question", used: -1}, true
			}
		}
	case sortBool:
		if v, ok := chooseBool(f, where); ok {
			return binding{value: v, sure: 0.6, why: "boolean", used: -1}, true
		}
	}
	return binding{}, false
}

// looking is the text of the goal for a tool that only looks, with spaces for what is refused and for the verbs of the changes wished: who
// wants an order cancelled, or not cancelled, does not look for cancelled ones.
func (g *goal) looking() string {
	if g.looks == "" {
		out := []byte(unrefused(g.text))
		for _, c := range g.clauses {
			at := c.start + max(0, strings.Index(g.text[c.start:c.end], c.text))
			for verb, i := range c.change {
				n := verbLength(verb, g.text[min(at+i, len(g.text)):])
				copy(out[min(at+i, len(out)):], strings.Repeat(" ", n))
			}
		}
		g.looks = string(out)
	}
	return g.looks
}

// unrefused is a text with spaces for what it refuses.
func unrefused(s string) string {
	out := []byte(s)
	for _, re := range []*regexp.Regexp{refusalHan, refusalEng} {
		scopes(s, re, func(from, to int) { copy(out[from:to], strings.Repeat(" ", to-from)) }, func(int) *regexp.Regexp { return thoughtEnds })
	}
	return string(out)
}

// refuses reports whether a clause does nothing but refuse a change: 先别发货.
func (c clause) refuses(s string) bool {
	own := unrefused(s)[c.start:c.end]
	return len(changeVerbs(c.text)) > 0 && len(changeVerbs(own)) == 0 && !readVerb.MatchString(own) && !c.question && !longNumber.MatchString(own)
}

// verbLength is how many bytes of a text the verb of a group takes that it begins with; 0 when it begins with none.
func verbLength(group, text string) int {
	most := 0
	for _, g := range changeGroups {
		if g[0] != group {
			continue
		}
		for _, v := range g {
			if isHan(firstRune(v)) && strings.HasPrefix(text, v) {
				most = max(most, len(v))
			}
		}
	}
	if ps := pieces(clip(text, 40)); most == 0 && len(ps) > 0 && !ps[0].han && ps[0].start == 0 && deeds[stem(strings.ToLower(ps[0].text))] &&
		!strings.HasSuffix(ps[0].text, "ed") { // "open" and "shipped" may name a state
		most = ps[0].end
	}
	return most
}

// undated takes the dates out of a text: the 月 of 上个月 chooses nothing.
func undated(s string, g *goal, facts []fact) string {
	for _, f := range facts {
		if _, when := f.value.(period); f.from == "" && when {
			s = strings.ReplaceAll(s, f.text, " ")
		}
	}
	return s
}

// bindKnown looks for values that the card itself knows, and for the text of a message.
func (x *Index) bindKnown(_ *entry, f *field, g *goal, c clause, _ []fact) (binding, bool) {
	if f.Sort != sortText && f.Sort != sortID && f.Sort != sortPerson {
		return binding{}, false
	}
	for i, text := range []string{g.text[min(g.fresh, len(g.text)):], c.text, g.text, g.context} {
		if i == 0 && g.fresh == 0 || i > 1 && !f.Required && g.owns(c) {
			continue // what another wish is about
		}
		if v := longest(f.Examples, text); v != "" && !(strings.EqualFold(v, askedOf(c.text)) && slices.ContainsFunc(within(g.facts, c.start, c.end), func(f fact) bool { return f.kind == factPerson })) { // the phone of somebody is no kind of goods
			return binding{value: v, sure: 0.85, why: "known value", used: -1, more: f.alike(v, g, c)}, true
		}
	}
	if v := f.calledFor(c.text); v != "" {
		return binding{value: v, sure: 0.8, why: "named value", used: -1}, true
	}
	if f.Sort == sortText && isReason.MatchString(f.Name+" "+f.head()) {
		if m := saidWhy.FindStringSubmatch(c.text); m != nil {
			return binding{value: strings.Trim(m[1], ` "“”「」'。.`), sure: 0.7, why: "what to say", used: -1, weak: true}, true
		}
	}
	if f.Sort == sortText && isMessage.MatchString(f.Name+" "+f.head()) {
		if start, ok := saidFrom(c.text); ok && !aMessage.MatchString(c.text[start:]) {
			return binding{value: strings.Trim(c.text[start:], ` "“”「」'`), sure: 0.7, why: "what to say", used: -1, weak: true}, true
		}
	}
	return binding{}, false
}

// calledFor is the value that the text gives beside the field's own name: 收货地址改成X, 抬头是X. "" when it gives none.
func (f *field) calledFor(text string) string {
	rs := []rune(f.head())
	if f.Sort != sortText || len(rs) < 2 || !isHan(rs[len(rs)-1]) || f.Pattern != nil {
		return ""
	}
	_, rest, ok := strings.Cut(text, string(rs[len(rs)-2:]))
	if m := givenValue.FindStringSubmatch(rest); ok && m != nil && !questionHan.MatchString(m[1]) {
		return m[1]
	}
	return ""
}

var givenValue = regexp.MustCompile(`^(?:改成|改为|换成|变更为|更新为|设为|填|写|是|为|[:：])\s*[:：]?\s*([^，。,;；?？\s]{2,80})`)

// isMessage and saidWhat: a message's text is what follows 说, saying, or a colon; isReason and saidWhy: a reason follows because.
// aMessage tells of a message and is none itself.
var (
	isMessage = regexp.MustCompile(`(?i)^(?:text|message|content|body)\b|消息内容|内容|短信|留言`)
	isReason  = regexp.MustCompile(`(?i)^(?:reason|cause|why|remark|note)\b|原因|理由|说明|备注`)
	saidWhy   = regexp.MustCompile(`(?i)(?:因为|由于|原因是?|理由是?|\bbecause(?: of)?|\bsince|\bdue to|\breason(?: is)?)[，,:：\s]*(.{2,200})$`)
	aMessage  = regexp.MustCompile(`(?i)^(?:一?[条封个份则])?[^，,。；;！!]{0,12}(?:消息|短信|信|信息|通知|留言|话)$|^an? [\w ]{0,30}(?:message|note|letter|apology|reply|mail|e-mail)$`)
	saidWhat  = regexp.MustCompile(`(?i)(?:告诉(?:他们?|她|对方|买家)|说明[，,:：]|说(?:一?声|一下|明一下)?|内容(?:是|为)|写[上明着道]|saying(?: that)?|says?(?: that)?|[:：])[，,:：]?\s*(.{2,500})$`)
)

// saysTo: "tell the buyer of order 17 it ships tomorrow", with nothing between the person and the message; what only names it ("about the
// delay", "how to", "the news") is none.
var saysTo = regexp.MustCompile(`(?i)\b(?:tell|inform|notify|let|message|text|email|write to|reply to)\s+(?:(?:the|our|my|this|that|all|these|those|both)\s+)*(?:buyers?|customers?|clients?|him|her|them)(?:\s+of\s+(?:(?:,|and|&|the|orders?|no\.?|number)\s*)*#?\d[\w-]*(?:(?:\s|,|\band\b|&|\borders?\b)*#?\d{4}[\w-]*)*)?(?:\s+know)?(?:\s+that)?,?\s+(.{2,500})$`)

var onlyTopic = regexp.MustCompile(`(?i)^(?:about|of|on|how|when|where|why|what|which|who|whether|if|to|with|by|via|in|and|or|for|the (?:news|truth|reason|status|details?)|know|whose|now|please|because|before|after)\b`)

// saidFrom is where in a text the message begins that somebody shall get, up to the end of the text.
func saidFrom(text string) (start int, ok bool) {
	if m := saidWhat.FindStringSubmatchIndex(text); m != nil {
		return m[2], true
	}
	if m := saysTo.FindStringSubmatchIndex(text); m != nil && !onlyTopic.MatchString(text[m[2]:]) {
		return m[2], true
	}
	return 0, false
}

// bindRest takes the noun that remains, from the clause, then from the other clauses, then from the context; or the default.
func (x *Index) bindRest(e *entry, f *field, g *goal, c clause, facts []fact) (binding, bool) {
	if f.Side != sideUnknown && e.replaces() {
		return binding{}, false // of two passages none is guessed
	}
	if f.Sort == sortText && !f.Source && !x.options.Without.Model && f.Pattern == nil && !isMessage.MatchString(f.Name+" "+f.head()) &&
		(f.Required || nameLike.MatchString(f.Name+" "+f.head())) {
		trade, by := x.trade, c.figure.byKind()
		if len(x.entries) > smallHouse {
			trade = e.tradeWords()
		}
		rs := rests(g.plain, max(c.start, min(g.fresh, c.end)), c.end, facts, trade)
		rs = slices.DeleteFunc(rs, func(r rest) bool {
			return x.slipOf(r.text) || e.allows(r.text) || e.figures(g.plain, r) || by != "" && puttingTogether.ReplaceAllString(strings.Replace(r.text, by, "", 1), "") == "" || r.text == compareWord.FindString(r.text)
		})
		if r := f.remaining(g.plain, rs); r != "" {
			return binding{value: r, sure: 0.6, why: "what remains", used: -1, weak: true}, true
		}
		if len(rs) == 0 {
			// The thing was named in another clause: 预测空气炸锅的销量，并建议要不要降价.
			if r := f.remaining(g.plain, rests(g.plain, 0, len(g.plain), facts, x.trade)); r != "" && len(g.clauses) > 1 {
				return binding{value: r, sure: 0.5, why: "what remains", used: -1, weak: true}, true
			}
			if r := residue(g.context, 0, len(g.context), nil, trade); f.Required && r != "" && len([]rune(r)) <= 20 {
				return binding{value: r, sure: 0.4, why: "context", used: -1, weak: true}, true
			}
		}
	}
	if f.Required && len(f.Default) > 0 {
		var v any
		if json.Unmarshal(f.Default, &v) == nil {
			return binding{value: v, sure: 0.4, why: "default", used: -1}, true
		}
	}
	return binding{}, false
}

// puttingTogether are the words beside the noun that rows are put together by.
var puttingTogether = regexp.MustCompile(`^(?:按照?|各个?|每一?个?|分布|构成|统计|分组|分类|汇总|的)*$`)

// figures reports whether what remains of a text is a piece of a word that the tool has for its figures or its allowed values, which names no thing:
// 客单 of 客单价.
func (e *entry) figures(text string, r rest) bool {
	in := func(word string) bool {
		if len([]rune(word)) < 2 || !isHan(firstRune(word)) || word == r.text {
			return false
		}
		for from := max(0, r.start-len(word)); from < len(text); {
			i := strings.Index(text[from:], word)
			if i < 0 || from+i > r.start {
				return false
			}
			if from+i+len(word) >= r.end {
				return true
			}
			from += i + len(string(firstRune(word)))
		}
		return false
	}
	for i := range e.params {
		if slices.ContainsFunc(e.params[i].Enum, in) {
			return true
		}
	}
	for i := range e.result.Fields {
		f := &e.result.Fields[i]
		if in(f.Title) || slices.ContainsFunc(f.Fields, func(c field) bool { return in(c.Title) }) {
			return true
		}
	}
	return false
}

// allows reports whether a text is what the card calls one of its allowed values, as flagship store is: it names no other thing.
func (e *entry) allows(text string) bool {
	for i := range e.params {
		f := &e.params[i]
		for _, v := range f.Enum {
			if strings.EqualFold(v, text) || slices.ContainsFunc(f.Called[v], func(name string) bool { return strings.EqualFold(name, text) }) {
				return true
			}
		}
	}
	return false
}

// remaining is which of what remains names the thing of a text parameter: the longest that the card knows in part, else the longest that stands where
// a name does. "" when none does.
func (f *field) remaining(s string, rs []rest) string {
	best, most := "", 0
	for _, r := range rs {
		worth := 0
		switch {
		case f.knows(r.text):
			worth = 3
		case r.cut || genericBehind.MatchString(s[r.end:]):
			continue
		case soldBefore.MatchString(before(s, r.start)) && (f.Required || f.takes(r.text)):
			worth = 2
		case f.Required:
			worth = 1
		case !isHan(firstRune(r.text)) && !strings.Contains(r.text, " "): // one Latin word may be any verb
		case f.takes(r.text):
			worth = 1
		}
		if worth > most || worth == most && worth > 0 && len(r.text) > len(best) {
			best, most = r.text, worth
		}
	}
	return best
}

var (
	// genericBehind: 人气商品, "popular items" tell of what kind things are, and name none.
	genericBehind = regexp.MustCompile(`(?i)^(?:的?(?:商品|产品|货品|宝贝|东西)|\s+(?:products?|items?|goods|things)\b)`)
	soldBefore    = regexp.MustCompile(`(?i)(?:\b(?:sell|selling|sells|sold|buy|bought|stock of|price of|sales of|for|carry|carries|called|named)\s+(?:the |an? |any |some |our )?|[卖买售])$`)
)

// knows reports whether a value is in part one that the card declares: it holds one, or one holds it.
func (f *field) knows(v string) bool {
	low := strings.ToLower(v)
	for _, e := range f.Examples {
		if e = strings.ToLower(e); holds(e, low) || strings.Contains(low, e) { // no train in trainers
			return true
		}
	}
	return false
}

// takes reports whether a value may belong to the field's dictionary, if the card declares one: a new category is no
// category, but a product's name may be new.
func (f *field) takes(v string) bool {
	if len(f.Examples) < 5 || openName.MatchString(f.Name+" "+f.head()) {
		return true
	}
	return f.knows(v)
}

var openName = regexp.MustCompile(`(?i)name|名称|关键词|keyword`)

// nameLike: optional parameters that name a thing may take what remains; others need better evidence.
var nameLike = regexp.MustCompile(`(?i)(product|sku_name|item|keyword|category|goods|商品名|商品|关键词|类目|品类|产品)`)
