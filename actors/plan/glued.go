package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// unglued parts the names of the session's files that begin with a Chinese sign from the words that they are glued to, as in 分析员工.csv, for nothing in the text
// tells where such a name begins; what stands in quotes stays as it is.
func unglued(text string, names []string) string {
	var keep [][]int
	if strings.ContainsAny(text, "`~\"“「『'‘") {
		keep = append(facts.SourceText.FindAllStringIndex(text, -1), facts.Quoted.FindAllStringIndex(text, -1)...)
	}
	var cuts []int
	longest := slices.Clone(names)
	slices.SortStableFunc(longest, func(a, b string) int { return len(b) - len(a) })
	var taken [][]int
	for _, name := range longest {
		if !words.IsHan(words.FirstRune(name)) {
			continue
		}
		for at := 0; len(cuts) < maxTurns; {
			i := strings.Index(text[at:], name)
			if i < 0 {
				break
			}
			start := at + i
			at = start + len(name)
			inside := func(m []int) bool { return start >= m[0] && start < m[1] }
			if slices.ContainsFunc(keep, inside) || slices.ContainsFunc(taken, inside) {
				continue
			}
			taken = append(taken, []int{start, at})
			if before, _ := utf8.DecodeLastRuneInString(text[:start]); words.IsHan(before) {
				cuts = append(cuts, start)
			}
		}
	}
	slices.Sort(cuts)
	for _, at := range slices.Backward(cuts) {
		text = text[:at] + " " + text[at:]
	}
	return text
}

// leadsIn is the beginning of a Chinese question that names a file first: 在员工.csv里, 员工.csv中的.
var leadsIn = words.MustCompile(`^(?:请|帮我|麻烦)?(?:在|从)?\s*$`)

// askedOfTable is a question whose first words are a table of the session with the table behind it in brackets, as every table tool finds it: 员工.csv里每个部门的人数.
func askedOfTable(text string, names []string) string {
	for _, name := range names {
		i := strings.Index(text, name)
		if i < 0 || !tableFile.MatchString(name) || !leadsIn.MatchString(text[:i]) {
			continue
		}
		m := withinTable.FindStringSubmatch(text[i+len(name):])
		if m != nil && utf8.RuneCountInString(m[1]) > 2 {
			return m[1] + "（" + name + "）"
		}
	}
	return text
}

// withinTable is what is asked of the table before it.
var withinTable = words.MustCompile(`^\s*(?:这个)?(?:文件|表格?)?(?:里面?|中|内|当中)的?[，,：:]?\s*(\p{Han}[^，。；,;\n]*?)[?？。\s]*$`)
