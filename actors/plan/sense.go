package plan

import (
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// sense is what a field or a tool says of itself, ready to be compared.
type sense struct {
	name   vector // of its name
	called vector // the same; of a name that says nothing, of what is told instead
	told   vector // of its title and description, without examples and units
	all    vector // of both
	grams  []uint32
	// fields are the words of all parameters and returned fields of a tool; empty for a field.
	fields vector
}

// toldUnit is where a description tells a unit; amounts of one unit are not alike for that.
var toldUnit = words.MustCompile(`(?i)[,;(，；（]?\s*(?:default\s+)?unit:?\s*(?:is\s+)?[^,.;)]{1,20}|[，；（]?\s*单位[:：为是]?\s*[^，。；,;）]{1,8}`)

// says works the sense of a name and a description out.
func (x *Index) says(name, desc string) *sense {
	s := x.shape
	n, d := slices.DeleteFunc(words.Terms(name), func(w string) bool { return s.badges[w] }), words.Content(toldUnit.ReplaceAllString(fields.ToldExamples.ReplaceAllString(desc, " "), " "))
	all := slices.Concat(n, d)
	out := &sense{name: s.vector(n...), told: s.vector(d...), all: s.vector(all...), grams: gramSet(all)}
	x.sensed(out.name)
	x.sensed(out.all)
	out.called = out.name
	return out
}

// standIn gives a sense the words that stand for a name that says nothing.
func (x *Index) standIn(s *sense, name, desc string) {
	if called, silent := words.Spoken(name, fields.ToldExamples.ReplaceAllString(desc, " ")); silent {
		s.called = x.shape.vector(called...)
		x.sensed(s.called)
	}
}

// sensed looks the words of a vector up among the word vectors, for [meant].
func (x *Index) sensed(v vector) {
	for i := range v.terms {
		v.terms[i].sense = x.sense(v.terms[i].word)
	}
}

// field is the sense of a field, worked out once a request.
func (w *weave) field(f *fields.Field) *sense {
	s := w.fields[f]
	if s == nil {
		s = w.x.says(w.x.shape.named(f), f.Title+" "+f.Desc)
		w.x.standIn(s, f.Name, f.Title+" "+f.Desc)
		w.fields[f] = s
	}
	return s
}

// tool is the sense of a tool, worked out once a request.
func (w *weave) tool(e *cards.Entry) *sense {
	s := w.tools[e]
	if s == nil {
		s = w.x.says(e.Name, e.Description)
		var about []string
		for i := range e.Params {
			about = append(about, e.Params[i].About...)
		}
		fields.Walk(e.Gives, "", func(_ string, r *fields.Field) { about = append(about, r.About...) })
		s.fields = w.x.shape.vector(about...)
		w.x.standIn(s, e.Name, e.Description)
		w.tools[e] = s
	}
	return s
}
