package plan

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
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

// Find gives the k cards nearest to the query, best first; fewer when nothing speaks for more. A query that wants several
// things finds the cards for each of them: those that [Index.PlanAll] would take come first. Equal scores stand in the order
// of the cards.
func (x *Index) Find(query string, k int) []Scored {
	query = words.Clip(query, words.MaxText)
	found := x.rank(query)
	found = x.wanted(query, found)
	k = min(max(k, 0), len(found))
	out := make([]Scored, 0, k)
	for _, r := range found[:k] {
		out = append(out, Scored{r.e.Card, r.score, r.fit, r.why})
	}
	return out
}

// wanted puts the cards that the query wants before all others.
func (x *Index) wanted(query string, found []ranked) []ranked {
	g := goal{text: query, facts: facts.Read(query, time.Time{}, x.knows), clauses: []wishes.Clause{{Text: query, End: len(query)}}}
	s := x.survey(&g)
	s.choose()
	var order []*candidate
	for _, c := range s.candidates {
		if c.local > nothing {
			if !c.taken {
				c.likely = s.judge(c)
			}
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b *candidate) int {
		return cmp.Or(-cmp.Compare(words.Either[float64](a.taken, 1, 0), words.Either[float64](b.taken, 1, 0)), cmp.Compare(b.likely, a.likely))
	})
	place := map[*cards.Entry]int{}
	for i, r := range found {
		place[r.e] = i
	}
	var out []ranked
	put := func(c *candidate) {
		r := ranked{e: c.e}
		if i, ok := place[c.e]; ok {
			r = found[i]
		}
		r.score = 1 + c.likely // before all that only share words
		if c.taken {
			r.score++
		}
		out = append(out, r)
		place[c.e] = -1
	}
	for _, c := range order {
		if c.taken || x.vectors == nil { // vectors from outside know what no card says in words; the rank has them
			put(c)
		}
	}
	for _, r := range found {
		if place[r.e] >= 0 {
			out = append(out, r)
		}
	}
	return out
}

// ranked is an entry with its signals.
type ranked struct {
	e     *cards.Entry
	score float64
	fit   float64
	why   Why
}

// parts are of a card that the signals are made of.
type parts struct {
	words []weighted[string]
	grams []weighted[uint32]
}

func partsOf(e *cards.Entry) parts {
	var params, returns strings.Builder
	for _, f := range e.Params {
		params.WriteString(f.Name + " " + f.Title + " " + f.Desc + " ")
	}
	for _, f := range e.Gives {
		returns.WriteString(f.Name + " " + f.Title + " " + f.Desc + " ")
	}
	about := strings.Join(append(slices.Clone(e.Tags), e.Skills...), " ")
	return parts{
		[]weighted[string]{
			{words.Terms(e.Name), 3}, {words.Terms(e.Description), 2}, {words.Terms(about), 2},
			{words.Terms(params.String()), 0.5}, {words.Terms(returns.String()), 0.5},
		},
		[]weighted[uint32]{{words.Grams(e.Name), 2}, {words.Grams(e.Description + " " + about), 2}, {words.Grams(returns.String()), 0.3}, {words.Grams(params.String()), 0.3}},
	}
}

// retrieval builds the signals.
func (x *Index) retrieval() {
	x.lexicon = newLexicon(x.entries)
	docs := make([][]weighted[string], len(x.entries))
	hashed := make([][]weighted[uint32], len(x.entries))
	beside(len(x.entries), func(i int) {
		p := partsOf(x.entries[i])
		docs[i], hashed[i] = p.words, p.grams
	})
	x.terms = newPostings(docs)
	x.han = newHanCards(x.entries)
	worn := &badges{}
	for _, e := range x.entries {
		worn.add(e.NameWords, words.Content(e.Description))
	}
	none := worn.found()
	for _, e := range x.entries {
		for j := range e.Terms {
			t := &e.Terms[j]
			t.Name = t.Name && !none[t.Term]
			t.Id = x.terms.id(t.Term)
			t.Idf = x.terms.idf(t.Id)
			t.Sense = x.sense(t.Term)
		}
	}
	if x.options.Without.Embedding {
		return
	}
	x.grams = newPostings(hashed)
	if x.options.Embed != nil && len(x.entries) > 0 {
		texts := make([]string, len(x.entries))
		for i, e := range x.entries {
			texts[i] = e.Name + ": " + e.Description
		}
		if v := x.options.Embed(texts); len(v) == len(texts) {
			if x.trusted = trust(v, hashed); x.trusted > 0 {
				x.vectors = v
			}
		}
	}
}

