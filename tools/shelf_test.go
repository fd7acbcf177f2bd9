package tools

import (
	"strings"
	"testing"
)

func TestPlainName(t *testing.T) {
	for _, good := range []string{"a", "a.txt", "销售 2026.csv", "-rf", "a..b", "😀.md", strings.Repeat("x", MaxFileName)} {
		if !PlainName(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", ".", "..", ".hidden", "a/b", "/etc/passwd", `a\b`, `C:\x`, "../a", "a\nb", "a\x00", "\x1b[2J", "a\u202eb", "a\u200bb", "a\u2028b", " a", "a ", "\xff", "a\uFFFD",
		strings.Repeat("x", MaxFileName+1),
	} {
		if PlainName(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

func FuzzPlainName(f *testing.F) {
	f.Add("a.txt")
	f.Add("../x")
	f.Fuzz(func(t *testing.T, name string) {
		if PlainName(name) && (strings.ContainsAny(name, "/\\\x00\n\r") || name == ".." || len(name) > MaxFileName) {
			t.Errorf("%q", name)
		}
	})
}
