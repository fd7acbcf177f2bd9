package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// Of which kind the thing must be that a place in a list names, and what is asked when it is of none such.

// suiting tells the ids and known names that a tool takes for the change that a text wishes; nil when it wishes for none that takes ids.
func (x *Index) suiting(text string) func(id string) bool {
	if x.behind != nil {
		x = x.behind.index
	}
	c := wishes.Clause{End: len(text)}
	c.Classify(text)
	var takers []*fields.Field
	for _, e := range x.entries {
		if e.Reads() || e.IsAgent() || !mayChange(c, e) {
			continue
		}
		declared := slices.ContainsFunc(e.Params, func(f fields.Field) bool { return len(f.Needs) > 0 })
		for i := range e.Params {
			f := &e.Params[i]
			if named := words.Either(declared, len(f.Needs) > 0, f.Required); named && (f.Sort == fields.ID && f.Pattern != nil || len(f.Examples) > 0) {
				takers = append(takers, f)
			}
		}
	}
	if !slices.ContainsFunc(takers, func(f *fields.Field) bool { return f.Sort == fields.ID && f.Pattern != nil }) {
		return nil
	}
	return func(id string) bool {
		return slices.ContainsFunc(takers, func(f *fields.Field) bool {
			return f.Pattern != nil && f.Pattern.MatchString(id) || slices.ContainsFunc(f.Examples, func(e string) bool { return strings.EqualFold(e, id) })
		})
	}
}

// seeking tells the ids by which the tool looks things up that a text about places in a list names, as 物流 does in 第二个的物流, and what it calls them; nil when
// it names none by a word of its own, or one that needs no id.
func (x *Index) seeking(g *goal, text string, places []place) (suits func(id string) bool, called string) {
	if x.behind != nil {
		x = x.behind.index
	}
	rest := text
	for _, s := range slices.Backward(places) {
		rest = rest[:s.start] + " " + rest[s.end:]
	}
	look := goal{text: rest, lang: g.lang, now: g.now, given: map[string]string{}}
	x.read(&look)
	j := x.top(&look, wishes.Span(rest, 0, len(rest)))
	if j == nil || !j.e.Reads() || j.e.IsAgent() || j.e.Knowledge() || !j.e.GoesBy(rest) {
		return nil, ""
	}
	var takers []*fields.Field
	var names []string
	for _, f := range j.e.Missing(j.bound) {
		for _, f := range append([]*fields.Field{f}, j.e.Instead(f)...) {
			if f.Sort != fields.ID {
				return nil, ""
			}
			takers, names = append(takers, f), append(names, f.Label(g.lang))
		}
	}
	if !slices.ContainsFunc(takers, func(f *fields.Field) bool { return f.Pattern != nil }) {
		return nil, ""
	}
	return func(id string) bool {
		return slices.ContainsFunc(takers, func(f *fields.Field) bool {
			return f.Pattern != nil && f.Pattern.MatchString(id) || f.Pattern == nil && x.idNoun(id, g.lang) == ""
		})
	}, strings.Join(names, words.Say(g.lang, "或", " or "))
}

// otherThing reports whether a name is that of a thing of one kind and no other: an id, or a value that a card knows. A person's name is none,
// since their orders are found by it.
func (x *Index) otherThing(name string) bool {
	if idLike.MatchString(name) {
		return true
	}
	if x.behind != nil {
		x = x.behind.index
	}
	return slices.ContainsFunc(x.entries, func(e *cards.Entry) bool {
		return slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Sort != fields.Person && slices.Contains(f.Examples, name) })
	})
}

// loses asks what a place means. l is the list that has no such row; nil when none was shown.
func (g *goal) loses(s place, l *list, suits func(string) bool) {
	if g.lost != nil {
		return
	}
	g.lost = &bus.Ask{Kind: bus.Question, Parameter: s.text}
	if l == nil {
		g.lost.Question = words.Say(g.lang, "我还没有给您看过可以数「%s」的列表，请直接告诉我编号或名称。", "I have not shown a list yet in which to count “%s”; please tell me its number or name.", s.text)
		return
	}
	col, _ := l.column(s.noun, suits)
	for _, r := range l.rows[:min(len(l.rows), 10)] {
		if nameOnly(r[col]) && !l.twin { // an answer that is one of them is put into the request
			g.lost.Options = append(g.lost.Options, r[col])
		}
	}
	if l.twin || l.cut && s.from < 0 || max(s.to, -s.from) <= len(l.rows) {
		g.lost.Question = words.Say(g.lang, "我读不准上面列表里的「%s」。您指的是哪一个？请告诉我编号或名称。", "I cannot tell for sure what “%s” of the last list is. Which one do you mean? Please tell me its number or name.", s.text)
		return
	}
	rows := words.Say(g.lang, strconv.Itoa(len(l.rows)), fmt.Sprintf(words.Either(len(l.rows) == 1, "%d row", "%d rows"), len(l.rows)))
	if l.cut {
		g.lost.Question = words.Say(g.lang, "上面的列表我只看得到前 %[2]s 行，其中没有「%[1]s」。您指的是哪一个？", "Of the last list I can see only the first %[2]s, with no “%[1]s”. Which one do you mean?", s.text, rows)
		return
	}
	g.lost.Question = words.Say(g.lang, "上面的列表只有 %[2]s 行，没有「%[1]s」。您指的是哪一个？", "The last list has only %[2]s, so there is no “%[1]s”. Which one do you mean?", s.text, rows)
}

// misfits asks for another thing than the row that a place names, since the wish cannot be done to such a one. looked is by what the thing is looked up that is
// wanted; "" when it is to be changed.
func (g *goal) misfits(s place, row, looked string) {
	switch {
	case g.lost != nil:
	case looked != "":
		g.lost = &bus.Ask{Kind: bus.Question, Parameter: s.text,
			Question: words.Say(g.lang, "上面列表里的「%s」是 %s，这样的东西没有您问的这一项，所以没有去查；查它要用%s。请告诉我是哪一个。",
				"“%s” of the last list is %s, and such a thing has not what you ask for, so nothing was looked up; it goes by %s. Please tell me which.", s.text, row, looked)}
	default:
		g.lost = &bus.Ask{Kind: bus.Question, Parameter: s.text,
			Question: words.Say(g.lang, "上面列表里的「%s」是 %s，这样的东西不能照您说的做，所以没有执行。请直接告诉我要处理的编号或名称。",
				"“%s” of the last list is %s, and what you wish cannot be done to such a thing, so nothing was done. Please tell me the number or name of what you mean.", s.text, row)}
	}
}
