package table

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sheet is a table as a file holds it, before its columns have types.
type sheet struct {
	name string
	// each visits the rows in order; an error of visit ends it and comes back. It may be run again and gives the same rows. The cells are
	// the visitor's only until it returns.
	each func(ctx context.Context, visit func(cells []string) error) error
	// exact visits the same rows with numbers as they are stored, where each gives them as they are shown: dates as days since 1900 (1904
	// when later), rounded figures in full. nil: each is exact.
	exact func(ctx context.Context, visit func(cells []string) error) error
	later bool
	// headed: the first row is the heading for certain.
	headed bool
	notes  []remark
}

// peeked is how many rows are looked at for the heading.
const peeked = 20

// enough ends a visit early.
var enough = fmt.Errorf("enough")

// heading finds the row that names the columns: the first that fills most of the width, since titles above a table fill less. named is false
// when the rows begin there without names.
func heading(first [][]string, headed bool) (at int, named bool) {
	if headed {
		return 0, true
	}
	wide := 0
	for _, row := range first {
		wide = max(wide, filled(row))
	}
	for at < len(first)-1 && filled(first[at])*5 < wide*3 {
		at++
	}
	if at == len(first)-1 {
		return at, len(first) == 1 && filled(first[0]) > 0
	}
	// Where the rows below hold figures, a heading holds words, or years.
	head, figures, words := first[at], 0, 0
	for i, cell := range head {
		below, all := 0, true
		for _, row := range first[at+1:] {
			if i < len(row) && !missing(row[i]) {
				below++
				all = all && figure(row[i])
			}
		}
		if below > 0 && all {
			figures++
			if !figure(cell) || year(cell) {
				words++
			}
		}
	}
	return at, figures == 0 || words > 0
}

func filled(row []string) (n int) {
	for _, cell := range row {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

// figure reports whether a cell is a number or a time.
func figure(cell string) bool {
	if _, ok := readNumber(cell); ok {
		return true
	}
	_, ok := readTime(cell, anyOrder)
	return ok
}

// year reports whether a cell is a year by itself.
func year(cell string) bool {
	cell = strings.TrimSuffix(strings.TrimSpace(cell), "年")
	return len(cell) == 4 && (strings.HasPrefix(cell, "19") || strings.HasPrefix(cell, "20")) && strings.Trim(cell, "0123456789") == ""
}

// columnNames makes names of a heading: one line each, none empty, no two alike in SQL, which takes a for A.
func columnNames(head []string, named bool) []string {
	names := make([]string, len(head))
	taken := map[string]bool{}
	for i, cell := range head {
		name := ""
		if named {
			name = plainName(cell)
		}
		if name == "" {
			name = fmt.Sprintf("column_%d", i+1)
		}
		names[i] = unique(name, taken)
	}
	return names
}

// plainName is a name on one line, of at most 60 characters, without what is not seen.
func plainName(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || r == utf8.RuneError || unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs):
			return -1
		}
		return r
	}, s)
	runes := []rune(strings.Join(strings.Fields(s), " "))
	return strings.TrimSpace(string(runes[:min(len(runes), 60)]))
}

// unique is a name that is not taken yet, and takes it.
func unique(name string, taken map[string]bool) string {
	one := name
	for i := 2; taken[strings.ToLower(one)]; i++ {
		one = fmt.Sprintf("%s_%d", name, i)
	}
	taken[strings.ToLower(one)] = true
	return one
}
