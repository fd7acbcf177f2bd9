package table

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// side is one of the two that a change or a difference is between: the rows of a period, or those that bear a name.
type side struct {
	name string
	sql  string // which rows are its
	said int    // where in the task, in bytes; -1: nowhere, it follows from the other
}

// sides are the two that are compared, and what for: before comes first in time; of two names it is the one that the other is held against.
type sides struct {
	before, after side
	named         *Column // the column of two names; nil: two periods
}

var (
	reVersus = regexp.MustCompile(`相?比|相差|差了?(?:多少|几|多大)|差[距额值]|之差|高于|低于|多于|少于|高出|\bthan\b|\bvs\.?(?:\s|$)|\bversus\b|\bcompared?\b|\bagainst\b|\bdifferences? (?:between|in)\b|\bgap between\b`)
	reMore   = regexp.MustCompile(`多|贵|高|大|好|强|增|升|涨|\b(?:more|higher|greater|larger|bigger|better|up|ris(?:e|es|en|ing)|rose|gr[eo]w(?:n|th|s|ing)?|increas(?:e|es|ed|ing)|gain(?:s|ed)?|jump(?:s|ed)?)\b`)
	reFewer  = regexp.MustCompile(`少|便宜|低|小|差|弱|降|跌|减|滑|\b(?:less|fewer|lower|smaller|worse|down|drop(?:s|ped)?|fell|fall(?:s|en|ing)?|declin(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|slump(?:s|ed)?)\b`)
	// reShared are words of a share or a rate in which a 比 holds nothing against anything.
	reShared = regexp.MustCompile(`占比|比例|比率|之比|比值|百分比|[环同]比`)
	// reChange are words around a difference, none of which limits it.
	reChange = regexp.MustCompile(`[多高低少大小好差强弱]了?多少|(?:同比|环比|相差|差距|差异|差额|差值|之差|增减|增加|减少|增长|增幅|上升|上涨|下降|下滑|下跌|降低|提高|提升|高出|变化|变动)了?|涨了?|跌了?|降了?|得?这么|那么|业绩|` +
		`\b(?:so|much|such|earn(?:ed|s)?|gap|differences?|amount of|did|we|go|went|gone|come|came|perform(?:ed|ance)?|change[ds]?|business|total|result(?:s|ed)?)\b`)
)

// apart is what the two are apart by: a change in time, or a difference of names.
func (two sides) apart(language string) string {
	if two.named != nil {
		return say(language, "差异", "difference")
	}
	return say(language, "变化", "change")
}

// contradicted is the sentence for a task that takes for granted what is not so: that the first of its sides is more than the other, or less; that it rose or
// fell from the earlier period to the later, where they are not held against each other. "": it is so.
func (two sides) contradicted(task, language string, before, after float64) string {
	of, than, d := two.after, two.before, after-before
	if than.said >= 0 && than.said < of.said && (two.named != nil || reVersus.MatchString(task)) {
		of, than, d = than, of, -d
	}
	switch want := asserted(task); {
	case want > 0 && d < 0:
		return fmt.Sprintf(say(language, "实际上 %s 比 %s 少。", "In fact %s is less than %s."), of.name, than.name)
	case want < 0 && d > 0:
		return fmt.Sprintf(say(language, "实际上 %s 比 %s 多。", "In fact %s is more than %s."), of.name, than.name)
	case want != 0 && d == 0:
		return fmt.Sprintf(say(language, "实际上 %s 与 %s 相同。", "In fact %s is the same as %s."), of.name, than.name)
	}
	return ""
}

// reApart are words for a difference that say of neither side that it is more.
var reApart = regexp.MustCompile(`相?差[了距额异值几]?|\bdifferences?\b`)

// asserted is what a task says of the first of its two sides: 1 that it is more than the other, -1 less, 0 neither or both.
func asserted(task string) int {
	task = reApart.ReplaceAllString(strings.ReplaceAll(task, "多少", ""), "")
	more, fewer := reMore.MatchString(task), reFewer.MatchString(task)
	switch {
	case more && !fewer:
		return 1
	case fewer && !more:
		return -1
	}
	return 0
}

// versus reports whether the task holds two periods or two names against each other.
func (s *study) versus() bool {
	if !reVersus.MatchString(reShared.ReplaceAllString(reBefores.ReplaceAllString(s.r.s, " "), " ")) { // more than 50 is a bound
		return false
	}
	return len(stretches(s.r.s, s.r.now, s.r.free)) == 2 || len(s.rivals()) == 2
}

// rivals are the two values of one column that the task names, and no more of them; nil when it does not.
func (s *study) rivals() []named {
	var out []named
	for _, n := range s.r.named {
		if len(out) > 0 && n.column != out[0].column {
			continue
		}
		if !slices.ContainsFunc(out, func(o named) bool { return o.value == n.value }) {
			out = append(out, n)
		}
	}
	if len(out) != 2 {
		return nil
	}
	return out
}

// settled gives the times that were said without a year one: that of another that has one, else the newest that the column has times of. latest is the last
// time of the column; without one nothing changes.
func settled(found []stretch, latest string) []stretch {
	last, ok := readTime(latest, anyOrder)
	if !ok {
		return found
	}
	out := slices.Clone(found)
	in := func(st stretch, year int) stretch {
		years := year - st.from.Year()
		st.from, st.to, st.anyYear = st.from.AddDate(years, 0, 0), st.to.AddDate(years, 0, 0), false
		return st
	}
	newest := func(st stretch, year int) stretch {
		if st = in(st, year); st.from.After(last.t) {
			st = in(st, year-1)
		}
		return st
	}
	at := slices.IndexFunc(out, func(st stretch) bool { return st.month == 0 && !st.anyYear })
	if at < 0 {
		if at = slices.IndexFunc(out, func(st stretch) bool { return st.anyYear }); at < 0 {
			return out
		}
		out[at] = newest(out[at], last.t.Year())
	}
	by := out[at]
	for i, st := range out {
		switch {
		case !st.anyYear:
		case st.grain == by.grain && by.from.YearDay() == 1 && st.to.Year() > st.from.Year() && st.grain != byHalf: // January and December, the first quarter and the fourth
			out[i] = in(st, by.from.Year()-1)
		default:
			out[i] = newest(st, by.from.Year())
		}
	}
	return out
}

