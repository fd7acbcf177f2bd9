package outline

import (
	"strings"
	"unicode"
)

// Letters are counted as [Width] counts them: a Latin one is 1, a Han character 2.
const (
	mostNeeded = 60 // of a column: more is read over several lines
	leastHan   = 8  // a name of three or four characters stays on its line
)

// Widths share a line of room letters among the first columns of a table, pad of each being its margins: what is short keeps its line, no word or number is broken while there
// is room, and what is left goes to the long ones. The sum is room.
func (t Table) Widths(columns int, room, pad float64) []float64 {
	need, least := make([]float64, columns), make([]float64, columns)
	sum, low := 0.0, 0.0
	for i := range need {
		n, l := Width(t.Columns[i]), unbroken(t.Columns[i])
		for _, row := range t.Rows[:min(len(t.Rows), 100)] {
			text := t.Shown(i, row[i])
			n, l = max(n, Width(text)), max(l, unbroken(text))
		}
		need[i] = float64(min(max(n, l, 4), mostNeeded)) + pad
		least[i] = float64(max(l, 4)) + pad
		sum, low = sum+need[i], low+least[i]
	}
	for i := range need {
		switch {
		case sum <= room:
			need[i] *= room / sum
		case low >= room:
			need[i] = least[i] * room / low
		default:
			need[i] = least[i] + (need[i]-least[i])*(room-low)/(sum-low)
		}
	}
	return need
}

// unbroken is the width of the longest piece of a text that looks broken in two lines: a word, a number, a short name in Han characters.
func unbroken(text string) int {
	most := 0
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("，。；、,;/|", r) }) {
		w := Width(word)
		if strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune(".-:,", r) }) < 0 {
			w += (w + 4) / 5 // in some fonts figures are wider than letters
		}
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			w = min(w, leastHan)
		}
		most = max(most, min(w, 24))
	}
	return most
}
