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
	wants  map[*entry]func(clause) float64 // see [terminal]
	fields map[*field]*sense
	tools  map[*entry]*sense
	mute   float64               // the share of names that say nothing
	best   map[*field][2]float64 // the two greatest likenesses of a returned field to parameters of others
	gaps   map[*entry][]*gap     // of the tools asked for, by parameter
	// between are the answers of overtakes.
	between map[betweenKey]float64
}

type betweenKey struct {
	field    *field
	kind     string
	from, to int
}

// gap is a parameter with all that may fill it: the request itself, or a link.
type gap struct {
	need
	own   [ownTraits]float64
	links []*link
	odds  []float64 // of the request itself, then of the links, at the first look; they add up to 1
}

// link is a returned field of another tool that a parameter may mean.
type link struct {
	provider *entry
	path     string
	field    *field
	traits   [edgeTraits]float64
	declared bool // by x-provides and x-needs
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
		x: x, g: g, place: map[*entry]int{}, where: map[*entry]*spot{}, wants: map[*entry]func(clause) float64{},
		fields: map[*field]*sense{}, tools: map[*entry]*sense{}, best: map[*field][2]float64{}, gaps: map[*entry][]*gap{}, between: map[betweenKey]float64{},
	}
	for _, t := range chosen {
		w.asked = append(w.asked, t.e)
		w.wants[t.e] = t.wants
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
	for _, t := range w.asked {
		for i := range t.params {
			w.gaps[t] = append(w.gaps[t], w.gap(need{t, &t.params[i]}, w.asked))
		}
	}
	return w
}

// gap collects what may fill a parameter.
func (w *weave) gap(n need, providers []*entry) *gap {
	g := &gap{need: n, own: w.ownTraits(n.taker, n.field), links: w.links(n, providers)}
	w.arrange(g)
	return g
}

// told reports whether the request itself says which thing a change is made to, by an id that can be no other's.
func (w *weave) told(n need) bool {
	b, ok := w.spotOf(n.taker).bound[n.field.Name]
	return ok && n.taker.declaresChange() && n.field.Sort == sortID && n.field.Pattern != nil && b.used >= 0 && b.used < len(w.g.facts)
}

func (w *weave) links(n need, providers []*entry) []*link {
	if w.x.options.Without.DAG {
		return nil
	}
	var out []*link
	for _, p := range providers {
		if p == n.taker {
			continue
		}
		walk(p.returns, "", func(path string, r *field) {
			if l := w.link(p, path, r, n); l != nil {
				out = append(out, l)
			}
		})
	}
	return out
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
	gaps := w.gaps[t]
	if gaps == nil { // nobody asked for it
		for i := range t.params {
			gaps = append(gaps, w.gap(need{t, &t.params[i]}, w.asked))
		}
	}
	for _, g := range gaps {
		n, links := g.need, g.links
		if w.told(n) { // an id that the user said is what the user means
			links = nil
		} else if n.field.Required {
			links = slices.Concat(links, w.links(n, w.more))
		}
		scores := w.scores(&g.own, links)
		own := scores[0]
		var found []option
		z := math.Exp(own)
		for k, l := range links {
			z += math.Exp(scores[k+1])
			found = append(found, option{provider: l.provider, edge: edge{l.path, l.field, scores[k+1]}})
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
