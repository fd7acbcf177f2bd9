package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// What "the second order" means in a later turn: the second row of the last list that was shown, in the order in which it was shown. It is
// put into the request before anything else is read, so that whoever gets the job gets the id.

var (
	// placeInHan: 第二个, 倒数第3单, 最后一个, 前两个, 最后两个; its groups are 倒数, the number, how many of the first, and how many of the last.
	placeInHan = words.MustCompile(`(?:(?:上面|刚才|前面|列表|表)(?:里|中)?的?)?(?:(倒数)?第\s?([一二两三四五六七八九十\d]{1,3})|最后[一1那]|前\s?([二两三四五六七八九十\d]{1,3})|最后\s?([二两三四五六七八九十\d]{1,3}))(?:个|单|笔|条|行|项|位|款)`)
	// placeInEnglish: the first two, the last two, the second, the 3rd, the last, row 2; its groups are which end, how many of it, the ordinal, and the number.
	placeInEnglish = words.MustCompile(`(?i)\bthe\s+(first|last)\s+(two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b|\bthe\s+(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d{1,2}(?:st|nd|rd|th))\b|\b(?:number|no\.|row|line|entry)\s?(\d{1,2})\b`)
	// notRows: what makes a length of time or a step of an ordinal.
	notRows = words.MustCompile(`^的?(?:月|季|星期|周|礼拜|小时|工作日|年|人|阶段|步)`)
	// ofAnother: the first order of somebody is no row of a list, but the first of them is.
	ofAnother = words.MustCompile(`(?i)^\s+(?:(?:of|from|by|placed|that|which)\b|in\s+(?-i:[A-Z]))`)
	byMuch    = words.MustCompile(`(?i)^\s+by\s+(?:CNY|RMB|[¥$])?\s?\d`)
	ofTheList = words.MustCompile(`(?i)^\s+(?:of|from|in)\s+(?:them|these|those|the (?:list|table|above))\b`)
	// somebodys: a place that stands behind these belongs to what is named there, and not to the list.
	somebodys = words.MustCompile(`[^上前刚里中些]的$|['’]s\s*$`)
	nextWord  = words.MustCompile(`^\s+([A-Za-z]+)\b`)
	// goesOn are words that may follow "the second" without being what it is the second of.
	goesOn = words.Set(`because since due so if unless when while after before until who which that saying and or please then now too instead again for to is are was be has have with by via at of from in as but also if yet already not about`)
	// ofThing: what is numbered behind it is a thing, and no row.
	ofThing = words.MustCompile(`(?i)\b(?:order|refund|invoice|product|ticket|customer)\s+$`)
	// anyRow are words for a row of any list.
	anyRow = words.Set(`one ones row rows line entry item items result results record records 单子 记录 结果`)
)

// place is one in a list that a text names.
type place struct {
	start, end int    // bytes
	text       string // as it was said
	noun       string // of what; "" when that is not said
	from, to   int    // rows, 1 is the first; negative: from the end
	these      int    // how many were spoken of last, 那三个; 0: it names rows
}

