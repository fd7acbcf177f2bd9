package read

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// writer writes a tree as Markdown.
type writer struct {
	strings.Builder
	base  *url.URL
	line  string // what each new line begins with: quotes and the depth of lists
	lists int    // that are open
	tight bool   // in a cell: no line ends
	begun bool   // something stands on this line
	space bool   // a space is owed
}

// fresh begins a line, with an empty one before it when n is 2.
func (w *writer) fresh(n int) {
	if w.tight {
		w.space = true
		return
	}
	w.space = false
	if !w.begun && w.Len() > 0 && n < 2 || w.Len() == 0 {
		return
	}
	s := w.String()
	have := len(s) - len(strings.TrimRight(s, "\n"))
	for ; have < n; have++ {
		w.WriteByte('\n')
	}
	w.begun = false
}

// text writes words, with spaces as a browser shows them.
func (w *writer) text(s string) {
	for i, r := range s {
		switch r {
		case ' ', '\n', '\t', '\r', '\f':
			w.space = true
			continue
		}
		w.lead()
		if !w.begun {
			w.WriteString(w.line)
			if strings.HasPrefix(s[i:], "#") || strings.HasPrefix(s[i:], ">") || strings.HasPrefix(s[i:], "```") || strings.HasPrefix(s[i:], "---") {
				w.WriteByte('\\') // it is no heading, quote or fence of ours
			}
			w.begun = true
		}
		if w.tight && r == '|' {
			w.WriteByte('\\')
		}
		w.WriteRune(r)
	}
}

// lead writes the space that is owed.
func (w *writer) lead() {
	if w.space && w.begun {
		w.WriteByte(' ')
	}
	w.space = false
}

func (w *writer) raw(s string) {
	w.lead()
	if !w.begun {
		w.WriteString(w.line)
		w.begun = true
	}
	w.WriteString(s)
}

func (w *writer) kids(n *node) {
	for _, k := range n.kids {
		if w.Len() > maxText {
			return
		}
		w.node(k)
	}
}

func (w *writer) node(n *node) {
	if n.text != "" {
		w.text(n.text)
		return
	}
	switch n.tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if n.letter == 0 {
			return
		}
		w.fresh(2)
		w.raw(strings.Repeat("#", int(n.name[1]-'0')) + " ")
		was := w.tight
		w.tight = true
		w.kids(n)
		w.tight = was
		w.fresh(2)
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Figure, atom.Dl, atom.Details:
		gap := 2
		if n.tag == atom.Div {
			gap = 1
		}
		w.fresh(gap)
		w.kids(n)
		w.fresh(gap)
	case atom.Br:
		w.fresh(1)
	case atom.Hr:
		w.fresh(2)
	case atom.Ul, atom.Ol, atom.Menu:
		w.list(n)
	case atom.Blockquote:
		w.fresh(2)
		was := w.line
		w.line += "> "
		w.kids(n)
		w.line = was
		w.fresh(2)
	case atom.Pre:
		w.code(n)
	case atom.Table:
		w.table(n)
	case atom.A:
		w.link(n)
	case atom.Code, atom.Kbd, atom.Samp:
		if s := n.words(); short(s, 200) && !strings.Contains(s, "`") && strings.TrimSpace(s) != "" {
			w.raw("`" + strings.Join(strings.Fields(s), " ") + "`")
			return
		}
		w.kids(n)
	case atom.Img:
		if alt := oneLine(n.get("alt"), 120); len(alt) > 3 && w.base != nil {
			w.text(" " + alt + " ")
		}
	default:
		if block[n.tag] {
			w.fresh(1)
			w.kids(n)
			w.fresh(1)
			return
		}
		w.kids(n)
	}
}

func (w *writer) list(n *node) {
	if w.tight {
		w.kids(n)
		return
	}
	gap := 1
	if w.lists == 0 {
		gap = 2
	}
	w.fresh(gap)
	was, number := w.line, 0
	w.lists++
	for _, k := range n.kids {
		if k.tag != atom.Li {
			if k.text == "" || k.letter > 0 {
				w.node(k)
			}
			continue
		}
		if k.letter == 0 {
			continue
		}
		w.fresh(1)
		w.line = was
		mark := "- "
		if number++; n.tag == atom.Ol {
			mark = strconv.Itoa(number) + ". "
		}
		w.raw(mark)
		w.line = was + strings.Repeat(" ", len(mark))
		w.kids(k)
		w.fresh(1)
	}
	w.line = was
	w.lists--
	w.fresh(gap)
}

func (w *writer) code(n *node) {
	s := strings.Trim(n.words(), "\n")
	if strings.TrimSpace(s) == "" {
		return
	}
	if w.tight {
		w.text(s)
		return
	}
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	w.fresh(2)
	w.WriteString(fence + "\n" + s + "\n" + fence)
	w.begun = true
	w.fresh(2)
}

var schemes = regexp.MustCompile(`^https?$`)

// maxLink is the longest text of a link, in characters; a longer one stands without its address.
const maxLink = 300

// link writes words with their address, when links are wanted and it is one of the web.
func (w *writer) link(n *node) {
	href := strings.TrimSpace(n.get("href"))
	if w.base == nil || n.letter == 0 || href == "" || strings.HasPrefix(href, "#") || len(href) > 1000 {
		w.kids(n)
		return
	}
	u, err := w.base.Parse(href)
	if err != nil || !schemes.MatchString(u.Scheme) || u.Host == "" || u.User != nil {
		w.kids(n)
		return
	}
	words := ""
	if n.letter <= maxLink { // or the text of each link around this one would be gathered, to be thrown away
		words = strings.Join(strings.Fields(n.words()), " ")
	}
	if words == "" || !short(words, maxLink) {
		w.kids(n)
		return
	}
	w.raw("[" + strings.NewReplacer("[", "(", "]", ")", "|", "/").Replace(words) + "](" + strings.NewReplacer("(", "%28", ")", "%29", "|", "%7C").Replace(u.String()) + ")")
}

// table writes rows of cells as a table of Markdown; one that only lays out a page, with blocks or tables in its cells, as the blocks.
func (w *writer) table(n *node) {
	var rows [][]*node
	layout := w.tight
	n.walk(func(k *node) bool {
		switch {
		case k != n && k.tag == atom.Table, k.tag == atom.H1, k.tag == atom.H2, k.tag == atom.Pre, k.tag == atom.Ul:
			layout = true
			return false
		case k.tag == atom.Tr:
			var row []*node
			for _, c := range k.kids {
				if c.tag == atom.Td || c.tag == atom.Th {
					row = append(row, c)
				}
			}
			if len(row) > 0 {
				rows = append(rows, row)
			}
		}
		return true
	})
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	if layout || width < 2 || width > 60 || len(rows) < 2 {
		w.fresh(2)
		w.kids(n)
		w.fresh(2)
		return
	}
	w.fresh(2)
	for i, r := range rows {
		if w.Len() > maxText {
			return
		}
		w.WriteString("|")
		for j := range width {
			w.WriteByte(' ')
			if j < len(r) {
				w.tight, w.begun, w.space = true, true, false
				w.kids(r[j])
				w.tight, w.space = false, false
			}
			w.WriteString(" |")
		}
		w.WriteByte('\n')
		if i == 0 {
			w.WriteString("|" + strings.Repeat(" --- |", width) + "\n")
		}
	}
	w.begun = false
	w.fresh(2)
}
