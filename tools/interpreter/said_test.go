package interpreter

import (
	"strings"
	"testing"
)

func TestFenced(t *testing.T) {
	if got := fenced("a\n```\nb"); got != "````\na\n```\nb\n````" {
		t.Error(got)
	}
}

func TestCut(t *testing.T) {
	s := said{all: []byte(strings.Repeat("中", 20_000)), tell: func(string) {}}
	text := s.text()
	if len(text) > maxSaid+50 || !strings.HasPrefix(text, "中") || !strings.HasSuffix(text, "中") || strings.ContainsRune(text, '\uFFFD') {
		t.Errorf("%d bytes", len(text))
	}
	if tail := s.tail(10); tail != "中中中" {
		t.Error(tail)
	}
}

func TestReason(t *testing.T) {
	for words, want := range map[string]string{
		"Traceback (most recent call last):\n  File \"<code>\", line 1\n    open('x')\n    ^^^\nFileNotFoundError: no 'x'": "FileNotFoundError: no 'x'",
		"first\nTypeError: not a function\n    at <eval> (code.js:1)\n\n":                                                  "TypeError: not a function",
		"alone":                              "alone",
		"  all\n  indented":                  "  all",
		"":                                   "",
		"x\n" + strings.Repeat("é", maxLine): strings.Repeat("é", maxLine/2),
	} {
		if got := reason(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
