package table

import (
	"regexp"
	"slices"
	"strings"
)

// Figures that questions name by one word or for each of another, and that columns give: what a stock is worth, what was overspent, what falls to one of several.

// reWorth is what goods come to at their prices, where a table has a column of either and none of that.
var reWorth = regexp.MustCompile(`的?总?(?:价值|货值)|\s?\b(?:total )?(?:values?|worth|valuable)\b`)

// valued gives the table a column of price by stock where the question asks what that is worth; by pieces where it has no stock, and no amount of money either.
func (r *reading) valued() {
	at := reWorth.FindStringIndex(r.s)
	if at == nil {
		return
	}
	called := func(words ...string) []*Column {
		var out []*Column
		for _, c := range r.table.Columns {
			if c.number() && !c.names() && slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.weight > 1 && slices.Contains(words, a.text) }) {
				out = append(out, c)
			}
		}
		return out
	}
	price, of := called("单价"), called("库存")
	if len(of) == 0 && len(called("销售额", "金额", "成本", "费用")) == 0 {
		of = called("数量")
	}
	if len(price) != 1 || len(of) != 1 || r.columnish(strings.TrimSpace(r.s[at[0]:at[1]])) {
		return
	}
	for i := at[0]; i < at[1]; i++ { // in a word that is a column's
		if r.used[i] {
			return
		}
	}
	if i := slices.IndexFunc(r.mentions, func(m mention) bool {
		return m.start >= at[1] && strings.Trim(r.s[at[1]:m.start], " ") == "of" || m.end == at[0]
	}); i >= 0 {
		switch m := r.mentions[i]; {
		case m.column == of[0]:
			at[0], at[1] = min(at[0], m.start), max(at[1], m.end)
			r.mentions = slices.Delete(r.mentions, i, i+1)
		case m.column.number():
			return // the values of another
		}
	}
	words := "en"
	if isHan(of[0].Name) {
		words = "zh"
	}
	c := times(price[0], of[0], of[0].Name+say(words, "价值", " value"))
	r.derive(c)
	r.use(at[0], at[1])
	r.mentions = append(r.mentions, mention{c, at[0], at[1], 4})
	slices.SortFunc(r.mentions, func(a, b mention) int { return a.start - b.start })
}

var (
	reForEach = regexp.MustCompile(`(?:\bper|\beach|每一?[个位名件人]?)\s*$`)
	// reOnEach: of how many groups there are, what falls to one of them.
	reOnEach = regexp.MustCompile(`平均每一?[个家位名人种款间台]?$|\b(?:average|mean) (?:number|count) of (?:[a-z]+ ){1,3}?per $`)
)

func isMean(s string) bool { return reMean.MatchString(s) && !reOnEach.MatchString(s) }

// perOne takes a figure for each of another, as earn per passenger, for one column, and what falls to one of several groups, 平均每个仓库有多少库存; it leaves the
// amounts that the question asks for besides.
func (r *reading) perOne(asked []*Column) []*Column {
	for i, m := range r.mentions {
		if at := reForEach.FindStringIndex(r.s[:m.start]); at != nil && len(asked) == 1 && m.column.number() && !m.column.names() && m.column.whole == "" && asked[0] != m.column {
			c := over(asked[0], m.column, asked[0].Name+" / "+m.column.Name, "1.0 * ")
			r.derive(c)
			r.use(at[0], m.end)
			r.mentions[i].column = c
			return nil
		}
		if at := reForEach.FindStringIndex(r.s[:m.start]); at != nil && isMean(r.s) && r.calls(m.column) && strings.HasPrefix(r.s[at[0]:], "per") { // of all rows
			r.use(at[0], m.end)
			r.mentions = slices.Delete(r.mentions, i, i+1)
			return asked
		}
		at := reOnEach.FindStringIndex(r.s[:m.start])
		if at == nil || m.column.kind != textKind {
			continue
		}
		of := r.mentioned(true)
		if len(of) > 1 || len(of) == 1 && of[0].whole != "" {
			r.doubt = remarkf("没有说平均每个「%s」的什么", "it does not say of what the mean for each %s is", m.column.Name)
			return nil
		}
		each := " / COUNT(DISTINCT " + quoted(m.column.Name) + ")"
		c := &Column{Name: "1 / " + m.column.Name, kind: realKind, formula: "1", whole: "1.0 * COUNT(*)" + each, from: "COUNT(*)" + each}
		if len(of) == 1 {
			c.Name, c.formula, c.whole, c.from = of[0].Name+" / "+m.column.Name, of[0].sqlValue(), "1.0 * SUM("+of[0].sqlValue()+")"+each, of[0].Name+each
		}
		r.derive(c)
		r.use(at[0], m.end)
		r.mentions = slices.DeleteFunc(r.mentions, func(o mention) bool { return o == m || len(of) == 1 && o.column == of[0] })
		r.mentions = append(r.mentions, mention{c, at[0], m.end, 4})
		return nil
	}
	return asked
}

// reOverspent is what was spent beyond a budget, reSaved what was left of one.
var (
	reOverspent = regexp.MustCompile(`超支|超出?预算|\b(?:overspen[dt]|over(?: the)? budget|beyond(?: the)? budget)\b`)
	reSaved     = regexp.MustCompile(`结余|节余|(?:剩余|剩下的?)预算|预算(?:剩余|还剩)|\b(?:under(?: the)? budget|budget left|left of the budget)\b`)
	reSpentName = regexp.MustCompile(`实际|支出|花费|开支|费用|花销|\b(?:actual|spent|spend|spending|expenses?|expenditures?|costs?)\b`)
	reBudget    = regexp.MustCompile(`预算|\bbudget`)
)

// overspent gives the table a column of what was spent beyond its budget, or left of it, where the question asks for that and one column is either.
func (r *reading) overspent() {
	at := reOverspent.FindStringIndex(r.s)
	saved := at == nil
	if saved {
		at = reSaved.FindStringIndex(r.s)
	}
	if at == nil || r.columnish(r.s[at[0]:at[1]]) {
		return
	}
	var plan, spent []*Column
	for _, c := range r.table.Columns {
		switch name := fold(spelled(c.Name)); {
		case !c.number() || c.names():
		case reBudget.MatchString(name):
			plan = append(plan, c)
		case reSpentName.MatchString(name):
			spent = append(spent, c)
		}
	}
	if len(plan) != 1 || len(spent) != 1 {
		return
	}
	c := less(spent[0], plan[0], "")
	if saved {
		c = less(plan[0], spent[0], "")
	}
	r.derive(c)
	r.use(at[0], at[1])
	r.mentions = append(r.mentions, mention{c, at[0], at[1], 4})
}
