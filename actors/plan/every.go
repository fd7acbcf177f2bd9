package plan

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A change to all things of a kind, cancel all late orders, is two wishes: to find them, and to do it to each. It is put so that the same rules
// serve it as whoever says both; leave for it is asked with what was found.

var (
	// ofAll are the words that say that all of a kind are meant, or carry the wish, and say nothing of which.
	ofAll = words.MustCompile(`(?i)把|将|所有的?|全部的?|全都|全体|每一?[个单笔条人位]|都|统统|统一|一律|一并|给我|帮我|帮忙|麻烦|请|现在|马上|立刻|一下|掉|了吧?$|吧$|\b(?:please|kindly|all|every|each|both|of|the|our|my|any|now|just|right|away|for me|can you|could you|will you|would you|go ahead and|i want (?:you )?to|i(?:'d| would) like to)\b`)
	// severalHan and severalEng: more than one is meant.
	severalHan = words.MustCompile(`所有|全部|全都|全体|每一?[个单笔条人位]|都|统统|统一|一律|逐[个一]|挨个|群发`)
	severalEng = words.MustCompile(`(?i)\b(?:all|every|each|both)\b`)
	// justOne: one is meant, or such as were spoken of, so that nothing is to be found by its condition.
	justOne = words.MustCompile(`(?i)最|第|这|那|[它他她]|该|某|其[他它余]|剩|除|以外|之外|任[意何一]|随便|刚才|上面|一[个单笔条张]|\b(?:this|that|these|those|them|it|one|an?|any|other|others|rest|except|but|first|last|latest|newest|oldest|next|same|or)\b`)
	// givenTo: what is changed stands before the verb: 给这些订单开发票.
	givenTo = words.MustCompile(`^(?:请|麻烦|帮我|帮忙)*[给为替对]`)
	// howFar is what a change ends with that says by how much, or to what.
	howFar = words.MustCompile(`(?i)(?:^\p{Han}{0,3}?|\s*\b(?:by|to)\s+(?:CNY|RMB|¥|\$)?\s*)\d+(?:\.\d+)?\s*(?:%|％|折|元|块钱?|件|个|台|percent|yuan|pieces?|units?)?(?:\s+(?:each|apiece))?$`)
	// byMeans is what a change ends with that says by what it is done: 把订单都发货，用顺丰; ship all orders with SF Express.
	byMeans = words.MustCompile(`(?i)(?:[，,]|都|全部|全)*(?:用|走|通过|发)(\p{Han}{2,6})$|\s*,?\s*\b(?:with|by|via|using|through)\s+([a-z]{2,12}(?: [a-z]{2,12})?)$`)
	// relative begins what is said of things, and points to none.
	relative = words.MustCompile(`(?i)\b(?:that|which|who)\s+(?:are|is|were|was|have|has|had|costs?|needs?|spent|bought|ordered|came|come)\b`)
	// messageTo is how a message is sent, with nothing of whom it is for.
	messageTo = words.MustCompile(`(?i)^\s*(?:an?\s+)?(?:messages?|notes?|e-?mails?|texts?|sms)?\s*(?:to\b)?`)
	sayingIt  = words.MustCompile(`(?i)\s*(?:,\s*)?(?:\b(?:saying|says?)(?: that)?|[:：])[,:：]?\s*$`)
	// aspectOf is what of the things shall change, and ofSome the "of" that stands before a sum: the price of products, the refund of 193 yuan.
	aspectOf = words.MustCompile(`(?i)^\s*(?:the\s+)?(?:present |current |selling |sale )?([a-z]+)\s+(?:of|for|on)\s+`)
	ofSome   = words.MustCompile(`(?i)\bof\s+((?:CNY|RMB|¥|￥|\$)?\s*\d)`)
	// aspectNamed is what of a thing changes, and names no thing.
	aspectNamed = words.MustCompile(`(?i)^(?:prices?|stocks?|inventory|价格?|价钱|售价|库存)$`)
	someOnes    = words.MustCompile(`(?i)\bones\b`)
)

