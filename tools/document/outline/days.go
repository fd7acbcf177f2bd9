package outline

import "time"

// layouts are those in which days and months stand below a chart; of two that read a text the first.
var layouts = []struct {
	layout string
	months bool
}{
	{"2006-01-02", false}, {"2006/01/02", false}, {"2006.01.02", false}, {"2006-1-2", false}, {"2006/1/2", false}, {"2006年01月02日", false}, {"2006年1月2日", false},
	{"2006-01", true}, {"2006/01", true}, {"2006.01", true}, {"2006年01月", true}, {"2006年1月", true},
}

// The bounds of a chart in time: with more, days without a value stay away, as in any chart of categories.
const (
	maxDays    = 400
	maxColumns = 60 // those of a column chart
)

// spaced gives days and months that nobody has a value for the room that they had in time, so that a line is as steep as what it shows. Weeks
// stay weeks: the step is the longest that meets all that are there.
func (c *Chart) spaced() {
	if c.Kind != "line" && c.Kind != "area" && c.Kind != "column" || len(c.Categories) < 3 {
		return
	}
	for _, l := range layouts {
		at, ok := c.moments(l.layout, l.months)
		if !ok {
			continue
		}
		step := 0
		for i := 1; i < len(at); i++ {
			if at[i] <= at[i-1] { // days that come twice, or in no order, are names
				return
			}
			step = common(step, at[i]-at[i-1])
		}
		n := (at[len(at)-1]-at[0])/step + 1
		if n == len(at) || n > maxDays || c.Kind == "column" && n > maxColumns {
			return
		}
		c.spread(at, step, n, func(moment int) string {
			if l.months {
				return time.Date(moment/12, time.Month(moment%12+1), 1, 0, 0, 0, 0, time.UTC).Format(l.layout)
			}
			return time.Unix(int64(moment)*86400, 0).UTC().Format(l.layout)
		})
		return
	}
}

// moments are the categories as numbers of days or months; false when one is none.
func (c *Chart) moments(layout string, months bool) ([]int, bool) {
	var out []int
	for _, name := range c.Categories {
		t, err := time.Parse(layout, name)
		if err != nil || t.Year() < 1 {
			return nil, false
		}
		moment := int(t.Unix() / 86400)
		if t.Unix() < 0 {
			return nil, false // long ago, where days are no whole numbers of seconds from 1970 on
		}
		if months {
			moment = t.Year()*12 + int(t.Month()) - 1
		}
		out = append(out, moment)
	}
	return out, true
}

func (c *Chart) spread(at []int, step, n int, name func(int) string) {
	categories := make([]string, n)
	for i := range categories {
		categories[i] = name(at[0] + i*step)
	}
	for s := range c.Series {
		values := make([]*float64, n)
		for i, v := range c.Series[s].Values {
			values[(at[i]-at[0])/step] = v
		}
		c.Series[s].Values = values
	}
	c.Categories, c.Spread = categories, true
}

// common is the greatest common divisor; of 0 and b it is b.
func common(a, b int) int {
	for a != 0 {
		a, b = b%a, a
	}
	return b
}
