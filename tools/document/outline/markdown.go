package outline

import (
	"bytes"
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Kind is what a block is.
type Kind int

// The blocks that a text is made of.
const (
	Paragraph Kind = iota
	Heading
	Item // of a list
	Quote
	Code
	Grid // a table
	Rule
)

// Block is a piece of running text. A text is a flat list of them: what is nested says so by Depth.
type Block struct {
	Kind Kind
	Runs []Run // not of Code, Grid and Rule
	// Level is that of a heading, 1 to 6.
	Level int
	// Depth is that of an item, 0 for the outermost list. Mark is what stands before it: "1." or "" for a bullet; "☐" and "☑" are tasks.
	Depth int
	Mark  string
	Text  string // of Code, without the last line end
	Table *Table // of Grid
}

// Run is text of one look.
type Run struct {
	Text                       string
	Bold, Italic, Code, Strike bool
	// Link is where it leads: http, https or mailto, nothing else; empty for none.
	Link string
	// Cite is the number of the source that Text, like "[2]", cites; 0 for none.
	Cite int
}

// maxDepth bounds nested lists; deeper ones are laid flat, as quotes in quotes are.
const maxDepth = 6

// tabular is the one reader of Markdown; it has no state.
var tabular = goldmark.New(goldmark.WithExtensions(extension.Linkify, extension.Strikethrough, extension.TaskList), goldmark.WithParserOptions(
	parser.WithParagraphTransformers(util.Prioritized(grids{extension.NewTableParagraphTransformer()}, 200)),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)).Parser()

// grids makes tables of paragraphs, but for those that would have more than maxGrid cells: the reader fills up short rows, so that two bytes a row below a
// head of thousands of columns would be more than a machine has room for. A table that is written out has fewer cells than bytes.
type grids struct{ parser.ParagraphTransformer }

const maxGrid = 2 * MaxText

// Transform is that of [parser.ParagraphTransformer].
func (g grids) Transform(p *ast.Paragraph, r text.Reader, pc parser.Context) {
	lines, source := p.Lines(), r.Source()
	for i := range lines.Len() {
		at := lines.At(i)
		line := at.Value(source)
		if len(bytes.Trim(line, "|:- \t\r\n")) == 0 && (bytes.Count(line, []byte("|"))+1)*lines.Len() > maxGrid {
			return
		}
	}
	g.ParagraphTransformer.Transform(p, r, pc)
}

// Blocks reads Markdown. sources is how many sources may be cited. HTML in it loses its tags, scripts are dropped whole, links other than to web and mail
// are plain text, and pictures are their description: nothing that comes out is more than text.
func Blocks(markdown string, sources int) []Block {
	source := []byte(tame(Tidy(cut(markdown, MaxText))))
	r := reader{source: source, sources: sources}
	r.blocks(tabular.Parse(text.NewReader(source)), false)
	return r.out
}

type reader struct {
	source  []byte
	sources int
	out     []Block
}

func (r *reader) blocks(parent ast.Node, quoted bool) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			r.put(Block{Kind: Heading, Level: n.Level, Runs: r.runs(n)})
		case *ast.Paragraph, *ast.TextBlock:
			kind := Paragraph
			if quoted {
				kind = Quote
			}
			r.put(Block{Kind: kind, Runs: r.runs(n)})
		case *ast.Blockquote:
			r.blocks(n, true)
		case *ast.List:
			r.list(n, 0)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			r.put(Block{Kind: Code, Text: strings.TrimRight(string(n.Lines().Value(r.source)), "\n")})
		case *ast.HTMLBlock:
			if s := strings.TrimSpace(untag(string(n.Lines().Value(r.source)))); s != "" {
				r.put(Block{Kind: Paragraph, Runs: []Run{{Text: s}}})
			}
		case *ast.ThematicBreak:
			r.put(Block{Kind: Rule})
		case *east.Table:
			r.put(Block{Kind: Grid, Table: r.table(n)})
		}
	}
}

func (r *reader) put(b Block) {
	if len(b.Runs) > 0 || b.Kind == Code || b.Kind == Rule || b.Table != nil {
		r.out = append(r.out, b)
	}
}

func (r *reader) list(l *ast.List, depth int) {
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		first := true
		for n := item.FirstChild(); n != nil; n = n.NextSibling() {
			if sub, ok := n.(*ast.List); ok {
				r.list(sub, min(depth+1, maxDepth))
				continue
			}
			b := Block{Kind: Item, Depth: depth, Runs: r.runs(n)}
			switch n := n.(type) {
			case *ast.FencedCodeBlock, *ast.CodeBlock:
				b = Block{Kind: Code, Text: strings.TrimRight(string(n.Lines().Value(r.source)), "\n")}
			default:
				if !first {
					b.Kind = Paragraph
				} else if l.IsOrdered() {
					b.Mark = strconv.Itoa(number) + "."
				} else if box, ok := n.FirstChild().(*east.TaskCheckBox); ok {
					b.Mark = "☐"
					if box.IsChecked {
						b.Mark = "☑"
					}
				}
			}
			first = false
			r.put(b)
		}
		number++
	}
}

