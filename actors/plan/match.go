package plan

import (
	"math"
	"math/bits"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/vectors"
)

// candidate is a card with what speaks for it.
type candidate struct {
	e            *entry
	taken        bool
	likely       float64 // how likely the request wants it beside those taken, 0–1
	gives, takes float64 // how well what it returns fits what others need, and the other way round
	best         int     // the stretch that fits it best
	local        float64
	why          [][]float64 // by stretch: the features; nil where nothing speaks for it
	hits         []hit       // words of the request that the card knows
	per          []float64   // by stretch: how likely it is wanted there
	rel          []float64   // by stretch: how it stands beside others there
}

// hit is a mention that resembles a term of the card.
type hit struct {
	mention int
	term    int // place among the card's terms
	alike   float64
}

// cardTerm is an informative word of a card.
type cardTerm struct {
	term   string
	id     int
	idf    float64
	name   bool
	about  bool // of the description
	fields bool
	tf     float64
	sense  int32  // among the word vectors
	params uint32 // the required parameters it is a word of
}

// terms are the informative words of a card, each once.
func (e *entry) cardTerms() []cardTerm {
	var out []cardTerm
	place := map[string]int{}
	add := func(text string, mark func(*cardTerm)) {
		for _, w := range content(text) {
			i, ok := place[w]
			if !ok {
				i = len(out)
				place[w] = i
				out = append(out, cardTerm{term: w})
			}
			mark(&out[i])
		}
	}
	add(e.Name, func(t *cardTerm) { t.name = true; t.tf += 3 })
	add(e.Description+" "+strings.Join(e.Tags, " ")+" "+strings.Join(e.Skills, " "), func(t *cardTerm) { t.about = true; t.tf += 2 })
	n := 0
	for _, f := range e.params {
		bit := uint32(0)
		if f.Required && n < 32 {
			bit = 1 << n
			n++
		}
		add(f.Name+" "+f.head(), func(t *cardTerm) { t.fields = true; t.tf += 0.5; t.params |= bit })
	}
	for _, f := range e.returns {
		add(f.Name+" "+f.head(), func(t *cardTerm) { t.fields = true; t.tf += 0.5 })
	}
	return out
}

// alike is how near two words are in meaning, 0–1, as far as the words themselves and the cards tell.
func (x *Index) alike(m *mention, t *cardTerm) float64 {
	if m.id >= 0 && m.id == t.id {
		return 1
	}
	if m.term == t.term {
		return 1
	}
	for _, also := range x.lexicon[m.term] {
		if also.term == t.term {
			return 0.8 * also.weight
		}
	}
	near := 0.0
	if m.sense > 0 && t.sense > 0 {
		if near = 0.8 * vectors.English().Near(int(m.sense)-1, int(t.sense)-1); near < 0.4 {
			near = 0
		}
	}
	n := min(len(m.term), len(t.term))
	if n < 4 {
		return near
	}
	same := 0
	for same < n && m.term[same] == t.term[same] {
		same++
	}
	if share := float64(same) / float64(max(len(m.term), len(t.term))); same >= 4 && share >= 0.6 {
		return max(near, 0.9*share)
	}
	return near
}

// align finds what each candidate knows of the request, and its best stretch.
func (s *survey) align() {
	known := map[string][]hit{} // by card term: the mentions alike
	for _, c := range s.candidates {
		terms := c.e.terms
		for j := range terms {
			hs, ok := known[terms[j].term]
			if !ok {
				for i := range s.mentions {
					if a := s.x.alike(&s.mentions[i], &terms[j]); a > 0 {
						hs = append(hs, hit{mention: i, alike: a})
					}
				}
				known[terms[j].term] = hs
			}
			for _, h := range hs {
				h.term = j
				c.hits = append(c.hits, h)
			}
		}
		s.fit(c, terms)
	}
}

