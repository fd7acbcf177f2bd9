package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// ownID is the parameter by which a change gives the thing that it is made to an id of its own, as a waybill is of one parcel: what it needs beside
// the thing, and its result is known by. nil when it has none.
func ownID(e *cards.Entry) *fields.Field {
	thing := e.TakesOne()
	if thing == nil || e.Reads() {
		return nil
	}
	for _, f := range e.Required() {
		if f.Name != thing.Name && f.Sort == fields.ID && slices.ContainsFunc(e.Gives, func(o fields.Field) bool { return slices.Contains(o.Provides, f.Name) }) {
			return f
		}
	}
	return nil
}

// oneByOne says why a change is not made to several things at once: each needs an id of its own, and one answer would give all the same. "" for
// one thing, and for a change that gives no id.
func (r *round) oneByOne(t *target) string {
	own := ownID(t.e)
	if own == nil {
		return ""
	}
	thing := t.e.TakesOne()
	var all []any
	if b, ok := t.bound[thing.Name]; ok {
		all = append([]any{b.Value}, b.More...)
	}
	for _, c := range r.best.Choices {
		if c.Taker == t.e && c.Provider != nil && c.Field.Name == thing.Name {
			if values, ok := r.observed(c); ok {
				all = r.meant(c, values)
			}
		}
	}
	if len(all) < 2 {
		return ""
	}
	var ids, needs []string
	for _, v := range all[:min(len(all), maxFan)] {
		ids = append(ids, fmt.Sprint(v))
	}
	for _, f := range t.e.Required() {
		if f.Name != thing.Name {
			needs = append(needs, f.Within(r.g.lang))
		}
	}
	comma := words.Say(r.g.lang, "、", ", ")
	return words.Say(r.g.lang, "没有执行：%[1]s。每个%[2]s都要有自己的%[3]s，不能一次全做，所以什么也没有改。要处理的是：%[4]s。请一个一个地说，每次给出%[5]s。",
		"Not done: %[1]s. Each %[2]s needs its own %[3]s, so they cannot be done at once, and nothing was changed. To be dealt with: %[4]s. Please say it for one after the other, each with %[5]s.",
		strip(t.clause.Text), nounOf(thing.Label(r.g.lang)), own.Within(r.g.lang), strings.Join(ids, comma),
		strings.Join(append([]string{thing.Within(r.g.lang)}, needs...), comma))
}
