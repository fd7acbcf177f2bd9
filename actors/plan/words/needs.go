package words

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNeeds is how many words a pattern is looked up by at most: some hundred are still much cheaper than to run it.
const maxNeeds = 400

// manyNeeds is how many are looked at to find those.
const manyNeeds = 4 * maxNeeds

// maxClass is how many signs a class of them may have to be written out.
const maxClass = 40

// need is what a text must hold so that an expression can match it: one of some words, and whatever else is there.
type need struct {
	words []string   // in small letters
	bits  [][]uint16 // of each of them which of [bits] a text with it has
	any   []*need    // or one of these
	all   []*need    // then there is nothing else, and each of these
}

// needsOf is what every match of an expression needs; nil when that would tell nothing.
func needsOf(expr string) *need {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	n := holdsOf(re).best()
	n.write()
	return n
}

func (n *need) write() {
	if n == nil {
		return
	}
	for _, w := range n.words {
		some := []uint16{single(w[len(w)-1])}
		for i := 1; i < len(w); i++ {
			some = append(some, pair(w[i-1], w[i]))
		}
		n.bits = append(n.bits, some)
	}
	for _, sub := range slices.Concat(n.any, n.all) {
		sub.write()
	}
}

// met reports whether a text may hold what is needed.
func (n *need) met(has *bits) bool {
	if len(n.all) > 0 {
		return !slices.ContainsFunc(n.all, func(sub *need) bool { return !sub.met(has) })
	}
next:
	for _, word := range n.bits {
		for _, b := range word {
			if !has.hold(b) {
				continue next
			}
		}
		return true
	}
	return slices.ContainsFunc(n.any, func(sub *need) bool { return sub.met(has) })
}

// common is about how likely a text of a few sentences holds what is needed; 1 for nil.
func (n *need) common() float64 {
	switch {
	case n == nil:
		return 1
	case len(n.all) > 0:
		p := 1.0
		for _, sub := range n.all {
			p *= sub.common()
		}
		return p
	}
	p := 0.0
	if n.words != nil {
		p = common(n.words)
	}
	for _, sub := range n.any {
		p += sub.common()
	}
	return min(1, p)
}

// oneOf is the need of one of some words; nil for one that tells nothing.
func oneOf(words []string) *need {
	if words == nil || len(words) > manyNeeds {
		return nil
	}
	words = shortest(words)
	return (&need{words: words}).telling()
}

// telling is the need itself, or nil when about every text meets it.
func (n *need) telling() *need {
	if n.common() < ofNoUse {
		return n
	}
	return nil
}

// holds is what is known of the texts that an expression matches.
type holds struct {
	whole []string // all of them, in small letters; nil: they are too many, or not known
	some  *need    // what each of them holds; nil: not known
}

// best is that of the two which tells more.
func (h holds) best() *need {
	if whole := oneOf(h.whole); whole.common() < h.some.common() {
		return whole
	}
	return h.some.telling()
}

// shortest are words without those that hold another of them.
func shortest(ws []string) []string {
	ws = slices.Clone(ws)
	slices.SortStableFunc(ws, func(a, b string) int { return len(a) - len(b) })
	out := ws[:0]
	for _, w := range ws {
		if !slices.ContainsFunc(out, func(o string) bool { return strings.Contains(w, o) }) {
			out = append(out, w)
		}
	}
	return out
}

// ofNoUse is how likely an ordinary text holds one of words that are not worth a look.
const ofNoUse = 0.9

// common is about how likely a text of a few sentences holds one of some words, by how long they are.
func common(ws []string) float64 {
	if ws == nil || len(ws) > maxNeeds {
		return 1
	}
	sum := 0.0
	for _, w := range ws {
		switch w := strings.TrimSpace(w); len(w) {
		case 0:
			return 1
		case 1:
			if 'a' <= w[0] && w[0] <= 'z' || w[0] == ',' || w[0] == '.' {
				return 1
			}
			sum += 0.07
		case 2:
			sum += 0.2
		case 3:
			sum += 0.02
		case 4, 5:
			sum += 0.004
		default:
			sum += 0.001
		}
	}
	return min(1, sum)
}