// fit tells what speaks for the candidate in each stretch.
func (s *survey) fit(c *candidate, terms []cardTerm) {
	var nameSum, aboutSum float64
	for _, t := range terms {
		if t.name {
			nameSum += t.idf
		}
		if t.about {
			aboutSum += t.idf
		}
	}
	bestOf := make([]float64, len(terms))
	told := make([]float64, len(s.mentions))
	ws, wt := make([]int32, 0, len(terms)), make([]float64, 0, len(terms))
	for _, t := range terms {
		if t.name || t.about {
			ws, wt = append(ws, t.sense), append(wt, t.idf*ifElse(t.name, 1.5, 1))
		}
	}
	meant := meantBy(ws, wt)
	var tookName, tookAbout, bm, fieldEv float64
	byName := make([]float64, len(s.mentions))
	byAbout := make([]float64, len(s.mentions))
	byBM := make([]float64, len(s.mentions))
	length := 0.0
	if s.x.terms.mean > 0 {
		length = s.x.terms.len[c.e.n] / s.x.terms.mean
	}
	cover := func(lo, hi int) (name, about, took, evidence float64) {
		tookName, tookAbout, bm, fieldEv = 0, 0, 0, 0
		clear(byName)
		clear(byAbout)
		clear(byBM)
		clear(bestOf)
		clear(told)
		for _, h := range c.hits {
			if h.mention < lo || h.mention >= hi {
				continue
			}
			m := &s.mentions[h.mention]
			a := h.alike
			if m.quoted {
				a *= 0.2
			}
			bestOf[h.term] = max(bestOf[h.term], a)
			t := &terms[h.term]
			if t.name {
				byName[h.mention] = max(byName[h.mention], a)
			}
			if t.about {
				byAbout[h.mention] = max(byAbout[h.mention], a)
			}
			byBM[h.mention] = max(byBM[h.mention], a*t.tf*2.2/(t.tf+1.2*(0.6+0.4*length)))
			if !t.name && !t.about {
				a *= 0.5
			}
			told[h.mention] = max(told[h.mention], a)
		}
		for j, t := range terms {
			if t.name {
				name += t.idf * bestOf[j]
			}
			if t.about {
				about += t.idf * bestOf[j]
			}
			if t.fields && !t.name && !t.about {
				fieldEv += t.idf * bestOf[j]
			}
			if t.name || t.about {
				evidence += t.idf * bestOf[j]
			}
		}
		if nameSum > 0 {
			name /= nameSum
		}
		if aboutSum > 0 {
			about /= aboutSum
		}
		for i := lo; i < hi; i++ {
			w := s.mentions[i].weight
			took += w * told[i]
			tookName += w * byName[i]
			tookAbout += w * byAbout[i]
			bm += w * byBM[i]
		}
		return name, about, took, evidence
	}
	var all uint32
	for _, t := range terms {
		all |= t.params
	}
	params := bits.OnesCount32(all)
	small := ifElse(len(s.x.entries) <= smallHouse, 1, 0)
	wholeName, wholeAbout, _, _ := cover(0, len(s.mentions))
	verb := cardVerbs(c.e)
	c.why = make([][]float64, len(s.stretches))
	c.per = make([]float64, len(s.stretches))
	c.rel = make([]float64, len(s.stretches))
	for k := range s.stretches {
		st := &s.stretches[k]
		name, about, took, evidence := cover(st.lo, st.hi)
		if evidence == 0 {
			continue
		}
		share := took / max(st.weight, 0.01)
		tookName /= max(st.weight, 0.01)
		tookAbout /= max(st.weight, 0.01)
		asked := 0.0
		if params > 0 {
			var told uint32
			for _, h := range c.hits {
				if m := &s.mentions[h.mention]; m.sentence == st.sentence || m.sentence == st.sentence+1 {
					told |= terms[h.term].params
				}
			}
			asked = float64(bits.OnesCount32(told)) / float64(params)
		}
		same, miss, clash := 0.0, 0.0, 0.0
		act := false
		for v := range verb {
			if !readVerbs[v] {
				act = true
				if st.verbs[v] {
					same = 1
				}
			}
		}
		if act && same == 0 {
			miss = 1
		}
		near, lead := 0.0, 0.0
		for v := range verb {
			if readVerbs[v] {
				if readVerbs[st.lead] {
					lead = 1
				}
				continue
			}
			vs := s.x.sense(v)
			for w := range st.verbs {
				near = max(near, s.verbNear(v, w, vs))
			}
			if st.lead != "" {
				lead = max(lead, s.verbNear(v, st.lead, vs))
			}
		}
		if !act && len(st.verbs) > 0 && !st.reads {
			clash = 1
		}
		c.why[k] = []float64{
			1, name, about, max(name, about), share, name * share, about * share,
			wholeName - name, wholeAbout - about,
			math.Log1p(evidence), math.Log1p(float64(st.hi - st.lo)),
			same, miss, clash,
			ifElse(st.reads, 1, 0), ifElse(st.begins, 1, 0), ifElse(st.whole, 1, 0), ifElse(st.sentence == 0, 1, 0), ifElse(st.sentence == 0 && s.stretches[len(s.stretches)-1].sentence > 0, 1, 0),
			ifElse(name > 0.99, 1, 0), ifElse(about > 0.99, 1, 0),
			tookName, tookAbout, bm / max(st.weight, 0.01) / 2.2, math.Log1p(bm), math.Log1p(fieldEv), asked, ifElse(params == 0, 1, 0), max(tookName, tookAbout), nearness(meant, st.meant), ifElse(meant == nil || st.meant == nil, 1, 0),
			near, lead, near * share, lead * share, ifElse(st.lead == "", 1, 0), lead * max(name, about),
			small, small * share, small * max(name, about),
		}
	}
	c.weigh()
}

