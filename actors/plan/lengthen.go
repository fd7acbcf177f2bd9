package plan

import (
	"maps"
	"regexp"
	"slices"
)

// A list that leaves rows out makes a figure of all rows wrong, and a report short. Where a card lets its caller say how many rows are listed, and tells the
// most, that many are asked for; the answer shows the first of them all the same.

var (
	// rowsName and rowsTitle: what a parameter is called that says how many rows a list has.
	rowsName  = regexp.MustCompile(`(?i)^(?:limit|(?:page|result|list)_?size|per_?page|(?:max|num|number_of)_?(?:rows|results|items|records|entries)|rows|count)$`)
	rowsTitle = regexp.MustCompile(`(?i)行数|条数|(?:maximum|max\.?|how many|number of) (?:rows|results|items|records|entries)`)
	// filed: a document is wanted of what is found.
	filed = regexp.MustCompile(`(?i)` + makeHan + `[^，,。；！？]{0,8}?` + fileHan + `|\b(?:in ?to|to|as|in)\s+(?:an? |some )?` + fileEng + `\b`)
)

// length is the parameter by which a looking tool is told how many rows to list; nil when there is none with a maximum that may be left out.
func (e *entry) length() *field {
	if !e.reads() || e.IsAgent() || len(e.lists()) == 0 {
		return nil
	}
	for i := range e.params {
		if f := &e.params[i]; f.Type == "integer" && !f.Required && f.Most > 0 && f.saysRows() {
			return f
		}
	}
	return nil
}

// saysRows reports whether a parameter says how many rows a list has.
func (f *field) saysRows() bool {
	return (f.Type == "integer" || f.Type == "number") && (rowsName.MatchString(f.Name) || rowsTitle.MatchString(f.Title+" "+f.Desc))
}

// lengthen asks for all rows where the wish needs them: for a figure of all, for what is picked from them, and for a document.
func (r *round) lengthen() {
	all := filed.MatchString(r.in.Request)
	for _, t := range r.targets {
		f := t.e.length()
		if f == nil || !all && !t.clause.figure.needsAll() && len(r.unused(t)) == 0 {
			continue
		}
		rows := f.Most
		if n := t.clause.figure.n; n > 0 && !all && len(r.unused(t)) == 0 && slices.ContainsFunc(slices.Collect(maps.Values(t.bound)), func(b binding) bool { return b.why == inOrderOf }) {
			rows = min(n, rows) // the tool puts the first ones first
		}
		for _, bound := range []*map[string]binding{&t.bound, &t.against} {
			if *bound != nil {
				*bound = maps.Clone(*bound)
				(*bound)[f.Name] = binding{value: rows, sure: 1, why: "all rows", used: -1}
			}
		}
	}
}
