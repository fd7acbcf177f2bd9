package table

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/hmap-project/hmap/tools/document/outline"
)

const (
	minPairs   = 8  // rows below which a correlation says nothing
	maxMeasure = 12 // columns that are compared with each other
)

type pair struct {
	a, b              *Column
	n                 int
	pearson, spearman float64
	p                 float64
}

// correlation tells which columns of numbers go together.
func (s *study) correlation(ctx context.Context) error {
	named, all := s.r.mentioned(true), s.r.amounts()
	if len(all) < 2 {
		return refusef("相关分析至少要两列数值，表里只有 %d 列", "a correlation needs two columns of numbers, and the table has %d", len(all))
	}
	filters := s.conditions(true)
	if len(all) > maxMeasure {
		s.notes = append(s.notes, remarkf("数值列太多，只比较前 %d 列", "of the many columns of numbers the first %d are compared", maxMeasure))
		all = all[:maxMeasure]
	}
	var pairs []pair
	short := 0
	try := func(a, b *Column) error {
		_, v, text, err := s.b.floats(ctx, s.r.table, []*Column{a, b}, filters)
		if err != nil {
			return err
		}
		if len(v[0]) < minPairs {
			short++
			return nil
		}
		s.sql = append(s.sql, text)
		r := pearson(v[0], v[1])
		pairs = append(pairs, pair{a, b, len(v[0]), r, pearson(ranks(v[0]), ranks(v[1])), correlationP(r, len(v[0]))})
		return nil
	}
	switch {
	case len(named) >= 2:
		all = named
	case len(named) == 1:
		for _, c := range all {
			if c != named[0] {
				if err := try(named[0], c); err != nil {
					return err
				}
			}
		}
		all = nil
	}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if err := try(a, b); err != nil {
				return err
			}
		}
	}
	if len(pairs) == 0 {
		return refusef("有值的行太少，相关分析至少要 %d 行", "too few rows have values; a correlation needs %d", minPairs)
	}
	if short > 0 {
		s.notes = append(s.notes, remarkf("%d 对列共同有值的行不到 %d，没有计算", "%d pairs have fewer than %d rows in common and are left out", short, minPairs))
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(math.Abs(b.pearson), math.Abs(a.pearson)) })
	bar := .05 / float64(len(pairs))
	top := pairs[0]
	word := remark{"没有显著的线性相关", "are not linearly correlated beyond chance"}
	if top.p < bar {
		switch r := top.pearson; {
		case r >= .7:
			word = remark{"强正相关", "rise together, strongly"}
		case r >= .4:
			word = remark{"中等正相关", "rise together, moderately"}
		case r > 0:
			word = remark{"弱正相关", "rise together, weakly"}
		case r > -.4:
			word = remark{"弱负相关", "go opposite ways, weakly"}
		case r > -.7:
			word = remark{"中等负相关", "go opposite ways, moderately"}
		default:
			word = remark{"强负相关", "go opposite ways, strongly"}
		}
	}
	s.say("「%s」与「%s」**%s**（Pearson r=%.3f，Spearman ρ=%.3f，%d 行，p=%s）。", "“%s” and “%s” **%s** (Pearson r=%.3f, Spearman ρ=%.3f, %d rows, p=%s).", top.a.Name, top.b.Name, word.in(s.lang), top.pearson, top.spearman, top.n, pText(top.p))
	columns := []string{say(s.lang, "列", "column"), say(s.lang, "与", "with"), "Pearson r", "Spearman ρ", "p", say(s.lang, "行数", "rows")}
	var rows [][]any
	var names []string
	var rs []float64
	for _, p := range pairs[:min(len(pairs), 10)] {
		rows = append(rows, []any{p.a.Name, p.b.Name, p.pearson, p.spearman, pText(p.p), int64(p.n)})
		names, rs = append(names, p.a.Name+" × "+p.b.Name), append(rs, p.pearson)
	}
	if len(pairs) > 1 {
		s.words = append(s.words, rowsTable(columns, rows, 10, s.lang))
		s.charts = append(s.charts, outline.Chart{Kind: "bar", Title: say(s.lang, "相关系数", "correlations"), Categories: names, Series: []outline.Series{{Name: "Pearson r", Values: values(rs)}}})
		s.say("比较了 %d 对，p 小于 %s 才算显著（Bonferroni）。", "%d pairs were compared, so only p below %s counts (Bonferroni).", len(pairs), figureText(bar))
	}
	s.say("相关不等于因果。", "What goes together need not cause each other.")
	s.figures = map[string]any{"a": top.a.Name, "b": top.b.Name, "pearson": top.pearson, "spearman": top.spearman, "p": top.p, "rows": top.n, "pairs": len(pairs)}
	return nil
}

func pText(p float64) string {
	if p < .0001 {
		return "<0.0001"
	}
	return figureText(p)
}