// eachOf is a request for a change to all things of a kind as two: to find them, and to do it to them. "" when it is none, or when nothing here
// finds such things by what is said of them.
func (x *Index) eachOf(g *goal) string {
	said := thatOne.ReplaceAllString(strings.TrimRight(strings.TrimSpace(g.text), "。.!！~ "), "$1")
	if g.fresh > 0 || g.lost != nil || len(said) > maxPointing || strings.ContainsAny(quotedLast.ReplaceAllString(said, ""), "\n\"“「") {
		return ""
	}
	if x.behind != nil {
		x = x.behind.index
	}
	said, why := reasonApart(said)
	c := wishes.Clause{End: len(said)}
	c.Classify(said)
	verb := c.Deed()
	if verb == "" || c.Question && !wishes.PoliteAsk.MatchString(said) {
		return ""
	}
	takers := map[*cards.Entry]*fields.Field{}
	for _, e := range x.entries {
		if f := e.TakesOne(); f != nil && !e.Reads() && !e.IsAgent() && mayChange(c, e) { // the cheap one first: it is asked of each card
			takers[e] = f
		}
	}
	if len(takers) == 0 {
		return ""
	}
	if adjust := maps.Clone(takers); len(adjust) > 1 { // what shall become dearer is no order
		maps.DeleteFunc(adjust, func(e *cards.Entry, _ *fields.Field) bool { return !x.adjusts(g, c, e) })
		if len(adjust) > 0 {
			takers = adjust
		}
	}
	found := x.facts(said, g.now)
	if amounts := slices.DeleteFunc(slices.Clone(found), func(fa facts.Fact) bool { _, ok := howMuchBy(said, fa); return !ok }); len(amounts) > 1 {
		return "" // two changes, whose things are not the same
	}
	at := c.Change[verb]
	word := wishes.VerbWord(c.Text[at:], verb)
	becoming := becomesAt(c.Text[:at], word, c.Text[at+len(word):], takers) >= 0
	if spans := toldOrQuoted(said); len(spans) > 0 && (verb != "send" && !becoming || slices.ContainsFunc(spans, func(m []int) bool { return m[1] < len(said) })) || namesOne(slices.DeleteFunc(slices.Clone(found), whose)) || len((wishes.Splitter{Verbs: x.verbs, Topics: x.trade, Facts: found}).Clauses(said)) != 1 {
		return ""
	}
	lang := words.Language(said)
	rest := c.Text[at+len(word):]
	if takesLong.MatchString(rest) {
		return ""
	}
	if verb == "ship" && word == "发" { // 把订单都发了
		word = "发货"
	}
	who := slices.ContainsFunc(found, whose)
	told, message := verb == "send" && receiver.MatchString(c.Text), "" // the verb stands before or behind those whom a message is for
	if told && lang == "zh" {
		rest, word = "", c.Text[at:]
	} else if told {
		rest = messageTo.ReplaceAllString(rest, "")
		if i, ok := wishes.SaidFrom(rest); ok {
			rest, message = sayingIt.ReplaceAllString(rest[:i], ""), " saying "+rest[i:]
		}
	}
	into := stateAt(word, rest, takers)
	if into != "" {
		rest, word = strings.TrimSuffix(rest, into), word+into
	} else if m := howFar.FindString(rest); m != "" { // restock … by 50, 补货50件
		rest, word = strings.TrimSuffix(rest, m), word+m
	} else if to := becomesAt(c.Text[:at], word, rest, takers); to >= 0 {
		rest, word = rest[:to], word+rest[to:]
	}
	if m := byMeans.FindStringSubmatch(rest); m != nil && slices.ContainsFunc(slices.Collect(maps.Keys(takers)), func(e *cards.Entry) bool {
		return slices.ContainsFunc(e.Params, func(p fields.Field) bool { return p.Sort == fields.Text && p.Knows(m[1]+m[2]) })
	}) {
		by := m[1] + m[2]
		rest = strings.TrimSuffix(rest, m[0])
		word = words.Either(lang == "zh", "用"+by+word, word+" with "+by)
	}
	rest = ofSome.ReplaceAllString(rest, "for $1")
	aspect := ""
	if m := aspectOf.FindStringSubmatch(rest); m != nil && slices.ContainsFunc(slices.Collect(maps.Keys(takers)), func(e *cards.Entry) bool { return changesWhat(e, m[1]) }) {
		maps.DeleteFunc(takers, func(e *cards.Entry, _ *fields.Field) bool { return !changesWhat(e, m[1]) })
		rest, aspect = rest[len(m[0]):], "the "+m[1]+" of "
	}
	kind := strings.Join(strings.Fields(ofAll.ReplaceAllString(c.Text[:at]+" "+rest, " ")), words.Either(lang == "zh", "", " "))
	kind = strings.Trim(kind, "给对为替，, 的")
	if i := strings.LastIndex(kind, "的"); i > 0 && slices.ContainsFunc(slices.Collect(maps.Keys(takers)), func(e *cards.Entry) bool { return changesWhat(e, kind[i+len("的"):]) }) {
		aspect = kind[i:]
		maps.DeleteFunc(takers, func(e *cards.Entry, _ *fields.Field) bool { return !changesWhat(e, aspect[len("的"):]) })
		kind = kind[:i]
	}
	if of := words.Content(kind); aspect == "" && len(of) > 0 && !slices.ContainsFunc(of, func(w string) bool { return !aspectNamed.MatchString(w) }) {
		return "" // all prices: of which things is not said
	}
	named := slices.ContainsFunc(slices.Collect(maps.Values(takers)), func(f *fields.Field) bool { return namedIn(f, kind, lang) != "" })
	first := wishes.ReadReckoning(kind)
	one := first.Superlative() && first.N < 2 || slices.ContainsFunc(found, func(n facts.Fact) bool { _, ok := wishes.Exactly(said, n); return ok })
	many := severalEng.MatchString(said) || severalHan.MatchString(said)
	if who && (told || !one && !many || !named) { // his are meant where it says that all of them are, or which; else it is looked for what he has
		return ""
	}
	for _, e := range x.entries {
		f := takers[e]
		if f == nil {
			continue
		}
		of, look := kind, "list "
		noun := namedIn(f, of, lang)
		if named && noun == "" { // the products, so not an order
			continue
		} else if noun == "" {
			noun = nounOf(f.Label(lang))
		}
		switch {
		case lang == "en" && someOnes.MatchString(of):
			of = someOnes.ReplaceAllString(of, noun+"s")
		case told && f.Sort == fields.ID && slices.ContainsFunc(e.Params, func(p fields.Field) bool { return wishes.IsMessage.MatchString(p.Name + " " + p.Head()) }):
		case told:
			continue
		case lang == "en" && (aspect != "" || strings.ContainsFunc(word, unicode.IsDigit)) && namedIn(f, of, lang) == "": // the price of all air fryers
			of, look = strings.TrimSuffix(of, "s")+" "+plainNoun(f, noun)+words.Either(one, "", "s"), "find "
		case lang == "zh" && !strings.Contains(of, noun) && (many || first.Superlative()): // 超时的都取消, 最贵的两款耳机降价10元
			of += words.Either(strings.HasSuffix(of, noun), "", "的"+noun)
		}
		to := receiver.FindString(of)
		if told && lang == "zh" && !who && !x.finds(of, e, f, g) { // it is the orders that are late, and not who bought them
			of = theirBuyers.ReplaceAllString(of, "")
		}
		ofState := told && !who && lang == "zh" && to != "" && len(words.Content(strings.NewReplacer(noun, " ", to, " ").Replace(of))) > 0
		if !f.Required && !one && !many && !ofState && !first.Superlative() && !slices.ContainsFunc(found, func(n facts.Fact) bool { _, ok := wishes.LimitIn(said, n); return ok }) {
			continue // it may be told by its name
		}
		if !many && lang == "en" && !strings.Contains(of, noun+"s") && !manyThings.MatchString(of) && !one && first.N < 2 || justOne.MatchString(relative.ReplaceAllString(wishes.LeastWord.ReplaceAllString(wishes.MostWords.ReplaceAllString(of, " "), " "), " ")) || len(words.Content(strings.NewReplacer(noun+"s", " ", noun, " ").Replace(of))) == 0 || !x.finds(of, e, f, g) && !(told && slices.ContainsFunc(e.Params, func(p fields.Field) bool { return p.OneOf && len(p.Needs) > 0 && x.finds(of, e, &p, g) })) {
			continue
		}
		if missing := e.Missing(x.bind(e, &goal{text: said, plain: said, facts: found, lang: g.lang, now: g.now, given: g.given}, c)); slices.ContainsFunc(missing, func(m *fields.Field) bool {
			return m.Name != f.Name && (m.Required || m.OneOf) && !(told && wishes.IsMessage.MatchString(m.Name+" "+m.Head()))
		}) && ownID(e) == nil { // which is told when it is known how many there are
			continue
		}
		if at := strings.LastIndex(of, "下"); at > 0 && words.Holds(of[at:], noun) && slices.ContainsFunc(found, func(f facts.Fact) bool { _, when := f.Value.(facts.Period); return when }) {
			of = asPlaced.ReplaceAllStringFunc(of, func(s string) string { return words.Either(strings.HasSuffix(s, "的"), "的", "") })
		}
		if put, note := x.onlyPossible(of, f, g); put != "" {
			of = put
			g.left = note
		}
		return inTwoParts{lang, look, of, noun, word, aspect, message, to, told, givenTo.MatchString(said), one, into != ""}.wishes() + why
	}
	return ""
}

