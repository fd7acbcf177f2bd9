package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// Most cards of strangers do not say what their tools return. Of a look-up that finds one thing by its name it may be guessed all the same that it tells the thing's id,
// as get_employee(name) does for get_leave_balance(employee_id), and what its description says that it tells: "id, office, e-mail". Whether it does is seen when it has
// been called; what it did not tell is asked for.

// sureGuess is how sure a guessed edge is: enough for a change too, which is asked leave for with its value.
const sureGuess = minChange + 0.05

// edge is the surest edge from a look-up to what a tool needs, by its card or else by a guess; false for none that is sure enough.
func (x *Index) edge(p *cards.Entry, n solver.Need, least float64) (solver.Edge, bool) {
	if ed, ok := x.shape.best(p, n.Taker, n.Field, least); ok && namesNeed(ed, p, n) && !x.echoes(p, ed) {
		return ed, true
	}
	if len(p.Returns) > 0 || sureGuess < least || !n.Field.Required || p.IsAgent() || p.Knowledge() {
		return solver.Edge{}, false
	}
	found := slices.ContainsFunc(p.Required(), func(f *fields.Field) bool { return f.Sort == fields.Person || f.Sort == fields.Text })
	if !found || slices.ContainsFunc(p.Params, func(f fields.Field) bool { return f.Name == n.Field.Name || f.Sort == fields.ID }) {
		return solver.Edge{}, false
	}
	guess := solver.Edge{Path: n.Field.Name, Field: n.Field, Sure: sureGuess}
	switch about := words.Terms(n.Field.Name); {
	case len(about) == 0:
	case n.Field.Sort == fields.ID && about[len(about)-1] == "id":
		thing := about[:len(about)-1]
		return guess, len(thing) > 0 && !slices.ContainsFunc(thing, func(w string) bool { return !slices.Contains(p.NameWords, w) })
	case len(n.Field.Provides)+len(n.Field.Needs) == 0 && n.Field.Sort != fields.Date && n.Field.Sort != fields.Bool && !vague[about[0]]:
		return guess, !slices.ContainsFunc(about, func(w string) bool { return !tellsOf(p.Description, w) })
	}
	return solver.Edge{}, false
}

// tellsOf reports whether a description lists a word among what is told: behind a colon, or behind "with".
func tellsOf(desc, w string) bool {
	_, told, ok := strings.Cut(desc, ":")
	if !ok {
		_, told, ok = strings.Cut(desc, " with ")
	}
	return ok && slices.Contains(words.Terms(strings.ReplaceAll(strings.ToLower(told), "e-mail", "email")), w)
}

// guessed reports whether a choice goes by a guess of what its provider tells.
func guessed(c solver.Choice) bool {
	return c.Provider != nil && !c.Provider.IsAgent() && len(c.Provider.Returns) == 0 && c.Edge.Field == c.Field && c.Field != nil
}

// seenNamed reports whether what a tool told, whose card does not say what it returns, has a name: the e-mail of Bob.
func (r *round) seenNamed(e *cards.Entry, name string) bool {
	return len(e.Returns) == 0 && slices.ContainsFunc(r.in.Done, func(d Done) bool {
		if d.Action.ToolName != e.Name || d.Status != bus.OK {
			return false
		}
		found := false
		shape := fields.Shape(d.Observation)
		fields.Walk(shape.Fields, "", func(_ string, f *fields.Field) { found = found || strings.EqualFold(squeeze(f.Name), squeeze(name)) })
		return found
	})
}

// maxNested is how deep in what was observed a guessed field is looked for.
const maxNested = 4

// around are names that only wrap what was found.
var around = words.Set(`data result results response payload body item items record records rows list content found match matches`)

// digName reads the values of a name of what was found: of an id, as employee_id, also what is just called id. It looks into what wraps it and into what is called after
// its thing, employee or employees, and into nothing else: the id of an employee's manager is another one's.
func digName(v any, name string) []any {
	about := words.Terms(name)
	id := len(about) > 1 && about[len(about)-1] == "id"
	return valuesOf(v, name, about, id, 0)
}

// squeeze is a name without the marks between its words: employeeId is employee_id.
func squeeze(name string) string { return strings.NewReplacer("_", "", "-", "", " ", "").Replace(name) }

func valuesOf(v any, name string, about []string, id bool, depth int) []any {
	var out []any
	switch v := v.(type) {
	case []any:
		for _, e := range v[:min(len(v), maxFan)] {
			out = append(out, valuesOf(e, name, about, id, depth+1)...)
		}
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		for _, same := range []func(k string) bool{
			func(k string) bool { return k == name },
			func(k string) bool { return strings.EqualFold(squeeze(k), squeeze(name)) },
			func(k string) bool { return id && strings.EqualFold(k, "id") },
		} {
			for _, k := range keys {
				switch v[k].(type) {
				case map[string]any, []any, nil, bool:
				default:
					if same(k) {
						return []any{v[k]}
					}
				}
			}
		}
		for _, k := range keys {
			thing := words.Terms(k)
			if depth < maxNested && (around[strings.ToLower(k)] || len(thing) > 0 && len(about) > 0 && slices.Equal(thing, about[:len(about)-1])) {
				out = append(out, valuesOf(v[k], name, about, id, depth+1)...)
			}
		}
	}
	return out
}
