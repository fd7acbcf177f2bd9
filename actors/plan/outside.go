package plan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// A wish that no word of the catalogue speaks of stands behind no verb that the planner knows, and would go with the wish beside it as a mere
// circumstance: 查王萍萍的订单，然后画一张图. It is taken out of that and said to be nothing that can be done here.

var (
	parting = regexp.MustCompile(`(?i)[，,。；;！!?？\n]+\s*(?:and\s+|then\s+|also\s+)*|然后|接着|顺便|并且|\s+and then\s+|\s+and also\s+|\s+and\s+|\s+then\s+`)
	// outsideHan: 帮我订一张机票, 画一张图, 再唱首歌; outsideEnglish: sing me a song.
	outsideHan     = regexp.MustCompile(`^\s*(?:(?:请|麻烦|再|也|还|另外|你)*(?:帮我|给我|替我|为我)(?:再|也)?\p{Han}{2,}|(?:请|再|也|还)*\p{Han}{1,2}(?:一?[张首篇幅段支份封个顿杯场])\p{Han}{1,8}\s*$)`)
	outsideEnglish = regexp.MustCompile(`(?i)^\s*(?:please\s+)?([a-z]{3,})\s+(?:me|us|a|an|some|the)\s+[a-z]`)
)

// maxAside is how much of a request is searched for such wishes, in bytes: what a person says beside the matter is short. What stands beyond it
// goes with the wish beside it.
const maxAside = 1000

// outside finds such wishes, takes them out of the clauses that they stand at the end or the beginning of, and returns them; nil when the whole
// request is one, or there is none.
func (x *Index) outside(g *goal) []clause {
	if x.behind != nil {
		x = x.behind.index
	}
	var out []clause
	at := 0
	head := clip(g.text, maxAside)
	ends := parting.FindAllStringIndex(head, -1)
	if len(head) == len(g.text) {
		ends = append(ends, []int{len(head), len(head)})
	}
	shorter := map[int]bool{}
	for _, m := range ends {
		part := span(g.text, at, m[0])
		at = m[1]
		i := slices.IndexFunc(g.clauses, func(c clause) bool { return c.start <= part.start && part.end <= c.end })
		if i < 0 || part.text == "" || !x.strangeTo(g, part) {
			continue
		}
		switch c := &g.clauses[i]; {
		case strings.TrimSpace(g.text[part.end:c.end]) == "" && part.start > c.start:
			c.end = part.start
			for _, p := range parting.FindAllStringIndex(g.text[c.start:part.start], -1) {
				if c.start+p[1] == part.start {
					c.end = c.start + p[0]
				}
			}
		case strings.TrimSpace(g.text[c.start:part.start]) == "" && part.end < c.end:
			c.start = part.end
		default:
			continue
		}
		shorter[i] = true
		out = append(out, part)
	}
	for i := range shorter {
		s := span(g.text, g.clauses[i].start, min(g.clauses[i].end, len(g.text)))
		s.after, s.further, s.half = g.clauses[i].after, g.clauses[i].further, g.clauses[i].half
		s.classify(g.text)
		g.clauses[i] = s
	}
	return out
}

// strangeTo reports whether a part of the request wishes for something in words of which the catalogue knows none.
func (x *Index) strangeTo(g *goal, part clause) bool {
	if len(within(g.facts, part.start, part.end)) > 0 || questionHan.MatchString(part.text) || questionEng.MatchString(part.text) || len(changeVerbs(part.text)) > 0 {
		return false
	}
	if m := outsideEnglish.FindStringSubmatch(part.text); m == nil && !outsideHan.MatchString(part.text) || m != nil && stopEnglish[strings.ToLower(m[1])] {
		return false
	}
	words := content(part.text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return x.heard[w] > 0 || x.trade[w] })
}

