package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// What a turn asks of what was shown that no tool need be called for: how two rows of a list stand to each other. And what of it nothing here tells: who bought by a
// campaign. Such a turn changes nothing of what is spoken of, so the next one goes on with the turn before it.

var (
	// heldTogether are words that hold rows of a list against each other.
	heldTogether = words.MustCompile(`(?i)对比|相比|比较|比|相?差(?:了|距|别|异|多少|几|多大)|\b(?:compare[ds]?|comparison|versus|vs|against|differences?|differ|gap)\b`)
	// besidesRows is what else such a question says.
	besidesRows = words.MustCompile(`(?i)一下|起来|怎么样|如何|多少|哪一?个|更|有什么|之间|两[个者]|它们?|[那和跟与同把的了呢吗吧啊请再是有、]|\b(?:how|do|does|is|are|what|which|the|it|that|this|them|these|those|and|so|now|then|to|with|from|between|of|in|please|can|you|me|show|one|ones|two)\b|[\s?？。.!！，,]`)
)

// heldRows answers how two rows of a list stand to each other, by the list; one of them may be what the question before was about. "" for any other turn.
func (x *Index) heldRows(g *goal, text string, history []earlier) string {
	if !heldTogether.MatchString(text) || len([]rune(text)) > 60 || len(wishes.ChangeVerbs(text)) > 0 {
		return ""
	}
	places := placesIn(text, history)
	rest := text
	for _, p := range slices.Backward(places) {
		if p.these > 0 {
			return ""
		}
		rest = rest[:p.start] + " " + rest[p.end:]
	}
	rest = besidesRows.ReplaceAllString(heldTogether.ReplaceAllString(rest, ""), "")
	if len(places) == 0 || len(places) > 2 {
		return ""
	}
	l := lastOfSeveral(history)
	if l == nil {
		return "" // which is asked for
	}
	var at []int
	for _, p := range places {
		for i := p.from; i <= p.to && len(at) <= 2; i++ {
			at = append(at, i+max(0, min(1, -i))*(len(l.rows)+1)) // from the end
		}
		rest += words.Either(p.noun == "" || rest != "", "", p.noun)
	}
	if len(at) == 1 {
		base, row := standing(history), -1
		for _, e := range slices.Backward(history) {
			for i := range e.lists {
				if n := x.rowSpoken(g, e.lists[i], base); n > 0 && row < 0 {
					l, row = &e.lists[i], n
				}
			}
		}
		if row < 0 || row == at[0] {
			return words.Say(g.lang, "没能完成：没有说清是哪一个和「%s」比。请连着说出来，比如「第三个和第一个比」。", "This could not be done: it is not clear what shall be held against “%s”. Please name both, as in “compare the third with the first”.", places[0].text)
		}
		at = []int{row, at[0]}
	}
	only := -1
	for c := range l.heads {
		noun, _, _ := strings.Cut(strings.Replace(l.cols[c].noun, "（", " (", 1), " (") // without its unit
		if rest != "" && (strings.EqualFold(rest, noun) || slices.Contains(words.AlsoCalled(noun), strings.ToLower(rest))) {
			only = c
		}
	}
	if only < 0 || !l.figures(only) { // the second order is a row
		only = -1
		if slices.ContainsFunc(places, func(p place) bool { return p.noun == rest }) {
			rest = ""
		}
	}
	name, _ := l.column("", nil)
	if called := slices.IndexFunc(l.cols, func(c column) bool { return c.differs && !c.ids && !c.blank }); called >= 0 && !l.figures(called) { // by its name, where it has one
		name = called
	}
	if len(at) != 2 || rest != "" && only < 0 || name < 0 || l.twin || l.cut && slices.ContainsFunc(places, func(p place) bool { return p.from < 0 }) || slices.ContainsFunc(at, func(i int) bool { return i < 1 || i > len(l.rows) }) {
		return ""
	}
	return l.against(g.lang, name, only, at[0], at[1])
}

// lastOfSeveral is the newest list shown that has more than one row, none of which is a figure that two things were compared by; nil for none.
func lastOfSeveral(history []earlier) *list {
	for i := range history {
		if _, l := lastList(history[:len(history)-i]); l == nil || len(l.rows) > 1 && !slices.Contains([]string{"差", "占比", "Difference", "Share"}, l.heads[len(l.heads)-1]) {
			return l
		}
	}
	return nil
}

// rowSpoken is which row of a list a request is about; 0 where that is none, or several.
func (x *Index) rowSpoken(g *goal, l list, base string) int {
	found := 0
	about := x.facts(base, g.now)
	for i, r := range l.rows {
		if slices.ContainsFunc(r, func(cell string) bool {
			return len(l.rows) > 1 && nameOnly(cell) && (x.otherThing(cell) && strings.Contains(base, cell) || slices.ContainsFunc(about, func(f facts.Fact) bool {
				return (f.Kind == facts.Place || f.Kind == facts.Person || f.Kind == facts.Known) && strings.Contains(cell, f.Text)
			}))
		}) {
			if found > 0 {
				return 0
			}
			found = i + 1
		}
	}
	return found
}

