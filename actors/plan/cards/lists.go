package cards

import (
	"slices"

	"github.com/hmap-project/hmap/actors/plan/fields"
)

// Lists are the lists of objects among what a tool returns, in the order of its schema.
func (e *Entry) Lists() []*fields.Field {
	if len(e.Result.Fields) > 0 && e.Result.IsList() {
		return []*fields.Field{&e.Result}
	}
	var out []*fields.Field
	for i := range e.Result.Fields {
		if f := &e.Result.Fields[i]; f.IsList() && len(f.Fields) > 0 {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *fields.Field) int { return a.Place - b.Place })
	return out
}