// refer puts the things into a request that it names by their place in a list shown before. When there is no such list or no such row,
// goal.lost becomes the question for it. how says what was put in; "" when nothing was.
func (x *Index) refer(g *goal, text string, history []earlier) (put, how string) {
	var b strings.Builder
	at := 0
	text = spelledOut(text)
	places := placesIn(text, history)
	if put, ok := x.asksWhich(g, text, places, history); ok {
		return text, ""
	} else if put != text {
		how = words.Say(g.lang, "「%s」理解为：%s", "“%s” is understood as: %s", text, words.Short(put, 200))
		text, places = put, placesIn(put, history)
	}
	if len(places) == 0 {
		return text, how
	}
	suits, looked := x.suiting(text), ""
	if suits == nil {
		suits, looked = x.seeking(g, text, places)
	}
	for _, s := range places {
		if foundBefore(text[:s.start]) { // a row of what this very request finds, if that are so many
			if n := wishes.ReadReckoning(text[:s.start]).N; n > 0 && s.from > n && g.given[s.text] == "" {
				g.loses(s, nil, nil)
				continue
			} else if n == 0 || s.from <= n {
				continue
			}
		}
		put := ""
		if said, ok := g.given[s.text]; ok { // asked for
			put = said
		} else if i := strings.LastIndexByte(text, '\n'); i >= s.end { // asked for in an earlier turn
			put = bare(text[i:])
		} else if s.these > 0 {
			put = x.those(g, s, history, suits)
		} else if n := len(history); n > 0 && history[n-1].empty() && s.of(history[n-1].Request) {
			if g.lost == nil {
				g.lost = &bus.Ask{Kind: bus.Question, Parameter: s.text, Question: words.Say(g.lang, "上面的列表是空的，一条也没有，所以没有「%s」。您指的是哪一个？请告诉我编号或名称。", "The last list is empty, so there is no “%s”. Which one do you mean? Please tell me its number or name.", s.text)}
			}
			continue
		} else if l := shown(history, s.noun, s.from == 1, suits); l == nil {
			if len(wishes.ChangeVerbs(text)) == 0 && len([]rune(text)) > maxBare {
				continue
			}
			g.loses(s, nil, nil)
			continue
		} else {
			put = x.rows(g, *l, s, suits, looked)
		}
		if put == "" {
			continue
		}
		how = words.Say(g.lang, "「%s」指%s", "“%s” is %s", s.text, words.Short(put, 60))
		if at < s.start && words.WordByte(text, s.start-1) || at == s.start && at > 0 {
			put = " " + put
		}
		b.WriteString(text[at:s.start] + put)
		at = s.end
	}
	return b.String() + text[at:], how
}

// those names the things that were spoken of last, if they are as many as a text says; else it is asked which are meant.
func (x *Index) those(g *goal, s place, history []earlier, suits func(string) bool) string {
	ids := x.spokenOf(g, pronouns[0], history, suits)
	if len(ids) != s.these || suits == nil {
		if g.lost == nil {
			g.lost = &bus.Ask{Kind: bus.Question, Parameter: s.text, Question: words.Say(g.lang, "前面说到的是 %[2]d 个，和「%[1]s」对不上，所以没有执行。请告诉我编号，或者它们在列表里的位置，比如「第二到第四个」。",
				"%[2]d were spoken of before, which are not “%[1]s”, so nothing was done. Please tell me their numbers, or their places in the list, such as “rows 2 to 4”.", s.text, len(ids))}
		}
		return ""
	}
	return strings.TrimSpace(x.idNoun(ids[0], g.lang)+" "+strings.Join(ids, words.Say(g.lang, "、", " and "))) + words.Say(g.lang, " ", "")
}

// of reports whether a place may be one in the list that a request wants.
func (s place) of(request string) bool {
	return s.noun == "" || words.Holds(request, s.noun) || slices.ContainsFunc(words.AlsoCalled(s.noun), func(n string) bool { return words.Holds(request, n) })
}

// maxBare is how long a request may be, in runes, to be about nothing but a place in a list.
const maxBare = 24

// rows names the rows of a list that a place means; "" when it has not so many.
func (x *Index) rows(g *goal, l list, s place, suits func(string) bool, looked string) string {
	from, to := s.from, s.to
	if from < 0 {
		from, to = len(l.rows)+1+from, len(l.rows)+1+to
	}
	col, called := l.column(s.noun, suits)
	if at, _ := l.column("", suits); called && suits != nil && at >= 0 && at != col && !l.cols[col].ids && l.cols[at].ids && suits(l.rows[0][at]) {
		col, called = at, false // the buyer of the third one has other orders, too
	}
	figure := called && l.figures(col)
	if figure { // 第一个的库存 is what the first one has, and no name of it
		col, called = l.column("", suits)
	}
	if col < 0 || from < 1 || to > len(l.rows) || s.from < 0 && l.cut || l.twin {
		g.loses(s, &l, suits)
		return ""
	}
	var out []string
	for _, r := range l.rows[from-1 : to] {
		name := pieceCount.ReplaceAllString(r[col], "")
		if !nameOnly(name) {
			g.loses(s, &l, suits)
			return ""
		}
		if suits != nil && !suits(name) && x.otherThing(name) {
			g.misfits(s, strings.Join(l.rowOf(r), words.Say(g.lang, "，", ", ")), looked)
			return ""
		}
		out = append(out, name)
	}
	text := strings.Join(out, words.Say(g.lang, "、", " and "))
	if c := l.cols[col]; !idLike.MatchString(out[0]) && !strings.Contains(text, " ") && s.noun == "" && idHead.MatchString(l.heads[col]) && words.Language(c.noun) == g.lang {
		return c.noun + " " + text // T-2 alone might be anything's
	}
	if !idLike.MatchString(out[0]) {
		return text + words.Either(figure && g.lang == "zh", "的"+s.noun, "")
	}
	noun := x.idNoun(out[0], g.lang)
	if noun == "" {
		noun = s.noun
	}
	text = strings.TrimSpace(noun + " " + text)
	if s.noun != "" && !called && g.lang == "zh" { // 第二个包裹, of a list of orders
		return text + " 的" + s.noun
	}
	return text + words.Say(g.lang, " ", "")
}

