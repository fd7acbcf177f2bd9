package table

import (
	"regexp"
	"slices"
)

var (
	// reGone and reThere say of a row that nothing, or something, of it is there.
	reGone  = regexp.MustCompile(`缺货|无货|没货|断货|售罄|(?:没有?|无|零)库存|\b(?:out[- ]of[- ]stock|sold[- ]out|not in stock|without stock)\b`)
	reThere = regexp.MustCompile(`有货|有库存|\bin[- ]stock\b`)
	// reOnTime and reLate say it of a delay; reByFigure: one that is limited or measured, which is the column itself.
	reOnTime   = regexp.MustCompile(`准点|准时|正点|\b(?:on[- ]time|punctual)\b`)
	reLate     = regexp.MustCompile(`晚点|延误|\b(?:delayed|late)\b`)
	reByFigure = regexp.MustCompile(`^\s*(?:了|时间|时长|最|超过|大于|不到|小于|多|[0-9]|合计|平均|总|分钟|by\b|(?:for )?(?:more|less|over|at|under|longer)\b|times?\b|minutes?\b|hours?\b)`)
	// reNotSo turns either round; reAmount makes of "in stock" the name of the column: less than 5 in stock, how many are in stock.
	reNotSo  = regexp.MustCompile(`(?:不|没有?|未|非|不是|\bnot|\bneither|\bnor|\bnever|n't)\s*$`)
	reAmount = regexp.MustCompile(`(?:[0-9]|\b(?:how (?:many|much)|most|least|fewest|more|less|pieces?|units?|numbers?|amounts?|quantit(?:y|ies)|total|average)(?: (?:are|is|we have|do we have|there))?)\s*$`)
)

// stocked reads which rows are there and which are not, in a table with a figure of how many there are: out of stock, 有货的. A table without one leaves the words to be
// told as not understood.
func (r *reading) stocked() {
	for _, word := range []struct {
		column      string
		gone, there *regexp.Regexp
	}{{"库存", reGone, reThere}, {"延误", reOnTime, reLate}} {
		var of []*Column
		for _, c := range r.table.Columns {
			if c.number() && slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == word.column && a.weight > 1 }) {
				of = append(of, c)
			}
		}
		if len(of) == 0 && word.column == "库存" {
			of = []*Column{nil}
		}
		if len(of) == 1 {
			r.rowsOf(of[0], word.gone, word.there)
		}
	}
}

// rowsOf reads which rows have some of a column by words of their own; of a nil column they are not understood.
func (r *reading) rowsOf(of *Column, none, some *regexp.Regexp) {
	for _, way := range []struct {
		re   *regexp.Regexp
		gone bool
	}{{none, true}, {some, false}} {
		for _, at := range way.re.FindAllStringIndex(r.s, 10) {
			if !r.free(at[0], at[1]) || r.columnish(r.s[at[0]:at[1]]) || !way.gone && reAmount.MatchString(r.s[:at[0]]) || none == reOnTime && (reByFigure.MatchString(r.s[at[1]:]) || reEach.MatchString(r.s[:at[0]])) {
				continue
			}
			gone, start := way.gone, at[0]
			if no := reNotSo.FindStringIndex(r.s[:start]); no != nil {
				if !gone && isHan(r.s[at[0]:at[1]]) && r.s[no[0]:no[1]] != "不是" { // 有没有货 asks for those, and not for the others
					continue
				}
				gone, start = !gone, no[0]
			}
			if of == nil {
				r.doubt = remarkf("「%[1]s」没有说清库存的列，没有理解「%[2]s」", "%[1]s has no column that tells the stock, so “%[2]s” is not understood", r.table.Name, r.s[start:at[1]])
				return
			}
			r.use(start, at[1])
			f := filter{column: of, ofRow: true, sql: quoted(of.Name) + " > 0", at: [2]int{start, at[1]}, said: remarkf("%s 大于 0", "%s above 0", of.Name)}
			if gone {
				f.sql, f.said = quoted(of.Name)+" <= 0", remarkf("%s 为 0", "%s 0", of.Name)
			}
			r.held = append(r.held, of)
			if rate := reRate.FindStringIndex(r.s[at[1]:]); rate != nil {
				r.use(at[1], at[1]+rate[1])
				r.rate = &f
				continue
			}
			r.wish.filters = append(r.wish.filters, f)
		}
	}
}
