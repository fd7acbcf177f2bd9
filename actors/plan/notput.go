package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// ourMoney is what the money of results is in where they say so.
var ourMoney = words.MustCompile(`(?i)元|\b(?:yuan|CNY|RMB)\b|人民币`)

// takesUnit are names of parameters that take how an answer is put.
var takesUnit = words.MustCompile(`(?i)unit|scale|currency|metric|measure|system|length|style|format|sentences|target|convert|^to$`)

// putAside takes how the answer shall be put out of a request that only looks, where no tool on offer takes that: no place is called 华氏度. What agents are asked keeps it,
// and so does what may be said to somebody.
func (x *Index) putAside(g *goal) {
	how := wishes.ToldIn(g.text)
	if how == "" || len(wishes.ChangeVerbs(g.text)) > 0 || strings.ContainsAny(g.text, ":：\"“”「」") || slices.ContainsFunc(x.entries, func(e *cards.Entry) bool {
		return e.IsAgent() || slices.ContainsFunc(e.Params, func(f fields.Field) bool {
			return len(f.Enum) > 0 && f.Named(how) != "" || takesUnit.MatchString(f.Name)
		})
	}) {
		return
	}
	g.putAs, g.text = how, wishes.WithoutToldIn(g.text)
}

// notPut is how the answer to a target shall be put, in a unit or in few words, where no argument of it and nothing that its tool says of its results holds to that; "" otherwise.
func (r *round) notPut(t *target) string {
	how := cmp.Or(wishes.ToldIn(t.clause.Text), r.g.putAs)
	if how == "" || !t.e.Reads() || t.e.IsAgent() || t.e.Knowledge() || t.e.OfFiles() {
		return ""
	}
	if ourMoney.MatchString(how) && ourMoney.MatchString(string(t.e.Returns)) {
		return ""
	}
	low := strings.ToLower(how)
	for _, b := range t.bound {
		for _, v := range spoken(b.Value) {
			if len(v) > 1 && strings.Contains(low, strings.ToLower(v)) || slices.ContainsFunc(words.Content(v), func(w string) bool { return slices.Contains(words.Content(how), w) }) {
				return ""
			}
		}
	}
	for name, b := range t.bound { // 华氏, where the value is fahrenheit
		if p := t.e.Param(name); p != nil {
			for _, v := range spoken(b.Value) {
				if slices.ContainsFunc(p.Called[v], func(also string) bool { return strings.Contains(low, strings.ToLower(also)) }) {
					return ""
				}
			}
		}
	}
	for _, w := range words.Content(how) {
		if t.e.Tells(w) {
			return ""
		}
	}
	return how
}
