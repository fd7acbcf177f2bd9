package plan

import (
	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
)

// feeding tells how likely the tools of a small catalogue take something of each other, by the weights of a full plan. It knows what the
// cards say and nothing of the request. In a large catalogue it would take longer than all the rest of the choice.
type feeding struct {
	*weave
	odds map[[2]*cards.Entry]float64 // by provider and taker; worked out once each
}

// feeding of the candidates; nil where the catalogue is large, the tools DAG is switched off, or the parts of a Chinese request say what is wanted:
// they name each wish, and a tool that only could feed one is none.
func (s *survey) feeding() *feeding {
	if len(s.x.entries) > smallHouse || s.x.options.Without.DAG || s.named {
		return nil
	}
	if s.feeds == nil {
		w := &weave{x: s.x, g: &goal{}, where: map[*cards.Entry]*spot{}, fields: map[*fields.Field]*sense{}, tools: map[*cards.Entry]*sense{}}
		for _, c := range s.candidates {
			w.asked = append(w.asked, c.e)
			w.where[c.e] = &spot{}
		}
		w.mute, w.most = w.muteness(), maxFed
		w.asked = nil // whether one tool takes of another does not hang on a third
		s.feeds = &feeding{w, map[[2]*cards.Entry]float64{}}
	}
	return s.feeds
}

// likely is how likely t takes something that p returns, when nothing else is on offer, 0–1.
func (f *feeding) likely(p, t *cards.Entry) float64 {
	k := [2]*cards.Entry{p, t}
	v, ok := f.odds[k]
	if !ok {
		for _, taken := range f.takes(t) {
			n := solver.Need{Taker: t, Field: taken}
			own := f.ownTraits(t, n.Field)
			scores := f.scores(&own, f.links(n, []*cards.Entry{p}))
			for _, z := range scores[1:] {
				v = max(v, sigmoid(z-scores[0]))
			}
		}
		f.odds[k] = v
	}
	return v
}

// fed is how likely a candidate takes something of a tool taken, and how likely it gives one something, 0–1; ok is false where that is not asked.
func (s *survey) fed(c *candidate) (from, to float64, ok bool) {
	f := s.feeding()
	if f == nil {
		return 0, 0, false
	}
	for _, o := range s.candidates {
		if o.taken && o != c {
			from, to = max(from, f.likely(o.e, c.e)), max(to, f.likely(c.e, o.e))
		}
	}
	return from, to, true
}
