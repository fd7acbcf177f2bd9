package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Traits speak for and against a way to fill a parameter. Each is a number near 0–1 that any catalogue yields: none knows a
// word of any set. Their weights are learned, see weights.go.

// Traits of an edge from a returned field to a parameter.
const (
	nameAlike   = iota // cosine of the names' words
	nameMeant          // how much of the parameter's name the field's name means, in whatever words
	wordsMeant         // how much of the field's name all words of the parameter mean
	toldAlike          // share of what is told of the parameter that is told of the field
	gramsAlike         // cosine of the n-grams of both
	namesTool          // share of the provider's name in the parameter's words
	ofTaker            // share of the field's words in the taker's own words
	outdone            // how much less alike they are than the field and another parameter
	sameSort           // both are ids, dates, amounts ...
	bothIDs            // and both are ids
	yesNo              // the field is true or false
	backward           // the request speaks of the provider after the taker
	apart              // tools between the two
	pointsField        // share of the field's words that the taker's clause points back to ("these results")
	pointsTool         // share of the provider's words that it points back to
	exampleTold        // a value that the field may have stands in the request
	converted          // how hard it is to make the one type of the other, −ln of typesFit
	sameName
	nameOrTold  // the greater of nameAlike and toldAlike
	nameAndTold // their product
	nearly      // the square of gramsAlike
	mainResult  // the field is the first that the provider returns
	onlyResult  // and the only one
	sameType
	toldMeant // how much of what the field says of itself the parameter means, in whatever words
	overtaken // how much alike it and what a tool between the two returns are
	elsewhere // how likely another parameter of the taker takes the field, by a first look
	twinTakes // how likely a parameter of another tool takes the field, by a first look, times how alike the parameters are
	edgeTraits
)

// Traits of the way that takes no edge: the request tells the value, or it is left out.
const (
	always      = iota
	boundSure   // how sure the binding is; 0: none
	factHere    // the taker's clause has a fact that suits
	exampleHere // a value that the parameter may have stands in the request
	wholeNumber
	aList
	trueFalse
	aDay
	aPerson
	firstOne    // the parameter that the card lists first
	lastOne     // and last
	manyOnes    // how many there are
	wordy       // how long its description is
	askedBefore // likeness to a parameter of a tool that comes earlier: both may take the same value
	toldBefore  // likeness to a parameter of another tool that the request tells a value of
	firstTool   // nothing comes earlier
	required
	twinTold  // how likely a parameter of another tool takes nothing, by a first look, times how alike the parameters are
	boundHere // boundSure, where the value stands in the taker's clause
	spokenOf  // share of the parameter's words that the clause has
	ownTraits
)

// pointing is a word that points at something spoken of before, with what follows it.
var pointing = words.MustCompile(`(?i)\b(?:this|these|that|those|the|its|their|such|based on|according to|using)\s+((?:[\w'-]+\s*){1,3})|(?:该|此|这个|这些|那个|根据|按照)([^，。；,.;]{1,12})`)

// link is field r of provider p for a need; nil when it cannot be meant.
func (w *weave) link(p *cards.Entry, path string, r *fields.Field, n solver.Need) *link {
	f := n.Field
	if len(f.Needs) > 0 && len(r.Provides) > 0 {
		if slices.ContainsFunc(f.Needs, func(s string) bool { return slices.Contains(r.Provides, s) }) {
			return &link{provider: p, path: path, field: r, declared: true}
		}
		return nil
	}
	fit := typesFit(r, f)
	if fit == 0 || f.Sort == fields.Query && f.Required {
		return nil
	}
	l := &link{provider: p, path: path, field: r, traits: w.edgeTraits(p, r, n.Taker, f, fit)}
	w.pointed(l, n.Taker)
	return l
}

// pointed gives a link the traits that come from where the request speaks of the taker.
func (w *weave) pointed(l *link, t *cards.Entry) {
	here := w.spotOf(t)
	l.traits[pointsField] = covered(w.field(l.field).all, here.points)
	l.traits[pointsTool] = covered(w.tool(l.provider).all, here.points)
}

// declared is the score of an edge whose ends name the same x-provides and x-needs: surer than any other.
const declared = 20

func (w *weave) edgeTraits(p *cards.Entry, r *fields.Field, t *cards.Entry, f *fields.Field, fit float64) (x [edgeTraits]float64) {
	rs, fs, ps := w.field(r), w.field(f), w.tool(p)
	x[nameAlike] = cosine(rs.name, fs.name)
	x[nameMeant] = meant(fs.name, rs.name)
	x[wordsMeant] = meant(rs.name, fs.all)
	x[toldAlike] = covered(fs.told, rs.told)
	x[gramsAlike] = gramCosine(rs.grams, fs.grams)
	x[namesTool] = covered(ps.name, fs.all)
	x[ofTaker] = covered(rs.all, w.tool(t).all)
	x[sameSort] = bit(r.Sort == f.Sort)
	x[bothIDs] = bit(r.Sort == fields.ID && f.Sort == fields.ID)
	x[yesNo] = bit(r.Type == "boolean")
	x[exampleTold] = bit(w.speaksOf(r))
	x[converted] = -math.Log(fit)
	x[nameOrTold] = max(x[nameAlike], x[toldAlike])
	x[nameAndTold] = x[nameAlike] * x[toldAlike]
	x[sameName] = bit(w.x.shape.named(r) != "" && strings.EqualFold(r.Name, f.Name))
	x[mainResult] = bit(r.Place == 0)
	x[nearly] = x[gramsAlike] * x[gramsAlike]
	x[onlyResult] = bit(size(p.Gives) == 1)
	x[sameType] = bit(r.Type == f.Type)
	x[toldMeant] = meant(rs.all, fs.all)
	_, ok1 := w.place[p]
	_, ok2 := w.place[t]
	if ok1 && ok2 {
		v, b := w.alike(r, f), w.best[r]
		if v >= b[0] {
			b[0] = b[1]
		}
		x[outdone] = v - b[0]
	}
	return x
}

