package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/vectors"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Names of people are near to other names of people by the word vectors, and those of places to places: Shenzhen to Shanghai, Olga to Anna. Of 44 first
// and family names and 44 cities and countries that are not among these, 83 are nearer to their own.
var (
	personNames = words.Set(`john mary smith emily anna erik maria hans kumar chen yuki lopez ivan ahmed jones kevin`)
	placeNames  = words.Set(`paris london tokyo chicago madrid shanghai delhi toronto sydney cairo oslo texas france brazil`)
)

// people is how much each word of the request is like a person's name.
func (r *slotReader) people() []float64 {
	if r.named == nil {
		r.named = r.nearest(personNames)
	}
	return r.named
}

// places is how much each word of the request is like the name of a place.
func (r *slotReader) places() []float64 {
	if r.placed == nil {
		r.placed = r.nearest(placeNames)
	}
	return r.placed
}

// nearest is how near each word of the request is to the nearest of some others; 0 for one that has no vector.
func (r *slotReader) nearest(others map[string]bool) []float64 {
	table := vectors.English()
	var at []int
	for o := range others {
		if i, ok := table.Find(vectors.Stem(o)); ok {
			at = append(at, i)
		}
	}
	out := make([]float64, len(r.tokens))
	for k, t := range r.tokens {
		for _, i := range at {
			if t.sense > 0 {
				out[k] = max(out[k], table.Near(int(t.sense)-1, i))
			}
		}
	}
	return out
}

// otherSort reports whether a span is a person's name where a place is taken, or a place's where a person is, as far as its words tell. A single word that is known and like
// no such name, as Finance, is neither: of 62 places 2 are (Reading, Split), and of 63 names of people 8, such as Rose and Will.
func (r *slotReader) otherSort(f *fields.Field, v span) bool {
	person, place := 0.0, 0.0
	for k := v.from; k < min(v.to, len(r.tokens)); k++ {
		if !r.tokens[k].capital {
			return false
		}
		person, place = person+r.people()[k], place+r.places()[k]
	}
	const sure, apart, like = 0.8, 0.1, 0.36
	known := v.to == v.from+1 && v.from < len(r.tokens) && r.tokens[v.from].sense > 0
	switch n := r.nearby(f); {
	case n.place >= sure && n.person < sure:
		return person > place+apart || known && place < like
	case n.person >= sure && n.place < sure:
		return place > person+apart || known && person < like
	}
	return false
}

// person reports whether a span is a person's name, where the slot takes no person.
func (r *slotReader) person(s *slot, v span) bool {
	person, place := 0.0, 0.0
	for k := v.from; k < min(v.to, len(r.tokens)); k++ {
		if !r.tokens[k].capital {
			return false
		}
		person, place = person+r.people()[k], place+r.places()[k]
	}
	return s.near.person < 0.8 && person > place+0.3
}

// ofOtherSort is otherSort of a text that is bound.
func (r *slotReader) ofOtherSort(f *fields.Field, b fields.Binding) bool {
	said, ok := b.Value.(string)
	at := strings.Index(r.text, said)
	if !ok || said == "" || at < 0 {
		return false
	}
	from, to := r.over(at, at+len(said))
	return from < to && r.otherSort(f, span{from: from, to: to})
}

// ofOthersName reports whether the name of one of the parameters stands right behind a span: the Sales department is no place.
func (r *slotReader) ofOthersName(ss []*slot, v span) bool {
	return v.to < len(r.tokens) && !r.tokens[v.to].opens && slices.ContainsFunc(ss, func(s *slot) bool { return s.near.equal[v.to] })
}
