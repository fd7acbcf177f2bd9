package plan

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// Scored is a card found for a query.
type Scored struct {
	Card bus.Card
	// Score is the fused rank score; only comparable within one query.
	Score float64
	// Fit is the share of the query's informative words that the card knows, 0–1; comparable between queries.
	Fit float64
	Why Why
}

// Why holds the single signals: BM25 over words, cosine of hashed n-grams, cosine of embeddings. 0 where there is none.
type Why struct {
	Words, Grams, Embedding float64
}

// Find gives the k cards nearest to the query, best first; fewer when nothing speaks for more. Equal scores stand in the
// order of the cards.
func (x *Index) Find(query string, k int) []Scored {
	ranked := x.rank(clip(query, MaxText))
	k = min(max(k, 0), len(ranked))
	out := make([]Scored, 0, k)
	for _, r := range ranked[:k] {
		out = append(out, Scored{r.e.Card, r.score, r.fit, r.why})
	}
	return out
}

// ranked is an entry with its signals.
type ranked struct {
	e     *entry
	score float64
	fit   float64
	why   Why
}

// postings is an inverted index with term weights, for words and for hashed n-grams alike.
type postings struct {
	ids   map[string]int
	lists [][]posting
	len   []float64 // weighted length of each document
	mean  float64
	norm  []float64 // of the tf-idf vector
}

type posting struct {
	doc    int
	weight float64
}

// weighted are parts of a document with the weight of their terms.
type weighted struct {
	terms  []string
	weight float64
}

func newPostings(docs [][]weighted) *postings {
	p := &postings{ids: map[string]int{}, len: make([]float64, len(docs)), norm: make([]float64, len(docs))}
	for d, parts := range docs {
		tf := map[int]float64{}
		var order []int
		for _, part := range parts {
			for _, t := range part.terms {
				id, ok := p.ids[t]
				if !ok {
					id = len(p.lists)
					p.ids[t] = id
					p.lists = append(p.lists, nil)
				}
				if tf[id] == 0 {
					order = append(order, id)
				}
				tf[id] += part.weight
				p.len[d] += part.weight
			}
		}
		for _, id := range order {
			p.lists[id] = append(p.lists[id], posting{d, tf[id]})
		}
		p.mean += p.len[d]
	}
	if len(docs) > 0 {
		p.mean /= float64(len(docs))
	}
	for id, list := range p.lists {
		w := p.idf(id)
		for _, q := range list {
			v := (1 + math.Log(1+q.weight)) * w
			p.norm[q.doc] += v * v
		}
	}
	return p
}

// idf is how telling a term is; an unknown term (id < 0) is as telling as one that a single card has.
func (p *postings) idf(id int) float64 {
	df := 0.5
	if id >= 0 {
		df = float64(len(p.lists[id]))
	}
	return math.Log(1 + (float64(len(p.len))+0.5)/(df+0.5))
}

func (p *postings) id(term string) int {
	if id, ok := p.ids[term]; ok {
		return id
	}
	return -1
}

// bm25 with the usual k1 and b (Robertson and Zaragoza 2009), b lowered since descriptions are short by nature.
func (p *postings) bm25(terms map[string]float64, order []string, into []float64) {
	const k1, b = 1.2, 0.4
	for _, t := range order {
		id := p.id(t)
		if id < 0 {
			continue
		}
		w := p.idf(id) * terms[t]
		for _, q := range p.lists[id] {
			into[q.doc] += w * q.weight * (k1 + 1) / (q.weight + k1*(1-b+b*p.len[q.doc]/p.mean))
		}
	}
}

// cosine of tf-idf vectors.
func (p *postings) cosine(terms map[string]float64, order []string, into []float64) {
	norm := 0.0
	for _, t := range order {
		id := p.id(t)
		w := p.idf(id)
		qw := terms[t] * w
		norm += qw * qw
		if id < 0 {
			continue
		}
		for _, q := range p.lists[id] {
			into[q.doc] += qw * (1 + math.Log(1+q.weight)) * w
		}
	}
	for d := range into {
		if into[d] > 0 {
			into[d] /= math.Sqrt(norm * p.norm[d])
		}
	}
}

