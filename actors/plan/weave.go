package plan

import (
	"math"
	"slices"
)

// weave is one request's view of the tools DAG: the tools it asks for, where it speaks of each, and how likely each way is to
// fill each parameter. Everything in it is worked out once.
type weave struct {
	x      *Index
	g      *goal
	asked  []*entry       // in the order in which the request speaks of them
	place  map[*entry]int // in asked
	more   []*entry       // tools nobody asked for that may provide
	where  map[*entry]*spot
	fields map[*field]*sense
	tools  map[*entry]*sense
	mute   float64               // the share of names that say nothing
	best   map[*field][2]float64 // the two greatest likenesses of a returned field to parameters of others
}

// spot is where the request speaks of a tool.
type spot struct {
	clause
	words  vector // of the clause
	points vector // of what the clause points back to
	bound  map[string]binding
}

func (x *Index) weave(g *goal, chosen []terminal) *weave {
	w := &weave{
		x: x, g: g, place: map[*entry]int{}, where: map[*entry]*spot{},
		fields: map[*field]*sense{}, tools: map[*entry]*sense{}, best: map[*field][2]float64{},
	}
	for _, t := range chosen {
		w.asked = append(w.asked, t.e)
	}
	clauses := map[*entry]clause{}
	for i, c := range w.spots(w.asked) {
		clauses[w.asked[i]] = c
	}
	slices.SortStableFunc(w.asked, func(a, b *entry) int { return clauses[a].start - clauses[b].start })
	for i, e := range w.asked {
		w.place[e] = i
		w.where[e] = w.spot(e, clauses[e])
	}
	w.rivals()
	w.mute = w.muteness()
	return w
}

func (w *weave) spot(e *entry, c clause) *spot {
	var points []string
	for _, m := range pointing.FindAllStringSubmatch(c.text, 30) {
		points = append(points, content(m[1]+" "+m[2])...)
	}
	return &spot{c, w.x.shape.vector(content(c.text)...), w.x.shape.vector(points...), w.x.bind(e, w.g, c)}
}

// spotOf is where the request speaks of the tool; of one that nobody asked for, everywhere.
func (w *weave) spotOf(e *entry) *spot {
	s := w.where[e]
	if s == nil {
		s = w.spot(e, clause{text: w.g.text, end: len(w.g.text)})
		w.where[e] = s
	}
	return s
}

// rivals notes how much alike each returned field and the parameters of the other tools asked for are.
func (w *weave) rivals() {
	for _, t := range w.asked {
		for i := range t.params {
			for _, p := range w.asked {
				if p == t {
					continue
				}
				walk(p.returns, "", func(_ string, r *field) {
					if typesFit(r, &t.params[i]) == 0 {
						return
					}
					v, b := w.alike(r, &t.params[i]), w.best[r]
					if v > b[0] {
						b = [2]float64{v, b[0]}
					} else {
						b[1] = max(b[1], v)
					}
					w.best[r] = b
				})
			}
		}
	}
}

// alike is a plain likeness of two fields, 0–1.
func (w *weave) alike(a, b *field) float64 {
	x, y := w.field(a), w.field(b)
	return (cosine(x.all, y.all) + gramCosine(x.grams, y.grams)) / 2
}

// ways are all ways to fill the parameters of a tool: from the request or from nobody, and from each field of another tool that
// can be meant. A cost is −ln of a probability, so that the cheapest plan is the likeliest one.
func (w *weave) ways(t *entry) map[need][]option {
	type claim struct {
		need
		edge edge
		gain float64
	}
	out := map[need][]option{}
	claims := map[*field]claim{} // a returned field fills one parameter of a tool at most
	for i := range t.params {
		n := need{t, &t.params[i]}
		own := w.own(n)
		var found []option
		z := math.Exp(own)
		for _, p := range slices.Concat(w.asked, w.more) {
			_, asked := w.place[p]
			if p == t || w.x.options.Without.DAG || !asked && !n.field.Required {
				continue
			}
			walk(p.returns, "", func(path string, r *field) {
				s, ok := w.edge(p, r, n)
				if !ok {
					return
				}
				z += math.Exp(s)
				found = append(found, option{provider: p, edge: edge{path, r, s}})
			})
		}
		o := option{cost: math.Log(z) - own}
		if b, ok := w.spotOf(t).bound[n.field.Name]; ok {
			o.known = &b
		}
		out[n] = append(out[n], o)
		for _, o := range found {
			score := o.edge.sure
			if score-own < unlikely {
				continue
			}
			o.edge.sure = math.Exp(score) / (math.Exp(score) + math.Exp(own))
			o.cost = max(0, math.Log(z)-score+w.x.options.Evidence.edge(o.provider, o.edge.path, t, n.field))
			if c, ok := claims[o.edge.field]; ok {
				if c.gain >= score-own {
					continue
				}
				out[c.need] = slices.DeleteFunc(out[c.need], func(a option) bool { return a.edge.field == o.edge.field })
			}
			claims[o.edge.field] = claim{n, o.edge, score - own}
			out[n] = append(out[n], o)
		}
	}
	return out
}

// unlikely is the log of the odds against the request itself under which an edge is not looked at.
const unlikely = -3
