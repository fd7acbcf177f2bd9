package table

import (
	"slices"
	"strings"
)

// units: "how many units" asks for the sum of a quantity, not for rows.
func (r *reading) units(amounts []*Column) bool {
	return len(amounts) == 1 && slices.ContainsFunc(aliases(amounts[0], nil), func(a alias) bool { return a.text == "数量" }) || len(amounts) > 0 && !strings.Contains(r.s, "行") && !strings.Contains(r.s, "条")
}

// foldsOf is what is done to a column: what the question says nearest before it, else what suits it. A price or an age is not added up.
func (r *reading) foldsOf(c *Column, folds []string, high, low bool) []string {
	if c.whole != "" {
		return []string{wholeOf}
	}
	if len(folds) > 0 {
		return folds
	}
	rate := c.unit == "%" || c.rate()
	switch {
	case rate && high && len(r.wish.groups) > 0:
		return []string{highOf}
	case rate && low && len(r.wish.groups) > 0:
		return []string{lowOf}
	case rate:
		return []string{meanOf}
	}
	return []string{sumOf}
}

// bare is a question that names neither amount nor group: a count, rows, or a fold of the only amount.
func (r *reading) bare(folds []string, list, ranked, low bool) {
	w := r.wish
	all := r.amounts()
	switch {
	case ranked && len(all) == 1:
		w.rows, w.by, w.ordered, w.up, w.best = true, all[0], true, low, true
	case len(folds) > 0 && len(all) == 1:
		for _, f := range folds {
			w.measures = append(w.measures, measure{f, all[0]})
		}
	case len(folds) > 0 || ranked:
		r.doubt = remarkf("没有说要计算哪一列", "it does not say which column is meant")
	case len(w.filters) > 0 || list:
		if texts := r.mentioned(false); list && len(texts) > 0 && len(w.filters) == 0 && texts[0].kind == textKind { // 有哪些地区
			w.groups = []group{{column: texts[0]}}
			w.measures = []measure{{countOf, nil}}
			return
		}
		w.rows = true
	case len(r.mentioned(false)) > 0:
		for _, c := range r.mentioned(false) {
			g := group{column: c}
			if c.kind == timeKind {
				g.grain = r.finest(c, byDay)
			}
			w.groups = append(w.groups, g)
		}
		w.measures = []measure{{countOf, nil}}
	default:
		r.doubt = remarkf("没有看出要查什么", "it is not clear what is wanted")
	}
}

// sharing: the share of one of several is shown among all of them.
func (r *reading) sharing(whole bool) {
	w := r.wish
	if r.rate != nil {
		w.part = r.rate
		return
	}
	for i, f := range w.filters {
		if w.share && (f.limits != "" || f.ofRow) && (len(w.groups) == 0 || f.limits == isNull || f.ofRow) { // of how many rows it is so
			w.part, w.filters = &f, slices.Delete(w.filters, i, i+1)
			r.held = append(r.held, f.column)
			return
		}
	}
	if !w.share || len(w.groups) > 0 {
		if w.share {
			w.ordered = true
		}
		return
	}
	if i := r.subject(); i >= 0 {
		w.filters[0], w.filters[i] = w.filters[i], w.filters[0]
	} else if len(slices.DeleteFunc(slices.Clone(w.filters), func(f filter) bool { return f.values == nil || f.not })) > 1 {
		if whole && len(w.groups) == 0 { // of all, those for which each holds
			var part filter
			w.filters = slices.DeleteFunc(w.filters, func(f filter) bool {
				if f.values == nil || f.not {
					return false
				}
				if r.held = append(r.held, f.column); part.sql == "" {
					part = f
				} else {
					part.sql, part.said = part.sql+" AND "+f.sql, remark{part.said.zh + "且" + f.said.zh, part.said.en + " and " + f.said.en}
				}
				return true
			})
			w.part = &part
			return
		}
		r.doubt = remarkf("占比可以有几种理解：请说是谁占谁的多少，例如“华东的各产品占比”", "the share can be meant in several ways; say what it is to be a share of, as in “share of each product in the East”")
		return
	}
	for i, f := range w.filters {
		if len(f.values) > 0 && !f.not {
			w.groups = []group{{column: f.column}}
			w.focus = f.values
			w.filters = slices.Delete(w.filters, i, i+1)
			w.ordered = true
			return
		}
	}
	if len(w.filters) == 1 { // of all, the rows of which it is so
		w.part, w.filters = &w.filters[0], nil
		r.held = append(r.held, w.part.column)
		return
	}
	if texts := r.mentioned(false); len(texts) > 0 && len(w.filters) == 0 {
		w.groups = []group{{column: texts[0]}}
		w.ordered = true
		return
	}
	r.doubt = remarkf("没有说按什么算占比", "it does not say what the share is of")
}

// subject is the filter whose share is asked for where later parts of the question only limit the whole; -1: there are none such.
func (r *reading) subject() int {
	at := -1
	for i, f := range r.wish.filters {
		switch {
		case f.values == nil || f.not || r.part(f.at[0]) > 0:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	if len(r.cuts) == 0 {
		return -1
	}
	return at
}