// weigh finds the stretch that speaks most for the candidate.
func (c *candidate) weigh() {
	c.local, c.best = nothing, 0
	for k, f := range c.why {
		if c.per[k], c.rel[k] = nothing, nothing; f != nil {
			c.per[k] = dotted(f, localWeights)
			c.rel[k] = dotted(f, rankWeights)
		}
		if c.per[k] > c.local {
			c.local, c.best = c.per[k], k
		}
	}
}

// locals is how many features a candidate has in a stretch.
const locals = 40

// nothing is the local score of a card that nothing speaks for.
const nothing = -10

// feats are those of the best stretch.
func (c *candidate) feats() []float64 {
	if len(c.why) == 0 || c.why[c.best] == nil {
		return make([]float64, locals)
	}
	return c.why[c.best]
}

func dotted(f, w []float64) float64 {
	z := 0.0
	for i, v := range f[:min(len(f), len(w))] {
		z += w[i] * v
	}
	return z
}

// verbNear is how near two verbs are in meaning.
func (s *survey) verbNear(a, b string, sense int32) float64 {
	if a == b {
		return 1
	}
	if t := s.x.sense(b); t > 0 && sense > 0 {
		return max(0, vectors.English().Near(int(sense)-1, int(t)-1))
	}
	return 0
}

// link tells how well the likeliest candidates feed each other.
func (s *survey) link() {
	const looked = 16
	top := s.candidates[:min(len(s.candidates), looked)]
	for _, c := range s.candidates {
		c.gives, c.takes = 0, 0
	}
	for _, c := range top {
		for _, o := range top {
			if o == c || o.local <= nothing || c.local <= nothing {
				continue
			}
			l := feeds(c.e, o.e)
			c.gives = max(c.gives, l*sigmoid(o.local))
			o.takes = max(o.takes, l*sigmoid(c.local))
		}
	}
}

// feeds is how like a field that p returns is to a required parameter of t, 0–1.
func feeds(p, t *entry) float64 {
	out := 0.0
	for i := range t.params {
		f := &t.params[i]
		if !f.Required {
			continue
		}
		for j := range p.returns {
			if r := &p.returns[j]; typesFit(r, f) > 0.5 {
				out = max(out, gramCosine(r.grams, f.grams))
			}
		}
	}
	return out
}

