package prompts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every prompt is there in every language and fills in what it is given.
func TestPrompts(t *testing.T) {
	s, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"master", "domain"} {
		if !s.Has(name) {
			t.Errorf("%s is not there in every language", name)
		}
		for _, l := range Languages {
			text, err := s.Text(l, name, Vars{Name: "n-a-m-e", Title: "t-i-t", Description: "d-e-s", Date: "d-a-t", Context: "c-o-n", Files: "f-i-l", Mode: "plan", ThoughtLimit: 217})
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"n-a-m-e", "t-i-t", "d-e-s", "d-a-t", "c-o-n", "f-i-l", "217"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s/%s does not say %s", l, name, want)
				}
			}
			short, err := s.Text(l, name, Vars{Mode: "react"})
			if err != nil || strings.Contains(short, "##  ") || len(short) >= len(text) {
				t.Errorf("%s/%s without a plan: %v", l, name, err)
			}
		}
	}
	if zh, err := s.Text("zh", "shorten", Vars{Text: "x-y-z"}); err != nil || !strings.Contains(zh, "x-y-z") {
		t.Error(zh, err)
	}
	if other, err := s.Text("fr", "shorten", Vars{}); err != nil || !strings.Contains(other, "Shorten") {
		t.Error("a language that is not there is answered in English:", other, err)
	}
	if _, err := s.Text("zh", "nosuch", Vars{}); err == nil {
		t.Error("a prompt that is not there")
	}
}

func TestOwnPrompts(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "zh"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "zh", "master.md")
	for text, good := range map[string]bool{"mine: {{.Task}}": true, "{{.Nosuch}}": false, "{{": false} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(dir)
		if (err == nil) != good {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if good {
			if got, err := s.Text("zh", "master", Vars{Task: "x"}); err != nil || got != "mine: x" {
				t.Error(got, err)
			}
		}
	}
}