// quotedLast is what something becomes, in quotes.
var quotedLast = words.MustCompile(`(?:[成为到:：]\s*[「“]|\bto [“"])[^"“”「」]+[」”"]$`)

// thatOne behind what comes first says nothing more: 最贵的那个订单.
var thatOne = words.MustCompile(`(最\p{Han}{1,3}的)[那这]一?[个单笔条位款件种]`)

// takesLong: how long it took is measured, 发货最慢的订单, and nobody is told to do it.
var takesLong = words.MustCompile(`^得?(?:用时|时间)?最[慢快久]`)

// manyThings are several things of which each belongs to an order.
var manyThings = words.MustCompile(`(?i)\b(?:parcels|packages|shipments|deliveries)\b`)

// theirBuyers are who bought what stands before.
var theirBuyers = words.MustCompile(`的?(?:那?些)?(?:买家|客户|顾客|用户|收货人)们?$`)

// inTwoParts is a change to things of a kind, in the words that say each part of it.
type inTwoParts struct {
	lang, look        string // zh or en; how they are asked for in English, "list " or "find "
	of, noun          string // which things, and what they are called: late orders, order
	word, aspect      string // what is done, 补货50件 or raise by 5%, and to what of them: "the price of "
	message           string // " saying …", of one that is sent in English
	to                string // what those are called who are told something
	told, giving, one bool   // somebody is told something; what is changed stands before the verb; a single thing is meant
	into              bool   // the word ends with the state that they change to, 改成已完成
}

