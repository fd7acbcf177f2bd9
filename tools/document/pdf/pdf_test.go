package pdf

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/tools/document/outline"
)

func sample() *outline.Outline {
	one, two := 1.5, -2.0
	o := &outline.Outline{Title: "季度报告 Q3", Subtitle: "好 and bad", Language: "zh", Sections: []outline.Section{{
		Heading: "要点", Text: "**中文** and *English* with `code` and 🙂.\n\n- [x] 一\n- 二\n\n> 引用\n\n```\na\tb\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[链接](https://example.com) [1]",
		Charts: []outline.Chart{
			{Kind: "column", Title: "t", Unit: "元", Categories: []string{"一", "二"}, Series: []outline.Series{{Name: "x", Values: []*float64{&one, &two}}, {Name: "y", Values: []*float64{nil, &one}}}},
			{Kind: "column", Stacked: true, Categories: []string{"一", "二"}, Series: []outline.Series{{Name: "x", Values: []*float64{&one, &two}}, {Name: "y", Values: []*float64{&two, &one}}}},
			{Kind: "line", Categories: []string{"一", "二"}, Series: []outline.Series{{Values: []*float64{nil, nil}}}},
			{Kind: "pie", Categories: []string{strings.Repeat("很长的名字", 20), "二"}, Series: []outline.Series{{Values: []*float64{&one, &two}}}},
		},
	}}, Sources: []outline.Source{{Title: "来源", URL: "https://example.com"}}}
	o.Clean()
	return o
}

var page = regexp.MustCompile(`/Type /Page\b`)

func TestPlain(t *testing.T) {
	t.Parallel()
	o := sample()
	long := outline.Table{Columns: []string{"名", "数"}}
	for i := range 1_200 {
		long.Rows = append(long.Rows, []outline.Cell{outline.Text(strings.Repeat("长", i%60)), outline.Number(float64(i))})
	}
	o.Sections = append(o.Sections, outline.Section{Heading: "表", Tables: []outline.Table{long}})
	body, err := Plain(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(page.FindAll(body, -1)); !bytes.HasPrefix(body, []byte("%PDF-")) || n < 20 || n > 80 {
		t.Errorf("%d pages", n)
	}
	for _, font := range []string{"/FontFile2", "/ToUnicode"} { // fonts are inside, and text can be copied
		if !bytes.Contains(body, []byte(font)) {
			t.Errorf("no %s", font)
		}
	}
	if len(body) > 2<<20 {
		t.Errorf("%d bytes: whole fonts are in it", len(body))
	}
}

// Each character stands in a font that has it, and what none has is a question mark.
func TestFit(t *testing.T) {
	t.Parallel()
	s, err := newScripts()
	if err != nil {
		t.Fatal(err)
	}
	for r, want := range map[rune]string{'a': latin, 'é': latin, '中': wide, '，': wide, '、': wide, '鬱': wide, 'ひ': wide, '한': wide, '🙂': "", '\ue000': ""} {
		if got := s.family(r); got != want {
			t.Errorf("%c: %q, want %q", r, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"two words": "two |words", "中文，好。": "中|文，|好。", "a中b": "a|中|b", "a\nb": "a|\n|b", "": "", "x…y": "x…y", "（一）": "（|一）",
	} {
		if got := strings.Join(words(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPlainEndsWithItsContext(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	if _, err := Plain(ctx, sample()); !errors.Is(err, gone) {
		t.Error(err)
	}
}

// A browser that fails costs its layout, not the document.
func TestBrowserThatFails(t *testing.T) {
	script := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HMAP_CHROMIUM", script)
	body, err := Render(t.Context(), sample())
	if err != nil || !bytes.HasPrefix(body, []byte("%PDF-")) {
		t.Error(err)
	}
}

// A browser gets none of our keys, and finds the page wherever the system keeps such files.
func TestWhatABrowserGets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a #b%c")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "browser")
	if err := os.WriteFile(script, []byte(`#!/bin/sh
for a; do case $a in --print-to-pdf=*) out=${a#*=};; file://*) page=$a;; esac; done
{ env; echo "$page"; head -c 200 /dev/zero | tr '\0' x; } > "$out"
`), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	t.Setenv("TMPDIR", dir)
	body, err := printPage(t.Context(), script, sample())
	if err != nil {
		t.Fatal(err)
	}
	if text := string(body); strings.Contains(text, "sk-secret") || !strings.Contains(text, "PATH=") || !strings.Contains(text, "/a%20%23b%25c/") {
		t.Errorf("%s", text)
	}
}

func TestBrowser(t *testing.T) {
	t.Parallel()
	browser := Browser()
	if browser == "" {
		t.Skip("no Chromium here: make browser")
	}
	body, err := printPage(t.Context(), browser, sample())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(body, []byte("%PDF-")) || !bytes.Contains(body, []byte("Skia")) {
		t.Errorf("%.80q", body)
	}
}
