package plan

import (
	"math"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// How a card stands beside the others. One without a comment is the product of two others.
const (
	conAlways    = iota // 1
	conLocal            // how well its best stretch speaks for it
	conAhead            // by how much it is ahead of all others there
	conBehind           // by how much it is behind
	conAbove            // how many are ahead of it there, as a logarithm
	conGone             // share of the words that speak for it which tools taken account for
	conGoneTwice        // the same squared
	conTwin             // share of its name's words in the name of a tool taken
	conLater            // a tool is taken already
	conSame             // tools taken for the same stretch
	conSameGone
	conLocalGone
	conMany   // three are taken already
	conShare  // logarithm of its share among all candidates there
	conChance // that share
	conChanceGone
	conSmallGone
	conSmallAhead
	conSmallLocal
	conGives // how well what it returns fits what likely tools need
	conTakes // how well what likely tools return fits what it needs
	conSmallGives
	conSmallTakes
	conLinked // the greater of both, by its share
	conFree   // no tool is taken for its sentence
	conFreeBegins
	conFreeTop // the same, and nothing is ahead of it
	conFreeChance
	conFreeLocal
	conFrom    // how likely it takes something of a tool taken; here and below, in a small catalogue
	conTo      // how likely it gives one something
	conBetween // both
	conApart   // neither, where tools are taken
	contests
)

// contest tells how a candidate stands beside the others and those taken.
func (s *survey) contest(c *candidate) [contests]float64 {
	st := &s.stretches[c.best]
	fs := c.fit()
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
	from, to, fed := s.fed(c)
	lead := mine - rival
	small, begins, chance := fs[fitSmall], fs[fitBegins], 1/(1+others)
	return [contests]float64{
		conAlways:     1,
		conLocal:      c.local,
		conAhead:      max(0, min(lead, 4)),
		conBehind:     max(-4, min(lead, 0)),
		conAbove:      math.Log1p(above),
		conGone:       gone,
		conGoneTwice:  gone * gone,
		conTwin:       dup,
		conLater:      bit(taken > 0),
		conSame:       min(same, 3),
		conSameGone:   words.Either(same > 0, gone, 0),
		conLocalGone:  c.local * gone,
		conMany:       bit(taken >= 3),
		conShare:      -math.Log1p(others),
		conChance:     chance,
		conChanceGone: gone * chance,
		conSmallGone:  small * gone,
		conSmallAhead: small * min(lead, 4),
		conSmallLocal: small * c.local,
		conGives:      c.gives,
		conTakes:      c.takes,
		conSmallGives: small * c.gives,
		conSmallTakes: small * c.takes,
		conLinked:     max(c.gives, c.takes) * chance,
		conFree:       untouched,
		conFreeBegins: untouched * begins,
		conFreeTop:    untouched * bit(above == 0),
		conFreeChance: untouched * begins * chance,
		conFreeLocal:  untouched * c.local,
		conFrom:       from,
		conTo:         to,
		conBetween:    from * to,
		conApart:      words.Either(fed && taken > 0, small*(1-from)*(1-to), 0),
	}
}

// resemble is the share of the words of two names that they have in common.
func resemble(a, b *cards.Entry) float64 {
	in := 0
	for _, w := range a.NameWords {
		for _, v := range b.NameWords {
			if v == w && !readVerbs[v] {
				in++
				break
			}
		}
	}
	n := 0
	for _, w := range a.NameWords {
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
	f := s.contest(c)
	return sigmoid(dotted(f[:], contestWeights[:]) + dotted(c.fit()[:], contestFits[:]))
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