// cardVerbs are the first words of name and description.
func cardVerbs(e *entry) map[string]bool {
	out := map[string]bool{}
	for _, text := range []string{e.Name, e.Description} {
		if ps := pieces(clip(text, 80)); len(ps) > 0 && !ps[0].han {
			out[stem(strings.ToLower(ps[0].text))] = true
		}
	}
	return out
}

// contest are the features of a candidate beside the others.
func (s *survey) contest(c *candidate) []float64 {
	st := &s.stretches[c.best]
	fs := c.feats()
	rival, above := float64(nothing), 0.0
	untouched := 1.0
	dup, taken, same := 0.0, 0.0, 0.0
	mine, others := c.rel[c.best], 0.0
	for _, o := range s.candidates {
		if o == c {
			continue
		}
		if o.taken {
			taken++
			ost := &s.stretches[o.best]
			if ost.sentence == st.sentence {
				untouched = 0
			}
			if ost.start < st.end && st.start < ost.end {
				same++
			}
			dup = max(dup, resemble(c.e, o.e))
		}
		if o.why[c.best] == nil {
			continue
		}
		z := o.rel[c.best]
		rival = max(rival, z)
		if z > mine {
			above++
		}
		others += math.Exp(max(-20, min(20, z-mine)))
	}
	var sum, gone float64
	for _, h := range c.hits {
		if h.mention < st.lo || h.mention >= st.hi {
			continue
		}
		w := s.mentions[h.mention].weight * h.alike
		sum += w
		gone += w * s.claimed[h.mention]
	}
	if sum > 0 {
		gone /= sum
	}
	lead := mine - rival
	begins, top := fs[15], ifElse(above == 0, 1, 0)
	return append([]float64{
		1, c.local, max(0, min(lead, 4)), max(-4, min(lead, 0)), math.Log1p(above),
		gone, gone * gone, dup, ifElse(taken > 0, 1, 0), math.Min(same, 3), ifElse(same > 0, gone, 0),
		c.local * gone, ifElse(taken >= 3, 1, 0),
		-math.Log1p(others), 1 / (1 + others), gone / (1 + others), fs[37] * gone, fs[37] * min(lead, 4), fs[37] * c.local, c.gives, c.takes, fs[37] * c.gives, fs[37] * c.takes, max(c.gives, c.takes) / (1 + others),
		untouched, untouched * begins, untouched * top, untouched * begins / (1 + others), untouched * c.local,
	}, fs[1:]...)
}

// resemble is the share of the words of two names that they have in common.
func resemble(a, b *entry) float64 {
	in := 0
	for _, w := range a.nameWords {
		for _, v := range b.nameWords {
			if v == w && !readVerbs[v] {
				in++
				break
			}
		}
	}
	n := 0
	for _, w := range a.nameWords {
		if !readVerbs[w] {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return float64(in) / float64(n)
}

// judge is how likely the request wants the tool beside those taken already, 0–1.
func (s *survey) judge(c *candidate) float64 {
	if c.local <= nothing || len(s.stretches) == 0 {
		return 0
	}
	return sigmoid(dotted(s.contest(c), contestWeights))
}

// take marks a candidate as wanted, with the words that speak for it.
func (s *survey) take(c *candidate) {
	if s.each != nil {
		s.each(c)
	}
	c.taken = true
	st := &s.stretches[c.best]
	for _, h := range c.hits {
		if h.mention >= st.lo && h.mention < st.hi {
			s.claimed[h.mention] = max(s.claimed[h.mention], h.alike)
		}
	}
}

// nearness is the cosine of two vectors of length 1; 0 when one is nil.
func nearness(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	s := float32(0)
	for i, v := range a {
		s += v * b[i]
	}
	return float64(s)
}
