package table

import (
	"regexp"
	"strings"
)

// weekdays in their order, as [weekdayOf] counts them.
var weekdays = []remark{{"周一", "Monday"}, {"周二", "Tuesday"}, {"周三", "Wednesday"}, {"周四", "Thursday"}, {"周五", "Friday"}, {"周六", "Saturday"}, {"周日", "Sunday"}}

var (
	reWeekdays = regexp.MustCompile(`(?:按照?|每一?个?|各个?|哪一?[天个]?|分)?(?:周|星期|礼拜)几|每个?(?:周|星期|礼拜)(?:里|内|中)?的?每一?天|` +
		`\b(?:by |per |each |every |which |what )?(?:the )?(?:days? of (?:the )?week|weekday)\b`)
	reOnDays = regexp.MustCompile(`(上个?|本|这个?|下个?|每个?)?(?:周|星期|礼拜)([一二三四五六日天末])(?:\s*(?:到|至|~|-|—)\s*(?:周|星期|礼拜)?([一二三四五六日天]))?|(工作日)|` +
		`\b(last |this |next |on |every |each )?(?:(mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:to|through) (mon|tues|wednes|thurs|fri|satur|sun)days?)?|(weekends?)|(weekdays|(?:working|business) days?))\b`)
	dayWords = map[string]int{"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "mon": 0, "tues": 1, "wednes": 2, "thurs": 3, "fri": 4, "satur": 5, "sun": 6}
)

// weekdayOf is the day of the week of a column of times in SQL, 0 for Monday.
func weekdayOf(c *Column) string { return "((strftime('%w', " + quoted(c.Name) + ") + 6) % 7)" }

// weekdays finds days of the week: what rows are put together by, or which rows are wanted. That of one week, as last Friday is, stays a word that is not understood.
func (r *reading) weekdays() {
	var found []int
	at := [2]int{}
	for _, m := range reOnDays.FindAllStringSubmatchIndex(r.s, 10) {
		word := func(g int) string { return group2(r.s, m, g) }
		from, to := word(2)+word(6), word(3)+word(7)
		if one := strings.TrimSpace(word(1) + word(5)); !r.free(m[0], m[1]) || one != "" && one != "on" && one != "every" && one != "each" && !strings.HasPrefix(one, "每") ||
			strings.HasPrefix(r.s[m[1]:], "均") {
			continue
		}
		r.use(m[0], m[1])
		if len(found) == 0 {
			at[0] = m[0]
		}
		at[1] = m[1]
		first, last := dayWords[from], dayWords[from]
		switch {
		case from == "末" || word(8) != "":
			first, last = 5, 6
		case word(4)+word(9) != "":
			first, last = 0, 4
		case to != "":
			last = dayWords[to]
		}
		for d := first; ; d = (d + 1) % 7 {
			if found = append(found, d); d == last {
				break
			}
		}
	}
	by := false
	for _, at := range reWeekdays.FindAllStringIndex(r.s, 5) {
		if r.free(at[0], at[1]) || r.onTime(at[0], at[1]) {
			r.use(at[0], at[1])
			by = true
		}
	}
	if len(found) == 0 && !by {
		return
	}
	c := r.timeColumn()
	if c == nil || c.grain >= byMonth {
		r.doubt = remarkf("表里没有到日的日期列，不能按星期几看", "there is no column of days, so nothing is known of days of the week")
		return
	}
	if by || len(found) > 1 && reCompare.MatchString(r.s) {
		r.wish.groups = addGroup(r.wish.groups, group{c, byWeekday})
	}
	if len(found) == 0 {
		return
	}
	var sql []string
	var said remark
	for i, d := range weekdays {
		for _, f := range found {
			if f == i {
				sql = append(sql, string(rune('0'+i)))
				said = remark{said.zh + "、" + d.zh, said.en + " or " + d.en}
				break
			}
		}
	}
	r.wish.filters = append(r.wish.filters, filter{column: c, sql: weekdayOf(c) + " IN (" + strings.Join(sql, ", ") + ")", at: at,
		said: remark{c.Name + " 是" + strings.TrimPrefix(said.zh, "、"), c.Name + " on " + strings.TrimPrefix(said.en, " or ")}})
}
