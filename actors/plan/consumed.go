package plan

import (
	"path"
	"slices"
	"strings"
)

// fitWith is the share of the text's informative words that the card knows, or that were understood as values for it. A word is known
// by what it is called in the other language, too.
func (x *Index) fitWith(text string, e *entry, bound map[string]binding) float64 {
	terms, order := bag(content(text))
	values := map[string]bool{}
	for name, b := range bound {
		s, ok := b.value.(string)
		if !ok || b.why == "question" || b.why == "what remains" || b.why == "context" || b.why == inOrderOf || b.why == factNames[factProper] {
			continue
		}
		if f := e.param(name); f != nil {
			s += " " + strings.Join(f.Called[s], " ")
		}
		for _, w := range content(s) {
			values[w] = true
		}
	}
	sum, hit := 0.0, 0.0
	for _, t := range order {
		w := x.terms.idf(x.terms.id(t)) * terms[t]
		sum += w
		switch {
		case e.vocab[t] || values[t]:
			hit += w
		default:
			best := 0.0
			for _, m := range x.lexicon[t] {
				if e.vocab[m.term] {
					best = max(best, m.weight)
				}
			}
			hit += w * best
		}
	}
	if sum == 0 {
		return 0
	}
	return hit / sum
}

// consumed tells what it is worth that the tool can take the clause's facts, and whether one of them fits it by a rule rather
// than by chance.
func (x *Index) consumed(g *goal, c clause, e *entry, bound map[string]binding) (typed, all bool, worth float64) {
	used := map[int]bool{}
	from, to := aside(g.text)
	for _, b := range bound {
		if b.used >= 0 && b.used < len(g.facts) && (to == 0 || g.facts[b.used].start < from || g.facts[b.used].end > to) {
			used[b.used] = true
			if k := g.facts[b.used].kind; b.sure >= 0.9 && k != factDate && k != factPlace {
				typed = true
			}
		}
	}
	total, taken, sum, open := 0, 0, 0.0, e.open(bound)
	for i, f := range g.facts {
		if f.start < c.start || f.end > c.end || f.start >= from && f.end <= to {
			continue
		}
		var found float64 // what it is worth when another tool can find by it what this one needs
		switch f.kind {
		case factNumber, factProper, factUnread, factCompare, factRate, factSaid:
			continue
		case factPerson, factPhone, factQuote, factKnown:
			found = ifElse(open, sharingWho, 0)
		case factDigits:
			found = -sharingWho // who names a thing by its id asks for nothing else
		case factPath:
			found = -aboutFile
		}
		total++
		if used[i] || (f.kind == factKnown || f.kind == factPerson) && says(bound, f.text) {
			sum += sharing
			if !used[i] && leftOver(bound, f.text) {
				sum -= guessing
			}
			taken++
			if f.kind == factPath && !ofKind(e, bound, i, f.text) {
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
func ofKind(e *entry, bound map[string]binding, fact int, file string) bool {
	end := strings.ToLower(path.Ext(file))
	for i := range e.params {
		f := &e.params[i]
		if b, ok := bound[f.Name]; ok && b.used == fact && len(f.Examples) > 0 {
			return slices.ContainsFunc(f.Examples, func(s string) bool { return strings.ToLower(path.Ext(s)) == end })
		}
	}
	return true
}

// open reports whether the tool needs the id of a thing that is not known.
func (e *entry) open(bound map[string]binding) bool {
	return slices.ContainsFunc(e.missing(bound), func(f *field) bool { return f.Sort == sortID })
}

// missing are the parameters without which the tool cannot be called and that nothing said gives.
func (e *entry) missing(bound map[string]binding) []*field {
	var out []*field
	for _, f := range e.required() {
		if _, ok := bound[f.Name]; !ok {
			out = append(out, f)
		}
	}
	if f := e.oneOf(bound); f != nil {
		out = append(out, f)
	}
	return out
}

// guessing is what it costs that a known value is only taken because nothing else was left for a parameter: 上海 is a city for who knows cities.
const guessing = 0.1

// leftOver reports whether no argument but what remained names a value.
func leftOver(bound map[string]binding, text string) bool {
	sure := map[string]binding{}
	for name, b := range bound {
		if !b.weak {
			sure[name] = b
		}
	}
	return !says(sure, text)
}

// says reports whether an argument names what a known value names, as the card or as the text writes it.
func says(bound map[string]binding, text string) bool {
	low := strings.ToLower(text)
	for _, b := range bound {
		if v, ok := b.value.(string); ok && b.why != "question" && strings.Contains(strings.ToLower(v), low) {
			return true
		}
	}
	return false
}
