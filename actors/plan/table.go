package plan

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxRows, maxCols and maxCell (runes) bound a table; rows beyond are counted, not hidden.
const (
	maxRows = 20
	maxCols = 8
	maxCell = 80
)

// table has a row for each object, in the order given.
func (w writer) table(rows []any, f *field) string {
	cols := w.columns(rows, f)
	var b strings.Builder
	for _, c := range cols {
		b.WriteString("| " + cell(w.label(child(f, c), c)) + " ")
	}
	b.WriteString("|\n" + strings.Repeat("| --- ", len(cols)) + "|\n")
	for _, r := range rows[:min(len(rows), maxRows)] {
		for _, c := range cols {
			b.WriteString("| " + cell(scalar(r.(map[string]any)[c], w.lang)) + " ")
		}
		b.WriteString("|\n")
	}
	if n := len(rows) - maxRows; n > 0 {
		b.WriteString("\n" + w.more(n))
	}
	return b.String()
}

// columns are those that any row fills, in the order of the schema. One that holds the same in every row tells the rows not
// apart and is left out, unless the request asks for it or nothing else is left. Where there are too many, the last go first, but for those that
// other tools need: a refund without its number could not be approved in the next turn.
func (w writer) columns(rows []any, f *field) []string {
	all := map[string]any{}
	for _, r := range rows {
		for k, v := range r.(map[string]any) {
			if scalar(all[k], w.lang) == "" {
				all[k] = v
			}
		}
	}
	var filled, telling []string
	for _, k := range keys(all, f) {
		if scalar(all[k], w.lang) == "" || w.otherLanguage(k, all) {
			continue
		}
		filled = append(filled, k)
		if len(rows) == 1 || w.varies(rows, k) || w.asks(w.label(child(f, k), k)) {
			telling = append(telling, k)
		}
	}
	if len(telling) == 0 {
		telling = filled
	}
	for i := len(telling) - 1; i >= 0 && len(telling) > maxCols; i-- {
		if c := child(f, telling[i]); c == nil || len(c.Provides) == 0 {
			telling = slices.Delete(telling, i, i+1)
		}
	}
	return telling[:min(len(telling), maxCols)]
}

// otherLanguage reports whether a field only says in another language what a field beside it says: name_en beside name.
func (w writer) otherLanguage(k string, all map[string]any) bool {
	if base, ok := strings.CutSuffix(k, "_en"); ok {
		return w.lang != "en" && scalar(all[base], w.lang) != ""
	}
	return w.lang == "en" && scalar(all[k+"_en"], w.lang) != ""
}

func (w writer) varies(rows []any, k string) bool {
	first := scalar(rows[0].(map[string]any)[k], w.lang)
	for _, r := range rows[1:] {
		if scalar(r.(map[string]any)[k], w.lang) != first {
			return true
		}
	}
	return false
}

// asks reports whether the request names a column, by all of its heading or by the noun at its end: 状态 of 订单状态.
func (w writer) asks(heading string) bool {
	low := strings.ToLower(heading)
	noun := low
	if i := strings.LastIndexByte(low, ' '); i >= 0 {
		noun = low[i+1:]
	} else if rs := []rune(low); utf8.RuneCountInString(low) > 2 && isHan(rs[len(rs)-1]) {
		noun = string(rs[len(rs)-2:])
	}
	return noun != "" && holds(w.asked, noun)
}

// cell keeps a value on one line of a table.
func cell(s string) string {
	return short(strings.NewReplacer("\n", " ", "\r", " ", "|", "\\|").Replace(s), maxCell)
}
