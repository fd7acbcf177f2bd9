package table

import (
	"regexp"
	"slices"
)

// measured is the figure that is analysed: the column that the task names, else the one of the table, else that which is most likely meant; the
// rows themselves when there is none.
func (s *study) measured() measure {
	named := s.r.mentioned(true)
	all := s.r.amounts()
	if len(named) == 0 {
		if m, ok := s.counted(); ok {
			return m
		}
	}
	fold := func(c *Column) measure {
		if c.unit == "%" || c.rate() {
			return measure{meanOf, c}
		}
		return measure{sumOf, c}
	}
	switch {
	case len(named) > 0:
		m := fold(named[0])
		if reMean.MatchString(s.r.s) {
			m.fold = meanOf
		}
		return m
	case len(all) == 0:
		return measure{countOf, nil}
	case len(all) == 1:
		return fold(all[0])
	}
	best := all[0]
	known := []string{"数量", "金额", "销售额"} // the later the better
	if reEarned.MatchString(s.r.s) {
		known = append(known, "利润", "工资")
	}
	for _, word := range comparedBy {
		if s.r.has(word.re) {
			known = append(known, word.of)
		}
	}
	s.guessed = true
	for _, word := range known {
		for _, c := range all {
			if slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == word && a.weight > 1 }) {
				best, s.guessed = c, false
			}
		}
	}
	s.notes = append(s.notes, remarkf("没有说分析哪一列，取「%s」", "no column was named; “%s” is taken", best.Name))
	m := fold(best)
	if reMean.MatchString(s.r.s) {
		m.fold = meanOf
	}
	return m
}

// comparedBy are words by which two are held against each other that say of which figure.
var comparedBy = []struct {
	re *regexp.Regexp
	of string // the column goes by
}{
	{regexp.MustCompile(`贵|便宜|\b(?:expensive|cheaper)\b`), "单价"}, {regexp.MustCompile(`几岁|多少岁|年长|年轻|\b(?:older|younger)\b`), "年龄"}, {regexp.MustCompile(`慢|快|\b(?:slower|faster)\b`), "耗时"},
}

// reEarned says of whom a figure is what they got.
var reEarned = regexp.MustCompile(`挣|赚|\bearn(?:s|ed)?\b`)

// counted is the count that a task without an amount asks for: of rows, of the values of a column, or of pieces where the table has such a column.
func (s *study) counted() (measure, bool) {
	if !reCount.MatchString(s.r.s) {
		return measure{}, false
	}
	if reUnits.MatchString(s.r.s) && len(s.r.quantities()) > 0 {
		return measure{sumOf, s.r.quantities()[0]}, true
	}
	s.r.has(reRowNoun)
	m := s.r.counted(false)[0]
	if m.column != nil && s.r.calls(m.column) {
		m = measure{countOf, nil}
	}
	return m, true
}
