package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/vectors"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// nearby is how near each word of a request is to a parameter. Slices are by token; numbers are 0–1.
type nearby struct {
	name    []float64 // how much of the parameter's name the word means
	told    []float64 // likeness to the nearest word of what is told of it
	example []float64 // and of its examples
	raw     []float64 // likeness to the nearest other word of its name, with nothing held back
	equal   []bool    // it is a word of its name
	top     float64   // the greatest of raw
	mean    float64   // of raw
	preps   map[string]float64
	person  float64 // it takes a person
	place   float64 // or a place
	side    fields.Side
}

// prepositions have words for what stands behind them mostly: a parameter with a name like these takes what stands behind "from".
var prepositions = map[string][]string{
	"to":      {"destination", "target", "recipient", "receiver", "arrival", "goal", "end"},
	"into":    {"destination", "target", "goal"},
	"from":    {"origin", "source", "start", "departure", "sender"},
	"by":      {"author", "artist", "creator", "owner", "method", "performer"},
	"in":      {"city", "country", "location", "language", "place", "region", "area", "month", "year"},
	"at":      {"location", "venue", "place", "address", "time", "rate"},
	"on":      {"date", "day", "platform", "topic", "subject"},
	"for":     {"name", "purpose", "duration", "event", "customer"},
	"with":    {"name", "tool", "partner"},
	"about":   {"topic", "subject", "theme"},
	"via":     {"method", "mode", "platform", "channel"},
	"through": {"method", "mode", "platform", "channel"},
	"using":   {"method", "tool", "technique", "material"},
	"of":      {"name", "type", "subject"},
	"as":      {"role", "type", "format", "title"},
}

var (
	personRoles = []string{"person", "author", "customer", "artist", "director", "patient", "employee", "guest", "speaker"}
	placeRoles  = []string{"city", "country", "location", "region", "place", "town"}
)

// alikeWords is how alike two words are by the word vectors, 0–1.
func alikeWords(a, b int32) float64 {
	switch {
	case a == 0 || b == 0:
		return 0
	case a == b:
		return 1
	}
	return max(0, vectors.English().Near(int(a)-1, int(b)-1)-unrelated) / (1 - unrelated)
}

// likest is the likeness of a word to the likest of some others.
func (x *Index) likest(sense int32, others []string) float64 {
	best := 0.0
	for _, o := range others {
		if sense > 0 {
			best = max(best, alikeWords(x.sense(words.Stem(o)), sense))
		}
	}
	return best
}

// means is how much of a vector a word means, and its likeness to the nearest word of it.
func (v vector) means(t *token) (share, most float64) {
	for _, u := range v.terms {
		z := 1.0
		if u.word != t.stem {
			z = alikeWords(u.sense, t.sense)
		}
		share += z * u.weight
		most = max(most, z)
	}
	if v.sum > 0 {
		share /= v.sum
	}
	return share, most
}

func (r *slotReader) nearby(f *fields.Field) *nearby {
	if n := r.near[f]; n != nil {
		return n
	}
	x, s, size := r.w.x, r.w.field(f), len(r.tokens)
	n := &nearby{name: make([]float64, size), told: make([]float64, size), example: make([]float64, size), raw: make([]float64, size), equal: make([]bool, size), preps: map[string]float64{}, side: sideTold(f)}
	r.near[f] = n
	x.sensed(s.told)
	examples := x.shape.vector(words.Content(strings.Join(f.Examples[:min(len(f.Examples), maxExamples)], " "))...)
	x.sensed(examples)
	others := 0
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.linking {
			continue
		}
		n.name[i], _ = s.called.means(t)
		_, n.told[i] = s.told.means(t)
		_, n.example[i] = examples.means(t)
		n.equal[i] = slices.ContainsFunc(s.called.terms, func(u term) bool { return u.word == t.stem })
		if n.equal[i] {
			continue
		}
		for _, u := range s.called.terms {
			if u.sense > 0 && t.sense > 0 && u.sense != t.sense {
				n.raw[i] = max(n.raw[i], vectors.English().Near(int(u.sense)-1, int(t.sense)-1))
			}
		}
		n.top = max(n.top, n.raw[i])
		n.mean += n.raw[i]
		others++
	}
	n.mean /= float64(max(others, 1))
	n.person = bit(f.Sort == fields.Person)
	for _, u := range s.called.terms {
		n.person = max(n.person, x.likest(u.sense, personRoles))
		n.place = max(n.place, x.likest(u.sense, placeRoles))
		for prep, like := range prepositions {
			n.preps[prep] = max(n.preps[prep], x.likest(u.sense, like))
		}
	}
	return n
}

// maxExamples is how many examples of a parameter are looked at.
const maxExamples = 12

// toolWords tells which words of the request are of the tool's name.
func (r *slotReader) toolWords(e *cards.Entry) []bool {
	out := r.ofTool[e]
	if out == nil {
		out = make([]bool, len(r.tokens))
		name := r.w.tool(e).called
		for i, t := range r.tokens {
			out[i] = !t.quoted && slices.ContainsFunc(name.terms, func(u term) bool { return u.word == t.stem })
		}
		r.ofTool[e] = out
	}
	return out
}

var (
	oldSide = words.Set(`from origin source departure start starting pickup sender initial old current leaving`)
	newSide = words.Set(`to into destination target arrival end ending dropoff drop recipient receiver final new goal`)
	oldHan  = words.MustCompile(`起点|出发|始发|原|转出|源|寄件|寄出|旧|起始`)
	newHan  = words.MustCompile(`终点|到达|目的|目标|转入|转到|收件|收货|新|换成|译成`)
)

// sideTold is which of two ends a parameter takes, by its name, or by what is told of it.
func sideTold(f *fields.Field) fields.Side {
	for _, text := range []string{f.Name, f.Title + " " + f.Head()} {
		old, new := false, false
		for _, w := range words.Pieces(strings.ToLower(strings.ReplaceAll(text, "_", " "))) {
			old = old || oldSide[w.Text]
			new = new || newSide[w.Text]
		}
		if words.Wide(text) {
			old, new = old || oldHan.MatchString(text), new || newHan.MatchString(text)
		}
		if old != new {
			return words.Either(old, fields.SideOld, fields.SideNew)
		}
	}
	return fields.SideUnknown
}

// sideSaid is at which of two ends a span stands: from A to B, from the ward A to the ward B.
func (r *slotReader) sideSaid(s span) fields.Side {
	ts := r.tokens
	k := s.from - 1
	for k > 0 && !ts[k+1].opens && (ts[k].low == "the" || k == s.from-1 && ts[k].plainWord()) {
		k--
	}
	if k >= 0 && !ts[k+1].opens {
		switch ts[k].low {
		case "from":
			return fields.SideOld
		case "to", "into":
			return fields.SideNew
		}
	}
	if s.to < len(ts) && !ts[s.to].opens && ts[s.to].low == "to" {
		return fields.SideOld
	}
	return fields.SideUnknown
}
