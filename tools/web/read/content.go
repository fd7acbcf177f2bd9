package read

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// readHTML is the readable part of a page.
func readHTML(ctx context.Context, page []byte, base *url.URL) (Text, error) {
	root, cut := grow(page)
	if err := ctx.Err(); err != nil {
		return Text{}, context.Cause(ctx)
	}
	t := head(root)
	weigh(root, false)
	prune(root, root.letter)
	weigh(root, false)
	from := root
	if best := body(root); best != nil {
		from = best
	}
	w := writer{base: base}
	w.node(from)
	t.Markdown, t.Cut = clean(w.String())
	t.Cut = t.Cut || cut
	if t.Title == "" {
		t.Title = firstHeading(root)
	}
	return t, nil
}

var dayForm = regexp.MustCompile(`(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`)

// head reads what a page says of itself.
func head(root *node) Text {
	var t Text
	named := ""
	root.walk(func(n *node) bool {
		switch n.tag {
		case atom.Title:
			if n.parent.tag != atom.Svg && t.Title == "" {
				t.Title = oneLine(n.words(), 200)
			}
		case atom.Meta:
			value := n.get("content")
			switch strings.ToLower(n.get("property") + n.get("name") + n.get("itemprop")) {
			case "og:title":
				named = oneLine(value, 200)
			case "article:published_time", "datepublished", "date", "pubdate", "publishdate", "dc.date", "dc.date.issued", "parsely-pub-date":
				if day := dayForm.FindString(value); day != "" && t.Published == "" {
					t.Published = day
				}
			}
		}
		return n.tag != atom.Svg
	})
	if named != "" {
		t.Title = named
	}
	if _, err := time.Parse(time.DateOnly, t.Published); err != nil {
		t.Published = ""
	}
	return t
}

func firstHeading(root *node) string {
	found := ""
	root.walk(func(n *node) bool {
		if n.tag == atom.H1 && found == "" {
			found = oneLine(n.words(), 200)
		}
		return found == ""
	})
	return found
}

// unseen elements hold nothing that a reader reads.
var unseen = atoms("script", "style", "noscript", "template", "svg", "math", "iframe", "object", "embed", "canvas", "video", "audio", "map", "button", "input", "select", "textarea",
	"nav", "aside", "footer", "dialog", "head", "link", "meta", "title", "noframes")

// beside says by an element's names that it is not what the page is about. Only whole words count: "header" stands in articles, too.
var beside = regexp.MustCompile(`(?i)(^|[\s_-])(nav|navbar|navigation|menu|menubar|breadcrumbs?|sidebar|footer|comments?|disqus|share|sharing|social|related|recommend(ed|ations)?|advert(isement)?s?|ads?|adsbygoogle|banner|cookies?|consent|popup|modal|newsletter|subscribe|pagination|pager|toolbar|skip-link|copyright)($|[\s_-])`)

// prune takes off what is not read. What holds half of the page's letters is what the page is about, whatever its names are.
func prune(n *node, all int) {
	kept := n.kids[:0]
	for _, k := range n.kids {
		if k.name != "" && (hidden(k) || 2*k.letter < all && besides(k)) {
			continue
		}
		prune(k, all)
		kept = append(kept, k)
	}
	n.kids = kept
}

// vanishing is a style whose text is there and cannot be seen, where pages put words for machines alone.
var vanishing = regexp.MustCompile(`(^|;)(opacity|font-size):(0+(\.0*)?|\.0+)([a-z]+|%)?(!important)?(;|$)`)

func hidden(n *node) bool {
	if unseen[n.tag] || n.has("hidden") || n.get("aria-hidden") == "true" {
		return true
	}
	style := strings.ReplaceAll(strings.ToLower(n.get("style")), " ", "")
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") || vanishing.MatchString(style)
}

func besides(n *node) bool {
	switch n.get("role") {
	case "navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu":
		return true
	}
	return block[n.tag] && (beside.MatchString(n.get("class")) || beside.MatchString(n.get("id")))
}

// weigh counts the visible characters of each element, and those in links.
func weigh(n *node, link bool) {
	link = link || n.tag == atom.A
	n.letter, n.linked = 0, 0
	if unseen[n.tag] && n.name != "" {
		return
	}
	if n.text != "" {
		for _, r := range n.text {
			if !unicode.IsSpace(r) {
				n.letter++
			}
		}
		if link {
			n.linked = n.letter
		}
	}
	for _, k := range n.kids {
		weigh(k, link)
		n.letter += k.letter
		n.linked += k.linked
	}
}

// enoughOf is the share of a page's text outside links that the part with the most running text must hold to be taken for all of it.
const enoughOf = 0.4

// body is the part of a page that it is about: what it calls main or article, else the element with the most running text directly in it or in its
// children's paragraphs, less what is links (the idea of Arc90's readability). nil: take all of it.
func body(root *node) *node {
	all := root.letter - root.linked
	var called []*node
	score := map[*node]float64{}
	root.walk(func(n *node) bool {
		if n.tag == atom.Main || n.tag == atom.Article || n.get("role") == "main" || n.get("itemprop") == "articleBody" {
			called = append(called, n)
		}
		if n.tag == atom.P || n.tag == atom.Pre || n.tag == atom.Td || n.tag == atom.Li || n.tag == atom.Blockquote {
			if own := float64(n.letter - n.linked); own >= 20 {
				add := 1 + min(own/100, 3)
				score[n.parent] += add
				if n.parent.parent != nil {
					score[n.parent.parent] += add / 2
				}
			}
		}
		return true
	})
	var best *node
	most := 0.0
	for _, n := range called {
		if own := float64(n.letter - n.linked); own > most {
			best, most = n, own
		}
	}
	if best != nil && most >= enoughOf/2*float64(all) && most > 0 {
		return best
	}
	best, most = nil, 0
	root.walk(func(n *node) bool { // in the order of the page, so that ties fall alike
		if s := score[n]; s > 0 {
			if s *= 1 - float64(n.linked)/float64(max(n.letter, 1)); s > most {
				best, most = n, s
			}
		}
		return true
	})
	for best != nil && float64(best.letter-best.linked) < enoughOf*float64(all) {
		best = best.parent
	}
	return best
}

// short reports whether a text has at most n characters.
func short(s string, n int) bool { return utf8.RuneCountInString(s) <= n }
