package outline

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// show is a text's blocks, one a line.
func show(blocks []Block) string {
	names := map[Kind]string{Paragraph: "p", Heading: "h", Item: "li", Quote: "q", Code: "code", Grid: "table", Rule: "hr"}
	var b strings.Builder
	for _, k := range blocks {
		b.WriteString(names[k.Kind])
		if k.Level > 0 {
			fmt.Fprint(&b, k.Level)
		}
		if k.Kind == Item {
			fmt.Fprintf(&b, "%d%s", k.Depth, k.Mark)
		}
		for _, r := range k.Runs {
			look := ""
			for mark, on := range map[string]bool{"b": r.Bold, "i": r.Italic, "c": r.Code, "s": r.Strike} {
				if on {
					look += mark
				}
			}
			if r.Cite > 0 {
				look += fmt.Sprint("^", r.Cite)
			}
			if r.Link != "" {
				look += "→" + r.Link
			}
			fmt.Fprintf(&b, " %s%q", look, r.Text)
		}
		if k.Text != "" {
			fmt.Fprintf(&b, " %q", k.Text)
		}
		if k.Table != nil {
			fmt.Fprintf(&b, " %q %v", k.Table.Columns, k.Table.Rows)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"runs":        {"a **b** *c* `d` ~~e~~ f", "p \"a \" b\"b\" \" \" i\"c\" \" \" c\"d\" \" \" s\"e\" \" f\"\n"},
		"headings":    {"# One\n\n### 三", "h1 \"One\"\nh3 \"三\"\n"},
		"lists":       {"- a\n  1. b\n  2. c\n- d", "li0 \"a\"\nli11. \"b\"\nli12. \"c\"\nli0 \"d\"\n"},
		"tasks":       {"- [x] a\n- [ ] b", "li0☑ \"a\"\nli0☐ \"b\"\n"},
		"quote":       {"> a\n>\n> b", "q \"a\"\nq \"b\"\n"},
		"deep quote":  {strings.Repeat("> ", 40) + "a", "q \"a\"\n"},
		"code":        {"```\n<b>\n```", "code \"<b>\"\n"},
		"table":       {"| a | b |\n|---|---|\n| x | 1,200 |", "table [\"a\" \"b\"] [[{x 0 false} {1,200 1200 true}]]\n"},
		"line ends":   {"你好\n世界 and\nmore  \nend", "p \"你好世界 and more\\nend\"\n"},
		"cited":       {"so [1], not [9] or `[1]`", "p \"so \" ^1\"[1]\" \", not [9] or \" c\"[1]\"\n"},
		"escapes":     {`a\*b &lt;c&gt; &amp;`, "p \"a*b <c> &\"\n"},
		"web link":    {"[a](https://x.y/?a=1&b=2)", "p →https://x.y/?a=1&b=2\"a\"\n"},
		"auto link":   {"https://x.y", "p →https://x.y\"https://x.y\"\n"},
		"script link": {"[a](javascript:alert(1)) [b](JaVaScRiPt:x) [c](data:text/html,x) [d](file:///etc/passwd) [e](//x)", "p \"a b c d e\"\n"},
		"hidden link": {"[a](java&#115;cript:alert(1)) [b](<java\tscript:x>)", "p \"a b\"\n"},
		"picture":     {"![alt](http://x/y.png)", "p →http://x/y.png\"alt\"\n"},
		"script":      {"a <script>alert(1)</script> b", "p \"a alert(1) b\"\n"},
		"script part": {"<script>alert(1)</script>\n\nb", "p \"b\"\n"},
		"html part":   {"<div onclick=x>\nhello <b>you</b>\n</div>", "p \"hello you\"\n"},
		"open html":   {"<div\nx", ""},
		"break":       {"a<br>b", "p \"a\\nb\"\n"},
		"entity":      {"a&#0;b&#x202e;c&#27;d&#xfffe;", "p \"abcd\"\n"},
		"controls":    {"a\x00\x1b[31mb\u202ec\u200b\xffd", "p \"a[31mbcd\"\n"},
		"nothing":     {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := show(Blocks(c.text, 2)); got != c.want {
				t.Errorf("%q\ngot  %q\nwant %q", c.text, got, c.want)
			}
		})
	}
}

func TestBlocksAreBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("> ", 5_000) + "a", strings.Repeat("- ", 3_000) + "a", strings.Repeat("[", 20_000), strings.Repeat("*a_", 5_000)} {
		for _, b := range Blocks(text, 0) {
			if b.Depth > maxDepth {
				t.Errorf("depth %d", b.Depth)
			}
		}
	}
	// Short rows below a wide head are filled up: two signs a row would be a thousand cells.
	for _, b := range Blocks(strings.Repeat("|a", 1_000)+"|\n"+strings.Repeat("|-", 1_000)+"|\n"+strings.Repeat("a\n", 2_000), 0) {
		if b.Table != nil {
			t.Errorf("%d bytes are a table of %d × %d cells", 8_004, len(b.Table.Columns), len(b.Table.Rows))
		}
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add("# a\n\n- b [1]\n\n| a |\n|---|\n| 1 |\n\n<p onclick=x>c</p> <javascript:x>")
	f.Fuzz(func(t *testing.T, text string) {
		for _, b := range Blocks(text, 3) {
			s := b.Text + Plain(b.Runs)
			if !utf8.ValidString(s) || strings.IndexFunc(s, unwanted) >= 0 {
				t.Errorf("%q", s)
			}
			for _, r := range b.Runs {
				if r.Link != "" && !strings.HasPrefix(strings.ToLower(r.Link), "http") && !strings.HasPrefix(strings.ToLower(r.Link), "mailto:") || r.Cite < 0 || r.Cite > 3 {
					t.Errorf("%+v", r)
				}
			}
		}
	})
}

// Hostile text of the longest size is read within a moment, and all of it is kept; what people write is read as before.
func TestBlocksOfHostileText(t *testing.T) {
	for _, piece := range []string{"[", "[a](", "*a ", "_a", "> ", "> - ", "1. ", "- ", "![](", "a\n", "[a][b]"} {
		text := strings.Repeat(piece, MaxText/len(piece))
		done := make(chan struct{})
		go func() { Blocks(text, 3); close(done) }()
		select {
		case <-done:
		case <-time.After(4 * time.Second):
			t.Errorf("%q takes too long", piece)
			<-done
		}
	}
	if got := Blocks(strings.Repeat("[", MaxText), 0); len(got) != 1 || Plain(got[0].Runs) != strings.Repeat("[", MaxText) {
		t.Errorf("%d blocks", len(got))
	}
	rows := strings.Repeat("| **a** | *b* |\n", 1500)
	if got := Blocks("| x | y |\n|---|---|\n"+rows, 0); len(got) != 1 || got[0].Table == nil || len(got[0].Table.Rows) != 1500 || got[0].Table.Rows[0][0].Text != "a" {
		t.Errorf("%d blocks of a table", len(got))
	}
	items := strings.Repeat("- **a** [b](https://c.d)\n", 900)
	if got := Blocks(items, 0); len(got) != 900 || !got[899].Runs[0].Bold {
		t.Errorf("%d blocks of a list", len(got))
	}
	code := strings.Repeat("a[0] = b[1] * c\n", 1500)
	if got := Blocks("```\n"+code+"```\n", 0); len(got) != 1 || got[0].Text != strings.TrimRight(code, "\n") {
		t.Errorf("%d blocks of code", len(got))
	}
}
