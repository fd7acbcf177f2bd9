package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// MaxRows, maxCols and MaxCell (runes) bound a table; rows beyond are counted, not hidden.
const (
	MaxRows = 20
	maxCols = 8
	MaxCell = 80
)

// Table has a row for each object, in the order given.
func (w Writer) Table(rows []any, f *fields.Field) string {
	cols := w.columns(rows, f)
	var b strings.Builder
	for _, c := range cols {
		b.WriteString("| " + cell(w.Label(fields.Child(f, c), c)) + " ")
	}
	b.WriteString("|\n" + strings.Repeat("| --- ", len(cols)) + "|\n")
	most := words.Either(w.Most > 0, w.Most, MaxRows)
	for _, r := range rows[:min(len(rows), most)] {
		for _, c := range cols {
			b.WriteString("| " + cell(fields.Child(f, c).Said(r.(map[string]any)[c], w.Lang)) + " ")
		}
		b.WriteString("|\n")
	}
	if n := len(rows) - most; n > 0 {
		b.WriteString("\n" + w.more(n))
	}
	return b.String()
}

// columns are those that any row fills, in the order of the schema. One that holds the same in every row tells the rows not
// apart and is left out, unless the request asks for it or nothing else is left. Where there are too many, the last go first, but for those that
// other tools need: a refund without its number could not be approved in the next turn. Those asked for go after all others.
func (w Writer) columns(rows []any, f *fields.Field) []string {
	all := map[string]any{}
	for _, r := range rows {
		for k, v := range r.(map[string]any) {
			if fields.Scalar(all[k], w.Lang) == "" {
				all[k] = v
			}
		}
	}
	var filled, telling []string
	for _, k := range fields.Keys(all, f) {
		if fields.Scalar(all[k], w.Lang) == "" || w.otherLanguage(k, all) {
			continue
		}
		filled = append(filled, k)
		if len(rows) == 1 || w.varies(rows, k) || w.asks(w.Label(fields.Child(f, k), k)) {
			telling = append(telling, k)
		}
	}
	if len(telling) == 0 {
		telling = filled
	}
	for _, kept := range []bool{true, false} {
		for i := len(telling) - 1; i > 0 && len(telling) > maxCols; i-- {
			if c := fields.Child(f, telling[i]); (c == nil || len(c.Provides) == 0) && !(kept && w.asks(w.Label(c, telling[i]))) {
				telling = slices.Delete(telling, i, i+1)
			}
		}
	}
	return telling[:min(len(telling), maxCols)]
}

// otherLanguage reports whether a field only says in another language what a field beside it says: name_en beside name.
func (w Writer) otherLanguage(k string, all map[string]any) bool {
	if base, ok := strings.CutSuffix(k, "_en"); ok {
		return w.Lang != "en" && fields.Scalar(all[base], w.Lang) != ""
	}
	return w.Lang == "en" && fields.Scalar(all[k+"_en"], w.Lang) != ""
}

func (w Writer) varies(rows []any, k string) bool {
	first := fields.Scalar(rows[0].(map[string]any)[k], w.Lang)
	for _, r := range rows[1:] {
		if fields.Scalar(r.(map[string]any)[k], w.Lang) != first {
			return true
		}
	}
	return false
}

// asks reports whether the request names a column, by all of its heading or by the noun at its end: 状态 of 订单状态.
func (w Writer) asks(heading string) bool {
	low, _, _ := strings.Cut(strings.ToLower(heading), " (") // of a unit nobody speaks
	noun := low
	if i := strings.LastIndexByte(low, ' '); i >= 0 {
		noun = low[i+1:]
	} else if rs := []rune(low); utf8.RuneCountInString(low) > 2 && words.IsHan(rs[len(rs)-1]) {
		noun = string(rs[len(rs)-2:])
	}
	return noun != "" && words.Holds(w.Asked, noun)
}

// cell keeps a value on one line of a table.
func cell(s string) string {
	return words.Short(strings.NewReplacer("\n", " ", "\r", " ", "|", "\\|").Replace(s), MaxCell)
}
