package plan

import (
	"slices"
	"strings"
)

// What speaks for a tool where a figure is wanted: that its rows tell what it is made of.

// tabled is what it is worth that the rows of a tool tell by what a request wants things put together, or that the tool does so itself; so
// is what it counts of them. untold is what it costs that they do not.
const (
	tabled = 0.15
	untold = 0.25
)

// columnIn reports whether the rows of a looking tool tell by what a request wants things put together.
func (t reckoning) columnIn(e *entry) bool {
	if t.by == "" || !e.reads() || e.IsAgent() {
		return false
	}
	f, _, ok := t.lay(e)
	return ok && f.by != nil
}

// suits is what it is worth for a figure that a tool returns what it is made of.
func (t reckoning) suits(e *entry) float64 {
	if t.by == "" || !e.reads() || e.IsAgent() {
		return 0
	}
	f, lacks, ok := t.lay(e)
	named := ifElse(f.of != nil && f.of.shares(t.text) > 0, tabled, 0)
	switch {
	case ok && t.fold == foldMean && (f.reckoning.by == "" || e.tellsMean() && slices.Contains(alsoCalled(t.by), "order")):
		return tabled + named
	case ok && lacks != "":
		return -untold
	case e.groups(t.by):
		return 2*tabled + named
	case ok && f.by != nil:
		return tabled + named
	}
	return 0
}

// tellsMean reports whether a tool works a mean out itself.
func (e *entry) tellsMean() bool {
	return slices.ContainsFunc(e.result.Fields, func(f field) bool {
		return (f.Type == "number" || f.Type == "integer") && averageOf.MatchString(f.label("zh")+" "+f.label("en"))
	})
}

// groups reports whether a tool can be told to put things together by what a noun names.
func (e *entry) groups(noun string) bool {
	return slices.ContainsFunc(e.params, func(p field) bool { return p.groups(noun) != "" })
}

// groups is the allowed value of a parameter that is called by a noun or by another word for it, in the noun's language where there is such; "" when
// there is none.
func (f *field) groups(noun string) string {
	best := ""
	if noun == "" || len(f.Enum) == 0 {
		return ""
	}
	for _, also := range alsoCalled(noun) {
		for _, v := range f.Enum {
			if strings.ToLower(v) == also && (best == "" || isHan(firstRune(v)) == isHan(firstRune(noun)) && isHan(firstRune(best)) != isHan(firstRune(noun))) {
				best = v
			}
		}
	}
	return best
}

// lists are the lists of objects among what a tool returns, in the order of its schema.
func (e *entry) lists() []*field {
	if len(e.result.Fields) > 0 && e.result.isList() {
		return []*field{&e.result}
	}
	var out []*field
	for i := range e.result.Fields {
		if f := &e.result.Fields[i]; f.isList() && len(f.Fields) > 0 {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *field) int { return a.Place - b.Place })
	return out
}
