package plan

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Whether a figure lies above or below one that the request gives, 上个月销售额超过20万了吗, is said first, with the figure; a list of rows is no answer to it.

var (
	// inOrders, inPieces and inMoney tell by the unit of a bar, or by the words beside it, what is measured.
	inOrders = words.MustCompile(`(?i)^(?:单|笔|orders?)$`)
	inPieces = words.MustCompile(`(?i)^(?:[件台瓶双部]|pieces|units|items)$`)
	inMoney  = words.MustCompile(`(?i)^(?:元|块钱?|yuan|cny|rmb)$`)
	inPeople = words.MustCompile(`(?i)^(?:[位人]|people|customers?|buyers?)$`)
	// alsoOfBar are words of everyday for what such a question is about, and what cards call it.
	alsoOfBar = []struct {
		*words.Pattern
		put string
	}{
		{words.MustCompile(`(?i)赚|\b(?:earn(?:ed)?)\b`), "毛利润 profit"},
		{words.MustCompile(`(?i)成交|业绩|生意|进账|\b(?:make|made|take|took|turnover|revenue|income)\b`), "销售额 sales"},
		{words.MustCompile(`(?i)流水|营业额|营收|收入`), "销售额"},
		{words.MustCompile(`(?i)利润率|\bmargins?\b`), "毛利率 margin"},
		{words.MustCompile(`(?i)均价|平均每?(?:单|笔)|\baverage orders?\b`), "客单价"},
		{words.MustCompile(`(?i)消费|花|\bspen[dt]\b`), "实付 消费 花费 spent cost"},
	}
	// sellsWord: what was sold is asked of.
	sellsWord = words.MustCompile(`(?i)[卖销售]|\b(?:sell|sells|sold|selling)\b`)
)

// barOf is the bar that a clause asks about.
func (g *goal) barOf(c wishes.Clause) (facts.Bar, facts.Fact, bool) {
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		if b, ok := f.Value.(facts.Bar); ok {
			return b, f, true
		}
	}
	return facts.Bar{}, facts.Fact{}, false
}

// measuredBy is the figure of a tool's result, or of the rows in it, that a question with a bar is about: the one that its words name, of the kind that its unit measures. sure is
// whether they name it; nil: it tells none.
func measuredBy(all []fields.Field, b facts.Bar, text string) (best *fields.Field, sure bool) {
	for _, also := range alsoOfBar {
		if also.MatchString(text) {
			text += " " + also.put
		}
	}
	sells := sellsWord.MatchString(text)
	switch {
	case inOrders.MatchString(b.Unit):
		text += " 订单数 orders"
	case inPieces.MatchString(b.Unit) && sells, sells && b.Unit != "" && !inMoney.MatchString(b.Unit) && !b.Percent && !words.StopEnglish[strings.ToLower(b.Unit)]: // so many of what is sold
		text += " 销量 quantity pieces"
	case inMoney.MatchString(b.Unit) && sells, sells && b.Unit == "" && !b.Percent:
		text += " 销售额 sales"
	case inPeople.MatchString(b.Unit):
		text += " 客户数 customers"
	}
	said, mean := words.Content(text), wishes.AsksMean(text)
	most := 0.0
	for i := range all {
		f := &all[i]
		label := f.Label("zh") + " " + f.Label("en")
		whole := f.Type == "integer"
		switch {
		case f.Type != "number" && !whole || f.Sort == fields.ID, b.Percent != strings.ContainsAny(label+f.Desc, "%％"),
			inMoney.MatchString(b.Unit) && whole, mean && !figures.Quotient(f), (inOrders.MatchString(b.Unit) || inPieces.MatchString(b.Unit) || inPeople.MatchString(b.Unit)) && !whole:
			continue
		}
		score := 0.0
		for _, name := range []string{f.Label("zh"), f.Label("en")} { // all of a name before a part of it: 销售额 before 日均销售额
			n, own := 0, words.Content(name)
			for _, w := range own {
				if !whole && len(own) > 1 && namesThing(w) { // freight of the orders is named by none of them
					continue
				}
				if slices.Contains(said, w) || words.IsHan(words.FirstRune(w)) && strings.Contains(text, w) {
					n++
				}
			}
			if n > 0 {
				score = max(score, float64(n)+float64(n)/float64(len(own)))
			}
		}
		if score > most {
			best, most = f, score
		}
	}
	return best, most > 0
}

