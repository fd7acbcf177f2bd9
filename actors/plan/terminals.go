package plan

import (
	"cmp"
	"math"
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/wishes"
)

// terminal is a tool with the clause that wants it.
type terminal struct {
	e      *cards.Entry
	clause wishes.Clause
	score  float64 // how likely the request wants the tool, 0–1
	// wants is how likely a part of the text wants it, taken by itself, 0–1; nil: that was not looked at.
	wants func(wishes.Clause) float64
}

// terminals are the tools that a request wants, in the order in which it speaks of them. How many there are is not known
// beforehand: each card that some stretch of the request speaks of is judged on its own (see [match]), the best ones first,
// and one that only repeats what a better one was taken for is left out. nil: no tool fits. left are those that were not taken,
// the likeliest first.
func (x *Index) terminals(g *goal) (out, left []terminal) {
	s := x.survey(g)
	unmeant := func(e *cards.Entry) bool { return e.DeclaresChange() && !x.Asks(g.text, e.Name) }
	if slices.ContainsFunc(s.candidates, func(c *candidate) bool { return unmeant(c.e) }) { // what is refused speaks for no tool
		wish := *g
		wish.text = wishes.Unrefused(g.text)
		s = x.survey(&wish)
	}
	s.candidates = slices.DeleteFunc(s.candidates, func(c *candidate) bool { return unmeant(c.e) })
	add := func(c *candidate) {
		st := s.stretches[c.best]
		out = append(out, terminal{e: c.e, clause: wishes.Clause{Start: st.start, End: st.end}, score: c.likely})
	}
	if han, ok := x.hanTerminals(g); ok {
		s.named = true
		out = slices.DeleteFunc(han, func(t terminal) bool { return unmeant(t.e) })
		for _, c := range s.candidates {
			c.taken = slices.ContainsFunc(out, func(t terminal) bool { return t.e == c.e })
		}
	} else {
		for _, c := range s.choose() {
			add(c)
		}
	}
	if len(x.entries) <= len(out)+spare { // hardly more tools than wishes: each was put there for one
		for _, c := range s.candidates {
			if !c.taken && len(s.stretches) > 0 {
				add(c)
			}
		}
	}
	for i := range out {
		if k := slices.IndexFunc(s.candidates, func(c *candidate) bool { return c.e == out[i].e }); k >= 0 {
			out[i].wants = func(c wishes.Clause) float64 { return s.wanted(s.candidates[k], c.Start, c.End) }
		}
	}
	slices.SortStableFunc(out, func(a, b terminal) int { return cmp.Compare(a.clause.Start, b.clause.Start) })
	for i := range out { // what follows a wish and wishes nothing itself tells its details
		for j := i + 1; j < len(out); j++ {
			if out[j].clause.Start > out[i].clause.Start {
				out[i].clause.End = max(out[i].clause.End, out[j].clause.Start)
				break
			}
			if j == len(out)-1 {
				out[i].clause.End = len(g.text)
			}
		}
		if i == len(out)-1 {
			out[i].clause.End = len(g.text)
		}
		out[i].clause = wishes.Span(g.text, out[i].clause.Start, out[i].clause.End)
		out[i].clause.Classify(g.text)
	}
	for _, c := range s.candidates {
		if p := s.judge(c); !c.taken && p > 0 && !slices.ContainsFunc(out, func(t terminal) bool { return t.e == c.e }) {
			left = append(left, terminal{e: c.e, score: p})
		}
	}
	slices.SortStableFunc(left, func(a, b terminal) int { return cmp.Compare(b.score, a.score) })
	return out, left
}

// choose takes what the request wants, the surest first; one tool at least when anything speaks for one.
func (s *survey) choose() []*candidate {
	var out []*candidate
	for len(out) < maxTerminals {
		var best *candidate
		likely := 0.0
		for _, c := range s.candidates[:min(len(s.candidates), judged1)] {
			if c.taken || c.local <= nothing {
				continue
			}
			if p := s.judge(c) * (1 - s.x.options.Evidence.burden(c.e)); p > likely {
				best, likely = c, p
			}
		}
		if best == nil || likely < chosenBar && len(out) > 0 {
			break
		}
		best.likely = likely
		s.take(best)
		out = append(out, best)
	}
	return out
}

const judged1 = 40
const maxTerminals = 12

// spare is by how many tools a catalogue may exceed the wishes and still be taken whole.
const spare = 2

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
