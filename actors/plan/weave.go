package plan

import (
	"math"
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// weave is one request's view of the tools DAG: the tools it asks for, where it speaks of each, and how likely each way is to
// fill each parameter. Everything in it is worked out once.
type weave struct {
	x      *Index
	g      *goal
	asked  []*cards.Entry       // in the order in which the request speaks of them
	place  map[*cards.Entry]int // in asked
	more   []*cards.Entry       // tools nobody asked for that may provide
	where  map[*cards.Entry]*spot
	wants  map[*cards.Entry]func(wishes.Clause) float64 // see [terminal]
	parts  []wishes.Clause                              // the stretches of the request, see [Index.stretches]
	fit    map[*cards.Entry][]float64                   // of each part to a tool
	fields map[*fields.Field]*sense
	tools  map[*cards.Entry]*sense
	mute   float64                      // the share of names that say nothing
	best   map[*fields.Field][2]float64 // the two greatest likenesses of a returned field to parameters of others
	gaps   map[*cards.Entry][]*gap      // of the tools asked for, by parameter
	// between are the answers of overtakes.
	between map[betweenKey]float64
	reader  *slotReader // see slotReader
	looked
	wanted map[string]bool // see gives
}

type betweenKey struct {
	field    *fields.Field
	kind     string
	from, to int
}

// gap is a parameter with all that may fill it: the request itself, or a link.
type gap struct {
	solver.Need
	own   [ownTraits]float64
	links []*link
	odds  []float64 // of the request itself, then of the links, at the first look; they add up to 1
}

// link is a returned field of another tool that a parameter may mean.
type link struct {
	provider *cards.Entry
	path     string
	field    *fields.Field
	traits   [edgeTraits]float64
	declared bool // by x-provides and x-needs
}

// spot is where the request speaks of a tool.
type spot struct {
	wishes.Clause
	words  vector // of the clause
	points vector // of what the clause points back to
	bound  map[string]fields.Binding
	plain  map[string]fields.Binding // as the rules bind it, where bound is read anew
}

// weave of the tools chosen; more are those that may provide besides.
func (x *Index) weave(g *goal, chosen []terminal, more ...*cards.Entry) *weave {
	w := &weave{
		x: x, g: g, fit: map[*cards.Entry][]float64{}, place: map[*cards.Entry]int{}, where: map[*cards.Entry]*spot{}, wants: map[*cards.Entry]func(wishes.Clause) float64{},
		fields: map[*fields.Field]*sense{}, tools: map[*cards.Entry]*sense{}, best: map[*fields.Field][2]float64{}, gaps: map[*cards.Entry][]*gap{}, between: map[betweenKey]float64{},
	}
	for _, t := range chosen {
		w.asked = append(w.asked, t.e)
		w.wants[t.e] = t.wants
	}
	w.more = more
	w.fewer(slices.Concat(w.asked, more))
	clauses := map[*cards.Entry]wishes.Clause{}
	for i, c := range w.spots(w.asked, nil) {
		clauses[w.asked[i]] = c
	}
	slices.SortStableFunc(w.asked, func(a, b *cards.Entry) int { return clauses[a].Start - clauses[b].Start })
	for i, e := range w.asked {
		w.place[e] = i
		w.where[e] = w.spot(e, clauses[e])
	}
	w.mute = w.muteness()
	w.fill()
	w.rivals() // from here on no value that the request tells is new to what is looked at
	for _, t := range w.asked {
		for _, f := range w.takes(t) {
			w.gaps[t] = append(w.gaps[t], w.gap(solver.Need{Taker: t, Field: f}, w.asked))
		}
	}
	return w
}

// gap collects what may fill a parameter.
func (w *weave) gap(n solver.Need, providers []*cards.Entry) *gap {
	g := &gap{Need: n, own: w.ownTraits(n.Taker, n.Field), links: w.links(n, providers)}
	w.arrange(g)
	return g
}

// told reports whether the request itself says which thing a change is made to, by an id that can be no other's.
func (w *weave) told(n solver.Need) bool {
	b, ok := w.spotOf(n.Taker).bound[n.Field.Name]
	return ok && n.Taker.DeclaresChange() && n.Field.Sort == fields.ID && n.Field.Pattern != nil && b.Used >= 0 && b.Used < len(w.g.facts)
}

func (w *weave) links(n solver.Need, providers []*cards.Entry) []*link {
	if w.x.options.Without.DAG {
		return nil
	}
	var out []*link
	for _, p := range providers {
		if p == n.Taker {
			continue
		}
		for _, r := range w.gives(p) {
			if l := w.link(p, r.path, r.Field, n); l != nil {
				out = append(out, l)
			}
		}
	}
	return out
}

func (w *weave) spot(e *cards.Entry, c wishes.Clause) *spot {
	var points []string
	for _, m := range pointing.FindAllStringSubmatch(c.Text, 30) {
		points = append(points, words.Content(m[1]+" "+m[2])...)
	}
	return &spot{Clause: c, words: w.x.shape.vector(words.Content(c.Text)...), points: w.x.shape.vector(points...), bound: w.x.bindRules(e, planned(e, w.g), c)}
}

// spotOf is where the request speaks of the tool; of one that nobody asked for, everywhere.
func (w *weave) spotOf(e *cards.Entry) *spot {
	s := w.where[e]
	if s == nil {
		s = w.spot(e, wishes.Clause{Text: w.g.text, End: len(w.g.text)})
		w.where[e] = s
	}
	return s
}

// rivals notes how much alike each returned field and the parameters of the other tools asked for are.
func (w *weave) rivals() {
	for _, t := range w.asked {
		for _, f := range w.takes(t) {
			for _, p := range w.asked {
				if p == t {
					continue
				}
				for _, r := range w.gives(p) {
					if typesFit(r.Field, f) == 0 {
						continue
					}
					v, b := w.alike(r.Field, f), w.best[r.Field]
					if v > b[0] {
						b = [2]float64{v, b[0]}
					} else {
						b[1] = max(b[1], v)
					}
					w.best[r.Field] = b
				}
			}
		}
	}
}

// alike is a plain likeness of two fields, 0–1.
func (w *weave) alike(a, b *fields.Field) float64 {
	x, y := w.field(a), w.field(b)
	return (cosine(x.all, y.all) + gramCosine(x.grams, y.grams)) / 2
}

// ways are all ways to fill the parameters of a tool: from the request or from nobody, and from each field of another tool that
// can be meant. A cost is −ln of a probability, so that the cheapest plan is the likeliest one.
func (w *weave) ways(t *cards.Entry) map[solver.Need][]solver.Option {
	type claim struct {
		solver.Need
		edge solver.Edge
		gain float64
	}
	out := map[solver.Need][]solver.Option{}
	claims := map[*fields.Field]claim{} // a returned field fills one parameter of a tool at most
	gaps := w.gaps[t]
	if gaps == nil { // nobody asked for it
		for _, f := range w.takes(t) {
			gaps = append(gaps, w.gap(solver.Need{Taker: t, Field: f}, w.asked))
		}
	}
	for _, g := range gaps {
		n, links := g.Need, g.links
		if w.told(n) { // an id that the user said is what the user means
			links = nil
		} else if n.Field.Required {
			links = slices.Concat(links, w.links(n, w.more))
		}
		scores := w.scores(&g.own, links)
		own := scores[0]
		var found []solver.Option
		z := math.Exp(own)
		for k, l := range links {
			z += math.Exp(scores[k+1])
			found = append(found, solver.Option{Provider: l.provider, Edge: solver.Edge{Path: l.path, Field: l.field, Sure: scores[k+1]}})
		}
		o := solver.Option{Cost: math.Log(z) - own}
		if b, ok := w.spotOf(t).bound[n.Field.Name]; ok {
			o.Known = &b
		}
		out[n] = append(out[n], o)
		for _, o := range found {
			score := o.Edge.Sure
			if score-own < unlikely {
				continue
			}
			o.Edge.Sure = math.Exp(score) / (math.Exp(score) + math.Exp(own))
			o.Cost = max(0, math.Log(z)-score+w.x.options.Evidence.edge(o.Provider, o.Edge.Path, t, n.Field))
			if c, ok := claims[o.Edge.Field]; ok {
				if c.gain >= score-own {
					continue
				}
				out[c.Need] = slices.DeleteFunc(out[c.Need], func(a solver.Option) bool { return a.Edge.Field == o.Edge.Field })
			}
			claims[o.Edge.Field] = claim{n, o.Edge, score - own}
			out[n] = append(out[n], o)
		}
	}
	return out
}

// unlikely is the log of the odds against the request itself under which an edge is not looked at.
const unlikely = -3