// retrieval builds the three signals.
func (x *Index) retrieval() {
	x.lexicon = newLexicon(x.entries)
	docs := make([][]weighted, len(x.entries))
	hashed := make([][]weighted, len(x.entries))
	texts := make([]string, len(x.entries))
	for i, e := range x.entries {
		var params, returns strings.Builder
		for _, f := range e.params {
			params.WriteString(f.Name + " " + f.Title + " " + f.Desc + " ")
		}
		for _, f := range e.returns {
			returns.WriteString(f.Name + " " + f.Title + " " + f.Desc + " ")
		}
		about := strings.Join(append(slices.Clone(e.Tags), e.Skills...), " ")
		docs[i] = []weighted{
			{words(e.Name), 3}, {words(e.Description), 2}, {words(about), 2},
			{words(params.String()), 0.5}, {words(returns.String()), 0.5},
		}
		hashed[i] = []weighted{{hashes(e.Name), 2}, {hashes(e.Description + " " + about), 2}, {hashes(returns.String()), 0.3}, {hashes(params.String()), 0.3}}
		texts[i] = e.Name + ": " + e.Description
	}
	x.terms = newPostings(docs)
	if x.options.Without.Embedding {
		return
	}
	x.grams = newPostings(hashed)
	if x.options.Embed != nil && len(texts) > 0 {
		if v := x.options.Embed(texts); len(v) == len(texts) {
			x.vectors = v
		}
	}
}

func hashes(s string) []string {
	gs := grams(s)
	out := make([]string, len(gs))
	for i, g := range gs {
		out[i] = string(rune(g + 0x10000)) // a short key, not text
	}
	return out
}

// rank scores all cards that share anything with the text.
func (x *Index) rank(text string) []ranked {
	terms, order := bag(content(text))
	x.lexicon.widen(terms, &order)
	n := len(x.entries)
	score := make([]float64, n)
	all := make([]ranked, n)
	for i, e := range x.entries {
		all[i].e = e
	}
	signal := func(weight float64, values []float64, keep func(*ranked, float64)) {
		by := make([]int, 0, n)
		for i, v := range values {
			if v > 0 {
				by = append(by, i)
				keep(&all[i], v)
			}
		}
		slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
		for place, i := range by {
			// Reciprocal rank fusion with k = 60 (Cormack, Clarke and Büttcher 2009), and the share of the best value, so
			// that a clear winner of one signal is not lost among near ties of another.
			score[i] += weight * (1/(60+float64(place)) + 0.05*values[i]/values[by[0]])
		}
	}
	bm := make([]float64, n)
	x.terms.bm25(terms, order, bm)
	signal(1, bm, func(r *ranked, v float64) { r.why.Words = v })
	if x.grams != nil {
		gt, gorder := bag(hashes(strings.Join(gramText(text), " ")))
		cs := make([]float64, n)
		x.grams.cosine(gt, gorder, cs)
		signal(0.7, cs, func(r *ranked, v float64) { r.why.Grams = v })
	}
	if x.vectors != nil {
		if q := x.options.Embed([]string{text}); len(q) == 1 {
			es := make([]float64, n)
			for i, v := range x.vectors {
				es[i] = max(0, dot(q[0], v))
			}
			signal(1.5, es, func(r *ranked, v float64) { r.why.Embedding = v })
		}
	}
	out := all[:0]
	for i := range all {
		if score[i] > 0 {
			all[i].score = score[i]
			out = append(out, all[i])
		}
	}
	slices.SortStableFunc(out, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	for i := range out[:min(len(out), smallHouse)] { // nobody looks further down
		out[i].fit = x.fit(terms, order, out[i].e)
	}
	return out
}

// fit is the share of the informative words that the card's own text knows.
func (x *Index) fit(terms map[string]float64, order []string, e *entry) float64 {
	sum, hit := 0.0, 0.0
	for _, t := range order {
		w := x.terms.idf(x.terms.id(t)) * terms[t]
		sum += w
		if e.vocab[t] {
			hit += w
		}
	}
	if sum == 0 {
		return 0
	}
	return hit / sum
}

// gramText is the content of a text as words and runs, for hashing.
func gramText(s string) []string {
	var out []string
	for _, p := range pieces(s) {
		if !p.han {
			if w := strings.ToLower(p.text); !stopEnglish[w] && !digits(w) {
				out = append(out, w)
			}
			continue
		}
		for _, r := range contentRuns(p.text) {
			out = append(out, r.text)
		}
	}
	return out
}

// bag counts terms and keeps their first order, so that sums run in one order every time.
func bag(terms []string) (map[string]float64, []string) {
	m := make(map[string]float64, len(terms))
	var order []string
	for _, t := range terms {
		if m[t] == 0 {
			order = append(order, t)
		}
		m[t] = min(m[t]+1, 2)
	}
	return m, order
}

// dot is the cosine of two vectors; 0 when their lengths differ or one is nil.
func dot(a, b []float32) float64 {
	if len(a) == 0 || len(a) != len(b) {
		return 0
	}
	var s, na, nb float64
	for i := range a {
		s += float64(a[i]) * float64(b[i])
		na += float64(a[i]) * float64(a[i])
		nb += float64(b[i]) * float64(b[i])
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return s / math.Sqrt(na*nb)
}
