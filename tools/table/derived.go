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
