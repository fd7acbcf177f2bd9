// Package html makes one page of an outline: one file with everything in it, charts as drawings, nothing that runs and nothing that is
// fetched. It prints well, too.
package html

import (
	"bytes"
	"context"
	_ "embed"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/tools/document/chart"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// maxRows is how many rows of a table stand on the page; the rest is counted.
const maxRows = 1_000

var (
	//go:embed page.html
	page string
	//go:embed style.css
	style string

	// Everything of the outline passes through html/template, which escapes it; only drawings and our own style are let through as they are.
	layout = template.Must(template.New("page").Parse(page))
)

// Render makes the page of a cleaned outline.
func Render(ctx context.Context, o *outline.Outline) ([]byte, error) {
	var charts []outline.Chart
	for _, s := range o.Sections {
		charts = append(charts, s.Charts...)
	}
	look := o.Look()
	drawn, err := chart.SVG(ctx, charts, look)
	if err != nil {
		return nil, err
	}
	v := view{Outline: o, Look: look, Style: template.CSS(variables(look) + style), Lang: o.Words("zh-CN", "en")} //nolint:gosec // both are ours
	for i, s := range o.Sections {
		p := part{Section: s, ID: "s" + strconv.Itoa(i+1), Body: prose(outline.Blocks(s.Text, len(o.Sources)), v.Lang == "en")}
		for j, c := range s.Charts {
			title := c.Title
			if c.Unit != "" {
				title += o.Words("（"+c.Unit+"）", " ("+c.Unit+")")
			}
			p.Figures = append(p.Figures, figure{title, template.HTML(drawn[j])}) //nolint:gosec // a drawing of ours, its texts are escaped
		}
		drawn = drawn[len(s.Charts):]
		for _, t := range s.Tables {
			p.Grids = append(p.Grids, newGrid(t, v.Lang == "en"))
		}
		for _, pic := range s.Pictures {
			if pic.Image != nil {
				p.Pictures = append(p.Pictures, photo{pic.Caption, template.URL(pic.Image.URL()), pic.Image.Width, pic.Image.Height}) //nolint:gosec // a data: URL of a picture that was decoded
			}
		}
		v.Parts = append(v.Parts, p)
	}
	var out bytes.Buffer
	err = layout.Execute(&out, v)
	return out.Bytes(), err
}

type view struct {
	*outline.Outline
	Look  outline.Theme
	Style template.CSS
	Lang  string
	Parts []part
}

// Contents are the sections by name, when there are enough of them to look for one.
func (v view) Contents() []part {
	var out []part
	for _, p := range v.Parts {
		if p.Section.Heading != "" {
			out = append(out, p)
		}
	}
	if len(out) < 4 {
		return nil
	}
	return out
}

type part struct {
	outline.Section
	ID       string
	Body     []node
	Figures  []figure
	Grids    []grid
	Pictures []photo
}

type figure struct {
	Title string
	SVG   template.HTML
}

type photo struct {
	Caption       string
	URL           template.URL
	Width, Height int
}

// grid is a table as the page shows it.
type grid struct {
	Title string
	Head  []cell
	Rows  [][]cell
	More  string
}

type cell struct {
	Text  string
	Right bool
	Short bool // so much that it stays on one line, as all of its column do
}

// short is how wide a column may be that is kept on one line: a name, an id, a day.
const short = 12

func newGrid(t outline.Table, english bool) grid {
	g := grid{Title: t.Title}
	right, narrow := make([]bool, len(t.Columns)), make([]bool, len(t.Columns))
	for i, c := range t.Columns {
		right[i] = t.Numeric(i) && !t.Identity(i)
		narrow[i] = !slices.ContainsFunc(t.Rows[:min(len(t.Rows), maxRows)], func(row []outline.Cell) bool { return outline.Width(t.Shown(i, row[i])) > short })
		g.Head = append(g.Head, cell{c, right[i], true})
	}
	for _, row := range t.Rows[:min(len(t.Rows), maxRows)] {
		cells := make([]cell, len(row))
		for i, c := range row {
			cells[i] = cell{t.Shown(i, c), i < len(right) && right[i], i < len(narrow) && narrow[i]}
		}
		g.Rows = append(g.Rows, cells)
	}
	if n := t.Left(maxRows); n > 0 {
		g.More = "另有 " + outline.Grouped(strconv.Itoa(n)) + " 行"
		if english {
			g.More = outline.Grouped(strconv.Itoa(n)) + " more rows"
		}
	}
	return g
}

// node is a block of text, or a list of blocks.
type node struct {
	Tag   string // p, h3, h4, blockquote, pre, hr, ul, ol, li, table
	Mark  string
	Start int
	Runs  []outline.Run
	Text  string
	Grid  *grid
	Nodes []node
}

// prose nests the items of lists again.
func prose(blocks []outline.Block, english bool) []node {
	var out []node
	for i := 0; i < len(blocks); i++ {
		b := blocks[i]
		switch b.Kind {
		case outline.Item:
			end := i
			for end < len(blocks) && blocks[end].Kind == outline.Item {
				end++
			}
			out = append(out, list(blocks[i:end])...)
			i = end - 1
		case outline.Grid:
			g := newGrid(*b.Table, english)
			out = append(out, node{Tag: "table", Grid: &g})
		case outline.Heading:
			tag := "h3"
			if b.Level > 3 {
				tag = "h4"
			}
			out = append(out, node{Tag: tag, Runs: b.Runs})
		default:
			out = append(out, node{Tag: map[outline.Kind]string{
				outline.Paragraph: "p", outline.Quote: "blockquote", outline.Code: "pre", outline.Rule: "hr",
			}[b.Kind], Runs: b.Runs, Text: b.Text})
		}
	}
	return out
}

// list makes lists of items that follow each other; items that lie deeper than the first are lists inside the one before them.
func list(items []outline.Block) []node {
	var out []node
	for len(items) > 0 {
		b := items[0]
		deeper := 1
		for deeper < len(items) && items[deeper].Depth > b.Depth {
			deeper++
		}
		item := node{Tag: "li", Runs: b.Runs, Nodes: list(items[1:deeper])}
		tag, start := "ul", 0
		if n, err := strconv.Atoi(strings.TrimSuffix(b.Mark, ".")); err == nil {
			tag, start = "ol", n
		} else {
			item.Mark = b.Mark
		}
		if k := len(out) - 1; k >= 0 && out[k].Tag == tag {
			out[k].Nodes = append(out[k].Nodes, item)
		} else {
			out = append(out, node{Tag: tag, Start: start, Nodes: []node{item}})
		}
		items = items[deeper:]
	}
	return out
}

// variables are the theme's colours as the style names them.
func variables(t outline.Theme) string {
	var b strings.Builder
	b.WriteString(":root{")
	for name, v := range map[string]string{
		"paper": t.Paper, "ink": t.Ink, "muted": t.Muted, "line": t.Line, "panel": t.Panel, "accent": t.Accent, "cover": t.Cover, "oncover": t.OnCover, "second": t.Palette[1],
	} {
		b.WriteString("--" + name + ":#" + v + ";")
	}
	heading := "var(--sans)"
	if t.Serif {
		heading = `Georgia,"Songti SC","Noto Serif CJK SC","Noto Serif SC",SimSun,serif`
	}
	scheme := "light"
	if t.Dark {
		scheme = "dark"
	}
	b.WriteString("--heading:" + heading + ";color-scheme:" + scheme + "}\n")
	return b.String()
}

// Nth counts from one.
func (v view) Nth(i int) int { return i + 1 }
