package search

import (
	"cmp"
	"math"
	"net/url"
	"slices"

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
	sources map[string]*Source // by key
	held    []held
	whole   []print         // of the pages
	copies  map[string]bool // pages that say what another one does, by key
	same    int             // passages and pages that said what others do
}

// held is a passage of the pool.
type held struct {
	knowledge.Passage
	source string // its key
	mark   print
	terms  set
	given  []string // queries for which a folder gave it
}

func newPool() *pool { return &pool{sources: map[string]*Source{}, copies: map[string]bool{}} }

// has reports whether a page is here already, whole.
func (p *pool) has(address string) bool {
	s := p.sources[pageKey(address)]
	return s != nil && !s.Snippet
}

// page adds a page's text. One that says as a whole what another does is left out.
func (p *pool) page(s Source, markdown string) {
	whole := printOf(markdown)
	if slices.ContainsFunc(p.whole, func(before print) bool { return before.like(whole) >= sameText }) {
		p.same++
		p.copies[s.key()] = true
		return
	}
	p.whole = append(p.whole, whole)
	key := s.key()
	if old := p.sources[key]; old != nil && old.Snippet { // now it could be read
		delete(p.sources, key)
		p.held = slices.DeleteFunc(p.held, func(h held) bool { return h.source == key })
	}
	for i, one := range knowledge.Cut(s.Link, s.Title, s.Link, markdown) {
		if i == maxPerSource {
			break
		}
		p.add(s, one)
	}
}

// snippet adds an engine's words from a page that could not be read.
func (p *pool) snippet(h Hit) {
	s := Source{Title: h.Title, Link: h.URL, Published: h.Published, Snippet: true}
	if s.Title == "" {
		s.Title = host(h.URL)
	}
	if p.sources[s.key()] == nil && !p.copies[s.key()] && len([]rune(h.Snippet)) >= minText {
		for _, one := range knowledge.Cut(h.URL, s.Title, h.URL, h.Snippet) {
			p.add(s, one)
		}
	}
}

// local adds a passage that a folder gave for a query.
func (p *pool) local(one knowledge.Passage, query string) {
	title := one.Title
	if one.Section != "" && one.Section != title {
		title += " / " + one.Section
	}
	if i := p.add(Source{Title: title, Link: one.Link, File: one.File}, one); i >= 0 && !slices.Contains(p.held[i].given, query) {
		p.held[i].given = append(p.held[i].given, query)
	}
}

// add is where a passage stands in the pool, or the one that says the same; -1 when there is no room.
func (p *pool) add(s Source, one knowledge.Passage) int {
	mark := printOf(one.Text)
	for i := range p.held {
		if p.held[i].Text == one.Text || p.held[i].mark.like(mark) >= sameText {
			p.same++
			return i
		}
	}
	if len(mark) == 0 || len(p.held) >= maxPool {
		return -1
	}
	key := s.key()
	if p.sources[key] == nil {
		p.sources[key] = &s
	}
	p.held = append(p.held, held{Passage: one, source: key, mark: mark, terms: split(one.Title + "\n" + one.Section + "\n" + one.Text + "\n" + one.TextEn)})
	return len(p.held) - 1
}

// What a passage must hold to answer a query, in shares of the terms.
const (
	aboutIt  = 0.34 // of the question itself: else a passage about penalties of any sort would answer for those of late shipment
	aboutOne = 0.5  // of a part of the question, or of what a side adds to it
	aboutNew = 0.4  // of a query in a model's own words, which may be in another language
)

// find are the passages that answer a query, best first. question is the first query of all, core its terms.
//
// All that is here was found for the question, so its words are everywhere; that is why they are counted, and not weighed against what is rare here, except
// to put what fits in order.
func (p *pool) find(q Query, core set, question string) []held {
	words := termsOf(q.Text)
	side := words.without(core)
	weight := p.weights(words)
	var all []held
	for _, h := range p.held {
		given := slices.Contains(h.given, q.Text)
		fits := false
		switch {
		case q.free:
			fits = given || words.share(h.terms) >= aboutNew
		case len(side) > 0:
			fits = side.share(h.terms) >= aboutOne && (core.share(h.terms) >= aboutIt || slices.Contains(h.given, question))
		case q.Text == question:
			fits = given || words.share(h.terms) >= aboutIt
		case q.Round > 1: // with a word less than the question, which may be the one that says what it is about
			fits = words.share(h.terms) >= aboutOne && core.share(h.terms) >= aboutIt
		default:
			fits = given || words.share(h.terms) >= aboutOne
		}
		if !fits {
			continue
		}
		var whole, got float64
		for i, t := range words {
			whole += weight[i]
			if h.terms.has(t) {
				got += weight[i]
			}
		}
		if h.Score = got / max(whole, 1e-9); given {
			h.Score += 0.2 // its own search, over more than what is here, says so, too
		}
		all = append(all, h)
	}
	slices.SortStableFunc(all, func(a, b held) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(len(all), perQuery)]
}

// weights are those of terms: rare ones tell more.
func (p *pool) weights(terms set) []float64 {
	out := make([]float64, len(terms))
	for i, t := range terms {
		n := 0
		for _, h := range p.held {
			if h.terms.has(t) {
				n++
			}
		}
		out[i] = math.Log(1.5 + float64(len(p.held))/float64(n+1))
	}
	return out
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}
