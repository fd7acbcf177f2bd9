package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// A wish that no word of the catalogue speaks of stands behind no verb that the planner knows, and would go with the wish beside it as a mere
// circumstance: 查王萍萍的订单，然后画一张图. It is taken out of that and said to be nothing that can be done here.

var (
	parting = words.MustCompile(`(?i)[，,。；;！!?？\n]+\s*(?:and\s+|then\s+|also\s+)*|然后|接着|顺便|并且|\s+and then\s+|\s+and also\s+|\s+and\s+|\s+then\s+`)
	// outsideHan: 帮我订一张机票, 画一张图, 再唱首歌; outsideEnglish: sing me a song.
	outsideHan     = words.MustCompile(`^\s*(?:(?:请|麻烦|再|也|还|另外|你)*(?:帮我|给我|替我|为我)(?:再|也)?\p{Han}{2,}|(?:请|再|也|还)*\p{Han}{1,2}(?:一?[张首篇幅段支份封个顿杯场])\p{Han}{1,8}\s*$)`)
	outsideEnglish = words.MustCompile(`(?i)^\s*(?:please\s+)?([a-z]{3,})\s+(?:me|us|a|an|some|the)\s+[a-z]`)
)

// maxAside is how much of a request is searched for such wishes, in bytes: what a person says beside the matter is short. What stands beyond it
// goes with the wish beside it.
const maxAside = 1000

// outside finds such wishes, takes them out of the clauses that they stand at the end or the beginning of, and returns them; nil when the whole
// request is one, or there is none.
func (x *Index) outside(g *goal) []wishes.Clause {
	if x.behind != nil {
		x = x.behind.index
	}
	var out []wishes.Clause
	at := 0
	head := words.Clip(g.text, maxAside)
	ends := parting.FindAllStringIndex(head, -1)
	if len(head) == len(g.text) {
		ends = append(ends, []int{len(head), len(head)})
	}
	shorter := map[int]bool{}
	for _, m := range ends {
		part := wishes.Span(g.text, at, m[0])
		at = m[1]
		i := slices.IndexFunc(g.clauses, func(c wishes.Clause) bool { return c.Start <= part.Start && part.End <= c.End })
		if i < 0 || part.Text == "" || !x.strangeTo(g, part) {
			continue
		}
		switch c := &g.clauses[i]; {
		case strings.TrimSpace(g.text[part.End:c.End]) == "" && part.Start > c.Start:
			c.End = part.Start
			for _, p := range parting.FindAllStringIndex(g.text[c.Start:part.Start], -1) {
				if c.Start+p[1] == part.Start {
					c.End = c.Start + p[0]
				}
			}
		case strings.TrimSpace(g.text[c.Start:part.Start]) == "" && part.End < c.End:
			c.Start = part.End
		default:
			continue
		}
		shorter[i] = true
		out = append(out, part)
	}
	for i := range shorter {
		s := wishes.Span(g.text, g.clauses[i].Start, min(g.clauses[i].End, len(g.text)))
		s.After, s.Further, s.Half = g.clauses[i].After, g.clauses[i].Further, g.clauses[i].Half
		s.Classify(g.text)
		g.clauses[i] = s
	}
	return out
}

// strangeTo reports whether a part of the request wishes for something in words of which the catalogue knows none.
func (x *Index) strangeTo(g *goal, part wishes.Clause) bool {
	if len(facts.Within(g.facts, part.Start, part.End)) > 0 || wishes.QuestionHan.MatchString(part.Text) || wishes.QuestionEng.MatchString(part.Text) || len(wishes.ChangeVerbs(part.Text)) > 0 {
		return false
	}
	if m := outsideEnglish.FindStringSubmatch(part.Text); m == nil && !outsideHan.MatchString(part.Text) || m != nil && words.StopEnglish[strings.ToLower(m[1])] {
		return false
	}
	words := words.Content(part.Text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return x.heard[w] > 0 || x.trade[w] })
}