func holdsOf(re *syntax.Regexp) holds {
	switch re.Op {
	case syntax.OpNoMatch:
		return holds{}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return holds{whole: []string{""}}
	case syntax.OpLiteral:
		var b strings.Builder
		for _, r := range re.Rune {
			if r = fold(r); r < 0 {
				return holds{}
			}
			b.WriteRune(r)
		}
		return holds{whole: []string{b.String()}}
	case syntax.OpCharClass:
		return holds{whole: classOf(re.Rune)}
	case syntax.OpCapture:
		return holdsOf(re.Sub[0])
	case syntax.OpPlus:
		return holds{some: holdsOf(re.Sub[0]).best()}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return holds{some: holdsOf(re.Sub[0]).best()}
		}
	case syntax.OpQuest:
		if h := holdsOf(re.Sub[0]); h.whole != nil {
			return holds{whole: union(h.whole, []string{""})}
		}
	case syntax.OpAlternate:
		return alternate(re.Sub)
	case syntax.OpConcat:
		return concat(re.Sub)
	}
	return holds{}
}

// alternate is one of several: each of them must tell something.
func alternate(subs []*syntax.Regexp) holds {
	whole, some := []string{}, &need{}
	for _, sub := range subs {
		h := holdsOf(sub)
		if h.whole == nil || whole == nil {
			whole = nil
		} else {
			whole = union(whole, h.whole)
		}
		switch best := h.best(); {
		case best == nil || some == nil:
			some = nil
		case len(best.all) > 0:
			some.any = append(some.any, best)
		default:
			some.words, some.any = union(some.words, best.words), append(some.any, best.any...)
			if len(some.words) > manyNeeds {
				some = nil
			}
		}
	}
	if len(whole) > maxNeeds {
		whole = nil
	}
	if some != nil {
		if some.words = shortest(some.words); len(some.words) > maxNeeds {
			some = nil
		}
		some = some.telling()
	}
	return holds{whole: whole, some: some}
}

// concat is one after the other: as long as all of them are known whole, words run on from one into the next.
func concat(subs []*syntax.Regexp) holds {
	run, whole := []string{""}, true
	var all []*need
	take := func(n *need) {
		if n != nil {
			all = append(all, n)
		}
	}
	for _, sub := range subs {
		h := holdsOf(sub)
		if joined := join(run, h.whole); joined != nil {
			run = joined
			continue
		}
		whole = false
		take(oneOf(run))
		take(h.some)
		if run = h.whole; run == nil {
			run = []string{""}
		}
	}
	if whole {
		return holds{whole: run}
	}
	take(oneOf(run))
	switch len(all) {
	case 0:
		return holds{}
	case 1:
		return holds{some: all[0]}
	}
	return holds{some: &need{all: all}}
}

// join is each of a before each of b; nil when b is not known or they are too many.
func join(a, b []string) []string {
	if b == nil || len(a)*len(b) > maxNeeds {
		return nil
	}
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// classOf are the signs of a class, which come as pairs of the first and last of each run; nil: they are too many, or not known.
func classOf(runs []rune) []string {
	out := []string{}
	for i := 0; i+1 < len(runs); i += 2 {
		if runs[i+1]-runs[i] > maxClass {
			return nil
		}
		for r := runs[i]; r <= runs[i+1]; r++ {
			switch small := fold(r); {
			case r == '\u017F' || r == '\u212A': // ſ and kelvin: every text with one of these may match
			case small < 0 || len(out) == 2*maxClass:
				return nil
			default:
				out = append(out, string(small))
			}
		}
	}
	return union(out, nil)
}

// fold is a sign as [Pattern.May] sees it; -1 for one beyond ASCII that is written in two ways, and for that of broken UTF-8.
func fold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return rune(small(byte(r)))
	case r == utf8.RuneError || unicode.SimpleFold(r) != r:
		return -1
	}
	return r
}
