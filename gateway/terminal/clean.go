package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/bus"
)

// Clean takes out of a text what a terminal would obey instead of show: control characters, and the marks that turn the direction of
// writing, with which a text can be made to read as another. Line feeds and tabs stay. Whatever comes from a model, a tool, a user or
// another node goes through it, or through [Line], before it is printed.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && obeyed(r) {
			return -1
		}
		return r
	}, s)
}

func obeyed(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Line is [Clean] on one line: runs of white space become one space, so that a name cannot pass for lines of ours.
func Line(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// JSON is JSON that says the same and has nothing that a terminal would obey: inside strings that is written as \u and four digits.
func JSON(text []byte) []byte {
	if !bytes.ContainsFunc(text, func(r rune) bool { return r != '\n' && obeyed(r) }) {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		if r != '\n' && obeyed(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

// Text is the plain text of an observation: the string itself, or its JSON. It is not cleaned.
func Text(v json.RawMessage) string {
	var s string
	if len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// answer is the end of a task as it is shown: the text, then the files.
func answer(r bus.Record) string {
	var b strings.Builder
	text := Text(r.Observation)
	b.WriteString("\n" + Clean(text) + "\n")
	for _, f := range r.Files {
		if strings.Contains(text, "("+f.Ref+")") { // the answer names it
			continue
		}
		fmt.Fprintf(&b, "  %s  %s (%d B)\n", Line(f.Ref), Line(f.Name), f.Bytes)
	}
	return b.String()
}