// notWares are things that people ask of any assistant, and anyWorld matters beside which they also ask for what a shop or an office has: sales during the
// world cup. A card that served one would speak of it in these words.
var (
	notWares = words.MustCompile(`(?i)天气预报|笑话|股价|股市|股票|汇率|比特币|机票|火车票|电影|总统|首都|菜谱|红烧|情诗|首诗|首歌|闹钟|星座运势|彩票|(?:怎么|如何|怎样)(?:学|入门|自学)|(?:多少|几)个(?:汉字|字符|字母|单词|音节|笔画|字(?:[呢啊吗]?[?？]?$))|披萨|比萨|外卖|(?:春节|元旦|清明节?|端午节?|中秋节?|国庆节?|圣诞节?|除夕)(?:是|在)?(?:哪一?天|几号|几月几[日号]|什么时候|星期几|周几)|` +
		`(?:加上?|减去?|再?过|往[前后]数?|[日号天])\s*(?:\d{1,5}|[一二两三四五六七八九十百]{1,5})个?(?:天|日|周|星期|月|年)(?:之?[前后]|以[前后])?(?:是|在)?(?:哪一?天|几号|几月几[日号]|星期几|周几|什么日子)|` +
		`\b(?:weather forecast|stock (?:price|market)|share price|exchange rate|bitcoin|crypto\w*|flights?|train tickets?|movies?|poems?|jokes?|president of|prime minister|capital (?:city )?of|recipes?|horoscope|lottery|alarm|pizzas?|takeaways?|how (?:do|can|should) (?:i|we) learn|how to learn|teach me|how many (?:characters|letters|words|vowels|consonants|syllables|spaces) (?:does|do|are|is|has|have)\b|(?:count|number of) (?:the )?(?:characters|letters|words|vowels|syllables) (?:in|of)\b|tutorials?|what (?:day|date) is (?:christmas|easter|thanksgiving|new year)|when is (?:christmas|easter|thanksgiving|new year)|football players?|(?:what|which) (?:day|date)(?: of the week)? (?:is|was|will)(?: it)?(?: be)?(?: in)? (?:\d{1,5}|a|one|two|three|ten|a hundred) (?:days?|weeks?|months?|years?)|(?:days?|weeks?|months?|years?) (?:from|after|before) (?:today|now|tomorrow|yesterday) is what)\b`)
	// notKept are matters of any office and household that no shop's data tells, only somebody's documents.
	notKept = words.MustCompile(`(?i)年假|[请休病产婚事陪]假|放[几多]?少?天?假|假期(?:有|还|怎)|工资|薪[水资酬]|年终奖|社保|公积金|五险一金|考勤|加班费|报销|出差|员工|同事|老板|上司|入职|离职|辞职|团建|食堂|停车位?|wi-?fi|密码|打印机|复印机|会议室|门禁|[生看]病|病了|医院|医生|牙疼|头疼|发烧|感冒|` +
		`\b(?:(?:annual|parental|maternity|paternity|sick|unpaid) leave|(?:days? of|how many) (?:vacation|holidays?)|vacation days|public holidays?|salar(?:y|ies)|payroll|wages|employees?|colleagues?|co-?workers?|my boss|passwords?|wi-?fi|printers?|copiers?|meeting rooms?|parking|doctors?|hospitals?|(?:am|was|are|feel|i'm|being) (?:sick|ill)|flat tire|change a tire)\b`)
	anyWorld = words.MustCompile(`(?i)天气|气温|下雨|下雪|酒店|歌曲|诗|新闻|世界杯|奥运|足球|篮球|减肥|发烧|感冒|导航|翻译|几点了?|` +
		`\b(?:weather|hotels?|films?|songs?|music|news|world cup|olympics|football|soccer|basketball|directions to|what time is it|meaning of life|translate)\b`)
)

// matterOf is the matter of any world that a clause speaks of and no card does; "" when there is none. ware: it is a thing, for which nothing else need be asked.
func (x *Index) matterOf(c wishes.Clause) (matter string, ware bool) {
	if m := notWares.FindString(c.Text); m != "" && !x.speaks(m) {
		return m, true
	}
	if m := notKept.FindString(c.Text); m != "" && !x.speaks(m) {
		return m, true
	}
	if m := anyWorld.FindString(c.Text); m != "" && !x.speaks(m) {
		return m, false
	}
	return "", false
}

// mayTell reports whether a tool that looks into texts may know what no data does: where documents of somebody's own are searched, or the wish begins with the search.
func (x *Index) mayTell(e *cards.Entry, c wishes.Clause) bool {
	return e.Knowledge() && notKept.MatchString(c.Text) && (e.Leads(c.Text) || x.byName["search_documents"] != nil)
}

// ofAnyWorld reports whether a clause that speaks of such a matter asks a tool for nothing else that the cards know.
func (x *Index) ofAnyWorld(g *goal, c wishes.Clause, m string, bound map[string]fields.Binding) bool {
	rest := strings.Replace(facts.Without(g.plain, c.Start, c.End, g.facts), m, " ", 1)
	for _, b := range bound {
		said, ok := b.Value.(string)
		switch {
		case !ok || b.Why == "question" || b.Why == "enum" || b.Why == "default" || b.Why == facts.KindNames[facts.Date] || b.Why == facts.KindNames[facts.Proper]:
		case b.Weak:
			rest = strings.Replace(rest, said, " ", 1)
		default:
			return false
		}
	}
	return !slices.ContainsFunc(words.Content(rest), func(w string) bool { return x.spoken[w] })
}

// unheardOf is the share of signs that no card speaks of from which on a tool that takes none of them is not meant.
const unheardOf = 0.5