// wishes are the two wishes that it is made of.
func (a inTwoParts) wishes() string {
	these, them := words.Either(a.one, "这个", "这些"), words.Either(a.one, "it", "them")
	switch {
	case a.told && a.lang == "zh":
		return "列出" + a.of + "，然后给" + these + a.to + a.word
	case a.told:
		return a.look + a.of + ", then send a message to " + them + a.message
	case a.lang != "zh":
		verb, far, _ := strings.Cut(a.word, " ")
		return strings.TrimSpace(a.look + a.of + ", then " + strings.ToLower(verb) + " " + a.aspect + them + " " + far)
	case a.giving && !strings.ContainsFunc(a.word, unicode.IsDigit):
		return "列出" + a.of + "，然后给" + these + a.noun + a.word
	case a.into || a.aspect != "" || strings.ContainsFunc(a.word, unicode.IsDigit):
		return "列出" + a.of + "，然后把" + these + a.noun + a.aspect + a.word
	}
	return "列出" + a.of + "，然后" + a.word + these + a.noun
}

// stateAt is the state of things at the end of a wish to change them, behind its verb, with what leads to it: 成已完成, " as completed". "" when it ends with none of
// those that one of the tools sets; those that do not set it are left out of the tools.
func stateAt(word, rest string, takers map[*cards.Entry]*fields.Field) string {
	into := ""
	for e := range takers {
		if at := setsAt(e, word, rest); at >= 0 {
			into = rest[at:]
		}
	}
	if into != "" {
		maps.DeleteFunc(takers, func(e *cards.Entry, _ *fields.Field) bool { return setsAt(e, word, rest) < 0 })
	}
	return into
}

// setsAt is where in a text behind a verb the state begins that a tool sets, with what leads to it; -1: it ends with none.
func setsAt(e *cards.Entry, word, rest string) int {
	for i := range e.Params {
		f := &e.Params[i]
		for _, said := range f.Sayings() {
			if lead, ok := strings.CutSuffix(rest, said); ok && f.Required && leadsInto.MatchString(word+lead) {
				return max(0, len(lead)-len(leadsInto.FindString(word+lead)))
			}
		}
	}
	return -1
}

// leadsInto stands between what is done and the state that comes of it.
var leadsInto = words.MustCompile(`(?i)(?:[成为到]|改成|变成|\s+(?:as|to|into)\s+)$`)

// whose: somebody's things are meant.
func whose(f facts.Fact) bool { return f.Kind == facts.Person }

// reasonApart parts a text from the reason that it ends with, if it wishes for a change without it.
func reasonApart(text string) (said, why string) {
	cue, _, ok := wishes.Reason(text)
	if !ok || len(wishes.ChangeVerbs(text[:cue])) == 0 {
		return text, ""
	}
	said = strings.TrimRight(text[:cue], " ,，")
	return said, words.Either(words.Language(said) == "zh", "，", " ") + text[cue:]
}

// changesWhat reports whether a word names what a tool changes of a thing: its price, its stock.
func changesWhat(e *cards.Entry, word string) bool {
	return slices.ContainsFunc(e.Params, func(f fields.Field) bool {
		about := f.Label("zh") + " " + strings.ReplaceAll(f.Name, "_", " ")
		return f.Present != "" && (words.Mentions(about, word) || figures.Priced.MatchString(about) && figures.Priced.MatchString(word) && len([]rune(word)) <= 6)
	})
}