// pieceCount: how many of a product a cell tells beside its name.
var pieceCount = words.MustCompile(` ×\d+$`)

// maxNamed is how long a cell that is put into a request may be, in runes.
const maxNamed = 60

// cellBreak is what a name in a cell has no need of, and a sentence in it has.
var cellBreak = words.MustCompile("[\\n\\r，,。.；;：:！!？?、\"“”「」`]\\s|[\\n\\r，。；：！？\"“”「」`]")

// nameOnly reports whether a cell may stand in a request as the name of a thing. A stranger may have written it, an order or two among its words:
// but for an id it must be short, in one piece, and without a verb of change.
func nameOnly(cell string) bool {
	return idLike.MatchString(cell) || cell != "" && len([]rune(cell)) <= maxNamed && !cellBreak.MatchString(cell) && len(wishes.ChangeVerbs(cell)) == 0
}

// placesIn finds the places in lists that a text names, in their order.
func placesIn(text string, history []earlier) []place {
	var out []place
	told := toldOrQuoted(text)
	add := func(m []int, from, to int) {
		s := place{start: m[0], end: m[1], from: from, to: to}
		more := 0
		ok := false
		if s.noun, more, ok = counted(text[s.end:], history); !ok { // what follows may be said to the buyer of the row
			s.noun, more = "", len(rowNoun.FindString(text[s.end:]))
			ok = overlaps(told, s.end+more, s.end+more+1)
		}
		if !ok || somebodys.MatchString(words.Before(text, s.start)) || overlaps(told, s.start, s.end) {
			return
		}
		s.end += more
		s.from, s.start = s.since(text)
		s.text = text[s.start:s.end]
		for len(out) > 0 && out[len(out)-1].end > s.start { // 第一个 of 第一个到第三个
			out = out[:len(out)-1]
		}
		out = append(out, s)
	}
	for _, m := range placeInHan.FindAllStringSubmatchIndex(text, 10) {
		few, _ := words.Number(group(text, m, 3))
		last, _ := words.Number(group(text, m, 4))
		n, _ := words.Number(group(text, m, 2))
		switch {
		case few > 0 && (m[0] == 0 || len(wishes.ChangeVerbs(text)) > 0): // 销量前十个 is another question
			add(m, 1, few)
		case n > 0 && m[2] >= 0:
			add(m, -n, -n)
		case n > 0:
			add(m, n, n)
		case last > 0:
			add(m, -last, -1)
		case m[4] < 0 && m[6] < 0:
			add(m, -1, -1)
		}
	}
	for _, m := range placeInEnglish.FindAllStringSubmatchIndex(text, 10) {
		end := strings.ToLower(group(text, m, 1))
		few, _ := words.Number(group(text, m, 2))
		word := strings.ToLower(group(text, m, 3))
		n := words.Nth(word + group(text, m, 4))
		if last := fromLast.FindString(text[m[1]:]); last != "" && n > 0 { // the second to last
			n, m[1] = -n, m[1]+len(last)
		}
		switch {
		case m[8] >= 0 && ofThing.MatchString(text[:m[0]]): // order no. 7 is a number of its own
		case few > 0 && end == "first":
			add(m, 1, few)
		case few > 0:
			if noun, _, ok := counted(text[m[1]:], history); ok && noun == "" || overlaps(told, m[1], m[1]+1) { // the last two orders are the newest ones
				add(m, -few, -1)
			}
		case n != 0:
			add(m, n, n)
		case word == "last" && words.LastRow.MatchString(text[m[1]:]): // the last order is the newest one
			add(m, -1, -1)
		}
	}
	for _, m := range theseMany.FindAllStringSubmatchIndex(text, 10) {
		if n, _ := words.Number(group(text, m, 1) + group(text, m, 2)); n > 1 && len(wishes.ChangeVerbs(text)) > 0 {
			was := len(out)
			if add(m, 1, n); len(out) > was {
				out[len(out)-1].these = n
			}
		}
	}
	slices.SortFunc(out, func(a, b place) int { return a.start - b.start })
	for i := len(out) - 1; i > 0; i-- {
		if out[i-1].noun == "" && together.MatchString(text[out[i-1].end:out[i].start]) {
			out[i].leaves()
		}
	}
	return out
}

