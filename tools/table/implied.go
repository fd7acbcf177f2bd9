package table

import (
	"cmp"
	"regexp"
	"slices"
)

// impliedWords are superlatives that say of which figure they are: the slowest has the longest latency.
var impliedWords = []struct {
	re  *regexp.Regexp
	of  string // the column goes by
	low bool
}{
	{regexp.MustCompile(`最慢|\bslowest\b`), "耗时", false},
	{regexp.MustCompile(`最快|\b(?:fastest|quickest)\b`), "耗时", true},
	{regexp.MustCompile(`最年长|年[纪龄]最大|最老|\boldest\b`), "年龄", false},
	{regexp.MustCompile(`最年轻|年[纪龄]最小|\byoungest\b`), "年龄", true},
	{regexp.MustCompile(`最贵|\bmost expensive\b`), "单价", false},
	{regexp.MustCompile(`最便宜|\bcheapest\b`), "单价", true},
}

var (
	reEarliest = regexp.MustCompile(`最早|\bearliest\b|\bfirst ever\b`)
	reNewest   = regexp.MustCompile(`\bmost recent(?:ly)?\b`) // which says most, and is the end of no other order
	reLatest   = regexp.MustCompile(`最晚|最近|最新|\b(?:latest|newest)\b|\brecently\b`)
)

// implied takes the figure that a superlative is of, where the question names none but to limit its rows and the table has one of that kind.
func (r *reading) implied() (high, low bool) {
	if slices.ContainsFunc(r.mentions, func(m mention) bool {
		return m.column.number() && !m.column.names() && !slices.ContainsFunc(r.wish.filters, func(f filter) bool { return f.column == m.column })
	}) {
		return false, false
	}
	var found mention // the one that is said last
	for _, word := range impliedWords {
		at := word.re.FindStringIndex(r.s)
		if at == nil || !r.free(at[0], at[1]) || found.column != nil && r.part(found.start) == r.part(at[0]) {
			continue
		}
		for _, c := range r.table.Columns {
			if c.number() && slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == word.of && a.weight > 1 }) {
				r.use(at[0], at[1])
				if found.column == nil || r.part(found.start) < r.part(at[0]) {
					found, high, low = mention{c, at[0], at[1], 3}, !word.low, word.low
				}
				break
			}
		}
	}
	if found.column == nil {
		return false, false
	}
	r.mentions = append(r.mentions, found)
	slices.SortFunc(r.mentions, func(a, b mention) int { return cmp.Compare(a.start, b.start) })
	return high, low
}

// inTime reads the first and the last rows by time: 最早入职的人, the latest 5 orders. What is asked of groups or figures of them stays a word that is not understood.
func (r *reading) inTime(n int) bool {
	w, c := r.wish, r.timeColumn()
	if c == nil || len(w.groups)+len(w.measures) > 0 || w.nth > 0 {
		return false
	}
	for _, way := range []struct {
		re *regexp.Regexp
		up bool
	}{{reEarliest, true}, {reLatest, false}} {
		if r.has(way.re) || r.newest && !way.up {
			w.rows, w.by, w.ordered, w.up, w.best, w.limit = true, c, true, way.up, true, max(n, 0)
			return true
		}
	}
	return false
}