// beside calls do for 0 to n-1, on all processors, and waits for all.
func beside(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// rank scores all cards that share anything with the text.
func (x *Index) rank(text string) []ranked {
	terms, order := bag(words.Content(text))
	x.lexicon.widen(terms, &order)
	n := len(x.entries)
	score := make([]float64, n)
	why := make([]Why, n)
	signal := func(weight float64, values []float64, keep func(*Why, float64)) {
		by := best(values)
		for _, i := range by {
			keep(&why[i], values[i])
		}
		for place, i := range by {
			// Reciprocal rank fusion with k = 60 (Cormack, Clarke and Büttcher 2009), and the share of the best value, so
			// that a clear winner of one signal is not lost among near ties of another.
			score[i] += weight * (1/(60+float64(place)) + 0.05*values[i]/values[by[0]])
		}
	}
	bm := make([]float64, n)
	x.terms.bm25(terms, order, bm)
	signal(1, bm, func(y *Why, v float64) { y.Words = v })
	if x.grams != nil {
		gt, gorder := bag(words.Grams(strings.Join(gramText(text), " ")))
		cs := make([]float64, n)
		x.grams.cosine(gt, gorder, cs)
		signal(0.7, cs, func(y *Why, v float64) { y.Grams = v })
	}
	if x.vectors != nil {
		if q := x.options.Embed([]string{text}); len(q) == 1 {
			es := make([]float64, n)
			for i, v := range x.vectors {
				es[i] = max(0, dot(q[0], v))
			}
			told := slices.Clone(score)
			signal(x.trusted, es, func(y *Why, v float64) { y.Embedding = v })
			x.sure(text, told, score)
		}
	}
	placed := best(score)
	out := make([]ranked, len(placed))
	for i, e := range placed {
		out[i] = ranked{e: x.entries[e], score: score[e], why: why[e]}
	}
	for i := range out[:min(len(out), smallHouse)] { // nobody looks further down
		out[i].fit = x.fit(terms, order, out[i].e)
	}
	return out
}

// sure sees to it that vectors put no card before one that the text names or knows wholly: it gets as much as the vectors gave to any.
func (x *Index) sure(text string, told, score []float64) {
	most := 0.0
	for i := range score {
		most = max(most, score[i]-told[i])
	}
	said := map[string]bool{}
	for _, w := range words.Terms(text) {
		said[w] = true
	}
	about := words.Content(text)
	all := func(terms []string, has map[string]bool) bool {
		return len(terms) > 0 && !slices.ContainsFunc(terms, func(t string) bool { return !has[t] })
	}
	by := best(told)
	for _, i := range by[:min(considered, len(by))] {
		if e := x.entries[i]; all(e.NameWords, said) || all(about, e.Vocab) {
			score[i] = told[i] + most
		}
	}
}

// best are the places of the values above zero, the greatest first, equal ones in their order.
func best(values []float64) []int {
	by := make([]int, 0, len(values))
	for i, v := range values {
		if v > 0 {
			by = append(by, i)
		}
	}
	slices.SortFunc(by, func(a, b int) int {
		switch {
		case values[a] > values[b]:
			return -1
		case values[a] < values[b]:
			return 1
		}
		return a - b
	})
	return by
}

// fit is the share of the informative words that the card's own text knows.
func (x *Index) fit(terms map[string]float64, order []string, e *cards.Entry) float64 {
	sum, hit := 0.0, 0.0
	for _, t := range order {
		w := x.terms.idf(x.terms.id(t)) * terms[t]
		sum += w
		if e.Vocab[t] {
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
	for _, p := range words.Pieces(s) {
		if !p.Han {
			if w := strings.ToLower(p.Text); !words.StopEnglish[w] && !words.AllDigits(w) {
				out = append(out, w)
			}
			continue
		}
		for _, r := range words.ContentRuns(p.Text) {
			out = append(out, r.Text)
		}
	}
	return out
}

// bag counts terms and keeps their first order, so that sums run in one order every time.
func bag[K comparable](terms []K) (map[K]float64, []K) {
	m := make(map[K]float64, len(terms))
	var order []K
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
