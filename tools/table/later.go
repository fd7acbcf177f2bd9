package table

import (
	"regexp"
	"slices"
	"strings"
)

// reBrought is the name of a file that came with a request, before what was said later to go on with it: 每个地区的销售额（订单.csv），9月.
var reBrought = regexp.MustCompile(`[(（][^()（）]*\.(?:csv|tsv|txt|xlsx?|xlsm|jsonl?|ndjson|db|sqlite3?)[)）]\s*[,，]`)

// later finds what was said after the question, turn by turn. What it says takes the place of what the question said of the same: another value of the same
// column, another figure, another time, other groups.
func (r *reading) later() {
	at := reBrought.FindStringIndex(r.s)
	if at == nil {
		return
	}
	r.cuts = []int{at[1]}
	for i, c := range r.s {
		if i >= at[1] && (c == ',' || c == '，') {
			r.cuts = append(r.cuts, i)
		}
	}
	last := map[*Column]int{}
	amounts := 0
	for _, n := range r.named {
		last[n.column] = max(last[n.column], r.part(n.start))
	}
	for _, m := range r.mentions {
		if m.column.number() && !r.limits(m) {
			amounts = max(amounts, r.part(m.start))
		}
	}
	r.named = slices.DeleteFunc(r.named, func(n named) bool {
		gone := r.part(n.start) < last[n.column]
		if at := r.denied(n.start); gone && at != nil { // and so does what it said of it
			r.use(at[0], at[1])
		}
		return gone
	})
	r.drop((*Column).number, amounts)
}

// limits reports whether a figure stands right behind a column, which limits the rows by it and asks for nothing else.
func (r *reading) limits(m mention) bool {
	rest := reLimited.ReplaceAllString(r.s[m.end:], "")
	for _, re := range []*regexp.Regexp{reBefores, reAfters, reBetween} {
		if at := re.FindStringIndex(rest); at != nil && at[0] == 0 {
			return true
		}
	}
	return reIs.MatchString(rest)
}

var reLimited = regexp.MustCompile(`^\s*(?:(?:is|are|was|were|of|在)\s*)?`)

// part is where in a question something is said: 0 in the question itself, then in what was said later.
func (r *reading) part(at int) int {
	n := 0
	for n < len(r.cuts) && r.cuts[n] <= at {
		n++
	}
	return n
}

// drop leaves out the mentions of such columns before a part of the question.
func (r *reading) drop(such func(*Column) bool, part int) {
	r.mentions = slices.DeleteFunc(r.mentions, func(m mention) bool { return r.part(m.start) < part && such(m.column) })
}

// latest are the times of the last part that has any.
func (r *reading) latest(found []stretch) []stretch {
	last := 0
	for _, st := range found {
		last = max(last, r.part(st.start))
	}
	return slices.DeleteFunc(found, func(st stretch) bool {
		if r.part(st.start) == last {
			return false
		}
		r.use(st.start, st.end)
		return true
	})
}

// reFigureTo and reFigureOn: beside a figure that is no year, 2000 is the other end of a range: between 1000 and 2000.
var (
	reFigureTo = regexp.MustCompile(`(?:^|[^0-9.,/-])(?:[0-9]{1,3}|1[0-8][0-9]{2}|[3-9][0-9]{3}|[0-9]{5,}|[0-9]+\.[0-9]+)\s*(?:and|to|到|至|和|~)$`)
	reFigureOn = regexp.MustCompile(`^\s*(?:and|to|到|至|和|~)\s*(?:[3-9][0-9]{3}|[0-9]{5,})(?:[^0-9]|$)`)
)

// times turns the times of a question into conditions. A number that might be a year is one only where there are times.
func (r *reading) times(found []stretch) {
	c := r.timeColumn()
	if c == nil {
		years := r.yearColumn()
		if years == nil {
			return
		}
		found = slices.DeleteFunc(found, func(st stretch) bool { return st.grain != byYear })
		c = years
	}
	found = slices.DeleteFunc(found, func(st stretch) bool { // 大于2000 names no year
		before := strings.TrimRight(r.s[:st.start], " ")
		return st.grain == byYear && len(strings.TrimSpace(r.s[st.start:st.end])) == 4 && (reOver.MatchString(before) || reFigureTo.MatchString(before) || reFigureOn.MatchString(r.s[st.end:]))
	})
	found = settled(found, c.latest)
	r.finestSaid = byYear
	for _, st := range found {
		r.finestSaid = min(r.finestSaid, st.grain)
	}
	r.wish.filters = append(r.wish.filters, timeFilters(r.s, found, c, r.use)...)
	if len(found) > 1 && !reTogether.MatchString(r.s) && len(r.wish.filters) > 0 && strings.Contains(r.wish.filters[len(r.wish.filters)-1].sql, " OR ") && c.kind == timeKind {
		r.wish.groups = append(r.wish.groups, group{c, max(found[0].grain, byDay)})
	}
}
