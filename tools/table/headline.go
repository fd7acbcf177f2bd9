package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// headline says what a result comes to in one sentence.
func headline(w *wish, r *result, lang string) string {
	if len(r.rows) == 0 {
		return say(lang, "没有符合条件的数据。", "No rows match.")
	}
	first := r.rows[0]
	if len(r.rows) == 1 && len(r.columns) == 1 {
		if first[0] == nil {
			return say(lang, "没有可以计算的数据。", "There is nothing to compute it from.")
		}
		return r.columns[0] + say(lang, "：", ": ") + "**" + spoken(first[0]) + "**" + say(lang, "。", ".")
	}
	switch {
	case w == nil:
		return many(len(r.rows), lang)
	case w.focus != nil:
		var out []string
		for _, row := range r.rows {
			for _, f := range w.focus {
				if row[0] == f {
					out = append(out, fmt.Sprintf(say(lang, "%s：%s %s，占 **%s%%**", "%s: %s %s, **%s %%** of all"), f, r.columns[1], spoken(row[1]), spoken(row[len(row)-1])))
				}
			}
		}
		if len(out) == 0 {
			return say(lang, "没有符合条件的数据。", "No rows match.")
		}
		return strings.Join(out, say(lang, "；", "; ")) + say(lang, "。", ".")
	case w.nth > len(r.rows):
		return fmt.Sprintf(say(lang, "没有第 %d 名，一共只有 %d 行：", "There is no number %d; these are all %d rows:"), w.nth, len(r.rows))
	case w.best && len(w.groups) == 1 && len(r.columns) > 1:
		at := len(w.groups)
		if w.against != "" || w.share && w.part != nil {
			at = len(r.columns) - 1
		}
		if w.nth > 0 {
			first = r.rows[w.nth-1]
		}
		var names []string
		for _, row := range r.rows {
			if row[at] == first[at] {
				names = append(names, spoken(row[0]))
			}
		}
		word := say(lang, "最高", "highest")
		if w.up {
			word = say(lang, "最低", "lowest")
		}
		if w.nth > 0 {
			word = place(w.nth, w.up, lang)
		}
		name := r.columns[at]
		if m := slices.IndexFunc(w.measures, func(m measure) bool { return m.name(lang) == name && (m.fold == highOf || m.fold == lowOf) }); m >= 0 { // the highest highest
			name = w.measures[m].column.Name
		}
		return fmt.Sprintf(say(lang, "%[1]s%[2]s的是 **%[3]s**（%[4]s）。", "The %[2]s %[1]s: **%[3]s** (%[4]s)."), name, word, strings.Join(names, say(lang, "、", ", ")), spoken(first[at]))
	case w.best && w.rows && w.by != nil:
		for i, name := range r.columns {
			if name == w.by.Name {
				if w.nth > 0 {
					return fmt.Sprintf(say(lang, "%[1]s%[2]s的是 **%[3]s**。", "The %[2]s %[1]s is **%[3]s**."), name, place(w.nth, w.up, lang), spoken(r.rows[w.nth-1][i]))
				}
				word := say(lang, "最高", "The highest")
				if w.up {
					word = say(lang, "最低", "The lowest")
				}
				if w.by.kind == timeKind {
					word = map[bool]string{true: say(lang, "最早", "The earliest"), false: say(lang, "最晚", "The latest")}[w.up]
				}
				return fmt.Sprintf(say(lang, "%[1]s%[2]s是 **%[3]s**。", "%[2]s %[1]s is **%[3]s**."), name, word, spoken(first[i]))
			}
		}
	case w.rows && w.limit > 0 && len(r.rows) == w.limit && w.by == nil:
		return fmt.Sprintf(say(lang, "前 %d 行：", "The first %d rows:"), w.limit)
	case len(r.rows) == 1 && len(w.groups) == 0:
		var out []string
		for i, v := range first {
			out = append(out, r.columns[i]+say(lang, " ", " ")+"**"+spoken(v)+"**")
		}
		return strings.Join(out, say(lang, "，", ", ")) + say(lang, "。", ".")
	}
	return many(len(r.rows), lang)
}

func many(n int, lang string) string {
	if n == 1 {
		return say(lang, "共 1 行：", "One row:")
	}
	return fmt.Sprintf(say(lang, "共 %d 行：", "%d rows:"), n)
}

// spoken is a value in a sentence: thousands are parted.
func spoken(v any) string {
	switch v.(type) {
	case int64, float64:
		s := cellText(v)
		sign := ""
		if strings.HasPrefix(s, "-") {
			sign, s = "-", s[1:]
		}
		whole, rest, _ := strings.Cut(s, ".")
		if strings.ContainsAny(s, "eE") || len(whole) < 5 {
			return sign + s
		}
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
		if rest != "" {
			rest = "." + rest
		}
		return sign + whole + rest
	}
	return markdown(cellText(v))
}

// cellText is a value as a table shows it: figures with at most two digits behind the point, or three that say something.
func cellText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return figureText(v)
	}
	return fmt.Sprint(v)
}

func figureText(v float64) string {
	switch a := math.Abs(v); {
	case v == math.Trunc(v) && a < 1e15:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 1e15 || a < 1e-4:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case a >= 1:
		return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	return strings.TrimRight(strconv.FormatFloat(v, 'f', digits, 64), "0")
}
