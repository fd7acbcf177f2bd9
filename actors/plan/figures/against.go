package figures

import (
	"math/big"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// OtherColumns are those of a list that two figures held against each other stand in; nil, nil where it lacks one of them.
func OtherColumns(o wishes.Other, list *fields.Field) (one, than *fields.Field) {
	of := func(figure string) *fields.Field {
		for _, name := range wishes.FigureCalled(figure) {
			for i := range list.Fields {
				c := &list.Fields[i]
				if (c.Type == "number" || c.Type == "integer") && (c.Label("zh") == name || strings.EqualFold(words.Stem(c.Name), words.Stem(name))) {
					return c
				}
			}
		}
		return nil
	}
	if one, than = of(o.One), of(o.Than); one == nil || than == nil || one == than {
		return nil, nil
	}
	return one, than
}

// against keeps the rows in which one figure lies below or above another one as the words say; ok is false where the rows lack one of them.
func (g *Folding) against(said string, rows []any) (kept []any, col *fields.Field, ok bool) {
	o, ok := wishes.ReadOther(said)
	if !ok {
		return nil, nil, false
	}
	one, than := OtherColumns(o, g.List)
	if one == nil {
		return nil, nil, false
	}
	for _, r := range rows {
		a, b := Amount(cellOf(r, one)), Amount(cellOf(r, than))
		if a == nil || b == nil {
			continue
		}
		if n := a.Cmp(new(big.Rat).Mul(b, o.Times)); o.Over && n > 0 || !o.Over && n < 0 || o.Equal && n == 0 {
			kept = append(kept, r)
		}
	}
	return kept, one, true
}
