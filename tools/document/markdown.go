package document

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// markdown makes one Markdown text of a cleaned outline. Charts are tables of their numbers, pictures their captions: a text holds no more.
func markdown(o *outline.Outline) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n\n", args...) }
	if o.Title != "" {
		line("# %s", escape(o.Title))
	}
	if o.Subtitle != "" {
		line("**%s**", escape(o.Subtitle))
	}
	if by := strings.TrimSpace(o.Author + "  " + o.Date); by != "" {
		line("%s", escape(by))
	}
	for _, s := range o.Sections {
		if s.Heading != "" {
			line("## %s", escape(s.Heading))
		}
		blocks := outline.Blocks(s.Text, len(o.Sources))
		for i, block := range blocks {
			text := passage(o, block)
			if i+1 < len(blocks) && block.Kind == outline.Item && blocks[i+1].Kind == outline.Item {
				text = strings.TrimSuffix(text, "\n")
			}
			b.WriteString(text)
		}
		for _, c := range s.Charts {
			if !slices.ContainsFunc(s.Tables, func(t outline.Table) bool { return holds(t, c) }) {
				b.WriteString(pipes(o, numbers(o, c)))
			}
		}
		for _, t := range s.Tables {
			b.WriteString(pipes(o, t))
		}
		for _, p := range s.Pictures {
			line("*%s*", escape(o.Words("图：", "Picture: ")+p.Caption))
		}
	}
	if len(o.Sources) > 0 {
		line("## %s", o.Words("来源", "Sources"))
		for i, s := range o.Sources {
			text := escape(s.Title)
			if s.URL != "" {
				text = strings.TrimSpace(text + " <" + s.URL + ">")
			}
			fmt.Fprintf(&b, "%d. %s\n", i+1, text)
		}
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n")
}

// passage writes a block again, so that nothing but what was understood is passed on.
func passage(o *outline.Outline, b outline.Block) string {
	var text strings.Builder
	for _, r := range b.Runs {
		t := escape(r.Text)
		switch {
		case r.Code:
			t = "`" + strings.ReplaceAll(r.Text, "`", "'") + "`"
		case strings.TrimSpace(t) == "":
		case r.Bold && r.Italic:
			t = wrap(t, "***")
		case r.Bold:
			t = wrap(t, "**")
		case r.Italic:
			t = wrap(t, "*")
		case r.Strike:
			t = wrap(t, "~~")
		}
		if r.Cite > 0 {
			t = r.Text
		} else if r.Link != "" {
			t = "[" + t + "](<" + r.Link + ">)"
		}
		text.WriteString(t)
	}
	flow := strings.ReplaceAll(numbered.ReplaceAllString(begins.ReplaceAllString(text.String(), "\n\\$1"), `$1\$2`), "\n", "  \n")
	switch b.Kind {
	case outline.Heading:
		line := strings.ReplaceAll(text.String(), "\n", " ")
		if strings.HasSuffix(line, "#") { // or it would be the heading's end
			line = strings.TrimSuffix(line, "#") + `\#`
		}
		return strings.Repeat("#", min(6, max(3, b.Level))) + " " + line + "\n\n"
	case outline.Item:
		mark := b.Mark
		switch mark {
		case "":
			mark = "-"
		case "☐":
			mark = "- [ ]"
		case "☑":
			mark = "- [x]"
		}
		return strings.Repeat("   ", b.Depth) + mark + " " + strings.ReplaceAll(flow, "\n", "\n   ") + "\n\n"
	case outline.Quote:
		return "> " + strings.ReplaceAll(flow, "\n", "\n> ") + "\n\n"
	case outline.Code:
		fence := "```"
		for strings.Contains(b.Text, fence) {
			fence += "`"
		}
		return fence + "\n" + b.Text + "\n" + fence + "\n\n"
	case outline.Rule:
		return "---\n\n"
	case outline.Grid:
		return pipes(o, *b.Table)
	}
	return flow + "\n\n"
}

// What a line of running text may not begin with, or it would be a heading, a list, a quote or a table; of the first line [escape] has seen to.
var (
	begins   = regexp.MustCompile(`\n([#+>|=:-])`)
	numbered = regexp.MustCompile(`(?m)^(\d{1,9})([.)](?:\s|$))`)
)

func wrap(s, mark string) string {
	inner := strings.TrimSpace(s)
	at := strings.Index(s, inner)
	return s[:at] + mark + inner + mark + s[at+len(inner):]
}

// special are the characters that mean something in Markdown.
var special = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "~~", `\~\~`, "&", "&amp;")

// escape writes a text so that it is read as that text.
func escape(s string) string {
	s = special.Replace(s)
	if s != "" && strings.ContainsRune("#+->|=", rune(s[0])) {
		s = `\` + s
	}
	return s
}

// maxPipes is how many rows of a table stand in a text.
const maxPipes = 1_000

// pipes writes a table.
func pipes(o *outline.Outline, t outline.Table) string {
	if len(t.Columns) == 0 {
		return ""
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("**" + escape(t.Title) + "**\n\n")
	}
	row := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + strings.ReplaceAll(special.Replace(strings.Join(strings.Fields(c), " ")), "|", `\|`) + " |")
		}
		b.WriteString("\n")
	}
	row(t.Columns)
	b.WriteString("|")
	for i := range t.Columns {
		if t.Numeric(i) && !t.Identity(i) {
			b.WriteString(" ---: |")
		} else {
			b.WriteString(" --- |")
		}
	}
	b.WriteString("\n")
	for _, r := range t.Rows[:min(len(t.Rows), maxPipes)] {
		cells := make([]string, len(r))
		for i, c := range r {
			cells[i] = t.Shown(i, c)
		}
		row(cells)
	}
	b.WriteString("\n")
	if n := t.Left(maxPipes); n > 0 {
		b.WriteString(o.Words("另有 %d 行", "%d more rows", n) + "\n\n")
	}
	return b.String()
}

// holds reports whether the numbers of a chart stand in a table, each series in a column of its name: they need not be told twice.
func holds(t outline.Table, c outline.Chart) bool {
	for _, s := range c.Series {
		at := slices.Index(t.Columns, s.Name)
		if at < 0 {
			return false
		}
		for _, v := range s.Values {
			if v != nil && !slices.ContainsFunc(t.Rows, func(row []outline.Cell) bool { return row[at].Numeric && row[at].Value == *v }) {
				return false
			}
		}
	}
	return len(c.Series) > 0
}

// numbers are a chart's as a table.
func numbers(o *outline.Outline, c outline.Chart) outline.Table {
	t := outline.Table{Title: c.Title, Columns: []string{o.Words("类别", "Category")}}
	series := c.Series
	if c.Kind == "pie" {
		series = series[:1]
	}
	for _, s := range series {
		name := s.Name
		if c.Unit != "" {
			name = strings.TrimSpace(name + " (" + c.Unit + ")")
		}
		t.Columns = append(t.Columns, name)
	}
	for i, name := range c.Categories {
		row := []outline.Cell{outline.Text(name)}
		for _, s := range series {
			cell := outline.Cell{}
			if v := s.Values[i]; v != nil {
				cell = outline.Number(*v)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
