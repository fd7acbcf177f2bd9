package table

import (
	"strconv"
	"strings"
)

// maxNamedGaps is how many periods without rows are named; of more their number is told.
const maxNamedGaps = 6

// gaps says which periods between the first and the last of an answer have no rows: the answer has none for them, and they are not seen in it. false: there are none,
// or the answer is of no periods, or of some of them.
func (w *wish) gaps(names []string) (remark, bool) {
	if len(w.groups) != 1 || w.limit > 0 || w.nth > 0 || w.best || len(w.whole) > 0 || len(names) < 2 {
		return remark{}, false
	}
	g := w.groups[0].grain
	if g < byDay || g > byYear {
		return remark{}, false
	}
	there, first, last := map[string]bool{}, names[0], names[0]
	for _, name := range names {
		there[name], first, last = true, min(first, name), max(last, name)
	}
	year, err := strconv.Atoi(first[:min(4, len(first))])
	if err != nil {
		return remark{}, false
	}
	at := begin(day(year, 1, 1), g)
	for n := 0; periodName(at, g) != first; at = next(at, g) {
		if n++; n > 400 {
			return remark{}, false
		}
	}
	var lacking []string
	for n := 0; periodName(at, g) != last; at = next(at, g) {
		if n++; n > maxPeriods {
			return remark{}, false
		}
		if name := periodName(at, g); !there[name] {
			lacking = append(lacking, name)
		}
	}
	if len(lacking) == 0 {
		return remark{}, false
	}
	zh, en := strings.Join(lacking[:min(len(lacking), maxNamedGaps)], "、"), strings.Join(lacking[:min(len(lacking), maxNamedGaps)], ", ")
	if len(lacking) > maxNamedGaps {
		zh, en = zh+" 等", en+" and more"
	}
	return remarkf("没有行的%[1]s有 %[2]d 个，上面没有列出：%[3]s", "%[4]ss without any row, which are not listed above: %[2]d (%[5]s)", grainNames[g].zh, len(lacking), zh, grainNames[g].en, en), true
}
