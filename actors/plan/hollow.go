package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/vectors"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// hollows finds the names of fields that say nothing even when two are equal: p1 of one tool and p1 of the next have no more in common than
// any two. A name that no description has a word of (t17, qwzx) may still stand for one thing everywhere, and then the fields that share it
// are told in much the same words. So all shared ones are taken together: where what is told of such fields is not alike, the names
// only number the fields. In NesTools with the names of each card numbered the mean likeness is 0.23 or less in 19 of 20 rows; with each name
// replaced by the same seven letters everywhere it is 0.26 or more in 19 of 20.
func (s *shape) hollows(entries []*cards.Entry) {
	byName := map[string][]*fields.Field{}
	said := map[string]bool{}
	visit := func(f *fields.Field) {
		name := strings.ToLower(f.Name)
		byName[name] = append(byName[name], f)
		for _, w := range toldOf(f) {
			said[w] = true
		}
	}
	for _, e := range entries {
		for _, w := range words.Content(e.Description) {
			said[w] = true
		}
		for i := range e.Params {
			visit(&e.Params[i])
		}
		fields.Walk(e.Gives, "", func(_ string, f *fields.Field) { visit(f) })
	}
	var mute [][]*fields.Field
	sum, pairs := 0.0, 0
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		fs := byName[name]
		if speaks(fs, said) {
			continue
		}
		mute = append(mute, fs)
		some := fs[:min(len(fs), maxShared)]
		for i, a := range some {
			for _, b := range some[:i] {
				if x, y := toldOf(a), toldOf(b); len(x) > 0 && len(y) > 0 {
					sum += s.overlap(x, y)
					pairs++
				}
			}
		}
	}
	if pairs > 0 && sum/float64(pairs) >= toldAsOne {
		return
	}
	if pairs < fewShared { // too few to tell; but p17 and p18 are no nearer than p17 and p90
		mute = slices.DeleteFunc(mute, func(fs []*fields.Field) bool { return !holdsDigit(fs[0].Name) })
	}
	if len(mute) == 0 {
		return
	}
	s.hollow = map[*fields.Field][]uint32{}
	for _, fs := range mute {
		for _, f := range fs {
			if told := toldOf(f); len(told) > 0 { // else the name is all there is
				s.hollow[f] = gramSet(told)
			}
		}
	}
}

// Bounds of hollows: how many fields of one name are held against each other, how many pairs tell something, and how alike they must be told
// on the average, 0–1.
const (
	maxShared = 12
	fewShared = 3
	toldAsOne = 0.25
)

func holdsDigit(name string) bool { return strings.ContainsAny(name, "0123456789") }

// toldOf are the informative words of what a field says of itself beside its name.
func toldOf(f *fields.Field) []string { return f.About[len(words.Terms(f.Name)):] }

// speaks reports whether the name that fields share has a word of English or of any description (they may be in another language), or, where
// the name is numbered (field_3), of one of their own.
func speaks(fs []*fields.Field, said map[string]bool) bool {
	name := words.Terms(fs[0].Name)
	if holdsDigit(fs[0].Name) {
		return slices.ContainsFunc(fs, func(f *fields.Field) bool {
			return slices.ContainsFunc(name, func(w string) bool { return !words.AllDigits(w) && slices.Contains(toldOf(f), w) })
		})
	}
	return slices.ContainsFunc(name, func(w string) bool {
		_, word := vectors.English().Find(w)
		return said[w] || word && len(w) > 2
	})
}

// grams are the hashed n-grams of what is to be compared of a field.
func (s *shape) grams(f *fields.Field) []uint32 {
	if gs, ok := s.hollow[f]; ok {
		return gs
	}
	return f.Grams
}

// named is the name of a field; "" of one whose name says nothing.
func (s *shape) named(f *fields.Field) string {
	if _, ok := s.hollow[f]; ok {
		return ""
	}
	return f.Name
}
