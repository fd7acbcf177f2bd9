package plan

import (
	"math"
	"math/bits"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/vectors"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// candidate is a card with what speaks for it.
type candidate struct {
	e            *cards.Entry
	taken        bool
	likely       float64 // how likely the request wants it beside those taken, 0–1
	gives, takes float64 // how well what it returns fits what others need, and the other way round
	best         int     // the stretch that fits it best
	local        float64
	why          []*[fits]float64 // by stretch: the features; nil where nothing speaks for it
	hits         []hit            // words of the request that the card knows
	per          []float64        // by stretch: how likely it is wanted there
	rel          []float64        // by stretch: how it stands beside others there
}

// What speaks for a card in a stretch of the request. One without a comment is the product of two others.
const (
	fitAlways = iota // 1
	fitName          // share of the name's words that the stretch knows
	fitAbout         // the same of the description's
	fitBetter        // the greater of both
	fitShare         // share of the stretch that the card knows
	fitNameShare
	fitAboutShare
	fitNameElse   // how much more of the name the whole request knows
	fitAboutElse  // the same of the description
	fitEvidence   // how telling the words in common are, as a logarithm
	fitLength     // words of the stretch, as a logarithm
	fitVerbSame   // the card's verb stands in the stretch
	fitVerbMissed // it acts, and its verb does not
	fitVerbClash  // it only reads, and the stretch wants a deed
	fitReads      // the stretch asks to be told
	fitBegins     // it begins like a wish
	fitWhole      // it is a whole sentence
	fitFirst      // it is in the first sentence
	fitFirstOf    // the same, and there are more
	fitAllName    // every word of the name is known
	fitAllAbout   // every word of the description
	fitByName     // share of the stretch that the name knows
	fitByAbout    // that the description knows
	fitBM25       // BM25 as a share of what it could be
	fitBM25Sum    // the same, not shared, as a logarithm
	fitFields     // how telling the words in common with fields alone are, as a logarithm
	fitAsked      // share of the required parameters spoken of here or in the next sentence
	fitNoParams   // no parameter is required
	fitByEither   // the greater of fitByName and fitByAbout
	fitNear       // cosine of the mean word vectors
	fitVerbNear   // how near a verb of the stretch is to the card's
	fitLeadNear   // the same of its first verb
	fitVerbNearShare
	fitLeadNearShare
	fitNoLead // the stretch has no verb
	fitLeadNearName
	fitSmall // the catalogue is small
	fitSmallShare
	fitSmallBetter
	fits
)

// align finds what each candidate knows of the request, and its best stretch.
func (s *survey) align() {
	known := map[string][]hit{} // by card term: the mentions alike
	for _, c := range s.candidates {
		terms := c.e.Terms
		for j := range terms {
			hs, ok := known[terms[j].Term]
			if !ok {
				for i := range s.mentions {
					if a := s.x.alike(&s.mentions[i], &terms[j]); a > 0 {
						hs = append(hs, hit{mention: i, alike: a})
					}
				}
				known[terms[j].Term] = hs
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
func (s *survey) fit(c *candidate, terms []cards.CardTerm) {
	var nameSum, aboutSum float64
	for _, t := range terms {
		if t.Name {
			nameSum += t.Idf
		}
		if t.About {
			aboutSum += t.Idf
		}
	}
	bestOf := make([]float64, len(terms))
	told := make([]float64, len(s.mentions))
	ws, wt := make([]int32, 0, len(terms)), make([]float64, 0, len(terms))
	for _, t := range terms {
		if t.Name || t.About {
			ws, wt = append(ws, t.Sense), append(wt, t.Idf*words.Either(t.Name, 1.5, 1))
		}
	}
	meant := meantBy(ws, wt)
	var tookName, tookAbout, bm, fieldEv float64
	byName := make([]float64, len(s.mentions))
	byAbout := make([]float64, len(s.mentions))
	byBM := make([]float64, len(s.mentions))
	length := 0.0
	if s.x.terms.mean > 0 {
		length = s.x.terms.len[c.e.N] / s.x.terms.mean
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
			if t.Name {
				byName[h.mention] = max(byName[h.mention], a)
			}
			if t.About {
				byAbout[h.mention] = max(byAbout[h.mention], a)
			}
			byBM[h.mention] = max(byBM[h.mention], a*t.Tf*2.2/(t.Tf+1.2*(0.6+0.4*length)))
			if !t.Name && !t.About {
				a *= 0.5
			}
			told[h.mention] = max(told[h.mention], a)
		}
		for j, t := range terms {
			if t.Name {
				name += t.Idf * bestOf[j]
			}
			if t.About {
				about += t.Idf * bestOf[j]
			}
			if t.Fields && !t.Name && !t.About {
				fieldEv += t.Idf * bestOf[j]
			}
			if t.Name || t.About {
				evidence += t.Idf * bestOf[j]
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
		all |= t.Params
	}
	params := bits.OnesCount32(all)
	small := bit(len(s.x.entries) <= smallHouse)
	wholeName, wholeAbout, _, _ := cover(0, len(s.mentions))
	verb := s.x.cardVerbs(c.e)
	c.why = make([]*[fits]float64, len(s.stretches))
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
					told |= terms[h.term].Params
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
		c.why[k] = &[fits]float64{
			fitAlways:        1,
			fitName:          name,
			fitAbout:         about,
			fitBetter:        max(name, about),
			fitShare:         share,
			fitNameShare:     name * share,
			fitAboutShare:    about * share,
			fitNameElse:      wholeName - name,
			fitAboutElse:     wholeAbout - about,
			fitEvidence:      math.Log1p(evidence),
			fitLength:        math.Log1p(float64(st.hi - st.lo)),
			fitVerbSame:      same,
			fitVerbMissed:    miss,
			fitVerbClash:     clash,
			fitReads:         bit(st.reads),
			fitBegins:        bit(st.begins),
			fitWhole:         bit(st.whole),
			fitFirst:         bit(st.sentence == 0),
			fitFirstOf:       bit(st.sentence == 0 && s.stretches[len(s.stretches)-1].sentence > 0),
			fitAllName:       bit(name > 0.99),
			fitAllAbout:      bit(about > 0.99),
			fitByName:        tookName,
			fitByAbout:       tookAbout,
			fitBM25:          bm / max(st.weight, 0.01) / 2.2,
			fitBM25Sum:       math.Log1p(bm),
			fitFields:        math.Log1p(fieldEv),
			fitAsked:         asked,
			fitNoParams:      bit(params == 0),
			fitByEither:      max(tookName, tookAbout),
			fitNear:          nearness(meant, st.meant),
			fitVerbNear:      near,
			fitLeadNear:      lead,
			fitVerbNearShare: near * share,
			fitLeadNearShare: lead * share,
			fitNoLead:        bit(st.lead == ""),
			fitLeadNearName:  lead * max(name, about),
			fitSmall:         small,
			fitSmallShare:    small * share,
			fitSmallBetter:   small * max(name, about),
		}
	}
	c.weigh()
}

// weigh finds the stretch that speaks most for the candidate.
func (c *candidate) weigh() {
	c.local, c.best = nothing, 0
	for k, f := range c.why {
		if c.per[k], c.rel[k] = nothing, nothing; f != nil {
			c.per[k] = dotted(f[:], localWeights[:])
			c.rel[k] = dotted(f[:], rankWeights[:])
		}
		if c.per[k] > c.local {
			c.local, c.best = c.per[k], k
		}
	}
}

// wanted is how likely a part of the text wants the candidate, 0–1: by the stretch that is most of it.
func (s *survey) wanted(c *candidate, start, end int) float64 {
	out := 0.0
	for k := range s.stretches {
		st := &s.stretches[k]
		if common := min(st.end, end) - max(st.start, start); common > 0 {
			out = max(out, sigmoid(c.per[k])*float64(common)/float64(max(st.end, end)-min(st.start, start)))
		}
	}
	return out
}

// nothing is the local score of a card that nothing speaks for.
const nothing = -10

// fit is that of the best stretch.
func (c *candidate) fit() *[fits]float64 {
	if c.best >= len(c.why) || c.why[c.best] == nil {
		return &[fits]float64{}
	}
	return c.why[c.best]
}

func dotted(f, w []float64) float64 {
	z := 0.0
	for i, v := range f {
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
			l := s.x.shape.feeds(c.e, o.e)
			c.gives = max(c.gives, l*sigmoid(o.local))
			o.takes = max(o.takes, l*sigmoid(c.local))
		}
	}
}

// feeds is how like a field that p returns is to a required parameter of t, 0–1.
func (s *shape) feeds(p, t *cards.Entry) float64 {
	out := 0.0
	required := t.Required()
	for _, f := range required[:min(len(required), maxFed)] {
		for j := range p.Gives[:min(len(p.Gives), maxFed)] {
			if r := &p.Gives[j]; typesFit(r, f) > 0.5 {
				out = max(out, gramCosine(s.grams(r), s.grams(f)))
			}
		}
	}
	return out
}

// usual is the nearness that stands for one that is not known: vectors are switched off, or the words are of a language that
// the table does not have.
const usual = 0.5

// nearness is the cosine of two vectors of length 1; usual when one is nil.
func nearness(a, b []float32) float64 {
	if a == nil || b == nil {
		return usual
	}
	if len(a) != len(b) {
		return 0
	}
	s := float32(0)
	for i, v := range a {
		s += v * b[i]
	}
	return float64(s)
}