// notWares are things that people ask of any assistant, and anyWorld matters beside which they also ask for what a shop or an office has: sales during the
// world cup. A card that served one would speak of it in these words.
var (
	notWares = regexp.MustCompile(`(?i)天气预报|笑话|股价|股市|股票|汇率|比特币|机票|火车票|电影|总统|首都|菜谱|红烧|情诗|首诗|首歌|闹钟|星座运势|彩票|(?:怎么|如何|怎样)(?:学|入门|自学)|披萨|比萨|外卖|(?:春节|元旦|清明节?|端午节?|中秋节?|国庆节?|圣诞节?|除夕)(?:是|在)?(?:哪一?天|几号|几月几[日号]|什么时候|星期几|周几)|` +
		`\b(?:weather forecast|stock (?:price|market)|share price|exchange rate|bitcoin|crypto\w*|flights?|train tickets?|movies?|poems?|jokes?|president of|prime minister|capital (?:city )?of|recipes?|horoscope|lottery|alarm|pizzas?|takeaways?|how (?:do|can|should) (?:i|we) learn|how to learn|teach me|tutorials?|what (?:day|date) is (?:christmas|easter|thanksgiving|new year)|when is (?:christmas|easter|thanksgiving|new year)|football players?)\b`)
	anyWorld = regexp.MustCompile(`(?i)天气|气温|下雨|下雪|酒店|歌曲|诗|新闻|世界杯|奥运|足球|篮球|减肥|发烧|感冒|导航|翻译|几点了?|` +
		`\b(?:weather|hotels?|films?|songs?|music|news|world cup|olympics|football|soccer|basketball|directions to|what time is it|meaning of life|translate)\b`)
)

// matterOf is the matter of any world that a clause speaks of and no card does; "" when there is none. ware: it is a thing, for which nothing else need be asked.
func (x *Index) matterOf(c clause) (matter string, ware bool) {
	if m := notWares.FindString(c.text); m != "" && !x.speaks(m) {
		return m, true
	}
	if m := anyWorld.FindString(c.text); m != "" && !x.speaks(m) {
		return m, false
	}
	return "", false
}

// ofAnyWorld reports whether a clause that speaks of such a matter asks a tool for nothing else that the cards know.
func (x *Index) ofAnyWorld(g *goal, c clause, m string, bound map[string]binding) bool {
	rest := strings.Replace(withoutFacts(g.plain, c.start, c.end, g.facts), m, " ", 1)
	for _, b := range bound {
		said, ok := b.value.(string)
		switch {
		case !ok || b.why == "question" || b.why == "enum" || b.why == "default" || b.why == factNames[factDate] || b.why == factNames[factProper]:
		case b.weak:
			rest = strings.Replace(rest, said, " ", 1)
		default:
			return false
		}
	}
	return !slices.ContainsFunc(content(rest), func(w string) bool { return x.spoken[w] })
}

// unheardOf is the share of signs that no card speaks of from which on a tool that takes none of them is not meant.
const unheardOf = 0.5

