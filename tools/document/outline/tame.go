package outline

import (
	"regexp"
	"strings"
)

// The reader of Markdown takes time with the square of how many marks one paragraph has, and of how deep a line is nested: 64 kB of opening brackets held it up for seconds.
// So what no writer writes is read as plain text.
const (
	maxMarks = 600  // of one paragraph, item, or line of a table
	maxLines = 1000 // of one paragraph; longer ones are parted
	maxNest  = 12   // quotes and lists in each other, on one line
)

var (
	mark = regexp.MustCompile("[\\[\\]*_~<>!`]")
	nest = regexp.MustCompile(`^(?:[ \t]{0,8}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){12}`)
	more = regexp.MustCompile(`^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))+`)
	// beneath is the line below the head of a table.
	beneath = regexp.MustCompile(`^[ \t]*\|?[ \t:|-]*-[ \t:|-]*$`)
)

// tame is a text with what would hold up its reader made plain. Of a usual text it is that text.
func tame(text string) string {
	if len(mark.FindAllStringIndex(text, maxMarks+1)) <= maxMarks && strings.Count(text, "\n") <= maxLines && !nest.MatchString(text) && !strings.Contains(text, strings.Repeat("> ", maxNest)) {
		return text
	}
	var b strings.Builder
	fence := ""
	var part []string // the paragraph so far
	flush := func() {
		table := len(part) > 1 && beneath.MatchString(strings.TrimRight(part[1], "\r\n")) && strings.Contains(part[0], "|")
		marks, item, from := make([]int, len(part)), make([]int, len(part)), 0 // by the first line of an item, and which that is of each line
		for n, line := range part {
			if table || more.MatchString(line) || strings.HasPrefix(line, "#") {
				from = n
			}
			item[n] = from
			marks[from] += len(mark.FindAllStringIndex(line, -1))
		}
		for n, line := range part {
			if marks[item[n]] > maxMarks {
				line = mark.ReplaceAllString(line, `\$0`)
			}
			if n > 0 && n%maxLines == 0 && !table {
				b.WriteString("\n")
			}
			b.WriteString(line)
		}
		part = part[:0]
	}
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if fence != "" {
			b.WriteString(line)
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		if m := opens.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			flush()
			fence = m[1]
			b.WriteString(line)
			continue
		}
		if at := nest.FindStringIndex(line); at != nil {
			line = line[:at[1]] + more.ReplaceAllString(line[at[1]:], " ")
		}
		if part = append(part, line); bare == "" {
			flush()
		}
	}
	flush()
	return b.String()
}

// opens is the line that a block of code begins with.
var opens = regexp.MustCompile("^ {0,3}(```+|~~~+)[^`]*$")