// namesThing reports whether a word is what things are called of which figures are told.
func namesThing(word string) bool {
	return slices.ContainsFunc(words.SameNouns[:words.Things], func(set []string) bool {
		return slices.ContainsFunc(set, func(n string) bool { return n == word || words.Stem(n) == words.Stem(word) })
	})
}

// barFigure is the figure that a tool tells of all that it looks at and that a clause asks of whether it lies above a bar; nil: none.
func barFigure(e *cards.Entry, b facts.Bar, text string) *fields.Field {
	if !e.Reads() || e.IsAgent() || e.Knowledge() {
		return nil
	}
	f, _ := measuredBy(e.Result.Fields, b, text)
	return f
}

// barRows are the list of a tool whose rows tell what a clause asks of, and the column; nil: no rows do.
func barRows(e *cards.Entry, b facts.Bar, text string) (list, col *fields.Field) {
	for _, l := range e.Lists() {
		if !l.HasIDs() {
			continue
		}
		if c, ok := measuredBy(l.Fields, b, text); ok {
			return l, c
		}
	}
	return nil, nil
}

// overBar is the sentence on how a figure stands to the bar that a clause asks about; "" where it asks about none, or the call does not tell the figure.
func (r *round) overBar(t *target, d Done) string {
	b, f, ok := r.g.barOf(t.clause)
	m, object := objectIn(d.Observation)
	if !ok || !object {
		return ""
	}
	lang, text := r.g.lang, r.g.barText(t.clause, f)
	bar, _ := new(big.Rat).SetString(strconv.FormatFloat(b.N, 'f', -1, 64))
	col := barFigure(t.e, b, text)
	var v *big.Rat
	label := ""
	if col != nil {
		v, label = figures.Amount(m[col.Name]), col.Label(lang)
	}
	if v == nil {
		list, c := barRows(t.e, b, text)
		if list == nil {
			return ""
		}
		rows, _ := m[list.Name].([]any)
		over, told := 0, 0
		for _, row := range rows {
			o, _ := row.(map[string]any)
			if n := figures.Amount(o[c.Name]); n != nil {
				told, v = told+1, n
				if b.Met(n.Cmp(bar)) {
					over++
				}
			}
		}
		if told == 0 {
			return ""
		} else if told > 1 {
			return words.Say(lang, "列出的 %[1]d 个里，%[2]s%[3]s的有 %[4]d 个。", "Of the %[1]d listed, %[4]d have %[2]s %[3]s.", told, c.Label(lang), f.Text, over)
		}
		label = c.Label(lang)
	}
	sign := v.Cmp(bar)
	gap := new(big.Rat).Abs(new(big.Rat).Sub(v, bar))
	label = strings.TrimRight(strings.NewReplacer("（%）", "", " (%)", "").Replace(label), " ")
	unit := words.Either(b.Percent, "%", "")
	stands := words.Say(lang, "正好是 %[1]s", "just %[1]s", figures.Decimal(bar)+unit)
	switch {
	case sign > 0:
		stands = words.Say(lang, "超过 %[1]s，多 %[2]s", "above %[1]s, by %[2]s", figures.Decimal(bar)+unit, figures.Decimal(gap)+words.Say(lang, words.Either(b.Percent, " 个百分点", ""), words.Either(b.Percent, " points", "")))
	case sign < 0:
		stands = words.Say(lang, "不到 %[1]s，差 %[2]s", "below %[1]s, by %[2]s", figures.Decimal(bar)+unit, figures.Decimal(gap)+words.Say(lang, words.Either(b.Percent, " 个百分点", ""), words.Either(b.Percent, " points", "")))
	}
	return words.Say(lang, "%[1]s，%[2]s %[3]s，%[4]s。", "%[1]s: %[2]s %[3]s, %[4]s.", words.Either(b.Met(sign), words.Say(lang, "是的", "Yes"), words.Say(lang, "没有", "No")), label, figures.Decimal(v)+unit, stands)
}

// barText are the words of a clause that name the figure: without the bar itself and the other values.
func (g *goal) barText(c wishes.Clause, bar facts.Fact) string {
	text := g.text[c.Start:c.End]
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		if f.Kind == facts.Date || f.Start == bar.Start {
			text = strings.Replace(text, f.Text, " ", 1)
		}
	}
	return text
}

// inShort is what a call says of itself, without its rows, for a question that is answered in one sentence; "" when it says nothing.
func (r *round) inShort(d Done) string {
	m, ok := objectIn(d.Observation)
	if !ok {
		return ""
	}
	return render.Writer{Lang: r.g.lang}.Lead(m)
}