// against sets two rows of a list side by side, with the differences of their figures; only is the one column that is asked for, or -1.
func (l list) against(lang string, name, only, one, other int) string {
	a, b := l.rows[one-1], l.rows[other-1]
	heads := []string{l.heads[name], a[name], b[name], words.Say(lang, "差", "Difference")}
	table := &fields.Field{}
	w := render.Writer{Lang: lang}
	for i, h := range heads {
		table.Fields = append(table.Fields, fields.Field{Name: string(rune('a' + i)), Title: h, TitleEn: h, Place: i})
		w.Asked += " " + strings.ToLower(h)
	}
	var rows []any
	for c, h := range l.heads {
		if c == name || only >= 0 && c != only || a[c] == "" && b[c] == "" {
			continue
		}
		row := map[string]any{"a": h, "b": a[c], "c": b[c], "d": ""}
		if m, n := figures.Amount(a[c]), figures.Amount(b[c]); m != nil && n != nil && !l.cols[c].ids && !idHead.MatchString(h) {
			d := m.Sub(m, n)
			row["d"] = withSign(d, figures.Decimal(d))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return ""
	}
	return words.Say(lang, "按上面的列表，%s 和 %s：", "By the list above, %s and %s:", a[name], b[name]) + "\n\n" + strings.TrimSpace(w.Table(rows, table))
}

// notOfIt says, of a question that is put in full from the one before it, that of what that one was about it cannot be told: alone it would be told of the whole shop.
// "" for any other question.
func (x *Index) notOfIt(g *goal, text, base string, history []earlier) string {
	if base == "" || len(history) == 0 || len([]rune(text)) > 60 || strings.Contains(base, "\n") || ofCampaigns.MatchString(text) || !slices.ContainsFunc(asksOfBefore, func(p *words.Pattern) bool { return p.MatchString(text) }) {
		return ""
	}
	about := words.Say(g.lang, "推广活动", "the campaigns")
	if !ofCampaigns.MatchString(base) {
		s, ok := x.subjectOf(g, base, history)
		if ok && (s.thing == "" && s.place == "" && s.who == "") { // it is of the whole shop, too
			return ""
		}
		about = strings.TrimRight(words.Short(base, 40), "?？。. ")
	}
	kept := ""
	if e := history[len(history)-1]; len(e.lists) > 0 {
		kept = words.Say(g.lang, "上面列出的只有%s。", "What is listed above tells only: %s. ", strings.Join(e.lists[len(e.lists)-1].heads, words.Say(g.lang, "、", ", ")))
	}
	return words.Say(g.lang, "抱歉，我没有能处理「%[1]s」的工具：对「%[2]s」查不出这个。%[3]s要问全店或某个商品的，请连着说出来，比如「上个月平均每天卖多少」「买空气炸锅的客户有哪些」。",
		"Sorry, I have no tool for “%[1]s”: it cannot be told of %[2]s. %[3]sFor the whole shop or one product, please name it as well, as in “average sales per day last month” or “which customers bought air fryers”.",
		strings.TrimRight(text, "?？。. "), about, kept)
}

// asksOfBefore are the questions that further puts in full.
var asksOfBefore = []*words.Pattern{asksBuyers, asksSpender, asksWhose, asksWhy, asksLast, asksADay, asksAnOrder, asksLasting, asksRates}

// asksRates asks for a figure of sales that campaigns have not.
var asksRates = words.MustCompile(`(?i)^(?:那么?|请问|它们?的?|，|\s)*(?:(?:毛利|利润|净利|退款|退货)率|客单价)(?:(?:是|有|又是|大概)?(?:多少|怎么样|如何|高吗|高不高)|呢)?[呢啊\s?？。]*$|^(?:(?:and|so|then|ok|what(?:'s| is| was| were| about)|how (?:about|high is|much is)),? )*(?:the |its |their )?(?:profit margin|gross margin|margin|refund rate|return rate|average order(?: value)?)[?.! ]*$`)

// knownNames is how many values of a parameter a card tells at least to know its names.
const knownNames = 3

// noSuchName says of a turn that puts only a name to the question before it, in words of which no card knows any, that there is none such: left out, the question would be
// answered as before. In Chinese the tools say it. "" for any other, and where no card tells the names of its things.
func (x *Index) noSuchName(g *goal, text, fact, base string) string {
	if !insteadOf.MatchString(text) || words.HasHan(text) || len(g.files) > 0 || g.filed || len(x.facts(fact, g.now)) > 0 {
		return ""
	}
	if x.behind != nil {
		x = x.behind.index
	}
	was := goal{text: base, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&was)
	said := words.Content(fact)
	if len(was.clauses) != 1 || len(said) == 0 || slices.ContainsFunc(said, func(w string) bool { return x.spoken[w] || x.trade[w] || x.heard[w] > 0 || len(x.lexicon[w]) > 0 }) {
		return ""
	}
	t := x.top(&was, was.clauses[0])
	if t == nil || len(t.e.Required()) > 0 || !slices.ContainsFunc(t.e.Params, func(f fields.Field) bool { return len(f.Enum) == 0 && len(f.Examples) >= knownNames }) {
		return ""
	}
	return words.Say(g.lang, "没能完成：这里没有「%s」。请换一个时间、地方、商品或客户的名字。", "This could not be done: nothing here is called “%s”. Please name another time, place, product or customer.", fact)
}
