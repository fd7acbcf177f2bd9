package search

import (
	"context"
	"net/url"
	"strings"

	"github.com/hmap-project/hmap/tools/knowledge"
)

// Bounds of what one search holds.
const (
	maxPool      = 3000 // passages
	maxPerSource = 250
	perQuery     = 5 // passages that a query is answered from
)

// Source is what a citation leads to: a page, or a file of a folder.
type Source struct {
	Number    int    `json:"number"` // in the answer, from 1
	Title     string `json:"title"`
	Link      string `json:"link,omitempty"` // of a page, or of where a file says it comes from
	File      string `json:"file,omitempty"` // of a folder; empty for pages
	Published string `json:"published,omitempty"`
	// Snippet: the page could not be read, and what is quoted are the engine's words from it.
	Snippet bool `json:"snippet,omitempty"`
}

// key tells sources apart: a page is one, and so is a section of a file.
func (s Source) key() string {
	if s.File != "" {
		return "file:" + s.File + "\n" + s.Title
	}
	return pageKey(s.Link)
}

// pool are the passages that were found, each once, and where they come from.
type pool struct {
	sources  map[string]*Source // by key
	passages []knowledge.Passage
	prints   []print
	from     []string // the key of each passage's source
	whole    map[string]print
	same     int // passages and pages that said what others do
	base     *knowledge.Base
}

func newPool() *pool {
	return &pool{sources: map[string]*Source{}, whole: map[string]print{}}
}

// close lets go of the index.
func (p *pool) close() error {
	if p.base == nil {
		return nil
	}
	b := p.base
	p.base = nil
	return b.Close()
}

// has reports whether a page is here already, whole.
func (p *pool) has(address string) bool {
	s := p.sources[pageKey(address)]
	return s != nil && !s.Snippet
}

// page adds a page's text. One that says as a whole what another does is left out.
func (p *pool) page(s Source, markdown string) {
	whole := printOf(markdown)
	for _, before := range p.whole {
		if len(whole) > 0 && before.like(whole) >= sameText {
			p.same++
			return
		}
	}
	key := s.key()
	if old := p.sources[key]; old != nil && old.Snippet { // now it could be read
		old.Snippet = false
		p.drop(key)
	}
	p.whole[key] = whole
	p.add(s, knowledge.Cut(s.Link, s.Title, s.Link, markdown))
}

// snippet adds an engine's words from a page that could not be read.
func (p *pool) snippet(h Hit) {
	s := Source{Title: h.Title, Link: h.URL, Published: h.Published, Snippet: true}
	if s.Title == "" {
		s.Title = host(h.URL)
	}
	if p.sources[s.key()] == nil && len([]rune(h.Snippet)) >= 20 {
		p.add(s, knowledge.Cut(h.URL, s.Title, h.URL, h.Snippet))
	}
}

// local adds a passage of a folder.
func (p *pool) local(one knowledge.Passage) {
	title := one.Title
	if one.Section != "" && one.Section != title {
		title += " / " + one.Section
	}
	s := Source{Title: title, Link: one.Link, File: one.File}
	p.add(s, []knowledge.Passage{one})
}

func (p *pool) add(s Source, passages []knowledge.Passage) {
	key := s.key()
	for i, one := range passages {
		if i >= maxPerSource || len(p.passages) >= maxPool {
			return
		}
		mark := printOf(one.Text)
		if len(mark) == 0 || p.known(mark, one.Text) {
			p.same++
			continue
		}
		if p.sources[key] == nil {
			p.sources[key] = &s
		}
		p.passages, p.prints, p.from = append(p.passages, one), append(p.prints, mark), append(p.from, key)
	}
}

func (p *pool) known(mark print, text string) bool {
	for i, before := range p.prints {
		if before.like(mark) >= sameText || p.passages[i].Text == text {
			return true
		}
	}
	return false
}

// drop takes a source's passages out.
func (p *pool) drop(key string) {
	n := 0
	for i := range p.passages {
		if p.from[i] != key {
			p.passages[n], p.prints[n], p.from[n] = p.passages[i], p.prints[i], p.from[i]
			n++
		}
	}
	p.passages, p.prints, p.from = p.passages[:n], p.prints[:n], p.from[:n]
}

// index makes what is here searchable.
func (p *pool) index() error {
	if err := p.close(); err != nil || len(p.passages) == 0 {
		return err
	}
	marked := make([]knowledge.Passage, len(p.passages))
	for i, one := range p.passages {
		one.File = p.from[i]
		marked[i] = one
	}
	var err error
	p.base, err = knowledge.Of(marked)
	return err
}

// aboutIt is how much of the question itself a passage must hold, with its title, to answer one side of it: else a passage about penalties of any sort
// would answer for those of late shipment.
const aboutIt = 0.34

// find are the passages that answer a query, best first; each is about the core of the question, too.
func (p *pool) find(ctx context.Context, q Query, core set) ([]knowledge.Passage, error) {
	if p.base == nil {
		return nil, ctx.Err()
	}
	found, err := p.base.Search(ctx, q.Text, 3*perQuery)
	if err != nil {
		return nil, err
	}
	var out []knowledge.Passage
	for _, one := range found {
		held := split(strings.ToLower(one.Title + "\n" + one.Section + "\n" + one.Text + "\n" + one.TextEn))
		if len(core) > 0 && float64(core.in(held)) < aboutIt*float64(len(core)) {
			continue
		}
		if out = append(out, one); len(out) == perQuery {
			break
		}
	}
	return out, nil
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}
