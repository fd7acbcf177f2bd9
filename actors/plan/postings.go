package plan

import "math"

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
	log    float64 // 1 + ln(1 + weight), for the cosine
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
			p.lists[id] = append(p.lists[id], posting{d, tf[id], 1 + math.Log(1+tf[id])})
		}
		p.mean += p.len[d]
	}
	if len(docs) > 0 {
		p.mean /= float64(len(docs))
	}
	for id, list := range p.lists {
		w := p.idf(id)
		for _, q := range list {
			v := q.log * w
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

// add is bm25 of one term, weighted.
func (p *postings) add(id int, weight float64, into []float64) {
	const k1, b = 1.2, 0.4
	if id < 0 {
		return
	}
	for _, q := range p.lists[id] {
		into[q.doc] += weight * q.weight * (k1 + 1) / (q.weight + k1*(1-b+b*p.len[q.doc]/p.mean))
	}
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
			into[q.doc] += qw * q.log * w
		}
	}
	for d := range into {
		if into[d] > 0 {
			into[d] /= math.Sqrt(norm * p.norm[d])
		}
	}
}
