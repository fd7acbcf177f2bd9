package table

import (
	"fmt"
	"slices"
	"strings"
)

// said tells how the question was understood.
func (w *wish) said() remark {
	return remark{w.words("zh"), w.words("en")}
}

func (w *wish) words(language string) string {
	var parts []string
	add := func(zh, en string, args ...any) { parts = append(parts, fmt.Sprintf(say(language, zh, en), args...)) }
	and := say(language, "、", ", ")
	if len(w.filters)+len(w.during) > 0 {
		var all []string
		for _, f := range append(slices.Clone(w.during), w.filters...) {
			all = append(all, f.said.in(language))
		}
		add("筛选 %s", "rows where %s", strings.Join(all, say(language, "，且 ", " and ")))
	}
	if len(w.groups) > 0 {
		var all []string
		for _, g := range w.groups {
			all = append(all, g.name(language))
		}
		add("按%s分组", "grouped by %s", strings.Join(all, and))
	}
	var all []string
	for _, m := range w.measures {
		all = append(all, m.name(language))
	}
	if len(all) > 0 {
		add("计算%s", "%s", strings.Join(all, and))
	}
	if w.table != nil {
		parts = append(parts, w.table.worked()...)
	}
	for _, f := range w.whole {
		add("只要 %s 的", "only where %s", f.said.in(language))
	}
	switch {
	case w.share && w.part != nil:
		add("并算其中 %s 的占比", "with the share where %s", w.part.said.in(language))
	case w.share:
		add("并算占比", "with its share")
	case len(w.versus) == 2:
		add("%s 与 %s 之比", "where %s, to where %s", w.versus[0].said.in(language), w.versus[1].said.in(language))
	}
	switch {
	case w.running:
		add("并算到每期为止的累计", "with what all came to up to each period")
	case w.against == periodBefore:
		add("与上一期相比", "against the period before")
	case w.against == yearBefore:
		add("与上年同期相比", "against the same period of the year before")
	}
	switch {
	case w.rows && w.by != nil:
		add("按%s%s列出", "rows by %s, %s", w.by.Name, w.direction(language))
	case w.rows:
		add("列出这些行", "the rows themselves")
	case w.ordered && len(w.groups) > 0:
		add("%s", "%s", w.direction(language))
	}
	switch {
	case w.within > 0:
		var all []string
		for _, g := range w.groups[:w.within] {
			all = append(all, g.name(language))
		}
		add("每个%[1]s取前 %[2]d", "the first %[2]d of each %[1]s", strings.Join(all, and), w.limit)
	case w.nth > 0:
		add("取%[1]s", "the %[1]s", place(w.nth, w.up, language))
	case w.limit > 0:
		add("取前 %d", "the first %d", w.limit)
	}
	return strings.Join(parts, say(language, "；", "; "))
}

func (w *wish) direction(language string) string {
	if w.up {
		return say(language, "从低到高", "smallest first")
	}
	return say(language, "从高到低", "largest first")
}
