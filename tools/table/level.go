package table

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// maxLevel is how far behind the first so many it is looked for others that are level.
const maxLevel = 400

// level says how many have the very figure of the last of the first so many, and did not come in: which of them did, only their names have settled. false: there
// are none.
func (b *book) level(ctx context.Context, w *wish, r *result) (remark, bool, error) {
	if w == nil || w.limit == 0 || w.limit > maxLevel || len(r.rows) != w.limit || w.within > 0 || w.against != "" || w.part != nil {
		return remark{}, false, nil
	}
	at := len(w.groups)
	switch {
	case w.rows && w.by != nil:
		at = slices.Index(r.columns, w.by.Name)
	case w.rows || at == 0 || !w.ordered:
		return remark{}, false, nil
	}
	last := r.rows[w.limit-1][at]
	more := *w
	more.limit += maxLevel
	all, err := b.query(ctx, more.sql("en"))
	if err != nil || last == nil {
		return remark{}, false, err
	}
	n := 0
	var names []string
	for _, row := range all.rows[min(w.limit, len(all.rows)):] {
		if row[at] != last {
			break
		}
		if n++; !w.rows && len(names) < 10 {
			names = append(names, spoken(row[0]))
		}
	}
	many := fmt.Sprint(n)
	if n == maxLevel {
		many += "+"
	}
	out := remarkf("还有 %s 个与最后一个相同", "%s more are level with the last of these", many)
	if len(names) > 0 {
		out = remark{out.zh + "：" + strings.Join(names, "、"), out.en + ": " + strings.Join(names, ", ")}
	}
	return out, n > 0, nil
}
