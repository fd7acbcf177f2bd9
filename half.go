package main

import (
	"regexp"
	"strings"
	"unicode"
)

// intoEnglish is where a text that is said in Chinese first is said again in English.
var intoEnglish = regexp.MustCompile(`[。！？；]\s+[A-Z]`)

// half is the part of what a card says of itself that is in the language of the terminal. Our own cards say it in both, as two lines or one behind the other; what is
// said in one language only is shown as it is.
func half(text string, zh bool) string {
	var parts []string
	for line := range strings.Lines(text) {
		if at := intoEnglish.FindStringIndex(line); at != nil {
			parts = append(parts, line[:at[1]-1], line[at[1]-1:])
		} else {
			parts = append(parts, line)
		}
	}
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if begins := strings.IndexFunc(p, unicode.IsLetter); begins >= 0 && unicode.Is(unicode.Han, []rune(p[begins:])[0]) == zh {
			return p
		}
	}
	return text
}
