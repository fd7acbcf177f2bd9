package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
)

// Bounds of a full plan, in fields: each returned field is held against each parameter of the other tools, a microsecond a pair. The cards of
// no public set reach them; twelve tools of 500 fields each would take half a minute.
const (
	maxPairs = 60_000 // pairs of a parameter and a returned field
	maxFed   = 24     // fields of a card each way, where only it is asked whether tools go together
)

// given is a returned field with its path from the top of what is returned.
type given struct {
	path string
	*fields.Field
}

// looked says which fields of the cards a full plan looks at: all, or the same number of each card when there are too many. Those that the
// request tells a value of come first, then those that must be there, then those that the card lists first; of what is returned, what bears the
// name of a parameter first.
type looked struct {
	most  int // fields of a card each way; 0: all
	short bool
	takes map[*cards.Entry][]*fields.Field
	gives map[*cards.Entry][]given
}

// fewer bounds the fields of tools that are woven together.
func (l *looked) fewer(tools []*cards.Entry) {
	pairs := func(n int) int {
		sum, all := 0, 0
		for _, e := range tools {
			all += min(n, size(e.Gives))
		}
		for _, e := range tools {
			sum += min(n, len(e.Params)) * (all - min(n, size(e.Gives)) + min(n, len(e.Params))) // parameters are held against each other, too
		}
		return sum
	}
	most := 0
	for _, e := range tools {
		most = max(most, len(e.Params), size(e.Gives))
	}
	if pairs(most) <= maxPairs {
		return
	}
	for l.most = most; l.most > 1 && pairs(l.most) > maxPairs; {
		l.most = l.most * 9 / 10
	}
}

// takesOf are the parameters of a tool that are looked at; told says of which the request tells a value.
func (l *looked) takesOf(e *cards.Entry, told func(*fields.Field) bool) []*fields.Field {
	if out, ok := l.takes[e]; ok {
		return out
	}
	var out []*fields.Field
	for i := range e.Params {
		out = append(out, &e.Params[i])
	}
	if l.most > 0 && len(out) > l.most {
		rank := func(f *fields.Field) int {
			switch {
			case told(f):
				return 0
			case f.Required || len(f.Needs) > 0:
				return 1
			}
			return 2
		}
		slices.SortStableFunc(out, func(a, b *fields.Field) int { return rank(a) - rank(b) })
		out, l.short = out[:l.most], true
		slices.SortStableFunc(out, func(a, b *fields.Field) int { return a.Place - b.Place })
	}
	if l.takes == nil {
		l.takes = map[*cards.Entry][]*fields.Field{}
	}
	l.takes[e] = out
	return out
}

// givesOf are the returned fields of a tool that are looked at, of all depths; wanted are names of parameters in small letters.
func (l *looked) givesOf(e *cards.Entry, wanted map[string]bool) []given {
	if out, ok := l.gives[e]; ok {
		return out
	}
	var out []given
	fields.Walk(e.Gives, "", func(path string, f *fields.Field) { out = append(out, given{path, f}) })
	if l.most > 0 && len(out) > l.most {
		apart := func(g given) bool { return len(g.Provides) == 0 && !wanted[strings.ToLower(g.Name)] }
		slices.SortStableFunc(out, func(a, b given) int { return int(bit(apart(a)) - bit(apart(b))) })
		out, l.short = out[:l.most], true
	}
	if l.gives == nil {
		l.gives = map[*cards.Entry][]given{}
	}
	l.gives[e] = out
	return out
}

// takes are the parameters of a tool that this plan looks at.
func (w *weave) takes(e *cards.Entry) []*fields.Field {
	return w.takesOf(e, func(f *fields.Field) bool {
		s := w.where[e]
		return s != nil && s.bound[f.Name].Sure > 0
	})
}

// gives are the returned fields of a tool that this plan looks at.
func (w *weave) gives(e *cards.Entry) []given {
	if w.wanted == nil && w.most > 0 {
		w.wanted = map[string]bool{}
		for _, t := range w.asked {
			for i := range t.Params {
				w.wanted[strings.ToLower(t.Params[i].Name)] = true
			}
		}
	}
	return w.givesOf(e, w.wanted)
}
