package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

func (r *round) jobOf(e *cards.Entry) string {
	if !e.IsAgent() {
		return ""
	}
	if t := r.target(e); t != nil {
		return r.job(t)
	}
	for _, c := range r.best.Choices { // it was brought in to find something out
		if c.Provider == e {
			var about []string
			for _, f := range r.g.facts {
				if f.Kind != facts.Number && f.Kind != facts.Date {
					about = append(about, f.Text)
				}
			}
			return words.Say(r.g.lang, "查一下%s的%s", "Find the %[2]s of %[1]s", strings.Join(about, words.Say(r.g.lang, "、", ", ")), c.Field.Within(r.g.lang))
		}
	}
	return r.g.text
}

// title names an action for people: an agent's by its job, a tool's by what it does and, once that is known, with what, which tells several calls of one
// tool apart.
func (r *round) title(a bus.Action) string {
	if a.JobDesc != "" {
		text, _, _ := strings.Cut(a.JobDesc, "\n")
		return words.Short(text, words.MaxTitle)
	}
	e := r.x.byName[a.ToolName]
	if e == nil {
		return a.ToolName
	}
	if with := r.values(e, a); with != "" {
		return words.Short(words.Head(e.Called(r.g.lang))+words.Say(r.g.lang, "：", ": ")+with, words.MaxTitle)
	}
	return words.Short(e.Called(r.g.lang), words.MaxTitle)
}

// values lists the plain arguments of an action, without their names and without the user's own question.
func (r *round) values(e *cards.Entry, a bus.Action) string {
	args, _ := argumentMap(a)
	var out []string
	for i := range e.Params {
		f := &e.Params[i]
		if v := fields.Scalar(args[f.Name], r.g.lang); v != "" && !(f.Sort == fields.Query && strings.Contains(r.g.text, v)) {
			out = append(out, words.Short(v, 30))
		}
	}
	return strings.Join(out, words.Say(r.g.lang, "、", ", "))
}

// maxContext bounds the results that are handed on with a job, in runes.
const maxContext = 3000

// job words what an agent shall do: the whole request when it is the only one, else its clause with the things that the
// other clauses named, and the whole request as context.
func (r *round) job(t *target) string {
	if t == nil || len(r.targets) == 1 && len(r.unmet) == 0 {
		return r.g.said()
	}
	c := t.clause
	text := strings.TrimRight(r.g.wording(c), words.EndMarks)
	trade := map[string]bool{}
	for _, e := range r.x.entries {
		for w := range e.Vocab {
			trade[w] = true
		}
	}
	if !wantsDocument(text) && len(facts.Within(r.g.facts, c.Start, c.End)) == 0 && wishes.Residue(r.g.text, c.Start, c.End, r.g.facts, trade) == "" {
		kept := t.tool != nil && allOfAKind(t.tool, text)
		about := slices.DeleteFunc(r.about(c, trade), func(s string) bool {
			return t.tool != nil && !t.tool.CanName(s) || kept && !slices.ContainsFunc(r.g.facts, func(f facts.Fact) bool { return f.Kind != facts.Known && f.Text == s })
		})
		if len(about) > 0 {
			if r.g.lang == "zh" {
				text += "（" + strings.Join(about, "，") + "）"
			} else {
				text += " (" + strings.Join(about, ", ") + ")"
			}
		}
	}
	context := r.g.said()
	found := r.found(t)
	for _, d := range found {
		context += words.Say(r.g.lang, "\n已有结果：", "\nResult so far: ") + words.Short(plain(d.Observation), maxContext/len(found))
	}
	return text + words.Say(r.g.lang, "\n背景：", "\nContext: ") + context
}

// about lists the things and days that the other clauses speak of.
func (r *round) about(c wishes.Clause, trade map[string]bool) []string {
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
		if o.Start == c.Start || c.Start < r.g.added && r.g.added <= o.Start { // what is added later changes no part before it
			continue
		}
		if o.Start < c.Start && len(o.Change) == 0 {
			for _, s := range wishes.Residues(r.g.text, o.Start, o.End, r.g.facts, trade) {
				add(s)
			}
		}
		for _, f := range facts.Within(r.g.facts, o.Start, o.End) {
			if wantsDocument(o.Text) && !isFile(f.Text) { // what kind of document is to be made limits nothing that goes into it
				continue
			}
			if f.Kind != facts.Number && f.Kind != facts.Date && f.Kind != facts.Quote && f.Kind != facts.Source { // a day of another wish limits this one only where its tool can take it from the context
				add(f.Text)
			}
		}
	}
	return out
}
