package table

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Figures of a period that need those before it: what all came to up to then, and the change from the period before or from the same one of the year before.

// against is what the figure of a period is held against.
type against string

const (
	periodBefore against = "period"
	yearBefore   against = "year"
)

var (
	reRunning = regexp.MustCompile(`累[计积]|\b(?:cumulative(?:ly)?|cumulated|accumulated)\b|\brunning (?:totals?|sums?)(?: of)?\b`)
	reOnLast  = regexp.MustCompile(`(月|周|季度?|年|日)?环比|\b(month|week|quarter|day)[- ](?:over|on|to|by)[- ](?:month|week|quarter|day)\b|\b([mwq])o[mwq]\b|(?:\b(?:changes?|growth) )?\b(?:compared (?:to|with)|versus|vs\.?|from|over|on) (?:the )?(?:previous|prior|preceding) (month|week|quarter|day)\b`)
	reOnYear  = regexp.MustCompile(`(月|季度?|年)?同比|\byear[- ](?:over|on)[- ]year\b|\byoy\b|(?:\b(?:changes?|growth) )?\b(?:compared (?:to|with)|versus|vs\.?|from|over|on) (?:the )?(?:same (month|quarter) (?:of the |in the )?)?(?:previous|prior|preceding|last) year\b`)
	reGrowth  = regexp.MustCompile(`增长率|增速|增长|增幅|涨幅|变化率?|增减|上升|下降|\bgrowth(?: rates?)?\b|\b(?:rate of )?changes?\b|\bgrew\b`)
	grainOf   = map[string]grain{"月": byMonth, "month": byMonth, "m": byMonth, "周": byWeek, "week": byWeek, "w": byWeek, "季": byQuarter, "季度": byQuarter, "quarter": byQuarter, "q": byQuarter, "年": byYear, "日": byDay, "day": byDay}
)

// overTime finds such a wish, before the words of sums and periods are read.
func (r *reading) overTime() {
	for _, way := range []struct {
		re *regexp.Regexp
		to against
	}{{reOnLast, periodBefore}, {reOnYear, yearBefore}} {
		for _, at := range way.re.FindAllStringSubmatchIndex(r.s, 5) {
			if !r.free(at[0], at[1]) || r.wish.against != "" {
				continue
			}
			r.use(at[0], at[1])
			r.wish.against = way.to
			for g := 1; g < len(at)/2; g++ {
				r.period = max(r.period, grainOf[group2(r.s, at, g)])
			}
		}
	}
	if r.wish.against != "" {
		r.has(reGrowth)
		return
	}
	if at := reRunning.FindStringIndex(r.s); at != nil && r.free(at[0], at[1]) && (!isHan(r.s[at[0]:at[1]]) || slices.ContainsFunc(grainWords, func(g grainWord) bool { return g.re.MatchString(r.s) })) {
		r.has(reRunning)
		r.wish.running = true
	}
}

// periods puts the rows of such a wish together by month where it does not say by what.
func (r *reading) periods() {
	w, c := r.wish, r.timeColumn()
	if !w.running && w.against == "" || c == nil || slices.ContainsFunc(w.groups, func(g group) bool { return g.column.kind == timeKind }) {
		return
	}
	g := r.period
	if g == byMoment {
		g = byMonth
	}
	w.groups = append([]group{{c, r.finest(c, g)}}, w.groups...)
}

// settleTime sees that such a wish has its periods and figures, and nothing that has no sense beside them.
func (r *reading) settleTime() {
	w := r.wish
	if !w.running && w.against == "" {
		return
	}
	at := slices.IndexFunc(w.groups, func(g group) bool { return g.column.kind == timeKind })
	if at < 0 {
		r.doubt = remarkf("表里没有日期列，不能逐期比较或累计", "there is no column of dates, so nothing can be added up or compared from period to period")
		return
	}
	g := w.groups[at]
	w.groups = append(append([]group{g}, w.groups[:at]...), w.groups[at+1:]...)
	if g.grain == byWeekday || w.against != "" && g.grain < byDay || slices.ContainsFunc(w.filters, func(f filter) bool { return strings.Contains(f.sql, "%w") }) && w.against != "" || w.against == yearBefore && g.grain == byWeek || r.period != 0 && r.period != g.grain || w.share || w.rows || w.within > 0 || w.versus != nil || len(w.whole) > 0 ||
		len(w.measures) == 0 || w.running && (w.best || slices.ContainsFunc(w.measures, func(m measure) bool { return m.fold != sumOf && m.fold != countOf })) || w.against != "" && len(w.measures) > 1 {
		r.doubt = remarkf("没有看出要怎样逐期比较或累计", "it is not clear what is to be added up or compared from period to period")
		return
	}
	if w.against == "" {
		return
	}
	// What the periods are compared with lies before the time that was asked for, so that is no condition of the rows.
	w.filters = slices.DeleteFunc(w.filters, func(f filter) bool {
		if f.column == g.column && f.column.kind == timeKind {
			w.during = append(w.during, f)
			return true
		}
		return false
	})
	if len(w.during) > 0 && r.finestSaid < g.grain {
		r.doubt = remarkf("所说的时间不是整期，不能逐期比较", "the time that is asked for is not of whole periods, so they cannot be compared")
	}
}

