package table

import (
	"regexp"
	"slices"
	"strings"
)

// A figure that a table has no column of, and that two of its columns give: profit is what came in less what it cost. It is a column of its own for one question, and
// how it is worked out is said in the answer.

var (
	reProfit = regexp.MustCompile(`毛利润?|利润|盈利|\b(?:gross )?profits?\b|\bmargins?\b`)
	reMargin = regexp.MustCompile(`(?:毛?利润|毛利|盈利)率|\b(?:gross |profit )?margins?(?: (?:percent(?:age)?|rate|ratio)|\s*%)?(?:\s|$|\?)|\bprofit(?:ability)? (?:percentage|rate|ratio)\b|\bprofit %`)
	reNet    = regexp.MustCompile(`(?:净|税[前后]|营业|期间)(?:利润|利|盈利)|\b(?:net|operating|pre-?tax|after-?tax) (?:profit|margin|income)s?\b`) // other things are taken off, too
)

// profit gives the table a column of profit, or of the rate of it, when the question speaks of that, the table has none, and one column of it is what came in and one what
// it cost.
func (r *reading) profit() {
	called := func(word string, least int) []*Column {
		var out []*Column
		for _, c := range r.table.Columns {
			if c.number() && c.unit != "%" && !c.names() && slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == word && a.weight >= least }) {
				out = append(out, c)
			}
		}
		return out
	}
	if !reProfit.MatchString(r.s) && !reMargin.MatchString(r.s) || reNet.MatchString(r.s) {
		return
	}
	in, out, own := called("销售额", 2), called("成本", 2), called("利润", 2)
	if len(in) != 1 || len(out) != 1 && len(own) != 1 || len(own) > 1 {
		return
	}
	word := say("en", "", "profit")
	rate := "profit margin %"
	if isHan(in[0].Name) {
		word, rate = "利润", "利润率%"
	}
	var profit *Column
	switch {
	case len(own) == 1:
		profit = own[0]
	case len(out) == 1 && !reUnitCost.MatchString(out[0].Name):
		profit = less(in[0], out[0], word)
		r.derive(profit)
	default:
		return
	}
	if reMargin.MatchString(r.s) && !slices.ContainsFunc(r.table.Columns, func(c *Column) bool { return reMargin.MatchString(fold(c.Name)) }) {
		c := over(profit, in[0], rate, "100.0 * ")
		c.unit = "%"
		r.derive(c)
		for _, at := range reMargin.FindAllStringIndex(r.s, 10) {
			at[1] = at[0] + len(strings.TrimRight(r.s[at[0]:at[1]], " ?"))
			if r.free(at[0], at[1]) {
				r.use(at[0], at[1])
				r.mentions = append(r.mentions, mention{c, at[0], at[1], 4})
			}
		}
	}
}

// reUnitCost: what one piece costs, which cannot be taken off what all of them brought.
var reUnitCost = regexp.MustCompile(`(?i)单位|单件|每件|均|\b(?:unit|per|each|avg|average|mean)`)

// derive gives the table of this question one more column.
func (r *reading) derive(c *Column) {
	t := *r.table
	t.Columns = append(slices.Clone(t.Columns), c)
	r.table, r.wish.table = &t, &t
}

// less is a column less another, plus one more than it.
func less(a, b *Column, name string) *Column { return reckon(a, b, name, "-", "−") }
func plus(a, b *Column, name string) *Column { return reckon(a, b, name, "+", "+") }

// times is a column by another, whose values are added up.
func times(a, b *Column, name string) *Column {
	c := reckon(a, b, name, "*", "×")
	c.summed = true
	return c
}

// reWorth is what goods come to at their prices, where a table has a column of either and none of that.
var reWorth = regexp.MustCompile(`的?总?(?:价值|货值)|\s?\b(?:total )?(?:values?|worth|valuable)\b`)

