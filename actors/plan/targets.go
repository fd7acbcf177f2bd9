package plan

import (
	"slices"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// targets chooses a terminal tool for each clause. Neighbouring clauses that go to the same agent are one job.
func (x *Index) targets(g *goal, barred map[string]string, ex *Explain) (out []*target, unmet []wishes.Clause) {
	x.halves(g)
	g.oneQuestion()
	g.shareDays()
	by := make([]*target, len(g.clauses)) // the target of each clause
	order := g.order()
	failing := map[string]bool{}
	for _, why := range barred {
		failing[why] = true
	}
	for i, c := range g.clauses {
		ec := ExplainClause{Text: words.Short(c.Text, 200)}
		t := x.choose(g, c, barred, &ec)
		ex.Clauses = append(ex.Clauses, ec)
		if t == nil {
			if i := slices.IndexFunc(ec.Candidates, func(k ExplainCandidate) bool { return failing[k.Lost] }); i < 0 || i > 0 && ec.Candidates[i].Score <= 0.5 {
				unmet = append(unmet, c)
			} // else its failure is what there is to tell
			continue
		}
		if n := len(out); n > 0 && out[n-1].e.Name == t.e.Name && (t.e.IsAgent() || string(argumentsOf(out[n-1].bound)) == string(argumentsOf(t.bound))) {
			out[n-1].clause.End = max(out[n-1].clause.End, c.End)
			out[n-1].clause.Classify(g.text)
			t = out[n-1]
		} else {
			out = append(out, t)
		}
		by[i] = t
		for _, j := range order[i] {
			if by[j] == nil {
				t.stuck = true
			}
			if w := by[j]; w != nil && w != t && !slices.Contains(t.waits, w) && !w.reaches(t) {
				t.waits = append(t.waits, w)
			}
		}
		if len(out) == MaxActions {
			break
		}
	}
	return out, append(unmet, g.outside...)
}

// reaches reports whether a target waits for another one, directly or not.
func (t *target) reaches(o *target) bool {
	return t == o || slices.ContainsFunc(t.waits, func(w *target) bool { return w.reaches(o) })
}

func argumentsOf(bs map[string]fields.Binding) []byte {
	m := map[string]any{}
	for k, b := range bs {
		m[k] = b.Value
	}
	return fields.Arguments(m)
}
