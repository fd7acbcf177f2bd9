package outline

import (
	"regexp"
	"strings"
)

// inside is where another cell would begin with a formula, for who parts by semicolons or tabs, and takes no quotes in the middle of a line for any.
var inside = regexp.MustCompile(`([;\t\n] *)([=@＝＠]|[+＋－-]\S)`)

// NoFormula is a text as a cell of a CSV file: what a spreadsheet would take for a formula gets an apostrophe before it, as they write it themselves. Excel looks
// behind leading spaces, too.
func NoFormula(s string) string {
	if strings.ContainsAny(s, ";\t\n") {
		s = inside.ReplaceAllString(s, "$1'$2")
	}
	if t := strings.TrimLeft(s, " \t\r\n"); t != "" && strings.ContainsRune("=+-@|%＝＋－＠", []rune(t)[0]) || strings.HasPrefix(s, "\t") {
		return "'" + s
	}
	return s
}
