package memory

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

func TestFit(t *testing.T) {
	var turns []Turn
	for _, name := range []string{"a", "b", "c", "d"} {
		turns = append(turns, Turn{Task: name, Request: strings.Repeat(name, 10), Answer: strings.Repeat(name, 10)})
	}
	older, recent := Fit(turns, 50, utf8.RuneCountInString)
	if len(older) != 2 || len(recent) != 2 || recent[1].Task != "d" {
		t.Errorf("%d older, %d recent", len(older), len(recent))
	}
	long := []Turn{{Request: "q", Answer: strings.Repeat("x", 1000)}}
	older, recent = Fit(long, 100, utf8.RuneCountInString)
	if len(older) != 0 || len(recent) != 1 || len([]rune(recent[0].Answer)) > 25 {
		t.Errorf("a long answer: %d older, %+v", len(older), recent)
	}
	if long[0].Answer != strings.Repeat("x", 1000) {
		t.Error("the turn given was changed")
	}
	if older, recent := Fit(nil, 10, utf8.RuneCountInString); older != nil || recent != nil {
		t.Error("nothing is nothing")
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text string
		max  int
		want string
	}{{"short", 10, "short"}, {"一二三四五六七八九十", 5, "一二三四…"}, {"", 5, ""}, {"abc", 0, "abc"}} {
		if got := Shorten(c.text, c.max); got != c.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", c.text, c.max, got, c.want)
		}
	}
	long := strings.Repeat("a", 500) + "END"
	if got := Shorten(long, 40); len([]rune(got)) != 40 || !strings.HasSuffix(got, "END") {
		t.Errorf("%q", got)
	}
}

func TestFiles(t *testing.T) {
	f := bus.File{Ref: "obj:1", Name: "a.csv", Description: "orders"}
	if got := Files([]Turn{{Files: []bus.File{f}}, {Files: []bus.File{f, {Ref: "obj:2", Name: "b"}}}}); strings.Count(got, "\n") != 1 || !strings.Contains(got, "a.csv") || !strings.Contains(got, "orders") {
		t.Errorf("%q", got)
	}
}

func TestDigest(t *testing.T) {
	turns := []Turn{{Request: "old", Answer: "x"}, {Request: "new", Answer: "y"}}
	if got := Digest(turns, 1000); got != "- old → x\n- new → y" {
		t.Errorf("%q", got)
	}
	if got := Digest(turns, 10); got != "- new → y" {
		t.Errorf("the newest is kept: %q", got)
	}
}