// valued gives the table a column of price by stock where the question asks what that is worth; by pieces where it has no stock, and no amount of money either.
func (r *reading) valued() {
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
	at := reWorth.FindStringIndex(r.s)
	if at == nil || len(price) != 1 || len(of) != 1 || r.columnish(strings.TrimSpace(r.s[at[0]:at[1]])) {
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
	c := times(price[0], of[0], of[0].Name+say(languageOf(of[0].Name), "价值", " value"))
	r.derive(c)
	r.use(at[0], at[1])
	r.mentions = append(r.mentions, mention{c, at[0], at[1], 4})
	slices.SortFunc(r.mentions, func(a, b mention) int { return a.start - b.start })
}

func reckon(a, b *Column, name, op, sign string) *Column {
	c := &Column{Name: name, kind: realKind, formula: a.sqlValue() + " " + op + " " + b.sqlValue(), from: a.Name + " " + sign + " " + b.Name}
	if a.kind == wholeKind && b.kind == wholeKind {
		c.kind = wholeKind
	}
	if c.Name == "" {
		c.Name = c.from
	}
	return c
}

// over is a column divided by another: of some rows, what they come to of the one by what they come to of the other.
func over(a, b *Column, name, times string) *Column {
	from := a.Name + " / " + b.Name
	if a.from != "" {
		from = "(" + a.from + ") / " + b.Name
	}
	return &Column{Name: strings.TrimSpace(name), kind: realKind, formula: times + a.sqlValue() + " / NULLIF(" + b.sqlValue() + ", 0)", from: from,
		whole: times + "SUM(CASE WHEN " + b.sqlValue() + " IS NOT NULL THEN " + a.sqlValue() + " END) / NULLIF(SUM(CASE WHEN " + a.sqlValue() + " IS NOT NULL THEN " + b.sqlValue() + " END), 0)"}
}

// sqlValue is the value of a column of a row of the file in SQL.
func (c *Column) sqlValue() string {
	if c.formula != "" {
		return "(" + c.formula + ")"
	}
	return quoted(c.Name)
}

// source is what a question reads: the table, with the columns that are worked out.
func (t *Table) source() string {
	more := ""
	for _, c := range t.Columns {
		if c.formula != "" {
			more += ", " + c.formula + " AS " + quoted(c.Name)
		}
	}
	if more == "" {
		return quoted(t.Name)
	}
	return "(SELECT *" + more + " FROM " + quoted(t.Name) + ")"
}

// worked says how the columns are worked out that the file has not.
func (t *Table) worked() []string {
	var out []string
	for _, c := range t.Columns {
		if c.formula != "" && c.from != c.Name {
			out = append(out, c.Name+" = "+c.from)
		}
	}
	return out
}

// Words between, before and behind two columns of which one figure is worked out.
var (
	reMinus    = regexp.MustCompile(`^\s*(?:minus|less|-|−|–|减去?|减掉|扣除|扣掉)\s*(?:the |total |its |their )*$`)
	reTimes    = regexp.MustCompile(`^\s*(?:times|multiplied by|\*|×|x|乘以?)\s*(?:the |total )*$`)
	rePlus     = regexp.MustCompile(`^\s*(?:plus|\+|加上?)\s*(?:the |total |its |their )*$`)
	reBy       = regexp.MustCompile(`^\s*(?:divided by|per|/|÷|除以)\s*(?:the |total )*$`)
	reBetweens = regexp.MustCompile(`\bdifferences? between\s+(?:the |total |their )*$`)
	reJoins    = regexp.MustCompile(`^\s*(?:and|&|to|versus|vs\.?|和|与|跟|同|及)\s*(?:the |total |their )*$`)
	reGap      = regexp.MustCompile(`^\s*(?:之间)?的?(?:之差|差额|差值|差距|差异|差)`)
	reBoth     = regexp.MustCompile(`^\s*(?:之和|的(?:总和|和))`)
)

var (
	reForEach = regexp.MustCompile(`(?:\bper|\beach|每一?[个位名件人]?)\s*$`)
	// reOnEach: of how many groups there are, what falls to one of them.
	reOnEach = regexp.MustCompile(`平均每一?[个家位名人种款间台]?$|\b(?:average|mean) (?:number|count) of (?:[a-z]+ ){1,3}?per $`)
)

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

// reckoned takes two columns that the question works one figure out of, as revenue minus cost does, for one that is this figure.
func (r *reading) reckoned() {
	r.mentions = slices.DeleteFunc(r.mentions, func(m mention) bool { // price times stock speaks of no time
		return r.s[m.start:m.end] == "times" && slices.ContainsFunc(r.mentions, func(o mention) bool {
			return o.column.number() && strings.TrimSpace(r.s[min(o.end, m.start):m.start]) == "" && o.end < m.start
		})
	})
	for i := 0; i+1 < len(r.mentions); i++ {
		a, b := r.mentions[i], r.mentions[i+1]
		if !a.column.number() || !b.column.number() || a.column == b.column || a.column.whole != "" || b.column.whole != "" || a.column.names() || b.column.names() {
			continue
		}
		before, between, after := r.s[:a.start], r.s[a.end:b.start], r.s[b.end:]
		var c *Column
		start, end := a.start, b.end
		switch {
		case reMinus.MatchString(between):
			c = less(a.column, b.column, "")
		case rePlus.MatchString(between):
			c = plus(a.column, b.column, "")
		case reTimes.MatchString(between):
			c = times(a.column, b.column, "")
		case reBy.MatchString(between):
			if strings.TrimSpace(between) == "per" && strings.HasSuffix(r.s[b.start:b.end], "s") { // revenue per units are groups
				continue
			}
			c = over(a.column, b.column, a.column.Name+" / "+b.column.Name, "1.0 * ")
		case reJoins.MatchString(between) && reBetweens.MatchString(before):
			c = less(a.column, b.column, "")
			start = reBetweens.FindStringIndex(before)[0]
		case reJoins.MatchString(between) && reGap.MatchString(after):
			c = less(a.column, b.column, "")
			end += reGap.FindStringIndex(after)[1]
		case reJoins.MatchString(between) && reBoth.MatchString(after):
			c = plus(a.column, b.column, "")
			end += reBoth.FindStringIndex(after)[1]
		default:
			continue
		}
		r.use(start, end)
		r.derive(c)
		r.mentions = slices.Replace(r.mentions, i, i+2, mention{c, start, end, 5})
	}
}
