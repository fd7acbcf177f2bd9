package prompts

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// What is kept is told apart by all that a text depends on, and there is no more of it than the bound however much is asked for.
func TestMemo(t *testing.T) {
	s, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	var tasks sync.WaitGroup
	for task := range 16 {
		tasks.Go(func() {
			for n := range 400 {
				v := Vars{Name: "a", Text: fmt.Sprintf("%d/%d/%s.", task, n/2, strings.Repeat("x", n))}
				for _, name := range []string{"shorten", "domain"} {
					text, err := s.Text("en", name, v)
					if has := strings.Contains(text, v.Text); err != nil || has != (name == "shorten") {
						t.Errorf("%s with %.20q is %.80q, %v", name, v.Text, text, err)
					}
				}
			}
		})
	}
	tasks.Wait()
	if s.made.size > maxYoung {
		t.Error("too much is kept:", s.made.size)
	}
	held := 0
	for _, m := range []map[filled]string{s.made.young, s.made.old} {
		for f, text := range m {
			held += len(text) + len(f.vars.Text)
		}
	}
	if held == 0 || held > 2*maxYoung {
		t.Error("kept in all:", held)
	}
	if _, ok := s.made.get(s.byName["en/shorten"], Vars{Name: "a", Text: "never made"}); ok {
		t.Error("a text that was never made")
	}
}

// A text that would take the place of all others is made anew each time.
func TestMemoLeavesLargeTexts(t *testing.T) {
	s, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if text, err := s.Text("en", "shorten", Vars{Text: strings.Repeat("y", maxYoung)}); err != nil || len(text) < maxYoung {
			t.Error(len(text), err)
		}
	}
	if len(s.made.young) > 0 {
		t.Error("it was kept")
	}
}

// BenchmarkText is what an agent's prompt costs when it is wanted again, and when it never was.
func BenchmarkText(b *testing.B) {
	s, err := Load("")
	if err != nil {
		b.Fatal(err)
	}
	v := Vars{Name: "master", Title: "Master", Description: "hands out", Date: "2026-05-03 Sunday", Task: "where is my order?", Mode: "react", ThoughtLimit: 200}
	for _, same := range []bool{true, false} {
		b.Run(fmt.Sprintf("same=%v", same), func(b *testing.B) {
			for n := range b.N {
				if !same {
					v.ThoughtLimit = n
				}
				if _, err := s.Text("en", "master", v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