// ownTraits are those of the way that takes no edge.
func (w *weave) ownTraits(t *cards.Entry, f *fields.Field) (x [ownTraits]float64) {
	here := w.spotOf(t)
	x[always] = 1
	x[boundSure] = here.bound[f.Name].Sure
	if b := here.bound[f.Name]; b.Sure > 0 && b.Used >= 0 && b.Used < len(w.g.facts) {
		value := w.g.facts[b.Used]
		x[boundHere] = words.Either(value.Start >= here.Start && value.End <= here.End, b.Sure, 0)
	}
	x[spokenOf] = covered(w.field(f).all, here.words)
	x[factHere] = bit(slices.ContainsFunc(facts.Within(w.g.facts, here.Start, here.End), func(fa facts.Fact) bool { _, sure := fields.Suits(f, fa); return sure > 0 }))
	x[exampleHere] = bit(w.speaksOf(f))
	x[wholeNumber] = bit(f.Type == "integer")
	x[aList] = bit(f.IsList())
	x[trueFalse] = bit(f.Type == "boolean")
	x[aDay] = bit(f.Sort == fields.Date)
	x[aPerson] = bit(f.Sort == fields.Person)
	x[firstOne] = bit(f.Place == 0)
	x[lastOne] = bit(f.Place == len(t.Params)-1)
	for _, o := range w.asked {
		for _, p := range w.takes(o) {
			if o != t && p.Type == f.Type {
				if _, ok := w.spotOf(o).bound[p.Name]; ok {
					x[toldBefore] = max(x[toldBefore], w.alike(p, f))
				}
			}
		}
	}
	x[required] = bit(f.Required)
	x[manyOnes] = float64(min(4, len(t.Params))) / 4
	x[wordy] = float64(min(6, len(strings.Fields(f.Desc)))) / 6
	return x
}

// arrange gives a gap the traits that come from the order of the tools.
func (w *weave) arrange(g *gap) {
	to := w.place[g.Taker]
	g.own[askedBefore] = 0
	for _, o := range w.asked[:to] {
		for _, p := range w.takes(o) {
			if p.Type == g.Field.Type {
				g.own[askedBefore] = max(g.own[askedBefore], w.alike(p, g.Field))
			}
		}
	}
	g.own[firstTool] = bit(to == 0)
	if _, ok := w.place[g.Taker]; !ok {
		return
	}
	for _, l := range g.links {
		from, ok := w.place[l.provider]
		if !ok {
			continue
		}
		x := &l.traits
		x[backward] = bit(from > to)
		x[apart] = max(0, float64(to-from-1)) / 3
		x[overtaken] = w.overtakes(l.field, g.Field.Type, from, to)
	}
}

// overtakes is how much alike a field and what tools between two places return are, among fields of a type, 0–1. Worked out once for
// each order of the tools: many parameters ask for it.
func (w *weave) overtakes(r *fields.Field, kind string, from, to int) float64 {
	k := betweenKey{r, kind, from, to}
	v, ok := w.between[k]
	if !ok && from < to {
		for _, o := range w.asked[from+1 : to] {
			for _, q := range w.gives(o) {
				if q.Type == kind {
					v = max(v, w.alike(q.Field, r))
				}
			}
		}
		w.between[k] = v
	}
	return v
}

// speaksOf reports whether a value that the field may have stands in the request.
func (w *weave) speaksOf(f *fields.Field) bool {
	return words.Longest(f.Examples, w.g.text) != "" || words.Longest(f.Enum, w.g.text) != ""
}

func bit(ok bool) float64 { return words.Either[float64](ok, 1, 0) }

// pair of weights of a trait: where names speak, and where they say nothing (t17, param3).
type pair struct{ spoken, mute float64 }

// score adds the traits up. Where only some names are mute, the weights are mixed in that share.
func (w *weave) score(weights []pair, traits []float64) float64 {
	sum := 0.0
	for i, v := range traits {
		sum += v * (weights[i].spoken + w.mute*(weights[i].mute-weights[i].spoken))
	}
	return sum
}

// scores of the ways to fill a gap: of the one that takes no edge, then of the links.
func (w *weave) scores(own *[ownTraits]float64, links []*link) []float64 {
	out := []float64{w.score(ownWeights[:], own[:])}
	for _, l := range links {
		if l.declared {
			out = append(out, declared)
			continue
		}
		out = append(out, w.score(edgeWeights[:], l.traits[:]))
	}
	return out
}

// muteness is the share of the fields of the tools asked for whose names have no word that any description has, 0–1.
func (w *weave) muteness() float64 {
	var told []string
	var all []*sense
	for _, e := range w.asked {
		told = append(told, words.Content(e.Description)...)
		visit := func(f *fields.Field) {
			all = append(all, w.field(f))
			for _, t := range w.field(f).told.terms {
				told = append(told, t.word)
			}
		}
		for i := range e.Params {
			visit(&e.Params[i])
		}
		fields.Walk(e.Gives, "", func(_ string, f *fields.Field) { visit(f) })
	}
	spoken := w.x.shape.vector(told...)
	n := 0.0
	for _, s := range all {
		n += bit(covered(s.name, spoken) == 0)
	}
	return n / max(1, float64(len(all)))
}
