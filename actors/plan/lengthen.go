package plan

import (
	"maps"
	"slices"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/words"
)

var (
	// filed: a document is wanted of what is found.
	filed = words.MustCompile(`(?i)` + makeHan + `[^，,。；！？]{0,8}?` + fileHan + `|\b(?:in ?to|to|as|in)\s+(?:an? |some )?` + fileEng + `\b`)
)

// lengthen asks for all rows where the wish needs them: for a figure of all, for what is picked from them, and for a document.
func (r *round) lengthen() {
	all := filed.MatchString(r.in.Request)
	for _, t := range r.targets {
		f := t.e.Length()
		if f == nil || !all && !t.clause.Figure.NeedsAll() && len(r.unused(t)) == 0 {
			continue
		}
		rows := f.Most
		if n := t.clause.Figure.N; n > 0 && !all && len(r.unused(t)) == 0 && slices.ContainsFunc(slices.Collect(maps.Values(t.bound)), func(b fields.Binding) bool { return b.Why == figures.InOrderOf }) {
			rows = min(n, rows) // the tool puts the first ones first
		}
		for _, bound := range []*map[string]fields.Binding{&t.bound, &t.against} {
			if *bound != nil {
				*bound = maps.Clone(*bound)
				(*bound)[f.Name] = fields.Binding{Value: rows, Sure: 1, Why: "all rows", Used: -1}
			}
		}
	}
}