// blanked is a text of the same length with spaces for what some patterns match.
func blanked(text string, res ...*words.Pattern) string {
	for _, re := range res {
		text = re.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	}
	return text
}

// namedIn is the word by which a text calls what a parameter takes, 商品 or product; "" when it does not.
func namedIn(f *fields.Field, text, lang string) string {
	for _, label := range []string{f.Label(lang), f.Label("zh")} {
		for _, noun := range words.AlsoCalled(nounOf(label)) {
			if words.IsHan(words.FirstRune(noun)) && len([]rune(noun)) > 1 && strings.Contains(text, noun) {
				return noun
			}
			if !words.IsHan(words.FirstRune(noun)) && slices.ContainsFunc(strings.Fields(text), func(w string) bool { return words.Stem(strings.ToLower(w)) == words.Stem(noun) }) {
				return noun
			}
		}
	}
	return ""
}

// plainNoun is the English word for what a parameter takes, product for 商品名称; else the noun given.
func plainNoun(f *fields.Field, noun string) string {
	for _, w := range words.AlsoCalled(nounOf(f.Label("zh"))) {
		if !words.IsHan(words.FirstRune(w)) {
			return words.Stem(w)
		}
	}
	return noun
}

// finds reports whether a tool here lists things by what a text says of them, with the id that a parameter of another one takes.
func (x *Index) finds(text string, taker *cards.Entry, f *fields.Field, g *goal) bool {
	whole := goal{text: text, facts: x.facts(text, g.now)}
	look := goal{text: blanked(wishes.Unlimited(text, whole.facts), wishes.MostWords, wishes.LeastWord, asPlaced), lang: g.lang, now: g.now, given: map[string]string{}}
	if g.lang == "en" && len(strings.Fields(look.text)) == 1 { // the noun alone may as well be an agent's or one thing's
		look.text = "list " + look.text
	}
	x.read(&look)
	j := x.top(&look, wishes.Span(look.text, 0, len(look.text)))
	if j == nil || !j.e.Reads() || j.e.IsAgent() || j.e.Knowledge() || len(j.e.Missing(j.bound)) > 0 {
		return false
	}
	first := wishes.ReadReckoning(text)
	measured := tellsLimit(j.e, &whole, wishes.Span(text, 0, len(text))) > 0 || first.Superlative() && figures.Suits(first, j.e) > 0
	if j.fit < words.Either[float64](measured, minFit, knownHalf) { // what is limited, 金额, is a column of its rows
		return false
	}
	_, ok := x.shape.best(j.e, taker, f, minInsert)
	return ok
}

// asPlaced are words by which an order is told to be one, and nothing of which: 今天下单的, placed before the 23rd.
var asPlaced = words.MustCompile(`(?i)新?下(?:单|的单|的)|\bplaced\b`)

// onlyPossible are things of a kind, put as those of them that a change can be made to, where what was said takes in more than the card of the change allows
// (x-when), as 已付款 takes in 待发货; and the line that says what was left out. "" where nothing tells that.
func (x *Index) onlyPossible(of string, f *fields.Field, g *goal) (put, note string) {
	if len(f.When) == 0 {
		return "", ""
	}
	look := goal{text: of, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&look)
	j := x.top(&look, wishes.Span(of, 0, len(of)))
	if j == nil || !j.e.Reads() {
		return "", ""
	}
	for name, states := range f.When {
		p := j.e.Param(name)
		said, _ := j.bound[name].Value.(string)
		if p == nil || said == "" || slices.Contains(states, said) || !words.Holds(strings.ToLower(of), said) {
			continue
		}
		whole := words.Either(said == "paid", "已付款", said)
		_, covers, ok := strings.Cut(p.Desc, whole+"包括") // 已付款包括待发货、已发货与已完成
		covers, _, _ = strings.Cut(covers, "；")
		some := slices.DeleteFunc(slices.Clone([]string(states)), func(s string) bool { return !strings.Contains(covers, s) })
		if !ok || len(some) != 1 {
			continue
		}
		only := words.Either(g.lang == "zh", some[0], x.inEnglish(some[0]))
		at := strings.Index(strings.ToLower(of), said)
		if only == "" || at < 0 {
			continue
		}
		return of[:at] + only + of[at+len(said):], words.Say(g.lang, "「%[1]s」的里面，只有%[2]s的可以这样做；其他状态的没有列入。", "Of those that are “%[1]s”, this can only be done to such as are %[2]s; the others were left out.", said, only)
	}
	return "", ""
}
