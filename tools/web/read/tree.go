package read

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of a page's tree. Elements below the deepest level become its neighbours: their text stays, their nesting goes.
const (
	maxDepth = 120
	maxNodes = 400_000
	maxToken = 4 << 20
)

// node is an element, or a text when tag is 0 and name is empty.
type node struct {
	tag    atom.Atom // 0 for elements that are not known
	name   string
	attr   []html.Attribute
	text   string
	kids   []*node
	parent *node
	letter int // of visible text in it; filled by weigh
	linked int // of these in links
}

func (n *node) get(key string) string {
	for _, a := range n.attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func (n *node) has(key string) bool {
	for _, a := range n.attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// void elements have no end.
var void = atoms("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")

// ends says which open elements an element's beginning ends, as far up as the one in whose scope it stands.
var ends = map[atom.Atom]struct{ these, within map[atom.Atom]bool }{
	atom.Li:     {atoms("li", "p"), atoms("ul", "ol", "menu")},
	atom.Dt:     {atoms("dt", "dd", "p"), atoms("dl")},
	atom.Dd:     {atoms("dt", "dd", "p"), atoms("dl")},
	atom.Tr:     {atoms("tr", "td", "th", "p"), atoms("table", "tbody", "thead", "tfoot")},
	atom.Td:     {atoms("td", "th", "p"), atoms("tr", "table")},
	atom.Th:     {atoms("td", "th", "p"), atoms("tr", "table")},
	atom.Tbody:  {atoms("tbody", "thead", "tr", "td", "th", "p"), atoms("table")},
	atom.Thead:  {atoms("tbody", "thead", "tr", "td", "th", "p"), atoms("table")},
	atom.Tfoot:  {atoms("tbody", "thead", "tr", "td", "th", "p"), atoms("table")},
	atom.Option: {atoms("option"), atoms("select")},
}

// block elements stand on lines of their own, and end an open paragraph.
var block = atoms("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
	"form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "ul", "tr", "td", "th",
	"tbody", "thead", "tfoot", "caption")

func atoms(names ...string) map[atom.Atom]bool {
	m := map[atom.Atom]bool{}
	for _, n := range names {
		m[atom.Lookup([]byte(n))] = true
	}
	return m
}

// grow makes a tree of a page in time linear to its length. It is not the tree of the HTML standard, whose rules for misplaced elements take quadratic
// time on pages that are made for it: elements end where their end, their parent's end or the next one of their kind says. cut: the page has more than is here.
func grow(page []byte) (tree *node, cut bool) {
	root := &node{name: "#root"}
	at, depth, count := root, 0, 0
	pop := func() { at, depth = at.parent, depth-1 }
	z := html.NewTokenizer(bytes.NewReader(page))
	z.SetMaxBuf(maxToken)
	for count < maxNodes {
		switch z.Next() {
		case html.ErrorToken:
			return root, !errors.Is(z.Err(), io.EOF)
		case html.TextToken:
			count++
			at.kids = append(at.kids, &node{text: string(z.Text()), parent: at})
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			count++
			if e, ok := ends[t.DataAtom]; ok {
				for up := at; up != root && !e.within[up.tag] && up.tag != atom.Table; up = up.parent {
					if e.these[up.tag] {
						for at != up {
							pop()
						}
						pop()
						up = &node{parent: at}
					}
				}
			} else if at.tag == atom.P && block[t.DataAtom] {
				pop()
			}
			n := &node{tag: t.DataAtom, name: t.Data, attr: t.Attr, parent: at}
			at.kids = append(at.kids, n)
			if !void[t.DataAtom] && t.Type == html.StartTagToken && depth < maxDepth {
				at, depth = n, depth+1
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			for up := at; up != root; up = up.parent {
				if up.name == string(name) {
					for at != up {
						pop()
					}
					pop()
					break
				}
			}
		}
	}
	return root, true
}

// walk visits n and what is in it, before its kids; visit says whether to go into them.
func (n *node) walk(visit func(*node) bool) {
	if !visit(n) {
		return
	}
	for _, k := range n.kids {
		k.walk(visit)
	}
}

// words is the text in n, as it stands.
func (n *node) words() string {
	var out strings.Builder
	n.walk(func(k *node) bool {
		out.WriteString(k.text)
		return true
	})
	return out.String()
}