// theseMany are as many as were spoken of last: 那三个, those three.
var theseMany = words.MustCompile(`(?i)[这那]\s?([两二三四五六七八九十\d]{1,2})(?:个|单|笔|条|位|款)|\b(?:these|those)\s+(two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b`)

// together joins places that one noun behind the last is for.
var together = words.MustCompile(`^\s*(?:和|与|跟|及|以及|还有|、)\s*$`)

// leaves leaves in the text what the place is of: 第二个和第三个的买家 are the buyers of two rows, and not one row and one buyer.
func (s *place) leaves() {
	if own, ok := strings.CutSuffix(s.text, "的"+s.noun); ok && s.noun != "" {
		s.text, s.end, s.noun = own, s.start+len(own), ""
	}
}

// counted reads behind a place what it is a place of, with its length in bytes; false when that is no row of a list.
func counted(rest string, history []earlier) (noun string, size int, ok bool) {
	if m := nextWord.FindStringSubmatch(rest); m != nil {
		word := strings.ToLower(m[1])
		one := strings.TrimSuffix(word, "s")
		switch heads := nouns(history); {
		case goesOn[word]:
		case anyRow[word]:
			size = len(m[0])
		case one == "order" || slices.Contains(heads, one):
			noun, size = one, len(m[0])
		default:
			return "", 0, false
		}
		rest = rest[size:]
		return noun, size, !ofAnother.MatchString(rest) || byMuch.MatchString(rest) || ofTheList.MatchString(rest)
	}
	if notRows.MatchString(rest) {
		return "", 0, false
	}
	own := strings.TrimPrefix(rest, "的")
	of := len(rest) - len(own)
	for _, n := range append(nouns(history), "订单", "单子", "记录", "结果") {
		if strings.HasPrefix(own, n) && len([]rune(n)) > 1 && (noun == "" || len(n) < len(noun)) { // 订单, not 订单状态
			noun, size = n, of+len(n)
		}
	}
	if anyRow[noun] {
		noun = ""
	}
	return noun, size, true
}

// nouns are what the lists of a session name in their headings.
func nouns(history []earlier) []string {
	var out []string
	for _, t := range history {
		out = append(out, t.nouns...)
	}
	return out
}

// foundBefore reports whether a wish stands before: what follows may count what that one finds.
func foundBefore(s string) bool {
	i := -1
	for _, m := range words.SoftBreak.FindAllStringIndex(s, -1) {
		i = m[0]
	}
	for _, m := range words.HardBreak.FindAllStringIndex(s, -1) {
		i = max(i, m[0])
	}
	if i < 0 {
		return false
	}
	lead := placeInHan.ReplaceAllString(placeInEnglish.ReplaceAllString(s[:i], " "), " ")
	if c := wishes.Span(s, 0, i); lead != s[:i] || words.LongNumber.MatchString(lead) { // what is changed there is named there
		if c.Classify(s[:i]); len(c.Change) > 0 && c.Commands() {
			return false
		}
	}
	return wishes.Splitter{}.Wants(lead) && len(words.Content(wishes.WithoutVerbs(lead))) > 0
}

// group is the text of a group of a match; "" when it matched nothing.
func group(s string, m []int, n int) string {
	if 2*n+1 >= len(m) || m[2*n] < 0 {
		return ""
	}
	return s[m[2*n]:m[2*n+1]]
}