// overheard reports whether a looking tool would be taken for a word that it happens to share with a wish for something else: "recommend a movie" is
// nothing for a tool that recommends keywords, and "the capital of France" nothing for one that takes the names of people.
func (x *Index) overheard(g *goal, c wishes.Clause, e *cards.Entry, bound map[string]fields.Binding) bool {
	var told []string
	for name, b := range bound {
		said, ok := b.Value.(string)
		if b.Why == slotWords {
			told = append(told, b.Texts()...)
		} else if !ok || !x.guessed(e.Param(name), b, said) {
			return false // it understands something that was said
		}
	}
	if bestGoods(c.Text) || quotes(c.Text, e.Description) || slices.ContainsFunc(facts.Within(g.facts, c.Start, c.End), func(f facts.Fact) bool { return f.Solid(g.plain) }) {
		return false
	}
	if whoIs.MatchString(c.Text) && len(words.Content(x.unknownOf(g, c))) == 0 && slices.ContainsFunc(facts.Within(g.facts, c.Start, c.End), func(f facts.Fact) bool { return f.Kind == facts.Person }) {
		return true // a name that the house does not know, of whom nothing else is asked
	}
	text := wishes.WithoutToldIn(facts.Without(g.plain, c.Start, c.End, g.facts))
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		if f.Kind == facts.Compare {
			text = strings.Replace(text, f.Text, " ", 1)
		}
	}
	for _, w := range words.Content(text) { // what it lists is asked for
		if slices.ContainsFunc(e.Lists(), func(l *fields.Field) bool { return l.Vocab[w] }) {
			return false
		}
	}
	if c.Figure.By != "" {
		text = strings.ReplaceAll(text, c.Figure.By, " ")
	}
	for _, v := range told { // the values that it takes speak neither for it nor against it
		text = strings.ReplaceAll(text, v, " ")
	}
	known := func(w string) bool {
		return x.spoken[w] || len(x.lexicon[w]) > 0 || e.Tells(w) || len(words.AlsoCalled(w)) > 1
	}
	unheard, all := 0, 0
	for _, p := range words.Pieces(g.uncompared(c, wishes.Unfolded(text))) {
		if !p.Han {
			w := strings.ToLower(p.Text)
			switch {
			case words.StopEnglish[w] || words.AllDigits(w):
			case known(words.Stem(w)):
				all += latinSigns
			case !words.LightEnglish[w] && !wishes.WishVerbs[words.Stem(w)]:
				all, unheard = all+latinSigns, unheard+latinSigns
			}
			continue
		}
		for _, r := range words.ContentRuns(p.Text, words.LightHan) {
			before, rs, behind := []rune(p.Text[:r.Start]), []rune(r.Text), []rune(p.Text[r.End:])
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
var whoIs = words.MustCompile(`(?i)^\s*(?:tell me |do you know )?who(?:'s| is| was|s)\b|^谁是|是(?:谁|什么人|哪位|何人)\s*[?？]?$`)

// quotes reports whether a text has the beginning of a description in it: three words one after the other.
func quotes(text, description string) bool {
	begins := latinWords.FindAllString(strings.ToLower(description), 3)
	return len(begins) == 3 && strings.Contains(" "+strings.Join(latinWords.FindAllString(strings.ToLower(text), -1), " ")+" ", " "+strings.Join(begins, " ")+" ")
}

var latinWords = words.MustCompile(`[a-z0-9']+`)

// latinSigns is how many Chinese signs a Latin word weighs.
const latinSigns = 2

// guessed reports whether an argument is a mere guess: the question itself, a default, a day, a value that is only hinted at, or a name that nothing but
// its capitals makes one.
func (x *Index) guessed(f *fields.Field, b fields.Binding, said string) bool {
	switch b.Why {
	case "question", "default", "context", facts.KindNames[facts.Date], facts.KindNames[facts.Proper]:
		return true
	case "enum":
		return b.Sure < 0.9
	}
	return f.Sort == fields.Person && !words.IsHan(words.FirstRune(said)) && !slices.ContainsFunc(f.Examples, func(s string) bool { return strings.EqualFold(s, said) })
}

// speaks reports whether a card of the house speaks of a phrase: it holds it word for word, or has all its words, in whatever form.
func (x *Index) speaks(phrase string) bool {
	low, said := strings.ToLower(phrase), words.Content(phrase)
	holding := func(c bus.Card) bool { return words.Holds(strings.ToLower(cards.Wording(c)), low) }
	return slices.ContainsFunc(x.entries, func(e *cards.Entry) bool {
		return holding(e.Card) || len(said) > 0 && !words.HasHan(e.Description) && !slices.ContainsFunc(said, func(w string) bool { return !e.Vocab[w] })
	}) || slices.ContainsFunc(x.options.Tools, holding)
}
