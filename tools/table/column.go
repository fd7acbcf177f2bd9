package table

import (
	"fmt"
	"regexp"
	"strings"
)

// kind is what a column holds.
type kind int

const (
	textKind kind = iota
	wholeKind
	realKind
	timeKind // texts that sort as time goes: 2024-01, 2024-01-02 or 2024-01-02 15:04:05
)

// Column is one of a [Table].
type Column struct {
	Name string
	kind kind
	unit string // that all its numbers bear: "%", "¥", …; ""
	// grain of times: byMonth, byDay or byMoment.
	grain grain
	order order
	// latest is the last of its times, as it is kept; "": there is none.
	latest string
	// largest of its figures, without its sign.
	largest float64
	// distinct are its values, at most maxDistinct of them, and nil when there are more; of texts and years.
	distinct []string
	spoiled  int    // cells that are of another kind, and count as missing
	example  string // one of them

	// Of a column that a question works out of others: its value in SQL, and how it is said. whole is its figure of many rows where that is neither sum nor mean of
	// their values, as of a rate. "": it is one of the file.
	formula, from, whole string
	summed               bool // whose values are added up, whatever its name says
}

// rate reports whether its values are not added up, as prices and ages are not: of many, their mean is wanted.
func (c *Column) rate() bool {
	return !c.summed && (intensive.MatchString(c.Name) || intensive.MatchString(spelled(c.Name)))
}

// names reports whether its values name things, so that numbers among them are not added up: a state of 404 is no amount.
func (c *Column) names() bool {
	return identity.MatchString(c.Name) || c.number() && (stateName.MatchString(spelled(c.Name)) || numberName.MatchString(spelled(c.Name)))
}

// number reports whether it can be added up.
func (c *Column) number() bool { return c.kind == wholeKind || c.kind == realKind }

// declared is its type in SQL.
func (c *Column) declared() string {
	switch c.kind {
	case wholeKind:
		return "INTEGER"
	case realKind:
		return "REAL"
	}
	return "TEXT"
}

// guess gathers what the cells of a column look like, to tell its kind from all of them.
type guess struct {
	cells, missing, numbers, names, wholes, percents int
	money                                            map[string]int
	times, moments, months                           int
	first, second                                    int // times that begin with a day, with a month
	shorts                                           int
	eights                                           int // eight digits that would be a day
	oddNumber, oddTime                               string
	zone                                             string // of the first moment
	zones                                            bool   // there are others
}

func (g *guess) add(cell string) {
	g.cells++
	if missing(cell) {
		g.missing++
		return
	}
	if n, ok := readNumber(cell); ok {
		g.numbers++
		if n.name {
			g.names++
		}
		if n.whole {
			g.wholes++
		}
		if n.percent {
			g.percents++
		}
		if n.money != "" {
			if g.money == nil {
				g.money = map[string]int{}
			}
			g.money[n.money]++
		}
		if _, ok := eight(cell); ok {
			g.eights++
		}
		return
	}
	if g.oddNumber == "" {
		g.oddNumber = cell
	}
	i, ok := readTime(cell, anyOrder)
	if !ok {
		if g.oddTime == "" {
			g.oddTime = cell
		}
		return
	}
	g.times++
	switch i.grain {
	case byMoment:
		if g.moments++; g.moments == 1 {
			g.zone = i.zone
		}
		g.zones = g.zones || i.zone != g.zone
	case byMonth:
		g.months++
	}
	if i.short {
		g.shorts++
		switch i.turned {
		case dayFirst:
			g.first++
		case monthFirst:
			g.second++
		}
	}
}

var dayName = regexp.MustCompile(`(?i)日期|时间|\bdate|_date|\bday\b|_day\b|\btime`)

// eight reads 20240102.
func eight(cell string) (instant, bool) {
	s := strings.TrimSpace(cell)
	if len(s) != 8 || strings.Trim(s, "0123456789") != "" || s[:2] != "19" && s[:2] != "20" {
		return instant{}, false
	}
	return readTime(s[:4]+"-"+s[4:6]+"-"+s[6:], anyOrder)
}

// column tells the kind. One cell in a hundred may be of another kind than the rest: a stray word makes no column of figures one of texts.
func (g *guess) column(name string, exact bool) (c Column, note []remark) {
	c = Column{Name: name}
	there := g.cells - g.missing
	most := func(n int) bool { return n > 0 && (there-n)*100 <= there }
	switch {
	case most(g.eights) && dayName.MatchString(name):
		c.kind, c.grain, c.spoiled, c.example = timeKind, byDay, there-g.eights, g.oddNumber
	case most(g.numbers) && g.names == 0:
		c.kind, c.spoiled, c.example = realKind, there-g.numbers, g.oddNumber
		if g.wholes == g.numbers && exact {
			c.kind = wholeKind
		}
		if g.percents == g.numbers {
			c.unit = "%"
		}
		for unit, n := range g.money {
			if n == g.numbers {
				c.unit = unit
			}
		}
		switch {
		case g.percents == 0 || g.percents == g.numbers:
		case !exact:
			note = append(note, remarkf("「%s」列里有的数显示为百分比，有的不是；百分比按存储的小数计算（5%% 为 0.05）", "in “%s” some figures are shown as percents and some are not; percents are taken as they are stored (5%% as 0.05)", name))
		default:
			note = append(note, remarkf("「%s」列里有的数带百分号，有的不带，都按写出的数字计算", "in “%s” some figures have a percent sign and some have none; all are taken as they are written", name))
		}
		if len(g.money) > 1 {
			note = append(note, remarkf("「%s」列里有多种货币，没有换算", "“%s” has several currencies, which are not converted", name))
		}
	case most(g.times):
		c.kind, c.grain, c.spoiled, c.example = timeKind, byDay, there-g.times, g.oddTime
		if c.example == "" {
			c.example = g.oddNumber
		}
		switch {
		case g.moments > 0:
			c.grain = byMoment
		case g.months == g.times:
			c.grain = byMonth
		}
		if g.zones {
			note = append(note, remarkf("「%s」列里有多个时区，都按写出的钟点计算", "“%s” has several time zones; each time is taken as its clock shows it", name))
		}
		c.order = monthFirst
		switch {
		case g.first > 0 && g.second > 0: // both ways round: each is read as it must be, the rest month first
			c.order = anyOrder
			note = append(note, remarkf("「%s」列里日、月的先后不一致", "in “%s” days and months stand both ways round", name))
		case g.first > 0:
			c.order = dayFirst
		case g.shorts > 0 && g.second == 0:
			note = append(note, remarkf("「%s」列按“月/日/年”读取", "“%s” is read as month/day/year", name))
		}
	}
	if c.spoiled > 0 {
		what := remark{"不是数字", "are no numbers"}
		if c.kind == timeKind {
			what = remark{"不是日期", "are no dates"}
		}
		note = append(note, remark{
			fmt.Sprintf("「%s」列有 %d 个单元格%s（如“%.20s”），按缺失处理", name, c.spoiled, what.zh, c.example),
			fmt.Sprintf("%d cells of “%s” %s (such as “%.20s”) and count as missing", c.spoiled, name, what.en, c.example),
		})
	}
	return c, note
}
