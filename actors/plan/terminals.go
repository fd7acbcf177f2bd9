package plan

import (
	"cmp"
	"slices"
)

// terminal is a tool with the clause that wants it.
type terminal struct {
	e      *entry
	clause clause
	score  float64
}

// terminals gives each clause its tool, the surest pair first, so that two clauses do not take the same tool while another
// one would serve nearly as well.
func (x *Index) terminals(g *goal) []terminal {
	var all []terminal
	best := map[int]float64{}
	whole := map[*entry]float64{}
	for _, r := range x.rank(g.text) {
		whole[r.e] = r.score
	}
	for _, c := range g.clauses {
		found := x.rank(c.text)
		for _, r := range found[:min(len(found), considered)] {
			t := terminal{r.e, c, r.score + 0.3*whole[r.e] + 0.03*r.fit}
			all = append(all, t)
			best[c.start] = max(best[c.start], t.score)
		}
	}
	slices.SortStableFunc(all, func(a, b terminal) int { return cmp.Compare(b.score, a.score) })
	var out []terminal
	served, used := map[int]bool{}, map[*entry]bool{}
	for _, t := range all {
		if served[t.clause.start] || used[t.e] || t.score < second*best[t.clause.start] {
			continue
		}
		served[t.clause.start], used[t.e] = true, true
		out = append(out, t)
	}
	if len(x.entries) <= len(g.clauses)+spare { // hardly more tools than wishes: each was put there for one
		for _, t := range all {
			if !used[t.e] {
				used[t.e] = true
				out = append(out, t)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b terminal) int { return cmp.Compare(a.clause.start, b.clause.start) })
	return out
}

// second is how near to a clause's best tool another one must come to serve it when the best one serves another clause: a
// sentence that only tells details finds the same tool as the wish it belongs to.
const second = 0.9

// spare is by how many tools a catalogue may exceed the clauses and still be taken whole.
const spare = 2