// before is the period that one is held against, in SQL. x is the name of the one as [group.sql] makes it.
func (a against) before(x string, g grain) string {
	year := "printf('%04d', substr(" + x + ", 1, 4) - 1)"
	part := func(letter, last string) string {
		return "CASE WHEN substr(" + x + ", 7, 1) = '1' THEN " + year + " || '-" + letter + last + "' ELSE substr(" + x + ", 1, 6) || (substr(" + x + ", 7, 1) - 1) END"
	}
	switch {
	case g == byYear:
		return year
	case a == yearBefore:
		return year + " || substr(" + x + ", 5)"
	case g == byQuarter:
		return part("Q", "4")
	case g == byHalf:
		return part("H", "2")
	case g == byMonth:
		return "strftime('%Y-%m', " + x + " || '-01', '-1 month')"
	case g == byWeek:
		return "date(" + x + ", '-7 days')"
	}
	return "date(" + x + ", '-1 day')"
}

// changed is the statement for the figures of periods beside those that they are held against.
func (w *wish) changed(language, end string) string {
	var inner, by, same, cells []string
	for i, g := range w.groups {
		c := "c" + strconv.Itoa(i)
		inner = append(inner, g.sql(language)+" AS "+c)
		by = append(by, strconv.Itoa(i+1))
		cells = append(cells, "a."+c+" AS "+quoted(g.name(language)))
		if i > 0 {
			same = append(same, " AND b."+c+" IS a."+c)
		}
	}
	g, m := w.groups[0], w.measures[0]
	names := [2]remark{{"上期", "period before"}, {"环比%", "change %"}}
	if w.against == yearBefore {
		names = [2]remark{{"上年同期", "year before"}, {"同比%", "change on year %"}}
	}
	cells = append(cells, "a.v AS "+quoted(m.name(language)), "b.v AS "+quoted(names[0].in(language)), "100.0 * (a.v - b.v) / NULLIF(ABS(b.v), 0) AS "+quoted(names[1].in(language)))
	text := "WITH p AS (SELECT " + strings.Join(inner, ", ") + ", " + m.sql() + " AS v FROM " + w.table.source() + w.where() + " GROUP BY " + strings.Join(by, ", ") + ") SELECT " + strings.Join(cells, ", ") +
		" FROM p AS a LEFT JOIN p AS b ON b.c0 = " + w.against.before("a.c0", g.grain) + strings.Join(same, "")
	if len(w.during) > 0 {
		text += " WHERE a.c0 IN (SELECT " + g.sql(language) + " FROM " + w.table.source() + (&wish{filters: w.during}).where() + ")"
	}
	if w.ordered {
		return text + " ORDER BY " + strconv.Itoa(len(cells)) + way(w.up) + ", " + strings.Join(by, ", ") + end
	}
	return text + " ORDER BY " + strings.Join(by, ", ") + end
}

// upTo are the figures of all periods up to each, beside its own.
func (w *wish) upTo(language string) (cells, names []string) {
	part := ""
	for i, g := range w.groups[1:] {
		if part += ", "; i == 0 {
			part = "PARTITION BY "
		}
		part += g.sql(language)
	}
	for _, m := range w.measures {
		cells = append(cells, "SUM("+m.sql()+") OVER ("+strings.TrimSpace(part+" ORDER BY "+w.groups[0].sql(language))+")")
		names = append(names, say(language, "累计", "cumulative ")+strings.TrimPrefix(m.name(language), say(language, "", "total ")))
	}
	return cells, names
}
