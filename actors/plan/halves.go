package plan

import (
	"regexp"
	"slices"
	"strings"
)

// conjunction joins two things that one verb asks for.
var conjunction = regexp.MustCompile(`(?i)以及|还有|和|与|及|、|\s+and\s+|\s*&\s*`)

// Shares of the best score of a half: what the tool of the whole must reach there to serve it, and what the words of a half must be
// known by its own tool to be a wish.
const (
	servesHalf = 0.8
	knownHalf  = 0.5
)

// halves cuts clauses that ask one verb of two things for which different tools are made: the orders and the refunds of somebody. A
// clause stays whole when the tool of the whole serves both halves, asks for a rule, or changes something.
func (x *Index) halves(g *goal) {
	if x.options.Without.Model || len(x.entries) > smallHouse {
		return
	}
	at := x
	if x.behind != nil {
		at = x.behind.index
	}
	for i := 0; i < len(g.clauses) && len(g.clauses) < maxClauses; i++ {
		if left, right, ok := at.half(g, g.clauses[i]); ok {
			g.clauses = slices.Replace(g.clauses, i, i+1, left, right)
		}
	}
}

func (x *Index) half(g *goal, c clause) (left, right clause, ok bool) {
	if c.policy || c.advice || len(c.change) > 0 {
		return left, right, false
	}
	for _, m := range conjunction.FindAllStringIndex(g.text[c.start:c.end], 10) {
		a, b := c.start+m[0], c.start+m[1]
		if a <= c.start || b >= c.end || (splitter{facts: g.facts}).inside(a, b) {
			continue
		}
		left, right = span(g.text, c.start, a), span(g.text, b, c.end)
		left.classify(g.text)
		right.classify(g.text)
		right.text = leadOf(left.text) + right.text // so that it says what is wanted of it where it stands alone
		left.after, right.after, right.half = c.after, c.after, true
		if left.text == "" || right.text == "" || !x.topical(g, left) || !x.topical(g, right) {
			continue
		}
		whole, mine, other := x.top(g, c), x.top(g, left), x.top(g, right)
		if whole == nil || mine == nil || other == nil || mine.e == other.e || min(mine.fit, other.fit) < knownHalf {
			continue
		}
		if x.serves(g, left, whole.e, mine) && x.serves(g, right, whole.e, other) {
			continue
		}
		return left, right, true
	}
	return left, right, false
}

// leadOf is how a wish begins, up to its verb; "" when it has none.
func leadOf(s string) string {
	if m := wantHan.FindString(s); m != "" {
		return m
	}
	if m := wantEng.FindStringSubmatchIndex(s); m != nil && wishVerbs[stem(strings.ToLower(s[m[2]:m[3]]))] {
		return s[:m[3]] + " "
	}
	return ""
}

// topical reports whether a clause speaks of the trade beside the things that it names.
func (x *Index) topical(g *goal, c clause) bool {
	s := []byte(g.text[c.start:c.end])
	for _, f := range within(g.facts, c.start, c.end) {
		for i := f.start; i < f.end; i++ {
			s[i-c.start] = ' '
		}
	}
	return slices.ContainsFunc(content(string(s)), func(w string) bool { return x.heard[w] > 0 })
}

// top is the best card for a clause; nil when none fits.
func (x *Index) top(g *goal, c clause) *judged {
	for _, j := range x.judge(g, c, nil) {
		if j.lost == "" {
			return &j
		}
	}
	return nil
}

// serves reports whether a tool is nearly as good for a clause as the best one.
func (x *Index) serves(g *goal, c clause, e *entry, best *judged) bool {
	for _, j := range x.judge(g, c, nil) {
		if j.e == e {
			return j.lost == "" && j.total >= servesHalf*best.total
		}
	}
	return false
}
