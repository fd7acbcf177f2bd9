package interpreter

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// said keeps what a program prints and tells its lines as they come.
type said struct {
	tell func(line string)
	all  []byte // the sandbox bounds it
	line []byte // begun, and not ended yet
}

// maxLine is the longest progress line, in bytes.
const maxLine = 400

func (s *said) write(text []byte) {
	s.all = append(s.all, text...)
	s.line = append(s.line, text...)
	for {
		end := bytes.IndexByte(s.line, '\n')
		if end < 0 {
			s.line = s.line[max(0, len(s.line)-maxLine):]
			return
		}
		if line := strings.TrimSpace(clean(s.line[:min(end, maxLine)])); line != "" {
			s.tell(line)
		}
		s.line = s.line[end+1:]
	}
}

// text is what was said, cut in the middle when it is too long to be read: results stand at the end, what they are about at the beginning.
func (s *said) text() string {
	text := clean(s.all)
	if len(text) <= maxSaid {
		return text
	}
	head, tail := backTo(text, maxSaid/2), forthTo(text, len(text)-maxSaid/2)
	return fmt.Sprintf("%s\n… [%d bytes cut] …\n%s", text[:head], tail-head, text[tail:])
}

// tail is the end of it, at most n bytes.
func (s *said) tail(n int) string {
	text := clean(s.all)
	return text[forthTo(text, len(text)-n):]
}

// reason is the line of a program's last words that most likely says why it failed: the last one that is not indented, as that of an exception
// is behind its trace in Python, and before it in JavaScript.
func reason(words string) string {
	lines := strings.Split(words, "\n")
	for i := len(lines) - 1; i > 0; i-- {
		if line := strings.TrimRight(lines[i], " \t"); line != "" && line[0] != ' ' && line[0] != '\t' {
			return line[:backTo(line, min(len(line), maxLine))]
		}
	}
	return lines[0][:backTo(lines[0], min(len(lines[0]), maxLine))]
}

func backTo(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

func forthTo(text string, at int) int {
	at = max(at, 0)
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

// clean is text without what is none: broken characters, and control signs that a terminal would obey.
func clean(text []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || 0x80 <= r && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(text), "\uFFFD"))
}
