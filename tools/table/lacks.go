package table

import (
	"context"
	"slices"
)

// lacks says of how many rows a figure that is worked out of two columns is not known, for one of them has no value there: a sum leaves these rows out. false: of none.
func (b *book) lacks(ctx context.Context, w *wish) (remark, bool, error) {
	if w == nil {
		return remark{}, false, nil
	}
	for _, c := range w.table.Columns {
		if c.formula == "" || c.whole != "" {
			continue
		}
		such := wish{filters: append(slices.Clone(w.filters), filter{sql: quoted(c.Name) + isNull})}
		r, err := b.query(ctx, "SELECT COUNT(*) FROM "+w.table.source()+such.where())
		if err != nil {
			return remark{}, false, err
		}
		if n, _ := asFloat(r.rows[0][0]); n > 0 {
			return remarkf("有 %.0f 行缺少计算「%s」的数，没有计入", "%.0f rows lack a figure that “%s” is worked out of, and are left out", n, c.Name), true, nil
		}
	}
	return remark{}, false, nil
}
