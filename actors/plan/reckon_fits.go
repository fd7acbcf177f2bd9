package plan

import (
	"regexp"
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
	if t.by == "" && !t.superlative() || !e.reads() || e.IsAgent() {
		return 0
	}
	f, lacks, ok := t.lay(e)
	if t.by == "" {
		return t.suitsThings(f, ok && lacks == "" && f.of != nil)
	}
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

// suitsThings is what it is worth for the first ones of the things that a text names, the dearest orders, that the rows are these things, and what it
// costs that they are others. of: they tell what is measured.
func (t reckoning) suitsThings(f folding, of bool) float64 {
	low := strings.ToLower(t.text)
	named := func(label string) bool {
		return slices.ContainsFunc(sameNouns[:things], func(set []string) bool {
			return slices.ContainsFunc(set, func(noun string) bool {
				return (isHan(firstRune(noun)) && len([]rune(noun)) > 1 && strings.Contains(low, noun) || !isHan(firstRune(noun)) && calls(low, noun)) && (label == "" || calls(label, noun))
			})
		})
	}
	switch {
	case !named(""):
		return 0
	case of && named(f.list.label("zh")+" "+f.list.label("en")):
		return 2 * tabled
	}
	return -untold
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

// inOrderOf is why a parameter has a value that says in which order rows are listed.
const inOrderOf = "the order of the rows"

// sortName and sortTitle: what such a parameter is called.
var (
	sortName  = regexp.MustCompile(`(?i)^(?:sort|order)(?:ed|ing)?(?:_?by)?$`)
	sortTitle = regexp.MustCompile(`(?i)排序|\bsort(?:ed|ing)?\b|\border by\b`)
)

// sorts reports whether a parameter says in which order rows are listed. That tells of no wish but how the rows stand.
func (f *field) sorts() bool {
	return len(f.Enum) > 0 && (sortName.MatchString(f.Name) || sortTitle.MatchString(f.Title))
}

// sorted is the allowed value of such a parameter that puts the rows in the order which a figure wants: read as the request is, 最贵 and
// "highest amount" mean the same column in the same direction; a mere name, 消费金额, is one with the most first. "" when there is none.
func (e *entry) sorted(f *field, t reckoning, lang string) string {
	g, lacks, ok := t.lay(e)
	if !ok || lacks != "" || !g.superlative() || g.by != nil || g.of == nil {
		return ""
	}
	best := ""
	for _, v := range f.Enum {
		said := readReckoning(v)
		if !said.superlative() {
			said.fold, said.text = foldMost, v
		}
		s, lacks, ok := said.lay(e)
		if ok && lacks == "" && s.list == g.list && s.of == g.of && s.fold == g.fold && (best == "" || isHan(firstRune(v)) == (lang == "zh")) && !(best != "" && isHan(firstRune(best)) == (lang == "zh")) {
			best = v
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
