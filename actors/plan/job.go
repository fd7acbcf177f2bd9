package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

func (r *round) jobOf(e *entry) string {
	if !e.IsAgent() {
		return ""
	}
	if t := r.target(e); t != nil {
		return r.job(t)
	}
	for _, c := range r.best.choices { // it was brought in to find something out
		if c.provider == e {
			var about []string
			for _, f := range r.g.facts {
				if f.kind != factNumber && f.kind != factDate {
					about = append(about, f.text)
				}
			}
			return say(r.g.lang, "查一下%s的%s", "Find the %[2]s of %[1]s", strings.Join(about, say(r.g.lang, "、", ", ")), c.field.label(r.g.lang))
		}
	}
	return r.g.text
}

// title names an action for people.
func (r *round) title(a bus.Action) string {
	if a.JobDesc != "" {
		text, _, _ := strings.Cut(a.JobDesc, "\n")
		return short(text, maxTitle)
	}
	e := r.x.byName[a.ToolName]
	if e == nil {
		return a.ToolName
	}
	return short(e.called(r.g.lang), maxTitle)
}

// maxContext bounds the results that are handed on with a job, in runes.
const maxContext = 3000

// job words what an agent shall do: the whole request when it is the only one, else its clause with the things that the
// other clauses named, and the whole request as context.
func (r *round) job(t *target) string {
	if t == nil {
		return r.g.text
	}
	if len(r.targets) == 1 && len(r.unmet) == 0 {
		return r.g.text
	}
	c := t.clause
	text := strings.TrimRight(c.text, endMarks)
	trade := map[string]bool{}
	for _, e := range r.x.entries {
		for w := range e.vocab {
			trade[w] = true
		}
	}
	if len(within(r.g.facts, c.start, c.end)) == 0 && residue(r.g.text, c.start, c.end, r.g.facts, trade) == "" {
		about := slices.DeleteFunc(r.about(c, trade), func(s string) bool { return t.tool != nil && !t.tool.canName(s) })
		if len(about) > 0 {
			if r.g.lang == "zh" {
				text += "（" + strings.Join(about, "，") + "）"
			} else {
				text += " (" + strings.Join(about, ", ") + ")"
			}
		}
	}
	context := r.g.text
	found := r.found(t)
	for _, d := range found {
		context += say(r.g.lang, "\n已有结果：", "\nResult so far: ") + short(plain(d.Observation), maxContext/len(found))
	}
	return text + say(r.g.lang, "\n背景：", "\nContext: ") + context
}

// canName reports whether a parameter of the tool may hold what is called so.
func (e *entry) canName(s string) bool {
	return e.knowledge() || slices.ContainsFunc(e.params, func(f field) bool {
		switch f.Sort {
		case sortPerson:
			return len(persons(s, func(string) bool { return false })) > 0
		case sortID:
			return digits(s)
		case sortText:
			return nameLike.MatchString(f.Name+" "+f.head()) && f.takes(s)
		}
		return false
	})
}

// about lists the things and days that the other clauses speak of.
func (r *round) about(c clause, trade map[string]bool) []string {
	var out []string
	add := func(s string) {
		for _, o := range out {
			if o == s {
				return
			}
		}
		if len(out) < 6 {
			out = append(out, s)
		}
	}
	for _, o := range r.g.clauses {
		if o.start == c.start {
			continue
		}
		if o.start < c.start && len(o.change) == 0 {
			for _, s := range residues(r.g.text, o.start, o.end, r.g.facts, trade) {
				add(s)
			}
		}
		for _, f := range within(r.g.facts, o.start, o.end) {
			if f.kind != factNumber && f.kind != factDate && f.kind != factQuote && f.kind != factSource { // a day of another wish limits this one only where its tool can take it from the context
				add(f.text)
			}
		}
	}
	return out
}
