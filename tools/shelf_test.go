package tools

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
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

// A file is found by its name, and by that as one word where it is of one alone.
func TestFind(t *testing.T) {
	shelf := []bus.File{{Ref: "obj:1", Name: "sales (1).csv"}, {Ref: "obj:2", Name: "Q3&Q4.csv"}, {Ref: "obj:3", Name: "销售（副本）.csv"}, {Ref: "obj:4", Name: "a (1).md"}, {Ref: "obj:5", Name: "a [1].md"}, {Ref: "obj:6", Name: "a_1.csv"}, {Ref: "obj:7", Name: "a 1!.csv"}, {Ref: "obj:8", Name: "my notes.md"}}
	for name, want := range map[string]string{
		"sales (1).csv": "obj:1", "sales_1.csv": "obj:1", "Q3_Q4.csv": "obj:2", "销售_副本.csv": "obj:3", "a_1.md": "", "a_1.csv": "obj:6", "my notes.md": "obj:8", "my_notes.md": "", "obj:4": "obj:4", "": "",
	} {
		if f, ok := Find(shelf, name); f.Ref != want || ok != (want != "") {
			t.Errorf("%q: %v, want %s", name, f, want)
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
