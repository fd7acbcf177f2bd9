package plan

import (
	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

func newSounding(entries []*cards.Entry) words.Sounding {
	out := words.Sounding{}
	add := func(term string) {
		if len(wishes.ChangeVerbs(term)) > 0 {
			return
		}
		n := 0
		for _, r := range term {
			if n++; !words.IsHan(r) || n > words.MaxHeard {
				return
			}
		}
		if n < words.MinHeard {
			return
		}
		if key := words.Sound(term); key != "" {
			if other, ok := out[key]; ok && other != term {
				term = ""
			}
			out[key] = term
		}
	}
	for _, e := range entries {
		for _, tag := range e.Tags {
			add(tag)
		}
		if !e.Reads() { // its values decide what becomes of something
			continue
		}
		for i := range e.Params {
			f := &e.Params[i]
			for _, v := range f.Enum {
				add(v)
				for _, name := range f.Called[v] {
					add(name)
				}
			}
		}
	}
	return out
}

// slipOf reports whether two signs are one of the commonest words of the cards in another sign of the same sound: 订淡 names nothing.
func (x *Index) slipOf(pair string) bool {
	meant := x.common[words.FirstRune(pair)]
	return meant != "" && pair != meant && words.Sound(pair) != "" && words.Sound(pair) == words.Sound(meant)
}
