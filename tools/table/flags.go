package table

import (
	"regexp"
	"slices"
	"strings"
)

// Words by which a column says yes or no of a row: 退款 with 是 and 否, refunded with yes and no.
var (
	yesWords = []string{"是", "有", "真", "已", "y", "yes", "true", "t", "√", "✓"}
	noWords  = []string{"否", "无", "没有", "假", "未", "不是", "n", "no", "false", "f", "×", "✗"}
)

// yes is the value that says yes in a column that says nothing else but yes and no; "": it is no such column.
func (c *Column) yes() string {
	yes := ""
	for _, v := range c.distinct {
		switch s := fold(v); {
		case slices.Contains(yesWords, s) && yes == "":
			yes = v
		case !slices.Contains(noWords, s):
			return ""
		}
	}
	return yes
}

// reRate behind the name of such a column asks for the share of the rows of which it says yes.
var reRate = regexp.MustCompile(`^(?:率|\s*rate\b)`)

// flags takes the name of such a column for the rows of which it says yes, unless rows are put together by it or its value is said: 退款的有多少单.
func (r *reading) flags() {
	valued := slices.Clone(r.named)
	r.mentions = slices.DeleteFunc(r.mentions, func(m mention) bool {
		yes := ""
		if m.column.kind == textKind && !slices.ContainsFunc(valued, func(n named) bool { return n.column == m.column }) {
			yes = m.column.yes()
		}
		if yes == "" || reEach.MatchString(r.s[:m.start]) && !r.thingBehind(m) || reEachBack.MatchString(r.s[m.end:]) || reEmpty.MatchString(r.s[m.end:]) {
			return false
		}
		at := reRate.FindStringIndex(r.s[m.end:])
		if strings.HasSuffix(r.s[m.start:m.end], " rate") {
			at = []int{0, 0}
		}
		if at != nil && r.free(m.end, m.end+at[1]) {
			r.use(m.end, m.end+at[1])
			f := among(m.column, []string{yes}, false)
			r.rate, r.held = &f, append(r.held, m.column)
			return true
		}
		if at := reWhether.FindStringIndex(r.s[:m.start]); at != nil {
			r.use(at[0], at[1])
			r.wish.groups = addGroup(r.wish.groups, group{column: m.column})
			return false
		}
		if at := reAlready.FindStringIndex(r.s[:m.start]); at != nil {
			r.use(at[0], at[1])
		}
		r.named = append(r.named, named{m.column, yes, m.start, m.end})
		return true
	})
}

// thingBehind: right behind the name of such a column stands what is so, 哪些促销商品.
func (r *reading) thingBehind(m mention) bool {
	return reOne.MatchString(reEach.FindString(r.s[:m.start])) && slices.ContainsFunc(r.mentions, func(o mention) bool {
		return o.start >= m.end && strings.Trim(r.s[m.end:o.start], " 的") == "" && r.calls(o.column)
	})
}

// calls reports whether a column gives each row its name, so that it is what rows are called: products in a list of them.
func (r *reading) calls(c *Column) bool {
	return c.kind == textKind && (c.distinct == nil || len(c.distinct)*10 >= 9*r.table.Rows)
}

// unused is a column that the question names and that has no part in what was understood; nil: there is none. To leave it out would answer another question.
func (r *reading) unused() *Column {
	w := r.wish
	times := slices.ContainsFunc(w.filters, func(f filter) bool { return f.column == nil || f.column.kind == timeKind }) ||
		slices.ContainsFunc(w.groups, func(g group) bool { return g.column.kind == timeKind })
	for _, m := range r.mentions {
		c := m.column
		switch {
		case slices.Contains(r.held, c):
		case c.kind == timeKind && (times || w.rows), c == w.by, w.rows && reList.MatchString(r.s):
		case r.calls(c) && (w.rows || w.share && w.part != nil || strings.HasSuffix(r.s[:m.start], "的")):
		case slices.ContainsFunc(w.groups, func(g group) bool { return g.column == c }):
		case slices.ContainsFunc(w.measures, func(o measure) bool { return o.column == c }):
		case slices.ContainsFunc(w.filters, func(f filter) bool { return f.column == c }):
		default:
			return c
		}
	}
	return nil
}
