package plan

import (
	"path"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// fitWith is the share of the text's informative words that the card knows, or that were understood as values for it. A word is known
// by what it is called in the other language, too.
func (x *Index) fitWith(text string, e *cards.Entry, bound map[string]fields.Binding) float64 {
	terms, order := bag(words.Content(text))
	values, told := map[string]bool{}, map[string]bool{}
	for name, b := range bound {
		s, ok := b.Value.(string)
		if ok && b.Why == slotWords { // they speak neither for the card nor against it
			for _, w := range words.Content(s) {
				told[w] = true
			}
			continue
		}
		if !ok || b.Why == "question" || b.Why == "what remains" || b.Why == "context" || b.Why == figures.InOrderOf || b.Why == facts.KindNames[facts.Proper] {
			continue
		}
		if f := e.Param(name); f != nil {
			s += " " + strings.Join(f.Called[s], " ")
		}
		for _, w := range words.Content(s) {
			values[w] = true
		}
	}
	sum, hit := 0.0, 0.0
	for _, t := range order {
		if told[t] {
			continue
		}
		w := x.terms.idf(x.terms.id(t)) * terms[t]
		sum += w
		switch {
		case e.Vocab[t] || values[t]:
			hit += w
		default:
			best := 0.0
			for _, m := range x.lexicon[t] {
				if e.Vocab[m.term] {
					best = max(best, m.weight)
				}
			}
			hit += w * best
		}
	}
	if sum == 0 { // "what did not sell": all of it names a value
		return words.Either[float64](x.chosen(e, bound, text) > 0, 1, 0)
	}
	return hit / sum
}

// consumed tells what it is worth that the tool can take the clause's facts, and whether one of them fits it by a rule rather
// than by chance.
func (x *Index) consumed(g *goal, c wishes.Clause, e *cards.Entry, bound map[string]fields.Binding) (typed, all bool, worth float64) {
	used := map[int]bool{}
	from, to := aside(g.text)
	for _, b := range bound {
		if b.Used >= 0 && b.Used < len(g.facts) && (to == 0 || g.facts[b.Used].Start < from || g.facts[b.Used].End > to) {
			used[b.Used] = true
			if k := g.facts[b.Used].Kind; b.Sure >= 0.9 && b.Why != slotWords && k != facts.Date && k != facts.Place {
				typed = true
			}
		}
	}
	total, taken, sum, open := 0, 0, 0.0, e.Open(bound)
	for i, f := range g.facts {
		if f.Start < c.Start || f.End > c.End || f.Start >= from && f.End <= to {
			continue
		}
		var found float64 // what it is worth when another tool can find by it what this one needs
		switch f.Kind {
		case facts.Number, facts.Proper, facts.Unread, facts.Compare, facts.Rate, facts.Said:
			continue
		case facts.Person, facts.Phone, facts.Quote, facts.Known:
			found = words.Either[float64](open, sharingWho, 0)
		case facts.Digits:
			found = -sharingWho // who names a thing by its id asks for nothing else
		case facts.Path:
			found = -aboutFile
		}
		total++
		if used[i] || (f.Kind == facts.Known || f.Kind == facts.Person) && says(bound, f.Text) {
			sum += sharing
			if !used[i] && leftOver(bound, f.Text) {
				sum -= guessing
			}
			taken++
			if f.Kind == facts.Path && !ofKind(e, bound, i, f.Text) {
				sum -= otherEnding
			}
		} else {
			sum += found
		}
	}
	if total == 0 {
		return typed, true, 0
	}
	return typed, taken == total, sum / float64(total)
}

// shown reports whether the parameter that takes a file shows such a one: with its ending, or with none at all.
func ofKind(e *cards.Entry, bound map[string]fields.Binding, fact int, file string) bool {
	end := strings.ToLower(path.Ext(file))
	for i := range e.Params {
		f := &e.Params[i]
		if b, ok := bound[f.Name]; ok && b.Used == fact && len(f.Examples) > 0 {
			return slices.ContainsFunc(f.Examples, func(s string) bool { return strings.ToLower(path.Ext(s)) == end })
		}
	}
	return true
}

// guessing is what it costs that a known value is only taken because nothing else was left for a parameter: 上海 is a city for who knows cities.
const guessing = 0.1

// leftOver reports whether no argument but what remained names a value.
func leftOver(bound map[string]fields.Binding, text string) bool {
	sure := map[string]fields.Binding{}
	for name, b := range bound {
		if !b.Weak {
			sure[name] = b
		}
	}
	return !says(sure, text)
}

// says reports whether an argument names what a known value names, as the card or as the text writes it.
func says(bound map[string]fields.Binding, text string) bool {
	low := strings.ToLower(text)
	for _, b := range bound {
		if v, ok := b.Value.(string); ok && b.Why != "question" && strings.Contains(strings.ToLower(v), low) {
			return true
		}
	}
	return false
}