func (r *reader) table(n *east.Table) *Table {
	t := &Table{}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []Cell
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, Read(Plain(r.runs(c))))
		}
		if _, head := row.(*east.TableHeader); head {
			for _, c := range cells {
				t.Columns = append(t.Columns, c.Text)
			}
			continue
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// runs are the inline pieces below a block, neighbours of one look joined.
func (r *reader) runs(n ast.Node) []Run {
	var out []Run
	put := func(run Run) {
		if run.Text == "" {
			return
		}
		if k := len(out) - 1; k >= 0 && run.Cite == 0 && out[k].Cite == 0 {
			last := out[k]
			last.Text = run.Text
			if last == run {
				out[k].Text += run.Text
				return
			}
		}
		out = append(out, run)
	}
	var walk func(n ast.Node, look Run, depth int)
	walk = func(n ast.Node, look Run, depth int) {
		for c := n.FirstChild(); c != nil && depth < 40; c = c.NextSibling() {
			run := look
			switch c := c.(type) {
			case *ast.Text:
				run.Text = string(c.Value(r.source))
				if !run.Code {
					run.Text = unescape(run.Text)
				}
				switch {
				case c.HardLineBreak():
					run.Text += "\n"
				case c.SoftLineBreak():
					run.Text += joint(run.Text, c.NextSibling(), r.source)
				}
				put(run)
			case *ast.String:
				run.Text = string(c.Value)
				put(run)
			case *ast.CodeSpan:
				run.Code = true
				walk(c, run, depth+1)
			case *ast.Emphasis:
				run.Bold, run.Italic = run.Bold || c.Level == 2, run.Italic || c.Level == 1
				walk(c, run, depth+1)
			case *east.Strikethrough:
				run.Strike = true
				walk(c, run, depth+1)
			case *ast.Link:
				run.Link = safeLink(string(c.Destination))
				walk(c, run, depth+1)
			case *ast.Image:
				run.Link = safeLink(string(c.Destination))
				walk(c, run, depth+1)
			case *ast.AutoLink:
				run.Text, run.Link = string(c.Label(r.source)), safeLink(string(c.URL(r.source)))
				put(run)
			case *ast.RawHTML:
				if tag := strings.ToLower(string(c.Segments.Value(r.source))); strings.HasPrefix(tag, "<br") {
					run.Text = "\n"
					put(run)
				}
			default:
				walk(c, run, depth+1)
			}
		}
	}
	walk(n, Run{}, 0)
	return r.cited(out)
}

// citation is a source cited in running text.
var citation = regexp.MustCompile(`\[(\d{1,4})\]`)

// cited parts runs where they cite sources that there are.
func (r *reader) cited(runs []Run) []Run {
	if r.sources == 0 {
		return runs
	}
	var out []Run
	for _, run := range runs {
		if run.Code || run.Link != "" {
			out = append(out, run)
			continue
		}
		rest := run.Text
		for _, at := range citation.FindAllStringSubmatchIndex(run.Text, -1) {
			n, err := strconv.Atoi(run.Text[at[2]:at[3]])
			if err != nil || n < 1 || n > r.sources {
				continue
			}
			from := len(run.Text) - len(rest)
			if before := run.Text[from:at[0]]; before != "" {
				piece := run
				piece.Text = before
				out = append(out, piece)
			}
			out = append(out, Run{Text: run.Text[at[0]:at[1]], Cite: n})
			rest = run.Text[at[1]:]
		}
		if run.Text = rest; rest != "" {
			out = append(out, run)
		}
	}
	return out
}

// Plain is the text of runs.
func Plain(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.Text)
	}
	return b.String()
}

// joint is what stands for a line end in the middle of a paragraph: a space, but nothing between Han characters.
func joint(before string, next ast.Node, source []byte) string {
	after := ""
	if t, ok := next.(*ast.Text); ok {
		after = string(t.Value(source))
	}
	if wideEnd(before) && (after == "" || wideStart(after)) {
		return ""
	}
	return " "
}

func wideEnd(s string) bool {
	r := []rune(s)
	return len(r) > 0 && Width(string(r[len(r)-1])) == 2
}

func wideStart(s string) bool {
	for _, r := range s {
		return Width(string(r)) == 2
	}
	return false
}

// escaped is a character that Markdown keeps from meaning anything, or an entity.
var escaped = regexp.MustCompile(`\\([!-/:-@\[-` + "`" + `{-~])`)

func unescape(s string) string {
	if strings.Contains(s, `\`) {
		s = escaped.ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "&") {
		s = Tidy(html.UnescapeString(s))
	}
	return s
}

var (
	scripted = regexp.MustCompile(`(?is)<(script|style|template|iframe|object|svg|math)\b.*?(</(script|style|template|iframe|object|svg|math)\s*>|$)`)
	comment  = regexp.MustCompile(`(?s)<!--.*?(-->|$)|<[?!].*?(>|$)`)
	tag      = regexp.MustCompile(`(?s)</?[A-Za-z][^>]*(>|$)`)
)

// untag is the text of a piece of HTML.
func untag(s string) string {
	s = tag.ReplaceAllString(comment.ReplaceAllString(scripted.ReplaceAllString(s, ""), ""), " ")
	return strings.Join(strings.Fields(Tidy(html.UnescapeString(s))), " ")
}