// overheard reports whether a looking tool would be taken for a word that it happens to share with a wish for something else: "recommend a movie" is
// nothing for a tool that recommends keywords, and "the capital of France" nothing for one that takes the names of people.
func (x *Index) overheard(g *goal, c clause, e *entry, bound map[string]binding) bool {
	for name, b := range bound {
		if said, ok := b.value.(string); !ok || !x.guessed(e.param(name), b, said) {
			return false // it understands something that was said
		}
	}
	if bestGoods(c.text) || quotes(c.text, e.Description) || slices.ContainsFunc(within(g.facts, c.start, c.end), func(f fact) bool { return f.solid(g.plain) }) {
		return false
	}
	if whoIs.MatchString(c.text) && len(content(x.unknownOf(g, c))) == 0 && slices.ContainsFunc(within(g.facts, c.start, c.end), func(f fact) bool { return f.kind == factPerson }) {
		return true // a name that the house does not know, of whom nothing else is asked
	}
	text := withoutFacts(g.plain, c.start, c.end, g.facts)
	for _, f := range within(g.facts, c.start, c.end) {
		if f.kind == factCompare {
			text = strings.Replace(text, f.text, " ", 1)
		}
	}
	for _, w := range content(text) { // what it lists is asked for
		if slices.ContainsFunc(e.lists(), func(l *field) bool { return l.vocab[w] }) {
			return false
		}
	}
	if c.figure.by != "" {
		text = strings.ReplaceAll(text, c.figure.by, " ")
	}
	known := func(w string) bool {
		return x.spoken[w] || len(x.lexicon[w]) > 0 || e.tells(w) || len(alsoCalled(w)) > 1
	}
	unheard, all := 0, 0
	for _, p := range pieces(g.uncompared(c, unfolded(text))) {
		if !p.han {
			w := strings.ToLower(p.text)
			switch {
			case stopEnglish[w] || digits(w):
			case known(stem(w)):
				all += latinSigns
			case !lightEnglish[w] && !wishVerbs[stem(w)]:
				all, unheard = all+latinSigns, unheard+latinSigns
			}
			continue
		}
		for _, r := range contentRuns(p.text, lightHan) {
			before, rs, behind := []rune(p.text[:r.start]), []rune(r.text), []rune(p.text[r.end:])
			near := slices.Concat(before[max(0, len(before)-1):], rs, behind[:min(1, len(behind))])
			at := min(1, len(before))
			for i := at; i < at+len(rs); i++ {
				if len(rs) > 1 && !(i > 0 && known(string(near[i-1:i+1])) || i+1 < len(near) && known(string(near[i:i+2]))) {
					unheard++
				}
			}
			all += len(rs)
		}
	}
	return unheard > 0 && float64(unheard) >= unheardOf*float64(all)
}

// whoIs asks for a person in general.
var whoIs = regexp.MustCompile(`(?i)^\s*(?:tell me |do you know )?who(?:'s| is| was|s)\b|^谁是|是(?:谁|什么人|哪位|何人)\s*[?？]?$`)

// quotes reports whether a text has the beginning of a description in it: three words one after the other.
func quotes(text, description string) bool {
	begins := latinWords.FindAllString(strings.ToLower(description), 3)
	return len(begins) == 3 && strings.Contains(" "+strings.Join(latinWords.FindAllString(strings.ToLower(text), -1), " ")+" ", " "+strings.Join(begins, " ")+" ")
}

var latinWords = regexp.MustCompile(`[a-z0-9']+`)

// quoteBefore: what stands before a name in quotes.
var quoteBefore = regexp.MustCompile(`["'“‘「『]$`)

// solid reports whether a fact of a text names a thing or a person, whatever is said of it; capitals alone name none.
func (f fact) solid(text string) bool {
	switch f.kind {
	case factDigits, factPhone, factCode, factKnown, factQuote, factPath, factSource:
		return true
	case factPerson:
		return isHan(firstRune(f.text)) || quoteBefore.MatchString(before(text, f.start))
	}
	return false
}

// latinSigns is how many Chinese signs a Latin word weighs.
const latinSigns = 2

// guessed reports whether an argument is a mere guess: the question itself, a default, a day, a value that is only hinted at, or a name that nothing but
// its capitals makes one.
func (x *Index) guessed(f *field, b binding, said string) bool {
	switch b.why {
	case "question", "default", "context", factNames[factDate], factNames[factProper]:
		return true
	case "enum":
		return b.sure < 0.9
	}
	return f.Sort == sortPerson && !isHan(firstRune(said)) && !slices.ContainsFunc(f.Examples, func(s string) bool { return strings.EqualFold(s, said) })
}

// speaks reports whether a card of the house holds a phrase word for word.
func (x *Index) speaks(phrase string) bool {
	low := strings.ToLower(phrase)
	holding := func(c bus.Card) bool { return holds(strings.ToLower(wording(c)), low) }
	return slices.ContainsFunc(x.entries, func(e *entry) bool { return holding(e.Card) }) || slices.ContainsFunc(x.options.Tools, holding)
}

// wording is what a card says of itself.
func wording(c bus.Card) string {
	return c.Name + " " + clip(c.Description, MaxText) + " " + strings.Join(c.Tags, " ") + " " + strings.Join(c.Skills, " ")
}
