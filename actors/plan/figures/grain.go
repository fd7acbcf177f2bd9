package figures

import (
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// grain is how finely a noun tells things apart that a cell may tell more finely: orders per month, of rows with a day and an hour; per province, of
// rows with a town.
type grain struct {
	nouns string // that name it
	time  bool   // it is a stretch of time
	of    func(cell string) string
	// within: it comes again in each of a longer stretch: the hours of all days.
	within bool
}

var grains = []grain{
	{"天 日 日期 day date", true, func(cell string) string { return words.Clip(cell, len(time.DateOnly)) }, false},
	{"周 星期 week", true, monday, false},
	{"月 月份 month", true, func(cell string) string { return words.Clip(cell, len("2006-01")) }, false},
	{"小时 时段 钟头 hour", true, hourOf, true}, {"周几 星期几 礼拜几 weekday", true, func(cell string) string { return dayNamed(cell, "周日 周一 周二 周三 周四 周五 周六") }, true},
	{"周末 weekend", true, func(cell string) string {
		return dayNamed(cell, "周末 工作日 工作日 工作日 工作日 工作日 周末")
	}, true},
	{"年 年份 year", true, func(cell string) string { return words.Clip(cell, len("2006")) }, false},
	{"省 省份 province", false, province, false},
}

// grainOf is the grain that a noun names; nil when it names none.
func grainOf(noun string) *grain {
	for i := range grains {
		for _, n := range strings.Fields(grains[i].nouns) {
			if noun == n || !words.IsHan(words.FirstRune(n)) && words.Stem(strings.ToLower(noun)) == words.Stem(n) {
				return &grains[i]
			}
		}
	}
	return nil
}

// TellsTime reports whether a noun names a stretch of time.
func TellsTime(noun string) bool {
	g := grainOf(noun)
	return g != nil && g.time
}

// monday is the first day of the week of a day, as YYYY-MM-DD; what is no day stays.
func monday(cell string) string {
	d, err := time.Parse(time.DateOnly, words.Clip(cell, len(time.DateOnly)))
	if err != nil {
		return cell
	}
	return d.AddDate(0, 0, -(int(d.Weekday())+6)%7).Format(time.DateOnly)
}

// hourOf is the hour of a moment, as 15:00; what tells none stays.
func hourOf(cell string) string {
	if at, err := time.Parse(time.DateTime, strings.Replace(words.Clip(cell, len(time.DateTime)), "T", " ", 1)); err == nil {
		return at.Format("15") + ":00"
	}
	return cell
}

// dayNamed is the name of a day out of those of a week, from Sunday on; what is no day stays.
func dayNamed(cell, week string) string {
	d, err := time.Parse(time.DateOnly, words.Clip(cell, len(time.DateOnly)))
	if err != nil {
		return cell
	}
	return strings.Fields(week)[d.Weekday()]
}

// inProvince: the province that a Chinese place begins with; the four cities that are their own have none before them.
var inProvince = words.MustCompile(`^\p{Han}{2,8}?(?:省|自治区|特别行政区)|^(?:北京|上海|天津|重庆)市?`)

// province is the part of a place that names its province; what names none stays.
func province(cell string) string {
	if m := inProvince.FindString(cell); m != "" {
		return m
	}
	return cell
}
