package plan

import "math"

// postings is an inverted index with term weights, for words and for hashed n-grams alike.
type postings[K comparable] struct {
	ids   map[K]int
	lists [][]posting
	len   []float64 // weighted length of each document
	mean  float64
	norm  []float64 // of the tf-idf vector
}

type posting struct {
	doc    int32
	weight float32
	log    float32 // 1 + ln(1 + weight), for the cosine
}

// weighted are parts of a document with the weight of their terms.
type weighted[K comparable] struct {
	terms  []K
	weight float64
}

func newPostings[K comparable](docs [][]weighted[K]) *postings[K] {
	p := &postings[K]{ids: map[K]int{}, len: make([]float64, len(docs)), norm: make([]float64, len(docs))}
	var tf []float64 // by term, of one document at a time
	var order []int
	for d, parts := range docs {
		for _, part := range parts {
			for _, t := range part.terms {
				id, ok := p.ids[t]
				if !ok {
					id = len(p.lists)
					p.ids[t] = id
					p.lists = append(p.lists, nil)
					tf = append(tf, 0)
				}
				if tf[id] == 0 {
					order = append(order, id)
				}
				tf[id] += part.weight
				p.len[d] += part.weight
			}
		}
		for _, id := range order {
			p.lists[id] = append(p.lists[id], posting{int32(d), float32(tf[id]), float32(1 + math.Log(1+tf[id]))})
			tf[id] = 0
		}
		order = order[:0]
		p.mean += p.len[d]
	}
	if len(docs) > 0 {
		p.mean /= float64(len(docs))
	}
	for id, list := range p.lists {
		w := p.idf(id)
		for _, q := range list {
			v := float64(q.log) * w
			p.norm[q.doc] += v * v
		}
	}
	return p
}

// idf is how telling a term is; an unknown term (id < 0) is as telling as one that a single card has.
func (p *postings[K]) idf(id int) float64 {
	df := 0.5
	if id >= 0 {
		df = float64(len(p.lists[id]))
	}
	return math.Log(1 + (float64(len(p.len))+0.5)/(df+0.5))
}

func (p *postings[K]) id(term K) int {
	if id, ok := p.ids[term]; ok {
		return id
	}
	return -1
}

// add adds to each document what one weighted term gives it by BM25, with the usual k1 and b (Robertson and Zaragoza 2009),
// b lowered since descriptions are short by nature.
func (p *postings[K]) add(id int, weight float64, into []float64) {
	const k1, b = 1.2, 0.4
	if id < 0 {
		return
	}
	for _, q := range p.lists[id] {
		tf := float64(q.weight)
		into[q.doc] += weight * tf * (k1 + 1) / (tf + k1*(1-b+b*p.len[q.doc]/p.mean))
	}
}

// bm25 of a bag of terms.
func (p *postings[K]) bm25(terms map[K]float64, order []K, into []float64) {
	for _, t := range order {
		id := p.id(t)
		p.add(id, p.idf(id)*terms[t], into)
	}
}

// cosine of tf-idf vectors.
func (p *postings[K]) cosine(terms map[K]float64, order []K, into []float64) {
	norm := 0.0
	for _, t := range order {
		id := p.id(t)
		w := p.idf(id)
		qw := terms[t] * w
		norm += qw * qw
		if id < 0 {
			continue
		}
		qw *= w
		for _, q := range p.lists[id] {
			into[q.doc] += qw * float64(q.log)
		}
	}
	for d := range into {
		if into[d] > 0 {
			into[d] /= math.Sqrt(norm * p.norm[d])
		}
	}
}
