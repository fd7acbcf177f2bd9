package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// Which wish waits for which. What a clause points to in another one's result must be there before; a change waits for what was
// said before it, since order matters then; everything else runs at once.
var (
	// pointsAt: words that stand for what an earlier clause finds. one of them stands for a single thing, which may have a name.
	pointsAt    = words.MustCompile(`(?i)这些|那些|它们|他们|她们|其中|对应|相应|上述|以上|这几|那几|这批|每一?[个单位笔]|结果|据此|\b(?:them|those|these|their|theirs|each of|the results?|such)\b`)
	pointsAtOne = words.MustCompile(`(?i)[它他她]|其|该(?:订单|客户|买家|商品|用户)|这[个单笔款位]|\b(?:it|its|him|her|his|the (?:buyer|customer|order|product|parcel)s?)\b`)
	// inTurn joins a clause to the one before it; atLast to all before it.
	inTurn = words.MustCompile(`(?i)^[，,。；;.\s]*(?:并且|并)?(?:然后|接着|之后|随后|再|then|and then|after that|afterwards|subsequently|next)`)
	atLast = words.MustCompile(`(?i)^[，,。；;.\s]*(?:and\s+)?(?:最后|finally|lastly|in the end)|根据(?:结果|以上|上述|这些)|综合|据此|汇总|based on (?:all |both )?(?:of )?(?:that|this|the|these|those)`)
	// ifAny: a wish that only holds when something was found before.
	ifAny = words.MustCompile(`(?i)^[，,。；;.\s]*(?:and\s+|并|再)?(?:如果|如有|要是|若是?|有的话|假如|if (?:there (?:are|is|were)|so|any|you find|it|they))`)
)

// order says for each clause which earlier ones it waits for, by their places.
func (g *goal) order() [][]int {
	out := make([][]int, len(g.clauses))
	for i, c := range g.clauses {
		if i == 0 {
			continue
		}
		if len(g.acts) > 0 { // a file is read as the wish before has left it
			out[i] = []int{i - 1}
			continue
		}
		if c.Half {
			out[i] = out[i-1]
			continue
		}
		lead := g.text[g.clauses[i-1].End:c.Start] + c.Text // with the word that joins it
		if j := strings.LastIndexAny(g.text[:c.Start], "，,。；;.\n"); j >= 0 && j < g.clauses[i-1].End {
			lead = strings.TrimSpace(g.text[max(j, g.clauses[i-1].Start):c.Start]) + c.Text
		}
		own, change := g.owns(c), len(c.Change) > 0
		many, one := pointsAt.MatchString(c.Text), pointsAtOne.MatchString(c.Text)
		switch {
		case atLast.MatchString(lead) && (many || one || !own || change):
			out[i] = sinks(out, i)
		case ifAny.MatchString(lead), inTurn.MatchString(lead) && (many || change || one && !own && !g.names1(c, i)):
			out[i] = []int{i - 1}
		case many, one && !own && !g.names1(c, i), change && !own:
			out[i] = []int{anchor(out, i)}
		}
	}
	return out
}

// sinks are the clauses before i that no other one waits for yet.
func sinks(order [][]int, i int) []int {
	var out []int
	for j := range i {
		if !slices.ContainsFunc(order[j+1:i], func(w []int) bool { return slices.Contains(w, j) }) {
			out = append(out, j)
		}
	}
	return out
}

// anchor is the nearest clause before i that waits for none: what several clauses after it point to.
func anchor(order [][]int, i int) int {
	for j := i - 1; j >= 0; j-- {
		if len(order[j]) == 0 {
			return j
		}
	}
	return i - 1
}

// owns reports whether the clause names what it is about itself. What stands between quotes is said, not named.
func (g *goal) owns(c wishes.Clause) bool {
	return slices.ContainsFunc(facts.Within(g.facts, c.Start, c.End), func(f facts.Fact) bool {
		return f.Kind == facts.Digits || f.Kind == facts.Code || f.Kind == facts.Phone || f.Kind == facts.Person || f.Kind == facts.Known
	})
}

// names1 reports whether a word for one thing in clause i stands for something that an earlier clause names, so that it is known
// without that clause's result.
func (g *goal) names1(_ wishes.Clause, i int) bool {
	return g.owns(g.clauses[i-1]) && len(g.clauses[i].Change) == 0
}

// waitsFor are the targets whose results a target waits for.
func (r *round) waitsFor(e *cards.Entry) []*cards.Entry {
	var out []*cards.Entry
	if t := r.target(e); t != nil {
		for _, w := range t.waits {
			out = append(out, w.e)
		}
	}
	return out
}

// found are the results that a target waits for, and those that these waited for, each once.
func (r *round) found(t *target) []Done {
	var out []Done
	seen := map[*target]bool{}
	var add func(t *target)
	add = func(t *target) {
		for _, w := range t.waits {
			if seen[w] {
				continue
			}
			seen[w] = true
			add(w)
			for _, d := range r.latest() {
				if d.Status == bus.OK && r.behind(d) == w {
					out = append(out, d)
				}
			}
		}
	}
	add(t)
	return out
}

// behind is the target that a call was made for; nil when it was made to provide for one, or for none that is left.
func (r *round) behind(d Done) *target {
	var named *target
	for _, t := range r.targets {
		if t.e.Name != d.Action.ToolName {
			continue
		}
		if named == nil {
			named = t
		}
		if d.Action.JobDesc != "" {
			if strings.HasPrefix(d.Action.JobDesc, strings.TrimRight(t.clause.Text, words.EndMarks)) {
				return t
			}
			continue
		}
		calls, _, _ := r.planned(t.e)
		if slices.ContainsFunc(calls, func(a bus.Action) bool { return key(a) == key(d.Action) }) {
			return t
		}
	}
	return named
}

// idle reports whether a target has nothing to go on with: what it waits for cannot be done; or it changes something, and all that it
// waits for has ended and names nothing that the request did not.
func (r *round) idle(t *target) bool {
	if t.stuck || slices.ContainsFunc(t.waits, func(w *target) bool { return w.stuck }) {
		return true
	}
	if len(t.waits) == 0 || len(t.clause.Change) == 0 || r.g.owns(t.clause) {
		return false
	}
	all := r.found(t)
	ended := 0
	for _, w := range t.waits {
		if slices.ContainsFunc(all, func(d Done) bool { return r.behind(d) == w }) {
			ended++
		}
	}
	if ended < len(t.waits) {
		return false
	}
	if slices.ContainsFunc(t.waits, func(w *target) bool { return len(w.clause.Change) > 0 && r.g.owns(w.clause) }) {
		return false // it was done to the thing that the request names, which is there
	}
	for _, d := range all {
		for _, f := range r.x.facts(words.Clip(plain(d.Observation), words.MaxText), r.g.now) {
			switch f.Kind {
			case facts.Digits, facts.Code, facts.Phone, facts.Person, facts.Known, facts.Link:
				if !strings.Contains(r.g.text, f.Text) {
					return false
				}
			}
		}
	}
	return true
}
