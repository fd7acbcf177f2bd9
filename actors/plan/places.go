package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// People count several rows in short: 第2-4个, 第二、三和第五个, the second and third, rows 2 to 4. Each row is given its own words before places are
// read, so that one rule reads them all.
const (
	hanPlace   = `[一二两三四五六七八九十\d]{1,3}`
	hanMeasure = `个|单|笔|条|行|项|位|款`
	engOrdinal = `first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,2}(?:st|nd|rd|th)`
	engUntil   = `through|thru|to|until|till|[-~–—]`
	howMany    = `(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})`
	engAnd     = `,\s*and|,|and|&`
)

var (
	rowsHan = words.MustCompile(`第\s?` + hanPlace + `(?:` + hanMeasure + `)?(?:\s*(?:[-~～—–]+|到|至|、|,|，|和|与|跟|及|以及|还有)\s*第?\s?` + hanPlace + `(?:` + hanMeasure + `)?)+`)
	rowHan  = words.MustCompile(`\s*([-~～—–]+|到|至|、|,|，|和|与|跟|及|以及|还有)?\s*(第)?\s?(` + hanPlace + `)(` + hanMeasure + `)?`)
	// rowsEng and linesEng: the second and third; rows 2, 3 and 5.
	rowsEng  = words.MustCompile(`(?i)\bthe\s+(?:` + engOrdinal + `)(?:\s*(?:(?:` + engUntil + `)\s*(?:the\s+)?(?:` + engOrdinal + `)|(?:` + engAnd + `)\s*(?:the\s+)?(?:` + engOrdinal + `|last))\b)+`)
	linesEng = words.MustCompile(`(?i)\b(?:rows|lines|entries|items|orders|numbers|nos\.?|row|line|number)\s?#?\d{1,2}\b(?:\s*(?:` + engUntil + `|` + engAnd + `)\s*(?:row|line|number)?\s*#?\d{1,2}\b)+`)
	rowEng   = words.MustCompile(`(?i)\s*(` + engUntil + `|` + engAnd + `)?\s*(?:the\s+)?(` + engOrdinal + `|last)\b`)
	lineEng  = words.MustCompile(`(?i)\s*(` + engUntil + `|` + engAnd + `)?\s*(?:[a-z]+\.?)?\s?#?(\d{1,2})\b`)
	untilEng = words.MustCompile(`(?i)^(?:` + engUntil + `)$`)
)

// Somebody may be named by a row, 第三个买家, "the first and third buyers". That is read like 第三个的买家, "the buyers of the first and third".
const whoHan, whoEng = `买家|顾客|收货人`, `buyers?`

var (
	behindPlace = words.MustCompile(`((?:第\s?` + hanPlace + `|最后[一1那]|[前这那]\s?` + hanPlace + `|最后\s?` + hanPlace + `)(?:` + hanMeasure + `))(` + whoHan + `)`)
	beforePlace = words.MustCompile(`(?i)\b((?:these|those)\s+` + howMany + `|the\s+(?:(?:first|last)\s+` + howMany + `|(?:` + engOrdinal + `|last)(?:\s*(?:` + engAnd + `)\s*(?:the\s+)?(?:` + engOrdinal + `|last))*))\s+(` + whoEng + `)\b`)
)

// spelledOut is a text in which each row of a list that is counted in short has the words that it would have alone. What is to be said to
// somebody, or was said by them, stays as it is.
func spelledOut(text string) string {
	text = behindPlace.ReplaceAllString(text, "${1}的${2}")
	text = beforePlace.ReplaceAllString(text, "the ${2} of ${1}")
	for _, short := range []struct {
		re  *words.Pattern
		out func(string) string
	}{{rowsHan, rowsInHan}, {rowsEng, func(s string) string { return rowsInEnglish(s, rowEng, "the ") }}, {linesEng, func(s string) string { return rowsInEnglish(s, lineEng, "row ") }}} {
		told := toldOrQuoted(text)
		var b strings.Builder
		at := 0
		for _, m := range short.re.FindAllStringIndex(text, 20) {
			if !overlaps(told, m[0], m[1]) {
				b.WriteString(text[at:m[0]] + short.out(text[m[0]:m[1]]))
				at = m[1]
			}
		}
		text = b.String() + text[at:]
	}
	return text
}

// rowsInHan is 第2个到第4个 for 第2-4个. What has no measure at its end counts no rows.
func rowsInHan(s string) string {
	items := rowHan.FindAllStringSubmatch(s, -1)
	measure := items[len(items)-1][4]
	if measure == "" {
		return s
	}
	var b strings.Builder
	for i, m := range items {
		until := m[1] != "" && (strings.Trim(m[1], "-~～—–") == "" || m[1] == "到" || m[1] == "至")
		if i > 0 && m[2] == "" && items[i-1][4] != "" && !until { // 第二个，3个
			return s
		}
		b.WriteString(words.Either(until, "到", m[1]) + "第" + m[3] + words.Either(m[4] == "", measure, m[4]))
	}
	return b.String()
}

// rowsInEnglish puts the same word before each row.
func rowsInEnglish(s string, one *words.Pattern, word string) string {
	var b strings.Builder
	for _, m := range one.FindAllStringSubmatch(s, -1) {
		switch by := strings.Join(strings.Fields(m[1]), " "); {
		case by == "":
		case untilEng.MatchString(by):
			b.WriteString(" to ")
		default:
			b.WriteString(words.Either(by[0] == ',', "", " ") + by + " ")
		}
		b.WriteString(word + m[2])
	}
	return b.String()
}
