package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// conjunction joins two things that one verb asks for.
var conjunction = words.MustCompile(`(?i)以及|还有|和|与|及|、|\s+and\s+|\s*&\s*`)

// Shares of the best score of a half: what the tool of the whole must reach there to serve it, and what the words of a half must be
// known by its own tool to be a wish.
const (
	servesHalf = 0.8
	knownHalf  = 0.5
)

// halves cuts clauses that ask one verb of two things for which different tools are made: the orders and the refunds of somebody. A
// clause stays whole when the tool of the whole serves both halves, asks for a rule, or changes something.
func (x *Index) halves(g *goal) {
	if x.options.Without.Model || len(x.ofSmall()) == 0 {
		return
	}
	at := x
	if x.behind != nil {
		at = x.behind.index
	}
	for i := 0; i < len(g.clauses) && len(g.clauses) < wishes.MaxClauses; i++ {
		if left, right, ok := at.half(g, g.clauses[i]); ok {
			g.clauses = slices.Replace(g.clauses, i, i+1, left, right)
		}
	}
}

func (x *Index) half(g *goal, c wishes.Clause) (left, right wishes.Clause, ok bool) {
	if c.Policy || c.Advice || len(c.Change) > 0 {
		return left, right, false
	}
	for _, m := range conjunction.FindAllStringIndex(g.text[c.Start:c.End], 10) {
		a, b := c.Start+m[0], c.Start+m[1]
		if a <= c.Start || b >= c.End || (wishes.Splitter{Facts: g.facts}).Inside(a, b) {
			continue
		}
		left, right = wishes.Span(g.text, c.Start, a), wishes.Span(g.text, b, c.End)
		left.Classify(g.text)
		right.Classify(g.text)
		right.Text = leadOf(left.Text) + right.Text // so that it says what is wanted of it where it stands alone
		left.After, right.After, right.Half = c.After, c.After, true
		if left.Text == "" || right.Text == "" || !x.topical(g, left) || !x.topical(g, right) {
			continue
		}
		whole, mine, other := x.top(g, c), x.top(g, left), x.top(g, right)
		if whole == nil || mine == nil || other == nil || mine.e == other.e && !wishes.OtherGroups(left.Text, right.Text) || min(mine.fit, other.fit) < knownHalf {
			continue
		}
		if !wishes.OtherGroups(left.Text, right.Text) && x.serves(g, left, whole.e, mine) && x.serves(g, right, whole.e, other) {
			continue
		}
		return left, right, true
	}
	return left, right, false
}

// sideBySide: nothing but this stands between two questions that are asked in one breath.
var sideBySide = words.MustCompile(`(?i)^(?:\s|[,，、?？]|and|以及|还有|和|与)*$`)

// shareDays gives the days that stand at the outer end of two questions asked in one breath to both: how many orders and how many refunds in October,
// 十月份有多少订单、多少退款. Where the other one names its own there is nothing to share.
func (g *goal) shareDays() {
	days := func(c wishes.Clause) (out []facts.Fact) {
		for _, f := range facts.Within(g.facts, c.Start, c.End) {
			if f.Kind == facts.Date || f.Kind == facts.Unread {
				out = append(out, f)
			}
		}
		return out
	}
	asks := func(c wishes.Clause) bool { return c.Question && !c.Policy && !c.Advice && len(c.Change) == 0 }
	for i := 1; i < len(g.clauses); i++ {
		a, b := &g.clauses[i-1], &g.clauses[i]
		if !asks(*a) || !asks(*b) || a.End > b.Start || !sideBySide.MatchString(g.text[a.End:b.Start]) {
			continue
		}
		mine, theirs := days(*a), days(*b)
		switch {
		case len(mine) == 0 && len(theirs) == 1 && strings.Trim(g.text[theirs[0].End:b.End], words.EndMarks+"?？!！") == "":
			a.Dated, a.Text = true, strings.TrimRight(a.Text, words.EndMarks+"?？")+" "+theirs[0].Text
		case len(theirs) == 0 && len(mine) == 1 && strings.TrimSpace(g.text[a.Start:mine[0].Start]) == "":
			b.Dated, b.Text = true, mine[0].Text+words.Either(words.Language(b.Text) == "zh", "", ", ")+b.Text
		}
	}
}

// leadOf is how a wish begins, up to its verb; "" when it has none.
func leadOf(s string) string {
	if m := wishes.WantHan.FindString(s); m != "" {
		return m
	}
	if m := wishes.WantEng.FindStringSubmatchIndex(s); m != nil && wishes.WishVerbs[words.Stem(strings.ToLower(s[m[2]:m[3]]))] {
		return s[:m[3]] + " "
	}
	return ""
}

// topical reports whether a clause speaks of the trade beside the things that it names.
func (x *Index) topical(g *goal, c wishes.Clause) bool {
	s := []byte(g.text[c.Start:c.End])
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		for i := f.Start; i < f.End; i++ {
			s[i-c.Start] = ' '
		}
	}
	return slices.ContainsFunc(words.Content(string(s)), func(w string) bool { return x.heard[w] > 0 })
}

// top is the best card for a clause; nil when none fits.
func (x *Index) top(g *goal, c wishes.Clause) *judged {
	for _, j := range x.judge(g, c, nil) {
		if j.lost == "" {
			return &j
		}
	}
	return nil
}

// serves reports whether a tool is nearly as good for a clause as the best one.
func (x *Index) serves(g *goal, c wishes.Clause, e *cards.Entry, best *judged) bool {
	for _, j := range x.judge(g, c, nil) {
		if j.e == e {
			return j.lost == "" && j.total >= servesHalf*best.total
		}
	}
	return false
}