// between finds the two sides: periods that the task names; the one that it names, and the one before; two names; else the last two whole periods. The
// filters are the other conditions of the task.
func (s *study) between(ctx context.Context) (sides, []filter, error) {
	c := s.r.timeColumn()
	found := stretches(s.r.s, s.r.now, s.r.free)
	if c == nil {
		if c = s.r.yearColumn(); c != nil {
			found = slices.DeleteFunc(found, func(st stretch) bool { return st.grain != byYear })
		}
	}
	if rivals := s.rivals(); rivals != nil && (len(found) < 2 || c == nil) {
		var out [2]side
		for i, n := range rivals {
			out[i] = side{name: n.value, sql: among(n.column, []string{n.value}, false).sql, said: n.start}
		}
		s.r.named = slices.DeleteFunc(s.r.named, func(n named) bool { return n.column == rivals[0].column })
		return sides{before: out[1], after: out[0], named: rivals[0].column}, s.conditions(c != nil), nil
	}
	if c == nil {
		return sides{}, nil, refusef("表里没有日期列，不能按时间分析", "the table has no column of dates, so it cannot be analysed over time")
	}
	for _, st := range found {
		s.r.use(st.start, st.end)
	}
	filters := s.conditions(false)
	before, after, err := s.periods(ctx, c, found, filters)
	if err != nil {
		return sides{}, nil, err
	}
	s.unfinished(c, after)
	return sides{before: before.side(c), after: after.side(c)}, filters, nil
}

// side is a period as rows of a column of times, or of years.
func (st stretch) side(c *Column) side {
	out := side{name: st.name(), said: st.start}
	if st.start == st.end {
		out.said = -1
	}
	if q := quoted(c.Name); c.kind == timeKind {
		form := min(max(c.grain, byDay), byMonth)
		out.sql = fmt.Sprintf("%[1]s >= %[2]s AND %[1]s < %[3]s", q, literal(instant{t: st.from}.text(form)), literal(instant{t: st.to}.text(form)))
	} else {
		out.sql = fmt.Sprintf("%s BETWEEN %d AND %d", q, st.from.Year(), st.to.AddDate(0, 0, -1).Year())
	}
	return out
}

// periods are the two that are compared: those that the task names, else the last two whole ones.
func (s *study) periods(ctx context.Context, c *Column, found []stretch, filters []filter) (before, after stretch, err error) {
	for i, st := range found {
		if st.month > 0 {
			from := day(s.r.now.Year(), st.month, 1)
			found[i] = stretch{from: from, to: from.AddDate(0, 1, 0), grain: byMonth, anyYear: true, start: st.start, end: st.end}
		}
	}
	found = settled(found, c.latest)
	switch {
	case len(found) >= 2:
		before, after = found[0], found[1]
		if before.from.After(after.from) {
			before, after = after, before
		}
		return before, after, nil
	case len(found) == 1:
		after = found[0]
		before = stretch{to: after.from, grain: after.grain}
		if after.grain >= byWeek && after.from.Equal(begin(after.from, after.grain)) && next(after.from, after.grain).Equal(after.to) {
			before.from = begin(after.from.AddDate(0, 0, -1), after.grain)
		} else {
			before.from = after.from.Add(-after.to.Sub(after.from))
		}
		return before, after, nil
	case c.kind != timeKind:
		r, err := s.b.query(ctx, "SELECT MAX("+quoted(c.Name)+") FROM "+s.r.table.source())
		if err != nil {
			return before, after, err
		}
		year, _ := asFloat(r.rows[0][0])
		after = stretch{from: day(int(year), 1, 1), to: day(int(year)+1, 1, 1), grain: byYear}
		return stretch{from: day(int(year)-1, 1, 1), to: after.from, grain: byYear}, after, nil
	}
	x, err := s.b.seriesBy(ctx, s.r.table, c, s.grain(), measure{countOf, nil}, filters)
	if err != nil {
		return before, after, err
	}
	if len(x.names) < 2 {
		return before, after, refusef("只有一期数据，不能比较", "there is only one period, so nothing can be compared")
	}
	s.notes = append(s.notes, x.notes...)
	after.to = x.start()
	after.from = begin(after.to.AddDate(0, 0, -1), x.grain)
	before.to = after.from
	before.from = begin(before.to.AddDate(0, 0, -1), x.grain)
	before.grain, after.grain = x.grain, x.grain
	return before, after, nil
}

// unfinished notes that the table ends in the middle of a period: its figure is not that of a whole one.
func (s *study) unfinished(c *Column, st stretch) {
	last, ok := readTime(c.latest, anyOrder)
	if !ok || c.grain == byMonth && st.grain <= byMonth || last.t.Before(st.from) || !last.t.Before(st.to) {
		return
	}
	if lacking := st.to.Sub(last.t); lacking > 48*time.Hour && lacking > st.to.Sub(st.from)/10 {
		s.notes = append(s.notes, remarkf("%s 的数据只到 %s，不是完整的一期", "%s has data only up to %s, so it is not whole", st.name(), last.t.Format(time.DateOnly)))
	}
}
